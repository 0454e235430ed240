//! Patterns as POSIX describes them for the shell and `fnmatch` without flags: `*` (`/` and a leading dot included), `?`, `[a-z]`,
//! `[!a-z]`, `[[:alpha:]]`, and a backslash before what shall stand for itself.
//!
//! Bytes are compared, as in the C locale that a program begins in. A bracket that is not closed stands for itself.

/// Whether a pattern matches the whole of a text.
pub fn matches(pattern: &[u8], text: &[u8]) -> bool {
    let (mut at, mut rest) = (pattern, text);
    // Behind the last star: the pattern there, and the text that the star has not taken. An earlier star never needs to take more.
    let mut star: Option<(&[u8], &[u8])> = None;
    loop {
        if let Some((b'*', behind)) = at.split_first() {
            (at, star) = (behind, Some((behind, rest)));
        } else if let Some(step) = one(at, rest) {
            (at, rest) = step;
        } else if at.is_empty() && rest.is_empty() {
            return true;
        } else if let Some((behind, [_, shorter @ ..])) = star {
            (at, rest, star) = (behind, shorter, Some((behind, shorter)));
        } else {
            return false;
        }
    }
}

/// What is behind one byte of text and what matches it; none if it does not match.
fn one<'p, 't>(pattern: &'p [u8], text: &'t [u8]) -> Option<(&'p [u8], &'t [u8])> {
    let (&byte, rest) = text.split_first()?;
    let (&first, behind) = pattern.split_first()?;
    let behind = match first {
        b'?' => behind,
        b'[' => match bracket(behind, byte) {
            Some((is_member, behind)) => is_member.then_some(behind)?,
            None => (byte == b'[').then_some(behind)?,
        },
        b'\\' => {
            // A backslash at the end matches nothing.
            let (&literal, behind) = behind.split_first()?;
            (byte == literal).then_some(behind)?
        }
        literal => (byte == literal).then_some(behind)?,
    };
    Some((behind, rest))
}

/// Whether the bracket matches, and what is behind it; none if it is not closed.
fn bracket(pattern: &[u8], byte: u8) -> Option<(bool, &[u8])> {
    let (negated, mut rest) = match pattern {
        [b'!' | b'^', rest @ ..] => (true, rest),
        rest => (false, rest),
    };
    let (mut is_member, mut is_first) = (false, true);
    loop {
        match rest {
            [b']', behind @ ..] if !is_first => return Some((is_member != negated, behind)),
            [b'[', b':', behind @ ..] if class_end(behind).is_some() => {
                let (name, behind) = behind.split_at_checked(class_end(behind)?)?;
                is_member |= is_in_class(name, byte);
                rest = behind.get(2..)?;
            }
            _ => {
                let (from, to, behind) = range(rest)?;
                is_member |= (from..=to).contains(&byte);
                rest = behind;
            }
        }
        is_first = false;
    }
}

/// A range, or a byte alone, and what is behind it.
fn range(pattern: &[u8]) -> Option<(u8, u8, &[u8])> {
    let (from, rest) = literal(pattern)?;
    match rest {
        [b'-', b']', ..] => Some((from, from, rest)),
        [b'-', behind @ ..] => literal(behind).map(|(to, rest)| (from, to, rest)),
        _ => Some((from, from, rest)),
    }
}

fn literal(pattern: &[u8]) -> Option<(u8, &[u8])> {
    match pattern {
        [b'\\', byte, rest @ ..] | [byte, rest @ ..] => Some((*byte, rest)),
        [] => None,
    }
}

/// Length of the name of a class.
fn class_end(pattern: &[u8]) -> Option<usize> {
    let end = pattern.iter().position(|byte| !byte.is_ascii_lowercase())?;
    pattern.get(end..)?.starts_with(b":]").then_some(end)
}

fn is_in_class(name: &[u8], byte: u8) -> bool {
    match name {
        b"alnum" => byte.is_ascii_alphanumeric(),
        b"alpha" => byte.is_ascii_alphabetic(),
        b"blank" => matches!(byte, b' ' | b'\t'),
        b"cntrl" => byte.is_ascii_control(),
        b"digit" => byte.is_ascii_digit(),
        b"graph" => byte.is_ascii_graphic(),
        b"lower" => byte.is_ascii_lowercase(),
        b"print" => byte.is_ascii_graphic() || byte == b' ',
        b"punct" => byte.is_ascii_punctuation(),
        b"space" => byte.is_ascii_whitespace() || byte == 0x0B,
        b"upper" => byte.is_ascii_uppercase(),
        b"xdigit" => byte.is_ascii_hexdigit(),
        _ => false,
    }
}
