//! The definitions of MPI: communicators, windows and topologies, in the layout of Score-P 8.4
//! (docs/spec/scorep-substrate-abi.md, §14.3), and their unification.
//!
//! A communicator's group is known when it is defined. Unification therefore needs no
//! communication: each rank creates the final communicators from its own definitions, and equal
//! ones are one definition of the job.

use kymo_substrate::bindings::*;

use crate::adapters::io::IoParadigm;
use crate::definitions::{BODY, DefinitionBody, DefinitionStore, UNIFIED};

/// Types of groups.
pub(crate) const MPI_LOCATIONS: u32 = 4;
pub(crate) const MPI_GROUP: u32 = 5;
const MPI_SELF: u32 = 6;

const NAME: usize = 20;
const PARENT: usize = 24;
const PARADIGM: usize = 28;
const WINDOWS: usize = 32;
const PAYLOAD: usize = 40;
/// The bit of the remote size that marks a communicator's second group.
const IS_HIGH: u32 = 1 << 31;

/// The data that identifies a communicator in the job, and the place of this process in it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Payload {
    pub(crate) size: u32,
    pub(crate) rank: u32,
    /// The size of the remote group; 0 for an intra-communicator.
    pub(crate) remote: u32,
    /// The local group is the second one.
    pub(crate) is_high: bool,
    /// The rank in the world of the process with rank 0.
    pub(crate) root: u32,
    /// The number among the communicators of that process.
    pub(crate) number: u32,
}

/// The groups of a communicator: the local one, and the remote one of an inter-communicator.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Groups {
    pub(crate) local: u32,
    pub(crate) remote: Option<u32>,
}

impl DefinitionStore {
    /// Defines a communicator. The payload can be set later.
    pub(crate) fn communicator(&self, parent: u32, payload: Payload) -> u32 {
        let body = DefinitionBody::of(64).word(PARENT, parent).word(PARADIGM, SCOREP_PARADIGM_MPI);
        let handle = self.own(SCOREP_HANDLE_TYPE_INTERIM_COMMUNICATOR, &body);
        self.set_payload(handle, payload);
        handle
    }

    pub(crate) fn set_payload(&self, communicator: u32, payload: Payload) {
        if communicator == 0 {
            return;
        }
        let Payload { size, rank, remote, is_high, root, number } = payload;
        let remote = if is_high { remote | IS_HIGH } else { remote };
        let words = (0..).step_by(4).zip([size, rank, remote, root, number]);
        words.for_each(|(offset, word)| self.arena.set_word(communicator, PAYLOAD + offset, word));
    }

    pub(crate) fn payload(&self, communicator: u32) -> Payload {
        let word = |number: usize| self.arena.word(communicator, PAYLOAD + 4 * number);
        Payload {
            size: word(0),
            rank: word(1),
            remote: word(2) & !IS_HIGH,
            is_high: word(2) & IS_HIGH != 0,
            root: word(3),
            number: word(4),
        }
    }

    /// Returns the number of processes that messages can be sent to: the remote group of an
    /// inter-communicator, else the only one.
    #[inline]
    pub(crate) fn number_of_peers(&self, communicator: u32) -> u32 {
        match self.arena.word(communicator, PAYLOAD + 8) & !IS_HIGH {
            0 => self.arena.word(communicator, PAYLOAD),
            remote => remote,
        }
    }

    /// Returns the next number of a file that the communicator opens, counted from 1.
    pub(crate) fn next_file_number(&self, communicator: u32) -> u32 {
        let number = self.arena.word(communicator, PAYLOAD + 20) + 1;
        self.arena.set_word(communicator, PAYLOAD + 20, number);
        number
    }

    pub(crate) fn has_name(&self, communicator: u32) -> bool {
        self.arena.word(communicator, NAME) != 0
    }

    /// Gives a communicator its name, once.
    pub(crate) fn name_communicator(&self, communicator: u32, name: &[u8]) {
        if communicator != 0 && !self.has_name(communicator) {
            let name = self.string(name);
            self.arena.set_word(communicator, NAME, name);
        }
    }

    /// Defines a window on a communicator.
    pub(crate) fn window(&self, name: &[u8], communicator: u32) -> u32 {
        let number = self.arena.word(communicator, WINDOWS);
        self.arena.set_word(communicator, WINDOWS, number + 1);
        let name = self.string(name);
        let body = DefinitionBody::of(40)
            .word(NAME, name)
            .word(24, communicator)
            .word(28, number)
            .bytes(32, &[1])
            .word(36, SCOREP_RMA_WINDOW_FLAG_CREATE_DESTROY_EVENTS);
        self.own(SCOREP_HANDLE_TYPE_RMA_WINDOW, &body)
    }

    /// Renames a window that has its default name.
    pub(crate) fn name_window(&self, window: u32, name: &[u8]) {
        if window != 0 && self.arena.word(window, 32) & 0xff != 0 {
            let name = self.string(name);
            self.arena.set_word(window, NAME, name);
            self.arena.set_word(window, 32, 0);
        }
    }

    /// Defines a grid of processes; a dimension has a size, and whether it is periodic.
    pub(crate) fn cartesian(&self, name: &[u8], communicator: u32, dimensions: &[(u32, bool)]) -> u32 {
        let name = self.string(name);
        let mut body = DefinitionBody::of(36 + 12 * dimensions.len())
            .word(NAME, name)
            .word(24, communicator)
            .word(32, dimensions.len() as u32);
        for (number, &(size, is_periodic)) in dimensions.iter().enumerate() {
            let place = 36 + 12 * number;
            let title = self.string(format!("dimension {number}").as_bytes());
            body = body.word(place, size).bytes(place + 4, &[u8::from(is_periodic)]).word(place + 8, title);
        }
        self.own(SCOREP_HANDLE_TYPE_CARTESIAN_TOPOLOGY, &body)
    }

    /// Defines the place of a thread of this process in a grid.
    pub(crate) fn coordinates(&self, topology: u32, rank: u32, thread: u32, coordinates: &[u32]) -> u32 {
        let list: Vec<u8> = coordinates.iter().flat_map(|number| number.to_ne_bytes()).collect();
        let body = DefinitionBody::of(36 + list.len())
            .word(20, topology)
            .word(24, coordinates.len() as u32)
            .word(28, rank)
            .word(32, thread)
            .bytes(36, &list);
        self.own(SCOREP_HANDLE_TYPE_CARTESIAN_COORDS, &body)
    }

    /// Defines MPI's paradigm, with templates for names of communicators and windows, and the
    /// paradigm of its files.
    pub(crate) fn mpi_paradigms(&self) {
        let templates = ["Comm ${id}", "Win ${id}"].map(|template| self.string(template.as_bytes()));
        let paradigm = self.paradigm(SCOREP_PARADIGM_MPI, SCOREP_PARADIGM_CLASS_MPP, b"MPI");
        if paradigm != 0 {
            self.arena.set_word(paradigm, 36, templates[0]);
            self.arena.set_word(paradigm, 40, templates[1]);
        }
        self.io_paradigm(&IoParadigm {
            paradigm_type: SCOREP_IO_PARADIGM_MPI,
            class: 1,
            identification: "MPI-IO",
            name: "MPI I/O",
            flags: 0,
        });
    }

    /// Defines the final communicator of each interim one, and lets windows, files and topologies
    /// refer to it.
    pub(crate) fn unify_mpi(&self, groups: impl Fn(u32) -> Option<Groups>) {
        let itself = self.group(MPI_SELF, b"", &[]);
        let announced = self.lock().announced.clone();
        let of_kind = |wanted: u32| announced.iter().filter(move |&&(_, kind)| kind == wanted);
        for &(interim, _) in of_kind(SCOREP_HANDLE_TYPE_INTERIM_COMMUNICATOR) {
            if self.arena.word(interim, PARADIGM) == SCOREP_PARADIGM_MPI {
                self.unify_communicator(interim, groups(interim), itself);
            }
        }
        for (kind, offset) in [
            (SCOREP_HANDLE_TYPE_RMA_WINDOW, 24),
            (SCOREP_HANDLE_TYPE_IO_HANDLE, 36),
            (SCOREP_HANDLE_TYPE_CARTESIAN_TOPOLOGY, 24),
        ] {
            for &(handle, _) in of_kind(kind) {
                let interim = self.arena.word(handle, offset);
                self.arena.set_word(handle, offset, self.arena.word(interim, UNIFIED));
            }
        }
    }

    fn unify_communicator(&self, interim: u32, groups: Option<Groups>, itself: u32) {
        let payload = self.payload(interim);
        let (group_a, group_b, parent) = match (groups, payload) {
            (_, Payload { size: 1, remote: 0, .. }) => (itself, itself, 0),
            (Some(Groups { local, remote }), payload) => {
                let remote = remote.unwrap_or(local);
                let (a, b) = if payload.is_high { (remote, local) } else { (local, remote) };
                (a, b, self.arena.word(self.arena.word(interim, PARENT), UNIFIED))
            }
            (None, _) => return,
        };
        let Some(communicator) = self.final_communicator() else { return };
        let name = self.arena.word(interim, NAME);
        let flags = SCOREP_COMMUNICATOR_FLAG_CREATE_DESTROY_EVENTS;
        let words = [group_a, group_b, name, parent, payload.number, flags];
        (BODY..).step_by(4).zip(words).for_each(|(offset, word)| {
            self.arena.set_word(communicator, offset, word);
        });
        self.arena.set_word(interim, UNIFIED, communicator);
    }
}
