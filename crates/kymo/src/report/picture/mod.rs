//! Pictures for papers and mails: time line, flame graph and message matrix, as SVG or PNG.
//!
//! They show the same as the page, by the same data and in the same colours. Invariant: things that
//! do not fit are merged or left out, and a line of the picture states it.

mod axis;
mod flame;
mod matrix;
#[cfg(feature = "png")]
mod png;
mod svg;
mod timeline;

use std::io;

use clap::ValueEnum;

use super::arrangement::Arrangement;
use super::data::Report;
use super::labels::Labels;
use super::palette::{Colour, Palette};
use crate::date;
use crate::number;
use svg::{Anchor, Drawing, TEXT, WIDTH};

#[cfg(feature = "png")]
pub(super) use png::png;

/// The parts that a picture shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PicturePart {
    /// Time line, flame graph, and the matrix if there are messages
    All,
    /// What each location does over time, with messages
    Timeline,
    /// The calling contexts, as wide as their time
    Flame,
    /// Bytes between processes
    Matrix,
}

/// The number of buckets of a time line, about one per pixel.
pub(super) const BUCKETS: usize = 1024;
/// The largest number of rows of a time line.
const MOST_ROWS: usize = 240;

/// The space between parts.
const GAP: f64 = 22.0;
/// The height of a line of text.
const LINE: f64 = TEXT + 5.0;

/// Draws a picture of a trace.
pub(super) fn svg(report: &Report<'_>, part: PicturePart) -> io::Result<String> {
    let arrangement = Arrangement::of(report.trace, &report.overview, MOST_ROWS);
    let palette = Palette::of(report.trace, &report.overview);
    let mut drawing = Drawing::new();
    let count = |number: u64, what| {
        format!("{} {what}{}", number::grouped(number.into()), if number == 1 { "" } else { "s" })
    };
    let labels = Labels::of(report.trace, &report.overview);
    let name = labels.command().unwrap_or_else(|| report.name.clone());
    let date = report.trace.clock().date().map(|it| format!("{}, ", date::text(it)));
    let facts = format!(
        "{}{}, {}, {}",
        date.unwrap_or_default(),
        count(report.trace.locations().len() as u64, "location"),
        count(report.statistics.events, "event"),
        number::time(report.shape.length as f64)
    );
    drawing.heading(24.0, svg::fitted_label(&name, WIDTH * 0.45))?;
    drawing.text((WIDTH - 12.0, 24.0), Anchor::End, &facts)?;
    drawing.height = 36.0;
    let has_messages = !report.messages.matrix.is_empty();
    if matches!(part, PicturePart::All | PicturePart::Timeline) {
        timeline::draw(&mut drawing, report, &arrangement, &palette)?;
    }
    if matches!(part, PicturePart::All | PicturePart::Flame) {
        flame::draw(&mut drawing, report, &palette)?;
    }
    if part == PicturePart::Matrix || part == PicturePart::All && has_messages {
        matrix::draw(&mut drawing, report)?;
    }
    drawing.finish(&name, &format!("{}. {facts}.", report.name))
}

/// Returns the colour of text on a colour: dark on light ones.
fn ink_on(colour: Colour) -> Colour {
    let [red, green, blue] = colour.map(f64::from);
    if 0.299 * red + 0.587 * green + 0.114 * blue < 140.0 { [0xff; 3] } else { [0x11; 3] }
}

/// Starts a part with a heading. Returns the top of its content.
fn begin(drawing: &mut Drawing, heading: &str) -> io::Result<f64> {
    drawing.height += GAP;
    drawing.heading(drawing.height, heading)?;
    drawing.height += 8.0;
    Ok(drawing.height)
}

/// Writes notes below the drawing.
fn note(drawing: &mut Drawing, notes: &[String]) -> io::Result<()> {
    for line in notes.iter().flat_map(|note| svg::wrapped(note, WIDTH - 24.0)) {
        drawing.height += LINE;
        drawing.coloured_text((12.0, drawing.height), Anchor::Start, [0x60; 3], line)?;
    }
    drawing.height += 8.0;
    Ok(())
}
