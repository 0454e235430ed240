//! The description of a rank's call: the function, and every argument on which all ranks must
//! agree.
//!
//! It precedes every message, so ranks that make different calls detect this instead of misreading
//! each other's data.

use super::number::name_of;
use std::fmt;

/// A function of the interface, or of the host itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Function {
    /// `SCOREP_Ipc_Send` on one side, `SCOREP_Ipc_Recv` on the other.
    Message,
    Barrier,
    Bcast,
    Gather,
    Gatherv,
    Allgather,
    Reduce,
    Allreduce,
    Scatter,
    Scatterv,
    /// A barrier of the host between the plugins' calls.
    Host,
}

impl Function {
    const ALL: [(Self, &str); 11] = [
        (Self::Message, "SCOREP_Ipc_Send or SCOREP_Ipc_Recv"),
        (Self::Barrier, "SCOREP_Ipc_Barrier"),
        (Self::Bcast, "SCOREP_Ipc_Bcast"),
        (Self::Gather, "SCOREP_Ipc_Gather"),
        (Self::Gatherv, "SCOREP_Ipc_Gatherv"),
        (Self::Allgather, "SCOREP_Ipc_Allgather"),
        (Self::Reduce, "SCOREP_Ipc_Reduce"),
        (Self::Allreduce, "SCOREP_Ipc_Allreduce"),
        (Self::Scatter, "SCOREP_Ipc_Scatter"),
        (Self::Scatterv, "SCOREP_Ipc_Scatterv"),
        (Self::Host, "nothing: the host's own barrier"),
    ];

    pub(crate) fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }
}

/// A call. Numbers that do not apply are 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Call {
    pub(crate) function: Function,
    pub(crate) datatype: u32,
    pub(crate) operation: u32,
    pub(crate) root: u32,
    /// The number of elements of each rank, if it is the same for all.
    pub(crate) count: u32,
}

/// The number of bytes of a call at the start of a message.
pub(super) const CALL_BYTES: usize = 20;

impl Call {
    pub(crate) fn new(function: Function) -> Self {
        Self { function, datatype: 0, operation: 0, root: 0, count: 0 }
    }

    /// Returns whether the call is collective. Messages between two ranks are kept separate from
    /// those of collective calls.
    pub(super) fn is_collective(self) -> bool {
        self.function != Function::Message
    }

    pub(super) fn to_bytes(self) -> [u8; CALL_BYTES] {
        let mut bytes = [0; CALL_BYTES];
        let words = [self.function as u32, self.datatype, self.operation, self.root, self.count];
        for (place, word) in bytes.chunks_exact_mut(4).zip(words) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }

    /// Returns `None` if no rank sends such bytes.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let word = |at: usize| Some(u32::from_le_bytes(bytes.get(4 * at..4 * at + 4)?.try_into().ok()?));
        let (function, _) = *Function::ALL.get(word(0)? as usize)?;
        Some(Self { function, datatype: word(1)?, operation: word(2)?, root: word(3)?, count: word(4)? })
    }
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.function.name())?;
        if matches!(self.function, Function::Barrier | Function::Host) {
            return Ok(());
        }
        if !matches!(self.function, Function::Message | Function::Gatherv | Function::Scatterv) {
            write!(f, " of {}", self.count)?;
        }
        write!(f, " {}", name_of(self.datatype))?;
        if matches!(self.function, Function::Reduce | Function::Allreduce) {
            write!(f, " by operation {}", self.operation)?;
        }
        if !matches!(self.function, Function::Message | Function::Allgather | Function::Allreduce) {
            write!(f, " at root {}", self.root)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_listed_in_the_order_of_their_numbers() {
        for (at, (function, _)) in Function::ALL.into_iter().enumerate() {
            assert_eq!(function as usize, at);
        }
    }

    #[test]
    fn a_call_survives_a_round_trip() {
        let call = Call { function: Function::Reduce, datatype: 9, operation: 4, root: 7, count: 1 << 20 };
        assert_eq!(Call::from_bytes(&call.to_bytes()), Some(call));
        assert_eq!(Call::from_bytes(&[11; CALL_BYTES]), None);
    }
}
