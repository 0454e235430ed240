//! What a thread of the host `c-hosts/ends.c` does, by the same rules, and what of it has to be in a trace.

use super::draw::mixed;

/// A record as a trace shows it. Regions are numbers: 0 is `work`, others the number of the operation that defined them + 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Record {
    /// A region was entered.
    Enter(u64),
    /// A region was left.
    Leave(u64),
    /// A parameter that carries the number of its operation.
    Parameter(u64),
    /// A metric that does.
    Counter(u64),
    /// Recording pauses: behind a rewind, or in front of what was dropped.
    Off,
    /// It goes on; so many records are missing in front of it.
    On(u64),
    /// The program begins.
    Begin,
    /// The program ends.
    End,
    /// Nothing that the host did.
    Strange,
}

/// A record with its time.
pub(super) type Timed = (u64, Record);

/// Regions entered at once at most.
const DEEPEST: usize = 30;
/// Regions that a thread defines at most.
const MOST_REGIONS: u64 = 24;

/// One thread, as far as it has come.
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
    /// A thread that has done nothing.
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

    /// Operations that were done.
    pub(super) fn done(&self) -> u64 {
        self.done
    }

    /// What has to be in the trace.
    pub(super) fn records(&self) -> &[Timed] {
        &self.records
    }

    /// Regions that are open, the outermost first.
    pub(super) fn open(&self) -> &[u64] {
        &self.stack
    }

    /// Does operations up to this number.
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
            // It gives its memory back for a moment.
            () if (3..5).contains(&rare) => {}
            () if (5..5 + self.rewinds).contains(&rare) => self.mark_or_go_back(time, draw >> 40 & 1 != 0),
            () if usual == 6 => self.records.push((time, Record::Parameter(self.done))),
            () if usual == 7 => self.records.push((time, Record::Counter(self.done))),
            () if (usual < 3 && self.stack.len() < DEEPEST) || self.stack.len() == floor => {
                self.stack.push(self.region);
                self.records.push((time, Record::Enter(self.region)));
            }
            () => self.leave(time),
        }
        self.done += 1;
    }

    fn leave(&mut self, time: u64) {
        if let Some(region) = self.stack.pop() {
            self.records.push((time, Record::Leave(region)));
        }
    }

    fn mark_or_go_back(&mut self, time: u64, goes_back: bool) {
        match self.mark.take() {
            None => self.mark = Some(Mark { time, depth: self.stack.len(), records: self.records.len() }),
            Some(mark) if goes_back => {
                self.records.truncate(mark.records);
                self.stack.truncate(mark.depth);
                self.records.extend([(mark.time, Record::Off), (mark.time, Record::On(0))]);
            }
            Some(_) => {}
        }
    }
}
