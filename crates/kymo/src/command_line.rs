//! The command line: `kymo [--help | --version]`, `kymo help [VERB]`, `kymo VERB …`.
//!
//! clap parses it. The messages follow the reference tools of OTF2, which users and scripts are
//! used to: the version is printed as `tool: version X.Y.Z` and nothing else, a mistake as one line
//! `tool: message`, followed by a hint at the help.

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgAction, Command, CommandFactory, Parser};

use crate::mistake::{report_mistake_of, typed_verb};
use crate::output::{be_quiet, hint, print_own};
use crate::record;
use crate::status::Status;
use crate::verbs::Verb;

const EXIT_STATUS: &str = "Exit status: 0 success, 1 the trace has errors, 2 usage error, 3 only partly \
                           readable, 4 I/O or environment error, 5 a limit was reached";

/// Work with OTF2 traces.
#[derive(Debug, Parser)]
#[command(name = "kymo", version, disable_version_flag = true, propagate_version = true)]
#[command(after_help = EXIT_STATUS)]
struct Arguments {
    /// Print the version
    #[arg(short = 'V', long, action = ArgAction::Version, global = true, display_order = 999)]
    version: Option<bool>,
    /// Suppress progress and remarks; print only problems and the requested output
    #[arg(short, long, global = true, display_order = 998)]
    quiet: bool,
    #[command(subcommand)]
    verb: Verb,
}

/// Returns the definition of the command line.
pub(crate) fn command() -> Command {
    Arguments::command()
}

/// Why no verb is run.
#[derive(Debug)]
pub(crate) enum Ended {
    /// The user asked for this text: the help or the version.
    Text(StyledStr),
    /// No verb was given; this is the help.
    Nothing(String),
    /// The arguments are invalid for this reason.
    Mistake(String),
}

impl Ended {
    /// Reports it and returns the exit status. For `record`, a mistake has the status which means
    /// that the program was not started.
    pub(crate) fn exit_code(self) -> ExitCode {
        match (&self, typed_command().as_str()) {
            (Self::Mistake(_), "kymo record") => {
                self.report();
                record::FAILED.into()
            }
            _ => self.report().into(),
        }
    }

    /// Prints the text or the mistake.
    fn report(self) -> Status {
        match self {
            Self::Text(text) => print_own(&text),
            Self::Nothing(help) => {
                help.lines().for_each(hint);
                Status::Usage
            }
            Self::Mistake(mistake) => report_mistake_of(&typed_command(), &mistake),
        }
    }
}

/// Returns the command that was typed, up to its verb if it has one.
fn typed_command() -> String {
    let verb = typed_verb().filter(|verb| command().find_subcommand(verb).is_some());
    verb.map_or_else(|| "kymo".to_owned(), |verb| format!("kymo {verb}"))
}

/// Parses the arguments; the first one is the name of the program.
pub(crate) fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Verb, Ended> {
    match Arguments::try_parse_from(arguments) {
        Ok(arguments) => {
            if arguments.quiet {
                be_quiet();
            }
            Ok(arguments.verb)
        }
        Err(error) => Err(ended(&error)),
    }
}

fn ended(error: &clap::Error) -> Ended {
    match error.kind() {
        ErrorKind::DisplayVersion => {
            Ended::Text(concat!("kymo: version ", env!("CARGO_PKG_VERSION"), "\n").into())
        }
        ErrorKind::DisplayHelp => Ended::Text(error.render()),
        ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            Ended::Nothing(command().render_help().to_string())
        }
        _ => Ended::Mistake(mistake(error)),
    }
}

/// Describes the mistake in one line, with a suggestion if there is one.
fn mistake(error: &clap::Error) -> String {
    if let Some(what) = special(error) {
        return what;
    }
    let meant = [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand, ContextKind::SuggestedValue];
    let what = what(error);
    match meant.into_iter().find_map(|kind| best(error.get(kind)?)) {
        Some(meant) => format!("{what}; did you mean '{meant}'?"),
        None => what,
    }
}

/// Describes a mistake that needs another advice than a similar word: a trace without a verb, a
/// running program, a value that is not in a short list.
fn special(error: &clap::Error) -> Option<String> {
    let context = |kind| error.get(kind).map(|value| value.to_string());
    match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let typed = context(ContextKind::InvalidSubcommand)?;
            let is_path = typed.contains('/') || typed.ends_with(".otf2") || Path::new(&typed).exists();
            is_path.then(|| format!("a verb is missing before '{typed}'; did you mean 'kymo view {typed}'?"))
        }
        ErrorKind::UnknownArgument if typed_command() == "kymo record" => {
            let typed = context(ContextKind::InvalidArg)?;
            matches!(&typed[..], "-p" | "--pid" | "--attach").then(|| {
                format!(
                    "'{typed}': a program that runs already cannot be recorded: the runtime is loaded \
                     when a program starts ('perf record -p' samples running ones)"
                )
            })
        }
        ErrorKind::InvalidValue if error.get(ContextKind::SuggestedValue).is_none() => {
            let Some(ContextValue::Strings(values)) = error.get(ContextKind::ValidValue) else { return None };
            let (first, last) = (what(error), values.join(", "));
            (!values.is_empty()).then(|| format!("{first}; possible values: {last}"))
        }
        _ => None,
    }
}

/// Returns the best suggestion, which clap sorts last.
fn best(suggested: &ContextValue) -> Option<String> {
    match suggested {
        ContextValue::String(one) => Some(one.clone()),
        ContextValue::Strings(several) => several.last().cloned(),
        _ => None,
    }
}

fn what(error: &clap::Error) -> String {
    let context = |kind| error.get(kind).map(|value| value.to_string());
    match error.kind() {
        ErrorKind::UnknownArgument | ErrorKind::InvalidSubcommand => {
            let typed = context(ContextKind::InvalidArg).or_else(|| context(ContextKind::InvalidSubcommand));
            let typed = typed.unwrap_or_default();
            match error.kind() {
                _ if typed.starts_with('-') => format!("unrecognized option '{typed}'"),
                ErrorKind::UnknownArgument => format!("unexpected argument '{typed}'"),
                _ => format!("unrecognized verb '{typed}'"),
            }
        }
        ErrorKind::MissingRequiredArgument => {
            format!("expected {}", context(ContextKind::InvalidArg).unwrap_or_default())
        }
        _ => {
            let text = error.render().to_string();
            let line = text.lines().next().unwrap_or_default();
            line.strip_prefix("error: ").unwrap_or(line).to_owned()
        }
    }
}
