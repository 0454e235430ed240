//! Reads a seal word by word, so that memory does not grow with the seal.

use std::{fmt, io, io::BufRead};

use kymo_otf2::FileName;

use super::{BLOCK, END, HEADER, file};

/// The maximum length of a word in a seal.
const LONGEST: usize = 64;

/// The reason why a seal cannot be read further.
#[derive(Debug)]
pub enum Fault {
    /// The storage failed.
    Io(io::Error),
    /// The expected content is missing at this offset.
    Expected(u64, &'static str),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Expected(_, what) => write!(f, "expected {what}"),
        }
    }
}

impl std::error::Error for Fault {}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// A seal that is being read.
#[derive(Debug)]
pub struct SealReader<R> {
    from: R,
    offset: u64,
    /// The checksum of all bytes so far.
    sum: crc32fast::Hasher,
    files: u64,
    /// The number of the current file's checksums that remain to be read.
    left: u64,
}

impl<R: BufRead> SealReader<R> {
    /// Starts reading a seal, including its first line.
    pub fn new(from: R) -> Result<Self, Fault> {
        let mut reader = Self { from, offset: 0, sum: crc32fast::Hasher::new(), files: 0, left: 0 };
        for expected in HEADER.trim_end().split(' ') {
            let end = if HEADER.ends_with(&format!("{expected}\n")) { b'\n' } else { b' ' };
            let (at, (word, terminator)) = (reader.offset, reader.word()?);
            if word != expected || terminator != end {
                return Err(Fault::Expected(at, "the first line of a seal"));
            }
        }
        Ok(reader)
    }

    /// Returns the next file and its length. All checksums of the previous file must have been
    /// read. Returns `None` at the end of a complete seal.
    pub fn file(&mut self) -> Result<Option<(FileName, u64)>, Fault> {
        let (at, sum) = (self.offset, self.sum.clone());
        let (name, terminator) = self.word()?;
        let is_inside = terminator == b' ' && self.left == 0;
        if name == END && is_inside {
            return self.end(sum).map(|()| None);
        }
        let file = file(&name).filter(|_| is_inside).ok_or(Fault::Expected(at, "the name of a file"))?;
        let (length, terminator) = self.number("the length of a file")?;
        self.left = length.div_ceil(BLOCK as u64);
        self.line_ends(terminator)?;
        self.files += 1;
        Ok(Some((file, length)))
    }

    /// Returns the checksum of the file's next block of 64 KiB, or of the shorter last one.
    pub fn sum(&mut self) -> Result<u32, Fault> {
        let at = self.offset;
        let (word, terminator) = self.word()?;
        let sum = hexadecimal(&word).filter(|_| self.left > 0).ok_or(Fault::Expected(at, "a checksum"))?;
        self.left -= 1;
        self.line_ends(terminator)?;
        Ok(sum)
    }

    /// Checks that the line ends if and only if no checksum is left.
    fn line_ends(&self, terminator: u8) -> Result<(), Fault> {
        match (terminator == b'\n') == (self.left == 0) {
            true => Ok(()),
            false => Err(Fault::Expected(self.offset, "as many checksums as the file has blocks")),
        }
    }

    fn end(&mut self, before: crc32fast::Hasher) -> Result<(), Fault> {
        let (files, terminator) = self.number("the number of files")?;
        let at = self.offset;
        let (word, last) = self.word()?;
        let is_whole = files == self.files
            && terminator == b' '
            && last == b'\n'
            && hexadecimal(&word) == Some(before.finalize());
        match is_whole && self.from.fill_buf()?.is_empty() {
            true => Ok(()),
            false => Err(Fault::Expected(at, "a matching checksum of the seal")),
        }
    }

    fn number(&mut self, what: &'static str) -> Result<(u64, u8), Fault> {
        let at = self.offset;
        let (word, terminator) = self.word()?;
        let number = word.parse::<u64>().ok().filter(|number| number.to_string() == word);
        Ok((number.ok_or(Fault::Expected(at, what))?, terminator))
    }

    /// Returns the next word, and the space or line feed that follows it.
    fn word(&mut self) -> Result<(String, u8), Fault> {
        let at = self.offset;
        let mut word = String::new();
        loop {
            let &byte =
                self.from.fill_buf()?.first().ok_or(Fault::Expected(self.offset, "more of the seal"))?;
            self.from.consume(1);
            self.sum.update(&[byte]);
            self.offset += 1;
            match byte {
                b' ' | b'\n' => return Ok((word, byte)),
                0x21..=0x7e if word.len() < LONGEST => word.push(char::from(byte)),
                _ => return Err(Fault::Expected(at, "a word")),
            }
        }
    }
}

fn hexadecimal(word: &str) -> Option<u32> {
    let is_one = word.len() == 8 && word.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    is_one.then(|| u32::from_str_radix(word, 16).ok())?
}
