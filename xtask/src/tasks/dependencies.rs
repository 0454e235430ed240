//! The crates that this repository uses: each has a reason in docs/dependencies.md, and the plugin
//! has few.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use crate::process::{cargo, output};
use crate::repository::root;
use crate::{Done, Problem, of};

const LIST: &str = "docs/dependencies.md";
/// The largest number of crates of others in the plugin.
const MOST_IN_PLUGIN: usize = 8;

pub(crate) fn check() -> Done {
    let path = root().join(LIST);
    let listed = listed(&fs::read_to_string(&path).map_err(|error| of(&path, error))?);
    let text = output(&mut cargo("metadata --format-version 1 --no-deps --locked"))?;
    let metadata: Value = serde_json::from_str(&text).map_err(|error| format!("cargo metadata: {error}"))?;
    let used = used(&metadata);
    if let Some(name) = used.difference(&listed).next() {
        return Err(of(&path, format_args!("has no reason for the dependency {name}")));
    }
    if let Some(name) = listed.difference(&used).next() {
        return Err(of(&path, format_args!("lists {name}, which no package uses")));
    }
    let plugin = in_plugin()?;
    match plugin.len() <= MOST_IN_PLUGIN {
        true => Ok(()),
        false => Err(format!("the plugin has more than {MOST_IN_PLUGIN} crates of others: {plugin:?}")),
    }
}

/// Returns the crates in the first columns of tables.
fn listed(text: &str) -> BTreeSet<String> {
    let columns = text.lines().filter_map(|line| line.strip_prefix("| `")?.split(" | ").next());
    let names = columns.flat_map(|column| column.split(", "));
    names.map(|name| name.trim_matches('`').to_owned()).collect()
}

/// Returns the crates of others that packages of the workspace name.
fn used(metadata: &Value) -> BTreeSet<String> {
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let dependencies = packages.flat_map(|package| package["dependencies"].as_array().into_iter().flatten());
    let others = dependencies.filter(|dependency| dependency["path"].is_null());
    others.filter_map(|dependency| dependency["name"].as_str().map(str::to_owned)).collect()
}

fn in_plugin() -> Result<BTreeSet<String>, Problem> {
    let tree = output(&mut cargo("tree --locked --package kymo-plugin --edges normal --prefix none"))?;
    let names = tree.lines().filter_map(|line| line.split(' ').next());
    Ok(names.filter(|name| !name.is_empty() && !name.starts_with("kymo-")).map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_can_be_about_several_crates() {
        let text = "| crate | why |\n| --- | --- |\n| `a-b`, `c` | both, `d` too |\n| `e` | why |\n";
        assert_eq!(listed(text).into_iter().collect::<Vec<_>>(), ["a-b", "c", "e"]);
    }
}
