//! Look-up tables for the event path. Events read them without a lock and without a write; other
//! calls fill them.

mod address_table;
mod sparse_table;

pub use address_table::{AddressTable, Addressed};
pub use sparse_table::SparseTable;
