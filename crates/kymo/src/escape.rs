//! Escapes text from a trace or a file name before a user sees it: characters that would control a
//! terminal or change the direction of the text after them.

use std::fmt::Display;

/// Whether a character affects more than its own position: control characters (including those of
/// Latin-1), directional marks and overrides, line separators, tags.
fn steers(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
            | '\u{e0000}'..='\u{e007f}')
}

/// Escapes a line, so that it can neither control a terminal nor begin another line.
pub(crate) fn line(text: impl Display) -> String {
    escaped(text.to_string().as_bytes(), |_| false)
}

/// Escapes bytes for a terminal; line feeds and tabs are kept.
pub(crate) fn for_terminal(bytes: &[u8]) -> String {
    escaped(bytes, |character| matches!(character, '\n' | '\t'))
}

fn escaped(bytes: &[u8], stays: impl Fn(char) -> bool) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            match steers(character) && !stays(character) {
                true => text.extend(character.escape_default()),
                false => text.push(character),
            }
        }
        text.extend(chunk.invalid().iter().flat_map(|byte| byte.escape_ascii()).map(char::from));
    }
    text
}

/// Escapes such characters in JSON, where only strings can contain them. The result has the same
/// meaning.
pub(crate) fn json(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match steers(character) {
            true => {
                out.extend(character.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")))
            }
            false => out.push(character),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminal_controls_are_escaped() {
        assert_eq!(line("a\x1b[31mb\x07\u{9b}2J\r\n\tc\x7f"), r"a\u{1b}[31mb\u{7}\u{9b}2J\r\n\tc\u{7f}");
        assert_eq!(
            line("x\u{202e}y\u{2066}z\u{200f}\u{2028}\u{e0041}"),
            r"x\u{202e}y\u{2066}z\u{200f}\u{2028}\u{e0041}"
        );
        assert_eq!(for_terminal(b"a\tb\nc\xff\x9b\x1b"), "a\tb\nc\\xff\\x9b\\u{1b}");
        assert_eq!(line("größer → 大 ~ \\ \u{301}"), "größer → 大 ~ \\ \u{301}");
    }

    #[test]
    fn escaped_json_has_the_same_meaning() {
        let original = "{\"a\":\"x\u{202e}\u{9b}\u{7f}\u{e0041}é\"}";
        let shown = json(original);
        assert_eq!(shown, "{\"a\":\"x\\u202e\\u009b\\u007f\\udb40\\udc41é\"}");
        let value = |text| serde_json::from_str::<serde_json::Value>(text).unwrap();
        assert_eq!(value(&shown), value(original));
    }
}
