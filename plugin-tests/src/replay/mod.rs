//! A host that plays the part of Score-P: it loads substrate plugins and makes the calls of a
//! recorded run.
//!
//! The programs `kymo-replay` and `kymo-replay-static` call `command::run`. A `Recording` is read
//! and checked, a `Script` resolves it into steps with addresses, and a `Player` plays the steps to
//! the plugins, each recorded thread on a thread of its own. If a recording has several ranks, each
//! is played by a process of its own (`program`), and the processes are connected (`ipc`). During a
//! replay, the functions of `callbacks` answer the plugins from the process-wide `host`.
//!
//! Invariant: the host uses only the raw bindings of the plugin interface and
//! `kymo_substrate::hosting`, so it shares no other code with the plugins that it tests.

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
mod script;
mod signals;
mod threads;
mod watch;

pub use error::Error;
pub use recording::Recording;
