//! A drawing in the form of SVG. Lengths are in pixels at a scale of 1.

use std::fmt::{Display, Write as _};
use std::io;

use quick_xml::Writer;
use quick_xml::events::{BytesEnd, BytesStart, BytesText, Event};

use super::super::palette::Colour;
use crate::number;

/// The width of a drawing.
pub(super) const WIDTH: f64 = 1200.0;
/// The size of text.
pub(super) const TEXT: f64 = 12.0;
/// The mean width of a character of this size. Browsers choose the font, so it is an estimate.
const CHARACTER: f64 = 6.9;

/// Where a text is, relative to its position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl Anchor {
    fn name(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Middle => "middle",
            Self::End => "end",
        }
    }
}

/// A drawing, from top to bottom.
pub(super) struct Drawing {
    writer: Writer<Vec<u8>>,
    /// The height of the drawn part.
    pub(super) height: f64,
}

/// A rectangle.
#[derive(Debug, Clone, Copy)]
pub(super) struct Area {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// Formats a length with up to two decimals.
fn length(number: f64) -> String {
    let text = format!("{number:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Returns a colour as SVG writes it.
pub(super) fn hex([red, green, blue]: Colour) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// Returns a text without the characters that XML does not allow, or that change the direction of
/// the text after them.
fn visible(text: &str) -> String {
    let is_hidden = |it: char| {
        it.is_control()
            || matches!(it, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
            || matches!(it, '\u{fffe}' | '\u{ffff}')
    };
    text.chars().map(|it| if is_hidden(it) { '\u{fffd}' } else { it }).collect()
}

/// Returns the beginning of a text that fits into a width, and an ellipsis if it does not fit.
pub(super) fn fitted(text: &str, width: f64) -> String {
    let most = (width / CHARACTER).max(0.0) as usize;
    match text.chars().count() <= most {
        true => text.to_owned(),
        false if most < 3 => String::new(),
        false => text.chars().take(most - 1).chain(['…']).collect(),
    }
}

/// Returns a label that fits into a width. It is shortened in its middle: its end distinguishes it.
pub(super) fn fitted_label(text: &str, width: f64) -> String {
    number::shortened(text, (width / CHARACTER).max(0.0) as usize)
}

/// Returns the lines of a text that fit into a width.
pub(super) fn wrapped(text: &str, width: f64) -> Vec<String> {
    let most = (width / CHARACTER).max(1.0) as usize;
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.len() - 1;
        let is_full = lines[last].chars().count() + 1 + word.chars().count() > most;
        match (lines[last].is_empty(), is_full) {
            (true, _) => lines[last].push_str(word),
            (false, false) => lines[last].extend([" ", word]),
            (false, true) => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Rectangles of one colour, as the data of a path.
#[derive(Debug, Default)]
pub(super) struct Path(String);

impl Path {
    pub(super) fn add(&mut self, area: Area) {
        let Area { left, top, width, height } = area;
        let (width, height) = (length(width), length(height));
        // Writing to a string does not fail.
        let _ = write!(self.0, "M{} {}h{width}v{height}h-{width}z", length(left), length(top));
    }

    /// Adds a line.
    pub(super) fn add_line(&mut self, from: (f64, f64), to: (f64, f64)) {
        let _ = write!(self.0, "M{} {}L{} {}", length(from.0), length(from.1), length(to.0), length(to.1));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Drawing {
    pub(super) fn new() -> Self {
        Self { writer: Writer::new(Vec::new()), height: 0.0 }
    }

    fn empty<'a>(
        &mut self,
        name: &str,
        attributes: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> io::Result<()> {
        self.writer.create_element(name).with_attributes(attributes).write_empty().map(|_| ())
    }

    /// Draws a rectangle, which has a text for those who point at it.
    pub(super) fn rectangle(&mut self, area: Area, colour: Colour, title: &str) -> io::Result<()> {
        let Area { left, top, width, height } = area;
        let [x, y, width, height] = [left, top, width, height].map(length);
        let attributes =
            [("x", &*x), ("y", &*y), ("width", &*width), ("height", &*height), ("fill", &*hex(colour))]
                .map(|(name, value)| (name.to_owned(), value.to_owned()));
        let attributes = attributes.iter().map(|(name, value)| (&**name, &**value));
        if title.is_empty() {
            return self.empty("rect", attributes);
        }
        self.writer.write_event(Event::Start(BytesStart::new("rect").with_attributes(attributes)))?;
        self.element("title", [], title)?;
        self.writer.write_event(Event::End(BytesEnd::new("rect")))
    }

    /// Fills a path.
    pub(super) fn fill(&mut self, path: &Path, colour: Colour) -> io::Result<()> {
        self.empty("path", [("d", &*path.0), ("fill", &*hex(colour))])
    }

    /// Draws the lines of a path.
    pub(super) fn stroke(&mut self, path: &Path, colour: Colour, opacity: &str) -> io::Result<()> {
        let attributes = [
            ("d", &*path.0),
            ("fill", "none"),
            ("stroke", &*hex(colour)),
            ("stroke-width", "0.7"),
            ("stroke-opacity", opacity),
        ];
        self.empty("path", attributes)
    }

    /// Writes a text at a position on its base line.
    pub(super) fn text(&mut self, (x, y): (f64, f64), anchor: Anchor, text: impl Display) -> io::Result<()> {
        self.coloured_text((x, y), anchor, [0x22; 3], text)
    }

    /// Writes a text in a colour.
    pub(super) fn coloured_text(
        &mut self,
        (x, y): (f64, f64),
        anchor: Anchor,
        colour: Colour,
        text: impl Display,
    ) -> io::Result<()> {
        let (x, y) = (length(x), length(y));
        let attributes = [("x", &*x), ("y", &*y), ("text-anchor", anchor.name()), ("fill", &*hex(colour))]
            .map(|(name, value)| (name, value.to_owned()));
        let attributes: Vec<_> = attributes.iter().map(|(name, value)| (*name, &**value)).collect();
        self.element("text", attributes, &text.to_string())
    }

    /// Writes the heading of a part.
    pub(super) fn heading(&mut self, y: f64, text: impl Display) -> io::Result<()> {
        let y = length(y);
        let attributes = [("x", "12"), ("y", &*y), ("font-weight", "bold"), ("font-size", "15")];
        self.element("text", attributes, &text.to_string())
    }

    fn element<'a>(
        &mut self,
        name: &str,
        attributes: impl IntoIterator<Item = (&'a str, &'a str)>,
        text: &str,
    ) -> io::Result<()> {
        let element = self.writer.create_element(name).with_attributes(attributes);
        element.write_text_content(BytesText::new(&visible(text))).map(|_| ())
    }

    /// Returns the drawing with a title and a description for those who cannot see it.
    pub(super) fn finish(self, title: &str, description: &str) -> io::Result<String> {
        let body = self.writer.into_inner();
        let mut writer = Writer::new(Vec::new());
        let (width, height) = (length(WIDTH), length(self.height.ceil()));
        let view = format!("0 0 {width} {height}");
        let attributes = [
            ("xmlns", "http://www.w3.org/2000/svg"),
            ("width", &*width),
            ("height", &*height),
            ("viewBox", &*view),
            ("role", "img"),
            ("font-family", "DejaVu Sans, Verdana, Helvetica, Arial, sans-serif"),
            ("font-size", "12"),
        ];
        writer.write_event(Event::Start(BytesStart::new("svg").with_attributes(attributes)))?;
        let mut top = Self { writer, height: 0.0 };
        top.element("title", [], title)?;
        top.element("desc", [], description)?;
        top.empty("rect", [("width", "100%"), ("height", "100%"), ("fill", "#ffffff")])?;
        top.writer.get_mut().extend_from_slice(&body);
        top.writer.write_event(Event::End(BytesEnd::new("svg")))?;
        String::from_utf8(top.writer.into_inner()).map_err(io::Error::other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_text() {
        let mut drawing = Drawing::new();
        drawing.text((1.0, 2.5), Anchor::End, "</text><script>\u{1}\u{202e}\u{ffff}&\"").unwrap();
        let svg = drawing.finish("<a>", "").unwrap();
        assert!(svg.contains("&lt;/text&gt;&lt;script&gt;\u{fffd}\u{fffd}\u{fffd}&amp;"), "{svg}");
        assert!(svg.contains("<title>&lt;a&gt;</title>") && !svg.contains("<script"), "{svg}");
    }

    #[test]
    fn texts_are_cut_where_they_do_not_fit() {
        assert_eq!(fitted("MPI_Allreduce", 200.0), "MPI_Allreduce");
        assert_eq!(fitted("MPI_Allreduce", CHARACTER * 6.0), "MPI_A…");
        assert_eq!(fitted("MPI_Allreduce", CHARACTER * 2.0), "");
        assert_eq!(wrapped("one two  three four", CHARACTER * 9.5), ["one two", "three", "four"]);
    }
}
