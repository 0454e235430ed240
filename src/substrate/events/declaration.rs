//! The macro that declares events: a field of `Events`, the C function that the host calls, and its
//! entry in the table, from one line of the list.

/// The type of an event function of plugin `$plugin`.
macro_rules! handler {
    ($plugin:ident ($($argument:ident: $type:ty),* $(,)?)) => {
        fn(&$plugin, Location, Timestamp, $($type),*)
    };
    ($plugin:ident ($($raw:tt)*) ($($argument:ident: $type:ty = $value:expr),* $(,)?)) => {
        fn(&$plugin, Location, Timestamp, $($type),*)
    };
}

/// The C function of one event. It returns without an effect if the table has no function for the
/// event, the plugin is off, or the location is null. A panic is caught in `PluginSlot::run`.
macro_rules! trampoline {
    ($name:ident ($($argument:ident: $type:ty),* $(,)?)) => {
        trampoline! { $name ($($argument: $type),*) ($($argument: $type = $argument),*) }
    };
    ($name:ident ($($raw:ident: $raw_type:ty),* $(,)?)
        ($($argument:ident: $type:ty = $(#[$safety:meta])* $value:expr),* $(,)?)) => {
        pub(super) unsafe extern "C" fn $name<P: Export, T: Table<P>>(
            location: *mut bindings::SCOREP_Location,
            timestamp: u64,
            $($raw: <$raw_type as Argument>::Raw),*
        ) {
            let Some(handler) = (const { T::EVENTS.$name }) else { return };
            // SAFETY: the host passes a location that exists, or null.
            let Some(location) = (unsafe { Location::from_raw(location) }) else { return };
            P::slot().run(stringify!($name), (), |plugin| {
                // SAFETY: the arguments are those of the event that the host delivers.
                $(let $raw = unsafe { <$raw_type as Argument>::from_host($raw) };)*
                handler(plugin, location, timestamp, $($value),*);
            });
        }
    };
}

/// Turns the list `name(arguments) = NUMBER, C_TYPE;` into `Events`, the C functions and
/// `table`.
///
/// The location and the timestamp, with which every event starts, are omitted. If the safe
/// arguments differ from those of the C function, they follow as `=> (name: type = value, …)`.
///
/// ```text
/// enter_region(region: RegionHandle, metrics: Metrics)
///     = SCOREP_EVENT_ENTER_REGION, SCOREP_Substrates_EnterRegionCb;
///
/// pub struct Events<P> {
///     pub enter_region: Option<fn(&P, Location, Timestamp, RegionHandle, Metrics)>,
///     …
/// }
/// unsafe extern "C" fn enter_region<P, T>(
///     location: *mut SCOREP_Location,
///     timestamp: u64,
///     region: u32,
///     metrics: *mut u64,
/// )
/// ```
macro_rules! events {
    ($(
        $(#[$doc:meta])*
        $name:ident $arguments:tt $(=> $safe:tt)? = $number:ident, $callback:ident;
    )*) => {
        /// The event functions of a plugin, with `None` for an event that it does not use.
        ///
        /// Every function receives the plugin, the location and the timestamp (ticks of the host's
        /// timer; equal ones are normal), followed by the event's data. Calls for one location are
        /// made in sequence, but not always on the thread of that location. Calls for different
        /// locations are made concurrently.
        ///
        /// Arguments documented as passed since 7.0 contain garbage in a 6.0 host. The plugin must
        /// find out whether they are valid; the process id of `program_begin` shows it.
        ///
        /// ```
        /// # use kymo_substrate::{Events, Location, Metrics, RegionHandle};
        /// # use kymo_substrate::{SubstratePlugin, Timestamp};
        /// # struct Plugin;
        /// impl SubstratePlugin for Plugin {
        ///     const ENABLED: Events<Self> =
        ///         Events { enter_region: Some(Self::enter), ..Events::NONE };
        /// #   fn init() -> Result<Self, Box<dyn std::error::Error>> { Ok(Self) }
        /// }
        ///
        /// impl Plugin {
        ///     fn enter(&self, at: Location, time: Timestamp, region: RegionHandle, _: Metrics) {}
        /// }
        /// ```
        pub struct Events<P> {
            $(
                $(#[$doc])*
                pub $name: Option<handler!(P $arguments $($safe)?)>,
            )*
        }

        impl<P> Events<P> {
            /// The table without any function.
            pub const NONE: Self = Self { $($name: None,)* };
        }

        impl<P> Clone for Events<P> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<P> Copy for Events<P> {}

        impl<P> fmt::Debug for Events<P> {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                let mut set = formatter.debug_set();
                $(if self.$name.is_some() {
                    set.entry(&stringify!($name));
                })*
                set.finish()
            }
        }

        /// The functions that the host calls.
        mod trampolines {
            use super::*;

            $(trampoline! { $name $arguments $($safe)? })*
        }

        const fn table<P: Export, T: Table<P>>() -> [bindings::SCOREP_Substrates_Callback; own::ALL_EVENTS] {
            let mut table: [bindings::SCOREP_Substrates_Callback; own::ALL_EVENTS] =
                [None; own::ALL_EVENTS];
            $(if T::EVENTS.$name.is_some() {
                let function: event_types::$callback = Some(trampolines::$name::<P, T>);
                // SAFETY: the host calls the function with the signature of its number.
                let function = unsafe {
                    transmute::<event_types::$callback, bindings::SCOREP_Substrates_Callback>(function)
                };
                table[event_types::$number as usize] = function;
            })*
            table
        }
    };
}
