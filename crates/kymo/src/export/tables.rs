//! Tables: `--format parquet` and `csv`.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use kymo_analysis::spill::Spill;
use kymo_analysis::waits::CommunicationFacts;
use kymo_analysis::{CommunicationFunctions, Trace};
use kymo_tables::csv::CsvFolder;
use kymo_tables::{Dataset, Error, Names, Places, Report, Waiting, dataset};

#[cfg(feature = "parquet")]
use super::Format;
use super::Work;
use crate::new_folder::NewFolder;
use crate::part::{PartFile, PartReader};
use crate::problem::Problem;
use crate::status::Status;
use crate::{trace, tree};

/// Returns the datasets with these names, all if there are none.
pub(super) fn wanted(names: &[String]) -> Result<Vec<&'static Dataset>, Problem> {
    if names.is_empty() {
        return Ok(Dataset::usual().collect());
    }
    let of = |name: &String| {
        Dataset::of(name).ok_or_else(|| {
            let all: Vec<_> = dataset::ALL.iter().map(|it| it.name).collect();
            Problem::usage(format!("'--tables': there is no table '{name}'; there are {}", all.join(", ")))
        })
    };
    names.iter().map(of).collect()
}

pub(super) fn export(work: &Work<'_>, wanted: &[&'static Dataset], output: &Path) -> Result<Status, Problem> {
    let folder = NewFolder::create(output)?;
    let report = with_format(work, wanted, folder.stage(), |tables| {
        let (report, waiting) = tables.groups()?;
        tables.rest(waiting)?;
        Ok(report)
    })?;
    let status = trace::report(work.trace, &report.failures, &report.remarks);
    folder.finish()?;
    Ok(status)
}

/// The number of a location, its communication, and where its calls are. Its rows follow.
type OfLocation = Option<(u64, CommunicationFacts, Places)>;

/// Exports a part: the files of its locations, and the data that waits for other locations.
pub(super) fn part(
    work: &Work<'_>,
    wanted: &[&'static Dataset],
    folder: &Path,
    mut file: PartFile<File>,
) -> Result<Status, Problem> {
    with_format(work, wanted, folder, |tables| {
        let (mut report, waiting) = tables.groups()?;
        let status = trace::report(work.trace, &report.failures, &report.remarks);
        for (_, error) in &mut report.failures {
            *error = trace::described(work.trace, error);
        }
        let put = || {
            file.put(&report)?;
            for it in waiting {
                file.put(&OfLocation::Some((it.number as u64, it.facts, it.places)))?;
                file.rows(tables.spill, it.rows)?;
            }
            file.put(&OfLocation::None)?;
            file.end()
        };
        Ok(put().map(|()| status))
    })?
}

/// Joins the files of all parts, and the data that waits in them.
pub(super) fn join(
    work: &Work<'_>,
    wanted: &[&'static Dataset],
    parts: Vec<(PathBuf, PartReader)>,
    output: &Path,
) -> Result<Status, Problem> {
    let folder = NewFolder::create(output)?;
    let mut report = Report::default();
    with_format(work, wanted, folder.stage(), |tables| {
        let collect = || {
            let mut waiting = Vec::new();
            for (path, mut part) in parts {
                take_files(path.parent().unwrap_or(&path), folder.stage())?;
                report.add(part.get()?);
                while let Some((number, facts, places)) = part.get::<OfLocation>()? {
                    let rows = part.rows(tables.spill)?;
                    let number = usize::try_from(number).unwrap_or(usize::MAX);
                    waiting.push(Waiting { number, rows, facts, places });
                }
            }
            waiting.sort_by_key(|it| it.number);
            Ok(waiting)
        };
        match collect() {
            Ok(waiting) => tables.rest(waiting).map(Ok),
            Err(problem) => Ok(Err(problem)),
        }
    })??;
    let status = trace::report(work.trace, &report.failures, &report.remarks);
    folder.finish()?;
    Ok(status)
}

/// Links or copies the files of a part.
fn take_files(from: &Path, to: &Path) -> Result<(), Problem> {
    let problem = |path: &Path, error: io::Error| Problem::of(path, error, Status::Environment);
    for name in tree::names(from).map_err(|error| problem(from, error))? {
        let (from, to) = (from.join(&name), to.join(&name));
        if from.is_dir() {
            fs::create_dir_all(&to).map_err(|error| problem(&to, error))?;
            take_files(&from, &to)?;
        } else if name != super::PART {
            // Other file systems have no links to this one.
            let taken = fs::hard_link(&from, &to).or_else(|_| fs::copy(&from, &to).map(drop));
            taken.map_err(|error| problem(&from, error))?;
        }
    }
    Ok(())
}

/// Runs `run` with the tables that are written to a folder.
fn with_format<R>(
    work: &Work<'_>,
    wanted: &[&'static Dataset],
    folder: &Path,
    run: impl FnOnce(&kymo_tables::Work<'_>) -> Result<R, Error>,
) -> Result<R, Problem> {
    let Work { trace, selection, .. } = *work;
    let names = Names::of(trace).map_err(|error| trace::problem(trace, &error))?;
    let spill = Spill::default();
    let format: Box<dyn kymo_tables::Format> = match work.format {
        #[cfg(feature = "parquet")]
        Format::Parquet => {
            Box::new(kymo_tables::parquet::ParquetFolder::new(folder, &names, super::facts(trace)))
        }
        _ => Box::new(CsvFolder::new(folder, &names)),
    };
    let functions = CommunicationFunctions::of(trace);
    let tables = kymo_tables::Work {
        trace,
        selection,
        functions: &functions,
        names: &names,
        wanted,
        format: &*format,
        spill: &spill,
    };
    run(&tables).map_err(|error| problem(trace, &error))
}

fn problem(trace: &Trace, error: &Error) -> Problem {
    match error {
        Error::Analysis(error) => trace::problem(trace, error),
        other => Problem::environment(other),
    }
}
