//! English: phrases that good technical prose does without, and the width of comments.
//!
//! A phrase is found wherever its words follow each other, across line ends and inside identifiers.

use super::Text;

/// Phrases that are not used, in lower case, and what to write instead. CONTRIBUTING.md lists them for readers.
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
/// Where the phrases are quoted.
const QUOTES: [&str; 2] = ["xtask/src/texts/prose.rs", "CONTRIBUTING.md"];
/// The largest width of comments and of prose, in columns.
const WIDTH: usize = 100;

/// Words with their lines.
fn words_of(text: &Text) -> Vec<(usize, String)> {
    let mut words = Vec::new();
    for (number, line) in text.lines() {
        let parts = line.split(|it: char| !it.is_alphanumeric()).filter(|word| !word.is_empty());
        words.extend(parts.map(|word| (number, word.to_lowercase())));
    }
    words
}

/// Places of avoided phrases.
pub(super) fn words(text: &Text) -> Vec<(usize, String)> {
    if QUOTES.iter().any(|quotes| text.path.ends_with(quotes)) {
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

/// Comments in code, and prose in Markdown, that are too wide.
pub(super) fn width(text: &Text) -> Vec<(usize, String)> {
    let mut is_code = false;
    let is_wide = |line: &str| line.chars().count() > WIDTH;
    let is_prose = |line: &str| {
        let line = line.trim_start();
        if text.is("rs") {
            return line.starts_with("//") && !line.contains("://");
        }
        is_code ^= line.starts_with("```");
        let is_other = line.starts_with(['|', '<', '[', '!']) || line.starts_with("    ");
        text.is("md") && !is_code && !is_other && !line.contains("://")
    };
    let mut is_prose = is_prose;
    let lines = text.lines().filter(|(_, line)| is_prose(line) && is_wide(line));
    lines.map(|(number, _)| (number, format!("wider than {WIDTH} columns"))).collect()
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
        assert_eq!(width(&text("a.md", &format!("x{wide}\n| {wide} |\n```\nx{wide}\n```\n"))).len(), 1);
        assert_eq!(width(&text("a.md", &format!("{wide}\n"))), []);
    }
}
