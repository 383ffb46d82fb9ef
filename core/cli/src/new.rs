//! `trencavel new NAME`: a folder that already passes `check` and `test`.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use trencavel_host::manifest::is_id;

use crate::editor;
use crate::failure::Failure;
use crate::search::Search;
use crate::setup::quoted;

/// Begin an expansion: a folder with commented examples that passes `check` and `test`
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: trencavel new toll-keeper --figure")]
pub(crate) struct Args {
    /// Its id: lower-case words joined by hyphens
    name: String,
    /// A figure of its own, with a refusal and an award (as without a flag)
    #[arg(long)]
    figure: bool,
    /// Tiles of its own, with a mark that counts
    #[arg(long, conflicts_with = "figure")]
    tiles: bool,
    /// Neither: a rule about what is there
    #[arg(long, conflicts_with_all = ["figure", "tiles"])]
    rules_only: bool,
    /// Where to put the folder
    #[arg(long, value_name = "DIR", default_value = ".")]
    dir: PathBuf,
}

/// Files of a template: path within the folder, text with gaps.
type Template = &'static [(&'static str, &'static str)];

macro_rules! template {
    ($folder:literal: $($file:literal),+) => {
        &[$(($file, include_str!(concat!("../templates/", $folder, "/", $file)))),+]
    };
}

const FIGURE: Template = template!("figure": "expansion.toml", "rules.lua", "README.md",
    "tests/rule-2-company.toml", "tests/rule-2-alone.toml", "tests/rule-3-points.toml");
const TILES: Template = template!("tiles": "expansion.toml", "rules.lua", "tiles.toml", "README.md",
    "tests/rule-1-pack.toml", "tests/rule-2-banners.toml");
const RULES: Template = template!("rules": "expansion.toml", "rules.lua", "README.md",
    "tests/rule-1-large.toml", "tests/rule-1-small.toml");

impl Args {
    fn template(&self) -> Template {
        match (self.tiles, self.rules_only) {
            (true, _) => TILES,
            (_, true) => RULES,
            _ => FIGURE,
        }
    }
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    check_name(&args.name)?;
    let folder = args.dir.join(&args.name);
    if folder.exists() {
        let help = "choose another name, or remove what is there";
        return Err(Failure::usage(format!("{} is there already", folder.display()), help));
    }
    let mut written = Vec::new();
    for (name, text) in args.template() {
        written.push(write(&folder, name, &filled(text, &args.name))?);
    }
    for (name, text) in editor::files()? {
        written.push(write(&folder, name, &text)?);
    }
    written.iter().try_for_each(|path| writeln!(out, "wrote {}", path.display()))?;
    let named = quoted(&folder.display().to_string());
    Ok(write!(out, "\nnext:\n  trencavel check {named}\n  trencavel test {named}\n")?)
}

fn check_name(name: &str) -> Result<(), Failure> {
    if !is_id(name) {
        let help = "write lower-case words joined by hyphens, beginning with a letter: `toll-keeper`";
        return Err(Failure::usage(format!("`{name}` cannot be the id of an expansion"), help));
    }
    if Search::default().library()?.get(name).is_some() {
        let help = "choose another one: of two expansions with the same id only one can be found";
        return Err(Failure::usage(format!("there is an expansion `{name}` already"), help));
    }
    Ok(())
}

/// A text of a template with its gaps filled.
fn filled(text: &str, id: &str) -> String {
    let words = || id.split('-');
    let capital = |word: &str| word[..1].to_uppercase() + &word[1..];
    let title = words().map(capital).collect::<Vec<_>>().join(" ");
    text.replace("{{id}}", id).replace("{{name}}", &words().collect::<Vec<_>>().join(" ")).replace("{{title}}", &title)
}

/// Writes a file of a folder and the folders on the way, and gives its path.
pub(crate) fn write(folder: &Path, name: &str, text: &str) -> Result<PathBuf, Failure> {
    let path = folder.join(name);
    let parent = path.parent().unwrap_or(folder);
    fs::create_dir_all(parent).and_then(|()| fs::write(&path, text)).map_err(|error| {
        let help = "name a folder that you may write to";
        Failure::usage(format!("{} cannot be written: {error}", path.display()), help)
    })?;
    Ok(path)
}
