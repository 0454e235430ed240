//! `libkymo_ttf`: the C interface of TAU's trace input library (`include/TAU_tf.h`) over [`kymo_tau`].
//!
//! Programs written for that library link with this one unchanged. Handles are numbers that only look like pointers, so one that is null,
//! closed or invented is an error, and not what happens to lie there. Invariants: nothing unwinds into C, every null argument is an
//! error, and the only unsafe code here is reading C strings, calling callbacks and setting `errno`.

mod callbacks;
mod guard;
mod handles;
mod reading;
mod strings;
mod writing;
