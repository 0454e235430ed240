//! Calls in the order of their enters and leaves.

use std::cmp::Reverse;

use super::WriteFailure;

/// A call.
#[derive(Debug, Clone, Copy)]
pub(super) struct CallRow {
    pub(super) start: u64,
    pub(super) end: u64,
    pub(super) region: u32,
    /// The number of calls around it, if it is known.
    pub(super) depth: Option<u32>,
}

/// An enter or a leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CallStep {
    pub(super) time: u64,
    pub(super) region: u32,
    pub(super) is_enter: bool,
}

/// The calls of a location that are open, and the steps of others.
struct StepMaker {
    location: u64,
    /// The calls of rows that are open, innermost last.
    open: Vec<CallRow>,
    /// The number of calls that were open before.
    before: usize,
    steps: Vec<CallStep>,
}

/// Returns the enters and leaves of calls of a location, in which `before` calls are open.
///
/// Rows with depths are in the order of their starts, callers before callees. Others are sorted: of
/// calls that start at the same time, the longest is around the others.
///
/// # Errors
///
/// If calls overlap, or a depth is not that of a call inside the one before.
pub(super) fn steps_of_calls(
    location: u64,
    mut rows: Vec<CallRow>,
    before: usize,
) -> Result<Vec<CallStep>, WriteFailure> {
    if rows.iter().any(|row| row.depth.is_none()) {
        rows.iter_mut().for_each(|row| row.depth = None);
        rows.sort_by_key(|row| (row.start, Reverse(row.end)));
    } else {
        rows.sort_by_key(|row| row.start);
    }
    let steps = Vec::with_capacity(2 * rows.len());
    let mut maker = StepMaker { location, open: Vec::new(), before, steps };
    for row in rows {
        maker.add(row)?;
    }
    while maker.leave() {}
    Ok(maker.steps)
}

impl StepMaker {
    fn add(&mut self, row: CallRow) -> Result<(), WriteFailure> {
        while self.open.last().is_some_and(|around| match row.depth {
            Some(depth) => self.before + self.open.len() > depth as usize,
            None => around.end <= row.start,
        }) {
            self.leave();
        }
        let depth = self.before + self.open.len();
        if let Some(wanted) = row.depth.filter(|wanted| *wanted as usize != depth) {
            return Err(self.mistake(row, &format!("its depth is {wanted}, but {depth} calls are open")));
        }
        if self.open.last().is_some_and(|around| around.end < row.end) {
            return Err(self.mistake(row, "it ends after the call around it"));
        }
        if self.steps.last().is_some_and(|step| step.time > row.start) {
            return Err(self.mistake(row, "it starts before the end of the call before it"));
        }
        self.steps.push(CallStep { time: row.start, region: row.region, is_enter: true });
        self.open.push(row);
        Ok(())
    }

    /// Leaves the innermost call; returns false without one.
    fn leave(&mut self) -> bool {
        let call = self.open.pop();
        let step = call.map(|call| CallStep { time: call.end, region: call.region, is_enter: false });
        self.steps.extend(step);
        call.is_some()
    }

    fn mistake(&self, row: CallRow, problem: &str) -> WriteFailure {
        let CallRow { start, end, .. } = row;
        WriteFailure::Mistake(format!(
            "calls: location {}, call from {start} to {end}: {problem}",
            self.location
        ))
    }
}

/// Checks that each leave is that of the innermost open call. `open` are the regions of those open
/// before, and then of those open after the steps.
///
/// # Errors
///
/// If a leave is that of another region.
pub(super) fn check_steps(
    location: u64,
    steps: &[CallStep],
    open: &mut Vec<u32>,
) -> Result<(), WriteFailure> {
    for step in steps {
        if step.is_enter {
            open.push(step.region);
            continue;
        }
        let innermost = open.pop();
        if innermost != Some(step.region) {
            let CallStep { time, region, .. } = step;
            let is = innermost.map_or("no call is open".to_owned(), |it| format!("region {it} is open"));
            let text = format!("events: location {location}, time {time}: leaves region {region}, but {is}");
            return Err(WriteFailure::Mistake(text));
        }
    }
    Ok(())
}
