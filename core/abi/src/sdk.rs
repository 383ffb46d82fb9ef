//! What native expansions in Rust use: safe wrappers of the table of functions, and the guard that stops panics.

use std::any::Any;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, Location, catch_unwind};

use crate::*;

/// The call failed. The host knows why, so there is nothing to carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failed;

/// What a function of a declaration sees of the game, and its way to answer.
#[derive(Debug)]
pub struct Hook<'a> {
    host: &'a TrvHost,
    call: TrvCall,
    /// A call stays on the thread it was made on.
    lent: PhantomData<*const ()>,
}

/// What [`TrvPlugin::declare`] may do.
#[derive(Debug)]
pub struct Declaring<'a>(Hook<'a>);

/// A value of a field that is emitted.
#[derive(Clone, Copy, Debug)]
pub enum Field<'a> {
    /// A figure, tile, feature, segment, player or number.
    Thing(TrvThing),
    /// A word.
    Word(&'a str),
}

fn done(status: TrvStatus) -> Result<(), Failed> {
    if status == TRV_OK { Ok(()) } else { Err(Failed) }
}

impl<'a> Hook<'a> {
    /// The thing of a kind that the call is about; its kind is [`TRV_NOTHING`] if there is none.
    ///
    /// # Errors
    /// If there is no such kind.
    pub fn thing(&self, kind: TrvKind) -> Result<TrvThing, Failed> {
        self.thing_of(TrvThing::NOTHING, kind)
    }

    /// The thing of a kind that another belongs to.
    ///
    /// # Errors
    /// If the other is not in the game, or things of its kind have none.
    pub fn thing_of(&self, of: TrvThing, kind: TrvKind) -> Result<TrvThing, Failed> {
        let mut out = TrvThing::NOTHING;
        // SAFETY: the table is the host's; `out` is a place of the right type.
        done(unsafe { (self.host.thing)(self.call, of, kind, &raw mut out) })?;
        Ok(out)
    }

    /// The feature the call is about.
    ///
    /// # Errors
    /// None that the host is known to have.
    pub fn feature(&self) -> Result<TrvThing, Failed> {
        self.thing(TRV_FEATURE)
    }

    /// A number of a thing.
    ///
    /// # Errors
    /// If the thing is not in the game or has no such number.
    pub fn number(&self, of: TrvThing, aspect: TrvAspect) -> Result<i64, Failed> {
        let mut out = 0;
        // SAFETY: the table is the host's; `out` is a place of the right type.
        done(unsafe { (self.host.number)(self.call, of, aspect, &raw mut out) })?;
        Ok(out)
    }

    /// A word of a thing.
    ///
    /// # Errors
    /// If the thing is not in the game or has no such word.
    pub fn word(&self, of: TrvThing, aspect: TrvAspect) -> Result<String, Failed> {
        let mut out = TrvText::EMPTY;
        // SAFETY: the table is the host's; `out` is a place of the right type.
        done(unsafe { (self.host.word)(self.call, of, aspect, &raw mut out) })?;
        // SAFETY: what the host lends is valid until the call is over, and is copied here.
        unsafe { out.read() }.map(str::to_owned).ok_or(Failed)
    }

    /// How often a mark is on a feature.
    ///
    /// # Errors
    /// If the feature is not in the game or the mark unknown.
    pub fn marks(&self, feature: TrvThing, mark: &str) -> Result<i64, Failed> {
        let mut out = 0;
        // SAFETY: the table is the host's; the text is lent for the call, `out` is a place of the right type.
        done(unsafe { (self.host.marks)(self.call, feature, TrvText::lend(mark), &raw mut out) })?;
        Ok(out)
    }

    /// How many tokens of a kind a player, a tile or nobody has.
    ///
    /// # Errors
    /// If the place cannot have tokens or the kind is unknown.
    pub fn tokens(&self, place: TrvThing, token: &str) -> Result<i64, Failed> {
        let mut out = 0;
        // SAFETY: the table is the host's; the text is lent for the call, `out` is a place of the right type.
        done(unsafe { (self.host.tokens)(self.call, place, TrvText::lend(token), &raw mut out) })?;
        Ok(out)
    }

    /// The figures of a feature, or with [`TrvThing::NOTHING`] of the board, in canonical order.
    ///
    /// # Errors
    /// If the feature is not in the game.
    pub fn figures(&self, feature: TrvThing) -> Result<Vec<TrvThing>, Failed> {
        let mut found = vec![TrvThing::NOTHING; 16];
        loop {
            let mut count = 0;
            // SAFETY: the table is the host's; `found` has room for as many as is said.
            let status =
                unsafe { (self.host.figures)(self.call, feature, found.as_mut_ptr(), found.len(), &raw mut count) };
            done(status)?;
            let all = count <= found.len();
            found.resize(count, TrvThing::NOTHING);
            if all {
                return Ok(found);
            }
        }
    }

    /// The answer of `count`.
    ///
    /// # Errors
    /// If the function is no `count`.
    pub fn answer(&self, number: i64) -> Result<(), Failed> {
        // SAFETY: the table is the host's.
        done(unsafe { (self.host.answer)(self.call, number) })
    }

    /// The answer of `test`.
    ///
    /// # Errors
    /// If the function is no `test`.
    pub fn answer_if(&self, holds: bool) -> Result<(), Failed> {
        self.answer(holds.into())
    }

    /// The answer of `say`.
    ///
    /// # Errors
    /// If the function is no `say`.
    pub fn answer_text(&self, sentence: &str) -> Result<(), Failed> {
        // SAFETY: the table is the host's; the text is lent for the call.
        done(unsafe { (self.host.answer_text)(self.call, TrvText::lend(sentence)) })
    }

    /// Counts something in an award.
    ///
    /// # Errors
    /// If the function is no `items` of an award.
    pub fn add(&self, label: &str, count: i64, unit: i64) -> Result<(), Failed> {
        // SAFETY: the table is the host's; the text is lent for the call.
        done(unsafe { (self.host.add)(self.call, TrvText::lend(label), count, unit) })
    }

    /// Offers an option.
    ///
    /// # Errors
    /// If the function is no `options`, or the thing cannot be chosen.
    pub fn offer(&self, option: TrvThing) -> Result<(), Failed> {
        // SAFETY: the table is the host's.
        done(unsafe { (self.host.offer)(self.call, option) })
    }

    /// What is about to happen does not happen.
    ///
    /// # Errors
    /// If the function is no `run` of a `replace`.
    pub fn cancel(&self) -> Result<(), Failed> {
        // SAFETY: the table is the host's.
        done(unsafe { (self.host.cancel)(self.call) })
    }

    /// Asks for something to happen, with the fields that `scripts/HOOKS.md` names.
    ///
    /// # Errors
    /// If the function may not emit it, or a field is unknown, missing or of the wrong kind.
    pub fn emit(&self, verb: &str, fields: &[(&str, Field<'_>)]) -> Result<(), Failed> {
        let field = |(name, value): &(&str, Field<'_>)| match value {
            Field::Thing(thing) => TrvField { name: TrvText::lend(name), value: *thing, word: TrvText::EMPTY },
            Field::Word(word) => {
                TrvField { name: TrvText::lend(name), value: TrvThing::new(TRV_WORD, 0), word: TrvText::lend(word) }
            }
        };
        let fields: Vec<TrvField> = fields.iter().map(field).collect();
        // SAFETY: the table is the host's; texts and fields are lent for the call, and there are as many as is said.
        done(unsafe { (self.host.emit)(self.call, TrvText::lend(verb), fields.as_ptr(), fields.len()) })
    }

    /// Asks a player something; `resolve` takes the answer and gets `data` back.
    ///
    /// # Errors
    /// If the function may not ask, or there is no such `resolve` or player.
    pub fn ask(&self, resolve: &str, player: TrvThing, data: [i32; 4]) -> Result<(), Failed> {
        // SAFETY: the table is the host's; the text and the four numbers are lent for the call.
        done(unsafe { (self.host.ask)(self.call, TrvText::lend(resolve), player, data.as_ptr()) })
    }

    /// Makes the call fail for this reason: `return hook.fail("…")`.
    ///
    /// # Errors
    /// Always.
    pub fn fail<T>(&self, reason: &str) -> Result<T, Failed> {
        // SAFETY: the table is the host's; the text is lent for the call. It fails either way.
        unsafe { (self.host.fail)(self.call, TrvText::lend(reason)) };
        Err(Failed)
    }
}

impl Declaring<'_> {
    /// Declares something: fields as TOML, and the fields that are functions (see [`hook!`](crate::hook)).
    ///
    /// # Errors
    /// If the host refuses it.
    #[track_caller]
    pub fn declare(&self, kind: &str, id: &str, fields: &str, functions: &[(&str, TrvHook)]) -> Result<(), Failed> {
        let place = Location::caller();
        let functions: Vec<TrvFunction> =
            functions.iter().map(|(field, run)| TrvFunction { field: TrvText::lend(field), run: Some(*run) }).collect();
        let declaration = TrvDeclaration {
            size: size_of::<TrvDeclaration>() as u32,
            line: place.line(),
            file: TrvText::lend(place.file()),
            kind: TrvText::lend(kind),
            id: TrvText::lend(id),
            fields: TrvText::lend(fields),
            functions: functions.as_ptr(),
            function_count: functions.len(),
        };
        // SAFETY: the table is the host's; the declaration and all it points to are lent for the call.
        done(unsafe { (self.0.host.declare)(self.0.call, &raw const declaration) })
    }

    /// The value of an option of the manifest, as text.
    ///
    /// # Errors
    /// If the manifest has no such option.
    pub fn option(&self, name: &str) -> Result<String, Failed> {
        let mut out = TrvText::EMPTY;
        // SAFETY: the table is the host's; the text is lent for the call, `out` is a place of the right type.
        done(unsafe { (self.0.host.option)(self.0.call, TrvText::lend(name), &raw mut out) })?;
        // SAFETY: what the host lends is valid until the call is over, and is copied here.
        unsafe { out.read() }.map(str::to_owned).ok_or(Failed)
    }

    /// Whether another expansion is in the game.
    ///
    /// # Errors
    /// If the manifest does not name it.
    pub fn active(&self, expansion: &str) -> Result<bool, Failed> {
        let mut out = 0;
        // SAFETY: the table is the host's; the text is lent for the call, `out` is a place of the right type.
        done(unsafe { (self.0.host.active)(self.0.call, TrvText::lend(expansion), &raw mut out) })?;
        Ok(out != 0)
    }
}

/// Runs a function of a declaration; a panic ends here, as an error of the call.
///
/// # Safety
/// `host` must be null or the table of the host that makes the call.
pub unsafe fn guard_hook(host: *const TrvHost, call: TrvCall, run: fn(&Hook<'_>) -> Result<(), Failed>) -> TrvStatus {
    // SAFETY: the caller promises that it is null or valid, and the table is never freed.
    let Some(host) = (unsafe { host.as_ref() }) else { return TRV_ERROR };
    let hook = Hook { host, call, lent: PhantomData };
    match catch_unwind(AssertUnwindSafe(|| run(&hook))) {
        Ok(Ok(())) => TRV_OK,
        Ok(Err(Failed)) => TRV_ERROR,
        Err(panic) => report(&hook, panic),
    }
}

/// Tells the host of a panic.
fn report(hook: &Hook<'_>, panic: Box<dyn Any + Send>) -> TrvStatus {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    let reason = format!("the library panicked: {}", text.unwrap_or("without a message"));
    // The status says it failed, whatever becomes of the reason.
    let _ = hook.fail::<()>(&reason);
    // Dropping what was thrown may panic again.
    std::mem::forget(panic);
    TRV_PANICKED
}

/// Runs the declarations of a library under the same guard.
///
/// # Safety
/// As [`guard_hook`].
pub unsafe fn guard_declare(
    host: *const TrvHost,
    call: TrvCall,
    run: fn(&Declaring<'_>) -> Result<(), Failed>,
) -> TrvStatus {
    // SAFETY: the caller promises that it is null or valid, and the table is never freed.
    let Some(host) = (unsafe { host.as_ref() }) else { return TRV_ERROR };
    let declaring = Declaring(Hook { host, call, lent: PhantomData });
    match catch_unwind(AssertUnwindSafe(|| run(&declaring))) {
        Ok(Ok(())) => TRV_OK,
        Ok(Err(Failed)) => TRV_ERROR,
        Err(panic) => report(&declaring.0, panic),
    }
}

/// A function `fn(&Hook<'_>) -> Result<(), Failed>` as a declaration takes it: guarded against panics.
#[macro_export]
macro_rules! hook {
    ($function:path) => {{
        unsafe extern "C" fn guarded(host: *const $crate::TrvHost, call: $crate::TrvCall) -> $crate::TrvStatus {
            // SAFETY: only the host calls this, with its own table.
            unsafe { $crate::sdk::guard_hook(host, call, $function) }
        }
        guarded as $crate::TrvHook
    }};
}

/// Exports the one symbol of a library: `plugin!(declare)` with a `fn declare(&Declaring<'_>) -> Result<(), Failed>`.
#[macro_export]
macro_rules! plugin {
    ($declare:path) => {
        /// What the host reads first.
        // SAFETY: the name is this ABI's own, and a library has it once.
        #[unsafe(no_mangle)]
        #[allow(non_upper_case_globals, reason = "the symbol has the name of the ABI")]
        pub static trencavel_plugin: $crate::TrvPlugin = {
            unsafe extern "C" fn guarded(host: *const $crate::TrvHost, call: $crate::TrvCall) -> $crate::TrvStatus {
                // SAFETY: only the host calls this, with its own table.
                unsafe { $crate::sdk::guard_declare(host, call, $declare) }
            }
            $crate::TrvPlugin {
                magic: $crate::TRV_MAGIC,
                size: size_of::<$crate::TrvPlugin>() as u32,
                abi_major: $crate::TRV_ABI_MAJOR,
                abi_minor: $crate::TRV_ABI_MINOR,
                declare: Some(guarded),
            }
        };
    };
}
