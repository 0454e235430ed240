//! A table of the events that were found, kept and lost.

use std::fmt::Write;

use kymo_recorder::recovery::{LocationReport, Report, ranges};

use crate::escape;

/// The number of characters shown of a name.
const NAME: usize = 40;

/// Returns the table and a summary.
pub(super) fn text(report: &Report) -> String {
    let mut text = String::new();
    let mut line = |columns: [&str; 7], name: &str| {
        let [rank, location, found, kept, dropped, cut, closed] = columns;
        let line = format!(
            "{rank:>5} {location:>14} {found:>13} {kept:>12} {dropped:>10} {cut:>10} {closed:>7}  {name}"
        );
        let _ = writeln!(text, "{}", line.trim_end());
    };
    line(["rank", "location", "bytes found", "events kept", "dropped", "bytes cut", "closed"], "name");
    for rank in &report.ranks {
        for location in &rank.locations {
            let events = &location.events;
            let numbers = [events.found, events.events, lost(location), events.cut, events.closed];
            let [found, kept, dropped, cut, closed] = numbers.map(|number| number.to_string());
            let name: String = escape::line(&location.name).chars().take(NAME).collect();
            line(
                [&rank.rank.to_string(), &location.id.to_string(), &found, &kept, &dropped, &cut, &closed],
                &name,
            );
        }
    }
    let sum = |of: fn(&LocationReport) -> u64| report.sum(of);
    let _ = writeln!(
        text,
        "{} and {}: {} kept, {} dropped while recording or missing, {} cut, {} closed, {} left open",
        count(report.ranks.len() as u64, "process", "processes"),
        count(report.locations().count() as u64, "location", "locations"),
        count(sum(|it| it.events.events), "event", "events"),
        report.lost(),
        count(sum(|it| it.events.cut), "byte", "bytes"),
        count(sum(|it| it.events.closed), "region", "regions"),
        sum(|it| it.events.open),
    );
    if !report.missing.is_empty() {
        let _ = writeln!(text, "missing ranks: {}", ranges(&report.missing));
    }
    text
}

fn lost(location: &LocationReport) -> u64 {
    location.dropped.saturating_add(location.events.missing)
}

fn count(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// Returns remarks about ranks and locations, one per line.
pub(super) fn remarks(report: &Report) -> Vec<String> {
    let mut lines = Vec::new();
    for rank in &report.ranks {
        let number = rank.rank;
        if rank.damaged > 0 {
            let what = count(rank.damaged, "definition or entry is", "definitions or entries are");
            lines.push(format!("rank {number}: {what} damaged and left out"));
        }
        if rank.had_more {
            lines.push(format!(
                "rank {number}: its scratch file could not grow; data in its own memory that was not yet \
                 written is missing"
            ));
        }
        for location in &rank.locations {
            let id = location.id;
            if let Some(fault) = &location.events.fault {
                let cut = count(location.events.cut, "byte", "bytes");
                lines.push(format!("rank {number}, location {id}: {fault}; {cut} from there on left out"));
            }
            if location.events.missing > 0 {
                let missing = count(location.events.missing, "event is", "events are");
                lines.push(format!("rank {number}, location {id}: {missing} missing in between"));
            }
        }
    }
    if report.is_resolution_unknown {
        lines
            .push("the clock of the time stamps is unknown; assuming 1000000000 ticks per second".to_owned());
    }
    lines
}
