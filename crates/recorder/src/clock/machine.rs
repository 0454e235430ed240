//! The machine that a rank runs on: its clocks and its identity.

use std::{
    fs,
    hash::{DefaultHasher, Hash, Hasher},
    num::NonZeroU64,
};

use super::Reading;

/// The machine of a rank.
pub trait Machine {
    /// Reads all clocks.
    fn now(&self) -> Reading;

    /// Returns an identifier that this machine shares with all machines that have the same clocks,
    /// or `None` if it cannot be determined.
    fn node(&self) -> Option<Node>;
}

/// A machine since its last boot, or the part of it whose programs have the same clocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Node(pub NonZeroU64);

/// The machine of this process.
#[derive(Debug, Clone, Copy, Default)]
pub struct ThisMachine;

impl Machine for ThisMachine {
    fn now(&self) -> Reading {
        Reading::now()
    }

    fn node(&self) -> Option<Node> {
        let boot = fs::read("/proc/sys/kernel/random/boot_id").ok().filter(|id| !id.is_empty())?;
        // A container may have its own CLOCK_MONOTONIC. Kernels before 5.6 support neither that nor
        // this link.
        let time_namespace = fs::read_link("/proc/self/ns/time").ok();
        let uname = rustix::system::uname();
        let mut hasher = DefaultHasher::new();
        (boot, time_namespace, uname.nodename()).hash(&mut hasher);
        NonZeroU64::new(hasher.finish()).map(Node)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg_attr(miri, ignore = "reads files of the system")]
    fn a_machine_is_recognised_again() {
        let nodes = [ThisMachine.node(), ThisMachine.node()];
        assert!(nodes[0].is_some() && nodes[0] == nodes[1]);
    }
}
