//! Archives written by libotf2 or by hand must match the golden dumps when decoded, and themselves
//! when rewritten.

use crate::common::{Archive, all_archives, dump, reencode, text};
use kymo_otf2::enums::Compression;
use kymo_otf2::{BigEndian, FileName, LittleEndian};

/// Returns the properties that are compared for a sample that the writers would not write.
fn exception(archive: &Archive) -> Option<&'static str> {
    match archive.folder.file_name().unwrap().to_str().unwrap() {
        "handmade-attribute-lists" => {
            Some("two lists before one event, a list before the time stamp: the records")
        }
        "handmade-old-anchor1" | "handmade-old-anchor2" => Some("records without later fields: the fields"),
        "handmade-future-anchor" => Some("anchor format 4: the content of the anchor"),
        "handmade-unknown-records" | "test-unknown-record" => {
            Some("bytes after known fields, long lengths of short records: the records")
        }
        "handmade-non-minimal-ints" => Some("superfluous zero bytes: the records"),
        "handmade-no-end-of-buffer" => Some("no 01 at the end: all bytes before it"),
        "otf2-2.2-every-record" => Some("records without the fields of 3.0: the fields"),
        "otf2-2.2-zlib" | "otf2-2.2-zlib-two-blocks" => Some("the inflated files, as for otf2-2.2"),
        _ if archive.anchor().version < [3, 0, 0] => {
            Some("written by an older OTF2, without later fields: the fields")
        }
        _ => None,
    }
}

fn all() -> Vec<Archive> {
    all_archives().iter().map(|folder| Archive::open(folder)).collect()
}

#[test]
fn decoded_records_equal_the_golden_dumps() {
    let mut compared = 0;
    for archive in all() {
        let Some(expected) = text(&archive.folder, "records-raw.txt") else { continue };
        // OTF2 3.x refuses zlib, so these dumps were made with 2.2, without the fields of 3.0.
        let old = archive.anchor().compression == Compression::ZLIB;
        let found = dump::archive(&archive, old.then_some("3.0"));
        // Nor can OTF2 2.2 read the thumbnails of these archives.
        let found: Vec<&str> = found.lines().filter(|line| !(old && line.starts_with("THUMB"))).collect();
        let mut lines =
            found.iter().map(|line| line.trim_end()).zip(expected.lines().map(str::trim_end)).enumerate();
        if let Some((number, (found, expected))) = lines.find(|(_, (found, expected))| found != expected) {
            panic!(
                "{}: line {}:\nfound    {found}\nexpected {expected}",
                archive.folder.display(),
                number + 1
            );
        }
        assert_eq!(found.len(), expected.lines().count(), "{}", archive.folder.display());
        compared += 1;
    }
    assert!(compared >= 18, "{compared}");
}

#[test]
fn rewritten_files_have_the_same_bytes() {
    let mut compared = 0;
    for archive in all() {
        let anchor = archive.anchor();
        for &file in archive.files.iter().chain([&FileName::Anchor]) {
            let bytes = archive.bytes(file);
            for piece in [64, 65536, 1 << 20] {
                let big = bytes[1] == 0x23;
                let written = match big {
                    true => reencode::file::<BigEndian>(file, &bytes, &anchor, piece),
                    false => reencode::file::<LittleEndian>(file, &bytes, &anchor, piece),
                };
                let context = format!("{} {file} with pieces of {piece}", archive.folder.display());
                match exception(&archive) {
                    None => assert_same(&written, &bytes, &context),
                    Some(_) if written == bytes => {}
                    Some(_) => assert_same_records(file, &written, &bytes, &archive, &context),
                }
                compared += 1;
            }
        }
    }
    assert!(compared >= 1_161, "{compared}");
}

fn assert_same(written: &[u8], expected: &[u8], context: &str) {
    let differs = written.iter().zip(expected).position(|(a, b)| a != b);
    if let Some(at) =
        differs.or((written.len() != expected.len()).then_some(written.len().min(expected.len())))
    {
        let around =
            |bytes: &[u8]| bytes[at.saturating_sub(16).min(bytes.len())..(at + 16).min(bytes.len())].to_vec();
        panic!(
            "{context}: byte {at}:\nwritten  {:02x?}\nexpected {:02x?}",
            around(written),
            around(expected)
        );
    }
}

/// Checks that the rewritten file has the records of the original.
fn assert_same_records(file: FileName, written: &[u8], original: &[u8], archive: &Archive, context: &str) {
    use kymo_otf2::read;
    let anchor = archive.anchor();
    let (events, definitions) = (anchor.event_chunk_size, anchor.definition_chunk_size);
    let shown = |bytes: &[u8]| -> Vec<String> {
        match file {
            FileName::Anchor => {
                let mut anchor = read::anchor(bytes).unwrap();
                (anchor.anchor_format, anchor.trace_format) = (0, 0);
                vec![format!("{anchor:?}")]
            }
            FileName::GlobalDefinitions => read::global_definitions(bytes, definitions)
                .unwrap()
                .map(|r| format!("{:?}", r.unwrap()))
                .collect(),
            FileName::LocalDefinitions(_) => read::local_definitions(bytes, definitions)
                .unwrap()
                .map(|r| format!("{:?}", r.unwrap()))
                .collect(),
            FileName::Events(_) => read::events(bytes, events)
                .unwrap()
                .map(|event| {
                    let event = event.unwrap();
                    let attributes: Vec<_> = event.attributes.iter().collect();
                    format!("{} {} {:?} {attributes:?}", event.number, event.time, event.record)
                })
                .collect(),
            _ => panic!("{context}: differs"),
        }
    };
    assert_eq!(shown(written), shown(original), "{context}");
}
