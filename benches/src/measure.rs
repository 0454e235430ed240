//! Clocks, samples and their spread.
//!
//! Times are CPU times: other load on the machine does not count, except for its effect on the
//! caches.

use rustix::time::{ClockId, clock_gettime};
use std::fmt;
use std::str::FromStr;

/// Returns the CPU time of the calling thread in nanoseconds.
pub(crate) fn thread_cpu() -> u64 {
    nanos(ClockId::ThreadCPUTime)
}

/// Returns the CPU time of all threads of the process in nanoseconds.
pub(crate) fn process_cpu() -> u64 {
    nanos(ClockId::ProcessCPUTime)
}

/// Returns the peak resident memory of this process in KiB; 0 if the system does not report it.
pub(crate) fn resident() -> u64 {
    resident_of("self")
}

/// Returns the peak resident memory of a process in KiB; 0 if it has ended.
pub(crate) fn resident_of(process: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let peak =
        status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok());
    peak.unwrap_or(0)
}

fn nanos(clock: ClockId) -> u64 {
    let time = clock_gettime(clock);
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// The result of one run. `Display` and `FromStr` pass it from the measuring process to the
/// comparing one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sample {
    /// Nanoseconds until everything was recorded, without writing it to the file.
    pub(crate) recorded: u64,
    /// Nanoseconds of all threads until everything was in the file.
    pub(crate) total: u64,
    /// Bytes of the file, 0 if there is none; for readers a checksum.
    pub(crate) bytes: u64,
    /// The peak resident memory in KiB; 0 if it was not measured.
    pub(crate) memory: u64,
}

impl fmt::Display for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {} {}", self.recorded, self.total, self.bytes, self.memory)
    }
}

impl FromStr for Sample {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers: Option<Vec<u64>> = text.split_whitespace().map(|number| number.parse().ok()).collect();
        match numbers.as_deref() {
            Some(&[recorded, total, bytes]) => Ok(Self { recorded, total, bytes, memory: 0 }),
            Some(&[recorded, total, bytes, memory]) => Ok(Self { recorded, total, bytes, memory }),
            _ => Err(format!("expected three or four numbers, found `{text}`")),
        }
    }
}

/// Runs `pair` for 0 to `pairs` in batches of `batch`. Returns the nanoseconds that all batches
/// would take if each took as long as the median one. Writing a piece prolongs few batches, so the
/// median does not include it.
#[inline(always)]
pub(crate) fn in_batches(pairs: u64, batch: u64, mut pair: impl FnMut(u64)) -> u64 {
    let mut times = Vec::with_capacity((pairs / batch) as usize + 1);
    let (mut next, mut last) = (0, thread_cpu());
    while next < pairs {
        let end = (next + batch).min(pairs);
        (next..end).for_each(&mut pair);
        let now = thread_cpu();
        if end - next == batch || times.is_empty() {
            times.push((now - last) as f64 / (end - next) as f64);
        }
        (next, last) = (end, now);
    }
    (Spread::of(times).median * pairs as f64) as u64
}

/// The median and range of repeated measurements.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Spread {
    pub(crate) median: f64,
    pub(crate) least: f64,
    pub(crate) most: f64,
}

impl Spread {
    /// Computes the spread. The median of an even number of values is the greater of the two in the
    /// middle; without values everything is 0.
    pub(crate) fn of(mut values: Vec<f64>) -> Self {
        values.sort_by(f64::total_cmp);
        let at = |index: usize| values.get(index).copied().unwrap_or(0.0);
        Self { median: at(values.len() / 2), least: at(0), most: at(values.len().saturating_sub(1)) }
    }
}

/// Formats a spread as in `2.61 (2.50–2.94)`.
impl fmt::Display for Spread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = if self.median < 10.0 { 2 } else { 1 };
        write!(f, "{:.digits$} ({:.digits$}–{:.digits$})", self.median, self.least, self.most)
    }
}

#[cfg(test)]
mod tests {
    use super::{Sample, Spread, in_batches};

    #[test]
    fn the_median_is_the_middle_value() {
        let spread = Spread::of(vec![3.0, 1.0, 20.0, 2.0, 4.0]);
        assert_eq!(spread, Spread { median: 3.0, least: 1.0, most: 20.0 });
        assert_eq!(spread.to_string(), "3.00 (1.00–20.00)");
        assert_eq!(Spread::of(Vec::new()).median, 0.0);
    }

    #[test]
    fn a_sample_is_parsed_from_its_text() {
        let sample = Sample { recorded: 1, total: 22, bytes: 333, memory: 0 };
        assert_eq!(sample.to_string().parse(), Ok(sample));
        assert_eq!("1 22 333".parse(), Ok(sample));
        assert!("1 2".parse::<Sample>().is_err());
        assert!("1 2 x".parse::<Sample>().is_err());
    }

    #[test]
    fn batches_run_every_pair_once() {
        let mut seen = Vec::new();
        in_batches(10, 4, |pair| seen.push(pair));
        assert_eq!(seen, (0..10).collect::<Vec<_>>());
    }
}
