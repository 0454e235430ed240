//! The seal that the ranks of a program create together: each rank reads its own files, and rank 0
//! writes the seal.

use std::io;

use kymo_otf2::{FileName, Storage};

use super::{put_line, whole};
use crate::ranks::{Ipc, Tree, receive_bytes, send_bytes};

/// Seals an archive that is complete. `locations` are those of this rank. All ranks must call it.
/// If anything fails on a rank or between two ranks, no seal is written, and rank 0 returns an
/// error. Missing files are not sealed; without an anchor, no seal is written.
pub fn seal_together(
    ipc: &(impl Ipc + ?Sized),
    storage: &dyn Storage,
    locations: impl IntoIterator<Item = u64>,
) -> io::Result<()> {
    let own = lines(ipc.rank() == 0, storage, locations);
    let gathered = gather(ipc, own.as_deref().ok());
    let lines = own?;
    match (ipc.rank(), gathered) {
        (0, None) => Err(io::Error::other("not all processes could read their files")),
        (0, Some(all)) if !lines.is_empty() => storage.write_at(FileName::Seal, 0, whole(&all).as_bytes()),
        _ => Ok(()),
    }
}

fn lines(
    is_first: bool,
    storage: &dyn Storage,
    locations: impl IntoIterator<Item = u64>,
) -> io::Result<String> {
    let mut lines = String::new();
    if is_first {
        if !put(storage, FileName::Anchor, &mut lines)? {
            return Ok(lines);
        }
        put(storage, FileName::GlobalDefinitions, &mut lines)?;
    }
    for location in locations {
        put(storage, FileName::LocalDefinitions(location), &mut lines)?;
        put(storage, FileName::Events(location), &mut lines)?;
    }
    Ok(lines)
}

/// Appends the line of a file. Returns whether the file exists.
fn put(storage: &dyn Storage, file: FileName, lines: &mut String) -> io::Result<bool> {
    match put_line(storage, file, lines) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        other => other.map(|()| true),
    }
}

/// Sends the lines of all ranks to rank 0. Every rank performs all steps, so that none waits in
/// vain.
fn gather(ipc: &(impl Ipc + ?Sized), own: Option<&str>) -> Option<String> {
    let tree = Tree::of(ipc);
    let mut all = own.map(str::to_owned);
    for child in tree.children() {
        let theirs = receive_bytes(ipc, child).ok().and_then(|bytes| String::from_utf8(bytes).ok());
        let theirs = theirs.and_then(|text| text.strip_prefix('+').map(str::to_owned));
        all = all.zip(theirs).map(|(left, right)| left + &right);
    }
    if let Some(parent) = tree.parent() {
        let bytes = all.as_ref().map_or_else(String::new, |all| format!("+{all}"));
        let _ = send_bytes(ipc, parent, bytes.as_bytes());
    }
    all
}

#[cfg(test)]
#[cfg(not(miri))]
mod tests {
    use super::*;
    use crate::ranks::IpcFailed;
    use kymo_otf2::storage::{Fault, Faulty, Memory};
    use std::{
        collections::HashMap,
        sync::mpsc::{Receiver, Sender, channel},
    };

    struct Rank {
        rank: u32,
        to: HashMap<u32, Sender<Vec<u8>>>,
        from: HashMap<u32, Receiver<Vec<u8>>>,
    }

    impl Ipc for Rank {
        fn size(&self) -> u32 {
            self.to.len() as u32 + 1
        }
        fn rank(&self) -> u32 {
            self.rank
        }
        fn send(&self, to: u32, message: &[u8]) -> Result<(), IpcFailed> {
            self.to[&to].send(message.to_vec()).map_err(|_| IpcFailed)
        }
        fn receive(&self, from: u32, message: &mut [u8]) -> Result<(), IpcFailed> {
            message.copy_from_slice(&self.from[&from].recv().map_err(|_| IpcFailed)?);
            Ok(())
        }
    }

    fn ranks(size: u32) -> Vec<Rank> {
        let mut ranks: Vec<Rank> =
            (0..size).map(|rank| Rank { rank, to: HashMap::new(), from: HashMap::new() }).collect();
        for (a, b) in (0..size).flat_map(|a| (0..size).map(move |b| (a, b))).filter(|(a, b)| a != b) {
            let (sender, receiver) = channel();
            ranks[a as usize].to.insert(b, sender);
            ranks[b as usize].from.insert(a, receiver);
        }
        ranks
    }

    fn archive(size: u32) -> Memory {
        let memory = Memory::new();
        memory.create().unwrap();
        let locations =
            (0..u64::from(size)).flat_map(|it| [FileName::Events(it), FileName::LocalDefinitions(it)]);
        for file in locations.chain([FileName::Anchor, FileName::GlobalDefinitions]) {
            memory.write_at(file, 0, format!("{file}").as_bytes()).unwrap();
        }
        memory
    }

    /// Seals it with one rank per location. Returns whether each rank succeeded.
    fn seal(storage: &dyn Storage, size: u32, faulty: Option<(u32, &dyn Storage)>) -> Vec<bool> {
        std::thread::scope(|scope| {
            let threads: Vec<_> = ranks(size)
                .into_iter()
                .map(|rank| {
                    let storage = faulty.filter(|(it, _)| *it == rank.rank).map_or(storage, |(_, it)| it);
                    scope.spawn(move || seal_together(&rank, storage, [u64::from(rank.rank)]).is_ok())
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        })
    }

    #[test]
    fn all_files_of_all_ranks_are_sealed() {
        for size in [1, 2, 3, 7, 8] {
            let memory = archive(size);
            assert_eq!(seal(&memory, size, None), vec![true; size as usize]);
            let text = String::from_utf8(memory.read(FileName::Seal).unwrap()).unwrap();
            assert_eq!(text.lines().count(), 2 * size as usize + 4, "{text}");
            let last = size - 1;
            assert!(text.contains(&format!("\n/{last}.evt ")) && text.contains("\n.otf2 "), "{text}");
        }
    }

    /// Each call to a rank's storage fails once. No rank waits, and there is no seal.
    #[test]
    fn a_rank_that_cannot_read_leaves_no_seal() {
        for rank in 0..5 {
            for call in 0.. {
                let (memory, broken) = (archive(5), Faulty::new(archive(5), Fault::Once(call), 5));
                let done = seal(&memory, 5, Some((rank, &broken)));
                if broken.calls() <= call {
                    assert!(call > 3 && done.iter().all(|&done| done));
                    break;
                }
                assert!(!done[0] && !done[rank as usize], "rank {rank}, call {call}: {done:?}");
                let sealed = if rank == 0 { broken.inner() } else { &memory };
                assert!(sealed.read(FileName::Seal).is_err(), "rank {rank}, call {call}");
            }
        }
    }

    #[test]
    fn without_an_anchor_there_is_no_seal() {
        let memory = Memory::new();
        memory.create().unwrap();
        assert_eq!(seal(&memory, 3, None), [true; 3]);
        assert!(memory.read(FileName::Seal).is_err());
    }
}
