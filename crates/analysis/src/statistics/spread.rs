//! How a time is spread over locations.

use kymo_otf2::references::LocationRef;

/// The times of several locations, in nanoseconds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Spread {
    /// The number of locations.
    pub locations: u64,
    /// The sum of the times.
    pub sum: u128,
    /// The sum of the squares of the times.
    squares: u128,
    /// The longest times, with the longest first.
    pub longest: Vec<(u64, LocationRef)>,
    /// The shortest times, with the shortest first.
    pub shortest: Vec<(u64, LocationRef)>,
}

/// The number of times that are kept on either side.
const KEPT: usize = 3;

impl Spread {
    /// Adds the time of a location.
    pub fn add(&mut self, location: LocationRef, time: u64) {
        self.locations += 1;
        self.sum += u128::from(time);
        self.squares = self.squares.saturating_add(u128::from(time) * u128::from(time));
        keep(&mut self.longest, (time, location), |it| (u64::MAX - it.0, it.1));
        keep(&mut self.shortest, (time, location), |it| *it);
    }

    /// Returns the mean, or 0 without locations.
    pub fn mean(&self) -> f64 {
        if self.locations == 0 { 0.0 } else { self.sum as f64 / self.locations as f64 }
    }

    /// Returns the longest time.
    pub fn most(&self) -> u64 {
        self.longest.first().map_or(0, |it| it.0)
    }

    /// Returns the time that all locations together would wait for the slowest one, in nanoseconds.
    pub fn idle(&self) -> u128 {
        (u128::from(self.most()) * u128::from(self.locations)).saturating_sub(self.sum)
    }

    /// Returns the mean divided by the longest time, 1 for equal times.
    pub fn balance(&self) -> f64 {
        if self.most() == 0 { 1.0 } else { self.mean() / self.most() as f64 }
    }

    /// Returns the locations whose time is more than two standard deviations from the mean, of
    /// those with the longest and the shortest times.
    pub fn outliers(&self) -> impl Iterator<Item = (u64, LocationRef)> {
        let mean = self.mean();
        let variance = (self.squares as f64 / self.locations.max(1) as f64 - mean * mean).max(0.0);
        // Without a difference, rounding must not make outliers.
        let limit = (2.0 * variance.sqrt()).max(mean * 1e-6).max(1.0);
        let longest = self.longest.iter().filter(move |it| it.0 as f64 - mean > limit);
        let shortest = self.shortest.iter().filter(move |it| mean - it.0 as f64 > limit);
        longest.chain(shortest).copied()
    }
}

/// Inserts into a short sorted list and cuts it.
fn keep<K: Ord>(
    list: &mut Vec<(u64, LocationRef)>,
    new: (u64, LocationRef),
    key: impl Fn(&(u64, LocationRef)) -> K,
) {
    let place = list.partition_point(|it| key(it) < key(&new));
    if place < KEPT {
        list.insert(place, new);
        list.truncate(KEPT);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spread(times: &[u64]) -> Spread {
        let mut spread = Spread::default();
        times.iter().zip(0..).for_each(|(time, id)| spread.add(LocationRef(id), *time));
        spread
    }

    #[test]
    fn one_slow_location_stands_out() {
        let mut times = [100; 20];
        times[7] = 300;
        let spread = spread(&times);
        assert_eq!(spread.outliers().collect::<Vec<_>>(), [(300, LocationRef(7))]);
        assert_eq!((spread.most(), spread.idle(), spread.mean()), (300, 19 * 200, 110.0));
    }

    #[test]
    fn equal_times_have_no_outliers() {
        let spread = spread(&[1_000_000_007; 1000]);
        assert_eq!((spread.outliers().count(), spread.balance()), (0, 1.0));
    }

    #[test]
    fn the_order_does_not_matter() {
        let (mut one, mut other) = (Spread::default(), Spread::default());
        let times = [5, 1, 5, 3, 5, 5, 1, 1, 1, 9];
        let times: Vec<_> = times.into_iter().zip(0..).collect();
        times.iter().for_each(|(time, id)| one.add(LocationRef(*id), *time));
        times.iter().rev().for_each(|(time, id)| other.add(LocationRef(*id), *time));
        assert_eq!(one, other);
    }
}
