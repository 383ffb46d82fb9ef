//! Words inside hooks: own ids first, then those of required and optional expansions, as in declarations.

use trencavel_rules::ids::{CauseId, FeatureKindId, FigureKindId, HookId, MarkId, StepId, TokenKindId};
use trencavel_rules::words::DeclKind;
use trencavel_rules::{Ruleset, State, short};

use super::context::Context;
use super::misuse::Misuse;

/// An expansion whose scripts read names.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reader {
    pub id: String,
    pub requires: Vec<String>,
    pub optional: Vec<String>,
    /// What it may ask `when` and `active` about, with the answer.
    pub others: Vec<(String, bool)>,
}

/// What a word may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Room {
    Feature,
    Mark,
    Figure,
    Query,
    Step,
    Question,
    Token,
}

impl Room {
    fn word(self) -> &'static str {
        match self {
            Self::Feature => "kind of feature",
            Self::Mark => "mark",
            Self::Figure => "figure",
            Self::Query => "query",
            Self::Step => "step",
            Self::Question => "`resolve`",
            Self::Token => "token",
        }
    }

    fn holds(self, kind: DeclKind) -> bool {
        match self {
            Self::Feature => kind == DeclKind::Feature,
            Self::Mark => kind == DeclKind::Mark,
            Self::Figure => matches!(kind, DeclKind::Figure | DeclKind::Neutral),
            Self::Query => kind == DeclKind::Query,
            Self::Step => kind == DeclKind::Step,
            Self::Question => kind == DeclKind::Resolve,
            Self::Token => kind == DeclKind::Token,
        }
    }

    fn exact(self, rules: &Ruleset, name: &str) -> Option<usize> {
        if !name.contains(':') {
            return None;
        }
        match self {
            Self::Feature => rules.feature_by_name(name).map(FeatureKindId::index),
            Self::Mark => rules.mark_by_name(name).map(MarkId::index),
            Self::Figure => rules.figure_by_name(name).map(FigureKindId::index),
            Self::Query => rules.query_by_name(name),
            Self::Step => rules.step_by_name(name).map(StepId::index),
            Self::Question => rules.question_by_name(name).map(HookId::index),
            Self::Token => rules.token_by_name(name).map(TokenKindId::index),
        }
    }
}

impl Context {
    /// A kind of feature; nothing for one of an absent optional expansion.
    pub fn feature_kind(&self, word: &str) -> Result<Option<FeatureKindId>, Misuse> {
        Ok(self.find(Room::Feature, word)?.map(FeatureKindId::from_index))
    }

    /// A mark; nothing for one of an absent optional expansion.
    pub fn mark(&self, word: &str) -> Result<Option<MarkId>, Misuse> {
        Ok(self.find(Room::Mark, word)?.map(MarkId::from_index))
    }

    /// A kind of figure; nothing for one of an absent optional expansion.
    pub fn figure_kind(&self, word: &str) -> Result<Option<FigureKindId>, Misuse> {
        Ok(self.find(Room::Figure, word)?.map(FigureKindId::from_index))
    }

    /// The place of a query; nothing for one of an absent optional expansion.
    pub fn query(&self, word: &str) -> Result<Option<usize>, Misuse> {
        self.find(Room::Query, word)
    }

    /// A step of the turn.
    pub fn step(&self, word: &str) -> Result<Option<StepId>, Misuse> {
        Ok(self.find(Room::Step, word)?.map(StepId::from_index))
    }

    /// A question.
    pub fn question(&self, word: &str) -> Result<Option<HookId>, Misuse> {
        Ok(self.find(Room::Question, word)?.map(HookId::from_index))
    }

    /// A kind of token; nothing for one of an absent optional expansion.
    pub fn token(&self, word: &str) -> Result<Option<TokenKindId>, Misuse> {
        Ok(self.find(Room::Token, word)?.map(TokenKindId::from_index))
    }

    /// A word of cause.
    pub fn cause(&self, word: &str) -> Result<CauseId, Misuse> {
        self.read(|rules, _| {
            rules.cause_by_word(word).ok_or_else(|| {
                let known: Vec<&str> = rules.causes().collect();
                let unknown = Misuse::unknown(format!("unknown cause `{word}`"), word, known);
                let declare = format!("declare it with the hook: `causes = {{ \"{word}\" }}`");
                let help = unknown.help.clone().filter(|help| help.starts_with("did"));
                unknown.help(help.map_or(declare.clone(), |near| format!("{near} otherwise {declare}")))
            })
        })?
    }

    fn find(&self, room: Room, word: &str) -> Result<Option<usize>, Misuse> {
        let expansion = self.moment.get().expansion;
        if let Some(known) = self.names.borrow().get(&(expansion, room as u8)).and_then(|words| words.get(word)) {
            return Ok(*known);
        }
        let reader = &self.readers[expansion];
        let found = self.read(|rules, _: &State| look_up(rules, reader, room, word))??;
        self.names.borrow_mut().entry((expansion, room as u8)).or_default().insert(word.to_owned(), found);
        Ok(found)
    }
}

/// What a word means in the scripts of an expansion; nothing for one of an absent optional expansion.
pub(crate) fn look_up(rules: &Ruleset, reader: &Reader, room: Room, word: &str) -> Result<Option<usize>, Misuse> {
    let full = |id: &str| format!("{id}:{word}");
    let absent = |id: &str| reader.others.iter().any(|(other, active)| other == id && !active);
    if let Some((prefix, _)) = word.split_once(':') {
        return match room.exact(rules, word) {
            None if absent(prefix) => Ok(None),
            None => Err(unknown(rules, room, word)),
            found => Ok(found),
        };
    }
    if let Some(own) = room.exact(rules, &full(&reader.id)) {
        return Ok(Some(own));
    }
    for others in [&reader.requires, &reader.optional] {
        let found: Vec<usize> = others.iter().filter_map(|id| room.exact(rules, &full(id))).collect();
        match found[..] {
            [] => {}
            [place] => return Ok(Some(place)),
            _ => {
                let message = format!("{} `{word}` may mean that of several expansions", room.word());
                return Err(Misuse::new(message).help("write it with its expansion: `expansion:name`"));
            }
        }
    }
    if let (Room::Step, Some(core)) = (room, room.exact(rules, &full("core"))) {
        return Ok(Some(core));
    }
    if absent(word) { Ok(None) } else { Err(unknown(rules, room, word)) }
}

fn unknown(rules: &Ruleset, room: Room, word: &str) -> Misuse {
    let known = rules.hooks().filter(|(_, hook)| room.holds(hook.kind)).map(|(_, hook)| short(&hook.name));
    Misuse::unknown(format!("unknown {} `{word}`", room.word()), word, known)
}
