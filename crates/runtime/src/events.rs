//! The tables of the plugins' event functions: one for recording, one for the time while recording
//! is switched off.
//!
//! Invariant: for each event a table contains the functions of the plugins that have one, in the
//! order of the plugins. A function at an event's number has that event's type.

use crate::message::report;
use crate::plugins::{Plugin, Plugins};
use core::ptr;
use kymo_substrate::event_types::*;

/// The number of events: those of Score-P 8 and 9, and our own, which only our plugin receives.
pub(crate) const EVENTS: usize = ALL_EVENTS;
/// The number of events in Score-P 8 and 9.
const EVENTS_OF_SCOREP: usize = SCOREP_SUBSTRATES_NUM_EVENTS as usize;
/// The plugin that has functions for our own events.
const OWN_PLUGIN: &str = "kymo";
/// The number of events in Score-P 6 and 7, where the last two events are in the opposite order.
const OLD_EVENTS: usize = 79;

/// Event functions by event.
#[derive(Debug)]
pub(crate) struct EventTable {
    /// Those of the first plugin that has one.
    first: [SCOREP_Substrates_Callback; EVENTS],
    /// Those of the other plugins; empty if there is one plugin.
    others: Vec<Vec<SCOREP_Substrates_Callback>>,
}

impl EventTable {
    /// A table without functions.
    pub(crate) const NONE: Self = Self { first: [None; EVENTS], others: Vec::new() };

    /// Collects the functions of every plugin.
    pub(crate) fn of(plugins: &Plugins, mode: u32) -> Self {
        let mut table = Self::NONE;
        for plugin in &plugins.0 {
            table.add(&functions_of(plugin, mode));
        }
        table
    }

    /// Adds the functions of a plugin.
    fn add(&mut self, own: &[SCOREP_Substrates_Callback]) {
        for event in 0..EVENTS {
            let function = own.get(place(event, own.len())).copied().flatten();
            match self.first.get_mut(event) {
                Some(first @ None) => *first = function,
                _ if function.is_some() => {
                    self.others.resize(EVENTS, Vec::new());
                    if let Some(others) = self.others.get_mut(event) {
                        others.push(function);
                    }
                }
                _ => {}
            }
        }
    }

    /// Returns the first function of an event.
    #[inline(always)]
    pub(crate) fn first(&self, event: u32) -> SCOREP_Substrates_Callback {
        self.first.get(event as usize).copied().flatten()
    }

    /// Returns the function of an event after the first one and `called` others.
    #[inline]
    pub(crate) fn other(&self, event: u32, called: usize) -> SCOREP_Substrates_Callback {
        self.others.get(event as usize)?.get(called).copied().flatten()
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
    // SAFETY: a mode of the interface, and a place for the address of the array.
    let length = unsafe { get(mode, &raw mut functions) } as usize;
    if functions.is_null() {
        return Vec::new();
    }
    // SAFETY: the plugin's array of that length, which is copied immediately.
    let all = unsafe { core::slice::from_raw_parts(functions, length) };
    let known = if plugin.name == OWN_PLUGIN { EVENTS } else { EVENTS_OF_SCOREP };
    if all.iter().skip(known).any(Option::is_some) {
        report(format_args!(
            "warning: the plugin `{}` has functions for events from {known} on, \
                 which this host does not support",
            plugin.name
        ));
    }
    all.iter().copied().take(known).collect()
}

/// Shows plugins that this host has the events of [`kymo_substrate::event_types::HOST`].
#[unsafe(no_mangle)]
extern "C" fn kymo_host_has_matched_receives() {}

/// Calls `event` of the table for every plugin that has a function for it. The arguments are
/// evaluated for each call.
///
/// ```text
/// call!(table, NUMBER: Type, arguments)
/// ```
macro_rules! call {
    ($table:expr, $event:ident: $type:ident, $($argument:expr),+) => {{
        const EVENT: u32 = kymo_substrate::event_types::$event;
        let table = $table;
        let (mut next, mut called) = (table.first(EVENT), 0);
        while let Some(function) = next {
            // SAFETY: by the table's invariant a function of this type; all function pointers have
            // the same representation.
            let typed = unsafe {
                core::mem::transmute::<unsafe extern "C" fn(), kymo_substrate::event_types::$type>(function)
            };
            if let Some(typed) = typed {
                // SAFETY: the arguments are those of the event; pointers are valid during the call.
                unsafe { typed($($argument),+) };
            }
            next = table.other(EVENT, called);
            called += 1;
        }
    }};
}
pub(crate) use call;

#[cfg(test)]
mod tests {
    use super::{EVENTS, EventTable, place};
    use kymo_substrate::bindings::SCOREP_Substrates_Callback;

    #[test]
    fn plugins_of_old_releases_have_two_events_in_opposite_order() {
        assert_eq!([76, 77, 78].map(|event| place(event, 79)), [76, 78, 77]);
        assert_eq!([76, 77, 78, 79].map(|event| place(event, 83)), [76, 77, 78, 79]);
    }

    unsafe extern "C" fn one() {}
    unsafe extern "C" fn two() {}

    #[test]
    fn functions_are_in_the_order_of_the_plugins_that_have_them() {
        let (one, two): (SCOREP_Substrates_Callback, SCOREP_Substrates_Callback) = (Some(one), Some(two));
        let with = |functions: [(usize, SCOREP_Substrates_Callback); 2]| {
            let mut all = vec![None; EVENTS];
            functions.into_iter().for_each(|(event, function)| all[event] = function);
            all
        };
        let mut table = EventTable::NONE;
        table.add(&with([(0, one), (1, None)]));
        table.add(&with([(0, two), (1, two)]));
        table.add(&with([(0, one), (2, two)]));
        let of = |event: u32| {
            let others = (0..3).map(|called| table.other(event, called));
            [table.first(event)].into_iter().chain(others).flatten().map(|it| it as usize).collect::<Vec<_>>()
        };
        let [one, two] = [one, two].map(|it| it.map_or(0, |it| it as usize));
        assert_eq!([of(0), of(1), of(2), of(3)], [vec![one, two, one], vec![two], vec![two], vec![]]);
    }
}
