//! Straight lines from the clock of one rank to that of another.

use super::Clock;
use super::exchange::Exchange;

/// Two times of a rank, each with the time of rank 0 at the same moment, in ticks of the respective
/// clock.
///
/// Invariant: both clocks run forwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line {
    own: [u64; 2],
    reference: [u64; 2],
    /// The maximum error of `reference`.
    uncertainty: u64,
}

/// The size of a line in a message, in numbers.
pub(super) const NUMBERS: usize = 5;

impl Line {
    /// Returns the line of the rank whose clock is the reference; `None` if the times do not run
    /// forwards.
    pub(super) fn of_reference(times: [u64; 2]) -> Option<Line> {
        Line { own: times, reference: times, uncertainty: 0 }.forwards()
    }

    /// Returns the line of a rank that exchanged readings with its parent at the start and at the
    /// end.
    pub(super) fn through(parent: &Line, exchanges: [&Exchange; 2], clock: Clock) -> Option<Line> {
        let own = exchanges.map(|exchange| exchange.own(clock));
        let halves = exchanges.map(|exchange| exchange.half(clock));
        let theirs = without_noise(own, exchanges.map(|exchange| exchange.theirs(clock)), halves);
        let reference = [parent.reference_at(theirs[0])?, parent.reference_at(theirs[1])?];
        let line = Line { own, reference, uncertainty: 0 }.forwards()?;
        let half = line.reference_at(own[0].checked_add(halves[0].max(halves[1]))?)? - reference[0];
        Some(Line { uncertainty: parent.uncertainty.checked_add(half)?, ..line })
    }

    fn forwards(self) -> Option<Line> {
        (self.own[0] < self.own[1] && self.reference[0] < self.reference[1]).then_some(self)
    }

    /// Returns the time of rank 0 at a time of this rank, inside or outside the measured range.
    fn reference_at(&self, time: u64) -> Option<u64> {
        let [own, reference] = [self.own, self.reference].map(|times| times.map(i128::from));
        let (run, rise) = (own[1] - own[0], reference[1] - reference[0]);
        // Both are below 2^64 and `run` is not 0.
        let ahead = (i128::from(time) - own[0]).checked_mul(rise)?.checked_add(run / 2)?.div_euclid(run);
        u64::try_from(reference[0] + ahead).ok()
    }

    /// Returns the clock offsets that make readers apply this line: times of the rank, and the
    /// ticks to add to them.
    pub fn offsets(&self) -> [(u64, i64); 2] {
        [0, 1].map(|at| (self.own[at], self.reference[at].wrapping_sub(self.own[at]) as i64))
    }

    /// Returns the time that readers compute from `time`, exact to the tick: the offset at the
    /// start plus the rounded change since then.
    pub fn correct(&self, time: u64) -> u64 {
        let [(start, offset), (end, end_offset)] = self.offsets();
        let slope = end_offset.wrapping_sub(offset) as f64 / (end - start) as f64;
        let distance = if time < start { -((start - time) as f64) } else { (time - start) as f64 };
        let moved = (slope * distance).round_ties_even() as i64;
        time.wrapping_add_signed(offset).wrapping_add_signed(moved)
    }

    /// Returns whether both lines can be true for the rank of this line.
    pub(super) fn agrees_with(&self, other: &Line) -> bool {
        let uncertainty = self.uncertainty.saturating_add(other.uncertainty);
        let differs = |at: usize| Some(other.reference_at(self.own[at])?.abs_diff(self.reference[at]));
        [0, 1].into_iter().all(|at| differs(at).is_some_and(|difference| difference <= uncertainty))
    }

    pub(super) fn is_better_than(&self, other: &Line) -> bool {
        self.uncertainty < other.uncertainty
    }

    pub(super) fn numbers(&self) -> [u64; NUMBERS] {
        [self.own[0], self.own[1], self.reference[0], self.reference[1], self.uncertainty]
    }

    pub(super) fn from_numbers(numbers: &[u64]) -> Option<Line> {
        let &[start, end, reference_start, reference_end, uncertainty] = numbers else { return None };
        Line { own: [start, end], reference: [reference_start, reference_end], uncertainty }.forwards()
    }
}

/// Returns the parent's times, adjusted to a single distance from the own times if one distance
/// fits both exchanges.
///
/// In that case no drift is measurable. A drift that consists only of noise would be extrapolated
/// far beyond a short program, to the time before its ranks met.
fn without_noise(own: [u64; 2], theirs: [u64; 2], halves: [u64; 2]) -> [u64; 2] {
    let distance = |at: usize| i128::from(theirs[at]) - i128::from(own[at]);
    let least = |at: usize| distance(at) - i128::from(halves[at]);
    let most = |at: usize| distance(at) + i128::from(halves[at]);
    let (least, most) = (least(0).max(least(1)), most(0).min(most(1)));
    if least > most {
        return theirs;
    }
    let distance = least + (most - least) / 2;
    let moved = |at: usize| u64::try_from(i128::from(own[at]) + distance).unwrap_or(theirs[at]);
    [moved(0), moved(1)]
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: Line = Line { own: [1_000, 3_000], reference: [50_000, 56_000], uncertainty: 7 };

    #[test]
    fn a_line_is_evaluated_at_between_and_beyond_its_ends() {
        let at = [1_000, 3_000, 2_000, 0, 4_000].map(|time| LINE.reference_at(time));
        assert_eq!(at, [50_000, 56_000, 53_000, 47_000, 59_000].map(Some));
        assert_eq!(at, [1_000, 3_000, 2_000, 0, 4_000].map(|time| Some(LINE.correct(time))));
        let early = Line { reference: [500, 6_500], ..LINE };
        assert_eq!(early.reference_at(0), None);
    }

    #[test]
    fn offsets_can_be_negative() {
        let line = Line { own: LINE.reference, reference: LINE.own, uncertainty: 0 };
        assert_eq!(line.offsets(), [(50_000, -49_000), (56_000, -53_000)]);
        assert_eq!(line.correct(53_000), 2_000);
    }

    #[test]
    fn numbers_that_form_no_line_are_refused() {
        assert_eq!(Line::from_numbers(&LINE.numbers()), Some(LINE));
        for numbers in [&[1, 2, 3, 4][..], &[2, 2, 3, 4, 0], &[1, 2, 4, 3, 0], &[]] {
            assert_eq!(Line::from_numbers(numbers), None, "{numbers:?}");
        }
    }

    #[test]
    fn a_drift_within_the_noise_is_ignored() {
        let own = [1_000, 2_000];
        assert_eq!(without_noise(own, [5_000, 6_010], [6, 6]), [5_005, 6_005]);
        assert_eq!(without_noise(own, [5_000, 6_010], [4, 4]), [5_000, 6_010]);
        assert_eq!(without_noise(own, [10, 1_004], [3, 3]), [7, 1_007]);
    }

    #[test]
    fn lines_agree_within_their_uncertainty() {
        let moved = |by: u64| Line { reference: LINE.reference.map(|time| time + by), ..LINE };
        assert!(LINE.agrees_with(&moved(14)) && !LINE.agrees_with(&moved(15)));
    }
}
