//! Rows as cells: one list of columns for every format they are written in.

use std::borrow::Cow;
use std::fmt::Write;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Whole numbers of 32 bits.
    Int,
    /// Whole numbers of 64 bits.
    Long,
    /// Seeds and hashes: 64 bits without a sign.
    Bits,
    /// Fractions.
    Real,
    /// Words.
    Text,
}

/// A value of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell<'a> {
    /// Of [`Kind::Int`].
    Int(i32),
    /// Of [`Kind::Long`].
    Long(i64),
    /// Of [`Kind::Bits`].
    Bits(u64),
    /// Of [`Kind::Real`].
    Real(f64),
    /// Of [`Kind::Text`].
    Text(Cow<'a, str>),
}

/// A row of a table.
pub trait Record: Sized {
    /// The columns of a table of games with so many players.
    fn columns(players: usize) -> Vec<(String, Kind)>;

    /// A cell for each column.
    fn cells(&self) -> Vec<Cell<'_>>;

    /// The row of these cells; `None` if they are not of its columns.
    fn of_cells(cells: &[Cell<'_>]) -> Option<Self>;

    /// The row with its end of line. No cell holds a comma: words are ids.
    fn csv(&self) -> String {
        let mut text = String::new();
        self.write_csv(&mut text);
        text
    }

    /// Appends what [`Record::csv`] gives.
    fn write_csv(&self, text: &mut String) {
        for (place, cell) in self.cells().iter().enumerate() {
            if place > 0 {
                text.push(',');
            }
            cell.write_csv(text);
        }
        text.push('\n');
    }

    /// Reads what [`Record::csv`] gave, for the same number of players.
    fn parse(line: &str, players: usize) -> Option<Self> {
        let (columns, words) = (Self::columns(players), line.strip_suffix('\n')?.split(','));
        let cells: Vec<Cell<'_>> =
            words.zip(&columns).map(|(word, (_, kind))| Cell::parse(word, *kind)).collect::<Option<_>>()?;
        (line.matches(',').count() + 1 == columns.len()).then(|| Self::of_cells(&cells))?
    }

    /// The first line of a table.
    fn csv_header(players: usize) -> String {
        let names: Vec<String> = Self::columns(players).into_iter().map(|(name, _)| name).collect();
        names.join(",") + "\n"
    }
}

impl<'a> Cell<'a> {
    fn write_csv(&self, text: &mut String) {
        // Writing to a text does not fail.
        let _ = match self {
            Self::Int(number) => write!(text, "{number}"),
            Self::Long(number) => write!(text, "{number}"),
            Self::Bits(bits) => write!(text, "{bits}"),
            Self::Real(number) => write!(text, "{number:.4}"),
            Self::Text(word) => text.write_str(word),
        };
    }

    fn parse(word: &'a str, kind: Kind) -> Option<Self> {
        match kind {
            Kind::Int => word.parse().ok().map(Self::Int),
            Kind::Long => word.parse().ok().map(Self::Long),
            Kind::Bits => word.parse().ok().map(Self::Bits),
            Kind::Real => word.parse().ok().map(Self::Real),
            Kind::Text => Some(Self::Text(Cow::Borrowed(word))),
        }
    }

    /// A number that is never below 0.
    pub(super) fn count(&self) -> Option<u32> {
        match self {
            Self::Int(number) => u32::try_from(*number).ok(),
            _ => None,
        }
    }
}
