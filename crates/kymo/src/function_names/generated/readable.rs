//! The names that generators of code write, as functions with files and lines.
//!
//! Known are those of V8 (`JS:~foo /a/file.js:12:3`: a kind, a mark of the compiler, the name, and
//! the place) and of Python (`py::foo:/a/file.py`). The compiler is left out, so that the code of
//! a function is one region, whichever compiler made it. Invariant: all other names stay as they
//! are, and the canonical name is always the written one.

use kymo_symbols::Function;

/// The kinds of JavaScript code that have places.
const KINDS: [&str; 5] = ["JS:", "LazyCompile:", "Function:", "Script:", "Eval:"];
/// The marks that V8 writes before a name: interpreted, or compiled by Sparkplug, Maglev or
/// TurboFan.
const COMPILERS: [char; 4] = ['~', '^', '+', '*'];
/// The begin of a name of Python.
const PYTHON: &str = "py::";
/// The begins of the paths of files.
const PATHS: [&str; 4] = ["/", "file:", "node:", "http"];
const ANONYMOUS: &str = "(anonymous)";

/// Returns the function with a name.
pub(super) fn function(written: &str) -> Function {
    let (name, file, line) =
        of_javascript(written).or_else(|| of_python(written)).unwrap_or((written, None, 0));
    Function { name: name.to_owned(), mangled: written.to_owned(), file: file.map(str::to_owned), line }
}

fn of_javascript(written: &str) -> Option<(&str, Option<&str>, u32)> {
    let rest = KINDS.iter().find_map(|kind| written.strip_prefix(kind))?;
    let rest = rest.strip_prefix(COMPILERS).unwrap_or(rest);
    let Some((before, line)) = place(rest) else {
        return Some((or_anonymous(rest.trim()), None, 0));
    };
    let (name, file) = before.split_at_checked(begin_of_file(before)?)?;
    let file = file.trim_start();
    Some((or_anonymous(name), Some(file.strip_prefix("file://").unwrap_or(file)), line))
}

fn or_anonymous(name: &str) -> &str {
    if name.is_empty() { ANONYMOUS } else { name }
}

/// Returns the text before the line and the column at the end, and the line.
fn place(text: &str) -> Option<(&str, u32)> {
    let (before, column) = text.rsplit_once(':')?;
    let (before, line) = before.rsplit_once(':')?;
    let number = |text: &str| text.parse::<u32>().ok();
    number(column)?;
    Some((before, number(line)?))
}

/// Returns where the space before the file is: before the first path, or the only one. Names can
/// contain spaces, too.
fn begin_of_file(text: &str) -> Option<usize> {
    let mut spaces = text.match_indices(' ').map(|(at, _)| at);
    let is_path = |at: &usize| PATHS.iter().any(|begin| text[at + 1..].starts_with(begin));
    spaces.clone().find(is_path).or_else(|| spaces.next().filter(|_| spaces.next().is_none()))
}

fn of_python(written: &str) -> Option<(&str, Option<&str>, u32)> {
    let (name, file) = written.strip_prefix(PYTHON)?.split_once(':')?;
    (!name.is_empty() && !file.is_empty()).then_some((name, Some(file), 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn is_read_as(written: &str, name: &str, file: Option<&str>, line: u32) {
        let expected =
            Function { name: name.into(), mangled: written.into(), file: file.map(Into::into), line };
        assert_eq!(function(written), expected);
    }

    #[test]
    fn a_function_of_javascript_has_its_file_and_line_whichever_compiler_made_it() {
        for compiler in ["", "~", "^", "+", "*"] {
            let written = format!("JS:{compiler}foo /a b/file.js:12:3");
            is_read_as(&written, "foo", Some("/a b/file.js"), 12);
        }
        is_read_as("LazyCompile:*foo file.js:12:3", "foo", Some("file.js"), 12);
        is_read_as("JS:~get size node:internal/url:7:5", "get size", Some("node:internal/url"), 7);
        is_read_as("JS:*run file:///a/m.mjs:1:20", "run", Some("/a/m.mjs"), 1);
        is_read_as("JS:~ /a/file.js:1:1", "(anonymous)", Some("/a/file.js"), 1);
        is_read_as("JS:~foo", "foo", None, 0);
        // It is not clear where the name ends.
        is_read_as("JS:~get size file.js:1:2", "JS:~get size file.js:1:2", None, 0);
        is_read_as("Script:~", "(anonymous)", None, 0);
    }

    #[test]
    fn a_function_of_python_has_its_file() {
        is_read_as("py::f:/a/b:c.py", "f", Some("/a/b:c.py"), 0);
        is_read_as("py::<module>:x.py", "<module>", Some("x.py"), 0);
        is_read_as("py::f", "py::f", None, 0);
    }

    #[test]
    fn other_names_stay_as_they_are() {
        for name in ["Builtin:ArrayMap", "Ljava/lang/String;::hash", "", "RegExp:a:1:2", "ö\u{fffd}", "py::"]
        {
            is_read_as(name, name, None, 0);
        }
    }
}
