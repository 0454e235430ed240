//! The entries that the plugin adds to the journal in addition to definitions. They are used for
//! recovery if the program does not end normally.

use kymo_otf2::references::LocationGroupRef;
use kymo_recorder::{
    Track,
    clock::{Clock, Reading},
    journal::{ClockEntry, Entry, LocationEntry},
    ranks::Ipc,
};
use kymo_substrate::Location;

use super::{Life, ranks::HostIpc};
use crate::{events::Sink, host, mapping};

impl Life {
    fn note(&self, entry: &Entry<'_>) {
        self.drain.journal().append(entry);
    }

    /// Notes a location as the host currently describes it.
    pub(super) fn note_location(&self, location: Location, track: &Track, sink: &Sink) {
        self.note_location_in(location, track, |number| sink.location_group(number));
    }

    /// Like [`note_location`](Self::note_location), but takes the location group from `group`,
    /// which maps a location number to it.
    fn note_location_in(
        &self,
        location: Location,
        track: &Track,
        group: impl FnOnce(u32) -> Option<LocationGroupRef>,
    ) {
        let host = host();
        let number = host.location_id(location).unwrap_or(u32::MAX);
        self.note(&Entry::Location(LocationEntry {
            slot: track.slot(),
            number,
            id: host.location_global_id(location).unwrap_or(u64::MAX),
            group: group(number).map_or(u32::MAX, |group| group.0),
            location_type: mapping::location_type(host.location_type(location)).0,
            name: host.location_name(location).map_or(b"", |name| name.to_bytes()),
        }));
    }

    /// Notes the clock of the timestamps and its current reading.
    pub(super) fn note_clock(&self) {
        let index = |clock| Clock::ALL.iter().position(|&it| it == clock);
        let clock = self.time.clock().and_then(index).map_or(u32::MAX, |index| index as u32);
        let (reading, node, ahead) = (Reading::now(), self.time.node(), self.time.ahead());
        self.note(&Entry::Clock(ClockEntry { clock, reading, node, ahead }));
    }

    /// Notes when the program began and ended, as far as these are known.
    pub(super) fn note_program(&self) {
        let (begin, end) = self.time.program();
        self.note(&Entry::Program { begin, end });
    }

    /// Notes the rank of this process and everything that depends on it.
    pub(super) fn note_processes(&self, sink: &Sink) {
        let ipc = HostIpc::new(host());
        self.note(&Entry::Process { rank: ipc.rank(), size: ipc.size() });
        self.note_everything(sink);
    }

    /// Notes everything again that may have changed since it was last noted.
    pub(super) fn note_everything(&self, sink: &Sink) {
        self.note_clock();
        self.note_program();
        sink.note_definitions(&host());
        let groups = sink.location_groups();
        for (location, track) in self.recorded_locations() {
            self.note_location_in(location, track, |number| groups.get(&number).copied());
        }
    }
}
