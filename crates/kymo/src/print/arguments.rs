//! The options of otf2-print, with the same letters.

use std::path::PathBuf;

use clap::{ArgAction, Args, ValueEnum};

use crate::instant::Instant;

/// Print the contents of an archive, as otf2-print does
#[derive(Debug, Args)]
#[command(args_override_self = true)]
pub(crate) struct Arguments {
    /// Print everything: anchor file, thumbnails, definitions, events, snapshots
    #[arg(short = 'A', long = "show-all")]
    pub(super) all: bool,
    /// Print the global definitions
    #[arg(short = 'G', long = "show-global-defs")]
    pub(super) definitions: bool,
    /// Print the content of the anchor file
    #[arg(short = 'I', long = "show-info")]
    pub(super) info: bool,
    /// Print the headers of the thumbnails
    #[arg(short = 'T', long = "show-thumbnails")]
    pub(super) thumbnails: bool,
    /// Print the headers and the samples of the thumbnails
    #[arg(long = "show-thumbnail-samples")]
    pub(super) samples: bool,
    /// Print the mapping tables of the locations
    #[arg(short = 'M', long = "show-mappings")]
    pub(super) mappings: bool,
    /// Print the clock offsets of the locations
    #[arg(short = 'C', long = "show-clock-offsets")]
    pub(super) clock_offsets: bool,
    /// Print ids and times of events as they are in the files, without mapping tables and clock
    /// offsets
    #[arg(long = "no-local-defs", conflicts_with_all = ["mappings", "clock_offsets"])]
    pub(super) no_local_definitions: bool,
    /// Skip the snapshots
    #[arg(long)]
    pub(super) no_snapshots: bool,
    /// Output format: the text of otf2-print, one JSON object per line, or one CSV row per event,
    /// of different lengths; 'kymo export' writes tables for data frames
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(super) format: Format,
    /// Print times as they are, or relative to the offset of the clock properties
    #[arg(long, value_name = "FORMAT", default_value = "plain")]
    pub(super) timestamps: Timestamps,
    /// Print only this location
    #[arg(short = 'L', long, value_name = "ID", value_parser = number)]
    location: Option<u64>,
    /// Wait for ENTER after every N events
    #[arg(short = 's', long, value_name = "N", value_parser = number)]
    step: Option<u64>,
    /// Print only events from FIRST to LAST: in ticks of the clock or, counted from the start of
    /// the trace, as a time with a unit (s, ms, us, ns) or as a percentage of its length
    #[arg(long, action = ArgAction::Set, num_args = 1..=2, value_delimiter = ',', value_names = ["FIRST", "LAST"])]
    pub(super) time: Vec<Instant>,
    /// Write the system tree as a graph for dot to a file next to the anchor file
    #[arg(long)]
    pub(super) system_tree: bool,
    /// Read the events, but do not print them
    #[arg(long)]
    pub(super) silent: bool,
    /// Print the callers of every calling context, marked: '?' unwind distance undefined, '+' newly
    /// entered, '*' not left, ' ' not touched
    #[arg(long)]
    pub(super) unwind_calling_context: bool,
    /// Stop at the first warning; the short form is -Werror
    #[arg(long)]
    warnings_as_errors: bool,
    #[arg(short = 'W', hide = true, value_parser = ["error"])]
    warnings: Option<String>,
    /// Also print the steps of reading
    #[arg(short = 'd', long)]
    pub(super) debug: bool,
    /// Anchor file of the archive (*.otf2), or its folder
    #[arg(value_name = "ANCHOR|DIR")]
    pub(super) anchor: PathBuf,
}

/// The output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    Text,
    Json,
    Csv,
}

/// The origin of times.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Timestamps {
    Plain,
    Offset,
}

impl Arguments {
    /// Returns the arguments if they are consistent.
    pub(super) fn checked(self) -> Result<Self, &'static str> {
        let has_more = self.prints_info()
            || self.prints_thumbnails()
            || self.definitions
            || self.prints_local_definitions();
        let mistake = match self.time.len() {
            0 | 2 if self.format == Format::Csv && has_more => "'--format csv' prints events only",
            0 | 2 => return Ok(self),
            _ => "two values required for '--time <FIRST> <LAST>'",
        };
        Err(mistake)
    }

    /// Whether the first warning ends printing.
    pub(super) fn warnings_are_errors(&self) -> bool {
        self.warnings_as_errors || self.warnings.is_some()
    }

    /// Whether to print the global definitions.
    pub(super) fn prints_definitions(&self) -> bool {
        self.definitions || self.all
    }

    /// Whether to print the anchor file.
    pub(super) fn prints_info(&self) -> bool {
        self.info || self.all
    }

    /// Whether to print the thumbnails.
    pub(super) fn prints_thumbnails(&self) -> bool {
        self.thumbnails || self.samples || self.all
    }

    /// Whether to print only contents that the anchor file announces: these options, without `all`,
    /// exclude everything else.
    pub(super) fn prints_anchor_only(&self) -> bool {
        !self.all && (self.info || self.prints_thumbnails())
    }

    /// Whether to print local definitions.
    pub(super) fn prints_local_definitions(&self) -> bool {
        self.mappings || self.clock_offsets
    }

    /// Returns the location to print, if it is only one.
    pub(super) fn only_location(&self) -> Option<u64> {
        self.location.filter(|&location| location != u64::MAX)
    }

    /// Returns the number of events after which to wait; never 0, which would never end.
    pub(super) fn step(&self) -> Option<u64> {
        self.step.filter(|step| !matches!(*step, 0 | u64::MAX))
    }
}

/// Parses digits only: no sign, no blanks.
fn number(text: &str) -> Result<u64, String> {
    match text.bytes().all(|byte| byte.is_ascii_digit()) {
        true => text.parse().map_err(|error: std::num::ParseIntError| error.to_string()),
        false => Err("expected a number".to_owned()),
    }
}
