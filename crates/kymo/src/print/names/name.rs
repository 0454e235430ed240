//! Names of definitions: strings of the archive, some of them composed. The bytes are not
//! copied, so a long string that many definitions use costs nothing.

use super::super::number;
use super::super::output::keep_on_line;

/// The name of a definition.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) enum Name<'a> {
    /// The definition has no name, or its string is missing.
    #[default]
    None,
    /// A string.
    Text(&'a [u8]),
    /// The class and the name of a system tree node: `class::name`.
    Node(&'a [u8], &'a [u8]),
    /// A file or directory: `file://name`.
    File(&'static str, &'a [u8]),
    /// An I/O handle without a name of its own: `[paradigm]` and the file.
    Handle(&'a [u8], &'static str, &'a [u8]),
    /// A line of a file: `file:12`.
    Line(&'a [u8], u32),
    /// A region that was called from a line: `region@file:12`, the file without its folders.
    Call(&'a [u8], &'a [u8], u32),
}

impl<'a> Name<'a> {
    /// Creates a name from a string that may be missing.
    pub(crate) fn text(string: Option<&'a [u8]>) -> Self {
        string.map_or(Name::None, Name::Text)
    }

    /// Appends the name. Returns whether there is one.
    pub(crate) fn write(&self, out: &mut Vec<u8>) -> bool {
        let start = out.len();
        match *self {
            Name::None => return false,
            Name::Text(text) => out.extend_from_slice(text),
            Name::Node(class, name) => join(out, &[class, b"::", name]),
            Name::File(scheme, name) => join(out, &[scheme.as_bytes(), name]),
            Name::Handle(paradigm, scheme, name) => {
                join(out, &[b"[", paradigm, b"]", scheme.as_bytes(), name])
            }
            Name::Line(file, line) => write_line(out, file, line),
            Name::Call(region, file, line) => {
                join(out, &[region, b"@"]);
                let folders = file.iter().rposition(|&byte| byte == b'/').map_or(0, |slash| slash + 1);
                write_line(out, &file[folders..], line);
            }
        }
        keep_on_line(out, start);
        true
    }

    /// Returns the length in bytes, or a few more.
    fn length(&self) -> usize {
        match self {
            Name::None => 0,
            Name::Text(text) => text.len(),
            Name::Node(first, second) | Name::Call(first, second, _) => first.len() + second.len() + 13,
            Name::File(scheme, name) => scheme.len() + name.len(),
            Name::Handle(paradigm, scheme, name) => paradigm.len() + scheme.len() + name.len() + 2,
            Name::Line(file, _) => file.len() + 12,
        }
    }
}

fn join(out: &mut Vec<u8>, parts: &[&[u8]]) {
    parts.iter().for_each(|part| out.extend_from_slice(part));
}

/// The reference tool prints lines as signed numbers and reserves space for ten characters.
fn write_line(out: &mut Vec<u8>, file: &[u8], line: u32) {
    join(out, &[file, b":"]);
    let start = out.len();
    number::signed(out, (line as i32).into());
    out.truncate(start + 10);
}

/// The longest name that is prepared in advance. The memory for this is limited by the number of
/// definitions.
const READY: usize = 128;

/// A name as references to it are printed: `"name" <id>`, or only the id.
#[derive(Debug, Default)]
pub(crate) struct Named<'a> {
    /// The name without the id.
    pub(crate) name: Name<'a>,
    id: u64,
    /// The whole text and the end of the line, unless it is long, padded to whole blocks.
    ready: Box<[[u8; BLOCK]]>,
    /// The length of the text.
    length: usize,
}

/// The number of bytes copied in one step. A copy of a fixed length is faster than one of the exact
/// length.
const BLOCK: usize = 32;

impl<'a> Named<'a> {
    /// Creates the name of the definition with this id.
    pub(crate) fn new(name: Name<'a>, id: u64) -> Self {
        let mut named = Named { name, id, ready: Box::default(), length: 0 };
        if name.length() <= READY {
            let mut text = Vec::with_capacity(name.length() + 26 + BLOCK);
            named.compose(&mut text);
            named.length = text.len();
            text.push(b'\n');
            text.resize(text.len().next_multiple_of(BLOCK), 0);
            let blocks = text.chunks(BLOCK).filter_map(|block| block.try_into().ok());
            named.ready = blocks.collect();
        }
        named
    }

    /// Appends the text.
    #[inline]
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        self.write_blocks(out, self.length);
    }

    /// Appends the text and the end of the line.
    #[inline]
    pub(crate) fn write_last(&self, out: &mut Vec<u8>) {
        self.write_blocks(out, self.length + 1);
        if self.ready.is_empty() {
            out.push(b'\n');
        }
    }

    /// Appends this many bytes of the blocks, or the text if there are none.
    #[inline]
    fn write_blocks(&self, out: &mut Vec<u8>, length: usize) {
        if self.ready.is_empty() {
            return self.compose(out);
        }
        let start = out.len();
        self.ready.iter().for_each(|block| out.extend_from_slice(block));
        out.truncate(start + length);
    }

    #[cold]
    fn compose(&self, out: &mut Vec<u8>) {
        let start = out.len();
        out.push(b'"');
        if !self.name.write(out) {
            out.truncate(start);
            return match self.id {
                u64::MAX => out.extend_from_slice(b"UNDEFINED"),
                id => number::unsigned(out, id),
            };
        }
        out.extend_from_slice(b"\" <");
        number::unsigned(out, self.id);
        out.push(b'>');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(name: Name<'_>) -> String {
        let mut out = Vec::new();
        Named::new(name, 7).write(&mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn names_are_composed() {
        assert_eq!(text(Name::None), "7");
        assert_eq!(text(Name::Text(b"main")), "\"main\" <7>");
        assert_eq!(text(Name::Node(b"node", b"n1")), "\"node::n1\" <7>");
        assert_eq!(text(Name::File("file://", b"/tmp/x")), "\"file:///tmp/x\" <7>");
        assert_eq!(text(Name::Handle(b"POSIX", "file://", b"x")), "\"[POSIX]file://x\" <7>");
        assert_eq!(text(Name::Line(b"a/b.c", 12)), "\"a/b.c:12\" <7>");
        assert_eq!(text(Name::Call(b"main", b"a/b.c", 12)), "\"main@b.c:12\" <7>");
    }

    #[test]
    fn lines_are_signed_and_cut_after_ten_characters() {
        assert_eq!(text(Name::Line(b"f", u32::MAX)), "\"f:-1\" <7>");
        assert_eq!(text(Name::Line(b"f", 1 << 31)), "\"f:-214748364\" <7>");
        assert_eq!(text(Name::Line(b"f", i32::MAX as u32)), "\"f:2147483647\" <7>");
    }

    #[test]
    fn long_names_are_not_kept_twice() {
        let long = [b'x'; READY + 1];
        let named = Named::new(Name::Text(&long), 7);
        assert!(named.ready.is_empty());
        let mut out = Vec::new();
        named.write(&mut out);
        assert_eq!(out, format!("\"{}\" <7>", "x".repeat(READY + 1)).into_bytes());
    }

    #[test]
    fn a_text_of_any_length_may_be_the_last_of_a_line() {
        let letters = [b'x'; READY + 9];
        for length in 0..letters.len() {
            let named = Named::new(Name::Text(&letters[..length]), 1234);
            let (mut within, mut last) = (b">".to_vec(), b">".to_vec());
            named.write(&mut within);
            named.write_last(&mut last);
            let expected = format!(">\"{}\" <1234>", "x".repeat(length));
            assert_eq!(String::from_utf8(within).unwrap(), expected);
            assert_eq!(String::from_utf8(last).unwrap(), expected + "\n");
        }
    }
}
