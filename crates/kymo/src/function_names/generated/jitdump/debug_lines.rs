//! The lines of one function in a jitdump.
//!
//! Invariant: an instruction has a line only if the addresses of the lines begin with that of the
//! code. V8 adds the size of the header of a file in which other profilers put the code.

use kymo_symbols::Function;

use super::dump_fields::DumpFields;

/// The name that stands for the file of the entry before.
const SAME: &[u8] = b"\xff";

/// A line from an address on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct CodeLine {
    address: u64,
    line: u32,
    /// The number of the file.
    file: usize,
}

/// The lines of a function.
#[derive(Debug, Default)]
pub(super) struct CodeLines {
    lines: Vec<CodeLine>,
    files: Vec<String>,
}

impl CodeLines {
    /// Reads the entries of a record.
    pub(super) fn of(entries: &[u8], is_swapped: bool) -> Self {
        let mut fields = DumpFields::new(entries, is_swapped);
        let mut this = Self::default();
        while this.add(&mut fields).is_some() {}
        this
    }

    fn add(&mut self, fields: &mut DumpFields<'_>) -> Option<()> {
        let (address, line, _) = (fields.u64()?, fields.u32()?, fields.u32()?);
        let file = fields.text()?;
        if file != SAME {
            let file = String::from_utf8_lossy(file);
            let file = file.strip_prefix("file://").unwrap_or(&file);
            if self.files.last().is_none_or(|last| last != file) {
                self.files.push(file.to_owned());
            }
        }
        let file = self.files.len().checked_sub(1)?;
        self.lines.push(CodeLine { address, line, file });
        Some(())
    }

    /// Adds the file and the line of the first entry to a function that lacks them.
    pub(super) fn complete(&self, function: &mut Function) {
        let Some(first) = self.lines.first() else { return };
        let file = self.files.get(first.file).filter(|file| !file.is_empty());
        let is_same = function.file.is_none() || function.file.as_ref() == file;
        if is_same && function.line == 0 {
            function.file = function.file.take().or_else(|| file.cloned());
            function.line = if function.file.is_some() { first.line } else { 0 };
        }
    }

    /// Returns the lines of instructions that are in this file, sorted by address.
    pub(super) fn in_file(mut self, code: u64, file: Option<&str>) -> Option<Self> {
        let file = file.and_then(|file| self.files.iter().position(|it| it == file))?;
        if self.lines.first()?.address != code {
            return None;
        }
        self.lines.sort_by_key(|line| line.address);
        let files = &self.files;
        let is_same = |number: usize| files.get(number) == files.get(file);
        for line in &mut self.lines {
            // That of another file, inlined into the function.
            if !is_same(line.file) {
                line.line = 0;
            }
        }
        Some(self)
    }

    /// Returns the line of an instruction; 0 if it is unknown.
    pub(super) fn line(&self, address: u64) -> u32 {
        let after = self.lines.partition_point(|line| line.address <= address);
        after.checked_sub(1).and_then(|at| self.lines.get(at)).map_or(0, |line| line.line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(all: &[(u64, u32, &[u8])]) -> Vec<u8> {
        let entry = |&(address, line, file): &(u64, u32, &[u8])| {
            [&address.to_ne_bytes()[..], &line.to_ne_bytes(), &0_u32.to_ne_bytes(), file, b"\0"].concat()
        };
        all.iter().flat_map(entry).collect()
    }

    fn function(file: Option<&str>, line: u32) -> Function {
        Function { name: "f".into(), mangled: "f".into(), file: file.map(Into::into), line }
    }

    #[test]
    fn an_instruction_has_the_line_of_the_last_entry_before_it() {
        let bytes = entries(&[(100, 7, b"/a.c"), (104, 8, SAME), (108, 90, b"/b.h"), (112, 9, b"/a.c")]);
        let lines = CodeLines::of(&bytes, false).in_file(100, Some("/a.c")).expect("lines");
        assert_eq!([99, 100, 103, 104, 109, 200].map(|at| lines.line(at)), [0, 7, 7, 8, 0, 9]);
    }

    #[test]
    fn entries_with_other_addresses_than_the_code_give_no_instruction_a_line() {
        let bytes = entries(&[(164, 7, b"/a.c")]);
        assert!(CodeLines::of(&bytes, false).in_file(100, Some("/a.c")).is_none());
        assert!(CodeLines::of(&bytes, false).in_file(164, Some("/b.c")).is_none());
        assert!(CodeLines::of(&bytes, false).in_file(164, None).is_none());
    }

    #[test]
    fn a_function_without_a_place_has_that_of_the_first_entry() {
        let completed = |file, line, bytes: &[u8]| {
            let mut function = function(file, line);
            CodeLines::of(bytes, false).complete(&mut function);
            (function.file.unwrap_or_default(), function.line)
        };
        let bytes = entries(&[(100, 7, b"file:///a.c"), (104, 8, SAME)]);
        assert_eq!(completed(None, 0, &bytes), ("/a.c".into(), 7));
        assert_eq!(completed(Some("/a.c"), 0, &bytes), ("/a.c".into(), 7));
        assert_eq!(completed(Some("/a.c"), 3, &bytes), ("/a.c".into(), 3));
        assert_eq!(completed(Some("/b.c"), 0, &bytes), ("/b.c".into(), 0));
        // Cut off, and without a file.
        assert_eq!(completed(None, 0, &bytes[..20]), (String::new(), 0));
        assert_eq!(completed(None, 0, &entries(&[(100, 7, b"")])), (String::new(), 0));
        assert_eq!(completed(None, 0, &entries(&[(100, 7, SAME)])), (String::new(), 0));
    }
}
