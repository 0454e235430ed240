//! Archives on which the reference tool fails, crashes, loops forever or prints uninitialised
//! memory. `docs/reference/printing.md` lists them.

use kymo_otf2::enums::*;
use kymo_otf2::events::*;
use kymo_otf2::flags::{CommFlag, GroupFlag};
use kymo_otf2::list::List;
use kymo_otf2::references::*;
use kymo_otf2::value::{IoParadigmPropertyValue, Timestamp, Value};
use kymo_otf2::{Anchor, definitions};

use super::archives::{recorded, sample};
use super::made::Draft;
use super::programs::{kymo, reference, same_text};

/// Returns standard output, which must be all there is.
#[track_caller]
fn printed(options: &[&str], anchor: &std::path::Path) -> String {
    let output = kymo(options, anchor);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the lines with this beginning.
fn lines<'t>(text: &'t str, start: &str) -> Vec<&'t str> {
    text.lines().filter(|line| line.starts_with(start)).collect()
}

/// The reference tool rejects compressed archives. The same archive exists without compression.
#[test]
fn compressed_archives() {
    let [compressed, plain, blocks] =
        ["otf2-2.2-zlib", "otf2-2.2-every-record", "otf2-2.2-zlib-two-blocks"].map(sample);
    let options = ["-A", "-M", "-C"];
    let lines = |text: String| {
        let differs = ["Compression ", "Trace identifier "];
        text.lines()
            .filter(|line| !differs.iter().any(|name| line.starts_with(name)))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(lines(printed(&options, &compressed)), lines(printed(&options, &plain)));
    assert!(printed(&["-I"], &compressed).contains("Compression                    ZLIB\n"));
    let text = printed(&[], &blocks);
    assert_eq!(text.lines().filter(|line| line.starts_with("ENTER ")).count(), 17480);
    assert!(text.ends_with("  17480  Region: INVALID <305419896>\n"));
}

/// otf2-print 3.0.2 cannot read thumbnails; 3.0.3 can, and printed these lines.
#[test]
fn thumbnails() {
    let made = Draft::usual().make();
    made.put_anchor(&Anchor { number_of_thumbnails: 2, ..Anchor::default() });
    for (number, metrics) in [(0, &[5][..]), (1, &[1, 2, 3])] {
        let header = kymo_otf2::thumbnails::ThumbnailHeader {
            name: "a name".into(),
            description: "".into(),
            thumbnail_type: if number == 0 { ThumbnailType::METRIC } else { ThumbnailType(9) },
            number_of_samples: 7,
            refs_to_defs: List::new(metrics).unwrap(),
        };
        let mut records = super::made::Records::default();
        made.write(&format!("a.{number}.thumb"), &records.put(&header).file(false));
    }
    let expected = "\n=== OTF2-PRINT ===\n\nThumbnail headers:\n\
        THUMBNAIL_HEADER            0  Name: \"a name\", Description: \"\", Type: METRIC, Samples: 7, 1 Metric: 5\n\
        THUMBNAIL_HEADER            1  Name: \"a name\", Description: \"\", Type: INVALID <9>, Samples: 7, 3 Metrics: 1, 2, 3\n";
    assert_eq!(printed(&["-T"], &made.anchor()), expected);
}

/// otf2-print 3.0.2 printed these lines when the functions of its library that read thumbnails were
/// replaced by functions that returned this data.
#[test]
fn samples_of_thumbnails() {
    let made = Draft::usual().make();
    made.put_anchor(&Anchor { number_of_thumbnails: 3, ..Anchor::default() });
    for number in 0..3 {
        let metrics: Vec<u64> = (5..).take(number).collect();
        let values = &[u64::MAX, 7][..number];
        let mut records = super::made::Records::default();
        records.put(&kymo_otf2::thumbnails::ThumbnailHeader {
            name: "a".into(),
            description: "".into(),
            thumbnail_type: ThumbnailType::METRIC,
            number_of_samples: 2,
            refs_to_defs: List::new(&metrics).unwrap(),
        });
        for _ in 0..2 {
            let metric_samples = List::new(values).unwrap();
            records.put(&kymo_otf2::thumbnails::ThumbnailSample { baseline: 1000, metric_samples });
        }
        made.write(&format!("a.{number}.thumb"), &records.file(false));
    }
    let expected = "
Thumbnail headers:
==DEBUG== Reading thumbnail header.
THUMBNAIL_HEADER            0  Name: \"a\", Description: \"\", Type: METRIC, Samples: 2, 0 Metrics
==DEBUG== Allocating sample array.
==DEBUG== Reading thumbnail sample.
THUMBNAIL_SAMPLE            0  Baseline: 1000, Metrics
==DEBUG== Reading thumbnail sample.
THUMBNAIL_SAMPLE            1  Baseline: 1000, Metrics
==DEBUG== Reading thumbnail header.
THUMBNAIL_HEADER            1  Name: \"a\", Description: \"\", Type: METRIC, Samples: 2, 1 Metric: 5
==DEBUG== Allocating sample array.
==DEBUG== Reading thumbnail sample.
THUMBNAIL_SAMPLE            0  Baseline: 1000, Metric: 18446744073709551615
==DEBUG== Reading thumbnail sample.
THUMBNAIL_SAMPLE            1  Baseline: 1000, Metric: 18446744073709551615
==DEBUG== Reading thumbnail header.
THUMBNAIL_HEADER            2  Name: \"a\", Description: \"\", Type: METRIC, Samples: 2, 2 Metrics: 5, 6
==DEBUG== Allocating sample array.
==DEBUG== Reading thumbnail sample.
THUMBNAIL_SAMPLE            0  Baseline: 1000, Metrics: 18446744073709551615, 7
==DEBUG== Reading thumbnail sample.
THUMBNAIL_SAMPLE            1  Baseline: 1000, Metrics: 18446744073709551615, 7
==DEBUG== Delete reader handle.
==DEBUG== Program finished.
";
    let text = printed(&["--show-thumbnail-samples", "-d"], &made.anchor());
    assert_eq!(text.split_once("Setting global-reader hint.\n").unwrap().1, expected);
    let json = printed(&["--show-thumbnail-samples", "--format", "json"], &made.anchor());
    assert_eq!(
        json.lines().last().unwrap(),
        r#"{"kind":"thumbnailSample","thumbnail":2,"number":1,"record":"ThumbnailSample","baseline":1000,"metricSamples":[18446744073709551615,7]}"#
    );
}

/// Returns a field of a line of `records-global.txt` by name.
fn field<'l>(line: &'l str, name: &str) -> Option<&'l str> {
    line.split_whitespace().find_map(|word| word.strip_prefix(name)?.strip_prefix('='))
}

/// The reference tool crashes on undefined names. The callbacks of its library received these
/// records.
#[test]
fn definitions_with_undefined_references() {
    let anchor = sample("edge-definitions");
    let ours = kymo(&["-A", "-M", "-C"], &anchor);
    assert_eq!(ours.status.code(), Some(0));
    if let Some(reference) = reference(&["-A"], &anchor) {
        assert_ne!(reference.status.code(), Some(0), "the reference tool no longer crashes");
        // The output before the crash, without the line at which it crashed.
        let text = kymo(&["-A"], &anchor).stdout;
        let end = reference.stdout.iter().rposition(|&byte| byte == b'\n').unwrap_or(0);
        let count = reference.stdout[..end].iter().filter(|&&byte| byte == b'\n').count() + 1;
        let ours: Vec<_> = text
            .split(|&byte| byte == b'\n')
            .filter(|line| !line.starts_with(b"THUMB"))
            .take(count)
            .collect();
        same_text("edge-definitions", &ours.join(&b'\n'), &reference.stdout[..end]);
    }
    let text = String::from_utf8(ours.stdout).unwrap();
    let records = String::from_utf8(recorded(&anchor, "records-global.txt").unwrap()).unwrap();
    let expected: Vec<_> = records.lines().filter(|line| line.starts_with("GDEF ")).collect();
    let table = text.split("-----\n").nth(1).unwrap().split("\n\n=== Per").next().unwrap();
    let printed: Vec<_> = table.lines().collect();
    assert_eq!(printed.len(), expected.len());
    for (printed, expected) in printed.iter().zip(&expected) {
        let kind = printed.split_whitespace().next().unwrap().replace('_', "").to_lowercase();
        assert_eq!(Some(kind.as_str()), expected.split(' ').nth(1).map(str::to_lowercase).as_deref());
        if let Some(id) = field(expected, "self") {
            assert_eq!(printed[27..40].trim(), id, "{printed}");
        }
    }
    let events = records.lines().filter(|line| line.starts_with("EVT ") || line.starts_with("SNAP ")).count();
    let after = text.split("=== Events ").nth(1).unwrap();
    let printed = after
        .lines()
        .filter(|line| line.get(33..48).is_some_and(|column| column.trim().parse::<u64>().is_ok()));
    assert_eq!(printed.count(), events);
}

/// Values of the wrong type and of unknown properties are printed as the bits in the archive.
#[test]
fn values_of_unknown_properties() {
    let mut draft = Draft::usual();
    let values = [
        Value::from(-5i8),
        Value::from(-1234i16),
        Value::from(-123_456i32),
        Value::from(-7i64),
        Value::from(1.5f32),
    ];
    for value in values {
        let paradigm = Paradigm::MPI;
        for property in
            [ParadigmProperty(77), ParadigmProperty::RMA_ONLY, ParadigmProperty::COMM_NAME_TEMPLATE]
        {
            draft.global.put(&definitions::ParadigmProperty { paradigm, property, value });
        }
        let properties = [IoParadigmProperty(9), IoParadigmProperty::VERSION]
            .map(|property| IoParadigmPropertyValue { property, value });
        draft.global.put(&definitions::IoParadigm {
            id: IoParadigmRef(0),
            identification: StringRef(1),
            name: StringRef(1),
            io_paradigm_class: IoParadigmClass::SERIAL,
            io_paradigm_flags: Default::default(),
            properties: List::new(&properties).unwrap(),
        });
    }
    let text = printed(&["-G"], &draft.make().anchor());
    for bits in [251, 64302, 4_294_843_840, u64::MAX - 6, 1_069_547_520] {
        for what in ["UNKNOWN PROPERTY", "UNKNOWN I/O PROPERTY"] {
            assert_eq!(text.matches(&format!("{what} <{bits}>")).count(), 1, "{what} {bits}");
        }
        assert_eq!(text.matches(&format!("TYPE MISMATCH <{bits}>")).count(), 3, "{bits}");
    }
}

/// The reference tool crashes.
#[test]
fn names_whose_parts_are_missing() {
    let mut draft = Draft::usual();
    let (missing, id) = (StringRef(99), 0);
    let global = &mut draft.global;
    let node = SystemTreeNodeRef(id);
    global.put(&definitions::SystemTreeNode { id: node, name: missing, class_name: missing, parent: node });
    global.put(&definitions::SourceCodeLocation {
        id: SourceCodeLocationRef(id),
        file: missing,
        line_number: 3,
    });
    global.put(&definitions::IoRegularFile { id: IoFileRef(id), name: missing, scope: node });
    global.put(&definitions::IoDirectory { id: IoFileRef(1), name: StringRef::UNDEFINED, scope: node });
    for name in [missing, StringRef(0), StringRef::UNDEFINED] {
        global.put(&definitions::IoHandle {
            id: IoHandleRef(id),
            name,
            file: IoFileRef(id),
            io_paradigm: IoParadigmRef(3),
            io_handle_flags: Default::default(),
            comm: CommRef(0),
            parent: IoHandleRef(id),
        });
    }
    let text = printed(&["-G"], &draft.make().anchor());
    let node = "Name: INVALID <99>, Class: INVALID <99>, Parent: 0";
    assert_eq!(
        lines(&text, "SYSTEM_TREE_NODE "),
        [format!("SYSTEM_TREE_NODE                       0  {node}")]
    );
    assert_eq!(lines(&text, "SOURCE_CODE_LOCATION ").len(), 1);
    assert_eq!(
        lines(&text, "IO_REGULAR_FILE "),
        ["IO_REGULAR_FILE                        0  Name: INVALID <99>, Scope: 0"]
    );
    assert_eq!(
        lines(&text, "IO_DIRECTORY "),
        ["IO_DIRECTORY                           1  Name: UNDEFINED, Scope: 0"]
    );
    assert_eq!(lines(&text, "IO_HANDLE ").len(), 3);
}

/// The reference tool crashes.
#[test]
fn calls_of_regions_without_names() {
    let mut draft = Draft::usual();
    draft.region(RegionRef(0), StringRef(99));
    let (parent, source_code_location) = (CallingContextRef::UNDEFINED, SourceCodeLocationRef::UNDEFINED);
    let id = CallingContextRef(0);
    draft.global.put(&definitions::CallingContext { id, region: RegionRef(0), source_code_location, parent });
    draft.at(0).events.put(&CallingContextLeave { calling_context: id });
    let text = printed(&["--unwind-calling-context"], &draft.make().anchor());
    assert!(text.ends_with(&format!("  Calling Context: 0\n{:71}*0\n", "")), "{text}");
}

/// The reference tool reads outside its memory and crashes.
#[test]
fn inter_communicators_without_groups() {
    let mut draft = Draft::usual();
    draft.group(2, GroupType::COMM_GROUP, &[77], GroupFlag::NONE);
    for (id, [group_a, group_b]) in [(1, [9, 1]), (2, [1, 9]), (3, [2, 1])] {
        draft.global.put(&definitions::InterComm {
            id: CommRef(id),
            name: StringRef(1),
            group_a: GroupRef(group_a),
            group_b: GroupRef(group_b),
            common_communicator: CommRef::UNDEFINED,
            flags: CommFlag::NONE,
        });
        let send = MpiSend { receiver: 1, communicator: CommRef(id), msg_tag: 1, msg_length: 2 };
        draft.at(0).events.put(&send);
    }
    let text = printed(&[], &draft.make().anchor());
    let sends = lines(&text, "MPI_SEND ");
    let receivers: Vec<_> = sends.iter().map(|line| line.split("Receiver: ").nth(1).unwrap()).collect();
    assert!(receivers[0].starts_with("1 (INVALID), Communicator: \"one\" <1>"), "{receivers:?}");
    assert!(receivers[1].starts_with("1 (\"two\" <1>), Communicator: \"one\" <2>"), "{receivers:?}");
    assert!(receivers[2].starts_with("1 (INVALID), Communicator: \"one\" <3>"), "{receivers:?}");
}

/// The reference tool never ends.
#[test]
fn callers_in_a_cycle() {
    let mut draft = Draft::usual();
    for (id, parent) in [(0, 2), (1, 0), (2, 1)] {
        draft.global.put(&definitions::CallingContext {
            id: CallingContextRef(id),
            region: RegionRef(id),
            source_code_location: SourceCodeLocationRef::UNDEFINED,
            parent: CallingContextRef(parent),
        });
    }
    draft.at(0).events.put(&CallingContextLeave { calling_context: CallingContextRef(0) });
    let text = printed(&["--unwind-calling-context"], &draft.make().anchor());
    assert_eq!(text.lines().filter(|line| line.starts_with(&" ".repeat(71))).count(), 4);
}

/// The reference tool prompts forever.
#[test]
fn a_step_of_zero_events() {
    let mut draft = Draft::usual();
    draft.at(0).events.put(&Enter { region: RegionRef(0) });
    let made = draft.make();
    assert_eq!(printed(&["-s", "0"], &made.anchor()), printed(&[], &made.anchor()));
}

/// The reference tool rejects archives without locations.
#[test]
fn no_locations() {
    let mut draft = Draft::default();
    draft.string(0, b"alone");
    let text = printed(&["-A"], &draft.make().anchor());
    assert!(
        text.contains("STRING                                 0  \"alone\"\n")
            && text.contains("=== Events ===")
    );
}

/// The reference tool reads the clock offsets twice, finds that their times run backwards, and
/// stops.
#[test]
fn locations_with_clock_offsets_that_are_defined_twice() {
    let mut draft = Draft::usual();
    draft.location(1, StringRef(3));
    draft.at(1).events.time(4).put(&Enter { region: RegionRef(0) });
    draft.at(1).local.put(&definitions::ClockOffset {
        time: Timestamp(1),
        offset: 2,
        standard_deviation: 3.0,
    });
    let text = printed(&["-A", "-C"], &draft.make().anchor());
    assert_eq!((lines(&text, "CLOCK_OFFSET ").len(), lines(&text, "ENTER ").len()), (2, 1));
    assert!(text.contains("LOCATION                               1  Name: \"three\" <3>"));
}

/// Dates are in UTC regardless of the time zone.
#[test]
fn dates_are_in_utc() {
    let mut draft = Draft::usual();
    draft.global.put(&definitions::ClockProperties {
        timer_resolution: 1,
        global_offset: 0,
        trace_length: 0,
        realtime_timestamp: 951_782_400_000_000_001,
    });
    let made = draft.make();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_kymo"));
    let output = command.args(["print", "-G"]).arg(made.anchor()).env("TZ", "Asia/Tokyo").output().unwrap();
    assert!(String::from_utf8(output.stdout).unwrap().contains("Date: 2000-02-29 00:00:00.000000001 +0000"));
}
