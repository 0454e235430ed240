//! Compiles the parts that cannot be written in Rust (functions with variable arguments, and a
//! thread-local variable in static storage) and generates the wrappers of MPI's functions.

mod mpi;

fn main() {
    let files = ["c/formatted.c", "c/gomp.c", "c/host.c", "c/manifest.c"];
    files.iter().for_each(|file| println!("cargo:rerun-if-changed={file}"));
    println!(
        "cargo:rustc-link-arg-bin=kymo-measured=-Wl,--export-dynamic-symbol=SCOREP_Timer_GetClockResolution"
    );
    // Handlers of `exit` and of signals, and thread-specific values, stay in the process when a
    // program that opened the library closes it.
    println!("cargo:rustc-link-arg=-Wl,-z,nodelete");
    cc::Build::new()
        .files(files)
        .flag("-ftls-model=initial-exec")
        .flag("-fvisibility=hidden")
        // Cancellation unwinds through functions that print.
        .flag("-fexceptions")
        .opt_level(2)
        .warnings_into_errors(true)
        .compile("kymo_runtime_host");
    mpi::generate();
}
