//! CSV: a file per dataset, RFC 4180, with a heading and empty fields for missing values.
//!
//! Spreadsheets run cells that begin like a formula. A text of a trace that does gets an apostrophe
//! before it.
//!
//! Parts are files of their own until all are complete, and are then joined in their order.

use crate::dataset::{Batch, Cells, ColumnKind, Dataset};
use crate::error::Error;
use crate::names::Names;
use crate::sink::{Format, Sink};
use std::borrow::Cow;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Writes CSV files to a folder.
#[derive(Debug)]
pub struct CsvFolder<'n> {
    folder: PathBuf,
    names: &'n Names,
}

impl<'n> CsvFolder<'n> {
    /// Writes to a folder that exists.
    pub fn new(folder: &Path, names: &'n Names) -> Self {
        Self { folder: folder.to_owned(), names }
    }

    fn part(&self, dataset: &Dataset, part: usize) -> PathBuf {
        self.folder.join(format!("{}.{part}", dataset.name))
    }
}

impl Format for CsvFolder<'_> {
    fn open<'f>(&'f self, dataset: &'static Dataset, part: usize) -> Result<Box<dyn Sink + 'f>, Error> {
        let path = self.part(dataset, part);
        let file = File::create(&path).map_err(|error| Error::write(&path, error))?;
        let file = BufWriter::with_capacity(1 << 16, file);
        Ok(Box::new(CsvFile { path, file, names: self.names, line: Vec::new() }))
    }

    fn finish(&self, dataset: &'static Dataset, parts: usize) -> Result<(), Error> {
        let path = self.folder.join(dataset.name).with_extension("csv");
        let heading: Vec<_> = dataset.columns.iter().map(|column| column.name).collect();
        let mut file = File::create(&path).map_err(|error| Error::write(&path, error))?;
        writeln!(file, "{}", heading.join(",")).map_err(|error| Error::write(&path, error))?;
        for part in (0..parts).map(|part| self.part(dataset, part)) {
            match File::open(&part) {
                Ok(mut part) => {
                    io::copy(&mut part, &mut file).map_err(|error| Error::write(&path, error))?;
                }
                // Parts without rows have no file.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(Error::write(&part, error)),
            }
            fs::remove_file(&part).map_err(|error| Error::write(&part, error))?;
        }
        Ok(())
    }
}

struct CsvFile<'n> {
    path: PathBuf,
    file: BufWriter<File>,
    names: &'n Names,
    /// Rows before they are written.
    line: Vec<u8>,
}

impl CsvFile<'_> {
    fn cell(&mut self, cells: &Cells, kind: ColumnKind, row: usize) {
        match cells {
            Cells::Integers(cells) => self.integer(cells[row]),
            Cells::Optional(cells) => {
                if let Some(number) = cells[row] {
                    self.integer(number);
                }
            }
            Cells::Doubles(cells) => {
                if let Some(number) = cells[row] {
                    let _ = write!(self.line, "{number}");
                }
            }
            Cells::Names(cells) => {
                if let (Some(place), ColumnKind::Name(list)) = (cells[row], kind) {
                    let names = self.names;
                    self.text(names.list(list).get(place as usize).map_or("", String::as_str));
                }
            }
            Cells::Texts(cells) => {
                if let Some(text) = &cells[row] {
                    self.text(text);
                }
            }
            // CSV has all columns.
            Cells::Unwanted => {}
        }
    }

    fn integer(&mut self, number: i64) {
        let mut digits = [0_u8; 20];
        let (mut place, mut rest) = (digits.len(), number.unsigned_abs());
        loop {
            place -= 1;
            digits[place] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        if number < 0 {
            self.line.push(b'-');
        }
        self.line.extend_from_slice(&digits[place..]);
    }

    /// Writes a text, in quotes if it needs them. An empty text is quoted, because an empty field
    /// is a missing one.
    fn text(&mut self, text: &str) {
        let is_plain = |byte: u8| !matches!(byte, b'"' | b',' | b'\n' | b'\r' | b' ');
        let text = &*harmless(text);
        if !text.is_empty() && text.bytes().all(is_plain) {
            return self.line.extend_from_slice(text.as_bytes());
        }
        self.line.push(b'"');
        for byte in text.bytes() {
            if byte == b'"' {
                self.line.push(b'"');
            }
            self.line.push(byte);
        }
        self.line.push(b'"');
    }
}

/// Returns a text with an apostrophe before it if a spreadsheet could take it for a formula.
pub fn harmless(text: &str) -> Cow<'_, str> {
    match text.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        true => Cow::Owned(format!("'{text}")),
        false => Cow::Borrowed(text),
    }
}

impl Sink for CsvFile<'_> {
    fn write(&mut self, batch: &mut Batch) -> Result<(), Error> {
        for row in 0..batch.rows {
            for (place, (cells, column)) in batch.cells.iter().zip(batch.dataset.columns).enumerate() {
                if place > 0 {
                    self.line.push(b',');
                }
                self.cell(cells, column.kind, row);
            }
            self.line.push(b'\n');
        }
        let written = self.file.write_all(&self.line).map_err(|error| Error::write(&self.path, error));
        self.line.clear();
        written
    }

    fn finish(mut self: Box<Self>) -> Result<(), Error> {
        self.file.flush().map_err(|error| Error::write(&self.path, error))
    }
}

/// Spreadsheets ran the names of regions.
#[test]
fn texts_that_begin_like_a_formula_get_an_apostrophe() {
    for text in ["=1+1", "+1", "-1", "@SUM(1)", "\t=1", "\r=1"] {
        assert_eq!(harmless(text), format!("'{text}"));
    }
    for text in ["", "main", "a=b", "'=1", "!$omp parallel @a.c:1", "operator+"] {
        assert_eq!(harmless(text), text);
    }
}
