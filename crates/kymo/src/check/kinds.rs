//! The kinds of findings: one table, from which the documentation, `--explain`, the output and the
//! tests are derived.
//!
//! An *error* violates a rule of the format or makes readers return wrong results; a *warning*
//! contradicts the meaning of the events or a statement of the archive about itself; a *note* is
//! unusual but allowed. Once published, an id keeps its meaning.

use std::fmt;

use kymo_otf2::references::Space;

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Severity {
    Note,
    Warning,
    Error,
}

impl Severity {
    /// Returns the word for it, in lower case.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// The properties of a kind.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) subject: &'static str,
    pub(crate) id: &'static str,
    pub(crate) severity: Severity,
    pub(crate) sentence: &'static str,
}

// Input:      "structure" { BadAnchor "bad-anchor" Error "The anchor file cannot be read."; }
// Expansion:  `enum FindingKind { BadAnchor, … }` with `ALL`, in the order of the table, and
//             `row()`.
macro_rules! kinds {
    ($($subject:literal { $($name:ident $id:literal $severity:ident $sentence:literal;)* })*) => {
        /// Kind of a finding.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub(crate) enum FindingKind {
            $($($name,)*)*
        }

        impl FindingKind {
            /// All kinds, in the order of the table.
            pub(crate) const ALL: &'static [FindingKind] = &[$($(FindingKind::$name,)*)*];

            /// Returns its row of the table.
            pub(crate) fn row(self) -> &'static Row {
                match self {
                    $($(FindingKind::$name => &Row {
                        subject: $subject,
                        id: $id,
                        severity: Severity::$severity,
                        sentence: $sentence,
                    },)*)*
                }
            }
        }
    };
}

impl FindingKind {
    /// Returns the kind with this id.
    pub(crate) fn of(id: &str) -> Option<FindingKind> {
        Self::ALL.iter().copied().find(|kind| kind.row().id == id)
    }

    /// Returns the kind for an undefined reference into this id space.
    pub(crate) fn undefined(space: Space) -> FindingKind {
        match space {
            Space::Attribute => FindingKind::UndefinedAttribute,
            Space::CallingContext => FindingKind::UndefinedCallingContext,
            Space::Callpath => FindingKind::UndefinedCallpath,
            Space::CartDimension => FindingKind::UndefinedCartDimension,
            Space::CartTopology => FindingKind::UndefinedCartTopology,
            Space::Comm => FindingKind::UndefinedComm,
            Space::Group => FindingKind::UndefinedGroup,
            Space::InterruptGenerator => FindingKind::UndefinedInterruptGenerator,
            Space::IoFile => FindingKind::UndefinedIoFile,
            Space::IoHandle => FindingKind::UndefinedIoHandle,
            Space::IoParadigm => FindingKind::UndefinedIoParadigm,
            Space::Location => FindingKind::UndefinedLocation,
            Space::LocationGroup => FindingKind::UndefinedLocationGroup,
            Space::Marker => FindingKind::UndefinedMarker,
            Space::Metric => FindingKind::UndefinedMetric,
            Space::MetricMember => FindingKind::UndefinedMetricMember,
            Space::Parameter => FindingKind::UndefinedParameter,
            Space::Region => FindingKind::UndefinedRegion,
            Space::RmaWin => FindingKind::UndefinedRmaWin,
            Space::SourceCodeLocation => FindingKind::UndefinedSourceCodeLocation,
            Space::String => FindingKind::UndefinedString,
            Space::SystemTreeNode => FindingKind::UndefinedSystemTreeNode,
            // No record refers to these, as a test verifies.
            Space::Callsite => FindingKind::UndefinedValue,
        }
    }
}

impl fmt::Display for FindingKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.row().id)
    }
}

kinds! {
    "Structure" {
        BadAnchor "bad-anchor" Error
            "The anchor file is not an OTF2 anchor, or one of its fields has a value that readers refuse.";
        BadChunk "bad-chunk" Error "A chunk does not begin with a chunk header of the file's byte order.";
        BadRecord "bad-record" Error
            "The bytes of a record do not follow the format; the rest of the file cannot be read.";
        MissingEnd "missing-end" Error
            "A file ends without an end-of-file mark: it was cut off, or its writer never closed it.";
        BadThumbnail "bad-thumbnail" Error "The samples of a thumbnail do not match its header.";
        MissingFile "missing-file" Error
            "A file that readers need is missing: the events of a defined location, or an announced \
             snapshot or thumbnail.";
        MissingLocalDefinitions "missing-local-definitions" Warning
            "A location has no local definition file: readers complain and treat its ids and times as \
             global ones.";
        StrayFile "stray-file" Warning
            "Readers ignore a file: its location is not defined, or it contains snapshots and none are \
             announced.";
        TrailingBytes "trailing-bytes" Warning "A file continues after its end-of-file mark.";
        MissingEndOfBuffer "missing-end-of-buffer" Note
            "A file ends without the end-of-buffer byte that the library writes and no reader requires.";
        ChunkNumbers "chunk-numbers" Error
            "The event numbers in a chunk header do not match the events in the chunk; seeking finds wrong \
             events.";
        ChunkWithoutTime "chunk-without-time" Warning
            "A chunk does not begin with a time stamp, on which seeking by time relies.";
        RepeatedTimeStamp "repeated-time-stamp" Warning
            "Two time stamps follow each other, which the OTF2 library misreads.";
        UnknownRecord "unknown-record" Note
            "A record has an id that OTF2 3.2 does not define, and a newer version wrote it; readers skip it.";
        RecordOfOtherVersion "record-of-other-version" Error
            "A record has an id that the version of OTF2 that wrote the archive does not define.";
        UnknownValue "unknown-value" Note
            "An enumeration or flag set has a value that OTF2 3.2 does not define.";
    }
    "Texts" {
        PropertyValue "property-value" Error
            "A property of the archive states what was recorded, but is neither true nor false.";
        UnknownProperty "unknown-property" Error
            "A property of the archive begins with OTF2::, but OTF2 has no such property, unless a newer \
             version wrote the archive.";
        NotUtf8 "text-not-utf-8" Error
            "A text is not UTF-8, as it is by convention. Names of files are excepted: systems allow any \
             bytes in them.";
        ControlCharacter "control-character" Warning
            "A text contains a control character other than a tab or an end of line.";
    }
    "Counts" {
        LocationCount "location-count" Error
            "The anchor states a different number of locations than are defined.";
        DefinitionCount "definition-count" Error
            "The anchor states a different number of global definitions than the file contains; otf2-print \
             refuses such an archive.";
        EventCount "event-count" Warning
            "A location's definition states a different number of events than its file contains.";
        EventsLost "events-lost" Note
            "The archive states how many events are missing because memory or disk space ran out (property \
             KYMO::EVENTS_LOST).";
        SnapshotCount "snapshot-count" Warning
            "The anchor states a different number of snapshots than a location has.";
        SnapshotRecords "snapshot-records" Error
            "A snapshot has a different number of records than it announces, or no end.";
        SnapshotPosition "snapshot-position" Error
            "The event at which reading continues after a snapshot does not exist, or precedes the snapshot.";
    }
    "Seal" {
        BadSeal "bad-seal" Error "The seal is damaged: nothing can be compared with it.";
        SealBlock "seal-block" Error "A block of a file differs from when it was sealed.";
        SealLength "seal-length" Error "A file has a different length than when it was sealed.";
        SealMissingFile "seal-missing-file" Error "A file that was sealed is missing.";
        SealExtraFile "seal-extra-file" Error "The archive contains a file that was not sealed.";
    }
    "References" {
        UndefinedAttribute "undefined-attribute" Error "An undefined attribute is used.";
        UndefinedCallingContext "undefined-calling-context" Error "An undefined calling context is used.";
        UndefinedCallpath "undefined-callpath" Error "An undefined call path is used.";
        UndefinedCartDimension "undefined-cart-dimension" Error
            "An undefined dimension of a topology is used.";
        UndefinedCartTopology "undefined-cart-topology" Error "An undefined topology is used.";
        UndefinedComm "undefined-comm" Error "An undefined communicator is used.";
        UndefinedGroup "undefined-group" Error "An undefined group is used.";
        UndefinedInterruptGenerator "undefined-interrupt-generator" Error
            "An undefined interrupt generator is used.";
        UndefinedIoFile "undefined-io-file" Error "An undefined file of the program is used.";
        UndefinedIoHandle "undefined-io-handle" Error "An undefined I/O handle is used.";
        UndefinedIoParadigm "undefined-io-paradigm" Error "An undefined I/O paradigm is used.";
        UndefinedLocation "undefined-location" Error "An undefined location is used.";
        UndefinedLocationGroup "undefined-location-group" Error "An undefined location group is used.";
        UndefinedMarker "undefined-marker" Error "An undefined marker is used.";
        UndefinedMetric "undefined-metric" Error "An undefined metric class or instance is used.";
        UndefinedMetricMember "undefined-metric-member" Error "An undefined metric is used.";
        UndefinedParameter "undefined-parameter" Error "An undefined parameter is used.";
        UndefinedRegion "undefined-region" Error "An undefined region is used.";
        UndefinedRmaWin "undefined-rma-win" Error "An undefined window is used.";
        UndefinedSourceCodeLocation "undefined-source-code-location" Error
            "An undefined source code location is used.";
        UndefinedString "undefined-string" Error "An undefined string is used.";
        UndefinedSystemTreeNode "undefined-system-tree-node" Error
            "An undefined node of the system tree is used.";
        UndefinedValue "undefined-value" Error "The undefined id is used where a definition is required.";
        DuplicateDefinition "duplicate-definition" Error "Two definitions have the same id.";
        ForwardReference "forward-reference" Warning
            "A definition refers to one that follows later in the file; otf2-print complains.";
        ReferenceCycle "reference-cycle" Error "A definition is its own ancestor.";
    }
    "Definitions" {
        ClockProperties "clock-properties" Warning
            "The clock is not defined exactly once, so times have no unit.";
        ClockStands "clock-stands" Error "The clock has 0 ticks per second.";
        CommunicatorGroup "communicator-group" Error "The group of a communicator is not a group of ranks.";
        GroupMember "group-member" Error
            "A group of ranks has a member beyond the locations or location groups of its paradigm.";
        GroupWithoutLocations "group-without-locations" Warning
            "A group of ranks precedes the group of the locations or location groups of its paradigm, or that \
             group is missing.";
        DuplicateGroup "duplicate-group" Warning
            "A paradigm has two groups of all its locations or location groups, or two groups for \
             communicators of one member.";
        MisplacedLocation "misplaced-location" Warning
            "A thread belongs to an accelerator's location group, or a location group was created by one \
             that is not a process.";
        MetricValueType "metric-value-type" Error
            "A metric has values of a type other than INT64, UINT64 and DOUBLE.";
        InstanceClass "instance-class" Warning
            "A metric instance does not belong to an abstract metric class.";
        PreCreatedState "pre-created-state" Note
            "The state of a pre-created I/O handle is missing or defined twice, or belongs to a handle \
             that is not pre-created.";
        IoParadigmOrder "io-paradigm-order" Warning
            "The I/O paradigms are not numbered from 0 on in the order of the file; otf2-print complains.";
        DuplicateProperty "duplicate-property" Warning
            "A definition has two properties with the same name, or a paradigm is attested twice.";
        Coordinate "coordinate" Warning "A coordinate is outside its topology.";
    }
    "Local definitions" {
        MappingTarget "mapping-target" Warning "A mapping table refers to an id that is not defined.";
        DuplicateMappingTable "duplicate-mapping-table" Error
            "A location has two mapping tables of the same type: readers refuse the second.";
        ClockOffsetOrder "clock-offset-order" Error
            "The times of the clock offsets of a location do not increase: readers refuse them.";
        SingleClockOffset "single-clock-offset" Note
            "A location has a single clock offset, which readers do not apply.";
    }
    "Times" {
        TimeGoesBack "time-goes-back" Error
            "An event has an earlier time than the previous one on its location.";
        CorrectedTimeGoesBack "corrected-time-goes-back" Warning
            "Clock correction moves an event before the one that precedes it on its location.";
        TimeOutside "time-outside" Warning "An event is outside the time range that the archive states.";
        FlushGoesBack "flush-goes-back" Error "A buffer flush ends before it begins.";
        ReceiveBeforeSend "receive-before-send" Warning
            "A message is received before it is sent: the clocks were not synchronised.";
        CollectiveCrossesTime "collective-crosses-time" Warning
            "A location leaves a synchronising operation before another that it waits for enters it: \
             the clocks were not synchronised.";
    }
    "Calls" {
        LeaveWithoutEnter "leave-without-enter" Error "A region is left that was not entered.";
        LeaveOfOther "leave-of-other" Error "The region that is left is not the one entered last.";
        NotLeft "not-left" Warning "A region is entered, but never left.";
        CallsAcrossGap "calls-across-gap" Note
            "Enters and leaves do not balance on a location whose measurement was off for a while.";
        MixedCalls "mixed-calls" Note
            "A location enters both regions and calling contexts, which exclude each other.";
        UnwindDistance "unwind-distance" Warning
            "An unwind distance reaches beyond the root of the calling context tree.";
        ProgramTwice "program-twice" Warning "A process has two program begins or two program ends.";
        ProgramNotPaired "program-not-paired" Warning
            "A process has a program begin without an end, or an end without a begin.";
        OutsideProgram "outside-program" Warning
            "An event of a process precedes the start of the program or follows its end.";
    }
    "Messages" {
        NotAMember "not-a-member" Error "A location takes part in a communicator that it does not belong to.";
        RankOutOfRange "rank-out-of-range" Error "A rank is not less than the size of its communicator.";
        UnmatchedSend "unmatched-send" Warning "A message is sent, but never received.";
        UnmatchedReceive "unmatched-receive" Error "A message is received that was never sent.";
        MessageLength "message-length" Warning
            "A message is received with a different length than it was sent with.";
        MessageNotProbed "message-not-probed" Warning
            "A message is received that no probe of the process has reserved, or that was received before.";
        MessageReused "message-reused" Warning
            "A probe reserves a message under a number that another message of its process has.";
        RequestInUse "request-in-use" Warning
            "A request is started with the number of a request that is not complete.";
        RequestNotStarted "request-not-started" Warning
            "A request that was not started is tested, cancelled or completed.";
        RequestPurpose "request-purpose" Warning
            "A request is completed as a different operation than it was started for.";
        RequestNotComplete "request-not-complete" Warning "A request is started, but never completed.";
    }
    "Collective operations" {
        CollectiveNotBegun "collective-not-begun" Warning "A collective operation ends without a begin.";
        CollectiveNotEnded "collective-not-ended" Warning "A collective operation begins, but does not end.";
        CollectiveDiffers "collective-differs" Error
            "The members of a communicator disagree on its n-th collective operation, or on the root.";
        CollectiveMissing "collective-missing" Warning
            "Not all members of a communicator take part in a collective operation.";
        NotFlagged "not-flagged" Warning
            "An event creates or destroys a communicator or window that is not flagged to have such events.";
        CreatedTwice "created-twice" Warning "A communicator or window is created that already exists.";
        UseAfterDestroy "use-after-destroy" Warning "A communicator or window is used after its destruction.";
    }
    "One-sided communication" {
        RmaNumberInUse "rma-number-in-use" Warning
            "A one-sided operation has the number of one that is in progress.";
        RmaNotIssued "rma-not-issued" Warning
            "A one-sided operation that was not issued is tested or completed.";
        RmaNotComplete "rma-not-complete" Warning "A one-sided operation is never completed.";
    }
    "Locks" {
        LockNotHeld "lock-not-held" Warning "A lock that is not held is released.";
        LockNotReleased "lock-not-released" Warning
            "A lock is acquired, but never released; closing a file releases its lock.";
        LockOrder "lock-order" Warning
            "Acquisition numbers of a lock do not increase, or a release has a different number than its \
             acquisition.";
        LockHeldTwice "lock-held-twice" Warning "Two locations hold an exclusive lock at the same time.";
    }
    "Threads and tasks" {
        JoinWithoutFork "join-without-fork" Warning
            "A join does not match the innermost fork of its location.";
        TeamEndWithoutBegin "team-end-without-begin" Warning
            "A location leaves a thread team other than the one it entered last.";
        NotJoined "not-joined" Warning "A fork is never joined, or a thread team is never left.";
        ThreadTwice "thread-twice" Warning "A thread is created, begins, ends or is waited for twice.";
        ThreadOrder "thread-order" Warning "A thread ends before it begins, or is waited for before it ends.";
        ThreadNotCreated "thread-not-created" Warning "A thread begins, but was not created.";
        ThreadNotBegun "thread-not-begun" Warning
            "A thread is created, but never begins, or it ends without a begin.";
        ThreadNotEnded "thread-not-ended" Warning "A thread begins or is waited for, but never ends.";
        TaskNotAlive "task-not-alive" Warning
            "A task is switched to or completed before its creation or after its completion.";
        TaskCreatedTwice "task-created-twice" Warning
            "A task is created with the number of a task that is not complete.";
        TaskNotComplete "task-not-complete" Warning "A task is created, but never completed.";
    }
    "Input and output" {
        HandleNotActive "handle-not-active" Warning
            "An I/O handle is used before its creation or after its destruction.";
        HandleActive "handle-active" Warning "An I/O handle is created that is already active.";
        ProxyHandle "proxy-handle" Error
            "An I/O handle that represents several others is created, destroyed, duplicated or changed.";
        AccessMode "access-mode" Warning
            "An operation reads from a write-only I/O handle, or writes to a read-only one.";
        CollectiveIo "collective-io" Warning
            "A collective operation uses a handle without a communicator, or a serial paradigm has a \
             communicator.";
        IoNumberInUse "io-number-in-use" Warning
            "An I/O operation has the number of one that is in progress on its handle.";
        IoNotBegun "io-not-begun" Warning
            "An I/O operation that has not begun is tested, issued, cancelled or completed.";
        IoNotComplete "io-not-complete" Warning "An I/O operation begins, but never ends.";
        IoBytes "io-bytes" Warning "An I/O operation transfers more bytes than were requested.";
    }
    "Metrics, parameters, attributes" {
        MetricCount "metric-count" Error
            "A metric event has a different number of values than its class has metrics.";
        MetricType "metric-type" Error "A metric event has a value of a different type than its metric.";
        MetricRecorder "metric-recorder" Warning
            "A metric event is recorded by a location that its class does not list.";
        ParameterValueType "parameter-type" Error
            "A parameter has a value of a different type than its definition states.";
        AttributeType "attribute-type" Warning
            "An attribute has a value of a different type than its definition states.";
        DuplicateAttribute "duplicate-attribute" Error
            "An event has the same attribute twice: readers refuse it.";
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kymo_otf2::definitions::GlobalDefinition;
    use kymo_otf2::events::Event;
    use kymo_otf2::field::{FieldInfo, FieldKind};
    use kymo_otf2::snapshots::Snapshot;
    use std::collections::BTreeSet;

    #[test]
    fn ids_are_unique_and_found() {
        let ids: BTreeSet<_> = FindingKind::ALL.iter().map(|kind| kind.row().id).collect();
        assert_eq!(ids.len(), FindingKind::ALL.len());
        assert!(FindingKind::ALL.iter().all(|&kind| FindingKind::of(kind.row().id) == Some(kind)));
    }

    #[test]
    fn every_id_space_has_its_kind() {
        let tables = [GlobalDefinition::RECORDS, Event::RECORDS, Snapshot::RECORDS];
        let fields = tables.into_iter().flatten().flat_map(|(.., fields)| fields.iter());
        let references = fields.filter(|field| field.names != "self").filter_map(space);
        let kinds: BTreeSet<_> = references.map(|space| (space, FindingKind::undefined(space))).collect();
        assert!(kinds.len() > 15, "{kinds:?}");
        assert!(kinds.iter().all(|(_, kind)| *kind != FindingKind::UndefinedValue), "{kinds:?}");
    }

    fn space(field: &FieldInfo) -> Option<Space> {
        match field.kind {
            FieldKind::Reference { space, .. } => Some(space),
            FieldKind::List { element: [FieldKind::Reference { space, .. }], .. } => Some(*space),
            _ => None,
        }
    }
}
