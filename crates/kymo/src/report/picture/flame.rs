//! The calling contexts below their callers, as wide as their inclusive time.

use std::io;

use kymo_analysis::{ContextId, profile};

use super::super::data::Report;
use super::super::palette::{Colour, Palette};
use super::svg::{Anchor, Area, Drawing, WIDTH, fitted};
use super::{begin, ink_on, note};
use crate::number;

const LEFT: f64 = 12.0;
const PLOT: f64 = WIDTH - 2.0 * LEFT;
const ROW: f64 = 18.0;
/// Contexts that are not as wide are left out.
const NARROWEST: f64 = 0.5;
/// The largest number of contexts above each other.
const DEEPEST: usize = 60;
/// The colour of the time in no call.
const OUTSIDE_COLOUR: Colour = [0xc4, 0xc8, 0xce];

/// Times and calls of a context. The time includes the contexts below it.
#[derive(Debug, Clone, Copy, Default)]
struct Sum {
    /// Of all locations, which may be more than 2⁶⁴ ns.
    inclusive: u128,
    visits: u64,
}

/// The boxes that were left out.
#[derive(Debug, Default)]
struct Hidden {
    narrow: usize,
    deep: usize,
}

pub(super) fn draw(drawing: &mut Drawing, report: &Report<'_>, palette: &Palette) -> io::Result<()> {
    let top = begin(drawing, "Flame graph")?;
    let sums = sums(report);
    let contexts = &report.overview.contexts;
    let mut children = vec![Vec::new(); contexts.len() + 1];
    for it in contexts.iter() {
        children[contexts.parent(it).index()].push(it);
    }
    let called: u128 = children[ContextId::ROOT.index()].iter().map(|it| sums[it.index()].inclusive).sum();
    let outside = outside(report);
    let total = called + outside;
    let scale = PLOT / total.max(1) as f64;
    let mut hidden = Hidden::default();
    // Contexts to draw, with their left edges and depths.
    let mut due = vec![(ContextId::ROOT, LEFT, 0)];
    while let Some((parent, mut left, depth)) = due.pop() {
        let below = &mut children[parent.index()];
        below.sort_by_key(|it| std::cmp::Reverse(sums[it.index()].inclusive));
        for context in below.iter() {
            let sum = sums[context.index()];
            let width = sum.inclusive as f64 * scale;
            hidden.narrow += usize::from(width < NARROWEST);
            hidden.deep += usize::from(width >= NARROWEST && depth >= DEEPEST);
            if width < NARROWEST || depth >= DEEPEST {
                continue;
            }
            let area = Area { left, top: top + depth as f64 * ROW, width, height: ROW - 1.0 };
            draw_context(drawing, report, palette, *context, area, sum, total)?;
            drawing.height = drawing.height.max(area.top + ROW);
            due.push((*context, left, depth + 1));
            left += width;
        }
    }
    let left = LEFT + called as f64 * scale;
    if outside as f64 * scale >= NARROWEST {
        let area = Area { left, top, width: outside as f64 * scale, height: ROW - 1.0 };
        let name = format!("({})", profile::OUTSIDE);
        let title = format!("{name}: {}", amount(outside, total));
        draw_box(drawing, area, OUTSIDE_COLOUR, &name, &title)?;
    }
    let mut notes = vec![format!(
        "Width: inclusive time over all locations, together {}. Callers are above what they call.",
        number::time(total as f64)
    )];
    if hidden.narrow > 0 {
        notes.push(format!(
            "Left out, with the contexts below: {} narrower than half a pixel.",
            hidden.narrow
        ));
    }
    if hidden.deep > 0 {
        notes.push(format!("Left out: {} with more than {DEEPEST} callers.", hidden.deep));
    }
    note(drawing, &notes)
}

/// Returns the time in no call; 0 without samples, as in `kymo profile`.
fn outside(report: &Report<'_>) -> u128 {
    let lanes = report.overview.lanes.iter().filter(|_| report.overview.has_samples);
    lanes.flat_map(|(_, lane)| &lane.outside).map(|it| u128::from(*it)).sum()
}

/// Returns a time with its part of all times.
fn amount(time: u128, total: u128) -> String {
    let part = number::per_cent(time as f64 / total.max(1) as f64);
    format!("{} = {part} %", number::time(time as f64))
}

fn sums(report: &Report<'_>) -> Vec<Sum> {
    let contexts = &report.overview.contexts;
    let mut sums = vec![Sum::default(); contexts.len() + 1];
    for entry in report.overview.lanes.iter().flat_map(|(_, lane)| &lane.entries) {
        let sum = &mut sums[entry.context.index()];
        sum.inclusive += u128::from(entry.exclusive);
        sum.visits += entry.visits;
    }
    // Contexts are in depth-first order: callers precede their callees.
    for context in contexts.iter().rev() {
        sums[contexts.parent(context).index()].inclusive += sums[context.index()].inclusive;
    }
    sums
}

fn draw_context(
    drawing: &mut Drawing,
    report: &Report<'_>,
    palette: &Palette,
    context: ContextId,
    area: Area,
    sum: Sum,
    total: u128,
) -> io::Result<()> {
    let region = report.overview.contexts.region(context);
    let name = report.trace.region_name(region);
    let calls = number::grouped(sum.visits.into());
    let title = format!("{name}: {}, {calls} calls", amount(sum.inclusive, total));
    draw_box(drawing, area, palette.colour(palette.place(region)), &name, &title)
}

fn draw_box(drawing: &mut Drawing, area: Area, colour: Colour, name: &str, title: &str) -> io::Result<()> {
    let shown = Area { width: (area.width - 0.5).max(NARROWEST), ..area };
    drawing.rectangle(shown, colour, title)?;
    let text = fitted(name, area.width - 8.0);
    if text.is_empty() {
        return Ok(());
    }
    drawing.coloured_text((area.left + 4.0, area.top + 13.0), Anchor::Start, ink_on(colour), text)
}
