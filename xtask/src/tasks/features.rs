//! Features on and off.
//!
//! In a build of the whole workspace the command `kymo` switches on `zlib` for all packages, so the
//! format without it needs a build of its own.

use clap::{Args, ValueEnum};

use crate::Done;
use crate::process::{cargo, output, run_cargo};

#[derive(Debug, Args)]
pub(crate) struct Features {
    /// What to check; everything by default
    #[arg(value_enum)]
    parts: Vec<FeaturePart>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum FeaturePart {
    /// The format without `zlib`; the tests of the workspace run with it
    Zlib,
    /// The features for sanitizers: `deliberate-faults`, `allocator-memory`
    Sanitizers,
    /// A build without `bindgen` does not even compile the crates that look for libclang
    NoLibclang,
    /// The generated bindings are those in the repository (libclang)
    Bindgen,
}

impl Features {
    pub(crate) fn run(&self) -> Done {
        let parts = if self.parts.is_empty() { FeaturePart::value_variants() } else { &self.parts };
        parts.iter().try_for_each(|part| part.check())
    }
}

impl FeaturePart {
    fn check(self) -> Done {
        match self {
            Self::Zlib => {
                lint("kymo-otf2", "")?;
                // Only the tests that open archives of all kinds: others do not know the feature.
                run_cargo("test --locked --package kymo-otf2 --test integration -- archive::")
            }
            Self::Sanitizers => {
                lint("kymo-plugin", "--features deliberate-faults")?;
                lint("kymo-recorder", "--features allocator-memory")?;
                lint("kymo-otf2-c", "--features allocator-memory")
            }
            Self::NoLibclang => check_no_libclang(),
            Self::Bindgen => {
                lint("kymo-plugin", "--features bindgen")?;
                run_cargo("test --locked --package kymo-plugin --features bindgen")
            }
        }
    }
}

fn lint(package: &str, features: &str) -> Done {
    run_cargo(&format!("clippy --locked --package {package} --all-targets {features} -- -D warnings"))
}

fn check_no_libclang() -> Done {
    let tree = output(&mut cargo("tree --locked --workspace --edges normal,build --prefix none"))?;
    match looks_for_libclang(&tree) {
        Some(line) => {
            Err(format!("a build without the feature bindgen must not need libclang, found {line}"))
        }
        None => Ok(()),
    }
}

/// Returns the line of a dependency tree with a crate that looks for libclang.
fn looks_for_libclang(tree: &str) -> Option<&str> {
    tree.lines().find(|line| ["bindgen ", "clang-sys "].iter().any(|name| line.starts_with(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libclang_is_found_in_a_tree() {
        assert_eq!(looks_for_libclang("libc v0.2.1\nbindgen v0.73.2\n"), Some("bindgen v0.73.2"));
        assert_eq!(looks_for_libclang("libc v0.2.1\nclang-sys v1.8.1\n"), Some("clang-sys v1.8.1"));
        assert_eq!(looks_for_libclang("kymo v0.1.0\nbindgen-like v1.0.0\n"), None);
    }
}
