//! Which function every variable belongs to, followed through a syntax tree.

use std::collections::BTreeSet;
use std::ops::Range;

use full_moon::ast::luau::{ConstAssignment, ConstFunction};
use full_moon::ast::{
    AnonymousFunction, Assignment, Block, Call, CompoundAssignment, Expression, FunctionArgs, FunctionBody,
    FunctionCall, FunctionDeclaration, GenericFor, Index, LocalAssignment, LocalFunction, NumericFor, Parameter,
    Prefix, Repeat, Suffix, Var, VarExpression,
};
use full_moon::node::Node;
use full_moon::tokenizer::TokenReference;
use full_moon::visitors::Visitor;

/// What a script does that it must not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slip {
    /// A function assigns to a variable from outside of it.
    Assigned,
    /// A function writes into a table of the file's top level.
    Written,
    /// A loop over a bare table.
    BareLoop,
}

/// One slip and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Finding {
    pub(super) slip: Slip,
    /// The variable, if it is about one.
    pub(super) name: String,
    /// 1-based.
    pub(super) line: u32,
    /// Bytes of the file.
    pub(super) at: Range<usize>,
}

/// Names declared in one block, and how many functions are around it.
#[derive(Debug, Default)]
struct Scope {
    names: BTreeSet<String>,
    depth: usize,
    /// The condition of `repeat … until` still sees the names of its block.
    outlives_block: bool,
}

/// The blocks around the place that is being read, innermost last.
#[derive(Debug, Default)]
pub(super) struct Scopes {
    open: Vec<Scope>,
    depth: usize,
    repeat_next: bool,
    method_next: bool,
    when_next: bool,
    /// Where the functions given to `rules.when` begin: they run once, while the file is loaded.
    at_load: BTreeSet<usize>,
    findings: Vec<Finding>,
}

impl Scopes {
    /// Every slip in the order of the file.
    pub(super) fn findings(mut self) -> Vec<Finding> {
        self.findings.sort_by_key(|finding| finding.at.start);
        self.findings
    }

    fn push(&mut self) {
        let outlives_block = std::mem::take(&mut self.repeat_next);
        self.open.push(Scope { depth: self.depth, outlives_block, ..Scope::default() });
    }

    fn declare(&mut self, name: &TokenReference) {
        if let Some(scope) = self.open.last_mut() {
            scope.names.insert(text(name));
        }
    }

    /// How many functions are around the declaration of a name. Names that are not declared are globals, which the
    /// sandbox refuses where they are assigned.
    fn depth_of(&self, name: &str) -> Option<usize> {
        self.open.iter().rev().find(|scope| scope.names.contains(name)).map(|scope| scope.depth)
    }

    fn assigned(&mut self, name: &TokenReference) {
        if self.depth_of(&text(name)).is_some_and(|depth| depth < self.depth) {
            self.found(Slip::Assigned, name);
        }
    }

    fn written(&mut self, name: &TokenReference) {
        if self.depth > 0 && self.depth_of(&text(name)) == Some(0) {
            self.found(Slip::Written, name);
        }
    }

    fn found(&mut self, slip: Slip, name: &TokenReference) {
        let (start, text) = (name.token().start_position(), text(name));
        let at = start.bytes()..start.bytes() + text.len();
        self.findings.push(Finding { slip, name: text, line: line(start.line()), at });
    }

    fn changed(&mut self, target: &Var) {
        match target {
            Var::Name(name) => self.assigned(name),
            Var::Expression(inner) => self.changed_inside(inner),
            _ => {}
        }
    }

    fn changed_inside(&mut self, target: &VarExpression) {
        let mut prefix = target.prefix();
        loop {
            match prefix {
                Prefix::Name(name) => return self.written(name),
                // `(t).x = 1` is `t.x = 1`.
                Prefix::Expression(inner) => match bare(inner) {
                    Expression::Var(Var::Name(name)) => return self.written(name),
                    Expression::Var(Var::Expression(inner)) => prefix = inner.prefix(),
                    _ => return,
                },
                _ => return,
            }
        }
    }
}

impl Visitor for Scopes {
    fn visit_block(&mut self, _: &Block) {
        self.push();
    }

    fn visit_block_end(&mut self, _: &Block) {
        self.open.pop_if(|scope| !scope.outlives_block);
    }

    fn visit_repeat(&mut self, _: &Repeat) {
        self.repeat_next = true;
    }

    fn visit_repeat_end(&mut self, _: &Repeat) {
        self.open.pop();
    }

    fn visit_function_body(&mut self, body: &FunctionBody) {
        self.depth += usize::from(!std::mem::take(&mut self.when_next));
        self.push();
        if std::mem::take(&mut self.method_next)
            && let Some(scope) = self.open.last_mut()
        {
            scope.names.insert("self".to_owned());
        }
        for parameter in body.parameters() {
            if let Parameter::Name(name) = parameter {
                self.declare(name);
            }
        }
    }

    fn visit_function_body_end(&mut self, _: &FunctionBody) {
        self.open.pop();
        self.depth = self.open.last().map_or(0, |scope| scope.depth);
    }

    fn visit_function_call(&mut self, call: &FunctionCall) {
        if self.depth_of("rules").is_none() {
            self.at_load.extend(given_to_when(call).and_then(Node::start_position).map(|at| at.bytes()));
        }
    }

    fn visit_anonymous_function(&mut self, function: &AnonymousFunction) {
        self.method_next = false;
        self.when_next = function.start_position().is_some_and(|at| self.at_load.contains(&at.bytes()));
    }

    fn visit_function_declaration(&mut self, function: &FunctionDeclaration) {
        let name = function.name();
        self.method_next = name.method_name().is_some();
        let Some(first) = name.names().iter().next() else { return };
        if name.names().len() == 1 && !self.method_next { self.assigned(first) } else { self.written(first) }
    }

    fn visit_local_function(&mut self, function: &LocalFunction) {
        self.declare(function.name());
    }

    fn visit_const_function(&mut self, function: &ConstFunction) {
        self.declare(function.name());
    }

    // The names are not seen by the values they are given.
    fn visit_local_assignment_end(&mut self, assignment: &LocalAssignment) {
        assignment.names().iter().for_each(|name| self.declare(name));
    }

    fn visit_const_assignment_end(&mut self, assignment: &ConstAssignment) {
        assignment.names().iter().for_each(|name| self.declare(name));
    }

    fn visit_numeric_for(&mut self, loops: &NumericFor) {
        self.push();
        self.declare(loops.index_variable());
    }

    fn visit_numeric_for_end(&mut self, _: &NumericFor) {
        self.open.pop();
    }

    fn visit_generic_for(&mut self, loops: &GenericFor) {
        if let Some(slip) = bare_loop(loops) {
            self.findings.push(slip);
        }
        self.push();
        loops.names().iter().for_each(|name| self.declare(name));
    }

    fn visit_generic_for_end(&mut self, _: &GenericFor) {
        self.open.pop();
    }

    fn visit_assignment(&mut self, assignment: &Assignment) {
        assignment.variables().iter().for_each(|target| self.changed(target));
    }

    fn visit_compound_assignment(&mut self, assignment: &CompoundAssignment) {
        self.changed(assignment.lhs());
    }
}

/// The function of `rules.when("id", function() … end)`.
fn given_to_when(call: &FunctionCall) -> Option<&AnonymousFunction> {
    let mut suffixes = call.suffixes();
    let (Some(Suffix::Index(Index::Dot { name, .. })), Some(Suffix::Call(given)), None) =
        (suffixes.next(), suffixes.next(), suffixes.next())
    else {
        return None;
    };
    let is_when = text(name) == "when" && matches!(call.prefix(), Prefix::Name(prefix) if text(prefix) == "rules");
    let Call::AnonymousCall(given) = given else { return None };
    let FunctionArgs::Parentheses { arguments, .. } = &**given else { return None };
    match arguments.iter().nth(1) {
        Some(Expression::Function(function)) if is_when => Some(function),
        _ => None,
    }
}

/// The loop, unless it is over a call or over `next, t`.
fn bare_loop(loops: &GenericFor) -> Option<Finding> {
    let first = loops.expressions().iter().next()?;
    let ordered = match bare(first) {
        Expression::FunctionCall(_) => true,
        Expression::Var(Var::Name(name)) => loops.expressions().len() > 1 && text(name) == "next",
        _ => false,
    };
    let (start, end) = first.start_position().zip(first.end_position())?;
    let at = start.bytes()..end.bytes();
    (!ordered).then(|| Finding { slip: Slip::BareLoop, name: String::new(), line: line(start.line()), at })
}

/// The expression without the brackets and type assertions around it.
fn bare(mut expression: &Expression) -> &Expression {
    loop {
        expression = match expression {
            Expression::Parentheses { expression, .. } | Expression::TypeAssertion { expression, .. } => expression,
            other => return other,
        };
    }
}

fn text(name: &TokenReference) -> String {
    name.token().to_string()
}

fn line(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
