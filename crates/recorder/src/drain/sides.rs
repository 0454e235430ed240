//! The side files next to the archive while the program runs: see [`side`](crate::scratch::side).

use core::sync::atomic::Ordering::Relaxed;
use std::{
    fs::{self, File},
    io::{self, Write},
    os::unix::fs::{DirBuilderExt, FileExt, OpenOptionsExt},
    path::{Path, PathBuf},
};

use kymo_otf2::hash::HashMap;

use super::buffers::Buffers;
use crate::scratch::{
    ScratchFile,
    layout::{BYTE_ORDER, LocationSlot, SLOT},
    side::{FOLDER, HEADER, JOURNAL_MAGIC, LOCATIONS_MAGIC},
};

/// The identity of a process among those of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Note {
    /// Its rank.
    pub rank: u32,
    /// The number of ranks.
    pub size: u32,
}

#[derive(Debug)]
pub(super) struct Sides {
    folder: PathBuf,
    rank: u32,
    /// How much of the journal is in its file.
    journal: u64,
    /// The current content of the locations file.
    locations: Vec<u8>,
    /// The content of the locations file that is synced to disk.
    synced: Vec<u8>,
}

impl Sides {
    /// Creates the folder, unless another rank has, and the note in it.
    pub(super) fn make(
        folder: &Path,
        note: &Note,
        scratch: Option<&ScratchFile>,
        syncs: bool,
    ) -> io::Result<Self> {
        let folder = folder.join(FOLDER);
        make_folder(&folder)?;
        let this = Self { folder, rank: note.rank, journal: 0, locations: Vec::new(), synced: Vec::new() };
        if let Err(error) = this.begin(note, scratch, syncs) {
            let _ = this.remove();
            return Err(error);
        }
        Ok(this)
    }

    /// Writes the note and the header of the journal.
    fn begin(&self, note: &Note, scratch: Option<&ScratchFile>, syncs: bool) -> io::Result<()> {
        // The rename below ensures that a reader finds either no note or a complete one.
        let new = self.path("note.new");
        let mut file = create(&new)?;
        file.write_all(&text(note, scratch, syncs))?;
        if syncs {
            // A partial note would not describe the data that survive a loss of power.
            file.sync_data()?;
        }
        fs::rename(new, self.path("note"))?;
        let mut header = [0; HEADER];
        header[..8].copy_from_slice(&JOURNAL_MAGIC);
        header[8..12].copy_from_slice(&BYTE_ORDER.to_ne_bytes());
        header[12..].copy_from_slice(&note.rank.to_ne_bytes());
        create(&self.path("journal"))?.write_all(&header)
    }

    fn path(&self, what: &str) -> PathBuf {
        self.folder.join(format!("{}.{what}", self.rank))
    }

    /// Brings the files up to date. A failure is retried the next time.
    pub(super) fn update(&mut self, buffers: &Buffers, lengths: &HashMap<u32, u64>) {
        // Without the journal entries that the events refer to, more events are of no use.
        let _ = self.update_journal(buffers).and_then(|()| self.update_locations(buffers, lengths));
    }

    /// Syncs all side files to disk, once the event files that they describe are synced. Names are
    /// synced after the content that they refer to, and `synced` after everything else: it remains
    /// true for the surviving data, whatever was written later.
    pub(super) fn sync(&mut self) -> io::Result<()> {
        if self.locations == self.synced {
            return Ok(());
        }
        File::open(self.path("journal"))?.sync_data()?;
        let new = self.path("synced.new");
        let mut file = create(&new)?;
        file.write_all(&self.locations)?;
        file.sync_data()?;
        fs::rename(new, self.path("synced"))?;
        // The folders of the side files, of the archive and of the experiment, and the one that
        // contains the latter.
        let mut folders = self.folder.ancestors().take(if self.synced.is_empty() { 4 } else { 1 });
        folders.try_for_each(|folder| File::open(folder)?.sync_all())?;
        self.synced.clone_from(&self.locations);
        Ok(())
    }

    fn update_journal(&mut self, buffers: &Buffers) -> io::Result<()> {
        let mut file = None;
        let end = buffers.journal.read(self.journal, |at, bytes| {
            let file = match &mut file {
                Some(file) => file,
                none => none.insert(File::options().write(true).open(self.path("journal"))?),
            };
            file.write_all_at(bytes, HEADER as u64 + at)
        })?;
        self.journal = end;
        Ok(())
    }

    fn update_locations(&mut self, buffers: &Buffers, lengths: &HashMap<u32, u64>) -> io::Result<()> {
        let mut bytes = vec![0; HEADER];
        for number in 0..buffers.slots.count() {
            let Some(slot) = buffers.slots.get(number) else { break };
            put_slot(&mut bytes, slot, lengths.get(&number).copied());
        }
        let checksum = crc32fast::hash(&bytes[HEADER..]);
        bytes[..8].copy_from_slice(&LOCATIONS_MAGIC);
        bytes[8..12].copy_from_slice(&BYTE_ORDER.to_ne_bytes());
        bytes[12..HEADER].copy_from_slice(&checksum.to_ne_bytes());
        if bytes == self.locations {
            return Ok(());
        }
        let (new, path) = (self.path("locations.new"), self.path("locations"));
        let mut file = create(&new)?;
        file.write_all(&bytes)?;
        fs::rename(new, path)?;
        self.locations = bytes;
        Ok(())
    }

    /// Returns whether recovery would find anything of this process here.
    pub(super) fn are_there(&self) -> bool {
        self.journal > 0
    }

    /// Removes the files of this process, and the folder if it is empty then.
    pub(super) fn remove(self) -> io::Result<()> {
        let mut outcome = Ok(());
        for what in ["note.new", "note", "journal", "locations.new", "locations", "synced.new", "synced"] {
            let path = self.path(what);
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    let named = io::Error::new(
                        error.kind(),
                        format!("{} cannot be removed: {error}", path.display()),
                    );
                    outcome = outcome.and(Err(named));
                }
                _ => {}
            }
        }
        let _ = fs::remove_dir(&self.folder);
        outcome
    }
}

/// Creates a folder that only this user can access.
fn make_folder(folder: &Path) -> io::Result<()> {
    match fs::DirBuilder::new().mode(0o700).create(folder) {
        // Another rank may have created it first.
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

/// Creates a file that only this user can access.
fn create(path: &Path) -> io::Result<File> {
    File::options().write(true).create(true).truncate(true).mode(0o600).open(path)
}

/// Appends a slot, with the current length of its event file.
fn put_slot(bytes: &mut Vec<u8>, slot: &LocationSlot, length: Option<u64>) {
    let start = bytes.len();
    let length = length.unwrap_or_else(|| slot.length.load(Relaxed));
    for number in [slot.file.load(Relaxed), length, slot.written.load(Relaxed), slot.dropped.load(Relaxed)] {
        bytes.extend(number.to_ne_bytes());
    }
    for number in [&slot.used, &slot.closed, &slot.refused] {
        bytes.extend(number.load(Relaxed).to_ne_bytes());
    }
    bytes.resize(start + SLOT, 0);
}

fn text(note: &Note, scratch: Option<&ScratchFile>, syncs: bool) -> Vec<u8> {
    use std::os::unix::ffi::OsStrExt;
    let mut text = Vec::new();
    let mut put = |name: &str, value: &[u8]| {
        text.extend(name.as_bytes());
        text.push(b'=');
        text.extend(value);
        text.push(b'\n');
    };
    put("scratch", scratch.map_or(b"", |file| file.path().as_os_str().as_bytes()));
    put("node", rustix::system::uname().nodename().to_bytes());
    put("boot", ScratchFile::boot().trim_ascii());
    put("process", std::process::id().to_string().as_bytes());
    put("started", ScratchFile::started().to_string().as_bytes());
    put("rank", note.rank.to_string().as_bytes());
    put("size", note.size.to_string().as_bytes());
    if syncs {
        put("sync", b"true");
    }
    text
}

#[cfg(test)]
#[cfg(not(miri))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    /// Other users could read them, too.
    #[test]
    fn only_the_user_can_read_notes_and_side_files() {
        let archive = std::env::temp_dir().join(format!("kymo-sides-{}", std::process::id()));
        fs::create_dir(&archive).unwrap();
        let mode = |name: &str| fs::metadata(archive.join(name)).unwrap().permissions().mode() & 0o777;
        for rank in [0, 1] {
            drop(Sides::make(&archive, &Note { rank, size: 2 }, None, false).unwrap());
            assert_eq!(mode("recovery"), 0o700);
            for name in ["note", "journal"] {
                assert_eq!(mode(&format!("recovery/{rank}.{name}")), 0o600, "{name}");
            }
        }
        fs::remove_dir_all(&archive).unwrap();
    }
}
