//! A safe interface for Score-P substrate plugins.
//!
//! A substrate plugin is a shared object that a measurement (Score-P 6.0 to 9.x, or another host of the same interface)
//! loads and hands every event of a program to. With this crate a plugin is a type that implements
//! [`SubstratePlugin`], lists the event functions it wants in [`Events`], asks the host through [`Host`], and is made
//! loadable by [`export!`]:
//!
//! ```
//! use std::error::Error;
//! use std::sync::atomic::{AtomicU64, Ordering};
//!
//! use kymo_substrate::{Events, Location, Metrics, RegionHandle, SubstratePlugin, Timestamp, export, report};
//!
//! struct Count(AtomicU64);
//!
//! impl SubstratePlugin for Count {
//!     const ENABLED: Events<Self> = Events { enter_region: Some(Self::enter), ..Events::NONE };
//!
//!     fn init() -> Result<Self, Box<dyn Error>> {
//!         Ok(Self(AtomicU64::new(0)))
//!     }
//!
//!     fn finalize(&self) {
//!         report("count", format_args!("{} regions entered", self.0.load(Ordering::Relaxed)));
//!     }
//! }
//!
//! impl Count {
//!     fn enter(&self, _: Location, _: Timestamp, _: RegionHandle, _: Metrics) {
//!         self.0.fetch_add(1, Ordering::Relaxed);
//!     }
//! }
//!
//! export!(Count, "count");
//! ```
//!
//! In a crate of type `cdylib` whose library is named `scorep_substrate_count` this is all; a host loads it with
//! `SCOREP_SUBSTRATE_PLUGINS=count`.
//!
//! [`arena`] reads what the host's definitions say beyond its functions; [`hosting`] is for the other side, for programs that load
//! plugins.
//!
//! Invariants: nothing unwinds into the host; nothing that an event function can call allocates (a panic does); the
//! numbers and layouts in [`bindings`] hold for every released host, and the rest of the crate is checked against them
//! by the compiler.

#[cfg(panic = "abort")]
compile_error!(
    "panics of a plugin are caught, so that they do not end the measured program: needs panic = \"unwind\""
);

pub mod arena;

#[cfg(test)]
mod abi_tests;
mod cancellation;
mod events;
mod handles;
mod host;
pub mod hosting;
mod kinds;
mod layout;
mod message;
mod plugin;

#[doc(hidden)]
pub mod glue;

pub use events::{EVENTS, Events};
pub use handles::*;
pub use host::{Host, IpcError, IpcType, Manifest, WriteMetrics};
pub use kinds::*;
pub use message::{MESSAGE_MAX, Message, report};
pub use plugin::{Step, SubstratePlugin};

/// The interface as C sees it, made by bindgen from `include/kymo/substrate.h`.
///
/// The checked-in file is used, or with the feature `bindgen` one made by the build; both are equal.
#[allow(missing_docs, non_camel_case_types, non_snake_case)]
pub mod bindings {
    #[cfg(not(feature = "bindgen"))]
    include!("bindings.rs");
    #[cfg(feature = "bindgen")]
    include!(concat!(env!("OUT_DIR"), "/bindings.rs"));
}

/// Makes a type that implements [`SubstratePlugin`] loadable under a name.
///
/// Defines the entry `SCOREP_SubstratePlugin_<name>_get_info`, the one symbol of the library, and the place where the
/// plugin lives. To be used once in a library.
#[macro_export]
macro_rules! export {
    ($plugin:ty, $name:literal) => {
        const _: () = {
            // SAFETY: there is one static.
            unsafe impl $crate::glue::Export for $plugin {
                const NAME: &'static str = $name;

                fn slot() -> &'static $crate::glue::Slot<Self> {
                    static SLOT: $crate::glue::Slot<$plugin> = $crate::glue::Slot::new();
                    &SLOT
                }
            }

            // SAFETY: no other library defines a symbol with the name of this plugin.
            #[unsafe(export_name = concat!("SCOREP_SubstratePlugin_", $name, "_get_info"))]
            extern "C" fn get_info() -> $crate::bindings::SCOREP_SubstratePluginInfo {
                $crate::glue::info::<$plugin>()
            }
        };
    };
}
