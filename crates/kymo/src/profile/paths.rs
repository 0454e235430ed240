//! Regions, or call paths, of several profiles, paired by name: ids differ from trace to trace.

use std::collections::HashMap;

use super::table::{Row, Table, path_text};

/// Numbers of regions or call paths by the names of their regions.
#[derive(Debug, Default)]
pub(super) struct PathIds {
    ids: HashMap<(Option<usize>, String), usize>,
    /// The names by number.
    pub(super) names: Vec<String>,
}

impl PathIds {
    /// Returns the number of a region below a call path, if it has one.
    pub(super) fn known(&self, outer: Option<usize>, name: &str) -> Option<usize> {
        self.ids.get(&(outer, name.to_owned())).copied()
    }

    /// Returns the numbers of the rows of a table, in their order.
    pub(super) fn of_rows<'t>(&mut self, table: &'t Table<'_>) -> Vec<(usize, &'t Row<'t>)> {
        let (mut outer, mut path) = (Vec::new(), Vec::new());
        let mut numbered = Vec::new();
        for row in table.parts.iter().flat_map(|part| &part.rows) {
            outer.truncate(row.depth);
            path.truncate(row.depth);
            path.push(row.name.to_string());
            let name = || match table.is_tree {
                true => path_text(&path),
                false => row.name.to_string(),
            };
            let id = self.id(outer.last().copied(), &row.name, name);
            outer.push(id);
            numbered.push((id, row));
        }
        numbered
    }

    fn id(&mut self, outer: Option<usize>, name: &str, text: impl FnOnce() -> String) -> usize {
        let new = self.names.len();
        let id = *self.ids.entry((outer, name.to_owned())).or_insert(new);
        if id == new {
            self.names.push(text());
        }
        id
    }
}
