//! Prints for each region how often it was entered and its share of the time (calls to other regions left out).
//!
//! Use: `LD_LIBRARY_PATH=<folder of the library> SCOREP_SUBSTRATE_PLUGINS=print_regions ./program`.
//!
//! The table goes to standard output: that needs no experiment directory and no file per rank. It is printed in
//! `write_data`, after the last event and while the host still knows the names.

use std::collections::HashMap;
use std::error::Error;
use std::io::{self, Write};
use std::sync::{Mutex, RwLock};

use kymo_substrate::{Events, Host, Location, Metrics, RegionHandle, SubstratePlugin, Timestamp, export};

/// What is known of one location. Its events come one after the other, so nobody waits for this lock for long.
#[derive(Default)]
struct Profile {
    /// Open regions: handle, time of the enter, time spent in regions called from it.
    stack: Vec<(RegionHandle, Timestamp, Timestamp)>,
    /// Visits and time of each region, in ticks of the host's timer.
    regions: HashMap<RegionHandle, (u64, Timestamp)>,
}

#[derive(Default)]
struct PrintRegions {
    profiles: RwLock<HashMap<Location, Mutex<Profile>>>,
}

impl SubstratePlugin for PrintRegions {
    const ENABLED: Events<Self> =
        Events { enter_region: Some(Self::enter), exit_region: Some(Self::exit), ..Events::NONE };

    fn init() -> Result<Self, Box<dyn Error>> {
        Ok(Self::default())
    }

    fn create_location(&self, location: Location, _parent: Option<Location>) {
        if let Ok(mut profiles) = self.profiles.write() {
            profiles.entry(location).or_default();
        }
    }

    fn write_data(&self) {
        // Nowhere to say that standard output is closed.
        let _ = self.print(Host::of::<Self>());
    }
}

impl PrintRegions {
    fn enter(&self, location: Location, time: Timestamp, region: RegionHandle, _: Metrics) {
        self.with_profile(location, |profile| profile.stack.push((region, time, 0)));
    }

    fn exit(&self, location: Location, time: Timestamp, region: RegionHandle, _: Metrics) {
        self.with_profile(location, |profile| {
            // Above it lie regions that were left while recording was off.
            let Some(depth) = profile.stack.iter().rposition(|open| open.0 == region) else { return };
            let (_, begin, called) = profile.stack[depth];
            profile.stack.truncate(depth);
            let all = time.saturating_sub(begin);
            let (visits, own) = profile.regions.entry(region).or_default();
            *visits += 1;
            *own += all.saturating_sub(called);
            if let Some(caller) = profile.stack.last_mut() {
                caller.2 += all;
            }
        });
    }

    fn with_profile(&self, location: Location, change: impl FnOnce(&mut Profile)) {
        let Ok(profiles) = self.profiles.read() else { return };
        if let Some(Ok(mut profile)) = profiles.get(&location).map(Mutex::lock) {
            change(&mut profile);
        }
    }

    fn print(&self, host: Host) -> io::Result<()> {
        let mut regions = HashMap::<RegionHandle, (u64, Timestamp)>::new();
        for profile in self.profiles.read().iter().flat_map(|profiles| profiles.values()) {
            for (&region, &(visits, own)) in profile.lock().iter().flat_map(|profile| &profile.regions) {
                let sum = regions.entry(region).or_default();
                *sum = (sum.0 + visits, sum.1 + own);
            }
        }
        let all = regions.values().map(|region| region.1).sum::<Timestamp>().max(1) as f64;
        let mut regions: Vec<_> = regions.into_iter().collect();
        regions.sort_by_key(|&(region, (_, own))| (std::cmp::Reverse(own), region));

        let mut text = String::from("    visits   time  region\n");
        for (region, (visits, own)) in regions {
            let name = host.region_name(region).map_or_else(Default::default, |name| name.to_string_lossy());
            text += &format!("{visits:>10} {:>5.1}%  {name}\n", 100.0 * own as f64 / all);
        }
        io::stdout().lock().write_all(text.as_bytes())
    }
}

export!(PrintRegions, "print_regions");
