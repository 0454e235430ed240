//! Folded stacks: a line per call path with its value, `main;solve;exchange 1234`.

use std::fmt::Write;

use super::table::{Table, path_text};
use super::{By, Value};

pub(super) fn write(table: &Table<'_>, value: Value) -> String {
    let mut text = String::new();
    for part in &table.parts {
        let mut path = Vec::new();
        for row in &part.rows {
            path.truncate(row.depth);
            path.push(frame(&table.label(row)));
            let number = row.value(value);
            if number == 0 {
                continue;
            }
            if table.by != By::Total {
                let _ = write!(text, "{};", frame(&part.name));
            }
            let _ = writeln!(text, "{} {number}", path_text(&path));
        }
    }
    text
}

/// Returns a name without the characters that separate frames and lines.
fn frame(name: &str) -> String {
    name.replace(';', ":").replace(['\n', '\r'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_do_not_separate_frames() {
        assert_eq!(frame("a;b\nc d"), "a:b c d");
    }
}
