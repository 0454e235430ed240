//! What a seed stands for: everything that is settled of a scenario before it begins.

use std::fmt;

use super::draw::Draw;

/// Where the host is, as it says itself in its file of progress.
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

/// Numbers of phases.
pub mod phase {
    /// Before the first event.
    pub const LOADING: u64 = 0;
    /// Between the first event and `init_mpp`.
    pub const BEFORE: u64 = 1;
    /// Recording, behind `init_mpp`.
    pub const RECORDING: u64 = 3;
    /// The archive is being completed.
    pub const WRITE_DATA: u64 = 6;
    /// The measurement has ended.
    pub const OVER: u64 = 8;
}

/// How a host comes to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// It is killed from outside.
    Kill(Instant),
    /// By itself: name in the host, exit status as a shell shows it.
    Own(&'static str, i32),
}

/// When a host is killed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Instant {
    /// Not before this phase.
    pub phase: u64,
    /// Not before its first thread has done so many operations.
    pub done: u64,
    /// Then so many microseconds later.
    pub delay: u64,
}

/// Ends of a program by itself, with the exit status as a shell shows it.
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
/// The good one.
pub const WELL: (&str, i32) = ("well", 7);

/// Where the events lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scratch {
    /// Wherever the plugin puts them.
    Automatic,
    /// In a folder of the scenario's.
    Folder,
    /// In memory of the process.
    Nowhere,
}

/// What is wrong with the storage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Faults {
    /// Every write takes so many microseconds longer.
    pub delay: u64,
    /// The first write that fails.
    pub first: u64,
    /// How many fail.
    pub count: u64,
    /// With which number.
    pub error: i32,
}

/// A scenario.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// Where all of this comes from.
    pub seed: u64,
    /// Threads, the first one included.
    pub threads: u64,
    /// Operations of each.
    pub events: u64,
    /// Operations of the first thread before others begin, and before `init_mpp` again.
    pub before: u64,
    /// How many of 1024 operations set rewind marks or go back to them.
    pub rewinds: u64,
    /// Whether the others begin only behind `init_mpp`.
    pub late: bool,
    /// Microseconds of rest after 64 operations.
    pub pace: u64,
    /// Limit of memory, if not the usual one.
    pub memory: Option<&'static str>,
    /// Whether events are dropped at the limit.
    pub drops: bool,
    /// Where the events lie.
    pub scratch: Scratch,
    /// Milliseconds between drains.
    pub drain: u64,
    /// What is wrong with the storage.
    pub faults: Option<Faults>,
    /// How it ends.
    pub end: End,
    /// Which thread ends it: 0 is the first, anything else one that does nothing else.
    pub who: u64,
    /// What the program does itself with the signal: `none`, `return`, `exit`, or die `again` as it would have.
    pub handler: &'static str,
    /// Whether recovery leaves regions open.
    pub leaves_open: bool,
}

impl Plan {
    /// The scenario of a seed; with `only_kills` it ends by being killed.
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

    /// A program of a few threads that comes to an end of its own.
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

    /// Runs long enough for a few drains, and is killed while it records: that is when the promise holds.
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

    /// What cannot be told apart afterwards does not come together.
    fn be_possible(&mut self) {
        if self.drops || self.scratch == Scratch::Nowhere {
            self.rewinds = 0;
        }
        if self.drops {
            // Leaves of lost enters, and enters whose leaves are lost.
            self.leaves_open = true;
        }
        if self.refuses() {
            (self.rewinds, self.scratch) = (0, Scratch::Automatic);
        }
        // Until the archive is open memory that is full means drops, whatever the user wants.
        if self.rewinds > 0 && self.memory.is_some() {
            (self.late, self.before) = (true, self.before.min(1000));
        }
    }

    /// Whether nothing may be dropped: threads wait for memory, which comes back, or has no limit that they reach.
    pub fn loses_nothing(&self) -> bool {
        let comes_back = self.late && self.before <= 1000 && !self.refuses();
        !self.drops && (self.memory.is_none() || comes_back)
    }

    /// Whether the storage refuses something.
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
