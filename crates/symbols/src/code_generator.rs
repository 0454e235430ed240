//! The process that generated code at run time, as far as its names depend on it.
//!
//! The runtime writes it into the description of the region that stands for such code
//! ([`placeholder::GENERATED`](crate::placeholder::GENERATED)), as words on one line:
//!
//! ```text
//! process 12 began 1764367000123456789 map 0 user 1000 tmp 2049 131 boot 4f1c…
//!     counter 981274 55129034000 2600000000 parent 10 1764366990000000000 0 3456 55129000000
//!     dump /home/me/jit-12.dump
//! ```
//!
//! Invariant: an unknown value is 0 or missing; a text that was not written by [`CodeGenerator`] is
//! none.

use std::fmt;
use std::str::SplitAsciiWhitespace;

/// A process that generated code.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CodeGenerator {
    /// The process, with the files that may have names.
    pub maker: CodeMaker,
    /// The effective user.
    pub user: u32,
    /// The device and the number of the folder `/tmp` of the process.
    pub folder: (u64, u64),
    /// The identity of the system since its start.
    pub boot: String,
    /// The clock of the archive.
    pub clock: Option<ClockPair>,
    /// The processes that this one was forked from, the nearest first: their code is in its memory.
    pub parents: Vec<ForkedMaker>,
    /// A file in the jitdump format that the process had mapped.
    pub dump: Option<String>,
}

/// A process that names its code.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CodeMaker {
    /// The number of the process in its own PID namespace.
    pub process: u32,
    /// The time when it began, in nanoseconds since 1970.
    pub began: u64,
    /// The size of its perf map at that time, when all of it was left from another process.
    pub map: u64,
}

/// A process when another one was forked from it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ForkedMaker {
    /// The process.
    pub maker: CodeMaker,
    /// The size of its perf map at that time.
    pub map_end: u64,
    /// The time on the system's monotonic clock, in nanoseconds.
    pub at: u64,
}

/// The same time on the clock of the archive and on the monotonic clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClockPair {
    /// The time in the event files.
    pub ticks: u64,
    /// The time on the monotonic clock, in nanoseconds.
    pub monotonic: u64,
    /// The ticks per second.
    pub rate: u64,
    /// Whether the ticks are those of the processor's counter.
    pub is_counter: bool,
}

impl fmt::Display for CodeGenerator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CodeMaker { process, began, map } = self.maker;
        let (user, (device, number), boot) = (self.user, self.folder, &self.boot);
        write!(f, "process {process} began {began} map {map} user {user} tmp {device} {number}")?;
        if !boot.is_empty() {
            write!(f, " boot {boot}")?;
        }
        if let Some(ClockPair { ticks, monotonic, rate, is_counter }) = self.clock {
            write!(f, " {} {ticks} {monotonic} {rate}", if is_counter { "counter" } else { "clock" })?;
        }
        for ForkedMaker { maker: CodeMaker { process, began, map }, map_end, at } in &self.parents {
            write!(f, " parent {process} {began} {map} {map_end} {at}")?;
        }
        self.dump.iter().try_for_each(|dump| write!(f, " dump {dump}"))
    }
}

impl CodeGenerator {
    /// Reads the text that [`fmt::Display`] wrote; `None` if it is another one.
    pub fn of_text(text: &str) -> Option<Self> {
        let (words, dump) =
            text.split_once(" dump ").map_or((text, None), |(words, dump)| (words, Some(dump)));
        let mut words = words.split_ascii_whitespace();
        let mut this = Self { dump: dump.map(str::to_owned), ..Self::default() };
        while let Some(word) = words.next() {
            match word {
                "process" => this.maker.process = next(&mut words)?,
                "began" => this.maker.began = next(&mut words)?,
                "map" => this.maker.map = next(&mut words)?,
                "user" => this.user = next(&mut words)?,
                "tmp" => this.folder = (next(&mut words)?, next(&mut words)?),
                "boot" => this.boot = words.next()?.to_owned(),
                "clock" | "counter" => {
                    this.clock = Some(ClockPair {
                        ticks: next(&mut words)?,
                        monotonic: next(&mut words)?,
                        rate: next(&mut words)?,
                        is_counter: word == "counter",
                    });
                }
                "parent" => this.parents.push(ForkedMaker {
                    maker: CodeMaker {
                        process: next(&mut words)?,
                        began: next(&mut words)?,
                        map: next(&mut words)?,
                    },
                    map_end: next(&mut words)?,
                    at: next(&mut words)?,
                }),
                _ => return None,
            }
        }
        (this.maker.process != 0).then_some(this)
    }
}

fn next<T: std::str::FromStr>(words: &mut SplitAsciiWhitespace<'_>) -> Option<T> {
    words.next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_generator_is_read_as_written() {
        let maker = CodeMaker { process: 12, began: 1_764_367_000, map: 7 };
        let bare = CodeGenerator { maker, user: 1000, folder: (2049, 131), ..CodeGenerator::default() };
        assert_eq!(bare.to_string(), "process 12 began 1764367000 map 7 user 1000 tmp 2049 131");
        let parent = ForkedMaker { maker: CodeMaker { process: 10, began: 1, map: 2 }, map_end: 3, at: 4 };
        let whole = CodeGenerator {
            boot: "4f1c-22".into(),
            clock: Some(ClockPair { ticks: 5, monotonic: 6, rate: 7, is_counter: true }),
            parents: vec![parent, ForkedMaker { map_end: 9, ..parent }],
            dump: Some("/a b/ dump /jit-12.dump".into()),
            ..bare.clone()
        };
        for generator in [bare, whole] {
            assert_eq!(CodeGenerator::of_text(&generator.to_string()), Some(generator));
        }
    }

    #[test]
    fn other_texts_are_no_generators() {
        let texts = ["", "process", "process x", "process 0", "build id 00ab", "process 1 user", "began 5"];
        assert!(texts.iter().all(|text| CodeGenerator::of_text(text).is_none()));
    }
}
