//! The browser of the user.

use std::env;

/// Opens an address in the browser. Returns false where there is no display, or no browser.
pub(super) fn open(address: &str) -> bool {
    let has_display = ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|it| env::var_os(it).is_some());
    has_display && open::that_detached(address).is_ok()
}
