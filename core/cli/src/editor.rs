//! What editors need to complete and check an expansion, and `trencavel types`, which gives it.

use std::io::Write;
use std::path::PathBuf;

use trencavel_host::api_file::ApiFile;
use trencavel_host::diagnostic::Diagnostic;

use crate::failure::Failure;
use crate::new::write;

/// Write what editors need: types of the script interface, the schema of manifests
///
/// Without a folder, prints the types (LuaCATS comments, as LuaLS and others read them).
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: trencavel types ./toll-keeper")]
pub(crate) struct Args {
    /// The folder of an expansion
    dir: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let Some(dir) = &args.dir else { return Ok(write!(out, "{}", api()?.stubs())?) };
    for (name, text) in files()? {
        writeln!(out, "wrote {}", write(dir, name, &text)?.display())?;
    }
    Ok(())
}

/// The definition of the script interface.
pub(crate) fn api() -> Result<ApiFile, Failure> {
    ApiFile::read().map_err(|error| Failure::problem(Diagnostic::new("C007", format!("api.toml: {error}"))))
}

/// The files, by path within the folder of an expansion. Their folder is hidden, so they are no part of the expansion.
pub(crate) fn files() -> Result<[(&'static str, String); 3], Failure> {
    Ok([
        (".luarc.json", include_str!("../templates/editor/luarc.json").to_owned()),
        (".editor/trencavel.lua", api()?.stubs()),
        (".editor/expansion.schema.json", trencavel_host::manifest::schema()),
    ])
}
