//! `kymo marker` lists and writes the same as otf2-marker.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;

use kymo_otf2::FileName;
use kymo_otf2::enums::{MarkerScope, MarkerSeverity};
use kymo_otf2::markers::{AnyMarker, DefMarker, Marker};
use kymo_otf2::read::Archive;
use kymo_otf2::references::MarkerRef;
use kymo_otf2::storage::Directory;
use kymo_otf2::write::{MarkerWriter, StoragePieces};

use super::{Copy, killed_everywhere, reference, samples};

const DEFINE: [&str; 5] = ["marker", "--define", "errors", "numeric", "high"];

/// Runs otf2-marker, which must succeed. Returns its output.
fn theirs(arguments: &[&str], copy: &Copy) -> Option<String> {
    let output = reference("otf2-marker", arguments, &copy.anchor())?;
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    Some(String::from_utf8(output.stdout).expect("text"))
}

/// Returns the lines without those of kinds that have the same group and category as an earlier
/// one, which otf2-marker does not list.
fn without_repeated(listing: &str) -> String {
    let (mut seen, mut is_shown) = (Vec::new(), true);
    let mut lines = String::new();
    for line in listing.split_inclusive('\n') {
        if line.starts_with("MARKER_DEF") {
            let (kind, _) = line.split_once("Severity").expect("a severity");
            is_shown = !seen.contains(&kind);
            seen.push(kind);
        }
        if is_shown {
            lines.push_str(line);
        }
    }
    lines
}

/// A new archive with two locations, no markers, and times from 0 to 1000.
fn plain() -> Copy {
    let written = crate::check_common::world::world().write();
    Copy::of(&written.anchor())
}

fn markers(copy: &Copy) -> Vec<(u64, u64, MarkerScope, u64, String)> {
    let archive = Archive::open(copy.anchor()).unwrap();
    let file = archive.markers().unwrap();
    let records = file.records().unwrap().map(Result::unwrap);
    let marker = |record| match record {
        AnyMarker::Marker(it) => Some((it.time, it.duration, it.marker_scope, it.scope, it.text.to_string())),
        _ => None,
    };
    records.filter_map(marker).collect()
}

#[test]
fn lists_what_otf2_marker_lists() {
    let mut with_markers = 0;
    for anchor in samples() {
        let copy = Copy::of(&anchor);
        for (ours, expected) in [
            (&["marker"][..], &[][..]),
            (&["marker", "--kinds"], &["--defs-only"]),
            (&["marker", "--group", "group A"], &["--def", "group A"]),
            (&["marker", "--def", "group B", "--category", ""], &["--def", "group B", ""]),
        ] {
            let Some(expected) = reference("otf2-marker", expected, &anchor) else { return };
            let ours = copy.run(ours);
            if !expected.status.success() {
                // It cannot open compressed archives.
                let is_undefined = String::from_utf8_lossy(&expected.stderr).contains("undefined marker");
                assert!(!is_undefined || ours.status.code() == Some(2), "{ours:?}");
                continue;
            }
            assert!(ours.status.success(), "{}: {ours:?}", anchor.display());
            let [ours, expected] = [ours, expected].map(|it| String::from_utf8(it.stdout).expect("text"));
            assert_eq!(without_repeated(&ours), expected, "{}", anchor.display());
            with_markers += usize::from(!expected.is_empty());
        }
    }
    assert!(with_markers > 4, "{with_markers}");
}

#[test]
fn otf2_marker_writes_the_same_file() {
    let commands: &[(&[&str], &[&str])] = &[
        (&["--define", "aaa", "zzz", "high"], &["--add-def", "aaa", "zzz", "high"]),
        (&["--add-def", "aaa", "", "NONE"], &["--add-def", "aaa", "", "NONE"]),
        (&["--add", "aaa", "zzz", "0", "global", ""], &["--add", "aaa", "zzz", "0", "global", ""]),
        (
            &["--add", "aaa", "", "5+10", "LOCATION:1", "-\"é"],
            &["--add", "aaa", "", "5+10", "LOCATION:1", "-\"é"],
        ),
        (&["--add", "aaa", "zzz", "7-9", "group:0", "a"], &["--add", "aaa", "zzz", "7-9", "GROUP:0", "a"]),
        (&["--add", "aaa", "zzz", "end", "comm:1", "b"], &["--add", "aaa", "zzz", "1000000", "COMM:1", "b"]),
        (
            &["--add", "group A", "category", "50%+1ms", "system-tree-node:1", "c"],
            &["--add", "group A", "category", "500000+1", "SYSTEM_TREE_NODE:1", "c"],
        ),
        (
            &["--add", "aaa", "", "start-2s", "location-group:1", "d"],
            &["--add", "aaa", "", "0-2000", "LOCATION_GROUP:1", "d"],
        ),
        (&["--clear", "aaa", "--category", "zzz"], &["--clear-def", "aaa", "zzz"]),
        (&["--clear", "group A"], &["--clear-def", "group A"]),
        (&["--undefine", "group A", "--category", "category"], &["--remove-def", "group A", "category"]),
        (&["--clear-all"], &["--reset"]),
        (&["--define", "x", "y", "low"], &["--add-def", "x", "y", "LOW"]),
    ];
    let [ours, expected] = [Copy::of_every_record(), Copy::of_every_record()];
    for (our, their) in commands {
        if theirs(their, &expected).is_none() {
            return;
        }
        assert_eq!(ours.done(&[&["marker"], *our].concat()), "");
        let [ours, expected] =
            [&ours, &expected].map(|it| fs::read(it.anchor().with_extension("marker")).unwrap());
        assert!(ours == expected, "{our:?}");
    }
}

/// otf2-marker frees the kinds of a group while it walks through them.
#[test]
fn a_group_is_removed_with_all_its_kinds() {
    let copy = Copy::of_every_record();
    copy.done(&["marker", "--undefine", "group B"]);
    let listing = copy.done(&["marker"]);
    assert!(
        listing.starts_with("MARKER_DEF  Group: \"group A\"") && !listing.contains("group B"),
        "{listing}"
    );
    if let Some(expected) = theirs(&[], &copy) {
        assert_eq!(listing, expected);
    }
    copy.refused(&["marker", "--undefine", "group B"], 2, "undefined marker group \"group B\"");
}

#[test]
fn check_accepts_new_markers() {
    let copy = plain();
    assert_eq!(copy.done(&["marker"]), "");
    copy.done(&DEFINE);
    let more = ["marker", "--define", "phases", "", "none"];
    let add = [
        "--add",
        "phases",
        "",
        "start",
        "location:2",
        "one",
        "--add",
        "errors",
        "numeric",
        "10%+5",
        "global",
        "two",
    ];
    copy.done(&[&more[..], &add].concat());
    assert_eq!(
        markers(&copy),
        [
            (100, 5, MarkerScope::GLOBAL, u64::MAX, "two".to_owned()),
            (0, 0, MarkerScope::LOCATION, 2, "one".to_owned())
        ]
    );
    assert_eq!(copy.check().messages(), "status 0");
    if let Some(expected) = theirs(&[], &copy) {
        assert_eq!(copy.done(&["marker"]), expected);
    }
}

#[test]
fn mistakes_are_named_and_change_nothing() {
    let copy = plain();
    copy.done(&DEFINE);
    let add =
        |time: &'static str, scope: &'static str| ["marker", "--add", "errors", "numeric", time, scope, "x"];
    copy.refused(&DEFINE, 2, "category \"numeric\" of marker group \"errors\" is already defined");
    copy.refused(
        &["marker", "--add", "errors", "other", "0", "global", "x"],
        2,
        "undefined category \"other\" of marker group \"errors\"; --define defines it",
    );
    copy.refused(
        &["marker", "--define", "g", "c", "huge"],
        2,
        "invalid severity 'huge': expected none, low, medium",
    );
    copy.refused(&["marker", "--clear", "nothing"], 2, "undefined marker group \"nothing\"");
    copy.refused(&["marker", "--group", "nothing"], 2, "undefined marker group \"nothing\"");
    copy.refused(&["marker", "--category", "numeric"], 2, "'--category' requires '--group'");
    copy.refused(&add("1001", "global"), 2, "time '1001': not in the trace, which is from 0 to 1000");
    copy.refused(&add("900+101", "global"), 2, "not in the trace");
    copy.refused(&add("1+18446744073709551615", "global"), 2, "not in the trace");
    copy.refused(&add("9-8", "global"), 2, "time '9-8': it ends at 8, before its start at 9");
    copy.refused(&add("soon", "global"), 2, "invalid time 'soon': 'soon': expected ticks");
    copy.refused(&add("1", "planet"), 2, "invalid scope 'planet': expected 'global'");
    for scope in
        ["global:0", "location", "location:", "location:x", "location:+1", "location:99999999999999999999"]
    {
        copy.refused(&add("1", scope), 2, &format!("invalid scope '{scope}'"));
    }
    for scope in ["location:9", "location-group:9", "system-tree-node:9", "comm:9"] {
        copy.refused(&add("1", scope), 2, "the trace has no such definition");
    }
    copy.refused(&add("1", "group:99"), 2, "the trace defines no group of locations with this id");
}

/// Markers may precede their kinds or have none, kinds may be repeated, and records may be newer.
#[test]
fn unusual_records_are_kept() {
    let copy = plain();
    let storage = Directory::open_named(copy.folder.path(), "traces").unwrap();
    let mut writer =
        MarkerWriter::new(StoragePieces::new(&storage, FileName::Markers, 4096), 262_144).unwrap();
    let kind = |id, marker_category: &'static str| DefMarker {
        id: MarkerRef(id),
        marker_group: "g".into(),
        marker_category: marker_category.into(),
        severity: MarkerSeverity(9),
    };
    let marker = |id, text: &'static str| Marker {
        time: 1,
        duration: 2,
        marker: MarkerRef(id),
        marker_scope: MarkerScope(77),
        scope: 5,
        text: text.into(),
    };
    let records: [AnyMarker<'_>; 8] = [
        marker(5, "before its kind").into(),
        kind(5, "b").into(),
        kind(u32::MAX - 1, "a").into(),
        AnyMarker::Unknown { id: 200, data: b"newer" },
        kind(6, "b").into(),
        marker(6, "repeated").into(),
        marker(7, "no kind").into(),
        marker(u32::MAX - 1, "a").into(),
    ];
    records.iter().for_each(|record| writer.record(record).unwrap());
    writer.finish().unwrap();
    let expected = "MARKER_DEF  Group: \"g\", Category: \"a\", Severity: INVALID <9>\n\
                    MARKER      Time: 1, Duration 2, Scope: INVALID <77>:5, Text: \"a\"\n\
                    MARKER_DEF  Group: \"g\", Category: \"b\", Severity: INVALID <9>\n\
                    MARKER      Time: 1, Duration 2, Scope: INVALID <77>:5, Text: \"before its kind\"\n\
                    MARKER_DEF  Group: \"g\", Category: \"b\", Severity: INVALID <9>\n\
                    MARKER      Time: 1, Duration 2, Scope: INVALID <77>:5, Text: \"repeated\"\n\
                    MARKER_DEF  UNDEFINED <7>\n\
                    MARKER      Time: 1, Duration 2, Scope: INVALID <77>:5, Text: \"no kind\"\n\
                    UNKNOWN     Record: 200, Length: 5\n";
    assert_eq!(copy.done(&["marker"]), expected);
    // The id after the largest one would be the undefined one.
    copy.done(&["marker", "--define", "h", "c", "low"]);
    let (before, after) = expected.split_at(expected.find("MARKER_DEF  UNDEFINED").unwrap());
    let new = "MARKER_DEF  Group: \"h\", Category: \"c\", Severity: LOW\n";
    let (kinds, repeated) = before.split_at(before.rfind("MARKER_DEF").unwrap());
    assert_eq!(copy.done(&["marker"]), format!("{kinds}{new}{repeated}{after}"));
    let archive = Archive::open(copy.anchor()).unwrap();
    let file = archive.markers().unwrap();
    let ids = file.records().unwrap().filter_map(|it| match it.unwrap() {
        AnyMarker::DefMarker(it) => Some(it.id.0),
        _ => None,
    });
    assert_eq!(ids.collect::<Vec<_>>(), [u32::MAX - 1, 5, 0, 6]);
}

#[test]
fn a_damaged_file_is_listed_to_the_damage_and_not_changed() {
    let copy = Copy::of_every_record();
    let path = copy.anchor().with_extension("marker");
    let bytes = fs::read(&path).unwrap();
    let whole = copy.done(&["marker"]);
    fs::write(&path, &bytes[..bytes.len() - 30]).unwrap();
    let output = copy.run(&["marker"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(text.len() < whole.len() && text.starts_with("MARKER_DEF"), "{text}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("t.marker: byte "));
    copy.refused(&DEFINE, 1, "t.marker: byte ");
    copy.done(&["marker", "--clear-all"]);
    assert_eq!(copy.done(&["marker"]), "");
}

#[test]
fn a_seal_covers_the_new_markers() {
    let copy = plain();
    copy.done(&["seal"]);
    for _ in 0..2 {
        copy.done(&["marker", "--clear-all", "--define", "g", "c", "low"]);
        assert_eq!(copy.check().messages(), "status 0");
    }
    let path = copy.anchor().with_extension("marker");
    let mut bytes = fs::read(&path).unwrap();
    bytes[25] ^= 1;
    fs::write(&path, &bytes).unwrap();
    copy.refused(&["marker", "--clear-all"], 1, "traces.marker: not as it was sealed");
    // Other files are not looked at, and damage of theirs remains visible.
    copy.done(&["marker"]);
    bytes[25] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let events = copy.folder.path().join("traces/0.evt");
    let mut damaged = fs::read(&events).unwrap();
    *damaged.last_mut().unwrap() ^= 1;
    fs::write(&events, damaged).unwrap();
    copy.done(&["marker", "--clear-all"]);
    assert!(copy.check().kinds().contains("seal-block"));
    fs::write(copy.anchor().with_extension("seal"), "KYMO SEAL 1 CRC-32 65536\n").unwrap();
    copy.refused(&["marker", "--clear-all"], 1, "traces.seal: byte 25: expected ");
}

#[test]
fn a_kill_leaves_the_old_or_the_new_markers() {
    let new = || {
        let copy = plain();
        copy.done(&DEFINE);
        copy.done(&["seal"]);
        copy
    };
    let arguments = ["marker", "--clear", "errors", "--add", "errors", "numeric", "1", "global", "x"];
    let [old, changed] = [new(), new()];
    changed.done(&arguments);
    let [old, changed] = [old, changed].map(|it| it.done(&["marker"]));
    killed_everywhere(new, &arguments, |copy, when| {
        let listing = copy.done(&["marker"]);
        assert!(listing == old || listing == changed, "{when}: {listing}");
        let kinds = copy.check().kinds();
        // The new seal is still to follow.
        let is_between = kinds.iter().all(|kind| kind == "seal-block" || kind == "seal-length");
        assert!(is_between && (kinds.is_empty() || listing == changed), "{when}: {kinds:?}");
        copy.done(&arguments);
        assert_eq!(copy.check().messages(), "status 0", "{when}");
    });
}

/// The kill came before the new seal was in its place, and the archive was sealed again.
#[test]
fn an_abandoned_change_does_not_replace_newer_files() {
    let copy = plain();
    copy.done(&DEFINE);
    copy.done(&["seal"]);
    let stage = copy.folder.path().join(".traces.kymo-change");
    fs::create_dir(&stage).unwrap();
    fs::write(stage.join("traces.seal"), "old").unwrap();
    fs::write(stage.join("complete"), "traces.seal\n").unwrap();
    let before = std::time::SystemTime::now() - std::time::Duration::from_secs(60);
    fs::File::options().write(true).open(stage.join("complete")).unwrap().set_modified(before).unwrap();
    copy.done(&["marker", "--clear", "errors"]);
    assert_eq!(copy.check().messages(), "status 0");
}

#[test]
fn two_changes_at_a_time_are_refused() {
    let copy = plain();
    let stage = copy.folder.path().join(".traces.kymo-change");
    fs::create_dir(&stage).unwrap();
    let lock = fs::File::open(&stage).unwrap();
    rustix::fs::flock(&lock, rustix::fs::FlockOperation::LockExclusive).unwrap();
    copy.refused(&DEFINE, 4, "traces.otf2: cannot be changed: another process is writing this archive");
    // The process with the lock has ended. Closing the file is not enough: a program that another
    // test is starting may have it for a moment.
    rustix::fs::flock(&lock, rustix::fs::FlockOperation::Unlock).unwrap();
    copy.done(&DEFINE);
    assert!(!stage.exists());
}

#[test]
fn texts_that_are_not_utf_8_are_written_unchanged() {
    let copy = plain();
    let odd = OsStr::from_bytes(b"\xff\x80");
    let words = ["marker", "--define"].map(OsStr::new);
    copy.done(&[&words[..], &[odd, odd, OsStr::new("low")]].concat());
    let bytes = fs::read(copy.anchor().with_extension("marker")).unwrap();
    assert!(bytes.windows(6).any(|it| it == b"\xff\x80\0\xff\x80\0"));
    copy.done(&[OsStr::new("marker"), OsStr::new("--undefine"), odd]);
    assert_eq!(copy.done(&["marker"]), "");
}
