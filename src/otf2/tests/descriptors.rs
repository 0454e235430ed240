//! An archive can have more locations than the process may have open files. The file contains a
//! single test, as it changes the limit of the process.

use kymo_otf2::events::Enter;
use kymo_otf2::read::Archive;
use kymo_otf2::references::RegionRef;
use kymo_otf2::storage::Directory;
use kymo_otf2::write::{EventWriter, StoragePieces, anchor};
use kymo_otf2::{Anchor, FileName, Storage};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

#[test]
fn many_locations_can_be_read_with_few_descriptors() {
    let folder = tempfile::tempdir().unwrap();
    let storage = Directory::make(folder.path(), "traces").unwrap();
    storage.create().unwrap();
    storage.write_at(FileName::Anchor, 0, &anchor::anchor_bytes(&Anchor::default()).unwrap()).unwrap();
    let locations: Vec<u64> = (0..300).collect();
    for &location in &locations {
        let pieces = StoragePieces::new(&storage, FileName::Events(location), 100);
        let mut events = EventWriter::new(pieces, 1 << 20).unwrap();
        for time in [location, 1000 - location] {
            events.record(time, &Enter { region: RegionRef(0) }).unwrap();
        }
        events.finish().unwrap();
    }
    let before = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: Some(64), ..before }).unwrap();
    let archive = Archive::open(folder.path().join("traces.otf2")).unwrap();
    let mut events = archive.events_in_order(&locations).unwrap();
    let mut found = Vec::new();
    while let Some((location, event)) = events.next().unwrap() {
        found.push((event.time, location));
    }
    setrlimit(Resource::Nofile, before).unwrap();
    assert_eq!(found.len(), 600);
    assert!(found.is_sorted());
}
