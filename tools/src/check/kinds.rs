//! The kinds of findings: one table, from which the documentation, `--explain`, the output and the tests come.
//!
//! An *error* breaks a rule of the format or makes a reader give wrong answers; a *warning* contradicts what the events mean, or
//! what the archive says of itself; a *note* is unusual but allowed. An id, once published, keeps its meaning.

use std::fmt;

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Severity {
    Note,
    Warning,
    Error,
}

impl Severity {
    /// The word for it, in small letters.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// What is known of a kind.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) subject: &'static str,
    pub(crate) id: &'static str,
    pub(crate) severity: Severity,
    pub(crate) sentence: &'static str,
}

// Input:      "structure" { BadAnchor "bad-anchor" Error "The anchor file cannot be read."; }
// Expansion:  `enum Kind { BadAnchor, … }` with `ALL` (in the order of the table) and `row()`.
macro_rules! kinds {
    ($($subject:literal { $($name:ident $id:literal $severity:ident $sentence:literal;)* })*) => {
        /// Kind of a finding.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub(crate) enum Kind {
            $($($name,)*)*
        }

        impl Kind {
            /// All kinds, in the order of the table.
            pub(crate) const ALL: &'static [Kind] = &[$($(Kind::$name,)*)*];

            /// Its row of the table.
            pub(crate) fn row(self) -> &'static Row {
                match self {
                    $($(Kind::$name => &Row {
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

impl Kind {
    /// The kind with this id.
    pub(crate) fn of(id: &str) -> Option<Kind> {
        Self::ALL.iter().copied().find(|kind| kind.row().id == id)
    }

    /// The kind for a reference into this id space that leads nowhere.
    pub(crate) fn undefined(space: &str) -> Kind {
        match space {
            "Attribute" => Kind::UndefinedAttribute,
            "CallingContext" => Kind::UndefinedCallingContext,
            "Callpath" => Kind::UndefinedCallpath,
            "CartDimension" => Kind::UndefinedCartDimension,
            "CartTopology" => Kind::UndefinedCartTopology,
            "Comm" => Kind::UndefinedComm,
            "Group" => Kind::UndefinedGroup,
            "InterruptGenerator" => Kind::UndefinedInterruptGenerator,
            "IoFile" => Kind::UndefinedIoFile,
            "IoHandle" => Kind::UndefinedIoHandle,
            "IoParadigm" => Kind::UndefinedIoParadigm,
            "Location" => Kind::UndefinedLocation,
            "LocationGroup" => Kind::UndefinedLocationGroup,
            "Marker" => Kind::UndefinedMarker,
            "Metric" => Kind::UndefinedMetric,
            "MetricMember" => Kind::UndefinedMetricMember,
            "Parameter" => Kind::UndefinedParameter,
            "Region" => Kind::UndefinedRegion,
            "RmaWin" => Kind::UndefinedRmaWin,
            "SourceCodeLocation" => Kind::UndefinedSourceCodeLocation,
            "String" => Kind::UndefinedString,
            "SystemTreeNode" => Kind::UndefinedSystemTreeNode,
            // There is no other space; a test makes sure.
            _ => Kind::UndefinedValue,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.row().id)
    }
}

kinds! {
    "Structure" {
        BadAnchor "bad-anchor" Error "The anchor file is no OTF2 anchor, or a field of it has a value that readers refuse.";
        BadChunk "bad-chunk" Error "A chunk does not begin with a chunk header of the file's byte order.";
        BadRecord "bad-record" Error "The bytes of a record do not follow the format; the rest of the file cannot be read.";
        MissingEnd "missing-end" Error
            "A file stops without an end-of-file mark: it was cut off, or its writer never closed it.";
        BadThumbnail "bad-thumbnail" Error "The samples of a thumbnail do not fit its header.";
        MissingFile "missing-file" Error
            "A file that readers need is not there: events of a defined location, or an announced snapshot or thumbnail.";
        MissingLocalDefinitions "missing-local-definitions" Warning
            "A location has no local definition file: readers complain and take its ids and times as global ones.";
        StrayFile "stray-file" Warning "Readers never look at a file: its location is not defined, or it has snapshots and none are announced.";
        TrailingBytes "trailing-bytes" Warning "A file goes on behind its end-of-file mark.";
        MissingEndOfBuffer "missing-end-of-buffer" Note
            "A file ends without the end-of-buffer byte that the library writes and nobody reads.";
        ChunkNumbers "chunk-numbers" Error
            "The event numbers in a chunk header are not those of the events in it, so that seeking goes astray.";
        ChunkWithoutTime "chunk-without-time" Warning
            "A chunk does not begin with a time stamp, which seeking by time relies on.";
        RepeatedTimeStamp "repeated-time-stamp" Warning "Two time stamps follow each other, which the OTF2 library misreads.";
        UnknownRecord "unknown-record" Note "A record has an id that OTF2 3.0 does not know; readers skip it.";
        UnknownValue "unknown-value" Note "An enumeration or flag set has a value that OTF2 3.0 does not know.";
    }
    "Counts" {
        LocationCount "location-count" Warning "The anchor says another number of locations than there are definitions.";
        DefinitionCount "definition-count" Error
            "The anchor says another number of global definitions than the file has; otf2-print refuses such an archive.";
        EventCount "event-count" Warning "A location's definition says another number of events than its file has.";
        EventsLost "events-lost" Note "The archive says how many events are missing, for want of memory or room (property KYMO::EVENTS_LOST).";
        SnapshotCount "snapshot-count" Warning "The anchor says another number of snapshots than a location has.";
        SnapshotRecords "snapshot-records" Error "A snapshot has another number of records than it announces, or no end.";
        SnapshotPosition "snapshot-position" Error
            "A snapshot says to go on with an event that does not exist, or lies before the snapshot.";
    }
    "Seal" {
        BadSeal "bad-seal" Error "The seal is not as it was written: nothing can be compared with it.";
        SealBlock "seal-block" Error "A block of a file has other bytes than when it was sealed.";
        SealLength "seal-length" Error "A file has another length than when it was sealed.";
        SealMissingFile "seal-missing-file" Error "A file that was sealed is not there.";
        SealExtraFile "seal-extra-file" Error "A file of the archive was not there when it was sealed.";
    }
    "References" {
        UndefinedAttribute "undefined-attribute" Error "An attribute is used that is not defined.";
        UndefinedCallingContext "undefined-calling-context" Error "A calling context is used that is not defined.";
        UndefinedCallpath "undefined-callpath" Error "A call path is used that is not defined.";
        UndefinedCartDimension "undefined-cart-dimension" Error "A dimension of a topology is used that is not defined.";
        UndefinedCartTopology "undefined-cart-topology" Error "A topology is used that is not defined.";
        UndefinedComm "undefined-comm" Error "A communicator is used that is not defined.";
        UndefinedGroup "undefined-group" Error "A group is used that is not defined.";
        UndefinedInterruptGenerator "undefined-interrupt-generator" Error "An interrupt generator is used that is not defined.";
        UndefinedIoFile "undefined-io-file" Error "A file of the program is used that is not defined.";
        UndefinedIoHandle "undefined-io-handle" Error "An I/O handle is used that is not defined.";
        UndefinedIoParadigm "undefined-io-paradigm" Error "An I/O paradigm is used that is not defined.";
        UndefinedLocation "undefined-location" Error "A location is used that is not defined.";
        UndefinedLocationGroup "undefined-location-group" Error "A location group is used that is not defined.";
        UndefinedMarker "undefined-marker" Error "A marker is used that is not defined.";
        UndefinedMetric "undefined-metric" Error "A metric class or instance is used that is not defined.";
        UndefinedMetricMember "undefined-metric-member" Error "A metric is used that is not defined.";
        UndefinedParameter "undefined-parameter" Error "A parameter is used that is not defined.";
        UndefinedRegion "undefined-region" Error "A region is used that is not defined.";
        UndefinedRmaWin "undefined-rma-win" Error "A window is used that is not defined.";
        UndefinedSourceCodeLocation "undefined-source-code-location" Error
            "A source code location is used that is not defined.";
        UndefinedString "undefined-string" Error "A string is used that is not defined.";
        UndefinedSystemTreeNode "undefined-system-tree-node" Error "A node of the system tree is used that is not defined.";
        UndefinedValue "undefined-value" Error "The undefined id stands where a definition is needed.";
        DuplicateDefinition "duplicate-definition" Error "Two definitions have the same id.";
        ForwardReference "forward-reference" Warning
            "A definition refers to one that comes later in the file; otf2-print complains.";
        ReferenceCycle "reference-cycle" Error "A definition is its own ancestor.";
    }
    "Definitions" {
        ClockProperties "clock-properties" Warning
            "There is not exactly one definition of the clock, so that times have no unit.";
        ClockStands "clock-stands" Error "The clock has no ticks in a second.";
        CommunicatorGroup "communicator-group" Error "The group of a communicator is not a group of ranks.";
        GroupMember "group-member" Error "A group of ranks has a member beyond the locations of its paradigm.";
        GroupWithoutLocations "group-without-locations" Warning
            "A group of ranks comes before the group of the locations of its paradigm, or without it.";
        DuplicateGroup "duplicate-group" Warning
            "A paradigm has two groups of all its locations, or two groups for communicators of one member.";
        MisplacedLocation "misplaced-location" Warning
            "A thread lies in an accelerator's location group, or a group was created by one that is no process.";
        MetricValueType "metric-value-type" Error "A metric has values of another type than INT64, UINT64 and DOUBLE.";
        InstanceClass "instance-class" Warning "A metric instance is not one of an abstract metric class.";
        PreCreatedState "pre-created-state" Note
            "The state of a pre-created I/O handle is missing, comes twice, or belongs to a handle that is none.";
        DuplicateProperty "duplicate-property" Warning
            "A definition has two properties of one name, or a paradigm is attested twice.";
        Coordinate "coordinate" Warning "A coordinate does not lie in its topology.";
    }
    "Local definitions" {
        MappingTarget "mapping-target" Warning "A mapping table leads to an id that is not defined.";
        DuplicateMappingTable "duplicate-mapping-table" Error
            "A location has two mapping tables of one type: readers refuse the second.";
        ClockOffsetOrder "clock-offset-order" Error
            "The times of the clock offsets of a location do not increase: readers refuse them.";
        SingleClockOffset "single-clock-offset" Note "A location has a single clock offset, which readers do not apply.";
    }
    "Times" {
        TimeGoesBack "time-goes-back" Error "An event has an earlier time than the one before it on its location.";
        CorrectedTimeGoesBack "corrected-time-goes-back" Warning
            "Clock correction puts an event before the one that precedes it on its location.";
        TimeOutside "time-outside" Warning "An event lies outside of the time range that the archive states.";
        FlushGoesBack "flush-goes-back" Error "A buffer flush stops before it begins.";
        ReceiveBeforeSend "receive-before-send" Warning "A message arrives before it is sent: the clocks were not in step.";
        CollectiveCrossesTime "collective-crosses-time" Warning
            "A location leaves a synchronising operation before another enters it: the clocks were not in step.";
    }
    "Calls" {
        LeaveWithoutEnter "leave-without-enter" Error "A region is left that was not entered.";
        LeaveOfOther "leave-of-other" Error "Another region is left than the one entered last.";
        NotLeft "not-left" Warning "A region is entered and never left.";
        CallsAcrossGap "calls-across-gap" Note
            "Enters and leaves do not balance on a location whose measurement was off for a while.";
        MixedCalls "mixed-calls" Note "A location has enters of regions and of calling contexts, which exclude each other.";
        UnwindDistance "unwind-distance" Warning "An unwind distance leads beyond the root of the calling context tree.";
        ProgramTwice "program-twice" Warning "A process has two program begins or ends.";
        ProgramNotPaired "program-not-paired" Warning
            "A process has a program begin without an end, or an end without a begin.";
        OutsideProgram "outside-program" Warning "An event of a process comes before the program begins or after it ended.";
    }
    "Messages" {
        NotAMember "not-a-member" Error "A location takes part in a communicator that it does not belong to.";
        RankOutOfRange "rank-out-of-range" Error "A rank is as large as its communicator, or larger.";
        UnmatchedSend "unmatched-send" Warning "A message is sent and never received.";
        UnmatchedReceive "unmatched-receive" Error "A message is received that was never sent.";
        MessageLength "message-length" Warning "A message is received with another length than it was sent with.";
        RequestInUse "request-in-use" Warning "A request is started with the number of one that is not complete.";
        RequestNotStarted "request-not-started" Warning "A request is tested, cancelled or completed that was not started.";
        RequestPurpose "request-purpose" Warning "A request is completed as something else than it was started for.";
        RequestNotComplete "request-not-complete" Warning "A request is started and never complete.";
    }
    "Collective operations" {
        CollectiveNotBegun "collective-not-begun" Warning "A collective operation ends that did not begin.";
        CollectiveNotEnded "collective-not-ended" Warning "A collective operation begins and does not end.";
        CollectiveDiffers "collective-differs" Error
            "The members of a communicator disagree on its n-th collective operation, or on the root.";
        CollectiveMissing "collective-missing" Warning "Not all members of a communicator take part in a collective operation.";
        NotFlagged "not-flagged" Warning
            "A communicator or window is created or destroyed by an event, but not flagged to have such events.";
        CreatedTwice "created-twice" Warning "A communicator or window is created that exists.";
        UseAfterDestroy "use-after-destroy" Warning "A communicator or window is used after its destruction.";
    }
    "One-sided communication" {
        RmaNumberInUse "rma-number-in-use" Warning "A one-sided operation has the number of one that is under way.";
        RmaNotIssued "rma-not-issued" Warning "A one-sided operation is tested or completed that was not issued.";
        RmaNotComplete "rma-not-complete" Warning "A one-sided operation is never complete.";
    }
    "Locks" {
        LockNotHeld "lock-not-held" Warning "A lock is released that is not held.";
        LockNotReleased "lock-not-released" Warning "A lock is acquired and never released.";
        LockOrder "lock-order" Warning
            "Acquisition numbers of a lock do not grow, or a release has another one than its acquisition.";
        LockHeldTwice "lock-held-twice" Warning "Two locations hold an exclusive lock at the same time.";
    }
    "Threads and tasks" {
        JoinWithoutFork "join-without-fork" Warning "A join does not end the innermost fork of its location.";
        TeamEndWithoutBegin "team-end-without-begin" Warning "A location leaves a thread team that it did not enter last.";
        NotJoined "not-joined" Warning "A fork is never joined, or a thread team never left.";
        ThreadTwice "thread-twice" Warning "A thread is created, begins, ends or is waited for twice.";
        ThreadOrder "thread-order" Warning "A thread ends before it begins, or is waited for before it ends.";
        ThreadNotCreated "thread-not-created" Warning "A thread begins that was not created.";
        ThreadNotBegun "thread-not-begun" Warning "A thread is created and never begins, or ends without a begin.";
        ThreadNotEnded "thread-not-ended" Warning "A thread begins or is waited for, but never ends.";
        TaskNotAlive "task-not-alive" Warning "A task is switched to or completed that was not created, or is complete.";
        TaskCreatedTwice "task-created-twice" Warning "A task is created with the number of one that is not complete.";
        TaskNotComplete "task-not-complete" Warning "A task is created and never complete.";
    }
    "Input and output" {
        HandleNotActive "handle-not-active" Warning "An I/O handle is used before its creation or after its destruction.";
        HandleActive "handle-active" Warning "An I/O handle is created that is active.";
        ProxyHandle "proxy-handle" Error "An I/O handle that stands for several is created, destroyed, duplicated or changed.";
        AccessMode "access-mode" Warning "An operation reads from a write-only I/O handle, or writes to a read-only one.";
        CollectiveIo "collective-io" Warning
            "A collective operation on a handle without a communicator, or a communicator for a serial paradigm.";
        IoNumberInUse "io-number-in-use" Warning "An I/O operation has the number of one that is under way on its handle.";
        IoNotBegun "io-not-begun" Warning "An I/O operation is tested, issued, cancelled or completed that was not begun.";
        IoNotComplete "io-not-complete" Warning "An I/O operation begins and never ends.";
        IoBytes "io-bytes" Warning "An I/O operation moves more bytes than were asked for.";
    }
    "Metrics, parameters, attributes" {
        MetricCount "metric-count" Error "A metric event has another number of values than its class has metrics.";
        MetricType "metric-type" Error "A metric event has a value of another type than its metric.";
        MetricRecorder "metric-recorder" Warning "A metric event is recorded by a location that its class does not name.";
        ParameterValueType "parameter-type" Error "A parameter has a value of another type than its definition says.";
        AttributeType "attribute-type" Warning "An attribute has a value of another type than its definition says.";
        DuplicateAttribute "duplicate-attribute" Error "An event has an attribute twice: readers refuse it.";
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
        let ids: BTreeSet<_> = Kind::ALL.iter().map(|kind| kind.row().id).collect();
        assert_eq!(ids.len(), Kind::ALL.len());
        assert!(Kind::ALL.iter().all(|&kind| Kind::of(kind.row().id) == Some(kind)));
    }

    #[test]
    fn every_id_space_has_its_kind() {
        let tables = [GlobalDefinition::RECORDS, Event::RECORDS, Snapshot::RECORDS];
        let fields = tables.into_iter().flatten().flat_map(|(.., fields)| fields.iter());
        let references = fields.filter(|field| field.names != "self").filter_map(space);
        let kinds: BTreeSet<_> = references.map(|space| (space, Kind::undefined(space))).collect();
        assert!(kinds.len() > 15, "{kinds:?}");
        assert!(kinds.iter().all(|(_, kind)| *kind != Kind::UndefinedValue), "{kinds:?}");
    }

    fn space(field: &FieldInfo) -> Option<&'static str> {
        match field.kind {
            FieldKind::Reference { space, .. } => Some(space),
            FieldKind::List { element: [FieldKind::Reference { space, .. }], .. } => Some(space),
            _ => None,
        }
    }
}
