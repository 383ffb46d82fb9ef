//! Folders of expansions with native libraries, made for a test.

mod hostile;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use trencavel_host::diagnostic::Diagnostic;
use trencavel_host::library::Library;
use trencavel_host::lock::ContentHash;
use trencavel_host::resolve::Request;
use trencavel_host::{Loaded, load};
use trencavel_tests::loading::BASE;
use trencavel_tests::root;

/// A folder of an expansion, removed at the end.
pub struct Folder(pub PathBuf);

static FOLDERS: AtomicU32 = AtomicU32::new(0);

impl Folder {
    /// An empty one.
    pub fn new(name: &str) -> Self {
        let number = FOLDERS.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("trencavel-test-{}-{number}-{name}", std::process::id()));
        // A run that was killed may have left one of this name behind.
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(path.join("lib")).expect("a place to write");
        Self(path)
    }

    /// The plain files of a folder of the workspace.
    pub fn copy_of(folder: &str) -> Self {
        let copy = Self::new("copy");
        for entry in fs::read_dir(root().join(folder)).expect("the folder") {
            let path = entry.expect("an entry").path();
            if path.is_file() {
                fs::copy(&path, copy.0.join(path.file_name().expect("a name"))).expect("a copy");
            }
        }
        copy
    }

    /// An expansion `odd` with this source in C as its library.
    pub fn in_c(source: &str) -> Self {
        let folder = Self::odd("native = \"lib/odd\"");
        let file = folder.0.join("odd.c");
        fs::write(&file, source).expect("a place to write");
        compile(&file, &folder.library());
        folder
    }

    /// An expansion `odd` whose library is a file of `tests/libraries` in Rust.
    pub fn in_rust(name: &str) -> Self {
        let folder = Self::odd("native = \"lib/odd\"");
        let abi = folder.0.join("libtrencavel_abi.rlib");
        rustc("rlib", "trencavel_abi", &root().join("core/abi/src/lib.rs"), &abi, None);
        rustc("cdylib", "odd", &root().join("tests/libraries").join(name), &folder.library(), Some(&abi));
        folder
    }

    /// An expansion `odd` that is a script.
    pub fn in_lua(script: &str) -> Self {
        let folder = Self::odd("");
        fs::write(folder.0.join("rules.lua"), script).expect("a place to write");
        folder
    }

    fn odd(more: &str) -> Self {
        let folder = Self::new("odd");
        let manifest = format!(
            "id = \"odd\"\nversion = \"1.0.0\"\napi = \"1\"\ntitle = \"Odd\"\n{more}\n\
             requires = {{ base = \"1\" }}\noptional = {{ wells = \"*\" }}\n\
             [options.height]\nvalues = [4, 5]\ndefault = 4\ntext = \"How high\"\n"
        );
        fs::write(folder.0.join("expansion.toml"), manifest).expect("a place to write");
        folder
    }

    /// Where the manifest says that the library is.
    pub fn library(&self) -> PathBuf {
        let name = if self.0.join("tiles.toml").exists() { "wells" } else { "odd" };
        self.0.join("lib").join(name).with_extension(std::env::consts::DLL_EXTENSION)
    }

    /// The rules with this expansion and others of `scripts`, its library trusted as it is now.
    pub fn load(&self, ids: &[&str]) -> Result<Loaded, Vec<Diagnostic>> {
        let bytes = fs::read(self.library()).unwrap_or_default();
        self.load_trusting(ids, &[ContentHash::of_bytes(&bytes)])
    }

    /// The same, with what is trusted.
    pub fn load_trusting(&self, ids: &[&str], trusted: &[ContentHash]) -> Result<Loaded, Vec<Diagnostic>> {
        let mut library = Library::new(&[self.0.clone(), root().join("scripts")], &[], &[BASE.linked]);
        trusted.iter().for_each(|hash| library.trust(*hash));
        let mut request = Request::default();
        for id in ids {
            // `odd.height=5` is an option.
            if id.contains('=') { request.option(id).expect("an option") } else { request.with(id) }
        }
        load(&request, &library, &[BASE])
    }

    /// Loading it must fail with this code and these words.
    #[track_caller]
    pub fn check_refused(&self, code: &str, words: &[&str]) {
        let id = if self.0.join("tiles.toml").exists() { "wells" } else { "odd" };
        self.check_refused_with(&[id], code, words);
    }

    /// The same with these expansions and options.
    #[track_caller]
    pub fn check_refused_with(&self, ids: &[&str], code: &str, words: &[&str]) {
        let problems = self.load(ids).expect_err("a problem");
        let text = problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
        assert!(text.contains(code), "no {code}: {text}");
        words.iter().for_each(|word| assert!(text.contains(word), "no `{word}`: {text}"));
        assert!(text.contains("expansion.toml"), "no place: {text}");
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Compiles a library from C with the header of the workspace. `CC` and `CFLAGS` are heeded, as sanitizers need it.
pub fn compile(source: &Path, library: &Path) {
    let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    let mut command = Command::new(compiler);
    command.args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-O1", "-fPIC", "-shared", "-fvisibility=hidden", "-I"]);
    command.arg(root().join("core/abi/include"));
    command.args(std::env::var("CFLAGS").unwrap_or_default().split_whitespace());
    command.arg(source).arg("-o").arg(library);
    let output = command.output().expect("a C compiler");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Compiles a Rust file.
fn rustc(kind: &str, name: &str, source: &Path, out: &Path, abi: Option<&Path>) {
    let mut command = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    command.args(["--edition", "2024", "--crate-type", kind, "--crate-name", name, "-o"]).arg(out).arg(source);
    if let Some(abi) = abi {
        command.arg("--extern").arg(format!("trencavel_abi={}", abi.display()));
    }
    let output = command.output().expect("rustc");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// `plugins/wells-c` with its library.
pub fn wells_in_c() -> Folder {
    let folder = Folder::copy_of("plugins/wells-c");
    compile(&root().join("plugins/wells-c/rules.c"), &folder.library());
    folder
}

/// `plugins/wells-native` with its library, which cargo has put beside this test.
pub fn wells_in_rust() -> Folder {
    let folder = Folder::copy_of("plugins/wells-native");
    let built = format!("{}wells_native{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let test = std::env::current_exe().expect("this test");
    fs::copy(test.with_file_name(built), folder.library()).expect("the library that this package depends on");
    folder
}
