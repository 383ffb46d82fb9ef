//! Packs from outside: made, checked, installed, listed, played with and removed again.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// A folder of its own for each test that is also the user's home, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Self {
        let path = std::env::temp_dir().join(format!("trencavel-packs-{}-{test}", std::process::id()));
        // A run that was killed may have left one of this name behind.
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a temporary folder");
        Self(path)
    }

    /// The same with an expansion in `mill/`.
    fn with_mill(test: &str, more: &str) -> Self {
        let folder = Self::new(test);
        let manifest =
            "id = \"mill\"\nversion = \"1.2.0\"\napi = \"1\"\ntitle = \"The Mill\"\nrequires = { base = \"1\" }\n";
        folder.write("mill/expansion.toml", &format!("{manifest}{more}"));
        folder.write("mill/rules.lua", "rules.mark \"wheel\" { on = \"road\" }\n");
        folder.write("mill/lib/deep.lua", "return { far = 4 }\n");
        folder.write("mill/README.md", "# The Mill\n");
        folder
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file in the temporary folder");
    }

    fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.0.join(name)).expect("a file in the temporary folder")
    }

    /// Everything below the user's folder for data, sorted.
    fn installed(&self) -> Vec<String> {
        let mut found = Vec::new();
        let mut folders = vec![self.0.join(".local")];
        while let Some(folder) = folders.pop() {
            let Ok(entries) = fs::read_dir(&folder) else { continue };
            for path in entries.map(|entry| entry.expect("an entry").path()) {
                if path.is_dir() { folders.push(path) } else { found.push(path) }
            }
        }
        let data = self.0.join(".local/share/trencavel");
        let mut names: Vec<String> =
            found.iter().map(|path| path.strip_prefix(&data).expect("below it").display().to_string()).collect();
        names.sort();
        names
    }

    /// Exit code, output and errors of a command.
    fn run(&self, line: &str) -> (i32, String, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_trencavel"));
        command
            .current_dir(&self.0)
            .args(line.split_whitespace())
            .env_remove("XDG_DATA_HOME")
            .env_remove("XDG_CONFIG_HOME")
            .env("HOME", &self.0);
        let output = command.output().expect("the program runs");
        let text = |bytes| String::from_utf8(bytes).expect("text");
        (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
    }

    /// What a command that ends well prints.
    fn print(&self, line: &str) -> String {
        let (code, out, err) = self.run(line);
        assert!(code == 0 && err.is_empty(), "{line}: {code}\n{out}{err}");
        out
    }

    /// A command that ends with this code and says these words.
    fn refused(&self, line: &str, code: i32, words: &str) {
        let (found, out, err) = self.run(line);
        let flat = format!("{out} {err}").split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ");
        assert!(found == code && flat.contains(words), "{line}: {found}, not {code} and {words}\n{out}{err}");
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A folder that stays behind harms nobody.
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_pack_goes_from_one_person_to_another() {
    let folder = Folder::with_mill("whole", "license = \"CC-BY-4.0\"\n");
    let told = folder.print("pack ./mill");
    assert!(
        told.starts_with("mill-1.2.0.zip\n  mill 1.2.0  The Mill\n  licence: CC-BY-4.0\n  hash: blake3:"),
        "{told}"
    );
    assert!(told.ends_with("  needs: base ^1\n  files: 4\n"), "{told}");
    folder.print("pack ./mill --out again.zip");
    assert_eq!(folder.bytes("mill-1.2.0.zip"), folder.bytes("again.zip"), "the same bytes twice");
    let verified = folder.print("verify again.zip");
    assert_eq!(verified.replacen("again.zip is whole and unchanged", "mill-1.2.0.zip", 1), told);
    assert!(folder.print("verify again.zip --json").starts_with("{\"id\": \"mill\", \"version\": \"1.2.0\", "));

    fs::remove_dir_all(folder.0.join("mill")).expect("the folder");
    assert!(folder.print("add again.zip").starts_with("installed mill 1.2.0 in "));
    let files =
        ["README.md", "expansion.toml", "lib/deep.lua", "rules.lua"].map(|name| format!("expansions/mill/{name}"));
    assert_eq!(folder.installed(), files, "all of it, nothing else");
    let line = |text: &str| text.lines().find(|line| line.starts_with("mill ")).map(str::to_owned);
    let listed = line(&folder.print("list")).expect("it is listed");
    assert!(
        listed.contains("1.2.0") && listed.contains("The Mill") && listed.contains("/expansions/mill)"),
        "{listed}"
    );
    folder.write(
        "game.toml",
        "seed = 1\nplayers = [ { name = \"Ann\", bot = \"random\" }, { name = \"Bob\", bot = \"random\" } ]\n",
    );
    assert!(folder.print("run game.toml --quiet --with mill").contains("\n  mill 1.2.0 The Mill"));
    folder.refused("add again.zip", 2, "`mill` is installed already");
    assert!(folder.print("pack mill --out third.zip").contains("mill 1.2.0"));
    assert_eq!(folder.bytes("third.zip"), folder.bytes("again.zip"), "an installed one gives the same pack");

    assert!(folder.print("remove mill").starts_with("removed mill from "));
    assert_eq!(folder.installed(), [""; 0]);
    assert_eq!(line(&folder.print("list")), None);
    folder.refused("remove mill", 2, "`mill` is not installed in ");
}

#[test]
fn bundled_expansions_can_be_packed() {
    let folder = Folder::new("bundled");
    let told = folder.print("pack wells");
    assert!(told.contains("licence: MIT OR Apache-2.0\n"), "{told}");
    let file = told.lines().next().expect("the file").to_owned();
    let told = folder.print(&format!("add {file}"));
    assert!(
        told.contains("note: `wells` is ") && told.contains("the one bundled with the program is not used"),
        "{told}"
    );
    folder.refused("remove tower", 2, "games leave it out with `--without tower`");
    assert!(folder.print("remove wells").starts_with("removed wells"));
    folder.refused("pack base", 1, "it is built into the program");
}

#[test]
fn what_nobody_could_use_is_not_packed() {
    let folder = Folder::with_mill("useless", "");
    folder.refused("pack ./mill", 1, "`mill` cannot be packed: it names no licence");
    assert!(folder.print("pack ./mill --license MIT").contains("licence: MIT\n"));
    folder.refused("pack ./mil", 2, "`./mil` is no expansion");
    folder.write("mill/rules.lua", "rules.mrk \"wheel\" { on = \"road\" }\n");
    folder.refused("pack ./mill --license MIT --out bad.zip", 1, "error[");
    folder.write("mill/rules.lua", "local n = 0\nlocal f = function() n = n + 1 end\n");
    folder.refused("pack ./mill --license MIT --out bad.zip", 1, "a function assigns to `n`");
    assert!(!folder.0.join("bad.zip").exists());
}

#[test]
fn what_is_needed_is_told() {
    let folder = Folder::with_mill("needs", "license = \"MIT\"\n");
    folder.write("mill/expansion.toml", "id = \"mill\"\nversion = \"1.0.0\"\napi = \"1\"\ntitle = \"Mill\"\nlicense = \"MIT\"\nrequires = { stream = \"1\" }\n");
    folder.write(
        "stream/expansion.toml",
        "id = \"stream\"\nversion = \"1.0.0\"\napi = \"1\"\ntitle = \"Stream\"\nlicense = \"MIT\"\n",
    );
    folder.print("pack ./mill --path .");
    assert!(folder.print("add mill-1.0.0.zip").contains("note: it needs `stream` ^1, which is not installed\n"));
    folder.refused("doctor", 1, "stream");
    folder.print("pack ./stream");
    folder.print("add stream-1.0.0.zip");
    assert!(folder.print("doctor").ends_with(" 0 problems\n"));
}

/// Names in the archive are changed in place: texts and checksums stay right.
#[test]
fn packs_that_do_harm_install_nothing() {
    let folder = Folder::with_mill("harm", "license = \"MIT\"\n");
    folder.print("pack ./mill --out mill.zip");
    let bytes = folder.bytes("mill.zip");
    let change = |from: &[u8], to: &[u8]| {
        assert_eq!(from.len(), to.len());
        let mut changed = bytes.clone();
        let places: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at..].starts_with(from)).collect();
        assert!(!places.is_empty(), "it has no {from:?}");
        places.iter().for_each(|at| changed[*at..at + to.len()].copy_from_slice(to));
        fs::write(folder.0.join("evil.zip"), changed).expect("a file");
        folder.0.join("evil.zip")
    };
    let check = |from: &[u8], to: &[u8], words: &str| {
        change(from, to);
        for command in ["verify", "add"] {
            folder.refused(&format!("{command} evil.zip"), 1, words);
        }
        assert_eq!(folder.installed(), [""; 0], "{words}");
    };
    check(b"lib/deep.lua", b"../../ev.lua", "is a path out of its folder");
    check(b"lib/deep.lua", b"/tmp/evil.md", "is a path out of its folder");
    check(b"lib/deep.lua", b"..\\..\\ev.lua".get(..12).expect("a name"), "no file name on every system");
    check(b"lib/deep.lua", b"lib/deep.exe", "no text of an expansion");
    check(b"far = 4", b"far = 5", "lib/deep.lua");
    check(b"version = \"1.2.0\"\ntitle", b"version = \"1.3.0\"\ntitle", "pack.toml");
    fs::write(folder.0.join("evil.zip"), &bytes[..bytes.len() / 2]).expect("a file");
    folder.refused("add evil.zip", 1, "it is not a pack");
    folder.refused("add nowhere.zip", 2, "nowhere.zip cannot be read");
    folder.refused("remove ../../mill", 2, "is not installed");
    assert!(folder.0.join("mill/rules.lua").is_file());
}

#[cfg(unix)]
#[test]
fn links_in_the_users_folder_are_never_followed() {
    let folder = Folder::with_mill("links", "license = \"MIT\"\n");
    folder.print("pack ./mill");
    let home = folder.0.join(".local/share/trencavel/expansions");
    fs::create_dir_all(&home).expect("a folder");
    std::os::unix::fs::symlink(folder.0.join("mill"), home.join("mill")).expect("a link");
    folder.refused("add mill-1.2.0.zip", 2, "`mill` is installed already");
    folder.print("remove mill");
    assert!(folder.0.join("mill/rules.lua").is_file(), "what the link led to stays");
    assert!(fs::symlink_metadata(home.join("mill")).is_err(), "the link is gone");
}

#[test]
fn the_doctor_finds_what_is_wrong() {
    let folder = Folder::new("doctor");
    let well = folder.print("doctor");
    assert!(well.ends_with(" 0 problems\n"), "{well}");
    assert!(folder.print("doctor --json").contains("\"problems\": []"));
    let home = ".local/share/trencavel";
    folder.write(&format!("{home}/.adding-mill-77/rules.lua"), "");
    folder.write(&format!("{home}/expansions/empty/notes.txt"), "");
    folder.write(&format!("{home}/expansions/ruin/expansion.toml"), "id = \"ruin\"\n");
    folder.write(
        &format!("{home}/expansions/odd/expansion.toml"),
        "id = \"odd\"\nversion = \"1.0.0\"\napi = \"1\"\ntitle = \"Odd\"\n",
    );
    folder.write(&format!("{home}/expansions/odd/rules.lua"), "rules.mark \"x\" { on = \"nowhere\" }\n");
    for words in [".adding-mill-77 was left behind", "empty has no expansion.toml", "`version` is missing", "nowhere"] {
        folder.refused("doctor", 1, words);
    }
    folder.refused("doctor --json", 1, "\"code\": \"C008\"");
    assert!(folder.print("list").contains("ruin"), "a broken one is listed");
    assert!(folder.print("list --json").contains("\"broken\": [\"ruin\"]"));
}

#[test]
fn every_command_has_help_with_an_example() {
    let folder = Folder::new("help");
    for command in ["pack", "verify", "add", "remove", "list", "doctor"] {
        let help = folder.print(&format!("{command} --help"));
        assert!(help.contains("Example: trencavel "), "{help}");
    }
}
