//! Declarations that are accepted and have no effect.

use std::collections::BTreeSet;

use trencavel_rules::declare::Declaration;
use trencavel_rules::short;
use trencavel_rules::value::Value;
use trencavel_rules::words::DeclKind;

use super::{View, has_word, subject, without_comments, words};
use crate::diagnostic::Diagnostic;

/// The place of a mark that is printed on tiles themselves.
const TILE: &str = "tile";

impl View<'_> {
    /// A step in which nothing can happen.
    pub(super) fn idle_step(&self, step: &Declaration) -> Option<Diagnostic> {
        let acts = ["run", "figure"].iter().any(|key| step.fields.get(key).is_some());
        let hangs = |one: &Declaration| {
            matches!(one.kind, DeclKind::Offer | DeclKind::Figure)
                && words(&one.fields, "at").iter().any(|at| short(at) == step.id)
        };
        if acts || self.declared.iter().any(hangs) {
            return None;
        }
        let message = format!("nothing happens in the step `{}`", step.id);
        let help = format!(
            "give it a `run` or the `figure` that may be deployed in it, or an offer with `at = \"{}\"`",
            step.id
        );
        Some(self.at(Diagnostic::new("W010", message).help(help), &step.source))
    }

    /// A question that nobody asks, a token that nobody puts or counts.
    pub(super) fn unspoken(&self, declaration: &Declaration) -> Option<Diagnostic> {
        let files = self.loaded.resolution.expansions.iter().flat_map(|one| &one.found.files);
        let scripts = files.filter(|(name, _)| name.ends_with(".lua"));
        let lines = scripts.map(|(_, file)| without_comments(&file.text));
        let spoken: usize = lines.map(|code| code.lines().filter(|line| has_word(line, &declaration.id)).count()).sum();
        // An id that is not written out where it is declared is made there, and may be made elsewhere.
        if spoken != 1 || !self.line(&declaration.source).is_some_and(|line| has_word(line, &declaration.id)) {
            return None;
        }
        let help = match declaration.kind {
            DeclKind::Resolve => format!("ask it: `rules.ask {{ to = \"{}\" }}`, or leave it out", declaration.id),
            _ => "put it somewhere with `rules.emit(\"put\", …)`, or leave it out".to_owned(),
        };
        let message = format!("no script speaks of the {} `{}`", declaration.kind, declaration.id);
        Some(self.at(Diagnostic::new("W011", message).help(help), &declaration.source))
    }

    /// Conditions that ask tiles for marks of features, or features for marks of tiles.
    pub(super) fn misplaced_marks(&self, declaration: &Declaration) -> Vec<Diagnostic> {
        let mut asked = BTreeSet::new();
        marks_asked_for(&declaration.fields, &mut asked);
        let wrong = asked.into_iter().filter_map(|(of_tile, mark)| {
            let places = self.printed_on(mark);
            let never = !places.is_empty() && places.contains(TILE) != of_tile && (of_tile || places.len() == 1);
            never.then_some((of_tile, mark, places))
        });
        wrong.map(|(of_tile, mark, places)| self.misplaced(declaration, of_tile, mark, &places)).collect()
    }

    fn misplaced(&self, at: &Declaration, of_tile: bool, mark: &str, places: &BTreeSet<&str>) -> Diagnostic {
        let (asked, other) = if of_tile { ("tile", "feature") } else { ("feature", "tile") };
        let places: Vec<&str> = places.iter().copied().collect();
        let message = format!(
            "{} \"{}\": `{asked} = {{ mark = \"{mark}\" }}` never holds, because the mark is on `{}`",
            at.kind,
            at.id,
            places.join("`, `")
        );
        let help = format!("write `{other} = {{ mark = \"{mark}\" }}`, or let the mark be on something else");
        self.at(Diagnostic::new("W009", message).help(help), &at.source)
    }

    /// What a mark may be printed on: kinds of features, `tile`.
    fn printed_on(&self, mark: &str) -> BTreeSet<&str> {
        let places = |one: &'_ &Declaration| match one.kind {
            DeclKind::Mark => one.id == short(mark),
            DeclKind::Extend => short(&one.id) == short(mark),
            _ => false,
        };
        let declared = self.declared.iter().filter(places).flat_map(|one| words(&one.fields, "on"));
        declared.map(short).collect()
    }
}

/// The marks that conditions ask tiles (`true`) and features (`false`) for, wherever they stand in a declaration.
fn marks_asked_for<'a>(value: &'a Value, found: &mut BTreeSet<(bool, &'a str)>) {
    match value {
        Value::Table(pairs) => {
            for (key, inner) in pairs {
                if matches!(&**key, "tile" | "feature") {
                    found.extend(subject(inner, "mark").into_iter().map(|mark| (&**key == "tile", mark)));
                }
                marks_asked_for(inner, found);
            }
        }
        Value::List(items) => items.iter().for_each(|inner| marks_asked_for(inner, found)),
        _ => {}
    }
}
