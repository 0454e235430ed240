//! The measurement of this process as one object, and its phase.
//!
//! The object is created once and never freed, so that late calls find it. A child made by `fork`
//! creates another.

use crate::clock::Clock;
use crate::definitions::DefinitionStore;
use crate::events::EventTable;
use crate::experiment::Experiment;
use crate::locations::Locations;
use crate::names::{self, Name};
use crate::plugins::Plugins;
use crate::settings::Settings;
use crate::slots::SharedSlots;
use core::ptr;
use core::sync::atomic::{
    AtomicBool, AtomicPtr, AtomicU8, AtomicU32, AtomicU64,
    Ordering::{AcqRel, Acquire, Relaxed, Release},
};
use std::sync::OnceLock;

/// A measurement.
#[derive(Debug)]
pub(crate) struct Host {
    /// The id of the measured process. It differs in a child that the C library does not know of,
    /// which has a copy of this object.
    pub(crate) id: u32,
    pub(crate) settings: Settings,
    pub(crate) clock: Clock,
    pub(crate) definitions: DefinitionStore,
    pub(crate) plugins: &'static Plugins,
    /// The event tables by mode: recording, and recording switched off.
    tables: OnceLock<[EventTable; 2]>,
    /// The table in use; null before the tables exist.
    current: AtomicPtr<EventTable>,
    pub(crate) locations: Locations,
    pub(crate) experiment: Experiment,
    /// `init_mpp` was called: the processes of the job are known.
    joined: AtomicBool,
    /// Set once, in `life`.
    pub(crate) process: OnceLock<ProcessDefinitions>,
    pub(crate) team: OnceLock<u32>,
    /// The objects of adapters.
    pub(crate) slots: SharedSlots,
    /// The number of threads created.
    pub(crate) creations: AtomicU32,
    /// The number of threads that are about to have a location.
    pub(crate) coming: AtomicU32,
    /// The number of active CPU locations.
    pub(crate) active: AtomicU32,
    /// The number of events in signal handlers that could not be recorded.
    pub(crate) missed: AtomicU64,
    /// The number of enters and leaves for which a location had no memory: of none, or of calls
    /// that are nested too deeply.
    pub(crate) unstacked: AtomicU64,
    /// The name of the thread that began the measurement, at that time.
    pub(crate) name: Name,
}

/// Definitions that every process has.
#[derive(Debug)]
pub(crate) struct ProcessDefinitions {
    pub(crate) group: u32,
    /// The nodes of the system tree that stand for the machine and for all machines.
    pub(crate) node: u32,
    pub(crate) machines: u32,
    /// The region "MEASUREMENT OFF".
    pub(crate) off: u32,
    pub(crate) program_name: u32,
    pub(crate) arguments: Box<[u32]>,
    pub(crate) region: u32,
    /// The ids of the ancestor processes, the nearest first, up to `kymo record`, at the beginning
    /// of the measurement.
    pub(crate) ancestors: String,
}

/// The parts that a measurement starts with.
#[derive(Debug)]
pub(crate) struct Parts {
    pub(crate) settings: Settings,
    pub(crate) clock: Clock,
    pub(crate) definitions: DefinitionStore,
    pub(crate) plugins: &'static Plugins,
    pub(crate) experiment: Experiment,
}

impl Host {
    /// Returns the location group of the process; 0 before it is defined.
    pub(crate) fn group(&self) -> u32 {
        self.process.get().map_or(0, |process| process.group)
    }

    pub(crate) fn new(parts: Parts) -> Self {
        let Parts { settings, clock, definitions, plugins, experiment } = parts;
        Self {
            id: std::process::id(),
            settings,
            clock,
            definitions,
            plugins,
            tables: OnceLock::new(),
            current: AtomicPtr::new(ptr::from_ref(&NO_TABLE).cast_mut()),
            locations: Locations::default(),
            experiment,
            joined: AtomicBool::new(false),
            process: OnceLock::new(),
            team: OnceLock::new(),
            slots: SharedSlots::default(),
            creations: AtomicU32::new(0),
            coming: AtomicU32::new(0),
            active: AtomicU32::new(0),
            missed: AtomicU64::new(0),
            unstacked: AtomicU64::new(0),
            name: names::own(),
        }
    }

    /// Collects the plugins' event functions, and switches recording on.
    pub(crate) fn fill_tables(&self) {
        self.tables.get_or_init(|| [0, 1].map(|mode| EventTable::of(self.plugins, mode)));
        self.record(true);
    }

    /// Switches recording on or off by exchanging the table.
    pub(crate) fn record(&self, is_on: bool) {
        if let Some([on, off]) = self.tables.get() {
            self.current.store(ptr::from_ref(if is_on { on } else { off }).cast_mut(), Release);
        }
    }

    /// Returns whether recording is switched on.
    #[inline]
    pub(crate) fn is_recording(&self) -> bool {
        self.tables.get().is_some_and(|[on, _]| ptr::eq(on, self.current.load(Relaxed)))
    }

    /// Whether the processes of the job are known.
    pub(crate) fn is_joined(&self) -> bool {
        self.joined.load(Acquire)
    }

    /// Marks the processes of the job as known; returns whether they were.
    pub(crate) fn set_joined(&self) -> bool {
        self.joined.swap(true, AcqRel)
    }

    /// Returns the table in use.
    #[inline]
    pub(crate) fn table(&self) -> &EventTable {
        // SAFETY: one of the tables, which are never changed, or the empty one.
        unsafe { &*self.current.load(Acquire) }
    }
}

/// The phase of the measurement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Phase {
    Idle,
    Beginning,
    On,
    Ending,
    Over,
}

/// The table that is used before the plugins' functions are known.
static NO_TABLE: EventTable = EventTable::NONE;
static HOST: AtomicPtr<Host> = AtomicPtr::new(ptr::null_mut());
static PHASE: AtomicU8 = AtomicU8::new(Phase::Idle as u8);
static GENERATION: AtomicU32 = AtomicU32::new(0);

/// Returns the measurement; `None` before it begins.
#[inline]
pub(crate) fn host() -> Option<&'static Host> {
    // SAFETY: null, or an object that is never freed.
    unsafe { HOST.load(Acquire).as_ref() }
}

pub(crate) fn install(host: Host) -> &'static Host {
    let host: &'static mut Host = Box::leak(Box::new(host));
    HOST.store(host, Release);
    host
}

#[inline]
pub(crate) fn is(phase: Phase) -> bool {
    PHASE.load(Relaxed) == phase as u8
}

/// Changes the phase from `from` to `to`; returns false if the current phase is not `from`.
pub(crate) fn go(from: Phase, to: Phase) -> bool {
    PHASE.compare_exchange(from as u8, to as u8, AcqRel, Relaxed).is_ok()
}

/// Returns the number of forks between the first process and this one.
pub(crate) fn generation() -> u32 {
    GENERATION.load(Relaxed)
}

/// Resets the state in a child made by `fork`.
pub(crate) fn forget() {
    HOST.store(ptr::null_mut(), Release);
    PHASE.store(Phase::Idle as u8, Release);
    GENERATION.fetch_add(1, Relaxed);
}
