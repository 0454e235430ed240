//! Command lines, missing or truncated files, and readers that close the pipe.

use std::fs::{self, File};
use std::io::{Read, Write, pipe};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use kymo_otf2::definitions::{ClockOffset, ClockProperties, MappingTable};
use kymo_otf2::enums::{MappingType, ThumbnailType};
use kymo_otf2::events::Enter;
use kymo_otf2::id_map::IdMap;
use kymo_otf2::list::List;
use kymo_otf2::references::RegionRef;
use kymo_otf2::storage::Directory;
use kymo_otf2::thumbnails::{ThumbnailHeader, ThumbnailSample};
use kymo_otf2::value::Timestamp;
use kymo_otf2::write::{StoragePieces, ThumbnailWriter};
use kymo_otf2::{Anchor, FileName};

use super::archives::every_record;
use super::made::{Draft, Made, Records};
use super::programs::kymo;

fn print(arguments: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kymo"));
    command.arg("print").args(arguments.split_whitespace()).output().expect("running kymo")
}

/// Three locations with one event each.
fn small() -> Made {
    let mut draft = Draft::usual();
    for (location, region) in [(0, 0), (1, 1), (5, 2)] {
        draft.at(location).events.time(10 + location).put(&Enter { region: RegionRef(region) });
    }
    draft.make()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Returns the number of printed events.
fn events(output: &Output) -> usize {
    text(&output.stdout).lines().filter(|line| line.starts_with("ENTER ")).count()
}

#[track_caller]
fn ends(output: &Output, status: i32, message: &str) {
    let errors = text(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{errors}");
    assert!(errors.contains(message), "no `{message}` in {errors}");
}

/// An archive with enters at 10, 60 and 110 ms.
fn timed(clock: Option<ClockProperties>) -> Made {
    let mut draft = Draft::usual();
    if let Some(clock) = clock {
        draft.global.put(&clock);
    }
    let events = &mut draft.at(0).events;
    for time in [10, 60, 110] {
        events.time(time).put(&Enter { region: RegionRef(0) });
    }
    draft.make()
}

#[test]
fn a_span_of_time_in_seconds_or_parts_of_the_trace() {
    let clock = ClockProperties {
        timer_resolution: 1000,
        global_offset: 10,
        trace_length: 100,
        realtime_timestamp: u64::MAX,
    };
    let made = timed(Some(clock));
    for (first, last, expected) in [
        ("0s", "50ms", 2),
        ("0.1s", "0.1s", 1),
        ("0s", "49ms", 1),
        ("50%", "100%", 2),
        ("0%", "49%", 1),
        ("60", "100%", 2),
        ("0s", "99999999999999999999s", 3),
    ] {
        let output = kymo(&["--time", first, last], &made.anchor());
        assert_eq!((output.status.code(), events(&output)), (Some(0), expected), "{first} {last}");
    }
    for wrong in ["1.5", "-7", "101%", "1h"] {
        let time = format!("--time={wrong},9");
        ends(&kymo(&[&time], &made.anchor()), 2, "expected ticks, a time with a unit");
    }
    let made = timed(None);
    ends(&kymo(&["--time", "0s", "1s"], &made.anchor()), 2, "the trace has no clock");
    assert_eq!(events(&kymo(&["--time", "60", "110"], &made.anchor())), 2);
}

/// Only `kymo seal` accepted the folder.
#[test]
fn a_folder_is_accepted_as_an_archive() {
    let made = small();
    let anchor = made.anchor();
    let folder = anchor.parent().expect("a folder");
    let print = |path: &Path| kymo(&["-I"], path);
    assert_eq!(print(folder).stdout, print(&anchor).stdout);
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kymo"));
        command.args(arguments).arg(folder).output().expect("running kymo")
    };
    assert_eq!(run(&["check"]).stderr, b"");
    // None of two is picked, whatever their names.
    fs::copy(&anchor, folder.join("traces.otf2")).expect("a copy");
    ends(&print(folder), 2, "this folder contains 2 archives; name one: ");
    let outer = tempfile::tempdir().expect("a folder");
    ends(&print(outer.path()), 4, "this folder contains no anchor file (*.otf2)");
    fs::create_dir(outer.path().join("kymo")).expect("a folder");
    fs::copy(&anchor, outer.path().join("kymo/traces.otf2")).expect("a copy");
    assert_eq!(print(outer.path()).status.code(), Some(0));
}

#[test]
fn mistakes() {
    for (arguments, message) in [
        ("", "expected <ANCHOR|DIR>"),
        ("a.otf2 b.otf2", "unexpected argument 'b.otf2'"),
        ("--colour a.otf2", "unrecognized option '--colour'"),
        ("-L", "a value is required for '--location <ID>'"),
        ("-L -1 a.otf2", "unrecognized option '-1'"),
        ("-L 0x1 a.otf2", "invalid value '0x1' for '--location <ID>'"),
        ("-L 18446744073709551616 a.otf2", "invalid value '18446744073709551616'"),
        ("--timestamps wrong a.otf2", "invalid value 'wrong'"),
        ("--time=7 a.otf2", "two values required for '--time <FIRST> <LAST>'"),
        ("--time 7 a.otf2", "invalid value 'a.otf2'"),
        ("-Wall a.otf2", "invalid value 'all'"),
        ("--no-local-defs -M a.otf2", "the argument '--no-local-defs' cannot be used with '--show-mappings'"),
        ("-C --no-local-defs a.otf2", "'--show-clock-offsets' cannot be used with '--no-local-defs'"),
        ("--format csv --show-thumbnail-samples a.otf2", "'--format csv' prints events only"),
    ] {
        let output = print(arguments);
        ends(&output, 2, message);
        assert_eq!((text(&output.stdout), text(&output.stderr).starts_with("kymo: ")), (String::new(), true));
    }
}

#[test]
fn options_may_be_repeated_and_the_last_one_counts() {
    let made = small();
    let options =
        ["-L", "0", "-L", "5", "--silent", "--silent", "--time", "1", "2", "--time", "0", "99", "-A", "-A"];
    let output = kymo(&options, &made.anchor());
    ends(&output, 0, "");
    assert!(text(&output.stdout).contains("Content of OTF2 anchor file:"));
    let output = kymo(&["-L", "0", "-L", "5", "--time", "1", "2", "--time", "0", "99"], &made.anchor());
    assert!(
        text(&output.stdout)
            .contains("ENTER                                          5                   15")
    );
}

#[test]
fn no_archive() {
    ends(&kymo::<&str>(&[], Path::new("/nowhere/a.otf2")), 4, "kymo: /nowhere/a.otf2: not found");
    let made = small();
    made.write("a.otf2", b"some text");
    ends(&kymo::<&str>(&[], &made.anchor()), 1, "not an OTF2 anchor file");
}

#[test]
fn no_global_definitions() {
    let made = small();
    fs::remove_file(made.path("a.def")).unwrap();
    let output = kymo(&["-A"], &made.anchor());
    ends(&output, 4, "a.def: No such file or directory");
    assert!(text(&output.stdout).contains("Content of OTF2 anchor file:"));
}

#[test]
fn samples_of_a_truncated_thumbnail_are_printed_up_to_its_end() {
    let made = small();
    made.put_anchor(&Anchor { number_of_thumbnails: 1, ..Anchor::default() });
    let mut records = Records::default();
    records.put(&ThumbnailHeader {
        name: "a".into(),
        description: "".into(),
        thumbnail_type: ThumbnailType::REGION,
        number_of_samples: 3,
        refs_to_defs: List::new(&[0]).unwrap(),
    });
    for baseline in [0, 1] {
        records.put(&ThumbnailSample { baseline, metric_samples: List::new(&[5]).unwrap() });
    }
    made.write("a.0.thumb", &records.file(false));
    let output = kymo(&["--show-thumbnail-samples"], &made.anchor());
    ends(&output, 3, "a.0.thumb: byte ");
    assert_eq!(text(&output.stdout).matches("\nTHUMBNAIL_SAMPLE ").count(), 2);
}

/// Output that the reader has not consumed is not kept in memory: 400,000 samples take 20 MB as
/// text and more as JSON.
#[test]
fn samples_of_a_thumbnail_are_not_kept_in_memory() {
    let [few, many] = [4_000, 400_000].map(with_samples);
    for format in ["text", "json"] {
        let options = ["--show-thumbnail-samples", "--format", format];
        let [few, many] = [&few, &many].map(|it| peak_while_waiting(&options, &it.anchor()));
        // The pages of the program itself, which depend on its size, are in both.
        assert!(many < few + 5_000, "{format}: {few} and {many} KiB");
    }
}

/// Makes an archive with a thumbnail of that many samples.
fn with_samples(number: u32) -> Made {
    let made = small();
    made.put_anchor(&Anchor { number_of_thumbnails: 1, ..Anchor::default() });
    let header = ThumbnailHeader {
        name: "a".into(),
        description: "".into(),
        thumbnail_type: ThumbnailType::REGION,
        number_of_samples: number,
        refs_to_defs: List::new(&[0]).unwrap(),
    };
    let storage = Directory::open_named(&made.path(""), "a").unwrap();
    let pieces = StoragePieces::new(storage, FileName::Thumbnail(0), 1 << 20);
    let mut writer = ThumbnailWriter::new(pieces, &header).unwrap();
    for _ in 0..number {
        writer.sample(&ThumbnailSample { baseline: 0, metric_samples: List::new(&[5]).unwrap() }).unwrap();
    }
    writer.finish().unwrap();
    made
}

/// Returns the peak resident memory of the command in KiB, up to where its reader stopped.
fn peak_while_waiting(options: &[&str], anchor: &Path) -> u64 {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kymo"));
    let mut child = command.arg("print").args(options).arg(anchor).stdout(Stdio::piped()).spawn().unwrap();
    let mut first = vec![0; 64 << 10];
    child.stdout.as_mut().unwrap().read_exact(&mut first).unwrap();
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim_end_matches("kB").trim().parse().unwrap()
}

#[test]
fn without_local_definitions_ids_and_times_are_those_of_the_files() {
    let mut draft = Draft::usual();
    let pairs = [(2, 0)];
    let id_map = IdMap::from_pairs(&pairs).unwrap();
    draft.at(0).local.put(&MappingTable { mapping_type: MappingType::REGION, id_map });
    for time in [0, 100].map(Timestamp) {
        draft.at(0).local.put(&ClockOffset { time, offset: 1000, standard_deviation: 0.0 });
    }
    draft.at(0).events.time(10).put(&Enter { region: RegionRef(2) });
    let made = draft.make();
    let line = |options: &[&str]| {
        let output = kymo(options, &made.anchor());
        ends(&output, 0, "");
        let text = text(&output.stdout);
        text.lines().find(|line| line.starts_with("ENTER ")).unwrap().to_owned()
    };
    assert_eq!(line(&[])[33..].split_whitespace().take(2).collect::<Vec<_>>(), ["0", "1010"]);
    assert!(line(&[]).ends_with(" <0>"));
    let plain = line(&["--no-local-defs"]);
    assert_eq!(plain[33..].split_whitespace().take(2).collect::<Vec<_>>(), ["0", "10"]);
    assert!(plain.ends_with(" <2>"));
    fs::write(made.path("a/0.def"), "damaged").unwrap();
    assert_eq!(line(&["--no-local-defs"]), plain);
}

#[test]
fn a_location_without_events_is_left_out() {
    let made = small();
    fs::remove_file(made.path("a/1.evt")).unwrap();
    let output = kymo::<&str>(&[], &made.anchor());
    ends(&output, 3, "a/1.evt: No such file or directory");
    assert_eq!(events(&output), 2);
}

#[test]
fn a_truncated_location_is_printed_up_to_its_end() {
    let made = small();
    let whole = fs::read(made.path("a/5.evt")).unwrap();
    for length in 0..whole.len() {
        made.write("a/5.evt", &whole[..length]);
        let output = kymo::<&str>(&[], &made.anchor());
        // The last byte carries no information.
        let status = if length == whole.len() - 1 { 0 } else { 3 };
        assert_eq!(output.status.code(), Some(status), "{length}: {}", text(&output.stderr));
        assert!(events(&output) >= 2, "{length}");
    }
}

#[test]
fn truncated_global_definitions_are_printed_up_to_their_end() {
    let made = small();
    let whole = fs::read(made.path("a.def")).unwrap();
    for length in 18..whole.len() - 2 {
        made.write("a.def", &whole[..length]);
        let output = kymo(&["-G"], &made.anchor());
        assert_eq!(output.status.code(), Some(3), "{length}: {}", text(&output.stderr));
        assert!(
            text(&output.stdout).contains("Definition                            ID  Attributes"),
            "{length}"
        );
    }
}

#[test]
fn a_wrong_number_of_definitions_in_the_anchor() {
    let made = small();
    made.put_anchor(&Anchor { number_of_global_definitions: 3, number_of_locations: 3, ..Anchor::default() });
    let output = kymo(&["-A"], &made.anchor());
    ends(&output, 1, "global definitions, but the anchor file states 3");
    assert_eq!(events(&output), 3);
}

#[test]
fn an_announced_thumbnail_is_missing() {
    let made = small();
    made.put_anchor(&Anchor { number_of_thumbnails: u32::MAX, ..Anchor::default() });
    ends(&kymo(&["-T"], &made.anchor()), 4, "a.0.thumb: No such file or directory");
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    for anchor in [every_record(), kymo_testdata::own("scorep-recordings/user/traces.otf2")] {
        let (reader, writer) = pipe().unwrap();
        drop(reader);
        let mut command = Command::new(env!("CARGO_BIN_EXE_kymo"));
        command.args(["print", "-I"]).arg(&anchor).stdout(writer).stderr(Stdio::piped());
        let output = command.output().unwrap();
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()));
    }
}

#[test]
fn a_full_disk_is_reported() {
    let full = File::options().write(true).open("/dev/full").unwrap();
    let made = small();
    let mut command = Command::new(env!("CARGO_BIN_EXE_kymo"));
    command.args(["print", "-A"]).arg(made.anchor()).stdout(full).stderr(Stdio::piped());
    ends(&command.output().unwrap(), 4, "kymo: standard output: ");
}

#[test]
fn steps_wait_for_enter() {
    let made = small();
    let mut command = Command::new(env!("CARGO_BIN_EXE_kymo"));
    command.args(["print", "-s", "2"]).arg(made.anchor()).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = child.stdout.take().unwrap();
    let mut until_pause = || {
        let mut seen = Vec::new();
        while !seen.ends_with(b"events.") {
            let mut byte = [0];
            std::io::Read::read_exact(&mut output, &mut byte).unwrap();
            seen.push(byte[0]);
        }
        text(&seen).lines().filter(|line| line.starts_with("ENTER ")).count()
    };
    assert_eq!(until_pause(), 2);
    input.write_all(b"\n").unwrap();
    assert_eq!(until_pause(), 1);
    drop(input);
    assert!(child.wait().unwrap().success());
}
