//! otf2-print with every option and every archive.

use super::{Answer, archives, with_ours};
use kymo_testdata::is_installed;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

const OPTIONS: &[&[&str]] = &[
    &["-A"],
    &["--time", "100", "100000"],
    &[],
    &["-G"],
    &["-I"],
    &["-T"],
    &["-M"],
    &["-C"],
    &["--timestamps=offset"],
    &["-A", "--timestamps=plain"],
    &["-L", "0"],
    &["-L", "1"],
    &["-L", "4294967296"],
    &["-s", "7"],
    &["--silent"],
    &["--unwind-calling-context"],
    &["-Werror"],
    &["-d"],
];

/// Returns the output of otf2-print without the values of properties that it does not know: it
/// prints all eight bytes of them, of which the library sets as many as the type has.
fn comparable(answer: Answer) -> Answer {
    let mut parts = answer.output.split("TYPE MISMATCH <").flat_map(|it| it.split("PROPERTY <"));
    let first = parts.next().unwrap_or_default().to_owned();
    let output = parts.fold(first, |all, part| {
        all + "UNKNOWN <" + part.trim_start_matches(|digit: char| digit.is_ascii_digit())
    });
    Answer { output, ..answer }
}

/// Returns the options to try with an archive: all records, and one in twelve of the others, which
/// differ between archives; with `KYMO_LONG=1`, all. Large archives are printed once or twice.
fn options(number: usize, anchor: &Path) -> impl Iterator<Item = &'static [&'static str]> {
    let bytes: usize = kymo_testdata::files(anchor.parent().expect("a folder")).values().map(Vec::len).sum();
    let all = if bytes < 200_000 { OPTIONS } else { &OPTIONS[..2] };
    let share = if kymo_testdata::is_long() { 1 } else { 12 };
    let is_tried = move |at: usize| at == 0 || (number + at).is_multiple_of(share);
    all.iter().enumerate().filter(move |(at, _)| is_tried(*at)).map(|(_, options)| *options)
}

/// Returns a problem if the answers differ in another way than intended.
fn compare(anchor: &Path, options: &[&str]) -> Option<String> {
    let mut command = Command::new("otf2-print");
    command.args(options).arg(anchor).stdin(std::process::Stdio::null());
    let theirs = comparable(Answer::from(&mut command));
    let mut ours = comparable(Answer::from(&mut with_ours(&command)));
    // Debian's library cannot read compressed archives.
    if theirs.output.contains("==ERROR== Create new reader handle.") {
        let is_read = ours.status == 0 || ours.output.contains("OTF2-PRINT");
        return (!is_read).then(|| format!("not read: {ours:?}"));
    }
    // Both end in otf2-print itself, with the rest in the buffer of standard output.
    if theirs.status == 139 && ours.status == 139 {
        return None;
    }
    // It does not find the thumbnails that it wrote.
    if !theirs.output.contains("\nTHUMBNAIL_HEADER") {
        let kept = ours.output.lines().filter(|line| !line.starts_with("THUMBNAIL_HEADER"));
        let kept = kept.fold(String::new(), |all, line| all + line + "\n");
        let without =
            |text: &str| text.lines().filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n");
        if kept != ours.output && without(&kept) == without(&theirs.output) {
            ours.output.clone_from(&theirs.output);
        }
    }
    if theirs == ours {
        return None;
    }
    let mut problem = format!("status {} and {}", theirs.status, ours.status);
    for (theirs, ours) in theirs.output.lines().zip(ours.output.lines()).filter(|(a, b)| a != b).take(3) {
        write!(problem, "\n  libotf2 {theirs}\n  ours    {ours}").expect("a string");
    }
    Some(problem)
}

#[test]
fn otf2_print_prints_the_same_with_every_option() {
    if !is_installed("otf2-print") {
        return;
    }
    let archives = archives();
    let runs: Vec<_> = archives
        .iter()
        .enumerate()
        .flat_map(|(number, anchor)| options(number, anchor).map(move |options| (anchor, options)))
        .collect();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut problems = Vec::new();
        while let Some((anchor, options)) = runs.get(next.fetch_add(1, Ordering::Relaxed)) {
            let problem = compare(anchor, options);
            problems.extend(problem.map(|it| format!("{} {options:?}: {it}", anchor.display())));
        }
        problems
    };
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    let problems: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("a thread")).collect()
    });
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
