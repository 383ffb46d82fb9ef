//! What ends a command early, and how it is shown.

use std::fmt;
use std::io::{self, Write};
use std::ops::Range;

use miette::{GraphicalReportHandler, GraphicalTheme, LabeledSpan, NamedSource, SourceCode};
use trencavel_host::Loaded;
use trencavel_host::diagnostic::Diagnostic;
use trencavel_rules::hooks::HookError;

/// Codes of the program itself with their explanations; those of files and scripts are the host's.
pub(crate) const CODES: &[(&str, &str)] = &[
    (
        "C001",
        "A player of the game file has a bot of a name that the program does not know. Bots are part of the program; \
         without `bot`, a random one takes the player's place where no person can answer.",
    ),
    (
        "C002",
        "The file is not a save. A save is text: a first line with the format, then lines that begin with `lock`, \
         `player`, `seed`, `start` or `stack`, then an answer a line such as `A: pass`.",
    ),
    (
        "C003",
        "An answer of the save cannot be given in the game it leads to. Either the save was changed by hand, or it was \
         played with other rules: then the differences are listed before this problem.",
    ),
    ("C005", "The game cannot begin: its players, start tiles or figures do not fit the rules."),
    (
        "C006",
        "The lock of a save cannot be read. It says exactly what the game was played with, so the save cannot be \
         played without it.",
    ),
    ("C007", "A definition inside the program cannot be read. That is a bug of the program, not of an expansion."),
    (
        "C008",
        "In the folder for expansions of this user is something that no expansion needs: what an installation that was \
         cut off has left behind, or a folder without a manifest.",
    ),
    (
        "C010",
        "A picture in the folder `art` of an expansion cannot be used. Pictures are SVG files of plain shapes with plain \
         fills and strokes in a square `viewBox`; texts, links, styles, gradients and scripts are refused.",
    ),
];

/// Whether escape codes may be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    /// Text only.
    Plain,
    /// With colours.
    Coloured,
}

/// Why a command ended early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The program was used wrongly: the fact, and what to do.
    Usage(String, String),
    /// Something was found.
    Problems(Vec<Diagnostic>),
    /// Something was found and said already.
    Found,
    /// Nobody reads any more.
    Closed,
    /// The output cannot be written.
    Output(io::Error),
}

impl Failure {
    /// Wrong use: the fact in a sentence without a full stop, and what to do.
    pub(crate) fn usage(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Usage(message.into(), help.into())
    }

    /// One problem.
    pub(crate) fn problem(problem: Diagnostic) -> Self {
        Self::Problems(vec![problem])
    }

    /// A hook that failed, with its place and the calls that led there.
    pub(crate) fn hook(error: &HookError, loaded: &Loaded) -> Self {
        Self::problem(loaded.hook_problem(error).help("repair the expansion, or leave it out with `--without`"))
    }

    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Usage(..) => 2,
            Self::Problems(_) | Self::Found | Self::Output(_) => 1,
            Self::Closed => 0,
        }
    }

    /// Shows the failure to a person.
    pub(crate) fn write(&self, to: &mut dyn Write, look: Look) -> io::Result<()> {
        match self {
            Self::Usage(message, help) => writeln!(to, "error: {message}\n  help: {help}"),
            Self::Problems(problems) => problems.iter().try_for_each(|problem| write_problem(to, problem, look)),
            Self::Output(error) => writeln!(to, "error: the output cannot be written: {error}"),
            Self::Found | Self::Closed => Ok(()),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe { Self::Closed } else { Self::Output(error) }
    }
}

/// Shows one problem with the lines it is about.
pub(crate) fn write_problem(to: &mut dyn Write, problem: &Diagnostic, look: Look) -> io::Result<()> {
    let theme = match look {
        Look::Plain => GraphicalTheme::unicode_nocolor(),
        Look::Coloured => GraphicalTheme::unicode(),
    };
    let mut text = String::new();
    let handler = GraphicalReportHandler::new_themed(theme).with_width(100).with_links(false);
    match handler.render_report(&mut text, &Shown::of(problem)) {
        Ok(()) => writeln!(to, "{}", text.trim_matches('\n')),
        // The plain form says the same.
        Err(fmt::Error) => writeln!(to, "{problem}"),
    }
}

/// A diagnostic as the report handler reads it.
#[derive(Debug)]
struct Shown<'a> {
    problem: &'a Diagnostic,
    source: Option<(NamedSource<String>, Range<usize>)>,
}

impl<'a> Shown<'a> {
    fn of(problem: &'a Diagnostic) -> Self {
        let named = |(file, span): &(trencavel_host::diagnostic::SourceFile, Range<usize>)| {
            let (text, span) = narrowed(&file.text, span);
            (NamedSource::new(file.path.display().to_string(), text), span)
        };
        Self { problem, source: problem.at.as_ref().map(named) }
    }
}

/// The most of a line that is shown, in bytes.
const WIDEST: usize = 400;

/// A text whose long lines are cut to what lies around a span, or at their beginning, with the span in it.
fn narrowed(text: &str, span: &Range<usize>) -> (String, Range<usize>) {
    if text.lines().all(|line| line.len() <= WIDEST) {
        return (text.to_owned(), span.clone());
    }
    let boundary = |at: usize| (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let (mut narrow, mut found, mut begin) = (String::new(), 0..0, 0);
    for line in text.split_inclusive('\n') {
        let end = begin + line.len();
        let first = (begin..end).contains(&span.start);
        let from = if first { boundary(span.start.saturating_sub(WIDEST / 4)).max(begin) } else { begin };
        let from = if line.len() > WIDEST { from } else { begin };
        let to = boundary(from + WIDEST).clamp(from, begin + line.trim_end_matches('\n').len());
        if first {
            let start = narrow.len() + span.start - from;
            found = start..start + span.end.min(to).saturating_sub(span.start);
        }
        narrow.push_str(&text[from..to]);
        narrow.push_str(if line.ends_with('\n') { "\n" } else { "" });
        begin = end;
    }
    if span.start >= text.len() {
        found = narrow.len()..narrow.len();
    }
    (narrow, found)
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.problem.message)
    }
}

impl std::error::Error for Shown<'_> {}

impl miette::Diagnostic for Shown<'_> {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(format!("{}[{}]", self.problem.severity(), self.problem.code)))
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.problem.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display + 'a>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.source.as_ref().map(|(source, _)| source as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let (_, span) = self.source.as_ref()?;
        Some(Box::new(std::iter::once(LabeledSpan::underline(span.clone()))))
    }
}

#[cfg(test)]
mod tests {
    use super::{WIDEST, narrowed};

    #[test]
    fn long_lines_are_cut_around_their_span() {
        let wide = format!("é{}[here]{}", "a".repeat(9000), "é".repeat(9000));
        let text = format!("first\n{wide}\n{wide}\nlast");
        let at = text.find("[here]").expect("it is there");
        let (narrow, span) = narrowed(&text, &(at..at + 6));
        assert_eq!(&narrow[span], "[here]");
        assert!(narrow.lines().all(|line| line.len() <= WIDEST), "{narrow}");
        assert_eq!(narrow.lines().count(), 4);
        let (narrow, span) = narrowed(&text, &(at..text.len()));
        assert!(narrow[span].starts_with("[here]é"));
        for span in [0..0, 0..5, 6..6, text.len()..text.len()] {
            let (narrow, found) = narrowed(&text, &span);
            assert_eq!(narrow.get(found), text.get(span));
        }
        assert_eq!(narrowed("short", &(1..3)), ("short".to_owned(), 1..3));
    }
}
