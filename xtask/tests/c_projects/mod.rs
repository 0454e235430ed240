//! The programs of `examples/c`, built with CMake, pkg-config and kymo-config against an installed
//! prefix.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use kymo_testdata::is_installed;

use super::succeeds;

/// The source folder of the programs.
fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/c").canonicalize().expect("a folder")
}

/// Runs a script with the variables `PREFIX` and `SOURCE` in a folder, and returns its output.
fn shell(script: &str, folder: &Path, prefix: &Path) -> String {
    let mut shell = Command::new("sh");
    shell.args(["-e", "-c", script]).current_dir(folder);
    shell.env("PREFIX", prefix).env("SOURCE", source()).env_remove("LD_LIBRARY_PATH");
    succeeds(&shell.output().expect("a shell"))
}

/// How each build system builds the programs, in a folder of its own.
const BUILDS: [(&str, &str); 3] = [
    (
        "cmake",
        "cmake -S $SOURCE -B . -D CMAKE_PREFIX_PATH=$PREFIX -D CMAKE_C_FLAGS='-Wall -Wextra -Werror'
         cmake --build .
         ctest --output-on-failure",
    ),
    (
        "pkg-config",
        "cp $SOURCE/* .
         CFLAGS='-Wall -Wextra -Werror' PKG_CONFIG_PATH=$PREFIX/lib/pkgconfig make -f pkg-config.mk",
    ),
    (
        "kymo-config",
        "cp $SOURCE/* .
         CFLAGS='-Wall -Wextra -Werror' make -f kymo-config.mk KYMO_CONFIG=$PREFIX/bin/kymo-config",
    ),
];

/// Returns the programs that a build system needs, apart from the compiler.
fn needed_by(system: &str) -> &'static [&'static str] {
    match system {
        "cmake" => &["cmake", "make"],
        "pkg-config" => &["pkg-config", "make"],
        _ => &["make"],
    }
}

/// Builds the programs with every build system, and runs them. `name` is that of a new folder.
pub(crate) fn build_and_run(folder: &Path, prefix: &Path, name: &str) {
    for (system, script) in BUILDS {
        if !needed_by(system).iter().all(|program| is_installed(program)) {
            continue;
        }
        let folder = folder.join(format!("{name}-{system}"));
        fs::create_dir(&folder).expect("a folder");
        shell(script, &folder, prefix);
        records_its_regions("solver", &folder, prefix);
        reads_archives_and_traces("", &folder, prefix);
        // pkg-config has no answer for the needs of these.
        if system != "pkg-config" {
            records_its_regions("solver_functions", &folder, prefix);
            reads_archives_and_traces("_static", &folder, prefix);
        }
    }
}

fn records_its_regions(program: &str, folder: &Path, prefix: &Path) {
    assert_eq!(shell(&format!("./{program}"), folder, prefix), "1.414214\n");
    shell(&format!("$PREFIX/bin/kymo record -o {program}-out -- ./{program}"), folder, prefix);
    let regions = shell(&format!("./regions {program}-out/kymo/traces.otf2"), folder, prefix);
    let has = |line: &str| regions.lines().any(|it| it == line);
    // The compiler instruments `improve` as well, and it has a user region.
    assert!(has("5 improve"), "{program}: {regions}");
    assert_eq!(has("1 main"), program == "solver_functions", "{program}: {regions}");
}

fn reads_archives_and_traces(suffix: &str, folder: &Path, prefix: &Path) {
    let regions = shell(&format!("./regions{suffix} solver-out/kymo/traces.otf2"), folder, prefix);
    assert!(regions.contains("1 solve\n"), "{regions}");
    let tau = "$SOURCE/../../testing/data/tau/serial/tau";
    let states = shell(&format!("./states{suffix} {tau}.trc {tau}.edf"), folder, prefix);
    assert!(states.contains("1 \"main() int (int, char **)\"\n"), "{states}");
}
