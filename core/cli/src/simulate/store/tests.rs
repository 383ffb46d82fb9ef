//! What is written is read, and nothing that was played is lost, wherever it stops.

use super::*;
use crate::simulate::head::Format;
use crate::simulate::parts::file;
use trencavel_play::rows::ScoreRow;

/// Two full spans and a bit.
const GAMES: u64 = 2 * SPAN + 500;

/// A folder of its own for a test.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("trencavel-store-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        Self(folder)
    }

    /// Writes games up to this one, as a run that comes to a clean end.
    fn write(&self, head: &Head, end: u64) {
        let mut store = self.open(head);
        let games: Vec<Rows> = (store.next()..end).map(game).collect();
        games.chunks(777).for_each(|some| store.append(some).expect("it can be written"));
        store.finish().expect("it comes to an end");
    }

    /// Writes games up to this one, as a run that is killed.
    fn write_and_die(&self, head: &Head, end: u64) {
        let mut store = self.open(head);
        let games: Vec<Rows> = (store.next()..end).map(game).collect();
        games.chunks(777).for_each(|some| store.append(some).expect("it can be written"));
    }

    fn open(&self, head: &Head) -> Store {
        Store::open(&self.0, head, &mut |_| {}).unwrap_or_else(|_| panic!("{} opens", self.0.display()))
    }

    /// How many games are there when it is opened, and what is said.
    fn found(&self, head: &Head) -> (u64, Option<String>) {
        let mut known = 0;
        let store = Store::open(&self.0, head, &mut |_| known += 1).unwrap_or_else(|_| panic!("it opens"));
        assert_eq!(known, store.len());
        (known, store.dropped.clone())
    }

    /// Every file with its content.
    fn files(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let mut found = Vec::new();
        let mut folders = vec![self.0.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).expect("it is there").flatten() {
                match entry.path() {
                    path if path.is_dir() => folders.push(path),
                    path => {
                        let name = path.strip_prefix(&self.0).expect("it is below").to_owned();
                        found.push((name, fs::read(&path).expect("it can be read")));
                    }
                }
            }
        }
        found.sort();
        found
    }

    fn rows(&self, head: &Head) -> Vec<Rows> {
        let mut rows = Vec::new();
        let read = each(&self.0, head, &mut |row| {
            rows.push(row);
            Ok(())
        });
        assert!(read.is_ok());
        rows
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn head(format: Format) -> Head {
    Head {
        games: GAMES,
        seed: 1,
        shard: (1, 1),
        format,
        players: vec!["random Ann".to_owned(), "random Bob".to_owned()],
        lock: Vec::new(),
        command: String::new(),
    }
}

/// A game with none to two score lines.
fn game(number: u64) -> Rows {
    let lines = (number % 3) as u32;
    let score = |line: u32| ScoreRow {
        game: number,
        line,
        turn: 1 + line,
        player: (number % 2) as u8,
        points: 3,
        source: format!("base:{}", ["road", "city"][line as usize]),
        cause: "completed".to_owned(),
    };
    let points = vec![3 * lines as i32, 1];
    let won = if lines > 0 { vec![1.0, 0.0] } else { vec![0.0, 1.0] };
    let row = GameRow { game: number, seed: u64::MAX - number, score_lines: lines, points, won, ..GameRow::default() };
    Rows { game: row, scores: (0..lines).map(score).collect(), hooks: Vec::new() }
}

/// What a single run writes.
fn whole(name: &str, format: Format) -> Place {
    let place = Place::new(name);
    place.write(&head(format), GAMES);
    place
}

#[test]
fn what_is_written_is_read() {
    for format in [Format::Parquet, Format::Csv, Format::Both] {
        let place = whole(&format!("read-{}", format.word()), format);
        assert_eq!(place.rows(&head(format)), (0..GAMES).map(game).collect::<Vec<_>>());
        let parts = place.files().iter().filter(|(name, _)| name.starts_with("scores")).count();
        assert_eq!(parts, if format.has_parquet() { 3 } else { 0 });
    }
}

#[test]
fn interruptions_leave_no_trace() {
    for format in [Format::Parquet, Format::Csv, Format::Both] {
        let (once, place) = (whole(&format!("once-{}", format.word()), format), Place::new(format.word()));
        let head = head(format);
        for end in [0, 100, SPAN - 20, SPAN + 100, 2 * SPAN - 60, 2 * SPAN] {
            place.write(&head, end);
            assert_eq!(place.found(&head), (end, None), "stopped at {end}");
            place.write_and_die(&head, end + 50);
            assert_eq!(place.found(&head), (end + 50, None), "killed at {}", end + 50);
        }
        place.write(&head, GAMES);
        assert!(once.files() == place.files(), "{} differs", format.word());
    }
}

/// A file of a folder is changed as a kill or a crash may leave it; then everything comes out as if nothing had been.
fn check_recovers(name: &str, format: Format, spoil: impl Fn(&Path), keeps: u64, told: &str) {
    let (once, place) = (whole(&format!("{name}-once"), format), Place::new(name));
    let head = head(format);
    place.write_and_die(&head, SPAN + 400);
    spoil(&place.0);
    let (found, dropped) = place.found(&head);
    assert_eq!(found, keeps);
    assert!(dropped.as_deref().unwrap_or("").contains(told), "{dropped:?}");
    place.write(&head, GAMES);
    assert!(once.files() == place.files(), "{name}: the files differ");
}

fn cut(file: &Path, bytes: usize) {
    let text = fs::read(file).expect("it is there");
    fs::write(file, &text[..text.len() - bytes]).expect("it can be written");
}

#[test]
fn a_torn_tail_is_dropped_with_a_message() {
    let told = "bytes of games that were not complete were dropped";
    let last = |file: &'static str| move |folder: &Path| cut(&folder.join(file), 3);
    check_recovers("torn-games", Format::Parquet, last("tail-games.csv"), SPAN + 399, told);
    check_recovers("torn-both", Format::Both, last("games.csv"), SPAN + 399, told);
    // The last game that pays is not the last one.
    let pays = (0..SPAN + 400).rev().find(|number| number % 3 > 0).unwrap_or(0);
    check_recovers("torn-scores", Format::Parquet, last("tail-scores.csv"), pays, told);
    let lost = |folder: &Path| fs::remove_file(folder.join("tail-scores.csv")).expect("it is there");
    let first = (SPAN..).find(|number| number % 3 > 0).unwrap_or(0);
    check_recovers("lost-scores", Format::Parquet, lost, first, told);
}

#[test]
fn a_torn_file_is_dropped_with_a_message() {
    let begun = |folder: &Path| fs::write(folder.join("games/part-00001.new"), "PAR1").expect("it can be written");
    check_recovers("begun", Format::Parquet, begun, SPAN + 400, "a file that was not complete was dropped");
    let torn = |folder: &Path| fs::write(file(folder, "games", 1), "PAR1").expect("it can be written");
    check_recovers("torn", Format::Both, torn, SPAN + 400, "so it was dropped");
}

#[test]
fn rows_that_are_in_a_file_already_are_not_doubled() {
    let place = Place::new("doubled");
    let head = head(Format::Parquet);
    place.write_and_die(&head, SPAN - 1);
    let tail = TAIL.map(|name| fs::read(place.0.join(name)).expect("it is there"));
    place.write_and_die(&head, SPAN);
    // As if it had been killed before the tail was taken away.
    TAIL.iter().zip(tail).for_each(|(name, text)| fs::write(place.0.join(name), text).expect("it can be written"));
    assert_eq!(place.found(&head).0, SPAN);
    place.write(&head, GAMES);
    assert!(whole("doubled-once", Format::Parquet).files() == place.files());
}

#[test]
fn a_damaged_file_in_the_middle_is_told_and_kept() {
    let place = whole("damaged", Format::Parquet);
    let damaged = file(&place.0, "games", 1);
    fs::write(&damaged, "PAR1").expect("it can be written");
    assert!(Store::open(&place.0, &head(Format::Parquet), &mut |_| {}).is_err());
    assert_eq!(fs::read(&damaged).expect("it is there"), b"PAR1");
}

#[test]
fn two_programs_do_not_write_to_one_folder() {
    let place = Place::new("two");
    let head = head(Format::Parquet);
    let mut one = place.open(&head);
    assert!(Store::open(&place.0, &head, &mut |_| {}).is_err());
    one.append(&[game(0)]).expect("it can be written");
    drop(one);
    assert_eq!(place.found(&head), (1, None));
}
