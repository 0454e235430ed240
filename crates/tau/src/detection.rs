//! Detects the layout of a trace file, which the file itself does not state.
//!
//! The first record of a trace has parameter 3, and the place of this number determines the layout.
//! The parameter may be 3 in several layouts (node 3, time 3) or in none (the beginning is
//! missing). Then the layout is chosen in which the first records are most plausible: events of the
//! event file, times close to each other, padding of zeros, a file of whole records.

use std::collections::HashSet;
use std::path::Path;

use crate::error::Result;
use crate::event_file::EventFile;
use crate::record::{Layout, NARROW, WIDE};
use crate::trace_file::TraceFile;

/// The parameter of the record that begins a trace.
const BEGIN: i64 = 3;
/// The number of records examined.
const RECORDS: usize = 128;
/// The number of events examined, a bound on memory.
const EVENTS: usize = 1 << 20;
/// The largest plausible difference between times of a trace: 35 years in microseconds.
const SPAN: u64 = 1 << 50;

/// The detected layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Detected {
    pub(crate) layout: Layout,
    /// No layout has the parameter that begins a trace.
    pub(crate) guessed: bool,
}

/// Detects the layout of a trace. Returns `None` while the trace is shorter than a record.
pub(crate) fn detect(file: &mut TraceFile, event_file: &Path) -> Result<Option<Detected>> {
    let length = file.length()?;
    let head = file.bytes(0, RECORDS * WIDE)?;
    if head.len() < NARROW {
        return Ok(None);
    }
    let begins = |layout: &Layout| parameter(*layout, head) == Some(BEGIN);
    let fitting: Vec<Layout> = Layout::ALL.into_iter().filter(begins).collect();
    let layout = match *fitting {
        [layout] => layout,
        [] => likeliest(&Layout::ALL, head, length, event_file),
        _ => likeliest(&fitting, head, length, event_file),
    };
    Ok(Some(Detected { layout, guessed: fitting.is_empty() }))
}

/// Returns the parameter of the first record. The time of the record may be missing.
fn parameter(layout: Layout, head: &[u8]) -> Option<i64> {
    let mut first = [0; WIDE];
    for (to, from) in first.iter_mut().zip(head) {
        *to = *from;
    }
    layout.decode(&first).map(|record| record.parameter)
}

fn likeliest(layouts: &[Layout], head: &[u8], length: u64, event_file: &Path) -> Layout {
    // Without an event file there is less evidence. The error is reported when reading continues.
    let events = ids(event_file).unwrap_or_default();
    let score = |layout: Layout| (score(layout, head, length, &events), layout == Layout::NATIVE);
    layouts.iter().copied().max_by_key(|&layout| score(layout)).unwrap_or(Layout::NATIVE)
}

fn ids(event_file: &Path) -> Result<HashSet<i32>> {
    let mut ids = HashSet::new();
    let mut file = EventFile::open(event_file)?;
    while ids.len() < EVENTS
        && let Some(line) = file.next()?
    {
        ids.extend(line.ok().map(|line| line.id));
    }
    Ok(ids)
}

/// Returns how plausible the first records are in a layout.
fn score(layout: Layout, head: &[u8], length: u64, events: &HashSet<i32>) -> usize {
    let size = layout.record_size();
    let records: Vec<_> = head.chunks_exact(size).take(RECORDS).collect();
    let decoded = || records.iter().filter_map(|bytes| layout.decode(bytes));
    let first = decoded().next().map_or(0, |record| record.time);
    let known = decoded().filter(|record| events.contains(&record.event)).count();
    let close =
        decoded().filter(|record| record.time.abs_diff(first) < SPAN && record.time < 1 << 62).count();
    let is_padded = |bytes: &&&[u8]| size == NARROW || bytes.get(12..16) == Some(&[0; 4]);
    let padded = records.iter().filter(is_padded).count();
    let part = |count: usize| count * 1000 / records.len().max(1);
    part(4 * known)
        + part(2 * close)
        + part(padded)
        + if length.is_multiple_of(size as u64) { 1000 } else { 0 }
}
