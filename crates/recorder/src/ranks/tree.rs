//! The binomial tree of the ranks: in round k, each rank that is an odd multiple of 2^k meets the
//! one 2^k below it.

use super::{Ipc, IpcFailed, receive_bytes, send_bytes};

/// The place of a rank in the tree, whose root is rank 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tree {
    size: u32,
    rank: u32,
}

impl Tree {
    /// Returns the place of this rank.
    pub fn of(ipc: &(impl Ipc + ?Sized)) -> Tree {
        Tree { size: ipc.size(), rank: ipc.rank() }
    }

    /// Returns the rank that this one sends to; `None` for rank 0.
    pub fn parent(self) -> Option<u32> {
        (self.rank > 0).then(|| self.rank & (self.rank - 1))
    }

    /// Returns the ranks that send to this one, in the order of the rounds. The subtree of the
    /// first child contains the ranks immediately after this one, and so on, so the subtrees
    /// together are in rank order.
    pub fn children(self) -> impl DoubleEndedIterator<Item = u32> {
        let rounds = if self.rank == 0 { u32::BITS } else { self.rank.trailing_zeros() };
        let child = move |round| self.rank.checked_add(1_u32.checked_shl(round)?);
        (0..rounds).filter_map(child).filter(move |&child| child < self.size)
    }
}

/// Sends the bytes of rank 0 to all ranks. A rank that cannot receive them returns an error and
/// passes the failure on; no rank waits for one that has failed.
pub fn broadcast(ipc: &(impl Ipc + ?Sized), bytes: &mut Vec<u8>) -> Result<(), IpcFailed> {
    let tree = Tree::of(ipc);
    let mut outcome = Ok(());
    if let Some(parent) = tree.parent() {
        outcome = receive_bytes(ipc, parent).and_then(|received| {
            *bytes = received;
            if bytes.pop() == Some(IS_THERE) { Ok(()) } else { Err(IpcFailed) }
        });
    }
    bytes.push(if outcome.is_ok() { IS_THERE } else { !IS_THERE });
    // Children with the largest subtrees first.
    for child in tree.children().rev() {
        outcome = outcome.and(send_bytes(ipc, child, bytes));
    }
    bytes.pop();
    outcome
}

/// The last byte of a message with data.
const IS_THERE: u8 = 1;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rank_except_the_root_is_a_child_of_its_parent() {
        for size in [1, 2, 3, 7, 8, 9, 100] {
            for rank in 0..size {
                let tree = Tree { size, rank };
                let parent = tree.parent();
                match parent {
                    None => assert_eq!(rank, 0),
                    Some(parent) => {
                        assert!((Tree { size, rank: parent }).children().any(|child| child == rank));
                    }
                }
                for child in tree.children() {
                    assert_eq!((Tree { size, rank: child }).parent(), Some(rank));
                }
            }
        }
    }

    #[test]
    fn the_subtrees_of_the_children_are_consecutive_ranks() {
        fn below(size: u32, rank: u32) -> Vec<u32> {
            let children = Tree { size, rank }.children();
            std::iter::once(rank).chain(children.flat_map(|child| below(size, child))).collect()
        }
        for size in [1, 2, 5, 16, 37] {
            assert_eq!(below(size, 0), (0..size).collect::<Vec<_>>());
        }
    }
}
