//! The search path: which expansions there are, where each comes from, and the text of its files.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::diagnostic::{Diagnostic, SourceFile, nearest};
use crate::lock::ContentHash;
use crate::manifest::{FILE_NAME, Manifest};

/// Every code of this file with its explanation for `trencavel explain CODE`.
pub const CODES: &[(&str, &str)] = &[
    ("M020", "A folder that was named on the search path does not exist or cannot be listed."),
    (
        "M021",
        "A file or folder of an expansion cannot be read. Its texts are UTF-8 of at most 1 MiB each, at most 1000 \
         files, at most 8 folders deep.",
    ),
    (
        "M022",
        "A link in the folder of an expansion leads out of the folder, or to another folder. An expansion is complete \
         in its own folder, so that it can be shared and its content hash says everything about it.",
    ),
];

/// How the names of an expansion's texts end.
pub(crate) const TEXTS: [&str; 4] = [".lua", ".toml", ".md", ".svg"];

const MAX_BYTES: u64 = 1 << 20;
const MAX_FILES: usize = 1000;
const MAX_DEPTH: usize = 8;

/// Texts embedded in the program: (`folder/file.lua`, text).
pub type Bundle = &'static [(&'static str, &'static str)];

/// Something worth knowing that is not a problem.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Notice {
    /// One sentence without a full stop.
    pub text: String,
}

impl Notice {
    /// A notice with this sentence.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into() }
    }
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "note: {}", self.text)
    }
}

/// An expansion whose rules are compiled into the program.
#[derive(Clone, Copy, Debug)]
pub struct LinkedIn {
    /// Its folder as the user would name it.
    pub folder: &'static str,
    /// Its texts by path within that folder, `expansion.toml` among them.
    pub files: Bundle,
    /// Whether games have it without asking.
    pub presence: Presence,
}

/// Whether games have an expansion without asking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// In every game that does not switch it off.
    Implied,
    /// Only in games that ask for it, or for something that needs it.
    OnRequest,
}

/// Where an expansion comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A folder on the search path.
    Folder(PathBuf),
    /// Texts embedded in the program, from this folder of the bundle.
    Bundled(String),
    /// Compiled into the program, from this folder of its source.
    LinkedIn(String),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(path) => write!(f, "{}", path.display()),
            Self::Bundled(_) => f.write_str("the one bundled with the program"),
            Self::LinkedIn(_) => f.write_str("the one built into the program"),
        }
    }
}

/// An expansion that can be switched on.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// What it says about itself.
    pub manifest: Manifest,
    /// Every `.lua`, `.toml`, `.md` and `.svg` of its folder, by path within the folder, parts joined by `/`.
    pub files: BTreeMap<String, SourceFile>,
    /// Where it comes from.
    pub origin: Origin,
}

/// Every expansion on the search path.
#[derive(Clone, Debug, Default)]
pub struct Library {
    found: BTreeMap<String, Arc<Found>>,
    broken: BTreeMap<String, Broken>,
    origins: BTreeMap<String, Origin>,
    implied: Vec<String>,
    trusted: Vec<ContentHash>,
    problems: Vec<Diagnostic>,
    notices: Vec<Notice>,
}

/// An expansion that is there but cannot be used.
#[derive(Clone, Debug)]
struct Broken {
    problems: Vec<Diagnostic>,
    files: Files,
}

/// The folder in which expansions of this user are: `$XDG_DATA_HOME/trencavel/expansions`, else
/// `~/.local/share/trencavel/expansions`. It may not exist.
pub fn user_folder() -> Option<PathBuf> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let data = absolute("XDG_DATA_HOME").or_else(|| absolute("HOME").map(|home| home.join(".local/share")));
    data.map(|data| data.join("trencavel/expansions"))
}

/// The search path with the usual folders behind those the user named: `scripts` here, then [`user_folder`]. Usual
/// folders that do not exist are left out.
pub fn search_path(named: Vec<PathBuf>) -> Vec<PathBuf> {
    let usual = [Some(PathBuf::from("scripts")), user_folder()];
    named.into_iter().chain(usual.into_iter().flatten().filter(|path| path.is_dir())).collect()
}

impl Library {
    /// Reads every expansion below `paths`, then those of `bundled` and `linked`; of two with the same id the first
    /// wins and a notice says so. A path that is itself the folder of an expansion is that expansion.
    ///
    /// Nothing here fails: what cannot be read is kept as problems of its id, so that other expansions stay playable.
    pub fn new(paths: &[PathBuf], bundled: Bundle, linked: &[LinkedIn]) -> Self {
        let mut library = Self::default();
        for path in paths {
            library.add_path(path);
        }
        library.add_bundle(bundled);
        for one in linked {
            let files = one.files.iter().map(|(name, text)| embedded(one.folder, name, text)).collect();
            let id = library.add(Ok(files), last_part(one.folder), Origin::LinkedIn(one.folder.to_owned()));
            if one.presence == Presence::Implied {
                library.implied.push(id);
            }
        }
        library
    }

    /// From now on a native library with this content may run. It can do whatever a program can do.
    pub fn trust(&mut self, hash: ContentHash) {
        self.trusted.push(hash);
    }

    /// The contents of native libraries that may run.
    pub fn trusted(&self) -> &[ContentHash] {
        &self.trusted
    }

    /// The expansion of this id.
    pub fn get(&self, id: &str) -> Option<&Arc<Found>> {
        self.found.get(id)
    }

    /// All expansions by id.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Found>> {
        self.found.values()
    }

    /// The id of every expansion that is there, those that cannot be used among them, sorted.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.origins.keys().map(String::as_str)
    }

    /// The problems of an expansion that is there but cannot be used.
    pub fn broken(&self, id: &str) -> Option<&[Diagnostic]> {
        self.broken.get(id).map(|broken| broken.problems.as_slice())
    }

    /// The texts of an expansion that is there but cannot be used, as far as they could be read.
    pub fn broken_files(&self, id: &str) -> Option<&BTreeMap<String, SourceFile>> {
        self.broken.get(id).map(|broken| &broken.files)
    }

    /// Ids of the expansions that games have without asking.
    pub fn implied(&self) -> &[String] {
        &self.implied
    }

    /// Every problem of the search path and of every expansion on it.
    pub fn problems(&self) -> impl Iterator<Item = &Diagnostic> {
        self.problems.iter().chain(self.broken.values().flat_map(|broken| &broken.problems))
    }

    /// Which expansions hide others.
    pub fn notices(&self) -> &[Notice] {
        &self.notices
    }

    /// The known id nearest to `id`.
    pub fn nearest(&self, id: &str) -> Option<&str> {
        nearest(id, self.origins.keys().map(String::as_str))
    }

    fn add_path(&mut self, path: &Path) {
        if path.join(FILE_NAME).is_file() {
            self.add_folder(path);
            return;
        }
        let folders = fs::read_dir(path).and_then(|entries| entries.collect::<Result<Vec<_>, _>>());
        match folders {
            Ok(entries) => {
                let mut folders: Vec<_> = entries.into_iter().map(|entry| entry.path()).collect();
                folders.sort();
                folders
                    .iter()
                    .filter(|folder| folder.join(FILE_NAME).is_file())
                    .for_each(|folder| self.add_folder(folder));
            }
            Err(error) => {
                let problem =
                    Diagnostic::new("M020", format!("the folder {} cannot be searched: {error}", path.display()));
                self.problems.push(problem.help("name a folder that holds folders of expansions"));
            }
        }
    }

    fn add_folder(&mut self, folder: &Path) {
        // `.` has no name of its own.
        let name = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
        self.add(read_folder(folder), last_part(&name), Origin::Folder(folder.to_owned()));
    }

    fn add_bundle(&mut self, bundled: Bundle) {
        let mut folders: BTreeMap<&str, BTreeMap<String, SourceFile>> = BTreeMap::new();
        for (path, text) in bundled {
            if let Some((folder, name)) = path.split_once('/') {
                let (name, file) = embedded(&format!("bundled/{folder}"), name, text);
                folders.entry(folder).or_default().insert(name, file);
            }
        }
        folders.retain(|_, files| files.contains_key(FILE_NAME));
        for (folder, files) in folders {
            self.add(Ok(files), folder.to_owned(), Origin::Bundled(folder.to_owned()));
        }
    }

    /// Adds an expansion under the id it claims, else under its folder's name, and tells that id.
    fn add(&mut self, files: Result<Files, Vec<Diagnostic>>, folder: String, origin: Origin) -> String {
        let manifest = files.as_ref().map_err(Clone::clone).and_then(|files| parse_manifest(files, &folder));
        let claimed = files.as_ref().ok().and_then(|files| Manifest::claimed_id(&files.get(FILE_NAME)?.text));
        let id = claimed.unwrap_or(folder);
        if let Some(winner) = self.origins.get(&id) {
            self.notices.push(Notice::new(format!("`{id}` is {winner}; {origin} is not used")));
            return id;
        }
        self.origins.insert(id.clone(), origin.clone());
        match (manifest, files) {
            (Ok(manifest), Ok(files)) => {
                drop(self.found.insert(id.clone(), Arc::new(Found { manifest, files, origin })))
            }
            (Err(problems), files) => {
                let files = files.unwrap_or_default();
                self.broken.insert(id.clone(), Broken { problems, files });
            }
            (Ok(_), Err(problems)) => {
                self.broken.insert(id.clone(), Broken { problems, files: Files::new() });
            }
        }
        id
    }
}

type Files = BTreeMap<String, SourceFile>;

fn parse_manifest(files: &Files, folder: &str) -> Result<Manifest, Vec<Diagnostic>> {
    match files.get(FILE_NAME) {
        Some(file) => Manifest::parse(file),
        None => Err(vec![Diagnostic::new("M021", format!("`{folder}` has no {FILE_NAME}"))]),
    }
}

fn embedded(folder: &str, name: &str, text: &'static str) -> (String, SourceFile) {
    (name.to_owned(), SourceFile { path: Path::new(folder).join(name), text: text.into() })
}

fn last_part(path: impl AsRef<Path>) -> String {
    path.as_ref().file_name().unwrap_or_else(|| OsStr::new("?")).to_string_lossy().into_owned()
}

/// Every text of a folder, or every reason why it cannot be used.
fn read_folder(folder: &Path) -> Result<Files, Vec<Diagnostic>> {
    let mut walk = Walk { files: Files::new(), problems: Vec::new(), root: PathBuf::new() };
    match fs::canonicalize(folder) {
        Ok(root) => {
            walk.root = root;
            walk.folder(folder, "", 0);
        }
        Err(error) => walk.unreadable(folder, &error),
    }
    if walk.problems.is_empty() { Ok(walk.files) } else { Err(walk.problems) }
}

struct Walk {
    files: Files,
    problems: Vec<Diagnostic>,
    root: PathBuf,
}

impl Walk {
    fn folder(&mut self, folder: &Path, prefix: &str, depth: usize) {
        let entries = match fs::read_dir(folder).and_then(|entries| entries.collect::<Result<Vec<_>, _>>()) {
            Ok(entries) => entries,
            Err(error) => return self.unreadable(folder, &error),
        };
        let mut paths: Vec<_> = entries.into_iter().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            let name = last_part(&path);
            // Version control and build output are no part of an expansion.
            if !name.starts_with('.') && name != "target" {
                self.entry(&path, &format!("{prefix}{name}"), depth);
            }
        }
    }

    fn entry(&mut self, path: &Path, name: &str, depth: usize) {
        let is_link = fs::symlink_metadata(path).is_ok_and(|data| data.is_symlink());
        if is_link && !self.link_stays(path) {
            return;
        }
        if path.is_dir() {
            if depth == MAX_DEPTH {
                return self.refuse("M021", path, &format!("is more than {MAX_DEPTH} folders deep"));
            }
            self.folder(path, &format!("{name}/"), depth + 1);
        } else if TEXTS.iter().any(|end| name.ends_with(end)) {
            self.file(path, name);
        }
    }

    /// Whether a link leads to a file of this folder; anything else is refused.
    fn link_stays(&mut self, path: &Path) -> bool {
        match fs::canonicalize(path) {
            Err(error) => self.unreadable(path, &error),
            Ok(target) if !target.starts_with(&self.root) => {
                self.refuse("M022", path, &format!("is a link out of the folder, to {}", target.display()));
            }
            // A link to a folder could lead in circles.
            Ok(target) if target.is_dir() => self.refuse("M022", path, "is a link to a folder"),
            Ok(_) => return true,
        }
        false
    }

    fn file(&mut self, path: &Path, name: &str) {
        if self.files.len() == MAX_FILES {
            return self.refuse("M021", path, &format!("is one file too many (at most {MAX_FILES})"));
        }
        match fs::metadata(path) {
            Ok(data) if data.len() > MAX_BYTES => return self.refuse("M021", path, "is larger than 1 MiB"),
            Ok(data) if !data.is_file() => return self.refuse("M021", path, "is not a plain file"),
            Ok(_) => {}
            Err(error) => return self.unreadable(path, &error),
        }
        match fs::read_to_string(path) {
            Ok(text) => {
                self.files.insert(name.to_owned(), SourceFile { path: path.to_owned(), text: text.into() });
            }
            Err(error) => self.unreadable(path, &error),
        }
    }

    fn unreadable(&mut self, path: &Path, error: &std::io::Error) {
        self.refuse("M021", path, &format!("cannot be read: {error}"));
    }

    fn refuse(&mut self, code: &'static str, path: &Path, what: &str) {
        let help = match code {
            "M022" => "copy what it leads to into the folder, or remove it",
            _ => "repair the file, or take it out of the folder",
        };
        self.problems.push(Diagnostic::new(code, format!("{} {what}", path.display())).help(help));
    }
}
