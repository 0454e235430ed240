//! The symbols that libraries export, and the libraries that they need.

use std::fmt;
use std::path::Path;

use crate::process::{output, program};
use crate::{Done, Problem, of};

/// The plugins that are checked.
const PLUGINS: [&str; 2] = ["kymo", "print_regions"];
/// The functions that libotf2 3.2 exports to programs.
const OTF2_FUNCTIONS: usize = 944;
/// The libraries that ours may need, those of the C library and libgcc; the loader has the name of
/// its machine.
const ALLOWED: [&str; 6] =
    ["libc.so.6", "libm.so.6", "libgcc_s.so.1", "libpthread.so.0", "libdl.so.2", "librt.so.1"];

/// Checks that the plugins in a folder export only their entries, and need only the C library and
/// libgcc. `prefix` is that of the tools for the machine.
pub(crate) fn check_plugins(folder: &Path, prefix: &str) -> Done {
    PLUGINS.iter().try_for_each(|name| check_plugin(folder, name, prefix))
}

/// Checks one plugin.
pub(crate) fn check_plugin(folder: &Path, name: &str, prefix: &str) -> Done {
    let library = folder.join(format!("libscorep_substrate_{name}.so"));
    let exported = exported(&library, prefix)?;
    if exported != [format!("SCOREP_SubstratePlugin_{name}_get_info")] {
        return Err(of(&library, format_args!("expected its entry as the only symbol, found {exported:?}")));
    }
    check_needed(&library, prefix)
}

fn check_needed(library: &Path, prefix: &str) -> Done {
    let sections = output(program(format!("{prefix}readelf")).arg("--dynamic").arg(library))?;
    match needed(&sections).find(|name| !ALLOWED.contains(name) && !name.starts_with("ld-linux")) {
        Some(name) => Err(of(library, format_args!("needs {name}, which some machines lack"))),
        None => Ok(()),
    }
}

/// Checks that the C interface of the TAU reader exports only its functions.
pub(crate) fn check_ttf(library: &Path) -> Done {
    let exported = exported(library, "")?;
    if !exported.iter().any(|name| name == "Ttf_ReadNumEvents") {
        return Err(of(library, "Ttf_ReadNumEvents is missing"));
    }
    match exported.iter().find(|name| !is_of_ttf(name)) {
        Some(name) => Err(of(library, format_args!("{name} is not a function of TAU_tf.h"))),
        None => Ok(()),
    }
}

/// Checks that an extension of Python exports only its entry, and needs only the C library and
/// libgcc.
pub(crate) fn check_extension(library: &Path, entry: &str) -> Done {
    let exported = exported(library, "")?;
    if exported != [entry] {
        return Err(of(library, format_args!("expected {entry} as the only symbol, found {exported:?}")));
    }
    check_needed(library, "")
}

/// Checks that the C interface of OTF2 exports only functions of OTF2, and needs only the C library
/// and libgcc.
pub(crate) fn check_otf2(library: &Path) -> Done {
    let exported = exported(library, "")?;
    match exported.iter().find(|name| !name.starts_with("OTF2_") && !name.starts_with("otf2_")) {
        Some(name) => Err(of(library, format_args!("{name} is not a function of OTF2"))),
        None if exported.len() < OTF2_FUNCTIONS => Err(of(
            library,
            format_args!("expected {OTF2_FUNCTIONS} functions or more, found {}", exported.len()),
        )),
        None => check_needed(library, ""),
    }
}

/// A version of the C library, such as 2.17.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Version(pub(crate) u32, pub(crate) u32);

impl fmt::Display for Version {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{}.{}", self.0, self.1)
    }
}

/// Checks that a program or library needs no symbol that is newer than a version of the C library.
pub(crate) fn check_versions(file: &Path, oldest: Version) -> Done {
    let symbols = output(program("readelf").args(["--dyn-syms", "--wide"]).arg(file))?;
    // The interpreter has the functions that its extensions call.
    let is_extension = file.to_string_lossy().ends_with(".abi3.so");
    let is_of_python = |name: &&str| is_extension && (name.starts_with("Py") || name.starts_with("_Py"));
    match newer(&symbols, oldest).find(|name| !is_of_python(name)) {
        Some(name) => Err(of(file, format_args!("needs {name}, which the C library {oldest} lacks"))),
        None => Ok(()),
    }
}

/// Returns the symbols in the output of readelf that are newer than a version, or whose version is
/// not understood. A needed symbol without a version is one that the linker has found nowhere.
fn newer(symbols: &str, oldest: Version) -> impl Iterator<Item = &str> {
    let symbols = symbols.lines().filter_map(|line| {
        let mut fields = line.split_whitespace().skip(4);
        let (bind, name) = (fields.next()?, fields.nth(2)?);
        let is_needed = bind == "GLOBAL" && line.contains(" UND ");
        Some((name, is_needed))
    });
    let is_newer = move |version: &str| {
        let mut numbers = version.split('.').map(str::parse);
        match (numbers.next(), numbers.next()) {
            (Some(Ok(major)), Some(Ok(minor))) => Version(major, minor) > oldest,
            _ => true,
        }
    };
    let new = symbols.filter(move |(name, is_needed)| match name.split_once("@GLIBC_") {
        Some((_, version)) => is_newer(version),
        None => *is_needed && !name.contains('@'),
    });
    new.map(|(name, _)| name)
}

fn is_of_ttf(name: &str) -> bool {
    let rest = name.strip_prefix("Ttf").or_else(|| name.strip_prefix("CTtf"));
    let rest = rest.map(|rest| rest.strip_prefix('_').unwrap_or(rest));
    rest.is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_alphabetic()))
}

fn exported(library: &Path, prefix: &str) -> Result<Vec<String>, Problem> {
    let symbols = output(program(format!("{prefix}nm")).args(["-D", "--defined-only"]).arg(library))?;
    Ok(symbols.lines().filter_map(|line| line.split_whitespace().last()).map(str::to_owned).collect())
}

/// Returns the names of libraries in the output of readelf.
fn needed(sections: &str) -> impl Iterator<Item = &str> {
    let lines = sections.lines().filter(|line| line.contains("(NEEDED)"));
    lines.filter_map(|line| Some(line.split_once('[')?.1.split_once(']')?.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_functions_of_tau_are_recognised() {
        for name in ["Ttf_ReadNumEvents", "Ttf_OpenFileForInput", "CTtf_AbsSeek", "TtfClose"] {
            assert!(is_of_ttf(name), "{name}");
        }
        for name in ["Ttf", "Ttf_", "ttf_Read", "rust_eh_personality", "Ttf_Read1", "_Ttf_Read"] {
            assert!(!is_of_ttf(name), "{name}");
        }
    }

    #[test]
    fn symbols_of_newer_versions_are_found() {
        let table = "   Num:    Value          Size Type    Bind   Vis      Ndx Name\n\
             1: 0000000000000000     0 FUNC    GLOBAL DEFAULT  UND close@GLIBC_2.2.5 (2)\n\
             2: 0000000000000000     0 FUNC    GLOBAL DEFAULT  UND secure_getenv@GLIBC_2.17 (3)\n\
             3: 0000000000000000     0 FUNC    GLOBAL DEFAULT  UND pthread_create@GLIBC_2.34 (4)\n\
             4: 0000000000000000     0 FUNC    GLOBAL DEFAULT  UND private@GLIBC_PRIVATE (5)\n\
             5: 0000000000001234     9 FUNC    GLOBAL DEFAULT   12 own\n";
        let found: Vec<_> = newer(table, Version(2, 17)).collect();
        assert_eq!(found, ["pthread_create@GLIBC_2.34", "private@GLIBC_PRIVATE"]);
        assert!(Version(2, 4) < Version(2, 17));
    }

    /// The linker for an old C library leaves the symbols that it lacks without a version: the
    /// program ended when it called the function.
    #[test]
    fn needed_symbols_without_a_version_are_found() {
        let table = "   Num:    Value          Size Type    Bind   Vis      Ndx Name\n\
             0: 0000000000000000     0 NOTYPE  LOCAL  DEFAULT  UND \n\
             1: 0000000000000000     0 NOTYPE  GLOBAL DEFAULT  UND memfd_create\n\
             2: 0000000000000000     0 NOTYPE  WEAK   DEFAULT  UND statx\n\
             3: 0000000000000000     0 FUNC    GLOBAL DEFAULT  UND _Unwind_GetIP@GCC_3.0 (2)\n\
             4: 0000000000001234     9 FUNC    GLOBAL DEFAULT   12 own\n";
        assert_eq!(newer(table, Version(2, 17)).collect::<Vec<_>>(), ["memfd_create"]);
    }

    #[test]
    fn needed_libraries_are_found() {
        let sections = " 0x01 (NEEDED)  Shared library: [libc.so.6]\n 0x0e (SONAME) Library soname: [x.so]\n";
        assert_eq!(needed(sections).collect::<Vec<_>>(), ["libc.so.6"]);
    }
}
