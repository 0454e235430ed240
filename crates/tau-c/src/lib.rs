//! `libkymo_ttf`: the C interface of TAU's trace input library (`include/TAU_tf.h`) over
//! [`kymo_tau`].
//!
//! Programs written for that library link with this one unchanged. Handles are numbers that only
//! look like pointers, so a null, closed or invented handle causes an error instead of an invalid
//! memory access. Invariants: nothing unwinds into C, every null argument is an error, and unsafe
//! code is used only to read C strings, call callbacks and set `errno`.

mod callbacks;
mod guard;
mod handles;
mod reading;
mod strings;
mod writing;

/// Needs no more alignment of `malloc` than to words: programs may replace it, and hash tables read
/// aligned blocks of 16 bytes.
#[global_allocator]
static ALLOCATOR: kymo_allocator::Allocator = kymo_allocator::Allocator;
