//! JSON and CSV.

use std::io::Write;
use std::process::Stdio;

use kymo_otf2::attributes::Attribute;
use kymo_otf2::definitions;
use kymo_otf2::enums::{GroupType, MappingType, MetricScope, Type};
use kymo_otf2::events::*;
use kymo_otf2::flags::{GroupFlag, IoCreationFlag, IoStatusFlag};
use kymo_otf2::id_map::IdMap;
use kymo_otf2::list::List;
use kymo_otf2::references::*;
use kymo_otf2::snapshots;
use kymo_otf2::value::{MetricValue, Timestamp, Value};

use super::archives::{archives, every_record};
use super::made::{Draft, Made};
use super::programs::kymo;

/// A little of everything.
fn archive() -> Made {
    let mut draft = Draft::usual();
    draft.string(7, b"a \"quoted\",\n\\text\x01 \xff\xc3\xa9");
    draft.region(RegionRef(7), StringRef(7));
    draft.group(7, GroupType::REGIONS, &[7, 99, u64::MAX], GroupFlag::from_bits_retain(9));
    draft.global.put(&definitions::ClockProperties {
        timer_resolution: 1000,
        global_offset: 100,
        trace_length: 50,
        realtime_timestamp: u64::MAX,
    });
    draft.global.put(&definitions::MetricInstance {
        id: MetricRef(3),
        metric_class: MetricRef(1),
        recorder: LocationRef(1),
        metric_scope: MetricScope::LOCATION,
        scope: 5,
    });
    draft.global.put(&definitions::LocationProperty {
        location: LocationRef(5),
        name: StringRef(1),
        value: Value::from(1.5f32),
    });
    let pairs = [(1, 2), (9, 7)];
    let table = IdMap::from_pairs(&pairs).unwrap();
    draft.at(0).local.put(&definitions::MappingTable { mapping_type: MappingType::GROUP, id_map: table });
    let events = &mut draft.at(0).events;
    let attributes = [(0, Value::from(StringRef(7))), (1, Value::from(-7i8)), (2, Value::new(Type(99), 5))];
    events
        .time(90)
        .attributes(&attributes.map(|(id, value)| Attribute { attribute: AttributeRef(id), value }));
    events.put(&Enter { region: RegionRef(7) });
    let values = [MetricValue::from(-5i64), MetricValue::from(0.1), MetricValue::from(f64::NAN)];
    events
        .time(u64::MAX - 1)
        .put(&Metric { metric: MetricRef(3), metric_values: List::new(&values).unwrap() });
    events.put(&IoCreateHandle {
        handle: IoHandleRef::UNDEFINED,
        mode: kymo_otf2::enums::IoAccessMode(9),
        creation_flags: IoCreationFlag::from_bits_retain(1 << 20 | 3),
        status_flags: IoStatusFlag::NONE,
    });
    events.raw(199, b"new").time(u64::MAX).put(&MpiCollectiveBegin {});
    let records = draft.at(1).snapshots.insert(Default::default());
    records.time(120).put(&snapshots::Enter { orig_event_time: Timestamp(99), region: RegionRef(0) });
    draft.at(0).snapshots = Some(Default::default());
    draft.at(5).snapshots = Some(Default::default());
    draft.make()
}

fn printed(options: &[&str]) -> String {
    let output = kymo(options, &archive().anchor());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn events_as_json() {
    let expected = r#"
{"kind":"event","location":{"id":0,"name":"one"},"time":-10,"record":"Enter","region":{"id":7,"name":"a \"quoted\",\u000a\\text\u0001 �é"},"attributes":[{"attribute":{"id":0},"type":"STRING","value":{"id":7,"name":"a \"quoted\",\u000a\\text\u0001 �é"}},{"attribute":{"id":1},"type":"INT8","value":-7},{"attribute":{"id":2},"type":99,"value":5}]}
{"kind":"event","location":{"id":0,"name":"one"},"time":18446744073709551514,"record":"Metric","metric":{"id":3},"typeIDs":["INT64","DOUBLE","DOUBLE"],"metricValues":[-5,0.1,"NaN"]}
{"kind":"event","location":{"id":0,"name":"one"},"time":18446744073709551514,"record":"IoCreateHandle","handle":null,"mode":9,"creationFlags":["CREATE","TRUNCATE",1048576],"statusFlags":[]}
{"kind":"event","location":{"id":0,"name":"one"},"time":18446744073709551514,"record":"Unknown","recordId":199}
{"kind":"event","location":{"id":0,"name":"one"},"time":null,"record":"MpiCollectiveBegin"}
{"kind":"snapshot","location":{"id":1,"name":"two"},"time":20,"record":"Enter","origEventTime":-1,"region":{"id":0,"name":"one"}}
"#;
    assert_eq!(printed(&["--format", "json", "--timestamps", "offset"]), expected[1..]);
}

#[test]
fn definitions_as_json() {
    let text = printed(&["--format", "json", "-A", "-M"]);
    for line in [
        r#"{"kind":"definition","record":"String","self":1,"string":"one"}"#,
        r#"{"kind":"definition","record":"ClockProperties","timerResolution":1000,"globalOffset":100,"traceLength":50,"realtimeTimestamp":18446744073709551615}"#,
        r#"{"kind":"definition","record":"Group","self":7,"name":{"id":1,"name":"one"},"members":[{"id":7,"name":"a \"quoted\",\u000a\\text\u0001 �é"},{"id":99},null],"groupType":"REGIONS","paradigm":"MPI","groupFlags":["GLOBAL_MEMBERS",8]}"#,
        r#"{"kind":"definition","record":"MetricInstance","self":3,"metricClass":{"id":1},"recorder":{"id":1,"name":"two"},"metricScope":"LOCATION","scope":{"id":5,"name":"three"}}"#,
        r#"{"kind":"definition","record":"LocationProperty","location":{"id":5,"name":"three"},"name":{"id":1,"name":"one"},"type":"FLOAT","value":1.5}"#,
        r#"{"kind":"localDefinition","location":{"id":0,"name":"one"},"record":"MappingTable","mappingType":"GROUP","idMap":[[1,2],[9,7]]}"#,
    ] {
        assert!(text.lines().any(|printed| printed == line), "no {line} in\n{text}");
    }
    assert!(text.starts_with(r#"{"kind":"anchor","version":"3.0.3","eventChunkSize":1048576,"#));
}

#[test]
fn events_as_csv() {
    let expected = "\
        location,time,record,fields\n\
        0,-10,Enter,region=7,\"region.name=a \"\"quoted\"\",\n\\text\u{1} \u{FFFD}é\",attribute.0=7,\
        \"attribute.0.name=a \"\"quoted\"\",\n\\text\u{1} \u{FFFD}é\",attribute.1=-7,attribute.2=5\n\
        0,18446744073709551514,Metric,metric=3,typeIDs=INT64 DOUBLE DOUBLE,metricValues=-5 0.1 NaN\n\
        0,18446744073709551514,IoCreateHandle,handle=undefined,mode=9,creationFlags=CREATE TRUNCATE 1048576,statusFlags=\n\
        0,18446744073709551514,Unknown,recordId=199\n\
        0,undefined,MpiCollectiveBegin\n";
    let output = kymo(&["--format=csv", "--timestamps=offset"], &archive().anchor());
    assert_eq!(output.status.code(), Some(0));
    // Bytes that are not valid UTF-8 are passed through.
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
    assert!(output.stdout.contains(&0xFF));
}

#[test]
fn csv_has_events_only() {
    for option in ["-A", "-G", "-I", "-T", "-M", "-C"] {
        let output = kymo(&["--format", "csv", option], &archive().anchor());
        assert_eq!(output.status.code(), Some(2), "{option}");
    }
}

/// Python parses every line as JSON, and there are as many lines as in the text.
#[test]
fn all_archives_as_json() {
    let program = "import json, sys\nprint(sum(json.loads(line)['kind'] in ('event', 'snapshot') for line in sys.stdin))";
    let all = [every_record()].into_iter().chain(archives("otf2-samples")).chain(archives("otf2-real"));
    for anchor in kymo_testdata::part_of(all, 2) {
        let json = kymo(&["-A", "-M", "-C", "--format", "json"], &anchor);
        let mut python = kymo_testdata::python();
        let mut python =
            python.args(["-c", program]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        python.stdin.take().unwrap().write_all(&json.stdout).unwrap();
        let count = String::from_utf8(python.wait_with_output().unwrap().stdout).unwrap();
        let text = kymo::<&str>(&[], &anchor).stdout;
        let column =
            |line: &&[u8]| line.get(34..48).is_some_and(|column| column.iter().any(u8::is_ascii_digit));
        let is_event = |line: &&[u8]| line.first().is_some_and(u8::is_ascii_uppercase) && column(line);
        let lines = text.split(|&byte| byte == b'\n').filter(is_event).count();
        assert_eq!(count.trim(), lines.to_string(), "{}", anchor.display());
    }
}
