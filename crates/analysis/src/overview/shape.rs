//! How time is divided.

/// The division of a span of time into buckets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// The start, in nanoseconds since the start of the trace.
    pub from: u64,
    /// The length of the span, in nanoseconds.
    pub length: u64,
    /// The length of a bucket of the finest level, in nanoseconds.
    pub width: u64,
    /// The number of buckets of the finest level: 64, 256, 1024 and so on.
    pub buckets: usize,
    /// The number of slices, into which buckets are put together.
    pub slices: usize,
}

/// The number of buckets of the coarsest level.
const FEWEST: usize = 64;

impl Shape {
    /// Divides a span of nanoseconds into at most `most` buckets, if these are 64 or more, and at
    /// most `slices` slices, a power of 4. Buckets are not shorter than a nanosecond; the last one
    /// may end after the span.
    pub fn new(from: u64, length: u64, most: usize, slices: usize) -> Self {
        let mut buckets = FEWEST;
        while buckets * 4 <= most && (buckets as u64) < length {
            buckets *= 4;
        }
        let width = length.div_ceil(buckets as u64).max(1);
        Self { from, length, width, buckets, slices: slices.min(buckets) }
    }

    /// Makes buckets a little longer, by at most a sixteenth, so that they can be divided. Returns
    /// into how many levels below the finest one, each with buckets of a quarter of the length.
    pub fn divisible(&mut self) -> u32 {
        let (mut levels, mut power) = (0, 1_u64);
        while power.saturating_mul(64) <= self.width {
            power *= 4;
            levels += 1;
        }
        self.width = self.width.next_multiple_of(power);
        levels
    }

    /// Returns the numbers of buckets of the levels, the finest first; each level has a quarter of
    /// the buckets of the one before.
    pub fn levels(&self) -> impl Iterator<Item = usize> + use<> {
        std::iter::successors(Some(self.buckets), |buckets| Some(buckets / 4).filter(|it| *it >= FEWEST))
    }

    /// Returns the length of a slice, in nanoseconds.
    pub fn slice_width(&self) -> u64 {
        self.width.saturating_mul((self.buckets / self.slices) as u64)
    }

    /// Returns the slice of a time, which is the last one for all later times.
    pub fn slice(&self, time: u64) -> usize {
        let slice = time.saturating_sub(self.from) / self.slice_width();
        usize::try_from(slice).unwrap_or(usize::MAX).min(self.slices - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_cover_the_span() {
        for length in [0, 1, 63, 64, 65, 1000, 4096, 1 << 20, u64::MAX] {
            for most in [0, 64, 1024, 5000, 1 << 14] {
                let shape = Shape::new(0, length, most, 16);
                assert!(u128::from(shape.width) * shape.buckets as u128 >= u128::from(length));
                assert!(shape.buckets <= most.max(64) && shape.levels().last() == Some(64));
                assert_eq!(shape.slice(u64::MAX), shape.slices - 1);
            }
        }
        let mut shape = Shape::new(0, 1_000_000_000, 1024, 16);
        let width = shape.width;
        assert_eq!(shape.divisible(), 7);
        assert!(shape.width.is_multiple_of(4_u64.pow(7)) && shape.width <= width + width / 16);
        assert_eq!(Shape::new(0, 100, 4096, 256).levels().collect::<Vec<_>>(), [256, 64]);
    }
}
