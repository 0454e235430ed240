//! The checks that an announced definition must pass (docs/spec/scorep-substrate-abi.md, §12 and
//! §14.1). They use only fields that are final at the announcement
//! (docs/spec/scorep-substrate-abi.md, §14.3).

use core::ffi::CStr;
use core::fmt;
use core::sync::atomic::{
    AtomicU32, AtomicU64,
    Ordering::{AcqRel, Acquire, Relaxed},
};

use super::fields::{HEADER, SEQUENCE_NUMBER};
use super::memory::DefinitionBytes;
use super::{Arena, Generation, TEXT, TEXT_LENGTH};
use crate::handles::*;
use crate::host::Host;
use crate::kinds::*;

/// A failed check: the host's layout of definitions differs from all known releases.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mismatch {
    /// The announced definition.
    pub definition: Definition,
    /// The value that was compared.
    pub check: Check,
    /// The value from the host's getters or from earlier announcements.
    pub expected: u64,
    /// The value in memory.
    pub found: u64,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = self.definition.kind();
        let kind =
            kind.name().and_then(|name| name.strip_prefix("SCOREP_HANDLE_TYPE_")).unwrap_or("definition");
        let (handle, check) = (self.definition.handle().raw(), self.check.text());
        write!(formatter, "{kind} {handle}: {check}: expected {:#x}, found {:#x}", self.expected, self.found)
    }
}

/// Declares the values that are compared, with their descriptions.
macro_rules! checks {
    ($($(#[$doc:meta])* $check:ident = $text:literal;)*) => {
        /// A value that is compared.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[non_exhaustive]
        pub enum Check {
            $($(#[$doc])* $check,)*
        }

        impl Check {
            fn text(self) -> &'static str {
                match self {
                    $(Self::$check => $text,)*
                }
            }
        }
    };
}

checks! {
    /// The presence of a text for an announced string.
    Text = "address of the text";
    /// The address of handle 0, which must be the same for every string.
    Base = "address of definition memory";
    /// The presence of the definition in known memory. The values are its handle and 0.
    Mapped = "definition in known memory";
    /// The length word of a string.
    StringLength = "length of the text";
    /// The number of the definition within its kind.
    SequenceNumber = "sequence number";
    /// The sequence numbers of a kind without order, which must be distinct and below a bound. The
    /// values are the bound and the number.
    DistinctNumber = "distinct sequence number";
    /// The address of the text of a region's name.
    RegionName = "address of the name";
    /// The number of a region.
    RegionId = "region id";
    /// The type of a region.
    RegionType = "region type";
    /// The first line of a region.
    BeginLine = "first line";
    /// The last line of a region.
    EndLine = "last line";
    /// The paradigm of a region.
    RegionParadigm = "paradigm of the region";
    /// The value type of a metric.
    MetricValueType = "value type";
    /// The mode of a metric.
    MetricMode = "metric mode";
    /// The source of a metric.
    MetricSourceType = "source of the metric";
    /// The profiling type of a metric.
    MetricProfilingType = "profiling type";
    /// Whether a sampling set is scoped.
    IsScoped = "scoped flag";
    /// The address of the metrics of a sampling set.
    Metrics = "address of the metrics";
    /// The number of metrics in a sampling set.
    MetricCount = "number of metrics";
    /// The type of a parameter.
    ParameterType = "parameter type";
    /// The type of a paradigm.
    ParadigmType = "paradigm type";
    /// The class of a paradigm.
    ParadigmClass = "paradigm class";
    /// The address of the text of a source file's name.
    SourceFileName = "address of the file name";
    /// The region of a calling context.
    CallingContextRegion = "region of the calling context";
    /// The parent of a calling context.
    CallingContextParent = "parent of the calling context";
    /// The word of a location that is the handle of its group from Score-P 8.0 on, and 0 before.
    LocationGroup = "location group";
}

/// A definition that is compared, with its bytes in memory.
struct Comparison<'a> {
    definition: Definition,
    record: DefinitionBytes<'a>,
}

type Checked = Result<(), Mismatch>;

impl Arena {
    /// Compares an announced definition with the results of the host's getters. Must be called at
    /// every announcement, in order, before any definition is read.
    ///
    /// # Errors
    ///
    /// Returns the first difference, once: the arena is then off, and later calls compare nothing.
    pub fn check(&self, host: &Host, definition: Definition) -> Result<(), Mismatch> {
        if !self.is_on() {
            return Ok(());
        }
        self.memory.belongs_to(host);
        match self.compare(host, definition) {
            Err(mismatch) if self.switch_off() => Err(mismatch),
            _ => Ok(()),
        }
    }

    fn compare(&self, host: &Host, definition: Definition) -> Checked {
        match definition {
            Definition::String(string) => self.check_string(host, definition, string)?,
            Definition::Other(..) => return Ok(()),
            _ => {}
        }
        let handle = definition.handle().raw();
        let record = self.memory.announced(handle, size(definition));
        let record = record.ok_or(mismatch(definition, Check::Mapped, handle, 0_u32))?;
        let compared = Comparison { definition, record };
        self.check_number(&compared)?;
        match definition {
            Definition::Region(region) => self.check_region(host, &compared, region),
            Definition::Metric(metric) => check_metric(host, &compared, metric),
            Definition::SamplingSet(set) => self.check_sampling_set(host, &compared, set),
            Definition::Parameter(parameter) => check_parameter(host, &compared, parameter),
            Definition::Paradigm(paradigm) => check_paradigm(host, &compared, paradigm),
            Definition::SourceFile(file) => self.check_source_file(host, &compared, file),
            Definition::CallingContext(context) => check_calling_context(host, &compared, context),
            Definition::LocationGroup(group) => {
                self.note_location_group(group);
                Ok(())
            }
            Definition::Location(_) => self.check_location(&compared),
            _ => Ok(()),
        }
    }

    /// Checks a string. Until its address is found consistent with those of earlier strings, only
    /// the text that the host returned is read.
    fn check_string(&self, host: &Host, definition: Definition, string: StringHandle) -> Checked {
        let text = host.string(string).ok_or(mismatch(definition, Check::Text, 1_u32, 0_u32))?;
        let (address, length) = (address_of(text), text.count_bytes());
        let start = address.wrapping_sub(TEXT);
        let base = start.wrapping_sub(string.raw() as usize);
        match self.memory.base() {
            Some(known) => same(definition, Check::Base, known as u64, base as u64)?,
            None => {
                let plausible = base < start && base != 0;
                if !plausible || !self.memory.open(base, start..address + length + 1) {
                    return Err(mismatch(definition, Check::Mapped, string.raw(), 0_u32));
                }
            }
        }
        let record = self.memory.announced(string.raw(), TEXT + length + 1);
        let record = record.ok_or(mismatch(definition, Check::Mapped, string.raw(), 0_u32))?;
        Comparison { definition, record }.word(Check::StringLength, TEXT_LENGTH, length as u64)
    }

    fn check_number(&self, compared: &Comparison<'_>) -> Checked {
        let number = compared.found(SEQUENCE_NUMBER);
        match compared.definition {
            Definition::Paradigm(_) | Definition::IoParadigm(_) => Ok(()),
            Definition::IoHandle(_) => compared.distinct(&self.numbers.io_handles, number),
            Definition::InterimCommunicator(_) => {
                compared.distinct(&self.numbers.interim_communicators, number)
            }
            definition => {
                let next = self.numbers.next(definition.kind());
                same(definition, Check::SequenceNumber, next.into(), number.into())
            }
        }
    }

    fn check_region(&self, host: &Host, compared: &Comparison<'_>, region: RegionHandle) -> Checked {
        let name = compared.found(20);
        same(
            compared.definition,
            Check::RegionName,
            host.region_name(region).map_or(0, address_of) as u64,
            self.text_address(name),
        )?;
        compared.word(Check::RegionId, SEQUENCE_NUMBER, host.region_id(region).unwrap_or(0).into())?;
        compared.word(Check::RegionType, 32, host.region_type(region).0.into())?;
        compared.word(Check::BeginLine, 40, host.region_begin_line(region).unwrap_or(0).into())?;
        compared.word(Check::EndLine, 44, host.region_end_line(region).unwrap_or(0).into())?;
        compared.word(Check::RegionParadigm, 48, host.region_paradigm(region).0.into())
    }

    fn check_source_file(&self, host: &Host, compared: &Comparison<'_>, file: SourceFileHandle) -> Checked {
        let expected = host.source_file_name(file).map_or(0, address_of);
        let found = self.text_address(compared.found(20));
        same(compared.definition, Check::SourceFileName, expected as u64, found)
    }

    /// Checks a sampling set. For a scoped set, the host returns the metrics of the set that it
    /// refers to.
    fn check_sampling_set(&self, host: &Host, compared: &Comparison<'_>, set: SamplingSetHandle) -> Checked {
        let definition = compared.definition;
        let is_scoped = host.sampling_set_is_scoped(set);
        compared.byte(Check::IsScoped, 20, is_scoped.into())?;
        let class = if is_scoped { compared.found(24) } else { set.raw() };
        let metrics = host.metric_handles(set);
        let record = self.memory.announced(class, 60 + 4 * metrics.len());
        let record = record.ok_or(mismatch(definition, Check::Mapped, class, 0_u32))?;
        Comparison { definition, record }.byte(Check::MetricCount, 56, metrics.len() as u64)?;
        let address = if metrics.is_empty() { 0 } else { metrics.as_ptr().addr() };
        let found = if metrics.is_empty() { 0 } else { self.address(class, 60) };
        same(definition, Check::Metrics, address as u64, found)
    }

    fn note_location_group(&self, group: LocationGroupHandle) {
        // The first location group is that of the process.
        let _ = self.location_group.compare_exchange(0, group.raw(), AcqRel, Relaxed);
    }

    /// Determines the generation from the first location, and checks that the others match it.
    fn check_location(&self, compared: &Comparison<'_>) -> Checked {
        let (first_group, word) = (self.location_group.load(Acquire), compared.found(LOCATION_GROUP));
        let (fits, expected) = match self.generation() {
            Generation::Unknown => (word == 0 || word == first_group, first_group),
            Generation::UpTo7 => (word == 0, 0),
            Generation::From8 => (word != 0 && self.memory.can_be_handle(word), first_group),
        };
        if !fits || first_group == 0 {
            return Err(mismatch(compared.definition, Check::LocationGroup, expected, word));
        }
        self.set_generation(if word == 0 { Generation::UpTo7 } else { Generation::From8 });
        Ok(())
    }

    /// The expected address of the text of a string, or 0 for no string.
    fn text_address(&self, string: u32) -> u64 {
        if string == 0 { 0 } else { self.address(string, TEXT) }
    }

    fn address(&self, handle: u32, offset: usize) -> u64 {
        (self.memory.base().unwrap_or(0) as u64).wrapping_add(u64::from(handle) + offset as u64)
    }
}

/// The offset of the handle of a location's group from Score-P 8.0 on. In earlier releases it is
/// the upper half of a count that is 0 (docs/spec/scorep-substrate-abi.md, §12).
const LOCATION_GROUP: usize = 44;

fn check_metric(host: &Host, compared: &Comparison<'_>, metric: MetricHandle) -> Checked {
    compared.word(Check::MetricSourceType, 28, host.metric_source_type(metric).0.into())?;
    compared.word(Check::MetricMode, 32, host.metric_mode(metric).0.into())?;
    compared.word(Check::MetricValueType, 36, host.metric_value_type(metric).0.into())?;
    compared.word(Check::MetricProfilingType, 60, host.metric_profiling_type(metric).0.into())
}

fn check_parameter(host: &Host, compared: &Comparison<'_>, parameter: ParameterHandle) -> Checked {
    compared.word(Check::ParameterType, 24, host.parameter_type(parameter).0.into())
}

fn check_paradigm(host: &Host, compared: &Comparison<'_>, paradigm: ParadigmHandle) -> Checked {
    compared.word(Check::ParadigmType, 8, host.paradigm_type(paradigm).0.into())?;
    compared.word(Check::ParadigmClass, 12, host.paradigm_class(paradigm).0.into())
}

fn check_calling_context(host: &Host, compared: &Comparison<'_>, context: CallingContextHandle) -> Checked {
    compared.word(Check::CallingContextRegion, 44, host.calling_context_region(context).raw().into())?;
    compared.word(Check::CallingContextParent, 52, host.calling_context_parent(context).raw().into())
}

impl Comparison<'_> {
    /// The word at `offset`, which is in the record for all checks of its kind.
    fn found(&self, offset: usize) -> u32 {
        self.record.u32(offset).unwrap_or(u32::MAX)
    }

    fn word(&self, check: Check, offset: usize, expected: u64) -> Checked {
        same(self.definition, check, expected, self.found(offset).into())
    }

    fn byte(&self, check: Check, offset: usize, expected: u64) -> Checked {
        same(self.definition, check, expected, self.record.u8(offset).unwrap_or(u8::MAX).into())
    }

    fn distinct(&self, seen: &Seen, number: u32) -> Checked {
        if seen.is_new(number) {
            return Ok(());
        }
        Err(mismatch(self.definition, Check::DistinctNumber, MOST_DEFINITIONS, number))
    }
}

/// The number of bytes that the checks of a kind access.
fn size(definition: Definition) -> usize {
    match definition {
        Definition::Region(_) | Definition::Location(_) | Definition::CallingContext(_) => 56,
        Definition::Metric(_) => 72,
        Definition::SamplingSet(_) => 40,
        Definition::Parameter(_) => 28,
        Definition::Paradigm(_) => 44,
        Definition::SourceFile(_) => 24,
        _ => HEADER,
    }
}

fn same(definition: Definition, check: Check, expected: u64, found: u64) -> Checked {
    if expected == found { Ok(()) } else { Err(mismatch(definition, check, expected, found)) }
}

fn mismatch(
    definition: Definition,
    check: Check,
    expected: impl Into<u64>,
    found: impl Into<u64>,
) -> Mismatch {
    Mismatch { definition, check, expected: expected.into(), found: found.into() }
}

/// The address of a text of the host, from which pointers can be derived.
fn address_of(text: &CStr) -> usize {
    text.as_ptr().expose_provenance()
}

const KINDS: usize = HandleType::IO_PARADIGM.0 as usize + 1;

/// The maximum number of definitions of a kind that fit into the range of handles.
const MOST_DEFINITIONS: u32 = u32::MAX / HEADER as u32;

/// The sequence numbers of the announced definitions.
#[derive(Debug)]
pub(super) struct Numbers {
    next: [AtomicU32; KINDS],
    io_handles: Seen,
    interim_communicators: Seen,
}

impl Numbers {
    pub(super) const fn new() -> Self {
        Self {
            next: [const { AtomicU32::new(0) }; KINDS],
            io_handles: Seen::new(),
            interim_communicators: Seen::new(),
        }
    }

    /// The number that the next definition of a kind must have.
    fn next(&self, kind: HandleType) -> u32 {
        self.next.get(kind.0 as usize).map_or(0, |next| next.fetch_add(1, Relaxed))
    }
}

/// The sequence numbers of a kind without order that have been seen. Numbers beyond its capacity
/// count as new.
#[derive(Debug)]
struct Seen([AtomicU64; Self::WORDS]);

impl Seen {
    const WORDS: usize = 512;

    const fn new() -> Self {
        Self([const { AtomicU64::new(0) }; Self::WORDS])
    }

    fn is_new(&self, number: u32) -> bool {
        let bit = 1 << (number % u64::BITS);
        match self.0.get((number / u64::BITS) as usize) {
            Some(word) => word.fetch_or(bit, Relaxed) & bit == 0,
            None => number < MOST_DEFINITIONS,
        }
    }
}
