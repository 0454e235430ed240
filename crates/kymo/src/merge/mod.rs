//! `kymo merge`: joins archives of separate processes into one.
//!
//! There are two passes. The first reads the global definitions of every archive and assigns their
//! ids in the result ([`sources`]); then the mapping of times is determined ([`times`]). The second
//! copies the files of the locations ([`files`], [`local`], [`snapshots`]): events keep their ids
//! and times, and the local definitions state the meaning of these in the result. Invariants:
//! inputs are only read, the anchor of the result is written last, and memory grows only with the
//! number of definitions.

mod anchor;
mod files;
mod id_table;
mod local;
mod locations;
mod markers;
mod shift;
mod snapshots;
mod sources;
mod thumbnails;
mod times;

use std::path::PathBuf;

use clap::Args;

use self::files::Files;
use self::shift::Shift;
use self::sources::Sources;
use self::times::{Alignment, Line, result_clock};
use crate::anchor_path;
use crate::function_names::look_up_in_new;
use crate::new_archive::NewArchive;
use crate::output::complain;
use crate::problem::Problem;
use crate::status::Status;

/// Merge archives of separate processes into one
#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 success, 1 an archive has errors, 2 usage error, 4 I/O error, 5 a limit \
                  was reached; a result is written only on success"
)]
pub(crate) struct Arguments {
    /// Anchor files of the archives (*.otf2), or their folders
    #[arg(value_name = "ANCHOR|DIR", required = true)]
    archives: Vec<PathBuf>,
    /// Folder or anchor file (*.otf2) of the result, which must not exist
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// Shift the times of an archive; ANCHOR is its path as given, or its number from 1; TIME is in
    /// ticks of the first archive, or has a unit (s, ms, us, ns)
    #[arg(long, value_name = "ANCHOR=TIME")]
    shift: Vec<Shift>,
    /// Align the archives: let all begin together, or at the times of their wall clocks
    #[arg(long, value_enum)]
    align: Option<Alignment>,
    /// The names of the archives in the result, in place of their paths
    #[arg(skip)]
    names: Vec<PathBuf>,
    /// For each archive, the number of the archive whose process created its process
    #[arg(skip)]
    creators: Vec<Option<usize>>,
    /// Further properties of the result
    #[arg(skip)]
    properties: Vec<(String, String)>,
    /// Whether the names of sampled functions are looked up in the result
    #[arg(skip)]
    is_named: bool,
}

impl Arguments {
    /// Returns the arguments for these archives and this output.
    pub(crate) fn of(archives: Vec<PathBuf>, output: PathBuf) -> Self {
        let (shift, names, creators, properties) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { archives, output, shift, align: None, names, creators, properties, is_named: false }
    }

    /// Adds names for the archives and further properties of the result.
    pub(crate) fn named(self, names: Vec<PathBuf>, properties: Vec<(String, String)>) -> Self {
        Self { names, properties, ..self }
    }

    /// Adds the information which archive's process created the first process of each archive.
    pub(crate) fn created_by(self, creators: Vec<Option<usize>>) -> Self {
        Self { creators, ..self }
    }

    /// Lets the names of sampled functions be looked up in the result.
    pub(crate) fn looking_up_functions(self) -> Self {
        Self { is_named: true, ..self }
    }

    /// Merges the archives.
    pub(crate) fn run(&self) -> Status {
        match self.merge() {
            Ok(()) => Status::Done,
            Err(problem) => problem.report(),
        }
    }

    /// Merges the archives.
    pub(crate) fn merge(&self) -> Result<(), Problem> {
        let shifts = shift::by_archive(&self.shift, &self.archives)?;
        let output = NewArchive::named(&self.output)?;
        let anchors: Vec<_> =
            self.archives.iter().map(|path| anchor_path::of(path)).collect::<Result<_, _>>()?;
        let mut sources = Sources::read(&anchors)?;
        sources.name(&self.names, &self.properties);
        sources.create(&self.creators);
        let lines = times::lines(&sources.all, &shifts, self.align)?;
        output.create()?;
        let written = self.write(&sources, &lines, &output);
        output.finish(look_up_in_new(&output, written, self.is_named))
    }

    fn write(&self, sources: &Sources, lines: &[Line], output: &NewArchive) -> Result<(), Problem> {
        let clock = result_clock(&sources.all, lines)?;
        let log = sources.unified.log();
        let definitions = kymo_recorder::archive::GlobalDefinitions::from_log(clock, &log)
            .map_err(|error| output.problem(&error))?
            .in_chunks_from(sources.definition_chunk_size());
        let mut files = Files::new(sources, output, definitions.chunk_size());
        files.expect(&sources.all)?;
        for (source, line) in sources.all.iter().zip(lines) {
            files.copy(source, line)?;
        }
        files.finish()?;
        let records = definitions.write_file(&output.storage).map_err(|error| output.problem(&error))?;
        let thumbnails = thumbnails::copy(sources, output)?;
        anchor::write(sources, &definitions, (records, thumbnails), output)?;
        sources.left_out(thumbnails).iter().for_each(|what| complain(what));
        Ok(())
    }
}
