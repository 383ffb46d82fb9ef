//! The table of names: what the other engine calls things, and what we call them.

use std::collections::BTreeMap;

use serde::Deserialize;
use trencavel_rules::Ruleset;
use trencavel_rules::ids::{FeatureKindId, HookId};
use trencavel_rules::ledger::Line;
use trencavel_rules::words::DeclKind;

use crate::file::{Recording, excerpt};
use crate::request::{Request, Unsupported};

/// Every name the importer knows.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    sets: BTreeMap<String, Set>,
    elements: BTreeMap<String, Element>,
    rules: BTreeMap<String, Rule>,
    figures: BTreeMap<String, Figure>,
    features: BTreeMap<String, Vec<String>>,
    seats: BTreeMap<String, String>,
    corners: BTreeMap<String, [i16; 2]>,
    tokens: BTreeMap<String, String>,
    phases: Vec<Phase>,
    choices: Vec<Choice>,
    scores: Vec<Score>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Set {
    on: Vec<String>,
    #[serde(default)]
    off: Vec<String>,
    #[serde(default)]
    options: BTreeMap<String, String>,
    #[serde(default)]
    elements: Vec<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Element {
    #[serde(default)]
    on: Vec<String>,
    #[serde(default)]
    figures: bool,
    count: Option<String>,
    #[serde(default)]
    options: BTreeMap<String, String>,
    #[serde(default)]
    absent: BTreeMap<String, String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum OneOrMore {
    One(String),
    More(Vec<String>),
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Rule {
    option: OneOrMore,
    default: String,
    ours: String,
    values: BTreeMap<String, String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Figure {
    ours: Vec<String>,
    class: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Phase {
    waits: Vec<String>,
    phase: String,
    #[serde(default)]
    after: bool,
}

/// An offer or question of ours that a message answers.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    hooks: Vec<String>,
    message: String,
    what: Option<String>,
    /// How sentences call the action.
    pub action: String,
    named: Option<String>,
    /// It stands beside every decision of the turn and is no option of its own.
    #[serde(default)]
    pub free: bool,
    /// The other engine does not ask it when it has one answer.
    #[serde(default)]
    pub skips_single: bool,
    /// The other engine does not ask it when no figure is on the table.
    #[serde(default)]
    pub skips_bare: bool,
    #[serde(default)]
    words: BTreeMap<String, String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Score {
    #[serde(default)]
    own: bool,
    #[serde(default)]
    hooks: Vec<String>,
    feature: Option<String>,
    completed: Option<bool>,
    cause: Option<String>,
    negative: Option<bool>,
    #[serde(default)]
    each_item: bool,
    #[serde(default)]
    at_once: bool,
    name: String,
}

/// How the points of one line of ours are told in entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// One entry.
    Whole,
    /// An entry for each item.
    ByItem,
}

impl OneOrMore {
    fn all(&self) -> &[String] {
        match self {
            Self::One(one) => std::slice::from_ref(one),
            Self::More(more) => more,
        }
    }
}

impl Choice {
    /// True if a message of this type and content is meant for it.
    pub fn takes(&self, message: &str, what: &str) -> bool {
        self.message == message && self.what.as_deref().is_none_or(|own| own == what)
    }

    /// What sentences put after `for`.
    pub fn named(&self) -> Option<&str> {
        self.named.as_deref().or(self.what.as_deref())
    }

    /// Our word for a value of the other engine.
    pub fn word<'a>(&'a self, value: &'a str) -> &'a str {
        self.words.get(value).map_or(value, String::as_str)
    }
}

impl Table {
    /// The table that comes with the program.
    ///
    /// # Errors
    /// If the table itself is not well formed, which a test excludes.
    pub fn load() -> Result<Self, String> {
        Self::parse(include_str!("../table.toml"))
    }

    /// Reads a table.
    ///
    /// # Errors
    /// What is wrong with it, in a sentence.
    pub fn parse(text: &str) -> Result<Self, String> {
        toml::from_str(text).map_err(|error| format!("table of names: {}", error.message()))
    }

    /// Which expansions a recording is played with.
    ///
    /// # Errors
    /// What of it has no name here.
    pub fn request(&self, recording: &Recording) -> Result<Request, Unsupported> {
        let mut request = Request::default();
        let mut elements = recording.elements.clone();
        for set in recording.sets.keys() {
            let known = self.sets.get(set).ok_or_else(|| Unsupported::new("set", set))?;
            for id in &known.off {
                request.expansions.entry(id.clone()).or_insert(false);
            }
            request.switch_on(&known.on);
            request.set_all(&known.options);
            for element in &known.elements {
                elements.entry(element.clone()).or_insert(None);
            }
        }
        for (element, count) in &elements {
            self.add_element(&mut request, element, *count)?;
        }
        for (_, known) in self.elements.iter().filter(|(element, _)| !elements.contains_key(*element)) {
            // What an element brings with others is there although the element is not: then its figures are taken out.
            if known.on.iter().all(|id| request.expansions.get(id) == Some(&true)) {
                request.set_all(&known.absent);
            }
        }
        self.add_rules(&mut request, recording)?;
        Ok(request)
    }

    fn add_element(&self, request: &mut Request, element: &str, count: Option<u32>) -> Result<(), Unsupported> {
        let known = self.elements.get(element).ok_or_else(|| Unsupported::new("element", element))?;
        if known.figures && count == Some(0) {
            request.set_all(&known.absent);
            return Ok(());
        }
        if let (Some(option), Some(count)) = (&known.count, count) {
            request.options.insert(option.clone(), count.to_string());
        }
        if known.figures && known.count.is_none() && count.is_some_and(|count| count > 1) {
            return Err(Unsupported::new("element", &format!("{element} {}", count.unwrap_or(0))));
        }
        request.switch_on(&known.on);
        request.set_all(&known.options);
        Ok(())
    }

    fn add_rules(&self, request: &mut Request, recording: &Recording) -> Result<(), Unsupported> {
        for (rule, value) in &recording.rules {
            let known = self.rules.get(rule).ok_or_else(|| Unsupported::new("rule", rule))?;
            if !known.values.contains_key(value) {
                return Err(Unsupported::new("rule", &format!("{rule} {}", excerpt(value))));
            }
        }
        for (rule, known) in &self.rules {
            let value = recording.rules.get(rule).unwrap_or(&known.default);
            let Some(ours) = known.values.get(value).filter(|ours| **ours != known.ours) else { continue };
            for option in known.option.all() {
                // A rule about what is not in play decides nothing.
                if option.split_once('.').is_some_and(|(id, _)| request.is_on(id)) {
                    request.options.insert(option.clone(), ours.clone());
                }
            }
        }
        Ok(())
    }

    /// Every option of ours that the table can set, with each value.
    pub fn options(&self) -> impl Iterator<Item = (&str, &str)> {
        let rules = self.rules.values().flat_map(|rule| {
            rule.values
                .values()
                .flat_map(|value| rule.option.all().iter().map(move |option| (option.as_str(), value.as_str())))
        });
        let plain = self.sets.values().map(|set| &set.options);
        let plain = plain.chain(self.elements.values().flat_map(|element| [&element.options, &element.absent]));
        rules.chain(plain.flatten().map(|(option, value)| (option.as_str(), value.as_str())))
    }

    /// Our kinds of figure for a word in an id.
    pub fn figure(&self, word: &str) -> &[String] {
        self.figures.get(word).map_or(&[], |figure| &figure.ours)
    }

    /// The other engine's word for one of our kinds, and its class in sentences.
    pub fn figure_class(&self, ours: &str) -> Option<(&str, &str)> {
        let found = self.figures.iter().find(|(_, figure)| figure.ours.iter().any(|name| name == ours));
        found.map(|(word, figure)| (word.as_str(), figure.class.as_str()))
    }

    /// Our kinds of feature for a word in a pointer.
    pub fn feature(&self, word: &str) -> &[String] {
        self.features.get(word).map_or(&[], Vec::as_slice)
    }

    /// The other engine's word for one of our kinds of feature.
    pub fn feature_word(&self, ours: &str) -> Option<&str> {
        let found = self.features.iter().find(|(_, names)| names.iter().any(|name| name == ours));
        found.map(|(word, _)| word.as_str())
    }

    /// The seat that a location names.
    pub fn seat(&self, location: &str) -> Option<&str> {
        self.seats.get(location).map(String::as_str)
    }

    /// For a seat on a corner: spaces to the east and to the south of the tile by which the corner is named.
    pub fn corner(&self, seat: &str) -> Option<[i16; 2]> {
        self.corners.get(seat).copied()
    }

    /// Our token for one of the other engine's.
    pub fn token(&self, word: &str) -> Option<&str> {
        self.tokens.get(word).map(String::as_str)
    }

    /// The location that names a seat.
    pub fn seat_location(&self, seat: &str) -> Option<&str> {
        self.seats.iter().find(|(_, ours)| *ours == seat).map(|(location, _)| location.as_str())
    }

    /// The phase for what our game waits for; our own name if it has none.
    pub fn phase<'a>(&'a self, waits: &'a str) -> &'a str {
        self.phase_entry(waits).map_or(waits, |phase| &phase.phase)
    }

    /// True if what our game waits for comes after the COMMIT of the turn.
    pub fn is_after_commit(&self, waits: &str) -> bool {
        self.phase_entry(waits).is_some_and(|phase| phase.after)
    }

    fn phase_entry(&self, waits: &str) -> Option<&Phase> {
        self.phases.iter().find(|phase| phase.waits.iter().any(|name| name == waits))
    }

    /// The choices that an offer or question of ours can be.
    pub fn choices<'a>(&'a self, hook: &'a str) -> impl Iterator<Item = &'a Choice> {
        self.choices.iter().filter(move |choice| choice.hooks.iter().any(|name| name == hook))
    }

    /// True if some choice or step of ours takes messages of this type.
    pub fn knows_message(&self, message: &str, what: &str) -> bool {
        const ALWAYS: [&str; 4] = ["PLACE_TILE", "COMMIT", "PASS", "UNDO"];
        ALWAYS.contains(&message)
            || (message == "DEPLOY_MEEPLE" && self.figures.contains_key(what))
            || self.choices.iter().any(|choice| choice.takes(message, what))
    }

    /// True for tiles that no pack holds, because each player has them: the message takes one by a choice of its own.
    pub fn is_own_tile(&self, code: &str) -> bool {
        self.choices.iter().any(|choice| choice.message == "PLACE_TILE" && choice.what.as_deref() == Some(code))
    }

    /// The score entry that a line of our ledger is, and how its points are told; `None` if the table has no name.
    pub fn score(&self, rules: &Ruleset, line: &Line) -> Option<(&str, Told)> {
        let told = |score: &Score| if score.each_item { Told::ByItem } else { Told::Whole };
        self.score_entry(rules, line).map(|score| (score.name.as_str(), told(score)))
    }

    /// True if the other engine writes the entry before the COMMIT of the turn.
    pub fn is_at_once(&self, rules: &Ruleset, line: &Line) -> bool {
        self.score_entry(rules, line).is_some_and(|score| score.at_once)
    }

    fn score_entry(&self, rules: &Ruleset, line: &Line) -> Option<&Score> {
        let hook = (line.hook != HookId::default()).then(|| rules.hook(line.hook));
        let own = hook.is_none_or(|hook| matches!(hook.kind, DeclKind::Void | DeclKind::Set));
        let feature = (line.kind != FeatureKindId::default()).then(|| rules.feature_name(line.kind));
        let fits = |score: &&Score| {
            score.own == own
                && (own || hook.is_some_and(|hook| score.hooks.iter().any(|name| **name == *hook.name)))
                && score.feature.as_deref().is_none_or(|name| feature == Some(name))
                && score.completed.is_none_or(|completed| line.completed == completed)
                && score.cause.as_deref().is_none_or(|cause| rules.cause_word(line.cause) == cause)
                && score.negative.is_none_or(|negative| (line.points < 0) == negative)
        };
        self.scores.iter().find(fits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_well_formed() {
        Table::load().expect("the table");
    }

    #[test]
    fn every_enforced_element_is_known() {
        let table = Table::load().expect("the table");
        for set in table.sets.values() {
            for element in &set.elements {
                assert!(table.elements.contains_key(element), "{element}");
            }
        }
        for rule in table.rules.values() {
            assert!(rule.values.contains_key(&rule.default), "{rule:?}");
        }
    }

    #[test]
    fn what_the_table_lacks_is_named() {
        let table = Table::load().expect("the table");
        let mut recording = Recording::default();
        recording.sets.insert("no-such-set".to_owned(), 1);
        let error = table.request(&recording).expect_err("no such set");
        assert_eq!(error.to_string(), "set no-such-set");
    }

    #[test]
    fn elements_switch_parts_of_a_box() {
        let table = Table::load().expect("the table");
        let mut recording = Recording::default();
        recording.sets.insert("princess-and-dragon:1".to_owned(), 1);
        recording.elements.insert("portal".to_owned(), None);
        let request = table.request(&recording).expect("known");
        assert_eq!(request.expansions.get("portal"), Some(&true));
        assert_eq!(request.expansions.get("dragon"), Some(&false));
        assert_eq!(request.options.get("base.farmers").map(String::as_str), Some("false"));
    }
}
