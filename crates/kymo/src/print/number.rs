//! Numbers as `printf` of C writes them: `%u`, `%d`, `%x` and `%g`. Only the buffer that is written
//! to allocates memory.

use std::io::Write;

/// The number of digits of the longest decimal number, without a sign.
pub(crate) const LONGEST: usize = 20;

/// Returns the number of digits of a number.
#[inline]
pub(crate) fn count(number: u64) -> usize {
    number.checked_ilog10().unwrap_or(0) as usize + 1
}

/// The first number with more than eight digits.
pub(crate) const NINE_DIGITS: u64 = 100_000_000;

/// The blanks that [`blanked`] writes in place of leading zeros, as a difference to `'0'`.
const BLANKS: u64 = u64::from_le_bytes([b'0' - b' '; 8]);
const ZEROS: u64 = u64::from_le_bytes([b'0'; 8]);

/// Returns the last eight digits of a number, each in a byte, the first in the lowest one.
///
/// All digits are computed in one register: first two halves of four digits, then four pairs.
#[inline]
fn last_digits(number: u64) -> u64 {
    let number = number % NINE_DIGITS;
    let halves = (number / 10_000) | ((number % 10_000) << 32);
    // x / 100 and x / 10, for all x with four and two digits.
    let hundreds = ((halves * 10_486) >> 20) & 0x7F_0000_007F;
    let pairs = hundreds | ((halves - 100 * hundreds) << 16);
    let tens = ((pairs * 103) >> 10) & 0x0F_000F_000F_000F;
    tens | ((pairs - 10 * tens) << 8)
}

/// Returns the last eight digits of a number, including zeros.
#[inline]
pub(crate) fn eight(number: u64) -> [u8; 8] {
    (last_digits(number) | ZEROS).to_le_bytes()
}

/// Returns a number below [`NINE_DIGITS`] like `%8u`.
#[inline]
pub(crate) fn blanked(number: u64) -> [u8; 8] {
    let digits = last_digits(number);
    let leading = (1 << (digits.trailing_zeros() & !7).min(56)) - 1;
    ((digits | ZEROS) ^ (BLANKS & leading)).to_le_bytes()
}

/// Writes a number like `%u`.
#[inline]
pub(crate) fn unsigned(out: &mut Vec<u8>, number: u64) {
    match number {
        0..10 => out.push(b'0' + number as u8),
        10..NINE_DIGITS => {
            let digits = last_digits(number);
            let zeros = digits.trailing_zeros() / 8;
            let length = out.len() + 8 - zeros as usize;
            // A block of a fixed length is faster than one of the exact length.
            out.extend_from_slice(&((digits | ZEROS) >> (8 * zeros)).to_le_bytes());
            out.truncate(length);
        }
        _ => long(out, number),
    }
}

/// Writes a number of more than eight digits.
#[inline(never)]
fn long(out: &mut Vec<u8>, number: u64) {
    unsigned(out, number / NINE_DIGITS);
    out.extend_from_slice(&eight(number));
}

/// Writes a number like `%d`.
pub(crate) fn signed(out: &mut Vec<u8>, number: i64) {
    if number < 0 {
        out.push(b'-');
    }
    unsigned(out, number.unsigned_abs());
}

/// Writes a number like `%*u`: at least `width` characters, padded with blanks on the left.
pub(crate) fn padded(out: &mut Vec<u8>, number: u64, width: usize) {
    out.extend(std::iter::repeat_n(b' ', width.saturating_sub(count(number))));
    unsigned(out, number);
}

/// Writes a number like `%x`, padded with zeros to `width`.
pub(crate) fn hexadecimal(out: &mut Vec<u8>, number: u64, width: usize) {
    // Writing to a vector does not fail.
    let _ = write!(out, "{number:0width$x}");
}

/// The number of digits after the first that `%g` prints.
const PRECISION: usize = 5;

/// Writes a number like `%g`.
pub(crate) fn float(out: &mut Vec<u8>, number: f64) {
    if number.is_sign_negative() {
        out.push(b'-');
    }
    match number.abs() {
        number if number.is_nan() => out.extend_from_slice(b"nan"),
        number if number.is_infinite() => out.extend_from_slice(b"inf"),
        number => finite(out, number),
    }
}

/// Writes a number rounded to six digits, without trailing zeros, and with an exponent if that is
/// less than -4 or greater than 5.
fn finite(out: &mut Vec<u8>, number: f64) {
    let mut scientific = [0; 32];
    let mut rest = &mut scientific[..];
    // The buffer is large enough for "d.ddddde-ddd".
    let _ = write!(rest, "{number:.PRECISION$e}");
    let length = 32 - rest.len();
    let text = &scientific[..length];
    let mark = text.iter().position(|&byte| byte == b'e').unwrap_or(length);
    let exponent: i32 = str::from_utf8(text.get(mark + 1..).unwrap_or_default())
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(0);
    let digits = [text[0], text[2], text[3], text[4], text[5], text[6]];
    let kept = digits.iter().rposition(|&digit| digit != b'0').map_or(1, |last| last + 1);
    match exponent {
        -4..0 => {
            out.extend_from_slice(b"0.");
            out.resize(out.len() + (-exponent - 1) as usize, b'0');
            out.extend_from_slice(&digits[..kept]);
        }
        0..=5 => fixed(out, &digits, kept, exponent as usize + 1),
        _ => {
            fixed(out, &digits, kept, 1);
            let _ = write!(out, "e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs());
        }
    }
}

/// Writes the first `kept` digits, but at least the `whole` ones before the decimal point.
fn fixed(out: &mut Vec<u8>, digits: &[u8; PRECISION + 1], kept: usize, whole: usize) {
    out.extend_from_slice(&digits[..whole]);
    if kept > whole {
        out.push(b'.');
        out.extend_from_slice(&digits[whole..kept]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    fn written(write: impl Fn(&mut Vec<u8>)) -> String {
        let mut out = Vec::new();
        write(&mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn integers() {
        for number in
            [0, 1, 9, 10, 42, 99, 100, 101, 999, 1000, 12345, u32::MAX as u64, u64::MAX / 10, u64::MAX]
        {
            assert_eq!(written(|out| unsigned(out, number)), number.to_string());
            assert_eq!(written(|out| padded(out, number, 15)), format!("{number:>15}"));
            assert_eq!(
                written(|out| out.extend(blanked(number % NINE_DIGITS))),
                format!("{:>8}", number % NINE_DIGITS)
            );
            assert_eq!(written(|out| out.extend(eight(number))), format!("{:08}", number % NINE_DIGITS));
            assert_eq!(written(|out| hexadecimal(out, number, 8)), format!("{number:08x}"));
        }
        for number in [0, -1, 1, i64::MIN, i64::MAX] {
            assert_eq!(written(|out| signed(out, number)), number.to_string());
        }
    }

    /// Formats doubles with the C library's `printf`, through awk.
    fn by_printf(numbers: &[f64]) -> Vec<String> {
        let mut awk = Command::new("awk")
            .arg("{ printf \"%g\\n\", $1 }")
            .env("LC_ALL", "C")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let texts: String = numbers.iter().map(|number| format!("{number:e}\n")).collect();
        let mut input = awk.stdin.take().unwrap();
        let writer = std::thread::spawn(move || input.write_all(texts.as_bytes()));
        let output = awk.wait_with_output().unwrap();
        writer.join().unwrap().unwrap();
        String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
    }

    #[test]
    fn floating_point_numbers_are_formatted_as_by_printf() {
        let mut numbers =
            vec![0.0, -0.0, 1.0, 1.5, -2.25e100, 1e-5, 1e-4, 123456.0, 1234567.0, 999999.5, 0.1 + 0.2];
        numbers.extend([
            f64::MIN_POSITIVE,
            f64::MAX,
            5e-324,
            100000.0,
            1e6,
            0.5,
            2.5e-5,
            9.999995e-5,
            1e15,
            1e22,
        ]);
        // Bits of all sizes, by a fixed generator.
        let mut bits = 0x9E37_79B9_7F4A_7C15u64;
        for _ in 0..500 {
            bits = bits.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let number = f64::from_bits(bits);
            numbers.extend(
                [number, bits as f64 / 1e15, (bits >> 40) as f64]
                    .into_iter()
                    .filter(|number| number.is_finite()),
            );
        }
        let expected = by_printf(&numbers);
        assert_eq!(expected.len(), numbers.len());
        for (number, expected) in numbers.into_iter().zip(expected) {
            assert_eq!(written(|out| float(out, number)), expected, "{number:e}");
        }
    }

    #[test]
    fn infinities_and_nan() {
        let all = [f64::INFINITY, f64::NEG_INFINITY, f64::NAN, -f64::NAN]
            .map(|number| written(|out| float(out, number)));
        assert_eq!(all, ["inf", "-inf", "nan", "-nan"]);
    }
}
