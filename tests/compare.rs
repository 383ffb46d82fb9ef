//! Comparisons: paired games, what they say, and when they say nothing.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// A folder of its own for a test, with a game file in it.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("trencavel-compare-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder for the test");
        let game =
            "seed = 7\nplayers = [ { name = \"Ann\", bot = \"random\" }, { name = \"Bob\", bot = \"random\" } ]\n";
        fs::write(folder.join("game.toml"), game).expect("a game file");
        Self(folder)
    }

    fn compare(&self, more: &[&str]) -> (i32, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_trencavel"));
        // Nothing of the user's reaches the tests.
        command.env_remove("XDG_DATA_HOME").env_remove("XDG_CONFIG_HOME").env("HOME", &self.0);
        let output =
            command.arg("compare").arg(self.0.join("game.toml")).args(more).output().expect("the program runs");
        let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
        (output.status.code().expect("it ends by itself"), text)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_change_is_found_and_told() {
    let place = Place::new("found");
    let (code, told) = place.compare(&["--option", "base.farmers=false", "--games", "200"]);
    assert_eq!(code, 0, "{told}");
    let line =
        told.lines().find(|line| line.starts_with("  points from base:field")).unwrap_or_else(|| panic!("{told}"));
    assert!(line.ends_with(": differs") && line.contains("  -"), "fields pay less without farmers: {line}");
    assert!(told.contains("paired t-test") && told.contains("again: trencavel compare"), "{told}");
}

#[test]
fn the_same_table_twice_is_the_same_in_every_pair() {
    let place = Place::new("same");
    let game = place.0.join("game.toml").display().to_string();
    let (code, told) = place.compare(&[&game, "--games", "40"]);
    assert_eq!(code, 0, "{told}");
    let table: Vec<&str> = told.lines().filter(|line| line.contains("  +0.00 ± 0.00")).collect();
    assert!(table.len() > 8 && table.iter().all(|line| line.ends_with("the same in every pair")), "{told}");
    assert!(told.contains("No measure of the game shows a change"), "{told}");
}

#[test]
fn hooks_and_refusals_are_counted() {
    let place = Place::new("hooks");
    let (code, told) = place.compare(&["--with", "inns-and-cathedrals", "--games", "40"]);
    assert_eq!(code, 0, "{told}");
    let line = |start: &str| told.lines().find(|line| line.trim_start().starts_with(start)).unwrap_or("").to_owned();
    assert!(line("inn:inn (rate)").ends_with(": differs"), "{told}");
    assert!(line("inn:inn (rate)").contains(" 0.00 "), "the first table has none: {told}");
    let (code, told) = place.compare(&["--option", "base.farmers=false", "--games", "40", "--json"]);
    assert_eq!(code, 0, "{told}");
    let occupied = r#"{"sort": "refused", "measure": "base:occupied", "unit": "times", "first": "#;
    let at = told.find(occupied).unwrap_or_else(|| panic!("{told}")) + occupied.len();
    let times: f64 = told[at..].split(',').next().and_then(|number| number.parse().ok()).expect("a number");
    assert!(times > 1.0, "another's follower is in the way now and then: {times}");
    assert!(told.contains("\"silent\": ["), "{told}");
}

#[test]
fn a_small_sample_says_nothing() {
    let place = Place::new("small");
    let (code, told) = place.compare(&["--option", "base.farmers=false", "--games", "5"]);
    assert_eq!(code, 0, "{told}");
    assert!(told.contains("too small a sample to say anything"), "{told}");
    assert!(!told.contains(": differs"), "{told}");
}

#[test]
fn threads_change_nothing() {
    let place = Place::new("threads");
    let compare =
        |threads| place.compare(&["--option", "base.farmers=false", "--games", "60", "--json", "--threads", threads]);
    let (one, three) = (compare("1"), compare("3"));
    assert_eq!(one.0, 0, "{}", one.1);
    assert_eq!(one, three);
    assert!(one.1.contains("\"pairs\": 60") && one.1.contains("\"method\": \"paired t, 95 %\""), "{}", one.1);
}

#[test]
fn the_page_needs_nothing_else() {
    let place = Place::new("page");
    let file = place.0.join("report.html");
    let path = file.display().to_string();
    let (code, told) = place.compare(&["--option", "base.farmers=false", "--games", "60", "--html", &path]);
    assert_eq!(code, 0, "{told}");
    let page = fs::read_to_string(&file).expect("the page was written");
    assert_eq!(page.matches("<svg").count(), 5, "a chart for each group");
    assert!(page.contains("points from base:field"), "{page}");
    assert!(!page.contains("src=") && !page.contains("href="), "nothing is loaded from elsewhere");
}

#[test]
fn wrong_use_is_told() {
    let place = Place::new("wrong");
    let (code, told) = place.compare(&["--games", "5"]);
    assert_eq!(code, 2);
    assert!(told.contains("there is nothing to compare it with"), "{told}");
}
