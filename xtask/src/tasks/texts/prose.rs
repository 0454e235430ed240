//! English: phrases that good technical prose does without, and the width of comments.
//!
//! A phrase is found wherever its words follow each other, across line ends and in identifiers.

use super::Text;

/// Phrases that are not used, in lower case, and what to write instead.
const AVOIDED: [(&str, &str); 22] = [
    ("behind", "after, following, through"),
    ("lies", "is"),
    ("is said", "is reported"),
    ("are said", "are reported"),
    ("was said", "was reported"),
    ("were said", "were reported"),
    ("be said", "be reported"),
    ("is told", "is reported, is passed"),
    ("are told", "are reported, are passed"),
    ("whoever", "a process that, a user who"),
    ("somebody", "a user, another process"),
    ("nobody", "no process, no user"),
    ("anybody", "any process, any user"),
    ("of several the", "the … of several"),
    ("of all the first", "the first of all"),
    ("so many", "as many, that many"),
    ("as many as there are", "the number of"),
    ("the same of", "the same for"),
    ("what comes", "name the thing that follows"),
    ("what stands", "name the thing that is there"),
    ("for ever", "forever"),
    ("one behind the other", "in sequence"),
];
/// The document that lists the phrases for readers.
const LIST: &str = "CONTRIBUTING.md";
/// The largest width of comments and of prose, in columns.
const WIDTH: usize = 100;

/// Returns the words of a text with their lines.
fn words_of(text: &Text) -> Vec<(usize, String)> {
    let mut words = Vec::new();
    for (number, line) in text.lines() {
        let parts = line.split(|it: char| !it.is_alphanumeric()).filter(|word| !word.is_empty());
        words.extend(parts.map(|word| (number, word.to_lowercase())));
    }
    words
}

/// Returns the places of avoided phrases.
pub(super) fn words(text: &Text) -> Vec<(usize, String)> {
    if text.has_examples() || text.path.ends_with(LIST) {
        return Vec::new();
    }
    let words = words_of(text);
    let mut found = Vec::new();
    for (phrase, better) in AVOIDED {
        let phrase_words: Vec<&str> = phrase.split(' ').collect();
        let is_phrase =
            |window: &&[(usize, String)]| window.iter().zip(&phrase_words).all(|((_, a), b)| a == b);
        let places = words.windows(phrase_words.len()).filter(is_phrase);
        found.extend(places.map(|place| (place[0].0, format!("`{phrase}`: write {better}"))));
    }
    found.sort();
    found
}

/// Returns the comments of Rust and the prose of Markdown that are too wide.
pub(super) fn width(text: &Text) -> Vec<(usize, String)> {
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
    fn phrases_are_found_across_lines_and_in_identifiers() {
        let found = words(&text("a.rs", "// It is\n// said.\nfn whoever_comes() {}\n"));
        let lines: Vec<usize> = found.iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, [1, 3]);
        assert_eq!(words(&text("a.rs", "// The aids: it relies on this.\n")), []);
        assert_eq!(words(&text("CONTRIBUTING.md", "behind\n")), []);
    }

    #[test]
    fn wide_comments_and_prose_are_found() {
        let wide = "x".repeat(100);
        assert_eq!(width(&text("a.rs", &format!("// {wide}\nlet a = {wide};\n"))).len(), 1);
        assert_eq!(width(&text("a.md", &format!("x{wide}\n"))).len(), 1);
        assert_eq!(width(&text("a.md", &format!("{wide}\n"))), []);
        assert_eq!(width(&text("a.md", &format!("* a\n    {wide}\n"))).len(), 1);
    }

    #[test]
    fn lines_that_cannot_be_wrapped_may_be_wide() {
        let wide = "x".repeat(100);
        let rust = format!("/// | {wide} |\n// {}\n/// ```\n/// {wide}\n/// ```\n", "-".repeat(100));
        assert_eq!(width(&text("a.rs", &rust)), []);
        let markdown = format!("# {wide}\n| {wide} |\n```\nx{wide}\n```\n\n    {wide}\n\n`{wide}`\n");
        assert_eq!(width(&text("a.md", &markdown)), []);
        let generated = format!("<!-- a: made by b -->\nx{wide}\n<!-- a: end -->\nx{wide}\n");
        assert_eq!(width(&text("a.md", &generated)).len(), 1);
    }
}
