//! Prints every enter and exit of a region, and when recording is switched off and on:
//!
//! ```text
//! 1804: Master thread >1 Enter main
//! 2011: Master thread >2 Enter work
//! 2874: Master thread >2 Exit work
//! 2901: Master thread Recording off
//! ```
//!
//! A line contains the timestamp in ticks of the host's timer, the location, the depth of the
//! region in it, and the region.
//!
//! Use: `LD_LIBRARY_PATH=<folder of the library> SCOREP_SUBSTRATE_PLUGINS=print_regions ./program`.

use std::collections::HashMap;
use std::error::Error;
use std::ffi::CStr;
use std::fmt::Display;
use std::io::{self, Write};
use std::sync::Mutex;

use kymo_substrate::{Events, Host, Location, Metrics, RegionHandle, SubstratePlugin, Timestamp, export};

/// An allocator that does not end the program when an allocation is refused.
#[global_allocator]
static ALLOCATOR: kymo_allocator::Allocator = kymo_allocator::Allocator;

/// The number of open regions of each location. Events of different locations arrive concurrently,
/// so the map has a lock.
#[derive(Default)]
struct PrintRegions(Mutex<HashMap<Location, usize>>);

impl SubstratePlugin for PrintRegions {
    const ENABLED: Events<Self> = Events {
        enter_region: Some(Self::enter),
        exit_region: Some(Self::exit),
        enable_recording: Some(|_, location, time, _, _| print(location, time, "Recording on")),
        disable_recording: Some(|_, location, time, _, _| print(location, time, "Recording off")),
        ..Events::NONE
    };

    fn init() -> Result<Self, Box<dyn Error>> {
        Ok(Self::default())
    }
}

impl PrintRegions {
    fn enter(&self, location: Location, time: Timestamp, region: RegionHandle, _: Metrics) {
        let depth = self.change_depth(location, |depth| *depth += 1);
        print(location, time, format_args!(">{depth} Enter {}", name(region)));
    }

    fn exit(&self, location: Location, time: Timestamp, region: RegionHandle, _: Metrics) {
        let depth = self.change_depth(location, |_| ());
        print(location, time, format_args!(">{depth} Exit {}", name(region)));
        // A region that was entered while recording was off is left at depth 0.
        self.change_depth(location, |depth| *depth = depth.saturating_sub(1));
    }

    /// Changes the depth of a location and returns the new depth.
    fn change_depth(&self, location: Location, change: impl FnOnce(&mut usize)) -> usize {
        let Ok(mut depths) = self.0.lock() else { return 0 };
        let depth = depths.entry(location).or_default();
        change(depth);
        *depth
    }
}

fn print(location: Location, time: Timestamp, what: impl Display) {
    let host = Host::of::<PrintRegions>();
    let location = text(host.location_name(location));
    // A closed standard output cannot be reported anywhere.
    let _ = writeln!(io::stdout(), "{time}: {location} {what}");
}

fn name(region: RegionHandle) -> String {
    text(Host::of::<PrintRegions>().region_name(region))
}

fn text(name: Option<&CStr>) -> String {
    name.unwrap_or_default().to_string_lossy().into_owned()
}

export!(PrintRegions, "print_regions");
