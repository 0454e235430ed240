//! The crates that this repository uses: each has a reason in docs/authors/dependencies.md, and the
//! plugin has few. Those that users receive come from crates.io under licences that `deny.toml`
//! allows.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use super::release::components;
use crate::process::{cargo, output};
use crate::repository::root;
use crate::{Done, Problem, of};

const LIST: &str = "docs/authors/dependencies.md";
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
    check_licences()?;
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

fn check_licences() -> Done {
    let path = root().join("deny.toml");
    let rules = fs::read_to_string(&path).map_err(|error| of(&path, error))?;
    let allowed = |name: &str| rules.contains(&format!("\n    \"{name}\",\n"));
    for package in components::packages(&components::metadata()?) {
        let text = |key: &str| package[key].as_str().unwrap_or_default();
        let (name, licence, source) = (text("name"), text("license"), text("source"));
        if !is_allowed(licence, &allowed) {
            return Err(of(&path, format_args!("does not allow the licence of {name}: {licence}")));
        }
        if !source.is_empty() && !source.ends_with("github.com/rust-lang/crates.io-index") {
            return Err(format!("{name} is not from crates.io: {source}"));
        }
    }
    Ok(())
}

/// Returns whether an expression of licences has an alternative of which all parts are allowed. Old
/// manifests separate alternatives by a slash.
fn is_allowed(expression: &str, allowed: &dyn Fn(&str) -> bool) -> bool {
    let expression = expression.replace('/', " OR ");
    let any = |alternatives: &str| {
        let mut alternatives = alternatives.split(" OR ");
        alternatives.any(|all| all.split(" AND ").all(|one| allowed(one.trim())))
    };
    // Alternatives in parentheses, then the licences that apply in addition.
    match expression.strip_prefix('(').and_then(|rest| rest.split_once(") AND ")) {
        Some((alternatives, others)) => any(alternatives) && is_allowed(others, allowed),
        None => any(&expression),
    }
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
    fn one_alternative_of_a_licence_must_be_allowed() {
        let is_allowed = |expression| is_allowed(expression, &|name| ["MIT", "Unicode-3.0"].contains(&name));
        for expression in ["MIT", "Unlicense/MIT", "GPL-3.0 OR MIT", "(MIT OR GPL-3.0) AND Unicode-3.0"] {
            assert!(is_allowed(expression), "{expression}");
        }
        let refused = ["", "GPL-3.0", "MIT AND GPL-3.0", "(MIT OR GPL-3.0) AND GPL-2.0", "((MIT))"];
        for expression in refused {
            assert!(!is_allowed(expression), "{expression}");
        }
    }

    #[test]
    fn a_row_can_be_about_several_crates() {
        let text = "| crate | why |\n| --- | --- |\n| `a-b`, `c` | both, `d` too |\n| `e` | why |\n";
        assert_eq!(listed(text).into_iter().collect::<Vec<_>>(), ["a-b", "c", "e"]);
    }
}
