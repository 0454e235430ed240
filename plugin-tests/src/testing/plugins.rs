//! Builds plugins from their sources in the test that loads them, so that none is older than its
//! source.
//!
//! A library is copied to a folder of this process before it is used: another process that builds
//! the same package with other features replaces only its own copy.

use std::collections::HashMap;
use std::env;
use std::fs::{self, File};
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, OnceLock};

use crate::scenarios::Programs;

/// The packages that tests of plugins run, and the file of each.
const FILES: [(&str, &str); 5] = [
    ("kymo", "kymo"),
    ("kymo-fake-mpi", "libkymo_fake_mpi.so"),
    ("kymo-plugin", "libscorep_substrate_kymo.so"),
    ("kymo-print-regions", "libscorep_substrate_print_regions.so"),
    ("kymo-runtime", "libkymo_runtime.so"),
];

/// Builds the plugin of a package in `FILES`; returns the path of its library.
pub fn build_plugin(package: &str) -> PathBuf {
    copied(package)
}

/// Returns the folder of a library of `kymo-plugin` with the deliberate faults of `src/faults.rs`:
/// the one that `scripts/test` has built, or one of this process.
pub fn build_faulty_plugin() -> PathBuf {
    const LIBRARY: &str = "libscorep_substrate_kymo.so";
    let built = env::var_os("KYMO_BUILT").map(|folder| Path::new(&folder).join("faulty"));
    if let Some(folder) = built.filter(|folder| folder.join(LIBRARY).exists()) {
        return folder;
    }
    let folder = plugin_folder().join("faulty");
    fs::create_dir_all(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let _lock = FolderLock::new();
    kymo_testdata::succeed(
        kymo_testdata::cargo_build(&["kymo-plugin"]).args(["--features", "kymo-plugin/deliberate-faults"]),
    );
    let profile = env::current_exe().expect("the path of the test");
    copy(LIBRARY, profile.ancestors().nth(2).expect("a folder"), &folder);
    folder
}

/// Builds the program of a package in `FILES`.
pub fn build_program(package: &str) -> PathBuf {
    copied(package)
}

/// Returns the file of a package in the folder of this process.
fn copied(package: &str) -> PathBuf {
    static COPIED: Mutex<Option<HashMap<String, PathBuf>>> = Mutex::new(None);
    let mut copied = COPIED.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let file = FILES.iter().find(|(name, _)| *name == package).expect("a package that tests run").1;
    let copied = copied.get_or_insert_default();
    let built = || {
        let _lock = FolderLock::new();
        copy(file, &kymo_testdata::built(&FILES.map(|(package, _)| package)), &plugin_folder())
    };
    copied.entry(package.to_owned()).or_insert_with(built).clone()
}

fn copy(name: &str, from: &Path, to: &Path) -> PathBuf {
    let (file, copy) = (from.join(name), to.join(name));
    fs::copy(&file, &copy).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    copy
}

/// Compiles a plugin in C from `plugin-tests/tests/plugins` with the given definitions
/// (`NAME=value`); returns its folder.
pub fn compile_plugin(name: &str, source: &str, definitions: &[&str]) -> PathBuf {
    compile_plugin_as(&format!("libscorep_substrate_{name}.so"), name, source, definitions);
    plugin_folder()
}

/// Like [`compile_plugin`], but writes to a file with the given name and returns its path.
pub fn compile_plugin_as(file: &str, name: &str, source: &str, definitions: &[&str]) -> PathBuf {
    let mut options = vec![format!("-DNAME={name}")];
    options.extend(definitions.iter().map(|definition| format!("-D{definition}")));
    compile(file, &Path::new("tests/plugins").join(source), &["-fPIC", "-shared"], &options)
}

/// Compiles the library of `plugin-tests/c/forbid.c`, which is preloaded to watch plugins in
/// callbacks.
pub fn compile_watch() -> PathBuf {
    compile("libforbid.so", Path::new("c/forbid.c"), &["-fPIC", "-shared"], &[])
}

/// Compiles the library of `plugin-tests/c/fail.c`, which is preloaded to make calls of the plugin
/// fail. Built once per process.
pub fn compile_failures() -> PathBuf {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    LIBRARY.get_or_init(|| compile("libfail.so", Path::new("c/fail.c"), &["-fPIC", "-shared"], &[])).clone()
}

/// Compiles the program of `plugin-tests/c/raw.c`, under which system calls of the plugin fail.
/// Built once per process.
pub fn compile_raw() -> PathBuf {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| compile("raw", Path::new("c/raw.c"), &[], &[])).clone()
}

/// Compiles a program in C from `plugin-tests/c-hosts`.
pub fn compile_host(source: &str) -> PathBuf {
    let name = Path::new(source).with_extension("");
    let name = name.to_string_lossy();
    compile(&name, &Path::new("c-hosts").join(source), &["-rdynamic", "-pthread"], &[])
}

/// Returns the programs that scenarios run: the plugin, the command `kymo`, and the host of
/// `c-hosts/ends.c`. Built once per process.
pub fn scenario_programs() -> &'static Programs {
    static PROGRAMS: OnceLock<Programs> = OnceLock::new();
    // It judges the archives of scenarios.
    kymo_testdata::require("otf2-print");
    PROGRAMS.get_or_init(|| Programs {
        plugin: build_plugin("kymo-plugin"),
        kymo: build_program("kymo"),
        host: compile_with_cpp("ends", "c-hosts/ends.c", "c-hosts/throws.cpp"),
    })
}

/// Compiles a program from a file in C and one in C++.
fn compile_with_cpp(file: &str, c: &str, cpp: &str) -> PathBuf {
    let object = compile(&format!("{file}.o"), Path::new(c), &["-pthread", "-c"], &[]);
    let program = plugin_folder().join(file);
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(cpp);
    let mut command = kymo_testdata::compiler("CXX", "c++");
    command.args(["-O1", "-g", "-Wall", "-Wextra", "-Werror", "-pthread", "-rdynamic", "-o"]);
    kymo_testdata::succeed(command.arg(&program).arg(source).arg(object).arg("-ldl"));
    program
}

/// Compiles a program in C from its text.
pub fn compile_program(name: &str, text: &str) -> PathBuf {
    let source = plugin_folder().join(name).with_extension("c");
    fs::write(&source, text).unwrap_or_else(|error| panic!("{}: {error}", source.display()));
    compile(name, &source, &["-pthread"], &[])
}

/// Compiles a program in C with MPI from `plugin-tests/c-hosts/mpi`; `None` without MPI, which is
/// reported.
pub fn compile_mpi_host(source: &str) -> Option<PathBuf> {
    if !["mpicc", "mpirun"].into_iter().all(kymo_testdata::is_installed) {
        return None;
    }
    let name = Path::new(source).with_extension("");
    let source = Path::new("c-hosts/mpi").join(source);
    Some(compile_with(
        Command::new("mpicc"),
        &name.to_string_lossy(),
        &source,
        &["-rdynamic", "-pthread"],
        &[],
    ))
}

/// Compiles a source file of this package with the C compiler.
fn compile(file: &str, source: &Path, mode: &[&str], options: &[String]) -> PathBuf {
    compile_with(kymo_testdata::compiler("CC", "cc"), file, source, mode, options)
}

/// Compiles a source file of this package into the folder for libraries. `file` appears there when
/// it is complete: a test running at the same time may use the file that this one replaces.
fn compile_with(
    mut compiler: Command,
    file: &str,
    source: &Path,
    mode: &[&str],
    options: &[String],
) -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    compiler.args(["-std=c11", "-O1", "-g", "-Wall", "-Wextra", "-Werror"]).args(mode).args(options);
    compiler.arg("-I").arg(package.join("../include"));
    let complete = plugin_folder().join(file);
    let unfinished = complete.with_extension(format!("{:?}", std::thread::current().id()));
    kymo_testdata::succeed(compiler.arg("-o").arg(&unfinished).arg(package.join(source)).arg("-ldl"));
    fs::rename(&unfinished, &complete).unwrap_or_else(|error| panic!("{}: {error}", complete.display()));
    complete
}

/// Returns the target directory in which cargo built the running test:
/// `<target>/<profile>/deps/<test>`.
fn target_dir() -> PathBuf {
    let test = env::current_exe().expect("the path of the test");
    test.ancestors().nth(3).expect("a test is in the target folder").to_owned()
}

/// Returns the folder for the libraries and programs that this process builds.
pub fn plugin_folder() -> PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| kymo_testdata::process_folder("plugins")).clone()
}

/// A lock: while it is held, no other test process builds.
struct FolderLock(#[expect(dead_code, reason = "closing it unlocks")] File);

impl FolderLock {
    fn new() -> Self {
        let path = target_dir().join("test-plugins.lock");
        let file = File::create(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        // SAFETY: an open file.
        let result = unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX) };
        assert_eq!(result, 0, "{}: {}", path.display(), std::io::Error::last_os_error());
        Self(file)
    }
}
