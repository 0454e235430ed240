//! Random records with each field drawn from a few values: definitions are repeated, out of order
//! or missing, enumerations and flags have values without names, and ranks are outside their
//! groups.
//!
//! The reference tool crashes on some of these. Records on which it crashes are left out of the
//! comparison and printed by `kymo` only.

use kymo_otf2::definitions::{self, GlobalDefinition, LocalDefinition};
use kymo_otf2::enums::{GroupType, MappingType, Paradigm};
use kymo_otf2::events::Event;
use kymo_otf2::field::{FieldInfo, FieldKind};
use kymo_otf2::flags::GroupFlag;
use kymo_otf2::references::*;
use kymo_otf2::snapshots::Snapshot;

use super::made::{Draft, Made, Records};
use super::programs::{kymo, reference, same_text};

/// A random number generator with a fixed seed.
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.bits() % limit
    }

    fn one_in(&mut self, count: u64) -> bool {
        self.below(count) == 0
    }

    /// Returns a number of any size.
    fn number(&mut self) -> u64 {
        match self.below(8) {
            0 => u64::MAX,
            1 => 0,
            _ => self.bits() >> self.below(64),
        }
    }
}

/// The range of values that records of an archive may have.
#[derive(Clone, Copy, PartialEq)]
enum Care {
    /// Values that the reference tool survives.
    Reference,
    /// Anything.
    None,
}

/// Appends a compressed number.
fn compressed(out: &mut Vec<u8>, number: u64, all: u64) {
    let number = number & all;
    let length = 8 - number.leading_zeros() as u8 / 8;
    match number {
        _ if number == all => out.push(0xFF),
        _ => {
            out.push(length);
            out.extend(&number.to_le_bytes()[..length as usize]);
        }
    }
}

const WIDE: u64 = u64::MAX;
const NARROW: u64 = u32::MAX as u64;

/// The number of ids that may be defined: those of `Draft::usual` and a few more.
const IDS: u64 = 9;

fn reference_id(random: &mut Random, space: &str, care: Care) -> u64 {
    let ids = match space {
        "String" if care == Care::Reference => return 1 + random.below(4),
        "Location" => return [0, 1, 5, 7][random.below(4) as usize],
        _ => IDS,
    };
    if random.one_in(10) { u64::MAX } else { random.below(ids) }
}

fn field(out: &mut Vec<u8>, random: &mut Random, kind: &FieldKind, care: Care) {
    match kind {
        FieldKind::U8 => out.push(random.number() as u8),
        FieldKind::U32 => {
            let number = if random.one_in(3) { random.below(5) } else { random.number() };
            compressed(out, number, NARROW);
        }
        FieldKind::U64 | FieldKind::I64 => compressed(out, random.number(), WIDE),
        FieldKind::F64 => out.extend((random.number() as f64 / 7.0).to_le_bytes()),
        FieldKind::Timestamp => out.extend(random.below(2000).to_le_bytes()),
        FieldKind::Reference { space, bytes, .. } => {
            let id = reference_id(random, space.name(), care);
            match bytes {
                1 => out.push(id as u8),
                4 => compressed(out, id, NARROW),
                _ => compressed(out, id, WIDE),
            }
        }
        FieldKind::Enum(_) => {
            let number = if random.one_in(12) { 255 } else { random.below(27) as u8 };
            let is_newer = care == Care::Reference && number == Paradigm::OPENMP_TARGET.0;
            out.push(if is_newer { 255 } else { number });
        }
        FieldKind::Flags(_) => compressed(out, random.number() & random.number(), NARROW),
        FieldKind::Text => {
            out.extend((0..random.below(20)).map(|_| 1 + random.below(255) as u8));
            out.push(0);
        }
        FieldKind::Value => value(out, random, care),
        FieldKind::List { count, element } => list(out, random, count, element, care),
        FieldKind::IdMap => id_map(out, random),
        other => panic!("a field of a new kind: {other:?}"),
    }
}

fn value(out: &mut Vec<u8>, random: &mut Random, care: Care) {
    let type_ = if random.one_in(12) { 77 } else { random.below(26) as u8 };
    out.push(type_);
    let number = if random.one_in(2) { random.below(IDS) } else { random.number() };
    match type_ {
        1 | 5 => out.push(number as u8),
        2 | 6 => out.extend((number as u16).to_le_bytes()),
        9 => out.extend((number as f32 / 7.0).to_le_bytes()),
        10 => out.extend((number as f64 / 7.0).to_le_bytes()),
        11 => compressed(out, reference_id(random, "String", care), NARROW),
        3 | 7 | 12 | 14..=25 => compressed(out, number, NARROW),
        _ => compressed(out, number, WIDE),
    }
}

fn list(out: &mut Vec<u8>, random: &mut Random, count: &FieldKind, element: &[FieldKind], care: Care) {
    let length = random.below(4);
    match count {
        FieldKind::U8 => out.push(length as u8),
        _ => compressed(out, length, NARROW),
    }
    for _ in 0..length {
        match element {
            [FieldKind::Enum(_), FieldKind::MetricValue] => {
                out.push([4, 8, 10, 10, 3][random.below(5) as usize]);
                compressed(out, random.number(), WIDE);
            }
            // The type is part of the value.
            [property, _, value @ FieldKind::Value] => {
                field(out, random, property, care);
                field(out, random, value, care);
            }
            [FieldKind::U64] => {
                compressed(out, if random.one_in(8) { random.number() } else { random.below(5) }, WIDE)
            }
            parts => parts.iter().for_each(|part| field(out, random, part, care)),
        }
    }
}

fn id_map(out: &mut Vec<u8>, random: &mut Random) {
    let (length, sparse) = (1 + random.below(4), random.below(2));
    compressed(out, length, WIDE);
    out.push(sparse as u8);
    for local in 0..length {
        if sparse == 1 {
            compressed(out, local * 2, WIDE);
        }
        compressed(out, random.below(IDS), WIDE);
    }
}

type Table = &'static [(u8, &'static str, &'static [FieldInfo])];

fn record(
    records: &mut Records,
    random: &mut Random,
    kind: (u8, &str, &[FieldInfo]),
    singleton: bool,
    care: Care,
) {
    let mut data = Vec::new();
    for info in kind.2 {
        field(&mut data, random, &info.kind, care);
    }
    match singleton {
        true => records.singleton(kind.0, &data),
        false => records.raw(kind.0, &data),
    };
}

/// The first event that the reference tool, which is of OTF2 3.0, does not have.
const FIRST_OF_3_2: &str = "MpiProbe";

/// Kinds that crash the reference tool unless they are drawn with more care than the others.
const DELICATE: [&str; 6] = ["String", "Location", "Group", "Comm", "InterComm", "IoHandle"];

fn definitions_of(random: &mut Random, care: Care) -> Draft {
    let mut draft = Draft::usual();
    draft.group(2, GroupType::COMM_SELF, &[], GroupFlag::NONE);
    draft.group(3, GroupType::COMM_GROUP, &[2, 0], GroupFlag::GLOBAL_MEMBERS);
    draft.group(4, GroupType::COMM_GROUP, &[1, 9], GroupFlag::NONE);
    (0..IDS as u8).for_each(|id| draft.io_paradigm(id, StringRef(1 + u32::from(id) % 4)));
    for _ in 0..200 {
        let table: Table = GlobalDefinition::RECORDS;
        let kind = table[random.below(table.len() as u64) as usize];
        match (care, kind.1) {
            (Care::Reference, name) if DELICATE.contains(&name) => delicate(&mut draft, random, name),
            (Care::Reference, "CallingContext") => calling_context(&mut draft, random),
            _ => record(&mut draft.global, random, kind, false, care),
        }
    }
    draft
}

fn delicate(draft: &mut Draft, random: &mut Random, name: &str) {
    let id = random.below(IDS) as u32;
    let name_of = StringRef(random.below(4) as u32 + 1);
    let comm = CommRef(id);
    match name {
        "String" => draft.string(6 + id, &random.bits().to_le_bytes().map(|byte| byte.max(1))),
        "Group" => {
            let members: Vec<u64> = (0..random.below(4)).map(|_| random.below(5)).collect();
            // The groups of communicators are those of the initial draft.
            let kind = GroupType([0, 1, 2, 3, 8, 255][random.below(6) as usize]);
            draft.group(5 + id, kind, &members, GroupFlag::from_bits_retain(random.below(4) as u32));
        }
        "Comm" => draft.comm(comm, GroupRef(random.below(6) as u32)),
        "InterComm" => {
            draft.global.put(&definitions::InterComm {
                id: comm,
                name: name_of,
                group_a: GroupRef([1, 2, 3][random.below(3) as usize]),
                group_b: GroupRef(random.below(6) as u32),
                common_communicator: CommRef(random.below(IDS) as u32),
                flags: Default::default(),
            });
        }
        "IoHandle" => {
            draft.global.put(&definitions::IoHandle {
                id: IoHandleRef(id),
                name: if random.one_in(2) { name_of } else { StringRef(0) },
                file: IoFileRef::UNDEFINED,
                io_paradigm: IoParadigmRef(random.below(4) as u8),
                io_handle_flags: Default::default(),
                comm,
                parent: IoHandleRef(random.below(IDS) as u32),
            });
        }
        // Every location needs its files.
        _ => draft.location(8 + u64::from(id), name_of),
    }
}

/// Adds a context whose callers have smaller ids, so that there is a first one.
fn calling_context(draft: &mut Draft, random: &mut Random) {
    let id = random.below(IDS) as u32;
    let parent =
        (0..id).rev().find(|_| random.one_in(2)).map_or(CallingContextRef::UNDEFINED, CallingContextRef);
    draft.global.put(&definitions::CallingContext {
        id: CallingContextRef(id),
        region: RegionRef(reference_id(random, "Region", Care::Reference) as u32),
        source_code_location: SourceCodeLocationRef(random.below(IDS) as u32),
        parent,
    });
}

fn is_singleton(name: &str) -> bool {
    let names =
        ["Enter", "Leave", "MpiIsendComplete", "MpiIrecvRequest", "MpiRequestTest", "MpiRequestCancelled"];
    names.contains(&name) || ["OmpFork", "OmpTaskCreate", "OmpTaskSwitch", "OmpTaskComplete"].contains(&name)
}

fn attributes(records: &mut Records, random: &mut Random, care: Care) {
    let mut data = Vec::new();
    let count = 1 + random.below(4);
    compressed(&mut data, count, NARROW);
    for attribute in 0..count {
        compressed(&mut data, attribute * 2, NARROW);
        value(&mut data, random, care);
    }
    records.list(&data);
}

fn events(records: &mut Records, random: &mut Random, table: Table, snapshot: bool, care: Care) {
    let mut time = 100;
    let table = match care {
        Care::Reference => table.split(|(_, name, _)| *name == FIRST_OF_3_2).next().unwrap_or_default(),
        _ => table,
    };
    for _ in 0..100 {
        if random.one_in(2) {
            time += random.below(20);
            records.time(time);
        }
        if random.one_in(4) {
            attributes(records, random, care);
        }
        if random.one_in(30) {
            records.raw(199, b"new");
            continue;
        }
        let kind = table[random.below(table.len() as u64) as usize];
        record(records, random, kind, !snapshot && is_singleton(kind.1), care);
    }
}

fn archive(seed: u64, care: Care) -> Made {
    let random = &mut Random(seed);
    let mut draft = definitions_of(random, care);
    let has_snapshots = random.one_in(2);
    for location in draft.locations.values_mut() {
        events(&mut location.events, random, Event::RECORDS, false, care);
        if has_snapshots {
            events(location.snapshots.get_or_insert_default(), random, Snapshot::RECORDS, true, care);
        }
    }
    let table: Table = LocalDefinition::RECORDS;
    for mapping in 0..15 {
        // A mapping must not turn two attributes of an event into one.
        if random.one_in(2) || mapping == MappingType::ATTRIBUTE.0 {
            continue;
        }
        let mut data = vec![mapping];
        id_map(&mut data, random);
        draft.at(1).local.raw(table[0].0, &data);
    }
    for time in [100, 500, 900] {
        let (time, offset) = (kymo_otf2::value::Timestamp(time), random.below(60) as i64 - 30);
        draft.at(5).local.put(&definitions::ClockOffset { time, offset, standard_deviation: 0.25 });
    }
    draft.make()
}

#[test]
fn random_archives_print_like_the_reference() {
    let options = [
        "-A -M -C --unwind-calling-context --timestamps offset",
        "-A -d -s 50",
        "-A -Werror",
        "--time 150 600 --unwind-calling-context",
        "-L 1 -M",
    ];
    let mut crashes = 0;
    for seed in seeds() {
        let made = archive(seed, Care::Reference);
        for options in options {
            let options: Vec<_> = options.split_whitespace().collect();
            let Some(expected) = reference(&options, &made.anchor()) else { return };
            let ours = kymo(&options, &made.anchor());
            if expected.status.code().is_none_or(|status| status >= 124) {
                crashes += 1;
                continue;
            }
            let what = format!("seed {seed} {options:?}");
            same_text(&what, &ours.stdout, &expected.stdout);
            assert_eq!(ours.status.code(), expected.status.code(), "{what}");
        }
    }
    assert!(crashes < seeds().end / 8, "{crashes} archives that the reference tool cannot print");
}

/// Every record has its line, whatever its fields are.
#[test]
fn random_archives_are_printed_whole() {
    for seed in seeds() {
        let made = archive(seed, Care::None);
        let ours = kymo(&["-A", "-M", "--unwind-calling-context"], &made.anchor());
        let errors = String::from_utf8_lossy(&ours.stderr);
        assert!(!errors.contains("panicked"), "seed {seed}: {errors}");
    }
}

fn seeds() -> std::ops::Range<u64> {
    0..if kymo_testdata::is_long() { 600 } else { 20 }
}
