//! Tables of the whole run: the critical path, iterations, the run on an ideal network.

use crate::dataset::{self, Value};
use crate::error::Error;
use crate::export::Work;
use crate::names::Names;
use crate::sink::Rows;
use kymo_analysis::Selection;
use kymo_analysis::SelectionPart;
use kymo_analysis::causes::{CauseJoin, Extras, Kept, RunRow, RunTables, Segment, first_findings};
use kymo_analysis::iterations::LocationIteration;
use kymo_analysis::replay::IdealStep;
use kymo_analysis::spill::Spill;

/// Writes the tables of the run that are wanted, for which all locations are read twice.
pub(crate) fn write(work: &Work<'_>, rows: &mut Rows<'_>) -> Result<(), Error> {
    let tables = RunTables {
        critical_path: rows.wants(&dataset::CRITICAL),
        iterations: rows.wants(&dataset::ITERATIONS),
        replay: rows.wants(&dataset::REPLAY),
    };
    let selection = Selection { part: SelectionPart::WHOLE, ..work.selection.clone() };
    [&dataset::CRITICAL, &dataset::ITERATIONS, &dataset::REPLAY]
        .into_iter()
        .try_for_each(|it| rows.start(it))?;
    let (spill, mut failure) = (Spill::default(), None);
    let mut join = CauseJoin::new(work.trace, &spill, Extras::default());
    first_findings(work.trace, &selection, &spill, false, |location, findings, rows| {
        join.add(location, findings, rows);
        Ok(())
    })?;
    join.finish_with(&selection, Kept { most: 0 }, tables, |row| {
        if failure.is_none() {
            failure = write_row(work.names, row, rows).err();
        }
    })?;
    failure.map_or(Ok(()), Err)
}

fn write_row(names: &Names, row: RunRow, rows: &mut Rows<'_>) -> Result<(), Error> {
    let number = |number: u64| Value::Integer(number as i64);
    match row {
        RunRow::Segment(Segment { location, start, end }) => {
            rows.push(&dataset::CRITICAL, [location.0, start, end - start].map(number))
        }
        RunRow::Iteration(it) => {
            let LocationIteration { location, number: iteration, anchor, start, length, useful, waiting } =
                it;
            let [location, iteration, start, length, useful, waiting] =
                [location.0, iteration, start, length, useful, waiting].map(number);
            let row = [location, iteration, start, length, useful, waiting, names.region(anchor)];
            rows.push(&dataset::ITERATIONS, row)
        }
        RunRow::Step(IdealStep { location, time, ideal }) => {
            rows.push(&dataset::REPLAY, [location.0, time, ideal].map(number))
        }
    }
}
