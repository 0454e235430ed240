//! The bytes of a library that cargo has built as a dependency of the crate that is being compiled.
//!
//! Cargo builds dependencies with the crate types that their manifests name, `cdylib` among them,
//! but tells no one where. Invariant: the library is one that cargo built before this crate.

#![forbid(unsafe_code)]

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use proc_macro::TokenStream;

/// Expands to the bytes of `lib<NAME>.so`, as `&[u8; N]`, where the argument names the library of a
/// dependency: `library!(kymo_runtime)`. The crate needs a build script, and the dependency the
/// crate types `cdylib` and `rlib`.
#[proc_macro]
pub fn library(name: TokenStream) -> TokenStream {
    let code = match find(&name.to_string()) {
        Ok(path) => format!("::core::include_bytes!({:?})", path.display().to_string()),
        Err(why) => format!("::core::compile_error!({why:?})"),
    };
    code.parse().unwrap_or_default()
}

fn find(name: &str) -> Result<PathBuf, String> {
    let out = env::var_os("OUT_DIR").ok_or("OUT_DIR is not set: the crate has no build script")?;
    // target/…/release/build/kymo-…/out
    let folder = Path::new(&out).ancestors().nth(3).ok_or("OUT_DIR has an unknown form")?.join("deps");
    newest(&folder, name)
        .ok_or_else(|| format!("{}: lib{name}.so is missing, with or without a hash", folder.display()))
}

/// Returns the newest file that cargo may have made of a library. Of one that is not in the
/// workspace, the name has a hash, and a folder that is used again may have several.
fn newest(folder: &Path, name: &str) -> Option<PathBuf> {
    let entries = fs::read_dir(folder).ok()?.flatten();
    let found = entries.filter(|entry| is_of(&entry.file_name().to_string_lossy(), name));
    let time = |entry: &fs::DirEntry| {
        entry.metadata().and_then(|it| it.modified()).unwrap_or(SystemTime::UNIX_EPOCH)
    };
    found.max_by_key(time).map(|entry| entry.path())
}

fn is_of(file: &str, name: &str) -> bool {
    let middle = file.strip_prefix("lib").and_then(|file| file.strip_suffix(".so"));
    middle.and_then(|middle| middle.strip_prefix(name)).is_some_and(|hash| {
        hash.is_empty()
            || hash.strip_prefix('-').is_some_and(|hash| hash.bytes().all(|it| it.is_ascii_hexdigit()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_have_names_with_and_without_a_hash() {
        assert!(is_of("libkymo_runtime.so", "kymo_runtime"));
        assert!(is_of("libkymo_runtime-0a1b2c3d4e5f6789.so", "kymo_runtime"));
        for other in
            ["libkymo_runtime.rlib", "libkymo_runtime_more.so", "libkymo_runtime-x.so", "kymo_runtime.so"]
        {
            assert!(!is_of(other, "kymo_runtime"), "{other}");
        }
    }

    #[test]
    fn the_newest_library_is_taken() {
        let folder = env::temp_dir().join(format!("kymo-embed-{}", std::process::id()));
        fs::create_dir(&folder).expect("a new folder");
        for (name, age) in [("libx-01.so", 30), ("libx-02.so", 10), ("libx-03.so", 20), ("liby-04.so", 0)] {
            let file = fs::File::create(folder.join(name)).expect("a file");
            file.set_modified(SystemTime::now() - std::time::Duration::from_secs(age)).expect("a time");
        }
        assert_eq!(newest(&folder, "x"), Some(folder.join("libx-02.so")));
        assert_eq!(newest(&folder, "z"), None);
        fs::remove_dir_all(&folder).expect("to remove");
    }
}
