//! Enters that receive attributes after they were recorded.
//!
//! The arguments of an allocation function are known only after its Enter. If that Enter is the
//! location's last record, it is taken back and written again with its attributes. Other records
//! may follow an Enter that lasts long, such as those of the window in `MPI_Win_allocate`. It is
//! written with spare room, and the records that follow are moved. The attributes of the region's
//! Leave are kept here until then.

use kymo_otf2::{
    events::{CallingContextEnter, CallingContextLeave, Enter, Leave},
    write::Mark,
};

use super::{
    entry::{Amendable, FewAttributes, RegionEntry},
    writer::TrackWriter,
};

impl TrackWriter {
    /// Writes an enter at `time` (in ticks) that [`amend`](Self::amend) may add attributes to. If
    /// `is_long`, other records may be written before that. [`amendable`](Self::amendable) returns
    /// `tag`.
    pub fn enter_amendable(&mut self, time: u64, entry: RegionEntry, tag: u32, is_long: bool) {
        let range = match entry {
            RegionEntry::Region(region) if is_long => self.record_amendable(time, &Enter { region }),
            RegionEntry::Context(calling_context, unwind_distance) if is_long => {
                self.record_amendable(time, &CallingContextEnter { calling_context, unwind_distance })
            }
            _ => {
                let begin = self.events.mark();
                self.put_enter(time, entry, FewAttributes::NONE);
                let end = self.events.mark();
                // An enter that found no room was not recorded. If it had to wait for room or ends
                // a gap, a record that reports this precedes it.
                (end.events() == begin.events() + 1).then_some((begin, end))
            }
        };
        self.amendable = Some(Amendable { entry, time, range, tag, is_long, leave: None });
    }

    /// Returns the tag of the region that [`enter_amendable`](Self::enter_amendable) entered last,
    /// if it has not been left.
    pub fn amendable(&self) -> Option<u32> {
        self.amendable.map(|amendable| amendable.tag)
    }

    /// Adds attributes to that region: to its enter, if that is the last record or was written with
    /// spare room, and to its leave.
    pub fn amend(&mut self, enter: FewAttributes, leave: FewAttributes) {
        let Some(mut amendable) = self.amendable else { return };
        if let Some((begin, end)) = amendable.range.take() {
            let end = self.amend_enter(&amendable, &begin, &end, enter);
            // If the file ends in this piece, it must not end inside the enter.
            if let Some(end) = end {
                self.events.pieces().set_mark(&end);
            }
            amendable.range = end.map(|end| (begin, end));
        }
        amendable.leave = Some(leave);
        self.amendable = Some(amendable);
    }

    /// Returns the place after the new enter, or `None` if the enter can no longer be changed.
    fn amend_enter(
        &mut self,
        amendable: &Amendable,
        begin: &Mark,
        end: &Mark,
        attributes: FewAttributes,
    ) -> Option<Mark> {
        let (time, list) = (amendable.time.max(begin.last_time()), attributes.as_slice());
        if self.events.events() == end.events() {
            // The call of the enter has returned: if the process is killed before the new one is
            // there, recovery takes the old one.
            self.events.pieces().keep(begin, end);
            let is_back = self.events.rewind(begin).is_ok();
            if is_back {
                self.put_enter(time, amendable.entry, attributes);
            }
            self.events.pieces().forget();
            return Some(self.events.mark()).filter(|end| is_back && end.events() == begin.events() + 1);
        }
        if !amendable.is_long {
            return None;
        }
        let amended = match amendable.entry {
            RegionEntry::Region(region) => self.events.amend(begin, end, time, list, &Enter { region }),
            RegionEntry::Context(calling_context, unwind_distance) => {
                let enter = CallingContextEnter { calling_context, unwind_distance };
                self.events.amend(begin, end, time, list, &enter)
            }
        };
        amended.ok().flatten()
    }

    /// Writes the leave of a region with the attributes kept for it. If the region was the last to
    /// be entered and received none, the leave has the attributes in `otherwise`; any other region
    /// leaves without attributes.
    pub fn leave_amendable(&mut self, time: u64, entry: RegionEntry, otherwise: FewAttributes) {
        let entered = self.amendable.take().filter(|amendable| amendable.entry.is_same(entry));
        let attributes = entered.map_or(FewAttributes::NONE, |entered| entered.leave.unwrap_or(otherwise));
        match entry {
            RegionEntry::Region(region) => self.record_with(time, attributes.as_slice(), &Leave { region }),
            RegionEntry::Context(calling_context, _) => {
                self.record_with(time, attributes.as_slice(), &CallingContextLeave { calling_context });
            }
        }
    }

    fn put_enter(&mut self, time: u64, entry: RegionEntry, attributes: FewAttributes) {
        let attributes = attributes.as_slice();
        match entry {
            RegionEntry::Region(region) => self.record_with(time, attributes, &Enter { region }),
            RegionEntry::Context(calling_context, unwind_distance) => {
                self.record_with(time, attributes, &CallingContextEnter { calling_context, unwind_distance });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use core::sync::atomic::Ordering::Relaxed;

    use kymo_otf2::references::{CallingContextRef, RegionRef};

    use super::*;
    use crate::{MemorySettings, Recorder, memory::Budget};

    #[test]
    fn an_enter_is_kept_while_it_is_written_again() {
        static BUDGET: Budget = Budget::new(usize::MAX);
        let recorder = Recorder::new(&BUDGET, None, &MemorySettings::default()).unwrap();
        let track = recorder.add_track(8).unwrap();
        let long = RegionEntry::Context(CallingContextRef(u32::MAX - 1), u32::MAX - 1);
        for (time, entry) in [(1 << 60, RegionEntry::Region(RegionRef(3))), (1 << 61, long)] {
            track.record_at(time, |writer| {
                writer.enter_amendable(time, entry, 9, false);
                let (begin, end) = writer.amendable.and_then(|it| it.range).unwrap();
                let slot = writer.events.pieces().slot();
                let kept = || slot.kept.load(Relaxed);
                assert_eq!(kept(), 0);
                writer.events.pieces().keep(&begin, &end);
                let length = end.offset() - begin.offset();
                assert_eq!((kept() >> 8, kept() & 0xFF), (begin.offset(), length));
                let bytes: Vec<u8> =
                    slot.kept_bytes.iter().flat_map(|word| word.load(Relaxed).to_ne_bytes()).collect();
                let range = begin.offset() as usize..end.offset() as usize;
                assert_eq!(
                    bytes[..length as usize],
                    kymo_otf2::write::Pieces::bytes(writer.events.pieces_mut())[range]
                );
                writer.amend(FewAttributes::NONE, FewAttributes::NONE);
                assert_eq!(kept(), 0);
            });
        }
    }
}
