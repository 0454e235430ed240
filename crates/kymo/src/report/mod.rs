//! `kymo report`: a trace as one page that opens in a browser without network access.
//!
//! `kymo_analysis::overview` reads every location once. An [`arrangement`] decides which rows the
//! page shows, [`data`] packs their contents, and `kymo-viewer` makes the page. [`picture`] draws
//! the same for papers and mails. Invariants: rows and boxes that do not fit are merged, never
//! dropped, and the page states it.

mod arrangement;
mod cells;
mod curves;
mod data;
mod labels;
mod messages;
mod palette;
mod picture;
mod slices;
mod strip;
mod waiting;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use kymo_analysis::overview::{self, Shape};
use kymo_analysis::pass::selected_time;
use kymo_analysis::spill::Spill;
use kymo_analysis::{Selection, Trace};
use kymo_otf2::FileName;

use self::picture::PicturePart;
use crate::check::summary_of;
use crate::mistake::report_mistake;
use crate::new_file::print_or_write;
use crate::problem::Problem;
use crate::selected::Selected;
use crate::status::Status;
use crate::trace;

pub(crate) use self::arrangement::{Arrangement, MOST_ROWS};
pub(crate) use self::cells::{each as each_cell, mean};
pub(crate) use self::data::Report;
pub(crate) use self::labels::Labels;
pub(crate) use self::messages::Messages;
pub(crate) use self::palette::Palette;
pub(crate) use self::waiting::{WaitCollector, Waiting};

/// Write a page that shows a trace in a browser
#[derive(Debug, Args)]
#[command(after_help = "The page is one file without network access. Exit status: 0 success, 2 invalid \
                  arguments, 3 a location was not readable to its end, 4 I/O error")]
pub(crate) struct Arguments {
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "html")]
    format: Format,
    /// What a picture (svg, png) shows
    #[arg(long, value_name = "PART", default_value = "all")]
    picture: PicturePart,
    /// Do not check the trace, which takes longer than everything else
    #[arg(long)]
    no_check: bool,
    #[command(flatten)]
    selected: Selected,
    /// Write to this file; '-' is standard output [default: report.html, .svg or .png]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Anchor file of the archive (*.otf2), or its folder
    #[arg(value_name = "ANCHOR|DIR")]
    archive: PathBuf,
}

/// The output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A page for browsers
    Html,
    /// A vector picture
    Svg,
    /// A picture of pixels
    #[cfg(feature = "png")]
    Png,
}

impl Format {
    fn default_name(self) -> &'static str {
        match self {
            Self::Html => "report.html",
            Self::Svg => "report.svg",
            #[cfg(feature = "png")]
            Self::Png => "report.png",
        }
    }
}

impl Arguments {
    /// Writes the page.
    pub(crate) fn run(self) -> Status {
        match self.selected.mistake() {
            Some(mistake) => report_mistake(mistake),
            None if self.format == Format::Html && self.picture != PicturePart::All => {
                report_mistake("'--picture' needs '--format svg' or '--format png'")
            }
            None => self.report().unwrap_or_else(|problem| problem.report()),
        }
    }

    fn report(&self) -> Result<Status, Problem> {
        let trace = trace::open(&self.archive)?;
        let selection = self.selected.of(&trace)?;
        let shape = match self.format {
            Format::Html => shape_of(&trace, &selection),
            _ => {
                let (from, length) = selected_time(&trace, &selection);
                Shape::new(from, length, picture::BUCKETS, 1)
            }
        };
        let mut messages = Messages::new(&trace, shape);
        let spill = Spill::default();
        let mut waits = WaitCollector::new(&spill);
        let problem = |error| trace::problem(&trace, &error);
        let (statistics, overview) = overview::of(&trace, &selection, &shape, |it| {
            messages.add(&it);
            waits.add(&it);
        })
        .map_err(problem)?;
        let waiting = waits.finish(&trace, &statistics, &shape).map_err(problem)?;
        let status = trace::report(&trace, &statistics.failures, &statistics.remarks);
        let check = (!self.no_check && self.format == Format::Html)
            .then(|| summary_of(&trace.archive().path(FileName::Anchor)));
        let name = self.archive.display().to_string();
        let report = Report {
            name,
            trace: &trace,
            shape,
            statistics,
            overview,
            messages,
            waiting,
            check,
            tiles: None,
        };
        let bytes = match self.format {
            Format::Html => report.page().map(String::into_bytes),
            Format::Svg => picture::svg(&report, self.picture).map(String::into_bytes),
            #[cfg(feature = "png")]
            Format::Png => picture::svg(&report, self.picture).and_then(|svg| picture::png(&svg)),
        };
        let bytes = bytes.map_err(Problem::environment)?;
        let output = self.output.clone().unwrap_or_else(|| self.format.default_name().into());
        Ok(status.max(print_or_write(&output, &bytes)?))
    }
}

/// Adds a time to a sum. Damaged traces can have times whose sum is too large.
pub(crate) fn add(sum: &mut u64, time: u64) {
    *sum = sum.saturating_add(time);
}

/// The number of cells of the finest level of a page: about 8 MB before compression.
const CELLS: usize = 1 << 20;
/// The largest number of buckets.
const BUCKETS: usize = 1 << 14;

/// Returns how time is divided: the more locations, the coarser.
pub(crate) fn shape_of(trace: &Trace, selection: &Selection) -> Shape {
    let (from, length) = selected_time(trace, selection);
    let locations = selection.of(trace).len().max(1);
    let rows = locations.min(MOST_ROWS);
    let slices = match locations {
        0..=256 => 256,
        257..=2048 => 64,
        2049..=16384 => 16,
        _ => 4,
    };
    Shape::new(from, length, (CELLS / rows).min(BUCKETS), slices)
}
