//! The state that a measurement begins with.

use std::os::unix::process::parent_id;

use crate::arena::Arena;
use crate::clock::Clock;
use crate::definitions::DefinitionState;
use crate::settings::Settings;

/// How a measurement begins.
#[derive(Debug)]
pub(crate) enum Beginning {
    /// Immediately.
    Now,
    /// In a child made by `fork`.
    Child(Inherited),
    /// In a program that was loaded some time ago.
    Program(Box<Started>),
}

/// The state of a program when it was loaded.
#[derive(Debug)]
pub(crate) struct Started {
    /// The id of the process. In a child of it, the measurement begins at the time of the first
    /// event instead.
    pub(crate) process: u32,
    /// The parent process at that time, which may have ended since.
    pub(crate) parent: u32,
    pub(crate) settings: Settings,
    pub(crate) problems: Vec<String>,
    pub(crate) clock: Clock,
    /// The time of loading, by that clock.
    pub(crate) time: u64,
}

impl Started {
    /// Captures the current state of the program.
    pub(crate) fn now() -> Self {
        let mut problems = Vec::new();
        let settings = Settings::read(&mut problems);
        let clock = Clock::of(&settings);
        let time = clock.now();
        Self { process: std::process::id(), parent: parent_id(), settings, problems, clock, time }
    }
}

/// The state that a child made by `fork` inherits from its parent.
#[derive(Debug)]
pub(crate) struct Inherited {
    pub(crate) arena: &'static Arena,
    pub(crate) definitions: DefinitionState,
    pub(crate) group: u32,
}
