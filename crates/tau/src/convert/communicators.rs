//! TAU's communicator numbers, 0 to 63, and their ids in the archive.
//!
//! Invariant: ids are dense and in the order of the numbers; the world is always included.

/// The numbers in use.
#[derive(Clone, Copy, Debug)]
pub(super) struct Communicators(u64);

impl Default for Communicators {
    fn default() -> Self {
        Communicators(1)
    }
}

impl Communicators {
    /// Marks a number as used by a message.
    pub(super) fn insert(&mut self, number: u8) {
        self.0 |= 1 << (number % 64);
    }

    /// Returns the numbers in use.
    pub(super) fn numbers(self) -> impl Iterator<Item = u8> {
        (0..64).filter(move |number| self.0 >> number & 1 != 0)
    }

    /// Returns the id of a number in use.
    #[inline]
    pub(super) fn id(self, number: u8) -> u8 {
        (self.0 & ((1 << (number % 64)) - 1)).count_ones() as u8
    }
}

#[cfg(test)]
mod tests {
    use super::Communicators;

    #[test]
    fn ids_are_dense() {
        let mut communicators = Communicators::default();
        [63, 2, 2].into_iter().for_each(|number| communicators.insert(number));
        let ids: Vec<_> = communicators.numbers().map(|number| (number, communicators.id(number))).collect();
        assert_eq!(ids, [(0, 0), (2, 1), (63, 2)]);
    }
}
