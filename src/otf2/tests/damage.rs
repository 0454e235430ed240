//! Damage: files that are cut anywhere, changed, missing or swapped. Records before a fault are
//! delivered, followed by one error with the position and the problem.

use crate::common::{self, dump};
use kymo_otf2::error::{FormatError, Problem};
use kymo_otf2::read::Family;
use kymo_otf2::read::definitions::Records;
use kymo_otf2::read::{Archive, Events, LocationReader, Options, Selection};
use kymo_otf2::records::{AnyRecord, RecordEnum};
use kymo_otf2::{BigEndian, Error, FileName, LittleEndian, Result};
use kymo_otf2_testing::files::Files;
use kymo_otf2_testing::seeds;
use std::sync::Arc;

fn raw() -> Options {
    Options { mapping: false, clock_correction: false, ..Options::default() }
}

fn open(files: &Files, options: Options) -> Result<Archive> {
    Archive::in_storage(Arc::new(files.clone()), options)
}

fn archives() -> Vec<(&'static str, Files)> {
    let archives = seeds::archives(&common::own().join("every-record"));
    // Without the feature `zlib`, the first byte of a compressed file is an error.
    let archives = archives.into_iter().filter(|(name, _)| cfg!(feature = "zlib") || *name != "zlib");
    archives.map(|(name, files)| (name, Files::new(files))).collect()
}

/// The records of a file (offset and text), and the error after them.
#[derive(Debug, Default)]
struct Read {
    records: Vec<(u64, String)>,
    error: Option<Error>,
}

fn whole<'a, R: RecordEnum<'a> + AnyRecord>(records: Result<Records<'a, R>>) -> Read {
    let mut read = Read::default();
    match records {
        Err(error) => read.error = Some(error),
        Ok(mut records) => {
            while let Some(record) = records.next() {
                assert!(read.error.is_none(), "one error is the last");
                match record {
                    Ok(record) => read.records.push((records.offset(), dump::fields(&record, None, None))),
                    Err(error) => read.error = Some(error),
                }
            }
        }
    }
    read
}

fn timed<F: Family>(reader: Result<LocationReader<F>>) -> Read {
    let mut read = Read::default();
    let mut reader = match reader {
        Ok(reader) => reader,
        Err(error) => return Read { error: Some(error), ..read },
    };
    loop {
        match reader.next() {
            Ok(None) => return read,
            Ok(Some(record)) => read.records.push((record.offset, dump::timed("", &record, None))),
            Err(error) => {
                read.error = Some(error);
                break;
            }
        }
    }
    assert!(matches!(reader.next(), Ok(None)), "one error is the last");
    read
}

/// Reads a file of an archive with the reader for its kind.
fn read(archive: &Archive, file: FileName) -> Read {
    match file {
        FileName::Anchor | FileName::Seal => Read::default(),
        FileName::GlobalDefinitions => match archive.global_definitions() {
            Ok(file) => whole(file.records()),
            Err(error) => Read { error: Some(error), ..Read::default() },
        },
        FileName::LocalDefinitions(location) => match archive.local_definitions(location) {
            Ok(file) => whole(file.records()),
            Err(error) => Read { error: Some(error), ..Read::default() },
        },
        FileName::Markers => match archive.markers() {
            Ok(file) => whole(file.records()),
            Err(error) => Read { error: Some(error), ..Read::default() },
        },
        FileName::Thumbnail(number) => thumbnail(archive, number),
        FileName::Events(location) => timed(archive.events(location)),
        FileName::Snapshots(location) => timed(archive.snapshots(location)),
    }
}

fn thumbnail(archive: &Archive, number: u32) -> Read {
    let mut read = Read::default();
    let result = archive.thumbnail(number).and_then(|thumbnail| {
        let (header, samples) = thumbnail.read()?;
        read.records.push((0, dump::fields(&header, None, None)));
        samples.into_iter().try_for_each(|sample| {
            read.records.push((0, dump::fields(&sample?, None, None)));
            Ok(())
        })
    });
    read.error = result.err();
    read
}

/// Returns the offset of the end of each record. This is where the next record begins, except that
/// the last record of a chunk is followed by zeros, and that of a file by the end marks.
fn ends(read: &Read, bytes: &[u8], chunk: u64) -> Vec<u64> {
    let next = read.records.iter().skip(1).map(|&(offset, _)| offset).chain([bytes.len() as u64 - 2]);
    let offsets = read.records.iter().map(|&(offset, _)| offset);
    let end = |(offset, next): (u64, u64)| match (offset / chunk + 1) * chunk {
        chunk_end if chunk_end > next => next,
        chunk_end => {
            let chunk = &bytes[..chunk_end as usize];
            chunk.iter().rposition(|&byte| byte != 0).expect("a record") as u64 + 1
        }
    };
    offsets.zip(next).map(end).collect()
}

/// Returns all offsets at which to cut, but only a few among the zeros that fill a chunk.
fn cuts(bytes: &[u8]) -> impl Iterator<Item = usize> {
    let is_fill =
        |at: usize| bytes[at.saturating_sub(40)..(at + 40).min(bytes.len())].iter().all(|&byte| byte == 0);
    (0..bytes.len()).filter(move |&at| at % 65_536 < 2 || !is_fill(at))
}

#[test]
fn records_before_a_cut_are_delivered_then_one_error() {
    for (name, files) in archives() {
        let archive = open(&files, raw()).unwrap();
        let is_compressed = archive.anchor().compression == kymo_otf2::enums::Compression::ZLIB;
        for file in files.present().filter(|&file| file != FileName::Anchor) {
            let (bytes, full) = (files.content(file), read(&archive, file));
            assert!(
                full.error.is_none() && !full.records.is_empty() || name == "every-record",
                "{name} {file}"
            );
            let chunk = match file {
                FileName::Events(_) | FileName::Snapshots(_) => archive.anchor().event_chunk_size,
                _ => archive.anchor().definition_chunk_size,
            };
            let is_plain = !is_compressed && !matches!(file, FileName::Thumbnail(_));
            let ends = if is_plain { ends(&full, bytes, chunk) } else { Vec::new() };
            let needed = bytes.len() - if is_compressed { 0 } else { 1 };
            for cut in cuts(&bytes[..needed]) {
                let archive = open(&files.with(file, Some(bytes[..cut].to_vec())), raw()).unwrap();
                let found = read(&archive, file);
                let context = format!("{name} {file} cut to {cut} of {}", bytes.len());
                assert!(full.records.starts_with(&found.records), "{context}");
                if is_plain {
                    let expected = ends.iter().filter(|&&end| end <= cut as u64).count();
                    assert_eq!(found.records.len(), expected, "{context}");
                }
                match found.error {
                    Some(Error::Format(error)) => {
                        assert_eq!(error.file, Some(file), "{context}: {error}");
                        // The error may also be where the next chunk should begin.
                        let is_chunk = error.problem == Problem::MissingEnd && error.offset % chunk == 0;
                        assert!(error.offset <= cut as u64 || is_chunk, "{context}: {error}");
                        assert_eq!(error.is_counted, None, "{context}: {error}");
                    }
                    // Thumbnails end with their last sample, compressed files with the last byte of
                    // their stream.
                    None if !is_plain => assert_eq!(found.records.len(), full.records.len(), "{context}"),
                    other => panic!("{context}: {other:?}"),
                }
            }
        }
    }
}

#[test]
fn errors_name_a_cut_anchor() {
    for (name, files) in archives() {
        let bytes = files.content(FileName::Anchor);
        for cut in 0..bytes.len() - 2 {
            let error = open(&files.with(FileName::Anchor, Some(bytes[..cut].to_vec())), raw()).unwrap_err();
            let Error::Format(error) = error else { panic!("{name} {cut}: {error}") };
            assert!(
                error.file == Some(FileName::Anchor) && error.offset <= cut as u64,
                "{name} {cut}: {error}"
            );
        }
    }
}

/// Returns the locations of the records in order, and the errors.
fn in_order(archive: &Archive, locations: &[u64]) -> (Vec<(u64, u64)>, Vec<Error>) {
    let (mut found, mut errors) = (Vec::new(), Vec::new());
    let mut events = archive.events_in_order(locations).unwrap();
    loop {
        match events.next() {
            Ok(None) => return (found, errors),
            Ok(Some((location, event))) => found.push((location, event.number)),
            Err(error) => errors.push(error),
        }
    }
}

/// Wherever the files of one location are cut, all events of the other are delivered, with one
/// error that names the file.
#[test]
fn damage_of_one_location_does_not_affect_others() {
    let files = Files::new(seeds::archive::<LittleEndian>(1));
    let (all, errors) = in_order(&open(&files, Options::default()).unwrap(), &[0, 1]);
    assert!(errors.is_empty() && all.len() == 10);
    let of_other: Vec<_> = all.iter().filter(|(location, _)| *location == 1).collect();
    for file in [FileName::Events(0), FileName::LocalDefinitions(0)] {
        let bytes = files.content(file);
        for cut in 0..bytes.len() - 1 {
            let archive = open(&files.with(file, Some(bytes[..cut].to_vec())), Options::default()).unwrap();
            let (found, errors) = in_order(&archive, &[0, 1]);
            let found: Vec<_> = found.iter().filter(|(location, _)| *location == 1).collect();
            assert_eq!(found, of_other, "{file} cut to {cut}");
            assert!(
                matches!(&errors[..], [error] if error.file() == Some(file)),
                "{file} cut to {cut}: {errors:?}"
            );
        }
    }
    let archive = open(&files.with(FileName::Events(0), None), Options::default()).unwrap();
    let (found, errors) = in_order(&archive, &[0, 1]);
    assert_eq!(found.len(), 5);
    assert!(matches!(&errors[..], [Error::Io { file: Some(FileName::Events(0)), .. }]), "{errors:?}");
}

/// Changes bytes; the properties checked by the fuzz target must remain valid.
#[test]
fn a_changed_byte_never_panics_or_hangs() {
    for (name, bytes) in seeds::seeds(&common::own().join("every-record")) {
        // Seeds with many chunks become large in memory. The fuzzers test the rest.
        let changes = if ["chunks", "zlib"].contains(&name) { 100 } else { 600 };
        let step = bytes.len().div_ceil(changes);
        let first = bytes.windows(3).position(|window| window == b"\n--").unwrap();
        for at in (first..bytes.len()).step_by(step) {
            let mut changed = bytes.clone();
            changed[at] = [0, 0xFF, bytes[at] ^ 1, bytes[at] ^ 0x80][at / step % 4];
            changed[4] = (at / step / 4 % 2) as u8;
            kymo_otf2_testing::anything(&changed);
        }
    }
}

fn swapped(files: &Files, from: FileName, to: FileName) -> FormatError {
    let archive = open(&files.with(to, Some(files.content(from).to_vec())), raw()).unwrap();
    match read(&archive, to).error {
        Some(Error::Format(error)) => error,
        other => panic!("{from} as {to}: {other:?}"),
    }
}

#[test]
fn swapped_files_are_reported() {
    let files = Files::new(seeds::archive::<BigEndian>(1));
    let (events, local) = (FileName::Events(0), FileName::LocalDefinitions(0));
    for (from, to, hint) in [
        (
            FileName::GlobalDefinitions,
            events,
            "(the chunk header counts no events: is this a file of definitions?)",
        ),
        (events, FileName::GlobalDefinitions, "(the chunk header counts events: is this an event file?)"),
        (events, local, "(the chunk header counts events: is this an event file?)"),
        (FileName::Anchor, events, "this is an anchor file, expected a file of chunks"),
        (FileName::Anchor, FileName::GlobalDefinitions, "this is an anchor file, expected a file of chunks"),
        (FileName::Anchor, local, "this is an anchor file, expected a file of chunks"),
    ] {
        let error = swapped(&files, from, to);
        assert_eq!(error.file, Some(to));
        assert!(error.to_string().ends_with(hint), "{from} as {to}: {error}");
    }
    for from in [events, FileName::GlobalDefinitions] {
        let error =
            open(&files.with(FileName::Anchor, Some(files.content(from).to_vec())), raw()).unwrap_err();
        assert_eq!(error.to_string(), "traces.otf2: byte 2: Anchor: not an OTF2 anchor file");
    }
}

#[cfg(feature = "zlib")]
#[test]
fn compressed_and_plain_files_that_are_swapped_are_reported() {
    let events = FileName::Events(0);
    let zlib = Files::new(seeds::compressed(seeds::archive::<LittleEndian>(1)));
    let plain = Files::new(seeds::archive::<LittleEndian>(1));
    for (files, other, expected) in [
        (&zlib, &plain, "traces/0.evt: byte 0: compressed file: a block does not begin with its mark"),
        (
            &plain,
            &zlib,
            "traces/0.evt: byte 0: ChunkHeader: byte 0xff where a chunk header (0x03) was expected",
        ),
    ] {
        let archive = open(&files.with(events, Some(other.content(events).to_vec())), raw()).unwrap();
        assert_eq!(read(&archive, events).error.unwrap().to_string(), expected);
    }
}

#[test]
fn errors_name_missing_files() {
    for (name, files) in archives() {
        for file in files.present() {
            let without = files.with(file, None);
            let error = match open(&without, raw()) {
                Ok(archive) => read(&archive, file).error,
                Err(error) => Some(error),
            };
            let Some(Error::Io { file: Some(named), source }) = error else {
                panic!("{name} {file}: {error:?}")
            };
            assert_eq!((named, source.kind()), (file, std::io::ErrorKind::NotFound), "{name}");
        }
    }
}

/// Opens an archive whose anchor has other bytes at an offset. Returns the error.
fn anchor_with(at: usize, bytes: &[u8]) -> String {
    let files = Files::new(seeds::archive::<LittleEndian>(1));
    let mut anchor = files.content(FileName::Anchor).to_vec();
    anchor[at..at + bytes.len()].copy_from_slice(bytes);
    open(&files.with(FileName::Anchor, Some(anchor)), raw()).unwrap_err().to_string()
}

#[test]
fn absurd_anchors_are_refused() {
    // The strings are empty, so the number of properties has a fixed offset.
    let properties = 2 + 5 + 5 + 16 + 2 + 16 + 3;
    let all = [0xFF; 8];
    for (at, bytes, expected) in [
        (0, &[4_u8][..], "byte 0: Anchor: not an OTF2 anchor file"),
        (1, &[0x24], "byte 1: Anchor: byte order 0x24, expected 0x42 or 0x23"),
        (2, b"X", "byte 2: Anchor: not an OTF2 anchor file"),
        (7, &[0], "byte 7: Anchor: anchor format 0, expected 1 or more"),
        (8, &[3], "byte 8: Anchor: trace format 3 is newer than this reader, which supports up to 2"),
        (12, &all, "byte 12: Anchor: chunk size 18446744073709551615, expected 262144 to 16777216"),
        (20, &[0; 8], "byte 20: Anchor: chunk size 0, expected 262144 to 16777216"),
        (28, &[4], "byte 28: Anchor: file substrate 4, expected 1 to 3"),
        (29, &[3], "byte 29: Anchor: compression 3, expected 1 or 2"),
        (properties, &all[..4], "byte 53: Anchor: bad or duplicate property name"),
    ] {
        assert_eq!(anchor_with(at, bytes), format!("traces.otf2: {expected}"));
    }
}

#[test]
fn sionlib_containers_are_reported() {
    let files = Files::new(seeds::archive::<LittleEndian>(1));
    let mut anchor = files.content(FileName::Anchor).to_vec();
    anchor[28] = 2;
    let archive = open(&files.with(FileName::Anchor, Some(anchor)), raw()).unwrap();
    let error = archive.events(0).unwrap_err().to_string();
    assert!(error.starts_with("traces/0.evt: ") && error.contains("SIONlib"), "{error}");
}

/// Returns an archive in which an event file has these bytes after its header.
fn events_with(body: &[u8]) -> Files {
    let header = [&[3, 0x42][..], &1_u64.to_le_bytes(), &9_u64.to_le_bytes()].concat();
    let files = Files::new(seeds::archive::<LittleEndian>(1));
    files.with(FileName::Events(0), Some([&header, body].concat()))
}

#[test]
fn absurd_lengths_are_refused() {
    let long = |id: u8| [&[id, 0xFF][..], &u64::MAX.to_le_bytes(), &[0; 40]].concat();
    for (body, expected) in [
        (long(200), "byte 18: record of 18446744073709551615 bytes with 262116 left in the chunk"),
        (long(14), "byte 18: MpiSend: record of 18446744073709551615 bytes with 262116 left in the chunk"),
        (
            long(6),
            "byte 18: AttributeList: record of 18446744073709551615 bytes with 262116 left in the chunk",
        ),
        (vec![6, 6, 4, 0xFE, 0xFF, 0xFF, 0xFF, 0, 2, 1], "byte 26: AttributeList: ends inside a field"),
    ] {
        let found = read(&open(&events_with(&body), raw()).unwrap(), FileName::Events(0));
        assert_eq!(found.error.unwrap().to_string(), format!("traces/0.evt: {expected}"));
    }
}

/// Byte 01 follows the end-of-file mark 02. A file without the mark is refused, as by libotf2;
/// otherwise a changed byte could end a file silently.
#[test]
fn the_end_of_the_buffer_is_not_the_end_of_the_file() {
    let found = read(&open(&events_with(&[12, 1, 5, 1]), raw()).unwrap(), FileName::Events(0));
    assert_eq!(found.records.len(), 1);
    assert_eq!(found.error.unwrap().to_string(), "traces/0.evt: byte 21: no end-of-file mark (0x02)");
}

/// Returns files in which the headers of chunks 1 and 3 of four are bad.
fn with_bad_headers() -> Files {
    let files = Files::new(seeds::archive::<LittleEndian>(4));
    let mut bytes = files.content(FileName::Events(0)).to_vec();
    for chunk in [1, 3] {
        bytes[chunk * 262_144] = 77;
    }
    files.with(FileName::Events(0), Some(bytes))
}

#[test]
fn seeking_works_before_a_bad_chunk_and_otherwise_names_the_chunk() {
    let archive = open(&with_bad_headers(), raw()).unwrap();
    let mut events = archive.events(0).unwrap();
    for number in 1..=5 {
        events.seek(number).unwrap();
        assert_eq!(events.next().unwrap().unwrap().number, number);
    }
    events.seek_time(17).unwrap();
    assert_eq!(events.next().unwrap().unwrap().time, 17);
    // A time past the end is after the good chunk 2, so the search reaches chunk 3.
    for (error, chunk) in [(events.seek(6), 1), (events.seek_time(1000), 3)] {
        let Err(Error::Format(error)) = error else { panic!("{error:?}") };
        assert_eq!((error.offset, error.problem), (chunk * 262_144, Problem::ChunkHeader(77)));
    }
}

/// A header can state any number for its first record.
#[test]
fn numbers_of_chunk_headers_do_not_overflow() {
    let files = Files::new(seeds::archive::<LittleEndian>(2));
    let mut bytes = files.content(FileName::Events(0)).to_vec();
    bytes[262_146..262_154].fill(0xFF);
    let archive = open(&files.with(FileName::Events(0), Some(bytes)), raw()).unwrap();
    let mut events = archive.events(0).unwrap();
    events.seek(u64::MAX).unwrap();
    for _ in 0..5 {
        assert_eq!(events.next().unwrap().unwrap().number, u64::MAX);
    }
    assert!(events.next().unwrap().is_none());
}

#[test]
fn a_selection_seeks_back_to_its_first_record() {
    let archive = open(&Files::new(seeds::archive::<LittleEndian>(4)), raw()).unwrap();
    let mut events = archive.events(0).unwrap();
    let kinds = kymo_otf2::read::Kinds::ALL;
    for time in [30..=40, 10..=30, 0..=12, 31..=31, 90..=99, 0..=u64::MAX] {
        events.select(Selection { time: time.clone(), kinds }).unwrap();
        assert_eq!(times(&mut events), all_times().filter(|it| time.contains(it)).collect::<Vec<_>>());
    }
}

fn all_times() -> impl Iterator<Item = u64> {
    (0..4).flat_map(|chunk| [10, 10, 13, 17, 18].map(|time| time + 20 * chunk))
}

fn times(events: &mut LocationReader<Events>) -> Vec<u64> {
    let mut times = Vec::new();
    while let Some(event) = events.next().unwrap() {
        times.push(event.time);
    }
    times
}

/// If there are several mapping tables for the same ids, libotf2 uses the first.
#[test]
fn the_first_mapping_table_of_a_kind_is_used() {
    let files = Files::new(seeds::archive::<LittleEndian>(1));
    let regions = |files: &Files| {
        let archive = open(files, Options { clock_correction: false, ..Options::default() }).unwrap();
        read(&archive, FileName::Events(0)).records
    };
    let bytes = files.content(FileName::LocalDefinitions(0));
    // Id, length, kind, number of entries, dense, global ids (9 and undefined).
    let second = [5, 7, 3, 1, 2, 0, 1, 9, 0xFF];
    let twice = [&bytes[..bytes.len() - 2], &second, &[2, 1]].concat();
    let twice = files.with(FileName::LocalDefinitions(0), Some(twice));
    assert_eq!(regions(&twice), regions(&files));
    assert_ne!(regions(&files.with(FileName::LocalDefinitions(0), None)), regions(&files));
}

/// In damaged compressed files, all data that can be inflated is read.
#[cfg(feature = "zlib")]
#[test]
fn records_before_a_damaged_stream_are_kept() {
    let files = Files::new(seeds::compressed(seeds::archive::<LittleEndian>(2)));
    let mut bytes = files.content(FileName::Events(0)).to_vec();
    let second = bytes.windows(8).rposition(|window| window == 0xFFFF_FFFFu64.to_le_bytes()).unwrap();
    bytes[second + 20] ^= 0xFF;
    let archive = open(&files.with(FileName::Events(0), Some(bytes)), raw()).unwrap();
    let found = read(&archive, FileName::Events(0));
    assert_eq!(found.records.len(), 5);
    let Some(Error::Format(error)) = found.error else { panic!("{:?}", found.error) };
    assert_eq!((error.file, error.offset), (Some(FileName::Events(0)), second as u64));
    assert!(matches!(error.problem, Problem::Compressed(_)));
}
