//! `kymo thumbnail`: lists the thumbnails of an archive, and adds one that is made from its events.
//!
//! [`intervals`] divides the time of the trace; a [`sampler`] computes the values of each interval
//! from the events in order of time: [`regions`], [`metrics`] or [`attributes`]. Invariant: memory
//! grows with the numbers of definitions and locations, never with that of events or samples.

mod attributes;
mod intervals;
mod metrics;
mod regions;
mod sampler;

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use kymo_otf2::enums::ThumbnailType;
use kymo_otf2::list::List;
use kymo_otf2::read::Archive;
use kymo_otf2::thumbnails::{ThumbnailHeader, ThumbnailSample};
use kymo_otf2::write::{StoragePieces, ThumbnailWriter};
use kymo_otf2::{Anchor, Error, FileName, THUMBNAIL_CHUNK_SIZE};

use self::attributes::Attributes;
use self::intervals::Intervals;
use self::metrics::Metrics;
use self::regions::Regions;
use self::sampler::{Definitions, Sampler};
use crate::amendment::{Amendment, PIECE};
use crate::anchor_path;
use crate::output::{inform, print};
use crate::problem::Problem;
use crate::progress::Progress;
use crate::status::Status;

/// The most definitions of which the values fit into a chunk.
const MOST_DEFINITIONS: usize = (THUMBNAIL_CHUNK_SIZE as usize - 4096) / 9;

/// List the thumbnails of an archive, or add one
#[derive(Debug, Args)]
#[command(after_help = "A sample is a part of the trace's time. Of regions, it states how many ticks all \
                  locations spent in each, of metrics their values, of attributes the number of events \
                  that have them: see docs/reference/thumbnail.md. Exit status: 0 success, 1 the archive has errors, \
                  2 usage error, 3 partly listed, 4 I/O error, 5 a limit was reached; the archive is changed \
                  only on success")]
pub(crate) struct Arguments {
    /// Add a thumbnail of these definitions
    #[arg(long, value_name = "KIND")]
    add: Option<ThumbnailKind>,
    /// The number of samples
    #[arg(long, value_name = "N", default_value_t = 4096, value_parser = clap::value_parser!(u32).range(1..))]
    #[arg(requires = "add")]
    samples: u32,
    /// The name of the thumbnail, in place of one that states its kind
    #[arg(long, value_name = "TEXT", requires = "add")]
    name: Option<String>,
    /// The description of the thumbnail
    #[arg(long, value_name = "TEXT", requires = "add", default_value = "", hide_default_value = true)]
    description: String,
    /// Only the definitions with these ids, separated by commas
    #[arg(long, value_name = "ID", requires = "add", value_delimiter = ',')]
    only: Vec<u32>,
    /// Anchor file of the archive (*.otf2), or its folder
    #[arg(value_name = "ANCHOR|DIR")]
    archive: PathBuf,
}

/// The kind of definitions of a thumbnail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ThumbnailKind {
    Region,
    Metric,
    Attribute,
}

impl ThumbnailKind {
    fn thumbnail_type(self) -> ThumbnailType {
        match self {
            Self::Region => ThumbnailType::REGION,
            Self::Metric => ThumbnailType::METRIC,
            Self::Attribute => ThumbnailType::ATTRIBUTES,
        }
    }

    /// Returns the name of a thumbnail for which none is given; that of regions is the one of
    /// otf2-snapshots.
    fn name(self) -> &'static str {
        match self {
            Self::Region => "region activity",
            Self::Metric => "metric values",
            Self::Attribute => "attributes of events",
        }
    }

    fn plural(self) -> &'static str {
        match self {
            Self::Region => "regions",
            Self::Metric => "metrics",
            Self::Attribute => "attributes",
        }
    }
}

impl Arguments {
    /// Lists the thumbnails, or adds one.
    pub(crate) fn run(&self) -> Status {
        let done = match self.add {
            Some(kind) => self.add(kind).map(|()| Status::Done),
            None => self.list(),
        };
        done.unwrap_or_else(|problem| problem.report())
    }

    fn list(&self) -> Result<Status, Problem> {
        let anchor = anchor_path::of(&self.archive)?;
        let archive = Archive::open(&anchor).map_err(|error| Problem::of_anchor(&anchor, &error))?;
        let mut worst = Status::Done;
        for number in 0..archive.anchor().number_of_thumbnails {
            match line(&archive, number) {
                Ok(line) => worst = worst.max(print(&line)),
                Err(error) => {
                    let error = error.in_file(FileName::Thumbnail(number));
                    worst = worst.max(Status::Partial).max(Problem::of_archive(&archive, &error).report());
                    // The anchor may announce billions of them.
                    if matches!(&error, Error::Io { source, .. } if source.kind() == ErrorKind::NotFound) {
                        break;
                    }
                }
            }
        }
        Ok(worst)
    }

    fn add(&self, kind: ThumbnailKind) -> Result<(), Problem> {
        let amendment = Amendment::begin(&self.archive)?;
        let anchor = amendment.archive.anchor();
        let number = anchor.number_of_thumbnails;
        let next =
            number.checked_add(1).ok_or_else(|| Problem::usage("no number is left for a thumbnail"))?;
        let new = amendment.anchor_bytes(&Anchor { number_of_thumbnails: next, ..anchor })?;
        self.write(kind, number, &amendment)?;
        amendment.write(FileName::Anchor, &new)?;
        // The anchor must not announce a thumbnail that is not there yet.
        amendment.commit(&[FileName::Thumbnail(number), FileName::Anchor])
    }

    fn write(&self, kind: ThumbnailKind, number: u32, amendment: &Amendment) -> Result<(), Problem> {
        let archive = &amendment.archive;
        let cannot_read = |error: Error| Problem::of_archive(archive, &error);
        let cannot_write = |error: Error| amendment.problem(&error);
        let definitions = Definitions::read(archive).map_err(cannot_read)?;
        let ids = self.chosen(kind, &definitions)?;
        let intervals = self.intervals(&definitions)?;
        let mut sampler: Box<dyn Sampler + '_> = match kind {
            ThumbnailKind::Region => Box::new(Regions::new(&definitions, &ids, &intervals)),
            ThumbnailKind::Metric => Box::new(Metrics::new(&definitions, &ids)),
            ThumbnailKind::Attribute => Box::new(Attributes::new(&ids)),
        };
        let references: Vec<u64> = ids.iter().map(|&id| id.into()).collect();
        let header = ThumbnailHeader {
            name: self.name.as_deref().unwrap_or(kind.name()).into(),
            description: self.description.as_str().into(),
            thumbnail_type: kind.thumbnail_type(),
            number_of_samples: intervals.count(),
            refs_to_defs: List::truncated(&references),
        };
        let pieces = StoragePieces::new(&amendment.storage, FileName::Thumbnail(number), PIECE);
        let mut writer = ThumbnailWriter::new(pieces, &header).map_err(cannot_write)?;
        let mut values = Vec::with_capacity(ids.len());
        let mut put = |end, sampler: &mut dyn Sampler| {
            values.clear();
            let baseline = sampler.sample(end, &mut values);
            writer.sample(&ThumbnailSample { baseline, metric_samples: List::truncated(&values) })
        };
        let mut ends = intervals.ends().peekable();
        let mut events = archive.events_in_order(&definitions.locations).map_err(cannot_read)?;
        let mut progress = Progress::of(archive, false);
        let read = events.each(|location, event| {
            progress.step();
            // The last interval includes its end and everything after it.
            while let Some(&end) = ends.peek()
                && event.time >= end
                && end < intervals.last()
            {
                ends.next();
                put(end, &mut *sampler).map_err(Stop::Write)?;
            }
            sampler.event(definitions.place(location), event);
            Ok(())
        });
        read.map_err(|stop| match stop {
            Stop::Read(error) => cannot_read(error),
            Stop::Write(error) => cannot_write(error),
        })?;
        ends.try_for_each(|end| put(end, &mut *sampler)).map_err(cannot_write)?;
        writer.finish().map(|_| ()).map_err(cannot_write)
    }

    /// Returns the definitions of which there will be values, in the order of their ids.
    fn chosen(&self, kind: ThumbnailKind, definitions: &Definitions) -> Result<Vec<u32>, Problem> {
        let all = match kind {
            ThumbnailKind::Region => &definitions.regions,
            ThumbnailKind::Metric => &definitions.metrics,
            ThumbnailKind::Attribute => &definitions.attributes,
        };
        if let Some(id) = self.only.iter().find(|&id| !all.contains(id)) {
            return Err(Problem::usage(format_args!("the trace does not define {kind:?} {id}")));
        }
        let only: BTreeSet<u32> = self.only.iter().copied().collect();
        let ids: Vec<u32> = if only.is_empty() { all } else { &only }.iter().copied().collect();
        let what = kind.plural();
        match ids.len() {
            0 => Err(Problem::usage(format_args!("the trace defines no {what}"))),
            1..=MOST_DEFINITIONS => Ok(ids),
            count => Err(Problem::usage(format_args!(
                "{count} {what}, but a thumbnail has space for {MOST_DEFINITIONS}; --only selects some"
            ))),
        }
    }

    /// Returns the intervals of the samples. An interval is at least one tick long.
    fn intervals(&self, definitions: &Definitions) -> Result<Intervals, Problem> {
        let clock = definitions.clock.ok_or_else(|| Problem::usage("the trace has no clock"))?;
        let intervals = Intervals::new(clock.global_offset, clock.trace_length, self.samples)
            .ok_or_else(|| Problem::usage("the trace has no length, so there is nothing to sample"))?;
        if intervals.count() < self.samples {
            inform(&format!("{} samples: the trace has no more ticks", intervals.count()));
        }
        Ok(intervals)
    }
}

/// Why there is no thumbnail.
enum Stop {
    Read(Error),
    Write(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Read(error)
    }
}

/// Describes a thumbnail.
fn line(archive: &Archive, number: u32) -> Result<String, Error> {
    let thumbnail = archive.thumbnail(number)?;
    let (header, mut samples) = thumbnail.read()?;
    samples.try_for_each(|sample| sample.map(drop))?;
    let ThumbnailHeader { name, description, thumbnail_type, number_of_samples, refs_to_defs } = header;
    let type_ =
        thumbnail_type.name().map_or_else(|| format!("INVALID <{}>", thumbnail_type.0), str::to_owned);
    Ok(format!(
        "THUMBNAIL   Number: {number}, Type: {type_}, Samples: {number_of_samples}, Definitions: {}, Name: \
         \"{name}\", Description: \"{description}\"\n",
        refs_to_defs.len()
    ))
}
