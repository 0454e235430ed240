//! Runs commands in one shell, and compares their output with that on a page.

use std::process::Command;

/// The output of a command on both streams, and its exit status.
#[derive(Debug)]
pub(super) struct Output {
    pub(super) text: String,
    pub(super) status: i32,
}

/// Separates the outputs of commands. No command prints it.
const MARK: &str = "\u{1}end of the command:";

/// Runs commands in a shell. Fewer outputs than commands mean that the shell ended.
pub(super) fn of_commands(commands: &[&str], mut shell: Command) -> Vec<Output> {
    let script: String =
        commands.iter().map(|command| format!("{command}\nprintf '%s%s\\n' '{MARK}' $?\n")).collect();
    let output = shell.args(["-c", &format!("exec 2>&1 </dev/null\n{script}")]).output().expect("bash");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut outputs = Vec::new();
    let mut rest = text.as_str();
    while let Some((printed, after)) = rest.split_once(MARK) {
        let (status, after) = after.split_once('\n').unwrap_or((after, ""));
        outputs.push(Output { text: printed.to_owned(), status: status.parse().expect("a status") });
        rest = after;
    }
    outputs
}

/// Returns whether an output has all these lines in this order, but for numbers and blanks.
pub(super) fn contains(output: &str, shown: &[String]) -> bool {
    let mut lines = output.lines().map(words);
    shown.iter().map(|line| words(line)).filter(|line| !line.is_empty()).all(|expected| {
        lines.any(|line| match expected.split_last() {
            Some((last, start)) if last == "…" => line.starts_with(start),
            _ => line == expected,
        })
    })
}

/// Units, which depend on the size of the number before them.
const UNITS: [&str; 9] = ["%", "ns", "us", "ms", "s", "B", "KiB", "MiB", "GiB"];

/// Returns the words of a line. Numbers are `#`, whatever their unit.
fn words(line: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in line.split_whitespace() {
        let is_unit = UNITS.contains(&word.trim_end_matches([',', ':']));
        if is_unit && words.last().is_some_and(|last| last == "#") {
            continue;
        }
        words.push(without_numbers(word));
    }
    words
}

/// Replaces each number in a word, with its decimals, by `#`.
fn without_numbers(word: &str) -> String {
    let is_sign = word.len() > 1
        && word.starts_with(['+', '-'])
        && word[1..].starts_with(|it: char| it.is_ascii_digit());
    let mut text = String::new();
    for letter in word[usize::from(is_sign)..].chars() {
        let continues = text.ends_with('#') && ['.', ','].contains(&letter);
        match letter.is_ascii_digit() || continues {
            true if text.ends_with('#') => {}
            true => text.push('#'),
            false => text.push(letter),
        }
    }
    text
}

#[test]
fn numbers_and_blanks_may_differ_and_words_may_not() {
    let shown = |lines: &[&str]| lines.iter().map(|&line| line.to_owned()).collect::<Vec<_>>();
    let output =
        "begin\n  1.5 ms  99.00   main\n  12.1 us  0.1  relax_row\nkymo: recorded a-2: 3 processes\n";
    assert!(contains(output, &shown(&["12 s 1 main", "", "kymo: recorded a-1: …"])));
    assert!(contains(output, &shown(&["begin"])) && contains(output, &[]));
    assert!(!contains(output, &shown(&["12 s 1 main", "begin"])));
    assert!(!contains(output, &shown(&["12 s 1 mean"])));
    assert!(!contains(output, &shown(&["kymo: recorded b-1: …"])));
    assert_eq!(words("+303.9 us -4 % x-1, 1,376"), ["#", "#", "x-#", "#"]);
}

#[test]
fn each_command_has_its_output_and_status() {
    let outputs =
        of_commands(&["a=5; echo one >&2", "(exit $a)", "exit 0", "echo never"], Command::new("bash"));
    let seen: Vec<_> = outputs.iter().map(|it| (it.text.as_str(), it.status)).collect();
    assert_eq!(seen, [("one\n", 0), ("", 5)]);
}
