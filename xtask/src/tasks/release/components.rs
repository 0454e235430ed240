//! The bill of materials: the crates that users receive, with licences and checksums, in the format
//! CycloneDX 1.5.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::machine::Machine;
use crate::process::{cargo, output};
use crate::repository::root;
use crate::tasks::install::PACKAGES;
use crate::{Problem, of};

/// Returns cargo's metadata of all packages for the machines that have archives.
pub(crate) fn metadata() -> Result<Value, Problem> {
    let mut metadata = cargo("metadata --format-version 1 --locked");
    metadata.args(Machine::ALL.iter().flat_map(|machine| ["--filter-platform", machine.target()]));
    let text = output(&mut metadata)?;
    serde_json::from_str(&text).map_err(|error| format!("cargo metadata: {error}"))
}

/// Writes the bill into a folder. Returns the name of the file.
pub(super) fn write(metadata: &Value, folder: &Path) -> Result<String, Problem> {
    let lock = root().join("Cargo.lock");
    let lock = fs::read_to_string(&lock).map_err(|error| of(&lock, error))?;
    let bill = bill(metadata, &checksums(&lock));
    let name = format!("kymo-{}.cdx.json", env!("CARGO_PKG_VERSION"));
    let path = folder.join(&name);
    let text = serde_json::to_string_pretty(&bill).map_err(|error| of(&path, error))?;
    fs::write(&path, text).map_err(|error| of(&path, error))?;
    Ok(name)
}

/// Returns the checksums in the lock file, by name and version.
fn checksums(lock: &str) -> BTreeMap<(String, String), String> {
    let value = |line: &str, key| Some(line.strip_prefix(key)?.trim_matches('"').to_owned());
    let packages = lock.split("[[package]]").filter_map(|package| {
        let find = |key| package.lines().find_map(|line| value(line, key));
        Some(((find("name = ")?, find("version = ")?), find("checksum = ")?))
    });
    packages.collect()
}

/// Returns the packages that users receive.
pub(crate) fn packages(metadata: &Value) -> impl Iterator<Item = &Value> {
    let used = used(metadata);
    let is_used = move |package: &&Value| package["id"].as_str().is_some_and(|id| used.contains(id));
    array(&metadata["packages"]).iter().filter(is_used)
}

/// Returns the ids of the packages that are installed and of all that they use, but for tests,
/// builds and macros, which run when they are compiled.
fn used(metadata: &Value) -> BTreeSet<&str> {
    let nodes = array(&metadata["resolve"]["nodes"]);
    let by_id: BTreeMap<_, _> = nodes.iter().filter_map(|node| Some((node["id"].as_str()?, node))).collect();
    let is_installed = |package: &&Value| package["name"].as_str().is_some_and(|it| PACKAGES.contains(&it));
    let installed = array(&metadata["packages"]).iter().filter(is_installed);
    let mut open: Vec<&str> = installed.filter_map(|package| package["id"].as_str()).collect();
    let is_macro = |package: &&Value| {
        let kinds = array(&package["targets"]).iter().flat_map(|target| array(&target["kind"]));
        kinds.into_iter().any(|kind| kind == "proc-macro")
    };
    let macros = array(&metadata["packages"]).iter().filter(is_macro);
    let macros: BTreeSet<_> = macros.filter_map(|package| package["id"].as_str()).collect();
    let mut used = BTreeSet::new();
    while let Some(id) = open.pop() {
        if !macros.contains(id) && used.insert(id) {
            let links = by_id.get(id).map_or(&[][..], |node| array(&node["deps"]));
            let is_linked =
                |link: &&Value| array(&link["dep_kinds"]).iter().any(|kind| kind["kind"].is_null());
            open.extend(links.iter().filter(is_linked).filter_map(|link| link["pkg"].as_str()));
        }
    }
    used
}

fn array(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn bill(metadata: &Value, checksums: &BTreeMap<(String, String), String>) -> Value {
    let mut components: Vec<Value> =
        packages(metadata).map(|package| component(package, checksums)).collect();
    components.sort_by_key(|component| component["purl"].to_string());
    json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": { "component": {
            "type": "application", "name": "kymo", "version": env!("CARGO_PKG_VERSION"),
        } },
        "components": components,
    })
}

fn component(package: &Value, checksums: &BTreeMap<(String, String), String>) -> Value {
    let text = |key: &str| package[key].as_str().unwrap_or_default().to_owned();
    let (name, version) = (text("name"), text("version"));
    let mut component = json!({
        "type": "library",
        "name": name,
        "version": version,
        "purl": format!("pkg:cargo/{name}@{version}"),
        "licenses": [{ "expression": text("license").replace('/', " OR ") }],
    });
    if let Some(sum) = checksums.get(&(name, version)) {
        component["hashes"] = json!([{ "alg": "SHA-256", "content": sum }]);
    }
    component
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_used_only_by_tests_is_no_component() {
        let package = |name: &str| {
            let kind = if name == "derive" { "proc-macro" } else { "lib" };
            json!({
                "id": name, "name": name, "version": "1.0.0", "license": "MIT/Apache-2.0",
                "targets": [{ "kind": [kind] }],
            })
        };
        let link = |to: &str, kind: Value| json!({ "pkg": to, "dep_kinds": [{ "kind": kind }] });
        let packages = ["kymo", "used", "tested", "derive", "other"].map(package);
        let metadata = json!({
            "packages": packages,
            "resolve": { "nodes": [
                { "id": "kymo", "deps": [
                    link("used", Value::Null), link("tested", json!("dev")), link("derive", Value::Null),
                ] },
                { "id": "used", "deps": [] }, { "id": "tested", "deps": [] }, { "id": "other", "deps": [] },
            ] },
        });
        let lock = "[[package]]\nname = \"used\"\nversion = \"1.0.0\"\nchecksum = \"abc\"\n";
        let bill = bill(&metadata, &checksums(lock));
        let names: Vec<_> = array(&bill["components"]).iter().map(|it| it["name"].clone()).collect();
        assert_eq!(names, ["kymo", "used"]);
        assert_eq!(bill["components"][1]["hashes"][0]["content"], "abc");
        assert_eq!(bill["components"][1]["licenses"][0]["expression"], "MIT OR Apache-2.0");
    }
}
