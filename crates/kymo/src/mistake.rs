//! How mistakes in arguments are reported.

use crate::output::{complain, hint};
use crate::status::Status;

/// Reports a mistake of the user, with a hint at the help of the verb.
pub(crate) fn report_mistake(mistake: &str) -> Status {
    report_mistake_of(&typed_verb().map_or_else(|| "kymo".to_owned(), |verb| format!("kymo {verb}")), mistake)
}

/// Reports a mistake in the arguments of a command, with a hint at its help.
pub(crate) fn report_mistake_of(command: &str, mistake: &str) -> Status {
    complain(mistake);
    hint(&format!("Try '{command} --help' for more information."));
    Status::Usage
}

/// Returns the verb, if it is the first argument.
pub(crate) fn typed_verb() -> Option<String> {
    let first = std::env::args_os().nth(1)?.into_string().ok()?;
    Some(first).filter(|first| !first.starts_with('-'))
}
