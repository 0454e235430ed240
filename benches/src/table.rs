//! Markdown tables.

use std::fmt;

/// A table that grows row by row.
#[derive(Debug)]
pub(crate) struct Table {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn new(header: &[&str]) -> Self {
        Self { header: header.iter().map(|&cell| cell.to_owned()).collect(), rows: Vec::new() }
    }

    pub(crate) fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = |cells: &[String]| format!("| {} |", cells.join(" | "));
        writeln!(f, "{}", line(&self.header))?;
        writeln!(f, "|---{}|", "|---:".repeat(self.header.len() - 1))?;
        self.rows.iter().try_for_each(|row| writeln!(f, "{}", line(row)))
    }
}

/// Formats a figure that may be missing, with `digits` decimal places.
pub(crate) fn figure(value: Option<f64>, digits: usize) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{value:.digits$}"))
}

#[cfg(test)]
mod tests {
    use super::{Table, figure};

    #[test]
    fn a_table_is_markdown() {
        let mut table = Table::new(&["what", "ns"]);
        table.row(vec!["enter".to_owned(), figure(Some(2.25), 1)]);
        table.row(vec!["leave".to_owned(), figure(None, 1)]);
        assert_eq!(table.to_string(), "| what | ns |\n|---|---:|\n| enter | 2.2 |\n| leave | – |\n");
    }
}
