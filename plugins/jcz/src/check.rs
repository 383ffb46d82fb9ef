//! Checks a played recording: its sentences, and its score entries one by one.

use trencavel_rules::ids::PlayerId;
use trencavel_rules::{Anchor, ledger};

use crate::file::excerpt;
use crate::offered::{Offered, offered};
use crate::play::Session;
use crate::request::Unsupported;
use crate::sentence::{Sentence, parse};
use crate::table::Told;

/// Name of entries of features that nobody won; we write none.
const EMPTY: &str = ".empty";

/// Something that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The sentence, or the score entry in words.
    pub what: String,
    /// What should hold.
    pub expected: String,
    /// What holds.
    pub got: String,
}

/// A score entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The message after which it is there, from 0.
    pub message: usize,
    /// Who is paid.
    pub player: String,
    /// The other engine's name for it.
    pub name: String,
    /// How much.
    pub points: i32,
}

impl std::fmt::Display for Entry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "after message {}: {} {} {}", self.message, excerpt(&self.player), excerpt(&self.name), self.points)
    }
}

/// What a session shows to its sentences.
struct Shown<'s, 'a> {
    session: &'s Session<'a>,
    players: &'s [String],
    entries: Vec<Entry>,
    offered: Offered,
}

/// The sentences that do not hold after the last message.
///
/// # Errors
/// If a sentence asks for something we have not.
pub fn check_sentences(
    session: &Session<'_>,
    players: &[String],
    sentences: &[String],
) -> Result<Vec<Difference>, Unsupported> {
    let shown = Shown { session, players, entries: entries(session, players), offered: offered(session) };
    let mut differences = Vec::new();
    for text in sentences {
        let Some(sentence) = parse(text) else {
            differences.push(Difference {
                what: excerpt(text),
                expected: "a sentence of a known form".to_owned(),
                got: "none".to_owned(),
            });
            continue;
        };
        if let Some((expected, got)) = shown.check(&sentence)? {
            differences.push(Difference { what: text.chars().take(100).collect(), expected, got });
        }
    }
    Ok(differences)
}

/// The score entries of a session, as far as the other engine has written them.
pub fn entries(session: &Session<'_>, players: &[String]) -> Vec<Entry> {
    let game = session.game();
    let lines = &game.state().lines()[..session.visible_lines()];
    lines
        .iter()
        .zip(session.line_messages())
        .flat_map(|(line, message)| of_line(session, players, line, *message))
        .collect()
}

/// The entries that one line of ours is.
fn of_line(session: &Session<'_>, players: &[String], line: &ledger::Line, message: usize) -> Vec<Entry> {
    let (rules, state) = (session.game().rules(), session.game().state());
    let (name, told) = match session.view().table.score(rules, line) {
        Some((name, told)) => (name.to_owned(), told),
        None => (format!("(no name) {}", ledger::words(rules, state, line)), Told::Whole),
    };
    let points: Vec<i32> = match told {
        Told::Whole => vec![line.points],
        Told::ByItem => state.items(line).iter().map(|item| item.count * item.unit).collect(),
    };
    let player = players.get(line.player.index()).cloned().unwrap_or_default();
    points.into_iter().map(|points| Entry { message, player: player.clone(), name: name.clone(), points }).collect()
}

impl Shown<'_, '_> {
    fn points(&self, player: &str) -> Option<i32> {
        self.players.iter().find(|name| *name == player)?;
        Some(self.entries.iter().filter(|entry| entry.player == player).map(|entry| entry.points).sum())
    }

    /// How many of a token lie before a player; `None` if we have no such token.
    fn tokens(&self, player: &str, token: &str) -> Option<i32> {
        let game = self.session.game();
        let kind = game.rules().token_by_name(self.session.view().table.token(token)?)?;
        let seat = self.players.iter().position(|name| name == player)?;
        Some(game.state().tokens_at(kind, Anchor::Held(PlayerId::from_index(seat))))
    }

    /// `None` if a sentence holds, else what was expected and what is.
    fn check(&self, sentence: &Sentence) -> Result<Option<(String, String)>, Unsupported> {
        Ok(match sentence {
            Sentence::Points { player, points } => {
                differ(points.to_string(), self.points(player).map_or("no such player".to_owned(), |n| n.to_string()))
            }
            Sentence::Scored { player, name, points } => self.check_scored(player, name, *points),
            Sentence::Phase(phase) => differ(phase.clone(), self.offered.phase.clone()),
            Sentence::Undo(allowed) => differ(yes(*allowed), yes(self.session.may_undo())),
            Sentence::Pass(can) => differ(yes(*can), yes(self.offered.can_pass)),
            Sentence::Available { action, named } => self.check_available(action, named.as_deref()),
            Sentence::Options { action, named, options } => {
                let name = (action.clone(), named.clone());
                let got = self.offered.actions.get(&name).cloned().unwrap_or_default();
                let list = |options: &std::collections::BTreeSet<String>| {
                    options.iter().map(String::as_str).collect::<Vec<_>>().join("; ")
                };
                differ(list(options), list(&got))
            }
            Sentence::Token { player, token, count } => {
                let held = self.tokens(player, token).ok_or_else(|| Unsupported::new("sentence about token", token))?;
                differ(count.to_string(), held.to_string())
            }
            Sentence::Setting { name, .. } => return Err(Unsupported::new("sentence about", name)),
        })
    }

    fn check_scored(&self, player: &str, name: &str, points: i32) -> Option<(String, String)> {
        let own = || self.entries.iter().filter(|entry| entry.player == player);
        let named = |entry: &&Entry| entry.name.split('.').next() == Some(name);
        if own().filter(named).any(|entry| entry.points == points) {
            return None;
        }
        let got: Vec<String> = own().map(|entry| format!("{} {}", excerpt(&entry.name), entry.points)).collect();
        let got = if got.is_empty() { "nothing".to_owned() } else { got.join(", ") };
        Some((format!("{name} {points}"), got))
    }

    fn check_available(&self, action: &str, named: Option<&str>) -> Option<(String, String)> {
        let fits = |name: &&crate::offered::Name| {
            name.0 == action && named.is_none_or(|named| name.1.as_deref() == Some(named))
        };
        if self.offered.actions.keys().any(|name| fits(&name)) {
            return None;
        }
        let words = |(action, named): &crate::offered::Name| match named {
            Some(named) => format!("{action} for {named}"),
            None => action.clone(),
        };
        let got: Vec<String> = self.offered.actions.keys().map(words).collect();
        let expected = named.map_or(action.to_owned(), |named| format!("{action} for {named}"));
        Some((expected, if got.is_empty() { "no action".to_owned() } else { got.join(", ") }))
    }
}

fn yes(is: bool) -> String {
    if is { "yes" } else { "no" }.to_owned()
}

fn differ(expected: String, got: String) -> Option<(String, String)> {
    (expected != got).then_some((expected, got))
}

/// The score entries of every recording, by file.
#[derive(Clone, Debug, Default)]
pub struct ScoreTable(std::collections::BTreeMap<String, Vec<Entry>>);

impl ScoreTable {
    /// Reads the table: file, message, player, name, points, separated by tabs, below a header.
    ///
    /// # Errors
    /// The number of a line that is none, from 1.
    pub fn parse(text: &str) -> Result<Self, usize> {
        let mut table = Self::default();
        for (index, line) in text.lines().enumerate().skip(1).filter(|(_, line)| !line.is_empty()) {
            let cells: Vec<&str> = line.split('\t').collect();
            let [file, message, player, name, points, ..] = cells[..] else { return Err(index + 1) };
            let (Ok(message), Ok(points)) = (message.parse(), points.parse()) else { return Err(index + 1) };
            let entry = Entry { message, player: player.to_owned(), name: name.to_owned(), points };
            table.0.entry(file.to_owned()).or_default().push(entry);
        }
        Ok(table)
    }

    /// The entries of a file, if the table has any.
    pub fn of(&self, file: &str) -> Option<&[Entry]> {
        self.0.get(file).map(Vec::as_slice)
    }
}

/// The first score entry that is missing or too much, if there is one. `commits` tells which messages are COMMIT:
/// what our game scores before one, the other engine scores with it.
pub fn compare_entries(expected: &[Entry], got: &[Entry], commits: &[bool]) -> Option<Difference> {
    let mut left: Vec<&Entry> = got.iter().collect();
    let mut missing: Option<&Entry> = None;
    for entry in expected.iter().filter(|entry| !entry.name.ends_with(EMPTY)) {
        let same = |other: &&&Entry| {
            other.player == entry.player
                && other.name == entry.name
                && other.points == entry.points
                && (other.message == entry.message || commit_after(commits, other.message) == Some(entry.message))
        };
        match left.iter().position(|other| same(&other)) {
            Some(place) => drop(left.remove(place)),
            None => missing = missing.filter(|first| first.message <= entry.message).or(Some(entry)),
        }
    }
    let extra = left.first().copied();
    let message = |entry: &Entry| commit_after(commits, entry.message).unwrap_or(entry.message);
    let words = |entry: Option<&Entry>| entry.map_or("no such entry".to_owned(), ToString::to_string);
    match (missing, extra) {
        (None, None) => None,
        (Some(first), Some(other)) if message(other) > first.message => Some(difference(first, words(None))),
        (Some(first), other) => Some(difference(first, words(other))),
        (None, Some(other)) => Some(Difference {
            what: "score entry".to_owned(),
            expected: "no further entry".to_owned(),
            got: other.to_string(),
        }),
    }
}

fn difference(expected: &Entry, got: String) -> Difference {
    Difference { what: "score entry".to_owned(), expected: expected.to_string(), got }
}

fn commit_after(commits: &[bool], message: usize) -> Option<usize> {
    commits.iter().enumerate().skip(message).find(|(_, commit)| **commit).map(|(index, _)| index)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(message: usize, name: &str, points: i32) -> Entry {
        Entry { message, player: "Ann".to_owned(), name: name.to_owned(), points }
    }

    #[test]
    fn entries_belong_to_the_next_commit() {
        let commits = [false, false, true];
        let expected = [entry(2, "road", 3), entry(2, "city.empty", 0)];
        assert_eq!(compare_entries(&expected, &[entry(1, "road", 3)], &commits), None);
        assert_eq!(compare_entries(&expected, &[entry(2, "road", 3)], &commits), None);
        let found = compare_entries(&expected, &[entry(1, "road", 4)], &commits).expect("a difference");
        assert!(found.expected.contains("road 3") && found.got.contains("road 4"), "{found:?}");
    }

    #[test]
    fn an_entry_too_much_is_a_difference() {
        let found = compare_entries(&[], &[entry(0, "road", 1)], &[true]).expect("a difference");
        assert_eq!(found.expected, "no further entry");
    }

    #[test]
    fn a_bad_line_of_the_table_is_numbered() {
        assert_eq!(ScoreTable::parse("head\nx.jcz\t1\tAnn\troad\tfour\t0").err(), Some(2));
        assert!(ScoreTable::parse("head\nx.jcz\t1\tAnn\troad\t4\t0").is_ok_and(|table| table.of("x.jcz").is_some()));
    }
}
