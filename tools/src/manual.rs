//! `kymo man` and `kymo completions`: what the definition of the command line says, for `man` and for shells.
//!
//! The pages in `docs/man` are what `kymo man` prints; a test compares them.

use clap::{Args, Command};
use clap_complete::Shell;

use crate::command_line::command;
use crate::output::{complain, print};
use crate::status::Status;

/// Print the manual page of kymo or of one of its verbs
#[derive(Debug, Args)]
pub(crate) struct Man {
    /// The verb; without it, kymo itself
    verb: Option<String>,
}

/// Print a script that completes the command line of kymo in a shell
#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// The shell
    shell: Shell,
}

impl Man {
    /// Prints the page.
    pub(crate) fn run(self) -> Status {
        let all = command();
        let page = match &self.verb {
            None => Some(all),
            Some(verb) => all.find_subcommand(verb).cloned().map(named),
        };
        let Some(page) = page else {
            complain(&format!("unrecognized verb '{}'", self.verb.unwrap_or_default()));
            return Status::Usage;
        };
        let mut text = Vec::new();
        match clap_mangen::Man::new(page).render(&mut text) {
            Ok(()) => print(&String::from_utf8_lossy(&text)),
            Err(_) => Status::Environment,
        }
    }
}

/// A verb under the name that its page has: `kymo-print`.
fn named(verb: Command) -> Command {
    let name = format!("kymo-{}", verb.get_name());
    let version = env!("CARGO_PKG_VERSION");
    verb.name(name).version(version).disable_version_flag(true)
}

impl Completions {
    /// Prints the script.
    pub(crate) fn run(self) -> Status {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command(), "kymo", &mut script);
        print(&String::from_utf8_lossy(&script))
    }
}
