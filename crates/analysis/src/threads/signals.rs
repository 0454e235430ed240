//! Calls that wake threads that wait for a condition.

use kymo_otf2::references::LocationRef;

/// The last signals of a process. OTF2 names no conditions, so each may be for any.
#[derive(Debug, Default)]
pub(super) struct Signals {
    last: Option<(LocationRef, u64)>,
    /// The last one of another location than that of `last`.
    last_of_another: Option<(LocationRef, u64)>,
}

impl Signals {
    pub(super) fn add(&mut self, location: LocationRef, time: u64) {
        if self.last.is_some_and(|(last, _)| last != location) {
            self.last_of_another = self.last;
        }
        self.last = Some((location, time));
    }

    /// Returns the last signal of another location, if it was after `since`.
    pub(super) fn for_location(&self, location: LocationRef, since: u64) -> Option<(LocationRef, u64)> {
        let of_another = [self.last, self.last_of_another].into_iter().flatten().find(|it| it.0 != location);
        of_another.filter(|(_, time)| *time > since)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_signal_of_another_location_counts() {
        let mut signals = Signals::default();
        let [one, two] = [LocationRef(1), LocationRef(2)];
        assert_eq!(signals.for_location(one, 0), None);
        [(one, 3), (two, 5), (two, 7)].into_iter().for_each(|(location, time)| signals.add(location, time));
        assert_eq!(signals.for_location(one, 0), Some((two, 7)));
        assert_eq!(signals.for_location(two, 0), Some((one, 3)));
        assert_eq!(signals.for_location(two, 3), None);
    }
}
