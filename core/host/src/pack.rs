//! Packs: one archive that holds an expansion, for sharing it.
//!
//! A pack is a ZIP archive. Its first entry `pack.toml` says what it is; the others are the texts of the expansion,
//! sorted and stored as they are. So the same texts give the same bytes on every machine, any tool can open a pack, and
//! nothing in it can grow when it is read.

mod archive;

use std::collections::BTreeMap;
use std::path::Path;

use semver::VersionReq;

use crate::diagnostic::{Diagnostic, SourceFile};
use crate::library::{Found, Origin};
use crate::lock::ContentHash;
use crate::manifest::{FILE_NAME, Manifest};
use crate::resolve::content_hash;

/// Every code of this file with its explanation for `trencavel explain CODE`.
pub const CODES: &[(&str, &str)] = &[
    (
        "P001",
        "The file is not a pack. Packs come from `trencavel pack NAME`: a ZIP archive whose first entry is `pack.toml`.",
    ),
    (
        "P002",
        "The archive holds an entry that no pack has: a path that leaves its folder, a link, something compressed or \
         encrypted, a file that is no text of an expansion, or too much. A pack holds at most 1000 texts (`.lua`, \
         `.toml`, `.md`, `.svg`) of at most 1 MiB each and 16 MiB together, stored as they are. Nothing of it was unpacked.",
    ),
    (
        "P003",
        "What `pack.toml` says does not fit the files beside it: the pack was changed after it was made, or damaged on \
         its way. Get it again from where it came from.",
    ),
    (
        "P004",
        "The expansion cannot be packed: it is built into the program, has a compiled library, holds nothing but \
         its name, or does not say under which licence others may use it.",
    ),
];

/// The entry that says what a pack is.
pub const ABOUT: &str = "pack.toml";

const FORMAT: &str = "trencavel-pack/1";

/// An expansion on its way from one person to another.
#[derive(Clone, Debug, PartialEq)]
pub struct Pack {
    /// What it says about itself.
    pub manifest: Manifest,
    /// Under which licence it may be used.
    pub license: String,
    /// What saves are locked to: the hash of everything that can change a game.
    pub hash: ContentHash,
    /// The texts by path within the folder, parts joined by `/`; lines end with `\n`.
    pub files: BTreeMap<String, SourceFile>,
}

impl Pack {
    /// The pack of an expansion. `license` counts where the manifest names none.
    ///
    /// # Errors
    /// If it may not or cannot be packed (`P004`), or a pack cannot hold its files (`P002`).
    pub fn of(found: &Found, license: Option<&str>) -> Result<Self, Vec<Diagnostic>> {
        let manifest = &found.manifest;
        let refuse = |why: &str, help: &str| {
            let message = format!("`{}` cannot be packed: {why}", manifest.id);
            Err(vec![Diagnostic::new("P004", message).help(help)])
        };
        if let Origin::LinkedIn(_) = found.origin {
            return refuse("it is built into the program", "everybody who has the program has it");
        }
        if manifest.native.is_some() {
            return refuse("it has a compiled library", "a pack holds texts only; share the folder instead");
        }
        let license = manifest.license.as_deref().or(license).map(str::trim).filter(|words| is_line(words));
        let Some(license) = license else {
            let help = "add `license = \"…\"` to expansion.toml, such as \"MIT\" or \"CC-BY-4.0\", or use `--license`";
            return refuse("it names no licence", help);
        };
        let files: BTreeMap<_, _> = found.files.iter().map(|(name, file)| (name.clone(), unix_lines(file))).collect();
        archive::check_texts(files.iter().map(|(name, file)| (name.as_str(), &*file.text)))?;
        Self::new(files, license)
    }

    /// Reads a pack and checks all that can be checked without other expansions: that it is whole and unchanged, that
    /// nothing in it could land elsewhere or grow, that its manifest is right and its scripts keep no state.
    ///
    /// # Errors
    /// Every problem found; nothing is written.
    pub fn read(path: &Path, bytes: &[u8]) -> Result<Self, Vec<Diagnostic>> {
        let mut texts = archive::read(bytes).map_err(|problem| vec![in_file(problem, path)])?;
        let about = texts.remove(ABOUT).unwrap_or_default();
        if about.lines().next() != Some(&format!("format = \"{FORMAT}\"")) {
            let problem = Diagnostic::new("P001", format!("it is no pack of the format {FORMAT}"));
            return Err(vec![in_file(problem.help("a newer `trencavel` may read it"), path)]);
        }
        let file = |(name, text): (String, String)| {
            let source = SourceFile { path: path.join(&name), text: text.into() };
            (name, source)
        };
        let pack = Self::new(texts.into_iter().map(file).collect(), &license_of(&about))
            .map_err(|problems| problems.into_iter().map(|problem| in_file(problem, path)).collect::<Vec<_>>())?;
        if let Some(problem) = pack.difference(&about) {
            return Err(vec![in_file(problem, path)]);
        }
        let problems = crate::syntax::check(pack.files.values());
        if problems.is_empty() { Ok(pack) } else { Err(problems) }
    }

    fn new(files: BTreeMap<String, SourceFile>, license: &str) -> Result<Self, Vec<Diagnostic>> {
        let Some(file) = files.get(FILE_NAME) else {
            return Err(vec![Diagnostic::new("P001", format!("there is no {FILE_NAME} in it"))]);
        };
        let manifest = Manifest::parse(file)?;
        let origin = Origin::Folder(manifest.id.clone().into());
        let found = Found { manifest, files, origin };
        let hash = content_hash(&found);
        let license = found.manifest.license.as_deref().map_or(license, str::trim).to_owned();
        Ok(Self { manifest: found.manifest, license, hash, files: found.files })
    }

    /// Expansions it cannot be played without.
    pub fn needs(&self) -> impl Iterator<Item = (&str, &VersionReq)> {
        self.manifest.requires.iter().map(|(id, versions)| (id.as_str(), versions))
    }

    /// The name of its file: id and version.
    pub fn file_name(&self) -> String {
        format!("{}-{}.zip", self.manifest.id, self.manifest.version)
    }

    /// The archive; the same texts give the same bytes.
    ///
    /// # Errors
    /// If the archive cannot be made.
    pub fn bytes(&self) -> Result<Vec<u8>, Vec<Diagnostic>> {
        let about = self.about();
        let files = self.files.iter().map(|(name, file)| (name.as_str(), &*file.text));
        archive::write(std::iter::once((ABOUT, about.as_str())).chain(files)).map_err(|problem| vec![problem])
    }

    /// The text of `pack.toml`.
    pub fn about(&self) -> String {
        let all = ContentHash::of(self.files.iter().map(|(name, file)| (name.as_str(), &*file.text)));
        let word = |text: &str| toml::Value::from(text).to_string();
        let manifest = &self.manifest;
        let mut lines = vec![
            format!("format = \"{FORMAT}\""),
            format!("id = {}", word(&manifest.id)),
            format!("version = {}", word(&manifest.version.to_string())),
            format!("title = {}", word(&manifest.title)),
            format!("license = {}", word(&self.license)),
            format!("hash = \"{}\"", self.hash),
            format!("files = \"{all}\""),
        ];
        let needs: Vec<String> = self.needs().map(|(id, versions)| format!("{id} = \"{versions}\"")).collect();
        if !needs.is_empty() {
            lines.push(format!("\n[requires]\n{}", needs.join("\n")));
        }
        lines.join("\n") + "\n"
    }

    /// The first thing in which `about` is not what the files say.
    fn difference(&self, about: &str) -> Option<Diagnostic> {
        let own = self.about();
        if about == own {
            return None;
        }
        let mut lines = about.lines();
        let expected = own.lines().map(|line| (line, lines.next().unwrap_or_default())).find(|(own, said)| own != said);
        let message = match expected {
            Some((expected, said)) => {
                let said: String = said.chars().take(120).collect();
                format!("{ABOUT} says `{said}`, its files say `{expected}`")
            }
            None => format!("{ABOUT} says more than its files"),
        };
        Some(Diagnostic::new("P003", message).help("get the pack again from where it came from"))
    }
}

/// The only thing in `pack.toml` that the files may not say.
fn license_of(about: &str) -> String {
    let table = about.parse::<toml::Table>().unwrap_or_default();
    let license = table.get("license").and_then(toml::Value::as_str).map(str::trim).filter(|words| is_line(words));
    license.unwrap_or_default().to_owned()
}

/// Whether a text is something that fits on one line.
fn is_line(text: &str) -> bool {
    !text.is_empty() && text.len() <= 200 && !text.contains(char::is_control)
}

/// Version control may have changed the ends of lines.
fn unix_lines(file: &SourceFile) -> SourceFile {
    SourceFile { path: file.path.clone(), text: file.text.replace("\r\n", "\n").into() }
}

fn in_file(mut problem: Diagnostic, path: &Path) -> Diagnostic {
    if problem.at.is_none() {
        problem.message = format!("{}: {}", path.display(), problem.message);
    }
    problem
}
