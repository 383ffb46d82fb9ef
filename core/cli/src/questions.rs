//! The questions that every figure is asked: does it claim, does it come back, what takes it, what carries it.

use trencavel_host::check::{subject, words};
use trencavel_rules::declare::Declaration;
use trencavel_rules::short;
use trencavel_rules::value::Value;
use trencavel_rules::words::DeclKind;

use crate::matrix::Pair;

/// How sure an answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sure {
    /// Its author says it.
    Declared,
    /// Nobody says it, but what is said of such figures decides it.
    Default,
    /// Nobody has thought about it.
    Open,
}

impl std::fmt::Display for Sure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Self::Declared => "declared",
            Self::Default => "default",
            Self::Open => "OPEN",
        })
    }
}

/// A question about a figure with its answer.
pub(crate) struct Answer {
    pub(crate) question: String,
    pub(crate) answer: String,
    pub(crate) sure: Sure,
    /// File and line of what decides it.
    pub(crate) place: String,
}

/// A figure that is asked about.
struct Asked<'a> {
    id: &'a str,
    class: &'a str,
    /// Why it leaves, if that is said.
    leaves: Option<Vec<&'a str>>,
    declaration: &'a Declaration,
    /// What is declared in the game that is looked at, queries among it.
    beside: &'a [Declaration],
}

/// Queries may name each other; so deep they are looked into.
const QUERIES: usize = 4;

/// Verbs by which something takes a figure off its seat.
const TAKING: [&str; 4] = ["return", "capture", "eat", "discard"];

/// Every question about a figure, those of its neighbours included. `said` gives what its author says of one.
pub(crate) fn about(figure: &Declaration, pairs: &[Pair], said: &dyn Fn(&str) -> Option<String>) -> Vec<Answer> {
    let class = words(&figure.fields, "class").first().copied().unwrap_or("follower");
    let leaves = figure.fields.get("leaves").map(|_| words(&figure.fields, "leaves"));
    let mut asked = Asked { id: &figure.id, class, leaves, declaration: figure, beside: &[] };
    let mut answers = vec![asked.claims(), asked.occupied(), asked.comes_back()];
    for pair in pairs {
        asked.beside = &pair.declared;
        let of_other = pair.declared.iter().filter(|one| one.expansion == pair.other);
        for hook in of_other {
            answers.extend(asked.taken(hook, said(&pair.other)));
            answers.extend(asked.carried(hook));
            answers.extend(asked.accompanied(hook));
        }
    }
    answers
}

impl Asked<'_> {
    fn answer(&self, question: impl Into<String>, answer: impl Into<String>, sure: Sure, by: &Declaration) -> Answer {
        let place = format!("{}:{}", by.source.file, by.source.line);
        Answer { question: question.into(), answer: answer.into(), sure, place }
    }

    fn class_said(&self) -> Sure {
        if self.declaration.fields.get("class").is_some() { Sure::Declared } else { Sure::Default }
    }

    fn claims(&self) -> Answer {
        let answer = match self.class {
            "follower" => "yes, it is a follower",
            _ => "no, it is no follower",
        };
        self.answer("Does it claim a feature and count for majority?", answer, self.class_said(), self.declaration)
    }

    fn occupied(&self) -> Answer {
        let answer = match self.class {
            "follower" => "no, unless a waiver of its own says so",
            _ => "yes, that refusal speaks of followers",
        };
        self.answer("May it be put where a follower stands?", answer, self.class_said(), self.declaration)
    }

    fn comes_back(&self) -> Answer {
        let (answer, sure) = match &self.leaves {
            Some(causes) if causes.contains(&"scored") => ("yes", Sure::Declared),
            Some(_) => ("no, it stays", Sure::Declared),
            None => ("yes", Sure::Default),
        };
        self.answer("Does it come back when its feature is scored?", answer, sure, self.declaration)
    }

    /// Whether a hook that takes figures takes this one.
    fn taken(&self, hook: &Declaration, said: Option<String>) -> Option<Answer> {
        let walks = hook.kind == DeclKind::Neutral && hook.fields.get("walk").is_some();
        let does = words(&hook.fields, "does");
        let taking =
            walks || TAKING.iter().any(|verb| does.contains(verb) || words(&hook.fields, "emits").contains(verb));
        if !taking || hook.kind == DeclKind::Replace {
            return None;
        }
        let causes = if walks { vec!["eaten"] } else { causes(hook) };
        let question = format!("{}: does `{}` take it off the board?", hook.expansion, hook.id);
        let leaves = self.leaves.as_ref().map(|known| causes.iter().any(|cause| known.contains(cause)));
        let (answer, sure) = match (self.left_out(hook), leaves, said) {
            (Some(why), ..) => (format!("no, {why}"), Sure::Default),
            (None, Some(true), _) => (format!("yes, it leaves for `{}`", causes.join("`, `")), Sure::Declared),
            (None, Some(false), _) if !causes.is_empty() => {
                ("no, it does not leave for that".to_owned(), Sure::Declared)
            }
            (None, _, Some(text)) => (text, Sure::Declared),
            (None, ..) if self.class == "follower" => ("yes, like any follower".to_owned(), Sure::Default),
            (None, ..) if self.named_by(hook) => ("yes, it speaks of such figures".to_owned(), Sure::Default),
            _ => ("nobody says: write `leaves` or `[interactions]`".to_owned(), Sure::Open),
        };
        Some(self.answer(question, answer, sure, hook))
    }

    /// Whether a waiver that lets figures go to other tiles is about this one.
    fn carried(&self, hook: &Declaration) -> Option<Answer> {
        if hook.kind != DeclKind::Waive || hook.id != "core:not_this_tile" {
            return None;
        }
        let question = format!("{}: may it go to another tile than the one just placed?", hook.expansion);
        let seats = subject(&hook.fields, "seat");
        let own = words(&self.declaration.fields, "seats");
        let seated = seats.is_empty() || own.iter().any(|seat| seats.contains(seat));
        let answer = match self.left_out(hook) {
            Some(why) => format!("no, {why}"),
            None if !seated => format!("no, it has no seat `{}`", seats.join("`, `")),
            None => "yes, like those it speaks of".to_owned(),
        };
        Some(self.answer(question, answer, Sure::Default, hook))
    }

    /// Whether a neutral figure may be put beside this one.
    fn accompanied(&self, hook: &Declaration) -> Option<Answer> {
        let figures = hook.fields.get("options")?.get("figures")?;
        if !words(&hook.fields, "does").contains(&"appear") {
            return None;
        }
        let classes = self.deep(hook, figures, "class");
        let answer = if classes.is_empty() || classes.contains(&self.class) {
            "yes, like any figure it speaks of".to_owned()
        } else {
            format!("no, it speaks of class `{}`", classes.join("`, `"))
        };
        let question = format!("{}: may its figure be put beside it?", hook.expansion);
        Some(self.answer(question, answer, Sure::Default, hook))
    }

    /// Why a hook says nothing about this figure, if its words tell.
    fn left_out(&self, hook: &Declaration) -> Option<String> {
        // What is chosen from says whom it is about; a hook that only emits tells by all of its words.
        let about = |key: &str| match hook.fields.get("options") {
            Some(options) => {
                let mut found = subject(&hook.fields, key);
                found.extend(self.deep(hook, options, key));
                found
            }
            None => self.deep(hook, &hook.fields, key),
        };
        let (figures, classes, roles) = (about("figure"), about("class"), about("role"));
        if figures.iter().any(|one| short(one) == self.id) {
            return None;
        }
        if !figures.is_empty() {
            return Some(format!("it speaks of `{}`", figures.join("`, `")));
        }
        if !classes.is_empty() && !classes.contains(&self.class) {
            return Some(format!("it speaks of class `{}`", classes.join("`, `")));
        }
        (!roles.is_empty() && self.class != "follower").then(|| format!("it speaks of role `{}`", roles.join("`, `")))
    }

    /// Whether the words of a hook include this figure or its class.
    fn named_by(&self, hook: &Declaration) -> bool {
        self.deep(hook, &hook.fields, "class").contains(&self.class)
            || self.deep(hook, &hook.fields, "figure").iter().any(|one| short(one) == self.id)
    }

    /// The words of a key wherever it stands in a table of a hook or in a query that is named there, but not where it
    /// says what must not be.
    fn deep<'v>(&'v self, hook: &Declaration, value: &'v Value, key: &str) -> Vec<&'v str> {
        self.deeper(hook, value, key, QUERIES)
    }

    fn deeper<'v>(&'v self, hook: &Declaration, value: &'v Value, key: &str, left: usize) -> Vec<&'v str> {
        let mut found = words(value, key);
        match value {
            Value::Table(pairs) => {
                let inner = pairs.iter().filter(|(name, _)| !["none", "lacks", "unless"].contains(&&**name));
                found.extend(inner.flat_map(|(_, inner)| self.deeper(hook, inner, key, left)));
            }
            Value::List(items) => found.extend(items.iter().flat_map(|inner| self.deeper(hook, inner, key, left))),
            Value::Text(word) if left > 0 => {
                let query = self.query(hook, word).into_iter();
                found.extend(query.flat_map(|query| self.deeper(query, &query.fields, key, left - 1)));
            }
            _ => {}
        }
        found
    }

    /// The query that a word names for a hook.
    fn query(&self, hook: &Declaration, word: &str) -> Option<&Declaration> {
        let (expansion, id) = word.split_once(':').unwrap_or((hook.expansion.as_str(), word));
        let queries = self.beside.iter().filter(|one| one.kind == DeclKind::Query);
        queries.into_iter().find(|one| one.expansion == expansion && one.id == id)
    }
}

fn causes(hook: &Declaration) -> Vec<&str> {
    let mut found = words(&hook.fields, "causes");
    if !words(&hook.fields, "does").is_empty() {
        found.extend(words(&hook.fields, "cause"));
    }
    found.sort_unstable();
    found.dedup();
    found
}
