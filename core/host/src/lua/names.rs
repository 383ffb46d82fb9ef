//! Words inside hooks: own ids first, then those of required and optional expansions, as in declarations.

use mlua::LuaString;
use trencavel_rules::ids::{CauseId, FeatureKindId, FigureKindId, HookId, MarkId, StepId, TileDefId, TokenKindId};
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

/// Texts of a VM and what they mean. Equal texts of a VM are one object, so a text is found by where it is, and nobody
/// looks at its letters.
pub(crate) struct Lexicon<T> {
    means: Vec<(usize, T)>,
    /// Held, so that no other text comes to lie where one of them lies.
    held: Vec<LuaString>,
}

impl<T> Default for Lexicon<T> {
    fn default() -> Self {
        Self { means: Vec::new(), held: Vec::new() }
    }
}

impl<T: Copy> Lexicon<T> {
    /// Adds a text that is not there yet.
    pub fn add(&mut self, text: &LuaString, means: T) {
        self.means.push((text.to_pointer().addr(), means));
        self.held.push(text.clone());
    }

    /// How many texts are known.
    fn len(&self) -> usize {
        self.means.len()
    }

    /// What the text means, if it is known.
    pub fn get(&self, text: &LuaString) -> Option<T> {
        let place = text.to_pointer().addr();
        self.means.iter().find(|(other, _)| *other == place).map(|(_, means)| *means)
    }
}

/// A word that is asked about.
#[derive(Clone, Copy)]
pub(crate) enum Word<'a> {
    /// As scripts give it.
    Text(&'a LuaString),
    /// As everyone else does.
    Plain(&'a str),
}

impl<'a> From<&'a str> for Word<'a> {
    fn from(word: &'a str) -> Self {
        Self::Plain(word)
    }
}

impl Word<'_> {
    /// Its letters.
    ///
    /// # Errors
    /// If they are no valid UTF-8.
    pub fn plain(self) -> Result<String, Misuse> {
        match self {
            Self::Plain(word) => Ok(word.to_owned()),
            Self::Text(text) => match text.to_str() {
                Ok(word) => Ok(word.to_owned()),
                Err(_) => Err(Misuse::new("a word is not valid UTF-8")),
            },
        }
    }
}

/// What the words of one expansion mean for one kind of thing, as far as somebody asked.
#[derive(Default)]
pub(crate) struct Known {
    texts: Lexicon<Option<usize>>,
    plain: Vec<(Box<str>, Option<usize>)>,
}

impl Known {
    /// So many words are remembered at most: of an absent expansion a script may make up as many as it likes.
    const MOST: usize = 256;

    fn get(&self, word: Word<'_>) -> Option<Option<usize>> {
        match word {
            Word::Text(text) => self.texts.get(text),
            Word::Plain(word) => self.plain.iter().find(|(other, _)| **other == *word).map(|(_, found)| *found),
        }
    }

    fn add(&mut self, word: Word<'_>, found: Option<usize>) {
        match word {
            Word::Text(text) if self.texts.len() < Self::MOST => self.texts.add(text, found),
            Word::Plain(word) if self.plain.len() < Self::MOST => self.plain.push((word.into(), found)),
            _ => {}
        }
    }
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

/// How many rooms there are.
const ROOMS: usize = Room::Token as usize + 1;

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
    pub fn feature_kind<'a>(&self, word: impl Into<Word<'a>>) -> Result<Option<FeatureKindId>, Misuse> {
        Ok(self.find(Room::Feature, word.into())?.map(FeatureKindId::from_index))
    }

    /// A mark; nothing for one of an absent optional expansion.
    pub fn mark<'a>(&self, word: impl Into<Word<'a>>) -> Result<Option<MarkId>, Misuse> {
        Ok(self.find(Room::Mark, word.into())?.map(MarkId::from_index))
    }

    /// A kind of figure; nothing for one of an absent optional expansion.
    pub fn figure_kind<'a>(&self, word: impl Into<Word<'a>>) -> Result<Option<FigureKindId>, Misuse> {
        Ok(self.find(Room::Figure, word.into())?.map(FigureKindId::from_index))
    }

    /// The place of a query; nothing for one of an absent optional expansion.
    pub fn query<'a>(&self, word: impl Into<Word<'a>>) -> Result<Option<usize>, Misuse> {
        self.find(Room::Query, word.into())
    }

    /// A step of the turn.
    pub fn step<'a>(&self, word: impl Into<Word<'a>>) -> Result<Option<StepId>, Misuse> {
        Ok(self.find(Room::Step, word.into())?.map(StepId::from_index))
    }

    /// A question.
    pub fn question<'a>(&self, word: impl Into<Word<'a>>) -> Result<Option<HookId>, Misuse> {
        Ok(self.find(Room::Question, word.into())?.map(HookId::from_index))
    }

    /// A kind of token; nothing for one of an absent optional expansion.
    pub fn token<'a>(&self, word: impl Into<Word<'a>>) -> Result<Option<TokenKindId>, Misuse> {
        Ok(self.find(Room::Token, word.into())?.map(TokenKindId::from_index))
    }

    /// A word of cause.
    pub fn cause(&self, word: Word<'_>) -> Result<CauseId, Misuse> {
        if let Word::Text(text) = word
            && let Some(cause) = self.causes.borrow().get(text)
        {
            return Ok(cause);
        }
        let plain = word.plain()?;
        let cause = self.read(|rules, _| {
            rules.cause_by_word(&plain).ok_or_else(|| {
                let known: Vec<&str> = rules.causes().collect();
                let unknown = Misuse::unknown(format!("unknown cause `{plain}`"), &plain, known);
                let declare = format!("declare it with the hook: `causes = {{ \"{plain}\" }}`");
                let help = unknown.help.clone().filter(|help| help.starts_with("did"));
                unknown.help(help.map_or(declare.clone(), |near| format!("{near} otherwise {declare}")))
            })
        })??;
        if let Word::Text(text) = word {
            self.causes.borrow_mut().add(text, cause);
        }
        Ok(cause)
    }

    /// A design by its id.
    pub fn tile_def(&self, word: Word<'_>) -> Result<TileDefId, Misuse> {
        if let Word::Text(text) = word
            && let Some(def) = self.tiles.borrow().get(text)
        {
            return Ok(def);
        }
        let plain = word.plain()?;
        let def = self.read(|rules, _| {
            let known = || rules.tiles().map(|(_, tile)| short(&tile.id));
            let unknown = || Misuse::unknown(format!("there is no tile `{plain}`"), &plain, known());
            rules.tile_by_name(&plain).ok_or_else(unknown)
        })??;
        if let Word::Text(text) = word {
            self.tiles.borrow_mut().add(text, def);
        }
        Ok(def)
    }

    fn find(&self, room: Room, word: Word<'_>) -> Result<Option<usize>, Misuse> {
        self.running()?;
        let expansion = self.expansion();
        let place = expansion * ROOMS + room as usize;
        if let Some(found) = self.names.borrow().get(place).and_then(|known| known.get(word)) {
            return Ok(found);
        }
        let (reader, plain) = (&self.readers[expansion], word.plain()?);
        let found = self.read(|rules, _: &State| look_up(rules, reader, room, &plain))??;
        let mut names = self.names.borrow_mut();
        if names.len() <= place {
            names.resize_with(place + 1, Known::default);
        }
        names[place].add(word, found);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn made_up_words_are_not_remembered_for_ever() {
        let (mut known, lua) = (Known::default(), mlua::Lua::new());
        for number in 0..2 * Known::MOST {
            let word = format!("away:{number}");
            known.add(Word::Plain(&word), None);
            known.add(Word::Text(&lua.create_string(&word).expect("a text")), None);
        }
        assert_eq!((known.plain.len(), known.texts.len()), (Known::MOST, Known::MOST));
        assert_eq!(known.get(Word::Plain("away:0")), Some(None));
        assert_eq!(known.get(Word::Plain("away:999999")), None);
    }
}
