//! Numbers as the C function `strtol` reads them with base 0, which otf2-estimator calls.

/// Returns the number at the start of a word: decimal, octal after `0`, hexadecimal after `0x`; 0
/// if there is none. Numbers that are too large become the largest of their sign.
pub(super) fn number(word: &[u8]) -> i64 {
    let start = word.iter().position(|byte| !matches!(byte, b' ' | b'\t'..=b'\r')).unwrap_or(word.len());
    let word = word.get(start..).unwrap_or_default();
    let (sign, digits) = match word {
        [b'-', rest @ ..] => (-1, rest),
        [b'+', rest @ ..] => (1, rest),
        rest => (1, rest),
    };
    let (base, digits) = match digits {
        [b'0', b'x' | b'X', rest @ ..] if rest.first().is_some_and(u8::is_ascii_hexdigit) => (16, rest),
        [b'0', ..] => (8, digits),
        _ => (10, digits),
    };
    let digits = digits.iter().map_while(|&byte| char::from(byte).to_digit(base));
    let size = digits.fold(0_i128, |size, digit| {
        size.saturating_mul(base.into()).saturating_add(digit.into()).min(1 << 64)
    });
    (sign * size).clamp(i64::MIN.into(), i64::MAX.into()) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_strtol() {
        for (text, expected) in [
            ("0", 0),
            ("42", 42),
            ("-5", -5),
            ("+7x", 7),
            ("010", 8),
            ("08", 0),
            ("0x1F", 31),
            ("0xg", 0),
            ("-0X10", -16),
            ("x", 0),
            ("", 0),
            ("-", 0),
            ("\r\u{b}3", 3),
            ("9223372036854775808", i64::MAX),
            ("-99999999999999999999999999999999999999999999", i64::MIN),
        ] {
            assert_eq!(number(text.as_bytes()), expected, "{text}");
        }
    }
}
