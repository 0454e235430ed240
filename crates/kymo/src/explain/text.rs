//! The answer for people.

use super::answer::{Answer, FindingRow};
use super::sentences::{path, per_cent};
use crate::escape;
use crate::number::{bytes, grouped, shortened, time};

/// The width of lines.
const WIDTH: usize = 80;

/// Writes the answer.
pub(super) fn write(answer: &Answer) -> String {
    let mut text = Lines(String::new());
    head(&mut text, answer);
    findings(&mut text, answer);
    blame(&mut text, answer);
    delays(&mut text, answer);
    waits(&mut text, answer);
    critical_path(&mut text, answer);
    what_if(&mut text, answer);
    iterations(&mut text, answer);
    groups(&mut text, answer);
    idle(&mut text, answer);
    overlap(&mut text, answer);
    messages(&mut text, answer);
    lateness(&mut text, answer);
    doubts(&mut text, answer);
    text.0
}

/// The text so far.
struct Lines(String);

impl Lines {
    /// Writes a line, which names of the trace cannot end.
    fn line(&mut self, line: &str) {
        self.0.push_str(&escape::line(line.trim_end()));
        self.0.push('\n');
    }

    fn title(&mut self, title: &str) {
        self.0.push('\n');
        self.line(title);
    }

    /// Writes words in lines: the first one after `first`, the others after as many blanks.
    fn paragraph(&mut self, first: &str, words: &str) {
        let indent = first.chars().count();
        let (mut line, mut has_words) = (first.to_owned(), false);
        for word in words.split_whitespace() {
            if has_words && line.chars().count() + word.chars().count() >= WIDTH {
                self.line(&line);
                (line, has_words) = (" ".repeat(indent), false);
            }
            if has_words {
                line.push(' ');
            }
            line.push_str(word);
            has_words = true;
        }
        self.line(&line);
    }

    /// Says how many rows of a table there are beyond.
    fn left_out(&mut self, answer: &Answer, table: &str) {
        if let Some(count) = answer.left_out.get(table) {
            self.line(&format!("{:>10}  {} more; '-n 0' prints all", "", grouped((*count).into())));
        }
    }
}

fn head(text: &mut Lines, answer: &Answer) {
    let trace = &answer.trace;
    let mut line = format!("Run of {}", counted(trace.processes, "process", "processes"));
    if trace.locations > trace.processes {
        line += &format!(" and {}", counted(trace.locations, "location", "locations"));
    }
    line += &format!(", {}.", time(trace.length_ns as f64));
    if let Some(it) = &answer.efficiency {
        let communication = match (it.serialisation_ratio, it.transfer_ratio) {
            // The two are its parts only for processes with one thread each.
            (Some(serialisation), Some(transfer)) if it.processes.is_none() => {
                format!("serialisation {}, transfer {}", per_cent(serialisation), per_cent(transfer))
            }
            _ => format!("communication {}", per_cent(it.communication_ratio)),
        };
        line += &format!(
            " Parallel efficiency {}: load balance {}, {communication}.",
            per_cent(it.parallel_ratio),
            per_cent(it.load_balance_ratio),
        );
    }
    text.paragraph("", &line);
}

/// Returns a number with the noun that fits.
fn counted(count: u64, one: &str, several: &str) -> String {
    format!("{} {}", grouped(count.into()), if count == 1 { one } else { several })
}

fn findings(text: &mut Lines, answer: &Answer) {
    if answer.findings.is_empty() {
        text.title("Nothing stands out.");
        return;
    }
    for (number, finding) in (1..).zip(&answer.findings) {
        text.0.push('\n');
        text.paragraph(&format!("{number}. "), &finding.sentence);
        gain(text, finding);
        for it in &finding.contradicts {
            text.paragraph("   ", &format!("But {it}."));
        }
        text.line(&format!("   To see it: {}", finding.evidence.command));
    }
}

fn gain(text: &mut Lines, finding: &FindingRow) {
    let certainty = match finding.certainty {
        "estimated" => "about ",
        "doubtful" => "perhaps ",
        _ => "",
    };
    let gain = format!(
        "Without it the run would be {certainty}{} ({}) shorter. To try: {}.",
        time(finding.gain_ns as f64),
        per_cent(finding.gain_ratio),
        finding.advice,
    );
    text.paragraph("   ", &gain);
}

fn blame(text: &mut Lines, answer: &Answer) {
    if answer.blame.is_empty() {
        return;
    }
    let total = answer.waits.time_ns;
    text.title(&format!("What locations did while others waited because of them ({})", time(total as f64)));
    for row in &answer.blame {
        let place = match (row.location, row.before_start) {
            (None, _) => "nobody: they wait for each other, or for an unknown one".to_owned(),
            (Some(id), true) => format!("{}, before its first event", name(answer, id)),
            (Some(id), false) => format!("{}, {}", name(answer, id), path(&row.path, answer.outside)),
        };
        text.line(&row_of(row.time_ns, total, &place));
    }
    text.left_out(answer, "blame");
}

fn delays(text: &mut Lines, answer: &Answer) {
    if answer.delays.is_empty() {
        return;
    }
    let total = answer.delay_total_ns;
    text.title(&format!("What delays cost, however long before others waited ({})", time(total)));
    for row in &answer.delays {
        let through = if row.term == "long" { ", through others" } else { "" };
        let place = format!("{}, {}", name(answer, row.location), path(&row.path, answer.outside));
        text.line(&row_of_cost(row.cost_ns, total, &format!("{}{through}: {place}", row.reason)));
    }
    text.left_out(answer, "delays");
    let rest: f64 = answer.delays_unattributed.iter().map(|row| row.time_ns).sum();
    if rest > 0.0 {
        text.line(&row_of_cost(rest, total, "no delay"));
    }
}

fn waits(text: &mut Lines, answer: &Answer) {
    if answer.waits.by_path.is_empty() {
        return;
    }
    let total = answer.waits.time_ns;
    text.title(&format!("Where they waited, {}", counted(answer.waits.count, "time", "times")));
    for row in &answer.waits.by_path {
        text.line(&row_of(
            row.time_ns,
            total,
            &format!("{}, {}", row.reason, path(&row.path, answer.outside)),
        ));
    }
    text.left_out(answer, "waits.by_path");
}

fn critical_path(text: &mut Lines, answer: &Answer) {
    let it = &answer.critical_path;
    if it.profile.is_empty() {
        return;
    }
    let total = it.length_ns;
    text.title(&format!(
        "The critical path: {}, in {}",
        time(total as f64),
        counted(it.segments_total, "segment", "segments"),
    ));
    for row in &it.profile {
        let place = format!("{}, {}", name(answer, row.location), path(&row.path, answer.outside));
        text.line(&row_of(row.time_ns, total.into(), &place));
    }
    text.left_out(answer, "critical_path.profile");
}

/// Says how long the run would be on an ideal network, and if calls took another time.
fn what_if(text: &mut Lines, answer: &Answer) {
    let Some(replay) = answer.replay.as_ref().filter(|_| !answer.what_if.is_empty()) else { return };
    text.title(&format!("On an ideal network, the run would take {}", time(replay.ideal_ns as f64)));
    for it in &answer.what_if {
        let (gain, change) = (it.gain_ns.unsigned_abs(), if it.gain_ns < 0 { "longer" } else { "shorter" });
        let what = format!("if {} took {} of its time: {} {change}", it.region, it.factor, time(gain as f64));
        text.line(&format!("{:>10}        {}", time(it.ideal_ns as f64), shortened(&what, WIDTH - 18)));
    }
}

/// Says which iterations are slow, if most of the time is in iterations.
fn iterations(text: &mut Lines, answer: &Answer) {
    let Some(it) = answer.iterations.as_ref().filter(|it| it.share_ratio >= 0.5) else { return };
    text.title(&format!(
        "{} iterations, {} of the time, each {} (median)",
        grouped(it.count.into()),
        per_cent(it.share_ratio),
        time(it.median_ns as f64),
    ));
    text.line(&shortened(&format!("  each begins with {}", path(&it.path, answer.outside)), WIDTH));
    for row in &it.rows {
        let mark = if row.is_outlier { ", far from the others" } else { "" };
        let what = format!("number {}, from {}{mark}", row.number, time(row.start_ns as f64));
        text.line(&format!("{:>10}        {}", time(row.length_ns as f64), shortened(&what, WIDTH - 18)));
    }
    text.left_out(answer, "iterations.rows");
}

/// Says which locations do the same, unless all do, or none.
fn groups(text: &mut Lines, answer: &Answer) {
    let locations: u64 = answer.groups.iter().map(|row| row.count).sum();
    if answer.groups.len() < 2 || answer.groups.len() as u64 == locations {
        return;
    }
    text.title("Locations that spend their time in the same way");
    for row in &answer.groups {
        let names: Vec<_> = row.locations.iter().map(|id| name(answer, *id)).collect();
        let more = if row.count > row.locations.len() as u64 { "; ..." } else { "" };
        text.line(&format!("{:>10}        {}", row.count, shortened(&(names.join("; ") + more), WIDTH - 18)));
    }
    text.left_out(answer, "groups");
}

/// Says how long threads were in no team.
fn idle(text: &mut Lines, answer: &Answer) {
    if answer.idle.iter().all(|row| row.idle_ns == 0) {
        return;
    }
    text.title("Threads in none of their teams");
    for row in answer.idle.iter().filter(|row| row.idle_ns > 0) {
        text.line(&row_of(row.idle_ns.into(), answer.trace.length_ns.into(), &name(answer, row.location)));
    }
    text.left_out(answer, "idle");
}

/// Says how much of the communication in the background can be hidden.
fn overlap(text: &mut Lines, answer: &Answer) {
    let it = &answer.overlap_total;
    if it.open_ns == 0 {
        return;
    }
    text.0.push('\n');
    text.paragraph(
        "",
        &format!(
            "Non-blocking operations were open for {}, of which computation hides at most {}, at least {}. \
             Calls waited {} for their completion, beside waiting for others.",
            time(it.open_ns as f64),
            per_cent(it.hidden_ns as f64 / it.open_ns as f64),
            per_cent(it.surely_hidden_ns as f64 / it.open_ns as f64),
            time(it.waited_ns as f64),
        ),
    );
}

/// Says how long messages of different lengths take, if that is known of any.
fn messages(text: &mut Lines, answer: &Answer) {
    let known = || answer.messages.iter().filter_map(|row| Some((row, row.best_ns?, row.median_ns?)));
    if known().next().is_none() {
        return;
    }
    text.title("Messages by length, from when both sides have come to the end of the receive");
    text.line("      best    median    per second  messages");
    for (row, best, median) in known() {
        let place = if row.between_nodes { "between nodes" } else { "inside nodes" };
        let rate = row.bytes_per_second.map(bytes).unwrap_or_default();
        let count = grouped(row.count.into());
        let shortest = bytes(row.shortest_bytes as f64);
        text.line(&format!(
            "{:>10}{:>10}{rate:>14}  {count} of {shortest} or more, {place}",
            time(best as f64),
            time(median as f64)
        ));
    }
}

/// Says where lateness arises.
fn lateness(text: &mut Lines, answer: &Answer) {
    let Some(it) = &answer.lateness else { return };
    if it.steps == 0 {
        return text.title("No location communicates, so that operations have no steps.");
    }
    let steps = grouped(it.steps.into());
    text.title(&format!(
        "Where operations become late, in {steps} logical steps ({})",
        time(it.new_ns as f64)
    ));
    for row in it.rows.iter().filter(|row| row.new_ns > 0) {
        let what = format!("{}, last in {} of {}", name(answer, row.location), row.last, row.operations);
        text.line(&row_of(row.new_ns, it.new_ns, &what));
    }
    text.left_out(answer, "lateness");
    if it.steps_left_out > 0 {
        let count = grouped(it.steps_left_out.into());
        text.line(&format!("{count:>10}  steps have operations of few locations, and do not count"));
    }
    if it.not_awaited > 0 {
        let count = grouped(it.not_awaited.into());
        text.line(&format!("{count:>10}  operations did not wait for others: their steps are too low"));
    }
}

/// Returns a row of a table: a time, its part of all, and its description.
fn row_of(part: u128, whole: u128, what: &str) -> String {
    row_of_cost(part as f64, whole as f64, what)
}

/// Does the same for a time that is a ratio.
fn row_of_cost(part: f64, whole: f64, what: &str) -> String {
    let share = if whole > 0.0 { part / whole } else { 0.0 };
    format!("{:>10} {:>5}  {}", time(part), per_cent(share), shortened(what, WIDTH - 18))
}

fn name(answer: &Answer, id: u64) -> String {
    answer.locations.get(&id).cloned().unwrap_or_else(|| format!("<location {id}>"))
}

/// States the facts that make the answer less certain.
fn doubts(text: &mut Lines, answer: &Answer) {
    let it = &answer.quality;
    let counts = [
        (it.received_before_sent, "messages were received before they were sent: clocks differ"),
        (it.incomplete_messages, "messages lack a side"),
        (it.incomplete_collectives, "collective operations and barriers whose waits are not known"),
        (it.clipped_waits, "waits were cut at the end of their calls: the cause came later"),
        (it.contradictions_on_path, "times the critical path comes to a location that waits"),
        (it.events_lost.unwrap_or(0), "events were lost while recording"),
        (it.unreadable_locations, "locations were not readable to their ends"),
        (it.threads_without_events, "threads have no events, and count as not there"),
    ];
    let mut counts = counts.into_iter().filter(|(count, _)| *count > 0).peekable();
    if counts.peek().is_some() {
        text.title("What makes this less certain");
    }
    for (count, what) in counts {
        text.line(&format!("{:>10}  {what}", grouped(count.into())));
    }
}
