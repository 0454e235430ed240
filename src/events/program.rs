//! Begin and end of the program (events 63 and 64).

use kymo_otf2::{
    attributes::Attribute,
    events::{ProgramBegin, ProgramEnd},
    list::List,
};
use kymo_recorder::memory::PageVec;
use kymo_substrate::{Location, RegionHandle, StringHandle, Timestamp};

use crate::{BUDGET, Kymo, definitions::attribute, release::Release};

impl Kymo {
    /// The system's number of the process becomes an attribute, and that of the thread where it is known and another.
    pub(crate) fn program_begin(
        &self,
        at: Location,
        time: Timestamp,
        name: StringHandle,
        arguments: &[StringHandle],
        _region: RegionHandle,
        process_id: u64,
        thread_id: u64,
    ) {
        self.time.begin(time);
        let recognised = || Release::recognise(self.definitions.is_host_since_8(), process_id);
        self.release.set(self.settings.host.unwrap_or_else(recognised));
        // The strings of the host's array get their ids in memory that grows without the allocator.
        let mut program_arguments = PageVec::new(&BUDGET);
        let _ = arguments.iter().try_for_each(|&argument| program_arguments.push(self.string(argument)));
        let record = ProgramBegin {
            program_name: self.string(name),
            program_arguments: List::truncated(&program_arguments),
        };
        let attributes = [
            Attribute::new(attribute::PROCESS_ID, process_id),
            Attribute::new(attribute::THREAD_ID, thread_id),
        ];
        let known = match self.release.is_since(Release::V7) {
            true if thread_id == process_id || thread_id == 0 => 1,
            true => 2,
            false => 0,
        };
        self.at(at, time, |location| location.record_with(time, &attributes[..known], &record));
    }

    /// An exit status nobody knows has the bit pattern of OTF2's undefined one.
    pub(crate) fn program_end(&self, at: Location, time: Timestamp, exit_status: i64, _region: RegionHandle) {
        self.time.end(time);
        self.record(at, time, &ProgramEnd { exit_status });
    }
}
