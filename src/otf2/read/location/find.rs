//! Finding records ahead: by the scanner as far as that goes, and by the plain path in between.

use super::LocationReader;
use crate::byte_order::{BigEndian, ByteOrder, LittleEndian};
use crate::error::Result;
use crate::read::batch::BatchSlot;
use crate::read::family::Family;
use crate::read::place::RecordPlace;
use crate::read::scan::REACH;
use crate::read::selection::Selection;
use crate::read::stream::Stop;

impl<F: Family> LocationReader<F> {
    /// Finds the records that follow, until the batch has `count` slots or too much of the window
    /// is in use. Finds at least one unless the file ends.
    #[inline(never)]
    pub(in crate::read) fn find(&mut self, count: usize) {
        if let Err(error) = self.batch.make_room(count) {
            let fault = self.fault(error);
            return self.batch.fail(fault);
        }
        self.batch.is_last |= self.has_found_end();
        while !self.batch.is_last && self.batch.slots().len() < count && self.find_more(count) {}
        self.skip_unselected();
    }

    /// Returns false if the batch must be delivered first.
    fn find_more(&mut self, count: usize) -> bool {
        match self.is_big_endian() {
            false => self.find_by_scanner::<LittleEndian>(count),
            true => self.find_by_scanner::<BigEndian>(count),
        }
        let (framer, view) = (self.framer.framer(), self.window.view());
        let is_filled = !self.batch.slots().is_empty();
        let found = match self.batch.slots().len() < count {
            false => return false,
            true if framer.is_short(view, REACH) => self.advance(),
            true if is_filled && framer.is_at_end_of_chunk(view) => return false,
            true => self.find_plainly(),
        };
        found.unwrap_or_else(|error| {
            let fault = self.fault(error);
            self.batch.fail(fault);
            false
        })
    }

    fn find_by_scanner<O: ByteOrder>(&mut self, count: usize) {
        let mut scanner = self.framer.scanner::<O>(self.window.view());
        if self.batch.begin(scanner.position(), scanner.number.saturating_add(1), scanner.end()) {
            self.batch.scan::<F, O>(&mut scanner, count, &mut self.globals);
            self.framer.pass_scanned(&scanner);
        }
    }

    /// Finds one record, of any kind, without the scanner.
    fn find_plainly(&mut self) -> Result<bool> {
        match self.framer.next::<F::Record<'_>>(self.window.view()) {
            Ok(Some(place)) => {
                let place = self.corrected(place);
                self.batch.add(place)?;
            }
            Ok(None) => {
                self.note_end();
                self.batch.is_last = true;
            }
            Err(Stop::Bad(error)) => return Err(error),
            Err(Stop::More) => return self.advance(),
        }
        Ok(true)
    }

    /// Moves the window on; returns false if too much of it is still in use.
    fn advance(&mut self) -> Result<bool> {
        let keep = self.framer.keep();
        let first = self.batch.first_byte().map(|first| first.min(keep));
        let is_worth_it = first.is_none_or(|first| self.window.is_mostly_before(first));
        if is_worth_it {
            self.window.advance(first.unwrap_or(keep))?;
        }
        Ok(is_worth_it)
    }

    /// Corrects times in the order of the file: the second time of a record advances the clock for
    /// the records that follow.
    fn corrected(&mut self, place: RecordPlace) -> RecordPlace {
        let time = self.globals.clock.correct(place.time);
        let mut second_time = None;
        if F::WITH_TIME == Some(place.bytes.id) {
            let (view, big) = (self.window.view(), self.is_big_endian());
            second_time = view.take(place.bytes, big, None, |cursor| cursor.u64()).ok();
            second_time = second_time.map(|time| self.globals.clock.correct(time));
        }
        RecordPlace { time, second_time, ..place }
    }

    /// Skips the records that are not selected. The first one after the selected span of time ends
    /// reading.
    pub(super) fn skip_unselected(&mut self) {
        let Some(Selection { time, kinds }) = &self.selection else { return };
        let is_selected = |slot: &BatchSlot| time.contains(&slot.time) && kinds.contains(slot.id);
        if self.batch.select(*time.end(), is_selected) {
            self.note_end();
        }
    }
}
