//! The three binary interfaces, by their constants.

use core::ffi::{CStr, c_int};
use std::sync::OnceLock;

use crate::object;

/// A binary interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Family {
    OpenMpi,
    Mpich,
    Standard,
}

/// Returns the interface that `FAKE_MPI` names.
pub(crate) fn family() -> Family {
    static FAMILY: OnceLock<Family> = OnceLock::new();
    *FAMILY.get_or_init(|| match std::env::var("FAKE_MPI").as_deref() {
        Ok("openmpi") => Family::OpenMpi,
        Ok("standard") => Family::Standard,
        _ => Family::Mpich,
    })
}

impl Family {
    fn pick<T>(self, open_mpi: impl FnOnce() -> T, mpich: T, standard: T) -> T {
        match self {
            Self::OpenMpi => open_mpi(),
            Self::Mpich => mpich,
            Self::Standard => standard,
        }
    }

    fn constant(self, name: &CStr, mpich: usize, standard: usize) -> usize {
        self.pick(|| object(name), mpich, standard)
    }

    pub(crate) fn is_narrow(self) -> bool {
        self == Self::Mpich
    }

    /// Returns a handle without the undefined half of a register.
    pub(crate) fn handle(self, word: usize) -> usize {
        if self.is_narrow() { word & 0xffff_ffff } else { word }
    }

    pub(crate) fn put(self, place: usize, handle: usize) -> c_int {
        if self.is_narrow() {
            // SAFETY: the place is that of a handle.
            unsafe { core::ptr::with_exposed_provenance_mut::<u32>(place).write(handle as u32) };
        } else {
            // SAFETY: as above.
            unsafe { core::ptr::with_exposed_provenance_mut::<usize>(place).write(handle) };
        }
        0
    }

    pub(crate) fn get(self, place: usize) -> usize {
        if self.is_narrow() {
            // SAFETY: the place is that of a handle.
            unsafe { core::ptr::with_exposed_provenance::<u32>(place).read() as usize }
        } else {
            // SAFETY: as above.
            unsafe { core::ptr::with_exposed_provenance::<usize>(place).read() }
        }
    }

    pub(crate) fn handle_bytes(self) -> usize {
        if self.is_narrow() { 4 } else { 8 }
    }

    pub(crate) fn comm_null(self) -> usize {
        self.constant(c"ompi_mpi_comm_null", 0x0400_0000, 0x100)
    }

    pub(crate) fn group_null(self) -> usize {
        self.constant(c"ompi_mpi_group_null", 0x0800_0000, 0x108)
    }

    /// The handle of each group.
    pub(crate) fn some_group(self) -> usize {
        self.pick(|| 0x80, 0x4800_0010, 0x80)
    }

    pub(crate) fn win_null(self) -> usize {
        self.constant(c"ompi_mpi_win_null", 0x2000_0000, 0x110)
    }

    pub(crate) fn file_null(self) -> usize {
        self.constant(c"ompi_mpi_file_null", 0, 0x118)
    }

    pub(crate) fn request_null(self) -> usize {
        self.constant(c"ompi_request_null", 0x2c00_0000, 0x180)
    }

    pub(crate) fn message_null(self) -> usize {
        self.constant(c"ompi_message_null", 0x2c00_0000, 0x128)
    }

    /// The handle of each send.
    pub(crate) fn complete_request(self) -> usize {
        self.pick(|| 0x90, 0x6c00_0000, 0x90)
    }

    pub(crate) fn byte(self) -> usize {
        self.constant(c"ompi_mpi_byte", 0x4c00_010d, 0x247)
    }

    pub(crate) fn delete_on_close(self) -> c_int {
        self.pick(|| 16, 16, 4)
    }

    /// The flavour of a window whose memory is the program's.
    pub(crate) fn created(self) -> &'static c_int {
        if self == Self::Standard { &311 } else { &1 }
    }

    fn ignores(self, status: usize) -> bool {
        status == usize::from(self == Self::Mpich)
    }

    pub(crate) fn status_bytes(self) -> usize {
        self.pick(|| 24, 20, 32)
    }

    /// The offsets of the source, the count, and the mark of a cancelled request.
    fn offsets(self) -> [usize; 3] {
        self.pick(|| [0, 16, 12], [8, 0, 4], [0, 12, 16])
    }

    pub(crate) fn put_status(self, status: usize, source: c_int, tag: c_int, bytes: c_int) -> c_int {
        if !self.ignores(status) {
            let [place, count, cancelled] = self.offsets();
            for (offset, value) in
                [(place, source), (place + 4, tag), (place + 8, 0), (count, bytes), (cancelled, 0)]
            {
                self.field(status, offset, Some(value));
            }
        }
        0
    }

    pub(crate) fn put_cancelled(self, status: usize) {
        if !self.ignores(status) {
            self.put_status(status, -9, -9, 0);
            self.field(status, self.offsets()[2], Some(1));
        }
    }

    fn field(self, status: usize, offset: usize, value: Option<c_int>) -> c_int {
        let place = core::ptr::with_exposed_provenance_mut::<c_int>(status + offset);
        if let Some(value) = value {
            // SAFETY: a field of the program's status.
            unsafe { place.write_unaligned(value) };
        }
        // SAFETY: as above.
        unsafe { place.read_unaligned() }
    }

    pub(crate) fn count(self, status: usize) -> c_int {
        self.field(status, self.offsets()[1], None)
    }

    pub(crate) fn is_cancelled(self, status: usize) -> bool {
        self.field(status, self.offsets()[2], None) != 0
    }
}
