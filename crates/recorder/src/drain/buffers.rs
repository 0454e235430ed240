//! The memory of a process that the writer empties.

use crate::{
    journal::Journal,
    scratch::{Pool, Slots},
};

/// The pieces of all locations, the slots that describe their files, and the journal.
#[derive(Debug)]
pub(crate) struct Buffers {
    pub(crate) pool: &'static Pool,
    pub(crate) slots: Slots,
    pub(crate) journal: Journal,
}
