//! Reports programs that were started without the runtime: a wrapper removed it from the
//! environment (`env -i`).
//!
//! The runtime of the process that starts such a program writes its name into the file `unrecorded`
//! in the folder of the measurement, one in a line. In a job, each rank reports its own.

use std::collections::BTreeSet;
use std::fs;

use super::experiment::Experiment;

/// The name of the file, which the runtime uses too.
const FILE: &str = "unrecorded";
/// The number of programs that are named.
const NAMED: usize = 3;

/// Removes the file after the program has ended. Returns a line about the programs, if there are
/// any.
pub(super) fn take(experiment: &Experiment) -> Option<String> {
    let file = experiment.folder().join(FILE);
    let names = fs::read(&file).ok()?;
    // If it cannot be removed, the folder merely contains one more file.
    let _ = fs::remove_file(&file);
    line(&String::from_utf8_lossy(&names))
}

fn line(names: &str) -> Option<String> {
    let names: BTreeSet<_> = names.lines().filter(|name| !name.is_empty()).collect();
    let named = names.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
    let what = match names.len() {
        0 => return None,
        1 => format!("{named} was"),
        count if count > NAMED => format!("{named} and {} other programs were", count - NAMED),
        _ => format!("{named} were"),
    };
    Some(format!("{what} started without LD_PRELOAD or the settings of kymo record, and not recorded"))
}

#[cfg(test)]
mod tests {
    use super::line;

    #[test]
    fn each_program_is_named_once() {
        let end = " started without LD_PRELOAD or the settings of kymo record, and not recorded";
        assert_eq!(line(""), None);
        assert_eq!(line("a\na\n"), Some(format!("a was{end}")));
        assert_eq!(line("b\na\n"), Some(format!("a, b were{end}")));
        assert_eq!(line("e\nd\nc\nb\na\n"), Some(format!("a, b, c and 2 other programs were{end}")));
    }
}
