//! The cells of rows.

use std::collections::BTreeMap;

use kymo_analysis::ContextId;
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
    let (mut shares, mut calls, mut outermost) = (BTreeMap::<_, u64>::new(), 0_u32, Cell::NO_CALL);
    for cell in cells {
        calls = calls.saturating_add(cell.calls);
        outermost = outermost.min(cell.outermost);
        if cell.region.is_defined() {
            *shares.entry((cell.region, cell.context)).or_default() += u64::from(cell.share);
        }
    }
    let shares: Vec<_> = shares.into_iter().collect();
    let sum = |parts: &[((RegionRef, ContextId), u64)]| parts.iter().map(|it| it.1).sum::<u64>();
    let regions = shares.chunk_by(|one, other| one.0.0 == other.0.0);
    // Of equal ones, the first.
    let most = regions.rev().max_by_key(|it| sum(it)).unwrap_or_default();
    let Some(((region, context), _)) = most.iter().rev().max_by_key(|it| it.1).copied() else {
        return Cell::EMPTY.with_calls(calls, outermost);
    };
    let share = sum(most);
    let share = (share / number).clamp(u64::from(share > 0), u8::MAX.into());
    Cell::new(region, context, share as u8).with_calls(calls, outermost)
}
