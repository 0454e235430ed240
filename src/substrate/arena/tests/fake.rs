//! An arena that is filled field by field in the layouts of both generations, with a host whose
//! getters return the same values.

use super::block::{Block, PAGE};
use super::host::{self, Getter, set_answer};
use crate::arena::{Arena, Generation, Mismatch};
use crate::handles::Definition;
use crate::host::Host;
use crate::kinds::HandleType;

/// The handle of the first definition, as in Score-P.
const FIRST: u32 = 8192;

/// A value at an offset.
#[derive(Clone, Copy, Debug)]
pub(super) enum Value {
    Byte(u8),
    Word(u32),
    Double(u64),
}

pub(super) use Value::{Byte, Double, Word};

/// A host with its definitions, and the arena that reads them.
pub(super) struct Fake {
    pub(super) arena: Arena,
    pub(super) host: Host,
    pub(super) block: Block,
    /// The distance of handle 0 from the start of the block.
    pub(super) skew: usize,
    pub(super) next: u32,
    pub(super) numbers: [u32; 26],
}

impl Fake {
    /// Makes a fake without definitions, in a block that begins 24 bytes before handle 0.
    pub(super) fn new() -> Self {
        Self::within(Block::new(PAGE), 24)
    }

    /// Makes a fake without definitions, in which handle 0 is `skew` bytes after the start of the
    /// block.
    pub(super) fn within(block: Block, skew: usize) -> Self {
        Self { arena: Arena::new(), host: host::new(), block, skew, next: FIRST, numbers: [0; 26] }
    }

    /// Makes a fake with the definitions that are first in every process: a string, a group and a
    /// location. Returns it with the string.
    pub(super) fn started(generation: Generation) -> (Self, u32) {
        let mut fake = Self::new();
        let name = fake.string("a name");
        let group = fake.announced(HandleType::LOCATION_GROUP, 40, &[]);
        let group_word = if generation == Generation::From8 { group } else { 0 };
        fake.announced(HandleType::LOCATION, 56, &[(32, Word(name)), (44, Word(group_word))]);
        assert_eq!(fake.arena.generation(), generation);
        (fake, name)
    }

    /// The address of handle 0.
    pub(super) fn base(&self) -> usize {
        self.block.start() + self.skew
    }

    /// The end of the readable bytes, as a handle.
    pub(super) fn end(&self) -> u32 {
        (self.block.length() - self.skew) as u32
    }

    pub(super) fn set(&self, handle: u32, offset: usize, value: Value) {
        let at = self.skew + handle as usize + offset;
        match value {
            Byte(byte) => self.block.write(at, &[byte]),
            Word(word) => self.block.write(at, &word.to_ne_bytes()),
            Double(double) => self.block.write(at, &double.to_ne_bytes()),
        }
    }

    /// Writes a definition to memory, with the next number of its kind.
    pub(super) fn put(&mut self, kind: HandleType, size: u32, fields: &[(usize, Value)]) -> u32 {
        let handle = self.next;
        self.next = (handle + size).next_multiple_of(8);
        if kind != HandleType::PARADIGM && kind != HandleType::IO_PARADIGM {
            let number = &mut self.numbers[kind.0 as usize];
            *number += 1;
            let number = *number - 1;
            self.set(handle, 16, Word(number));
        }
        for &(offset, value) in fields {
            self.set(handle, offset, value);
        }
        handle
    }

    /// Writes a definition to memory and announces it.
    pub(super) fn announced(&mut self, kind: HandleType, size: u32, fields: &[(usize, Value)]) -> u32 {
        let handle = self.put(kind, size, fields);
        assert_eq!(self.announce(kind, handle), Ok(()));
        handle
    }

    pub(super) fn announce(&self, kind: HandleType, handle: u32) -> Result<(), Mismatch> {
        // SAFETY: this test's host follows no handle.
        self.arena.check(&self.host, unsafe { Definition::from_raw(handle, kind) })
    }

    /// Writes a string to memory without announcing it.
    pub(super) fn text(&mut self, text: &str) -> u32 {
        let length = text.len() as u32;
        let handle = self.put(HandleType::STRING, 25 + length, &[(20, Word(length))]);
        self.block.write(self.skew + handle as usize + 24, text.as_bytes());
        set_answer(Getter::SCOREP_StringHandle_Get, handle, self.text_address(handle));
        handle
    }

    pub(super) fn string(&mut self, text: &str) -> u32 {
        let handle = self.text(text);
        assert_eq!(self.announce(HandleType::STRING, handle), Ok(()));
        handle
    }

    pub(super) fn text_address(&self, string: u32) -> u64 {
        (self.base() + string as usize + 24) as u64
    }

    /// Writes a region with a different value in every field, without announcing it.
    pub(super) fn region(&mut self, name: u32) -> u32 {
        let number = self.numbers[HandleType::REGION.0 as usize];
        let words = [(20, name), (24, name), (28, name), (32, 11), (36, name), (40, 12), (44, 13), (48, 6)];
        let region = self.put(HandleType::REGION, 56, &words.map(|(offset, word)| (offset, Word(word))));
        set_answer(Getter::SCOREP_RegionHandle_GetName, region, self.text_address(name));
        set_answer(Getter::SCOREP_RegionHandle_GetId, region, number.into());
        set_answer(Getter::SCOREP_RegionHandle_GetType, region, 11);
        set_answer(Getter::SCOREP_RegionHandle_GetBeginLine, region, 12);
        set_answer(Getter::SCOREP_RegionHandle_GetEndLine, region, 13);
        set_answer(Getter::SCOREP_RegionHandle_GetParadigmType, region, 6);
        region
    }

    /// Writes a metric with a different value in every field, without announcing it.
    pub(super) fn metric(&mut self, name: u32) -> u32 {
        let fields = [
            (20, Word(name)),
            (24, Word(name)),
            (28, Word(1)),
            (32, Word(2)),
            (36, Word(0)),
            (40, Word(1)),
            (48, Double((-6_i64).cast_unsigned())),
            (56, Word(name)),
            (60, Word(3)),
            (64, Word(0)),
        ];
        let metric = self.put(HandleType::METRIC, 72, &fields);
        set_answer(Getter::SCOREP_MetricHandle_GetSourceType, metric, 1);
        set_answer(Getter::SCOREP_MetricHandle_GetMode, metric, 2);
        set_answer(Getter::SCOREP_MetricHandle_GetValueType, metric, 0);
        set_answer(Getter::SCOREP_MetricHandle_GetProfilingType, metric, 3);
        metric
    }

    /// Writes a set of these metrics, without announcing it.
    pub(super) fn sampling_set(&mut self, metrics: &[u32]) -> u32 {
        let count = metrics.len() as u8;
        let size = 60 + 4 * u32::from(count);
        let fields = [(32, Word(2)), (36, Word(1)), (56, Byte(count))];
        let set = self.put(HandleType::SAMPLING_SET, size, &fields);
        for (at, &metric) in metrics.iter().enumerate() {
            self.set(set, 60 + 4 * at, Word(metric));
        }
        self.answer_for_set(set, set, count);
        set
    }

    /// Writes a scoped set that refers to another one, without announcing it.
    pub(super) fn scoped(&mut self, class: u32, recorder: u32, scope: [u32; 2]) -> u32 {
        let fields = [
            (20, Byte(1)),
            (24, Word(class)),
            (28, Word(recorder)),
            (32, Word(scope[0])),
            (36, Word(scope[1])),
        ];
        let set = self.put(HandleType::SAMPLING_SET, 40, &fields);
        let count = self.block.bytes(self.skew + class as usize + 56, 1)[0];
        set_answer(Getter::SCOREP_SamplingSetHandle_IsScoped, set, 1);
        self.answer_for_set(set, class, count);
        set
    }

    fn answer_for_set(&self, set: u32, class: u32, count: u8) {
        set_answer(Getter::SCOREP_SamplingSetHandle_GetNumberOfMetrics, set, count.into());
        let metrics = self.base() + class as usize + 60;
        set_answer(Getter::SCOREP_SamplingSetHandle_GetMetricHandles, set, metrics as u64);
    }
}
