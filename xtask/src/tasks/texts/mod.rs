//! Checks of the texts of the repository: all files that Git tracks, except data.

mod citations;
mod width;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Done, Problem, of, repository};

/// Files with prose or comments.
const EXTENSIONS: [&str; 9] = ["rs", "md", "toml", "sh", "c", "h", "cpp", "py", "awk"];
/// Folders and files with data, which are not checked.
const DATA: [&str; 3] = ["testing/data/", "docs/man/", "src/substrate/bindings.rs"];

/// Folders with scripts, whose names have no extension.
const SCRIPTS: [&str; 3] = ["scripts/", ".ci/", "xtask/sanitize/"];

/// The folder of the checks, whose comments and tests quote examples of faults.
const EXAMPLES: &str = "xtask/src/tasks/texts";

/// A file of the repository.
struct Text {
    path: PathBuf,
    content: String,
}

/// A check. It returns the lines at fault, each with its fault.
type Check = fn(&Text) -> Vec<(usize, String)>;

/// Runs all checks.
///
/// # Errors
///
/// Lists every place that a check objects to.
pub(crate) fn check() -> Done {
    let texts = texts()?;
    let checks: [Check; 3] = [width::too_wide, citations::unresolved, citations::without_document];
    let problems: Vec<String> = texts
        .iter()
        .flat_map(|text| checks.iter().flat_map(move |check| check(text)).map(move |it| (text, it)))
        .map(|(text, (line, what))| format!("{}:{line}: {what}", text.path.display()))
        .collect();
    match problems.is_empty() {
        true => {
            println!("{} texts checked, nothing to change", texts.len());
            Ok(())
        }
        false => Err(format!("{} places to change\n{}", problems.len(), problems.join("\n"))),
    }
}

fn texts() -> Result<Vec<Text>, Problem> {
    let mut git = Command::new("git");
    git.args(["ls-files", "-z"]).current_dir(repository::root());
    let output = git.output().map_err(|error| format!("git: {error}"))?;
    let names = String::from_utf8_lossy(&output.stdout).into_owned();
    names.split('\0').filter(|name| is_text(name)).map(|name| read(Path::new(name))).collect()
}

fn is_text(name: &str) -> bool {
    let extension = Path::new(name).extension().and_then(|it| it.to_str());
    let is_script = SCRIPTS.iter().any(|folder| name.starts_with(folder));
    let is_data = DATA.iter().any(|data| name.starts_with(data) && name != "testing/data/README.md");
    !is_data && (is_script || extension.is_some_and(|it| EXTENSIONS.contains(&it)))
}

fn read(path: &Path) -> Result<Text, Problem> {
    let content = fs::read(repository::root().join(path)).map_err(|error| of(path, error))?;
    Ok(Text { path: path.to_owned(), content: String::from_utf8_lossy(&content).into_owned() })
}

impl Text {
    /// Returns whether the file quotes faults.
    fn has_examples(&self) -> bool {
        self.path.starts_with(EXAMPLES)
    }

    fn is(&self, extension: &str) -> bool {
        self.path.extension().is_some_and(|it| it == extension)
    }

    /// Returns the lines with their numbers, counted from 1.
    fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.content.lines().enumerate().map(|(index, line)| (index + 1, line))
    }

    /// Returns the lines of Markdown that are not in a code block.
    fn prose(&self) -> impl Iterator<Item = (usize, &str)> {
        let (mut is_fenced, mut may_be_code) = (false, true);
        self.lines().filter(move |(_, line)| {
            let is_fence = line.trim_start().starts_with("```");
            is_fenced ^= is_fence;
            let is_indented = may_be_code && line.starts_with("    ");
            may_be_code = is_indented || line.trim().is_empty();
            !(is_fence || is_fenced || is_indented)
        })
    }
}

#[cfg(test)]
fn text(path: &str, content: &str) -> Text {
    Text { path: path.into(), content: content.into() }
}
