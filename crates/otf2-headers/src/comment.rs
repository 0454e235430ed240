//! Comments for Doxygen, wrapped at 100 columns.

use std::fmt::Write;

const WIDTH: usize = 100;

/// The comment before a declaration.
#[derive(Debug, Default)]
pub(crate) struct Comment {
    paragraphs: Vec<String>,
    parameters: Vec<(String, String)>,
    tags: Vec<String>,
}

impl Comment {
    /// Creates a comment with its first paragraph.
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self { paragraphs: vec![text.into()], ..Self::default() }
    }

    /// Adds a paragraph, unless it is empty.
    pub(crate) fn paragraph(mut self, text: impl Into<String>) -> Self {
        let text = text.into();
        if !text.is_empty() {
            self.paragraphs.push(text);
        }
        self
    }

    /// Adds the description of an argument.
    pub(crate) fn parameter(mut self, name: impl Into<String>, text: impl Into<String>) -> Self {
        self.parameters.push((name.into(), text.into()));
        self
    }

    /// Adds a line such as `@since 1.0`.
    pub(crate) fn tag(mut self, text: impl Into<String>) -> Self {
        self.tags.push(text.into());
        self
    }

    /// Returns the comment with its delimiters, before a declaration with this indentation.
    pub(crate) fn text(&self, indentation: usize) -> String {
        let lines = self.lines(indentation);
        let margin = " ".repeat(indentation);
        if let [line] = &lines[..]
            && indentation + line.len() + 7 <= WIDTH
        {
            return format!("{margin}/** {line} */\n");
        }
        let mut text = format!("{margin}/**\n");
        for line in lines {
            let _ = writeln!(text, "{}", format!("{margin} * {line}").trim_end());
        }
        text + &margin + " */\n"
    }

    fn lines(&self, indentation: usize) -> Vec<String> {
        let width = WIDTH - indentation - 3;
        let mut lines = Vec::new();
        for paragraph in &self.paragraphs {
            if !lines.is_empty() {
                lines.push(String::new());
            }
            lines.extend(wrap(paragraph, width, 0));
        }
        let rest: Vec<String> = self.parameters.iter().map(|(name, text)| parameter(name, text)).collect();
        if !rest.is_empty() || !self.tags.is_empty() {
            lines.push(String::new());
        }
        for tag in rest.iter().chain(&self.tags) {
            lines.extend(wrap(tag, width, 4));
        }
        lines
    }
}

fn parameter(name: &str, text: &str) -> String {
    format!("@param {name} {text}")
}

/// Breaks a text into lines; those after the first are indented.
fn wrap(text: &str, width: usize, indentation: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().filter(|line| line.is_empty() || line.len() + 1 + word.len() <= width);
        match line {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) => {
                line.push(' ');
                line.push_str(word);
            }
            None => lines.push(" ".repeat(indentation) + word),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_comment_is_one_line() {
        assert_eq!(Comment::new("The end.").text(4), "    /** The end. */\n");
    }

    #[test]
    fn long_paragraphs_and_arguments_are_wrapped() {
        let long = "word ".repeat(30);
        let text = Comment::new(long.as_str()).parameter("a", long.as_str()).tag("@since 1.0").text(0);
        assert!(text.lines().all(|line| line.len() <= WIDTH), "{text}");
        assert_eq!(text.matches("word").count(), 60);
        assert!(text.contains("\n *\n * @param a word word"), "{text}");
        assert!(text.contains("\n *     word"), "{text}");
        assert!(text.ends_with("\n * @since 1.0\n */\n"), "{text}");
    }
}
