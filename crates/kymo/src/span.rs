//! The time span of `--time`.

use std::ops::RangeInclusive;

use kymo_otf2::read::Archive;

use crate::instant::{Instant, clock};
use crate::problem::Problem;

/// Returns the span between two instants of a trace, or all times if none are given.
///
/// # Errors
///
/// If the clock is needed, but the global definitions cannot be read or do not define one; if the
/// second instant is before the first.
pub(crate) fn of(ends: &[Instant], archive: &Archive) -> Result<RangeInclusive<u64>, Problem> {
    let span = in_any_order(ends, archive)?;
    match span.start() <= span.end() {
        true => Ok(span),
        false => Err(Problem::usage("'--time': the second time is before the first")),
    }
}

fn in_any_order(ends: &[Instant], archive: &Archive) -> Result<RangeInclusive<u64>, Problem> {
    match *ends {
        [Instant::Ticks(first), Instant::Ticks(last)] => Ok(first..=last),
        [first, last] => {
            let clock = clock(archive).map_err(|error| Problem::of_archive(archive, &error))?;
            let clock = clock.ok_or_else(|| {
                Problem::usage("'--time': the trace has no clock, so only ticks can be used")
            })?;
            Ok(first.ticks(&clock)..=last.ticks(&clock))
        }
        _ => Ok(0..=u64::MAX),
    }
}
