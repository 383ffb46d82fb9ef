//! `trencavel draw`: boards, tiles and contact sheets as pictures.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use trencavel_host::resolve::Request;
use trencavel_play::scenario;
use trencavel_play::scenario::format::Scenario;
use trencavel_rules::ids::TileDefId;
use trencavel_rules::words::DeclKind;
use trencavel_rules::{Game, Rotation, Ruleset};
use trencavel_view::png::png;
use trencavel_view::svg::{Artist, Drawing};

use crate::failure::Failure;
use crate::named::Named;
use crate::pictures::{gallery, write};
use crate::play_game::failed;
use crate::save_file::Saved;
use crate::scenarios;
use crate::setup::{self, Table, TableArgs};

/// Draw a board, a tile, or all tiles of an expansion
///
/// A game is drawn as its bots play it, a scenario and a save as they end, an expansion as a contact sheet of its tiles
/// and pieces, a tile (`base:city-cap`) alone.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example: trencavel draw constable --sheet -o constable.png\nExample: trencavel draw game.replay --at 12 -o board.svg"
)]
pub(crate) struct Args {
    /// A game file, a scenario, a save, an expansion or a tile
    what: String,
    /// Draw every tile of it instead of the board
    #[arg(long)]
    sheet: bool,
    /// The picture, `.svg` or `.png`
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// How wide a tile is in a PNG, in picture points
    #[arg(long, value_name = "N", default_value_t = 96, value_parser = clap::value_parser!(u32).range(8..=2000))]
    tile: u32,
    /// Stop a game or a save after this many answers
    #[arg(long, value_name = "N")]
    at: Option<usize>,
    #[command(flatten)]
    table: TableArgs,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let format = Format::of(&args.output)?;
    let subject = subject(args)?;
    let bytes = match format {
        Format::Svg => subject.draw(args)?.svg().into_bytes(),
        Format::Png => {
            let drawn = png(&subject.draw(args)?, args.tile);
            drawn.map_err(|error| Failure::usage(error.to_string(), "give a smaller `--tile`, or write an SVG"))?
        }
    };
    write(&args.output, &bytes)?;
    Ok(writeln!(out, "{}", args.output.display())?)
}

enum Format {
    Svg,
    Png,
}

impl Format {
    fn of(file: &Path) -> Result<Self, Failure> {
        match file.extension().and_then(|end| end.to_str()) {
            Some("svg") => Ok(Self::Svg),
            Some("png") => Ok(Self::Png),
            _ => Err(Failure::usage(
                format!("{} is no kind of picture", file.display()),
                "write `-o NAME.svg` or `-o NAME.png`",
            )),
        }
    }
}

/// What is drawn.
enum Subject {
    Board(Box<Game>),
    /// The tiles whose ids begin so; every one of the game without.
    Sheet(Arc<Ruleset>, Option<String>),
    Tile(Arc<Ruleset>, TileDefId),
}

impl Subject {
    fn rules(&self) -> &Ruleset {
        match self {
            Self::Board(game) => game.rules(),
            Self::Sheet(rules, _) | Self::Tile(rules, _) => rules,
        }
    }

    fn draw(&self, args: &Args) -> Result<Drawing, Failure> {
        let rules = self.rules();
        let gallery = gallery(&args.table.search.library()?, rules)?;
        let artist = Artist::new(rules, &gallery);
        Ok(match self {
            Self::Board(game) if !args.sheet => artist.board(game.state()),
            Self::Board(_) => sheet(&artist, rules, None),
            Self::Sheet(_, of) => sheet(&artist, rules, of.as_deref()),
            Self::Tile(_, tile) => artist.tile(*tile, Rotation::R0),
        })
    }
}

fn subject(args: &Args) -> Result<Subject, Failure> {
    let path = Path::new(&args.what);
    if !setup::is_file(path) {
        return named(args);
    }
    if path.extension().is_none_or(|end| end != "toml") {
        return saved(args, path);
    }
    let text = setup::game_file(path)?.text;
    if Scenario::parse(&text).is_ok() {
        let library = args.table.search.library()?;
        let load = |wanted: &scenario::Wanted| scenarios::rules(wanted, &library);
        let game = scenario::played(&args.what, &text, &load);
        let played = game.map_err(|failure| {
            Failure::usage(format!("the scenario cannot be played\n{failure}"), "`trencavel test` says more")
        })?;
        return Ok(Subject::Board(Box::new(played.game)));
    }
    played(args, path)
}

/// An expansion, or one of its tiles.
fn named(args: &Args) -> Result<Subject, Failure> {
    let (expansion, tile) = match args.what.split_once(':') {
        Some((expansion, _)) => (expansion, Some(&args.what)),
        None => (args.what.as_str(), None),
    };
    let named = Named::find(&[expansion.to_owned()], &args.table.search)?;
    let id = named.ids.into_iter().next().unwrap_or_default();
    let mut request = Request::default();
    request.with(&id);
    args.table.with.iter().for_each(|id| request.with(id));
    for option in &args.table.option {
        request.option(option).map_err(|error| Failure::usage(error.to_string(), "write `expansion.option=value`"))?;
    }
    let rules = setup::load_from(&request, &named.search)?.rules;
    let Some(tile) = tile else { return Ok(Subject::Sheet(rules, Some(id))) };
    let found = rules.tile_by_name(tile).ok_or_else(|| {
        Failure::usage(
            format!("there is no tile `{tile}`"),
            format!("`trencavel draw {id} -o {id}.png` shows them all"),
        )
    })?;
    Ok(Subject::Tile(rules, found))
}

/// The board a save leads to.
fn saved(args: &Args, path: &Path) -> Result<Subject, Failure> {
    let saved = Saved::read(path)?;
    let loaded = saved.load(&args.table.search)?;
    let mut scripts = loaded.scripts().map_err(Failure::problem)?;
    let help = "`trencavel replay` says more";
    let setup = loaded.setup(&saved.replay).map_err(|message| Failure::usage(message, help))?;
    let mut game = setup::begin(&loaded, &setup, &mut scripts)?;
    let answers = saved.replay.answers.len();
    let limit = args.at.unwrap_or(answers).min(answers);
    let played = saved.replay.play(&mut game, limit, &mut scripts);
    played.map_err(|(number, message)| Failure::usage(format!("answer {number} cannot be given: {message}"), help))?;
    Ok(Subject::Board(Box::new(game)))
}

/// The board that bots lead to.
fn played(args: &Args, path: &Path) -> Result<Subject, Failure> {
    let mut table = Table::of_file(path, &args.table)?;
    let mut scripts = table.loaded.scripts().map_err(Failure::problem)?;
    let mut game = table.begin(&mut scripts)?;
    let wanted = args.at.unwrap_or(if args.sheet { 0 } else { usize::MAX });
    while !game.state().is_over() && game.answers().len() < wanted {
        let action = table.bots[game.state().decider().index()].choose(&game, &mut scripts);
        game.apply(action, &mut scripts).map_err(|error| failed(&error, &table.loaded))?;
    }
    Ok(Subject::Board(Box::new(game)))
}

/// Every tile and piece of an expansion; of the game without one.
fn sheet(artist: &Artist<'_>, rules: &Ruleset, of: Option<&str>) -> Drawing {
    let own = |id: &str| of.is_none_or(|of| id.split_once(':').is_some_and(|(expansion, _)| expansion == of));
    let used = |tile: TileDefId| of.is_some() || rules.copies().iter().any(|copies| copies.tile == tile);
    let tiles: Vec<TileDefId> =
        rules.tiles().filter(|(id, tile)| own(&tile.id) && used(*id)).map(|(id, _)| id).collect();
    let seen = [DeclKind::Figure, DeclKind::Neutral, DeclKind::Mark, DeclKind::Token];
    let mut names: Vec<String> = Vec::new();
    for (_, hook) in rules.hooks().filter(|(_, hook)| seen.contains(&hook.kind) && own(&hook.name)) {
        if !names.iter().any(|name| **name == *hook.name) {
            names.push(hook.name.to_string());
        }
    }
    let title = of.map_or("Every tile of the game", |of| {
        rules.expansions().iter().find(|expansion| *expansion.id == *of).map_or(of, |expansion| &expansion.title)
    });
    artist.sheet(title, &tiles, &names)
}
