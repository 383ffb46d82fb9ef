//! Which expansions a game gets: dependencies, boxes, order, options, locks and the search path.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use trencavel_host::diagnostic::SourceFile;
use trencavel_host::game_file::GameFile;
use trencavel_host::library::{Bundle, Library, LinkedIn, Origin, Presence};
use trencavel_host::lock::Lock;
use trencavel_host::manifest::{Manifest, PublishedKind};
use trencavel_host::options::{OptionType, OptionValue};
use trencavel_host::resolve::{Request, Resolution, resolve};

const GROUND: Bundle = &[(
    "expansion.toml",
    "id = \"ground\"\n\
         version = \"1.2.0\"\n\
         api = \"1\"\n\
         title = \"Ground\"\n\
         [options.tiny_city]\n\
         values = [4, 2]\n\
         default = 4\n\
         text = \"Points\"\n",
)];
const LINKED: &[LinkedIn] = &[LinkedIn { folder: "plugins/ground", files: GROUND, presence: Presence::Implied }];
const SHELF: Bundle = &[
    (
        "orchard/expansion.toml",
        "id = \"orchard\"\n\
             version = \"1.0.0\"\n\
             api = \"1\"\n\
             title = \"Orchard\"\n\
             requires = { ground = \"1\" }\n\
             optional = { quarry = \"*\" }\n\
             order = { after = [\"quarry\"] }\n\
             [options.fruit]\n\
             set = true\n\
             values = [\"pear\", \"apple\"]\n\
             default = []\n\
             text = \"What grows\"\n",
    ),
    ("orchard/rules.lua", "-- orchard"),
    ("orchard/README.md", "Plenty."),
    ("orchard/tests/one.toml", "title = \"O-1\""),
    ("quarry/expansion.toml", "id = \"quarry\"\nversion = \"1.0.0\"\napi = \"1\"\ntitle = \"Quarry\"\n"),
    (
        "kiln/expansion.toml",
        "id = \"kiln\"\nversion = \"1.0.0\"\napi = \"1\"\ntitle = \"Kiln\"\nrequires = { quarry = \"^1\" }\n",
    ),
    (
        "yard/expansion.toml",
        "id = \"yard\"\nversion = \"0.1.0\"\napi = \"1\"\ntitle = \"Yard\"\nincludes = [\"kiln\", \"orchard\"]\n",
    ),
    ("types/api.lua", "-- no expansion"),
];

fn shelf() -> Library {
    Library::new(&[], SHELF, LINKED)
}

fn game(expansions: &str) -> Request {
    let text = format!("players = [ {{ name = \"Ann\" }} ]\n{expansions}");
    let file = SourceFile { path: "game.toml".into(), text: text.into() };
    Request::from_game(&GameFile::parse(&file).expect("a game file"))
}

fn ids(resolution: &Resolution) -> Vec<&str> {
    resolution.expansions.iter().map(|one| one.id()).collect()
}

fn check_game(expansions: &str, expected: &[&str], notices: &[&str]) -> Resolution {
    let resolution = resolve(&game(expansions), &shelf()).expect("a game");
    assert_eq!(ids(&resolution), expected);
    let told: Vec<_> = resolution.notices.iter().map(ToString::to_string).collect();
    assert_eq!(told, notices);
    resolution
}

#[test]
fn what_is_implied_can_be_switched_off() {
    check_game("", &["ground"], &[]);
    check_game("[expansions]\nground = false", &[], &[]);
}

#[test]
fn requirements_and_boxes_bring_their_parts() {
    check_game(
        "[expansions]\nkiln = true",
        &["ground", "kiln", "quarry"],
        &["note: `quarry` was switched on because `kiln` requires it"],
    );
    check_game(
        "[expansions]\nyard = true\norchard = false",
        &["ground", "kiln", "quarry", "yard"],
        &[
            "note: `kiln` was switched on because `yard` includes it",
            "note: `orchard` stays off, although `yard` includes it",
            "note: `quarry` was switched on because `kiln` requires it",
        ],
    );
}

#[test]
fn order_follows_manifests_and_the_game_then_ids() {
    check_game("[expansions]\norchard = true\nquarry = true", &["ground", "quarry", "orchard"], &[]);
    let orders = "orders = [\"orchard before ground\"]\n[expansions]\norchard = true\nquarry = true";
    let resolution = check_game(orders, &["quarry", "orchard", "ground"], &[]);
    assert_eq!(resolution.lock().orders, ["orchard before ground"]);
    let idle = "orders = [\"quarry:dig before ground:end\"]";
    check_game(idle, &["ground"], &["note: the order \"quarry:dig before ground:end\" does nothing: `quarry` is off"]);
}

#[test]
fn the_order_of_the_request_does_not_matter() {
    let one = resolve(&game("[expansions]\nyard = true\nquarry = true\norchard = true"), &shelf());
    let other = resolve(&game("[expansions]\norchard = true\nquarry = true\nyard = true"), &shelf());
    assert_eq!(one.map(|one| one.lock().to_string()), other.map(|other| other.lock().to_string()));
}

#[test]
fn options_come_from_defaults_then_the_file_then_the_command_line() {
    let mut request = game("[expansions]\norchard = { fruit = [\"pear\", \"apple\"] }\nground = { tiny_city = 2 }");
    let value = |request: &Request, id: &str, name: &str| {
        let resolution = resolve(request, &shelf()).expect("a game");
        resolution.get(id).map(|one| one.options[name].to_string())
    };
    assert_eq!(value(&request, "orchard", "fruit").as_deref(), Some("apple,pear"));
    assert_eq!(value(&request, "ground", "tiny_city").as_deref(), Some("2"));
    request.option("ground.tiny_city=4").expect("the form");
    request.option("orchard.fruit=-").expect("the form");
    assert_eq!(value(&request, "orchard", "fruit").as_deref(), Some("-"));
    assert_eq!(value(&request, "ground", "tiny_city").as_deref(), Some("4"));
    assert_eq!(value(&game(""), "ground", "tiny_city").as_deref(), Some("4"));
    for text in ["ground", "ground=4", "ground.tiny.city=4", ".x=1", "ground.=1"] {
        assert!(request.option(text).is_err(), "{text}");
    }
}

#[test]
fn the_command_line_adds_takes_away_and_replaces() {
    let check = |change: fn(&mut Request), expected: &[&str]| {
        let mut request = game("[expansions]\nkiln = true\norchard = { fruit = [\"pear\"] }");
        change(&mut request);
        assert_eq!(ids(&resolve(&request, &shelf()).expect("a game")), expected);
    };
    check(|request| request.with("yard"), &["ground", "kiln", "quarry", "orchard", "yard"]);
    check(|request| request.without("orchard"), &["ground", "kiln", "quarry"]);
    check(|request| request.only(&["orchard"]), &["ground", "orchard"]);
}

#[test]
fn a_lock_says_everything_and_parses() {
    let resolution =
        check_game("[expansions]\norchard = { copies = 2, fruit = [\"pear\"] }", &["ground", "orchard"], &[]);
    let text = resolution.lock().to_string();
    assert!(text.contains("expansion orchard 1.0.0 blake3:"), "{text}");
    assert!(text.contains(" copies=2 fruit=pear\n"), "{text}");
    assert_eq!(text.parse::<Lock>(), Ok(resolution.lock()));
}

#[test]
fn every_kind_of_option_and_publication_is_read() {
    let text = "id = \"orchard\"\n\
         version = \"1.0.0\"\n\
         api = \"1\"\n\
         title = \"O\"\n\
         authors = [\"Ann\"]\n\
         source = \"us\"\n\
         license = \"MIT\"\n\
         native = \"lib/orchard.so\"\n\
         [options]\n\
         b = { default = true, text = \"t\" }\n\
         a = { default = 2, min = 1, text = \"t\" }\n\
         c = { values = [\"x\", 2], default = \"2\", text = \"t\" }\n\
         [publishes.pick]\n\
         kind = \"question\"\n\
         text = \"t\"\n";
    let manifest = Manifest::parse(&SourceFile { path: "x".into(), text: text.into() }).expect("a manifest");
    let names: Vec<_> = manifest.options.iter().map(|option| option.name.as_str()).collect();
    assert_eq!(names, ["b", "a", "c"], "in the order written");
    assert_eq!(manifest.options[1].kind, OptionType::Int { min: Some(1), max: None });
    assert_eq!(manifest.options[2].default, OptionValue::Word("2".to_owned()));
    assert_eq!(manifest.publishes[0].kind, PublishedKind::Question);
    assert_eq!(manifest.native, Some(PathBuf::from("lib/orchard.so")));
}

/// A folder of its own for one test, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("trencavel-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    fn library(&self) -> Library {
        Library::new(std::slice::from_ref(&self.0), SHELF, LINKED)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const ORCHARD: &str = "id = \"orchard\"\nversion = \"3.0.0\"\napi = \"1\"\ntitle = \"Mine\"\n";

#[test]
fn a_folder_wins_over_the_bundle_and_says_so() {
    let folder = Folder::new("wins");
    folder.write("my-orchard/expansion.toml", ORCHARD);
    folder.write("my-orchard/lib/more.lua", "-- more");
    folder.write("my-orchard/picture.png", "");
    folder.write("my-orchard/.git/x.toml", "");
    folder.write("notes/readme.md", "no expansion");
    let library = folder.library();
    let found = library.get("orchard").expect("an orchard");
    assert_eq!(found.origin, Origin::Folder(folder.0.join("my-orchard")));
    assert_eq!(found.files.keys().collect::<Vec<_>>(), ["expansion.toml", "lib/more.lua"]);
    let notices: Vec<_> = library.notices().iter().map(ToString::to_string).collect();
    let place = folder.0.join("my-orchard");
    let expected = format!("note: `orchard` is {}; the one bundled with the program is not used", place.display());
    assert_eq!(notices, [expected]);
    // The folder of one expansion is a search path too.
    let single = Library::new(&[place], SHELF, LINKED);
    assert_eq!(single.get("orchard").map(|found| found.manifest.version.major), Some(3));
}

#[test]
fn a_broken_folder_does_not_fall_back_to_the_bundle() {
    let folder = Folder::new("broken");
    folder.write("my-orchard/expansion.toml", &format!("{ORCHARD}colour = 1\n"));
    let library = folder.library();
    assert!(library.get("orchard").is_none());
    let problems = resolve(&game("[expansions]\norchard = true"), &library).expect_err("a broken expansion");
    assert_eq!(problems.iter().map(|problem| problem.code).collect::<Vec<_>>(), ["M002"]);
    assert!(resolve(&game("[expansions]\nkiln = true"), &library).is_ok());
    assert_eq!(library.problems().count(), 1);
}

#[test]
fn hashes_ignore_tests_and_readme_only() {
    let folder = Folder::new("hash");
    folder.write("orchard/expansion.toml", ORCHARD);
    let mut seen = BTreeSet::new();
    let mut is_new = |name: &str, text: &str| {
        folder.write(&format!("orchard/{name}"), text);
        let resolution = resolve(&game("[expansions]\norchard = true"), &folder.library()).expect("a game");
        seen.insert(resolution.get("orchard").map(|one| one.hash.to_string()))
    };
    assert!(is_new("rules.lua", "-- 1\n"));
    assert!(!is_new("README.md", "words"));
    assert!(!is_new("tests/one.toml", "title = \"one\""));
    assert!(!is_new("rules.lua", "-- 1\r\n"));
    assert!(is_new("rules.lua", "-- 2\n"));
    assert!(is_new("tiles.toml", ""));
}

#[test]
fn unreadable_paths_and_files_are_told() {
    let folder = Folder::new("unreadable");
    folder.write("orchard/expansion.toml", ORCHARD);
    fs::write(folder.0.join("orchard/rules.lua"), [0xff, 0xfe]).expect("a file");
    let paths = [folder.0.join("nowhere"), folder.0.clone()];
    let library = Library::new(&paths, &[], LINKED);
    let codes: Vec<_> = library.problems().map(|problem| problem.code).collect();
    assert_eq!(codes, ["M020", "M021"]);
    assert!(library.broken("orchard").is_some());
}

#[cfg(unix)]
#[test]
fn links_may_not_leave_the_folder() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new("links");
    folder.write("orchard/expansion.toml", ORCHARD);
    folder.write("orchard/rules.lua", "-- rules");
    folder.write("secret.lua", "-- secret");
    let link = |target: &Path, name: &str| symlink(target, folder.0.join("orchard").join(name)).expect("a link");
    link(Path::new("rules.lua"), "inside.lua");
    assert!(folder.library().get("orchard").is_some_and(|found| found.files.contains_key("inside.lua")));
    link(&folder.0.join("secret.lua"), "outside.lua");
    link(Path::new("."), "circle");
    let library = folder.library();
    let codes: Vec<_> = library.problems().map(|problem| problem.code).collect();
    assert_eq!(codes, ["M022", "M022"]);
    assert!(library.get("orchard").is_none());
}
