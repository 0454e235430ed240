//! The files of long runs are byte for byte those of a plain writer.
//!
//! `KYMO_EVENTS=1000000000` records that many events, each of which takes 12 bytes of disk; the
//! temporary folder must have the room.
//!
//! This does not run under Miri: too many events.

#![cfg(not(miri))]

use std::{
    io,
    path::Path,
    sync::{Arc, Mutex},
};

use kymo_otf2::{
    FileName, Storage,
    events::{Enter, Leave},
    references::RegionRef,
    storage::{Content, Directory},
    write::{EventWriter, StoragePieces},
};
use kymo_recorder::{
    EVENT_CHUNK_SIZE, MemorySettings, Recorder, Track,
    drain::Note,
    memory::Budget,
    scratch::{ScratchFile, ScratchPlace},
};

static BUDGET: Budget = Budget::new(usize::MAX);

/// Plain enters and leaves of a few regions, with time steps that take one or two more bytes.
fn each(events: u64, mut enter: impl FnMut(u64, Enter), mut leave: impl FnMut(u64, Leave)) {
    let mut time = 1 << 40;
    for number in 0..events {
        time += 1 + number % 300;
        let region = RegionRef((number / 2 % 7) as u32);
        match number % 2 {
            0 => enter(time, Enter { region }),
            _ => leave(time, Leave { region }),
        }
    }
}

/// Storage that compares the written data with an existing file.
struct Compared {
    file: Box<dyn Content>,
    /// Data that a writer puts into earlier places, which is known only at the end.
    patched: Mutex<Vec<(u64, Vec<u8>)>>,
    first_difference: Mutex<Option<u64>>,
}

impl Compared {
    fn compare(&self, offset: u64, bytes: &[u8]) {
        let mut found = vec![0; bytes.len()];
        let mut done = 0;
        while done < found.len() {
            match self.file.read_at(offset + done as u64, &mut found[done..]).unwrap() {
                0 => break,
                count => done += count,
            }
        }
        let differs = found.iter().zip(bytes).position(|(a, b)| a != b);
        if let Some(at) = differs.or((done < bytes.len()).then_some(done)) {
            self.first_difference.lock().unwrap().get_or_insert(offset + at as u64);
        }
    }
}

impl Storage for Compared {
    fn create(&self) -> io::Result<()> {
        Ok(())
    }

    fn write_at(&self, _: FileName, offset: u64, bytes: &[u8]) -> io::Result<()> {
        match bytes.len() {
            8 => self.patched.lock().unwrap().push((offset, bytes.to_vec())),
            _ => self.compare(offset, bytes),
        }
        Ok(())
    }

    fn set_len(&self, _: FileName, _: u64) -> io::Result<()> {
        Ok(())
    }

    fn open(&self, _: FileName) -> io::Result<Box<dyn Content>> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// Writes the same events with a plain writer, whose buffer is a chunk, and compares the files.
fn compare(directory: &Directory, events: u64) {
    let compared = Arc::new(Compared {
        file: directory.open(FileName::Events(0)).unwrap(),
        patched: Mutex::default(),
        first_difference: Mutex::default(),
    });
    let pieces = StoragePieces::new(Arc::clone(&compared), FileName::Events(0), EVENT_CHUNK_SIZE as usize);
    let plain = Mutex::new(EventWriter::new(pieces, EVENT_CHUNK_SIZE).unwrap());
    each(
        events,
        |time, enter| plain.lock().unwrap().record(time, &enter).unwrap(),
        |time, leave| plain.lock().unwrap().record(time, &leave).unwrap(),
    );
    let closed = plain.into_inner().unwrap().close().unwrap();
    compared.patched.lock().unwrap().iter().for_each(|(at, bytes)| compared.compare(*at, bytes));
    assert_eq!(*compared.first_difference.lock().unwrap(), None, "first difference");
    assert_eq!((compared.file.length().unwrap(), closed.events), (closed.length, events));
}

fn record(folder: &Path, events: u64) -> Directory {
    let scratch = ScratchFile::make(&ScratchPlace::Automatic).unwrap();
    let recorder = Recorder::new(&BUDGET, scratch, &MemorySettings::default()).unwrap();
    let recorder: &'static Recorder = Box::leak(Box::new(recorder));
    let track = recorder.add_track(8).unwrap();
    let directory = Directory::open(folder).unwrap();
    directory.create().unwrap();
    recorder.output().open(Box::new(Directory::open(folder).unwrap()));
    for started in recorder.drain().start(folder, &Note { rank: 0, size: 1 }) {
        started.unwrap();
    }
    track.file().set(0);
    each(
        events,
        |time, enter| {
            if !track.record_if_ready(time, &enter) {
                track.record_at(time, |writer| writer.record(time, &enter));
            }
        },
        |time, leave| {
            if !track.record_if_ready(time, &leave) {
                track.record_at(time, |writer| writer.record(time, &leave));
            }
        },
    );
    Track::shut_all(core::iter::once(track));
    recorder.drain().finish();
    let closed = track.close().unwrap();
    assert_eq!((closed.events, closed.lost, closed.kept), (events, 0, 0), "{closed:?}");
    recorder.drain().clean_up().unwrap();
    directory
}

/// Readers failed after some point.
#[test]
fn a_file_of_50_million_events_is_readable_to_its_end() {
    let events = std::env::var("KYMO_EVENTS").map_or(50_000_000, |text| text.parse().unwrap());
    let folder = std::env::temp_dir().join(format!("kymo-long-{}", std::process::id()));
    std::fs::create_dir(&folder).unwrap();
    let directory = record(&folder, events);
    compare(&directory, events);
    std::fs::remove_dir_all(&folder).unwrap();
}
