//! A small made-up game: nothing of the drawing may depend on names.

#![allow(dead_code, reason = "each test file uses its part")]

use std::sync::Arc;

use trencavel_rules::declare::{CopiesSpec, Declaration, ExpansionSpec, RulesetBuilder, StartSpec};
use trencavel_rules::game::SetFigure;
use trencavel_rules::hooks::NoScripts;
use trencavel_rules::ids::PlayerId;
use trencavel_rules::tile::{SegmentSpec, TileSpec};
use trencavel_rules::value::Value;
use trencavel_rules::words::DeclKind;
use trencavel_rules::{Game, Position, Rotation, Ruleset, Setup, Source, Start};

/// Tiles as `id | sides | name kind sides halves marks; …`, `-` for nothing.
const TILES: &[&str] = &[
    "bend | wood wood lane lane | lane lane S,W - -; inner wood - SR,WL -; outer wood - NL,NR,EL,ER,SL,WR -",
    "cap | town wood wood wood | town town N - -; wood wood - EL,ER,SL,SR,WL,WR -",
    "full | town town town town | town town N,E,S,W - star",
    "gate | town town lane town | town town N,E,W - star; lane lane S - -; east wood - SL -; west wood - SR -",
    "shrine | wood wood lane wood | shrine shrine - - -; lane lane S - -; wood wood - NL,NR,EL,ER,SL,SR,WL,WR -",
    "cross | lane lane lane lane | north lane N - -; east lane E - -; south lane S - -; west lane W - -; \
     a wood - NR,EL -; b wood - ER,SL -; c wood - SR,WL -; d wood - WR,NL -",
    "crossed | town town town town | upper town N,S - -; lower town E,W - -",
    "parted | town wood wood wood | town town N - -; east wood - EL,ER -; west wood - SL,SR,WL,WR -",
    "brook | stream wood stream wood | stream stream N,S - -; east wood - NR,EL,ER,SL -; west wood - SR,WL,WR,NL -",
];

fn declare(builder: &mut RulesetBuilder, kind: DeclKind, id: &str, fields: Vec<(&str, Value)>) {
    builder.declare(Declaration {
        expansion: "toy".to_owned(),
        kind,
        id: id.to_owned(),
        fields: Value::table(fields),
        source: Source { file: "toy".into(), line: 1 },
    });
}

pub fn rules() -> Arc<Ruleset> {
    let mut builder = RulesetBuilder::new();
    builder.expansion(ExpansionSpec {
        id: "toy".into(),
        title: "Toy".into(),
        version: "1.0.0".into(),
        ..ExpansionSpec::default()
    });
    for edge in ["town", "lane", "wood", "stream"] {
        declare(&mut builder, DeclKind::Edge, edge, vec![]);
    }
    for kind in ["town", "lane", "wood", "stream", "shrine"] {
        let mut fields = vec![("seats", Value::table([(kind, Value::table([("role", Value::from("guard"))]))]))];
        if kind == "shrine" {
            fields.extend([("closes", "around".into()), ("around", "ring".into())]);
        }
        declare(&mut builder, DeclKind::Feature, kind, fields);
    }
    declare(&mut builder, DeclKind::Mark, "star", vec![("on", "town".into())]);
    let seats = Value::list(["town", "lane", "wood", "shrine"]);
    let guard = vec![("per_player", 7.into()), ("class", "follower".into()), ("seats", seats)];
    declare(&mut builder, DeclKind::Figure, "guard", guard);
    for line in TILES {
        let tile = tile(line);
        let copies =
            CopiesSpec { expansion: "toy".into(), tile: tile.id.clone(), count: 9, pile: "main".into(), limit: None };
        builder.copies(copies);
        builder.tile("toy", tile);
    }
    let start =
        StartSpec { expansion: "toy".into(), tile: "cap".into(), at: Position::new(0, 0), rotation: Rotation::R0 };
    builder.start(start);
    Arc::new(builder.freeze().expect("a ruleset"))
}

fn tile(line: &str) -> TileSpec {
    let parts: Vec<&str> = line.split('|').map(str::trim).collect();
    let mut sides = parts[1].split(' ').map(str::to_owned);
    TileSpec {
        id: parts[0].to_owned(),
        sides: [(); 4].map(|()| sides.next().expect("four sides")),
        segments: parts[2].split(';').map(segment).collect(),
        ..TileSpec::default()
    }
}

fn segment(text: &str) -> SegmentSpec {
    let words: Vec<&str> = text.split_whitespace().collect();
    let list = |index: usize| words[index].split(',').filter(|word| *word != "-");
    SegmentSpec {
        name: words[0].to_owned(),
        kind: words[1].to_owned(),
        sides: list(2).map(|word| word.parse().expect("a side")).collect(),
        halves: list(3).map(|word| word.parse().expect("a half")).collect(),
        borders: Vec::new(),
        marks: list(4).map(|word| (word.to_owned(), 1)).collect(),
    }
}

/// A game with tiles as `id x,y rN`, figures as `player x,y segment`.
pub fn game(tiles: &[&str], figures: &[&str]) -> Game {
    let rules = rules();
    let starts = tiles.iter().map(|line| {
        let words: Vec<&str> = line.split(' ').collect();
        let tile = rules.tile_by_name(words[0]).expect("a tile");
        Start { tile, at: words[1].parse().expect("a space"), rotation: words[2].parse().expect("a rotation") }
    });
    let starts: Vec<Start> = starts.collect();
    let figures = figures.iter().map(|line| {
        let words: Vec<&str> = line.split(' ').collect();
        let at: Position = words[1].parse().expect("a space");
        let start = starts.iter().find(|start| start.at == at).expect("a tile there");
        SetFigure {
            player: Some(PlayerId::from_index(words[0].parse().expect("a seat"))),
            kind: rules.figure_by_name("guard").expect("a figure"),
            at,
            segment: rules.tile(start.tile).segment(words[2]),
            seat: None,
        }
    });
    let setup = Setup {
        players: vec!["Ann".into(), "Bob".into()],
        figures: figures.collect(),
        starts: Some(starts.clone()),
        ..Setup::default()
    };
    Game::from_setup(rules, &setup, &mut NoScripts).expect("a game")
}
