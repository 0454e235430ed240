//! The comparison as tables of 80 columns.

use super::page::{Column, Metrics, Mode, ScalingPage};
use crate::escape;
use crate::number::{shortened, time};

/// The number of columns of the text.
const WIDTH: usize = 80;
/// The widths of the names of metrics, and of a run.
const NAME: usize = 26;
const CELL: usize = 10;

type Ratio = fn(&Metrics) -> Option<f64>;

/// The metrics, in the order in which they are divided into others.
const METRICS: [(&str, Ratio); 10] = [
    ("global efficiency", |it| it.global_ratio),
    ("  parallel efficiency", |it| it.parallel_ratio),
    ("    load balance", |it| it.load_balance_ratio),
    ("    communication", |it| it.communication_ratio),
    ("      serialisation", |it| it.serialisation_ratio),
    ("      transfer", |it| it.transfer_ratio),
    ("  computation scaling", |it| it.computation_ratio),
    ("    instruction scaling", |it| it.instruction_ratio),
    ("    IPC scaling", |it| it.ipc_ratio),
    ("    frequency scaling", |it| it.frequency_ratio),
];

/// Returns the text.
pub(super) fn write(page: &ScalingPage) -> String {
    let mut text = String::new();
    let kind = match page.mode {
        Mode::Strong => "Strong scaling: all runs do the same work.",
        Mode::Weak => "Weak scaling: the work grows with the threads.",
    };
    line(&mut text, kind);
    // As many runs as fit stand side by side.
    for columns in page.columns.chunks((WIDTH - NAME) / CELL) {
        text.push('\n');
        table(&mut text, columns);
    }
    line(&mut text, "");
    line(&mut text, "* the lowest metric of a run, of those that are not products of others");
    sentence(&mut text, page);
    loss(&mut text, page);
    text
}

fn line(text: &mut String, line: &str) {
    text.push_str(&escape::line(line.trim_end()));
    text.push('\n');
}

fn row(text: &mut String, name: &str, columns: &[Column], cell: impl Fn(&Column) -> String) {
    let cells: String = columns.iter().map(|column| format!("{:>CELL$}", cell(column))).collect();
    line(text, &format!("{name:<NAME$}{cells}"));
}

fn table(text: &mut String, columns: &[Column]) {
    row(text, "threads", columns, |it| it.threads.to_string());
    if columns.iter().any(|it| it.processes != it.threads) {
        row(text, "processes", columns, |it| it.processes.to_string());
    }
    if columns.iter().any(|it| it.runs.len() > 1) {
        row(text, "runs", columns, |it| it.runs.len().to_string());
    }
    row(text, "length", columns, |it| time(it.length_ns));
    if columns.iter().any(|it| it.length_error_ns.is_some()) {
        row(text, "  standard error", columns, |it| it.length_error_ns.map_or_else(none, time));
    }
    row(text, "speedup", columns, |it| format!("{:.2}", it.speedup));
    for (name, ratio) in METRICS {
        if columns.iter().any(|it| ratio(&it.metrics).is_some()) {
            row(text, name, columns, |it| {
                let mark = if it.weakest == Some(name.trim_start()) { "*" } else { "" };
                ratio(&it.metrics).map_or_else(none, |ratio| format!("{mark}{}", per_cent(ratio)))
            });
        }
    }
}

fn none() -> String {
    "-".to_owned()
}

fn per_cent(ratio: f64) -> String {
    format!("{:.1} %", 100.0 * ratio)
}

fn sentence(text: &mut String, page: &ScalingPage) {
    let threads = |column: Option<&Column>| column.map_or(0, |it| it.threads);
    let (first, last) = (threads(page.columns.first()), threads(page.columns.last()));
    line(text, "");
    line(
        text,
        &match &page.largest_loss {
            Some(it) => format!(
                "From {first} to {last} threads, {} lost most: {} instead of {}.",
                it.metric,
                per_cent(it.to_ratio),
                per_cent(it.from_ratio),
            ),
            None => format!("From {first} to {last} threads, no metric lost more than 1 %."),
        },
    );
}

fn loss(text: &mut String, page: &ScalingPage) {
    let [.., before, after] = &page.columns[..] else { return };
    if page.loss.is_empty() {
        return;
    }
    line(text, "");
    line(
        text,
        &format!(
            "What takes more time from {} to {} threads, as a part of the time of all threads",
            before.threads, after.threads,
        ),
    );
    for it in &page.loss {
        let what = format!("{}, {}", it.class, it.path.join(";"));
        line(text, &format!("{:>9}  {}", per_cent(it.loss_ratio), shortened(&what, WIDTH - 11)));
    }
    if page.loss_left_out > 0 {
        line(text, &format!("           {} more; '-n 0' prints all", page.loss_left_out));
    }
}
