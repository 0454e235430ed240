//! `kymo man` and `kymo completions`: the definition of the command line as manual pages and as
//! shell scripts.
//!
//! The pages in `docs/man` are the output of `kymo man`; a test compares them.

use std::io::{self, IsTerminal, Write, stdout};
use std::process::{self, Child, Stdio};

use clap::{Args, Command};
use clap_complete::Shell;

use crate::command_line::command;
use crate::examples;
use crate::output::{complain, print};
use crate::status::Status;

/// Print the manual page of kymo or of one of its verbs
#[derive(Debug, Args)]
#[command(after_help = "On a terminal, man shows the page; otherwise, its source is printed")]
pub(crate) struct Man {
    /// The verb; without it, kymo itself
    verb: Option<String>,
}

/// Print a script that completes command lines of kymo in a shell
#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// The shell
    shell: Shell,
}

/// Defines the apostrophe that manual pages use.
const PREAMBLE: &str = ".ie \\n(.g .ds Aq \\(aq\n.el .ds Aq '\n";

impl Man {
    /// Shows or prints the page.
    pub(crate) fn run(self) -> Status {
        let Some(text) = self.page() else {
            complain(&format!("unrecognized verb '{}'", self.verb.unwrap_or_default()));
            return Status::Usage;
        };
        match stdout().is_terminal().then(reader) {
            Some(Ok(mut reader)) => show(&mut reader, &text),
            // Without man, the source of the page is better than nothing.
            _ => print(&text),
        }
    }

    fn page(&self) -> Option<String> {
        let mut all = command();
        all.build();
        let command = match &self.verb {
            None => all,
            Some(verb) => all.find_subcommand(verb)?.clone(),
        };
        let mut text = Vec::new();
        render(command, &mut text).ok()?;
        let text = String::from_utf8(text).ok()?;
        // Every section contains the preamble.
        Some(format!("{PREAMBLE}{}", text.replace(PREAMBLE, "")))
    }
}

fn render(command: Command, text: &mut Vec<u8>) -> io::Result<()> {
    let synopsis = command.clone().render_usage().to_string();
    let typed = command.get_bin_name().unwrap_or("kymo").to_owned();
    let name = typed.replace(' ', "-");
    let has_verbs = command.has_subcommands();
    let notes = command.get_after_help().map(ToString::to_string);
    let page = command.name(name).version(env!("CARGO_PKG_VERSION")).disable_version_flag(true);
    let page = clap_mangen::Man::new(page);
    page.render_title(text)?;
    page.render_name_section(text)?;
    writeln!(text, ".SH SYNOPSIS\n{}", escaped(synopsis.trim_start_matches("Usage:").trim()))?;
    page.render_description_section(text)?;
    page.render_options_section(text)?;
    if has_verbs {
        page.render_subcommands_section(text)?;
    }
    if let Some(notes) = notes {
        writeln!(text, ".SH NOTES\n{}", escaped(&notes))?;
    }
    let examples = examples::of(&typed);
    if !examples.is_empty() {
        writeln!(text, ".SH EXAMPLES")?;
    }
    for (what, line) in examples {
        writeln!(text, ".TP\n\\fB{}\\fR\n{}", escaped(line), escaped(what))?;
    }
    page.render_version_section(text)
}

/// Escapes text so that roff takes it literally.
fn escaped(text: &str) -> String {
    text.replace('\\', r"\e").replace('-', r"\-").replace('\'', r"\(aq")
}

/// Starts the program that shows a page.
fn reader() -> io::Result<Child> {
    process::Command::new("man").args(["-l", "-"]).stdin(Stdio::piped()).spawn()
}

fn show(reader: &mut Child, page: &str) -> Status {
    // A user who leaves before the end has read enough.
    let _ = reader.stdin.take().map(|mut stdin| stdin.write_all(page.as_bytes()));
    match reader.wait() {
        Ok(status) if status.success() => Status::Done,
        _ => print(page),
    }
}

impl Completions {
    /// Prints the script.
    pub(crate) fn run(self) -> Status {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command(), "kymo", &mut script);
        print(script)
    }
}
