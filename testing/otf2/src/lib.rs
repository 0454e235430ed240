//! Shared test code for archives: the bodies of the fuzz targets for the format, and the archives
//! that the fuzzers start from.
//!
//! The promises of the bodies are valid for every input, so the tests of the format also run them
//! over the corpus and the regressions.

pub mod files;
pub mod seeds;
mod transcript;

use files::Files;
use kymo_otf2::read::{Archive, Options};
use kymo_otf2::storage::Memory;
use kymo_otf2::{Result, Storage, copy};
use std::sync::Arc;

/// The memory that readers may take, in bytes. libFuzzer's limit for single allocations is slightly
/// higher.
const MEMORY: usize = 48 << 20;

fn options(global: bool) -> Options {
    Options { mapping: global, clock_correction: global, memory: MEMORY, ..Options::default() }
}

fn open(storage: impl Storage + 'static, global: bool) -> Result<Archive> {
    Archive::in_storage(Arc::new(storage), options(global))
}

/// Whatever the files contain, reading them ends with records or one error, and reads each byte
/// once.
pub fn anything(bytes: &[u8]) {
    let files = Files::parse(bytes);
    let Ok(archive) = open(files.clone(), files.is_global()) else { return };
    let locations = transcript::locations(&archive, &files);
    for &location in &locations {
        transcript::sequential(&archive, &files, location);
        transcript::jumps(&archive, &files, location);
    }
    transcript::of(&archive, &locations);
}

/// The result does not depend on the sizes of the reads.
pub fn cuts(bytes: &[u8]) {
    let files = Files::parse(bytes);
    let Ok(whole) = open(files.clone(), files.is_global()) else { return };
    let locations = transcript::locations(&whole, &files);
    let expected = transcript::of(&whole, &locations);
    // One byte at a time, or a few more if chunks were filled up, so that inputs remain fast.
    let least = 1 + files.total_length() / 20_000;
    for step in [least, least + 1 + files.control(0) as usize, least + 17 + 9 * files.control(1) as usize] {
        let cut = open(files.clone().in_steps(step), files.is_global()).expect("the same anchor");
        assert_eq!(transcript::of(&cut, &locations), expected, "{step} bytes at a time");
    }
}

/// An archive that can be read to its end and written again has the same content, and a copy of a
/// copy has the same bytes.
pub fn round_trip(bytes: &[u8]) {
    let files = Files::parse(bytes);
    let Ok(archive) = open(files, false) else { return };
    let Some(first) = copied(&archive) else { return };
    let again = open(first.clone(), false).expect("a copy is an archive");
    let locations = archive.locations().expect("they were copied");
    assert_eq!(transcript::values(&again, &locations), transcript::values(&archive, &locations));
    let second = copied(&again).expect("a copy can be copied");
    for file in first.files() {
        assert!(first.read(file).ok() == second.read(file).ok(), "{file} differs in the second copy");
    }
}

fn copied(archive: &Archive) -> Option<Arc<Memory>> {
    let memory = Memory::new();
    copy(archive, &memory).ok().map(|()| Arc::new(memory))
}
