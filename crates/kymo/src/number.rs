//! Numbers for people: four digits and a unit, or thousands with separators.

use crate::escape;

/// Returns a time with a unit, in at most 8 characters: `12.35 ms`.
pub(crate) fn time(nanoseconds: f64) -> String {
    let size = nanoseconds.abs();
    for (unit, length) in [("s", 1e9), ("ms", 1e6), ("us", 1e3)] {
        // 999.95 µs is one millisecond after rounding to four digits.
        if size >= length * 0.99995 {
            return format!("{} {unit}", digits(nanoseconds / length));
        }
    }
    format!("{} ns", digits(nanoseconds))
}

/// Returns a number of bytes with a unit, in at most 9 characters: `12.35 MB`.
pub(crate) fn bytes(bytes: f64) -> String {
    for (unit, length) in [("EB", 1e18), ("PB", 1e15), ("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)] {
        if bytes.abs() >= length * 0.99995 {
            return format!("{} {unit}", digits(bytes / length));
        }
    }
    format!("{} B", digits(bytes))
}

/// Returns a part of 1 in per cent, with two decimals.
pub(crate) fn per_cent(part: f64) -> String {
    format!("{:.2}", part * 100.0)
}

/// Returns about four significant digits.
fn digits(number: f64) -> String {
    match number.abs() {
        size if size >= 999.95 => format!("{number:.0}"),
        size if size >= 99.995 => format!("{number:.1}"),
        size if size >= 9.9995 => format!("{number:.2}"),
        _ if number.fract() == 0.0 => format!("{number:.0}"),
        _ => format!("{number:.3}"),
    }
}

/// Returns a number with separators: `1,234,567`.
pub(crate) fn grouped(number: u128) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Escapes a text as a line and shortens it to `width` characters, from its middle, where names
/// differ least.
pub(crate) fn shortened(text: &str, width: usize) -> String {
    let text = escape::line(text);
    let count = text.chars().count();
    if count <= width {
        return text;
    }
    let (left, right) = (width.saturating_sub(1).div_ceil(2), width.saturating_sub(1) / 2);
    text.chars().take(left).chain(['…']).chain(text.chars().skip(count - right)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_a_fitting_unit() {
        for (nanoseconds, text) in [
            (0.0, "0 ns"),
            (1.5, "1.500 ns"),
            (42.0, "42.00 ns"),
            (999.94, "999.9 ns"),
            (999.96, "1.000 us"),
            (12_345.0, "12.35 us"),
            (1e6, "1 ms"),
            (3_600e9, "3600 s"),
            (-2.5e9, "-2.500 s"),
        ] {
            assert_eq!(time(nanoseconds), text);
        }
    }

    #[test]
    fn bytes_have_a_fitting_unit() {
        let texts = [0.0, 999.0, 999.96, 1e6, 1.234_567e10, 18e18].map(bytes);
        assert_eq!(texts, ["0 B", "999.0 B", "1.000 kB", "1 MB", "12.35 GB", "18.00 EB"]);
    }

    #[test]
    fn thousands_are_separated() {
        let texts = [0, 12, 123, 1234, 1_234_567].map(grouped);
        assert_eq!(texts, ["0", "12", "123", "1,234", "1,234,567"]);
    }

    #[test]
    fn texts_are_shortened_in_the_middle() {
        assert_eq!(shortened("abcdefgh", 8), "abcdefgh");
        assert_eq!(shortened("abcdefghi", 8), "abcd…ghi");
        assert_eq!(shortened("äöüß", 3), "ä…ß");
        assert_eq!(shortened("a\nb", 8), "a\\nb");
    }
}
