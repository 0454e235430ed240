//! Arbitrary values of every record must survive a round trip in both byte orders, and must not
//! exceed their bound.

use crate::common::wire::{self, Wire};
use kymo_otf2::definitions::{GlobalDefinition, LocalDefinition};
use kymo_otf2::enums::RegionRole;
use kymo_otf2::events::Event;
use kymo_otf2::field::FieldInfo;
use kymo_otf2::markers::AnyMarker;
use kymo_otf2::records::{AnyRecord, Decode};
use kymo_otf2::snapshots::Snapshot;
use kymo_otf2::thumbnails::Thumbnail;
use kymo_otf2::{BigEndian, ByteOrder, LittleEndian, read, write};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

type Table = &'static [(u8, &'static str, &'static [FieldInfo])];

fn encoded(fields: &[Wire], big: bool) -> Vec<u8> {
    let mut bytes = Vec::new();
    fields.iter().for_each(|field| field.put(&mut bytes, big));
    bytes
}

fn written<E: ByteOrder, R: AnyRecord>(record: &R) -> Vec<u8> {
    let mut bytes = vec![0xAA; record.bound() + write::SLACK];
    let mut cursor = kymo_otf2::wire::Encoder::<E>::new(&mut bytes, 0);
    record.encode(&mut cursor);
    let length = cursor.position();
    assert!(length <= record.bound(), "{length} bytes with a bound of {}", record.bound());
    assert!(record.bound() <= record.width(), "bound {}, width {}", record.bound(), record.width());
    bytes.truncate(length);
    bytes
}

fn decoded<'a, R: Decode<'a>>(id: u8, bytes: &'a [u8], big: bool) -> R {
    let mut cursor = kymo_otf2::wire::Cursor::new(bytes, 0, big);
    let record = R::decode(id, &mut cursor).unwrap_or_else(|problem| panic!("{problem}"));
    assert!(cursor.at_end());
    record
}

macro_rules! round_trip {
    ($test:ident, $family:ident) => {
        #[test]
        fn $test() {
            let table: Table = $family::RECORDS;
            for &(id, name, fields) in table {
                let has_obsolete = fields.iter().any(|field| field.obsolete);
                let mut runner = TestRunner::new_with_rng(
                    Config { cases: 100, failure_persistence: None, ..Config::default() },
                    proptest::test_runner::TestRng::deterministic_rng(
                        proptest::test_runner::RngAlgorithm::ChaCha,
                    ),
                );
                let check = |values: Vec<Wire>| {
                    let kept = fields.iter().zip(&values).filter(|(field, _)| !field.obsolete);
                    let kept: Vec<Wire> = kept.map(|(_, value)| value.clone()).collect();
                    for big in [false, true] {
                        let bytes = encoded(&values, big);
                        let record: $family<'_> = decoded(id, &bytes, big);
                        prop_assert_eq!(record.name(), name);
                        prop_assert_eq!(record.id(), id);
                        prop_assert_eq!(&wire::visible(&record), &kept);
                        let (little, other) =
                            (written::<LittleEndian, _>(&record), written::<BigEndian, _>(&record));
                        let again: $family<'_> = decoded(id, &little, false);
                        prop_assert_eq!(&wire::visible(&again), &kept);
                        let again: $family<'_> = decoded(id, &other, true);
                        prop_assert_eq!(&wire::visible(&again), &kept);
                        if !has_obsolete {
                            prop_assert_eq!(&if big { other } else { little }, &bytes);
                        }
                        // A truncated record causes an error or yields the defaults, never a panic.
                        for length in 0..bytes.len().min(40) {
                            let mut cursor = kymo_otf2::wire::Cursor::new(&bytes[..length], 0, big);
                            let _ = $family::decode(id, &mut cursor);
                        }
                    }
                    Ok(())
                };
                runner.run(&wire::fields(fields), check).unwrap_or_else(|error| panic!("{name}: {error}"));
            }
        }
    };
}

round_trip!(global_definitions, GlobalDefinition);
round_trip!(local_definitions, LocalDefinition);
round_trip!(events, Event);
round_trip!(snapshots, Snapshot);
round_trip!(markers, AnyMarker);
round_trip!(thumbnails, Thumbnail);

#[test]
fn unknown_records_survive_a_round_trip() {
    for length in [0, 1, 254, 255, 300] {
        let data: Vec<u8> = (0..length).map(|byte| byte as u8).collect();
        let record: Event<'_> = decoded(200, &data, false);
        assert_eq!(record, Event::Unknown { id: 200, data: &data });
        assert_eq!(written::<LittleEndian, _>(&record), data);
    }
}

#[test]
fn definition_logs_are_read_back() {
    use kymo_otf2::definitions::{Location, String};
    use kymo_otf2::{enums::LocationType, references::*};
    let long = "x".repeat(1000);
    let strings = [
        String { id: StringRef(7), string: "seven".into() },
        String { id: StringRef(8), string: long.as_str().into() },
    ];
    let location = Location {
        id: LocationRef(1 << 40),
        name: StringRef(7),
        location_type: LocationType::CPU_THREAD,
        number_of_events: 12,
        location_group: LocationGroupRef::UNDEFINED,
    };
    let mut log = Vec::new();
    let mut room = vec![0; 2000];
    for string in &strings {
        let length = write::definition_bytes(string, &mut room).unwrap();
        log.extend_from_slice(&room[..length]);
    }
    let length = write::definition_bytes(&location, &mut room).unwrap();
    log.extend_from_slice(&room[..length]);
    let read: Vec<GlobalDefinition<'_>> = read::log(&log).map(|record| record.unwrap()).collect();
    let expected = [
        GlobalDefinition::String(strings[0]),
        GlobalDefinition::String(strings[1]),
        GlobalDefinition::Location(location),
    ];
    assert_eq!(read, expected);
    let need = write::definition_room(&strings[1]);
    let short = write::definition_bytes(&strings[1], &mut room[..need - 1]);
    assert_eq!(short, Err(kymo_otf2::Usage::BufferTooSmall { need }));
    assert!(read::log::<GlobalDefinition<'_>>(&log[..log.len() - 1]).last().unwrap().is_err());
}

proptest! {
    #![proptest_config(Config { cases: 300, failure_persistence: None, ..Config::default() })]

    /// A caller's slice is written by a loop of its own, a list that was read element by element.
    /// Both must match the encoder of the tests, including bounds.
    #[test]
    fn a_slice_is_written_as_the_list_that_was_read(
        metric in wire::number(32),
        values in prop::collection::vec((any::<u8>(), wire::number(64)), 0..256),
        members in prop::collection::vec(wire::number(64), 0..60),
    ) {
        use kymo_otf2::definitions::Group;
        use kymo_otf2::enums::{GroupType, Paradigm, Type};
        use kymo_otf2::events::Metric;
        use kymo_otf2::flags::GroupFlag;
        use kymo_otf2::list::List;
        use kymo_otf2::references::{GroupRef, MetricRef, StringRef};
        use kymo_otf2::value::MetricValue;

        let slice: Vec<_> =
            values.iter().map(|&(type_, bits)| MetricValue { type_: Type(type_), bits }).collect();
        let slice = Metric { metric: MetricRef(metric as u32), metric_values: List::truncated(&slice) };
        let elements = values.iter().map(|&(type_, bits)| vec![Wire::U8(type_), Wire::U64(bits)]).collect();
        let fields = [Wire::U32(metric as u32), Wire::List(Box::new(Wire::U8(values.len() as u8)), elements)];
        for big in [false, true] {
            let bytes = encoded(&fields, big);
            let read: Metric<'_> = decoded(slice.id(), &bytes, big);
            prop_assert_eq!((read.bound(), read.width()), (slice.bound(), slice.width()));
            let both = match big {
                false => [written::<LittleEndian, _>(&slice), written::<LittleEndian, _>(&read)],
                true => [written::<BigEndian, _>(&slice), written::<BigEndian, _>(&read)],
            };
            prop_assert_eq!(both, [bytes.clone(), bytes]);
        }
        let group = Group {
            id: GroupRef(1),
            name: StringRef(2),
            group_type: GroupType::LOCATIONS,
            paradigm: Paradigm::UNKNOWN,
            group_flags: GroupFlag::empty(),
            members: List::truncated(&members),
        };
        let bytes = written::<LittleEndian, _>(&group);
        let read: Group<'_> = decoded(group.id(), &bytes, false);
        prop_assert_eq!((read.bound(), read.width()), (group.bound(), group.width()));
        prop_assert!(read.members.iter().eq(members.iter().copied()));
        prop_assert_eq!(written::<LittleEndian, _>(&read), bytes);
    }
}

/// OTF2's own tests read an archive with such regions, trace format 1.
#[test]
fn two_more_bytes_of_regions_before_the_first_version_are_skipped() {
    let bytes = [1, 0, 1, 1, 1, 2, 1, 1, 0, 1, 0, 1, 0, 1, 1];
    let mut cursor = kymo_otf2::wire::Cursor::new(&bytes, 0, false);
    let GlobalDefinition::Region(region) = GlobalDefinition::decode(15, &mut cursor).unwrap() else {
        panic!("no region");
    };
    assert_eq!((region.id.0, region.name.0, region.description.0), (0, 1, 2));
    assert_eq!((region.canonical_name, region.region_role), (region.name, RegionRole::FUNCTION));
}
