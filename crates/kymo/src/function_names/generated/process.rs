//! A process that has generated code, and the files that it and its parents have written about it.
//!
//! Invariant: a file that a process has written itself counts more for an address than those of its
//! parents, and a jitdump, which has times, more than a perf map.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use kymo_symbols::FunctionFrame;
use kymo_symbols::code_generator::{ClockPair, CodeGenerator, ForkedMaker};

use super::history::{AddressFact, AddressHistory, LATE, SampledSpan};
use super::jitdump::{DumpFault, Jitdump};
use super::perf_map::{self, MapPart};
use super::spans;
use super::written_file::{FOLDER, WriterFacts, has_same_folder, is_same_system};
use crate::output::complain;

/// A process that has generated code.
#[derive(Debug)]
pub(super) struct GeneratingProcess {
    pub(super) generator: CodeGenerator,
    dumps: BTreeSet<String>,
}

/// The files that describe the code of a process.
#[derive(Debug, Default)]
pub(super) struct CodeSources {
    own: Vec<CodeSource>,
    of_parents: Vec<CodeSource>,
}

/// Why files are not used, or not to their end: each reason once.
#[derive(Debug, Default)]
pub(super) struct SourceFaults(BTreeSet<String>);

impl SourceFaults {
    fn add(&mut self, path: &Path, what: &str) {
        self.0.insert(format!("{}: {what}", path.display()));
    }

    /// Prints them.
    pub(super) fn report(&self) {
        self.0.iter().for_each(|fault| complain(fault));
    }
}

/// The functions that a file names.
#[derive(Debug)]
struct CodeSource {
    history: AddressHistory,
    times: SourceTimes,
}

/// The times in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SourceTimes {
    None,
    Monotonic,
    Counter,
}

impl GeneratingProcess {
    pub(super) fn of(generator: &CodeGenerator) -> Self {
        let mut this = Self { generator: generator.clone(), dumps: BTreeSet::new() };
        this.add_dump(generator);
        this
    }

    pub(super) fn add_dump(&mut self, generator: &CodeGenerator) {
        self.dumps.extend(generator.dump.clone());
    }

    pub(super) fn clock(&self) -> Option<&ClockPair> {
        self.generator.clock.as_ref()
    }

    /// Returns the time of a tick in nanoseconds since 1970.
    pub(super) fn real_time(&self, ticks: Option<u64>) -> Option<u64> {
        let since = spans::since(ticks?, self.clock()?)?;
        self.generator.maker.began.checked_add(since)
    }

    /// Whether there is any file in which the process or a parent may have named code.
    pub(super) fn has_files(&self) -> bool {
        let makers = self.generator.parents.iter().map(|parent| parent.maker).chain([self.generator.maker]);
        let maps = makers.map(|maker| map_path(maker.process));
        let mut paths = maps.chain(self.dump_paths().into_iter().map(|(path, _)| path));
        paths.any(|path| path.symlink_metadata().is_ok())
    }

    /// Reads the files of the process and of its parents. `end` is its end, and `next` the begin of
    /// its next program. Files that cannot be used are added to `faults`.
    pub(super) fn sources(
        &self,
        addresses: &[u64],
        end: Option<u64>,
        next: Option<u64>,
        faults: &mut SourceFaults,
    ) -> CodeSources {
        let mut sources = CodeSources::default();
        if !is_same_system(&self.generator) {
            return sources;
        }
        let (user, began) = (self.generator.user, self.generator.maker.began);
        let facts = WriterFacts { user, began, end, next };
        for (path, is_noted) in self.dump_paths() {
            let read = self.dump(&path, is_noted, facts, addresses, faults);
            if let Some((source, is_own)) = read {
                if is_own { &mut sources.own } else { &mut sources.of_parents }.push(source);
            }
        }
        if has_same_folder(&self.generator) {
            let part = MapPart { begin: self.generator.maker.map, end: u64::MAX };
            sources.own.extend(map(self.generator.maker.process, part, facts, addresses, faults));
            for parent in &self.generator.parents {
                let part = MapPart { begin: parent.maker.map, end: parent.map_end };
                let facts = WriterFacts { user, began: parent.maker.began, end: None, next: None };
                let of_parent = map(parent.maker.process, part, facts, addresses, faults);
                sources.of_parents.extend(of_parent);
            }
        }
        sources
    }

    /// Returns where jitdumps may be, and whether the process had one mapped there.
    fn dump_paths(&self) -> Vec<(PathBuf, bool)> {
        if !self.dumps.is_empty() {
            return self.dumps.iter().map(|path| (path.into(), true)).collect();
        }
        let name = format!("jit-{}.dump", self.generator.maker.process);
        let folder = Path::new(FOLDER).join(&name);
        let folder = Some(folder).filter(|_| has_same_folder(&self.generator));
        folder.into_iter().chain([name.into()]).map(|path| (path, false)).collect()
    }

    /// Reads the statements of a jitdump about the code of the process, or of a parent. Returns
    /// whether it is that of the process itself.
    fn dump(
        &self,
        path: &Path,
        is_noted: bool,
        facts: WriterFacts,
        addresses: &[u64],
        faults: &mut SourceFaults,
    ) -> Option<(CodeSource, bool)> {
        // A parent may have written it last.
        let began = self.generator.parents.iter().map(|it| it.maker.began).min().unwrap_or(facts.began);
        let facts = WriterFacts { began: began.min(facts.began), ..facts };
        let mut add = |what: String| faults.add(path, &what);
        let file = match facts.open(path) {
            Ok(file) => file?,
            Err(why) => {
                if is_noted {
                    add(not_used(&why));
                }
                return None;
            }
        };
        let mut dump = Jitdump::open(file).map_err(|fault| add(sentence(fault))).ok()?;
        let process = dump.process;
        let parent = self.generator.parents.iter().find(|it| it.maker.process == process);
        let is_own = process == self.generator.maker.process;
        let until = match (is_own, parent) {
            (true, _) => Some(u64::MAX),
            (false, Some(parent)) => self.time_of_fork(parent, dump.is_of_counter),
            (false, None) => {
                add(not_used(&format!("it is of process {process}")));
                None
            }
        }?;
        // Ticks of an unknown length are no measure of lateness.
        let late = if dump.is_of_counter { 0 } else { LATE };
        let mut history = AddressHistory::of(addresses, late);
        if let Err(fault) = dump.read(process, until, &mut history) {
            add(sentence(fault));
        }
        let times = if dump.is_of_counter { SourceTimes::Counter } else { SourceTimes::Monotonic };
        Some((CodeSource { history, times }, is_own))
    }

    /// Returns when the process was forked from a parent, in the time of a jitdump.
    fn time_of_fork(&self, parent: &ForkedMaker, is_of_counter: bool) -> Option<u64> {
        match (is_of_counter, self.clock()) {
            (false, _) => Some(parent.at),
            (true, Some(clock)) if clock.is_counter => spans::ticks(parent.at, clock),
            (true, _) => None,
        }
    }
}

fn not_used(why: &str) -> String {
    format!("the names in it are not used: {why}")
}

fn sentence(fault: DumpFault) -> String {
    match fault {
        DumpFault::Io(error) => error.to_string(),
        DumpFault::Format(what) => format!("{what}; the names after it are not used"),
    }
}

fn map_path(process: u32) -> PathBuf {
    Path::new(FOLDER).join(format!("perf-{process}.map"))
}

/// Reads the perf map of a process.
fn map(
    process: u32,
    part: MapPart,
    facts: WriterFacts,
    addresses: &[u64],
    faults: &mut SourceFaults,
) -> Option<CodeSource> {
    let path = map_path(process);
    let mut add = |what: String| faults.add(&path, &what);
    let file = facts.open(&path).map_err(|why| add(not_used(&why))).ok()??;
    let mut history = AddressHistory::of(addresses, LATE);
    match perf_map::read(file, part, &mut history) {
        Ok(fault) => fault.into_iter().for_each(add),
        Err(error) => add(error.to_string()),
    }
    Some(CodeSource { history, times: SourceTimes::None })
}

impl CodeSources {
    /// Returns the function at an address that was sampled during a span of ticks.
    pub(super) fn function(
        &self,
        address: u64,
        ticks: Option<&SampledSpan>,
        clock: Option<&ClockPair>,
    ) -> Option<FunctionFrame> {
        for source in &self.own {
            match source.at(address, ticks, clock) {
                AddressFact::Unknown => {}
                AddressFact::Ambiguous => return None,
                AddressFact::Function(frame) => return Some(frame),
            }
        }
        let mut found: Option<FunctionFrame> = None;
        for source in &self.of_parents {
            match source.at(address, ticks, clock) {
                AddressFact::Unknown => {}
                AddressFact::Ambiguous => return None,
                AddressFact::Function(frame) => {
                    if found.as_ref().is_some_and(|found| found.function != frame.function) {
                        return None;
                    }
                    found = found.or(Some(frame));
                }
            }
        }
        found
    }
}

impl CodeSource {
    fn at(&self, address: u64, ticks: Option<&SampledSpan>, clock: Option<&ClockPair>) -> AddressFact {
        let span = match (self.times, ticks, clock) {
            (SourceTimes::Monotonic, Some(ticks), Some(clock)) => spans::monotonic(ticks, clock),
            (SourceTimes::Counter, Some(ticks), Some(clock)) if clock.is_counter => Some(ticks.clone()),
            _ => None,
        };
        self.history.at(address, span.as_ref())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    const ALL: MapPart = MapPart { begin: 0, end: u64::MAX };

    fn source(map: &str) -> CodeSource {
        let mut history = AddressHistory::of(&[1, 2, 3], LATE);
        perf_map::read(Cursor::new(map), ALL, &mut history).expect("a map");
        CodeSource { history, times: SourceTimes::None }
    }

    fn names(own: &[&str], of_parents: &[&str]) -> [Option<String>; 3] {
        let sources = |maps: &[&str]| maps.iter().map(|map| source(map)).collect();
        let sources = CodeSources { own: sources(own), of_parents: sources(of_parents) };
        [1, 2, 3].map(|address| Some(sources.function(address, None, None)?.function.name))
    }

    fn some(names: [&str; 3]) -> [Option<String>; 3] {
        names.map(|name| Some(name.to_owned()).filter(|name| !name.is_empty()))
    }

    #[test]
    fn what_a_process_has_written_itself_counts_first() {
        assert_eq!(names(&["1 1 a\n", "1 2 b\n"], &["1 3 c\n"]), some(["a", "b", "c"]));
        // It is not certain which of them is there.
        assert_eq!(names(&["1 1 a\n1 1 b\n", "1 1 b\n"], &["1 1 b\n"]), some(["", "", ""]));
    }

    #[test]
    fn parents_that_do_not_agree_give_no_name() {
        assert_eq!(names(&[], &["1 2 a\n3 1 c\n", "2 2 c\n"]), some(["a", "", "c"]));
    }

    #[test]
    fn a_fork_has_a_time_on_the_clock_of_the_file_if_that_is_known() {
        let clock = ClockPair { ticks: 100, monotonic: 1_000_000_000, rate: 10, is_counter: true };
        let process = |clock| GeneratingProcess::of(&CodeGenerator { clock, ..CodeGenerator::default() });
        let parent = ForkedMaker { at: 3_000_000_000, ..ForkedMaker::default() };
        let times =
            |clock| [false, true].map(|is_of_counter| process(clock).time_of_fork(&parent, is_of_counter));
        assert_eq!(times(Some(clock)), [Some(3_000_000_000), Some(120)]);
        assert_eq!(times(Some(ClockPair { is_counter: false, ..clock })), [Some(3_000_000_000), None]);
        assert_eq!(times(None), [Some(3_000_000_000), None]);
    }
}
