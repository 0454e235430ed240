//! Whole archives: the readers of an [`Archive`] must deliver the same records as libotf2, however
//! the files are split into reads.

use crate::common::{self, all_archives, dump};
use kymo_otf2::read::{Archive, Options, Selection};
use kymo_otf2::records::Record;
use kymo_otf2::storage::{Content, Directory};
use kymo_otf2::{Error, FileName, Result, Storage, events, read};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn anchor(folder: &Path) -> PathBuf {
    folder.join(format!("{}.otf2", common::anchor_name(folder).expect("an anchor file")))
}

fn raw() -> Options {
    Options { mapping: false, clock_correction: false, ..Options::default() }
}

/// Files that return a few bytes per read.
struct Trickle {
    storage: Directory,
    bytes: usize,
}

impl Storage for Trickle {
    fn create(&self) -> io::Result<()> {
        self.storage.create()
    }
    fn write_at(&self, file: FileName, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.storage.write_at(file, offset, bytes)
    }
    fn set_len(&self, file: FileName, length: u64) -> io::Result<()> {
        self.storage.set_len(file, length)
    }
    fn open(&self, file: FileName) -> io::Result<Box<dyn Content>> {
        Ok(Box::new(Drops { content: self.storage.open(file)?, bytes: self.bytes }))
    }
}

struct Drops {
    content: Box<dyn Content>,
    bytes: usize,
}

impl Content for Drops {
    fn length(&self) -> io::Result<u64> {
        self.content.length()
    }
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let bytes = self.bytes.min(buffer.len());
        self.content.read_at(offset, &mut buffer[..bytes])
    }
}

/// Returns the lines of the events in order and of the snapshots of each location, in the form of
/// the golden dumps, and the errors.
fn global_lines(archive: &Archive, without: Option<&str>) -> (Vec<String>, Vec<Error>) {
    let locations = archive.locations().unwrap();
    let (mut lines, mut errors) = (Vec::new(), Vec::new());
    let mut events = archive.events_in_order(&locations).unwrap();
    loop {
        match events.next() {
            Ok(None) => break,
            Ok(Some((location, event))) => {
                lines.push(dump::timed(&format!("EVT {location}"), &event, without))
            }
            Err(error) => errors.push(error),
        }
    }
    if archive.anchor().number_of_snapshots > 0 {
        lines.extend(locations.iter().flat_map(|&location| snapshots(archive, location, without)));
    }
    (lines, errors)
}

fn snapshots(archive: &Archive, location: u64, without: Option<&str>) -> Vec<String> {
    let mut lines = Vec::new();
    let mut snapshots = archive.snapshots(location).unwrap();
    while let Some(record) = snapshots.next().unwrap() {
        lines.push(dump::timed(&format!("SNAP {location}"), &record, without));
    }
    lines
}

#[test]
fn snapshots_in_order_are_sorted_by_time_and_location() {
    let mut compared = 0;
    for folder in all_archives() {
        let archive = Archive::open(anchor(&folder)).unwrap();
        if archive.anchor().number_of_snapshots == 0 {
            continue;
        }
        let mut locations = archive.locations().unwrap();
        let mut ordered = archive.snapshots_in_order(&locations).unwrap();
        let mut found = Vec::new();
        loop {
            match ordered.next() {
                Ok(None) => break,
                Ok(Some((location, record))) => {
                    found.push((
                        record.time,
                        location,
                        dump::timed(&format!("SNAP {location}"), &record, None),
                    ));
                }
                // Some real archives state a number of snapshots but have none.
                Err(Error::Io { file: Some(FileName::Snapshots(missing)), source }) => {
                    assert_eq!(source.kind(), io::ErrorKind::NotFound);
                    locations.retain(|&location| location != missing);
                }
                Err(error) => panic!("{}: {error}", folder.display()),
            }
        }
        let mut lines: Vec<_> =
            locations.iter().flat_map(|&location| snapshots(&archive, location, None)).collect();
        compared += lines.len();
        assert!(found.is_sorted_by_key(|&(time, location, _)| (time, location)), "{}", folder.display());
        let mut found: Vec<_> = found.into_iter().map(|(.., line)| line).collect();
        lines.sort();
        found.sort();
        assert_eq!(found, lines, "{}", folder.display());
    }
    assert!(compared >= 12_600, "{compared}");
}

#[test]
fn records_in_order_are_those_of_the_reference() {
    let mut compared = 0;
    for folder in all_archives() {
        let Some(expected) = common::text(&folder, "records-global.txt") else { continue };
        let archive = Archive::open(anchor(&folder)).unwrap();
        // These dumps were made with OTF2 2.2, as 3.x refuses zlib.
        let old = archive.anchor().compression == kymo_otf2::enums::Compression::ZLIB;
        let (lines, errors) = global_lines(&archive, old.then_some("3.0"));
        assert!(errors.is_empty(), "{}: {errors:?}", folder.display());
        let expected: Vec<&str> =
            expected.lines().filter(|line| line.starts_with("EVT ") || line.starts_with("SNAP ")).collect();
        let different = lines.iter().zip(&expected).position(|(line, expected)| line != expected);
        if let Some(at) = different {
            panic!("{}: record {at}:\nfound    {}\nexpected {}", folder.display(), lines[at], expected[at]);
        }
        assert_eq!(lines.len(), expected.len(), "{}", folder.display());
        compared += 1;
    }
    assert!(compared >= 16, "{compared}");
}

/// Returns the defined locations, and 0. The repository's own archive defines none of the locations
/// for which it has files.
fn locations(archive: &Archive) -> Vec<u64> {
    let mut locations = archive.locations().unwrap();
    locations.push(0);
    locations.sort_unstable();
    locations.dedup();
    locations
}

/// Returns the result, or `None` for a location whose file is missing, as in archives with
/// definitions only.
fn present<T>(read: Result<T>) -> Option<T> {
    match read {
        Err(Error::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => None,
        read => Some(read.unwrap()),
    }
}

/// Returns the records of one location with offset and number.
fn lines_of(archive: &Archive, location: u64) -> Result<Vec<String>> {
    let mut lines = Vec::new();
    let mut events = archive.events(location)?;
    while let Some(event) = events.next()? {
        lines.push(dump::timed(&format!("{} {}", event.offset, event.number), &event, None));
    }
    Ok(lines)
}

#[test]
fn records_do_not_depend_on_how_files_are_split_into_reads() {
    let mut compared = 0;
    for folder in all_archives() {
        let name = common::anchor_name(&folder).unwrap();
        let whole = Archive::open_with(anchor(&folder), raw()).unwrap();
        for location in locations(&whole) {
            let Some(expected) = present(lines_of(&whole, location)) else { continue };
            compared += expected.len();
            let step = if expected.len() > 3000 { 1 } else { 3 };
            for bytes in [1, 7, 4096].into_iter().take(step) {
                let bytes = if step == 1 { 4099 } else { bytes };
                let storage = Trickle { storage: Directory::open_named(&folder, &name).unwrap(), bytes };
                let archive = Archive::in_storage(Arc::new(storage), raw()).unwrap();
                let found = lines_of(&archive, location).unwrap();
                assert!(found == expected, "{} {location}: {bytes} bytes at a time", folder.display());
            }
            let file = whole.path(FileName::Events(location));
            if whole.anchor().compression == kymo_otf2::enums::Compression::NONE {
                let bytes = std::fs::read(file).unwrap();
                let events = read::events(&bytes, whole.anchor().event_chunk_size).unwrap();
                let raw: Vec<String> = events
                    .map(|event| event.unwrap())
                    .map(|event| dump::timed(&format!("{} {}", event.offset, event.number), &event, None))
                    .collect();
                assert!(raw == expected, "{} {location}", folder.display());
            }
        }
    }
    assert!(compared >= 324_500, "{compared}");
}

fn numbers(
    archive: &Archive,
    location: u64,
    at: impl Fn(&mut read::LocationReader<read::Events>),
) -> Vec<(u64, u64)> {
    let mut events = archive.events(location).unwrap();
    at(&mut events);
    let mut found = Vec::new();
    while let Some(event) = events.next().unwrap() {
        found.push((event.number, event.time));
        if found.len() == 3 {
            break;
        }
    }
    found
}

#[test]
fn seeking_delivers_the_records_that_reading_would_reach() {
    let mut compared = 0;
    for folder in all_archives() {
        let archive = Archive::open(anchor(&folder)).unwrap();
        for location in locations(&archive) {
            let Some(mut events) = present(archive.events(location)) else { continue };
            let mut all = Vec::new();
            while let Some(event) = events.next().unwrap() {
                all.push((event.number, event.time));
            }
            compared += all.len();
            let sorted = all.is_sorted_by_key(|&(_, time)| time);
            let step = (all.len() / 40).max(1);
            for at in (0..all.len()).step_by(step).chain(all.len().checked_sub(1)) {
                let expected = &all[at..all.len().min(at + 3)];
                let (number, time) = all[at];
                let context = format!("{} {location} {number}", folder.display());
                let found = numbers(&archive, location, |events| events.seek(number).unwrap());
                assert_eq!(found, expected, "{context}");
                if sorted {
                    let first = all.iter().position(|&(_, other)| other >= time).unwrap();
                    let found = numbers(&archive, location, |events| events.seek_time(time).unwrap());
                    assert_eq!(found, all[first..all.len().min(first + 3)], "{context}, time {time}");
                }
            }
            let mut events = archive.events(location).unwrap();
            for number in [0, all.len() as u64 + 1, u64::MAX] {
                assert!(matches!(events.seek(number), Err(Error::Usage(_))), "{number}");
            }
        }
    }
    assert!(compared >= 324_500, "{compared}");
}

#[test]
fn a_selection_has_the_records_of_its_time_and_kinds_and_no_others() {
    let folder = common::own().join("every-record");
    let archive = Archive::open_with(anchor(&folder), raw()).unwrap();
    let kinds = read::Kinds::NONE.with(events::Metric::ID).with(events::Enter::ID);
    for location in [0] {
        let mut all = Vec::new();
        let mut events = archive.events(location).unwrap();
        while let Some(event) = events.next().unwrap() {
            use kymo_otf2::records::AnyRecord;
            all.push((event.number, event.time, event.record.id()));
        }
        let times: Vec<u64> = all.iter().map(|&(_, time, _)| time).collect();
        for (start, end) in times.iter().flat_map(|&start| times.iter().map(move |&end| (start, end))) {
            let expected: Vec<_> = all
                .iter()
                .filter(|(_, time, id)| (start..=end).contains(time) && kinds.contains(*id))
                .map(|&(number, ..)| number)
                .collect();
            let mut events = archive.events(location).unwrap();
            events.select(Selection { time: start..=end, kinds }).unwrap();
            let mut found = Vec::new();
            while let Some(event) = events.next().unwrap() {
                found.push(event.number);
            }
            assert_eq!(found, expected, "{location} {start} {end}");
        }
    }
}

#[test]
fn memory_is_bounded_by_the_budget() {
    let folder = common::own().join("every-record");
    let options = |memory| Options { memory, ..Options::default() };
    assert!(matches!(Archive::open_with(anchor(&folder), options(16)), Err(Error::Limit(_))));
    let archive = Archive::open_with(anchor(&folder), options(4_000)).unwrap();
    let error = archive.events(0).map(|_| ()).unwrap_err();
    assert!(matches!(error, Error::Limit(limit) if limit.limit == 4_000), "{error}");
}

#[test]
fn errors_name_the_missing_file() {
    let folder = tempfile::tempdir().unwrap();
    let missing = |path: &str| Archive::open(folder.path().join(path)).map(|_| ()).unwrap_err();
    assert!(matches!(missing("x.otf2"), Error::Io { file: Some(FileName::Anchor), .. }));
    assert!(matches!(missing("x.def"), Error::Usage(_)));
    let own = Archive::open(anchor(&common::own().join("every-record"))).unwrap();
    let error = own.events(99).map(|_| ()).unwrap_err();
    assert!(matches!(error, Error::Io { file: Some(FileName::Events(99)), .. }), "{error}");
}

/// A cut file delivers all events before the cut, then one error, then nothing.
#[test]
fn every_event_before_a_cut_is_delivered() {
    let folder = common::own().join("every-record");
    let archive = Archive::open_with(anchor(&folder), raw()).unwrap();
    let location = 0;
    let ends: Vec<u64> = {
        let mut offsets = Vec::new();
        let mut events = archive.events(location).unwrap();
        while let Some(event) = events.next().unwrap() {
            offsets.push(event.offset);
        }
        let length = std::fs::metadata(archive.path(FileName::Events(location))).unwrap().len();
        offsets.into_iter().skip(1).chain([length - 2]).collect()
    };
    let memory = kymo_otf2::storage::Memory::new();
    memory.create().unwrap();
    let source = Directory::open(&folder).unwrap();
    for file in [FileName::Anchor, FileName::GlobalDefinitions, FileName::Events(location)] {
        memory.write_at(file, 0, &source.read(file).unwrap()).unwrap();
    }
    let content = source.read(FileName::Events(location)).unwrap();
    let memory = Arc::new(memory);
    for cut in 18..content.len() as u64 - 1 {
        memory.set_len(FileName::Events(location), 0).unwrap();
        memory.write_at(FileName::Events(location), 0, &content[..cut as usize]).unwrap();
        let archive = Archive::in_storage(memory.clone(), raw()).unwrap();
        let mut events = archive.events(location).unwrap();
        let (mut count, mut error) = (0, None);
        while error.is_none() {
            match events.next() {
                Ok(Some(_)) => count += 1,
                Ok(None) => break,
                Err(found) => error = Some(found),
            }
        }
        assert_eq!(count, ends.iter().filter(|&&end| end <= cut).count(), "cut at {cut}");
        let Some(Error::Format(error)) = error else { panic!("cut at {cut}: {error:?}") };
        assert!(error.offset <= cut && error.file == Some(FileName::Events(location)), "{error}");
        assert!(matches!(events.next(), Ok(None)));
    }
}

#[cfg(not(feature = "zlib"))]
#[test]
fn compressed_archives_are_refused_without_the_feature() {
    use kymo_otf2_testing::{files::Files, seeds};

    let files = Files::new(seeds::compressed(seeds::archive::<kymo_otf2::LittleEndian>(1)));
    let error = read::Archive::in_storage(Arc::new(files), Options::default())
        .and_then(|archive| archive.events(0).map(drop))
        .expect_err("a compressed archive");
    assert_eq!(error.to_string(), "this program cannot read compressed archives");
}
