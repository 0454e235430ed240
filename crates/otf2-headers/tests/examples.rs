//! The programs in the comments of otf2.h compile, and behave with libotf2 as the comments state.

use super::common::{LANGUAGES, Language, accept, build, compiler_for, debian, include, run};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Returns the programs between `@code` and `@endcode`.
fn programs() -> Vec<String> {
    let header = fs::read_to_string(include().join("otf2/otf2.h")).expect("a header");
    let blocks =
        header.split("@code\n").skip(1).map(|rest| rest.split(" * @endcode").next().expect("an end"));
    blocks
        .map(|block| block.lines().map(|line| line.trim_start_matches(" *").to_owned() + "\n").collect())
        .collect()
}

#[test]
fn examples_compile_as_c_and_cpp() {
    let programs = programs();
    assert_eq!(programs.len(), 2);
    for language in LANGUAGES {
        programs.iter().for_each(|program| accept(language, program));
    }
}

#[test]
fn examples_write_and_read_a_trace() {
    if debian::headers().is_none() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let outputs = programs().into_iter().enumerate().map(|(index, program)| {
        let source = folder.path().join(format!("example{index}.c"));
        fs::write(&source, program).expect("a source file");
        run(Command::new(linked(&source, folder.path())).current_dir(folder.path()))
    });
    assert_eq!(outputs.collect::<Vec<_>>(), ["", "1000: location 0 enters region 0\n"]);
}

fn linked(source: &Path, folder: &Path) -> std::path::PathBuf {
    let language = Language::C("c99");
    let compiler = compiler_for("otf2.h", language).expect("a C compiler");
    build(compiler, language, source, folder, &["-lopen-trace-format2"])
}
