//! How the ranks of a job that were not given a folder agree on one.
//!
//! ```text
//! .kymo-job-<job>/            in the working directory, while any rank of the job records
//! .kymo-job-<job>/1/folder    the folder that the first rank chose
//! .kymo-job-<job>/2/folder    the folder of the next measurement, if some ranks are ahead
//! ```
//!
//! A rank takes the lowest number under which it has not recorded yet. Invariants: the choice of a
//! folder is final; the rendezvous is not empty before its end, and its entries are created in the
//! directory that was listed: if that one has been removed in the meantime, the rank starts over.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, ErrorKind};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use rustix::fs::{Mode, OFlags, mkdirat, open};
use rustix::io::Errno;

use super::error::RecordError;
use super::experiment::numbered;
use super::job::{make, write};
use crate::tree;

const FOLDER: &str = "folder";
/// How often to look for the choice of another rank, which is made within moments.
const LOOKS: u32 = 5000;
const PAUSE: Duration = Duration::from_millis(1);
/// How often to start over, which happens once for each measurement that ends in that moment.
const TRIES: u32 = 1000;

/// The agreement of the ranks of a job.
#[derive(Debug)]
pub(super) struct Rendezvous {
    place: PathBuf,
    number: u64,
    /// The folder in which they record.
    pub(super) folder: PathBuf,
}

impl Rendezvous {
    /// Finds the folder of the job, or chooses it. `is_free` returns whether this rank can record
    /// into a folder.
    ///
    /// # Errors
    ///
    /// If no folder can be created in the working directory.
    pub(super) fn join(
        job: &str,
        program: &str,
        is_free: impl Fn(&Path) -> bool,
    ) -> Result<Self, RecordError> {
        let mut hasher = DefaultHasher::new();
        job.hash(&mut hasher);
        let place = PathBuf::from(format!(".kymo-job-{:016x}", hasher.finish()));
        let failed = |error: io::Error| RecordError::io(&place, &error);
        for _ in 0..TRIES {
            let (descriptor, numbers) = look(&place).map_err(failed)?;
            for &number in &numbers {
                if let Some(folder) = chosen(&numbered_in(&place, number)).filter(|folder| is_free(folder)) {
                    return Ok(Self { place, number, folder });
                }
            }
            let number = numbers.last().map_or(1, |last| last + 1);
            let is_made = match (descriptor, number) {
                (Some(descriptor), 2..) => add(&descriptor, number),
                _ => make(&place, |new| fs::create_dir(numbered_in(new, 1))),
            };
            if is_made.map_err(failed)? {
                return match choose(&numbered_in(&place, number), program) {
                    Ok(folder) => Ok(Self { place, number, folder }),
                    Err(error) => {
                        remove(&place, number);
                        Err(error)
                    }
                };
            }
        }
        Err(RecordError::io(&place, &ErrorKind::TimedOut.into()))
    }

    /// Ends a measurement that all ranks have recorded.
    pub(super) fn end(&self) {
        remove(&self.place, self.number);
    }
}

/// Removes a measurement, and the rendezvous if that was the last one. A folder that cannot be
/// removed does no harm.
fn remove(place: &Path, number: u64) {
    let _ = tree::remove(&numbered_in(place, number));
    let _ = fs::remove_dir(place);
}

fn numbered_in(place: &Path, number: u64) -> PathBuf {
    place.join(number.to_string())
}

/// Opens the rendezvous, if there is one, and lists the numbers in it.
fn look(place: &Path) -> io::Result<(Option<OwnedFd>, Vec<u64>)> {
    let descriptor = match open(place, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty()) {
        Err(Errno::NOENT) => return Ok((None, Vec::new())),
        descriptor => descriptor?,
    };
    let mut numbers: Vec<u64> =
        tree::names_of(&descriptor)?.iter().filter_map(|name| name.to_str()?.parse().ok()).collect();
    numbers.sort_unstable();
    Ok((Some(descriptor), numbers))
}

/// Adds the next measurement to this rendezvous, unless the rendezvous has ended or another rank
/// has added it. Returns whether this call did.
fn add(rendezvous: &OwnedFd, number: u64) -> io::Result<bool> {
    match mkdirat(rendezvous, number.to_string(), Mode::RWXU | Mode::RWXG | Mode::RWXO) {
        Ok(()) => Ok(true),
        Err(Errno::EXIST | Errno::NOENT | Errno::STALE) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Waits for the rank that added a measurement to choose a folder, and returns it; `None` if that
/// does not happen, or if the measurement has ended.
fn chosen(measurement: &Path) -> Option<PathBuf> {
    for _ in 0..LOOKS {
        match fs::read_to_string(measurement.join(FOLDER)) {
            Ok(name) => return Some(name.into()),
            Err(_) if !measurement.exists() => return None,
            Err(_) => sleep(PAUSE),
        }
    }
    None
}

/// Chooses the folder of a measurement that this rank added, and returns it.
fn choose(measurement: &Path, program: &str) -> Result<PathBuf, RecordError> {
    let folder = numbered(program)?;
    write(&measurement.join(FOLDER), &folder.display().to_string()).map_err(|error| {
        let _ = fs::remove_dir(&folder);
        RecordError::io(measurement, &error)
    })?;
    Ok(folder)
}
