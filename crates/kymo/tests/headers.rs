//! The headers for manual instrumentation. They compile in the languages that they support, do
//! nothing without the runtime, and pass everything to the runtime when it is present. A small
//! library that prints its calls stands in for the runtime.

use std::path::{Path, PathBuf};
use std::process::Command;

const WARNINGS: [&str; 4] = ["-Wall", "-Wextra", "-Werror", "-Wpedantic"];

fn folder(name: &str) -> PathBuf {
    kymo_testdata::process_folder(&format!("headers-{name}"))
}

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/record/programs").join(name)
}

/// Compiles a program with the C or C++ compiler.
fn compile(flags: &[&str], name: &str, output: &Path) {
    let (variable, default) =
        if flags.contains(&"c++") || name.ends_with(".cpp") { ("CXX", "c++") } else { ("CC", "cc") };
    let mut command = kymo_testdata::compiler(variable, default);
    command.arg("-I").arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../include"));
    command.args(flags).arg(source(name)).args(["-x", "none", "-o"]).arg(output);
    let result = command.output().expect("a compiler");
    assert!(result.status.success(), "{command:?}: {}", String::from_utf8_lossy(&result.stderr));
}

/// Returns the output of a program, with this library preloaded or with none.
fn run(program: &Path, preload: Option<&Path>) -> String {
    let mut command = Command::new(program);
    command.envs(preload.map(|library| ("LD_PRELOAD", library)));
    let output = command.output().expect("running a program");
    assert!(output.status.success() && output.stderr.is_empty(), "{program:?}: {output:?}");
    String::from_utf8(output.stdout).expect("text")
}

fn runtime(folder: &Path) -> PathBuf {
    let library = folder.join("libfake_runtime.so");
    compile(&["-shared", "-fPIC"], "fake_runtime.c", &library);
    library
}

const USER: &str = "begin new 1 phase 0 user.c:19
parameter new size 8
parameter new mode fast
begin new 4 work 1 user.c:9
parameter new n 2
begin new 6 step 0 user.c:12
metric new residual 1 2 0
value 7 1
end 6
begin 6 step 0 user.c:12
value 7 0.5
end 6
end 4
end 1
rewind begin new attempt 0 user.c:25
rewind end 8 1
off
on
metric new balance EUR 0 0
value 9 -3
metric new bytes B 1 0
value 10 4096
begin named 0 user.c:32
end named
recording 1, measuring 1
";

/// Languages, optimisation levels and kinds of code. A program that is not position-independent
/// finds the runtime in another way.
const BUILDS: &[&[&str]] = &[
    &["-std=c99", "-O0"],
    &["-std=c99", "-O2"],
    &["-std=c17", "-O2", "-no-pie", "-fno-pie"],
    &["-std=c99", "-O0", "-no-pie", "-fno-pie"],
    &["-std=gnu11", "-O2", "-flto", "-fvisibility=hidden"],
    &["-x", "c++", "-std=c++11", "-O0"],
    &["-x", "c++", "-std=c++20", "-O2", "-no-pie", "-fno-pie"],
];

#[test]
fn regions_reach_the_runtime_and_do_nothing_without_it() {
    let folder = folder("user");
    let (program, library) = (folder.join("user"), runtime(&folder));
    for build in BUILDS {
        compile(&[&WARNINGS[..], build].concat(), "user.c", &program);
        assert_eq!(run(&program, Some(&library)), USER, "{build:?}");
        assert_eq!(run(&program, None), "recording 0, measuring 0\n", "{build:?}");
    }
}

#[test]
fn a_static_program_works_without_the_runtime() {
    let program = folder("static").join("user");
    compile(&["-static"], "user.c", &program);
    assert_eq!(run(&program, None), "recording 0, measuring 0\n");
}

#[test]
fn a_program_may_link_the_runtime() {
    let folder = folder("linked");
    let (program, library) = (folder.join("user"), runtime(&folder));
    let path = library.to_str().expect("a path");
    compile(&["-Wl,--no-as-needed", path], "user.c", &program);
    assert_eq!(run(&program, None), USER);
}

#[test]
fn disabled_macros_do_not_call_the_runtime() {
    let folder = folder("disabled");
    let (program, library) = (folder.join("user"), runtime(&folder));
    for build in BUILDS {
        compile(&[&WARNINGS[..], &["-DKYMO_USER_DISABLE"], build].concat(), "user.c", &program);
        assert_eq!(run(&program, Some(&library)), "recording 0, measuring 0\n", "{build:?}");
    }
}

#[test]
fn the_compiler_does_not_instrument_the_header() {
    let folder = folder("instrumented");
    let (program, library) = (folder.join("user"), runtime(&folder));
    compile(&["-finstrument-functions", "-O0"], "user.c", &program);
    assert_eq!(run(&program, Some(&library)), USER);
    let read = kymo_symbols::Executable::read(&program).expect("a program");
    let names: Vec<String> = read.instrumented().into_iter().map(|function| function.name).collect();
    if cfg!(target_arch = "x86_64") {
        assert_eq!(names, ["work", "main"]);
    }
}

/// Compiles the Fortran module together with the program.
fn compile_fortran(flags: &[&str], output: &Path) {
    let mut command = kymo_testdata::compiler("FC", "gfortran");
    let module = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../include/kymo/user.f90");
    command.args(flags).arg(module).arg(source("user.f90")).arg("-o").arg(output);
    command.current_dir(output.parent().expect("a folder"));
    let result = command.output().expect("gfortran");
    assert!(result.status.success(), "{command:?}: {}", String::from_utf8_lossy(&result.stderr));
}

const FORTRAN: &str = "begin new 1 phase 0 -:0
parameter new size 8
parameter new mode fast
metric new residual 1 2 0
value 4 0.5
metric new count 1 0 0
value 5 1
value 4 1
value 5 2
end 1
begin named 0 -:0
end named
off
on
";

#[test]
fn fortran_reaches_the_runtime_and_does_nothing_without_it() {
    let folder = folder("fortran");
    let (program, library) = (folder.join("user"), runtime(&folder));
    for optimisation in ["-O0", "-O2"] {
        compile_fortran(&["-Wall", "-Wextra", "-Werror", "-std=f2008", optimisation], &program);
        assert_eq!(run(&program, None), "recording F, measuring F\n");
        // The Fortran library and the C library flush their output independently.
        let text = run(&program, Some(&library));
        let (own, calls): (Vec<&str>, Vec<&str>) =
            text.lines().partition(|line| line.starts_with("recording"));
        assert_eq!((own, calls), (vec!["recording T, measuring T"], FORTRAN.lines().collect()));
    }
}

const SCOREP: &str = "metric new local s 2 0
metric new global 1 0 1
begin new 3 loop 6 scorep_user.c:30
begin new 4 work 1 scorep_user.c:12
parameter new int -1
parameter new unsigned 1
parameter new string text
end 4
end 3
begin 3 loop 6 scorep_user.c:30
begin 4 work 1 scorep_user.c:12
parameter int -1
parameter unsigned 1
parameter string text
end 4
end 3
define new entered 0 scorep_user.c:34
enter 8
value 1 0.5
value 2 5
end 8
begin new 9 phase 8 scorep_user.c:39
end 9
rewind begin new rewind 0 scorep_user.c:41
rewind end 10 1
begin new 11 global 0 scorep_user.c:43
end 11
begin named 0 scorep_user.c:45
end named
off
on
recording 1
";

#[test]
fn the_macros_of_scorep_reach_the_runtime() {
    let folder = folder("scorep");
    let (program, library) = (folder.join("user"), runtime(&folder));
    // Like those of Score-P, the macros leave extra semicolons.
    let warnings = &WARNINGS[..3];
    for build in BUILDS {
        compile(&[warnings, &["-DSCOREP_USER_ENABLE"], build].concat(), "scorep_user.c", &program);
        assert_eq!(run(&program, Some(&library)), SCOREP, "{build:?}");
        assert_eq!(run(&program, None), "recording 0\n", "{build:?}");
        // As with Score-P, nothing happens unless it is enabled.
        compile(&[warnings, build].concat(), "scorep_user.c", &program);
        assert_eq!(run(&program, Some(&library)), "recording 0\n", "{build:?}");
    }
}

#[test]
fn exceptions_end_regions() {
    let folder = folder("exceptions");
    let (program, library) = (folder.join("raii"), runtime(&folder));
    let expected = "begin new 1 whole 1 raii.cpp:13\nbegin new 2 tried 0 raii.cpp:15\nbegin new 3 inner 1 raii.cpp:8\nend 3\nend 2\n\
                    out of inner\nend 1\n";
    for standard in ["-std=c++11", "-std=c++17"] {
        compile(&[&WARNINGS[..3], &[standard, "-DSCOREP_USER_ENABLE"]].concat(), "raii.cpp", &program);
        assert_eq!(run(&program, Some(&library)), expected);
        assert_eq!(run(&program, None), "out of inner\n");
    }
}
