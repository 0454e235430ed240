//! The functions that synchronise one-sided communication, by their names.

/// A function that synchronises one-sided communication.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OneSidedFunction {
    /// `MPI_Win_post`, which begins an exposure epoch.
    Post,
    /// `MPI_Win_start`, which begins an access epoch.
    Start,
    /// `MPI_Win_complete`, which ends an access epoch.
    Complete,
    /// `MPI_Win_wait`, which ends an exposure epoch.
    Wait,
    /// `MPI_Win_test`, which ends an exposure epoch if that does not have to wait.
    Test,
    /// `MPI_Win_flush` and its kin, which complete operations.
    Flush,
}

impl OneSidedFunction {
    /// Returns the function with a name of MPI in small letters.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "mpi_win_post" => Self::Post,
            "mpi_win_start" => Self::Start,
            "mpi_win_complete" => Self::Complete,
            "mpi_win_wait" => Self::Wait,
            "mpi_win_test" => Self::Test,
            "mpi_win_flush" | "mpi_win_flush_all" | "mpi_win_flush_local" | "mpi_win_flush_local_all" => {
                Self::Flush
            }
            _ => return None,
        })
    }
}
