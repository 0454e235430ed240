//! The life cycle: the archive of the process from its directory to its anchor, the clocks of the
//! ranks, and the facts that recovery needs if the program does not end normally.
//!
//! The host calls it in this order: [`add_location`](Life::add_location) at any time,
//! [`begin`](Life::begin), [`join`](Life::join) once the ranks are known,
//! [`prepare`](Life::prepare) after the last event, [`write_archive`](Life::write_archive). No
//! event comes here except the first and the last of the program. Invariant: only these modules see
//! the archive, the times and the user's settings. They see the recorder as a [`Drain`] and the
//! locations as tracks; everything else about events is asked from the [`Sink`].

pub(crate) mod archive;
mod notes;
mod ranks;
mod time;

use kymo_recorder::{clock::Clock, drain::Drain, ranks::Ipc};

use self::{
    archive::Archive,
    ranks::{HostIpc, attempt},
    time::Time,
};
use crate::{events::Sink, host, settings::Settings};

/// The life of the process as one that records.
#[derive(Debug)]
pub(crate) struct Life {
    drain: &'static Drain,
    archive: Archive,
    time: Time,
    settings: Settings,
}

impl Life {
    /// Begins the life of a process whose events go to `drain`.
    pub(crate) fn new(settings: Settings, drain: &'static Drain) -> Self {
        archive::absent::records();
        Self { drain, archive: Archive::new(), time: Time::new(), settings }
    }

    /// Whether this process is the one that began to record, and not a child made by `fork`.
    pub(crate) fn is_ours(&self) -> bool {
        self.drain.output().is_ours()
    }

    /// The program begins. Returns the clock of its timestamps, if one of the machine fits.
    pub(crate) fn begin(&self, time: u64) -> Option<Clock> {
        self.time.begin(time);
        self.time.clock()
    }

    /// Notes the clock and when the program began.
    pub(crate) fn note_begin(&self) {
        self.note_clock();
        self.note_program();
    }

    /// The program ends.
    pub(crate) fn end(&self, time: u64) {
        self.time.end(time);
        self.note_program();
    }

    /// Opens the archive and compares the clocks, once the ranks are known. Returns the rank.
    /// Collective: a panic in the local work of this process must not keep it from the other steps.
    pub(crate) fn join(&self, sink: &Sink) -> u32 {
        let _ = attempt(|| sink.init_processes());
        let _ = attempt(|| self.open_archive());
        let ipc = HostIpc::new(host());
        self.time.compare_clocks(&ipc);
        self.note_processes(sink);
        ipc.rank()
    }

    /// Compares the clocks again, after the last event. Collective, like [`join`](Self::join).
    pub(crate) fn prepare(&self, sink: &Sink) {
        let _ = attempt(|| self.note_everything(sink));
        self.time.compare_clocks_again(&HostIpc::new(host()), self.settings.verbose);
    }

    /// Removes the scratch file if the archive was never opened: the host then discards the whole
    /// run, and there is no directory to write to. Otherwise the host still ends the measurement,
    /// or the scratch file remains for recovery.
    pub(crate) fn exit(&self) {
        let output = self.drain.output();
        if output.is_ours() && output.storage().is_err() {
            self.remove_scratch();
        }
    }

    /// Ends the writer's thread. This is also reached if the host never asked for the data.
    pub(crate) fn finish(&self) {
        self.drain.finish();
    }
}
