//! The sentences of `expect` and `events`.
//!
//! | sentence | true if |
//! |---|---|
//! | `A scores 4 (city)`, `A scores 4` | a line of A's ledger has exactly these points, and this subject |
//! | `A scores nothing`, `A scores nothing (city)` | no line of A's ledger has points |
//! | `A has 12 points` | the track says so |
//! | `A supply follower 7` | A can deploy so many |
//! | `A holds follower of B` | A holds such a figure |
//! | `0,0 city is completed`, `is open`, `is closed` | completed; not closed; closed |
//! | `0,0 city tiles 3`, `segments 3`, `marks pennant 1` | the feature has so many |
//! | `0,0 field borders 2 city`, `borders 1 completed city` | it borders so many features |
//! | `0,0 city = 1,0 city`, `!=` | they are one feature, or two |
//! | `figures on 0,0 road: A follower, B follower`, `…: nobody` | these stand there; `figures on 0,0:` on a tile |
//! | `dragon on 1,0`, `dragon off the board` | the neutral figure is there |
//! | `0,-1 is empty`, `0,-1 is tile city-cap r180` | the space is |
//! | `ledger A: TEXT` | a line of A's ledger holds the text |
//! | `set aside road`, `hand road`, `pile 70` | this tile left the game; is to be placed; so many are to come |
//! | `decider B`, `waits for core:action`, `game over` | the game is there |
//!
//! Events are `KIND [FIGURE] [of PLAYER] [cause WORD] [×N]`: at least once, or exactly N times.

use trencavel_rules::ids::{FeatureId, FigureId, FigureKindId, PlayerId, SegmentId};
use trencavel_rules::ledger::{self, Line};
use trencavel_rules::words::EventKind;
use trencavel_rules::{Anchor, Game, Position, features, notation, short};

/// Checks one sentence of `expect`.
///
/// # Errors
/// What is so instead, or why the sentence cannot be read.
pub fn check(game: &Game, line: &str) -> Result<(), String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let view = View { game };
    if let Some((subject, text)) = line.split_once(": ") {
        return match subject.split_whitespace().collect::<Vec<_>>()[..] {
            ["ledger", who] => view.ledger_holds(who, text),
            ["figures", "on", at, segment] => view.figures_on_feature(at, segment, text),
            ["figures", "on", at] => view.figures_on_tile(at, text),
            _ => Err(UNREADABLE.to_owned()),
        };
    }
    match words[..] {
        ["game", "over"] => same(&view.game.state().is_over(), &true),
        ["decider", who] => same(&notation::letter(game.state().decider()).to_string().as_str(), &who),
        ["waits", "for", step] => same(&game.waits_for(), &step),
        ["hand", tile] => view.hand(tile),
        ["pile", count] => same(&game.state().pile_len(), &number(count)?),
        ["set", "aside", tile] => view.set_aside(tile),
        [who, "scores", "nothing"] => view.scores_nothing(who, None),
        [who, "scores", "nothing", subject] => view.scores_nothing(who, Some(subject)),
        [who, "scores", points] => view.scores(who, points, None),
        [who, "scores", points, subject] => view.scores(who, points, Some(subject)),
        [who, "has", points, "points" | "point"] => same(&game.state().score(view.player(who)?), &number(points)?),
        [who, "supply", kind, count] => view.supply(who, kind, count),
        [who, "holds", kind, "of", owner] => view.holds(who, kind, owner),
        [figure, "on", at] => view.neutral(figure, Some(at)),
        [figure, "off", "the", "board"] => view.neutral(figure, None),
        [at, "is", "empty"] => view.is_empty(at),
        [at, "is", "tile", tile, rotation] => view.is_tile(at, tile, rotation),
        [at, segment, "is", state] => view.is(at, segment, state),
        [at, segment, "tiles" | "tile", count] => view.count(at, segment, count, |view| view.tiles.into()),
        [at, segment, "segments" | "segment", count] => view.count(at, segment, count, |view| view.size),
        [at, segment, "marks", mark, count] => view.marks(at, segment, mark, count),
        [at, segment, "borders", count, kind] => view.borders(at, segment, count, kind, false),
        [at, segment, "borders", count, "completed", kind] => view.borders(at, segment, count, kind, true),
        [at, segment, "=", other, there] => view.joined(at, segment, other, there, true),
        [at, segment, "!=", other, there] => view.joined(at, segment, other, there, false),
        _ => Err(UNREADABLE.to_owned()),
    }
}

const UNREADABLE: &str = "no such sentence; the manual lists them all";

/// Checks one sentence of `events`.
///
/// # Errors
/// How often it happened instead, or why the sentence cannot be read.
pub fn check_event(game: &Game, line: &str) -> Result<(), String> {
    let view = View { game };
    let mut words = line.split_whitespace();
    let kind: EventKind = words
        .next()
        .unwrap_or_default()
        .parse()
        .map_err(|error: trencavel_rules::words::UnknownWord| error.to_string())?;
    let (mut figure, mut player, mut cause, mut times) = (None, None, None, None);
    while let Some(word) = words.next() {
        match word {
            "of" => player = Some(view.player(words.next().unwrap_or_default())?),
            "cause" => {
                let word = words.next().unwrap_or_default();
                cause = Some(game.rules().cause_by_word(word).ok_or_else(|| format!("no cause `{word}`"))?);
            }
            _ if word.starts_with('×') => times = Some(number::<usize>(word.trim_start_matches('×'))?),
            _ => figure = Some(view.kind(word)?),
        }
    }
    let events = game.state().events().iter().filter(|event| {
        event.kind == kind
            && figure.is_none_or(|figure| event.figure_kind == figure)
            && player.is_none_or(|player| event.player == player)
            && cause.is_none_or(|cause| event.cause == cause)
    });
    let happened = events.count();
    match times {
        None if happened > 0 => Ok(()),
        Some(times) if happened == times => Ok(()),
        _ => Err(format!("it happened {happened} times")),
    }
}

fn same<T: PartialEq + std::fmt::Display>(found: &T, wanted: &T) -> Result<(), String> {
    if found == wanted { Ok(()) } else { Err(format!("it is {found}")) }
}

fn number<T: std::str::FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("`{text}` is not a number"))
}

/// The game, asked in words.
#[derive(Clone, Copy)]
struct View<'a> {
    game: &'a Game,
}

impl<'a> View<'a> {
    fn player(self, word: &str) -> Result<PlayerId, String> {
        notation::player(word, self.game.state()).ok_or_else(|| format!("no player `{word}`"))
    }

    fn kind(self, word: &str) -> Result<FigureKindId, String> {
        self.game.rules().figure_by_name(word).ok_or_else(|| format!("no figure is called `{word}`"))
    }

    fn segment(self, at: &str, name: &str) -> Result<SegmentId, String> {
        let (rules, state) = (self.game.rules(), self.game.state());
        let at: Position = at.parse().map_err(|error| format!("{error}"))?;
        let tile = state.tile_at(at).ok_or_else(|| format!("no tile lies on {at}"))?;
        let def = rules.tile(state.tile(tile).def);
        let local = def.segment(name).ok_or_else(|| format!("{} has no segment `{name}`", short(&def.id)))?;
        Ok(state.segment_on(tile, local))
    }

    fn feature(self, at: &str, name: &str) -> Result<FeatureId, String> {
        Ok(self.game.state().feature_of(self.segment(at, name)?))
    }

    fn words(self, line: &Line) -> String {
        ledger::words(self.game.rules(), self.game.state(), line)
    }

    /// A player's ledger lines about a subject: the kind of feature, or the hook that made the line.
    fn lines(self, player: PlayerId, subject: Option<&str>) -> impl Iterator<Item = &'a Line> {
        let subject = subject.map(|word| word.trim_matches(['(', ')']).to_owned());
        self.game.state().lines().iter().filter(move |line| {
            let about = |subject: &String| self.words(line).split_whitespace().next() == Some(subject.as_str());
            line.player == player && subject.as_ref().is_none_or(about)
        })
    }

    fn ledger_of(self, player: PlayerId) -> String {
        let lines: Vec<String> = self.lines(player, None).map(|line| self.words(line)).collect();
        if lines.is_empty() {
            "the ledger is empty".to_owned()
        } else {
            format!("the ledger says {}", lines.join("; "))
        }
    }

    fn scores(self, who: &str, points: &str, subject: Option<&str>) -> Result<(), String> {
        let (player, points) = (self.player(who)?, number::<i32>(points)?);
        if self.lines(player, subject).any(|line| line.points == points) { Ok(()) } else { Err(self.ledger_of(player)) }
    }

    fn scores_nothing(self, who: &str, subject: Option<&str>) -> Result<(), String> {
        let player = self.player(who)?;
        if self.lines(player, subject).all(|line| line.points == 0) { Ok(()) } else { Err(self.ledger_of(player)) }
    }

    fn ledger_holds(self, who: &str, text: &str) -> Result<(), String> {
        let player = self.player(who)?;
        let held = self.lines(player, None).any(|line| self.words(line).contains(text));
        if held { Ok(()) } else { Err(self.ledger_of(player)) }
    }

    fn supply(self, who: &str, kind: &str, count: &str) -> Result<(), String> {
        same(&self.game.state().supply(self.player(who)?, self.kind(kind)?), &number(count)?)
    }

    fn holds(self, who: &str, kind: &str, owner: &str) -> Result<(), String> {
        let (holder, kind, owner) = (self.player(who)?, self.kind(kind)?, self.player(owner)?);
        let mut figures = self.game.state().figures();
        let held = figures.any(|(_, figure)| {
            figure.at == Anchor::Held(holder) && figure.kind == kind && figure.owner() == Some(owner)
        });
        if held { Ok(()) } else { Err("no such figure is held".to_owned()) }
    }

    fn neutral(self, figure: &str, at: Option<&str>) -> Result<(), String> {
        let (rules, state, kind) = (self.game.rules(), self.game.state(), self.kind(figure)?);
        let at: Option<Position> = at.map(|at| at.parse().map_err(|error| format!("{error}"))).transpose()?;
        let mut places = state
            .neutrals()
            .filter(|(_, data)| data.kind == kind)
            .map(|(id, _)| features::standing_on(rules, state, id).map(|tile| state.tile(tile).at));
        if places.any(|place| place == at) { Ok(()) } else { Err("it is not".to_owned()) }
    }

    fn is_empty(self, at: &str) -> Result<(), String> {
        let at: Position = at.parse().map_err(|error| format!("{error}"))?;
        if self.game.state().tile_at(at).is_none() { Ok(()) } else { Err("a tile lies there".to_owned()) }
    }

    fn is_tile(self, at: &str, tile: &str, rotation: &str) -> Result<(), String> {
        let at: Position = at.parse().map_err(|error| format!("{error}"))?;
        let (rules, state) = (self.game.rules(), self.game.state());
        let found = state.tile(state.tile_at(at).ok_or_else(|| format!("no tile lies on {at}"))?);
        let words = format!("{} {}", short(&rules.tile(found.def).id), found.rotation);
        same(&words, &format!("{tile} {rotation}"))
    }

    fn hand(self, tile: &str) -> Result<(), String> {
        let hand = self.game.state().hand().map(|tile| short(&self.game.rules().tile(tile).id));
        same(&hand.unwrap_or("none"), &tile)
    }

    fn set_aside(self, tile: &str) -> Result<(), String> {
        let rules = self.game.rules();
        let aside: Vec<&str> = self.game.state().set_aside().iter().map(|tile| short(&rules.tile(*tile).id)).collect();
        if aside.contains(&tile) { Ok(()) } else { Err(format!("set aside are: {}", aside.join(", "))) }
    }

    fn is(self, at: &str, segment: &str, wanted: &str) -> Result<(), String> {
        let view = self.game.rules().feature_view(self.game.state(), self.feature(at, segment)?);
        let holds = match wanted {
            "completed" => view.completed,
            "closed" => view.closed,
            "open" => !view.closed,
            _ => return Err(UNREADABLE.to_owned()),
        };
        let found = match (view.completed, view.closed) {
            (true, _) => "it is completed",
            (_, true) => "it is closed, not completed",
            _ => "it is open",
        };
        if holds { Ok(()) } else { Err(found.to_owned()) }
    }

    fn count(
        self,
        at: &str,
        segment: &str,
        count: &str,
        of: impl Fn(&trencavel_rules::FeatureView) -> u32,
    ) -> Result<(), String> {
        let view = self.game.rules().feature_view(self.game.state(), self.feature(at, segment)?);
        same(&of(&view), &number(count)?)
    }

    fn marks(self, at: &str, segment: &str, mark: &str, count: &str) -> Result<(), String> {
        let rules = self.game.rules();
        let mark = rules.mark_by_name(mark).ok_or_else(|| format!("no mark `{mark}`"))?;
        same(&rules.marks_of(self.game.state(), self.feature(at, segment)?, mark), &number(count)?)
    }

    fn borders(self, at: &str, segment: &str, count: &str, kind: &str, completed: bool) -> Result<(), String> {
        let (rules, state) = (self.game.rules(), self.game.state());
        let kind = rules.feature_by_name(kind).ok_or_else(|| format!("no feature `{kind}`"))?;
        let bordered = features::bordered(rules, state, self.feature(at, segment)?, kind);
        let found = bordered.iter().filter(|feature| !completed || state.is_completed(**feature)).count();
        same(&found, &number(count)?)
    }

    fn joined(self, at: &str, segment: &str, other: &str, there: &str, wanted: bool) -> Result<(), String> {
        let joined = self.feature(at, segment)? == self.feature(other, there)?;
        let found = if joined { "they are one feature" } else { "they are two features" };
        if joined == wanted { Ok(()) } else { Err(found.to_owned()) }
    }

    fn figures_on_feature(self, at: &str, segment: &str, wanted: &str) -> Result<(), String> {
        let feature = self.feature(at, segment)?;
        self.stand(features::figures_of(self.game.state(), feature), wanted)
    }

    fn figures_on_tile(self, at: &str, wanted: &str) -> Result<(), String> {
        let at: Position = at.parse().map_err(|error| format!("{error}"))?;
        let (rules, state) = (self.game.rules(), self.game.state());
        let tile = state.tile_at(at).ok_or_else(|| format!("no tile lies on {at}"))?;
        self.stand(features::figures_on(rules, state, tile), wanted)
    }

    fn stand(self, figures: impl Iterator<Item = FigureId>, wanted: &str) -> Result<(), String> {
        let (rules, state) = (self.game.rules(), self.game.state());
        let words = |figure: FigureId| {
            let data = state.figure(figure);
            let owner = data.owner().map_or(String::new(), |owner| format!("{} ", notation::letter(owner)));
            format!("{owner}{}", short(&rules.figure_kind(data.kind).name))
        };
        let mut found: Vec<String> = figures.map(words).collect();
        let mut wanted: Vec<String> =
            wanted.split(',').map(|word| word.trim().to_owned()).filter(|word| word != "nobody").collect();
        found.sort_unstable();
        wanted.sort_unstable();
        let text = if found.is_empty() { "nobody".to_owned() } else { found.join(", ") };
        if found == wanted { Ok(()) } else { Err(format!("there stand: {text}")) }
    }
}
