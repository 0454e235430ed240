//! Patterns match the same texts as with the C library's `fnmatch`.

use std::process::Command;

use kymo_filter::pattern::matches;

const PATTERNS: &[&str] = &[
    "",
    "*",
    "**",
    "?",
    "a",
    "a*",
    "*a",
    "*a*b*",
    "a?c",
    "[abc]",
    "[!abc]",
    "[^abc]",
    "[a-c]x",
    "[]a]",
    "[!]a]",
    "[a-]",
    "[-a]",
    "[[:digit:]]*",
    "[![:alpha:]_]",
    "\\*",
    "\\[a]",
    "[\\]]",
    "[a",
    "a[",
    "foo*bar",
    "*::~*",
    "void *",
    "a\\",
    "[z-a]",
    "*/x.c",
    "[a-c-e]",
    "*a*a*a*a*b",
    "[[:upper:][:digit:]]",
];
const TEXTS: &[&str] = &[
    "",
    "a",
    "b",
    "c",
    "d",
    "ab",
    "abc",
    "a/c",
    "bx",
    "]",
    "-",
    "[a",
    "[a]",
    "a[",
    "*",
    "\\",
    "a\\",
    "foobar",
    "foo(int)bar",
    "A::~A()",
    "7up",
    "_x",
    "void f()",
    "/src/x.c",
    ".a",
    "^",
    "!",
    "aaaaaaaaaaaa",
    "aaaaaaaaab",
    "A",
    "z",
];

/// Returns `0` or `1` for each pattern and text, from a small C program.
fn c_library() -> String {
    let list = |texts: &[&str]| texts.iter().map(|text| format!("{text:?}, ")).collect::<String>();
    let source = format!(
        "#include <fnmatch.h>\n#include <stdio.h>\nstatic const char *p[] = {{{}}}, *t[] = {{{}}};\nint main(void) {{\n\
         for (unsigned i = 0; i < {}; i++) for (unsigned j = 0; j < {}; j++) putchar(fnmatch(p[i], t[j], 0) ? '0' : '1');\n\
         return 0; }}\n",
        list(PATTERNS),
        list(TEXTS),
        PATTERNS.len(),
        TEXTS.len()
    );
    let folder = kymo_testdata::process_folder("patterns");
    let (file, program) = (folder.join("patterns.c"), folder.join("patterns"));
    std::fs::write(&file, source).expect("writing a C program");
    let compiler = std::env::var_os("CC").unwrap_or("cc".into());
    let status = Command::new(compiler).arg("-o").args([&program, &file]).status().expect("a C compiler");
    assert!(status.success());
    let output = Command::new(program).output().expect("running it");
    String::from_utf8(output.stdout).expect("digits")
}

#[test]
fn patterns_match_as_in_the_c_library() {
    let expected = c_library();
    assert_eq!(expected.len(), PATTERNS.len() * TEXTS.len());
    let pairs = PATTERNS.iter().flat_map(|pattern| TEXTS.iter().map(move |text| (pattern, text)));
    for ((pattern, text), expected) in pairs.zip(expected.bytes()) {
        assert_eq!(matches(pattern.as_bytes(), text.as_bytes()), expected == b'1', "{pattern:?} {text:?}");
    }
}

#[test]
fn many_stars_are_matched_quickly() {
    let (pattern, text) = ("*a".repeat(5000) + "b", "a".repeat(10_000));
    assert!(!matches(pattern.as_bytes(), text.as_bytes()));
}
