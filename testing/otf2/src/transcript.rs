//! The result of reading an archive, in a form that can be compared: for each file the number of
//! records, a hash of their contents, and the error at the end.

use super::files::Files;
use kymo_otf2::read::Family;
use kymo_otf2::read::definitions::Records;
use kymo_otf2::read::{Archive, InOrder, Kinds, LocationReader, Selection, TimedRecord};
use kymo_otf2::records::{AnyRecord, RecordEnum};
use kymo_otf2::{FileName, LittleEndian, Result, attributes::Attribute, wire, write};
use std::fmt::Write;
use std::hash::{DefaultHasher, Hash, Hasher};

/// The maximum number of locations that are read; definitions may contain thousands.
const LOCATIONS: usize = 12;

/// One line for each file.
type Lines = Vec<String>;

/// Returns the locations that are defined, and those that have files.
pub(crate) fn locations(archive: &Archive, files: &Files) -> Vec<u64> {
    let defined = archive.locations().unwrap_or_default();
    let mut locations: Vec<u64> = defined.into_iter().take(LOCATIONS).chain(files.locations()).collect();
    locations.sort_unstable();
    locations.dedup();
    locations
}

/// Returns the lines of everything, including errors and offsets.
pub(crate) fn of(archive: &Archive, locations: &[u64]) -> Lines {
    let mut lines = whole_files(archive, locations);
    for &location in locations {
        lines.push(line(FileName::Events(location), true, |sum| each(archive.events(location)?, sum)));
        lines.push(line(FileName::Snapshots(location), true, |sum| each(archive.snapshots(location)?, sum)));
    }
    lines.push(in_order("events", archive.events_in_order(locations)));
    lines.push(in_order("snapshots", archive.snapshots_in_order(locations)));
    lines
}

/// Returns the lines of everything except offsets: equal for an archive and its copy.
pub(crate) fn values(archive: &Archive, locations: &[u64]) -> Lines {
    let mut lines = whole_files(archive, locations);
    for &location in locations {
        lines.push(line(FileName::Events(location), false, |sum| each(archive.events(location)?, sum)));
        lines.push(line(FileName::Snapshots(location), false, |sum| each(archive.snapshots(location)?, sum)));
    }
    lines
}

fn whole_files(archive: &Archive, locations: &[u64]) -> Lines {
    let global = line(FileName::GlobalDefinitions, false, |sum| {
        definitions(archive.global_definitions()?.records()?, sum)
    });
    let markers = line(FileName::Markers, false, |sum| definitions(archive.markers()?.records()?, sum));
    let thumbnail = line(FileName::Thumbnail(0), false, |sum| thumbnail(archive, sum));
    let local = locations.iter().map(|&location| {
        line(FileName::LocalDefinitions(location), false, |sum| {
            definitions(archive.local_definitions(location)?.records()?, sum)
        })
    });
    [global, markers, thumbnail].into_iter().chain(local).collect()
}

/// The sum of the records read so far.
#[derive(Default)]
struct Sum {
    records: u64,
    hash: DefaultHasher,
    /// Whether the offsets of records are included.
    with_places: bool,
}

impl Sum {
    fn add<R: AnyRecord>(&mut self, record: &R) {
        self.records += 1;
        record.id().hash(&mut self.hash);
        let mut bytes = vec![0; record.bound() + write::SLACK];
        let mut cursor = wire::Encoder::<LittleEndian>::new(&mut bytes, 0);
        record.encode(&mut cursor);
        let length = cursor.position();
        assert!(length <= record.bound(), "{length} bytes with a bound of {}", record.bound());
        bytes[..length].hash(&mut self.hash);
        record.visit(&mut |_, value| write!(Nowhere, "{value:?}").expect("writing nowhere"));
    }

    fn add_timed<R: AnyRecord>(&mut self, timed: &TimedRecord<'_, R>) {
        if self.with_places {
            timed.offset.hash(&mut self.hash);
        }
        let attributes: Vec<Attribute> = timed.attributes.iter().collect();
        (timed.number, timed.time, attributes).hash(&mut self.hash);
        self.add(&timed.record);
    }
}

struct Nowhere;

impl Write for Nowhere {
    fn write_str(&mut self, _: &str) -> std::fmt::Result {
        Ok(())
    }
}

fn line(file: FileName, with_places: bool, read: impl FnOnce(&mut Sum) -> Result<()>) -> String {
    let mut sum = Sum { with_places, ..Sum::default() };
    let end = match read(&mut sum) {
        Ok(()) => "end".to_owned(),
        Err(error) => error.to_string(),
    };
    format!("{file}: {} records, hash {:x}, {end}", sum.records, sum.hash.finish())
}

fn definitions<'a, R: RecordEnum<'a> + AnyRecord>(mut records: Records<'a, R>, sum: &mut Sum) -> Result<()> {
    let mut last = None;
    while let Some(record) = records.next() {
        let record = record.inspect_err(|_| assert!(records.next().is_none(), "nothing follows an error"))?;
        assert!(last < Some(records.offset()), "offsets go up");
        last = Some(records.offset());
        sum.add(&record);
    }
    Ok(())
}

fn thumbnail(archive: &Archive, sum: &mut Sum) -> Result<()> {
    if archive.anchor().number_of_thumbnails == 0 {
        return Ok(());
    }
    let thumbnail = archive.thumbnail(0)?;
    let (header, mut samples) = thumbnail.read()?;
    sum.add(&header);
    while let Some(sample) = samples.next() {
        sum.add(&sample.inspect_err(|_| assert!(samples.next().is_none()))?);
    }
    Ok(())
}

/// Reads a file to its end or to an error.
fn each<F: Family>(mut reader: LocationReader<F>, sum: &mut Sum) -> Result<()> {
    let mut last = None;
    let error = loop {
        match reader.next() {
            Ok(Some(record)) => {
                assert!(
                    last.is_none_or(|(offset, number)| offset < record.offset && number + 1 == record.number)
                );
                last = Some((record.offset, record.number));
                sum.add_timed(&record);
            }
            Ok(None) => return Ok(()),
            Err(error) => break error,
        }
    };
    assert!(matches!(reader.next(), Ok(None)), "nothing follows an error");
    Err(error)
}

fn in_order<F: Family>(name: &str, reader: Result<InOrder<F>>) -> String {
    let mut sum = Sum { with_places: true, ..Sum::default() };
    let mut errors = Vec::new();
    match reader {
        Err(error) => errors.push(error.to_string()),
        Ok(mut reader) => loop {
            match reader.next() {
                Ok(None) => break,
                Ok(Some((location, record))) => {
                    location.hash(&mut sum.hash);
                    sum.add_timed(&record);
                }
                Err(error) => errors.push(error.to_string()),
            }
        },
    }
    format!("{name} in order: {} records, hash {:x}, {errors:?}", sum.records, sum.hash.finish())
}

/// Reading the events of a location from start to end reads each byte of its files at most once.
pub(crate) fn sequential(archive: &Archive, files: &Files, location: u64) {
    files.take_read();
    let Ok(reader) = archive.events(location) else { return };
    let _ = each(reader, &mut Sum::default());
    let lengths =
        files.length(FileName::Events(location)) + files.length(FileName::LocalDefinitions(location));
    assert!(files.take_read() <= lengths, "bytes are read more than once");
}

/// Seeks to and fro in a file, to positions that the control bytes determine.
pub(crate) fn jumps(archive: &Archive, files: &Files, location: u64) {
    let Ok(mut reader) = archive.events(location) else { return };
    for index in 0..4 {
        let byte = u64::from(files.control(index));
        let far = u64::MAX >> (byte % 64);
        if reader.seek(byte).is_ok() {
            let sought = reader.next().map(|record| record.map(|record| record.number));
            assert!(!matches!(sought, Ok(Some(number)) if number != byte));
        }
        for number in [far, byte << 32] {
            let _ = reader.seek(number).is_ok() && reader.next().is_ok() && reader.next().is_ok();
            let _ = reader.seek_time(number).is_ok() && reader.next().is_ok() && reader.next().is_ok();
        }
        let selection = Selection { time: byte..=far, kinds: Kinds::ALL };
        let _ = reader.select(selection);
        while let Ok(Some(record)) = reader.next() {
            assert!((byte..=far).contains(&record.time));
        }
        let _ = reader.select(Selection::default());
    }
}
