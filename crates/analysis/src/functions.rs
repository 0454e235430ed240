//! The functions that communicate, by what their names say about their waiting.
//!
//! Events state which message was sent or received, and in which call. Whether that call blocks,
//! and whether its send may wait for the receiver, is known from the name of the function alone.

use crate::class::Class;
use crate::index::Index;
use crate::trace::Trace;
use kymo_otf2::enums::Paradigm;
use kymo_otf2::references::RegionRef;

/// A function that communicates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommunicationFunction {
    /// `MPI_Test` and its kin, which do not wait.
    Test,
    /// `MPI_Bsend` and its kin, which do not wait for the receiver.
    BufferedSend,
    /// `MPI_Ssend` and its kin, which always wait for the receiver.
    SynchronousSend,
    /// `MPI_Finalize`, which may wait for all processes.
    Finalize,
    /// Another function.
    Other,
}

/// The functions of a trace that communicate, by their regions.
#[derive(Debug)]
pub struct CommunicationFunctions {
    functions: Index<CommunicationFunction>,
    /// The region of `MPI_Finalize`; the first one if there are several, as in merged archives.
    finalize: Option<RegionRef>,
    has_several_finalize: bool,
}

impl CommunicationFunctions {
    /// Finds the functions of a trace.
    pub fn of(trace: &Trace) -> Self {
        let mut functions = Index::default();
        let (mut finalize, mut has_several_finalize) = (None, false);
        for id in trace.region_ids().filter(|id| communicates(trace, *id)) {
            let is_mpi = trace.region(id).is_some_and(|region| region.paradigm == Paradigm::MPI);
            let function = match is_mpi {
                true => function(&trace.region_name(id)),
                false => CommunicationFunction::Other,
            };
            if function == CommunicationFunction::Finalize {
                has_several_finalize |= finalize.is_some_and(|it| it != id);
                finalize.get_or_insert(id);
            }
            functions.insert(id.0.into(), function);
        }
        Self { functions, finalize, has_several_finalize }
    }

    /// Returns the function of a region, if it communicates.
    #[inline]
    pub fn get(&self, region: RegionRef) -> Option<CommunicationFunction> {
        self.functions.get(region.0.into()).copied()
    }

    /// Returns whether a region is `MPI_Finalize`.
    #[inline]
    pub fn finalizes(&self, region: RegionRef) -> bool {
        self.finalize == Some(region)
            || self.has_several_finalize && self.get(region) == Some(CommunicationFunction::Finalize)
    }
}

/// Returns whether a region is a function of a paradigm of communication, whatever its class:
/// `MPI_Win_allocate` allocates memory.
fn communicates(trace: &Trace, id: RegionRef) -> bool {
    let paradigms = [Paradigm::MPI, Paradigm::SHMEM, Paradigm::GASPI, Paradigm::UPC];
    trace.region(id).is_some_and(|region| paradigms.contains(&region.paradigm))
        || Class::of(trace, id) == Class::Communication
}

/// Returns the function with a name of MPI's interface for C or Fortran, or of its profiling
/// interface.
fn function(name: &str) -> CommunicationFunction {
    let name = name.to_ascii_lowercase();
    let name = name.trim_end_matches('_');
    match name.strip_prefix('p').unwrap_or(name) {
        "mpi_test" | "mpi_testall" | "mpi_testany" | "mpi_testsome" => CommunicationFunction::Test,
        "mpi_bsend" | "mpi_ibsend" => CommunicationFunction::BufferedSend,
        "mpi_ssend" | "mpi_issend" => CommunicationFunction::SynchronousSend,
        "mpi_finalize" => CommunicationFunction::Finalize,
        _ => CommunicationFunction::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_fortran_and_of_the_profiling_interface_are_those_of_c() {
        for name in ["MPI_Finalize", "PMPI_Finalize", "mpi_finalize_", "MPI_FINALIZE", "mpi_finalize__"] {
            assert_eq!(function(name), CommunicationFunction::Finalize, "{name}");
        }
        assert_eq!(function("MPI_Testsome"), CommunicationFunction::Test);
        assert_eq!(function("MPI_Test_cancelled"), CommunicationFunction::Other);
        assert_eq!(function(""), CommunicationFunction::Other);
    }
}
