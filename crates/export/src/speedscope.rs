//! speedscope's format: an evented profile per location. It has calls only.

use crate::json::{integer, string};
use crate::track::{Format, Instant, Pieces, Section, Track, Value};
use kymo_analysis::{Error, Location, MetricMember, Trace};
use kymo_otf2::definitions::GlobalDefinition;
use kymo_otf2::references::RegionRef;
use std::collections::HashMap;

/// Writes speedscope's format.
#[derive(Debug)]
pub struct Speedscope<'t> {
    trace: &'t Trace,
    name: String,
    /// The regions, and their places among the frames.
    frames: Vec<RegionRef>,
    places: HashMap<RegionRef, u64>,
}

impl<'t> Speedscope<'t> {
    /// Prepares the format.
    ///
    /// # Errors
    ///
    /// If the definitions cannot be read.
    pub fn new(trace: &'t Trace, name: String) -> Result<Self, kymo_analysis::Error> {
        let mut frames = Vec::new();
        trace.archive().each_global_definition(|definition| {
            if let GlobalDefinition::Region(it) = definition {
                frames.push(it.id);
            }
            Ok::<_, kymo_analysis::Error>(())
        })?;
        // The last frame stands for regions that are not defined.
        frames.push(RegionRef::UNDEFINED);
        let places = frames.iter().copied().zip(0..).collect();
        Ok(Self { trace, name, frames, places })
    }

    fn frame(&self, region: RegionRef) -> u64 {
        self.places.get(&region).copied().unwrap_or(self.frames.len() as u64 - 1)
    }
}

impl Format for Speedscope<'_> {
    fn head(&self) -> Vec<u8> {
        let mut out = b"{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",".to_vec();
        out.extend_from_slice(concat!("\"exporter\":\"kymo@", env!("CARGO_PKG_VERSION"), "\",").as_bytes());
        out.extend_from_slice(b"\"name\":");
        string(&mut out, &self.name);
        out.extend_from_slice(b",\"shared\":{\"frames\":[");
        for (place, region) in self.frames.iter().enumerate() {
            if place > 0 {
                out.push(b',');
            }
            out.extend_from_slice(b"{\"name\":");
            string(&mut out, &self.trace.region_name(*region));
            let definition = self.trace.region(*region);
            if let Some(file) = definition.and_then(|it| self.trace.string(it.source_file)) {
                out.extend_from_slice(b",\"file\":");
                string(&mut out, file);
            }
            if let Some(line) = definition.map(|it| it.line).filter(|line| *line > 0) {
                out.extend_from_slice(b",\"line\":");
                integer(&mut out, line.into());
            }
            out.push(b'}');
        }
        out.extend_from_slice(b"]},\"profiles\":[");
        out
    }

    fn track<'f>(&'f self, location: &'f Location, _place: usize) -> Box<dyn Track + 'f> {
        Box::new(Profile { format: self, location, end: 0, has_events: false })
    }

    fn separator(&self) -> &'static [u8] {
        b","
    }

    fn tail(&self) -> Vec<u8> {
        b"\n]}\n".to_vec()
    }
}

struct Profile<'f> {
    format: &'f Speedscope<'f>,
    location: &'f Location,
    end: u64,
    has_events: bool,
}

impl Profile<'_> {
    fn event(&mut self, out: &mut Vec<u8>, kind: &[u8], time: u64, region: RegionRef) {
        if !self.has_events {
            self.start(out);
        } else {
            out.push(b',');
        }
        self.end = time;
        out.extend_from_slice(b"{\"type\":\"");
        out.extend_from_slice(kind);
        out.extend_from_slice(b"\",\"frame\":");
        integer(out, self.format.frame(region));
        out.extend_from_slice(b",\"at\":");
        integer(out, time);
        out.push(b'}');
    }

    /// Starts the profile.
    #[cold]
    fn start(&mut self, out: &mut Vec<u8>) {
        self.has_events = true;
        let trace = self.format.trace;
        let group = trace.location_group_name(self.location.group);
        out.extend_from_slice(b"\n{\"type\":\"evented\",\"name\":");
        string(out, &format!("{group}, {}", trace.location_name(self.location)));
        out.extend_from_slice(b",\"unit\":\"nanoseconds\",\"startValue\":0,\"events\":[");
    }
}

impl Track for Profile<'_> {
    fn begin(&mut self, out: &mut Vec<u8>, time: u64, region: RegionRef) {
        self.event(out, b"O", time, region);
    }

    fn end(&mut self, out: &mut Vec<u8>, time: u64, region: RegionRef) {
        self.event(out, b"C", time, region);
    }

    fn instant(&mut self, _out: &mut Vec<u8>, _time: u64, _instant: &Instant<'_>) {}

    fn counter(&mut self, _out: &mut Vec<u8>, _time: u64, _metric: &MetricMember, _value: Value) {}

    fn finish(&mut self, out: &mut Pieces<'_>, _time: u64) -> Result<(), Error> {
        let out = out.of(Section::Track);
        if !self.has_events {
            self.start(out);
        }
        out.extend_from_slice(b"],\"endValue\":");
        integer(out, self.end);
        out.push(b'}');
        Ok(())
    }
}
