//! The book of `docs`, made by mdBook, and the links in its pages.

mod links;

use std::fs;
use std::path::{Path, PathBuf};

use crate::process::{program, run, target};
use crate::{Done, Problem, installation, of};

/// Builds the book in `target/book`.
pub(crate) fn run_task() -> Done {
    let version =
        installation::from_crates("mdbook", "--version 0.5.4 --no-default-features --features search")?;
    let folder = target()?.join("book");
    let _ = fs::remove_dir_all(&folder);
    run(program("mdbook").arg("build").arg("--dest-dir").arg(&folder))?;
    let pages = pages(&folder)?;
    let dead: Vec<String> = pages.iter().flat_map(|page| links::dead(page)).collect();
    if !dead.is_empty() {
        return Err(format!("{} dead links in the book\n{}", dead.len(), dead.join("\n")));
    }
    println!("{} pages in {}, made by {}", pages.len(), folder.display(), version.trim());
    Ok(())
}

/// Returns the pages in a folder and its subfolders.
fn pages(folder: &Path) -> Result<Vec<PathBuf>, Problem> {
    let (mut found, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).map_err(|error| of(&folder, error))?.flatten() {
            match entry.path() {
                path if path.is_dir() => folders.push(path),
                path if path.extension().is_some_and(|it| it == "html") => found.push(path),
                _ => {}
            }
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use crate::process::{output, program};
    use crate::repository::root;

    /// mdBook leaves out a page that the summary does not name.
    #[test]
    fn every_page_is_in_the_book() {
        let summary = std::fs::read_to_string(root().join("docs/SUMMARY.md")).expect("a summary");
        // Below the folders as well.
        let pages = ["docs/start", "docs/tasks", "docs/questions", "docs/reference", "docs/authors"]
            .map(|it| format!("{it}/*.md"));
        let pages = output(program("git").arg("ls-files").args(pages)).expect("the pages");
        let is_absent = |page: &&str| !summary.contains(&format!("({})", page.trim_start_matches("docs/")));
        assert!(pages.lines().count() > 20, "{pages}");
        let absent: Vec<_> = pages.lines().filter(is_absent).collect();
        assert_eq!(absent, [""; 0]);
    }
}
