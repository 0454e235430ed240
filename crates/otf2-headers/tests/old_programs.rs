//! Programs for OTF2 1.x and 2.x, with the changes of `docs/reference/otf2-old-programs.md`.

use super::common::{LANGUAGES, Language, accept, build, compiler_for, debian, package, refuse, run};
use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

const C: Language = Language::C("c99");

fn written_for_1_2() -> String {
    fs::read_to_string(package().join("tests/programs/written_for_1_2.c")).expect("a program")
}

#[test]
fn a_program_for_1_2_compiles_after_the_changes() {
    let program = written_for_1_2();
    LANGUAGES.iter().for_each(|language| accept(*language, &program));
}

#[test]
fn a_program_for_1_2_does_not_compile_before_the_changes() {
    let quiet = "#define OTF2_IGNORE_ATTRIBUTE_DEPRECATED\n#define AS_IN_1_2\n";
    let report = refuse(C, &(quiet.to_owned() + &written_for_1_2()));
    let changed =
        ["ClockProperties", "Attribute", "LocationGroup", "Comm", "RmaWin", "SystemTreeNodeProperty"];
    for name in changed {
        let expected = format!("too few arguments to function ‘OTF2_GlobalDefWriter_Write{name}’");
        let expected = [expected.replace(['‘', '’'], "'"), expected];
        assert!(expected.iter().any(|it| report.contains(it)), "{name}: {report}");
    }
    assert!(report.contains("OTF2_MetricBase"), "{report}");
}

#[test]
fn a_program_for_1_2_writes_its_trace_after_the_changes() {
    if debian::headers().is_none() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let source = package().join("tests/programs/written_for_1_2.c");
    let compiler = compiler_for("otf2.h", C).expect("a C compiler");
    let program = build(compiler, C, &source, folder.path(), &["-lopen-trace-format2"]);
    run(Command::new(program).current_dir(folder.path()));
    for file in ["trace/traces.otf2", "trace/traces.def", "trace/traces/0.evt"] {
        assert!(folder.path().join(file).exists(), "{file}");
    }
}

/// Calls of the functions that OTF2 1.2 has and libotf2 3.0 has not.
const DROPPED: [(&str, &str); 6] = [
    ("OTF2_Archive_SetMasterSlaveMode", "( archive, OTF2_MASTER )"),
    ("OTF2_Archive_GetMasterSlaveMode", "( archive, &mode )"),
    ("OTF2_Archive_SetFileSionCallbacks", "( archive, &sion, NULL )"),
    ("OTF2_Reader_SetFileSionCallbacks", "( reader, &sion, NULL )"),
    ("OTF2_AttributeList_AddString", "( list, attribute, string )"),
    ("OTF2_AttributeList_GetString", "( list, attribute, &string )"),
];

/// Returns a program with one call.
fn call(name: &str, arguments: &str) -> String {
    format!(
        "#include <otf2/otf2.h>
         static OTF2_FileSionCallbacks sion;
         OTF2_MasterSlaveMode mode = OTF2_SLAVE;
         OTF2_ErrorCode call( OTF2_Archive* archive, OTF2_Reader* reader, OTF2_AttributeList* list,
                              OTF2_AttributeRef attribute, OTF2_StringRef string )
         {{
             (void)archive, (void)reader, (void)list, (void)attribute, (void)string, (void)sion;
             return {name}{arguments};
         }}\n"
    )
}

#[test]
fn dropped_functions_are_declared_as_deprecated() {
    for (name, arguments) in DROPPED {
        let program = call(name, arguments);
        let report = refuse(C, &program);
        assert!(report.contains("is deprecated") && !report.contains("implicit"), "{name}: {report}");
        for language in LANGUAGES {
            accept(language, &format!("#define OTF2_IGNORE_ATTRIBUTE_DEPRECATED\n{program}"));
        }
    }
}

/// Returns the words of the page that look like names of the interface.
fn names(page: &str) -> BTreeSet<&str> {
    let words = page.split(|it: char| !(it.is_ascii_alphanumeric() || it == '_'));
    words.filter(|word| word.starts_with("OTF2_") && !word.ends_with('_')).collect()
}

/// Names that the page mentions because they do not exist any more.
const GONE: [&str; 7] = [
    "OTF2_MetricBase",
    "OTF2_MpiCollectiveType",
    "OTF2_DefWriter_WriteMpiComm",
    "OTF2_GlobalDefWriter_WriteMpiComm",
    "OTF2_GROUP_TYPE_MPI_LOCATIONS",
    "OTF2_GROUP_TYPE_MPI_GROUP",
    "OTF2_GROUP_TYPE_MPI_COMM_SELF",
];

/// Names of headers and starts of names, a macro without a value, and a function that needs MPI.
const OTHERS: [&str; 6] = [
    "OTF2_IGNORE_ATTRIBUTE_DEPRECATED",
    "OTF2_MPI_Archive_SetCollectiveCallbacks",
    "OTF2_MPI_Collectives",
    "OTF2_Pthread_Locks",
    "OTF2_EventSizeEstimator",
    "OTF2_BASE",
];

#[test]
fn the_page_names_only_what_exists() {
    let page =
        fs::read_to_string(package().join("../../docs/reference/otf2-old-programs.md")).expect("the page");
    let mut names = names(&page);
    names.retain(|name| !GONE.contains(name) && !OTHERS.contains(name));
    assert!(names.len() > 45, "{}", names.len());
    let uses = names.iter().map(|name| format!("uses += sizeof( __typeof__( {name} )* );\n"));
    accept(
        Language::C("c11"),
        &format!(
            "#define OTF2_IGNORE_ATTRIBUTE_DEPRECATED\n{}\nsize_t use( void )\n{{\nsize_t uses = 0;\n{}return uses;\n}}\n",
            debian::our_includes(),
            uses.collect::<String>()
        ),
    );
}
