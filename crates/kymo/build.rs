//! Cargo sets `OUT_DIR`, by which the macro of `kymo-embed` finds libraries, only for crates with a
//! build script.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
}
