//! Patterns as in the shell and in `fnmatch` without flags (POSIX): `*` (which also matches `/` and
//! a leading dot), `?`, `[a-z]`, `[!a-z]`, `[[:alpha:]]`, and a backslash before a character that
//! is meant literally.
//!
//! Bytes are compared, as in the C locale that a program starts in. A bracket that is not closed is
//! a literal character.

/// Returns whether a pattern matches the whole text.
pub fn matches(pattern: &[u8], text: &[u8]) -> bool {
    let (mut at, mut rest) = (pattern, text);
    // After the last star: the rest of the pattern, and the text that the star has not matched. An
    // earlier star never requires another attempt.
    let mut star: Option<(&[u8], &[u8])> = None;
    loop {
        if let Some((b'*', after)) = at.split_first() {
            (at, star) = (after, Some((after, rest)));
        } else if let Some(step) = one(at, rest) {
            (at, rest) = step;
        } else if at.is_empty() && rest.is_empty() {
            return true;
        } else if let Some((after, [_, shorter @ ..])) = star {
            (at, rest, star) = (after, shorter, Some((after, shorter)));
        } else {
            return false;
        }
    }
}

/// Matches one byte of text. Returns the rest of the pattern and of the text, or `None` if the byte
/// does not match.
fn one<'p, 't>(pattern: &'p [u8], text: &'t [u8]) -> Option<(&'p [u8], &'t [u8])> {
    let (&byte, rest) = text.split_first()?;
    let (&first, after) = pattern.split_first()?;
    let after = match first {
        b'?' => after,
        b'[' => match bracket(after, byte) {
            Some((is_member, after)) => is_member.then_some(after)?,
            None => (byte == b'[').then_some(after)?,
        },
        b'\\' => {
            // A backslash at the end matches nothing.
            let (&literal, after) = after.split_first()?;
            (byte == literal).then_some(after)?
        }
        literal => (byte == literal).then_some(after)?,
    };
    Some((after, rest))
}

/// Returns whether the bracket matches, and the pattern after it; `None` if the bracket is not
/// closed.
fn bracket(pattern: &[u8], byte: u8) -> Option<(bool, &[u8])> {
    let (negated, mut rest) = match pattern {
        [b'!' | b'^', rest @ ..] => (true, rest),
        rest => (false, rest),
    };
    let (mut is_member, mut is_first) = (false, true);
    loop {
        match rest {
            [b']', after @ ..] if !is_first => return Some((is_member != negated, after)),
            [b'[', b':', after @ ..] if class_end(after).is_some() => {
                let (name, after) = after.split_at_checked(class_end(after)?)?;
                is_member |= is_in_class(name, byte);
                rest = after.get(2..)?;
            }
            _ => {
                let (from, to, after) = range(rest)?;
                is_member |= (from..=to).contains(&byte);
                rest = after;
            }
        }
        is_first = false;
    }
}

/// Returns a range, or a single byte as a range, and the pattern after it.
fn range(pattern: &[u8]) -> Option<(u8, u8, &[u8])> {
    let (from, rest) = literal(pattern)?;
    match rest {
        [b'-', b']', ..] => Some((from, from, rest)),
        [b'-', after @ ..] => literal(after).map(|(to, rest)| (from, to, rest)),
        _ => Some((from, from, rest)),
    }
}

fn literal(pattern: &[u8]) -> Option<(u8, &[u8])> {
    match pattern {
        [b'\\', byte, rest @ ..] | [byte, rest @ ..] => Some((*byte, rest)),
        [] => None,
    }
}

/// Returns the length of a class name, if this is the end of a class.
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
