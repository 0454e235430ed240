//! The measurement of this process, as instrumentation sees it.
//!
//! Invariants: nothing here fails towards the program; a thread that is inside the runtime records nothing; events cost no
//! allocation here.

use crate::adapter::MetricDefinition;

/// A region's definition; 0 is none, and events of none are dropped.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(transparent)]
pub struct Region(pub u32);

/// A parameter's definition.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(transparent)]
pub struct Parameter(pub u32);

/// A counter's sampling set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(transparent)]
pub struct Counter(pub u32);

/// A string's definition.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(transparent)]
pub struct Text(pub u32);

/// What a new thread has to know of its creation.
#[derive(Clone, Copy, Debug)]
pub struct Creation {
    /// Location of the creating thread.
    pub parent: u32,
    /// Number of the creation in the process, from 1.
    pub sequence: u32,
}

/// The thread's location, with the thread inside the runtime until this is dropped.
#[derive(Debug)]
pub struct Here(());

/// Begins the measurement, once.
pub fn begin() {}
/// Ends it, once.
pub fn end(_exit_status: Option<i32>) {}
/// Begun, not ended, recording.
pub fn is_on() -> bool {
    false
}
/// The location of this thread, unless it has none or is inside the runtime already.
pub fn here() -> Option<Here> {
    None
}
/// As [`here`], but a thread that nobody announced gets a location ("Orphan thread").
pub fn here_or_orphan() -> Option<Here> {
    None
}
/// Number of the measurement in this line of processes: handles of regions, parameters, counters and strings stay valid in
/// forked children, threads do not.
pub fn generation() -> u32 {
    0
}
/// Defines a region; those of the same name, file, first line and paradigm are one.
pub fn define_region(
    _name: &[u8],
    _canonical: &[u8],
    _file: Option<&[u8]>,
    _begin: u32,
    _end: u32,
    _paradigm: u32,
    _region_type: u32,
) -> Region {
    Region(0)
}
/// Defines a parameter of type 0 `i64`, 1 `u64`, 2 string.
pub fn define_parameter(_name: &[u8], _parameter_type: u32) -> Parameter {
    Parameter(0)
}
/// Defines a counter of one metric.
pub fn define_counter(_metric: &MetricDefinition) -> Counter {
    Counter(0)
}
/// Defines a string.
pub fn define_string(_text: &[u8]) -> Text {
    Text(0)
}
/// First call of a new thread: gives it a location, activates it, and records its begin.
pub fn thread_begin(_creation: Creation) {}
/// Last call of a thread.
pub fn thread_end() {}
/// Before `fork`, on the forking thread.
pub fn before_fork() {}
/// After it in the parent.
pub fn parent_after_fork() {}
/// After it in the child, which begins a measurement of its own.
pub fn child_after_fork() {}

impl Here {
    /// Ticks of the measurement's clock.
    pub fn now(&self) -> u64 {
        0
    }
    /// Number of the location in the process.
    pub fn location(&self) -> u32 {
        0
    }
    /// Enters a region.
    pub fn enter(&self, _region: Region) {}
    /// Leaves it.
    pub fn leave(&self, _region: Region) {}
    /// Marks a point to go back to.
    pub fn enter_rewind(&self, _region: Region) {}
    /// Leaves a rewind region, and goes back if `rewind`.
    pub fn leave_rewind(&self, _region: Region, _rewind: bool) {}
    /// A parameter of the current call.
    pub fn parameter_i64(&self, _parameter: Parameter, _value: i64) {}
    /// A parameter of the current call.
    pub fn parameter_u64(&self, _parameter: Parameter, _value: u64) {}
    /// A parameter of the current call.
    pub fn parameter_string(&self, _parameter: Parameter, _value: Text) {}
    /// A value of a counter.
    pub fn counter_i64(&self, _counter: Counter, _value: i64) {}
    /// A value of a counter.
    pub fn counter_u64(&self, _counter: Counter, _value: u64) {}
    /// A value of a counter.
    pub fn counter_f64(&self, _counter: Counter, _value: f64) {}
    /// Creation of a thread, which [`thread_begin`] has to be told.
    pub fn thread_create(&self) -> Creation {
        Creation { parent: 0, sequence: 0 }
    }
    /// The end of a thread has been waited for.
    pub fn thread_wait(&self, _creation: Creation) {}
    /// A lock (POSIX threads) was acquired the `order`-th time.
    pub fn lock_acquired(&self, _lock: u32, _order: u32) {}
    /// A lock was released.
    pub fn lock_released(&self, _lock: u32, _order: u32) {}
    /// Recording goes on.
    pub fn recording_on(&self) {}
    /// Recording pauses; refused while other threads are recorded.
    pub fn recording_off(&self) {}
}
