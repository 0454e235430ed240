//! Installs files under a prefix, and removes them again.
//!
//! A list of the files is installed as well. Invariant: a file that is not in the list is neither
//! overwritten nor removed, so that files of others (an installed Score-P has headers with the same
//! names) remain.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use super::files::{Content, File};
use crate::{Problem, of};

const LIST: &str = "share/kymo/installed-files";

/// Installs the files, and removes files of an earlier version that are not among them.
pub(crate) fn install(prefix: &Path, files: &[File]) -> Result<(), Problem> {
    let earlier = listed(prefix);
    let foreign =
        |file: &&File| !earlier.contains(&file.path) && prefix.join(&file.path).symlink_metadata().is_ok();
    if let Some(file) = files.iter().find(foreign) {
        let path = prefix.join(&file.path);
        return Err(of(
            &path,
            "exists and is not from an earlier install; choose another prefix, or remove it",
        ));
    }
    let now: BTreeSet<PathBuf> = files.iter().map(|file| file.path.clone()).collect();
    // The list is written first, so that an interrupted installation can be uninstalled.
    write_list(prefix, now.union(&earlier))?;
    files.iter().try_for_each(|file| put(prefix, file))?;
    earlier.difference(&now).for_each(|path| remove(prefix, path));
    write_list(prefix, now.iter())
}

/// Puts the files into a new folder, without a list.
pub(crate) fn lay_out(folder: &Path, files: &[File]) -> Result<(), Problem> {
    files.iter().try_for_each(|file| put(folder, file))
}

/// Removes the files in the list.
pub(crate) fn uninstall(prefix: &Path) -> Result<String, Problem> {
    let files = listed(prefix);
    if files.is_empty() {
        return Err(of(&prefix.join(LIST), "not found: nothing is installed under this prefix"));
    }
    files.iter().for_each(|path| remove(prefix, path));
    remove(prefix, Path::new(LIST));
    let left: Vec<_> = files.iter().filter(|path| prefix.join(path).symlink_metadata().is_ok()).collect();
    match left.first() {
        None => Ok(format!("{} files removed from {}", files.len(), prefix.display())),
        Some(path) => Err(of(&prefix.join(path), "could not be removed")),
    }
}

/// Returns the paths in the list.
fn listed(prefix: &Path) -> BTreeSet<PathBuf> {
    let list = fs::read_to_string(prefix.join(LIST)).unwrap_or_default();
    let is_below =
        |path: &PathBuf| path.components().all(|part| matches!(part, std::path::Component::Normal(_)));
    list.lines().map(PathBuf::from).filter(is_below).collect()
}

fn write_list<'a>(prefix: &Path, paths: impl Iterator<Item = &'a PathBuf>) -> Result<(), Problem> {
    let content: String = paths.map(|path| format!("{}\n", path.display())).collect();
    put(prefix, &File { path: PathBuf::from(LIST), content: Content::Data(content.into_bytes()) })
}

/// Makes a file under a temporary name and renames it: a running program keeps the old file.
fn put(prefix: &Path, file: &File) -> Result<(), Problem> {
    let path = prefix.join(&file.path);
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".kymo-new");
    let made = path.with_file_name(name);
    fs::create_dir_all(path.parent().unwrap_or(prefix))
        .and_then(|()| make(&made, &file.content))
        .and_then(|()| fs::rename(&made, &path))
        .map_err(|error| of(&path, error))
}

fn make(path: &Path, content: &Content) -> io::Result<()> {
    // An installation that was interrupted leaves such a file, which may be a link.
    let _ = fs::remove_file(path);
    let (bytes, mode) = match content {
        Content::Program(bytes) => (bytes, 0o755),
        Content::Data(bytes) => (bytes, 0o644),
        Content::Link(target) => return symlink(target, path),
    };
    fs::write(path, bytes)?;
    fs::set_permissions(path, fs::Permissions::from_mode(mode))
}

/// Removes a file, and the directories that are empty afterwards.
fn remove(prefix: &Path, path: &Path) {
    let _ = fs::remove_file(prefix.join(path));
    let folders = path.ancestors().skip(1).take_while(|folder| !folder.as_os_str().is_empty());
    for folder in folders {
        if fs::remove_dir(prefix.join(folder)).is_err() {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, content: &str) -> File {
        let bytes = content.as_bytes().to_vec();
        let content = if path.starts_with("bin/") { Content::Program(bytes) } else { Content::Data(bytes) };
        File { path: PathBuf::from(path), content }
    }

    /// Returns the paths of all files in a directory, sorted.
    fn files(prefix: &Path) -> Vec<String> {
        let mut found = Vec::new();
        let mut folders = vec![prefix.to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).expect("a folder").flatten() {
                match entry.path() {
                    path if path.is_dir() => folders.push(path),
                    path => found.push(path.strip_prefix(prefix).expect("below").display().to_string()),
                }
            }
        }
        found.sort();
        found
    }

    #[test]
    fn uninstall_removes_only_what_was_installed() {
        let prefix = tempfile::tempdir().expect("a folder");
        let prefix = prefix.path();
        fs::create_dir(prefix.join("bin")).expect("a folder");
        fs::write(prefix.join("bin/other"), "other").expect("a file");
        install(prefix, &[file("bin/kymo", "1"), file("lib/a.so", "2"), file("share/x/y", "3")])
            .expect("to install");
        assert_eq!(files(prefix), ["bin/kymo", "bin/other", "lib/a.so", LIST, "share/x/y"]);
        let mode = |path: &str| fs::metadata(prefix.join(path)).expect("a file").permissions().mode() & 0o777;
        assert_eq!((mode("bin/kymo"), mode("share/x/y")), (0o755, 0o644));
        uninstall(prefix).expect("to uninstall");
        assert_eq!(files(prefix), ["bin/other"]);
        assert!(!prefix.join("share").exists() && !prefix.join("lib").exists());
        uninstall(prefix).expect_err("nothing is there any more");
    }

    #[test]
    fn a_new_version_replaces_the_old_one() {
        let prefix = tempfile::tempdir().expect("a folder");
        let prefix = prefix.path();
        install(prefix, &[file("bin/kymo", "old"), file("lib/old.so", "old")]).expect("to install");
        install(prefix, &[file("bin/kymo", "new"), file("lib/new.so", "new")]).expect("to install again");
        assert_eq!(files(prefix), ["bin/kymo", "lib/new.so", LIST]);
        assert_eq!(fs::read_to_string(prefix.join("bin/kymo")).expect("a file"), "new");
    }

    #[test]
    fn links_are_replaced_and_removed() {
        let prefix = tempfile::tempdir().expect("a folder");
        let prefix = prefix.path();
        let link = |target: &str| File { path: "lib/b.so".into(), content: Content::Link(target.into()) };
        install(prefix, &[file("lib/a.so", "1"), link("a.so")]).expect("to install");
        assert_eq!(fs::read_to_string(prefix.join("lib/b.so")).expect("a file"), "1");
        install(prefix, &[file("lib/a.so", "1"), link("nowhere")]).expect("to install again");
        assert_eq!(fs::read_link(prefix.join("lib/b.so")).expect("a link"), Path::new("nowhere"));
        uninstall(prefix).expect("to uninstall");
        assert!(!prefix.join("lib").exists());
    }

    #[test]
    fn foreign_files_are_refused_before_anything_is_written() {
        let prefix = tempfile::tempdir().expect("a folder");
        let prefix = prefix.path();
        fs::create_dir_all(prefix.join("include/scorep")).expect("a folder");
        fs::write(prefix.join("include/scorep/SCOREP_User.h"), "Score-P's").expect("a file");
        let problem = install(prefix, &[file("bin/kymo", "1"), file("include/scorep/SCOREP_User.h", "ours")]);
        assert!(problem.expect_err("a foreign file").contains("include/scorep/SCOREP_User.h: exists"));
        assert_eq!(files(prefix), ["include/scorep/SCOREP_User.h"]);
    }

    #[test]
    fn a_list_cannot_name_files_elsewhere() {
        let prefix = tempfile::tempdir().expect("a folder");
        let outside = prefix.path().join("outside");
        fs::write(&outside, "").expect("a file");
        let prefix = prefix.path().join("prefix");
        fs::create_dir_all(prefix.join("share/kymo")).expect("a folder");
        let list = format!("../outside\n{}\n", outside.display());
        fs::write(prefix.join(LIST), list).expect("a list");
        uninstall(&prefix).expect_err("nothing under the prefix");
        assert!(outside.exists());
    }
}
