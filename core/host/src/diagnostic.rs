//! Problems a person can act on: what, where, and what to do.

use std::fmt;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

/// A text file as it was read, kept so that a message can show the line it speaks of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// As the user would name it.
    pub path: PathBuf,
    /// The whole text.
    pub text: Arc<str>,
}

/// One problem, with a stable code that `trencavel explain CODE` explains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// `M` manifests, `G` game files, `T` tiles, `D` declarations, `L` scripts, `N` native libraries, `W` warnings;
    /// three digits.
    pub code: &'static str,
    /// The fact, in one sentence without a full stop.
    pub message: String,
    /// The file it is about and the bytes of it, if any.
    pub at: Option<(SourceFile, Range<usize>)>,
    /// What to do.
    pub help: Option<String>,
    /// The calls of a script that led there, innermost first.
    pub traceback: Vec<String>,
}

impl Diagnostic {
    /// A problem that is not (yet) tied to a place.
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        let message = shortened(message.into());
        Self { code, message, at: None, help: None, traceback: Vec::new() }
    }

    /// The same problem at bytes `span` of `file`.
    #[must_use]
    pub fn at(mut self, file: &SourceFile, span: Range<usize>) -> Self {
        self.at = Some((file.clone(), span));
        self
    }

    /// The same problem at a 1-based line of `file`.
    #[must_use]
    pub fn at_line(self, file: &SourceFile, line: u32) -> Self {
        let start: usize = file.text.split_inclusive('\n').take(line.saturating_sub(1) as usize).map(str::len).sum();
        let length = file.text[start..].lines().next().map_or(0, str::len);
        self.at(file, start..start + length)
    }

    /// The same problem with advice.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// `warning` for what `trencavel check` advises, whose codes begin with `W`; else `error`.
    pub fn severity(&self) -> &'static str {
        if self.code.starts_with('W') { "warning" } else { "error" }
    }

    /// 1-based line of the place, if it has one.
    pub fn line(&self) -> Option<usize> {
        let (file, span) = self.at.as_ref()?;
        Some(file.text[..span.start.min(file.text.len())].matches('\n').count() + 1)
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]: {}", self.severity(), self.code, self.message)?;
        if let Some((file, _)) = &self.at {
            write!(f, "\n  {}:{}", file.path.display(), self.line().unwrap_or(1))?;
        }
        self.traceback.iter().try_for_each(|call| write!(f, "\n    {call}"))?;
        if let Some(help) = &self.help {
            write!(f, "\n  help: {help}")?;
        }
        Ok(())
    }
}

/// No sentence is longer; what is has a text of a stranger in it.
const LONGEST: usize = 2000;

/// The beginning of a text that is too long to be read.
fn shortened(mut text: String) -> String {
    if text.len() > LONGEST {
        let end = (0..=LONGEST).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
        text.truncate(end);
        text.push('…');
    }
    text
}

/// Longer words are no slips of the keyboard.
const LONGEST_WORD: usize = 100;

/// The name among `known` nearest to `word`, if one is near enough to be a slip of the
/// keyboard.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > LONGEST_WORD {
        return None;
    }
    let limit = (word.chars().count() / 3).max(1) + 1;
    known.into_iter().map(|name| (distance(word, name), name)).filter(|(d, _)| *d <= limit).min().map(|(_, name)| name)
}

/// Insertions, deletions, changes and swaps of neighbours that turn `a` into `b`.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[i][j] = if i == 0 || j == 0 {
                i.max(j)
            } else {
                let change = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                let swap = if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    rows[i - 2][j - 2] + 1
                } else {
                    usize::MAX
                };
                change.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1).min(swap)
            };
        }
    }
    rows[a.len()][b.len()]
}
