//! Communication between the processes of a program: the thirteen functions that plugins receive.
//!
//! They work inside `init_mpp`, `pre_unify`, `write_data` and `finalize`, on one thread. Calls that
//! are not allowed and errors that cannot be handled end the process with a message, as MPI does;
//! the other ranks notice. In a program of one process, collective calls copy, and naming another
//! process is fatal, as in Score-P without a message passing layer. If only one rank of a larger
//! program is played, plugins can query its number and the size of the program, nothing else.

mod call;
mod collective;
mod incoming;
mod links;
mod number;

pub(crate) use links::{Links, address};

use crate::replay::callbacks::Recorded;
use crate::replay::host::{fail, host};
use call::{Call, Function};
use kymo_substrate::bindings::{SCOREP_Ipc_Datatype, SCOREP_Ipc_Operation};
use kymo_substrate::hosting::{Communication, element_size};
use links::Broken;
use std::ffi::{c_int, c_void};
use std::sync::atomic::Ordering;
use std::sync::{Mutex, MutexGuard, TryLockError};

/// The connections to the other processes, if they are played.
#[derive(Debug)]
pub(crate) struct Ipc(Option<Mutex<Links>>);

impl Ipc {
    pub(crate) fn new(links: Links) -> Self {
        Self(Some(Mutex::new(links)))
    }

    /// Creates the state of the only rank played of a larger program.
    pub(crate) fn missing() -> Self {
        Self(None)
    }

    /// Checks that the ranks played are those of a program of this size.
    pub(crate) fn check_size(&self, size: u32) {
        let Some(links) = &self.0 else { return };
        let own = links.lock().map_or(size, |links| links.size);
        if own != size {
            fail(&format!("the program was recorded with {size} ranks, but only {own} are played"));
        }
    }

    /// Runs a barrier for the host itself.
    pub(crate) fn host_barrier(&self) {
        if let Some(links) = &self.0 {
            let call = Call::new(Function::Host);
            let mut links = lock(links, call);
            links.barrier(call).unwrap_or_else(|broken| complain(call, &broken));
        }
    }

    /// Ends communication and checks that no message is left.
    pub(crate) fn finalize(&self) {
        self.host_barrier();
        let left = self.0.as_ref().and_then(|links| lock(links, Call::new(Function::Host)).left_over());
        if let Some((from, call)) = left {
            fail(&format!("a message from rank {from} was never received ({call})"));
        }
    }
}

fn lock(links: &Mutex<Links>, call: Call) -> MutexGuard<'_, Links> {
    match links.try_lock() {
        Ok(links) => links,
        Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
        Err(TryLockError::WouldBlock) => fail(&format!("{call}: another thread is communicating")),
    }
}

fn complain(call: Call, broken: &Broken) -> ! {
    let what = match broken {
        Broken::Ended(rank) => format!("rank {rank} has ended"),
        Broken::Late(rank) => format!("rank {rank} did not respond in time"),
        Broken::Differs { rank, calls } => format!("rank {rank} calls {calls}"),
        Broken::Length { rank, sent } => {
            format!("rank {rank} sent an unexpected number of bytes, {sent}")
        }
        Broken::NoSuchRank(rank) => format!("there is no rank {rank}; the program has {}", size()),
        Broken::System(what) => what.clone(),
    };
    fail(&format!("{call}: {what}"))
}

fn size() -> u32 {
    host().size.load(Ordering::Acquire)
}

/// Runs a call that uses the links to the other ranks.
fn run<T>(call: Call, work: impl FnOnce(&mut Links) -> Result<T, Broken>) -> T {
    if !host().management.load(Ordering::Acquire) {
        fail(&format!("{call}: called outside of init_mpp, pre_unify, write_data and finalize"));
    }
    let Some(links) = &host().ipc.0 else {
        let (size, rank) = (size(), host().rank);
        fail(&format!("{call}: only rank {rank} of the {size} ranks of the program is played"));
    };
    let mut links = lock(links, call);
    if call.root >= links.size {
        complain(call, &Broken::NoSuchRank(call.root));
    }
    work(&mut links).unwrap_or_else(|broken| complain(call, &broken))
}

/// Describes a call about elements, after checking their number and type.
fn call(function: Function, count: c_int, datatype: SCOREP_Ipc_Datatype, root: c_int) -> Call {
    let name = function.name();
    if element_size(datatype).is_none() {
        fail(&format!("{name}: unknown data type {datatype}"));
    }
    let count = u32::try_from(count).unwrap_or_else(|_| fail(&format!("{name}: the count is {count}")));
    Call { datatype, root: rank(root, name), count, ..Call::new(function) }
}

fn reduction(
    function: Function,
    count: c_int,
    datatype: SCOREP_Ipc_Datatype,
    operation: SCOREP_Ipc_Operation,
    root: c_int,
) -> Call {
    let call = Call { operation, ..call(function, count, datatype, root) };
    if !number::can_combine(datatype, operation) {
        fail(&format!("{call}: operation {operation} is not defined for {}", number::name_of(datatype)));
    }
    call
}

fn rank(rank: c_int, function: &str) -> u32 {
    let unknown = |_| fail(&format!("{function}: there is no rank {rank}; the program has {}", size()));
    u32::try_from(rank).unwrap_or_else(unknown)
}

impl Call {
    fn bytes_of(self, count: usize) -> usize {
        count * element_size(self.datatype).unwrap_or(0)
    }

    /// Returns the number of bytes that each rank contributes.
    fn bytes(self) -> usize {
        self.bytes_of(self.count as usize)
    }

    /// Returns the call for ranks with different numbers of elements, which need not agree.
    fn uneven(self) -> Self {
        Self { count: 0, ..self }
    }
}

/// Copies a buffer, because the receive buffer may be the same one.
///
/// # Safety
/// `buffer` must be null or valid for reads of `length` bytes.
unsafe fn read(call: Call, buffer: *const c_void, length: usize) -> Vec<u8> {
    if length == 0 {
        return Vec::new();
    }
    if buffer.is_null() {
        fail(&format!("{call}: the buffer to send is a null pointer"));
    }
    // SAFETY: the buffer is not null, so it is valid for reads of `length` bytes.
    unsafe { std::slice::from_raw_parts(buffer.cast(), length) }.to_vec()
}

/// # Safety
/// `buffer` must be null or valid for writes of `bytes.len()` bytes.
unsafe fn write(call: Call, buffer: *mut c_void, bytes: &[u8]) {
    if bytes.is_empty() {
        return;
    }
    if buffer.is_null() {
        fail(&format!("{call}: the buffer to receive is a null pointer"));
    }
    // SAFETY: the buffer is not null, so it is valid for writes of this length. `bytes` is memory
    // of the host and does not overlap it.
    unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), buffer.cast(), bytes.len()) };
}

/// Returns the counts of all ranks, in bytes.
///
/// # Safety
/// `counts` must be null or point to one element for each of the `ranks`.
unsafe fn lengths(call: Call, counts: *const c_int, ranks: u32) -> Vec<usize> {
    if counts.is_null() {
        fail(&format!("{call}: the list of counts is a null pointer"));
    }
    // SAFETY: the list is not null, so it has one element for each of the `ranks`.
    let counts = unsafe { std::slice::from_raw_parts(counts, ranks as usize) };
    let length = |&count: &c_int| match usize::try_from(count) {
        Ok(count) => call.bytes_of(count),
        Err(_) => fail(&format!("{call}: a count is {count}")),
    };
    counts.iter().map(length).collect()
}

impl Communication for Recorded {
    unsafe extern "C" fn size() -> c_int {
        size() as c_int
    }

    unsafe extern "C" fn rank() -> c_int {
        host().rank as c_int
    }

    unsafe extern "C" fn send(
        buffer: *const c_void,
        count: c_int,
        datatype: SCOREP_Ipc_Datatype,
        destination: c_int,
    ) -> c_int {
        let call = call(Function::Message, count, datatype, 0);
        let to = rank(destination, "SCOREP_Ipc_Send");
        // SAFETY: the interface guarantees a buffer of `count` elements.
        let bytes = unsafe { read(call, buffer, call.bytes()) };
        run(call.uneven(), |links| match links.size {
            1 if to == 0 => Ok(()),
            _ => links.send(to, call.uneven(), &bytes),
        });
        0
    }

    unsafe extern "C" fn recv(
        buffer: *mut c_void,
        count: c_int,
        datatype: SCOREP_Ipc_Datatype,
        source: c_int,
    ) -> c_int {
        let call = call(Function::Message, count, datatype, 0);
        let from = rank(source, "SCOREP_Ipc_Recv");
        let bytes = run(call.uneven(), |links| match links.size {
            1 if from == 0 => Ok(Vec::new()),
            _ => links.receive(from, call.uneven(), Some(call.bytes())),
        });
        // SAFETY: the interface guarantees a buffer of `count` elements.
        unsafe { write(call, buffer, &bytes) };
        0
    }

    unsafe extern "C" fn barrier() -> c_int {
        let call = Call::new(Function::Barrier);
        run(call, |links| links.barrier(call));
        0
    }

    unsafe extern "C" fn bcast(
        buffer: *mut c_void,
        count: c_int,
        datatype: SCOREP_Ipc_Datatype,
        root: c_int,
    ) -> c_int {
        let call = call(Function::Bcast, count, datatype, root);
        // SAFETY: the interface guarantees a buffer of `count` elements.
        let mut bytes = unsafe { read(call, buffer, call.bytes()) };
        run(call, |links| links.bcast(call, &mut bytes));
        // SAFETY: as above.
        unsafe { write(call, buffer, &bytes) };
        0
    }

    unsafe extern "C" fn gather(
        from: *const c_void,
        to: *mut c_void,
        count: c_int,
        datatype: SCOREP_Ipc_Datatype,
        root: c_int,
    ) -> c_int {
        let call = call(Function::Gather, count, datatype, root);
        // SAFETY: the interface guarantees a buffer of `count` elements.
        let own = unsafe { read(call, from, call.bytes()) };
        let parts = run(call, |links| links.gather(call, &own, |_| call.bytes()));
        // SAFETY: on the root, a buffer of `count` elements for each rank.
        unsafe { write(call, to, &parts.unwrap_or_default().concat()) };
        0
    }

    unsafe extern "C" fn gatherv(
        from: *const c_void,
        count: c_int,
        to: *mut c_void,
        counts: *const c_int,
        datatype: SCOREP_Ipc_Datatype,
        root: c_int,
    ) -> c_int {
        let call = call(Function::Gatherv, count, datatype, root);
        // SAFETY: the interface guarantees a buffer of `count` elements.
        let own = unsafe { read(call, from, call.bytes()) };
        let parts = run(call.uneven(), |links| {
            let is_root = links.rank == call.root;
            // SAFETY: on the root, a list with the count of each rank.
            let lengths = if is_root { unsafe { lengths(call, counts, links.size) } } else { Vec::new() };
            if is_root && lengths[call.root as usize] != own.len() {
                return Err(Broken::Length { rank: call.root, sent: own.len() });
            }
            links.gather(call.uneven(), &own, |rank| lengths[rank as usize])
        });
        // SAFETY: on the root, a buffer for the elements of all ranks.
        unsafe { write(call, to, &parts.unwrap_or_default().concat()) };
        0
    }

    unsafe extern "C" fn allgather(
        from: *const c_void,
        to: *mut c_void,
        count: c_int,
        datatype: SCOREP_Ipc_Datatype,
    ) -> c_int {
        let call = call(Function::Allgather, count, datatype, 0);
        // SAFETY: the interface guarantees a buffer of `count` elements.
        let own = unsafe { read(call, from, call.bytes()) };
        let all = run(call, |links| links.allgather(call, &own));
        // SAFETY: a buffer of `count` elements for each rank.
        unsafe { write(call, to, &all) };
        0
    }

    unsafe extern "C" fn reduce(
        from: *const c_void,
        to: *mut c_void,
        count: c_int,
        datatype: SCOREP_Ipc_Datatype,
        operation: SCOREP_Ipc_Operation,
        root: c_int,
    ) -> c_int {
        let call = reduction(Function::Reduce, count, datatype, operation, root);
        // SAFETY: the interface guarantees a buffer of `count` elements.
        let own = unsafe { read(call, from, call.bytes()) };
        let all = run(call, |links| links.reduce(call, &own));
        // SAFETY: on the root, another buffer of `count` elements.
        unsafe { write(call, to, &all.unwrap_or_default()) };
        0
    }

    unsafe extern "C" fn allreduce(
        from: *const c_void,
        to: *mut c_void,
        count: c_int,
        datatype: SCOREP_Ipc_Datatype,
        operation: SCOREP_Ipc_Operation,
    ) -> c_int {
        let call = reduction(Function::Allreduce, count, datatype, operation, 0);
        // SAFETY: the interface guarantees buffers of `count` elements.
        let own = unsafe { read(call, from, call.bytes()) };
        let all = run(call, |links| links.allreduce(call, &own));
        // SAFETY: as above.
        unsafe { write(call, to, &all) };
        0
    }

    unsafe extern "C" fn scatter(
        from: *const c_void,
        to: *mut c_void,
        count: c_int,
        datatype: SCOREP_Ipc_Datatype,
        root: c_int,
    ) -> c_int {
        let call = call(Function::Scatter, count, datatype, root);
        let bytes = run(call, |links| {
            let all = call.bytes() * links.size as usize;
            // SAFETY: on the root, a buffer of `count` elements for each rank.
            let all = if links.rank == call.root { unsafe { read(call, from, all) } } else { Vec::new() };
            let parts: Vec<&[u8]> = all.chunks(call.bytes().max(1)).collect();
            links.scatter(call, &parts, call.bytes())
        });
        // SAFETY: a buffer of `count` elements.
        unsafe { write(call, to, &bytes) };
        0
    }

    unsafe extern "C" fn scatterv(
        from: *const c_void,
        counts: *const c_int,
        to: *mut c_void,
        count: c_int,
        datatype: SCOREP_Ipc_Datatype,
        root: c_int,
    ) -> c_int {
        let call = call(Function::Scatterv, count, datatype, root);
        let bytes = run(call.uneven(), |links| {
            if links.rank != call.root {
                return links.scatter(call.uneven(), &[], call.bytes());
            }
            // SAFETY: on the root, a list with the count of each rank.
            let lengths = unsafe { lengths(call, counts, links.size) };
            if lengths[call.root as usize] != call.bytes() {
                return Err(Broken::Length { rank: call.root, sent: lengths[call.root as usize] });
            }
            // SAFETY: and a buffer for the elements of all ranks.
            let all = unsafe { read(call, from, lengths.iter().sum()) };
            let mut rest = all.as_slice();
            let parts = lengths.iter().map(|&length| rest.split_off(..length).unwrap_or_default());
            links.scatter(call.uneven(), &parts.collect::<Vec<_>>(), call.bytes())
        });
        // SAFETY: a buffer of `count` elements.
        unsafe { write(call, to, &bytes) };
        0
    }
}
