//! Archives of other software, and samples of every record, with all combinations of options that
//! matter.

use std::path::{Path, PathBuf};

use super::archives::{archives, recorded};
use super::programs::{kymo, same, same_text};

/// The options before the anchor file.
const OPTIONS: [&str; 44] = [
    "",
    "-A",
    "-G",
    "-I",
    "-T",
    "-M",
    "-C",
    "-M -C",
    "-A -M -C",
    "-G -M",
    "-I -T",
    "-I -A",
    "-G -C -d",
    "-d",
    "-A -d",
    "-M -C -d",
    "-A -M -C -d --silent",
    "--silent",
    "-s 7",
    "-s 1 --silent",
    "-A --step=100000",
    "--timestamps offset",
    "--timestamps=offset -A",
    "--timestamps plain",
    "--time 10 2000",
    "--time=0,500",
    "--unwind-calling-context",
    "-A -Werror",
    "-Werror",
    "--warnings-as-errors -d",
    "-L 0",
    "-L 1 -A",
    "-L 7 -A -M",
    "--location=99 -A -d",
    "--location 0 --silent --show-info --show-all",
    "--no-local-defs",
    "--no-local-defs -A -d",
    "--no-local-defs -G -d",
    "--no-local-defs -L 7",
    "--no-snapshots",
    "--no-snapshots -A -d",
    "--no-local-defs --no-snapshots --silent -d",
    "--show-thumbnail-samples -A -d",
    "-A --unwind-calling-context --timestamps offset --time 0 18446744073709551615",
];

/// Returns whether the reference tool rejects the archive or crashes on it. Such archives have
/// their own tests.
fn is_beyond_the_reference(anchor: &Path) -> bool {
    let folder = anchor.parent().and_then(Path::file_name).and_then(|name| name.to_str()).unwrap_or_default();
    let is_own = anchor.ends_with("src/otf2/tests/data/every-record/traces.otf2");
    is_own || folder == "edge-definitions" || folder.contains("zlib")
}

/// Compares the output for every archive with the most revealing options, and with one in twelve
/// of the others, which differ between archives; with `KYMO_LONG=1`, with all.
fn print_the_same(anchors: &[PathBuf]) {
    let share = if kymo_testdata::is_long() { 1 } else { 12 };
    for (number, anchor) in anchors.iter().filter(|anchor| !is_beyond_the_reference(anchor)).enumerate() {
        same(&["-A", "-M", "-C"], anchor);
        for options in OPTIONS.iter().skip(number % share).step_by(share) {
            same(&options.split_whitespace().collect::<Vec<_>>(), anchor);
        }
    }
}

#[test]
fn archives_of_other_software() {
    print_the_same(&archives("otf2-real"));
}

#[test]
fn samples_of_every_record() {
    print_the_same(&archives("otf2-samples"));
}

#[test]
fn recordings() {
    print_the_same(&archives("scorep-recordings"));
    print_the_same(&archives("scorep-recordings-7.1"));
}

/// This works without the reference tool or with another version of it. Texts of older versions are
/// left out.
#[test]
fn recorded_texts() {
    let texts = [
        ("otf2-print.txt", &["-A"][..]),
        ("otf2-print-A.txt", &["-A"]),
        ("otf2-print-M-C.txt", &["-M", "-C"]),
        ("otf2-print-T.txt", &["-T"]),
    ];
    let mut compared = 0;
    for folder in ["otf2-real", "otf2-samples", "scorep-recordings"] {
        for anchor in archives(folder) {
            for (name, options) in texts {
                let Some(expected) = recorded(&anchor, name) else { continue };
                let ours = kymo(options, &anchor);
                let what = format!("{} {name}", anchor.display());
                match name {
                    "otf2-print-T.txt" => assert!(ours.stdout == expected, "{what}"),
                    _ => same_text(&what, &ours.stdout, &expected),
                }
                assert_eq!(ours.status.code(), Some(0), "{what}");
                compared += 1;
            }
        }
    }
    assert!(compared >= 52, "{compared} recorded texts");
}
