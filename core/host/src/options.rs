//! What an expansion lets people choose: option types, their values, and how both are read from TOML and from the
//! command line.

use std::collections::BTreeSet;
use std::fmt;

use toml::de::DeValue;

use crate::diagnostic::nearest;

/// An option name that means the number of boxes and so cannot be declared.
pub const COPIES: &str = "copies";

/// What values an option takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionType {
    /// `true` or `false`.
    Bool,
    /// A whole number; both ends are included.
    Int {
        /// The smallest allowed number, if there is one.
        min: Option<i64>,
        /// The greatest allowed number, if there is one.
        max: Option<i64>,
    },
    /// Exactly one of the words, in the order the author wrote them.
    OneOf(Vec<String>),
    /// Any of the words, or none, in the order the author wrote them.
    SetOf(Vec<String>),
}

/// A value that fits its option's type. Its `Display` is the one canonical text: `true`, `4`, `any`, `bread,wine`,
/// and `-` for the empty set.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OptionValue {
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// One word; a number in a list of words is the word that shows it.
    Word(String),
    /// Words, sorted, each once.
    Set(BTreeSet<String>),
}

/// One option as a manifest declares it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionDecl {
    /// Unique in its expansion; `expansion.name` everywhere else.
    pub name: String,
    /// What values it takes.
    pub kind: OptionType,
    /// The value when nobody chooses.
    pub default: OptionValue,
    /// What it changes, for people.
    pub text: String,
}

/// A value as a file states it, before anyone knows the option it is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RawValue {
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// Text in quotes.
    Text(String),
    /// A list.
    List(Vec<RawValue>),
    /// Something no option takes (a fraction, a date, a table), in words.
    Other(&'static str),
}

/// Why a value does not fit an option. `Display` is the second half of a sentence that begins with the option's name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OptionError {
    /// A value of a different kind.
    #[error("must be {wanted}, not {found}")]
    WrongKind {
        /// What the option takes, in words.
        wanted: String,
        /// What was written.
        found: String,
    },
    /// A number beyond the declared ends.
    #[error("must be {wanted}, not {found}")]
    OutOfRange {
        /// The allowed numbers, in words.
        wanted: String,
        /// What was written.
        found: i64,
    },
    /// A word the option does not know.
    #[error("cannot be `{found}`")]
    NotAllowed {
        /// What was written.
        found: String,
        /// Every allowed word, as declared.
        allowed: Vec<String>,
    },
    /// A word that stands twice in a set.
    #[error("has `{word}` twice")]
    Twice {
        /// The word.
        word: String,
    },
}

/// `expansion.option=value`, split but not yet checked against a manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionText {
    /// The expansion's id.
    pub expansion: String,
    /// The option's name.
    pub option: String,
    /// What follows `=`.
    pub value: String,
}

/// Text on the command line that is not `expansion.option=value`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not of the form `expansion.option=value`")]
pub struct OptionTextError {
    /// What was written.
    pub text: String,
}

impl std::str::FromStr for OptionText {
    type Err = OptionTextError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || OptionTextError { text: text.to_owned() };
        let (name, value) = text.split_once('=').ok_or_else(wrong)?;
        let (expansion, option) = name.trim().split_once('.').ok_or_else(wrong)?;
        if expansion.is_empty() || option.is_empty() || option.contains('.') {
            return Err(wrong());
        }
        Ok(Self { expansion: expansion.to_owned(), option: option.to_owned(), value: value.trim().to_owned() })
    }
}

impl OptionType {
    /// The value `raw` stands for.
    ///
    /// # Errors
    /// When it is of another kind, out of range or not one of the words.
    pub fn value(&self, raw: &RawValue) -> Result<OptionValue, OptionError> {
        match (self, raw) {
            (Self::Bool, RawValue::Bool(on)) => Ok(OptionValue::Bool(*on)),
            (Self::Int { .. }, RawValue::Int(n)) => self.in_range(*n),
            (Self::OneOf(words), RawValue::Int(_) | RawValue::Text(_)) => {
                one_of(words, &raw.word()).map(OptionValue::Word)
            }
            (Self::SetOf(words), RawValue::List(items)) if items.iter().all(RawValue::is_word) => {
                set_of(words, items.iter().map(RawValue::word))
            }
            _ => Err(self.wrong_kind(raw.to_string())),
        }
    }

    /// The value that command-line text or a line of a lock stands for; sets are written `a,b`, the empty set `-`.
    ///
    /// # Errors
    /// When it is of another kind, out of range or not one of the words.
    pub fn value_from_text(&self, text: &str) -> Result<OptionValue, OptionError> {
        match self {
            Self::Bool => text.parse().map(OptionValue::Bool).map_err(|_| self.wrong_kind(format!("`{text}`"))),
            Self::Int { .. } => {
                text.parse().map_err(|_| self.wrong_kind(format!("`{text}`"))).and_then(|n| self.in_range(n))
            }
            Self::OneOf(words) => one_of(words, text).map(OptionValue::Word),
            Self::SetOf(_) if matches!(text, "" | "-") => Ok(OptionValue::Set(BTreeSet::new())),
            Self::SetOf(words) => set_of(words, text.split(',').map(|word| word.trim().to_owned())),
        }
    }

    fn in_range(&self, found: i64) -> Result<OptionValue, OptionError> {
        let Self::Int { min, max } = self else { return Err(self.wrong_kind(found.to_string())) };
        if min.is_some_and(|min| found < min) || max.is_some_and(|max| found > max) {
            return Err(OptionError::OutOfRange { wanted: self.to_string(), found });
        }
        Ok(OptionValue::Int(found))
    }

    fn wrong_kind(&self, found: String) -> OptionError {
        OptionError::WrongKind { wanted: self.to_string(), found }
    }
}

impl fmt::Display for OptionType {
    /// What the option takes, in words that follow "must be".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool => f.write_str("true or false"),
            Self::Int { min: None, max: None } => f.write_str("a whole number"),
            Self::Int { min: Some(min), max: None } => write!(f, "a whole number, {min} or more"),
            Self::Int { min: None, max: Some(max) } => write!(f, "a whole number, {max} or less"),
            Self::Int { min: Some(min), max: Some(max) } => write!(f, "a whole number from {min} to {max}"),
            Self::OneOf(words) => write!(f, "one of {}", quoted(words)),
            Self::SetOf(words) => write!(f, "a list with any of {}", quoted(words)),
        }
    }
}

impl fmt::Display for OptionValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(on) => write!(f, "{on}"),
            Self::Int(n) => write!(f, "{n}"),
            Self::Word(word) => f.write_str(word),
            // No word begins with a hyphen without a digit, so this cannot be taken for one.
            Self::Set(words) if words.is_empty() => f.write_str("-"),
            Self::Set(words) => f.write_str(&words.iter().map(String::as_str).collect::<Vec<_>>().join(",")),
        }
    }
}

impl OptionValue {
    /// The value as it stands in a game file.
    pub fn to_toml(&self) -> String {
        let literal = |word: &String| if word.parse::<i64>().is_ok() { word.clone() } else { format!("\"{word}\"") };
        match self {
            Self::Bool(_) | Self::Int(_) => self.to_string(),
            Self::Word(word) => literal(word),
            Self::Set(words) => format!("[{}]", words.iter().map(literal).collect::<Vec<_>>().join(", ")),
        }
    }
}

impl OptionError {
    /// What to write instead.
    pub fn help(&self) -> Option<String> {
        let Self::NotAllowed { found, allowed } = self else { return None };
        // Every digit is near every other, which helps nobody.
        let near = nearest(found, allowed.iter().map(String::as_str)).filter(|_| found.len() > 2);
        let near = near.map_or_else(String::new, |near| format!("did you mean `{near}`? "));
        Some(format!("{near}allowed: {}", quoted(allowed)))
    }
}

impl RawValue {
    /// A TOML value as it would be stated for an option.
    pub fn from_toml(value: &DeValue<'_>) -> Self {
        match value {
            DeValue::Boolean(on) => Self::Bool(*on),
            DeValue::Integer(_) => whole(value).map_or(Self::Other("a number that large"), Self::Int),
            DeValue::String(text) => Self::Text(text.to_string()),
            DeValue::Array(items) => Self::List(items.iter().map(|item| Self::from_toml(item.get_ref())).collect()),
            DeValue::Float(_) => Self::Other("a fraction"),
            DeValue::Datetime(_) => Self::Other("a date"),
            DeValue::Table(_) => Self::Other("a table"),
        }
    }

    /// Whether it may stand in a list of words.
    pub fn is_word(&self) -> bool {
        matches!(self, Self::Int(_) | Self::Text(_))
    }

    /// The word it stands for; `4` and `"4"` are the same word.
    pub fn word(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            other => other.to_string(),
        }
    }
}

impl fmt::Display for RawValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(on) => write!(f, "{on}"),
            Self::Int(n) => write!(f, "{n}"),
            Self::Text(text) => write!(f, "\"{}\"", text.escape_debug()),
            Self::List(_) => f.write_str("a list"),
            Self::Other(what) => f.write_str(what),
        }
    }
}

/// A TOML integer that fits 64 bits.
pub(crate) fn whole(value: &DeValue<'_>) -> Option<i64> {
    let n = value.as_integer()?;
    i64::from_str_radix(n.as_str(), n.radix()).ok()
}

/// `` `a`, `b` ``.
pub(crate) fn quoted<S: AsRef<str>>(names: &[S]) -> String {
    names.iter().map(|name| format!("`{}`", name.as_ref())).collect::<Vec<_>>().join(", ")
}

fn one_of(words: &[String], found: &str) -> Result<String, OptionError> {
    match words.iter().find(|word| *word == found) {
        Some(word) => Ok(word.clone()),
        None => Err(OptionError::NotAllowed { found: found.to_owned(), allowed: words.to_vec() }),
    }
}

fn set_of(words: &[String], found: impl Iterator<Item = String>) -> Result<OptionValue, OptionError> {
    let mut set = BTreeSet::new();
    for word in found {
        let word = one_of(words, &word)?;
        if !set.insert(word.clone()) {
            return Err(OptionError::Twice { word });
        }
    }
    Ok(OptionValue::Set(set))
}

/// Whether `text` is lower-case words joined by underscores, beginning with a letter.
pub(crate) fn is_name(text: &str) -> bool {
    is_words(text, '_') && text.starts_with(|c: char| c.is_ascii_lowercase())
}

/// Whether `text` may be a word of an option.
pub(crate) fn is_option_word(text: &str) -> bool {
    is_name(text) || text.parse::<i64>().is_ok_and(|n| n.to_string() == text)
}

/// Whether `text` is lower-case words and digits, joined by single `joint`s.
pub(crate) fn is_words(text: &str, joint: char) -> bool {
    text.split(joint).all(|word| !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit()))
}
