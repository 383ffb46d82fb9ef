//! Rows as Parquet: a file holds the games of one span of numbers, so a file that is there is whole and never changes.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::basic::Compression;
use parquet::column::reader::ColumnReader;
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use trencavel_play::rows::{Cell, GameRow, Kind, Record, Rows, ScoreRow};

/// Games of one file.
pub(crate) const SPAN: u64 = 10_000;
/// Rows of a row group, at most.
const GROUP: usize = 50_000;
/// Folders of the two tables.
pub(super) const TABLES: [&str; 2] = ["games", "scores"];

/// The file of a span, in the folder of its table.
pub(super) fn file(folder: &Path, table: &str, span: u64) -> PathBuf {
    folder.join(table).join(format!("part-{span:05}.parquet"))
}

/// Games of one span that are collected or were read.
pub(super) struct Part {
    games: Columns<GameRow>,
    scores: Columns<ScoreRow>,
}

impl Part {
    pub(super) fn new(players: usize) -> Self {
        Self { games: Columns::new(players), scores: Columns::new(players) }
    }

    pub(super) fn len(&self) -> usize {
        self.games.len
    }

    pub(super) fn push(&mut self, rows: &Rows) {
        self.games.push(&rows.game);
        rows.scores.iter().for_each(|row| self.scores.push(row));
    }

    /// Every game; an error if lines are missing.
    pub(super) fn rows(&self) -> impl Iterator<Item = io::Result<Rows>> + '_ {
        let mut due = 0;
        (0..self.games.len).map(move |place| {
            let missing = || io::Error::other("score lines are missing");
            let game = self.games.row(place).ok_or_else(missing)?;
            let end = due + game.score_lines as usize;
            let scores = (due..end).map(|line| self.scores.row(line).filter(|row| row.game == game.game));
            due = end;
            Ok(Rows { scores: scores.collect::<Option<_>>().ok_or_else(missing)?, game, hooks: Vec::new() })
        })
    }

    /// Writes both files of a span, score lines first. Each gets its name when it is on the disk.
    pub(super) fn write(&self, folder: &Path, span: u64) -> io::Result<()> {
        write(&file(folder, TABLES[1], span), |file| self.scores.write(file))?;
        write(&file(folder, TABLES[0], span), |file| self.games.write(file))
    }

    /// Reads both files of a span; `None` if there is none of its games.
    pub(super) fn read(folder: &Path, span: u64, players: usize) -> io::Result<Option<Self>> {
        let [games, scores] = TABLES.map(|table| file(folder, table, span));
        if !games.exists() {
            return Ok(None);
        }
        let (games, scores) = (Columns::read(&games, players)?, Columns::read(&scores, players)?);
        Ok(Some(Self { games, scores }))
    }
}

/// The games of a span alone.
pub(super) fn games(folder: &Path, span: u64, players: usize) -> io::Result<Vec<GameRow>> {
    let columns = Columns::<GameRow>::read(&file(folder, TABLES[0], span), players)?;
    let wrong = || io::Error::other("it holds other columns");
    (0..columns.len).map(|place| columns.row(place).ok_or_else(wrong)).collect()
}

/// Writes a file under another name and gives it its own when it is whole.
fn write(file: &Path, fill: impl FnOnce(&File) -> Result<(), ParquetError>) -> io::Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    let new = file.with_extension(NEW);
    let to = File::create(&new)?;
    let filled = fill(&to).map_err(|error| io::Error::other(error.to_string())).and_then(|()| to.sync_all());
    filled.and_then(|()| fs::rename(&new, file)).inspect_err(|_| {
        // It is of no use, and the disk may be full.
        let _ = fs::remove_file(&new);
    })?;
    // The name, too, is to be on the disk before the text it was made of is taken away; not every system can say so.
    let _ = file.parent().map(|folder| File::open(folder).and_then(|folder| folder.sync_all()));
    Ok(())
}

/// Ending of a file that is not whole yet.
const NEW: &str = "new";

/// Removes what a kill left of a file that was being written; true if there was something.
pub(super) fn sweep(folder: &Path) -> io::Result<bool> {
    let mut swept = false;
    for table in TABLES {
        let Ok(entries) = fs::read_dir(folder.join(table)) else { continue };
        for entry in entries {
            let path = entry?.path();
            if path.extension().is_some_and(|ending| ending == NEW) {
                fs::remove_file(path)?;
                swept = true;
            }
        }
    }
    Ok(swept)
}

/// A table column by column.
struct Columns<R> {
    columns: Vec<(String, Values)>,
    len: usize,
    record: std::marker::PhantomData<R>,
}

/// What a column holds.
enum Values {
    Int(Vec<i32>),
    Long(Vec<i64>),
    /// The bits of numbers without a sign.
    Bits(Vec<i64>),
    Real(Vec<f64>),
    Text(Words),
}

/// Words, each kept once.
#[derive(Default)]
struct Words {
    known: Vec<ByteArray>,
    at: Vec<u32>,
}

impl Words {
    fn push(&mut self, word: &[u8]) {
        let known = self.known.iter().position(|known| known.data() == word);
        let at = known.unwrap_or_else(|| {
            self.known.push(ByteArray::from(word.to_vec()));
            self.known.len() - 1
        });
        self.at.push(at as u32);
    }

    fn get(&self, place: usize) -> Option<&ByteArray> {
        self.known.get(*self.at.get(place)? as usize)
    }
}

impl Values {
    fn new(kind: Kind) -> Self {
        match kind {
            Kind::Int => Self::Int(Vec::new()),
            Kind::Long => Self::Long(Vec::new()),
            Kind::Bits => Self::Bits(Vec::new()),
            Kind::Real => Self::Real(Vec::new()),
            Kind::Text => Self::Text(Words::default()),
        }
    }

    /// How a schema calls it.
    fn words(&self) -> (&'static str, &'static str) {
        match self {
            Self::Int(_) => ("INT32", ""),
            Self::Long(_) => ("INT64", ""),
            Self::Bits(_) => ("INT64", " (INTEGER(64, false))"),
            Self::Real(_) => ("DOUBLE", ""),
            Self::Text(_) => ("BYTE_ARRAY", " (STRING)"),
        }
    }

    fn push(&mut self, cell: &Cell<'_>) {
        match (self, cell) {
            (Self::Int(values), Cell::Int(number)) => values.push(*number),
            (Self::Long(values), Cell::Long(number)) => values.push(*number),
            (Self::Bits(values), Cell::Bits(bits)) => values.push(*bits as i64),
            (Self::Real(values), Cell::Real(number)) => values.push(*number),
            (Self::Text(words), Cell::Text(text)) => words.push(text.as_bytes()),
            _ => debug_assert!(false, "{cell:?} is not of its column"),
        }
    }

    fn cell(&self, place: usize) -> Option<Cell<'_>> {
        match self {
            Self::Int(values) => values.get(place).map(|number| Cell::Int(*number)),
            Self::Long(values) => values.get(place).map(|number| Cell::Long(*number)),
            Self::Bits(values) => values.get(place).map(|bits| Cell::Bits(*bits as u64)),
            Self::Real(values) => values.get(place).map(|number| Cell::Real(*number)),
            Self::Text(words) => words.get(place)?.as_utf8().ok().map(|text| Cell::Text(text.into())),
        }
    }

    /// Writes these places as the next column of a row group.
    fn write(
        &self,
        places: std::ops::Range<usize>,
        group: &mut SerializedRowGroupWriter<'_, &File>,
    ) -> Result<(), ParquetError> {
        match self {
            Self::Int(values) => column::<Int32Type>(group, &values[places]),
            Self::Long(values) | Self::Bits(values) => column::<Int64Type>(group, &values[places]),
            Self::Real(values) => column::<DoubleType>(group, &values[places]),
            Self::Text(words) => {
                let words: Vec<ByteArray> = places.filter_map(|place| words.get(place).cloned()).collect();
                column::<ByteArrayType>(group, &words)
            }
        }
    }

    /// Reads so many rows of a column behind those that are there; false if the column is of another sort.
    fn read(&mut self, rows: usize, reader: ColumnReader) -> Result<bool, ParquetError> {
        match (self, reader) {
            (Self::Int(values), ColumnReader::Int32ColumnReader(mut reader)) => {
                reader.read_records(rows, None, None, values)?;
            }
            (Self::Long(values) | Self::Bits(values), ColumnReader::Int64ColumnReader(mut reader)) => {
                reader.read_records(rows, None, None, values)?;
            }
            (Self::Real(values), ColumnReader::DoubleColumnReader(mut reader)) => {
                reader.read_records(rows, None, None, values)?;
            }
            (Self::Text(words), ColumnReader::ByteArrayColumnReader(mut reader)) => {
                let mut read = Vec::new();
                reader.read_records(rows, None, None, &mut read)?;
                read.iter().for_each(|word| words.push(word.data()));
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}

fn column<T: DataType>(group: &mut SerializedRowGroupWriter<'_, &File>, values: &[T::T]) -> Result<(), ParquetError> {
    let Some(mut column) = group.next_column()? else { return Ok(()) };
    column.typed::<T>().write_batch(values, None, None)?;
    column.close()
}

impl<R: Record> Columns<R> {
    fn new(players: usize) -> Self {
        let columns = R::columns(players).into_iter().map(|(name, kind)| (name, Values::new(kind))).collect();
        Self { columns, len: 0, record: std::marker::PhantomData }
    }

    fn push(&mut self, row: &R) {
        self.columns.iter_mut().zip(row.cells()).for_each(|((_, values), cell)| values.push(&cell));
        self.len += 1;
    }

    fn row(&self, place: usize) -> Option<R> {
        let cells: Vec<Cell<'_>> = self.columns.iter().map(|(_, values)| values.cell(place)).collect::<Option<_>>()?;
        R::of_cells(&cells)
    }

    fn schema(&self) -> String {
        let column = |(name, values): &(String, Values)| {
            let (kind, meaning) = values.words();
            format!("REQUIRED {kind} {name}{meaning}; ")
        };
        format!("message rows {{ {}}}", self.columns.iter().map(column).collect::<String>())
    }

    fn write(&self, file: &File) -> Result<(), ParquetError> {
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
        let schema = Arc::new(parse_message_type(&self.schema())?);
        let mut writer = SerializedFileWriter::new(file, schema, Arc::new(properties))?;
        for start in (0..self.len).step_by(GROUP) {
            let mut group = writer.next_row_group()?;
            for (_, values) in &self.columns {
                values.write(start..self.len.min(start + GROUP), &mut group)?;
            }
            group.close()?;
        }
        writer.close().map(drop)
    }

    fn read(file: &Path, players: usize) -> io::Result<Self> {
        let mut columns = Self::new(players);
        let read = File::open(file).map_err(|error| error.to_string()).and_then(|open| columns.fill(open));
        read.map_err(|problem| io::Error::other(format!("{} cannot be read: {problem}", file.display())))?;
        Ok(columns)
    }

    fn fill(&mut self, file: File) -> Result<(), String> {
        let words = |error: ParquetError| error.to_string();
        let reader = SerializedFileReader::new(file).map_err(words)?;
        let found = reader.metadata().file_metadata().schema_descr();
        let names = found.columns().iter().map(|column| column.name());
        if !names.eq(self.columns.iter().map(|(name, _)| name.as_str())) {
            return Err("it holds other columns".to_owned());
        }
        for group in 0..reader.num_row_groups() {
            let group = reader.get_row_group(group).map_err(words)?;
            let rows = group.metadata().num_rows() as usize;
            for (place, (_, values)) in self.columns.iter_mut().enumerate() {
                let column = group.get_column_reader(place).map_err(words)?;
                if !values.read(rows, column).map_err(words)? {
                    return Err("it holds other columns".to_owned());
                }
            }
            self.len += rows;
        }
        Ok(())
    }
}
