//! A time line in letters, for those who have a terminal only.

use std::fmt::Write as _;
use std::io::{IsTerminal, stdout};

use kymo_analysis::overview::{self, Cell, Shape};
use kymo_analysis::pass::selected_time;
use kymo_analysis::{Selection, Trace};
use kymo_otf2::references::RegionRef;

use crate::escape;
use crate::number;
use crate::output::{has_colours, print_as_it_is, terminal_width};
use crate::problem::Problem;
use crate::report::{Arrangement, Labels, Messages, Palette, Report, Waiting, each_cell};
use crate::status::Status;
use crate::trace;

/// The width where there is no terminal.
const WIDTH: usize = 80;
/// The least and the largest width of names.
const NAME: std::ops::RangeInclusive<usize> = 8..=60;
/// The largest number of rows.
const MOST_ROWS: usize = 200;
/// The letters of regions, those with most time first.
const LETTERS: &[u8; 26] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ";
/// All other regions, and no region.
const OTHER: char = '+';
const NOTHING: char = '.';

/// Prints the time line of a trace.
pub(super) fn print_timeline(trace: &Trace, selection: &Selection) -> Result<Status, Problem> {
    let (from, length) = selected_time(trace, selection);
    let shape = Shape::new(from, length, 1024, 1);
    let mut messages = Messages::new(trace, shape);
    let (statistics, overview) = overview::of(trace, selection, &shape, |it| messages.add(&it))
        .map_err(|error| trace::problem(trace, &error))?;
    let status = trace::report(trace, &statistics.failures, &statistics.remarks);
    let name = String::new();
    let waiting = Waiting::default();
    let report =
        Report { name, trace, shape, statistics, overview, messages, waiting, check: None, tiles: None };
    let is_terminal = stdout().is_terminal();
    let width = terminal_width().unwrap_or(WIDTH).clamp(40, 400);
    let text = timeline(&report, width, is_terminal && has_colours());
    // Names in it are escaped.
    Ok(status.max(print_as_it_is(&text)))
}

/// Returns the time line, `width` columns wide.
fn timeline(report: &Report<'_>, width: usize, is_coloured: bool) -> String {
    let arrangement = Arrangement::of(report.trace, &report.overview, MOST_ROWS);
    let palette = Palette::of(report.trace, &report.overview);
    let labels = Labels::of(report.trace, &report.overview);
    let names: Vec<_> = arrangement.rows.iter().map(|row| escape::line(labels.row(row))).collect();
    // Names take the space that they need, but not more than a third of the line.
    let longest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let indent = longest.clamp(*NAME.start(), *NAME.end()).min(width / 3);
    let columns = width - indent - 1;
    let mut text = String::new();
    let start = number::time(report.shape.from as f64);
    let end = number::time((report.shape.from + report.shape.length) as f64);
    // Writing to a string does not fail.
    let _ = writeln!(text, "{:indent$} {start}{end:>rest$}", "", rest = columns - start.len().min(columns));
    for (row, name) in arrangement.rows.iter().zip(&names) {
        let name = number::shortened(name, indent);
        let _ = write!(text, "{name:indent$} ");
        let mut cells = Vec::new();
        each_cell(&report.overview, row, 0, |cell| cells.push(cell));
        for column in 0..columns {
            let cell = of_column(&cells, &report.shape, column, columns);
            draw(&mut text, &palette, cell.region, is_coloured);
        }
        text.push('\n');
    }
    text.push('\n');
    for region in palette.regions.iter().take(LETTERS.len()) {
        draw(&mut text, &palette, *region, is_coloured);
        let time: u128 = report.statistics.regions.get(region).map_or(0, |it| it.sums.exclusive());
        let name = number::shortened(&report.trace.region_name(*region), width.saturating_sub(16));
        let _ = writeln!(text, " {:>9}  {name}", number::time(time as f64));
    }
    if palette.regions.len() > LETTERS.len() {
        let _ = writeln!(text, "{OTHER} {} more regions", palette.regions.len() - LETTERS.len());
    }
    for note in &arrangement.notes {
        let _ = writeln!(text, "{note}");
    }
    text
}

/// Returns the cell with the largest share in a column.
fn of_column(cells: &[Cell], shape: &Shape, column: usize, columns: usize) -> Cell {
    let bucket = |column: usize| {
        let time = shape.length as u128 * column as u128 / columns as u128;
        usize::try_from(time / u128::from(shape.width)).unwrap_or(usize::MAX).min(cells.len())
    };
    let first = bucket(column).min(cells.len().saturating_sub(1));
    let end = bucket(column + 1).max(first + 1).min(cells.len());
    let inside = cells[first..end].iter().filter(|it| it.region.is_defined());
    inside.max_by_key(|it| it.share).copied().unwrap_or(Cell::EMPTY)
}

fn draw(text: &mut String, palette: &Palette, region: RegionRef, is_coloured: bool) {
    if !region.is_defined() {
        return text.push(NOTHING);
    }
    let place = palette.place(region);
    let letter = LETTERS.get(place).map_or(OTHER, |it| char::from(*it));
    let [red, green, blue] = palette.colour(place);
    let is_dark = u32::from(red) * 3 + u32::from(green) * 6 + u32::from(blue) < 1400;
    let _ = match is_coloured {
        true => {
            write!(text, "\x1b[48;2;{red};{green};{blue};{}m{letter}\x1b[0m", if is_dark { 97 } else { 30 })
        }
        false => write!(text, "{letter}"),
    };
}
