//! Campaigns: the same rows whatever the threads, shards and interruptions.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A folder of its own for a test, with a game file in it.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("trencavel-simulate-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder for the test");
        let game =
            "seed = 7\nplayers = [ { name = \"Ann\", bot = \"random\" }, { name = \"Bob\", bot = \"random\" } ]\n";
        fs::write(folder.join("game.toml"), game).expect("a game file");
        Self(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn text(&self, name: &str) -> String {
        let path = self.path(name);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// Plays a campaign of 130 games into this folder, with text and Parquet.
    fn simulate(&self, out: &str, more: &[&str]) -> (i32, String) {
        let (game, out) = (self.path("game.toml"), self.path(out));
        let mut args: Vec<OsString> = ["simulate"].iter().map(OsString::from).collect();
        args.extend([game.into(), "--out".into(), out.into()]);
        if !more.contains(&"--games") {
            args.extend(["--games".into(), "130".into()]);
        }
        if !more.contains(&"--format") {
            args.extend(["--format".into(), "both".into()]);
        }
        args.extend(more.iter().map(OsString::from));
        run(args)
    }

    fn merge(&self, shards: &[&str], out: &str) -> (i32, String) {
        let mut args: Vec<OsString> = ["merge", "--out"].iter().map(OsString::from).collect();
        args.push(self.path(out).into());
        args.extend(shards.iter().map(|shard| self.path(shard).into()));
        run(args)
    }

    fn same_rows(&self, one: &str, other: &str) {
        for table in ["games.csv", "scores.csv", "games/part-00000.parquet", "scores/part-00000.parquet"] {
            let read =
                |out: &str| fs::read(self.path(out).join(table)).unwrap_or_else(|error| panic!("{table}: {error}"));
            assert!(read(one) == read(other), "{table} differs");
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Nothing of the user's reaches the tests.
fn own(command: &mut Command) -> &mut Command {
    command.env_remove("XDG_DATA_HOME").env_remove("XDG_CONFIG_HOME").env("HOME", "/nowhere")
}

fn run(args: Vec<OsString>) -> (i32, String) {
    let output = own(Command::new(env!("CARGO_BIN_EXE_trencavel")).args(args)).output().expect("the program runs");
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    (output.status.code().expect("it ends by itself"), text)
}

fn done(outcome: (i32, String)) -> String {
    assert_eq!(outcome.0, 0, "{}", outcome.1);
    outcome.1
}

#[test]
fn any_number_of_threads_gives_the_same_rows() {
    let place = Place::new("threads");
    done(place.simulate("one", &["--threads", "1"]));
    done(place.simulate("three", &["--threads", "3"]));
    place.same_rows("one", "three");
    let games = place.text("one/games.csv");
    assert_eq!(games.lines().count(), 131, "a header and a row a game");
    let ledger: i64 = place
        .text("one/scores.csv")
        .lines()
        .skip(1)
        .filter_map(|line| line.split(',').nth(4)?.parse::<i64>().ok())
        .sum();
    let points: i64 = games
        .lines()
        .skip(1)
        .flat_map(|line| line.split(',').skip(8).take(2).map(|cell| cell.parse::<i64>().expect("points")))
        .sum();
    assert_eq!(ledger, points, "score lines sum up to the points");
}

#[test]
fn shards_are_merged_into_what_one_run_gives() {
    let place = Place::new("shards");
    done(place.simulate("whole", &[]));
    for shard in ["1", "2", "3"] {
        done(place.simulate(&format!("shard-{shard}"), &["--shard", &format!("{shard}/3")]));
    }
    let (code, told) = place.merge(&["shard-3", "shard-1"], "merged");
    assert_eq!((code, told.contains("a shard is missing before it")), (2, true), "{told}");
    let (code, told) = place.merge(&["shard-1", "shard-2"], "merged");
    assert_eq!((code, told.contains("the last shard is missing")), (2, true), "{told}");
    let (code, told) = place.merge(&["shard-1", "shard-2", "shard-2", "shard-3"], "merged");
    assert_eq!((code, told.contains("a shard was given twice")), (2, true), "{told}");
    done(place.merge(&["shard-3", "shard-1", "shard-2"], "merged"));
    place.same_rows("whole", "merged");
    // What was merged is a campaign like any other, and complete.
    assert!(done(place.simulate("merged", &[])).contains("130 of 130 games"));
}

#[test]
fn a_torn_tail_is_dropped_and_played_again() {
    let place = Place::new("torn");
    done(place.simulate("whole", &[]));
    done(place.simulate("torn", &[]));
    // As a kill may leave it: some games are only among the score lines, and the last row is cut.
    let games = place.text("torn/games.csv");
    let cut: usize = games.split_inclusive('\n').take(60).map(str::len).sum();
    fs::write(place.path("torn/games.csv"), &games[..cut + 5]).expect("it can be written");
    let scores = place.text("torn/scores.csv");
    fs::write(place.path("torn/scores.csv"), &scores[..scores.len() - 3]).expect("it can be written");
    let told = done(place.simulate("torn", &[]));
    assert!(told.contains("of games that were not complete were dropped"), "{told}");
    place.same_rows("whole", "torn");
}

#[test]
fn parquet_alone_leaves_no_text() {
    let place = Place::new("parquet");
    done(place.simulate("both", &[]));
    done(place.simulate("alone", &["--format", "parquet"]));
    let mut names: Vec<String> = fs::read_dir(place.path("alone"))
        .expect("it is there")
        .map(|entry| entry.expect("it can be read").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert_eq!(names, ["campaign.txt", "games", "scores"]);
    for table in ["games", "scores"] {
        let read = |out: &str| fs::read(place.path(out).join(table).join("part-00000.parquet")).expect("it is there");
        assert!(read("both") == read("alone"), "{table} differs");
    }
    let (code, told) = place.simulate("alone", &["--format", "csv"]);
    assert_eq!((code, told.contains("say `--format parquet`")), (2, true), "{told}");
}

/// The program on a campaign of 3,000 games, begun by this shell command.
fn simulate_in_shell(place: &Place, shell: &str, out: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("{shell}; exec \"$@\""), "sh", env!("CARGO_BIN_EXE_trencavel"), "simulate"]);
    command.arg(place.path("game.toml")).args(["--games", "3000", "--threads", "2", "--out"]).arg(place.path(out));
    own(&mut command).stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

/// Goes on with an interrupted campaign; everything must come out as if nothing had been.
fn goes_on(place: &Place, out: &str) {
    for out in [out, "once"] {
        assert!(simulate_in_shell(place, "true", out).status().expect("it starts").success());
    }
    for table in ["games", "scores"] {
        let read = |out: &str| fs::read(place.path(out).join(table).join("part-00000.parquet")).expect("it is there");
        assert!(read(out) == read("once"), "{table} differs");
    }
}

/// Rows of games that are written and not in a file yet.
fn written(place: &Place, out: &str) -> usize {
    let text = fs::read_to_string(place.path(out).join("tail-games.csv")).unwrap_or_default();
    text.lines().count().saturating_sub(1)
}

#[test]
fn games_that_were_played_outlive_a_kill() {
    let place = Place::new("kill");
    let mut killed = simulate_in_shell(&place, "true", "killed").spawn().expect("it starts");
    while written(&place, "killed") < 100 {
        assert!(killed.try_wait().expect("it runs").is_none(), "it came to its end before it was killed");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    killed.kill().expect("it can be killed");
    killed.wait().expect("it ends");
    assert!(written(&place, "killed") >= 100, "what was written is still there");
    goes_on(&place, "killed");
}

#[test]
fn games_that_were_played_outlive_a_full_disk() {
    let place = Place::new("full");
    // No file may be longer than so many blocks: a write beyond that fails as it does on a full disk.
    let full = simulate_in_shell(&place, "trap '' XFSZ; ulimit -f 1600", "full").output().expect("it starts");
    let told = String::from_utf8_lossy(&full.stderr);
    assert_eq!(full.status.code(), Some(2), "{told}");
    assert!(told.contains("games could not be written") && told.contains("those before them are safe"), "{told}");
    assert!(written(&place, "full") > 100, "games before that are there");
    goes_on(&place, "full");
}

#[test]
fn another_campaign_is_not_mixed_in() {
    let place = Place::new("other");
    done(place.simulate("out", &[]));
    let (code, told) = place.simulate("out", &["--seed", "8"]);
    assert_eq!(code, 2);
    assert!(told.contains("holds another campaign"), "{told}");
}

#[test]
fn a_precision_is_enough() {
    let place = Place::new("precision");
    let told = done(place.simulate("out", &["--until-precision", "40%"]));
    assert!(told.contains("100 of 130 games"), "{told}");
    let again = done(place.simulate("out", &["--until-precision", "40%"]));
    assert!(again.contains("100 of 130 games"), "{again}");
}

#[test]
fn a_bot_that_thinks_by_the_clock_is_told_of() {
    let place = Place::new("clock");
    let game = place.text("game.toml").replacen("random", "mcts:ms=1", 1);
    fs::write(place.path("game.toml"), game).expect("it can be written");
    let told = done(place.simulate("out", &["--games", "1"]));
    assert!(told.contains("a bot thinks by the clock"), "{told}");
}

#[test]
fn the_command_is_kept() {
    let place = Place::new("command");
    done(place.simulate("out", &["--without", "wells"]));
    let head = place.text("out/campaign.txt");
    let game = place.path("game.toml");
    let command = format!(
        "command trencavel simulate {} --seed 7 --without wells --games 130 --format both --out",
        Path::new(&game).display()
    );
    assert!(head.contains(&command) && head.contains("lock "), "{head}");
}
