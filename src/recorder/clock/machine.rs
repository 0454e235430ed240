//! The machine a rank runs on: its clocks, and how to know it again.

use std::{
    fs,
    hash::{DefaultHasher, Hash, Hasher},
    num::NonZeroU64,
};

use super::Reading;

/// What a rank needs of its machine.
pub trait Machine {
    /// All clocks now.
    fn now(&self) -> Reading;

    /// What this machine has in common with those whose clocks are its own; `None` if that cannot be told.
    fn node(&self) -> Option<Node>;
}

/// A machine since its last boot, as far as programs on it have the same clocks.
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
        // Containers may have a CLOCK_MONOTONIC of their own. Kernels before 5.6 do not know such, nor this link.
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
    fn a_machine_is_known_again() {
        let nodes = [ThisMachine.node(), ThisMachine.node()];
        assert!(nodes[0].is_some() && nodes[0] == nodes[1]);
    }
}
