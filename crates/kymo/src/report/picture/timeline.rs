//! Rows × time: in each bucket the region with the most time.

use std::collections::BTreeMap;
use std::io;

use kymo_analysis::Class;

use super::super::arrangement::{Arrangement, Row, RowKind};
use super::super::cells;
use super::super::data::Report;
use super::super::labels::Labels;
use super::super::palette::{self, OUTSIDE, Palette};
use super::svg::{Anchor, Area, Drawing, Path, WIDTH, fitted, fitted_label};
use super::{LINE, axis, begin, ink_on, note};
use crate::number;

const LEFT: f64 = 230.0;
const PLOT: f64 = WIDTH - LEFT - 14.0;
/// The height of all rows, but for the limits of a row.
const HEIGHT: f64 = 560.0;
const ROW: std::ops::RangeInclusive<f64> = 2.0..=18.0;
/// The least distance of names.
const NAME: f64 = 12.0;
/// The largest number of messages that are drawn.
const MOST_MESSAGES: usize = 3_000;
/// More than these are drawn paler.
const FEW_MESSAGES: usize = 500;
/// The number of regions of a class in the legend.
const LEGEND: usize = 4;
/// The colour of the time between the first and the last event of a row.
const ALIVE: palette::Colour = [0xee, 0xf0, 0xf3];
/// The least width and height of a bar that has a name.
const NAMED: (f64, f64) = (34.0, 13.0);
/// The number of steps of the share of a bucket, from pale to full.
const SHADES: u8 = 4;

/// The scales of a time line.
struct Plot {
    top: f64,
    row: f64,
    /// The length of the time in nanoseconds.
    length: f64,
}

impl Plot {
    fn x(&self, time: f64) -> f64 {
        LEFT + (time / self.length).clamp(0.0, 1.0) * PLOT
    }

    /// The space between rows.
    fn gap(&self) -> f64 {
        if self.row >= 6.0 { 1.0 } else { 0.0 }
    }

    fn y(&self, row: usize) -> f64 {
        self.top + row as f64 * self.row
    }
}

pub(super) fn draw(
    drawing: &mut Drawing,
    report: &Report<'_>,
    arrangement: &Arrangement,
    palette: &Palette,
) -> io::Result<()> {
    let top = begin(drawing, "Time line")? + LINE;
    let rows = &arrangement.rows;
    let row = (HEIGHT / rows.len().max(1) as f64).clamp(*ROW.start(), *ROW.end());
    let plot = Plot { top, row, length: report.shape.length.max(1) as f64 };
    draw_axis(drawing, report, &plot, rows.len())?;
    draw_names(drawing, report, &plot, rows)?;
    draw_lives(drawing, report, &plot, rows)?;
    draw_cells(drawing, report, &plot, rows, palette)?;
    let mut notes = arrangement.notes.clone();
    notes.extend(draw_messages(drawing, report, &plot, arrangement)?);
    drawing.height = plot.y(rows.len()) + 4.0;
    draw_legend(drawing, report, palette)?;
    notes.push(format!(
        "Each bucket of {} has the colour of the region with the most exclusive time, paler with less of it. \
         Grey: the location is in no call. White: before its first event, or after its last one.",
        number::time(report.shape.width as f64)
    ));
    note(drawing, &notes)
}

fn draw_axis(drawing: &mut Drawing, report: &Report<'_>, plot: &Plot, rows: usize) -> io::Result<()> {
    let mut lines = Path::default();
    for time in axis::marks(report.shape.length, 10) {
        let x = plot.x(time as f64);
        lines.add_line((x, plot.top - 4.0), (x, plot.y(rows)));
        let anchor = if x > WIDTH - 60.0 { Anchor::End } else { Anchor::Middle };
        let text = number::time((report.shape.from + time) as f64);
        drawing.text((x, plot.top - 6.0), anchor, text)?;
    }
    drawing.stroke(&lines, [0x99; 3], "0.6")
}

fn draw_names(drawing: &mut Drawing, report: &Report<'_>, plot: &Plot, rows: &[Row]) -> io::Result<()> {
    let labels = Labels::of(report.trace, &report.overview);
    let step = (NAME / plot.row).ceil().max(1.0) as usize;
    for (number, row) in rows.iter().enumerate().step_by(step) {
        let name = labels.row(row);
        let name = match row.kind {
            RowKind::Location => name,
            kind => format!("{}: {name}", kind.name()),
        };
        let y = plot.y(number) + (plot.row.min(NAME) + 9.0) / 2.0;
        drawing.text((LEFT - 6.0, y), Anchor::End, fitted_label(&name, LEFT - 16.0))?;
    }
    Ok(())
}

/// Draws when each row has events: the rest of its line is absence.
fn draw_lives(drawing: &mut Drawing, report: &Report<'_>, plot: &Plot, rows: &[Row]) -> io::Result<()> {
    let mut path = Path::default();
    for (number, row) in rows.iter().enumerate() {
        let spans = row.lanes.iter().filter_map(|lane| report.overview.lanes[*lane].1.span);
        let life = spans.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)));
        let Some((begin, end)) = life else { continue };
        let [left, right] = [begin, end].map(|it| plot.x(it as f64 - report.shape.from as f64));
        let height = plot.row - plot.gap();
        path.add(Area { left, top: plot.y(number), width: (right - left).max(0.5), height });
    }
    if path.is_empty() { Ok(()) } else { drawing.fill(&path, ALIVE) }
}

fn draw_cells(
    drawing: &mut Drawing,
    report: &Report<'_>,
    plot: &Plot,
    rows: &[Row],
    palette: &Palette,
) -> io::Result<()> {
    let mut paths = BTreeMap::<(u16, u8), Path>::new();
    let mut names = Vec::new();
    let width = report.shape.width as f64;
    for (number, row) in rows.iter().enumerate() {
        let mut cells = Vec::new();
        cells::each(&report.overview, row, 0, |cell| {
            cells.push((palette.short(cell.region), cell.share / (u8::MAX / SHADES + 1)));
        });
        let area = |start: usize, end: usize| {
            let [left, right] = [start, end].map(|bucket| plot.x(bucket as f64 * width));
            Area { left, top: plot.y(number), width: right - left, height: plot.row - plot.gap() }
        };
        for (start, run) in runs(&cells, |one, other| one == other) {
            let area = area(start, start + run.len());
            if run[0].0 != OUTSIDE && area.width > 0.0 {
                paths.entry(run[0]).or_default().add(area);
            }
        }
        for (start, run) in runs(&cells, |one, other| one.0 == other.0) {
            let area = area(start, start + run.len());
            if run[0].0 != OUTSIDE && area.width >= NAMED.0 && area.height >= NAMED.1 {
                let shade = run.iter().map(|it| f64::from(it.1)).sum::<f64>() / run.len() as f64;
                names.push((area, run[0].0, shade));
            }
        }
    }
    for ((region, shade), path) in &paths {
        drawing.fill(path, shaded(palette, *region, f64::from(*shade)))?;
    }
    for (area, region, shade) in names {
        let name = report.trace.region_name(palette.regions[usize::from(region)]);
        let ink = ink_on(shaded(palette, region, shade));
        let place = (area.left + 3.0, area.top + area.height / 2.0 + 4.0);
        drawing.coloured_text(place, Anchor::Start, ink, fitted(&name, area.width - 6.0))?;
    }
    Ok(())
}

/// Returns the runs of cells that are alike, with their starts.
fn runs<T>(cells: &[T], is_same: impl Fn(&T, &T) -> bool) -> impl Iterator<Item = (usize, &[T])> {
    let mut start = 0;
    cells.chunk_by(is_same).map(move |run| {
        start += run.len();
        (start - run.len(), run)
    })
}

/// Returns the colour of a region with a share of a bucket.
fn shaded(palette: &Palette, region: u16, shade: f64) -> palette::Colour {
    let pale = (f64::from(SHADES - 1) - shade) / f64::from(SHADES) * 0.8;
    palette::mixed(palette.colour(region.into()), [0xff; 3], pale)
}

/// Returns a note on messages that are not drawn.
fn draw_messages(
    drawing: &mut Drawing,
    report: &Report<'_>,
    plot: &Plot,
    arrangement: &Arrangement,
) -> io::Result<Option<String>> {
    let messages = &report.messages;
    let lines = match messages.lines() {
        Some(lines) if lines.len() <= MOST_MESSAGES => lines,
        _ => {
            let count = number::grouped(messages.count.into());
            return Ok(Some(format!("The {count} messages are too many to be drawn as lines.")));
        }
    };
    let mut path = Path::default();
    for line in lines {
        let ends = [(line.send, line.source), (line.receive, line.destination)].map(|(time, location)| {
            let x = plot.x(time as f64 - report.shape.from as f64);
            arrangement.row(location).map(|row| (x, plot.y(row) + plot.row / 2.0))
        });
        if let [Some(from), Some(to)] = ends {
            path.add_line(from, to);
        }
    }
    if !path.is_empty() {
        // Many lines would hide the rows below them.
        let opacity = if lines.len() > FEW_MESSAGES { "0.3" } else { "0.75" };
        drawing.stroke(&path, [0; 3], opacity)?;
    }
    Ok(None)
}

/// Names the classes, each with the regions of most time in their shades.
fn draw_legend(drawing: &mut Drawing, report: &Report<'_>, palette: &Palette) -> io::Result<()> {
    const CLASS: f64 = 150.0;
    const COLUMN: f64 = (WIDTH - 24.0 - CLASS - 80.0) / LEGEND as f64;
    let entry = |drawing: &mut Drawing, left: f64, colour, text: String| {
        let area = Area { left, top: drawing.height - 10.0, width: 11.0, height: 11.0 };
        drawing.rectangle(area, colour, "")?;
        drawing.text((left + 16.0, drawing.height), Anchor::Start, text)
    };
    for (class, places) in palette.classes() {
        drawing.height += LINE;
        let name = Class::ALL[class].name();
        entry(drawing, 12.0, palette::class_colour(class), name.to_owned())?;
        for (column, place) in places.iter().take(LEGEND).enumerate() {
            let left = 12.0 + CLASS + COLUMN * column as f64;
            let name = report.trace.region_name(palette.regions[*place]);
            entry(drawing, left, palette.colour(*place), fitted(&name, COLUMN - 24.0))?;
        }
        let more = places.len().saturating_sub(LEGEND);
        if more > 0 {
            drawing.text((WIDTH - 12.0, drawing.height), Anchor::End, format!("{more} more"))?;
        }
    }
    Ok(())
}
