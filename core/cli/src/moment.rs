//! A moment of a game: of a save, or of a game file that its bots play to there.

use std::path::Path;

use trencavel_host::{Loaded, ScriptHost};
use trencavel_play::telling::Names;
use trencavel_rules::save::HEADER;
use trencavel_rules::{ActionError, Game};

use crate::failure::Failure;
use crate::play_game::failed;
use crate::replay;
use crate::save_file::Saved;
use crate::setup::{Table, TableArgs, game_file};

/// A game that waits at a decision, or is over.
pub(crate) struct Moment {
    pub(crate) loaded: Loaded,
    pub(crate) game: Game,
    pub(crate) scripts: ScriptHost,
    pub(crate) names: Names,
}

impl Moment {
    /// The game of a save or game file after `at` answers; of all answers without a number.
    pub(crate) fn of(file: &Path, at: Option<usize>, table: &TableArgs) -> Result<Self, Failure> {
        let text = game_file(file)?;
        if text.text.starts_with(HEADER) {
            return Self::of_save(&Saved::read(file)?, at, table);
        }
        Self::of_table(Table::of_text(&text, table)?, at)
    }

    fn of_save(saved: &Saved, at: Option<usize>, table: &TableArgs) -> Result<Self, Failure> {
        let loaded = saved.load(&table.search)?;
        let mut scripts = loaded.scripts().map_err(Failure::problem)?;
        let game = replay::play(at, saved, &loaded, &saved.lock.differences(&loaded.lock), &mut scripts)?;
        Ok(Self { loaded, game, scripts, names: Names(saved.replay.players.clone()) })
    }

    fn of_table(mut table: Table, at: Option<usize>) -> Result<Self, Failure> {
        let mut scripts = table.loaded.scripts().map_err(Failure::problem)?;
        let mut game = table.begin(&mut scripts)?;
        let failing = |error: &ActionError, table: &Table| failed(error, &table.loaded);
        let mut given = 0;
        while !game.state().is_over() && at.is_none_or(|at| given < at) {
            let action = table.bots[game.state().decider().index()].choose(&game, &mut scripts);
            game.apply(action, &mut scripts).map_err(|error| failing(&error, &table))?;
            given += 1;
        }
        if let Some(at) = at.filter(|at| *at > given) {
            let message = format!("the game is over after {given} answers, so there is no state after {at}");
            return Err(Failure::usage(message, format!("write `--at` with a number from 0 to {given}")));
        }
        Ok(Self { loaded: table.loaded, game, scripts, names: Names(table.setup.players) })
    }
}
