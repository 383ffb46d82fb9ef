//! The thread on which bots think, so that people are heard meanwhile.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use trencavel_host::ScriptHost;
use trencavel_host::diagnostic::Diagnostic;
use trencavel_play::session::{Thinking, Thought};
use trencavel_rules::Ruleset;

/// What came of a question.
pub(super) enum Outcome {
    /// The bot has decided.
    Decided(Thought),
    /// Its scripts cannot be run.
    Failed(Box<Diagnostic>),
    /// It still thinks.
    NotYet,
}

/// Asks one bot after the other.
pub(super) struct Thinker {
    questions: Sender<Thinking>,
    answers: Receiver<Result<Thought, Box<Diagnostic>>>,
    busy: bool,
}

impl Thinker {
    /// The thread ends with what it is doing when this is dropped.
    pub(super) fn new() -> Self {
        let (questions, asked) = mpsc::channel();
        let (answer, answers) = mpsc::channel();
        thread::spawn(move || think(&asked, &answer));
        Self { questions, answers, busy: false }
    }

    /// True while a bot thinks.
    pub(super) fn is_busy(&self) -> bool {
        self.busy
    }

    /// Waits so long for the answer to what was asked last; asks if nothing is asked.
    pub(super) fn outcome(&mut self, patience: Duration, question: impl FnOnce() -> Option<Thinking>) -> Outcome {
        if !self.busy {
            let Some(thinking) = question() else { return Outcome::NotYet };
            // If the thread is gone, the answer below does not come.
            let _ = self.questions.send(thinking);
            self.busy = true;
        }
        let outcome = match self.answers.recv_timeout(patience) {
            Err(RecvTimeoutError::Timeout) => return Outcome::NotYet,
            Err(RecvTimeoutError::Disconnected) => Outcome::Failed(Box::new(broken())),
            Ok(Ok(thought)) => Outcome::Decided(thought),
            Ok(Err(problem)) => Outcome::Failed(problem),
        };
        self.busy = false;
        outcome
    }
}

fn broken() -> Diagnostic {
    Diagnostic::new("L007", "the thread on which bots think has ended; this should not happen, start the program again")
}

fn think(asked: &Receiver<Thinking>, answer: &Sender<Result<Thought, Box<Diagnostic>>>) {
    let mut known: Option<(Arc<Ruleset>, ScriptHost)> = None;
    for thinking in asked {
        let rules = Arc::clone(&thinking.loaded().rules);
        // Other rules need other scripts.
        let scripts = match known.take().filter(|(of, _)| Arc::ptr_eq(of, &rules)) {
            Some((_, scripts)) => Ok(scripts),
            None => thinking.scripts(),
        };
        let thought = scripts.map(|mut scripts| {
            let thought = thinking.choose(&mut scripts);
            known = Some((rules, scripts));
            thought
        });
        if answer.send(thought).is_err() {
            return;
        }
    }
}
