//! One resolution for the processes of a tree.

use super::Reading;
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, io, process, thread};

const NAME: &str = ".ticks-per-second";
/// How long the first process measures: a hundred thousand times the width of a reading.
const MOMENT: Duration = Duration::from_millis(10);

/// That of the first process which asked, in a folder that all of them have.
pub(super) fn resolution(folder: &Path, start: &Reading) -> io::Result<u64> {
    let file = folder.join(NAME);
    if let Some(known) = read(&file) {
        return Ok(known);
    }
    thread::sleep(MOMENT);
    let own = start.ticks_per_second(&Reading::take());
    fs::create_dir_all(folder)?;
    publish(&file, own)?;
    read(&file).ok_or_else(|| io::Error::other("no number"))
}

fn read(file: &Path) -> Option<u64> {
    fs::read_to_string(file).ok()?.trim().parse().ok().filter(|&resolution| resolution > 0)
}

/// The file appears with its content, and only if there is none yet.
fn publish(file: &Path, resolution: u64) -> io::Result<()> {
    static DRAFTS: AtomicU32 = AtomicU32::new(0);
    let mut draft = PathBuf::from(file).into_os_string();
    draft.push(format!("-{}-{}", process::id(), DRAFTS.fetch_add(1, Relaxed)));
    fs::write(&draft, resolution.to_string())?;
    let published = fs::hard_link(&draft, file);
    fs::remove_file(&draft)?;
    published.or_else(|error| if file.exists() { Ok(()) } else { Err(error) })
}

#[cfg(test)]
mod tests {
    use super::{NAME, Reading, resolution};

    #[test]
    fn the_first_says_it_and_the_others_follow() {
        let folder = std::env::temp_dir().join(format!("kymo-resolution-{}", std::process::id()));
        let all: Vec<u64> = std::thread::scope(|scope| {
            let ask = || resolution(&folder, &Reading::take()).expect("a resolution");
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(ask)).collect();
            threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
        });
        assert!(all[0] > 1_000_000 && all.iter().all(|&one| one == all[0]), "{all:?}");
        assert_eq!(folder.read_dir().expect("the folder").count(), 1);
        std::fs::write(folder.join(NAME), "123").expect("writing");
        assert_eq!(resolution(&folder, &Reading::take()).expect("a resolution"), 123);
        std::fs::remove_dir_all(folder).expect("removing");
    }
}
