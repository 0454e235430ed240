//! Recovery of the remains of a process: the result is an error, or an archive that can be read and
//! has the number of events that the report states.
//!
//! An input is a list of steps. Each is a byte for the kind of step, followed by its content, with
//! numbers in little endian; the first invalid step ends the list. Entries receive their checksums,
//! and the scratch file is assembled from the steps, so that an input is not rejected early.
//!
//! | byte % 5 | content | effect |
//! | --- | --- | --- |
//! | 0 | length (16 bits), bytes | appends an entry to the journal |
//! | 1 | location, sequence number, offset (32 bits each), length (16 bits), bytes | adds a piece |
//! | 2 | index (8 bits), file, length (32 bits each) | adds a slot |
//! | 3 | offset (32 bits), value (8 bits) | overwrites a byte of the scratch file |
//! | 4 | location (32 bits), length (16 bits), bytes | adds an event file |

use std::sync::Arc;

use kymo_otf2::read::{Archive, Options};
use kymo_otf2::storage::Memory;
use kymo_otf2::{FileName, Storage};
use kymo_recorder::recovery::{CrashedProcess, Job, Member, Settings};

use crate::scratch::{Piece, Scratch, framed};

/// The maximum number of pieces in a scratch file; each takes a block.
const PIECES: usize = 16;

/// Reads numbers and bytes from the front.
struct Steps<'a>(&'a [u8]);

impl<'a> Steps<'a> {
    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (front, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*front)
    }

    fn byte(&mut self) -> Option<u8> {
        self.array().map(|[byte]| byte)
    }

    fn number(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    fn bytes(&mut self) -> Option<&'a [u8]> {
        let length = self.array().map(u16::from_le_bytes)?;
        let (front, rest) = self.0.split_at(usize::from(length).min(self.0.len()));
        self.0 = rest;
        Some(front)
    }
}

/// The remains of a process.
struct Left {
    scratch: Scratch,
    patches: Vec<(u32, u8)>,
    files: Memory,
}

impl Left {
    fn parse(bytes: &[u8]) -> Self {
        let files = Memory::new();
        files.create().expect("it is new");
        let mut left = Left { scratch: Scratch::new(1), patches: Vec::new(), files };
        let mut steps = Steps(bytes);
        while left.step(&mut steps).is_some() {}
        left
    }

    fn step(&mut self, steps: &mut Steps<'_>) -> Option<()> {
        match steps.byte()? % 5 {
            0 => self.scratch.journal.last_mut()?.extend(framed(steps.bytes()?)),
            1 => {
                let (location, sequence, base) = (steps.number()?, steps.number()?, steps.number()?);
                let (sequence, base, bytes) = (sequence.into(), base.into(), steps.bytes()?.to_vec());
                if self.scratch.pieces.len() < PIECES {
                    self.scratch.pieces.push(Piece { location, sequence, base, bytes });
                }
            }
            2 => {
                let (index, file, length) = (steps.byte()?, steps.number()?, steps.number()?);
                self.scratch.slot(index.into(), (file != u32::MAX).then_some(file.into()), length.into());
            }
            3 => self.patches.push((steps.number()?, steps.byte()?)),
            _ => {
                let location = steps.number()?;
                self.files.write_at(FileName::Events(location.into()), 0, steps.bytes()?).ok()?;
            }
        }
        Some(())
    }

    fn image(&self) -> Vec<u8> {
        let mut image = self.scratch.bytes();
        for &(offset, value) in &self.patches {
            let at = offset as usize % image.len();
            image[at] = value;
        }
        image
    }
}

/// Returns the steps that make a scratch file and an event file.
pub fn steps(scratch: &Scratch, entries: &[Vec<u8>], file: (u32, &[u8])) -> Vec<u8> {
    let length = |bytes: &[u8]| (bytes.len() as u16).to_le_bytes();
    let mut all = Vec::new();
    for entry in entries {
        all.extend([&[0], &length(entry)[..], entry].concat());
    }
    for piece in &scratch.pieces {
        all.push(1);
        let numbers = [piece.location, piece.sequence as u32, piece.base as u32];
        all.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        all.extend([&length(&piece.bytes)[..], &piece.bytes].concat());
    }
    for &(index, kept) in &scratch.slots {
        let file = kept.file.map_or(u32::MAX, |file| file as u32);
        all.extend([2, index as u8]);
        all.extend([file, kept.length as u32].iter().flat_map(|number| number.to_le_bytes()));
    }
    all.push(4);
    all.extend(file.0.to_le_bytes());
    all.extend([&length(file.1)[..], file.1].concat());
    all
}

/// The promise of this target: recovery ends with an error or a sound archive.
pub fn recover(bytes: &[u8]) {
    let left = Left::parse(bytes);
    let Ok(remains) = CrashedProcess::of_scratch(Arc::new(left.image())) else { return };
    let files: Arc<dyn Storage> = Arc::new(left.files);
    let rank = remains.rank().unwrap_or(0);
    let member = Member { rank, name: "Process".into(), node: "node".into(), remains };
    let closes = bytes.len().is_multiple_of(2);
    let settings = Settings { closes, creator: "fuzz", properties: &[], progress: &|_| {} };
    let storage = Memory::new();
    let job = Job::new(vec![member], 0, &files).expect("files in memory");
    let report = job.write(&storage, &settings).expect("any remains become an archive");
    let archive = Archive::in_storage(Arc::new(storage), Options::default()).expect("an anchor");
    assert_eq!(archive.locations().expect("definitions").len(), report.locations().count());
    for location in report.locations() {
        let mut events = archive.events(location.id).expect("an event file");
        let mut count = 0;
        while events.next().expect("a sound event file").is_some() {
            count += 1;
        }
        assert_eq!(count, location.events.events + location.events.closed);
    }
}
