//! Locations are encoded in several threads and written in their order.
//!
//! Each location has a channel of a few pieces. The thread that writes empties the channels one
//! after the other; a thread that is ahead of it waits when its channel is full.

use crate::timeline::Timeline;
use crate::track::{Format, Pieces, Section};
use kymo_analysis::{Location, Remarks, Selection, Trace, pass};
use kymo_otf2::references::LocationRef;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, Seek, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::{fmt, thread};
use tempfile::SpooledTempFile;

/// The irregularities that an export found, and the number of things that it left out.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Report {
    /// The number of events that were read.
    pub events: u64,
    /// The irregularities of the trace.
    pub remarks: Remarks,
    /// The things that the format cannot contain, with their numbers.
    pub left_out: BTreeMap<Cow<'static, str>, u64>,
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

/// How many pieces of a location wait.
const PIECES: usize = 4;
/// The largest number of bytes for the end of the file that wait in memory.
const MOST_IN_MEMORY: usize = 8 << 20;

/// Writes a trace.
///
/// # Errors
///
/// If the result cannot be written. Locations that cannot be read are in [`Report::failures`].
pub fn export(
    trace: &Trace,
    selection: &Selection,
    format: &dyn Format,
    out: &mut (impl Write + ?Sized),
) -> Result<Report, Error> {
    let mut assembly = Assembly::start(format, out).map_err(Error::Write)?;
    let report =
        tracks(trace, selection, format, |number, section, piece| assembly.add(number, section, piece))?;
    assembly.finish().map_err(Error::Write)?;
    Ok(report)
}

/// A file that is made from the tracks of its locations.
#[derive(Debug)]
pub struct Assembly<'f, W> {
    format: &'f dyn Format,
    out: W,
    end: SpooledTempFile,
    /// The last location of each section.
    last: [Option<usize>; 2],
}

impl<'f, W: Write> Assembly<'f, W> {
    /// Writes the head of the file.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn start(format: &'f dyn Format, mut out: W) -> io::Result<Self> {
        out.write_all(&format.head())?;
        Ok(Self { format, out, end: SpooledTempFile::new(MOST_IN_MEMORY), last: [None; 2] })
    }

    /// Adds the next piece of the location with this number.
    ///
    /// # Errors
    ///
    /// If it cannot be written, or a temporary file cannot.
    pub fn add(&mut self, number: usize, section: Section, piece: &[u8]) -> io::Result<()> {
        let separator = |last: &mut Option<usize>| match last.replace(number) {
            Some(last) if last != number => self.format.separator(),
            _ => b"",
        };
        match section {
            Section::Track => {
                self.out.write_all(separator(&mut self.last[0]))?;
                self.out.write_all(piece)
            }
            Section::End => {
                self.end.write_all(separator(&mut self.last[1]))?;
                self.end.write_all(piece)
            }
        }
    }

    /// Writes the tail of the file.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn finish(mut self) -> io::Result<()> {
        self.out.write_all(&self.format.middle())?;
        self.end.rewind()?;
        io::copy(&mut self.end, &mut self.out)?;
        self.out.write_all(&self.format.tail())
    }
}

/// Passes the tracks of the selected locations in pieces, at least one of each, in the order of the
/// numbers of the locations, which come with them.
///
/// # Errors
///
/// Those of `each`, and of temporary files.
pub fn tracks(
    trace: &Trace,
    selection: &Selection,
    format: &dyn Format,
    mut each: impl FnMut(usize, Section, &[u8]) -> io::Result<()>,
) -> Result<Report, Error> {
    let wanted = selection.of(trace);
    let report = Mutex::new(Ok(Report::default()));
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
                match (part, &mut *report) {
                    (Ok(part), Ok(report)) => report.add(part),
                    (Err(error), report) => *report = Err(error),
                    (Ok(_), Err(_)) => {}
                }
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
        for (pieces, (number, _)) in receivers.iter().zip(&wanted) {
            let mut pieces = pieces.iter();
            written = written.and_then(|()| {
                pieces.try_for_each(|(section, piece): (_, Vec<u8>)| each(*number, section, &piece))
            });
        }
        // Threads that wait for room end when there is no receiver.
        drop(receivers);
        written
    });
    written.map_err(Error::Write)?;
    report.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner())
}

fn encode(
    trace: &Trace,
    selection: &Selection,
    format: &dyn Format,
    location: &Location,
    number: usize,
    sender: &SyncSender<(Section, Vec<u8>)>,
) -> Result<Report, Error> {
    let track = format.track(location, number);
    let timeline = Timeline::new(trace, location.id, selection.from, track, Pieces::new(sender));
    let read = pass::location(trace, selection, location.id, timeline);
    let left_out = read.visitor.finish().map_err(Error::Analysis)?;
    Ok(Report {
        events: read.events,
        remarks: read.remarks,
        left_out,
        failures: read.failure.map(|failure| (location.id, failure)).into_iter().collect(),
    })
}

impl Report {
    /// Adds the report of other locations.
    pub fn add(&mut self, other: Self) {
        self.events += other.events;
        self.remarks += other.remarks;
        for (what, count) in other.left_out {
            *self.left_out.entry(what).or_default() += count;
        }
        self.failures.extend(other.failures);
        self.failures.sort_by_key(|(location, _)| *location);
    }
}
