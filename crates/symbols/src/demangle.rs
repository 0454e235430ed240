//! Readable names of C++, Rust and Fortran functions.
//!
//! gfortran gives a procedure the name `sub_`, and one in a module the name `__heat_MOD_step`,
//! which becomes `heat::step`. The C library calls its own functions by hidden names: `raise` is
//! `__GI_raise` there. Copies of a function that a compiler has made for itself have the name of
//! the function: `step.constprop.0` is `step`.

use std::borrow::Cow;

use addr2line::gimli::{self, DwLang};

/// Returns the readable form of a name. Without a language it is guessed from the name.
pub(crate) fn demangled(name: &str, language: Option<DwLang>) -> String {
    let name = without_clone(name);
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

/// Returns the readable name of a C++ type from the one that `std::type_info` has; `None` if it is
/// none, or cannot be read.
pub fn type_name(name: &str) -> Option<String> {
    let mangled = format!("_ZTS{name}");
    addr2line::demangle(&mangled, gimli::DW_LANG_C_plus_plus)?.strip_prefix(OF_TYPE).map(str::to_owned)
}

/// How a demangler begins the name of a type's name.
const OF_TYPE: &str = "typeinfo name for ";

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

/// The marks of copies and parts of a function, before a number.
const NUMBERED: [&str; 8] =
    ["cold", "constprop", "isra", "part", "lto_priv", "llvm", "specialized", "__uniq"];
/// Those without a number.
const PLAIN: [&str; 3] = ["cold", "localalias", "unlikely"];

/// Returns the name of a symbol without the marks of a copy or a part of a function.
pub(crate) fn without_clone(symbol: &str) -> &str {
    let mut name = symbol;
    while let Some((rest, end)) = name.rsplit_once('.') {
        let is_number = !end.is_empty() && end.bytes().all(|it| it.is_ascii_digit());
        let (rest, mark) = if is_number { rest.rsplit_once('.').unwrap_or(("", "")) } else { (rest, end) };
        let marks = if is_number { &NUMBERED[..] } else { &PLAIN[..] };
        if rest.is_empty() || !marks.contains(&mark) {
            break;
        }
        name = rest;
    }
    name
}

/// Returns whether a symbol is that of code that a compiler has split off a function, which calls
/// it. Code that the function jumps to is no call of its own.
pub(crate) fn is_split_off(symbol: &str) -> bool {
    symbol.contains(".part.")
}

/// Returns the readable name of a function of no namespace and no class without its parameters,
/// which is all that debug information has for some; for other functions the whole name.
pub fn simple_name(name: &str) -> &str {
    let is_simple = |name: &str| name.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_');
    match name.split_once('(') {
        Some((simple, _)) if !simple.is_empty() && is_simple(simple) => simple,
        _ => name,
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
    fn names_of_types() {
        assert_eq!(type_name("N6solver7FunctorE").as_deref(), Some("solver::Functor"));
        assert_eq!(type_name("7Functor").as_deref(), Some("Functor"));
        assert!(type_name("Z4mainEUliE1_").is_some_and(|name| name.starts_with("main::{lambda(int)#")));
        assert_eq!(type_name("2D stencil"), None);
    }

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
            ("step.constprop.0.isra.1", None, "step"),
            ("_Z3addii.part.0.cold", None, "add(int, int)"),
            ("step.llvm.1234567", None, "step"),
            // A function of its own.
            ("main._omp_fn.0", None, "main._omp_fn.0"),
            (".part.0", None, ".part.0"),
            ("main.part", None, "main.part"),
        ] {
            assert_eq!(demangled(name, language), expected);
        }
    }

    #[test]
    fn a_simple_name_has_no_parameters() {
        for (name, expected) in [
            ("add(int, int)", "add"),
            ("main", "main"),
            ("n::add(int)", "n::add(int)"),
            ("(anonymous namespace)::f()", "(anonymous namespace)::f()"),
            ("f<int>(int)", "f<int>(int)"),
        ] {
            assert_eq!(simple_name(name), expected);
        }
    }
}
