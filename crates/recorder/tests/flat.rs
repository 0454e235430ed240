//! A recorder's memory does not grow with the length of the recording. `KYMO_SECONDS=3600` records
//! at full rate for that long, without files.
//!
//! This test has its own process, because it measures the memory of the process. It does not run
//! under Miri: too many events.

#![cfg(not(miri))]

use std::{
    io,
    sync::Arc,
    time::{Duration, Instant},
};

use kymo_otf2::{FileName, Storage, events::Enter, references::RegionRef, storage::Content};
use kymo_recorder::{MemorySettings, Recorder, drain::Note, memory::Budget};

static BUDGET: Budget = Budget::new(usize::MAX);

/// Storage that accepts everything and keeps nothing.
#[derive(Default)]
struct Discarded {
    length: std::sync::atomic::AtomicU64,
}

impl Storage for Discarded {
    fn create(&self) -> io::Result<()> {
        Ok(())
    }

    fn write_at(&self, _: FileName, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let end = offset + bytes.len() as u64;
        self.length.fetch_max(end, std::sync::atomic::Ordering::Relaxed);
        Ok(())
    }

    fn set_len(&self, _: FileName, _: u64) -> io::Result<()> {
        Ok(())
    }

    fn open(&self, _: FileName) -> io::Result<Box<dyn Content>> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// Returns the number of this process's bytes in memory.
fn resident() -> u64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap();
    text.split(' ').nth(1).unwrap().parse::<u64>().unwrap() * rustix::param::page_size() as u64
}

/// Like [`resident`], but without the pieces of events, which grow up to their limit while the
/// writer is late.
fn resident_without_pieces(recorder: &Recorder) -> u64 {
    resident().saturating_sub(recorder.drain().pool().taken() as u64)
}

/// Records events at full rate: memory stays as it was in the first seconds.
#[test]
fn memory_is_flat_at_full_rate() {
    let seconds = std::env::var("KYMO_SECONDS").map_or(3, |text| text.parse().unwrap());
    let folder = std::env::temp_dir().join(format!("kymo-flat-{}", std::process::id()));
    std::fs::create_dir(&folder).unwrap();
    let recorder = Recorder::new(&BUDGET, None, &MemorySettings::default()).unwrap();
    let recorder: &'static Recorder = Box::leak(Box::new(recorder));
    let track = recorder.add_track(8).unwrap();
    let storage = Arc::new(Discarded::default());
    recorder.output().open(Box::new(Arc::clone(&storage)));
    recorder.drain().start(&folder, &Note { rank: 0, size: 1 }).into_iter().for_each(|it| it.unwrap());
    track.file().set(0);
    let (begin, mut events, mut early) = (Instant::now(), 0_u64, 0);
    while begin.elapsed() < Duration::from_secs(seconds) {
        for _ in 0..1 << 20 {
            events += 1;
            let enter = Enter { region: RegionRef(events as u32 % 7) };
            if !track.record_if_ready(events, &enter) {
                track.record_at(events, |writer| writer.record(events, &enter));
            }
        }
        if early == 0 && begin.elapsed() >= Duration::from_secs(seconds.min(60) / 3) {
            early = resident_without_pieces(recorder);
        }
    }
    let late = resident_without_pieces(recorder);
    recorder.drain().finish();
    std::fs::remove_dir_all(&folder).unwrap();
    let length = storage.length.load(std::sync::atomic::Ordering::Relaxed);
    println!("{events} events, {length} bytes in {seconds} s; resident {early} bytes early, {late} late");
    assert!(length / 12 > events / 2 && events > 1_000_000);
    assert!(recorder.drain().pool().taken() <= MemorySettings::default().limit + (1 << 20));
    assert!(late <= early + early / 20 + (1 << 20), "{early} bytes early, {late} late");
}
