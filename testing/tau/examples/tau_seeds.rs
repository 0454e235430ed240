//! Writes the seeds of the fuzz target `tau` to its corpus. With two folders, packs the pairs of
//! TAU files in the first into the second: `tau_seeds FOLDER TO`.

use std::fs;
use std::io::Result;
use std::path::{Path, PathBuf};

use kymo_tau_testing::fuzz::seeds;

/// The maximum size of a packed pair; larger ones only slow down the fuzzer.
const LARGEST: usize = 16_384;

fn main() -> Result<()> {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    match arguments.as_slice() {
        [from, to] => {
            fs::create_dir_all(to)?;
            pack(from, to)
        }
        _ => {
            let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/tau-corpus");
            fs::create_dir_all(&corpus)?;
            seeds().into_iter().try_for_each(|(name, bytes)| fs::write(corpus.join(name), bytes))
        }
    }
}

fn pack(folder: &Path, to: &Path) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            pack(&path, to)?;
        } else if path.extension().is_some_and(|extension| extension == "trc") {
            let mut bytes = fs::read(folder.join("tau.edf"))?;
            bytes.push(0);
            bytes.extend(fs::read(&path)?);
            let name = format!("{}-{}", name_of(folder), name_of(&path));
            if bytes.len() <= LARGEST {
                fs::write(to.join(name), bytes)?;
            }
        }
    }
    Ok(())
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
