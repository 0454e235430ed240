//! The times of causes in recordings with samples.

use kymo_analysis::causes::{self, Kept};
use kymo_analysis::{ContextId, Selection, Trace, profile};
use kymo_otf2::references::RegionRef;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// By how much the time of a region may differ: parts are rounded down in each context.
const ROUNDING: u128 = 100;

/// Computation between calls without a sample was in no call.
#[test]
fn the_time_of_each_region_is_that_of_a_profile() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testing/data");
    let entries = fs::read_dir(folder.join("findings")).expect("traces");
    let of_kymo = entries.map(|entry| entry.expect("an entry").path()).filter(|path| path.is_dir());
    for path in of_kymo.chain([folder.join("scorep-recordings/sampling")]) {
        let trace = Trace::open(path.join("traces.otf2")).expect("a trace");
        let causes = causes::of(&trace, &Selection::default(), Kept { most: 0 }).expect("causes");
        assert!(causes.statistics.has_samples(), "{}", path.display());
        let locations = Some(causes.comparable_locations.clone());
        let selection = Selection { locations, ..Selection::default() };
        let profile = profile::of(&trace, &selection).expect("a profile");
        let mut times: BTreeMap<RegionRef, [u128; 2]> = BTreeMap::new();
        for (region, sums) in profile.regions(&profile.total()) {
            times.entry(region).or_default()[0] = sums.exclusive();
        }
        for (context, it) in causes.by_context.iter().filter(|(id, _)| **id != ContextId::ROOT) {
            let region = causes.contexts.region(*context);
            times.entry(region).or_default()[1] += it.working + it.waiting;
        }
        for (region, [profiled, found]) in times {
            let name = trace.region_name(region);
            assert!(profiled.abs_diff(found) <= ROUNDING, "{name}: {profiled} {found} {}", path.display());
        }
    }
}
