//! Broken archives with every kind of record: `kymo check` ends with a summary and one of its exit
//! statuses, whatever the bytes are.

use std::fs;
use std::path::{Path, PathBuf};

use crate::check_common::{check, kymo};
use tempfile::TempDir;

/// The number of archives that are damaged and checked.
const ROUNDS: u64 = 250;

/// A random number generator with a fixed seed (xorshift).
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let suffix = path.extension().and_then(|suffix| suffix.to_str()).unwrap_or_default().to_owned();
        match path.is_dir() {
            true => found.extend(files(&path)),
            false if ["otf2", "def", "evt", "snap", "marker"].contains(&suffix.as_str()) => found.push(path),
            false => {}
        }
    }
    found.sort();
    found
}

fn damage(bytes: &mut Vec<u8>, numbers: &mut Numbers) {
    match numbers.below(4) {
        0 => bytes.truncate(numbers.below(bytes.len())),
        1 => {
            let at = numbers.below(bytes.len());
            bytes.insert(at, numbers.below(256) as u8);
        }
        _ => {
            for _ in 0..=numbers.below(8) {
                let at = numbers.below(bytes.len());
                bytes[at] = [0, 1, 0xFF, numbers.below(256) as u8][numbers.below(4)];
            }
        }
    }
}

#[test]
fn broken_archives_are_reported() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../src/otf2/tests/data/every-record");
    let originals = files(&source);
    assert!(originals.len() > 5);
    let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15);
    let mut faulty = 0;
    for round in 0..ROUNDS {
        let folder = TempDir::new().expect("a folder");
        for file in &originals {
            let copy = folder.path().join(file.strip_prefix(&source).expect("a file"));
            fs::create_dir_all(copy.parent().expect("a folder")).expect("a folder");
            fs::copy(file, copy).expect("a copy");
        }
        let sealed = kymo().arg("seal").arg(folder.path()).output().expect("running kymo");
        assert!(sealed.status.success(), "{sealed:?}");
        let broken = numbers.below(originals.len());
        let path = folder.path().join(originals[broken].strip_prefix(&source).expect("a file"));
        let original = fs::read(&path).expect("a file");
        let mut bytes = original.clone();
        while bytes == original {
            damage(&mut bytes, &mut numbers);
        }
        fs::write(&path, bytes).expect("writing");
        // The summary contains findings from the seal as well as findings made without it.
        let anchor = folder.path().join("traces.otf2");
        let sealed = check(&anchor, &["--limit", "3"]);
        assert!([1, 3, 5].contains(&sealed.status), "round {round}: not noticed: {sealed:?}");
        let seals = sealed.summary["kinds"].as_object().expect("kinds");
        let by_anchor = seals.contains_key("bad-anchor");
        assert!(by_anchor || seals.keys().any(|kind| kind.starts_with("seal-")), "round {round}: {sealed:?}");
        fs::remove_file(folder.path().join("traces.seal")).expect("a file");
        let report = check(&folder.path().join("traces.otf2"), &["--limit", "3"]);
        assert!([0, 1, 3, 5].contains(&report.status), "round {round}: {report:?}");
        assert!(
            report.status == 5 || report.number("status") == report.status as u64,
            "round {round}: {report:?}"
        );
        faulty += u64::from(report.status == 3);
    }
    assert!(faulty > ROUNDS / 4, "only {faulty} archives were broken");
}
