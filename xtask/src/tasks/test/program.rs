//! The products of cargo for tests: a test program for each target with tests, and the programs and
//! libraries that tests run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::process::{cargo, output, program, run, target};
use crate::repository::root;
use crate::{Done, Problem, of};

/// A test program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TestProgram {
    /// The package and the target, separated by a space.
    pub(super) name: String,
    path: PathBuf,
    /// The folder of the package, in which cargo runs its tests.
    folder: PathBuf,
    /// Whether the package contains macros, which are linked with Rust's shared libraries.
    is_macro: bool,
}

impl TestProgram {
    /// Returns a command that runs the tests, all but the skipped ones.
    pub(super) fn command(&self, skipped: &[&str]) -> Command {
        let mut command = program(&self.path);
        command.current_dir(&self.folder).stdin(Stdio::null());
        command.args(skipped.iter().flat_map(|name| ["--skip", name]));
        if self.is_macro
            && let Ok(libraries) = output(program("rustc").args(["--print", "target-libdir"]))
        {
            command.env("LD_LIBRARY_PATH", libraries.trim());
        }
        command
    }

    /// Returns the parts of names that are in the name of none of the tests.
    pub(super) fn unknown<'n>(&self, names: &[&'n str]) -> Result<Vec<&'n str>, Problem> {
        let list = output(self.command(&[]).arg("--list"))?;
        let is_unknown = |name: &&&str| !list.lines().any(|line| line.contains(**name));
        Ok(names.iter().filter(is_unknown).copied().collect())
    }
}

/// Builds the tests of all packages. Returns their programs. `folder` receives links to the
/// programs and libraries of all packages, which later builds with other features do not change.
pub(super) fn build(folder: &Path) -> Result<Vec<TestProgram>, Problem> {
    // `cargo test --no-run` leaves out libraries that no test in Rust links.
    let build = "build --workspace --all-targets --locked --message-format=json-render-diagnostics";
    let mut cargo = cargo(build);
    let output = cargo.stderr(Stdio::inherit()).output().map_err(|error| of(root(), error))?;
    if !output.status.success() {
        return Err(format!("the tests cannot be built: {}", output.status));
    }
    let messages = String::from_utf8_lossy(&output.stdout);
    let messages: Vec<Value> = messages.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let _ = fs::remove_dir_all(folder);
    fs::create_dir_all(folder).map_err(|error| of(folder, error))?;
    for file in messages.iter().flat_map(products) {
        let link = folder.join(file.file_name().unwrap_or_default());
        fs::hard_link(&file, &link).map_err(|error| of(&file, error))?;
    }
    Ok(messages.iter().filter_map(announced).collect())
}

/// Builds the plugin with its deliberate faults into a folder of `folder`. No test does, because
/// cargo replaces programs that it takes to be old, and a test that starts one at that moment does
/// not find it.
pub(super) fn build_faulty_plugin(folder: &Path) -> Done {
    const LIBRARY: &str = "libscorep_substrate_kymo.so";
    // All packages, so that none is compiled again with other features.
    let build = "build --quiet --workspace --all-targets --locked --features kymo-plugin/deliberate-faults";
    run(&mut cargo(build))?;
    let (built, faulty) = (target()?.join("debug").join(LIBRARY), folder.join("faulty"));
    fs::create_dir_all(&faulty).map_err(|error| of(&faulty, error))?;
    fs::copy(&built, faulty.join(LIBRARY)).map_err(|error| of(&built, error))?;
    Ok(())
}

/// Returns the programs and libraries that a message of cargo announces, for use outside of Rust.
fn products(message: &Value) -> Vec<PathBuf> {
    let kinds = message["target"]["kind"].as_array().into_iter().flatten();
    let mut kinds = kinds.filter_map(Value::as_str);
    let is_product = kinds.any(|kind| ["bin", "cdylib", "staticlib"].contains(&kind));
    if message["profile"]["test"] != false || !is_product {
        return Vec::new();
    }
    let files = message["filenames"].as_array().into_iter().flatten().filter_map(Value::as_str);
    files.filter(|file| !file.ends_with(".rlib")).map(PathBuf::from).collect()
}

/// Returns the test program that a message of cargo announces.
fn announced(message: &Value) -> Option<TestProgram> {
    let is_test = message["profile"]["test"].as_bool()?;
    let path = message["executable"].as_str().filter(|_| is_test)?;
    let folder = Path::new(message["manifest_path"].as_str()?).parent()?;
    // `path+file:///folder/name#1.0.0`, or `…/folder#name@1.0.0` if the names differ.
    let (place, version) = message["package_id"].as_str()?.rsplit_once('#')?;
    let package = version.split_once('@').map_or_else(|| place.rsplit('/').next(), |(name, _)| Some(name))?;
    let name = format!("{package} {}", message["target"]["name"].as_str()?);
    let is_macro = message["target"]["kind"][0] == "proc-macro";
    Some(TestProgram { name, path: path.into(), folder: folder.to_owned(), is_macro })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_program_is_named_after_its_package_and_target() {
        let message = |id: &str, is_test: bool| {
            json!({
                "reason": "compiler-artifact", "package_id": id, "manifest_path": "/here/crates/kymo/Cargo.toml",
                "target": { "name": "integration" }, "profile": { "test": is_test }, "executable": "/built/it",
            })
        };
        let name = |id: &str| announced(&message(id, true)).expect("a program").name;
        assert_eq!(name("path+file:///here/crates/kymo#kymo@0.1.0"), "kymo integration");
        assert_eq!(name("path+file:///here/xtask#0.1.0"), "xtask integration");
        let program = announced(&message("path+file:///here/xtask#0.1.0", true)).expect("a program");
        assert_eq!(program.folder, Path::new("/here/crates/kymo"));
        assert_eq!(announced(&message("path+file:///here/xtask#0.1.0", false)), None);
        assert_eq!(announced(&json!({ "reason": "build-finished", "success": true })), None);
    }

    #[test]
    fn libraries_for_rust_and_tests_are_no_products() {
        let message = |kind: &str, is_test: bool| {
            let target = json!({ "kind": ["rlib", kind] });
            let files = ["/built/libit.rlib", "/built/libit.so"];
            json!({ "target": target, "profile": { "test": is_test }, "filenames": files })
        };
        assert_eq!(products(&message("cdylib", false)), [Path::new("/built/libit.so")]);
        assert_eq!(products(&message("cdylib", true)), [] as [PathBuf; 0]);
        assert_eq!(products(&message("lib", false)), [] as [PathBuf; 0]);
    }
}
