//! The cells of rows.

use kymo_analysis::overview::{Cell, Overview};
use kymo_otf2::references::RegionRef;

use super::arrangement::Row;

/// Passes the cells of a row on a level.
pub(crate) fn each(overview: &Overview, row: &Row, level: usize, mut pass: impl FnMut(Cell)) {
    let lanes: Vec<_> = row.lanes.iter().map(|lane| &overview.lanes[*lane].1.levels[level]).collect();
    match lanes[..] {
        [cells] => cells.iter().copied().for_each(pass),
        _ => (0..lanes.first().map_or(0, |cells| cells.len())).for_each(|bucket| {
            pass(mean(lanes.iter().map(|cells| cells[bucket])));
        }),
    }
}

/// Returns the region in which most time is spent by these cells, with the mean of its shares.
pub(crate) fn mean(cells: impl ExactSizeIterator<Item = Cell>) -> Cell {
    let number = cells.len().max(1) as u64;
    let (mut sums, mut calls) = (Vec::<(RegionRef, u64)>::new(), 0_u32);
    for cell in cells {
        calls = calls.saturating_add(cell.calls);
        match sums.iter_mut().find(|it| it.0 == cell.region) {
            Some(sum) => sum.1 += u64::from(cell.share),
            None => sums.push((cell.region, cell.share.into())),
        }
    }
    sums.retain(|it| it.0.is_defined());
    let most = sums.into_iter().max_by_key(|(region, share)| (*share, std::cmp::Reverse(*region)));
    let (region, share) = most.unwrap_or((RegionRef::UNDEFINED, 0));
    let share = (share / number).clamp(u64::from(share > 0), u8::MAX.into());
    Cell::new(region, share as u8, calls)
}
