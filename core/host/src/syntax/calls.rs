//! Calls of a script and the words that are written out in them.

use std::ops::Range;

use full_moon::ast::{
    Ast, Call as Called, Expression, FunctionArgs, FunctionCall, Index, Prefix, Suffix, VarExpression,
};
use full_moon::tokenizer::{TokenReference, TokenType};
use full_moon::visitors::Visitor;

/// What is called.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Callee {
    /// `rules.NAME(…)`.
    Rules(String),
    /// `….:NAME(…)`.
    Method(String),
}

/// A word that is written out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    pub(crate) text: String,
    /// Bytes of the file, quotes included.
    pub(crate) at: Range<usize>,
}

/// A call with what is written out of its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Call {
    pub(crate) callee: Callee,
    /// Bytes of its name.
    pub(crate) at: Range<usize>,
    pub(crate) args: Vec<Option<Word>>,
}

/// Every call, in the order of the file.
pub(super) fn of(ast: &Ast) -> Vec<Call> {
    let mut calls = Calls::default();
    calls.visit_ast(ast);
    calls.0
}

/// Collects calls from whatever it visits.
#[derive(Default)]
pub(super) struct Calls(pub(super) Vec<Call>);

impl Visitor for Calls {
    fn visit_function_call(&mut self, call: &FunctionCall) {
        self.chain(call.prefix(), call.suffixes());
    }

    fn visit_var_expression(&mut self, expression: &VarExpression) {
        self.chain(expression.prefix(), expression.suffixes());
    }
}

impl Calls {
    /// The calls of `a.b:c(…).d(…)`.
    fn chain<'a>(&mut self, prefix: &Prefix, suffixes: impl Iterator<Item = &'a Suffix>) {
        let of_rules = matches!(prefix, Prefix::Name(name) if text(name) == "rules");
        let mut member = None;
        for (depth, suffix) in suffixes.enumerate() {
            match suffix {
                Suffix::Index(Index::Dot { name, .. }) if depth == 0 && of_rules => {
                    member = Some(name);
                }
                Suffix::Call(Called::AnonymousCall(args)) => {
                    if let Some(name) = member.take() {
                        self.0.push(Call { callee: Callee::Rules(text(name)), at: place(name), args: words(args) });
                    }
                }
                Suffix::Call(Called::MethodCall(call)) => {
                    let (callee, at) = (Callee::Method(text(call.name())), place(call.name()));
                    self.0.push(Call { callee, at, args: words(call.args()) });
                }
                _ => member = None,
            }
        }
    }
}

fn words(args: &FunctionArgs) -> Vec<Option<Word>> {
    match args {
        FunctionArgs::String(text) => vec![word(text)],
        FunctionArgs::Parentheses { arguments, .. } => arguments
            .iter()
            .map(|argument| if let Expression::String(text) = argument { word(text) } else { None })
            .collect(),
        _ => Vec::new(),
    }
}

pub(super) fn word(text: &TokenReference) -> Option<Word> {
    let TokenType::StringLiteral { literal, .. } = text.token().token_type() else { return None };
    Some(Word { text: literal.to_string(), at: place(text) })
}

pub(super) fn text(name: &TokenReference) -> String {
    name.token().to_string()
}

fn place(token: &TokenReference) -> Range<usize> {
    token.token().start_position().bytes()..token.token().end_position().bytes()
}
