//! The same calls to libotf2 and to our writers must produce the same bytes.
//!
//! A script of random calls (fixed seeds) is executed by `libotf2/play.c`, which is compiled
//! against the installed library, and by our writers. Every file must be identical; in the anchor,
//! the trace id and the version may differ.

use crate::common::program::Program;
use crate::common::{self, calls, wire};
use kymo_otf2::anchor::{Properties, Property};
use kymo_otf2::attributes::Attribute;
use kymo_otf2::definitions::{GlobalDefinition, LocalDefinition, MappingTable};
use kymo_otf2::enums::{MappingType, ThumbnailType, Type};
use kymo_otf2::events::Event;
use kymo_otf2::id_map::IdMap;
use kymo_otf2::list::List;
use kymo_otf2::markers::AnyMarker;
use kymo_otf2::records::Decode;
use kymo_otf2::references::AttributeRef;
use kymo_otf2::snapshots::Snapshot;
use kymo_otf2::storage::Directory;
use kymo_otf2::thumbnails::{ThumbnailHeader, ThumbnailSample};
use kymo_otf2::value::Value;
use kymo_otf2::write::{
    EventWriter, GlobalDefinitionWriter, LocalDefinitionWriter, MarkerWriter, SnapshotWriter, StoragePieces,
    ThumbnailWriter, anchor,
};
use kymo_otf2::{Anchor, FileName, Storage, read};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

const CHUNK: u64 = 262_144;

/// Returns the player, or `None` if there is no C compiler or no libotf2, which is an error if `CI`
/// is set.
fn player() -> Option<&'static Path> {
    static PLAYER: OnceLock<Option<Program>> = OnceLock::new();
    let built = PLAYER.get_or_init(|| Program::build("tests/libotf2/play.c", &calls::c_source()));
    built.as_ref().map(Program::path)
}

/// Random values with a fixed seed.
struct Random {
    runner: TestRunner,
}

impl Random {
    fn new(seed: u8) -> Random {
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]);
        Random { runner: TestRunner::new_with_rng(Config::default(), rng) }
    }

    fn any<S: Strategy>(&mut self, strategy: S) -> S::Value {
        strategy.new_tree(&mut self.runner).unwrap().current()
    }

    fn below(&mut self, limit: usize) -> usize {
        self.any(0..limit)
    }
}

/// Random records of a table, as encoded bytes.
struct Records {
    strategies: Vec<(u8, BoxedStrategy<Vec<wire::Wire>>)>,
}

impl Records {
    fn of(table: calls::Table) -> Records {
        let strategies = calls::of_libotf2(table).iter().map(|(id, _, fields)| (*id, wire::fields(fields)));
        Records { strategies: strategies.collect() }
    }

    fn one(&self, random: &mut Random, index: usize) -> (u8, Vec<u8>) {
        let (id, strategy) = &self.strategies[index % self.strategies.len()];
        let mut bytes = Vec::new();
        random.any(strategy).iter().for_each(|field| field.put(&mut bytes, false));
        (*id, bytes)
    }

    fn random(&self, random: &mut Random) -> (u8, Vec<u8>) {
        let index = random.below(self.strategies.len());
        self.one(random, index)
    }
}

fn decoded<'a, R: Decode<'a>>(record: &'a (u8, Vec<u8>)) -> R {
    R::decode(record.0, &mut kymo_otf2::wire::Cursor::new(&record.1, 0, false)).unwrap()
}

fn attributes(random: &mut Random) -> Vec<Attribute> {
    let count = match random.below(40) {
        0..30 => 0,
        39 => random.below(60),
        _ => random.below(6),
    };
    let first = random.any(wire::number(32)) as u32;
    let one = |index: usize| {
        let type_ = Type(random.below(28) as u8);
        let value = Value::new(type_, random.any(wire::number(64)));
        Attribute::new(AttributeRef(first.wrapping_add(index as u32)), value)
    };
    (0..count).map(one).collect()
}

fn attribute_tokens(attributes: &[Attribute]) -> String {
    attributes.iter().fold(attributes.len().to_string(), |line, entry| {
        format!("{line} {} {} {}", entry.attribute.0, entry.value.type_().0, entry.value.bits())
    })
}

/// Returns the next time: often the same, sometimes far ahead.
fn later(random: &mut Random, time: u64) -> u64 {
    match random.below(10) {
        0..4 => time,
        9 => time + (random.any(any::<u64>()) >> 24),
        _ => time + random.below(1000) as u64,
    }
}

struct Plan {
    script: String,
    storage: Directory,
}

impl Plan {
    fn pieces(&self, file: FileName) -> StoragePieces<&Directory> {
        // The size does not divide that of a chunk, so pieces and chunks end in different places.
        StoragePieces::new(&self.storage, file, 20_000)
    }
}

fn definitions(plan: &mut Plan, random: &mut Random) -> (u64, u64) {
    let (mut script, mut locations) = (String::new(), 0);
    let mut writer = GlobalDefinitionWriter::new(plan.pieces(FileName::GlobalDefinitions), CHUNK).unwrap();
    let records = Records::of(GlobalDefinition::RECORDS);
    for index in 0..12_000 {
        let record = records.one(random, index);
        let record: GlobalDefinition<'_> = decoded(&record);
        locations += matches!(record, GlobalDefinition::Location(_)) as u64;
        writeln!(script, "gdef {}", calls::line(&record)).unwrap();
        writer.record(&record).unwrap();
    }
    let records = writer.close().unwrap().events;
    plan.script += &script;
    (records, locations)
}

fn local_definitions(plan: &mut Plan, random: &mut Random, location: u64, count: usize) {
    let mut script = String::new();
    let file = FileName::LocalDefinitions(location);
    let mut writer = LocalDefinitionWriter::new(plan.pieces(file), CHUNK).unwrap();
    let records = Records::of(LocalDefinition::RECORDS);
    for index in 0..count {
        let record = records.one(random, index);
        let record: LocalDefinition<'_> = decoded(&record);
        writeln!(script, "ldef {location} {}", calls::line(&record)).unwrap();
        writer.record(&record).unwrap();
    }
    for index in 0..60usize {
        let length = if index == 0 { 0 } else { random.below(20) };
        let moved = random.below(length + 1);
        let table: Vec<u64> =
            (0..length as u64).map(|id| if id < moved as u64 { id + 7 } else { id }).collect();
        let mapping_type = MappingType((index % 16) as u8);
        let tokens = table.iter().fold(String::new(), |line, id| format!("{line} {id}"));
        writeln!(script, "table {location} {} {length}{tokens}", mapping_type.0).unwrap();
        if let Some(id_map) = IdMap::from_table(&table) {
            writer.record(&MappingTable { mapping_type, id_map }).unwrap();
        }
    }
    writer.close().unwrap();
    plan.script += &script;
}

fn events(plan: &mut Plan, random: &mut Random, location: u64, count: usize) {
    let mut script = String::new();
    let mut writer = EventWriter::new(plan.pieces(FileName::Events(location)), CHUNK).unwrap();
    let records = Records::of(Event::RECORDS);
    let mut time = 0;
    for _ in 0..count {
        time = later(random, time);
        let record = records.random(random);
        let record: Event<'_> = decoded(&record);
        let attributes = attributes(random);
        writeln!(script, "evt {location} {time} {} {}", attribute_tokens(&attributes), calls::line(&record))
            .unwrap();
        writer.record_with(time, &attributes, &record).unwrap();
    }
    assert_eq!(writer.close().unwrap().events, count as u64);
    plan.script += &script;
}

fn snapshots(plan: &mut Plan, random: &mut Random, location: u64, count: usize) {
    let mut script = String::new();
    let mut writer = SnapshotWriter::new(plan.pieces(FileName::Snapshots(location)), CHUNK).unwrap();
    let records = Records::of(Snapshot::RECORDS);
    let mut time = 5;
    for _ in 0..count {
        time = later(random, time);
        let record = records.random(random);
        let record: Snapshot<'_> = decoded(&record);
        let attributes = attributes(random);
        writeln!(script, "snap {location} {time} {} {}", attribute_tokens(&attributes), calls::line(&record))
            .unwrap();
        writer.record_with(time, &attributes, &record).unwrap();
    }
    writer.close().unwrap();
    plan.script += &script;
}

fn markers(plan: &mut Plan, random: &mut Random) {
    let mut script = String::new();
    let mut writer = MarkerWriter::new(plan.pieces(FileName::Markers), CHUNK).unwrap();
    let records = Records::of(AnyMarker::RECORDS);
    for _ in 0..300 {
        let record = records.random(random);
        let record: AnyMarker<'_> = decoded(&record);
        writeln!(script, "mark {}", calls::line(&record)).unwrap();
        writer.record(&record).unwrap();
    }
    writer.close().unwrap();
    plan.script += &script;
}

fn thumbnail(plan: &mut Plan, random: &mut Random, number: u32) {
    let metrics = 1 + random.below(100);
    let values: Vec<u64> = (0..metrics).map(|_| random.any(wire::number(64))).collect();
    let line = |values: &[u64]| values.iter().fold(String::new(), |line, value| format!("{line} {value}"));
    let header = ThumbnailHeader {
        name: "name".into(),
        description: "some description".into(),
        thumbnail_type: ThumbnailType(number as u8),
        number_of_samples: 30,
        refs_to_defs: List::new(&values).unwrap(),
    };
    let mut script = format!(
        "thumb {} {} {number} 30 {metrics}{}\n",
        calls::hex(b"name"),
        calls::hex(b"some description"),
        line(&values)
    );
    let mut writer = ThumbnailWriter::new(plan.pieces(FileName::Thumbnail(number)), &header).unwrap();
    for _ in 0..30 {
        let samples: Vec<u64> = (0..metrics).map(|_| random.any(wire::number(64))).collect();
        let baseline = random.any(wire::number(64));
        writeln!(script, "{baseline}{}", line(&samples)).unwrap();
        writer.sample(&ThumbnailSample { baseline, metric_samples: List::new(&samples).unwrap() }).unwrap();
    }
    writer.finish().unwrap();
    plan.script += &script;
}

/// Runs the script with libotf2 and returns its archive.
fn played(player: &Path, folder: &Path, script: &str) -> Directory {
    let (file, theirs) = (folder.join("script"), folder.join("theirs"));
    std::fs::write(&file, script).unwrap();
    let output = Command::new(player).args([&file, &theirs]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Directory::open(&theirs).unwrap()
}

fn plan(folder: &Path) -> Plan {
    let storage = Directory::make(&folder.join("ours"), "traces").unwrap();
    storage.create().unwrap();
    Plan { script: format!("{CHUNK} {CHUNK}\n"), storage }
}

fn play(seed: u8) {
    let Some(player) = player() else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut plan = plan(folder.path());
    let mut random = Random::new(seed);
    let properties = [Property::new("KYMO::FIRST", "1"), Property::new("KYMO::SECOND::PART_2", "true")];
    let texts = [("machine", "some machine"), ("creator", ""), ("description", "é \" \\")];
    for (name, text) in texts {
        writeln!(plan.script, "{name} {}", calls::hex(text.as_bytes())).unwrap();
    }
    for property in &properties {
        let (name, value) = (property.name.as_bytes(), property.value.as_bytes());
        writeln!(plan.script, "property {} {}", calls::hex(name), calls::hex(value)).unwrap();
    }
    plan.script += "snapshots 3\n";
    let locations = [(0, 12_000, 4_000), (77, 300, 50), (u64::MAX / 3, 1, 0), (5_000_000_000, 0, 0)];
    for (location, count, other) in locations {
        writeln!(plan.script, "open {location}").unwrap();
        local_definitions(&mut plan, &mut random, location, other);
        events(&mut plan, &mut random, location, count);
        snapshots(&mut plan, &mut random, location, other);
    }
    let (number_of_global_definitions, number_of_locations) = definitions(&mut plan, &mut random);
    markers(&mut plan, &mut random);
    for number in 0..3 {
        thumbnail(&mut plan, &mut random, number);
    }

    let expected = played(player, folder.path(), &plan.script);
    let per_location = locations.iter().flat_map(|&(location, ..)| {
        [FileName::Events(location), FileName::LocalDefinitions(location), FileName::Snapshots(location)]
    });
    let files = per_location.chain([FileName::GlobalDefinitions, FileName::Markers]);
    for file in files.chain((0..3).map(FileName::Thumbnail)) {
        let (ours, theirs) = (plan.storage.read(file).unwrap(), expected.read(file).unwrap());
        assert_same(&ours, &theirs, &format!("seed {seed}: {file}"));
        let is_long = matches!(file, FileName::Events(0) | FileName::GlobalDefinitions);
        assert!(!is_long || ours.len() as u64 > CHUNK, "{file} has {} bytes only", ours.len());
    }
    let theirs = expected.read(FileName::Anchor).unwrap();
    let theirs_read = read::anchor(&theirs).unwrap();
    let ours = Anchor {
        version: theirs_read.version,
        event_chunk_size: CHUNK,
        definition_chunk_size: CHUNK,
        number_of_locations,
        number_of_global_definitions,
        machine: texts[0].1.into(),
        creator: texts[1].1.into(),
        description: texts[2].1.into(),
        properties: Properties::new(&properties),
        trace_id: theirs_read.trace_id,
        number_of_snapshots: 3,
        number_of_thumbnails: 3,
        ..Anchor::default()
    };
    assert_same(&anchor::anchor_bytes(&ours).unwrap(), &theirs, &format!("seed {seed}: anchor"));
}

fn assert_same(ours: &[u8], theirs: &[u8], context: &str) {
    let differs = ours.iter().zip(theirs).position(|(a, b)| a != b);
    if let Some(at) = differs.or((ours.len() != theirs.len()).then_some(ours.len().min(theirs.len()))) {
        let around =
            |bytes: &[u8]| bytes[at.saturating_sub(24).min(bytes.len())..(at + 24).min(bytes.len())].to_vec();
        panic!("{context}: byte {at}:\nours   {:02x?}\ntheirs {:02x?}", around(ours), around(theirs));
    }
}

#[test]
fn random_calls_write_the_same_bytes() {
    (1..=if kymo_testdata::is_long() { 20 } else { 1 }).for_each(play);
}

/// Covers every distance between the end of the last record and the end of a chunk, in event and
/// definition files, and every length around the change from short to long record lengths.
#[test]
fn chunk_and_length_boundaries() {
    use kymo_otf2::events::{Enter, ProgramBegin};
    use kymo_otf2::references::{RegionRef, StringRef};
    let Some(player) = player() else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut plan = plan(folder.path());
    let mut script = String::new();
    let locations = 0..13u64;
    for shift in locations.clone() {
        writeln!(script, "open {shift}").unwrap();
        let mut arguments = vec![StringRef(1 << 30); 50_000];
        arguments.extend(vec![StringRef::UNDEFINED; shift as usize]);
        let begin =
            ProgramBegin { program_name: StringRef(1), program_arguments: List::new(&arguments).unwrap() };
        let mut events = EventWriter::new(plan.pieces(FileName::Events(shift)), CHUNK).unwrap();
        writeln!(script, "evt {shift} 1 0 {}", calls::line(&begin)).unwrap();
        events.record(1, &begin).unwrap();
        for time in 2..2000 {
            let enter = Enter { region: RegionRef(1) };
            writeln!(script, "evt {shift} {time} 0 {}", calls::line(&enter)).unwrap();
            events.record(time, &enter).unwrap();
        }
        events.close().unwrap();

        let mut definitions =
            LocalDefinitionWriter::new(plan.pieces(FileName::LocalDefinitions(shift)), CHUNK).unwrap();
        let long = "x".repeat(261_700 + shift as usize);
        let lengths = (0..40).map(|_| 8).chain(230..270);
        for string in [long].into_iter().chain(lengths.map(|length| "y".repeat(length))) {
            let string = kymo_otf2::definitions::String { id: StringRef(1), string: string.as_str().into() };
            writeln!(script, "ldef {shift} {}", calls::line(&string)).unwrap();
            definitions.record(&string).unwrap();
        }
        definitions.close().unwrap();
    }
    plan.script += &script;
    let expected = played(player, folder.path(), &plan.script);
    for file in
        locations.flat_map(|location| [FileName::Events(location), FileName::LocalDefinitions(location)])
    {
        let (ours, theirs) = (plan.storage.read(file).unwrap(), expected.read(file).unwrap());
        assert_same(&ours, &theirs, &file.to_string());
        assert!(ours.len() as u64 > CHUNK);
    }
}

/// Returns calls for every record, each once and small.
fn every_record() -> String {
    let mut random = Random::new(7);
    let mut script = format!("{CHUNK} {CHUNK}\n");
    script += &format!("machine {}\nsnapshots 1\nopen 0\nopen 4294967301\n", calls::hex(b"machine"));
    script += &format!("property {} {}\n", calls::hex(b"KYMO::TEST"), calls::hex(b"1"));
    let small = |records: &Records, random: &mut Random, index| loop {
        let record = records.one(random, index);
        if record.1.len() < 60 {
            return record;
        }
    };
    macro_rules! all {
        ($family:ident, $index:ident, $record:ident => $line:expr) => {
            let records = Records::of($family::RECORDS);
            for $index in 0..records.strategies.len() {
                let encoded = small(&records, &mut random, $index);
                let $record: $family<'_> = decoded(&encoded);
                script += &$line;
                script += "\n";
            }
        };
    }
    all!(GlobalDefinition, index, record => format!("gdef {}", calls::line(&record)));
    all!(LocalDefinition, index, record => format!("ldef 0 {}", calls::line(&record)));
    all!(Event, index, record => {
        let list: Vec<_> = attributes(&mut Random::new(index as u8)).into_iter().take(3).collect();
        format!("evt 0 {} {} {}", index / 2 * 5, attribute_tokens(&list), calls::line(&record))
    });
    all!(Snapshot, index, record => format!("snap 0 {} 0 {}", 100 + index / 8, calls::line(&record)));
    all!(AnyMarker, index, record => format!("mark {}", calls::line(&record)));
    script
}

/// Compares the sample in `tests/data`. If `KYMO_UPDATE_GOLDEN` is set, it is recreated. The anchor
/// is not compared, as its trace id is different each time.
#[test]
fn the_sample_with_every_record_matches_libotf2() {
    let Some(player) = player() else { return };
    let folder = tempfile::tempdir().unwrap();
    let theirs = played(player, folder.path(), &every_record());
    let own = common::own().join("every-record");
    if std::env::var_os("KYMO_UPDATE_GOLDEN").is_some() {
        let _ = std::fs::remove_dir_all(&own);
        let copied =
            Command::new("cp").arg("-r").args([&folder.path().join("theirs"), &own]).status().unwrap();
        assert!(copied.success());
        let dump = common::dump::archive(&common::Archive::open(&own), None);
        std::fs::write(own.join("records-raw.txt"), dump).unwrap();
    }
    let own = common::Archive::open(&own);
    assert!(own.files.len() > 5, "{:?}", own.files);
    for &file in own.files.iter().filter(|&&file| file != FileName::Anchor) {
        let context = format!("{file}: KYMO_UPDATE_GOLDEN=1 recreates it");
        assert_same(&own.bytes(file), &theirs.read(file).unwrap(), &context);
    }
}
