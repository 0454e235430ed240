//! Where a record is in its file. Nothing is decoded here.

/// The bytes of a record.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct RecordBytes {
    pub(super) id: u8,
    /// The offset in the file of the data, which follow the id and, if there is one, the length.
    pub(super) data: u64,
    /// The offset in the file of the end of the record.
    pub(super) end: u64,
}

impl RecordBytes {
    /// Returns the length of the data.
    #[inline(always)]
    pub(super) fn length(&self) -> usize {
        (self.end - self.data) as usize
    }
}

/// The place of a record with a time, and of its attribute lists.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct RecordPlace {
    /// The offset in the file of the first byte that belongs to the record.
    pub(super) offset: u64,
    /// The number, counted from 1 in the file.
    pub(super) number: u64,
    /// The time: as in the file, until a reader corrects it.
    pub(super) time: u64,
    /// The second time, corrected, of a record that has one and is read plainly.
    pub(super) second_time: Option<u64>,
    /// The start of the first attribute list and the end of the last; equal if there is none.
    pub(super) lists: (u64, u64),
    pub(super) bytes: RecordBytes,
}

impl RecordPlace {
    /// Creates the place of a record without attributes.
    #[inline(always)]
    pub(super) fn new(offset: u64, number: u64, time: u64, bytes: RecordBytes) -> Self {
        RecordPlace { offset, number, time, second_time: None, lists: (0, 0), bytes }
    }

    /// Returns the offset of the first byte that decoding the record requires.
    pub(super) fn first_byte(&self) -> u64 {
        if self.lists.0 < self.lists.1 { self.lists.0 } else { self.bytes.data }
    }
}
