//! The lines that the runtime prints on standard error.

use core::fmt;

/// Prints one line, as the plugin does.
pub(crate) fn report(what: fmt::Arguments<'_>) {
    kymo_substrate::report("kymo", what);
}
