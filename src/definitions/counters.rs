//! The next id of each id space.

/// An id space whose ids this plugin assigns.
#[derive(Debug, Clone, Copy)]
pub(super) enum Space {
    Region,
    Metric,
    MetricMember,
    Parameter,
    CallingContext,
    Comm,
    Group,
    RmaWin,
    InterruptGenerator,
    IoFile,
    IoHandle,
}

const SPACES: usize = Space::IoHandle as usize + 1;

#[derive(Debug, Default)]
pub(super) struct Counters([u32; SPACES]);

impl Counters {
    /// Takes the next id of a space.
    pub(super) fn next(&mut self, space: Space) -> u32 {
        let next = &mut self.0[space as usize];
        let id = *next;
        *next += 1;
        id
    }
}
