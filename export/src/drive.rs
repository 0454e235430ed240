//! Locations are encoded in several threads and written in their order.
//!
//! Each location has a channel of a few pieces. The thread that writes empties the channels one
//! after the other; a thread that is ahead of it waits when its channel is full.

use crate::timeline::Timeline;
use crate::track::Format;
use kymo_analysis::{Location, Remarks, Selection, Trace, pass};
use kymo_otf2::references::LocationRef;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::{fmt, thread};

/// What an export left out or found irregular.
#[derive(Debug, Default)]
pub struct Report {
    /// The number of events that were read.
    pub events: u64,
    /// What was irregular in the trace.
    pub remarks: Remarks,
    /// What the format cannot contain, and how often it occurred.
    pub left_out: BTreeMap<&'static str, u64>,
    /// The locations whose events could not all be read.
    pub failures: Vec<(LocationRef, kymo_analysis::Error)>,
}

/// Why there is no result.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The trace cannot be analysed.
    Analysis(kymo_analysis::Error),
    /// The result cannot be written.
    Write(io::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Analysis(error) => error.fmt(f),
            Self::Write(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Analysis(error) => Some(error),
            Self::Write(error) => Some(error),
        }
    }
}

/// The number of bytes of a piece, and how many of them wait for each location.
pub(crate) const PIECE: usize = 1 << 16;
const PIECES: usize = 4;

/// Writes a trace.
///
/// # Errors
///
/// If the result cannot be written. Locations that cannot be read are in [`Report::failures`].
pub fn export(
    trace: &Trace,
    selection: &Selection,
    format: &dyn Format,
    out: &mut impl Write,
) -> Result<Report, Error> {
    let all: Vec<_> = trace.locations().iter().enumerate().collect();
    let wanted: Vec<_> = all.into_iter().filter(|(_, it)| selection.contains(it.id)).collect();
    out.write_all(&format.head()).map_err(Error::Write)?;
    let report = Mutex::new(Report::default());
    let (mut senders, mut receivers) = (Vec::new(), Vec::new());
    for _ in &wanted {
        let (sender, receiver) = sync_channel(PIECES);
        senders.push(Mutex::new(Some(sender)));
        receivers.push(receiver);
    }
    let next = AtomicUsize::new(0);
    let run = || {
        loop {
            let place = next.fetch_add(1, Relaxed);
            let (Some((number, location)), Some(sender)) = (wanted.get(place), senders.get(place)) else {
                return;
            };
            let Some(sender) = sender.lock().ok().and_then(|mut sender| sender.take()) else { return };
            let part = encode(trace, selection, format, location, *number, &sender);
            if let Ok(mut report) = report.lock() {
                report.add(part);
            }
        }
    };
    let written = thread::scope(|scope| {
        let mut threads = 0;
        for _ in 0..selection.threads.get().min(wanted.len()) {
            threads += usize::from(thread::Builder::new().spawn_scoped(scope, run).is_ok());
        }
        if threads == 0 && !wanted.is_empty() {
            return Err(io::ErrorKind::OutOfMemory.into());
        }
        let mut written = Ok(());
        for (place, pieces) in receivers.iter().enumerate() {
            let separator = if place > 0 { format.separator() } else { b"" };
            written = written.and_then(|()| out.write_all(separator)).and_then(|()| drain(pieces, out));
        }
        // Threads that wait for room end when there is no receiver.
        drop(receivers);
        written
    });
    written.and_then(|()| out.write_all(&format.tail())).map_err(Error::Write)?;
    let mut report = report.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    report.failures.sort_by_key(|(location, _)| *location);
    Ok(report)
}

fn drain(pieces: &Receiver<Vec<u8>>, out: &mut impl Write) -> io::Result<()> {
    pieces.iter().try_for_each(|piece| out.write_all(&piece))
}

fn encode(
    trace: &Trace,
    selection: &Selection,
    format: &dyn Format,
    location: &Location,
    number: usize,
    sender: &SyncSender<Vec<u8>>,
) -> Report {
    let track = format.track(location, number);
    let timeline = Timeline::new(trace, location.id, selection.from, track, sender);
    let read = pass::location(trace, selection, location.id, timeline);
    let left_out = read.visitor.finish();
    Report {
        events: read.events,
        remarks: read.remarks,
        left_out,
        failures: read.failure.map(|failure| (location.id, failure)).into_iter().collect(),
    }
}

impl Report {
    fn add(&mut self, other: Self) {
        self.events += other.events;
        self.remarks += other.remarks;
        other.left_out.into_iter().for_each(|(what, count)| *self.left_out.entry(what).or_default() += count);
        self.failures.extend(other.failures);
    }
}
