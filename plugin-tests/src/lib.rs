//! A host that plays Score-P: it loads substrate plugins and gives them the calls of a recorded run.
//!
//! The programs `kymo-replay` and `kymo-replay-static` are `command::run`. A `Recording` is read and checked, a `Script`
//! resolves it into steps with addresses, and a `Player` plays the steps at the plugins, each recorded thread on a
//! thread of its own. Each rank of a recording with several is a process of its own (`program`), and they are connected
//! (`ipc`). While it plays, the functions of `callbacks` answer the plugins from the process-wide `host`.
//! Uses the raw bindings of the plugin interface and what hosts have in common (`kymo_substrate::hosting`), so that it
//! shares no code with the plugins it tests. `testing` has what the integration tests need, `scenarios` the programs that
//! are killed.

mod arena;
mod callbacks;
pub mod command;
mod conversion;
mod definitions;
mod error;
mod events;
mod experiment;
mod host;
mod ipc;
mod locations;
mod metrics;
mod player;
mod plugin;
mod program;
mod progress;
mod recording;
mod release;
mod repeat;
pub mod scenarios;
mod script;
mod signals;
pub mod testing;
mod threads;
mod watch;

pub use error::Error;
pub use recording::Recording;
