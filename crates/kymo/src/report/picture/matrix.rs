//! Bytes from each process to each other one.

use std::collections::BTreeMap;
use std::io;

use super::super::data::Report;
use super::super::messages::Joined;
use super::super::palette::{self, Colour};
use super::svg::{Anchor, Area, Drawing, Path, WIDTH, fitted};
use super::{LINE, begin, note};
use crate::number;

const LEFT: f64 = 190.0;
const SIZE: f64 = 480.0;
/// The largest number of rows and columns.
const MOST: usize = 240;
/// The least distance of names.
const NAME: f64 = 13.0;
/// The colours of the fewest and the most bytes, with one between.
const SCALE: [Colour; 3] = [[0xe8, 0xf1, 0xfa], [0x4a, 0x90, 0xc8], [0x12, 0x1f, 0x5c]];

/// Returns the colour of a part of 0 to 1 of the scale.
fn colour(part: f64) -> Colour {
    match part < 0.5 {
        true => palette::mixed(SCALE[0], SCALE[1], part * 2.0),
        false => palette::mixed(SCALE[1], SCALE[2], part * 2.0 - 1.0),
    }
}

pub(super) fn draw(drawing: &mut Drawing, report: &Report<'_>) -> io::Result<()> {
    let top = begin(drawing, "Messages between processes")? + LINE;
    let Joined { rows, most: joined, sums } = report.messages.joined(MOST);
    if rows.is_empty() {
        drawing.height = top;
        return note(drawing, &["The trace has no messages with both sides.".to_owned()]);
    }
    let count = rows.len();
    let side = (SIZE / count as f64).min(36.0);
    let most = sums.values().map(|it| it.bytes).max().unwrap_or(0);
    // The scale is logarithmic; bytes that differ by less than a per cent share a path.
    let part = |bytes: u64| (bytes as f64).ln_1p() / (most as f64).ln_1p().max(f64::MIN_POSITIVE);
    let mut paths = BTreeMap::<u8, Path>::new();
    for ((source, destination), sum) in &sums {
        let (left, top) = (LEFT + f64::from(*destination) * side, top + f64::from(*source) * side);
        let gap = if side >= 6.0 { 1.0 } else { 0.0 };
        let area = Area { left, top, width: side - gap, height: side - gap };
        paths.entry((part(sum.bytes) * 100.0) as u8).or_default().add(area);
    }
    for (part, path) in &paths {
        drawing.fill(path, colour(f64::from(*part) / 100.0))?;
    }
    let step = (NAME / side).ceil() as usize;
    for place in (0..count).step_by(step) {
        let name = report.process_name(rows[place][0]);
        let y = top + place as f64 * side + (side.min(NAME) + 9.0) / 2.0;
        drawing.text((LEFT - 6.0, y), Anchor::End, fitted(&name, LEFT - 16.0))?;
    }
    let middle = LEFT + side * count as f64 / 2.0;
    drawing.text((middle, top - 6.0), Anchor::Middle, "receivers, in the order of the senders")?;
    draw_scale(drawing, top, LEFT + side * count as f64 + 40.0, most)?;
    drawing.height = top + (side * count as f64).max(150.0);
    let mut notes = vec!["Rows send, columns receive.".to_owned()];
    if joined > 1 {
        notes.push(format!("Each row and column has {joined} processes."));
    }
    note(drawing, &notes)
}

fn draw_scale(drawing: &mut Drawing, top: f64, left: f64, most: u64) -> io::Result<()> {
    const STEPS: usize = 40;
    let left = left.min(WIDTH - 140.0);
    for step in 0..STEPS {
        let part = 1.0 - step as f64 / (STEPS - 1) as f64;
        let area = Area { left, top: top + step as f64 * 3.5, width: 16.0, height: 3.6 };
        drawing.rectangle(area, colour(part), "")?;
    }
    for (part, y) in [(1.0, 8.0), (0.5, 74.0), (0.0, 140.0)] {
        let bytes = ((most as f64).ln_1p() * part).exp_m1().round();
        drawing.text((left + 22.0, top + y), Anchor::Start, number::bytes(bytes))?;
    }
    Ok(())
}
