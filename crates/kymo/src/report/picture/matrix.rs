//! Bytes from each process to each other one.

use std::collections::BTreeMap;
use std::io;

use super::super::data::Report;
use super::super::labels::Labels;
use super::super::messages::Joined;
use super::super::palette::{self, Colour};
use super::svg::{Anchor, Area, Drawing, Path, WIDTH, fitted_label};
use super::{LINE, begin, note};
use crate::number;

const LEFT: f64 = 190.0;
const SIZE: f64 = 480.0;
/// The largest number of rows and columns.
const MOST: usize = 240;
/// The least distance of names.
const NAME: f64 = 13.0;
/// The colours of the fewest and the most bytes, with one between.
const SCALE: [Colour; 3] = [[0xd6, 0xe6, 0xf5], [0x4a, 0x90, 0xc8], [0x1f, 0x3c, 0x8c]];

/// A logarithmic scale from the fewest to the most bytes. From 1 byte on, amounts that differ by
/// little would all have the darkest colour.
struct Scale {
    least: f64,
    most: f64,
}

impl Scale {
    fn of(bytes: impl Iterator<Item = u64>) -> Self {
        let (least, most) = bytes.fold((u64::MAX, 0), |(least, most), it| (least.min(it), most.max(it)));
        Self { least: (least.min(most) as f64).ln_1p(), most: (most as f64).ln_1p() }
    }

    /// Returns the place of an amount, 0 to 1; the middle if all are equal. Bytes that differ by
    /// less than a per cent of the scale share a path.
    fn part(&self, bytes: u64) -> f64 {
        let length = self.most - self.least;
        if length > 0.0 { ((bytes as f64).ln_1p() - self.least) / length } else { 0.5 }
    }

    fn bytes(&self, part: f64) -> f64 {
        (self.least + (self.most - self.least) * part).exp_m1().round()
    }
}

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
    let scale = Scale::of(sums.values().map(|it| it.bytes));
    let mut paths = BTreeMap::<u8, Path>::new();
    for ((source, destination), sum) in &sums {
        let (left, top) = (LEFT + f64::from(*destination) * side, top + f64::from(*source) * side);
        let gap = if side >= 6.0 { 1.0 } else { 0.0 };
        let area = Area { left, top, width: side - gap, height: side - gap };
        paths.entry((scale.part(sum.bytes) * 100.0) as u8).or_default().add(area);
    }
    for (part, path) in &paths {
        drawing.fill(path, colour(f64::from(*part) / 100.0))?;
    }
    let labels = Labels::of(report.trace, &report.overview);
    let step = (NAME / side).ceil() as usize;
    for place in (0..count).step_by(step) {
        let name = labels.process(rows[place][0]);
        let y = top + place as f64 * side + (side.min(NAME) + 9.0) / 2.0;
        drawing.text((LEFT - 6.0, y), Anchor::End, fitted_label(&name, LEFT - 16.0))?;
    }
    let middle = LEFT + side * count as f64 / 2.0;
    drawing.text((middle, top - 6.0), Anchor::Middle, "receivers, in the order of the senders")?;
    draw_scale(drawing, top, LEFT + side * count as f64 + 40.0, &scale)?;
    drawing.height = top + (side * count as f64).max(150.0);
    let mut notes = vec!["Rows send, columns receive.".to_owned()];
    if joined > 1 {
        notes.push(format!("Each row and column has {joined} processes."));
    }
    note(drawing, &notes)
}

fn draw_scale(drawing: &mut Drawing, top: f64, left: f64, scale: &Scale) -> io::Result<()> {
    const STEPS: usize = 40;
    let left = left.min(WIDTH - 140.0);
    for step in 0..STEPS {
        let part = 1.0 - step as f64 / (STEPS - 1) as f64;
        let area = Area { left, top: top + step as f64 * 3.5, width: 16.0, height: 3.6 };
        drawing.rectangle(area, colour(part), "")?;
    }
    let marks = [(0.5, 74.0), (1.0, 8.0), (0.0, 140.0)];
    let count = if scale.most > scale.least { marks.len() } else { 1 };
    for (part, y) in marks.into_iter().take(count) {
        drawing.text((left + 22.0, top + y), Anchor::Start, number::bytes(scale.bytes(part)))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A matrix of equal amounts was black.
    #[test]
    fn equal_amounts_have_the_middle_of_the_scale() {
        let parts = |bytes: &[u64]| {
            let scale = Scale::of(bytes.iter().copied());
            bytes.iter().map(|it| scale.part(*it)).collect::<Vec<_>>()
        };
        assert_eq!(parts(&[4096, 4096]), [0.5, 0.5]);
        assert_eq!(parts(&[4096, 8192]), [0.0, 1.0]);
        assert_eq!(parts(&[0, 0]), [0.5, 0.5]);
        assert_eq!(Scale::of([7, 1_000_000].into_iter()).bytes(1.0), 1e6);
    }
}
