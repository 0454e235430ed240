//! One clock resolution for all processes of a tree. `kymo record` measures it and passes it on in
//! an environment variable. If the variable is not set, the first process measures it briefly and
//! sets the variable.

use super::reading::Reading;
use core::ffi::CStr;
use std::time::Duration;
use std::{env, thread};

const VARIABLE: &CStr = c"KYMO_RECORD_TICKS_PER_SECOND";
/// How long the first process measures: a hundred thousand times the duration of a reading.
const MOMENT: Duration = Duration::from_millis(10);

/// Returns the shared resolution. Must be called before the program starts, as it may change the
/// environment.
pub(super) fn resolution(start: &Reading) -> u64 {
    if let Some(known) =
        VARIABLE.to_str().ok().and_then(env::var_os).and_then(|value| parsed(&value.to_string_lossy()))
    {
        return known;
    }
    thread::sleep(MOMENT);
    let own = start.ticks_per_second(&Reading::take());
    let text = format!("{own}\0");
    // SAFETY: both are strings; no other thread of the program runs yet.
    unsafe { libc::setenv(VARIABLE.as_ptr(), text.as_ptr().cast(), 1) };
    own
}

fn parsed(value: &str) -> Option<u64> {
    value.parse().ok().filter(|&resolution| resolution > 0)
}

#[cfg(test)]
mod tests {
    use super::parsed;

    #[test]
    fn only_numbers_are_resolutions() {
        assert_eq!(
            ["2600000000", "0", "", "-1", "2.6e9"].map(parsed),
            [Some(2_600_000_000), None, None, None, None]
        );
    }
}
