//! The operations of a thread of the host `c-hosts/ends.c`, by the same rules, and the records that
//! they must leave in a trace.

use super::draw::mixed;

/// A record as a trace shows it. Regions are numbers: 0 is `work`; others are the number of the
/// operation that defined them, plus 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TraceRecord {
    /// A region was entered.
    Enter(u64),
    /// A region was left.
    Leave(u64),
    /// A parameter with the number of its operation as the value.
    Parameter(u64),
    /// A metric with the number of its operation as the value.
    Counter(u64),
    /// Recording pauses: after a rewind, or before a gap of dropped records.
    Off,
    /// Recording resumes; this many records are missing before it.
    On(u64),
    /// The program begins.
    Begin,
    /// The program ends.
    End,
    /// A record that does not match any operation of the host.
    Strange,
}

/// A record with its time.
pub(super) type Timed = (u64, TraceRecord);

/// The limit on the number of open regions.
const DEEPEST: usize = 30;
/// The limit on the number of regions that a thread defines.
const MOST_REGIONS: u64 = 24;

/// The state of a thread.
#[derive(Debug, Clone)]
pub(super) struct Thread {
    key: u64,
    rewinds: u64,
    events: u64,
    done: u64,
    regions: u64,
    region: u64,
    stack: Vec<u64>,
    mark: Option<Mark>,
    records: Vec<Timed>,
}

#[derive(Debug, Clone, Copy)]
struct Mark {
    time: u64,
    depth: usize,
    records: usize,
}

impl Thread {
    /// Creates a thread that has done nothing.
    pub(super) fn new(seed: u64, number: u64, events: u64, rewinds: u64) -> Self {
        Self {
            key: mixed(seed.wrapping_add(number * 0x10001)),
            rewinds,
            events,
            done: 0,
            regions: 0,
            region: 0,
            stack: Vec::new(),
            mark: None,
            records: Vec::new(),
        }
    }

    /// Returns the number of operations done.
    pub(super) fn done(&self) -> u64 {
        self.done
    }

    /// Returns the records that must be in the trace.
    pub(super) fn records(&self) -> &[Timed] {
        &self.records
    }

    /// Returns the open regions, the outermost first.
    pub(super) fn open(&self) -> &[u64] {
        &self.stack
    }

    /// Does operations until `number` are done.
    pub(super) fn go_to(&mut self, number: u64) {
        while self.done < number {
            self.step();
        }
    }

    /// Does the next operation.
    pub(super) fn step(&mut self) {
        let draw = mixed(self.key.wrapping_add(self.done));
        let (time, rare, usual) = (1001 + self.done, draw % 1024, (draw >> 20) % 8);
        let floor = self.mark.map_or(0, |mark| mark.depth);
        match () {
            () if self.done >= self.events => self.leave(time),
            () if rare < 3 && self.regions < MOST_REGIONS => {
                (self.region, self.regions) = (self.done + 1, self.regions + 1);
            }
            // The thread returns its memory for a moment.
            () if (3..5).contains(&rare) => {}
            () if (5..5 + self.rewinds).contains(&rare) => self.mark_or_go_back(time, draw >> 40 & 1 != 0),
            () if usual == 6 => self.records.push((time, TraceRecord::Parameter(self.done))),
            () if usual == 7 => self.records.push((time, TraceRecord::Counter(self.done))),
            () if (usual < 3 && self.stack.len() < DEEPEST) || self.stack.len() == floor => {
                self.stack.push(self.region);
                self.records.push((time, TraceRecord::Enter(self.region)));
            }
            () => self.leave(time),
        }
        self.done += 1;
    }

    fn leave(&mut self, time: u64) {
        if let Some(region) = self.stack.pop() {
            self.records.push((time, TraceRecord::Leave(region)));
        }
    }

    fn mark_or_go_back(&mut self, time: u64, goes_back: bool) {
        match self.mark.take() {
            None => self.mark = Some(Mark { time, depth: self.stack.len(), records: self.records.len() }),
            Some(mark) if goes_back => {
                self.records.truncate(mark.records);
                self.stack.truncate(mark.depth);
                self.records.extend([(mark.time, TraceRecord::Off), (mark.time, TraceRecord::On(0))]);
            }
            Some(_) => {}
        }
    }
}
