//! A profile as the nested lists of Hatchet's `GraphFrame.from_literal`. Times are in seconds.

use serde_json::json;

use super::json;
use super::table::{Row, Table};
use crate::problem::Problem;

pub(super) fn write(table: &Table<'_>) -> Result<String, Problem> {
    let mut text = String::from("[");
    for part in &table.parts {
        let mut rows = part.rows.iter().peekable();
        while let Some(row) = rows.next() {
            let node = json::text(&node(row))?;
            // The children go into the object.
            text.push_str(node.trim_end().strip_suffix('}').unwrap_or(&node));
            let next = rows.peek().map_or(0, |next| next.depth);
            if rows.peek().is_some() && next > row.depth {
                text.push_str(",\"children\":[\n");
                continue;
            }
            text.push('}');
            for _ in next..row.depth {
                text.push_str("]}");
            }
            if rows.peek().is_some() {
                text.push_str(",\n");
            }
        }
    }
    text.push_str("]\n");
    Ok(text)
}

fn node(row: &Row<'_>) -> serde_json::Value {
    let seconds = |nanoseconds: u128| nanoseconds as f64 / 1e9;
    json!({
        "frame": { "name": row.name, "type": "function" },
        "metrics": {
            "time": seconds(row.sums.exclusive()),
            "time (inc)": seconds(row.sums.inclusive()),
            "visits": row.sums.calls.visits,
            "samples": row.sums.samples,
        },
    })
}
