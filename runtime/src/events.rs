//! The tables of the plugins' event functions: one for recording, one for the time while recording
//! is switched off.
//!
//! Invariant: for each event a table contains the functions of the plugins that have one, in the
//! order of the plugins, followed by null. A function at an event's number has that event's type.

use crate::message::report;
use crate::plugins::{Plugin, Plugins};
use core::ptr;
use kymo_substrate::bindings::*;

/// The number of events in Score-P 8 and 9.
pub(crate) const EVENTS: usize = SCOREP_SUBSTRATES_NUM_EVENTS as usize;
/// The number of events in Score-P 6 and 7, where the last two events are in the opposite order.
const OLD_EVENTS: usize = 79;

/// Event functions by event.
#[derive(Debug)]
pub(crate) struct Table {
    functions: Vec<SCOREP_Substrates_Callback>,
    /// The number of places for each event.
    stride: usize,
}

impl Table {
    /// A table without functions.
    pub(crate) const NONE: Self = Self { functions: Vec::new(), stride: 0 };

    /// Collects the functions of every plugin.
    pub(crate) fn of(plugins: &Plugins, mode: u32) -> Self {
        let stride = plugins.0.len() + 1;
        let mut functions = vec![None; EVENTS * stride];
        for plugin in &plugins.0 {
            let own = functions_of(plugin, mode);
            for (event, places) in functions.chunks_mut(stride).enumerate() {
                let function = own.get(place(event, own.len())).copied().flatten();
                if let (Some(_), Some(free)) = (function, places.iter_mut().find(|place| place.is_none())) {
                    *free = function;
                }
            }
        }
        Self { functions, stride }
    }

    /// Returns the functions of an event, followed by null.
    #[inline]
    pub(crate) fn functions(&self, event: u32) -> &[SCOREP_Substrates_Callback] {
        let start = event as usize * self.stride;
        self.functions.get(start..start + self.stride).unwrap_or_default()
    }
}

/// Returns the index of an event's function in the table of a plugin that has `length` events.
fn place(event: usize, length: usize) -> usize {
    const TRY: usize = SCOREP_EVENT_IO_TRY_LOCK as usize;
    const RELEASE: usize = SCOREP_EVENT_IO_RELEASE_LOCK as usize;
    match event {
        TRY if length == OLD_EVENTS => RELEASE,
        RELEASE if length == OLD_EVENTS => TRY,
        event => event,
    }
}

fn functions_of(plugin: &Plugin, mode: u32) -> Vec<SCOREP_Substrates_Callback> {
    let Some(get) = plugin.info.get_event_functions else { return Vec::new() };
    let mut functions = ptr::null_mut();
    // SAFETY: as the interface requires.
    let length = unsafe { get(mode, &raw mut functions) } as usize;
    if functions.is_null() {
        return Vec::new();
    }
    // SAFETY: the plugin's array of that length, which is copied immediately.
    let all = unsafe { core::slice::from_raw_parts(functions, length) };
    if all.iter().skip(EVENTS).any(Option::is_some) {
        report(format_args!(
            "warning: the plugin `{}` has functions for events from {EVENTS} on, \
                 which this host does not support",
            plugin.name
        ));
    }
    all.to_vec()
}

/// Calls `event` of the table for every plugin that has a function for it. The arguments are
/// evaluated for each call.
///
/// ```text
/// call!(table, NUMBER: Type, arguments)
/// ```
macro_rules! call {
    ($table:expr, $event:ident: $type:ident, $($argument:expr),+) => {
        for function in $table.functions(kymo_substrate::bindings::$event) {
            let Some(function) = *function else { break };
            // SAFETY: by the table's invariant a function of this type; all function pointers have
            // the same representation.
            let typed = unsafe {
                core::mem::transmute::<unsafe extern "C" fn(), kymo_substrate::bindings::$type>(function)
            };
            if let Some(typed) = typed {
                // SAFETY: an event, with arguments that the interface requires.
                unsafe { typed($($argument),+) };
            }
        }
    };
}
pub(crate) use call;

#[cfg(test)]
mod tests {
    use super::place;

    #[test]
    fn plugins_of_old_releases_have_two_events_in_opposite_order() {
        assert_eq!([76, 77, 78].map(|event| place(event, 79)), [76, 78, 77]);
        assert_eq!([76, 77, 78, 79].map(|event| place(event, 83)), [76, 77, 78, 79]);
    }
}
