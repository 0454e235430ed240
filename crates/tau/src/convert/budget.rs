//! The memory that a conversion uses for data it cannot write immediately: open states, and events
//! of threads that are not in order.

/// The maximum number of bytes.
pub(super) const LIMIT: usize = 1 << 30;

/// The number of bytes left.
#[derive(Debug)]
pub(super) struct Budget(usize);

/// There is not enough memory left for the named data.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spent(pub(super) &'static str);

impl Budget {
    pub(super) fn new() -> Self {
        Budget(LIMIT)
    }

    #[cfg(test)]
    pub(super) fn of(bytes: usize) -> Self {
        Budget(bytes)
    }

    pub(super) fn take(&mut self, bytes: usize, what: &'static str) -> Result<(), Spent> {
        self.0 = self.0.checked_sub(bytes).ok_or(Spent(what))?;
        Ok(())
    }

    pub(super) fn give_back(&mut self, bytes: usize) {
        self.0 += bytes;
    }
}
