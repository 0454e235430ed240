//! Thumbnails: a single archive keeps its thumbnails, several archives lose them.

use std::fs;

use kymo_otf2::definitions::{GlobalDefinition, Region};
use kymo_otf2::enums::ThumbnailType;
use kymo_otf2::list::List;
use kymo_otf2::read::Archive;
use kymo_otf2::references::StringRef;
use kymo_otf2::storage::Directory;
use kymo_otf2::thumbnails::{ThumbnailHeader, ThumbnailSample};
use kymo_otf2::write::{StoragePieces, ThumbnailWriter, anchor::anchor_bytes};
use kymo_otf2::{Anchor, FileName};

use super::{ResultFolder, messages, run};
use crate::check_common::Written;
use crate::check_common::world::{region, string};

/// An archive with thumbnails of regions, of an unknown type, and of metrics. The anchor announces
/// one more. The result has no region 9, because ids are dense there.
fn with_thumbnails() -> Written {
    let mut trace = messages(&[]);
    trace.define(string(9, "the tenth"));
    trace.define(Region { name: StringRef(9), ..region(9) });
    let written = trace.write();
    let (folder, name) = (written.anchor(), written.anchor());
    let (folder, name) = (folder.parent().unwrap(), name.file_stem().unwrap().to_str().unwrap());
    let storage = Directory::open_named(folder, name).expect("the archive");
    let archive = Archive::open(written.anchor()).expect("an archive");
    let kinds = [ThumbnailType::REGION, ThumbnailType(77), ThumbnailType::METRIC];
    for (number, thumbnail_type) in (0..).zip(kinds) {
        let header = ThumbnailHeader {
            name: "name".into(),
            description: "what".into(),
            thumbnail_type,
            number_of_samples: 1,
            refs_to_defs: List::new(&[9, 0]).unwrap(),
        };
        let pieces = StoragePieces::new(&storage, FileName::Thumbnail(number), 1000);
        let mut writer = ThumbnailWriter::new(pieces, &header).expect("a thumbnail");
        let metric_samples = List::new(&[3, 5]).unwrap();
        writer.sample(&ThumbnailSample { baseline: u64::from(number), metric_samples }).expect("a sample");
        writer.finish().expect("a file");
    }
    let anchor = anchor_bytes(&Anchor { number_of_thumbnails: 4, ..archive.anchor() }).expect("an anchor");
    fs::write(written.anchor(), anchor).expect("the anchor");
    written
}

/// Returns the names of the regions that a thumbnail shows.
fn shown(archive: &Archive, number: u32) -> Vec<String> {
    let file = archive.global_definitions().expect("definitions");
    let records: Vec<_> = file.records().expect("records").map(|it| it.expect("a record")).collect();
    let name = |id: u64| {
        let region = records.iter().find_map(|it| match it {
            GlobalDefinition::Region(region) if u64::from(region.id.0) == id => Some(region.name),
            _ => None,
        })?;
        records.iter().find_map(|it| match it {
            GlobalDefinition::String(string) if string.id == region => Some(string.string.to_string()),
            _ => None,
        })
    };
    let thumbnail = archive.thumbnail(number).expect("a thumbnail");
    let (header, _) = thumbnail.read().expect("its header");
    header.refs_to_defs.iter().map(|id| name(id).expect("a region")).collect()
}

/// A merge left them out.
#[test]
fn a_single_archive_keeps_its_thumbnails() {
    let written = with_thumbnails();
    let place = ResultFolder::new();
    let output = run(&[&written.anchor()], &place.anchor(), &["--shift", "1=1000"]);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    assert!(stderr.contains("2 thumbnails (missing, damaged or of an unknown type) left out"), "{stderr}");
    let [before, after] = [written.anchor(), place.anchor()].map(|it| Archive::open(it).expect("an archive"));
    assert_eq!(after.anchor().number_of_thumbnails, 2);
    assert_eq!(shown(&after, 0), shown(&before, 0));
    assert_eq!(shown(&after, 0)[0], "the tenth");
    let metrics = after.thumbnail(1).expect("a thumbnail");
    let (header, mut samples) = metrics.read().expect("its header");
    let sample = samples.next().expect("a sample").expect("a good one");
    assert_eq!((header.thumbnail_type, sample.baseline), (ThumbnailType::METRIC, 2));
    assert_eq!(sample.metric_samples.iter().collect::<Vec<_>>(), [3, 5]);
}

/// The damage is in the header, then in the last sample. The merge failed.
#[test]
fn a_damaged_thumbnail_does_not_fail_the_merge() {
    let written = with_thumbnails();
    let path = written.anchor().with_extension("0.thumb");
    let mut torn = fs::read(&path).expect("a file");
    let end = torn.iter().rposition(|&byte| byte != 0).expect("an end");
    torn.truncate(end - 2);
    for damaged in [b"damaged".to_vec(), torn] {
        fs::write(&path, damaged).expect("a file");
        let place = ResultFolder::new();
        let output = run(&[&written.anchor()], &place.anchor(), &[]);
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{stderr}");
        assert!(
            stderr.contains("3 thumbnails (missing, damaged or of an unknown type) left out"),
            "{stderr}"
        );
        let line = stderr.lines().find(|line| line.starts_with(&format!("kymo: {}: ", path.display())));
        assert!(line.is_some_and(|line| line.contains("byte ") && line.ends_with(": left out")), "{stderr}");
        let after = Archive::open(place.anchor()).expect("an archive");
        assert_eq!(after.anchor().number_of_thumbnails, 1);
        let thumbnail = after.thumbnail(0).expect("a thumbnail");
        assert_eq!(thumbnail.read().expect("its header").0.thumbnail_type, ThumbnailType::METRIC);
        assert!(!place.anchor().with_extension("1.thumb").exists());
    }
}

#[test]
fn thumbnails_of_several_archives_are_left_out() {
    let written = with_thumbnails();
    let place = ResultFolder::new();
    let other = messages(&[]).write();
    let output = run(&[&written.anchor(), &other.anchor()], &place.anchor(), &[]);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    let line = format!(
        "kymo: {}: 4 thumbnails (each shows only one archive) left out\n",
        written.anchor().display()
    );
    assert_eq!((output.status.code(), stderr), (Some(0), line));
    assert_eq!(Archive::open(place.anchor()).expect("an archive").anchor().number_of_thumbnails, 0);
}

/// They belong to another archive, which exists or used to exist.
#[test]
fn existing_thumbnails_are_not_overwritten() {
    let written = messages(&[]).write();
    let place = ResultFolder::new();
    fs::create_dir(place.anchor().parent().unwrap()).expect("a folder");
    let thumbnail = place.anchor().with_file_name("merged.3.thumb");
    fs::write(&thumbnail, "not ours").expect("a file");
    let output = run(&[&written.anchor()], &place.anchor(), &[]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert_eq!(fs::read(&thumbnail).expect("a file"), b"not ours");
}
