//! Recording programs are killed at arbitrary instants: every event whose call had returned is in
//! the archive that `kymo recover` makes.
//!
//! `cargo xtask kills` plays more scenarios. A failed scenario can be repeated with its seed:
//! `cargo xtask kills 1 --seed SEED`.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use kymo_plugin_tests::scenarios::{Plan, play, table::Table};
use kymo_plugin_tests::testing::{TemporaryFolder, scenario_programs};

/// Plays the scenarios of consecutive seeds, two at a time.
fn play_all(first: u64, count: u64, only_kills: bool) -> Table {
    let programs = scenario_programs();
    let (next, table, failures) =
        (AtomicU64::new(first), Mutex::new(Table::default()), Mutex::new(Vec::new()));
    let work = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= first + count {
                break;
            }
            let (plan, folder) = (Plan::new(seed, only_kills), TemporaryFolder::in_memory("kills"));
            match play(&plan, programs, &folder) {
                Ok(outcome) => table.lock().unwrap().add(&plan, &outcome),
                Err(what) => failures.lock().unwrap().push(format!("{plan}\n{what}")),
            }
        }
    };
    std::thread::scope(|scope| (0..2).for_each(|_| drop(scope.spawn(work))));
    let failures = failures.into_inner().unwrap();
    assert!(
        failures.is_empty(),
        "{} of {count} scenarios failed:\n{}",
        failures.len(),
        failures.join("\n\n")
    );
    table.into_inner().unwrap()
}

#[test]
fn no_returned_event_is_lost_in_350_kills() {
    let table = play_all(100_000, 400, true);
    println!("{table}");
    assert!(table.kills() >= 350, "only {} of {} hosts were killed in time", table.kills(), table.runs());
}

/// Ends of all kinds, slow and full storage, drops: recorded and dropped events add up to all
/// events.
#[test]
fn recorded_and_dropped_events_add_up() {
    println!("{}", play_all(200_000, 100, false));
}

/// Without a scratch file, with writes of 3 ms: pieces that were handed over during a drain were
/// written one by one.
#[test]
fn a_slow_storage_was_busy_with_one_drain_until_the_next() {
    let table = play_all(1265, 1, true);
    assert_eq!(table.kills(), 1);
}
