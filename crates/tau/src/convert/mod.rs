//! Converts TAU traces to OTF2 archives.
//!
//! The first pass over the traces finds threads, definitions and the time span (`survey`), the
//! second writes the events (`sink`, `stream`). Definitions and anchor follow (`archive`). Several
//! traces become one archive, in which definitions with the same name are the same. Invariants: the
//! events of a location are ordered by time, calls are balanced, and memory does not grow with the
//! length of traces that are in order.

mod archive;
mod budget;
mod communicators;
mod dictionary;
mod open;
mod report;
mod sink;
mod source_position;
mod stream;
mod survey;

use std::collections::HashMap;
use std::path::PathBuf;

use kymo_otf2::Storage;

pub use self::report::{Error, Report, Unknown};

use self::archive::{ConvertedDefinitions, Written, write_anchor};
use self::budget::{Budget, LIMIT};
use self::dictionary::Meanings;
use self::sink::Sink;
use self::stream::{Refused, Stream};
use self::survey::{Survey, Surveyor, ThreadSurvey};
use crate::reader::Reader;
use crate::record::Thread;

/// A trace and its event file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// The trace file with the records.
    pub trace: PathBuf,
    /// The event file, which defines their events.
    pub event_file: PathBuf,
}

/// The number of records between two checks for errors and limits.
const STEP: u64 = 1 << 16;
/// The number of locations written in one pass. If there are more, the traces are read again for
/// the others.
const AT_ONCE: usize = 4096;
/// The maximum number of locations in an archive. Each one takes two files.
const LOCATIONS: usize = 1 << 20;

/// Converts traces into an archive whose folder has been created. `progress` receives the number of
/// records read, over both passes.
pub fn convert(
    inputs: &[Input],
    storage: &dyn Storage,
    progress: &mut dyn FnMut(u64),
) -> Result<Report, Error> {
    let mut conversion =
        Conversion { inputs, storage, progress, report: Report::default(), records: Vec::new() };
    let mut survey = conversion.survey()?;
    let locations = conversion.write_events(&mut survey)?;
    let definitions = ConvertedDefinitions::new(storage)?.write(&survey, &locations)?;
    let mut report = conversion.report;
    report.locations = locations.len() as u64;
    report.events = locations.iter().map(|location| location.events).sum();
    write_anchor(storage, &survey, report.locations, definitions, report.events)?;
    Ok(report)
}

struct Conversion<'a> {
    inputs: &'a [Input],
    storage: &'a dyn Storage,
    progress: &'a mut dyn FnMut(u64),
    report: Report,
    /// The number of records of each input. Records that a growing trace receives later are
    /// ignored.
    records: Vec<u64>,
}

impl Conversion<'_> {
    fn survey(&mut self) -> Result<Survey, Error> {
        let mut survey = Survey::default();
        for input in self.inputs {
            let mut reader = Reader::open(&input.trace, &input.event_file)?;
            let meanings = Meanings::default();
            let (survey, report, trace) = (&mut survey, &mut self.report, &input.trace);
            let mut surveyor = Surveyor { survey, meanings, report, trace };
            let mut records = 0;
            loop {
                match reader.read(STEP, &mut surveyor)? {
                    0 => break,
                    count => (self.progress)(count),
                }
                records = reader.position();
                if surveyor.survey.threads.len() > LOCATIONS {
                    return Err(Error::Threads { file: input.trace.clone(), limit: LOCATIONS });
                }
            }
            self.report.left_over += reader.left_over()?;
            self.report.records += records;
            self.records.push(records);
        }
        match (survey.span, self.inputs.first()) {
            (None, Some(input)) => Err(Error::Empty(input.trace.clone())),
            _ => Ok(survey),
        }
    }

    fn write_events(&mut self, survey: &mut Survey) -> Result<Vec<Written>, Error> {
        let ranks: HashMap<u16, u16> = survey.nodes().into_iter().zip(0..=u16::MAX).collect();
        let threads: Vec<(Thread, ThreadSurvey)> = survey.all_threads().into_iter().collect();
        let (mut written, mut budget) = (Vec::with_capacity(threads.len()), Budget::new());
        for threads in threads.chunks(AT_ONCE) {
            let mut streams = HashMap::with_capacity(threads.len());
            for (location, (thread, of_thread)) in (written.len() as u64..).zip(threads) {
                streams.insert(*thread, Stream::new(self.storage, location, of_thread)?);
            }
            self.fill(survey, &ranks, &mut streams, &mut budget)?;
            for (thread, _) in threads {
                let finished =
                    streams.remove(thread).map(|stream| stream.finish(&mut budget, &mut self.report));
                let events = finished.transpose().map_err(|refused| self.refused(refused, 0))?;
                written.push(Written { thread: *thread, events: events.unwrap_or(0) });
            }
        }
        Ok(written)
    }

    /// Reads all traces for the streams.
    fn fill(
        &mut self,
        survey: &mut Survey,
        ranks: &HashMap<u16, u16>,
        streams: &mut HashMap<Thread, Stream<'_>>,
        budget: &mut Budget,
    ) -> Result<(), Error> {
        for (number, input) in self.inputs.iter().enumerate() {
            let mut reader = Reader::open(&input.trace, &input.event_file)?;
            let mut left = self.records.get(number).copied().unwrap_or(0);
            let communicators = survey.communicators;
            let (dictionary, report) = (&mut survey.dictionary, &mut self.report);
            let meanings = Meanings::default();
            let mut sink = Sink {
                dictionary,
                meanings,
                ranks,
                communicators,
                streams: &mut *streams,
                budget,
                report,
                refused: None,
            };
            while left > 0 && sink.refused.is_none() {
                match reader.read(STEP.min(left), &mut sink)? {
                    0 => break,
                    count => {
                        left -= count;
                        (self.progress)(count);
                    }
                }
            }
            if let Some(refused) = sink.refused {
                return Err(self.refused(refused, number));
            }
        }
        Ok(())
    }

    fn refused(&self, refused: Refused, input: usize) -> Error {
        match refused {
            Refused::Error(error) => error.into(),
            Refused::Spent(spent) => {
                let file = self.inputs.get(input).map(|input| input.trace.clone()).unwrap_or_default();
                Error::Memory { file, what: spent.0, limit: LIMIT }
            }
        }
    }
}
