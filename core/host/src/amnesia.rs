//! The amnesia check: scripts must keep nothing between decisions.

use trencavel_rules::{Action, ActionError, Game, Setup};

use crate::diagnostic::Diagnostic;
use crate::load::Loaded;

/// The code of this file with its explanation for `trencavel explain CODE`.
pub const CODES: &[(&str, &str)] = &[(
    "L013",
    "In a short random game a hook failed, or answered otherwise when its script had just been loaded than when it had \
     played a while. Such a script keeps something of its own, in a table that a function holds for example: after an \
     undo, in a loaded save and in the games of a campaign it would be another game. What is to be kept lives in the \
     game: figures, tokens, the log of the turn.",
)];

/// Why scripts may not be trusted to forget.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Forgot {
    /// A hook answered otherwise in a fresh VM.
    #[error(
        "at decision {decision} the hook `{hook}` answers otherwise when its VM is fresh: it keeps state of its own"
    )]
    Differs {
        /// The first hook that differed; empty if only the state did.
        hook: String,
        /// Decisions made before.
        decision: usize,
    },
    /// The game could not be played.
    #[error("at decision {decision}: {problem}")]
    Failed {
        /// Decisions made before.
        decision: usize,
        /// What went wrong.
        problem: String,
    },
}

impl Forgot {
    /// The same as a problem of the hook that differs.
    pub fn diagnostic(&self, loaded: &Loaded) -> Diagnostic {
        let problem = Diagnostic::new("L013", self.to_string());
        let Self::Differs { hook, .. } = self else { return problem };
        let source =
            loaded.rules.hooks().find(|(_, info)| *info.name == **hook).and_then(|(_, info)| info.source.as_ref());
        let mut files = loaded.resolution.expansions.iter().flat_map(|one| one.found.files.values());
        let place =
            source.and_then(|source| Some((files.find(|file| file.path.as_os_str() == &*source.file)?, source.line)));
        let problem = problem.help("keep nothing outside the game: use figures, tokens or the log of the turn");
        place.map_or(problem.clone(), |(file, line)| problem.at_line(file, line))
    }
}

/// Plays a game twice in lockstep, once with one VM and once with a fresh VM for every decision, and compares what
/// every hook answers and the states. `choose` gives the place of the next action among the legal ones; it is asked
/// until it has none, the game is over or `decisions` were made. Gives the number of decisions made.
///
/// # Errors
/// At the first difference, or if a script or the setup fails.
pub fn amnesia(
    loaded: &Loaded,
    setup: &Setup,
    decisions: usize,
    mut choose: impl FnMut(&Game) -> Option<usize>,
) -> Result<usize, Forgot> {
    let failed = |decision: usize, problem: String| Forgot::Failed { decision, problem };
    let fresh = |decision: usize| {
        let mut host = loaded.scripts().map_err(|problem| failed(decision, problem.to_string()))?;
        host.keep_trace();
        Ok(host)
    };
    let (mut kept, mut other) = (fresh(0)?, fresh(0)?);
    let begin = |host: &mut crate::ScriptHost| {
        Game::from_setup(loaded.rules.clone(), setup, host).map_err(|error| failed(0, error.to_string()))
    };
    let (mut game, mut twin) = (begin(&mut kept)?, begin(&mut other)?);
    for decision in 0..=decisions {
        let (one, two) = (kept.take_trace(), other.take_trace());
        let differs = one.iter().zip(&two).find(|(a, b)| a != b).map(|(a, _)| a.hook);
        let hook = differs.or_else(|| one.get(two.len()).or_else(|| two.get(one.len())).map(|traced| traced.hook));
        let same = game.legal_actions() == twin.legal_actions() && game.state().digest() == twin.state().digest();
        if hook.is_some() || !same {
            let hook = hook.map_or(String::new(), |hook| loaded.rules.hook(hook).name.to_string());
            return Err(Forgot::Differs { hook, decision });
        }
        if decision == decisions || game.legal_actions().is_empty() {
            return Ok(decision);
        }
        let Some(place) = choose(&game) else { return Ok(decision) };
        let action: Option<Action> = game.legal_actions().get(place).copied();
        let Some(action) = action else { return Ok(decision) };
        other = fresh(decision)?;
        let failed = |error: ActionError| failed(decision, error.to_string());
        game.apply(action, &mut kept).map_err(failed)?;
        twin.apply(action, &mut other).map_err(failed)?;
    }
    Ok(decisions)
}
