//! Explicit tasks of teams (events 51 to 54).
//!
//! A task is identified by its team, the thread that created it and its generation number.

use kymo_otf2::events::{Enter, Leave, ThreadTaskComplete, ThreadTaskCreate, ThreadTaskSwitch};
use kymo_recorder::EventClass::ThreadForkJoin;
use kymo_substrate::{
    InterimCommunicatorHandle, Location, Metrics, ParadigmType, RegionHandle, Task, Timestamp,
};

use crate::events::Sink;

impl Sink {
    pub(super) fn thread_fork_join_task_create(
        &self,
        at: Location,
        time: Timestamp,
        _paradigm: ParadigmType,
        team: InterimCommunicatorHandle,
        creating_thread: u32,
        generation_number: u32,
    ) {
        let record = ThreadTaskCreate { thread_team: self.comm(team), creating_thread, generation_number };
        self.record_classed(at, time, ThreadForkJoin, &record);
    }

    /// Records a switch without metrics: those of the new task are recorded at its start.
    pub(super) fn thread_fork_join_task_switch(
        &self,
        at: Location,
        time: Timestamp,
        _metrics: Metrics,
        _paradigm: ParadigmType,
        team: InterimCommunicatorHandle,
        creating_thread: u32,
        generation_number: u32,
        _task: Task,
    ) {
        let record = ThreadTaskSwitch { thread_team: self.comm(team), creating_thread, generation_number };
        self.record_classed(at, time, ThreadForkJoin, &record);
    }

    /// Records the switch to the task, the metrics and the enter of its region, all at the same
    /// time.
    pub(super) fn thread_fork_join_task_begin(
        &self,
        at: Location,
        time: Timestamp,
        region: RegionHandle,
        metrics: Metrics,
        _paradigm: ParadigmType,
        team: InterimCommunicatorHandle,
        creating_thread: u32,
        generation_number: u32,
        _task: Task,
    ) {
        let switch = ThreadTaskSwitch { thread_team: self.comm(team), creating_thread, generation_number };
        self.record_classed(at, time, ThreadForkJoin, &switch);
        self.record_metrics(at, time, metrics);
        self.record(at, time, &Enter { region: self.region(region) });
    }

    /// Records the metrics, the leave of the task's region and its completion. The switch back is a
    /// separate event.
    pub(super) fn thread_fork_join_task_end(
        &self,
        at: Location,
        time: Timestamp,
        region: RegionHandle,
        metrics: Metrics,
        _paradigm: ParadigmType,
        team: InterimCommunicatorHandle,
        creating_thread: u32,
        generation_number: u32,
        _task: Task,
    ) {
        self.record_metrics(at, time, metrics);
        self.record(at, time, &Leave { region: self.region(region) });
        let complete =
            ThreadTaskComplete { thread_team: self.comm(team), creating_thread, generation_number };
        self.record_classed(at, time, ThreadForkJoin, &complete);
    }
}
