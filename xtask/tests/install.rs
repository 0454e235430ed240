//! `cargo xtask install` into a new prefix: every file is in its place, works from there, and can
//! be removed.

mod c_projects;
mod packages;
mod pages;

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::thread;

use kymo_testdata::is_installed;

const FILES: [&str; 42] = [
    "bin/kymo",
    "bin/kymo-config",
    "lib/cmake/Kymo/KymoConfig.cmake",
    "lib/cmake/Kymo/KymoConfigVersion.cmake",
    "lib/pkgconfig/kymo.pc",
    "lib/pkgconfig/kymo_otf2.pc",
    "lib/pkgconfig/kymo_ttf.pc",
    "lib/libkymo_ttf.a",
    "lib/libkymo_ttf.so",
    "lib/libkymo_otf2.a",
    "lib/libkymo_otf2.so",
    "lib/libkymo_runtime.so",
    "lib/kymo/otf2/libotf2.so.10",
    "lib/kymo/python/kymograph/__init__.py",
    "lib/kymo/python/kymograph/_native.abi3.so",
    "lib/kymo/otf2/libotf2.so",
    "lib/kymo/otf2/libotf2.a",
    "lib/kymo/otf2/libopen-trace-format2.so.10",
    "lib/kymo/otf2/_otf2.so",
    "lib/kymo/otf2/bin/otf2-config",
    "lib/kymo/otf2/include/otf2/otf2.h",
    "lib/kymo/otf2/pkgconfig/otf2.pc",
    "lib/libscorep_substrate_kymo.so",
    "include/TAU_tf.h",
    "include/TAU_tf_writer.h",
    "include/kymo/runtime.h",
    "include/kymo/substrate.h",
    "include/kymo/user.f90",
    "include/kymo/user.h",
    "include/scorep/SCOREP_User.h",
    "share/man/man1/kymo.1",
    "share/man/man1/kymo-config.1",
    "share/man/man1/kymo-record.1",
    "share/bash-completion/completions/kymo",
    "share/zsh/site-functions/_kymo",
    "share/fish/vendor_completions.d/kymo.fish",
    "share/doc/kymo/LICENSE",
    concat!("share/modulefiles/kymo/", env!("CARGO_PKG_VERSION"), ".lua"),
    "share/doc/kymo/examples/c/CMakeLists.txt",
    "share/doc/kymo/tasks/slow-program.md",
    "share/kymo/schema/explain.json",
    "share/kymo/skills/kymo/SKILL.md",
];

fn xtask(task: &str, prefix: &Path, more: &[&str]) -> Output {
    let program = Path::new(env!("CARGO_BIN_EXE_xtask"));
    let target = program.ancestors().nth(2).expect("the target folder");
    let mut command = Command::new(program);
    command.env("CARGO_TARGET_DIR", target).arg(task).arg("--prefix").arg(prefix).args(more);
    command.output().expect("running xtask")
}

/// Installs the files that `scripts/test` has built for all tests, or builds them.
fn install(prefix: &Path) -> Output {
    match env::var("KYMO_BUILT") {
        Ok(folder) => xtask("install", prefix, &["--built", &folder]),
        Err(_) => xtask("install", prefix, &["--profile", "dev"]),
    }
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
    let message = succeeds(&install(&prefix));
    assert!(message.contains(&format!("{}/bin/kymo record -- ls", prefix.display())), "{message}");
    for file in FILES {
        assert!(fs::metadata(prefix.join(file)).is_ok_and(|it| it.len() > 0), "{file}");
    }
    records_a_program(folder.path(), &prefix);
    writes_and_reads_a_tau_trace(folder.path(), &prefix);
    builds_and_runs_programs_for_otf2(folder.path(), &prefix);
    the_installed_otf2_library_was_not_stripped(&prefix);
    let parts: [&(dyn Fn() + Sync); 3] = [
        &|| c_projects::build_and_run(folder.path(), &prefix, "installed"),
        &|| packages::build_and_install(folder.path(), &prefix),
        &|| pages::run(folder.path(), &prefix),
    ];
    // Threads have the name of the test, which is noted with the missing thing.
    let name = thread::current().name().unwrap_or("main").to_owned();
    thread::scope(|scope| {
        for part in parts {
            thread::Builder::new().name(name.clone()).spawn_scoped(scope, part).expect("a thread");
        }
    });
    let moved = folder.path().join("moved");
    fs::rename(&prefix, &moved).expect("a move");
    c_projects::build_and_run(folder.path(), &moved, "moved");
    fs::rename(&moved, &prefix).expect("a move");
    // A second installation replaces the first.
    succeeds(&install(&prefix));
    succeeds(&xtask("uninstall", &prefix, &[]));
    assert_eq!(fs::read_dir(&prefix).map(Iterator::count).unwrap_or(0), 0);
}

/// Compiles a C program with the installed headers.
fn compile(text: &str, program: &Path, prefix: &Path, libraries: &[OsString]) {
    let source = program.with_extension("c");
    fs::write(&source, text).expect("a file");
    let mut compiler = kymo_testdata::compiler("CC", "cc");
    compiler.arg("-I").arg(prefix.join("include")).arg(&source).arg("-o").arg(program).args(libraries);
    kymo_testdata::succeed(&mut compiler);
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
    // With its calling context, since a program without instrumented functions is sampled.
    let is_enter = |line: &&str| line.starts_with("CALLING_CONTEXT_ENTER") && line.contains("\"once\"");
    assert_eq!(events.lines().filter(is_enter).count(), 1, "{events}");
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

/// OTF2's tests of the Python package look for names that the package does not use.
fn the_installed_otf2_library_was_not_stripped(prefix: &Path) {
    if !is_installed("nm") {
        return;
    }
    let mut nm = Command::new("nm");
    let symbols = nm.arg(prefix.join("lib/kymo/otf2/libotf2.so.10")).output().expect("nm");
    assert!(symbols.status.success() && symbols.stdout.is_empty(), "{symbols:?}");
}

/// A program that writes an archive and reads its anchor file again.
const OTF2: &str = r#"
#include <otf2/otf2.h>
#include <stdio.h>

static OTF2_FlushType before(void* user, OTF2_FileType file, OTF2_LocationRef location, void* caller, bool final)
{
    (void)user, (void)file, (void)location, (void)caller, (void)final;
    return OTF2_FLUSH;
}

static OTF2_TimeStamp after(void* user, OTF2_FileType file, OTF2_LocationRef location)
{
    (void)user, (void)file, (void)location;
    return 30;
}

int main(int argc, char** argv)
{
    OTF2_FlushCallbacks flush = { before, after };
    OTF2_Archive* archive = OTF2_Archive_Open(
        argv[1], "traces", OTF2_FILEMODE_WRITE, 1 << 20, 4 << 20, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    OTF2_Archive_SetFlushCallbacks(archive, &flush, NULL);
    OTF2_Archive_SetSerialCollectiveCallbacks(archive);
    OTF2_Archive_OpenEvtFiles(archive);
    OTF2_EvtWriter* events = OTF2_Archive_GetEvtWriter(archive, 0);
    OTF2_EvtWriter_Enter(events, NULL, 10, 0);
    OTF2_EvtWriter_Leave(events, NULL, 20, 0);
    OTF2_Archive_CloseEvtWriter(archive, events);
    OTF2_Archive_CloseEvtFiles(archive);
    OTF2_GlobalDefWriter* definitions = OTF2_Archive_GetGlobalDefWriter(archive);
    OTF2_GlobalDefWriter_WriteClockProperties(definitions, 1000, 10, 20, OTF2_UNDEFINED_TIMESTAMP);
    OTF2_GlobalDefWriter_WriteString(definitions, 0, "once");
    OTF2_GlobalDefWriter_WriteRegion(definitions, 0, 0, 0, 0, OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_USER,
        OTF2_REGION_FLAG_NONE, 0, 0, 0);
    OTF2_GlobalDefWriter_WriteSystemTreeNode(definitions, 0, 0, 0, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    OTF2_GlobalDefWriter_WriteLocationGroup(
        definitions, 0, 0, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0, OTF2_UNDEFINED_LOCATION_GROUP);
    OTF2_GlobalDefWriter_WriteLocation(definitions, 0, 0, OTF2_LOCATION_TYPE_CPU_THREAD, 2, 0);
    OTF2_Archive_Close(archive);

    char anchor[4096];
    snprintf(anchor, sizeof anchor, "%s/traces.otf2", argv[1]);
    OTF2_Reader* reader = OTF2_Reader_Open(anchor);
    uint64_t locations = 0;
    OTF2_Reader_GetNumberOfLocations(reader, &locations);
    printf("%d locations\n", (int)locations);
    return OTF2_Reader_Close(reader) != OTF2_SUCCESS || argc != 2;
}
"#;

/// Builds the program in each of the documented ways, runs it, and has Debian's otf2-print read its
/// archive with our library.
fn builds_and_runs_programs_for_otf2(folder: &Path, prefix: &Path) {
    let otf2 = prefix.join("lib/kymo/otf2");
    fs::write(folder.join("otf2.c"), OTF2).expect("a file");
    fs::write(folder.join("otf2.cpp"), OTF2).expect("a file");
    let config = "$($OTF2/bin/otf2-config --cflags) $($OTF2/bin/otf2-config --ldflags) \
                  $($OTF2/bin/otf2-config --libs)";
    let pkg_config = "$(PKG_CONFIG_PATH=$OTF2/pkgconfig pkg-config --cflags --libs otf2) -Wl,-rpath,$OTF2";
    let fixed = "-I$OTF2/include $OTF2/libotf2.a -lpthread -ldl -lm";
    let own_name = "-I$OTF2/include -L$OTF2/../.. -lkymo_otf2 -Wl,-rpath,$OTF2";
    for (name, compiler, options) in [
        ("config", "cc otf2.c", config),
        ("c++", "c++ otf2.cpp", config),
        ("pkg-config", "cc otf2.c", pkg_config),
        ("static", "cc otf2.c", fixed),
        ("own-name", "cc otf2.c", own_name),
    ] {
        if ["c++", "pkg-config"].contains(&name) && !is_installed(name) {
            continue;
        }
        let script = format!("{compiler} -o {name} {options} && ./{name} archive-{name}");
        let mut shell = Command::new("sh");
        shell.args(["-c", &script]).env("OTF2", &otf2).current_dir(folder);
        assert_eq!(succeeds(&shell.output().expect("a shell")), "1 locations\n", "{name}");
        let mut print = Command::new("otf2-print");
        print.arg(folder.join(format!("archive-{name}/traces.otf2"))).env("LD_LIBRARY_PATH", &otf2);
        if is_installed("otf2-print") {
            let output = print.output().expect("otf2-print");
            assert!(succeeds(&output).contains("Region: \"once\" <0>"), "{name}");
        }
    }
}
