//! The page for people, in 80 columns. Sections without content are left out.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde_json::Value;

use super::page::*;
use kymo_analysis::profile::OUTSIDE;
use kymo_analysis::statistics::RegionEfficiency;

use crate::number::{bytes, grouped, per_cent, shortened, time};
use crate::{date, escape};

/// Writes the page. Tables have at most `top` rows; all if it is 0.
pub(super) fn write(page: &Page, top: usize) -> String {
    let mut text = Sections { text: String::new(), top: if top == 0 { usize::MAX } else { top } };
    facts(&mut text, page);
    classes(&mut text, page);
    efficiency(&mut text, page);
    regions(&mut text, page);
    filter(&mut text, page);
    imbalance(&mut text, page);
    messages(&mut text, page);
    collectives(&mut text, page);
    waits(&mut text, page);
    files(&mut text, page);
    windows(&mut text, page);
    metrics(&mut text, page);
    kinds(&mut text, page);
    check(&mut text, page);
    text.text
}

/// The text so far.
struct Sections {
    text: String,
    top: usize,
}

impl Sections {
    /// Writes a line, which names of the trace cannot end.
    fn line(&mut self, line: &str) {
        self.text.push_str(&escape::line(line.trim_end()));
        self.text.push('\n');
    }

    fn title(&mut self, title: &str) {
        self.text.push('\n');
        self.line(title);
    }

    /// Writes the first rows of a table, and how many there are beyond.
    fn table<T>(&mut self, heading: &str, rows: &[T], mut row: impl FnMut(&T) -> String) {
        self.table_of_lines(heading, rows, |it| vec![row(it)]);
    }

    /// Does the same with rows of one or more lines.
    fn table_of_lines<T>(&mut self, heading: &str, rows: &[T], mut row: impl FnMut(&T) -> Vec<String>) {
        self.line(heading);
        for it in rows.iter().take(self.top) {
            row(it).iter().for_each(|line| self.line(line));
        }
        if let Some(left) = rows.len().checked_sub(self.top).filter(|left| *left > 0) {
            self.line(&format!("  (more rows: {}; '--top 0' prints all)", number(left as u64)));
        }
    }
}

fn number(number: u64) -> String {
    grouped(number.into())
}

fn part(part: f64, whole: f64) -> String {
    if whole > 0.0 { per_cent(part / whole) } else { String::new() }
}

fn facts(text: &mut Sections, page: &Page) {
    let it = &page.trace;
    text.line(&format!("trace        {}", it.path));
    if !it.creator.is_empty() {
        text.line(&format!("written by   {}", shortened(&it.creator, 66)));
    }
    text.line(&format!(
        "locations    {} ({} with events), processes: {}, nodes: {}, most threads: {}",
        number(it.locations),
        number(it.active_locations),
        number(it.processes),
        number(it.nodes),
        number(it.most_threads),
    ));
    let lost = it.events_lost.map(|lost| format!(", lost: {}", number(lost)));
    text.line(&format!("events       {}{}", number(it.events), lost.unwrap_or_default()));
    text.line(&format!("length       {}", time(it.length_ns as f64)));
    text.line(&format!("clock        {} ticks per second", number(it.ticks_per_second)));
    if let Some(date) = it.start_date_ns {
        text.line(&format!("start        {}", date::text(date)));
    }
}

fn classes(text: &mut Sections, page: &Page) {
    if page.classes.is_empty() {
        return;
    }
    let all: u128 = page.classes.iter().map(|row| row.exclusive_ns).sum();
    text.title("Time of all locations, by kind of work");
    text.table("      time       %  kind", &page.classes, |row| {
        let exclusive = row.exclusive_ns as f64;
        format!("{:>10} {:>7}  {}", time(exclusive), part(exclusive, all as f64), row.class)
    });
}

/// Prints the parts of the efficiency of communication.
fn network(text: &mut Sections, it: &EfficiencyFacts) {
    let parts = [
        (it.serialisation, "serialisation: that of a run on an ideal network"),
        (it.transfer, "transfer: length of that run by length"),
    ];
    for (part, meaning) in parts {
        if let Some(part) = part {
            text.line(&format!("{:>10}    {meaning}", per_cent(part)));
        }
    }
}

/// Prints the losses between and in processes.
fn regions_efficiency(text: &mut Sections, it: &RegionEfficiency) {
    let rows = [
        (Some(it.processes), "processes, by time in parallel regions and computation outside"),
        (Some(it.load_balance), "  load balance"),
        (Some(it.communication), "  communication"),
        (it.serialisation, "    serialisation"),
        (it.transfer, "    transfer"),
        (Some(it.threads), "threads"),
        (Some(it.parallel), "  in parallel regions"),
        (Some(it.serial), "  outside of them"),
    ];
    text.line("The same as a sum of losses: what parts lack to 100 adds up");
    for (part, meaning) in rows {
        if let Some(part) = part {
            text.line(&format!("{:>10}  {meaning}", per_cent(part)));
        }
    }
}

fn efficiency(text: &mut Sections, page: &Page) {
    let Some(it) = &page.efficiency else { return };
    text.title("Efficiency of threads, in per cent (definitions of the POP project)");
    text.line(&format!(
        "{:>10}  load balance: mean by longest time of computation",
        per_cent(it.load_balance)
    ));
    text.line(&format!(
        "{:>10}  communication: longest time of computation by length",
        per_cent(it.communication)
    ));
    if it.processes.is_none() {
        network(text, it);
    }
    text.line(&format!("{:>10}  parallel efficiency, the product", per_cent(it.parallel)));
    if let Some(processes) = &it.processes {
        let row = |part, meaning| format!("{:>10}  {meaning}", per_cent(part));
        text.line(&row(processes.load_balance, "load balance of processes, by time outside communication"));
        text.line(&row(processes.communication, "communication of processes: longest such time by length"));
        network(text, it);
        text.line(&row(processes.thread_load_balance, "load balance of threads"));
        text.line(&row(processes.thread_communication, "efficiency of threads beside it"));
    }
    if let Some(regions) = &it.regions {
        regions_efficiency(text, regions);
    }
    if let Some(slowest) = &it.slowest {
        text.line(&format!("{:>10}  on {}", time(slowest.time_ns as f64), shortened(&slowest.name, 60)));
    }
}

fn regions(text: &mut Sections, page: &Page) {
    if page.regions.is_empty() {
        return;
    }
    // With the time in no call, if it is known, as in `kymo profile`.
    let all: u128 = page.classes.iter().map(|row| row.exclusive_ns).sum();
    let row = |row: &RegionRow| {
        let exclusive = row.exclusive_ns as f64;
        let events = 2 * row.visits + row.samples;
        format!(
            "{:>10} {:>6} {:>10} {:>15}  {}",
            time(exclusive),
            part(exclusive, all as f64),
            time(row.inclusive_ns as f64),
            number(events),
            shortened(&row.region, 32),
        )
    };
    let heading = " exclusive      %  inclusive          events  region";
    text.title("Regions by time");
    text.table(heading, &page.regions, row);
    if let Some(outside) = page.classes.iter().find(|it| it.class == OUTSIDE) {
        let outside = outside.exclusive_ns as f64;
        let share = part(outside, all as f64);
        text.line(&format!("{:>10} {share:>6} {:>26}  ({OUTSIDE})", time(outside), ""));
    }
    let mut by_events: Vec<_> = page.regions.iter().collect();
    by_events.sort_by_key(|row| std::cmp::Reverse(2 * row.visits + row.samples));
    text.title("Regions by number of events");
    text.table(heading, &by_events, |it| row(it));
}

fn filter(text: &mut Sections, page: &Page) {
    if page.filter.is_empty() {
        return;
    }
    let saved = part(page.filter.events as f64, page.trace.events as f64);
    let regions = match page.filter.len() {
        1 => "1 region".to_owned(),
        several => format!("{several} regions"),
    };
    text.line(&format!("  '--write-filter FILE' writes a filter of {regions} with {saved} % of the events"));
}

fn imbalance(text: &mut Sections, page: &Page) {
    if page.imbalance.is_empty() {
        return;
    }
    text.title("Imbalance: what all locations would wait for the slowest in a region");
    text.table_of_lines(
        "      idle       mean    longest  region, and locations that stand out",
        &page.imbalance,
        |row| {
            let mut lines = vec![format!(
                "{:>10} {:>10} {:>10}  {}",
                time(row.idle_ns as f64),
                time(row.mean_ns),
                time(row.longest_ns as f64),
                shortened(&row.region, 46),
            )];
            lines.extend(
                row.outliers.iter().map(|it| {
                    format!("{:>34}{:>10} {}", "", time(it.time_ns as f64), shortened(&it.name, 34))
                }),
            );
            lines
        },
    );
}

fn messages(text: &mut Sections, page: &Page) {
    let it = &page.messages;
    let odd = [
        ("sends without a receive", it.unmatched_sends),
        ("receives without a send", it.unmatched_receives),
        ("sides that differ in length", it.different_lengths),
        ("received before they were sent", it.received_before_sent),
        ("partners that are not known", it.unknown_partners),
    ];
    if it.count == 0 && odd.iter().all(|(_, count)| *count == 0) {
        return;
    }
    let mean = if it.count > 0 { it.transit_ns as f64 / it.count as f64 } else { 0.0 };
    text.title(&format!(
        "Messages: {}, {}, mean time under way {}",
        number(it.count),
        bytes(it.bytes as f64),
        time(mean),
    ));
    for (what, count) in odd.into_iter().filter(|(_, count)| *count > 0) {
        text.line(&format!("{:>15}  {what}", number(count)));
    }
    text.table("       messages      bytes  length", &it.sizes, |row| {
        let below = row.below.map_or_else(|| "2^64 B".to_owned(), |below| bytes(below as f64));
        let range =
            if row.from == 0 { "0 B".to_owned() } else { format!("{} to {below}", bytes(row.from as f64)) };
        format!("{:>15} {:>10}  {range}", number(row.count), bytes(row.bytes as f64))
    });
    text.table("       messages      bytes  from -> to", &it.pairs, |row| {
        let names = [&row.source_name, &row.destination_name].map(|name| shortened(name, 24));
        format!("{:>15} {:>10}  {} -> {}", number(row.count), bytes(row.bytes as f64), names[0], names[1])
    });
}

fn collectives(text: &mut Sections, page: &Page) {
    if page.collectives.is_empty() {
        return;
    }
    text.title("Collective operations, with the time and the bytes of all members");
    text.table("      time    operations       sent   received  operation", &page.collectives, |row| {
        let missing = match (row.operations, row.incomplete) {
            (0, _) => format!(" (calls: {})", number(row.parts)),
            (_, 0) => String::new(),
            (_, count) => format!(" (members missing: {})", number(count)),
        };
        format!(
            "{:>10} {:>13} {:>10} {:>10}  {}{missing}",
            time(row.time_ns as f64),
            number(row.operations),
            bytes(row.bytes_sent as f64),
            bytes(row.bytes_received as f64),
            row.operation,
        )
    });
}

fn waits(text: &mut Sections, page: &Page) {
    if page.waits.is_empty() {
        return;
    }
    text.title("Waiting for others");
    text.table(
        "      time       waits    longest  reason, region, location of the longest",
        &page.waits,
        |row| {
            let room = (80 - 39 - row.reason.len()) / 2;
            format!(
                "{:>10} {:>11} {:>10}  {}, {}, {}",
                time(row.time_ns as f64),
                number(row.count),
                time(row.longest.time_ns as f64),
                row.reason,
                shortened(&row.region, room.min(15)),
                shortened(&row.longest.name, room.min(15)),
            )
        },
    );
    text.table("    waited     caused  location", &waits_of_locations(page), |(name, waited, caused)| {
        format!("{:>10} {:>10}  {}", time(*waited as f64), time(*caused as f64), shortened(name, 56))
    });
    let it = &page.wait_facts;
    let parts = [
        ("late receivers of messages that may have been buffered", it.doubtful_ns),
        ("late senders, while a message of the same sender could be received", it.wrong_order_same_ns),
        ("late senders, while a message of another sender could be received", it.wrong_order_different_ns),
        ("early waits, after the last access: an origin completed them late", it.late_complete_ns),
        ("fences, until the last access was complete", it.early_fence_ns),
    ];
    for (what, part) in parts.into_iter().filter(|(_, part)| *part > 0) {
        text.line(&format!("{:>10}  {what}", time(part as f64)));
    }
    let counts = [
        ("waits cut at the end of their calls, as the cause came later", it.clipped),
        ("collective operations, epochs and barriers whose waits are not known", it.incomplete),
    ];
    for (what, count) in counts.into_iter().filter(|(_, count)| *count > 0) {
        text.line(&format!("{:>10}  {what}", number(count)));
    }
}

/// Returns the names of locations, how long they waited, and how long others waited for them; first
/// those for which others waited most.
fn waits_of_locations(page: &Page) -> Vec<(&str, u128, u128)> {
    let mut sums = BTreeMap::<_, (&str, u128, u128)>::new();
    for row in &page.waits_by_location {
        let (_, waited, caused) = sums.entry(row.location).or_insert((&row.name, 0, 0));
        *waited += row.time_ns;
        *caused += row.caused_ns;
    }
    let mut rows: Vec<_> = sums.into_values().collect();
    rows.sort_by_key(|(_, waited, caused)| Reverse((*caused, *waited)));
    rows
}

fn files(text: &mut Sections, page: &Page) {
    if page.files.is_empty() {
        return;
    }
    text.title("Input and output by file");
    let rate = |it: &TransferFacts| {
        it.bytes_per_second.map_or_else(String::new, |rate| format!("{}/s", bytes(rate)))
    };
    text.table("      read          at    written          at  file (interface)", &page.files, |row| {
        let open = match row.incomplete {
            0 => String::new(),
            count => format!(", incomplete: {}", number(count)),
        };
        format!(
            "{:>10} {:>11} {:>10} {:>11}  {} ({}{open})",
            bytes(row.reads.bytes as f64),
            rate(&row.reads),
            bytes(row.writes.bytes as f64),
            rate(&row.writes),
            shortened(&row.file, 19),
            shortened(&row.paradigm, 10),
        )
    });
}

fn windows(text: &mut Sections, page: &Page) {
    if page.windows.is_empty() {
        return;
    }
    text.title("One-sided communication by window");
    text.table("       put bytes         got bytes    atomics  window", &page.windows, |row| {
        format!(
            "{:>7} {:>8} {:>8} {:>8} {:>10}  {}",
            number(row.puts),
            bytes(row.bytes_put as f64),
            number(row.gets),
            bytes(row.bytes_got as f64),
            number(row.atomics),
            shortened(&row.window, 30),
        )
    });
}

fn metrics(text: &mut Sections, page: &Page) {
    if page.metrics.is_empty() {
        return;
    }
    text.title("Metrics");
    text.table(
        "      values     lowest    highest      total  metric, location of the highest",
        &page.metrics,
        |row| {
            let value = |value: f64| if row.is_memory { bytes(value) } else { scientific(value) };
            let name = match row.unit.as_str() {
                "" => row.metric.clone(),
                unit => format!("{} ({unit})", row.metric),
            };
            format!(
                "{:>12} {:>10} {:>10} {:>10}  {}, {}",
                number(row.values),
                value(row.lowest),
                value(row.highest),
                row.count.map(value).unwrap_or_default(),
                shortened(&name, 20),
                shortened(&row.highest_name, 10),
            )
        },
    );
}

/// Returns a number in at most 10 characters.
fn scientific(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 1e9 { format!("{value}") } else { format!("{value:.3e}") }
}

fn kinds(text: &mut Sections, page: &Page) {
    if page.events.is_empty() {
        return;
    }
    text.title("Events other than enters and leaves");
    text.table("         events  kind", &page.events, |row| {
        format!("{:>15}  {}", number(row.count), row.event)
    });
}

fn check(text: &mut Sections, page: &Page) {
    let Some(check) = &page.check else { return };
    let count = |what: &str| check.get(what).and_then(Value::as_u64).unwrap_or(0);
    let (errors, warnings, notes) = (count("errors"), count("warnings"), count("notes"));
    text.title(&format!(
        "Check: {} errors, {} warnings, {} notes; 'kymo check' prints them",
        number(errors),
        number(warnings),
        number(notes),
    ));
    for (kind, count) in check.get("kinds").and_then(Value::as_object).into_iter().flatten() {
        text.line(&format!("{:>15}  {kind}", number(count.as_u64().unwrap_or(0))));
    }
}
