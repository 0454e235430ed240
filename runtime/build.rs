//! Compiles what Rust cannot say: a function of variable arguments, and a thread's variable in static storage.

fn main() {
    println!("cargo:rerun-if-changed=c/host.c");
    println!(
        "cargo:rustc-link-arg-bin=kymo-measured=-Wl,--export-dynamic-symbol=SCOREP_Timer_GetClockResolution"
    );
    cc::Build::new()
        .file("c/host.c")
        .flag("-ftls-model=initial-exec")
        .flag("-fvisibility=hidden")
        .opt_level(2)
        .warnings_into_errors(true)
        .compile("kymo_runtime_host");
}
