//! File systems with little room for scratch files: those of containers have 64 MiB or less for all
//! processes.
//!
//! Each is a `tmpfs` that only the test process sees, which requires root; otherwise the tests
//! report that they are skipped.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use kymo_plugin_tests::testing::{Conditions, Mounts, Program, TemporaryFolder, build_plugin, build_program};

/// Runs a shell script in which `$SMALL` is a file system of this size. `$REPLAY` plays the
/// recording `threads` `$REPEAT` times into `$FOLDER/out`, and `$KYMO` is the command.
fn run_on_small(size: &str, folder: &Path, repeat: u32, script: &str) -> Output {
    let small = folder.join("small");
    std::fs::create_dir_all(&small).expect("a folder");
    let recording = kymo_testdata::own("scorep-recordings/threads");
    let mount = format!("mount -t tmpfs -o size={size} none \"$SMALL\" && {{ {script}\n}}");
    let mut command = Command::new("unshare");
    command.args(["-m", "sh", "-c", &mount]).env("SMALL", &small).env("FOLDER", folder);
    command.env("REPLAY", env!("CARGO_BIN_EXE_kymo-replay")).env("REPEAT", repeat.to_string());
    command.env("RECORDING", recording).env("KYMO", build_program("kymo"));
    command.env("SCOREP_SUBSTRATE_PLUGINS", "kymo").env("SCOREP_SUBSTRATE_KYMO_SCRATCH", &small);
    command.env("LD_LIBRARY_PATH", build_plugin("kymo-plugin").parent().expect("a folder"));
    command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

/// Returns the number of events of a replay: the first and the last two of the program are played
/// once.
fn events(repeat: u64) -> u64 {
    974 * repeat - 4 * (repeat - 1)
}

/// Nothing was recorded at 64 KiB; at 256 KiB, locations waited forever while the host held a lock.
#[test]
fn a_small_file_system_does_not_block_the_program() {
    let Some(_mounts) = Mounts::new() else { return };
    for size in ["64k", "256k", "1200k", "1600k", "3m"] {
        let folder = TemporaryFolder::new("small");
        let script = r#"timeout 120 "$REPLAY" --repeat "$REPEAT" "$RECORDING" "$FOLDER/out" || exit 1; ls "$SMALL"; "$KYMO" check "$FOLDER/out/kymo/traces.otf2" | tail -n 1"#;
        let output = run_on_small(size, &folder, 150, script);
        let [stdout, stderr] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
        assert!(output.status.success(), "{size}: {}\n{stderr}", output.status);
        let expected = format!("; {} events of 8 locations\n", events(150));
        assert!(stdout.contains("no errors") && stdout.ends_with(&expected), "{size}: {stdout}");
        assert!(stdout.lines().count() == 1, "{size}: left over: {stdout}");
        // Whether the file has to grow depends on how fast the recorder's thread writes. The next
        // test makes it grow.
        let is_right = match size {
            "64k" | "256k" => stderr.contains("no scratch file in"),
            _ => stderr.is_empty() || stderr.contains("could not grow"),
        };
        assert!(is_right && stderr.lines().count() <= 1, "{size}: {stderr}");
    }
}

/// Events that were only in the memory of the process are lost with it. Later events in the scratch
/// file must not be taken for their continuation.
#[test]
fn a_scratch_file_that_could_not_grow_is_recovered_up_to_its_first_gap() {
    let Some(_mounts) = Mounts::new() else { return };
    let folder = TemporaryFolder::new("small-killed");
    // On one processor the threads record faster than the recorder's thread writes, so that the
    // scratch file must grow. The replay is killed once the file has counted events that are not in
    // it (`Head::elsewhere`).
    let script = r#"
        one=$(taskset -pc $$ | sed 's/.*: //; s/[,-].*//')
        taskset -c "$one" "$REPLAY" --repeat "$REPEAT" --progress "$FOLDER/progress" "$RECORDING" "$FOLDER/out" &
        child=$!
        looks=0
        number() { od -An -t "u$1" -j "$2" -N "$1" "$3" 2>/dev/null | tr -d ' '; }
        # The file is empty at first, which is no number.
        until [ "$(number 8 0 "$FOLDER/progress")" -ge 100000 ] 2>/dev/null &&
            [ "$(number 4 44 "$SMALL"/kymo-*.scratch)" -gt 0 ] 2>/dev/null; do
            looks=$((looks + 1))
            [ $looks -lt 12000 ] || break
            sleep 0.01
        done
        kill -9 $child
        wait $child
        "$KYMO" recover "$FOLDER/out" -o "$FOLDER/recovered" --scratch "$SMALL"
        [ $? -eq 3 ] || exit 1
        "$KYMO" check "$FOLDER/recovered/traces.otf2" | tail -n 1"#;
    let output = run_on_small("1200k", &folder, 100_000_000, script);
    let [stdout, stderr] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    assert!(output.status.success(), "{}\n{stderr}\n{stdout}", output.status);
    assert!(stderr.contains("could not grow"), "{stderr}");
    let last = stdout.lines().last().unwrap_or_default();
    let events = last.rsplit_once("; ").and_then(|(_, rest)| rest.split(' ').next()?.parse::<u64>().ok());
    // Full pieces are written immediately.
    assert!(last.contains("no errors") && events.is_some_and(|events| events > 20_000), "{stdout}");
}

/// The number of rounds in the following tests: 1.4 MiB of event files.
const TIMES: u64 = 100;

/// Runs a test with the replay of `threads` and its expected result.
fn with_replay<T>(test: impl Fn(&Program<'_>) -> T) -> T {
    let replay = |_: &Path, out: &Path| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kymo-replay"));
        command.args(["--repeat", &TIMES.to_string(), "--patience", "120"]);
        command.arg(kymo_testdata::own("scorep-recordings/threads")).arg(out);
        command.env("SCOREP_SUBSTRATE_PLUGINS", "kymo");
        command.env("LD_LIBRARY_PATH", build_plugin("kymo-plugin").parent().expect("a folder"));
        command
    };
    test(&Program {
        command: &replay,
        status: 0,
        stdout: "",
        events: events(TIMES),
        needs_archive: false,
        // Without room for a single byte, the files of a process without scratch file have no end.
        findings: &["missing-end"],
    })
}

/// Runs the replay; returns the output on standard error, which must be short.
fn run_at(conditions: &Conditions<'_>) -> String {
    let stderr = with_replay(|program| program.run_at(conditions)).unwrap_or_else(|what| panic!("{what}"));
    assert!(stderr.lines().count() <= 6, "{conditions:?}: {stderr}");
    stderr
}

/// Creates a subfolder.
fn subfolder(folder: &Path, name: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::create_dir_all(&path).expect("a folder");
    path
}

#[test]
fn a_disk_with_little_room() {
    let folder = TemporaryFolder::new("disk");
    let Some(mounts) = Mounts::new() else { return };
    for size in ["4k", "64k", "256k", "1m", "64m"] {
        for setting in [None, Some(Path::new("none"))] {
            let name = format!("{size}-{}", setting.is_some());
            let (disk, scratch) = (folder.join(format!("disk-{name}")), subfolder(&folder, &name));
            mounts.mount("tmpfs", &format!("size={size}"), &disk);
            let scratch = &*scratch;
            let stderr = run_at(&Conditions {
                scratch: setting.or(Some(scratch)),
                ..Conditions::new(&disk, &[scratch])
            });
            assert_eq!(stderr.is_empty(), size == "64m", "{size}: {stderr}");
            // One line states that the disk is full, and the numbers of kept and lost events.
            let lines = stderr.lines().filter(|line| line.starts_with("kymo: the disk is full: ")).count();
            assert!(size == "4k" || lines == usize::from(size != "64m"), "{size}: {stderr}");
            // With a scratch file nothing is lost.
            assert!(setting.is_some() || !stderr.contains("lost"), "{size}: {stderr}");
        }
    }
}

/// The host has its folder and its manifest; the plugin can create none, one, or a few files.
#[test]
fn a_disk_without_names() {
    let folder = TemporaryFolder::new("names");
    let Some(mounts) = Mounts::new() else { return };
    for files in 4..10 {
        let (disk, scratch) = (folder.join(format!("disk-{files}")), subfolder(&folder, &files.to_string()));
        mounts.mount("tmpfs", &format!("size=8m,nr_inodes={files}"), &disk);
        let stderr = run_at(&Conditions { scratch: Some(&scratch), ..Conditions::new(&disk, &[&scratch]) });
        let what = if files == 4 { "nothing will be recorded" } else { "`kymo recover`" };
        assert!(stderr.contains(what) && !stderr.contains("lost"), "{files}: {stderr}");
    }
}

/// Runs the replay without a setting for the scratch file.
fn run_without_setting(folder: &Path, temporary: &Path) -> String {
    let parent = subfolder(folder, "results");
    let scratch_folders = [Path::new("/dev/shm"), temporary];
    run_at(&Conditions { temporary: Some(temporary), ..Conditions::new(&parent, &scratch_folders) })
}

/// Without a setting, the scratch file is in `$TMPDIR` in these cases, or there is none, which is
/// reported.
#[test]
fn shared_memory_that_is_small_full_or_read_only() {
    let Some(mounts) = Mounts::new() else { return };
    for options in ["size=64k", "size=2m", "size=1m,nr_inodes=1", "size=8m,ro", "size=64m"] {
        for has_other in [true, false] {
            let folder = TemporaryFolder::new("shm");
            mounts.mount("tmpfs", options, Path::new("/dev/shm"));
            let other = subfolder(&folder, "tmp");
            let temporary = if has_other { &*other } else { Path::new("/nowhere") };
            let stderr = run_without_setting(&folder, temporary);
            let lines = usize::from(!has_other && !options.starts_with("size=2m") && options != "size=64m");
            assert!(
                options == "size=2m" || stderr.lines().count() == lines,
                "{options}, {has_other}: {stderr}"
            );
        }
    }
}

#[test]
fn shared_memory_that_is_missing() {
    let folder = TemporaryFolder::new("no-shm");
    let Some(mounts) = Mounts::new() else { return };
    let dev = folder.join("dev");
    mounts.mount("tmpfs", "size=1m", &dev);
    for file in ["null", "zero", "urandom", "random"] {
        std::fs::write(dev.join(file), "").expect("a file");
        mounts.bind(&Path::new("/dev").join(file), &dev.join(file));
    }
    mounts.bind(&dev, Path::new("/dev"));
    let other = subfolder(&folder, "tmp");
    let stderr = run_without_setting(&folder, &other);
    assert_eq!(stderr, "");
    let stderr = run_without_setting(&TemporaryFolder::new("no-shm"), Path::new("/nowhere"));
    assert!(stderr.contains("no scratch file in /dev/shm") && stderr.lines().count() == 1, "{stderr}");
}

/// Message queues are files that can be created and grown, but not mapped; `ramfs` guarantees no
/// room; the kernel's own file systems accept no files.
#[test]
fn file_systems_that_cannot_hold_a_scratch_file() {
    let folder = TemporaryFolder::new("unmapped");
    let Some(mounts) = Mounts::new() else { return };
    let mut mounted = 0;
    for kind in ["mqueue", "ramfs", "proc", "sysfs", "hugetlbfs"] {
        let (place, results) = (folder.join(kind), subfolder(&folder, &format!("results-{kind}")));
        if !mounts.try_mount(kind, "rw", &place) {
            eprintln!("SKIPPED: no file system {kind} here");
            continue;
        }
        mounted += 1;
        // Those of the kernel are never empty.
        let scratch_folders: &[&Path] = if ["proc", "sysfs"].contains(&kind) { &[] } else { &[&place] };
        let stderr =
            run_at(&Conditions { scratch: Some(&place), ..Conditions::new(&results, scratch_folders) });
        assert!(stderr.contains("no scratch file in") && stderr.lines().count() == 1, "{kind}: {stderr}");
    }
    // Every kernel has these two.
    assert!(mounted >= 2, "only {mounted} kinds of file systems");
}
