//! The interface of formats: the parts of a file, and the items of a track.

use kymo_analysis::{Location, MetricMember};
use kymo_otf2::references::RegionRef;
use std::borrow::Cow;
use std::sync::mpsc::SyncSender;
use std::{fmt, mem};

/// A file format.
pub trait Format: fmt::Debug + Sync {
    /// Returns the head of the file.
    fn head(&self) -> Vec<u8>;

    /// Starts the track of a location. `number` counts locations from 0.
    fn track<'f>(&'f self, location: &'f Location, number: usize) -> Box<dyn Track + 'f>;

    /// Returns the separator of two locations.
    fn separator(&self) -> &'static [u8] {
        b""
    }

    /// Returns the bytes between the tracks and the section that they leave for the end of the
    /// file.
    fn middle(&self) -> Vec<u8> {
        Vec::new()
    }

    /// Returns the tail of the file.
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
    ///
    /// # Errors
    ///
    /// If a temporary file cannot be used.
    fn finish(&mut self, out: &mut Pieces<'_>, time: u64) -> Result<(), kymo_analysis::Error>;
}

/// Where a piece of a track belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Section {
    /// After the track before.
    Track,
    /// At the end of the file, after the pieces that earlier tracks leave for it.
    End,
}

/// Receives the bytes of tracks, in pieces.
#[derive(Debug)]
pub struct Pieces<'s> {
    sender: &'s SyncSender<(Section, Vec<u8>)>,
    track: Vec<u8>,
    end: Vec<u8>,
}

/// The number of bytes of a piece.
pub(crate) const PIECE: usize = 1 << 16;

impl<'s> Pieces<'s> {
    pub(crate) fn new(sender: &'s SyncSender<(Section, Vec<u8>)>) -> Self {
        Self { sender, track: Vec::new(), end: Vec::new() }
    }

    /// Returns the piece of a section, to append to it.
    pub fn of(&mut self, section: Section) -> &mut Vec<u8> {
        let piece = match section {
            Section::Track => &mut self.track,
            Section::End => &mut self.end,
        };
        if piece.len() >= PIECE {
            let new = Vec::with_capacity(PIECE + PIECE / 8);
            // There is no receiver if writing has failed.
            let _ = self.sender.send((section, mem::replace(piece, new)));
        }
        piece
    }

    /// Passes everything on, at least one piece of the track.
    pub(crate) fn finish(self) {
        let _ = self.sender.send((Section::Track, self.track));
        if !self.end.is_empty() {
            let _ = self.sender.send((Section::End, self.end));
        }
    }
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
