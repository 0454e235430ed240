//! The unwind information of a loaded file.
//!
//! Invariant: it is read in place, without memory of its own; damaged information counts as absent.

use gimli::{
    BaseAddresses, EhFrame, EhFrameHdr, EndianSlice, NativeEndian, ParsedEhFrameHdr, Register, RegisterRule,
    UnwindContext, UnwindContextStorage, UnwindSection, UnwindTableRow,
};

use super::evaluation::RowInformation;

pub(super) type Bytes = EndianSlice<'static, NativeEndian>;
pub(super) type Frames = EhFrame<Bytes>;
pub(super) type Row = UnwindTableRow<usize, RowRoom>;

/// Room for the rows of a function.
#[derive(Debug, Clone, Copy)]
pub(super) struct RowRoom;

impl UnwindContextStorage<usize> for RowRoom {
    /// More than a machine has registers that such information names.
    type Rules = [(Register, RegisterRule<usize>); 48];
    type Stack = [UnwindTableRow<usize, Self>; 4];
}

/// The context for evaluating unwind information.
pub(super) type RowContext = UnwindContext<usize, RowRoom>;

/// The unwind information of a loaded file.
#[derive(Debug, Clone)]
pub(in super::super) struct UnwindInformation {
    index: ParsedEhFrameHdr<Bytes>,
    frames: Frames,
    bases: BaseAddresses,
}

impl UnwindInformation {
    /// Returns the information with an index, both with their address in memory.
    pub(in super::super) fn new(index: (&'static [u8], u64), frames: (&'static [u8], u64)) -> Option<Self> {
        let bases = BaseAddresses::default().set_eh_frame_hdr(index.1).set_eh_frame(frames.1);
        let mut section = EhFrame::new(frames.0, NativeEndian);
        section.set_address_size(8);
        #[cfg(target_arch = "aarch64")]
        section.set_vendor(gimli::Vendor::AArch64);
        let index = EhFrameHdr::new(index.0, NativeEndian).parse(&bases, 8).ok()?;
        Some(Self { index, frames: section, bases })
    }

    /// Returns the information about an instruction; `None` if there is none, or it is damaged.
    pub(super) fn row<'a>(&'a self, address: u64, context: &'a mut RowContext) -> Option<RowInformation<'a>> {
        let Self { index, frames, bases } = self;
        let entry = index.table()?.fde_for_address(frames, bases, address, EhFrame::cie_from_offset).ok()?;
        let row = entry.unwind_info_for_address(frames, bases, context, address).ok()?;
        Some(RowInformation {
            row,
            frames,
            encoding: entry.cie().encoding(),
            is_signal: entry.is_signal_trampoline(),
        })
    }
}

#[cfg(test)]
impl UnwindInformation {
    /// Visits the addresses of all functions.
    pub(super) fn each_function(&self, mut visit: impl FnMut(std::ops::Range<u64>)) {
        let mut entries = self.frames.entries(&self.bases);
        while let Ok(Some(entry)) = entries.next() {
            if let gimli::CieOrFde::Fde(partial) = entry
                && let Ok(function) = partial.parse(EhFrame::cie_from_offset)
            {
                visit(function.initial_address()..function.end_address());
            }
        }
    }
}
