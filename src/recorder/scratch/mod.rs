//! Memory that survives the process: events and journal lie in a file that is mapped by all who touch it.

pub mod layout;
pub mod side;
