//! Recording programs are killed at arbitrary instants: every event whose call had returned is in
//! the archive that `kymo recover` makes.
//!
//! `cargo xtask kills` plays more scenarios. A failed scenario can be repeated with its seed:
//! `cargo xtask kills 1 --seed SEED`.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use kymo_plugin_tests::scenarios::{Plan, play, table::Table};
use kymo_plugin_tests::testing::{TemporaryFolder, scenario_programs};

/// Plays the scenarios of consecutive seeds, two at a time, until there are enough or one fails; at
/// most ten times `count`.
fn play_until(first: u64, count: u64, only_kills: bool, is_enough: impl Fn(&Table) -> bool + Sync) -> Table {
    let programs = scenario_programs();
    let (next, table, failures) =
        (AtomicU64::new(first), Mutex::new(Table::default()), Mutex::new(Vec::new()));
    let goes_on = || failures.lock().unwrap().is_empty() && !is_enough(&table.lock().unwrap());
    let work = || {
        while goes_on() {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= first + 10 * count {
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
    let (failures, table) = (failures.into_inner().unwrap(), table.into_inner().unwrap());
    assert!(failures.is_empty(), "after {} scenarios:\n{}", table.runs(), failures.join("\n\n"));
    assert!(is_enough(&table), "{table}");
    table
}

/// Returns the number of scenarios to play.
fn count(long: u64, usual: u64) -> u64 {
    if kymo_testdata::is_long() { long } else { usual }
}

/// On a busy machine, more hosts end before they are killed.
#[test]
fn no_returned_event_is_lost_in_kills() {
    let kills = count(350, 50);
    println!("{}", play_until(100_000, kills, true, |table| table.kills() >= kills));
}

/// Ends of all kinds, slow and full storage, drops: recorded and dropped events add up to all
/// events.
#[test]
fn recorded_and_dropped_events_add_up() {
    let runs = count(100, 25);
    println!("{}", play_until(200_000, runs, false, |table| table.runs() >= runs));
}

/// Without a scratch file, with writes of 3 ms: pieces that were handed over during a drain were
/// written one by one. Now several of a location are written together, so that a drain makes a few
/// writes for each location, whatever is recorded meanwhile.
#[test]
fn pieces_handed_over_during_a_drain_are_written_together() {
    let plan = Plan::new(1265, true);
    let mut is_killed = false;
    // The host may end before it is killed.
    for _ in 0..50 {
        let folder = TemporaryFolder::in_memory("kills");
        let outcome =
            play(&plan, scenario_programs(), &folder).unwrap_or_else(|what| panic!("{plan}\n{what}"));
        assert!((1..=8 * plan.threads + 8).contains(&outcome.most_writes), "{plan}: {outcome:?}");
        is_killed = outcome.is_killed;
        if is_killed {
            break;
        }
    }
    assert!(is_killed, "{plan}");
}
