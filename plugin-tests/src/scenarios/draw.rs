//! Numbers drawn from a seed: the same on every machine and with every version of every library.

/// Mixes a number like the host in C does.
pub(super) fn mixed(number: u64) -> u64 {
    let mut x = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

/// A sequence of drawn numbers.
#[derive(Debug, Clone)]
pub(super) struct Draw(u64);

impl Draw {
    pub(super) fn new(seed: u64) -> Self {
        Self(mixed(seed))
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(1);
        mixed(self.0)
    }

    /// Draws a number below `end`.
    pub(super) fn below(&mut self, end: u64) -> u64 {
        self.next() % end.max(1)
    }

    /// Draws whether something happens, with a probability of `percent` percent.
    pub(super) fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// Draws one element.
    pub(super) fn one_of<T: Copy>(&mut self, few: &[T]) -> T {
        few[self.below(few.len() as u64) as usize]
    }

    /// Draws a number between two bounds; each order of magnitude is equally likely.
    pub(super) fn of_any_size(&mut self, least: u64, most: u64) -> u64 {
        let share = self.below(1 << 20) as f64 / f64::from(1 << 20);
        (least as f64 * (most as f64 / least as f64).powf(share)) as u64
    }
}
