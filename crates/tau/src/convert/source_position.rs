//! State names that contain a source position.
//!
//! ```text
//! fib int (int) [{serial.c} {7,1}-{13,1}]
//! paralleldo [OpenMP location: file:/src/app.F90 <72, 150>]
//! inner [THROTTLED]
//! ```

/// The parts of a name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct SourcePosition<'a> {
    /// The name without the position.
    pub(super) name: &'a [u8],
    /// The file, or empty.
    pub(super) file: &'a [u8],
    /// The first and last line, 0 if unknown.
    pub(super) begin: u32,
    pub(super) end: u32,
}

impl<'a> SourcePosition<'a> {
    /// Parses a name. A name in no known form has no position.
    pub(super) fn of(name: &'a [u8]) -> Self {
        let name = name.strip_suffix(b" [THROTTLED]").unwrap_or(name);
        let alone = SourcePosition { name, ..SourcePosition::default() };
        if find(name, b"[OpenMP]").is_some() {
            return alone;
        }
        openmp(name).or_else(|| in_braces(name)).unwrap_or(alone)
    }
}

/// `name [OpenMP location: file:<path> <begin, end>]`
fn openmp(text: &[u8]) -> Option<SourcePosition<'_>> {
    let (name, place) = split(text, b"[OpenMP location:")?;
    let name = name.split(u8::is_ascii_whitespace).next().unwrap_or_default();
    let (_, place) = split(place, b"file:")?;
    let lines = place.iter().rposition(|&byte| byte == b'<')?;
    let (file, lines) = (place.get(..lines)?.trim_ascii(), place.get(lines..)?);
    let mut numbers = numbers(lines);
    let mut next = || numbers.next().unwrap_or(0);
    Some(SourcePosition { name, file, begin: next(), end: next() })
}

/// `name [{file} {begin,column}-{end,column}]`, where everything after the file may be missing.
fn in_braces(text: &[u8]) -> Option<SourcePosition<'_>> {
    let (name, place) = split(text, b"[{")?;
    let (file, lines) = split(place, b"}")?;
    let line = |part: Option<&[u8]>| part.and_then(|part| numbers(part).next()).unwrap_or(0);
    let mut parts = lines.split(|&byte| byte == b'{').skip(1);
    let (begin, end) = (line(parts.next()), line(parts.next()));
    Some(SourcePosition { name: name.trim_ascii(), file: file.trim_ascii(), begin, end })
}

fn numbers(text: &[u8]) -> impl Iterator<Item = u32> {
    let digits = text.split(|byte| !byte.is_ascii_digit()).filter(|digits| !digits.is_empty());
    digits.map(|digits| str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok()).unwrap_or(0))
}

fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    text.windows(part.len()).position(|window| window == part)
}

/// Returns the text before and after a part.
fn split<'a>(text: &'a [u8], part: &[u8]) -> Option<(&'a [u8], &'a [u8])> {
    let at = find(text, part)?;
    Some((text.get(..at)?, text.get(at + part.len()..)?))
}

#[cfg(test)]
mod tests {
    use super::SourcePosition;

    #[test]
    fn forms_of_names() {
        for (text, name, file, begin, end) in [
            ("fib int (int) [{serial.c} {7,1}-{13,1}]", "fib int (int)", "serial.c", 7, 13),
            ("put [{q.c} {11,2}]", "put", "q.c", 11, 0),
            ("put [{q.c}]", "put", "q.c", 0, 0),
            (
                "paralleldo [OpenMP location: file:/src/app.F90 <72, 150>]",
                "paralleldo",
                "/src/app.F90",
                72,
                150,
            ),
            ("inner [THROTTLED]", "inner", "", 0, 0),
            ("fib [{a.c} {1,1}-{2,2}] [THROTTLED]", "fib", "a.c", 1, 2),
            ("loop [OpenMP]", "loop [OpenMP]", "", 0, 0),
            ("[PTHREAD] addr=<0x1> [{f} {0, 0}]", "[PTHREAD] addr=<0x1>", "f", 0, 0),
            ("f(int[3]) [{my file.c} {3,1}-{4,1}]", "f(int[3])", "my file.c", 3, 4),
            ("MPI_Init()  ", "MPI_Init()  ", "", 0, 0),
            (".TAU application ", ".TAU application ", "", 0, 0),
            ("", "", "", 0, 0),
            ("x [{", "x [{", "", 0, 0),
            ("x [{f} {99999999999,1}]", "x", "f", 0, 0),
        ] {
            let (name, file) = (name.as_bytes(), file.as_bytes());
            assert_eq!(
                SourcePosition::of(text.as_bytes()),
                SourcePosition { name, file, begin, end },
                "{text}"
            );
        }
    }
}
