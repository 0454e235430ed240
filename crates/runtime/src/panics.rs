//! Panics, which do not reach the program.

/// Catches panics, which must not end the program. The panic is reported; the rest of the action is
/// not executed.
pub(crate) fn catching_panics(what: impl FnOnce()) {
    let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(what));
}
