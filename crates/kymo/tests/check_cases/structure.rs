//! Files, chunks, end marks, counts.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;

use kymo_otf2::anchor::{Properties, Property};
use kymo_otf2::definitions::{self, ClockOffset, IoDirectory, MappingTable};
use kymo_otf2::enums::{MappingType, RegionRole, ThumbnailType};
use kymo_otf2::events::{Enter, Event, Leave, MpiRecv, MpiSend};
use kymo_otf2::id_map::IdMap;
use kymo_otf2::references::{IoFileRef, RegionRef, StringRef, SystemTreeNodeRef};
use kymo_otf2::snapshots::{SnapshotEnd, SnapshotStart};
use kymo_otf2::text::Text;
use kymo_otf2::thumbnails::{ThumbnailHeader, ThumbnailSample};
use kymo_otf2::value::Timestamp;

use super::{Case, case};
use crate::check_common::world::*;
use crate::check_common::{Trace, kymo};

const EVENTS: &str = "traces/0.evt";
/// The sizes in bytes of a chunk header, a timestamp, and an enter or leave with a small id.
const HEADER: usize = 18;
const TIMESTAMP: usize = 9;
const ENTER: usize = 3;

pub fn cases() -> Vec<Case> {
    [files(), chunks(), texts(), counts(), seals()].into_iter().flatten().collect()
}

/// Adds an enter and a leave of a region, at 10 and 20.
fn call(trace: &mut Trace) {
    trace.event(0, 10, Enter { region: RegionRef(1) });
    trace.event(0, 20, Leave { region: RegionRef(1) });
}

fn edit(folder: &Path, file: &str, edit: impl FnOnce(&mut Vec<u8>)) {
    let path = folder.join(file);
    let mut bytes = fs::read(&path).expect("a file");
    edit(&mut bytes);
    fs::write(&path, bytes).expect("writing");
}

fn cut(folder: &Path, file: &str, count: usize) {
    edit(folder, file, |bytes| bytes.truncate(bytes.len() - count));
}

fn files() -> Vec<Case> {
    vec![
        case("bad-anchor", |trace, faulty| {
            if faulty {
                trace.after(|folder| edit(folder, "traces.otf2", |bytes| bytes[2] = b'X'));
            }
        }),
        case("bad-chunk", |trace, faulty| {
            call(trace);
            if faulty {
                trace.after(|folder| edit(folder, EVENTS, |bytes| bytes[1] = 0x24));
            }
        }),
        case("bad-record", |trace, faulty| {
            call(trace);
            if faulty {
                // A compressed 32-bit number that claims seven bytes.
                trace.after(|folder| edit(folder, EVENTS, |bytes| bytes[HEADER + TIMESTAMP + 1] = 7));
            }
        }),
        case("missing-end", |trace, faulty| {
            call(trace);
            if faulty {
                trace.after(|folder| cut(folder, EVENTS, 2));
            }
        }),
        case("bad-thumbnail", |trace, faulty| {
            trace.thumbnail = Some((thumbnail_header(1), vec![sample()]));
            if faulty {
                // The number of samples.
                trace.after(|folder| {
                    edit(folder, "traces.0.thumb", |bytes| {
                        let at = HEADER + 2 + "\0\0".len() + 1;
                        assert_eq!(bytes[at..at + 2], [1, 1]);
                        bytes[at + 1] = 2;
                    })
                });
            }
        }),
        case("missing-file", |trace, faulty| {
            if faulty {
                trace.after(|folder| fs::remove_file(folder.join(EVENTS)).expect("removing"));
            }
        }),
        case("missing-local-definitions", |trace, faulty| {
            if faulty {
                trace.after(|folder| fs::remove_file(folder.join("traces/0.def")).expect("removing"));
            }
        }),
        case("stray-file", |trace, faulty| {
            if faulty {
                trace.after(|folder| {
                    fs::copy(folder.join(EVENTS), folder.join("traces/77.evt")).expect("copying");
                });
            }
        }),
        case("stray-file", |trace, faulty| {
            if faulty {
                trace.after(|folder| {
                    fs::copy(folder.join(EVENTS), folder.join("traces/0.snap")).expect("copying");
                });
            }
        }),
        case("trailing-bytes", |trace, faulty| {
            call(trace);
            if faulty {
                trace.after(|folder| {
                    let mut file = OpenOptions::new().append(true).open(folder.join(EVENTS)).expect("a file");
                    file.write_all(&[0; 9]).expect("writing");
                });
            }
        }),
        case("trailing-bytes", |trace, faulty| {
            if faulty {
                trace.after(|folder| edit(folder, "traces.def", |bytes| bytes.extend([0; 100])));
            }
        }),
        case("missing-end-of-buffer", |trace, faulty| {
            call(trace);
            if faulty {
                trace.after(|folder| cut(folder, EVENTS, 1));
            }
        }),
        // Of a newer version, an unknown record is possible.
        case("unknown-record", |trace, faulty| {
            let data = &[1, 2, 3];
            trace.anchor.version = [3, 9, 0];
            match faulty {
                true => trace.event(0, 10, Event::Unknown { id: 200, data }),
                false => call(trace),
            }
        }),
        // A changed byte that made another record of one went unnoticed.
        case("record-of-other-version", |trace, faulty| {
            let data = &[1, 2, 3];
            trace.anchor.version = [3, 2, 0];
            match faulty {
                true => trace.event(0, 10, Event::Unknown { id: 200, data }),
                false => call(trace),
            }
        }),
        case("unknown-value", |trace, faulty| {
            let region_role = if faulty { RegionRole(200) } else { RegionRole::LOOP };
            trace.define(kymo_otf2::definitions::Region { region_role, ..region(7) });
        }),
    ]
}

fn thumbnail_header(number_of_samples: u32) -> ThumbnailHeader<'static> {
    ThumbnailHeader {
        name: Text::from(""),
        description: Text::from(""),
        thumbnail_type: ThumbnailType::REGION,
        number_of_samples,
        refs_to_defs: list(&[0]),
    }
}

fn sample() -> ThumbnailSample<'static> {
    ThumbnailSample { baseline: 0, metric_samples: list(&[1]) }
}

fn chunks() -> Vec<Case> {
    vec![
        case("chunk-numbers", |trace, faulty| {
            call(trace);
            if faulty {
                trace.after(|folder| edit(folder, EVENTS, |bytes| bytes[10] = 3));
            }
        }),
        case("chunk-without-time", |trace, faulty| {
            // At time 0, which is also the time of a file without a timestamp.
            trace.event(0, 0, Enter { region: RegionRef(1) });
            trace.event(0, 20, Leave { region: RegionRef(1) });
            if faulty {
                trace.after(|folder| {
                    edit(folder, EVENTS, |bytes| drop(bytes.drain(HEADER..HEADER + TIMESTAMP)))
                });
            }
        }),
        case("repeated-time-stamp", |trace, faulty| {
            call(trace);
            if faulty {
                trace.after(|folder| {
                    edit(folder, EVENTS, |bytes| {
                        let stamp = bytes[HEADER..HEADER + TIMESTAMP].to_vec();
                        bytes.splice(HEADER..HEADER, stamp);
                    })
                });
            }
        }),
        case("time-goes-back", |trace, faulty| {
            call(trace);
            if faulty {
                trace.after(|folder| {
                    edit(folder, EVENTS, |bytes| {
                        let second = HEADER + TIMESTAMP + ENTER;
                        assert_eq!(bytes[second..second + 2], [5, 20]);
                        bytes[second + 1] = 9;
                    })
                });
            }
        }),
        case("corrected-time-goes-back", |trace, faulty| {
            trace.event(0, 100, Enter { region: RegionRef(1) });
            trace.event(0, 110, Leave { region: RegionRef(1) });
            for (time, offset) in [(100, 0), (110, if faulty { -30 } else { 30 })] {
                trace.local(0, ClockOffset { time: Timestamp(time), offset, standard_deviation: 0.0 });
            }
        }),
        case("duplicate-mapping-table", |trace, faulty| {
            let id_map = IdMap::from_table(&[1, 0]).expect("a table");
            trace.local(0, MappingTable { mapping_type: MappingType::REGION, id_map });
            let mapping_type = if faulty { MappingType::REGION } else { MappingType::LOCATION };
            trace.local(0, MappingTable { mapping_type, id_map });
        }),
        case("mapping-target", |trace, faulty| {
            let table: &[u64] = if faulty { &[1, 77] } else { &[1, 0] };
            let id_map = IdMap::from_table(table).expect("a table");
            trace.local(0, MappingTable { mapping_type: MappingType::REGION, id_map });
        }),
        // A table may map an id to nothing if no event uses that id.
        case("undefined-value", |trace, faulty| {
            let region = RegionRef(u32::from(faulty));
            trace.event(0, 10, Enter { region });
            trace.event(0, 20, Leave { region });
            let id_map = IdMap::from_table(&[1, u64::MAX]).expect("a table");
            trace.local(0, MappingTable { mapping_type: MappingType::REGION, id_map });
        }),
        // The ids in events are local ids.
        case("undefined-region", |trace, faulty| {
            trace.event(0, 10, Enter { region: RegionRef(5) });
            trace.event(0, 20, Leave { region: RegionRef(5) });
            let pairs: &[_] = if faulty { &[(6, 1)] } else { &[(5, 1)] };
            let id_map = IdMap::from_pairs(pairs).expect("a table");
            trace.local(0, MappingTable { mapping_type: MappingType::REGION, id_map });
        }),
        // The times of events are readings of the location's clock.
        case("receive-before-send", |trace, faulty| {
            let message = MpiSend { receiver: 1, communicator: WORLD, msg_tag: 1, msg_length: 8 };
            trace.event(0, 100, message);
            trace.event(1, 90, MpiRecv { sender: 0, communicator: WORLD, msg_tag: 1, msg_length: 8 });
            for time in [0, 1000] {
                let offset = if faulty { 9 } else { 10 };
                trace.local(1, ClockOffset { time: Timestamp(time), offset, standard_deviation: 0.0 });
            }
        }),
        case("unknown-value", |trace, faulty| {
            let id_map = IdMap::from_table(&[1, 0]).expect("a table");
            let mapping_type = if faulty { MappingType(200) } else { MappingType::REGION };
            trace.local(0, MappingTable { mapping_type, id_map });
        }),
        case("clock-offset-order", |trace, faulty| {
            for time in [10, if faulty { 10 } else { 20 }] {
                trace.local(0, ClockOffset { time: Timestamp(time), offset: 0, standard_deviation: 0.0 });
            }
        }),
        case("single-clock-offset", |trace, faulty| {
            for time in if faulty { 10..11 } else { 10..12 } {
                trace.local(0, ClockOffset { time: Timestamp(time), offset: 0, standard_deviation: 0.0 });
            }
        }),
    ]
}

/// Adds a snapshot of all locations.
fn snapshot(trace: &mut Trace, records: u64, position: u64) {
    call(trace);
    for location in [0, 1, 2] {
        let cont_read_pos = if location == 0 { position } else { 1 };
        let number_of_records = if location == 0 { records } else { 0 };
        trace.snapshot(location, 5, SnapshotStart { number_of_records });
        trace.snapshot(location, 5, SnapshotEnd { cont_read_pos });
    }
}

fn property(trace: &mut Trace, name: &'static str, value: &'static str) {
    trace.anchor.properties = Properties::new(vec![Property::new(name, value)].leak());
}

/// Texts that cannot be right were reported by nothing.
fn texts() -> Vec<Case> {
    vec![
        case("text-not-utf-8", |trace, faulty| {
            let string: &[u8] = if faulty { b"solv\xe5r" } else { "sólvér\n".as_bytes() };
            trace.define(definitions::String { id: StringRef(70), string: Text::new(string) });
        }),
        case("text-not-utf-8", |trace, faulty| {
            trace.anchor.description = Text::new(if faulty { b"\xff" } else { b"\t" });
        }),
        case("property-value", |trace, faulty| {
            property(trace, "OTF2::MPI_COMMUNICATION_COMPLETE", if faulty { "tsue" } else { "true" });
        }),
        case("unknown-property", |trace, faulty| {
            let name = ["OTF2::THREAD_LOCK_EVENT_COMPLETE", "OTF2::THREAD_LOCK_EVENT_KOMPLETE"];
            property(trace, name[usize::from(faulty)], "true");
        }),
        // Names of files may have any bytes.
        case("text-not-utf-8", |trace, faulty| {
            trace.define(definitions::String { id: StringRef(70), string: Text::new(b"\xe5.txt") });
            let name = if faulty { EMPTY } else { StringRef(70) };
            trace.define(IoDirectory { id: IoFileRef(9), name, scope: SystemTreeNodeRef::UNDEFINED });
        }),
        case("control-character", |trace, faulty| {
            let string = if faulty { "solv\u{1b}r" } else { "solv\tr" };
            trace.define(definitions::String { id: StringRef(70), string: Text::from(string) });
        }),
    ]
}

fn counts() -> Vec<Case> {
    vec![
        case("location-count", |trace, faulty| trace.miscount.locations = faulty.into()),
        case("definition-count", |trace, faulty| trace.miscount.definitions = faulty.into()),
        case("event-count", |trace, faulty| {
            call(trace);
            trace.miscount.events = faulty.into();
        }),
        case("events-lost", |trace, faulty| {
            call(trace);
            let lost = vec![Property::new("KYMO::EVENTS_LOST", "17")];
            trace.anchor.properties = Properties::new(if faulty { lost.leak() } else { &[] });
        }),
        case("snapshot-count", |trace, faulty| {
            snapshot(trace, 0, 1);
            if faulty {
                trace.anchor.number_of_snapshots = 2;
            }
        }),
        case("snapshot-records", |trace, faulty| snapshot(trace, faulty.into(), 1)),
        case("snapshot-position", |trace, faulty| snapshot(trace, 0, if faulty { 77 } else { 2 })),
        case("snapshot-position", |trace, faulty| {
            // The first event is before the snapshot, or has its time.
            trace.event(0, if faulty { 4 } else { 5 }, Enter { region: RegionRef(0) });
            trace.event(0, 5, Leave { region: RegionRef(0) });
            snapshot(trace, 0, 1);
        }),
    ]
}

fn seal(folder: &Path) {
    let output = kymo().arg("seal").arg(folder).output().expect("running kymo");
    assert!(output.status.success(), "{output:?}");
}

/// Seals the archive, and makes the change afterwards if `faulty`.
fn sealed(trace: &mut Trace, faulty: bool, change: fn(&Path)) {
    call(trace);
    trace.after(seal);
    if faulty {
        trace.after(change);
    }
}

fn seals() -> Vec<Case> {
    vec![
        case("bad-seal", |trace, faulty| sealed(trace, faulty, |folder| cut(folder, "traces.seal", 1))),
        case("seal-block", |trace, faulty| {
            // The time of the first event.
            sealed(trace, faulty, |folder| edit(folder, EVENTS, |bytes| bytes[HEADER + 1] += 1));
        }),
        case("seal-length", |trace, faulty| {
            sealed(trace, faulty, |folder| edit(folder, EVENTS, |bytes| bytes.push(0)));
        })
        .with(&["trailing-bytes"]),
        case("seal-missing-file", |trace, faulty| {
            sealed(trace, faulty, |folder| fs::remove_file(folder.join("traces/0.def")).expect("a file"));
        })
        .with(&["missing-local-definitions"]),
        case("seal-extra-file", |trace, faulty| {
            sealed(trace, faulty, |folder| {
                fs::copy(folder.join(EVENTS), folder.join("traces/99.evt")).expect("a copy");
            });
        })
        .with(&["stray-file"]),
    ]
}
