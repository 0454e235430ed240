//! Which kinds of instrumentation take part: the variable `KYMO_RECORD_WITH`, a list of their names. Without it all do.

use std::env;

const VARIABLE: &str = "KYMO_RECORD_WITH";

/// Whether a kind was chosen.
pub(crate) fn is_chosen(kind: &str) -> bool {
    env::var(VARIABLE).map_or(true, |list| lists(&list, kind))
}

fn lists(list: &str, kind: &str) -> bool {
    list.split([',', ' ']).any(|name| name == kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_names_count() {
        assert!(lists("functions,threads", "threads") && lists("user", "user"));
        assert!(!lists("functions,threads", "thread") && !lists("", "user"));
    }
}
