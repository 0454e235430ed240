//! Names the shared library as programs for libotf2 ask for it.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // Programs that were linked with this library run with libotf2 as well, and the reverse.
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libotf2.so.10");
}
