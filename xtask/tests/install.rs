//! `cargo xtask install` into a new prefix: every file is in its place, works from there, and can
//! be removed.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const FILES: [&str; 18] = [
    "bin/kymo",
    "lib/libkymo_ttf.a",
    "lib/libkymo_ttf.so",
    "lib/libkymo_runtime.so",
    "lib/libscorep_substrate_kymo.so",
    "include/TAU_tf.h",
    "include/TAU_tf_writer.h",
    "include/kymo/runtime.h",
    "include/kymo/substrate.h",
    "include/kymo/user.f90",
    "include/kymo/user.h",
    "include/scorep/SCOREP_User.h",
    "share/man/man1/kymo.1",
    "share/man/man1/kymo-record.1",
    "share/bash-completion/completions/kymo",
    "share/zsh/site-functions/_kymo",
    "share/fish/vendor_completions.d/kymo.fish",
    "share/doc/kymo/LICENSE",
];

fn xtask(task: &str, prefix: &Path, more: &[&str]) -> Output {
    let program = Path::new(env!("CARGO_BIN_EXE_xtask"));
    let target = program.ancestors().nth(2).expect("the target folder");
    let mut command = Command::new(program);
    command.env("CARGO_TARGET_DIR", target).arg(task).arg("--prefix").arg(prefix).args(more);
    command.output().expect("running xtask")
}

#[track_caller]
fn succeeds(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn installed_files_work_and_can_be_removed() {
    let folder = tempfile::tempdir().expect("a folder");
    let prefix = folder.path().join("new/prefix");
    let message = succeeds(&xtask("install", &prefix, &["--profile", "dev"]));
    assert!(message.contains(&format!("{}/bin/kymo record -- ls", prefix.display())), "{message}");
    for file in FILES {
        assert!(fs::metadata(prefix.join(file)).is_ok_and(|it| it.len() > 0), "{file}");
    }
    records_a_program(folder.path(), &prefix);
    writes_and_reads_a_tau_trace(folder.path(), &prefix);
    // A second installation replaces the first.
    succeeds(&xtask("install", &prefix, &["--profile", "dev"]));
    succeeds(&xtask("uninstall", &prefix, &[]));
    assert_eq!(fs::read_dir(&prefix).map(Iterator::count).unwrap_or(0), 0);
}

/// Compiles a C program with the installed headers.
fn compile(text: &str, program: &Path, prefix: &Path, libraries: &[OsString]) {
    let source = program.with_extension("c");
    fs::write(&source, text).expect("a file");
    let mut compiler = Command::new(env::var_os("CC").unwrap_or("cc".into()));
    compiler.arg("-I").arg(prefix.join("include")).arg(&source).arg("-o").arg(program).args(libraries);
    succeeds(&compiler.output().expect("a C compiler"));
}

/// Compiles and records a program with the installed headers and command, not with those of the
/// repository.
fn records_a_program(folder: &Path, prefix: &Path) {
    let program = folder.join("main");
    let text = "#include <kymo/user.h>\nint main(void) { KYMO_REGION(\"once\"); return 0; }\n";
    compile(text, &program, prefix, &[]);
    let mut kymo = Command::new(prefix.join("bin/kymo"));
    kymo.args(["record", "-o"]).arg(folder.join("out")).arg("--").arg(&program);
    succeeds(&kymo.output().expect("kymo"));
    let mut print = Command::new(prefix.join("bin/kymo"));
    print.arg("print").arg(folder.join("out/kymo/traces.otf2"));
    let events = succeeds(&print.output().expect("kymo"));
    assert_eq!(
        events.lines().filter(|line| line.starts_with("ENTER") && line.contains("\"once\"")).count(),
        1
    );
}

/// A program that writes a TAU trace and reads it again.
const TAU: &str = r#"
#include <TAU_tf.h>
#include <stdio.h>

static int enter(void* data, double time, unsigned node, unsigned thread, unsigned state)
{
    printf("%g %u %u %u\n", time, node, thread, state);
    return 0;
}

int main(void)
{
    Ttf_FileHandleT out = Ttf_OpenFileForOutput("tau.trc", "tau.edf");
    Ttf_DefThread(out, 0, 0, "thread");
    Ttf_DefStateGroup(out, "group", 1);
    Ttf_DefState(out, 7, "state", 1);
    Ttf_EnterState(out, 10, 0, 0, 7);
    Ttf_LeaveState(out, 20, 0, 0, 7);
    Ttf_CloseOutputFile(out);
    Ttf_FileHandleT in = Ttf_OpenFileForInput("tau.trc", "tau.edf");
    Ttf_SetSubtractFirstTimestamp(in, 0);
    Ttf_CallbacksT callbacks = { .EnterState = enter };
    while (Ttf_ReadNumEvents(in, callbacks, 100) > 0) {}
    return Ttf_CloseFile(in) != in;
}
"#;

/// Builds the program with the shared library and with the static one, and runs it.
fn writes_and_reads_a_tau_trace(folder: &Path, prefix: &Path) {
    let lib = prefix.join("lib");
    let mut path = OsString::from("-Wl,-rpath,");
    path.push(&lib);
    let mut archive = vec![lib.join("libkymo_ttf.a").into_os_string()];
    archive.extend(["-lpthread", "-ldl", "-lm"].map(OsString::from));
    let shared = vec!["-L".into(), lib.into_os_string(), "-lkymo_ttf".into(), path];
    for (name, libraries) in [("shared", shared), ("static", archive)] {
        let program = folder.join(name);
        compile(TAU, &program, prefix, &libraries);
        let output = Command::new(&program).current_dir(folder).output().expect("the program");
        assert_eq!(succeeds(&output), "10 0 0 7\n", "{name}");
    }
}
