//! Saves that were cut off, edited, made by another program or made to do harm: the program says what is wrong, and
//! plays what is left.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

use trencavel_rules::save::Replay;

/// A folder of its own for each test, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Self {
        let path = std::env::temp_dir().join(format!("trencavel-saves-{}-{test}", std::process::id()));
        // A run that was killed may have left one of this name behind.
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a temporary folder");
        Self(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    /// A save of the first answers of a game with the base game and these expansions.
    fn save(&self, expansions: &str, answers: usize) -> Replay {
        let players = "players = [ { name = \"Ann\", bot = \"random\" }, { name = \"Bob\", bot = \"random\" } ]";
        let game = format!("seed = 7\n{players}\n[expansions]\n{expansions}\n");
        fs::write(self.file("game.toml"), game).expect("a game file");
        let said = run(&["run", &self.file("game.toml"), "--save", &self.file("game.replay")]);
        assert_eq!(said.code, 0, "{}", said.err);
        let text = fs::read_to_string(self.file("game.replay")).expect("the save");
        let (mut replay, _) = Replay::parse(&text).expect("a save");
        replay.answers.truncate(answers);
        replay
    }

    /// What the program says of a save that holds these bytes.
    fn replay(&self, bytes: &[u8]) -> Said {
        fs::write(self.file("it.replay"), bytes).expect("a save");
        run(&["replay", &self.file("it.replay")])
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A folder that stays behind harms nobody.
        let _ = fs::remove_dir_all(&self.0);
    }
}

struct Said {
    code: u8,
    out: String,
    err: String,
}

fn run(words: &[&str]) -> Said {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let words = std::iter::once("trencavel").chain(words.iter().copied()).map(OsString::from);
    let code = trencavel::run(words, &mut out, &mut err);
    let text = |bytes| String::from_utf8(bytes).expect("text");
    Said { code, out: text(out), err: text(err) }
}

#[test]
fn cut_off_at_any_byte_the_complete_answers_are_kept_and_the_rest_is_told() {
    let folder = Folder::new("cut");
    let text = folder.save("wells = true", 10).to_string();
    let begun = text.find("seed 7\n").expect("the seed") + "seed 7\n".len();
    for end in 0..=text.len() {
        let (said, left) = (folder.replay(&text.as_bytes()[..end]), &text[..end]);
        if end < begun {
            assert_eq!((said.code, said.out.as_str()), (1, ""), "cut off at {end}: {}", said.out);
            let told = said.err.contains("ends before its seed") || said.err.contains("a save begins with");
            assert!(told && said.err.contains("error[C002]"), "cut off at {end}: {}", said.err);
            continue;
        }
        assert_eq!((said.code, said.err.as_str()), (0, ""), "cut off at {end}: {}", said.err);
        let kept = left[begun..].matches('\n').count();
        assert!(said.out.contains(&format!("after {kept} of {kept} answers:\n")), "cut off at {end}: {}", said.out);
        let rest = &left[left.rfind('\n').map_or(0, |at| at + 1)..];
        let note = format!("note: the last line, `{rest}`, was cut off and is left out\n");
        assert_eq!(said.out.contains(&note), !rest.is_empty(), "cut off at {end}: {}", said.out);
    }
}

#[test]
fn other_formats_are_named() {
    let folder = Folder::new("formats");
    let text = folder.save("", 4).to_string();
    for (first, found) in
        [("trencavel-replay 0", "trencavel-replay 0"), ("trencavel-replay 2", "trencavel-replay 2"), ("", "")]
    {
        let said = folder.replay(text.replacen("trencavel-replay 1", first, 1).as_bytes());
        let words = format!("a save begins with `trencavel-replay 1`, not `{found}`");
        assert!(said.code == 1 && said.err.contains("C002") && said.err.contains(&words), "{}", said.err);
    }
    let said = folder.replay(text.replacen("trencavel-replay 1", "trencavel-replay 2", 1).as_bytes());
    assert!(said.err.contains("of another version of the program"), "{}", said.err);
    let said = run(&["run", &folder.file("game.replay")]);
    assert!(said.code == 2 && said.err.contains("is a save") && said.err.contains("trencavel replay"), "{}", said.err);
    // An invisible mark at the beginning, as some editors write it, and their ends of lines.
    for written in [format!("\u{feff}{text}"), text.replace('\n', "\r\n")] {
        assert_eq!(folder.replay(written.as_bytes()).out, folder.replay(text.as_bytes()).out);
    }
    let said = folder.replay(b"\xff\xfe\x00t\x00r");
    assert!(said.code == 2 && said.err.contains("cannot be read"), "{}", said.err);
    let said = folder.replay(text.replacen("seed", "sed", 1).as_bytes());
    assert!(said.code == 1 && said.err.contains("`sed 7` is not part of a save"), "{}", said.err);
}

#[test]
fn another_lock_is_told_in_sentences() {
    let folder = Folder::new("lock");
    let text = folder.save("wells = true\ninn = true", 6).to_string();
    let wells = text.lines().find(|line| line.starts_with("lock expansion wells ")).expect("its lock").to_owned();
    let check = |changed: String, code: u8, words: &str| {
        assert_ne!(changed, text, "nothing was changed");
        let said = folder.replay(changed.as_bytes());
        let all = format!("{}{}", said.out, said.err);
        // A long message is broken into lines.
        let all = all.split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ");
        assert!(said.code == code && all.contains(words), "{code} {words}:\n{}{}", said.out, said.err);
    };
    let hash = wells.split("blake3:").nth(1).expect("a hash").split(' ').next().expect("a hash");
    check(text.replace(hash, &"0".repeat(64)), 0, "the files of `wells`");
    check(text.replace(&wells, &wells.replace("wells 1.", "wells 9.")), 0, "`wells` is version 9.");
    check(text.replace(&wells, &wells.replace("wells", "sewers")), 1, "sewers");
    // What is wrong with a line of the lock is shown there.
    let place = text.lines().position(|line| line == wells).expect("its line") + 1;
    check(text.replace(&wells, &wells.replace("wells", "sewers")), 1, &format!("it.replay:{place}:1] "));
    check(text.replace("player Ann", "player \u{1b}[2JAnn"), 1, "cannot be a player's name");
    check(text.replace("player Ann", &format!("player {}", "A".repeat(1000))), 1, "cannot be a player's name");
    check(text.replace("farmers=true", "farmers=maybe"), 1, "farmers");
    check(text.replace("farmers=true", "peasants=true"), 1, "peasants");
    check(text.replace(hash, "xyz"), 1, "`blake3:xyz` where a content hash belongs");
    check(text.replace(&wells, &format!("{wells}\n{wells}")), 1, "lists `wells` a second time");
    check(text.replace("lock expansion wells", "lock wells"), 1, "begins with none of `expansion`, `order`, `limits`");
}

#[test]
fn edited_answers_are_refused_with_their_line() {
    let folder = Folder::new("edited");
    let mut replay = folder.save("", 8);
    let good = replay.answers.clone();
    let mut check = |answers: Vec<String>, number: usize, words: &str| {
        replay.answers = answers;
        let (text, said) = (replay.to_string(), folder.replay(replay.to_string().as_bytes()));
        assert!(said.code == 1 && said.err.contains("C003"), "{}", said.err);
        let first = text.lines().position(|line| line == "seed 7").expect("the seed") + 1;
        assert!(said.err.contains(&format!("answer {number} cannot be given")), "{}", said.err);
        assert!(said.err.contains(&format!("it.replay:{}:", first + number)), "{}", said.err);
        assert!(said.err.contains(words), "{words}: {}", said.err);
    };
    let with = |at: usize, line: &str| {
        let mut answers = good.clone();
        answers[at] = line.to_owned();
        answers
    };
    let other =
        |line: &str| if line.starts_with('A') { line.replacen('A', "B", 1) } else { line.replacen('B', "A", 1) };
    check(with(0, &other(&good[0])), 1, "decides here, not");
    check(with(0, "A: place 300,300 r0"), 1, "no tile lies beside");
    check(with(0, "A: dance"), 1, "");
    check(with(0, "A:"), 1, "names no player");
    check(with(0, "Z: pass"), 1, "decides here, not Z");
    let twice: Vec<String> = good[..1].iter().chain(&good).cloned().collect();
    check(twice, 2, "");
}

#[test]
fn a_save_that_goes_on_after_the_end_is_refused() {
    let folder = Folder::new("end");
    let mut replay = folder.save("", usize::MAX);
    replay.answers.push("A: pass".to_owned());
    let said = folder.replay(replay.to_string().as_bytes());
    assert!(said.code == 1 && said.err.contains("comes after the end of the game"), "{}", said.err);
}

/// None of these makes the program fail, hang, or take another file.
#[test]
fn hostile_saves_are_refused() {
    let folder = Folder::new("hostile");
    let text = folder.save("wells = true", 2).to_string();
    let check = |changed: &str, words: &str| {
        let said = folder.replay(changed.as_bytes());
        assert!(said.code == 1 && said.err.contains("error[") && said.err.len() < 4000, "{words}: {}", said.err);
        let flat = said.err.split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ");
        assert!(flat.contains(words), "{words}: {}", said.err);
    };
    let lock = |line: &str| text.replacen("seed 7", &format!("lock {line}\nseed 7"), 1);
    let hash = format!("blake3:{}", "0".repeat(64));
    check(&lock(&format!("expansion ../../etc 1.0.0 {hash}")), "`../../etc` cannot be the id of an expansion");
    check(&lock(&format!("expansion a=true#\u{1b}[2J 1.0.0 {hash}")), "cannot be the id of an expansion");
    check(&lock(&format!("expansion a{} 1.0.0 {hash}", "b".repeat(100_000))), "cannot be the id of an expansion");
    check(&text.replacen(" blake3:", " blake3:\u{0}", 1), "where a content hash belongs");
    check(&text.replacen("farmers=", "copies=4000000000 farmers=", 1), "cannot be in the game `4000000000` times");
    check(&text.replacen("farmers=", "copies=1},x={ farmers=", 1), "cannot be in the game");
    check(&text.replacen("seed 7", "seed 99999999999999999999", 1), "is not a number");
    check(&text.replacen("seed 7", "seed 7\nfirst 18446744073709551615", 1), "");
    check(&text.replacen("seed 7", "seed 7\nstart base:nothing 0,0 r0", 1), "no tile `base:nothing`");
    check(&text.replacen("seed 7", "seed 7\nstart base:city-cap 99999,0 r0", 1), "");
    check(&text.replacen("seed 7", &format!("seed 7\nstack {}", "x ".repeat(100_000)), 1), "no tile `x`");
    check(&text.replacen("player Ann", &"player Ann\n".repeat(100_000), 1), "");
    check(
        &text.replacen("A: ", &format!("A: {}", "deploy ".repeat(100_000)), 1),
        "answer 1 is longer than any answer can be",
    );
    check(&text.replacen("player Ann\nplayer Bob\n", "", 1), "");
}
