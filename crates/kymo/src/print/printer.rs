//! Walks through an archive in the order of otf2-print and passes the requested records to a form.
//!
//! Parts that cannot be read are reported and left out; the rest is printed.

use std::ffi::OsString;
use std::fmt::Arguments;
use std::io::{self, BufRead};
use std::ops::{ControlFlow, RangeInclusive};
use std::path::{Path, PathBuf};

use kymo_otf2::definitions::{GlobalDefinition, LocalDefinition};
use kymo_otf2::read::{Archive, Events, InOrder};
use kymo_otf2::references::LocationRef;
use kymo_otf2::{Error, FileName};

use super::end::End;
use super::form::{Form, OutputPart};
use super::names::{Names, Report};
use super::output::Output;
use super::text::SystemTree;
use super::{original_time, report};
use crate::output::complain;
use crate::progress::Progress;
use crate::status::Status;

/// Prints one archive.
pub(super) struct Printer<'p, F> {
    archive: &'p Archive,
    arguments: &'p super::Arguments,
    /// The requested times.
    span: RangeInclusive<u64>,
    form: F,
    output: Output,
    worst: Status,
}

impl<'p, F: Form> Printer<'p, F> {
    /// Prints the requested output.
    pub(super) fn print(
        archive: &'p Archive,
        arguments: &'p super::Arguments,
        span: RangeInclusive<u64>,
        form: F,
    ) -> Result<Status, End> {
        let mut printer =
            Printer { archive, arguments, span, form, output: Output::new()?, worst: Status::Done };
        let result = printer.run();
        // Output before an error was requested as well.
        printer.output.flush()?;
        result.map(|()| printer.worst)
    }

    fn run(&mut self) -> Result<(), End> {
        self.begin(OutputPart::Output);
        self.steps(&["Create new reader handle.", "Set serial mode.", "Setting global-reader hint."]);
        if self.arguments.prints_info() {
            self.form.anchor(&mut self.output.buffer, &self.archive.anchor());
        }
        if self.arguments.prints_thumbnails() {
            self.thumbnails()?;
        }
        if self.arguments.prints_anchor_only() {
            return self.finished();
        }
        self.step("Read number of snapshots.");
        self.records()
    }

    fn thumbnails(&mut self) -> Result<(), End> {
        let count = self.archive.anchor().number_of_thumbnails;
        if count > 0 {
            self.begin(OutputPart::Thumbnails);
        }
        for number in 0..count {
            match self.thumbnail(number) {
                Ok(()) => {}
                Err(Stop::End(end)) => return Err(end),
                Err(Stop::Read(error)) => {
                    let error = error.in_file(FileName::Thumbnail(number));
                    self.report(&error);
                    // The anchor may announce billions of thumbnails.
                    if matches!(error, Error::Io { .. }) {
                        break;
                    }
                }
            }
            self.output.write()?;
        }
        Ok(())
    }

    /// Prints the header of a thumbnail and, on request, its samples.
    fn thumbnail(&mut self, number: u32) -> Result<(), Stop> {
        let thumbnail = self.archive.thumbnail(number)?;
        let (header, samples) = thumbnail.read()?;
        self.form.thumbnail(&mut self.output.buffer, number, &header);
        if !self.arguments.samples {
            return Ok(());
        }
        self.step("Allocating sample array.");
        for (place, sample) in (0..).zip(samples) {
            self.form.thumbnail_sample(&mut self.output.buffer, number, place, &sample?);
            self.output.write()?;
        }
        Ok(())
    }

    /// Prints everything after the anchor file.
    fn records(&mut self) -> Result<(), End> {
        if self.arguments.prints_definitions() {
            self.begin(OutputPart::Definitions);
        }
        self.step("Create global definition callback handle.");
        let count = self.archive.anchor().number_of_locations;
        self.step_of(format_args!("Get number of locations. Number of locations: {count}"));
        let file = self.archive.global_definitions().map_err(|error| self.refuse(&error))?;
        let mut names = Names::default();
        let (locations, tree) = self.definitions(&file, &mut names)?;
        self.local_definitions(&names, &locations)?;
        let is_part = self.arguments.definitions || self.arguments.prints_local_definitions();
        if is_part && !self.arguments.all {
            return self.finished();
        }
        self.events(&names, &locations)?;
        self.snapshots(&names, &locations)?;
        self.finished()?;
        self.form.end(&mut self.output.buffer, &self.arguments.anchor, tree.as_deref());
        Ok(())
    }
}

/// The parts of the output.
impl<F: Form> Printer<'_, F> {
    /// Reads the global definitions. Returns the locations to continue with, and the file with the
    /// system tree.
    fn definitions<'a>(
        &mut self,
        file: &'a kymo_otf2::read::whole::GlobalDefinitions,
        names: &mut Names<'a>,
    ) -> Result<(Vec<u64>, Option<PathBuf>), End> {
        let mut tree = self.system_tree()?;
        self.steps(&["Create global definition reader handle.", "Register global definition callbacks."]);
        let mut count = 0;
        let mut locations = Vec::new();
        for definition in file.records().map_err(|error| self.refuse(&error))? {
            let definition = match definition {
                Ok(definition) => definition,
                Err(error) => {
                    self.report(&error.in_file(FileName::GlobalDefinitions));
                    break;
                }
            };
            count += 1;
            names.add(&definition, self)?;
            if let Some(tree) = &mut tree {
                tree.add(names, &definition).map_err(|error| no_tree(tree.path(), &error))?;
            }
            if self.arguments.prints_definitions() {
                self.form.definition(&mut self.output.buffer, names, &definition);
                self.output.write()?;
            }
            locations.extend(self.wanted_location(&definition));
        }
        self.step_of(format_args!("Read global definitions. Number of definitions: {count}"));
        self.check_count(count);
        let tree = tree.map(finish).transpose()?;
        self.check_locations(&locations)?;
        Ok((locations, tree))
    }

    /// Returns the location that a record defines, if it is to be read.
    fn wanted_location(&self, definition: &GlobalDefinition<'_>) -> Option<u64> {
        match definition {
            GlobalDefinition::Location(it) => {
                Some(it.id.0).filter(|id| self.arguments.only_location().is_none_or(|wanted| wanted == *id))
            }
            _ => None,
        }
    }

    fn check_count(&mut self, count: u64) {
        let expected = self.archive.anchor().number_of_global_definitions;
        match count == expected {
            true => self.step_of(format_args!("Get number of global definitions: {expected}")),
            false => {
                self.fault(&format!("{count} global definitions, but the anchor file states {expected}"))
            }
        }
    }

    fn check_locations(&mut self, locations: &[u64]) -> Result<(), End> {
        match self.arguments.only_location() {
            None => self.step("Find location definitions in global definition file."),
            Some(_) if !locations.is_empty() => self.step("Find event file for selected location."),
            Some(location) => {
                self.fault(&format!("no location {location}"));
                return Err(End::Reported(self.worst));
            }
        }
        Ok(())
    }

    /// Reads the local definitions of these locations, if they were requested.
    fn local_definitions(&mut self, names: &Names<'_>, locations: &[u64]) -> Result<(), End> {
        self.step("Create global definition callback handle.");
        if self.arguments.prints_local_definitions() {
            self.begin(OutputPart::LocalDefinitions);
        }
        let goes_on = !self.arguments.definitions || self.arguments.all;
        let has_definitions = goes_on && !self.arguments.no_local_definitions;
        locations.iter().for_each(|_| self.step("Select location to read."));
        if has_definitions {
            self.step("Open local definition files for reading.");
        }
        if goes_on {
            self.step("Open event files for reading.");
        }
        for &location in locations {
            if goes_on {
                self.step_of(format_args!("Create local event reader for location {location}."));
            }
            if self.has_snapshots() {
                self.step_of(format_args!("Create local snapshot reader for location {location}."));
            }
            if has_definitions && (self.arguments.prints_local_definitions() || self.arguments.debug) {
                self.definitions_of(names, location)?;
            }
        }
        if has_definitions {
            self.step("Close local definition files for reading.");
        }
        Ok(())
    }

    /// Reads the local definitions of a location, if it has any.
    fn definitions_of(&mut self, names: &Names<'_>, location: u64) -> Result<(), End> {
        let name = FileName::LocalDefinitions(location);
        let file = match self.archive.local_definitions(location) {
            Ok(file) => file,
            Err(Error::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => {
                self.report(&error);
                return Ok(());
            }
        };
        if self.arguments.prints_local_definitions() {
            self.step("Register local definition callbacks.");
        }
        let mut count = 0;
        let records = match file.records() {
            Ok(records) => records,
            Err(error) => {
                self.report(&error);
                return Ok(());
            }
        };
        for definition in records {
            match definition {
                Ok(definition) => {
                    count += 1;
                    let is_wanted = match definition {
                        LocalDefinition::MappingTable(_) => self.arguments.mappings,
                        LocalDefinition::ClockOffset(_) => self.arguments.clock_offsets,
                        _ => false,
                    };
                    if is_wanted {
                        let location = LocationRef(location);
                        self.form.local_definition(&mut self.output.buffer, names, location, &definition);
                        self.output.write()?;
                    }
                }
                Err(error) => self.report(&error.in_file(name)),
            }
        }
        self.step_of(format_args!("Read {count} definitions for location {location}"));
        self.step("Close local definition reader.");
        Ok(())
    }

    fn events(&mut self, names: &Names<'_>, locations: &[u64]) -> Result<(), End> {
        self.begin(OutputPart::Events);
        self.steps(&["Create event reader callbacks.", "Create global event reader."]);
        if !self.arguments.silent {
            self.step("Register global event callbacks.");
        }
        let one = |archive: &Archive, location| archive.events(location).map(drop);
        let start = self.start();
        let mut all = self.open(locations, |archive, all| archive.events_in_order_from(all, start), one)?;
        match self.arguments.step() {
            None => self.all_events(names, &mut all)?,
            Some(_) => self.events_in_steps(names, &mut all)?,
        }
        self.steps(&["Close global definition reader.", "Close event files for reading."]);
        Ok(())
    }

    /// Returns the time from which events must be read: those before it are neither printed nor
    /// counted. Snapshots state where to start.
    fn start(&self) -> u64 {
        let it = self.arguments;
        let counts_all = it.silent || it.debug || it.step().is_some();
        if counts_all || it.no_snapshots { 0 } else { *self.span.start() }
    }

    /// Prints all events.
    fn all_events(&mut self, names: &Names<'_>, all: &mut InOrder<Events>) -> Result<(), End> {
        self.begin(OutputPart::SomeEvents);
        let mut progress = Progress::of(self.archive, !self.arguments.silent);
        let (form, output, arguments, span) = (&mut self.form, &mut self.output, self.arguments, &self.span);
        let mut count: u64 = 0;
        let mut worst = self.worst;
        loop {
            let read = all.each(|location, event| {
                count += 1;
                progress.step();
                if !arguments.silent && span.contains(&event.time) {
                    form.event(&mut output.buffer, names, LocationRef(location), event);
                    output.write()?;
                }
                Ok(())
            });
            match read {
                Ok(()) => break,
                Err(Stop::Read(error)) => worst = worst.max(report(self.archive, &error)),
                Err(Stop::End(end)) => return Err(end),
            }
        }
        self.worst = worst;
        self.step_of(format_args!("Read {count} events."));
        Ok(())
    }

    /// Prints events with a pause after each group of them.
    fn events_in_steps(&mut self, names: &Names<'_>, all: &mut InOrder<Events>) -> Result<(), End> {
        let mut progress = Progress::of(self.archive, !self.arguments.silent);
        self.in_steps(OutputPart::SomeEvents, "events", |printer| {
            progress.step();
            let (location, event) = match all.next() {
                Ok(Some(event)) => event,
                Ok(None) => return Ok(ControlFlow::Break(())),
                Err(error) => {
                    printer.report(&error);
                    return Ok(ControlFlow::Continue(false));
                }
            };
            if !printer.arguments.silent && printer.span.contains(&event.time) {
                printer.form.event(&mut printer.output.buffer, names, LocationRef(location), &event);
            }
            Ok(ControlFlow::Continue(true))
        })
    }

    /// Whether there are snapshots and they were requested.
    fn has_snapshots(&self) -> bool {
        !self.arguments.no_snapshots && self.archive.anchor().number_of_snapshots > 0
    }

    fn snapshots(&mut self, names: &Names<'_>, locations: &[u64]) -> Result<(), End> {
        if !self.has_snapshots() {
            return Ok(());
        }
        self.begin(OutputPart::Snapshots);
        self.steps(&["Create snapshot reader callbacks.", "Create global snapshots reader."]);
        if !self.arguments.silent {
            self.step("Register global snapshots callbacks.");
        }
        let one = |archive: &Archive, location| archive.snapshots(location).map(drop);
        let mut all = self.open(locations, Archive::snapshots_in_order, one)?;
        self.in_steps(OutputPart::SomeSnapshots, "snapshot records", |printer| {
            let (location, snapshot) = match all.next() {
                Ok(Some(snapshot)) => snapshot,
                Ok(None) => return Ok(ControlFlow::Break(())),
                Err(error) => {
                    printer.report(&error);
                    return Ok(ControlFlow::Continue(false));
                }
            };
            let has_time = |time| printer.span.contains(&time);
            let original = original_time(&snapshot.record).unwrap_or(snapshot.time);
            if !printer.arguments.silent && has_time(snapshot.time) && has_time(original) {
                printer.form.snapshot(&mut printer.output.buffer, names, LocationRef(location), &snapshot);
            }
            Ok(ControlFlow::Continue(true))
        })
    }

    /// Calls `next` until it breaks, with a pause after each group of calls that read something.
    #[inline]
    fn in_steps(
        &mut self,
        part: OutputPart,
        what: &str,
        mut next: impl FnMut(&mut Self) -> Result<ControlFlow<(), bool>, End>,
    ) -> Result<(), End> {
        let step = self.arguments.step();
        loop {
            self.begin(part);
            let mut count = 0;
            while step.is_none_or(|step| count < step) {
                match next(self)? {
                    ControlFlow::Continue(was_read) => count += u64::from(was_read),
                    ControlFlow::Break(()) => break,
                }
                self.output.write()?;
            }
            self.step_of(format_args!("Read {count} {what}."));
            let Some(step) = step else { return Ok(()) };
            self.form.pause(&mut self.output.buffer, step, what);
            self.output.flush()?;
            wait()?;
            if count < step {
                return Ok(());
            }
        }
    }
}

/// Why reading is interrupted.
enum Stop {
    /// Something cannot be read, but the rest can.
    Read(Error),
    End(End),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Stop::Read(error)
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Stop::End(error.into())
    }
}

/// Waits for a line on standard input, or its end.
fn wait() -> io::Result<()> {
    io::stdin().lock().skip_until(b'\n').map(|_| ())
}

/// Common functions.
impl<F: Form> Printer<'_, F> {
    fn begin(&mut self, part: OutputPart) {
        self.form.begin(&mut self.output.buffer, part);
    }

    fn step(&mut self, what: &str) {
        self.step_of(format_args!("{what}"));
    }

    fn steps(&mut self, all: &[&str]) {
        all.iter().for_each(|step| self.step(step));
    }

    fn step_of(&mut self, what: Arguments<'_>) {
        self.form.step(&mut self.output.buffer, what);
    }

    fn finished(&mut self) -> Result<(), End> {
        self.steps(&["Delete reader handle.", "Program finished."]);
        Ok(())
    }

    /// Reports an error of reading.
    fn report(&mut self, error: &Error) {
        self.worst = self.worst.max(report(self.archive, error));
    }

    /// Reports why nothing more can be read.
    fn refuse(&mut self, error: &Error) -> End {
        self.report(error);
        End::Reported(self.worst)
    }

    /// Reports a fault of the trace.
    fn fault(&mut self, what: &str) {
        complain(&format!("{}: {what}", self.arguments.anchor.display()));
        self.worst = self.worst.max(Status::Faulty);
    }

    /// Opens all locations with `all`. If that fails, opens those that can be opened with `one`.
    fn open<T>(
        &mut self,
        locations: &[u64],
        all: impl Fn(&Archive, &[u64]) -> kymo_otf2::Result<T>,
        one: impl Fn(&Archive, u64) -> kymo_otf2::Result<()>,
    ) -> Result<T, End> {
        if let Ok(opened) = all(self.archive, locations) {
            return Ok(opened);
        }
        let mut readable = locations.to_vec();
        readable
            .retain(|&location| one(self.archive, location).inspect_err(|error| self.report(error)).is_ok());
        all(self.archive, &readable).map_err(|error| self.refuse(&error))
    }

    /// Creates the file with the system tree, if requested: next to the anchor file, with another
    /// extension.
    fn system_tree(&mut self) -> Result<Option<SystemTree>, End> {
        if !self.arguments.system_tree {
            return Ok(None);
        }
        self.step("Allocating path for DOT file path.");
        let mut path = OsString::from(self.arguments.anchor.with_extension(""));
        path.push(".SystemTree.dot");
        let path = PathBuf::from(path);
        SystemTree::create(path.clone()).map(Some).map_err(|error| no_tree(&path, &error))
    }
}

fn finish(tree: SystemTree) -> Result<PathBuf, End> {
    let path = tree.path().to_owned();
    tree.finish().map_err(|error| no_tree(&path, &error))?;
    Ok(path)
}

fn no_tree(path: &Path, error: &io::Error) -> End {
    complain(&format!("{}: {error}", path.display()));
    End::Reported(Status::Environment)
}

impl<F: Form> Report for Printer<'_, F> {
    fn warn(&mut self, kind: &str, id: u64, what: &str) -> Result<(), End> {
        let is_error = self.arguments.warnings_are_errors();
        complain(&format!("{}: {kind} {id}: {what}", if is_error { "error" } else { "warning" }));
        match is_error {
            true => Err(End::Reported(Status::Faulty)),
            false => Ok(()),
        }
    }

    fn step(&mut self, what: Arguments<'_>) {
        self.step_of(what);
    }
}
