//! Pictures, print sheets and rulebooks from outside: what is written is read back and measured.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder of its own for each test, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Self {
        let path = std::env::temp_dir().join(format!("trencavel-pictures-{}-{test}", std::process::id()));
        // A run that was killed may have left one of this name behind.
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a temporary folder");
        Self(path)
    }

    /// What a command prints on both streams that ends with this exit code.
    fn check(&self, words: &[&str], code: i32) -> String {
        let mut command = Command::new(env!("CARGO_BIN_EXE_trencavel"));
        command
            .current_dir(&self.0)
            .args(words)
            .env_remove("XDG_DATA_HOME")
            .env_remove("XDG_CONFIG_HOME")
            .env("HOME", &self.0);
        let output = command.output().expect("the program runs");
        let text = [&output.stdout[..], &output.stderr].concat();
        let text = String::from_utf8_lossy(&text).into_owned();
        assert_eq!(output.status.code(), Some(code), "{words:?}\n{text}");
        text
    }

    fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.0.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn text(&self, name: &str) -> String {
        String::from_utf8(self.bytes(name)).expect("a text")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A folder that stays behind harms nobody.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Width and height of a PNG.
fn size(png: &[u8]) -> (u32, u32) {
    assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n", "a PNG");
    let number = |at: usize| u32::from_be_bytes([png[at], png[at + 1], png[at + 2], png[at + 3]]);
    (number(16), number(20))
}

/// A page in shades of grey, ten points to the millimetre.
struct Page {
    width: usize,
    height: usize,
    shades: Vec<u8>,
}

impl Page {
    /// The first page of a PDF, as `pdftoppm` (Debian: poppler-utils) sees it.
    fn first_of(folder: &Folder, pdf: &str) -> Self {
        let mut command = Command::new("pdftoppm");
        command.current_dir(&folder.0).args(["-r", "254", "-gray", "-f", "1", "-l", "1", "-singlefile", pdf, "page"]);
        assert!(command.status().expect("pdftoppm, which poppler-utils brings").success());
        let file = folder.bytes("page.pgm");
        let mut words = file.splitn(4, |byte| byte.is_ascii_whitespace());
        assert_eq!(words.next(), Some(&b"P5"[..]));
        let mut number = || -> usize {
            let word = words.next().expect("a number");
            std::str::from_utf8(word).expect("a number").parse().expect("a number")
        };
        let (width, height) = (number(), number());
        let shades = file[file.len() - width * height..].to_vec();
        Self { width, height, shades }
    }

    /// The middles of the dark strokes that a line across the page at this height meets, in tenths of a millimetre.
    fn strokes(&self, y: usize) -> Vec<usize> {
        let row = &self.shades[y * self.width..(y + 1) * self.width];
        let mut found = Vec::new();
        let mut begin = None;
        for (x, shade) in row.iter().chain([&255]).enumerate() {
            match (*shade < 128, begin) {
                (true, None) => begin = Some(x),
                (false, Some(first)) => {
                    found.push((first + x - 1) / 2);
                    begin = None;
                }
                _ => {}
            }
        }
        found
    }
}

#[test]
fn printed_tiles_are_45_millimetres_wide() {
    for (paper, width, height) in [("a4", 2100, 2970), ("letter", 2159, 2794)] {
        let folder = Folder::new(&format!("print-{paper}"));
        let told = folder.check(&["print", "wells", "--paper", paper, "-o", "wells.pdf"], 0);
        assert!(told.contains("wells.pdf: 12 tiles of 10 designs"), "{told}");
        let page = Page::first_of(&folder, "wells.pdf");
        assert!(page.width.abs_diff(width) <= 1 && page.height.abs_diff(height) <= 1, "{}×{}", page.width, page.height);
        // Above the first row stand the cut marks of four columns.
        let marks = page.strokes(72);
        assert_eq!(marks.len(), 8, "{marks:?}");
        for tile in marks.chunks(2) {
            assert!((tile[1] - tile[0]).abs_diff(450) <= 1, "{tile:?}");
        }
        // The line to measure ends in two strokes.
        let ends = page.strokes(height - 110 - 15);
        assert!(ends.len() >= 2 && (ends[1] - ends[0]).abs_diff(500) <= 1, "{ends:?}");
        // Tiles lie between their marks, and the bleed goes on beyond them.
        let middle = 100 + 20 + 225;
        let shade = |x: usize| page.shades[middle * page.width + x];
        assert!(shade(marks[0] - 15) < 250 && shade(marks[0] + 15) < 250, "no bleed");
        assert_eq!(shade(marks[0] - 40), 255, "beyond the bleed");
    }
}

#[test]
fn boards_tiles_and_sheets_are_drawn() {
    let folder = Folder::new("draw");
    folder.check(&["draw", "base:city-cap", "-o", "tile.png", "--tile", "96"], 0);
    assert_eq!(size(&folder.bytes("tile.png")), (96, 96));
    folder.check(&["draw", "wells", "-o", "sheet.png", "--tile", "96"], 0);
    let (width, height) = size(&folder.bytes("sheet.png"));
    assert!(width >= 3 * 96 && height >= 2 * 96, "{width}×{height}");
    folder.check(&["run", "base", "--seed", "3", "--with", "wells", "--quiet", "--save", "game.replay"], 0);
    folder.check(&["draw", "game.replay", "--at", "10", "-o", "early.svg"], 0);
    folder.check(&["draw", "game.replay", "-o", "late.svg"], 0);
    let (early, late) = (folder.text("early.svg"), folder.text("late.svg"));
    assert!(early.starts_with("<svg") && late.len() > 2 * early.len(), "{} and {}", early.len(), late.len());
    folder.check(&["draw", "game.replay", "-o", "again.svg"], 0);
    assert_eq!(folder.text("again.svg"), late, "the same board is the same text");
    assert!(folder.check(&["draw", "wells", "-o", "wells.gif"], 2).contains("-o NAME.png"));
    assert!(folder.check(&["draw", "base:no-such", "-o", "no.svg"], 2).contains("there is no tile"));
}

#[test]
fn a_rulebook_needs_nothing_from_elsewhere() {
    let folder = Folder::new("rulebook");
    folder.check(&["rulebook", "examples/constable.toml", "--option", "constable.target=any", "-o", "rules.html"], 0);
    let page = folder.text("rules.html");
    for words in
        ["The order of the turn", "The Constable", "Options of this game", "Its tiles", "Examples", "<b>any</b>"]
    {
        assert!(page.contains(words), "{words}");
    }
    let sources = page.split(" src=\"").skip(1);
    assert!(sources.clone().count() > 5 && sources.clone().all(|source| source.starts_with("data:image/svg+xml")));
    assert!(!page.contains("<script") && !page.contains("<link"), "it is one file");
    for link in page.split("href=\"#").skip(1).filter_map(|rest| rest.split('"').next()) {
        assert!(page.contains(&format!("id=\"{link}\"")), "nothing is called {link}");
    }
}

/// Every tile that comes with the program, as pictures to look at: `target/contact-sheets`.
#[test]
fn contact_sheets_of_all_tiles_are_kept() {
    let folder = Folder::new("sheets");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let sheets = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../contact-sheets");
    fs::create_dir_all(&sheets).expect("a place to write");
    let scripts = fs::read_dir(root.join("scripts")).expect("the bundled expansions");
    let paths = scripts.map(|entry| entry.expect("an entry").path());
    let with_tiles = paths.filter(|path| path.join("tiles.toml").is_file());
    let mut ids: Vec<String> =
        with_tiles.map(|path| path.file_name().expect("a name").to_string_lossy().into_owned()).collect();
    ids.push("base".to_owned());
    assert!(ids.len() > 10, "{ids:?}");
    for id in ids {
        let file = sheets.join(format!("{id}.png"));
        folder.check(&["draw", &id, "--tile", "96", "-o", &file.display().to_string()], 0);
        let (width, height) = size(&fs::read(&file).expect("a picture"));
        assert!(width >= 96 && height > 96, "{id}: {width}×{height}");
    }
}
