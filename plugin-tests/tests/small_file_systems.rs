//! File systems with little room, for scratch files: those of containers have 64 MiB or less for all processes.
//!
//! Each is a `tmpfs` that only the process of the test sees, which needs root; elsewhere the tests say that they are skipped.

use std::path::Path;
use std::process::{Command, Output};

use kymo_plugin_tests::testing::{TemporaryFolder, build_plugin, build_program};

/// Whether file systems can be mounted here. That they cannot is said.
fn can_mount() -> bool {
    let can = Command::new("unshare").args(["-m", "true"]).output().is_ok_and(|it| it.status.success());
    if !can {
        eprintln!("SKIPPED: nothing can be mounted here without being root");
    }
    can
}

/// Runs a script of the shell where `$SMALL` is a file system of this size. `$REPLAY` plays the recording `threads`, `$REPEAT`
/// times, into `$FOLDER/out`, and `$KYMO` is the command.
fn below(size: &str, folder: &Path, repeat: u32, script: &str) -> Output {
    let small = folder.join("small");
    std::fs::create_dir_all(&small).expect("a folder");
    let recording = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/recordings/threads");
    let mount = format!("mount -t tmpfs -o size={size} none \"$SMALL\" && {{ {script}\n}}");
    let mut command = Command::new("unshare");
    command.args(["-m", "sh", "-c", &mount]).env("SMALL", &small).env("FOLDER", folder);
    command.env("REPLAY", env!("CARGO_BIN_EXE_kymo-replay")).env("REPEAT", repeat.to_string());
    command.env("RECORDING", recording).env("KYMO", build_program("kymo-tools"));
    command.env("SCOREP_SUBSTRATE_PLUGINS", "kymo").env("SCOREP_SUBSTRATE_KYMO_SCRATCH", &small);
    command.env("LD_LIBRARY_PATH", build_plugin("kymo").parent().expect("a folder"));
    command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

/// Events of a replay: the first and the last of the program are played once.
fn events(repeat: u64) -> u64 {
    974 * repeat - 4 * (repeat - 1)
}

/// Nothing was recorded at 64 KiB; at 256 KiB locations waited for ever, below a lock of the host.
#[test]
fn a_small_file_system_hung_the_program() {
    if !can_mount() {
        return;
    }
    for size in ["64k", "256k", "1200k", "1600k", "3m"] {
        let folder = TemporaryFolder::new("small");
        let script = r#"timeout 60 "$REPLAY" --repeat "$REPEAT" "$RECORDING" "$FOLDER/out" || exit 1; ls "$SMALL"; "$KYMO" check "$FOLDER/out/kymo/traces.otf2" | tail -n 1"#;
        let output = below(size, &folder, 300, script);
        let [stdout, stderr] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
        assert!(output.status.success(), "{size}: {}\n{stderr}", output.status);
        let expected = format!("; {} events of 8 locations\n", events(300));
        assert!(stdout.contains("no errors") && stdout.ends_with(&expected), "{size}: {stdout}");
        assert!(stdout.lines().count() == 1, "{size}: left over: {stdout}");
        let line = match size {
            "64k" | "256k" => "no scratch file in",
            "1200k" => "could not grow",
            _ => "",
        };
        assert!(stderr.lines().count() <= 1 && stderr.contains(line), "{size}: {stderr}");
    }
}

/// What was in memory of the process alone is gone with it. What comes after that in the scratch file must not be taken for its
/// continuation.
#[test]
fn a_scratch_file_that_could_not_grow_is_recovered_up_to_its_first_gap() {
    if !can_mount() {
        return;
    }
    let folder = TemporaryFolder::new("small-killed");
    let script = r#"
        "$REPLAY" --repeat "$REPEAT" --progress "$FOLDER/progress" "$RECORDING" "$FOLDER/out" &
        child=$!
        while [ "$(od -An -t u8 "$FOLDER/progress" 2>/dev/null | tr -d ' ')" -lt 100000 ] 2>/dev/null || [ ! -e "$FOLDER/progress" ]; do sleep 0.01; done
        kill -9 $child
        wait $child
        "$KYMO" recover "$FOLDER/out" -o "$FOLDER/recovered" --scratch "$SMALL"
        [ $? -eq 3 ] || exit 1
        "$KYMO" check "$FOLDER/recovered/traces.otf2" | tail -n 1"#;
    let output = below("1600k", &folder, 2_000, script);
    let [stdout, stderr] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    assert!(output.status.success(), "{}\n{stderr}\n{stdout}", output.status);
    assert!(stderr.contains("could not grow"), "{stderr}");
    let last = stdout.lines().last().unwrap_or_default();
    let events = last.rsplit_once("; ").and_then(|(_, rest)| rest.split(' ').next()?.parse::<u64>().ok());
    // Pieces that are full are written at once.
    assert!(last.contains("no errors") && events.is_some_and(|events| events > 20_000), "{stdout}");
}
