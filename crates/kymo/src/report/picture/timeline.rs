//! Rows × time: in each bucket the region with the most time.

use std::collections::BTreeMap;
use std::io;

use super::super::arrangement::{Arrangement, Row, RowKind};
use super::super::cells;
use super::super::data::Report;
use super::super::palette::{self, OUTSIDE, Palette};
use super::svg::{Anchor, Area, Drawing, Path, WIDTH, fitted};
use super::{LINE, axis, begin, note};
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
/// The number of regions in the legend.
const LEGEND: usize = 12;
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
    draw_cells(drawing, report, &plot, rows, palette)?;
    let mut notes = arrangement.notes.clone();
    notes.extend(draw_messages(drawing, report, &plot, arrangement)?);
    drawing.height = plot.y(rows.len()) + 4.0;
    draw_legend(drawing, report, palette)?;
    notes.push(format!(
        "Each bucket of {} has the colour of the region with the most exclusive time, paler with less of it.",
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
    let step = (NAME / plot.row).ceil().max(1.0) as usize;
    for (number, row) in rows.iter().enumerate().step_by(step) {
        let name = report.row_name(row);
        let name = match row.kind {
            RowKind::Location => name,
            kind => format!("{}: {name}", kind.name()),
        };
        let y = plot.y(number) + (plot.row.min(NAME) + 9.0) / 2.0;
        drawing.text((LEFT - 6.0, y), Anchor::End, fitted(&name, LEFT - 16.0))?;
    }
    Ok(())
}

fn draw_cells(
    drawing: &mut Drawing,
    report: &Report<'_>,
    plot: &Plot,
    rows: &[Row],
    palette: &Palette,
) -> io::Result<()> {
    let gap = if plot.row >= 6.0 { 1.0 } else { 0.0 };
    let mut paths = BTreeMap::<(u16, u8), Path>::new();
    let width = report.shape.width as f64;
    for (number, row) in rows.iter().enumerate() {
        let mut cells = Vec::new();
        cells::each(&report.overview, row, 0, |cell| {
            cells.push((palette.short(cell.region), cell.share / (u8::MAX / SHADES + 1)));
        });
        let mut start = 0;
        for run in cells.chunk_by(|one, other| one == other) {
            let end = start + run.len();
            let [left, right] = [start, end].map(|bucket| plot.x(bucket as f64 * width));
            if run[0].0 != OUTSIDE && right > left {
                let area = Area { left, top: plot.y(number), width: right - left, height: plot.row - gap };
                paths.entry(run[0]).or_default().add(area);
            }
            start = end;
        }
    }
    for ((region, shade), path) in &paths {
        let pale = f64::from(SHADES - 1 - shade) / f64::from(SHADES) * 0.8;
        let colour = palette::mixed(palette::colour((*region).into()), [0xff; 3], pale);
        drawing.fill(path, colour)?;
    }
    Ok(())
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
        drawing.stroke(&path, [0; 3], "0.75")?;
    }
    Ok(None)
}

fn draw_legend(drawing: &mut Drawing, report: &Report<'_>, palette: &Palette) -> io::Result<()> {
    const COLUMN: f64 = (WIDTH - 24.0) / 4.0;
    for (place, region) in palette.regions.iter().take(LEGEND).enumerate() {
        let left = 12.0 + COLUMN * (place % 4) as f64;
        drawing.height += if place % 4 == 0 { LINE } else { 0.0 };
        let top = drawing.height - 10.0;
        let name = report.trace.region_name(*region);
        drawing.rectangle(Area { left, top, width: 11.0, height: 11.0 }, palette::colour(place), "")?;
        drawing.text((left + 16.0, drawing.height), Anchor::Start, fitted(&name, COLUMN - 26.0))?;
    }
    let more = palette.regions.len().saturating_sub(LEGEND);
    if more > 0 {
        drawing.height += LINE;
        drawing.text((12.0, drawing.height), Anchor::Start, format!("and {more} regions with less time"))?;
    }
    Ok(())
}
