//! Counters of the ids in each id space.

/// An id space whose ids this plugin assigns.
#[derive(Debug, Clone, Copy)]
pub(super) enum CountedSpace {
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
    SystemTreeNode,
    LocationGroup,
    SourceCodeLocation,
    CartTopology,
}

const SPACES: usize = CountedSpace::CartTopology as usize + 1;

#[derive(Debug, Default)]
pub(super) struct Counters([u32; SPACES]);

impl Counters {
    /// The id of the next definition in a space: the number that the host gave it, if known, or
    /// else the next free one.
    pub(super) fn next(&mut self, space: CountedSpace, number: Option<u32>) -> u32 {
        let next = &mut self.0[space as usize];
        let id = number.unwrap_or(*next);
        *next = (*next).max(id.saturating_add(1));
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_assigned_by_the_host_are_not_reused() {
        let mut counters = Counters::default();
        let mut next = |number| counters.next(CountedSpace::IoHandle, number);
        assert_eq!([next(None), next(Some(4)), next(Some(2)), next(None)], [0, 4, 2, 5]);
        assert_eq!(counters.next(CountedSpace::IoFile, None), 0);
    }
}
