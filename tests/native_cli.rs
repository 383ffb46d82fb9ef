//! The program and native libraries: off until the user trusts their contents.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder with an expansion in C, `config` and a game file; removed at the end.
struct Desk(PathBuf);

impl Desk {
    fn new(name: &str) -> Self {
        let desk = Self(std::env::temp_dir().join(format!("trencavel-native-{}-{name}", std::process::id())));
        // A run that was killed may have left one of this name behind.
        let _ = fs::remove_dir_all(&desk.0);
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let wells = desk.0.join("wells");
        fs::create_dir_all(wells.join("lib")).expect("a place to write");
        for file in ["expansion.toml", "tiles.toml"] {
            fs::copy(root.join("plugins/wells-c").join(file), wells.join(file)).expect("a copy");
        }
        let scenario = "title = \"a well is a point\"\nexpansions = [\"wells\"]\nexpect = [\"A has 0 points\"]\n";
        fs::create_dir_all(wells.join("tests")).expect("a place to write");
        fs::write(wells.join("tests/none.toml"), scenario).expect("a place to write");
        let mut command = Command::new(std::env::var_os("CC").unwrap_or_else(|| "cc".into()));
        command.args(["-fPIC", "-shared", "-I"]).arg(root.join("core/abi/include"));
        command.arg(root.join("plugins/wells-c/rules.c")).arg("-o").arg(wells.join("lib/wells"));
        let library = wells.join("lib/wells").with_extension(std::env::consts::DLL_EXTENSION);
        assert!(command.status().expect("a C compiler").success());
        fs::rename(wells.join("lib/wells"), library).expect("the library");
        let game = "seed = 3\nplayers = [{ name = \"Ann\", bot = \"random\" }, { name = \"Bob\", bot = \"random\" }]\n\
                    [expansions]\nwells = true\n";
        fs::write(desk.0.join("game.toml"), game).expect("a place to write");
        desk
    }

    fn run(&self, words: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_trencavel"));
        command.args(words).current_dir(&self.0).env("XDG_CONFIG_HOME", self.0.join("config"));
        command.env_remove("XDG_DATA_HOME").env("HOME", &self.0);
        command.output().expect("the program")
    }

    /// It must be refused; gives the hash that the refusal names.
    fn refused(&self, words: &[&str]) -> String {
        let output = self.run(words);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert!(text.contains("N001") && text.contains("--trust"), "{text}");
        let start = text.find("blake3:").expect("a hash");
        text[start..start + "blake3:".len() + 64].to_owned()
    }

    fn plays(&self, words: &[&str]) -> String {
        let output = self.run(words);
        let text = [&output.stdout[..], &output.stderr].concat();
        assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&text));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_library_runs_when_its_hash_is_trusted_on_the_command_line() {
    let desk = Desk::new("flag");
    let run = ["run", "game.toml", "--path", ".", "--save", "game.replay"];
    let hash = desk.refused(&run);
    let story = desk.plays(&[&run[..], &["--trust", &hash]].concat());
    assert!(story.contains("rules.c:"), "the ledger names the library's source: {story}");
    let replay = ["replay", "game.replay", "--path", "."];
    assert_eq!(desk.refused(&replay), hash);
    desk.plays(&[&replay[..], &["--trust", &hash]].concat());
    let output = desk.run(&[&run[..], &["--trust", "blake3:12"]].concat());
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("64 hexadecimal digits"));
}

#[test]
fn every_command_that_loads_rules_takes_the_same_trust() {
    let desk = Desk::new("all");
    let hash = desk.refused(&["coverage", "wells", "--path", "."]);
    let trusting = ["--path", ".", "--trust", &hash];
    let commands: [&[&str]; 10] = [
        &["check", "wells"],
        &["test", "wells"],
        &["coverage", "wells", "--games", "1"],
        &["draw", "wells", "-o", "wells.svg"],
        &["draw", "game.toml", "-o", "board.svg"],
        &["print", "wells", "-o", "wells.pdf"],
        &["rulebook", "wells", "-o", "rules.html"],
        &["hunt", "wells", "--games", "1"],
        &["simulate", "game.toml", "--games", "2", "--out", "rows"],
        &["doctor"],
    ];
    for command in commands {
        desk.plays(&[command, &trusting].concat());
    }
    // A library is no text, so it cannot be looked through by whoever gets it.
    let output = desk.run(&[&["pack", "wells", "--license", "MIT"], &trusting[..]].concat());
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(1) && text.contains("it has a compiled library"), "{text}");
    assert!(desk.plays(&[&["test", "wells"], &trusting[..]].concat()).contains("1 passed, 0 failed"));
}

#[test]
fn a_library_runs_when_its_hash_is_in_the_users_file() {
    let desk = Desk::new("file");
    let run = ["run", "game.toml", "--path", "."];
    let hash = desk.refused(&run);
    let file = desk.0.join("config/trencavel/trusted");
    fs::create_dir_all(file.parent().expect("a folder")).expect("a place to write");
    fs::write(&file, format!("# built here\n\n{hash} wells\n")).expect("a place to write");
    desk.plays(&run);
    fs::write(&file, "# built here\nblake3:none\n").expect("a place to write");
    let output = desk.run(&run);
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && text.contains("trusted:2") && text.contains("`blake3:none`"), "{text}");
}
