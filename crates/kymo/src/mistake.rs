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

/// Returns the first argument that is no option. Options before a verb have no values.
pub(crate) fn typed_verb() -> Option<String> {
    let mut arguments = std::env::args_os().skip(1).map(|it| it.to_string_lossy().into_owned());
    arguments.find(|it| !it.starts_with('-'))
}
