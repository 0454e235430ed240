//! Unification along the tree of the ranks.

use std::fmt;

use kymo_allocator::{Reservation, set_aside};
use kymo_otf2::{mappings::Mappings, references::Space};

use super::{
    bundle::{Tables, definitions, put_definitions, put_tables, tables},
    key::Keys,
    unified::{Unified, UnifyError},
};
use crate::ranks::{Ipc, IpcFailed, Tree, receive_bytes, send_bytes};

/// The result of the unification on one rank.
#[derive(Debug)]
pub struct Joined {
    /// The definitions of all ranks; only on rank 0.
    pub definitions: Option<Unified>,
    /// The number of this rank's definitions that are not among them, because their ids are
    /// impossible.
    pub left_out: u64,
    tables: Tables,
    /// The reserves that both may be allocated from if the C library has no memory.
    _asides: Vec<Reservation>,
}

/// The maximum number of bytes of memory needed to add one byte of definitions.
const BYTES_PER_BYTE: usize = 32;

/// Reserves the memory for adding `bytes` bytes of definitions.
pub fn room_for(bytes: usize) -> Result<Reservation, NotJoined> {
    set_aside(bytes.saturating_mul(BYTES_PER_BYTE)).ok_or(NotJoined::Memory)
}

/// The reason why there is no unification.
#[derive(Debug)]
pub enum NotJoined {
    /// The ranks could not communicate.
    Ipc(IpcFailed),
    /// The definitions of this rank, or of one below it, could not be added.
    Definitions(UnifyError),
    /// The definitions of another rank could not be added.
    Elsewhere,
    /// There was not enough memory to add them.
    Memory,
}

impl fmt::Display for NotJoined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ipc(error) => error.fmt(f),
            Self::Definitions(error) => error.fmt(f),
            Self::Elsewhere => f.write_str("the definitions of another process cannot be merged"),
            Self::Memory => f.write_str("no memory to merge the definitions"),
        }
    }
}

impl std::error::Error for NotJoined {}

impl From<IpcFailed> for NotJoined {
    fn from(error: IpcFailed) -> Self {
        Self::Ipc(error)
    }
}

impl Joined {
    /// Returns the id on rank 0 for an id of this rank. Returns the undefined id if this rank's log
    /// does not define it.
    pub fn global(&self, space: Space, id: u64) -> u64 {
        let table = &self.tables[space as usize];
        usize::try_from(id).ok().and_then(|id| table.get(id).copied()).unwrap_or(u64::MAX)
    }

    /// Returns the ids on rank 0, indexed by those of this rank.
    pub fn table(&self, space: Space) -> &[u64] {
        &self.tables[space as usize]
    }
}

/// Merges the definitions of all ranks. Every rank must call this. If one rank cannot take part,
/// the unification fails on all ranks, but none of them waits.
pub fn unify(ipc: &(impl Ipc + ?Sized), log: &[u8], keys: &Keys) -> Result<Joined, NotJoined> {
    gather(ipc, log, keys).spread(ipc)
}

/// The state of a rank while the definitions are on their way up to rank 0.
pub struct Gathered {
    own: Result<Tables, NotJoined>,
    left_out: u64,
    below: Below,
}

/// Performs the first half of [`unify`]: merges the definitions of the ranks below with its own and
/// passes them on.
pub fn gather(ipc: &(impl Ipc + ?Sized), log: &[u8], keys: &Keys) -> Gathered {
    let tree = Tree::of(ipc);
    let mut below = Below::default();
    let mut own = below.take_log(log, keys).map(|ids| dense(&ids));
    let left_out = below.unified.left_out();
    for child in tree.children() {
        match receive_bytes(ipc, child) {
            Ok(message) => below.take(child, &message),
            Err(failed) => below.fail(child, failed.into()),
        }
    }
    own = own.and_then(|own| below.failed.take().map_or(Ok(own), Err));
    if let Some(parent) = tree.parent() {
        let sent = send_bytes(ipc, parent, &below.message(own.is_ok()));
        own = own.and_then(|own| sent.map(|()| own).map_err(Into::into));
        // The parent has them now.
        below.unified = Unified::new();
    }
    Gathered { own, left_out, below }
}

impl Gathered {
    /// Performs the second half of [`unify`]: receives the ids of rank 0 and passes them on.
    pub fn spread(self, ipc: &(impl Ipc + ?Sized)) -> Result<Joined, NotJoined> {
        let Self { own, left_out, below } = self;
        let parent = Tree::of(ipc).parent();
        let joined = match parent {
            Some(parent) => receive_bytes(ipc, parent).ok().and_then(|bytes| tables(&bytes)),
            None => own.is_ok().then(|| below.identity()),
        };
        let mut sent = Ok(());
        for (child, table) in &below.children {
            let message =
                joined.as_ref().map_or_else(Vec::new, |joined| put_tables(&composed(table, joined)));
            // Continue even if an earlier child could not be reached.
            sent = sent.and(send_bytes(ipc, *child, &message));
        }
        let tables = composed(&own?, &joined.ok_or(NotJoined::Elsewhere)?);
        sent?;
        let Below { mut unified, asides, .. } = below;
        unified.name_topologies();
        Ok(Joined { definitions: parent.is_none().then_some(unified), left_out, tables, _asides: asides })
    }
}

impl fmt::Debug for Gathered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gathered").field("can", &self.own.is_ok()).finish_non_exhaustive()
    }
}

/// The definitions of a rank and of the ranks below it.
#[derive(Default)]
struct Below {
    unified: Unified,
    /// The ids here, by those of each child.
    children: Vec<(u32, Tables)>,
    failed: Option<NotJoined>,
    asides: Vec<Reservation>,
}

impl Below {
    fn take(&mut self, child: u32, message: &[u8]) {
        let taken = match definitions(message) {
            Some((log, keys)) => self.take_log(log, &keys),
            None => Err(NotJoined::Elsewhere),
        };
        match taken {
            Ok(ids) => self.children.push((child, dense(&ids))),
            Err(error) => self.fail(child, error),
        }
    }

    fn take_log(&mut self, log: &[u8], keys: &Keys) -> Result<Mappings, NotJoined> {
        self.asides.push(room_for(log.len())?);
        self.unified.take(log, keys).map_err(NotJoined::Definitions)
    }

    fn fail(&mut self, child: u32, error: NotJoined) {
        self.children.push((child, Tables::new()));
        self.failed.get_or_insert(error);
    }

    /// Returns the message to the parent.
    fn message(&self, can: bool) -> Vec<u8> {
        match can {
            true => put_definitions(&self.unified.log(), &self.unified.keys()),
            false => Vec::new(),
        }
    }

    /// Returns the tables of rank 0, whose ids stay the same.
    fn identity(&self) -> Tables {
        Space::ALL.iter().map(|&space| (0..self.unified.count(space) as u64).collect()).collect()
    }
}

/// Returns tables of the ids of a log. Locations have the same ids everywhere and need no table.
fn dense(ids: &Mappings) -> Tables {
    let table = |&space| if space == Space::Location { Vec::new() } else { ids.table(space) };
    Space::ALL.iter().map(table).collect()
}

fn composed(first: &Tables, second: &Tables) -> Tables {
    let through = |(first, second): (&Vec<u64>, &Vec<u64>)| {
        let id = |&id: &u64| usize::try_from(id).ok().and_then(|id| second.get(id).copied());
        first.iter().map(|first| id(first).unwrap_or(u64::MAX)).collect()
    };
    first.iter().zip(second).map(through).collect()
}
