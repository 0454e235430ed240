//! Tables: `--format parquet` and `csv`.

use std::path::Path;

use kymo_analysis::{Selection, Trace};
use kymo_tables::csv::CsvFolder;
use kymo_tables::{Dataset, Error, Names, dataset};

use super::Format;
use crate::new_folder::NewFolder;
use crate::problem::Problem;
use crate::status::Status;
use crate::trace;

/// Returns the datasets with these names, all if there are none.
pub(super) fn wanted(names: &[String]) -> Result<Vec<&'static Dataset>, Problem> {
    if names.is_empty() {
        return Ok(dataset::ALL.to_vec());
    }
    let of = |name: &String| {
        Dataset::of(name).ok_or_else(|| {
            let all: Vec<_> = dataset::ALL.iter().map(|it| it.name).collect();
            Problem::usage(format!("'--tables': there is no table '{name}'; there are {}", all.join(", ")))
        })
    };
    names.iter().map(of).collect()
}

pub(super) fn export(
    trace: &Trace,
    selection: &Selection,
    format: Format,
    wanted: &[&'static Dataset],
    output: &Path,
) -> Result<Status, Problem> {
    let names = Names::of(trace).map_err(|error| trace::problem(trace, &error))?;
    let folder = NewFolder::create(output)?;
    let written = match format {
        #[cfg(feature = "parquet")]
        Format::Parquet => {
            let format =
                kymo_tables::parquet::ParquetFolder::new(folder.stage(), &names, super::facts(trace));
            kymo_tables::export(trace, selection, &names, wanted, &format)
        }
        _ => {
            let format = CsvFolder::new(folder.stage(), &names);
            kymo_tables::export(trace, selection, &names, wanted, &format)
        }
    };
    let report = written.map_err(|error| problem(trace, &error))?;
    let status = trace::report(trace, &report.failures, &report.remarks);
    folder.finish()?;
    Ok(status)
}

fn problem(trace: &Trace, error: &Error) -> Problem {
    match error {
        Error::Analysis(error) => trace::problem(trace, error),
        other => Problem::environment(other),
    }
}
