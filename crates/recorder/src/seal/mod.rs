//! The seal of an archive: a file `X.seal` next to its anchor with checksums of all its other
//! files, so that every changed byte is detected. Other tools do not know it.
//!
//! ```text
//! KYMO SEAL 1 CRC-32 65536
//! .otf2 312 9be3c1a0
//! .def 70012 12d3a5f7 00c25a33
//! /0.evt 130000 8d0a1f2e 77aa3c55
//! END 3 5c0d2f1e
//! ```
//!
//! One line for each file: its name without that of the archive, its length in bytes, and the
//! CRC-32 (as in zlib) of each block of 64 KiB, the last of which may be shorter. The last line has
//! the number of files and the CRC-32 of all lines before it. Numbers of eight digits are
//! lower-case hexadecimal. One space separates words, and one line feed ends a line. The order of
//! the files has no meaning.
//!
//! These checksums detect any one or two flipped bits in a block, any burst of up to 32 bits, and
//! random damage in all but one of 2³² cases. They do not protect against deliberate forgery.

mod reader;
mod together;

pub use reader::{Fault, SealReader};
pub use together::seal_together;

use std::{fmt::Write, io};

use kymo_otf2::{FileName, Storage};

/// The size of a block in bytes.
pub const BLOCK: usize = 64 << 10;

const HEADER: &str = "KYMO SEAL 1 CRC-32 65536\n";
const END: &str = "END";

/// Appends the line of a file, which is read from beginning to end.
pub fn put_line(storage: &dyn Storage, file: FileName, lines: &mut String) -> io::Result<()> {
    let content = storage.open(file)?;
    let (mut length, mut sums, mut block) = (0_u64, String::new(), vec![0; BLOCK]);
    loop {
        let mut filled = 0;
        while let Some(rest) = block.get_mut(filled..).filter(|rest| !rest.is_empty()) {
            match content.read_at(length + filled as u64, rest)? {
                0 => break,
                count => filled += count,
            }
        }
        let bytes = block.get(..filled).unwrap_or_default();
        if !bytes.is_empty() {
            let _ = write!(sums, " {:08x}", crc32fast::hash(bytes));
        }
        length += filled as u64;
        if filled < BLOCK {
            let _ = writeln!(lines, "{} {length}{sums}", file.path(""));
            return Ok(());
        }
    }
}

/// Returns the content of the seal with these lines.
pub fn whole(lines: &str) -> String {
    let files = lines.lines().count();
    let text = format!("{HEADER}{lines}");
    let sum = crc32fast::hash(text.as_bytes());
    format!("{text}{END} {files} {sum:08x}\n")
}

/// Returns the file with this name, which lacks that of the archive.
fn file(name: &str) -> Option<FileName> {
    let number = |text: &str| text.parse().ok();
    let file = match name {
        ".otf2" => FileName::Anchor,
        ".def" => FileName::GlobalDefinitions,
        ".marker" => FileName::Markers,
        _ => match name.strip_prefix('/').and_then(|name| name.split_once('.')) {
            Some((location, "def")) => FileName::LocalDefinitions(number(location)?),
            Some((location, "evt")) => FileName::Events(number(location)?),
            Some((location, "snap")) => FileName::Snapshots(number(location)?),
            Some(_) => return None,
            None => {
                let number = name.strip_prefix('.')?.strip_suffix(".thumb")?;
                FileName::Thumbnail(number.parse().ok()?)
            }
        },
    };
    // Reject every other spelling of a number.
    (file.path("").to_string() == name).then_some(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kymo_otf2::storage::Memory;

    fn files() -> (Memory, Vec<(FileName, Vec<u8>)>) {
        let memory = Memory::new();
        memory.create().unwrap();
        let bytes = |length: usize| (0..length).map(|number| (number * 7 % 251) as u8).collect::<Vec<u8>>();
        let files = vec![
            (FileName::Anchor, bytes(300)),
            (FileName::Events(7), bytes(BLOCK)),
            (FileName::Events(1 << 40), bytes(2 * BLOCK + 1)),
            (FileName::LocalDefinitions(7), Vec::new()),
            (FileName::Thumbnail(3), bytes(1)),
        ];
        for (file, bytes) in &files {
            memory.set_len(*file, 0).unwrap();
            memory.write_at(*file, 0, bytes).unwrap();
        }
        (memory, files)
    }

    fn seal() -> (String, Vec<(FileName, Vec<u8>)>) {
        let (memory, files) = files();
        let mut lines = String::new();
        files.iter().for_each(|(file, _)| put_line(&memory, *file, &mut lines).unwrap());
        (whole(&lines), files)
    }

    /// Returns the files with their lengths and checksums.
    fn read(seal: &[u8]) -> Result<Vec<(FileName, u64, Vec<u32>)>, Fault> {
        let mut reader = SealReader::new(seal)?;
        let mut all = Vec::new();
        while let Some((file, length)) = reader.file()? {
            let blocks = length.div_ceil(BLOCK as u64);
            let sums = (0..blocks).map(|_| reader.sum()).collect::<Result<_, _>>()?;
            all.push((file, length, sums));
        }
        Ok(all)
    }

    #[test]
    fn a_seal_has_length_and_checksums_of_every_file() {
        let (seal, files) = seal();
        let expected: Vec<_> = files
            .iter()
            .map(|(file, bytes)| {
                (*file, bytes.len() as u64, bytes.chunks(BLOCK).map(crc32fast::hash).collect::<Vec<_>>())
            })
            .collect();
        assert_eq!(read(seal.as_bytes()).unwrap(), expected);
        assert!(seal.starts_with("KYMO SEAL 1 CRC-32 65536\n.otf2 300 "), "{seal}");
        assert!(seal.contains("\n/7.def 0\n.3.thumb 1 d202ef8d\nEND 5 "), "{seal}");
    }

    #[test]
    #[cfg_attr(miri, ignore = "takes minutes, and a seal has no unsafe code")]
    fn every_flipped_bit_and_every_truncation_of_a_seal_is_detected() {
        let seal = seal().0.into_bytes();
        for bit in 0..8 * seal.len() {
            let mut changed = seal.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            assert!(read(&changed).is_err(), "bit {bit}");
        }
        for length in 0..seal.len() {
            assert!(read(&seal[..length]).is_err(), "{length} bytes");
        }
        assert!(read(&[&seal[..], b"\n"].concat()).is_err());
    }

    #[test]
    fn names_have_one_spelling() {
        for name in [".otf2", ".def", ".marker", ".0.thumb", "/0.def", "/18446744073709551615.evt", "/5.snap"]
        {
            assert_eq!(file(name).unwrap().path("").to_string(), name);
        }
        for name in [
            "",
            ".",
            "/",
            "/.evt",
            "/+1.evt",
            "/01.evt",
            ".01.thumb",
            "/1.thumb",
            "/1",
            "x.otf2",
            "/1.evt.x",
            "/../1.evt",
        ] {
            assert_eq!(file(name), None, "{name}");
        }
    }
}
