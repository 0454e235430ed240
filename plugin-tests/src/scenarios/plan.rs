//! The plan of a scenario: everything that a seed determines before the scenario begins.

use std::fmt;

use super::draw::Draw;

/// The phases of the host, as it writes them to its progress file.
pub const PHASES: [&str; 9] = [
    "loading",
    "before init_mpp",
    "init_mpp",
    "recording",
    "ending",
    "pre_unify",
    "write_data",
    "finalize",
    "over",
];

/// The numbers of the phases.
pub mod phase {
    /// Before the first event.
    pub const LOADING: u64 = 0;
    /// Between the first event and `init_mpp`.
    pub const BEFORE: u64 = 1;
    /// Recording, after `init_mpp`.
    pub const RECORDING: u64 = 3;
    /// The archive is being completed.
    pub const WRITE_DATA: u64 = 6;
    /// The measurement has ended.
    pub const OVER: u64 = 8;
}

/// How a host ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// It is killed from outside.
    Kill(Instant),
    /// On its own: the name in the host, and the exit status as a shell shows it.
    Own(&'static str, i32),
}

/// The instant at which a host is killed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Instant {
    /// The first phase in which it may be killed.
    pub phase: u64,
    /// The number of operations that its first thread must have done, unless the phase is over.
    pub done: u64,
    /// The delay after that, in microseconds.
    pub delay: u64,
}

/// The ways in which a program ends on its own, with the exit status as a shell shows it.
pub const OWN_ENDS: [(&str, i32); 14] = [
    ("segv", 128 + 11),
    ("bus", 128 + 7),
    ("stack", 128 + 11),
    ("abort", 128 + 6),
    ("exception", 128 + 6),
    ("kill", 128 + 9),
    ("term", 128 + 15),
    ("int", 128 + 2),
    ("hup", 128 + 1),
    ("xcpu", 128 + 24),
    ("_exit", 5),
    ("quick_exit", 5),
    ("exit", 5),
    ("exec", 5),
];
/// The regular end.
pub const WELL: (&str, i32) = ("well", 7);

/// Where the events are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scratch {
    /// Wherever the plugin stores them.
    Automatic,
    /// In a folder of the scenario.
    Folder,
    /// In the memory of the process.
    Nowhere,
}

/// Faults of the storage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Faults {
    /// The additional duration of every write, in microseconds.
    pub delay: u64,
    /// The number of the first write that fails.
    pub first: u64,
    /// The number of writes that fail.
    pub count: u64,
    /// The error number with which they fail.
    pub error: i32,
}

/// A scenario.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The seed of the scenario.
    pub seed: u64,
    /// The number of threads, including the first.
    pub threads: u64,
    /// The number of operations of each thread.
    pub events: u64,
    /// The number of operations of the first thread before others begin, and again before
    /// `init_mpp`.
    pub before: u64,
    /// How many of 1024 operations set rewind marks or rewind to them.
    pub rewinds: u64,
    /// Whether the other threads begin only after `init_mpp`.
    pub late: bool,
    /// The pause after every 64 operations, in microseconds.
    pub pace: u64,
    /// The memory limit, if not the default.
    pub memory: Option<&'static str>,
    /// Whether events are dropped at the limit.
    pub drops: bool,
    /// Where the events are stored.
    pub scratch: Scratch,
    /// The interval between drains, in milliseconds.
    pub drain: u64,
    /// The faults of the storage.
    pub faults: Option<Faults>,
    /// How the host ends.
    pub end: End,
    /// The thread that ends it: 0 for the first; any other number for one that does nothing else.
    pub who: u64,
    /// The program's own reaction to the signal: `none`, `return`, `exit`, or `again` to die of the
    /// signal.
    pub handler: &'static str,
    /// Whether recovery leaves regions open.
    pub leaves_open: bool,
}

impl Plan {
    /// Creates the plan of a seed; with `only_kills`, the host is killed from outside.
    pub fn new(seed: u64, only_kills: bool) -> Self {
        let mut draw = Draw::new(seed);
        let threads = 1 + draw.below(16);
        let events = draw.of_any_size(1, (400_000 / threads).min(120_000));
        let mut this = Self {
            seed,
            threads,
            events,
            before: if draw.chance(50) { draw.below(events / 2 + 1) } else { 0 },
            rewinds: if draw.chance(40) { 8 } else { 0 },
            pace: if draw.chance(20) { draw.below(200) } else { 0 },
            memory: draw.one_of(&[None, None, Some("1M"), Some("2M"), Some("8M")]),
            late: draw.chance(40),
            drops: draw.chance(25),
            scratch: draw.one_of(&[
                Scratch::Automatic,
                Scratch::Automatic,
                Scratch::Automatic,
                Scratch::Folder,
            ]),
            drain: draw.one_of(&[10, 10, 50, 200, 1000]),
            faults: draw.chance(20).then(|| Faults::draw(&mut draw)),
            end: End::draw(&mut draw, events, only_kills),
            who: draw.below(2),
            handler: "none",
            leaves_open: draw.chance(30),
        };
        if draw.chance(6) {
            this.have_no_scratch(&mut draw);
        }
        this.be_possible();
        this
    }

    /// Creates a plan in which a program with a few threads ends on its own.
    pub fn ending(end: &'static str, status: i32, handler: &'static str, threads: u64) -> Self {
        Self {
            seed: 42,
            threads,
            events: 20_000,
            before: 100,
            rewinds: 8,
            late: false,
            pace: 0,
            memory: None,
            drops: false,
            scratch: Scratch::Automatic,
            drain: 50,
            faults: None,
            end: End::Own(end, status),
            who: 0,
            handler,
            leaves_open: false,
        }
    }

    /// Makes the run long enough for several drains, and kills it while it records: only then are
    /// drained events guaranteed to survive.
    fn have_no_scratch(&mut self, draw: &mut Draw) {
        (self.scratch, self.events, self.pace, self.drain) = (Scratch::Nowhere, 100_000, 1000, 50);
        self.before = 0;
        let done = draw.below(self.events);
        if let End::Kill(instant) = &mut self.end {
            *instant = Instant { phase: phase::RECORDING, done, delay: draw.below(1000) };
        } else {
            self.end = End::Own(WELL.0, WELL.1);
        }
    }

    /// Excludes combinations whose effects cannot be distinguished afterwards.
    fn be_possible(&mut self) {
        if self.drops || self.scratch == Scratch::Nowhere {
            self.rewinds = 0;
        }
        if self.drops {
            // Enters and leaves whose counterparts are lost: recovery must not close regions.
            self.leaves_open = true;
        }
        if self.refuses() {
            (self.rewinds, self.scratch) = (0, Scratch::Automatic);
        }
        // Until the archive is open, full memory causes drops, whatever the user chose.
        if self.rewinds > 0 && self.memory.is_some() {
            (self.late, self.before) = (true, self.before.min(1000));
        }
    }

    /// Returns whether nothing may be dropped: threads wait for memory that is freed again, or they
    /// do not reach a limit.
    pub fn loses_nothing(&self) -> bool {
        let comes_back = self.late && self.before <= 1000 && !self.refuses();
        !self.drops && (self.memory.is_none() || comes_back)
    }

    /// Returns whether any write fails.
    pub fn refuses(&self) -> bool {
        self.faults.is_some_and(|faults| faults.count > 0)
    }
}

impl Faults {
    fn draw(draw: &mut Draw) -> Self {
        const ENOSPC: i32 = 28;
        const EIO: i32 = 5;
        const EDQUOT: i32 = 122;
        let delay = if draw.chance(70) { draw.of_any_size(10, 5000) } else { 0 };
        let count = if draw.chance(50) { draw.one_of(&[1, 3, u64::MAX / 2]) } else { 0 };
        Self { delay, first: draw.below(40), count, error: draw.one_of(&[ENOSPC, EIO, EDQUOT]) }
    }
}

impl End {
    fn draw(draw: &mut Draw, events: u64, only_kills: bool) -> Self {
        let share = if only_kills { 0 } else { draw.below(100) };
        let instant = Instant::draw(draw, events);
        match share {
            0..75 => Self::Kill(instant),
            75..85 => Self::Own(WELL.0, WELL.1),
            _ => {
                let (name, status) = draw.one_of(&OWN_ENDS);
                Self::Own(name, status)
            }
        }
    }
}

impl Instant {
    fn draw(draw: &mut Draw, events: u64) -> Self {
        let number = draw.one_of(&[0, 1, 1, 2, 2, 3, 3, 3, 3, 3, 3, 4, 5, 6, 6, 6, 7]);
        let done = if number == phase::RECORDING { draw.below(events) } else { 0 };
        let longest = if number < phase::BEFORE { 20_000 } else { 4000 };
        Self { phase: number, done, delay: draw.of_any_size(1, longest) - 1 }
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kill(Instant { phase, done, delay }) => {
                write!(f, "killed {delay} us after {}, operation {done}", PHASES[*phase as usize])
            }
            Self::Own(name, _) => f.write_str(name),
        }
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { seed, threads, events, before, rewinds, pace, drain, who, .. } = self;
        write!(
            f,
            "seed {seed}: {threads} threads, {events} operations each, {before} before, {rewinds}/1024 rewinds, "
        )?;
        write!(f, "pace {pace} us, memory {}, ", self.memory.unwrap_or("as usual"))?;
        write!(f, "{}, scratch {:?}, ", if self.drops { "drops" } else { "waits" }, self.scratch)?;
        write!(f, "drain every {drain} ms, ")?;
        if let Some(Faults { delay, first, count, error }) = self.faults {
            write!(f, "writes {delay} us slower and {count} from {first} on fail with {error}, ")?;
        }
        write!(f, "regions {}, ", if self.leaves_open { "left open" } else { "closed" })?;
        write!(f, "end: {} (thread {who})", self.end)
    }
}
