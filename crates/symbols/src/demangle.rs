//! Readable names of C++, Rust and Fortran functions.
//!
//! gfortran gives a procedure the name `sub_`, and one in a module the name `__heat_MOD_step`,
//! which becomes `heat::step`. The C library calls its own functions by hidden names: `raise` is
//! `__GI_raise` there.

use std::borrow::Cow;

use addr2line::gimli::{self, DwLang};

/// Returns the readable form of a name. Without a language it is guessed from the name.
pub(crate) fn demangled(name: &str, language: Option<DwLang>) -> String {
    if let Some(name) = of_fortran_module(name) {
        return name;
    }
    match language {
        Some(language) if is_fortran(language) => name.strip_suffix('_').unwrap_or(name).to_owned(),
        // Names of one letter are mangled types for a demangler: `f` is `float`.
        _ if !is_mangled(name) => {
            let name = linker_name(name);
            name.strip_prefix("__GI_").filter(|name| !name.is_empty()).unwrap_or(name).to_owned()
        }
        // C++ has newer language numbers than addr2line supports. The names of these languages
        // cannot be confused.
        _ => addr2line::demangle_auto(Cow::from(linker_name(name)), None).into_owned(),
    }
}

/// Returns whether a name is a mangled C++ or Rust name.
pub(crate) fn is_mangled(name: &str) -> bool {
    name.starts_with("_Z") || name.starts_with("_R")
}

/// Returns the name without the version that a symbol table may add: `name@@VERSION`.
pub(crate) fn linker_name(symbol: &str) -> &str {
    match symbol.split_once('@') {
        Some((name, _)) if !name.is_empty() => name,
        _ => symbol,
    }
}

fn of_fortran_module(name: &str) -> Option<String> {
    let (module, procedure) = name.strip_prefix("__")?.split_once("_MOD_")?;
    Some(format!("{module}::{procedure}"))
}

fn is_fortran(language: DwLang) -> bool {
    matches!(
        language,
        gimli::DW_LANG_Fortran77
            | gimli::DW_LANG_Fortran90
            | gimli::DW_LANG_Fortran95
            | gimli::DW_LANG_Fortran03
            | gimli::DW_LANG_Fortran08
            | gimli::DW_LANG_Fortran18
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_languages() {
        for (name, language, expected) in [
            ("main", Some(gimli::DW_LANG_C11), "main"),
            ("sub_", Some(gimli::DW_LANG_C11), "sub_"),
            ("sub_", Some(gimli::DW_LANG_Fortran08), "sub"),
            ("__heat_MOD_step", None, "heat::step"),
            ("_Z3addii", None, "add(int, int)"),
            ("_Z3addii", Some(gimli::DwLang(0x2b)), "add(int, int)"),
            ("_ZN4core3fmt5Write9write_str17h0123456789abcdefE", None, "core::fmt::Write::write_str"),
            ("_RNvCs1234_7mycrate3foo", None, "mycrate::foo"),
            ("memcpy@@GLIBC_2.14", None, "memcpy"),
            ("__GI_raise", None, "raise"),
            ("__GI_", None, "__GI_"),
            ("_Z", None, "_Z"),
            ("f", None, "f"),
            ("w", Some(gimli::DW_LANG_C11), "w"),
        ] {
            assert_eq!(demangled(name, language), expected);
        }
    }
}
