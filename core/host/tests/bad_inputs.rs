//! Bad inputs and exactly what the user reads about them: `bad/NAME.toml` gives `bad/NAME.txt`. The name's first word
//! says what the file is: a `manifest`, a `game` alone, or a game to `resolve` against the expansions below.
//! `UPDATE_GOLDEN=1` rewrites the texts.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use trencavel_host::diagnostic::{Diagnostic, SourceFile};
use trencavel_host::game_file::GameFile;
use trencavel_host::library::{Bundle, Library, LinkedIn, Presence};
use trencavel_host::manifest::Manifest;
use trencavel_host::resolve::{Request, resolve};
use trencavel_host::{game_file, library, manifest, resolve as resolution};

const GROUND: &str = "id = \"ground\"\n\
     version = \"1.2.0\"\n\
     api = \"1\"\n\
     title = \"Ground\"\n\
     \n\
     [options.start]\n\
     values = [4, 2]\n\
     default = 4\n\
     text = \"How many tiles lie on the table\"\n";

const SHELF: Bundle = &[
    (
        "orchard/expansion.toml",
        "id = \"orchard\"\n\
             version = \"1.0.0\"\n\
             api = \"1\"\n\
             title = \"Orchard\"\n\
             requires = { ground = \"1\" }\n\
             \n\
             [options.rows]\n\
             default = 3\n\
             min = 1\n\
             max = 6\n\
             text = \"How many rows\"\n\
             \n\
             [options.fruit]\n\
             set = true\n\
             values = [\"apple\", \"pear\"]\n\
             default = [\"apple\"]\n\
             text = \"What grows\"\n\
             \n\
             [options.wild]\n\
             default = false\n\
             text = \"Whether it needs no road\"\n",
    ),
    (
        "quarry/expansion.toml",
        "id = \"quarry\"\n\
             version = \"2.1.0\"\n\
             api = \"1\"\n\
             title = \"Quarry\"\n\
             conflicts = { orchard = \"*\" }\n\
             optional = { kiln = \"1\" }\n\
             order = { after = [\"kiln\"] }\n",
    ),
    (
        "kiln/expansion.toml",
        "id = \"kiln\"\nversion = \"1.0.0\"\napi = \"1\"\ntitle = \"Kiln\"\nrequires = { quarry = \"1\" }\n",
    ),
    (
        "glade/expansion.toml",
        "id = \"glade\"\nversion = \"1.0.0\"\napi = \"1\"\ntitle = \"Glade\"\nrequires = { meadow = \"1\" }\n",
    ),
    (
        "meadow/expansion.toml",
        "id = \"meadow\"\nversion = \"1.0.0\"\napi = \"1\"\ntitle = \"Meadow\"\nrequires = { pond = \"1\" }\n",
    ),
    (
        "pond/expansion.toml",
        "id = \"pond\"\nversion = \"1.0.0\"\napi = \"1\"\ntitle = \"Pond\"\nrequires = { glade = \"1\" }\n",
    ),
    (
        "harbour/expansion.toml",
        "id = \"harbour\"\n\
             version = \"1.0.0\"\n\
             api = \"1\"\n\
             title = \"Harbour\"\n\
             requires = { grond = \"1\" }\n\
             includes = [\"lighthouse\"]\n",
    ),
    ("observatory/expansion.toml", "id = \"observatory\"\nversion = \"1.0.0\"\napi = \"2\"\ntitle = \"Observatory\"\n"),
    ("ruin/expansion.toml", "id = \"ruin\"\nversion = \"1.0.0\"\napi = \"1\"\ntitel = \"Ruin\"\n"),
];

const LINKED: &[LinkedIn] =
    &[LinkedIn { folder: "plugins/ground", files: &[("expansion.toml", GROUND)], presence: Presence::Implied }];

/// Everything the user reads about a bad input.
fn report(name: &str, file: &SourceFile) -> String {
    let problems = match name.split('-').next() {
        Some("manifest") => Manifest::parse(file).err(),
        Some("game") => GameFile::parse(file).err(),
        Some("resolve") => problems_of_resolution(file),
        other => panic!("no kind of input is called {other:?}"),
    };
    let problems = problems.unwrap_or_default();
    problems.iter().for_each(check_place);
    problems.iter().map(|problem| format!("{problem}\n")).collect::<Vec<_>>().join("\n")
}

fn problems_of_resolution(file: &SourceFile) -> Option<Vec<Diagnostic>> {
    let game = GameFile::parse(file).expect("a game file that only resolution refuses");
    let mut request = Request::from_game(&game);
    // What the command line adds stands in comments, as in `# --option orchard.rows=9`.
    for line in file.text.lines() {
        match line.strip_prefix("# --").and_then(|rest| rest.split_once(' ')) {
            Some(("option", option)) => request.option(option).expect("the form of an option"),
            Some(("with", id)) => request.with(id),
            Some(("without", id)) => request.without(id),
            _ => {}
        }
    }
    resolve(&request, &Library::new(&[], SHELF, LINKED)).err()
}

/// Every place lies within its file, on whole characters.
fn check_place(problem: &Diagnostic) {
    if let Some((file, span)) = &problem.at {
        assert!(file.text.get(span.clone()).is_some(), "{problem}\nhas the bytes {span:?}");
    }
}

fn inputs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bad");
    let entries = std::fs::read_dir(folder).expect("the folder of bad inputs");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("a file").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|end| end == "toml"));
    paths.sort();
    paths
}

#[test]
fn bad_inputs_read_as_recorded() {
    let mut differ = Vec::new();
    for path in inputs() {
        let name = path.file_stem().and_then(|name| name.to_str()).expect("a name in UTF-8");
        let text = std::fs::read_to_string(&path).expect("a text");
        let file = SourceFile { path: format!("{name}.toml").into(), text: text.into() };
        let (found, golden) = (report(name, &file), path.with_extension("txt"));
        assert!(!found.is_empty(), "{name} is not refused");
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(golden, found).expect("a place to write");
        } else if std::fs::read_to_string(golden).unwrap_or_default() != found {
            differ.push(format!("{name}:\n{found}"));
        }
    }
    assert!(differ.is_empty(), "these read otherwise than recorded:\n\n{}", differ.join("\n"));
}

#[test]
fn every_code_is_explained_once_and_has_an_input() {
    let lists = [manifest::CODES, library::CODES, resolution::CODES, game_file::CODES];
    let codes: Vec<_> = lists.iter().flat_map(|codes| codes.iter()).map(|(code, _)| *code).collect();
    assert_eq!(codes.iter().collect::<BTreeSet<_>>().len(), codes.len(), "a code is explained twice");
    let texts: String =
        inputs().iter().filter_map(|path| std::fs::read_to_string(path.with_extension("txt")).ok()).collect();
    for (code, text) in lists.iter().flat_map(|codes| codes.iter()) {
        assert!(!text.is_empty());
        // Problems of folders need folders: tests/resolution.rs has them.
        let needs_folder = library::CODES.iter().any(|(known, _)| known == code);
        assert!(needs_folder || texts.contains(&format!("error[{code}]")), "no bad input shows {code}");
    }
}
