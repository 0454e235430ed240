//! `kymo-scenarios`: plays the scenarios of consecutive seeds and prints the counts.
//!
//! `cargo xtask kills` builds everything that it requires.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use std::{fs, thread};

use clap::Parser;
use kymo_plugin_tests::scenarios::{Plan, Programs, play, table::Table};

/// Plays scenarios in which a recording program ends or is killed, and counts the recovered events.
#[derive(Debug, Parser)]
#[command(name = "kymo-scenarios", version)]
struct Arguments {
    /// The number of scenarios
    #[arg(value_name = "COUNT", default_value_t = 100)]
    count: u64,
    /// The seed of the first scenario; the others use the seeds that follow
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// End every scenario by a kill from outside
    #[arg(long)]
    only_kills: bool,
    /// The number of scenarios played at the same time
    #[arg(long, default_value_t = 2)]
    jobs: u64,
    /// Start no further scenario after this many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = u64::MAX)]
    at_most: u64,
    /// Only print the plans
    #[arg(long)]
    dry: bool,
    /// The path of the plugin
    #[arg(long)]
    plugin: PathBuf,
    /// The path of the host, built from c-hosts/ends.c
    #[arg(long)]
    host: PathBuf,
    /// The path of the command `kymo`
    #[arg(long)]
    kymo: PathBuf,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let programs = Programs {
        plugin: arguments.plugin.clone(),
        host: arguments.host.clone(),
        kymo: arguments.kymo.clone(),
    };
    let (next, table) = (AtomicU64::new(arguments.seed), Mutex::new(Table::default()));
    let until = Instant::now().checked_add(Duration::from_secs(arguments.at_most));
    let next_seed = || {
        let may_start = until.is_none_or(|until| Instant::now() < until) && failed(&table) < MOST_FAILURES;
        let seed = may_start.then(|| next.fetch_add(1, Ordering::Relaxed))?;
        (seed - arguments.seed < arguments.count).then_some(seed)
    };
    let work = || {
        while let Some(seed) = next_seed() {
            one(&Plan::new(seed, arguments.only_kills), &programs, &table, arguments.dry);
        }
    };
    thread::scope(|scope| (0..arguments.jobs).for_each(|_| drop(scope.spawn(work))));
    let table = table.into_inner().unwrap_or_else(|table| table.into_inner());
    println!("{table}");
    if table.failed.is_empty() {
        return ExitCode::SUCCESS;
    }
    println!("seeds that failed: {:?}", table.failed);
    ExitCode::FAILURE
}

/// The number of failures after which no further scenario starts.
const MOST_FAILURES: usize = 20;

fn failed(table: &Mutex<Table>) -> usize {
    table.lock().unwrap_or_else(|table| table.into_inner()).failed.len()
}

fn one(plan: &Plan, programs: &Programs, table: &Mutex<Table>, is_dry: bool) {
    if is_dry {
        return println!("{plan}");
    }
    let folder = std::env::temp_dir().join(format!("kymo-scenario-{}-{}", std::process::id(), plan.seed));
    let played = fs::create_dir_all(&folder)
        .map_err(|error| error.to_string())
        .and_then(|()| play(plan, programs, &folder));
    let mut table = table.lock().unwrap_or_else(|table| table.into_inner());
    match played {
        Ok(outcome) => {
            let _ = fs::remove_dir_all(&folder);
            table.add(plan, &outcome);
            if table.runs().is_multiple_of(500) {
                eprintln!("{} scenarios", table.runs());
            }
        }
        Err(what) => {
            println!("FAILED {plan}\n{}\n{what}\n", folder.display());
            table.failed.push(plan.seed);
        }
    }
}
