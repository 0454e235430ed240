//! The width of comments and of prose.

use super::Text;

/// The largest width of comments and of prose, in columns.
const WIDTH: usize = 100;

/// Returns the comments of Rust and the prose of Markdown that are too wide.
pub(super) fn too_wide(text: &Text) -> Vec<(usize, String)> {
    let lines = if text.is("rs") { comments(text) } else { paragraphs(text) };
    let is_wide = |line: &str| line.chars().count() > WIDTH && !line.contains("://");
    let wide = lines.into_iter().filter(|(_, line)| is_wide(line));
    wide.map(|(number, _)| (number, format!("wider than {WIDTH} columns"))).collect()
}

/// Returns the lines of comments that can be wrapped: no code, no rows of tables, no rules.
fn comments(text: &Text) -> Vec<(usize, &str)> {
    let mut is_code = false;
    let mut is_prose = |line: &str| {
        let Some(comment) = line.trim_start().strip_prefix("//") else {
            is_code = false;
            return false;
        };
        let comment = comment.trim_start_matches(['/', '!']).trim();
        let is_fence = comment.starts_with("```");
        is_code ^= is_fence;
        let is_rule = comment.chars().all(|it| "-=".contains(it));
        !(is_fence || is_code || is_rule || comment.starts_with('|'))
    };
    text.lines().filter(|(_, line)| is_prose(line)).collect()
}

/// Returns the lines of Markdown that can be wrapped: no code, headings, rows of tables, single
/// links or code spans, and nothing generated, which is between `<!-- name -->` and
/// `<!-- end of name -->`.
fn paragraphs(text: &Text) -> Vec<(usize, &str)> {
    if !text.is("md") {
        return Vec::new();
    }
    let mut is_generated = false;
    let mut is_prose = |line: &str| {
        if line.starts_with("<!--") {
            is_generated = !line.split(|it: char| !it.is_alphanumeric()).any(|word| word == "end");
        }
        let line = line.trim_start();
        let is_span = line.trim_start_matches('(').starts_with('`') && line.matches('`').count() == 2;
        !(is_generated || is_span || line.starts_with(['#', '|', '<', '[', '!']))
    };
    text.prose().filter(|(_, line)| is_prose(line)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::text;
    use super::*;

    #[test]
    fn wide_comments_and_prose_are_found() {
        let wide = "x".repeat(100);
        assert_eq!(too_wide(&text("a.rs", &format!("// {wide}\nlet a = {wide};\n"))).len(), 1);
        assert_eq!(too_wide(&text("a.md", &format!("x{wide}\n"))).len(), 1);
        assert_eq!(too_wide(&text("a.md", &format!("{wide}\n"))), []);
        assert_eq!(too_wide(&text("a.md", &format!("* a\n    {wide}\n"))).len(), 1);
    }

    #[test]
    fn lines_that_cannot_be_wrapped_may_be_wide() {
        let wide = "x".repeat(100);
        let rust = format!("/// | {wide} |\n// {}\n/// ```\n/// {wide}\n/// ```\n", "-".repeat(100));
        assert_eq!(too_wide(&text("a.rs", &rust)), []);
        let markdown = format!("# {wide}\n| {wide} |\n```\nx{wide}\n```\n\n    {wide}\n\n`{wide}`\n");
        assert_eq!(too_wide(&text("a.md", &markdown)), []);
        let generated = format!("<!-- a: made by b -->\nx{wide}\n<!-- a: end -->\nx{wide}\n");
        assert_eq!(too_wide(&text("a.md", &generated)).len(), 1);
    }
}
