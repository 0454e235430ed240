//! Damaged files must cause an error or other records, but never a panic, an endless loop or
//! unbounded memory use.

use crate::common::{self, Archive, archives};
use kymo_otf2::error::{Error, Problem};
use kymo_otf2::{FileName, read};
use proptest::prelude::*;

/// Reads a whole file. Returns the number of records and the error.
fn read_all(file: FileName, bytes: &[u8]) -> (usize, Option<Error>) {
    const CHUNK: u64 = 262_144;
    fn count<T>(
        records: kymo_otf2::Result<impl Iterator<Item = kymo_otf2::Result<T>>>,
    ) -> (usize, Option<Error>) {
        let records = match records {
            Ok(records) => records,
            Err(error) => return (0, Some(error)),
        };
        records.fold((0, None), |(count, error), record| match record {
            Ok(_) => (count + 1, error),
            Err(found) => {
                assert!(error.is_none(), "an error ends the iterator");
                (count, Some(found))
            }
        })
    }
    fn timed<R: std::fmt::Debug>(record: read::TimedRecord<'_, R>) -> usize {
        format!("{:?}", record.record).len() + record.attributes.iter().count()
    }
    match file {
        FileName::Anchor => (0, read::anchor(bytes).map(|anchor| format!("{anchor:?}")).err()),
        // Not a file of OTF2.
        FileName::Seal => (0, None),
        FileName::GlobalDefinitions => {
            count(read::global_definitions(bytes, CHUNK).map(|r| r.map(|r| r.map(|r| format!("{r:?}")))))
        }
        FileName::LocalDefinitions(_) => {
            count(read::local_definitions(bytes, CHUNK).map(|r| r.map(|r| r.map(|r| format!("{r:?}")))))
        }
        FileName::Markers => {
            count(read::markers(bytes, CHUNK).map(|r| r.map(|r| r.map(|r| format!("{r:?}")))))
        }
        FileName::Thumbnail(_) => count(read::thumbnail(bytes).map(|(_, samples)| samples)),
        FileName::Events(_) => count(read::events(bytes, CHUNK).map(|r| r.map(|r| r.map(timed)))),
        FileName::Snapshots(_) => count(read::snapshots(bytes, CHUNK).map(|r| r.map(|r| r.map(timed)))),
    }
}

fn samples() -> Vec<(FileName, Vec<u8>)> {
    let mut folders = archives(&common::own());
    let samples = kymo_testdata::own("otf2-samples");
    folders.extend(["every-record", "edge-values", "handmade-big-endian"].map(|name| samples.join(name)));
    let mut files = Vec::new();
    for archive in folders.iter().map(|folder| Archive::open(folder)) {
        files.push((FileName::Anchor, archive.anchor_bytes.clone()));
        files.extend(archive.files.iter().map(|&file| (file, archive.bytes(file))));
    }
    files
}

#[test]
fn files_cut_anywhere_give_an_error() {
    for (file, bytes) in samples() {
        let step = (bytes.len() / 500).max(1);
        // The last byte of a chunked file is not needed, nor are the last two of the anchor.
        let needed = bytes.len() - if file == FileName::Anchor { 2 } else { 1 };
        for length in (0..needed).step_by(step) {
            let (_, error) = read_all(file, &bytes[..length]);
            // Thumbnails are read only up to their last sample.
            let is_short = length + 3 < bytes.len() || !matches!(file, FileName::Thumbnail(_));
            if is_short {
                let Some(Error::Format(error)) = error else { panic!("{file} cut to {length}: no error") };
                assert!(error.offset <= length as u64);
            }
        }
    }
}

#[test]
fn hostile_counts_do_not_reserve_memory() {
    // A group of 2^32-2 members, an id map of 2^60 entries, an attribute list of 2^32-2 entries.
    let header = [&[3, 0x42][..], &[0; 16]].concat();
    let group = [&header[..], &[18, 9, 0, 0, 0, 4, 0xFE, 0xFF, 0xFF, 0xFF, 0, 2, 1]].concat();
    let map = [&header[..], &[5, 11, 3, 8, 0, 0, 0, 0, 0, 0, 0, 0x10, 0, 2, 1]].concat();
    let list = [&header[..], &[6, 6, 4, 0xFE, 0xFF, 0xFF, 0xFF, 0, 12, 0, 2, 1]].concat();
    for (file, bytes) in [
        (FileName::GlobalDefinitions, group),
        (FileName::LocalDefinitions(0), map),
        (FileName::Events(0), list),
    ] {
        let (count, error) = read_all(file, &bytes);
        assert_eq!(count, 0);
        let Some(Error::Format(error)) = error else { panic!("{error:?}") };
        assert_eq!(error.problem, Problem::UnexpectedEnd);
    }
}

#[test]
fn errors_state_the_offset_and_the_problem() {
    let header = [&[3, 0x42][..], &[0; 16]].concat();
    let cases: [(&[u8], &str); 5] = [
        (&[12, 5, 1, 1], "traces/0.evt: byte 19: Enter: compressed integer of 5 bytes, expected at most 4"),
        (&[14, 200, 1, 1], "traces/0.evt: byte 18: MpiSend: record of 200 bytes with 2 left in the file"),
        (&[12, 0], "traces/0.evt: byte 20: no end-of-file mark (0x02)"),
        (&[12, 0, 5, 1], "traces/0.evt: byte 21: Timestamp: ends inside a field"),
        (&[6, 2, 1, 1, 2], "traces/0.evt: byte 22: AttributeList: ends inside a field"),
    ];
    for (bytes, expected) in cases {
        let file = [&header[..], bytes].concat();
        let (_, error) = read_all(FileName::Events(0), &file);
        assert_eq!(error.unwrap().in_file(FileName::Events(0)).to_string(), expected);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn changed_bytes_never_panic(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8)) {
        thread_local!(static SAMPLES: Vec<(FileName, Vec<u8>)> = samples());
        SAMPLES.with(|samples| {
            for (file, bytes) in samples {
                let mut bytes = bytes.clone();
                for (at, value) in &changes {
                    let at = at.index(bytes.len());
                    bytes[at] = *value;
                }
                read_all(*file, &bytes);
            }
        });
    }
}
