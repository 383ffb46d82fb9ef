//! Packs: the same bytes twice, everything back out of them, and nothing accepted that was tampered with.

mod common;

use std::io::{Cursor, Write};
use std::path::Path;

use common::{library, manifest};
use trencavel_host::diagnostic::Diagnostic;
use trencavel_host::pack::Pack;
use trencavel_host::resolve::content_hash;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

const SCRIPT: &str = "rules.mark \"well\" { on = \"path\" }\r\n";

fn mill() -> Pack {
    let manifest = manifest("mill", "license = \"MIT\"");
    let files = [
        ("mill/expansion.toml", manifest.as_str()),
        ("mill/rules.lua", SCRIPT),
        ("mill/tests/wheel.toml", "title = \"wheel\"\n"),
        ("mill/README.md", "# Mill\n"),
    ];
    let library = library(&files);
    Pack::of(library.get("mill").expect("the mill"), None).unwrap_or_else(|problems| panic!("{}", problems[0]))
}

fn read(bytes: &[u8]) -> Result<Pack, Vec<Diagnostic>> {
    Pack::read(Path::new("mill.zip"), bytes)
}

/// The texts of a pack with their names, to be put together again otherwise.
fn entries(bytes: &[u8]) -> Vec<(String, String)> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).expect("an archive");
    let entry = |index| {
        let entry = archive.by_index(index).expect("an entry");
        let name = entry.name().expect("a name").into_owned();
        (name, std::io::read_to_string(entry).expect("a text"))
    };
    (0..5).map(entry).collect()
}

fn stored() -> SimpleFileOptions {
    SimpleFileOptions::default().compression_method(CompressionMethod::Stored)
}

fn zipped(entries: &[(String, String)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in entries {
        writer.start_file(name, stored()).expect("an entry");
        writer.write_all(text.as_bytes()).expect("a text");
    }
    writer.finish().expect("an archive").into_inner()
}

/// The pack with one more entry.
fn with_entry(name: &str, text: &str) -> Vec<u8> {
    let mut entries = entries(&mill().bytes().expect("an archive"));
    entries.push((name.to_owned(), text.to_owned()));
    zipped(&entries)
}

fn check_refused(bytes: &[u8], code: &str, words: &str) {
    let problems = read(bytes).expect_err(words);
    let said = problems[0].to_string();
    assert!(problems[0].code == code && said.contains(words), "{said}");
}

#[test]
fn a_pack_is_the_same_bytes_twice_and_reads_back() {
    let (one, two) = (mill().bytes().expect("an archive"), mill().bytes().expect("an archive"));
    assert_eq!(one, two);
    let pack = read(&one).expect("a pack");
    assert_eq!(pack.bytes().expect("an archive"), one, "packed again it is the same");
    assert_eq!((pack.file_name().as_str(), pack.license.as_str()), ("mill-1.0.0.zip", "MIT"));
    assert_eq!(pack.needs().map(|(id, _)| id).collect::<Vec<_>>(), ["land"]);
    assert_eq!(pack.files.keys().collect::<Vec<_>>(), ["README.md", "expansion.toml", "rules.lua", "tests/wheel.toml"]);
    assert!(!pack.files["rules.lua"].text.contains('\r'), "the ends of lines are the same everywhere");
    assert_eq!(entries(&one)[0].0, "pack.toml");
}

#[test]
fn a_pack_has_the_hash_that_saves_are_locked_to() {
    let manifest = manifest("mill", "license = \"MIT\"");
    let library = library(&[("mill/expansion.toml", &manifest), ("mill/rules.lua", SCRIPT)]);
    let found = library.get("mill").expect("the mill");
    let pack = Pack::of(found, None).expect("a pack");
    assert_eq!(pack.hash, content_hash(found));
    assert!(pack.about().contains(&format!("hash = \"{}\"\n", pack.hash)), "{}", pack.about());
}

#[test]
fn what_may_not_be_packed_is_refused() {
    let check = |id: &str, more: &str, files: &[(&str, &str)], words: &str| {
        let text = manifest(id, more);
        let name = format!("{id}/expansion.toml");
        let mut all = vec![(name.as_str(), text.as_str())];
        all.extend(files);
        let library = library(&all);
        let problems = Pack::of(library.get(id).expect("an expansion"), None).expect_err(words);
        assert!(problems[0].to_string().contains(words), "{}", problems[0]);
    };
    check("mill", "", &[], "it names no licence");
    check("mill", "license = \" \"", &[], "it names no licence");
    check("mill", "license = \"a\\nb\"", &[], "it names no licence");
    check("mill", "license = \"MIT\"\nnative = \"mill.so\"", &[], "it has a compiled library");
    check("mill", "license = \"MIT\"", &[("mill/a?.lua", "")], "is no file name on every system");
    check("mill", "license = \"MIT\"", &[("mill/a.lua", ""), ("mill/A.lua", "")], "is there twice");
    check("mill", "license = \"MIT\"", &[("mill/pack.toml", "")], "what a pack says about itself");
    let land = library(&[]);
    let problems = Pack::of(land.get("land").expect("the world"), Some("MIT")).expect_err("it is linked in");
    assert!(problems[0].to_string().contains("built into the program"), "{}", problems[0]);
}

#[test]
fn entries_that_could_land_elsewhere_are_refused() {
    for name in ["../evil.lua", "a/../../evil.lua", "/etc/evil.lua", "a//b.lua", "./a.lua", "a/./b.lua"] {
        check_refused(&with_entry(name, ""), "P002", "path out of its folder");
    }
    for name in
        ["..\\evil.lua", "C:evil.lua", "C:\\evil.lua", "nul.lua", "a/COM1.lua", "a /b.lua", "a./b.lua", "a\u{7}.lua"]
    {
        check_refused(&with_entry(name, ""), "P002", "no file name on every system");
    }
    check_refused(&with_entry(".hidden.lua", ""), "P002", "is hidden");
    check_refused(&with_entry("run.sh", ""), "P002", "no text of an expansion");
    check_refused(&with_entry("RULES.lua", ""), "P002", "is there twice");
    check_refused(&with_entry(&format!("{}.lua", "a".repeat(300)), ""), "P002", "too long a path");
    check_refused(&with_entry(&format!("{}b.lua", "a/".repeat(9)), ""), "P002", "too long a path");
}

#[test]
fn links_and_folders_are_refused() {
    let add = |act: fn(&mut ZipWriter<Cursor<Vec<u8>>>)| {
        let bytes = mill().bytes().expect("an archive");
        let mut writer = ZipWriter::new_append(Cursor::new(bytes)).expect("an archive");
        act(&mut writer);
        writer.finish().expect("an archive").into_inner()
    };
    let link = add(|writer| writer.add_symlink("far.lua", "/etc/passwd", stored()).expect("a link"));
    check_refused(&link, "P002", "`far.lua` is a link");
    let folder = add(|writer| writer.add_directory("far", stored()).expect("a folder"));
    check_refused(&folder, "P002", "no plain file");
}

#[test]
fn too_much_is_refused_before_it_is_unpacked() {
    let mebibyte = "x".repeat(1 << 20);
    check_refused(&with_entry("big.lua", &format!("{mebibyte}x")), "P002", "larger than 1 MiB");
    let mut many = entries(&mill().bytes().expect("an archive"));
    many.extend((0..16).map(|index| (format!("big{index}.md"), mebibyte.clone())));
    check_refused(&zipped(&many), "P002", "more than 16 MiB together");
    let mut many = entries(&mill().bytes().expect("an archive"));
    many.extend((0..1000).map(|index| (format!("a{index}.md"), String::new())));
    check_refused(&zipped(&many), "P002", "entries");
    check_refused(&vec![0; 20 << 20], "P002", "larger than a pack can be");
}

/// Both headers of the last entry say that it is compressed, and a thousand times as large as what is there.
#[test]
fn compressed_entries_are_refused() {
    let bytes = with_entry("bomb.lua", "0123456789");
    let places: Vec<usize> = (0..bytes.len() - 8).filter(|at| bytes[*at..].starts_with(b"bomb.lua")).collect();
    let [local, central] = places[..] else { panic!("two headers name it, not {}", places.len()) };
    let mut bomb = bytes.clone();
    for (method, size) in [(local - 22, local - 8), (central - 36, central - 22)] {
        bomb[method] = 8;
        bomb[size..size + 4].copy_from_slice(&0x3fff_ffff_u32.to_le_bytes());
    }
    check_refused(&bomb, "P002", "is compressed");
}

#[test]
fn changed_packs_are_refused() {
    let good = entries(&mill().bytes().expect("an archive"));
    let change = |at: usize, from: &str, to: &str| {
        let mut changed = good.clone();
        assert!(changed[at].1.contains(from), "{} has no {from}", changed[at].0);
        changed[at].1 = changed[at].1.replace(from, to);
        zipped(&changed)
    };
    check_refused(&change(0, "license = \"MIT\"", "license = \"none\""), "P003", "its files say `license = \"MIT\"`");
    check_refused(&change(0, "version = \"1.0.0\"", "version = \"2.0.0\""), "P003", "`version = \"2.0.0\"`");
    check_refused(&change(0, "trencavel-pack/1", "trencavel-pack/2"), "P001", "format trencavel-pack/1");
    check_refused(&change(3, "well", "bell"), "P003", "says `hash = ");
    check_refused(&change(4, "wheel", "axle"), "P003", "says `files = ");
    check_refused(&change(0, "land = ", "sea = "), "P003", "land = ");
    check_refused(&with_entry("more.lua", "return 1"), "P003", "says `hash = ");
    let mut more = good.clone();
    more[0].1 += "\nmore = 1\n";
    check_refused(&zipped(&more), "P003", "says more");
    check_refused(&zipped(&good[1..]), "P001", "its first entry is");
    check_refused(b"no archive", "P001", "mill.zip: it is not a pack");
    let without_manifest: Vec<_> = good.iter().filter(|(name, _)| name != "expansion.toml").cloned().collect();
    check_refused(&zipped(&without_manifest), "P001", "no expansion.toml");
}

#[test]
fn scripts_with_a_memory_are_refused() {
    let text = manifest("mill", "license = \"MIT\"");
    let files =
        [("mill/expansion.toml", text.as_str()), ("mill/rules.lua", "local n = 0 local f = function() n = 1 end")];
    let pack = Pack::of(library(&files).get("mill").expect("the mill"), None).expect("a pack");
    check_refused(&pack.bytes().expect("an archive"), "L009", "mill.zip/rules.lua:1");
}

/// Cut off anywhere, or with any byte changed, a pack is refused, or it still says the same: some bytes of a ZIP
/// archive mean nothing.
#[test]
fn damage_is_never_taken_for_a_pack() {
    let bytes = mill().bytes().expect("an archive");
    let good = read(&bytes).expect("a pack");
    for end in 0..bytes.len() {
        assert!(read(&bytes[..end]).is_err(), "cut off at {end}");
    }
    for at in 0..bytes.len() {
        for change in [1, 0x80, 0xff] {
            let mut damaged = bytes.clone();
            damaged[at] ^= change;
            if let Ok(pack) = read(&damaged) {
                assert!(pack == good, "byte {at} was changed");
            }
        }
    }
}
