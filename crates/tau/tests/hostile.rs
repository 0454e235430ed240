//! Damaged pairs of files: the properties checked by the fuzz target are tested for every cut and
//! for random changes of every seed.

use std::path::{Path, PathBuf};

use kymo_tau_testing::fuzz::{seeds, tau};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testing/fuzz").join(name)
}

#[test]
fn the_corpus_has_the_seeds() {
    for (name, bytes) in seeds() {
        let found = std::fs::read(folder("tau-corpus").join(name)).unwrap_or_default();
        assert!(found == bytes, "{name}: run `cargo run --package kymo-tau-testing --example tau_seeds`");
    }
}

#[test]
fn seeds_and_regressions() {
    let mut count = 0;
    for name in ["tau-corpus", "tau-regressions"] {
        for entry in std::fs::read_dir(folder(name)).into_iter().flatten() {
            let path = entry.expect("an entry").path();
            eprintln!("{}", path.display());
            tau(&std::fs::read(&path).expect("bytes"));
            count += 1;
        }
    }
    assert!(count >= seeds().len());
}

/// Uses only seeds that differ in the bytes at the start of an event file or trace.
#[test]
fn every_cut() {
    for (name, bytes) in seeds().into_iter().filter(|(name, _)| name.starts_with("layout-")) {
        let end = bytes.iter().position(|&byte| byte == 0).expect("a NUL");
        eprintln!("{name}");
        let step = if kymo_testdata::is_long() { 1 } else { 7 };
        for length in (0..bytes.len()).step_by(step) {
            tau(&bytes[..length]);
        }
        // Cuts of only the event file, followed by the whole trace.
        for length in (0..end).step_by(step) {
            tau(&[&bytes[..length], &bytes[end..]].concat());
        }
    }
}

/// Changes, inserts and removes bytes.
#[test]
fn random_changes() {
    let seeds = seeds();
    let cases = if kymo_testdata::is_long() { 3000 } else { 500 };
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    // The seed is fixed, so that a failure is reproducible.
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]));
    let changes = prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..4_u8), 1..8);
    let strategy = (0..seeds.len(), changes);
    let result = runner.run(&strategy, |(seed, changes)| {
        let mut bytes = seeds[seed].1.clone();
        for (place, byte, how) in changes {
            let place = place.index(bytes.len());
            match how {
                0 => bytes[place] = byte,
                1 => bytes[place] ^= 1 << (byte % 8),
                2 => bytes.insert(place, byte),
                _ if bytes.len() > 1 => drop(bytes.remove(place)),
                _ => {}
            }
        }
        tau(&bytes);
        Ok(())
    });
    result.expect("no failure");
}
