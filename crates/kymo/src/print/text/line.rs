//! A line being written: names for ids and words for numbers are appended to a buffer that is
//! reused.

use kymo_otf2::enums::*;
use kymo_otf2::flags::*;
use kymo_otf2::list::List;
use kymo_otf2::references::*;
use kymo_otf2::value::{MetricValue, Timestamp, Value};

use super::head::Digits;
use crate::date;
use crate::print::names::{Found, Member, Names, Reference};
use crate::print::number;

/// The destination of a line, and the data required to write it.
#[derive(Debug)]
pub(super) struct Line<'l, 'a> {
    pub(super) out: &'l mut Vec<u8>,
    pub(super) names: &'l Names<'a>,
    /// The origin of times.
    pub(super) origin: Option<u64>,
    /// The location that the line belongs to.
    pub(super) location: LocationRef,
    /// The digits of the last time.
    pub(super) digits: &'l mut Digits,
}

/// A value that can be part of a line.
pub(super) trait Show {
    fn show(&self, line: &mut Line<'_, '_>);
}

impl Line<'_, '_> {
    #[inline]
    pub(super) fn text(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
    }

    #[inline]
    pub(super) fn show(&mut self, value: &impl Show) {
        value.show(self);
    }

    /// Appends the definition to which an id refers.
    #[inline]
    pub(super) fn found(&mut self, found: &Found<'_, '_>) {
        match *found {
            Found { number: None, .. } => self.text("UNDEFINED"),
            Found { named: Some(named), .. } => named.write(self.out),
            Found { number: Some(number), .. } => self.invalid(number),
        }
    }

    /// Appends a time, right-aligned.
    #[inline]
    pub(super) fn time(&mut self, time: u64, width: usize) {
        let start = self.out.len();
        match self.origin {
            _ if time == u64::MAX => self.text("UNDEFINED"),
            None => return number::padded(self.out, time, width),
            Some(origin) if time >= origin => return number::padded(self.out, time - origin, width),
            Some(origin) => {
                self.out.push(b'-');
                number::unsigned(self.out, origin - time);
            }
        }
        let written = self.out.len() - start;
        self.out.splice(start..start, std::iter::repeat_n(b' ', width.saturating_sub(written)));
    }

    /// Appends a number without a name.
    pub(super) fn invalid(&mut self, number: u64) {
        self.text("INVALID <");
        number::unsigned(self.out, number);
        self.out.push(b'>');
    }

    /// Appends a number that is undefined if it is all ones.
    pub(super) fn number(&mut self, number: &u64) {
        match *number {
            u64::MAX => self.text("UNDEFINED"),
            number => number::unsigned(self.out, number),
        }
    }

    pub(super) fn count(&mut self, count: &u32) {
        self.number(&(if *count == u32::MAX { u64::MAX } else { u64::from(*count) }));
    }

    pub(super) fn exit_status(&mut self, status: &i64) {
        match *status {
            i64::MIN => self.text("UNDEFINED"),
            status => number::signed(self.out, status),
        }
    }

    pub(super) fn date(&mut self, nanoseconds: &u64) {
        match *nanoseconds {
            u64::MAX => self.text("UNDEFINED"),
            nanoseconds => date::write(self.out, nanoseconds),
        }
    }

    /// Appends the definition of the paradigm, if there is one.
    pub(super) fn paradigm(&mut self, paradigm: &Paradigm) {
        match self.names.paradigm_name(*paradigm) {
            Some(name) => name.write(self.out),
            None => self.show(paradigm),
        }
    }

    /// Appends a rank and its location.
    pub(super) fn rank(&mut self, rank: &u32, comm: &CommRef) {
        self.rank_of(*rank, *comm);
    }

    /// Appends a rank of a window's communicator.
    pub(super) fn window_rank(&mut self, rank: &u32, window: &RmaWinRef) {
        self.rank_of(*rank, self.names.comm_of_window(*window));
    }

    /// Appends a rank of a topology's communicator.
    pub(super) fn topology_rank(&mut self, rank: &u32, topology: &CartTopologyRef) {
        self.rank_of(*rank, self.names.comm_of_topology(*topology));
    }

    fn rank_of(&mut self, rank: u32, comm: CommRef) {
        match rank {
            u32::MAX => self.text("UNDEFINED"),
            rank => self.located(rank.into(), self.names.rank(self.location, comm, rank)),
        }
    }

    /// Appends a rank and the location or process that it refers to.
    pub(super) fn located(&mut self, rank: u64, member: Option<Member>) {
        number::unsigned(self.out, rank);
        self.text(" (");
        match member {
            Some(Member::Location(location)) => self.show(&location),
            Some(Member::Group(process)) => self.show(&process),
            None => self.text("INVALID"),
        }
        self.out.push(b')');
    }

    /// Appends a root, which is a rank or a word.
    pub(super) fn root(&mut self, root: &u32, comm: &CommRef) {
        match CollectiveRoot(*root).name() {
            Some(name) => self.text(name),
            None => self.rank(root, comm),
        }
    }

    /// Appends a root in a window's communicator.
    pub(super) fn window_root(&mut self, root: &u32, window: &RmaWinRef) {
        self.root(root, &self.names.comm_of_window(*window));
    }

    /// Appends a count: `1 Member`, `3 Members`.
    #[inline]
    pub(super) fn counted(&mut self, count: usize, one: &str, many: &str) {
        number::unsigned(self.out, count as u64);
        match count {
            1 => self.text(one),
            _ => self.text(many),
        }
    }

    /// Appends elements, with `before` in front of the first and a comma in front of the others.
    pub(super) fn listed<T>(
        &mut self,
        before: &str,
        elements: impl IntoIterator<Item = T>,
        mut show: impl FnMut(&mut Self, T),
    ) {
        for (number, element) in elements.into_iter().enumerate() {
            self.text(if number == 0 { before } else { ", " });
            show(self, element);
        }
    }

    /// Appends the values of a metric event, each with its metric.
    pub(super) fn metric_values(&mut self, values: &List<'_, u8, MetricValue>, metric: &MetricRef) {
        self.counted(values.len(), " Value", " Values");
        let members = self.names.metric_members(*metric);
        for (index, value) in values.iter().enumerate() {
            // Appending a text of a known length takes half the time.
            match index {
                0 => self.text(": ("),
                _ => self.text("), ("),
            }
            match members.get(index) {
                Some(member) => self.show(member),
                None => self.text("INVALID"),
            }
            self.metric_value(value);
        }
        if !values.is_empty() {
            self.text(")");
        }
    }

    /// Appends the type and the value of a metric, after its name.
    fn metric_value(&mut self, MetricValue { type_, bits }: MetricValue) {
        match type_ {
            Type::UINT64 => {
                self.text("; UINT64; ");
                number::unsigned(self.out, bits);
            }
            Type::INT64 => {
                self.text("; INT64; ");
                number::signed(self.out, bits as i64);
            }
            Type::DOUBLE => {
                self.text("; DOUBLE; ");
                number::float(self.out, f64::from_bits(bits));
            }
            Type(other) => {
                self.text("; ");
                self.invalid(other.into());
                self.text("; ");
                number::hexadecimal(self.out, bits, 8);
            }
        }
    }

    /// Appends the type of a metric; there are only three.
    pub(super) fn metric_type(&mut self, type_: &Type) {
        match *type_ {
            Type::UINT64 | Type::INT64 | Type::DOUBLE => self.show(type_),
            Type(other) => self.invalid(other.into()),
        }
    }

    /// Appends the type of a value.
    pub(super) fn type_of(&mut self, value: &Value) {
        self.show(&value.type_());
    }
}

impl<R: Reference> Show for R {
    #[inline]
    fn show(&self, line: &mut Line<'_, '_>) {
        line.found(&self.look_up(line.names));
    }
}

macro_rules! unsigned {
    ($($type:ident)*) => {$(
        impl Show for $type {
            #[inline]
            fn show(&self, line: &mut Line<'_, '_>) {
                number::unsigned(line.out, (*self).into());
            }
        }
    )*};
}

unsigned! { u8 u32 u64 }

impl Show for i64 {
    fn show(&self, line: &mut Line<'_, '_>) {
        number::signed(line.out, *self);
    }
}

impl Show for Timestamp {
    fn show(&self, line: &mut Line<'_, '_>) {
        line.time(self.0, 0);
    }
}

macro_rules! enums {
    ($($type:ident)*) => {$(
        impl Show for $type {
            fn show(&self, line: &mut Line<'_, '_>) {
                match self.name() {
                    Some(name) => line.text(name),
                    None => line.invalid(self.0.into()),
                }
            }
        }
    )*};
}

enums! {
    Base Boolean CartPeriodicity CollectiveOp Compression FileSubstrate GroupType InterruptGeneratorMode IoAccessMode
    IoOperationMode IoParadigmClass IoParadigmProperty IoSeekOption LocationGroupType LocationType LockType MappingType
    MeasurementMode MetricMode MetricOccurrence MetricScope MetricType Paradigm ParadigmClass ParadigmProperty
    ParameterType RecorderKind RegionRole RmaAtomicType RmaSyncType SystemTreeDomain ThumbnailType Type
}

macro_rules! flags {
    ($($type:ident)*) => {$(
        impl Show for $type {
            fn show(&self, line: &mut Line<'_, '_>) {
                line.flags(self.bits(), Self::NAMES);
            }
        }
    )*};
}

flags! {
    CommFlag GroupFlag IoCreationFlag IoHandleFlag IoOperationFlag IoParadigmFlag IoStatusFlag RegionFlag RmaSyncLevel
    RmaWinFlag
}

impl Line<'_, '_> {
    /// Appends `NONE`, or the names in braces, followed by the bits without a name.
    fn flags(&mut self, bits: u32, names: FlagNames) {
        if bits == 0 {
            return self.text("NONE");
        }
        let unknown = names.all().iter().fold(bits, |bits, (_, flag)| bits & !flag);
        self.out.push(b'{');
        self.listed("", names.iter(bits), Line::text);
        if unknown != 0 {
            self.text(if unknown == bits { "INVALID <0x" } else { ", INVALID <0x" });
            number::hexadecimal(self.out, unknown.into(), 0);
            self.out.push(b'>');
        }
        self.out.push(b'}');
    }
}

impl Show for Value {
    fn show(&self, line: &mut Line<'_, '_>) {
        let bits = self.bits();
        match self.type_() {
            Type::INT8 | Type::INT16 | Type::INT32 | Type::INT64 => number::signed(line.out, bits as i64),
            Type::FLOAT => number::float(line.out, f32::from_bits(bits as u32).into()),
            Type::DOUBLE => number::float(line.out, f64::from_bits(bits)),
            _ => match line.names.referred(*self) {
                Some(found) => line.found(&found),
                None => number::unsigned(line.out, bits),
            },
        }
    }
}
