//! The names of kernels: those that the program gives, or the types of their functors.

use std::borrow::Cow;

use kymo_symbols::type_name;

use crate::adapters::annotations::NamedPlace;

/// The source file that Score-P reports.
const FILE: &str = "KOKKOS";

/// Returns the name of a region. Two types can name a kernel: `a/b`.
pub(super) fn named(text: &str) -> NamedPlace<'_> {
    let parts: Vec<Cow<'_, str>> = text.split('/').map(of_type).collect();
    let name = match parts.iter().all(|part| matches!(part, Cow::Borrowed(_))) {
        true => text.into(),
        false => parts.join("/").into(),
    };
    NamedPlace { name, canonical: text.into(), file: Some(FILE), line: 0 }
}

/// Returns the name of a type that is given as `std::type_info` does, by which Kokkos before
/// release 4 names kernels; other names as they are.
fn of_type(part: &str) -> Cow<'_, str> {
    // Namespaces and local types, or the length of a name: `N1a1bE`, `Z4mainEUliE_`, `3abc`.
    let is_type = match part.as_bytes() {
        [b'N' | b'Z', next, ..] => next.is_ascii_digit() || part.ends_with(['E', '_']),
        _ => is_counted(part),
    };
    let name = if is_type { type_name(part) } else { None };
    name.map_or(part.into(), Cow::from)
}

/// Returns whether a text is a name after its length, of at least three characters.
fn is_counted(text: &str) -> bool {
    let name = text.trim_start_matches(|it: char| it.is_ascii_digit());
    let length = text.strip_suffix(name).and_then(|length| length.parse().ok());
    length.is_some_and(|length: usize| length >= 3 && length == name.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_become_readable() {
        assert_eq!(named("N6solver7FunctorE/3Tag").name, "solver::Functor/Tag");
        assert_eq!(named("N6solver7FunctorE").canonical, "N6solver7FunctorE");
    }

    #[test]
    fn names_of_the_program_stay_as_they_are() {
        for name in [
            "axpy",
            "Node::step",
            "2D stencil",
            "1D",
            "2nd",
            "Z",
            "",
            "a/b",
            "Kokkos::View::initialization [x]",
        ] {
            assert_eq!(named(name).name, name);
        }
    }
}
