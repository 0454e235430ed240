//! The facts about a program file that must be known before a library can be loaded into it.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use object::Endianness;
use object::elf::{FileHeader64, PT_INTERP};
use object::read::elf::{FileHeader, ProgramHeader};

/// Class, byte order and machine, which must be the same for a library and a program.
type Platform = ([u8; 2], [u8; 2]);

/// An ELF file, as described by its headers.
#[derive(Debug)]
pub(super) struct Elf {
    kind: Platform,
    /// The loader that the file requests; `None` for a static program.
    pub(super) interpreter: Option<PathBuf>,
}

/// The kind of this program. It is known without `/proc`, which may not be mounted.
const OWN: Option<Platform> = {
    const OF_64_BITS: u8 = 2;
    const LITTLE_ENDIAN: u8 = 1;
    const MACHINE: u16 = if cfg!(target_arch = "x86_64") { 62 } else { 183 };
    match cfg!(any(target_arch = "x86_64", target_arch = "aarch64")) {
        true => Some(([OF_64_BITS, LITTLE_ENDIAN], MACHINE.to_le_bytes())),
        // There is no runtime for other machines.
        false => None,
    }
};

/// Machine names by number.
const MACHINES: [(u16, &str); 8] = [
    (3, "i386"),
    (20, "ppc"),
    (21, "ppc64"),
    (22, "s390x"),
    (40, "arm"),
    (62, "x86-64"),
    (183, "aarch64"),
    (243, "riscv64"),
];

impl Elf {
    /// Parses the headers; `None` if this is not an ELF file.
    pub(super) fn parse(data: &[u8]) -> Option<Self> {
        let kind = kind(data)?;
        Some(Self { kind, interpreter: interpreter(data) })
    }

    /// Whether libraries built for this process can be loaded into the program.
    pub(super) fn is_native(&self) -> bool {
        OWN == Some(self.kind)
    }

    /// Returns the name of the machine that the file was built for.
    pub(super) fn machine(&self) -> String {
        let ([_, order], machine) = self.kind;
        let number = if order == 2 { u16::from_be_bytes(machine) } else { u16::from_le_bytes(machine) };
        let known = MACHINES.iter().find(|(known, _)| *known == number);
        known.map_or_else(|| format!("machine {number}"), |(_, name)| (*name).to_owned())
    }
}

fn kind(data: &[u8]) -> Option<Platform> {
    match data {
        [0x7F, b'E', b'L', b'F', class, order, ..] => {
            Some(([*class, *order], *data.get(18..)?.first_chunk()?))
        }
        _ => None,
    }
}

fn interpreter(data: &[u8]) -> Option<PathBuf> {
    let header = FileHeader64::<Endianness>::parse(data).ok()?;
    let endian = header.endian().ok()?;
    let headers = header.program_headers(endian, data).ok()?;
    let found = headers.iter().find(|header| header.p_type(endian) == PT_INTERP)?;
    let path = found.data(endian, data).ok()?.split(|&byte| byte == 0).next()?;
    Some(OsStr::from_bytes(path).into())
}
