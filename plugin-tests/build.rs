//! Compiles the two functions of the host that have to be C, and exports the timer from `kymo-replay` alone.

fn main() {
    println!("cargo:rerun-if-changed=c/host.c");
    cc::Build::new().file("c/host.c").warnings_into_errors(true).compile("kymo_replay_host");
    println!(
        "cargo:rustc-link-arg-bin=kymo-replay=-Wl,--export-dynamic-symbol=SCOREP_Timer_GetClockResolution"
    );
}
