//! Memory and work are bounded: readers allocate at most their budget plus a constant, whatever the
//! files request, and they read each byte once. The file contains a single test, as it counts the
//! allocations of the whole process.

use kymo_otf2::read::{Archive, Family, InOrder, LocationReader, Options};
use kymo_otf2::{Anchor, Error, FileName, LittleEndian, Result, write};
use kymo_otf2_testing::files::Files;
use kymo_otf2_testing::seeds;
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The number of bytes allocated now, and the maximum since [`watch`] was called.
static NOW: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

struct Counting;

fn add(bytes: usize) {
    let now = NOW.fetch_add(bytes, Ordering::Relaxed) + bytes;
    MOST.fetch_max(now, Ordering::Relaxed);
}

// SAFETY: all calls are forwarded to the system's allocator; counting does not affect the results.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        // SAFETY: the caller's layout is not empty.
        unsafe { System.alloc(layout) }
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        // SAFETY: the caller's layout is not empty.
        unsafe { System.alloc_zeroed(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the block came from `System`, with this layout, and the caller uses it no more.
        unsafe { System.dealloc(pointer, layout) }
    }
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        add(size);
        NOW.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the block came from `System`, with this layout; the new size is that of the
        // caller.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Runs a closure. Returns the maximum number of bytes that it had allocated at any time.
fn watch(work: impl FnOnce()) -> usize {
    let before = NOW.load(Ordering::Relaxed);
    MOST.store(before, Ordering::Relaxed);
    work();
    MOST.load(Ordering::Relaxed) - before
}

/// The constant part: the archive itself, and the state of one inflating stream.
const CONSTANT: usize = 96 << 10;

/// Returns a file with a chunk header, a body, and the end marks.
fn file(body: &[u8]) -> Vec<u8> {
    [&[3, 0x42][..], &1_u64.to_le_bytes(), &[0; 8], body, &[2, 1]].concat()
}

/// Returns a record with a long length field.
fn record(id: u8, data: &[u8]) -> Vec<u8> {
    [&[id, 0xFF][..], &(data.len() as u64).to_le_bytes(), data].concat()
}

fn anchor(description: &str) -> Vec<u8> {
    let anchor = Anchor {
        event_chunk_size: 16 << 20,
        definition_chunk_size: 16 << 20,
        description: description.into(),
        ..Anchor::default()
    };
    write::anchor::anchor_bytes(&anchor).unwrap()
}

/// Returns archives that request much memory.
fn greedy() -> Vec<(&'static str, Files)> {
    let plain = Files::new([(FileName::Anchor, anchor("")), (FileName::Events(0), file(&[12, 0]))]);
    let global = FileName::GlobalDefinitions;
    let local = FileName::LocalDefinitions(0);
    let location = |id: u32| [&[15, 9, 4][..], &id.to_le_bytes(), &[0, 1, 0, 0]].concat();
    let locations: Vec<u8> = (0x0100_0000..0x0100_4000).flat_map(location).collect();
    let dense = record(5, &[&[3, 3, 0x90, 0xD0, 3, 0][..], &[0; 250_000]].concat());
    let sparse = record(5, &[&[3, 3, 0x90, 0xD0, 3, 1][..], &[0; 500_000]].concat());
    let offset = |time: u64| [&[6, 25][..], &time.to_le_bytes(), &[8], &[0; 16]].concat();
    let offsets: Vec<u8> = (0..30_000).flat_map(offset).collect();
    let mut properties = anchor("").to_vec();
    let count_at = properties.len() - 3 - 8 - 8 - 4;
    let names: Vec<u8> = (0..10_000).flat_map(|name| format!("A::B{name}\0\0").into_bytes()).collect();
    properties.splice(count_at..count_at + 4, [&10_000_u32.to_le_bytes()[..], &names].concat());
    let long_list =
        [&record(6, &[&[3, 0x20, 0xA1, 7][..], &[0, 1, 7].repeat(500_000)].concat())[..], &[12, 0]];
    vec![
        ("a long description", plain.with(FileName::Anchor, Some(anchor(&"x".repeat(200_000))))),
        ("many properties", plain.with(FileName::Anchor, Some(properties))),
        ("many definitions", plain.with(global, Some(file(&locations)))),
        ("a dense mapping table", plain.with(local, Some(file(&dense)))),
        ("a sparse mapping table", plain.with(local, Some(file(&sparse)))),
        ("many clock offsets", plain.with(local, Some(file(&offsets)))),
        ("a long event", plain.with(FileName::Events(0), Some(file(&record(200, &vec![7; 5_000_000]))))),
        ("a long attribute list", plain.with(FileName::Events(0), Some(file(&long_list.concat())))),
        ("an inflated file", inflated()),
    ]
}

/// Returns an archive of well-compressed zeros.
fn inflated() -> Files {
    let mut files = seeds::archive::<LittleEndian>(1);
    let mut bytes = files[&FileName::Events(0)].clone();
    bytes.truncate(bytes.len() - 2);
    bytes.resize(40 * 262_144, 0);
    files.insert(FileName::Events(0), bytes);
    let files = Files::new(seeds::compressed(files));
    assert!(files.length(FileName::Events(0)) < 200_000);
    files
}

fn each<F: Family>(reader: Result<LocationReader<F>>) -> Result<()> {
    let mut reader = reader?;
    while reader.next()?.is_some() {}
    Ok(())
}

fn each_in_order<F: Family>(reader: Result<InOrder<F>>) -> Result<()> {
    let mut reader = reader?;
    loop {
        match reader.next() {
            Ok(None) => return Ok(()),
            Err(error @ Error::Limit(_)) => return Err(error),
            _ => {}
        }
    }
}

/// Reads everything and ignores errors. Returns whether a limit was reached.
fn read(files: &Files, memory: usize) -> bool {
    let options = Options { memory, ..Options::default() };
    let archive = match Archive::in_storage(Arc::new(files.clone()), options) {
        Ok(archive) => archive,
        Err(error) => return matches!(error, Error::Limit(_)),
    };
    let locations = archive.locations();
    let all = locations.as_deref().unwrap_or(&[0]);
    let results = [
        each_in_order(archive.events_in_order(all)),
        each_in_order(archive.snapshots_in_order(all)),
        each(archive.events(0)),
        archive.local_definitions(0).and_then(|file| file.records()?.try_for_each(|record| record.map(drop))),
        locations.map(drop),
    ];
    results.iter().any(|result| matches!(result, Err(Error::Limit(_))))
}

#[test]
fn memory_and_work_are_bounded() {
    for (name, files) in greedy() {
        let mut met = [false; 2];
        for memory in [1_000, 30_000, 100_000, 400_000, 1_500_000, 6_000_000, 25_000_000, 100_000_000] {
            let mut is_limited = false;
            let most = watch(|| is_limited = read(&files, memory));
            assert!(most <= memory + CONSTANT, "{name}: {most} bytes with a budget of {memory}");
            met[usize::from(is_limited)] = true;
        }
        assert_eq!(met, [true; 2], "{name}: some budgets suffice, some do not");
    }
    each_byte_is_read_once();
    seeking_reads_little();
}

fn each_byte_is_read_once() {
    for (name, files) in greedy() {
        for step in [usize::MAX, 5000] {
            let files = files.clone().in_steps(step);
            files.take_read();
            let _ = each(Archive::in_storage(Arc::new(files.clone()), Options::default()).unwrap().events(0));
            let names = [FileName::Anchor, FileName::LocalDefinitions(0), FileName::Events(0)];
            let lengths: u64 = names.map(|name| files.length(name)).iter().sum();
            assert!(files.take_read() <= lengths, "{name}");
        }
    }
}

/// Seeking in a long file must read only the beginnings of a few chunks and one whole chunk.
fn seeking_reads_little() {
    let files = Files::new(seeds::archive::<LittleEndian>(64));
    let archive = Archive::in_storage(Arc::new(files.clone()), Options::default()).unwrap();
    let mut events = archive.events(0).unwrap();
    for number in 1..=320 {
        files.take_read();
        events.seek(number).unwrap();
        assert_eq!(events.next().unwrap().unwrap().number, number);
        let read = files.take_read();
        assert!(read <= 8 * 27 + (64 << 10), "{read} bytes for event {number}");
    }
}
