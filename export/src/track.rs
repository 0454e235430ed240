//! What formats encode.

use kymo_analysis::{Location, MetricMember};
use kymo_otf2::references::RegionRef;
use std::borrow::Cow;

/// A file format.
pub trait Format: Sync {
    /// Returns what the file begins with.
    fn head(&self) -> Vec<u8>;

    /// Starts the track of a location. `number` counts locations from 0.
    fn track<'f>(&'f self, location: &'f Location, number: usize) -> Box<dyn Track + 'f>;

    /// Returns what is between two locations.
    fn separator(&self) -> &'static [u8] {
        b""
    }

    /// Returns what the file ends with.
    fn tail(&self) -> Vec<u8>;
}

/// Encodes the events of a location. Times are in nanoseconds and do not decrease.
pub trait Track {
    /// A call begins.
    fn begin(&mut self, out: &mut Vec<u8>, time: u64, region: RegionRef);

    /// The innermost call ends.
    fn end(&mut self, out: &mut Vec<u8>, time: u64, region: RegionRef);

    /// Something happened.
    fn instant(&mut self, out: &mut Vec<u8>, time: u64, instant: &Instant<'_>);

    /// A metric has a value.
    fn counter(&mut self, out: &mut Vec<u8>, time: u64, metric: &MetricMember, value: Value);

    /// The location ends. Everything that began has ended.
    fn finish(&mut self, out: &mut Vec<u8>, time: u64);
}

/// An event without a duration.
#[derive(Debug, Clone, PartialEq)]
pub struct Instant<'a> {
    /// The name.
    pub name: Cow<'a, str>,
    /// Its numbers and texts.
    pub arguments: Vec<(&'static str, Value)>,
    /// The arrow that starts or ends here.
    pub flow: Option<Flow>,
}

/// One end of an arrow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flow {
    /// The number that both ends have.
    pub number: u64,
    /// Which end it is.
    pub direction: Direction,
}

/// An end of an arrow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// The arrow starts.
    Out,
    /// The arrow ends.
    In,
}

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// An integer.
    Integer(i64),
    /// An integer.
    Unsigned(u64),
    /// A floating-point number.
    Double(f64),
    /// A text.
    Text(String),
}
