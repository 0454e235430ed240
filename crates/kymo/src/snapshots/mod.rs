//! `kymo snapshots`: adds snapshots to an archive, as otf2-snapshots does.
//!
//! The events are read once, in order of time. [`state`] contains the records that are still active
//! on each location, [`messages`] and [`collectives`] those that wait for events elsewhere. At each
//! of the [`breaks`], [`writers`] writes the state of all locations. Invariant: memory grows with
//! the active records, up to a limit, never with the number of events.

mod breaks;
mod collectives;
mod messages;
mod state;
mod writers;

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use kymo_otf2::enums::Compression;
use kymo_otf2::{Anchor, Error, FileName};

use self::breaks::Breaks;
use self::state::SnapshotState;
use self::writers::Writers;
use crate::amendment::Amendment;
use crate::check::definitions::DefinitionIndex;
use crate::output::inform;
use crate::problem::Problem;
use crate::progress::Progress;
use crate::status::Status;
use crate::time::Time;

/// The number of snapshots unless another one is requested, as in otf2-snapshots.
const USUAL: u64 = 10;
/// The number of dots that `--progress` prints.
const DOTS: u64 = 50;

/// Add snapshots to an archive, from which readers can start
#[derive(Debug, Args)]
#[command(
    after_help = "A snapshot is made at the first event at or after its time; several times without an \
                  event between them have one snapshot. Exit status: 0 success, 1 the archive has errors, 2 \
                  usage error, 4 I/O error, 5 a limit was reached; the archive is changed only on success"
)]
pub(crate) struct Arguments {
    /// The number of snapshots, at equal distances; 10 unless -p is given
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=u64::from(u32::MAX)))]
    number: Option<u64>,
    /// Make a snapshot every PERIOD ticks, or a time with a unit (s, ms, us, ns); with -n, whatever
    /// makes more
    #[arg(short, long, value_name = "PERIOD")]
    period: Option<Time>,
    /// Print a line of dots while the events are read
    #[arg(long)]
    progress: bool,
    /// Print the time of each snapshot
    #[arg(long)]
    verbose: bool,
    /// Replace existing snapshots
    #[arg(long)]
    renew: bool,
    /// Anchor file of the archive (*.otf2), or its folder
    #[arg(value_name = "ANCHOR|DIR")]
    archive: PathBuf,
}

impl Arguments {
    /// Adds the snapshots.
    pub(crate) fn run(&self) -> Status {
        match self.add() {
            Ok(()) => Status::Done,
            Err(problem) => problem.report(),
        }
    }

    fn add(&self) -> Result<(), Problem> {
        let amendment = Amendment::begin(&self.archive)?;
        let anchor = amendment.archive.anchor();
        let path = amendment.path(FileName::Anchor);
        let usage = |what: &str| Problem::of(&path, what, Status::Usage);
        if anchor.compression == Compression::ZLIB {
            return Err(usage("the archive is compressed; 'kymo merge' writes a copy that is not"));
        }
        if anchor.number_of_snapshots > 0 && !self.renew {
            return Err(usage("the archive has snapshots (--renew replaces them)"));
        }
        let (locations, count) = self.write(&amendment)?;
        let number_of_snapshots = u32::try_from(count).map_err(|_| usage("too many snapshots"))?;
        if count == 0 {
            return Err(usage("no snapshot: no event is at or after the time of the first one"));
        }
        let new = amendment.anchor_bytes(&Anchor { number_of_snapshots, ..anchor })?;
        let without = amendment.anchor_bytes(&Anchor { number_of_snapshots: 0, ..anchor })?;
        amendment.write(FileName::Anchor, &new)?;
        let mut files: Vec<FileName> = locations.into_iter().map(FileName::Snapshots).collect();
        files.push(FileName::Anchor);
        let replaces = anchor.number_of_snapshots > 0;
        amendment.commit_after(&files, replaces.then_some(&without))
    }

    /// Writes the snapshots of all locations. Returns the locations and the number of snapshots.
    fn write(&self, amendment: &Amendment) -> Result<(Vec<u64>, u64), Problem> {
        let archive = &amendment.archive;
        let cannot_read = |error: Error| Problem::of_archive(archive, &error);
        let cannot_write = |error: Error| amendment.problem(&error);
        let file = archive.global_definitions().map_err(cannot_read)?;
        // An unreadable definition would make the snapshots incomplete.
        file.records()
            .and_then(|mut records| records.try_for_each(|it| it.map(drop)))
            .map_err(cannot_read)?;
        let definitions = DefinitionIndex::of(file.records().map_err(cannot_read)?);
        let locations: Vec<u64> = definitions.locations.keys().copied().collect();
        let mut breaks = self.breaks(&definitions)?;
        let mut state = SnapshotState::new(&definitions, &locations);
        let mut writers = Writers::new(amendment, &locations).map_err(cannot_write)?;
        let mut report = Report { lines: self.verbose && !self.progress, dots: None };
        report.begin(self.progress.then_some(&definitions));
        let mut progress = Progress::of(archive, self.verbose || self.progress);
        let mut events = archive.events_in_order(&locations).map_err(cannot_read)?;
        let read = events.each(|location, event| {
            progress.step();
            let place = locations.binary_search(&location).unwrap_or_default();
            if let Some(time) = breaks.due(event.time) {
                report.snapshot(time);
                writers.snapshot(time, &state).map_err(Stop::Write)?;
            }
            writers.passed(place, event.number);
            state.event(place, event);
            report.event();
            Ok(())
        });
        read.map_err(|stop| match stop {
            Stop::Read(error) => cannot_read(error),
            Stop::Write(error) => cannot_write(error),
        })?;
        report.end();
        let count = writers.finish().map_err(cannot_write)?;
        match state.left_out() {
            0 => {}
            lost => inform(&format!(
                "{lost} messages, operations or calls were too many for the snapshots: left out"
            )),
        }
        drop(writers);
        Ok((locations, count))
    }

    fn breaks(&self, definitions: &DefinitionIndex<'_>) -> Result<Breaks, Problem> {
        let clock = definitions.clock.ok_or_else(|| Problem::usage("the trace has no clock"))?;
        let period = match self.period {
            None => None,
            Some(period) => {
                let ticks = period.ticks(clock.timer_resolution).and_then(|ticks| u64::try_from(ticks).ok());
                Some(ticks.filter(|&ticks| ticks > 0).ok_or_else(|| {
                    Problem::usage("'--period': expected at least one tick, and no more than fit 64 bits")
                })?)
            }
        };
        let number = self.number.or(period.is_none().then_some(USUAL));
        Breaks::new(clock.global_offset, clock.trace_length, number, period)
            .ok_or_else(|| Problem::usage("the trace is too short for a snapshot between its begin and end"))
    }
}

/// Why there are no snapshots.
enum Stop {
    Read(Error),
    Write(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Read(error)
    }
}

/// The output while the events are read. A reader of it that has gone away is no error.
struct Report {
    lines: bool,
    /// The number of all events, and of those that were read.
    dots: Option<(u64, u64)>,
}

impl Report {
    fn begin(&mut self, definitions: Option<&DefinitionIndex<'_>>) {
        let Some(definitions) = definitions else { return };
        let events = definitions.locations.values().map(|it| it.number_of_events);
        self.dots = Some((events.fold(0, u64::saturating_add), 0));
        put("=== Progress ===\n===10===20===30===40===50===60===70===80===90==100\n");
    }

    fn event(&mut self) {
        let Some((all, read)) = &mut self.dots else { return };
        let dots = |read: u64| u128::from(read) * u128::from(DOTS) / u128::from((*all).max(1));
        let before = dots(*read).min(DOTS.into());
        *read = read.saturating_add(1);
        for _ in before..dots(*read).min(DOTS.into()) {
            put(".");
        }
    }

    fn snapshot(&self, time: u64) {
        if self.lines {
            put(&format!("writing new snapshot at timestamp: {time}\n"));
        }
    }

    fn end(&self) {
        if self.dots.is_some() {
            put("\n");
        }
    }
}

fn put(text: &str) {
    let mut stdout = io::stdout().lock();
    let _ = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
}
