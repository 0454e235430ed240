//! Single changes of archives without a seal: how many `kymo check` does not report although
//! `kymo print` prints something else. docs/reference/check.md states the shares of the long form.
//!
//! A change is one bit, or one byte that becomes another. The remaining changes are those that no
//! rule can see, such as another letter in a name.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::check_common::{Report, check, kymo};
use crate::check_hostile::Numbers;
use tempfile::TempDir;

/// Archives that Score-P, the library's generator and its bindings wrote.
const ARCHIVES: [&str; 5] = [
    "otf2-real/scorep84-mpi",
    "otf2-real/scorep84-openmp",
    "otf2-real/be-tracegen-mpi-attr",
    "otf2-real/example-python",
    "scorep-recordings/threads",
];

/// The changes of each kind of file of an archive, in the short and the long form.
const CHANGES: [usize; 2] = [4, 100];

/// The kinds of files, and the most changes in a hundred that may be left: the shares of the long
/// form, and room for the 20 changes of each kind in the short one. The seed is fixed.
const MOST: [(&str, u64); 4] =
    [("anchor", 60), ("definitions", 70), ("local definitions", 20), ("events", 30)];

/// A file of the archive, and its kind.
fn kind(path: &Path, anchor: &Path) -> Option<&'static str> {
    match path.extension()?.to_str()? {
        _ if path == anchor => Some("anchor"),
        "evt" => Some("events"),
        "def" if path.parent() == anchor.parent() => Some("definitions"),
        "def" => Some("local definitions"),
        _ => None,
    }
}

/// A copy of an archive, and its files by kind.
struct Copy {
    _folder: TempDir,
    anchor: PathBuf,
    files: BTreeMap<&'static str, Vec<PathBuf>>,
}

impl Copy {
    fn of(archive: &str) -> Self {
        let case = kymo_testdata::own(archive);
        let source = kymo_testdata::anchors(&case).into_iter().next().expect("an anchor");
        let above = source.parent().expect("a folder");
        let folder = TempDir::new().expect("a folder");
        let anchor = folder.path().join(source.file_name().expect("a name"));
        let mut files: BTreeMap<_, Vec<_>> = BTreeMap::new();
        let locations = source.with_extension("");
        fs::create_dir(folder.path().join(locations.file_name().expect("a name"))).expect("a folder");
        let paths = [above, &locations].into_iter().flat_map(|it| fs::read_dir(it).expect("a folder"));
        let mut paths: Vec<_> = paths.map(|entry| entry.expect("an entry").path()).collect();
        paths.sort();
        for path in paths {
            let Some(kind) = kind(&path, &source) else { continue };
            let copy = folder.path().join(path.strip_prefix(above).expect("a file"));
            fs::copy(&path, &copy).expect("a copy");
            files.entry(kind).or_default().push(copy);
        }
        Copy { _folder: folder, anchor, files }
    }

    /// Returns everything that the archive contains.
    fn printed(&self) -> Vec<u8> {
        kymo().args(["print", "-A"]).arg(&self.anchor).output().expect("running kymo").stdout
    }
}

fn findings(report: &Report) -> (i32, String) {
    (report.status, report.summary["kinds"].to_string())
}

#[test]
fn most_single_changes_are_reported_without_a_seal() {
    let count = CHANGES[usize::from(kymo_testdata::is_long())];
    let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15);
    let mut totals: BTreeMap<&str, [u64; 2]> = BTreeMap::new();
    for archive in ARCHIVES {
        let copy = Copy::of(archive);
        let (sound, printed) = (findings(&check(&copy.anchor, &[])), copy.printed());
        assert_eq!(sound.0, 0, "{archive}");
        for (kind, files) in &copy.files {
            for _ in 0..count {
                let path = &files[numbers.below(files.len())];
                let original = fs::read(path).expect("a file");
                let mut bytes = original.clone();
                let at = numbers.below(bytes.len());
                bytes[at] ^= match numbers.below(2) {
                    0 => 1 << numbers.below(8),
                    _ => 1 + numbers.below(255) as u8,
                };
                fs::write(path, bytes).expect("writing");
                let is_reported = findings(&check(&copy.anchor, &[])) != sound;
                let is_left = !is_reported && copy.printed() != printed;
                fs::write(path, original).expect("writing");
                let total = totals.entry(kind).or_default();
                *total = [total[0] + 1, total[1] + u64::from(is_left)];
            }
        }
    }
    println!("left of single changes: {totals:?}");
    for (kind, most) in MOST {
        let [all, left] = totals[kind];
        assert!(left * 100 <= all * most, "{kind}: {left} of {all} changes are not reported");
    }
}
