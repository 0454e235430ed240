//! The begin and end of the program (events 63 and 64).

use kymo_otf2::{
    attributes::Attribute,
    events::{ProgramBegin, ProgramEnd},
    list::List,
    references::StringRef,
};
use kymo_recorder::memory::PageVec;
use kymo_substrate::{Location, StringHandle, Timestamp};

use crate::{BUDGET, definitions::attribute, events::Sink, release::Release};

/// The number of program arguments that fit on the stack.
const FEW_ARGUMENTS: usize = 256;

impl Sink {
    /// Records the start of the program. The process id becomes an attribute, as does the thread id
    /// if it is known and different. Recognises the release of the host, which all later events
    /// depend on.
    pub(crate) fn program_begin(
        &self,
        at: Location,
        time: Timestamp,
        name: StringHandle,
        arguments: &[StringHandle],
        process_id: u64,
        thread_id: u64,
    ) {
        let own = self.recorder.output().owner();
        self.release.recognise(self.definitions.is_host_since_8(), process_id, own);
        let fill = |ids: &mut [StringRef]| {
            for (id, &argument) in ids.iter_mut().zip(arguments) {
                *id = self.string(argument);
            }
        };
        let mut few = [StringRef::UNDEFINED; FEW_ARGUMENTS];
        let mut many = PageVec::new(&BUDGET);
        let program_arguments = match few.get_mut(..arguments.len()) {
            Some(few) => {
                fill(few);
                &*few
            }
            // `PageVec` grows without the allocator.
            None if many.resize(arguments.len(), StringRef::UNDEFINED).is_some() => {
                fill(&mut many);
                &*many
            }
            None => return self.recorder.count_untracked(),
        };
        let record = ProgramBegin {
            program_name: self.string(name),
            program_arguments: List::truncated(program_arguments),
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

    /// Records the end of the program. An unknown exit status has the bit pattern of OTF2's
    /// undefined one.
    pub(crate) fn program_end(&self, at: Location, time: Timestamp, exit_status: i64) {
        self.record(at, time, &ProgramEnd { exit_status });
    }
}
