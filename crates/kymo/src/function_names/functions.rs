//! The functions that become regions.
//!
//! Debug information describes a function where it begins and wherever it was inlined, in different
//! ways: an inlined one has no line, and its name may have no parameters. Invariant: both are one
//! region where they are certainly one function: with the same linker's name, which no other
//! function has, or the only function of that name in the file.

use std::collections::HashMap;

use kymo_symbols::{Function, simple_name};

/// The number of a function in a [`FunctionTable`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct FunctionNumber(usize);

/// The functions that were found.
#[derive(Debug, Default)]
pub(super) struct FunctionTable {
    numbers: HashMap<(String, Option<String>, u32), FunctionNumber>,
    all: Vec<Function>,
}

impl FunctionTable {
    /// Returns the number of a function, and adds it if it is new.
    pub(super) fn number(&mut self, function: &Function) -> FunctionNumber {
        let key = (function.name.clone(), function.file.clone(), function.line);
        let next = FunctionNumber(self.all.len());
        let number = *self.numbers.entry(key).or_insert(next);
        if number == next {
            self.all.push(function.clone());
        }
        number
    }

    /// Returns whether a function has a name, in one of its forms.
    pub(super) fn has_name(&self, function: FunctionNumber, name: &str) -> bool {
        let known = self.all.get(function.0).map_or("", |function| &function.name);
        known == name || simple_name(known) == simple_name(name)
    }

    /// Returns the functions, in the order of their numbers, with the place in the same list of
    /// that whose region they share: their own, or an earlier or later one.
    pub(super) fn regions(&self) -> impl Iterator<Item = (&Function, usize)> {
        let described = self.all.iter().enumerate().filter(|(_, function)| function.line > 0);
        let (mut of_names, mut of_forms) = (HashMap::new(), HashMap::new());
        for (place, function) in described {
            if is_unique(&function.mangled) {
                let only = of_names.entry(&*function.mangled).or_insert(Some(place));
                *only = only.filter(|other| *other == place);
            }
            let forms = [&*function.name, simple_name(&function.name)];
            for form in &forms[..if forms[0] == forms[1] { 1 } else { 2 }] {
                let only = of_forms.entry((*form, &function.file)).or_insert(Some(place));
                *only = only.filter(|other| *other == place);
            }
        }
        self.all.iter().enumerate().map(move |(own, function)| {
            let same = || {
                let by_form = of_forms.get(&(&*function.name, &function.file)).copied().flatten();
                of_names.get(&*function.mangled).copied().flatten().or(by_form)
            };
            let shared = if function.line > 0 { None } else { same() };
            (function, shared.unwrap_or(own))
        })
    }
}

/// Whether a linker's name is that of one function in all files: of C++ or Rust, and not local to a
/// file.
fn is_unique(mangled: &str) -> bool {
    let is_mangled = mangled.starts_with("_Z") || mangled.starts_with("_R");
    is_mangled && !mangled.starts_with("_ZL") && !mangled.contains("_GLOBAL__N_")
}

impl FunctionNumber {
    /// Returns the entry for the function in a list in the order of the numbers.
    pub(super) fn of<T: Copy>(self, list: &[T]) -> Option<T> {
        list.get(self.0).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(functions: &[(&str, &str, &str, u32)]) -> Vec<usize> {
        let mut table = FunctionTable::default();
        for &(name, mangled, file, line) in functions {
            let (name, mangled, file) = (name.to_owned(), mangled.to_owned(), Some(file.to_owned()));
            table.number(&Function { name, mangled, file, line });
        }
        table.regions().map(|(_, place)| place).collect()
    }

    #[test]
    fn an_inlined_function_has_the_region_of_the_function() {
        let by_name = [("f", "f", "a.c", 0), ("f", "f", "a.c", 3), ("main", "main", "a.c", 9)];
        assert_eq!(places(&by_name), [1, 1, 2]);
        let mangled = [("f(int)", "_Z1fi", "a.cc", 3), ("f(int)", "_Z1fi", "a.h", 0)];
        assert_eq!(places(&mangled), [0, 0]);
        // The debug information of a static function has no other name of it.
        let simple = [("f", "f", "a.cc", 0), ("f(int)", "_ZL1fi", "a.cc", 3)];
        assert_eq!(places(&simple), [1, 1]);
    }

    #[test]
    fn functions_that_may_be_different_have_regions_of_their_own() {
        let files = [("f", "f", "a.c", 0), ("f", "f", "b.c", 3)];
        assert_eq!(places(&files), [0, 1]);
        let overloaded =
            [("f", "f", "a.cc", 0), ("f(int)", "_ZL1fi", "a.cc", 3), ("f(char)", "_ZL1fc", "a.cc", 5)];
        assert_eq!(places(&overloaded), [0, 1, 2]);
        let in_namespace = [("f", "f", "a.cc", 0), ("n::f(int)", "_ZN1nL1fEi", "a.cc", 3)];
        assert_eq!(places(&in_namespace), [0, 1]);
        let local =
            [("n::f()", "_ZN12_GLOBAL__N_11fEv", "a.cc", 0), ("n::f()", "_ZN12_GLOBAL__N_11fEv", "b.cc", 3)];
        assert_eq!(places(&local), [0, 1]);
    }
}
