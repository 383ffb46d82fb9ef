//! A small made-up world: paths, towns and peons, linked in as a base game is; scripts are added to it.

#![allow(dead_code, reason = "each test uses a part of it")]

use std::panic::Location;

use trencavel_host::diagnostic::{Diagnostic, SourceFile};
use trencavel_host::game_file::GameFile;
use trencavel_host::library::{Bundle, Library, LinkedIn, Presence};
use trencavel_host::lua::limits::Limits;
use trencavel_host::resolve::Request;
use trencavel_host::{LinkedExpansion, Loaded, Options, ScriptHost, load_with};
use trencavel_rules::declare::{Declaration, RulesetBuilder};
use trencavel_rules::value::Value;
use trencavel_rules::words::DeclKind;
use trencavel_rules::{Game, Setup, Source, notation};

const LAND: Bundle = &[
    (
        "expansion.toml",
        "id = \"land\"\n\
         version = \"1.0.0\"\n\
         api = \"1\"\n\
         title = \"Land\"\n\
         [options.peons]\n\
         default = 3\n\
         text = \"Peons of each player\"\n\
         [options.long]\n\
         default = false\n\
         text = \"Whether all tiles are used\"\n",
    ),
    (
        "tiles.toml",
        r#"format = "trencavel-tiles/1"

[[tile]]
id = "straight"
sides = "grass path grass path"
segments = [{ name = "path", kind = "path", sides = "E W", marks = { lamp = 1 } }]
waive = [{ check = "gap", why = "this world has no fields" }]

[[tile]]
id = "end"
sides = "grass grass grass path"
segments = [{ name = "path", kind = "path", sides = "W" }]
waive = [{ check = "gap", why = "this world has no fields" }]

[[tile]]
id = "gate"
sides = "town path grass grass"
segments = [
  { name = "town", kind = "town", sides = "N" },
  { name = "path", kind = "path", sides = "E" },
]
links = [["town", "path"]]
marks = { bell = 1 }
waive = [{ check = "gap", why = "this world has no fields" }]

[[tile]]
id = "cap"
sides = "town grass grass grass"
segments = [{ name = "town", kind = "town", sides = "N" }]
waive = [{ check = "gap", why = "this world has no fields" }]

[[set]]
id = "usual"
counts = { straight = 3, end = 2, gate = 2, cap = 2 }
limit = { straight = 4 }

[[set]]
id = "more"
when = { long = "true" }
counts = { straight = 5 }

[[start]]
tile = "straight"
at = "0,0"
"#,
    ),
];

/// The base game of the world.
pub const WORLD: LinkedExpansion = LinkedExpansion {
    linked: LinkedIn { folder: "tests/land", files: LAND, presence: Presence::Implied },
    declare: declare_land,
};

fn declare_land(builder: &mut RulesetBuilder, options: &Options) {
    let mut declare = |kind, id: &str, fields: Value| {
        let here = Location::caller();
        let source = Source { file: here.file().into(), line: here.line() };
        builder.declare(Declaration { expansion: "land".to_owned(), kind, id: id.to_owned(), fields, source });
    };
    for edge in ["grass", "path", "town"] {
        declare(DeclKind::Edge, edge, Value::table([]));
    }
    for kind in ["path", "town"] {
        declare(DeclKind::Feature, kind, Value::table([]));
    }
    let peons: i64 = options["peons"].to_string().parse().expect("a number");
    declare(
        DeclKind::Figure,
        "peon",
        Value::table([("per_player", peons.into()), ("seats", Value::list(["path", "town"]))]),
    );
    let tiles = |of: &str, unit: i64| {
        Value::table([("of", of.into()), ("count", "tiles".into()), ("unit", unit.into()), ("tag", "per_tile".into())])
    };
    declare(DeclKind::Items, "path_tiles", tiles("path", 1));
    declare(DeclKind::Items, "town_tiles", tiles("town", 2));
    let occupied = Value::table([
        ("on", "deploy".into()),
        ("class", "follower".into()),
        ("where", Value::table([("feature", Value::table([("occupied", true.into())]))])),
        ("say", "somebody stands there".into()),
    ]);
    declare(DeclKind::Forbid, "occupied", occupied);
}

/// The world with expansions of (`folder/file`, text).
pub fn library(files: &[(&str, &str)]) -> Library {
    let leak = |text: &str| -> &'static str { Box::leak(text.to_owned().into_boxed_str()) };
    let files: Vec<(&'static str, &'static str)> = files.iter().map(|(name, text)| (leak(name), leak(text))).collect();
    Library::new(&[], Box::leak(files.into_boxed_slice()), &[WORLD.linked])
}

/// A manifest of an expansion of the world.
pub fn manifest(id: &str, more: &str) -> String {
    format!("id = \"{id}\"\nversion = \"1.0.0\"\napi = \"1\"\ntitle = \"{id}\"\nrequires = {{ land = \"1\" }}\n{more}")
}

/// The rules of a game with these expansions, written as in a game file.
pub fn load_game(expansions: &str, files: &[(&str, &str)]) -> Result<Loaded, Vec<Diagnostic>> {
    let text = format!("players = [ {{ name = \"Ann\" }}, {{ name = \"Bob\" }} ]\n[expansions]\n{expansions}");
    let file = SourceFile { path: "game.toml".into(), text: text.into() };
    let request = Request::from_game(&GameFile::parse(&file).expect("a game file"));
    // What a script may do is counted; how long that takes depends on whatever else the machine does.
    let limits = Limits { wall_ms: 600_000, ..Limits::default() };
    load_with(&request, &library(files), &[WORLD], limits)
}

/// Two players and a stack.
pub fn setup(loaded: &Loaded, stack: &[&str]) -> Setup {
    let tile = |word: &&str| loaded.rules.tile_by_name(word).unwrap_or_else(|| panic!("no tile {word}"));
    Setup {
        players: vec!["Ann".to_owned(), "Bob".to_owned()],
        stack: Some(stack.iter().map(tile).collect()),
        ..Setup::default()
    }
}

/// A game with its scripts.
pub fn begin(loaded: &Loaded, stack: &[&str]) -> (Game, ScriptHost) {
    let mut host = loaded.scripts().expect("scripts");
    let game = Game::from_setup(loaded.rules.clone(), &setup(loaded, stack), &mut host).expect("a game");
    (game, host)
}

/// What may be chosen, in words.
pub fn offered(game: &Game) -> Vec<String> {
    game.legal_actions().iter().map(|action| notation::action(game.rules(), game.state(), *action)).collect()
}

/// Makes a choice that is offered.
pub fn choose(game: &mut Game, host: &mut ScriptHost, text: &str) {
    let action = notation::parse(game, text).unwrap_or_else(|error| panic!("{error}; offered: {:?}", offered(game)));
    game.apply(action, host).unwrap_or_else(|error| panic!("{text}: {error}; offered: {:?}", offered(game)));
}
