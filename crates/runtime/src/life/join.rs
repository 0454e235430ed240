//! Step 10 of the life cycle ([`crate::life`]): the experiment directory and `init_mpp`.

use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;

use kymo_substrate::bindings::SCOREP_SUBSTRATES_REQUIREMENT_CREATE_EXPERIMENT_DIRECTORY;

use crate::adapter;
use crate::host::Host;
use crate::job::{self, job};
use crate::message::report;
use crate::program;

/// Executes the step, once the processes of the job are known: the experiment directory and
/// `init_mpp`. Collective.
pub(crate) fn join(host: &'static Host) {
    if host.set_joined() {
        return;
    }
    create_experiment(host);
    host.plugins.init_mpp();
    adapter::of(host).iter().for_each(|adapter| adapter.joined());
    report_instrumentation(host);
}

/// Creates the experiment directory if a plugin requires it. In a job, rank 0 creates it for all.
fn create_experiment(host: &Host) {
    let is_required = host.plugins.require(SCOREP_SUBSTRATES_REQUIREMENT_CREATE_EXPERIMENT_DIRECTORY);
    if job().is_none_or(|job| job.rank() == 0) {
        if is_required {
            create_directory(host);
        } else {
            host.experiment.settle_without();
        }
    }
    if job().is_some() {
        share_directory(host);
    }
}

fn create_directory(host: &Host) {
    let dump = |stream, working: &core::ffi::CStr, directory: &core::ffi::CStr| {
        host.plugins.dump_manifest(stream, working, directory);
    };
    if let Err(error) = host.experiment.create(&host.settings, &job::process_name(), dump) {
        report_no_directory(host, &error);
        host.experiment.settle_without();
    }
}

/// Reports that this process has no directory. The plugins of this project leave that to the
/// runtime.
fn report_no_directory(host: &Host, error: &std::io::Error) {
    let path = host.experiment.path();
    match &host.settings.record_directory {
        Some(all) if error.kind() == ErrorKind::PermissionDenied => {
            // SAFETY: no precondition.
            let user = unsafe { libc::geteuid() };
            let executable = program::executable();
            let (name, all) = (program::short_name(&executable), all.display());
            let name = String::from_utf8_lossy(name);
            report(format_args!("{name} is not recorded: user {user} may not write into {all}"));
        }
        _ if matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded) => report(
            format_args!("the disk is full: {} cannot be created; nothing will be recorded", path.display()),
        ),
        _ => report(format_args!(
            "nothing is recorded: the experiment directory {} cannot be created: {error}",
            path.display()
        )),
    }
}

/// Uses the directory of rank 0 on all ranks.
fn share_directory(host: &Host) {
    let is_first = job::rank() == 0;
    let has_none = is_first && host.experiment.name().is_null();
    let own = if is_first && !has_none { host.experiment.path().as_os_str().as_bytes() } else { &[] };
    let path = job::broadcast_text(own).unwrap_or_default();
    if is_first {
        return;
    }
    let adopted = if path.is_empty() { Ok(()) } else { host.experiment.adopt(&path) };
    if let Err(error) = &adopted {
        let path = String::from_utf8_lossy(&path);
        report(format_args!("the experiment directory {path} of rank 0 cannot be used: {error}"));
    }
    if adopted.is_err() || path.is_empty() {
        host.experiment.settle_without();
    }
}

fn report_instrumentation(host: &Host) {
    if host.settings.verbose {
        let (process, path) = (std::process::id(), host.experiment.path().display());
        let with: Vec<&str> = adapter::of(host).iter().map(|adapter| adapter.name()).collect();
        let (with, plugins) = (with.join(", "), host.settings.plugins.join(", "));
        report(format_args!(
            "process {process} is recorded into {path} by {plugins}; instrumentation: {with}"
        ));
    }
}
