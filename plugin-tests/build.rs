//! Compiles the host functions that must be written in C, and exports the timer function from
//! `kymo-replay` only.

fn main() {
    let files = ["src/replay/host.c", "../src/substrate/hosting/manifest.c"];
    files.iter().for_each(|file| println!("cargo:rerun-if-changed={file}"));
    cc::Build::new().files(files).warnings_into_errors(true).compile("kymo_replay_host");
    println!(
        "cargo:rustc-link-arg-bin=kymo-replay=-Wl,--export-dynamic-symbol=SCOREP_Timer_GetClockResolution"
    );
}
