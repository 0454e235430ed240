//! The headers of OTF2 3.0 of the package libopen-trace-format2-dev.

use std::path::Path;
use std::process::Command;

use super::{Language, include, run};

/// Returns the folder with the installed headers. Returns `None`, and reports it, without them.
pub(crate) fn headers() -> Option<&'static Path> {
    let folder = Path::new("/usr/include");
    if folder.join("otf2/otf2.h").exists() {
        return Some(folder);
    }
    kymo_testdata::missing(kymo_testdata::LIBOTF2);
    None
}

/// Returns the text of all headers in a folder, preprocessed, without that of other headers.
pub(crate) fn preprocessed(folder: &Path) -> String {
    preprocessed_with("-DOTF2_IGNORE_ATTRIBUTE_DEPRECATED", folder)
}

/// Returns the text as `preprocessed` does, with another option in place of that which removes the
/// attribute of deprecated functions.
pub(crate) fn preprocessed_with(option: &str, folder: &Path) -> String {
    let text = run(preprocessor(folder).args([option, "-x", "c", "-"]).stdin(source(folder)));
    let mut result = String::new();
    let mut is_ours = false;
    for line in text.lines() {
        match line.strip_prefix("# ") {
            Some(marker) => is_ours = marker.contains("/otf2/"),
            None if is_ours => {
                result += line;
                result.push('\n');
            }
            None => (),
        }
    }
    result.replace("_Bool\n", "bool\n").replace("_Bool ", "bool ").replace("_Bool*", "bool*")
}

/// Returns the macros that the headers in a folder define, except those of other headers.
pub(crate) fn macros(folder: &Path) -> Vec<(String, String)> {
    let text = run(preprocessor(folder).args(["-dM", "-x", "c", "-"]).stdin(source(folder)));
    let defined = text.lines().filter_map(|line| line.strip_prefix("#define ")?.split_once(' '));
    let mut macros: Vec<(String, String)> =
        defined.filter(|(name, _)| name.starts_with("OTF2_")).map(|(a, b)| (a.into(), b.into())).collect();
    macros.sort();
    macros
}

fn preprocessor(folder: &Path) -> Command {
    let mut command = Language::C("c11").compiler();
    command.args(["-E", "-I"]).arg(folder);
    command
}

/// Returns a program that includes everything that needs no other library.
fn source(folder: &Path) -> std::fs::File {
    use std::io::{Seek, Write};
    let mut file = tempfile::tempfile().expect("a file");
    for header in portable(folder) {
        writeln!(file, "#include <otf2/{header}>").expect("a line");
    }
    file.rewind().expect("the start of the file");
    file
}

/// Returns the headers that need no other library.
pub(crate) fn portable(folder: &Path) -> Vec<String> {
    let needs_others = |name: &String| name.contains("MPI_") || name.contains("_Locks");
    super::headers(folder).into_iter().filter(|name| !needs_others(name)).collect()
}

/// Returns the lines that include all our headers that need no other library.
pub(crate) fn our_includes() -> String {
    portable(&include()).iter().map(|name| format!("#include <otf2/{name}>\n")).collect()
}
