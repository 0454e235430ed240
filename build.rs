//! Generates the bindings of the plugin interface from `wrapper.h` if the feature `bindgen` is on,
//! and otherwise does nothing.
//!
//! `kymo-substrate` contains these bindings as a checked-in file, so that no build needs libclang;
//! the test `src/bindings_tests.rs` compares the two. Everything that affects the output is
//! fixed: the version of bindgen (in the manifest), the formatter, and the Rust release of the
//! generated code.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    #[cfg(feature = "bindgen")]
    bindings::generate();
}

#[cfg(feature = "bindgen")]
mod bindings {
    use std::env;
    use std::path::{Path, PathBuf};

    use bindgen::callbacks::{IntKind, ParseCallbacks};
    use bindgen::{EnumVariation, Formatter, RustEdition, RustTarget};

    /// Gives the constants of the header the types that their values are compared with; bindgen
    /// sees only numbers.
    #[derive(Debug)]
    struct ConstantTypes;

    impl ParseCallbacks for ConstantTypes {
        fn int_macro(&self, name: &str, _value: i64) -> Option<IntKind> {
            let (name, is_signed) = match name {
                "SCOREP_MOVABLE_NULL" => ("SCOREP_Allocator_MovableMemory", false),
                "SCOREP_INVALID_SOURCE_FILE" => ("SCOREP_SourceFileHandle", false),
                "SCOREP_INVALID_METRIC" => ("SCOREP_MetricHandle", false),
                "SCOREP_INVALID_SAMPLING_SET" => ("SCOREP_SamplingSetHandle", false),
                "SCOREP_INVALID_REGION" => ("SCOREP_RegionHandle", false),
                "SCOREP_INVALID_PARADIGM" => ("SCOREP_ParadigmHandle", false),
                "SCOREP_INVALID_LINE_NO" => ("SCOREP_LineNo", false),
                "SCOREP_INVALID_ROOT_RANK"
                | "SCOREP_MPI_ROOT"
                | "SCOREP_MPI_PROC_NULL"
                | "SCOREP_ALL_TARGET_RANKS" => ("SCOREP_MpiRank", true),
                "SCOREP_INVALID_EXIT_STATUS" => ("SCOREP_ExitStatus", true),
                "SCOREP_INVALID_PID" | "SCOREP_INVALID_TID" | "SCOREP_IO_UNKNOWN_OFFSET" => ("u64", false),
                _ => return None,
            };
            Some(IntKind::Custom { name, is_signed })
        }
    }

    /// Writes `bindings.rs` into the build's output directory.
    pub(super) fn generate() {
        let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
        let output = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it")).join("bindings.rs");
        for part in ["wrapper.h", "include"] {
            println!("cargo::rerun-if-changed={}", root.join(part).display());
        }
        builder(&root)
            .generate()
            .expect("bindgen reads wrapper.h")
            .write_to_file(&output)
            .unwrap_or_else(|error| panic!("{}: {error}", output.display()));
    }

    fn builder(root: &Path) -> bindgen::Builder {
        bindgen::builder()
            .header(root.join("wrapper.h").display().to_string())
            .clang_arg(format!("-I{}", root.join("include").display()))
            .clang_arg("-std=c99")
            .allowlist_item("SCOREP_.*")
            .allowlist_recursively(false)
            // The stream of the manifest is only passed through; its layout belongs to the C
            // library.
            .raw_line("/// Stream of the C library.")
            .raw_line("pub type FILE = ::core::ffi::c_void;")
            // Integers, because a host may pass a value that this header does not define.
            .default_enum_style(EnumVariation::Consts)
            .prepend_enum_name(false)
            .parse_callbacks(Box::new(ConstantTypes))
            .use_core()
            .layout_tests(false)
            .generate_comments(false)
            .disable_header_comment()
            .rust_target(RustTarget::stable(88, 0).expect("a release that bindgen supports"))
            .rust_edition(RustEdition::Edition2024)
            .formatter(Formatter::Prettyplease)
    }
}
