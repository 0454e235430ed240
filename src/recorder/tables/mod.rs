//! Look-up tables of the event path: read without a lock and without a write, filled in by other calls.

mod address_table;
mod sparse_table;

pub use address_table::{AddressTable, Addressed};
pub use sparse_table::SparseTable;
