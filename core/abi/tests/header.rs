//! The header is what the types say.

use std::fmt::Write as _;
use std::mem::offset_of;
use std::path::Path;
use std::process::Command;

use trencavel_abi::*;

/// The header as it follows from the types.
fn generated() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(root.join("cbindgen.toml")).expect("the settings");
    let bindings = cbindgen::Builder::new().with_src(root.join("src/lib.rs")).with_config(config).generate();
    let mut text = Vec::new();
    bindings.expect("types that C has").write(&mut text);
    String::from_utf8(text).expect("text")
}

#[test]
fn the_header_is_current() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("include/trencavel.h");
    let made = generated();
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&file, &made).expect("a place to write");
    }
    let kept = std::fs::read_to_string(&file).expect("the header");
    assert!(kept == made, "include/trencavel.h is old: UPDATE_GOLDEN=1 cargo test -p trencavel-abi writes it anew");
}

/// `Type size; field offset, …` as assertions in C.
macro_rules! layout {
    ($text:ident, $type:ident: $($field:ident)*) => {
        writeln!($text, "_Static_assert(sizeof({0}) == {1}, \"{0}\");", stringify!($type), size_of::<$type>())?;
        $(writeln!(
            $text,
            "_Static_assert(offsetof({0}, {1}) == {2}, \"{0}.{1}\");",
            stringify!($type),
            stringify!($field),
            offset_of!($type, $field)
        )?;)*
    };
}

fn assertions() -> Result<String, std::fmt::Error> {
    let mut text = String::from("#include \"trencavel.h\"\n");
    layout!(text, TrvText: bytes length);
    layout!(text, TrvThing: kind id y);
    layout!(text, TrvField: name value word);
    layout!(text, TrvFunction: field run);
    layout!(text, TrvDeclaration: size line file kind id fields functions function_count);
    layout!(text, TrvPlugin: magic size abi_major abi_minor declare);
    layout!(text, TrvHost: size abi_major abi_minor reserved declare option active thing number word marks tokens figures
        answer answer_text add offer cancel emit ask fail);
    Ok(text)
}

#[test]
fn a_c_compiler_lays_the_types_out_as_rust_does() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("layout.c");
    std::fs::write(&file, assertions().expect("text")).expect("a place to write");
    let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    let include = file.parent().expect("a folder");
    std::fs::write(include.join("trencavel.h"), generated()).expect("a place to write");
    let mut command = Command::new(compiler);
    command
        .args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic", "-fsyntax-only", "-I"])
        .arg(include)
        .arg(file);
    let output = command.output().expect("a C compiler");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
