//! I/O handles exist from their creation (or from the start, if pre-created) to their destruction,
//! within their process. Operations on them have a begin and an end with the same number, and are
//! permitted by the access mode.

use kymo_otf2::enums::{IoAccessMode, IoOperationMode, IoParadigmClass};
use kymo_otf2::events::{Event, IoOperationBegin};
use kymo_otf2::flags::{IoHandleFlag, IoOperationFlag};
use kymo_otf2::references::IoHandleRef;

use super::lives::Lives;
use super::{CheckedEvent, Claims, EventRule};
use crate::check::definitions::DefinitionIndex;
use crate::check::findings::Findings;
use crate::check::kinds::FindingKind;
use crate::check::tables::{HashMap, HashSet};
use kymo_analysis::communication::Process;

type Handle = (Process, u32);
type Operation = (Process, u32, u64);

pub(super) struct Handles<'a> {
    definitions: &'a DefinitionIndex<'a>,
    claims: Claims,
    /// The handles, with the access mode if it is known.
    handles: Lives<Handle, Option<IoAccessMode>>,
    /// Pre-created handles that were destroyed.
    destroyed: HashSet<Handle>,
    /// The operations, with the number of bytes requested.
    operations: Lives<Operation, u64>,
    modes: HashMap<u32, IoAccessMode>,
}

impl<'a> Handles<'a> {
    pub(super) fn new(definitions: &'a DefinitionIndex<'a>, claims: Claims) -> Self {
        Handles {
            definitions,
            claims,
            handles: Lives::new(),
            destroyed: HashSet::default(),
            operations: Lives::new(),
            modes: definitions.pre_created.clone(),
        }
    }

    fn has_flag(&self, handle: IoHandleRef, flag: IoHandleFlag) -> bool {
        self.definitions.handles.get(&handle.0).is_some_and(|it| it.io_handle_flags.contains(flag))
    }

    /// Whether the handle exists from the start, or only represents others.
    fn is_given(&self, handle: IoHandleRef, process: Process) -> bool {
        let pre_created = self.has_flag(handle, IoHandleFlag::PRE_CREATED);
        (pre_created && !self.destroyed.contains(&(process, handle.0)))
            || self.has_flag(handle, IoHandleFlag::ALL_PROXY)
    }

    /// Notes a use of the handle. Returns its access mode, if known.
    fn used(&mut self, handle: IoHandleRef, here: &CheckedEvent<'_>) -> Option<IoAccessMode> {
        let key = (here.process, handle.0);
        if !self.handles.has(key) && self.is_given(handle, here.process) {
            return self.modes.get(&handle.0).copied();
        }
        self.handles.get(key, here.spot).and_then(|life| life.value)
    }

    fn create(
        &mut self,
        handle: IoHandleRef,
        mode: Option<IoAccessMode>,
        here: &CheckedEvent<'_>,
        findings: &mut Findings<'_>,
    ) {
        self.not_a_proxy(handle, here, findings);
        let given = self.has_flag(handle, IoHandleFlag::PRE_CREATED) && self.is_given(handle, here.process);
        let old = self.handles.begin((here.process, handle.0), here.spot, mode);
        if given || old.is_some() {
            findings.find(
                FindingKind::HandleActive,
                here.spot,
                format_args!("I/O handle {} is already active", handle.0),
            );
        }
    }

    fn destroy(&mut self, handle: IoHandleRef, here: &CheckedEvent<'_>, findings: &mut Findings<'_>) {
        self.not_a_proxy(handle, here, findings);
        let key = (here.process, handle.0);
        if self.handles.has(key) || !self.is_given(handle, here.process) {
            self.handles.end(key, here.spot);
        }
        self.destroyed.insert(key);
    }

    fn not_a_proxy(&self, handle: IoHandleRef, here: &CheckedEvent<'_>, findings: &mut Findings<'_>) {
        if self.has_flag(handle, IoHandleFlag::ALL_PROXY) {
            findings.find(
                FindingKind::ProxyHandle,
                here.spot,
                format_args!(
                    "I/O handle {} represents several others and has no lifetime of its own",
                    handle.0
                ),
            );
        }
    }

    fn begin(&mut self, it: &IoOperationBegin, here: &CheckedEvent<'_>, findings: &mut Findings<'_>) {
        let handle = it.handle.0;
        let mode = self.used(it.handle, here);
        let refused = match it.mode {
            IoOperationMode::READ => IoAccessMode::WRITE_ONLY,
            IoOperationMode::WRITE => IoAccessMode::READ_ONLY,
            _ => IoAccessMode(u8::MAX),
        };
        if let Some(mode) = mode.filter(|mode| *mode == refused) {
            findings.find(
                FindingKind::AccessMode,
                here.spot,
                format_args!("{} on I/O handle {handle}, which is {mode}", it.mode),
            );
        }
        if it.operation_flags.contains(IoOperationFlag::COLLECTIVE) && !self.is_parallel(it.handle) {
            findings.find(
                FindingKind::CollectiveIo,
                here.spot,
                format_args!("a collective operation on I/O handle {handle}, which has no communicator"),
            );
        }
        let key = (here.process, handle, it.matching_id);
        if let Some(life) = self.operations.begin(key, here.spot, it.bytes_request) {
            findings.find(
                FindingKind::IoNumberInUse,
                here.spot,
                format_args!(
                    "operation {} on I/O handle {handle} has been in progress since event {}",
                    it.matching_id, life.spot.number,
                ),
            );
        }
    }

    fn is_parallel(&self, handle: IoHandleRef) -> bool {
        let Some(handle) = self.definitions.handles.get(&handle.0) else { return true };
        let class = self.definitions.io_paradigms.get(&handle.io_paradigm.0);
        handle.comm.is_defined() && class.is_none_or(|class| *class == IoParadigmClass::PARALLEL)
    }

    fn complete(
        &mut self,
        handle: IoHandleRef,
        id: u64,
        bytes: u64,
        here: &CheckedEvent<'_>,
        findings: &mut Findings<'_>,
    ) {
        let Some(life) = self.operations.end((here.process, handle.0, id), here.spot) else { return };
        let unknown = [bytes, life.value].contains(&u64::MAX);
        if bytes > life.value && !unknown {
            findings.find(
                FindingKind::IoBytes,
                here.spot,
                format_args!("{bytes} bytes, but event {} requested {}", life.spot.number, life.value),
            );
        }
    }

    fn report(&mut self, now: Option<u64>, findings: &mut Findings<'_>) {
        let (handles, operations) = match now {
            Some(now) => (self.handles.overdue(now), self.operations.overdue(now)),
            None => (self.handles.all_overdue(), self.operations.all_overdue()),
        };
        if !self.claims.others {
            return;
        }
        for early in handles {
            findings.find(
                FindingKind::HandleNotActive,
                early.spot,
                format_args!("I/O handle {} is not active", early.key.1),
            );
        }
        for early in operations {
            let (_, handle, id) = early.key;
            findings.find(
                FindingKind::IoNotBegun,
                early.spot,
                format_args!("operation {id} on I/O handle {handle} has not begun"),
            );
        }
    }
}

impl EventRule for Handles<'_> {
    fn event(&mut self, here: &CheckedEvent<'_>, findings: &mut Findings<'_>) {
        let now = here.spot.time;
        if self.handles.has_overdue(now) || self.operations.has_overdue(now) {
            self.report(Some(now), findings);
        }
        let operation = |handle: IoHandleRef, id| (here.process, handle.0, id);
        match here.event {
            Event::IoCreateHandle(it) => self.create(it.handle, Some(it.mode), here, findings),
            Event::IoDestroyHandle(it) => self.destroy(it.handle, here, findings),
            Event::IoDuplicateHandle(it) => {
                let mode = self.used(it.old_handle, here);
                self.not_a_proxy(it.old_handle, here, findings);
                self.create(it.new_handle, mode, here, findings);
            }
            Event::IoChangeStatusFlags(it) => {
                self.not_a_proxy(it.handle, here, findings);
                self.used(it.handle, here);
            }
            Event::IoSeek(it) => drop(self.used(it.handle, here)),
            Event::IoAcquireLock(it) => drop(self.used(it.handle, here)),
            Event::IoReleaseLock(it) => drop(self.used(it.handle, here)),
            Event::IoTryLock(it) => drop(self.used(it.handle, here)),
            Event::IoOperationBegin(it) => self.begin(&it, here, findings),
            Event::IoOperationTest(it) => {
                self.operations.get(operation(it.handle, it.matching_id), here.spot);
            }
            Event::IoOperationIssued(it) => {
                self.operations.get(operation(it.handle, it.matching_id), here.spot);
            }
            Event::IoOperationCancelled(it) => {
                self.operations.end(operation(it.handle, it.matching_id), here.spot);
            }
            Event::IoOperationComplete(it) => {
                self.complete(it.handle, it.matching_id, it.bytes_result, here, findings);
            }
            _ => {}
        }
    }

    fn end(&mut self, complete: bool, findings: &mut Findings<'_>) {
        self.report(None, findings);
        for ((_, handle, id), life) in
            self.operations.rest().into_iter().filter(|_| complete && self.claims.others)
        {
            findings.find(
                FindingKind::IoNotComplete,
                life.spot,
                format_args!("operation {id} on I/O handle {handle} never ends"),
            );
        }
    }
}
