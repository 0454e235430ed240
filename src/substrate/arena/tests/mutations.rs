//! Definitions with a single error: the arena switches off, or does not return the definition.
//! Unreadable memory is never read.

use super::block::{Block, PAGE};
use super::fake::{Byte, Double, Fake, Word};
use super::host::{self, Getter, set_answer};
use crate::arena::memory::{Unlisted, listed, tried};
use crate::arena::*;
use crate::handles::*;
use crate::kinds::HandleType;

macro_rules! handle {
    ($kind:ident, $raw:expr) => {
        // SAFETY: this test's host follows no handle.
        unsafe { $kind::from_raw($raw) }
    };
}

/// Announces a definition that must fail at `check`. Asserts that the arena is off afterwards and
/// reports this once.
#[track_caller]
fn fails(fake: &Fake, kind: HandleType, handle: u32, check: Check) -> Mismatch {
    let mismatch = fake.announce(kind, handle).expect_err("a mismatch");
    assert_eq!((mismatch.check, mismatch.definition.handle().raw()), (check, handle));
    assert!(!fake.arena.is_on());
    assert_eq!(fake.announce(kind, handle), Ok(()), "reported twice");
    mismatch
}

#[test]
fn a_string_outside_the_arena_switches_it_off() {
    let (mut fake, _) = Fake::started(Generation::From8);
    let other = Box::leak(Box::new([0_u8; 64]));
    let string = fake.text("a text");
    set_answer(Getter::SCOREP_StringHandle_Get, string, other.as_ptr().expose_provenance() as u64);
    let mismatch = fails(&fake, HandleType::STRING, string, Check::Base);
    assert_eq!(mismatch.expected, fake.base() as u64);
    assert_eq!(fake.arena.string(handle!(StringHandle, string)), None);
}

/// A host without an arena: texts at arbitrary addresses, the first one at the start of a mapping
/// or without a base.
#[test]
fn a_first_string_without_an_arena_is_rejected() {
    let block = Block::new(PAGE);
    for text in [block.start(), block.start() + 23] {
        let mut fake = Fake::new();
        let string = fake.text("");
        set_answer(Getter::SCOREP_StringHandle_Get, string, text as u64);
        fails(&fake, HandleType::STRING, string, Check::Mapped);
    }
    let fake = Fake::new();
    set_answer(Getter::SCOREP_StringHandle_Get, u32::MAX - 3, block.start() as u64);
    fails(&fake, HandleType::STRING, u32::MAX - 3, Check::Mapped);
    let fake = Fake::new();
    fails(&fake, HandleType::STRING, 8192, Check::Text);
}

/// The first string is plausible by accident, but the memory after its base is not mapped.
#[test]
fn an_unmapped_base_is_never_followed() {
    let fake = Fake::new();
    let block = Block::new(PAGE);
    set_answer(Getter::SCOREP_StringHandle_Get, 0x7000_0000, (block.start() + 24) as u64);
    assert_eq!(fake.announce(HandleType::STRING, 0x7000_0000), Ok(()));
    for raw in [4, 8192, 0x7000_0000 - 4, 0x7000_0000 + PAGE as u32, u32::MAX - 3] {
        assert_eq!(fake.arena.region(handle!(RegionHandle, raw)), None, "{raw:#x}");
        assert_eq!(fake.arena.string(handle!(StringHandle, raw)), None, "{raw:#x}");
    }
    fails(&fake, HandleType::LOCATION_GROUP, 8192, Check::Mapped);
}

#[test]
fn nothing_can_be_read_before_the_first_string() {
    let mut fake = Fake::new();
    let node = fake.put(HandleType::SYSTEM_TREE_NODE, 56, &[]);
    assert_eq!(fake.arena.system_tree_node(handle!(SystemTreeNodeHandle, node)), None);
    fails(&fake, HandleType::SYSTEM_TREE_NODE, node, Check::Mapped);
}

#[test]
fn a_wrong_length_word_is_detected() {
    let (mut fake, _) = Fake::started(Generation::From8);
    let string = fake.text("a text");
    fake.set(string, 20, Word(7));
    let mismatch = fails(&fake, HandleType::STRING, string, Check::StringLength);
    assert_eq!(mismatch.to_string(), format!("STRING {string}: length of the text: expected 0x6, found 0x7"));
}

#[test]
fn a_length_changed_later_is_rejected() {
    let (fake, name) = Fake::started(Generation::From8);
    for length in [5, 7, 65_536, 0x7fff_ffff, u32::MAX] {
        fake.set(name, 20, Word(length));
        assert_eq!(fake.arena.string(handle!(StringHandle, name)), None, "{length}");
    }
    assert!(fake.arena.is_on());
}

#[test]
fn every_changed_field_of_a_region_is_detected() {
    for (offset, check) in [
        (16, Check::SequenceNumber),
        (20, Check::RegionName),
        (32, Check::RegionType),
        (40, Check::BeginLine),
        (44, Check::EndLine),
        (48, Check::RegionParadigm),
    ] {
        let (mut fake, name) = Fake::started(Generation::From8);
        let region = fake.region(name);
        fake.set(region, offset, Word(0xdead_beef));
        fails(&fake, HandleType::REGION, region, check);
    }
    let (mut fake, name) = Fake::started(Generation::From8);
    let region = fake.region(name);
    set_answer(Getter::SCOREP_RegionHandle_GetId, region, 1);
    fails(&fake, HandleType::REGION, region, Check::RegionId);
}

#[test]
fn every_changed_field_of_a_metric_is_detected() {
    for (offset, check) in [
        (16, Check::SequenceNumber),
        (28, Check::MetricSourceType),
        (32, Check::MetricMode),
        (36, Check::MetricValueType),
        (60, Check::MetricProfilingType),
    ] {
        let (mut fake, name) = Fake::started(Generation::From8);
        let metric = fake.metric(name);
        fake.set(metric, offset, Word(77));
        fails(&fake, HandleType::METRIC, metric, check);
    }
}

#[test]
fn every_changed_field_of_a_sampling_set_is_detected() {
    let changes = [(20, Check::IsScoped), (56, Check::MetricCount)];
    for (offset, check) in changes {
        let (mut fake, name) = Fake::started(Generation::From8);
        let metric = fake.metric(name);
        let set = fake.sampling_set(&[metric]);
        fake.set(set, offset, Byte(3));
        fails(&fake, HandleType::SAMPLING_SET, set, check);
    }
    let (mut fake, name) = Fake::started(Generation::From8);
    let metric = fake.metric(name);
    let set = fake.sampling_set(&[metric]);
    set_answer(Getter::SCOREP_SamplingSetHandle_GetMetricHandles, set, fake.text_address(name));
    fails(&fake, HandleType::SAMPLING_SET, set, Check::Metrics);

    for (class, check) in [(0, Check::Mapped), (0x7fff_fff0, Check::Mapped), (1, Check::Metrics)] {
        let (mut fake, name) = Fake::started(Generation::From8);
        let metric = fake.metric(name);
        let (set, other) = (fake.sampling_set(&[metric]), fake.sampling_set(&[metric]));
        let scoped = fake.scoped(set, 0, [0, 0]);
        let number = Word(0);
        fake.set(scoped, 16, number);
        fake.set(scoped, 24, Word(if class == 1 { other } else { class }));
        fails(&fake, HandleType::SAMPLING_SET, scoped, check);
    }
}

#[test]
fn changed_fields_of_other_kinds_are_detected() {
    let kinds = [
        (HandleType::PARAMETER, 28, (24, Word(1)), Check::ParameterType),
        (HandleType::PARADIGM, 44, (8, Word(1)), Check::ParadigmType),
        (HandleType::PARADIGM, 44, (12, Word(1)), Check::ParadigmClass),
        (HandleType::SOURCE_FILE, 24, (20, Word(8192)), Check::SourceFileName),
        (HandleType::CALLING_CONTEXT, 56, (44, Word(8)), Check::CallingContextRegion),
        (HandleType::CALLING_CONTEXT, 56, (52, Word(8)), Check::CallingContextParent),
    ];
    for (kind, size, field, check) in kinds {
        let (mut fake, _) = Fake::started(Generation::From8);
        let definition = fake.put(kind, size, &[field]);
        fails(&fake, kind, definition, check);
    }
}

#[test]
fn wrong_sequence_numbers_are_detected() {
    for number in [0, 2, u32::MAX] {
        let (mut fake, _) = Fake::started(Generation::From8);
        let node = fake.announced(HandleType::SYSTEM_TREE_NODE, 56, &[]);
        assert_eq!(fake.arena.sequence(handle!(SystemTreeNodeHandle, node)), Some(0));
        let next = fake.put(HandleType::SYSTEM_TREE_NODE, 56, &[(16, Word(number))]);
        fails(&fake, HandleType::SYSTEM_TREE_NODE, next, Check::SequenceNumber);
    }
}

#[test]
fn kinds_without_order_have_distinct_numbers() {
    for kind in [HandleType::IO_HANDLE, HandleType::INTERIM_COMMUNICATOR] {
        for wrong in [3, 100_000, u32::MAX] {
            let (mut fake, _) = Fake::started(Generation::From8);
            for number in [5, 3, 1000, 0, 40_000] {
                fake.announced(kind, 64, &[(16, Word(number))]);
            }
            let next = fake.put(kind, 64, &[(16, Word(wrong))]);
            // Numbers beyond the table only need to be possible.
            if wrong == 100_000 {
                assert_eq!(fake.announce(kind, next), Ok(()));
            } else {
                fails(&fake, kind, next, Check::DistinctNumber);
            }
        }
    }
}

#[test]
fn locations_of_another_generation_are_rejected() {
    // The first location is of neither generation.
    let mut fake = Fake::new();
    fake.string("");
    fake.announced(HandleType::LOCATION_GROUP, 40, &[]);
    let location = fake.put(HandleType::LOCATION, 56, &[(44, Word(4))]);
    fails(&fake, HandleType::LOCATION, location, Check::LocationGroup);
    assert_eq!(fake.arena.generation(), Generation::Unknown);
    // A later location is of the other generation.
    for (generation, word) in
        [(Generation::From8, 0), (Generation::From8, 0x7fff_fff0), (Generation::UpTo7, 8192)]
    {
        let (mut fake, _) = Fake::started(generation);
        let location = fake.put(HandleType::LOCATION, 56, &[(44, Word(word))]);
        fails(&fake, HandleType::LOCATION, location, Check::LocationGroup);
    }
    // There is no location group yet.
    let mut fake = Fake::new();
    fake.string("");
    let location = fake.put(HandleType::LOCATION, 56, &[]);
    fails(&fake, HandleType::LOCATION, location, Check::LocationGroup);
}

#[test]
fn handles_past_the_end_are_rejected() {
    for kind in 1..=25 {
        let kind = HandleType(kind);
        for before in [16, 0] {
            let (fake, _) = Fake::started(Generation::From8);
            let handle = (fake.end() & !3) - before;
            let check = if kind == HandleType::STRING { Check::Text } else { Check::Mapped };
            fails(&fake, kind, handle, check);
        }
    }
}

#[test]
fn readers_stop_at_the_end() {
    let (fake, name) = Fake::started(Generation::From8);
    // The last region that fits, at a handle that is a multiple of 4.
    let last = (fake.end() - 56) & !3;
    fake.set(last, 20, Word(name));
    assert_eq!(fake.arena.region(handle!(RegionHandle, last)).map(|region| region.name.raw()), Some(name));
    for raw in [last + 4, last + 56, last + 60, 0x7fff_fffc, u32::MAX - 3, u32::MAX] {
        assert_eq!(fake.arena.region(handle!(RegionHandle, raw)), None, "{raw:#x}");
    }
    assert_eq!(fake.arena.region(handle!(RegionHandle, last + 1)), None, "not a handle");
}

#[test]
fn fields_that_cannot_be_handles_are_rejected() {
    let (mut fake, name) = Fake::started(Generation::From8);
    let file = fake.announced(HandleType::IO_FILE, 40, &[(20, Word(name))]);
    for wrong in [1, 2, 3, 0x7fff_fffc, u32::MAX] {
        fake.set(file, 24, Word(wrong));
        assert_eq!(fake.arena.io_file(handle!(IoFileHandle, file)), None, "{wrong:#x}");
    }
    assert!(fake.arena.is_on());
}

#[test]
fn flags_that_are_neither_true_nor_false_are_rejected() {
    let (mut fake, _) = Fake::started(Generation::From8);
    let window = fake.announced(HandleType::RMA_WINDOW, 40, &[(32, Byte(2))]);
    assert_eq!(fake.arena.rma_window(handle!(RmaWindowHandle, window)), None);
}

#[test]
fn circular_lists_and_elements_of_other_owners_are_rejected() {
    let (mut fake, _) = Fake::started(Generation::From8);
    let node = fake.announced(HandleType::SYSTEM_TREE_NODE, 56, &[]);
    let kind = HandleType::SYSTEM_TREE_NODE_PROPERTY;
    let properties: Vec<u32> = (0..9).map(|_| fake.announced(kind, 36, &[(20, Word(node))])).collect();
    let list = |fake: &Fake| {
        let properties = fake.arena.system_tree_node_properties(handle!(SystemTreeNodeHandle, node));
        properties.map(Iterator::count)
    };
    assert_eq!(list(&fake), Some(0));
    fake.set(node, 36, Word(properties[0]));
    for pair in properties.windows(2) {
        fake.set(pair[0], 32, Word(pair[1]));
    }
    assert_eq!(list(&fake), Some(9));
    let last = properties[8];
    for &back in &properties {
        fake.set(last, 32, Word(back));
        assert_eq!(list(&fake), None, "a circular list");
    }
    for wrong in [node, 4, 0x7fff_fffc, u32::MAX] {
        fake.set(last, 32, Word(wrong));
        assert_eq!(list(&fake), None, "{wrong:#x}");
    }
    fake.set(last, 32, Word(0));
    fake.set(properties[4], 20, Word(last));
    assert_eq!(list(&fake), None, "a property of another owner");
    assert!(fake.arena.is_on());
}

#[test]
fn impossible_counts_are_rejected() {
    let (mut fake, _) = Fake::started(Generation::From8);
    let group = fake.announced(HandleType::GROUP, 40, &[]);
    let room = u64::from(fake.end() - group - 40) / 8;
    for (count, fits) in [
        (0, true),
        (room, true),
        (room + 1, false),
        (1 << 29, false),
        (1 << 61, false),
        (u64::MAX / 8, false),
        (u64::MAX, false),
    ] {
        fake.set(group, 32, Double(count));
        let members = fake.arena.group_members(handle!(GroupHandle, group));
        assert_eq!(members.map(|members| members.iter().count() as u64), fits.then_some(count));
    }
    let topology = fake.announced(HandleType::CARTESIAN_TOPOLOGY, 40, &[]);
    let coords = fake.announced(HandleType::CARTESIAN_COORDS, 40, &[]);
    for count in [65_536, u32::MAX] {
        fake.set(topology, 32, Word(count));
        fake.set(coords, 24, Word(count));
        assert!(fake.arena.dimensions(handle!(CartesianTopologyHandle, topology)).is_none());
        assert!(fake.arena.coordinates(handle!(CartesianCoordsHandle, coords)).is_none());
    }
    assert!(fake.arena.is_on());
}

#[test]
fn definitions_cannot_be_read_after_write_data() {
    let (mut fake, name) = Fake::started(Generation::From8);
    assert_eq!(fake.arena.string(handle!(StringHandle, name)), Some(c"a name"));
    let region = fake.region(name);
    host::tear_down(&fake.host);
    fake.block.protect(0, libc::PROT_NONE);
    assert_eq!(fake.arena.string(handle!(StringHandle, name)), None);
    assert_eq!(fake.arena.region(handle!(RegionHandle, region)), None);
    let _ = fake.announce(HandleType::REGION, region);
}

#[test]
fn a_switched_off_arena_returns_nothing() {
    let (fake, name) = Fake::started(Generation::From8);
    assert!(fake.arena.switch_off() && !fake.arena.switch_off());
    assert_eq!(fake.arena.string(handle!(StringHandle, name)), None);
    assert_eq!(fake.arena.sequence(handle!(StringHandle, name)), None);
    assert_eq!(fake.arena.generation(), Generation::From8);
}

#[test]
fn unknown_kinds_are_not_read() {
    let (fake, _) = Fake::started(Generation::From8);
    assert_eq!(fake.announce(HandleType(99), 0x7fff_fffc), Ok(()));
    assert!(fake.arena.is_on());
}

/// A block that becomes readable piece by piece is extended at announcements, not by following
/// fields.
#[test]
fn an_arena_grows_at_announcements() {
    let block = Block::new(3 * PAGE);
    block.protect(PAGE, libc::PROT_NONE);
    let fake = Fake::within(block, 0);
    set_answer(Getter::SCOREP_StringHandle_Get, 8192, fake.text_address(8192));
    assert_eq!(fake.announce(HandleType::STRING, 8192), Ok(()));
    let far = 2 * PAGE as u32;
    fake.block.protect(PAGE, libc::PROT_READ | libc::PROT_WRITE);
    assert_eq!(fake.arena.group(handle!(GroupHandle, far)), None);
    assert_eq!(fake.announce(HandleType::GROUP, far), Ok(()));
    assert!(fake.arena.group(handle!(GroupHandle, far)).is_some());
    fails(&fake, HandleType::GROUP, 3 * PAGE as u32 - 16, Check::Mapped);
}

/// Without the list of mappings, the arena is extended only by contiguous pages.
#[test]
fn an_arena_grows_without_the_list_of_mappings() {
    let arena = || Arena::listed_by(|_| Err(Unlisted));
    let block = Block::new(4 * PAGE);
    block.protect(3 * PAGE, libc::PROT_NONE);
    let fake = Fake { arena: arena(), ..Fake::within(block, 0) };
    set_answer(Getter::SCOREP_StringHandle_Get, PAGE as u32, fake.text_address(PAGE as u32));
    assert_eq!(fake.announce(HandleType::STRING, PAGE as u32), Ok(()));
    assert_eq!(fake.arena.group(handle!(GroupHandle, 8192)), None);
    for (number, handle) in [2 * PAGE as u32, 8192, 3 * PAGE as u32 - 40].into_iter().enumerate() {
        fake.set(handle, 16, Word(number as u32));
        assert_eq!(fake.announce(HandleType::GROUP, handle), Ok(()));
        assert!(fake.arena.group(handle!(GroupHandle, handle)).is_some());
    }
    fails(&fake, HandleType::GROUP, 3 * PAGE as u32 - 16, Check::Mapped);

    let block = Block::new(PAGE);
    let fake = Fake { arena: arena(), ..Fake::within(Block::new(PAGE), 0) };
    set_answer(Getter::SCOREP_StringHandle_Get, 8192, block.start() as u64);
    fails(&fake, HandleType::STRING, 8192, Check::Mapped);
}

/// The probe that replaces the list of mappings must agree with the list.
#[test]
fn probing_pages_agrees_with_the_list_of_mappings() {
    let block = Block::new(2 * PAGE);
    let (start, end) = (block.start(), block.start() + block.length());
    for known in [start..end, start + 100..start + 101, end - 1..end] {
        let tried = tried(&known).expect("readable");
        assert!(
            tried.start <= known.start && known.end <= tried.end && start <= tried.start && tried.end <= end
        );
        assert_eq!(listed(&known).expect("a list"), Some(start..end));
    }
    for unknown in
        [start - 1..end, start..end + 1, end..end + 1, start - 8..start, usize::MAX - 4..usize::MAX]
    {
        assert_eq!(tried(&unknown), None);
        assert_eq!(listed(&unknown).expect("a list"), None);
    }
}

/// An announcement may be made in a signal handler.
#[test]
fn errno_is_preserved() {
    // SAFETY: the address of this thread's `errno` is always valid.
    unsafe { *libc::__errno_location() = 12_345 };
    let mut fake = Fake::new();
    let name = fake.string("a name");
    fails(&fake, HandleType::STRING, name, Check::SequenceNumber);
    assert_eq!(tried(&(8..16)), None);
    // SAFETY: as above.
    assert_eq!(unsafe { *libc::__errno_location() }, 12_345);
}
