//! Verbs that the `run` of a declaration emits and its `emits` does not name, as far as both are written out.

use std::collections::BTreeMap;

use full_moon::ast::{
    Ast, Call as Called, Expression, Field, FunctionArgs, FunctionCall, Index, Prefix, Suffix, TableConstructor,
};
use full_moon::visitors::{Visit, Visitor};

use super::calls::{Callee, Calls, Word, text, word};

/// A verb that is emitted without being named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unlisted {
    /// The kind of declaration: `react`.
    pub(crate) kind: String,
    /// Its id.
    pub(crate) id: String,
    pub(crate) verb: Word,
}

/// Every one, in the order of the file.
pub(super) fn of(ast: &Ast) -> Vec<Unlisted> {
    let mut declarations = Declarations::default();
    declarations.visit_ast(ast);
    declarations.0
}

#[derive(Default)]
struct Declarations(Vec<Unlisted>);

impl Visitor for Declarations {
    fn visit_function_call(&mut self, call: &FunctionCall) {
        self.0.extend(declared(call).and_then(|(kind, id, table)| unlisted(kind, id, table)).into_iter().flatten());
    }
}

/// The kind, id and fields of `rules.KIND "id" { … }`.
fn declared(call: &FunctionCall) -> Option<(String, String, &TableConstructor)> {
    let mut suffixes = call.suffixes();
    let (
        Prefix::Name(rules),
        Some(Suffix::Index(Index::Dot { name: kind, .. })),
        Some(Suffix::Call(Called::AnonymousCall(id))),
        Some(Suffix::Call(Called::AnonymousCall(fields))),
        None,
    ) = (call.prefix(), suffixes.next(), suffixes.next(), suffixes.next(), suffixes.next())
    else {
        return None;
    };
    let id = match &**id {
        FunctionArgs::String(id) => word(id)?,
        FunctionArgs::Parentheses { arguments, .. } => written(arguments.iter().next()?)?,
        _ => return None,
    };
    let table = match &**fields {
        FunctionArgs::TableConstructor(table) => table,
        FunctionArgs::Parentheses { arguments, .. } => match arguments.iter().next()? {
            Expression::TableConstructor(table) => table,
            _ => return None,
        },
        _ => return None,
    };
    (text(rules) == "rules").then(|| (text(kind), id.text, &**table))
}

/// What `run` emits beyond `emits`; `None` if one of them cannot be told.
fn unlisted(kind: String, id: String, table: &TableConstructor) -> Option<Vec<Unlisted>> {
    let mut fields = BTreeMap::new();
    for field in table.fields() {
        // Keys that are only known at run time may be any.
        let Field::NameKey { key, value, .. } = field else { return None };
        fields.insert(text(key), &**value);
    }
    let listed = fields.get("emits").map_or(Some(Vec::new()), |emits| words(emits))?;
    let Expression::Function(run) = fields.get("run")? else { return None };
    let mut calls = Calls::default();
    run.visit(&mut calls);
    let emitted = calls.0.into_iter().filter(|call| call.callee == Callee::Rules("emit".to_owned()));
    let verbs = emitted.filter_map(|call| call.args.into_iter().next().flatten());
    let beyond = verbs.filter(|verb| !listed.contains(&verb.text));
    Some(beyond.map(|verb| Unlisted { kind: kind.clone(), id: id.clone(), verb }).collect())
}

/// The words of `"one"` or `{ "one", "two" }`.
fn words(value: &Expression) -> Option<Vec<String>> {
    let Expression::TableConstructor(list) = value else { return Some(vec![written(value)?.text]) };
    let item = |field: &Field| if let Field::NoKey(item) = field { Some(written(item)?.text) } else { None };
    list.fields().iter().map(item).collect()
}

fn written(value: &Expression) -> Option<Word> {
    if let Expression::String(text) = value { word(text) } else { None }
}
