//! Flag sets. Unknown flags survive a round trip (`from_bits_retain`). On the wire a flag set is a
//! compressed 32-bit number.

use bitflags::bitflags;

/// The names of the flags of a set.
#[derive(Debug, Clone, Copy)]
pub struct FlagNames(&'static [(&'static str, u32)]);

impl FlagNames {
    /// Returns the names of the known flags in `bits`.
    pub fn iter(self, bits: u32) -> impl Iterator<Item = &'static str> {
        self.0.iter().filter(move |(_, flag)| bits & flag != 0).map(|(name, _)| *name)
    }

    /// Returns all known flags with their values.
    pub fn all(self) -> &'static [(&'static str, u32)] {
        self.0
    }
}

// Input:
//     /// The flags of a communicator.
//     CommFlag { CREATE_DESTROY_EVENTS = 1, }
// Expansion: a `bitflags` set over `u32` with the constants, `NONE` and `NAMES`.
macro_rules! define {
    ($($(#[$doc:meta])* $name:ident { $($flag:ident = $bit:literal,)* })*) => {$(
        bitflags! {
            $(#[$doc])*
            #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
            pub struct $name: u32 {
                $(
                    #[doc = concat!("`", stringify!($flag), "`")]
                    const $flag = $bit;
                )*
            }
        }

        impl $name {
            /// The empty set.
            pub const NONE: $name = $name::empty();
            /// The names of the flags.
            pub const NAMES: FlagNames = FlagNames(&[$((stringify!($flag), $bit)),*]);
        }
    )*};
}

/// Passes all flag sets to a macro.
#[macro_export]
macro_rules! for_each_flag_set {
    ($macro:ident) => {
        $macro! {
            /// The flags of a region.
            RegionFlag {
                DYNAMIC = 1,
                PHASE = 2,
            }

            /// The flags of a group.
            GroupFlag {
                GLOBAL_MEMBERS = 1,
            }

            /// The scope of a synchronisation.
            RmaSyncLevel {
                PROCESS = 1,
                MEMORY = 2,
            }

            /// The flags of an I/O paradigm.
            IoParadigmFlag {
                OS = 1,
            }

            /// The flags of an I/O handle.
            IoHandleFlag {
                PRE_CREATED = 1,
                ALL_PROXY = 2,
            }

            /// The creation flags of an I/O handle.
            IoCreationFlag {
                CREATE = 1,
                TRUNCATE = 2,
                DIRECTORY = 4,
                EXCLUSIVE = 8,
                NO_CONTROLLING_TERMINAL = 16,
                NO_FOLLOW = 32,
                PATH = 64,
                TEMPORARY_FILE = 128,
                LARGEFILE = 256,
                NO_SEEK = 512,
                UNIQUE = 1024,
            }

            /// The status flags of an I/O handle.
            IoStatusFlag {
                CLOSE_ON_EXEC = 1,
                APPEND = 2,
                NON_BLOCKING = 4,
                ASYNC = 8,
                SYNC = 16,
                DATA_SYNC = 32,
                AVOID_CACHING = 64,
                NO_ACCESS_TIME = 128,
                DELETE_ON_CLOSE = 256,
            }

            /// The flags of an I/O operation.
            IoOperationFlag {
                NON_BLOCKING = 1,
                COLLECTIVE = 2,
            }

            /// The flags of a communicator.
            CommFlag {
                CREATE_DESTROY_EVENTS = 1,
            }

            /// The flags of a window.
            RmaWinFlag {
                CREATE_DESTROY_EVENTS = 1,
            }
        }
    };
}
for_each_flag_set!(define);
