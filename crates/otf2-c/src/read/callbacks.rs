//! Tables of the callbacks of a reader, and calling them.

use super::contexts::ContextRegions;
use crate::arguments::{Scratch, arguments};
use crate::attribute_list::AttributeList;
use crate::error::{ErrorCode, INVALID_ARGUMENT, SUCCESS, fail};
use crate::types::{AnyFunction, CALLBACK_SUCCESS, CallbackCode};
use kymo_otf2::definitions::{GlobalDefinition, LocalDefinition};
use kymo_otf2::enums::Paradigm;
use kymo_otf2::events::{self, Event};
use kymo_otf2::markers::AnyMarker;
use kymo_otf2::records::Record;
use kymo_otf2::references::{CallingContextRef, RegionRef};
use kymo_otf2::snapshots::Snapshot;
use std::ffi::c_void;
use std::sync::PoisonError;

/// The place of the callback for unknown records, whose ids have no callbacks of their own.
const UNKNOWN: u8 = 0;

/// A table of callbacks, by the ids of the records of its kind of file.
#[derive(Clone, Copy)]
pub(crate) struct Callbacks {
    by_id: [Option<AnyFunction>; 256],
}

impl Default for Callbacks {
    fn default() -> Self {
        Callbacks { by_id: [None; 256] }
    }
}

/// The first arguments of callbacks for the events of one location.
#[derive(Clone, Copy)]
pub(super) struct Local {
    pub(super) location: u64,
    pub(super) time: u64,
    pub(super) position: u64,
    pub(super) user_data: *mut c_void,
    pub(super) list: *mut AttributeList,
}

/// The first arguments of callbacks for events in the order of time, and for snapshots.
#[derive(Clone, Copy)]
pub(super) struct Timed {
    pub(super) location: u64,
    pub(super) time: u64,
    pub(super) user_data: *mut c_void,
    pub(super) list: *mut AttributeList,
}

/// The first argument of callbacks for definitions and markers.
#[derive(Clone, Copy)]
pub(super) struct User(pub(super) *mut c_void);

/// The first arguments of callbacks of a kind.
pub(super) trait Head: Copy {
    /// Calls a callback for unknown records.
    fn deliver_unknown(self, function: AnyFunction) -> CallbackCode;
}

/// A record that can be passed to a callback after these arguments.
trait Deliver<H> {
    fn deliver(&self, function: AnyFunction, head: H, scratch: &mut Scratch) -> CallbackCode;
}

// Input: a name, the type of the first arguments, these arguments and their types.
// Expansion: `Head` for that type, and a macro of that name for `arguments!`, which implements
// `Deliver` for a record.
macro_rules! heads {
    ($dollar:tt $($name:ident $head:ident $variable:ident [$($argument:expr),*] [$($type:ty),*];)*) => {$(
        impl Head for $head {
            #[inline]
            fn deliver_unknown(self, function: AnyFunction) -> CallbackCode {
                let $variable = self;
                // SAFETY: the functions that set a callback for unknown records take this type.
                unsafe {
                    let function = std::mem::transmute::<
                        AnyFunction,
                        unsafe extern "C-unwind" fn($($type),*) -> CallbackCode,
                    >(function);
                    function($($argument),*)
                }
            }
        }

        macro_rules! $name {
            ([$dollar module:ident {$dollar($dollar life:tt)*}] $dollar record:ident $dollar scratch:ident
                $dollar name:ident $dollar args:tt $dollar fields:tt $dollar missing:tt
                {$dollar($dollar types:tt)*} {$dollar($dollar pass:tt)*}) => {
                impl $dollar($dollar life)* Deliver<$head>
                    for kymo_otf2::$dollar module::$dollar name $dollar($dollar life)*
                {
                    #[inline(always)]
                    #[allow(unused_variables)]
                    fn deliver(
                        &self,
                        function: AnyFunction,
                        $variable: $head,
                        $dollar scratch: &mut Scratch,
                    ) -> CallbackCode {
                        let $dollar record = self;
                        // SAFETY: the function that sets the callback of this record takes this
                        // type.
                        unsafe {
                            let function = std::mem::transmute::<
                                AnyFunction,
                                unsafe extern "C-unwind" fn(
                                    $($type,)*
                                    $dollar($dollar types)*
                                ) -> CallbackCode,
                            >(function);
                            function($($argument,)* $dollar($dollar pass)*)
                        }
                    }
                }
            };
        }
    )*};
}

heads! { $
    local Local head
        [head.location, head.time, head.position, head.user_data, head.list]
        [u64, u64, u64, *mut c_void, *mut AttributeList];
    timed Timed head
        [head.location, head.time, head.user_data, head.list]
        [u64, u64, *mut c_void, *mut AttributeList];
    user User head
        [head.0]
        [*mut c_void];
}

// A method of `Callbacks` that calls the callback of a record of this enum. It returns `None` if
// the callback is not set.
macro_rules! dispatch {
    ($method:ident $family:ident $head:ident $($id:literal $name:ident)*) => {
        impl Callbacks {
            #[inline(always)]
            fn $method(
                &self,
                record: &$family<'_>,
                head: $head,
                scratch: &mut Scratch,
            ) -> Option<CallbackCode> {
                match record {
                    $($family::$name(record) => {
                        let function = self.by_id[$id]?;
                        Some(record.deliver(function, head, scratch))
                    })*
                    _ => Some(head.deliver_unknown(self.by_id[usize::from(UNKNOWN)]?)),
                }
            }
        }
    };
}

// A method of `Callbacks` that calls the callback of an event, or that of its older form. The
// frequent kinds, which have no older form, are branches of their own.
macro_rules! dispatch_frequent {
    ($method:ident $head:ident $rare:ident $($name:ident)*) => {
        impl Callbacks {
            #[inline(always)]
            pub(super) fn $method(
                &self,
                event: &Event<'_>,
                head: $head,
                scratch: &mut Scratch,
                regions: &ContextRegions,
            ) -> CallbackCode {
                match event {
                    $(Event::$name(record) => match self.by_id[usize::from(events::$name::ID)] {
                        Some(function) => record.deliver(function, head, scratch),
                        None => CALLBACK_SUCCESS,
                    })*
                    _ => self.$rare(event, head, scratch, regions),
                }
            }
        }
    };
}

macro_rules! setters {
    ($prefix:literal $($id:literal $name:ident)*) => {$(
        const _: () = {
            /// Sets the callback of a record; null removes it.
            ///
            /// # Safety
            ///
            /// Null or a table; a function of the type that this record has.
            #[unsafe(export_name = concat!($prefix, stringify!($name), "Callback"))]
            unsafe extern "C-unwind" fn set(
                this: *mut Callbacks,
                function: Option<AnyFunction>,
            ) -> ErrorCode {
                // SAFETY: `this` is null or a table of callbacks that nothing else uses during this
                // call.
                unsafe { set_callback(this, $id, function) }
            }
        };
    )*};
}

macro_rules! events {
    (
        $(#[$about:meta])* $family:ident: $trait:ident, $bound:ident;
        frequent: $($frequent:ident)*;
        $($(#[$doc:meta])* $id:literal $name:ident $(<$life:lifetime>)? since $since:literal
            $([$($option:tt)*])? { $($body:tt)* })*
    ) => {
        $(arguments! { local [events {$(<$life>)?}] record scratch $name { $($body)* } })*
        $(arguments! { timed [events {$(<$life>)?}] record scratch $name { $($body)* } })*
        dispatch! { local_event Event Local $($id $name)* }
        dispatch! { timed_event Event Timed $($id $name)* }
        dispatch_frequent! { event_of_location Local rare_local_event Enter Leave $($frequent)* }
        dispatch_frequent! { event_in_order Timed rare_timed_event Enter Leave $($frequent)* }
        setters! { "OTF2_EvtReaderCallbacks_Set" $($id $name)* }
        setters! { "OTF2_GlobalEvtReaderCallbacks_Set" $($id $name)* }
    };
}

macro_rules! snapshots {
    (
        $(#[$about:meta])* $family:ident: $trait:ident, $bound:ident;
        $($(#[$doc:meta])* $id:literal $name:ident $(<$life:lifetime>)? since $since:literal
            $([$($option:tt)*])? { $($body:tt)* })*
    ) => {
        $(arguments! { timed [snapshots {$(<$life>)?}] record scratch $name { $($body)* } })*
        dispatch! { snapshot_record Snapshot Timed $($id $name)* }
        setters! { "OTF2_SnapReaderCallbacks_Set" $($id $name)* }
        setters! { "OTF2_GlobalSnapReaderCallbacks_Set" $($id $name)* }
    };
}

macro_rules! markers {
    (
        $(#[$about:meta])* $family:ident: $trait:ident, $bound:ident;
        $($(#[$doc:meta])* $id:literal $name:ident $(<$life:lifetime>)? since $since:literal
            $([$($option:tt)*])? { $($body:tt)* })*
    ) => {
        $(arguments! { user [markers {$(<$life>)?}] record scratch $name { $($body)* } })*
        dispatch! { marker_record AnyMarker User $($id $name)* }
        setters! { "OTF2_MarkerReaderCallbacks_Set" $($id $name)* }
    };
}

macro_rules! definitions {
    (
        global { $($(#[$gdoc:meta])* $gid:literal $global:ident $(<$glife:lifetime>)? since $gsince:literal
            $([$($goption:tt)*])? { $($gbody:tt)* })* }
        local { $($(#[$ldoc:meta])* $lid:literal $local:ident $(<$llife:lifetime>)? since $lsince:literal
            $([$($loption:tt)*])? { $($lbody:tt)* })* }
        both { $($(#[$doc:meta])* $id:literal $both:ident $(<$life:lifetime>)? since $since:literal
            $([$($option:tt)*])? { $($body:tt)* })* }
    ) => {
        $(arguments! { user [definitions {$(<$glife>)?}] record scratch $global { $($gbody)* } })*
        $(arguments! { user [definitions {$(<$llife>)?}] record scratch $local { $($lbody)* } })*
        $(arguments! { user [definitions {$(<$life>)?}] record scratch $both { $($body)* } })*
        dispatch! { global_record GlobalDefinition User $($gid $global)* $($id $both)* }
        dispatch! { local_record LocalDefinition User $($lid $local)* $($id $both)* }
        setters! { "OTF2_GlobalDefReaderCallbacks_Set" $($gid $global)* $($id $both)* }
        setters! { "OTF2_DefReaderCallbacks_Set" $($lid $local)* $($id $both)* }
    };
}

/// Sets the callback of a record.
///
/// # Safety
///
/// Null or a table.
unsafe fn set_callback(this: *mut Callbacks, id: u8, function: Option<AnyFunction>) -> ErrorCode {
    // SAFETY: `this` is null or a table of callbacks that nothing else uses during this call.
    match unsafe { this.as_mut() } {
        Some(callbacks) => {
            callbacks.by_id[usize::from(id)] = function;
            SUCCESS
        }
        None => fail(INVALID_ARGUMENT, format_args!("no table of callbacks")),
    }
}

kymo_otf2::for_each_event!(events);
kymo_otf2::for_each_snapshot!(snapshots);
kymo_otf2::for_each_marker!(markers);
kymo_otf2::for_each_definition!(definitions);

/// Returns the event in the form that older programs know, if there is one.
fn older(event: &Event<'_>, regions: &ContextRegions) -> Option<Event<'static>> {
    let region_of = |context: CallingContextRef| {
        let regions = regions.lock().unwrap_or_else(PoisonError::into_inner);
        regions.get(&context.0).copied().map(RegionRef)
    };
    Some(match *event {
        Event::ThreadFork(fork) if fork.model == Paradigm::OPENMP => {
            let number_of_requested_threads = fork.number_of_requested_threads;
            Event::OmpFork(events::OmpFork { number_of_requested_threads })
        }
        Event::ThreadJoin(join) if join.model == Paradigm::OPENMP => Event::OmpJoin(events::OmpJoin {}),
        Event::ThreadAcquireLock(lock) if lock.model == Paradigm::OPENMP => {
            let (lock_id, acquisition_order) = (lock.lock_id, lock.acquisition_order);
            Event::OmpAcquireLock(events::OmpAcquireLock { lock_id, acquisition_order })
        }
        Event::ThreadReleaseLock(lock) if lock.model == Paradigm::OPENMP => {
            let (lock_id, acquisition_order) = (lock.lock_id, lock.acquisition_order);
            Event::OmpReleaseLock(events::OmpReleaseLock { lock_id, acquisition_order })
        }
        Event::CallingContextEnter(enter) => {
            Event::Enter(events::Enter { region: region_of(enter.calling_context)? })
        }
        Event::CallingContextLeave(leave) => {
            Event::Leave(events::Leave { region: region_of(leave.calling_context)? })
        }
        _ => return None,
    })
}

/// The events with an older form, and the ids of these: see [`older`].
const OLDER: [(u8, u8); 6] = [
    (events::ThreadFork::ID, events::OmpFork::ID),
    (events::ThreadJoin::ID, events::OmpJoin::ID),
    (events::ThreadAcquireLock::ID, events::OmpAcquireLock::ID),
    (events::ThreadReleaseLock::ID, events::OmpReleaseLock::ID),
    (events::CallingContextEnter::ID, events::Enter::ID),
    (events::CallingContextLeave::ID, events::Leave::ID),
];

impl Callbacks {
    /// Returns whether an event of this id may be passed to a callback: its own or that of its
    /// older form.
    #[inline(always)]
    pub(super) fn wants(&self, id: u8) -> bool {
        self.by_id[usize::from(id)].is_some() || self.wants_older(id)
    }

    #[cold]
    fn wants_older(&self, id: u8) -> bool {
        let older = OLDER.iter().find(|(newer, _)| *newer == id);
        older.is_some_and(|(_, older)| self.by_id[usize::from(*older)].is_some())
    }

    /// Calls the callback of an event, or that of its older form. Not inlined, so that the frequent
    /// kinds remain short.
    #[inline(never)]
    fn rare_local_event(
        &self,
        event: &Event<'_>,
        head: Local,
        scratch: &mut Scratch,
        regions: &ContextRegions,
    ) -> CallbackCode {
        scratch.clear();
        self.local_event(event, head, scratch)
            .or_else(|| older(event, regions).and_then(|event| self.local_event(&event, head, scratch)))
            .unwrap_or(CALLBACK_SUCCESS)
    }

    /// As [`rare_local_event`](Self::rare_local_event).
    #[inline(never)]
    fn rare_timed_event(
        &self,
        event: &Event<'_>,
        head: Timed,
        scratch: &mut Scratch,
        regions: &ContextRegions,
    ) -> CallbackCode {
        scratch.clear();
        self.timed_event(event, head, scratch)
            .or_else(|| older(event, regions).and_then(|event| self.timed_event(&event, head, scratch)))
            .unwrap_or(CALLBACK_SUCCESS)
    }

    pub(super) fn snapshot(&self, record: &Snapshot<'_>, head: Timed, scratch: &mut Scratch) -> CallbackCode {
        self.snapshot_record(record, head, scratch).unwrap_or(CALLBACK_SUCCESS)
    }

    pub(super) fn marker(&self, record: &AnyMarker<'_>, head: User, scratch: &mut Scratch) -> CallbackCode {
        self.marker_record(record, head, scratch).unwrap_or(CALLBACK_SUCCESS)
    }

    #[inline(always)]
    pub(super) fn global_definition(
        &self,
        record: &GlobalDefinition<'_>,
        head: User,
        scratch: &mut Scratch,
    ) -> CallbackCode {
        self.global_record(record, head, scratch).unwrap_or(CALLBACK_SUCCESS)
    }

    pub(super) fn local_definition(
        &self,
        record: &LocalDefinition<'_>,
        head: User,
        scratch: &mut Scratch,
    ) -> CallbackCode {
        self.local_record(record, head, scratch).unwrap_or(CALLBACK_SUCCESS)
    }
}

macro_rules! tables {
    ($($prefix:literal)*) => {$(
        const _: () = {
            /// Makes an empty table.
            #[unsafe(export_name = concat!($prefix, "_New"))]
            extern "C-unwind" fn new() -> *mut Callbacks {
                Box::into_raw(Box::default())
            }

            /// Frees a table. Null is allowed.
            ///
            /// # Safety
            ///
            /// Null or a table that is not used any more.
            #[unsafe(export_name = concat!($prefix, "_Delete"))]
            unsafe extern "C-unwind" fn delete(this: *mut Callbacks) {
                if !this.is_null() {
                    // SAFETY: made by `new`.
                    drop(unsafe { Box::from_raw(this) });
                }
            }

            /// Removes all callbacks. Null is allowed.
            ///
            /// # Safety
            ///
            /// Null or a table.
            #[unsafe(export_name = concat!($prefix, "_Clear"))]
            unsafe extern "C-unwind" fn clear(this: *mut Callbacks) {
                // SAFETY: `this` is null or a table of callbacks that nothing else uses during this
                // call.
                if let Some(callbacks) = unsafe { this.as_mut() } {
                    *callbacks = Callbacks::default();
                }
            }

            /// Sets the callback of unknown records; null removes it.
            ///
            /// # Safety
            ///
            /// Null or a table; a function of the type that this table has.
            #[unsafe(export_name = concat!($prefix, "_SetUnknownCallback"))]
            unsafe extern "C-unwind" fn set(
                this: *mut Callbacks,
                function: Option<AnyFunction>,
            ) -> ErrorCode {
                // SAFETY: `this` is null or a table of callbacks that nothing else uses during this
                // call.
                unsafe { set_callback(this, UNKNOWN, function) }
            }
        };
    )*};
}

tables! {
    "OTF2_EvtReaderCallbacks"
    "OTF2_GlobalEvtReaderCallbacks"
    "OTF2_DefReaderCallbacks"
    "OTF2_GlobalDefReaderCallbacks"
    "OTF2_SnapReaderCallbacks"
    "OTF2_GlobalSnapReaderCallbacks"
    "OTF2_MarkerReaderCallbacks"
}
