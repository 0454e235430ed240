//! JSON of a limited size: tables are cut from their ends, never a sentence.

use super::answer::Answer;
use crate::problem::Problem;

/// Returns the answer as one line. As long as it is too long, the longest table loses half of its
/// rows.
pub(super) fn json(answer: &mut Answer, most_bytes: usize) -> Result<String, Problem> {
    loop {
        let text = serde_json::to_string(answer).map_err(Problem::environment)? + "\n";
        if text.len() <= most_bytes || !answer.cut() {
            return Ok(text);
        }
    }
}

/// A table that can be cut.
struct Table<'a> {
    name: &'static str,
    rows: usize,
    truncate: Box<dyn FnOnce(usize) + 'a>,
}

impl<'a> Table<'a> {
    fn new<T>(name: &'static str, rows: &'a mut Vec<T>) -> Self {
        Self { name, rows: rows.len(), truncate: Box::new(|most| rows.truncate(most)) }
    }
}

impl Answer {
    /// Cuts the table that has the most rows, down to one. Returns whether there was one to cut.
    fn cut(&mut self) -> bool {
        let (waits, path) = (&mut self.waits, &mut self.critical_path);
        let of_iterations = self.iterations.as_mut().into_iter().flat_map(|it| {
            let rows = Table::new("iterations.rows", &mut it.rows);
            [rows, Table::new("iterations.outliers", &mut it.outliers)]
        });
        let of_steps = self.lateness.as_mut().into_iter().map(|it| Table::new("lateness", &mut it.rows));
        let largest = self.groups.iter().map(|group| group.locations.len()).max().unwrap_or(0);
        let groups = match largest > self.groups.len() {
            true => Table {
                name: "groups.locations",
                rows: largest,
                truncate: Box::new(|most| {
                    self.groups.iter_mut().for_each(|group| group.locations.truncate(most));
                }),
            },
            false => Table::new("groups", &mut self.groups),
        };
        let tables = [
            Table::new("waits.rows", &mut waits.rows),
            Table::new("waits.by_path", &mut waits.by_path),
            Table::new("waits.by_location", &mut waits.by_location),
            Table::new("waits.caused_by", &mut waits.caused_by),
            Table::new("blame", &mut self.blame),
            Table::new("delays", &mut self.delays),
            Table::new("critical_path.segments", &mut path.segments),
            Table::new("critical_path.profile", &mut path.profile),
            Table::new("critical_path.imbalance", &mut path.imbalance),
            groups,
            Table::new("idle", &mut self.idle),
            Table::new("overlap", &mut self.overlap),
        ];
        let longest = tables.into_iter().chain(of_iterations).chain(of_steps).max_by_key(|table| table.rows);
        let Some(Table { name, rows, truncate }) = longest.filter(|table| table.rows > 1) else {
            return false;
        };
        truncate(rows / 2);
        self.forget_unused_locations();
        *self.left_out.entry(name).or_default() += (rows - rows / 2) as u64;
        true
    }
}
