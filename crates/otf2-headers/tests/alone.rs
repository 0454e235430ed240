//! Each header compiles without another one before it, in C and C++, without a warning.

use super::common::{LANGUAGES, accept_with, compiler_for, debian, headers, include};

#[test]
fn every_header_compiles_alone() {
    for header in headers(&include()) {
        for language in LANGUAGES {
            let Some(compiler) = compiler_for(&header, language) else { continue };
            // Twice, for the guard; and C has no empty translation unit.
            let text = format!("#include <otf2/{header}>\n#include <otf2/{header}>\nextern int used;\n");
            accept_with(compiler, language, &text);
        }
    }
}

#[test]
fn the_headers_have_the_names_of_those_of_libotf2() {
    let Some(debian) = debian::headers() else { return };
    assert_eq!(headers(&include()), headers(debian));
}
