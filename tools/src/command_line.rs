//! What can be typed: `kymo [--help | --version]`, `kymo help [VERB]`, `kymo VERB …`.
//!
//! clap reads it; the words follow the reference tools of OTF2, since people and scripts know them: the version line is
//! `tool: version X.Y.Z` and nothing else, a mistake is one line `tool: what` and a hint where help is.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgAction, Command, CommandFactory, Parser};

use crate::output::{be_quiet, complain, hint, print_own};
use crate::record;
use crate::status::Status;
use crate::verbs::Verb;

const EXIT_STATUS: &str = "\
Exit status: 0 done, 1 the trace has errors, 2 usage, 3 readable in part, 4 input/output or environment, 5 a limit was reached";

/// Work with OTF2 traces.
#[derive(Debug, Parser)]
#[command(name = "kymo", version, disable_version_flag = true, propagate_version = true)]
#[command(after_help = EXIT_STATUS)]
struct Arguments {
    /// Print the version
    #[arg(short = 'V', long, action = ArgAction::Version, global = true, display_order = 999)]
    version: Option<bool>,
    /// Print no progress and no remarks, only what is wrong and what was asked for
    #[arg(short, long, global = true, display_order = 998)]
    quiet: bool,
    #[command(subcommand)]
    verb: Verb,
}

/// All that can be typed.
pub(crate) fn command() -> Command {
    Arguments::command()
}

/// Why there is no verb to run.
#[derive(Debug)]
pub(crate) enum Ended {
    /// This text was asked for.
    Text(StyledStr),
    /// Nothing was typed; this is what could have been.
    Nothing(String),
    /// What was typed has no meaning: why.
    Mistake(String),
}

impl Ended {
    /// Prints it. A mistake of `record` has the status that says that the program did not begin.
    pub(crate) fn exit_code(self) -> ExitCode {
        match (&self, typed_command().as_str()) {
            (Self::Mistake(_), "kymo record") => {
                self.report();
                record::FAILED.into()
            }
            _ => self.report().into(),
        }
    }

    /// Prints it.
    pub(crate) fn report(self) -> Status {
        match self {
            Self::Text(text) => print_own(&text),
            Self::Nothing(help) => {
                help.lines().for_each(hint);
                Status::Usage
            }
            Self::Mistake(what) => {
                complain(&what);
                hint(&format!("Try '{} --help' for more information.", typed_command()));
                Status::Usage
            }
        }
    }
}

/// What was typed up to the verb, if there is one.
fn typed_command() -> String {
    let verb = std::env::args_os()
        .nth(1)
        .and_then(|verb| verb.into_string().ok())
        .filter(|verb| command().find_subcommand(verb).is_some());
    verb.map_or_else(|| "kymo".to_owned(), |verb| format!("kymo {verb}"))
}

/// Reads the arguments, the first of which is the name of the program.
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

/// The mistake in one line, with what may have been meant.
fn mistake(error: &clap::Error) -> String {
    let meant = [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand, ContextKind::SuggestedValue];
    let what = what(error);
    match meant.into_iter().find_map(|kind| best(error.get(kind)?)) {
        Some(meant) => format!("{what}; did you mean '{meant}'?"),
        None => what,
    }
}

/// The best of several suggestions, which comes last.
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
