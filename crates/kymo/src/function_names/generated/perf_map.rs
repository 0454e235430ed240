//! Perf maps: `/tmp/perf-PID.map`, in which a program writes about the code that it has generated.
//!
//! ```text
//! 7f3a10c0 4f JS:~foo /a/file.js:12:3
//! begin    size name, both numbers in hexadecimal digits
//! ```
//!
//! A map has no times. Invariants: a line without its end, as a killed program leaves it, is not
//! used; the memory that is needed does not depend on the file.

use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

use super::history::{AddressHistory, HistoryIsFull};
use super::readable;

/// The longest line that is read, in bytes. Of longer ones only the begin counts.
const LONGEST: u64 = 1 << 16;
/// The size of a file that is read, at most.
const LARGEST: u64 = 1 << 32;

/// The lines of a process in a perf map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MapPart {
    /// The size of the map at the begin of the process. The part before it was written by another
    /// process, unless this one has written the file anew.
    pub(super) begin: u64,
    pub(super) end: u64,
}

/// Reads the functions at the addresses of `history`. Returns the first fault of the file, if it
/// has one.
pub(super) fn read(
    mut file: impl Read + Seek,
    part: MapPart,
    history: &mut AddressHistory,
) -> io::Result<Option<String>> {
    let mut offset = first_line(&mut file, part.begin)?;
    let end = part.end.min(LARGEST);
    let mut reader = BufReader::new(file.take(end.saturating_sub(offset)));
    let (mut line, mut fault) = (Vec::new(), None);
    while let Some(length) = next_line(&mut reader, &mut line)? {
        let wrong = match MapLine::of(&line) {
            Some(function) => {
                function.put(history).err().map(|HistoryIsFull| "more names than there is room for")
            }
            None => Some("a line that is not \"BEGIN SIZE NAME\" with hexadecimal numbers"),
        };
        let is_full = wrong.is_some_and(|what| what.starts_with("more"));
        fault = fault.or_else(|| wrong.map(|what| format!("at offset {offset}: {what}")));
        if is_full {
            break;
        }
        offset += length;
    }
    Ok(fault)
}

/// Moves to the first line at an offset or, if no line begins there, to the begin of the file.
/// Returns the offset of that line.
fn first_line(file: &mut (impl Read + Seek), offset: u64) -> io::Result<u64> {
    let mut before = [0];
    if let Some(last) = offset.checked_sub(1) {
        file.seek(SeekFrom::Start(last))?;
        if file.read(&mut before)? == 1 && before == *b"\n" {
            return Ok(offset);
        }
    }
    file.seek(SeekFrom::Start(0))
}

/// Reads a line without its end. Returns its length in the file; `None` after the last whole one.
fn next_line(reader: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<Option<u64>> {
    line.clear();
    let mut length = reader.take(LONGEST).read_until(b'\n', line)? as u64;
    if line.pop_if(|last| *last == b'\n').is_some() {
        return Ok(Some(length));
    }
    // The rest of a long line.
    while length >= LONGEST {
        let part = reader.fill_buf()?;
        let end = part.iter().position(|&byte| byte == b'\n');
        let used = end.map_or(part.len(), |at| at + 1);
        reader.consume(used);
        length += used as u64;
        if end.is_some() {
            return Ok(Some(length));
        }
        if used == 0 {
            break;
        }
    }
    Ok(None)
}

/// A line of a perf map.
#[derive(Debug, PartialEq, Eq)]
struct MapLine<'a> {
    begin: u64,
    size: u64,
    name: &'a [u8],
}

impl<'a> MapLine<'a> {
    fn of(line: &'a [u8]) -> Option<Self> {
        let (begin, rest) = word(line)?;
        let (size, name) = word(rest)?;
        let name = name.trim_ascii();
        (!name.is_empty()).then_some(Self { begin: number(begin)?, size: number(size)?, name })
    }

    fn put(&self, history: &mut AddressHistory) -> Result<(), HistoryIsFull> {
        if !history.covers(self.begin, self.size) {
            return Ok(());
        }
        let number = history.number(readable::function(&String::from_utf8_lossy(self.name)))?;
        history.begin((self.begin, self.size), 0, number, |_| 0)
    }
}

/// Returns the parts before and after the first space.
fn word(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = text.iter().position(|&byte| byte == b' ')?;
    Some((text.get(..at)?, text.get(at + 1..)?))
}

fn number(digits: &[u8]) -> Option<u64> {
    let digits = digits.strip_prefix(b"0x").unwrap_or(digits);
    let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_hexdigit);
    u64::from_str_radix(str::from_utf8(digits).ok().filter(|_| is_number)?, 16).ok()
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::super::history::{AddressFact, LATE};
    use super::*;

    const ALL: MapPart = MapPart { begin: 0, end: u64::MAX };
    const ADDRESSES: [u64; 4] = [0x1000, 0x1004, 0x100f, 0x2000];

    fn read_part(text: &[u8], part: MapPart) -> (Vec<String>, Option<String>) {
        let mut history = AddressHistory::of(&ADDRESSES, LATE);
        let fault = read(Cursor::new(text), part, &mut history).expect("no failure");
        let shown = ADDRESSES.map(|address| match history.at(address, None) {
            AddressFact::Unknown => "-".to_owned(),
            AddressFact::Ambiguous => "?".to_owned(),
            AddressFact::Function(frame) => frame.function.name,
        });
        (shown.to_vec(), fault)
    }

    #[track_caller]
    fn has_names(text: &[u8], names: [&str; 4]) {
        assert_eq!(read_part(text, ALL), (names.map(str::to_owned).to_vec(), None));
    }

    #[test]
    fn addresses_have_the_names_of_the_lines_around_them() {
        has_names(b"1000 10 one two\n2000 1 py::f:x.py\n", ["one two", "one two", "one two", "f"]);
        has_names(b"0x1004 0xb a\n", ["-", "a", "-", "-"]);
        has_names(b"", ["-"; 4]);
    }

    #[test]
    fn an_address_with_several_names_has_none() {
        has_names(b"1000 10 old\n1004 4 new\n2000 1 b\n2000 8 b\n", ["old", "?", "old", "b"]);
    }

    #[test]
    fn a_line_without_its_end_is_not_used() {
        has_names(b"1000 10 a\n2000 10 cut o", ["a", "a", "a", "-"]);
    }

    #[test]
    fn a_line_that_is_none_is_left_out_and_named() {
        let texts: [&[u8]; 8] = [
            b"x 1 a",
            b"1000 x a",
            b"1000 10",
            b"1000 10 ",
            b"1000",
            b"",
            b"-1 1 a",
            b"11112222333344445 1 a",
        ];
        for wrong in texts {
            let text = [b"2000 1 a\n", wrong, b"\n1000 1 b\n"].concat();
            let (names, fault) = read_part(&text, ALL);
            assert_eq!(names, ["b", "-", "-", "a"], "{wrong:?}");
            assert!(fault.is_some_and(|it| it.starts_with("at offset 9: a line that is not")), "{wrong:?}");
        }
    }

    #[test]
    fn lines_of_another_process_at_the_begin_are_left_out_while_they_are_there() {
        let text = b"1000 10 old\n2000 1 new\n";
        let names = |begin, end| read_part(text, MapPart { begin, end }).0;
        assert_eq!(names(12, u64::MAX), ["-", "-", "-", "new"]);
        // The file was written anew.
        assert_eq!(names(11, u64::MAX), ["old", "old", "old", "new"]);
        assert_eq!(names(1000, u64::MAX), ["old", "old", "old", "new"]);
        // Another process continued.
        assert_eq!(names(0, 12), ["old", "old", "old", "-"]);
        assert_eq!(names(0, 20), ["old", "old", "old", "-"]);
    }

    #[test]
    fn of_a_long_line_the_begin_counts() {
        let text = [b"1000 10 ".as_slice(), &[b'a'; 3 << 16], b"\n2000 10 b\n"].concat();
        let (names, fault) = read_part(&text, ALL);
        assert_eq!((names[0].len(), &*names[3], fault), ((1 << 16) - 8, "b", None));
        let text = [b"1000 10 ".as_slice(), &[b'a'; 3 << 16]].concat();
        assert_eq!(read_part(&text, ALL), (vec!["-".to_owned(); 4], None));
    }

    #[test]
    fn changed_bytes_are_never_more_than_a_wrong_line() {
        let text = b"1000 10 a\n1004 4 JS:~f /x.js:1:2\n2000 ffffffffffffffff py::f:g\n";
        for at in 0..text.len() {
            for value in 0..=u8::MAX {
                let mut changed = text.to_vec();
                changed[at] = value;
                read_part(&changed, ALL);
            }
            read_part(&text[..at], ALL);
        }
    }
}
