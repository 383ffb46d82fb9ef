//! The call of a library that runs now: what its number means, what it may do, and what comes of it.

#![expect(unsafe_code, reason = "a function of a library is foreign code")]

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};

use mlua::Lua;
use trencavel_abi::{TRV_ERROR, TRV_OK, TRV_PANICKED, TrvCall, TrvHook, TrvStatus, TrvText};
use trencavel_rules::Target;
use trencavel_rules::hooks::Reply;

use super::NativeHook;
use super::declaring::Stand;
use super::table::HOST;
use crate::lua::{Context, Misuse, Role};

/// What a function is asked.
#[derive(Clone, Copy)]
pub(crate) struct Asking {
    /// What it is for.
    pub role: Role,
    /// What a player chose.
    pub answer: Target,
    /// What the asker wanted back.
    pub data: [i32; 4],
}

/// A function of a declaration that runs.
pub(super) struct Asked {
    pub context: Rc<Context>,
    pub lua: Lua,
    pub asking: Asking,
    pub reply: Reply,
}

/// What a call is for.
pub(super) enum Stage {
    Declaring(Stand),
    Hook(Asked),
}

/// The call that runs.
pub(super) struct Running {
    number: TrvCall,
    stage: Stage,
    failed: Option<Misuse>,
    /// Texts that are lent until the call is over.
    lent: Vec<Box<str>>,
}

thread_local! {
    static RUNNING: RefCell<Option<Running>> = const { RefCell::new(None) };
}

/// Numbers of calls, no two the same in any thread, so that one of another call is never taken for this.
static CALLS: AtomicU64 = AtomicU64::new(1);

impl Running {
    /// The library while it declares.
    pub fn stand(&self, function: &str) -> Result<&Stand, Misuse> {
        match &self.stage {
            Stage::Declaring(stand) => Ok(stand),
            Stage::Hook(_) => Err(Misuse::new(format!("`{function}` is for `declare`, not for hooks"))),
        }
    }

    /// The hook that runs.
    pub fn hook(&mut self, function: &str) -> Result<&mut Asked, Misuse> {
        match &mut self.stage {
            Stage::Hook(asked) => Ok(asked),
            Stage::Declaring(_) => Err(Misuse::new(format!("`{function}` is for hooks: there is no game yet"))),
        }
    }

    /// Lends a text until the call is over.
    pub fn lend(&mut self, text: &str) -> TrvText {
        let text: Box<str> = text.into();
        let lent = TrvText::lend(&text);
        // The letters stay where they are when their owner moves.
        self.lent.push(text);
        lent
    }
}

/// Runs a function of a library as a call of its own. Gives the stage back, as the call left it.
pub(super) fn make(run: TrvHook, stage: Stage) -> (Result<(), Misuse>, Option<Stage>) {
    let number = CALLS.fetch_add(1, Ordering::Relaxed);
    let running = Running { number, stage, failed: None, lent: Vec::new() };
    let before = RUNNING.replace(Some(running));
    // SAFETY: the library is trusted and never unloaded, so the function is there; the table is static.
    let status = unsafe { run(&raw const HOST, number) };
    let Some(after) = RUNNING.replace(before) else {
        return (Err(Misuse::new("the call was lost")), None);
    };
    let outcome = match (after.failed, status) {
        (Some(misuse), _) => Err(misuse),
        (None, TRV_OK) => Ok(()),
        (None, TRV_PANICKED) => Err(Misuse::new("the library panicked")),
        (None, status) => Err(Misuse::new(format!("it failed with status {status} and gave no reason"))),
    };
    (outcome, Some(after.stage))
}

/// Does something for the running call, if `call` is its number. What is refused fails the call, whatever the library
/// makes of it; a panic ends here.
pub(super) fn with(call: TrvCall, run: impl FnOnce(&mut Running) -> Result<(), Misuse>) -> TrvStatus {
    catch_unwind(AssertUnwindSafe(|| serve(call, run))).unwrap_or_else(|panic| {
        // Dropping what was thrown may panic again.
        std::mem::forget(panic);
        serve(call, |_| Err(Misuse::new("the program failed in a function it has for libraries; that is a bug")))
    })
}

fn serve(call: TrvCall, run: impl FnOnce(&mut Running) -> Result<(), Misuse>) -> TrvStatus {
    let served = RUNNING.try_with(|slot| {
        let Ok(mut slot) = slot.try_borrow_mut() else { return TRV_ERROR };
        // If no call runs in this thread, there is nobody to tell.
        let Some(running) = slot.as_mut() else { return TRV_ERROR };
        let outcome = if running.number == call {
            run(running)
        } else {
            Err(Misuse::new("it used a call that is over, or of another thread").help("keep nothing between calls"))
        };
        let Err(misuse) = outcome else { return TRV_OK };
        running.failed.get_or_insert(misuse);
        TRV_ERROR
    });
    served.unwrap_or(TRV_ERROR)
}

impl NativeHook {
    /// Calls the function about the moment that `context` holds.
    pub fn run(&self, context: &Rc<Context>, lua: &Lua, asking: Asking) -> Result<Reply, Misuse> {
        let asked = Asked { context: Rc::clone(context), lua: lua.clone(), asking, reply: Reply::Nothing };
        match make(self.run, Stage::Hook(asked)) {
            (Err(misuse), _) => Err(misuse),
            (Ok(()), Some(Stage::Hook(asked))) => Ok(asked.reply),
            (Ok(()), _) => Ok(Reply::Nothing),
        }
    }
}
