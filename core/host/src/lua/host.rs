//! Calls the functions of scripts for the engine.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use mlua::{Function, Value};
use trencavel_rules::Ruleset;
use trencavel_rules::hooks::{Call, HookError, HookFault, Reply, ScriptFn, Scripts};
use trencavel_rules::ids::{FigureId, HookId};

use super::context::{Asked, Context, Moment, player_number};
use super::convert::shown;
use super::declaring::{Body, Role, Written};
use super::handles::{Kind, target_value};
use super::misuse::Misuse;
use super::sandbox::{CallLabel, LuaFault, Sandbox, integer};
use super::scripts::{Ran, fault_message, script_frames};
use crate::native::Asking;

/// The scripts of a game in a VM of their own: one for each thread, for any number of games.
pub struct ScriptHost {
    sandbox: Sandbox,
    context: Rc<Context>,
    functions: Vec<Written>,
    /// Makes a list of four numbers.
    list: Function,
    trace: Option<Vec<Traced>>,
    spent: Spent,
}

/// A decision may use so many times what one call may.
const CALLS: u64 = 50;

/// The ticks that the hooks of one decision have used.
#[derive(Default)]
struct Spent {
    decision: Option<u32>,
    all: u64,
    /// By function.
    each: Vec<u64>,
}

impl Spent {
    /// Adds a call of a function in a decision; a new decision begins anew. Gives all ticks of the decision.
    fn add(&mut self, decision: u32, function: ScriptFn, ticks: u64) -> u64 {
        if self.decision != Some(decision) {
            (self.decision, self.all) = (Some(decision), 0);
            self.each.fill(0);
        }
        self.all = self.all.saturating_add(ticks);
        if let Some(sum) = self.each.get_mut(function.0 as usize) {
            *sum += ticks;
        }
        self.all
    }

    /// The first of the functions that have used most.
    fn greediest(&self) -> Option<usize> {
        (0..self.each.len()).rev().max_by_key(|function| self.each[*function])
    }
}

/// What a hook answered and asked for, to be compared.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Traced {
    /// The hook.
    pub hook: HookId,
    reply: Reply,
    asked: Asked,
}

impl ScriptHost {
    pub(crate) fn new(ran: Ran, rules: Arc<Ruleset>) -> Result<Self, LuaFault> {
        let Ran { sandbox, context, functions, .. } = ran;
        context.set_rules(rules);
        let list = sandbox.trusted("local a, b, c, d = ... return { a, b, c, d }")?;
        let spent = Spent { each: vec![0; functions.len()], ..Spent::default() };
        Ok(Self { sandbox, context, functions, list, trace: None, spent })
    }

    /// From now on remembers what hooks answer.
    pub(crate) fn keep_trace(&mut self) {
        self.trace = Some(Vec::new());
    }

    /// What hooks answered since the last time.
    pub(crate) fn take_trace(&mut self) -> Vec<Traced> {
        self.trace.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// How often each line of the scripts has run that holds something to run, by file and 1-based line, the loading of
    /// the files included. Empty unless made by [`Loaded::scripts_with_lines`](crate::Loaded::scripts_with_lines).
    pub fn lines(&self) -> BTreeMap<(String, u32), u32> {
        self.sandbox.lines()
    }

    /// Ticks of the last call, for measurements; see [`Limits`](super::limits::Limits).
    pub fn ticks_used(&self) -> u64 {
        self.sandbox.ticks_used()
    }

    fn moment(written: &Written, call: &Call<'_>) -> Moment {
        use Role::{Offer, React, Replace, Resolve, Step};
        Moment {
            scope: call.scope,
            event: call.event,
            intent: call.intent,
            expansion: written.expansion,
            allowed: call.allowed_verbs(),
            acts: matches!(written.role, React | Replace | Offer | Resolve | Step),
            replaces: written.role == Replace,
            offers: written.role == Role::Options,
            counts: written.role == Role::AwardItems,
            worth: call.own_worth(),
        }
    }

    /// Runs a function with the state in its place and gives its answer.
    fn run(&self, written: &Written, call: &mut Call<'_>) -> Result<Reply, HookError> {
        let moment = Self::moment(written, call);
        let (answer, data) = (call.answer, call.data);
        let guard = self.context.enter(call, moment);
        let expansion = &self.context.readers[written.expansion].id;
        let misused = |misuse: &Misuse, place| {
            let message = format!("{expansion}: {}: {}", written.hook, misuse.in_full());
            HookFault { message, place, traceback: Vec::new() }.into()
        };
        let function = match &written.body {
            Body::Script(function) => function,
            Body::Library(hook) => {
                let asking = Asking { role: written.role, answer, data };
                let turn = self.sandbox.open_call();
                let outcome = hook.run(&self.context, self.sandbox.lua(), asking);
                drop((turn, guard));
                return outcome.map_err(|misuse| misused(&misuse, Some(hook.place.clone())));
            }
        };
        let label = CallLabel { expansion, hook: &written.hook };
        let outcome = self.sandbox.guarded_call(function, label, || {
            let (count, values) = self.arguments(written, &moment, answer, data)?;
            let [first, second, third] = values;
            match count {
                0 => function.call::<Value>(()),
                1 => function.call(first),
                2 => function.call((first, second)),
                _ => function.call((first, second, third)),
            }
        });
        drop(guard);
        let value = outcome.map_err(|fault| hook_error(&fault, expansion, &written.hook))?;
        reply(written.role, &value).map_err(|misuse| misused(&misuse, written.place()))
    }

    /// What a function is called with: how many values, and these.
    fn arguments(
        &self,
        written: &Written,
        moment: &Moment,
        answer: trencavel_rules::Target,
        data: [i32; 4],
    ) -> mlua::Result<(usize, [Value; 3])> {
        let (lua, context, scope) = (self.sandbox.lua(), &self.context, &moment.scope);
        let view = |kind| context.view(kind, 0);
        let one = |value| (1, [value, Value::Nil, Value::Nil]);
        let two = |first, second| (2, [first, second, Value::Nil]);
        // A table is made only for those who look at it.
        let numbers =
            || if written.takes_data { self.list.call(<(i32, i32, i32, i32)>::from(data)) } else { Ok(Value::Nil) };
        Ok(match written.role {
            Role::React => one(view(Kind::Event)),
            Role::Test | Role::Say | Role::Replace => one(view(Kind::Case)),
            Role::Step => one(view(Kind::Moment)),
            Role::AwardItems => {
                // An award of each player has no figure.
                let of_player = scope.figure == FigureId::default();
                let figure = if of_player { player_number(scope.me) } else { context.handle(scope.figure) };
                two(figure, view(Kind::Entry))
            }
            Role::Count => {
                let player = player_number(scope.me);
                (3, [context.handle(scope.feature), player, context.handle(scope.figure)])
            }
            Role::Offer => one(target_value(lua, context, answer, &written.words)?),
            Role::Resolve => two(target_value(lua, context, answer, &written.words)?, numbers()?),
            Role::Options => two(view(Kind::Options), numbers()?),
            Role::Idle => (0, [Value::Nil, Value::Nil, Value::Nil]),
        })
    }

    /// Counts what a call has used; all calls of one decision have a limit together.
    fn charge(&mut self, function: ScriptFn, decision: u32) -> Result<(), HookError> {
        let limit = self.sandbox.limits().instructions.saturating_mul(CALLS);
        if self.spent.add(decision, function, self.sandbox.ticks_used()) <= limit {
            return Ok(());
        }
        let greediest = self.spent.greediest().and_then(|function| self.functions.get(function));
        let (most, place) = greediest.map_or((String::new(), None), |written| {
            let expansion = &self.context.readers[written.expansion].id;
            (format!(", most of them `{}` of `{expansion}`", written.hook), written.place())
        });
        let message = format!("the hooks of this decision ran for more than {limit} ticks together{most}");
        Err(HookFault { message, place, traceback: Vec::new() }.into())
    }

    /// Hands over what a hook asked for.
    fn deliver(&self, call: &mut Call<'_>) -> Result<(), HookError> {
        let mut asked = self.context.asked.borrow_mut();
        for intent in asked.intents.drain(..) {
            call.emit(intent)?;
        }
        for question in asked.questions.drain(..) {
            call.ask(question);
        }
        for counted in asked.counted.drain(..) {
            call.add(&counted.label, counted.count, counted.unit);
        }
        if let Some(feature) = asked.worth.take() {
            call.add_worth(feature)?;
        }
        for option in asked.options.drain(..) {
            call.option(option);
        }
        if asked.cancelled {
            call.cancel();
        }
        Ok(())
    }
}

impl Scripts for ScriptHost {
    fn call(&mut self, function: ScriptFn, call: &mut Call<'_>) -> Result<Reply, HookError> {
        let Some(written) = self.functions.get(function.0 as usize) else {
            return Err(HookError::new("the rules name a function that their scripts do not have"));
        };
        if !self.context.is_for(call.rules()) {
            return Err(HookError::new("the scripts belong to another ruleset than the game"));
        }
        let decision = call.state().decisions();
        let outcome = self.run(written, call);
        self.charge(function, decision)?;
        let reply = outcome?;
        if let Some(trace) = &mut self.trace {
            let asked = self.context.asked.borrow().clone();
            trace.push(Traced { hook: call.hook(), reply: reply.clone(), asked });
        }
        self.deliver(call)?;
        Ok(reply)
    }
}

impl std::fmt::Debug for ScriptHost {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ScriptHost").field("functions", &self.functions.len()).finish_non_exhaustive()
    }
}

/// The answer of a function, of the kind its role wants.
fn reply(role: Role, value: &Value) -> Result<Reply, Misuse> {
    match (role, value) {
        (_, Value::Nil) => Ok(Reply::Nothing),
        (Role::Test, Value::Boolean(answer)) => Ok(Reply::Bool(*answer)),
        (Role::Test, other) => Err(Misuse::new(format!("`test` must give true or false, not {}", shown(other)))),
        (Role::Say, Value::String(text)) => Ok(Reply::Text(one_line(&text.to_string_lossy()))),
        (Role::Say, other) => Err(Misuse::new(format!("`say` must give a sentence, not {}", shown(other)))),
        (Role::Count, other) => {
            let count = integer(other).ok().and_then(|count| i32::try_from(count).ok()).map(Reply::Int);
            count.ok_or_else(|| Misuse::new(format!("`count` must give a whole number, not {}", shown(other))))
        }
        _ => Ok(Reply::Nothing),
    }
}

/// A sentence as it is shown: on one line, and no longer than anybody reads.
pub(crate) fn one_line(text: &str) -> String {
    text.chars().take(500).map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

fn hook_error(fault: &LuaFault, expansion: &str, hook: &str) -> HookError {
    let mut message = format!("{expansion}: {hook}: {}", fault_message(fault));
    if let LuaFault::Host { source, .. } = fault
        && let Some(help) = source.downcast_ref::<Misuse>().and_then(|misuse| misuse.help.as_ref())
    {
        message = format!("{message}; {help}");
    }
    let place = fault.file().map(Arc::from).zip(fault.line());
    HookFault { message, place, traceback: script_frames(fault) }.into()
}
