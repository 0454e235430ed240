//! Filter files: which regions they leave out, and which mistakes are reported.

use std::path::Path;

use kymo_filter::{Error, Filter, Region};

fn filter(text: &str) -> Filter {
    Filter::parse(text.as_bytes()).unwrap_or_else(|mistake| panic!("{mistake} in\n{text}"))
}

/// Returns the names that the rules of a block of region names leave out.
fn left_out<'a>(rules: &str, names: &[&'a str]) -> Vec<&'a str> {
    let filter = filter(&format!("SCOREP_REGION_NAMES_BEGIN\n{rules}\nSCOREP_REGION_NAMES_END"));
    names.iter().copied().filter(|name| filter.excludes_name(name.as_bytes(), None)).collect()
}

#[test]
fn everything_is_included_by_default() {
    assert!(filter("").is_empty() && filter("# nothing\n\n").is_empty());
    assert!(left_out("INCLUDE foo", &["foo", "bar"]).is_empty());
    assert!(left_out("EXCLUDE", &["foo", "EXCLUDE"]).is_empty());
}

#[test]
fn the_last_rule_that_matches_decides() {
    let names = ["main", "foo", "foobar", "foobaz"];
    assert_eq!(left_out("EXCLUDE *", &names), names);
    assert_eq!(left_out("EXCLUDE * INCLUDE foo*", &names), ["main"]);
    assert_eq!(left_out("EXCLUDE * INCLUDE foo* EXCLUDE foobaz", &names), ["main", "foobaz"]);
    assert_eq!(left_out("EXCLUDE foo*\nINCLUDE *", &names), [""; 0]);
    assert_eq!(left_out("EXCLUDE foo\n   main foobar", &names), ["main", "foo", "foobar"]);
}

#[test]
fn blocks_may_be_repeated_in_any_order() {
    let filter = filter(
        "SCOREP_REGION_NAMES_BEGIN EXCLUDE a SCOREP_REGION_NAMES_END SCOREP_FILE_NAMES_BEGIN EXCLUDE */lib/*\n\
         INCLUDE */lib/keep.c\nSCOREP_FILE_NAMES_END\nSCOREP_REGION_NAMES_BEGIN\n EXCLUDE b\n",
    );
    let is_out = |name: &'static str, file: Option<&'static str>| {
        filter.excludes(&Region { name: name.as_bytes(), mangled: None, file: file.map(str::as_bytes) })
    };
    assert!(is_out("a", None) && is_out("b", None) && !is_out("c", None));
    assert!(is_out("c", Some("/src/lib/x.c")) && !is_out("c", Some("/src/lib/keep.c")));
    // A region that one kind of rule includes may still be left out by the other.
    assert!(is_out("a", Some("/src/lib/keep.c")));
}

#[test]
fn mangled_applies_until_the_next_include_or_exclude() {
    let filter = filter(
        "SCOREP_REGION_NAMES_BEGIN\n EXCLUDE MANGLED _Z1a* _Z1b*\n EXCLUDE c* MANGLED _Z1d* DEMANGLED e*\n\
         SCOREP_REGION_NAMES_END",
    );
    let is_out =
        |name: &str, mangled: Option<&str>| filter.excludes_name(name.as_bytes(), mangled.map(str::as_bytes));
    assert!(
        is_out("a(int)", Some("_Z1ai")) && is_out("b(int)", Some("_Z1bi")) && is_out("d()", Some("_Z1dv"))
    );
    assert!(is_out("c()", Some("_Z1cv")) && is_out("e()", Some("_Z1ev")));
    assert!(!is_out("_Z1a", Some("a")) && !is_out("f()", Some("c")));
    // Without a mangled name the rule is matched against the other name.
    assert!(is_out("_Z1ai", None));
}

#[test]
fn comments_and_escapes_are_recognised() {
    let names = ["a", "b", "a b", "a#b", "a*b", "axb", "a\\b"];
    assert_eq!(left_out("EXCLUDE a # b\n# EXCLUDE b\nEXCLUDE a\\ b", &names), ["a", "a b"]);
    assert_eq!(left_out("EXCLUDE a\\#b#c", &names), ["a#b"]);
    assert_eq!(left_out("EXCLUDE a\\*b", &names), ["a*b"]);
    assert_eq!(left_out("EXCLUDE a\\\\b", &names), ["a\\b"]);
    assert_eq!(left_out("EXCLUDE\ta\r\n\tb\r", &names), ["a", "b"]);
}

#[track_caller]
fn is_mistake(text: &str, expected: &str) {
    let mistake = Filter::parse(text.as_bytes()).expect_err(text);
    assert_eq!(mistake.to_string(), expected);
}

#[test]
fn mistakes_name_the_line() {
    is_mistake(
        "\n\nEXCLUDE foo",
        "3: expected SCOREP_FILE_NAMES_BEGIN or SCOREP_REGION_NAMES_BEGIN, found 'EXCLUDE'",
    );
    is_mistake(
        "SCOREP_REGION_NAMES_BEGIN\nfoo",
        "2: expected EXCLUDE, INCLUDE or SCOREP_REGION_NAMES_END, found 'foo'",
    );
    is_mistake(
        "SCOREP_FILE_NAMES_BEGIN\nEXCLUDE MANGLED a",
        "2: expected a pattern, EXCLUDE, INCLUDE or SCOREP_FILE_NAMES_END, found 'MANGLED'",
    );
    is_mistake(
        "SCOREP_REGION_NAMES_BEGIN EXCLUDE a\nSCOREP_FILE_NAMES_END",
        "2: expected a pattern, MANGLED, DEMANGLED, EXCLUDE, INCLUDE or SCOREP_REGION_NAMES_END, \
         found 'SCOREP_FILE_NAMES_END'",
    );
    is_mistake(
        "SCOREP_REGION_NAMES_BEGIN EXCLUDE a\\\nb",
        "1: expected the end of the pattern on the line where it begins, found 'a\\'",
    );
}

#[test]
fn an_error_names_the_file() {
    let missing = Filter::read(Path::new("/no/such/filter")).expect_err("no file");
    assert!(matches!(&missing, Error::Io { .. }));
    assert!(missing.to_string().starts_with("/no/such/filter: "), "{missing}");
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let text = Filter::read(&here).expect_err("no filter").to_string();
    assert!(text.starts_with(&format!("{}:1: expected SCOREP_FILE", here.display())), "{text}");
}

#[test]
fn rules_are_listed_with_their_lines_and_matching_ones_are_found() {
    let filter = filter(
        "SCOREP_REGION_NAMES_BEGIN\n EXCLUDE * \n INCLUDE main\nSCOREP_REGION_NAMES_END\n\
         SCOREP_FILE_NAMES_BEGIN EXCLUDE */lib/*\nSCOREP_FILE_NAMES_END\n\
         SCOREP_REGION_NAMES_BEGIN EXCLUDE MANGLED _Z*\nSCOREP_REGION_NAMES_END\n",
    );
    let rules: Vec<_> = filter.rules().into_iter().map(|rule| (rule.text, rule.line)).collect();
    let expected =
        [("EXCLUDE *", 2), ("INCLUDE main", 3), ("EXCLUDE */lib/*", 5), ("EXCLUDE MANGLED _Z*", 7)];
    assert_eq!(rules, expected.map(|(text, line)| (text.to_owned(), line)));
    let matching = |name: &str, mangled: &str, file: &str| {
        let region =
            Region { name: name.as_bytes(), mangled: Some(mangled.as_bytes()), file: Some(file.as_bytes()) };
        let mut all: Vec<_> = filter.matching(&region).collect();
        all.sort();
        all
    };
    assert_eq!(matching("main", "main", "main.c"), [0, 1]);
    assert_eq!(matching("f(int)", "_Z1fi", "a/lib/f.c"), [0, 2, 3]);
}
