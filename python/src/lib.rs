//! The native part of the Python package `kymograph`.
//!
//! Invariants: nothing is computed here, every number is one of `kymo-analysis` or `kymo-tables`;
//! no event is read or written while the interpreter is locked.

#![deny(unsafe_code)]

mod archive;
mod arrow_input;
mod columns;
mod failure;
mod interruption;
mod matched_calls;
mod profiles;
mod row_queues;
mod selected;
mod sums;
mod table;
mod time_profiles;
mod writer;

/// The module `kymograph._native`.
#[pyo3::pymodule]
mod _native {
    #[pymodule_export]
    use crate::archive::OpenedArchive;
    #[pymodule_export]
    use crate::failure::TraceError;
    #[pymodule_export]
    use crate::matched_calls::matched_calls;
    #[pymodule_export]
    use crate::table::ArrowTable;
    #[pymodule_export]
    use crate::writer::NativeWriter;

    /// The version of the package.
    #[pymodule_export]
    const __VERSION__: &str = env!("CARGO_PKG_VERSION");
}
