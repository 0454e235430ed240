//! The part of a process without a working plugin, because the plugin could not be made or has
//! panicked. The process still takes part in every collective step and contributes nothing;
//! otherwise the other processes would wait for it forever.

use core::sync::atomic::{AtomicBool, Ordering::Relaxed};

use kymo_otf2::definitions::ClockProperties;
use kymo_recorder::{
    archive::GlobalDefinitions,
    clock::{Fit, Synchronisation, ThisMachine},
    ranks::Ipc,
    unification::Joined,
};
use kymo_substrate::{Host, Step};

use super::{
    finish::{Job, Member, RankContribution, Result, incomplete, together},
    locations::Refused,
    open::broadcast_missing,
    seal::all_seal,
};
use crate::life::ranks::HostIpc;

/// Whether no process has an archive, as reported by rank 0.
static IS_FOR_NONE: AtomicBool = AtomicBool::new(false);
/// Whether this process has started to record.
static HAS_RECORDED: AtomicBool = AtomicBool::new(false);

/// Remembers that no process has an archive.
pub(super) fn is_for_none() {
    IS_FOR_NONE.store(true, Relaxed);
}

/// Remembers that this process has started to record.
pub(crate) fn records() {
    HAS_RECORDED.store(true, Relaxed);
}

/// Takes part in a step that the other processes wait for.
pub(crate) fn take_part(step: Step, host: Host) {
    let ipc = HostIpc::new(host);
    match step {
        // If rank 0 has no plugin, it makes no archive.
        Step::InitMpp => {
            if broadcast_missing(&ipc, true).unwrap_or(false) {
                is_for_none();
            }
            if ipc.size() > 1 {
                Synchronisation::start(&ipc, &ThisMachine);
            }
        }
        Step::PreUnify if ipc.size() > 1 => {
            let _ = Synchronisation::absent().finish(&ipc, &ThisMachine, Fit::NONE);
        }
        Step::WriteData if !IS_FOR_NONE.load(Relaxed) => {
            let outcome = together(&ipc, &Absent);
            if matches!(outcome, Ok(0)) {
                all_seal(&ipc, false);
            }
            if let (true, Err(why)) = (HAS_RECORDED.load(Relaxed), outcome) {
                incomplete(&why);
            }
        }
        Step::PreUnify | Step::WriteData => {}
    }
}

/// A process that contributes nothing. If it has recorded, `kymo recover` may still find its
/// events.
struct Absent;

impl Member for Absent {
    fn part(&self) -> RankContribution {
        let refused =
            HAS_RECORDED.load(Relaxed).then(|| Refused::Other("the plugin was switched off".to_owned()));
        RankContribution::nothing(refused)
    }

    fn write_local(&self, _: u64, _: &RankContribution, _: &Joined) -> Result {
        Ok(())
    }

    fn clock(&self, _: (u64, u64)) -> ClockProperties {
        ClockProperties {
            timer_resolution: 0,
            global_offset: 0,
            trace_length: 0,
            realtime_timestamp: u64::MAX,
        }
    }

    fn write_global(&self, _: &Job, _: &GlobalDefinitions<'_>) -> Result {
        Err("rank 0 has no plugin".into())
    }
}
