//! The licences of the crates that users receive, as a text that belongs into every copy.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

/// The beginnings of the names of files with licences, in capitals.
const NAMES: [&str; 5] = ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE"];

/// Returns the text for packages of cargo's metadata. Each licence appears once, after the crates
/// that have it.
pub(super) fn text<'a>(packages: impl Iterator<Item = &'a Value>) -> String {
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut lines = Vec::new();
    for package in packages.filter(|it| !it["source"].is_null()) {
        let value = |key: &str| package[key].as_str().unwrap_or_default();
        let name = format!("{} {}", value("name"), value("version"));
        lines.push(format!("{name}: {}\n", value("license")));
        let folder = Path::new(value("manifest_path")).parent().unwrap_or(Path::new("/"));
        for text in of(folder) {
            texts.entry(text).or_default().push(name.clone());
        }
    }
    lines.sort();
    let mut result = format!("Kymo contains these crates, which others wrote:\n\n{}", lines.concat());
    let mut texts: Vec<_> = texts.into_iter().collect();
    texts.sort_by(|a, b| a.1.cmp(&b.1));
    for (text, names) in texts {
        result.push_str(&format!("\n{}\n{}\n\n{text}\n", "=".repeat(72), names.join(", ")));
    }
    result
}

/// Returns the licences in the folder of a crate.
fn of(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<_> = entries.map(|entry| entry.path()).filter(|path| path.is_file()).collect();
    paths.retain(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
        NAMES.iter().any(|begin| name.starts_with(begin))
    });
    paths.sort();
    paths.iter().filter_map(|path| Some(fs::read_to_string(path).ok()?.trim().replace('\r', ""))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_licence_of_several_crates_appears_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let package = |name: &str, licence: &str| {
            let path = folder.path().join(name);
            fs::create_dir(&path).expect("a folder");
            fs::write(path.join("LICENSE-MIT"), licence).expect("a file");
            fs::write(path.join("lib.rs"), "no licence").expect("a file");
            let manifest = path.join("Cargo.toml");
            json!({ "name": name, "version": "1.0.0", "license": "MIT", "source": "registry", "manifest_path": manifest })
        };
        let packages = [package("a", "free\n"), package("b", "free"), package("c", "freer")];
        let text = text(packages.iter());
        assert!(text.contains("\na 1.0.0: MIT\nb 1.0.0: MIT\nc 1.0.0: MIT\n"), "{text}");
        assert!(
            text.contains("\na 1.0.0, b 1.0.0\n\nfree\n") && text.contains("\nc 1.0.0\n\nfreer\n"),
            "{text}"
        );
        assert_eq!(text.matches("free\n").count(), 1);
    }
}
