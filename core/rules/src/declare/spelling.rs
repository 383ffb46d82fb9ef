//! How words are written that end up in answers, saves and the ledger: nothing in them may look like something else.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{Declaration, DeclareError, Problem};
use crate::value::Value;
use crate::words::DeclKind;

/// No word is longer.
const LONGEST: usize = 60;

/// Reports every id and word that is not written as one.
pub(super) fn check(declared: &[Declaration], errors: &mut Vec<DeclareError>) {
    for declaration in declared {
        let mut wrong = Vec::new();
        let foreign = matches!(declaration.kind, DeclKind::Waive | DeclKind::Extend);
        let id = declaration.id.split_once(':').filter(|_| foreign);
        let parts = id.map_or(vec![declaration.id.as_str()], |(expansion, id)| vec![expansion, id]);
        wrong.extend(parts.into_iter().filter(|part| !is_word(part)).map(|part| ("the id", part)));
        for (key, path) in [("causes", "causes"), ("tag", "tag")] {
            wrong.extend(texts(declaration.fields.get(key)).filter(|word| !is_word(word)).map(|word| (path, &**word)));
        }
        if let Some(Value::Table(seats)) = declaration.fields.get("seats") {
            for (name, fields) in seats {
                wrong.extend(Some(("seats", &**name)).filter(|_| !is_word(name)));
                wrong.extend(
                    texts(fields.get("role")).filter(|word| !is_word(word)).map(|word| ("seats.role", &**word)),
                );
            }
        }
        let words = declaration.fields.get("options").and_then(|options| options.get("words"));
        wrong.extend(texts(words).filter(|word| !is_word(word)).map(|word| ("options.words", &**word)));
        let problems = wrong.into_iter().map(|(path, word)| Problem::Spelling {
            path: path.to_owned(),
            word: word.chars().take(LONGEST).collect(),
        });
        let mut seen = BTreeSet::new();
        let twice =
            texts(words).filter(|word| !seen.insert(*word)).map(|word| Problem::Repeated { word: word.to_string() });
        errors.extend(problems.chain(twice).map(|problem| DeclareError {
            what: Some(format!("{} \"{}\"", declaration.kind, declaration.id)),
            place: Some(declaration.source.clone()),
            problem,
        }));
    }
}

/// Letters, digits and what joins them.
fn is_word(text: &str) -> bool {
    let letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
    !text.is_empty() && text.len() <= LONGEST && text.chars().all(letter)
}

/// A text or the texts of a list.
fn texts(value: Option<&Value>) -> impl Iterator<Item = &Arc<str>> {
    let values = match value {
        Some(Value::List(list)) => list.as_slice(),
        Some(value) => std::slice::from_ref(value),
        None => &[],
    };
    values.iter().filter_map(|value| if let Value::Text(text) = value { Some(text) } else { None })
}
