//! The demangler of the C++ library of this machine, for names that the one in `kymo-symbols` does
//! not understand: the name of every standard `swap` and `fill` has a form that gcc writes but the
//! ABI does not specify.

use std::ffi::{CStr, CString, c_char, c_int};
use std::ptr;

type Demangle = unsafe extern "C" fn(*const c_char, *mut c_char, *mut usize, *mut c_int) -> *mut c_char;

/// The longest name that is passed on. Longer names need much stack.
const LONGEST: usize = 1 << 14;

/// The library, as long as names are looked up.
#[derive(Debug, Default)]
pub(super) struct CppLibrary {
    /// `None` until it is needed; then whether it exists.
    demangle: Option<Option<Demangle>>,
}

impl CppLibrary {
    /// Returns a mangled name in readable form; `None` if there is no C++ library, or if it does
    /// not understand the name either.
    pub(super) fn demangled(&mut self, name: &str) -> Option<String> {
        if !name.starts_with("_Z") || name.len() > LONGEST {
            return None;
        }
        let demangle = (*self.demangle.get_or_insert_with(open))?;
        let name = CString::new(name).ok()?;
        let mut status = 0;
        // SAFETY: the name is a C string, and without a buffer the result is allocated.
        let text = unsafe { demangle(name.as_ptr(), ptr::null_mut(), ptr::null_mut(), &raw mut status) };
        if text.is_null() {
            return None;
        }
        // SAFETY: not null, so a C string.
        let result = unsafe { CStr::from_ptr(text) }.to_str().map(str::to_owned).ok();
        // SAFETY: allocated by `malloc`, and no other pointer to it exists.
        unsafe { libc::free(text.cast()) };
        result
    }
}

fn open() -> Option<Demangle> {
    // SAFETY: the constructors of the library only prepare it. It is never closed.
    let library = unsafe { libc::dlopen(c"libstdc++.so.6".as_ptr(), libc::RTLD_NOW) };
    if library.is_null() {
        return None;
    }
    // SAFETY: a handle of the loader, and the name is a C string.
    let address = unsafe { libc::dlsym(library, c"__cxa_demangle".as_ptr()) };
    // SAFETY: the common ABI of C++ libraries gives the function this type.
    (!address.is_null()).then(|| unsafe { std::mem::transmute::<*mut libc::c_void, Demangle>(address) })
}

#[cfg(test)]
mod tests {
    use super::CppLibrary;

    /// Tests are compiled with gcc, so the library exists.
    #[test]
    fn names_in_the_form_of_gcc_are_demangled() {
        let mut library = CppLibrary::default();
        let name = "_ZSt9__fill_a1IPddEN9__gnu_cxx11__enable_ifIXsrSt11__is_scalarIT0_E7__valueEvE6__typeET_S8_RKS4_";
        let demangled = library.demangled(name).expect("a C++ library");
        assert!(demangled.contains("std::__fill_a1<double*, double>"), "{demangled}");
        assert_eq!(["main", "_Zx"].map(|name| library.demangled(name)), [None, None]);
    }
}
