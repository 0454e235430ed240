//! The files of killed processes when the next program is recorded, and processes that leave
//! nothing.

use std::fs;
use std::io::Read;
use std::path::PathBuf;
use std::process::Command;

use crate::record_common::{TestFolder, WITHOUT_SAMPLES};

fn signal(signal: &str, process: u32) {
    let sent = Command::new("kill").args([signal, &process.to_string()]).status().expect("kill");
    assert!(sent.success());
}

/// Waits for the end of a process.
fn is_gone(process: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    stat.rsplit(')')
        .next()
        .unwrap_or_default()
        .trim_start()
        .split(' ')
        .next()
        .is_none_or(|it| it.is_empty() || it == "Z" || it == "X")
}

/// Returns the scratch files.
fn scratch(folder: &TestFolder) -> Vec<PathBuf> {
    let names = folder.names("").into_iter().filter(|name| name.ends_with(".scratch"));
    names.map(|name| folder.path(&name)).collect()
}

/// Records a program; returns the lines about the files of others.
#[track_caller]
fn said(folder: &TestFolder, output: &str) -> Vec<String> {
    let ended = folder.run(&[&WITHOUT_SAMPLES[..], &["-o", output]].concat(), &["true"]);
    assert_eq!(ended.status, Some(0), "{ended:?}");
    let messages = ended.messages();
    messages.into_iter().filter(|line| line.contains(".scratch")).map(str::to_owned).collect()
}

/// 45 files with 200 MB stayed in shared memory without a word. Files that can be recovered are
/// named, others are removed, and those of a running `kymo record` are left to it.
#[test]
fn the_next_run_names_what_killed_processes_left() {
    let folder = TestFolder::new();
    let program = "echo $$; while :; do sleep 1; done";
    let options = [&WITHOUT_SAMPLES[..], &["-o", "first"]].concat();
    let mut first = folder.kymo(&options, &["sh", "-c", program]).start();
    let mut line = [0; 1];
    let mut number = String::new();
    let stdout = first.0.stdout.as_mut().expect("the output");
    while stdout.read(&mut line).expect("a byte") == 1 && line != [b'\n'] {
        number.push(line[0].into());
    }
    let process: u32 = number.parse().expect("a process");
    let [file] = &scratch(&folder)[..] else { panic!("one scratch file") };

    // Its `kymo record` lives, and would make an archive of it.
    signal("-STOP", first.0.id());
    signal("-KILL", process);
    while !is_gone(process) {
        std::thread::yield_now();
    }
    assert_eq!(said(&folder, "second"), [""; 0]);
    first.0.kill().expect("a process");
    first.end();

    // Only the head: its process recorded nothing. The other has the number of a living process.
    let name = file.file_name().and_then(|name| name.to_str()).expect("a name");
    let user = name.split('-').nth(1).expect("a user");
    let page = rustix::param::page_size();
    let head = fs::read(file).expect("the file")[..page].to_owned();
    let useless = folder.path(&format!("kymo-{user}-4194305-1.scratch"));
    fs::write(&useless, &head).expect("a file");
    let stat = fs::read_to_string("/proc/self/stat").expect("this process");
    let started = stat.rsplit(')').next().and_then(|rest| rest.split_whitespace().nth(19)).expect("a time");
    let started: u64 = started.parse().expect("a number");
    let living = folder.path(&format!("kymo-{user}-{}-{started:x}.scratch", std::process::id()));
    fs::write(&living, &head).expect("a file");
    // Just created, by a process that has not filled it yet or ended before.
    let blank = folder.path(&format!("kymo-{user}-4194305-2.scratch"));
    fs::write(&blank, [0; 64]).expect("a file");

    let [said_now] = &said(&folder, "third")[..] else { panic!("one line") };
    let run = folder.path("first").canonicalize().expect("the folder");
    assert!(said_now.contains(&format!("{name} (")), "{said_now}");
    let advice = format!("kymo recover --clean {}; to remove it: rm ", run.display());
    assert!(said_now.contains(&advice), "{said_now}");
    assert_eq!([file, &useless, &living, &blank].map(|path| path.exists()), [true, false, true, true]);

    let mut recover = Command::new(env!("CARGO_BIN_EXE_kymo"));
    recover.args(["recover", "--clean", "first"]).current_dir(folder.path(""));
    recover.env("SCOREP_SUBSTRATE_KYMO_SCRATCH", folder.path(""));
    let output = recover.output().expect("kymo recover");
    assert!(output.status.success(), "{output:?}");
    let hours_ago = std::time::SystemTime::now() - std::time::Duration::from_secs(7200);
    fs::File::options().write(true).open(&blank).and_then(|it| it.set_modified(hours_ago)).expect("a time");
    assert_eq!(said(&folder, "fourth"), [""; 0]);
    assert_eq!([file, &living, &blank].map(|path| path.exists()), [false, true, false]);
}

/// Each process of another user said in two lines that an experiment directory could not be
/// created.
#[test]
fn a_process_that_may_not_write_is_named_in_one_line() {
    let folder = TestFolder::new();
    let program = folder.compile("cc", &[], "other_user.c");
    // The other user may not write into the folder of this test either.
    let kymo = folder.kymo(&["--with", "io", "-o", "o"], &[&program]);
    let ended = kymo.with(&[("SCOREP_SUBSTRATE_KYMO_SCRATCH", "none")]).end();
    assert_eq!((ended.status, ended.stdout.as_str()), (Some(0), "hello\n"), "{ended:?}");
    let messages = ended.messages();
    let about = messages.iter().filter(|line| line.contains("echo") || line.contains("director"));
    let all = folder.path("o").canonicalize().expect("the folder");
    let user = rustix::process::geteuid().as_raw();
    let user = if user == 0 { 65534 } else { user };
    let expected = format!("echo is not recorded: user {user} may not write into {}", all.display());
    assert_eq!(about.collect::<Vec<_>>(), [&expected], "{ended:?}");
}
