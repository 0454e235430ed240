//! The headers declare the same as those of libotf2 3.0: types, functions, constants, layouts; and
//! the additions of OTF2 3.1 and 3.2.
//!
//! Declarations of Debian's headers are repeated after ours. C accepts a repeated function or type
//! only if it is compatible. Names of constants and members of structures cannot be repeated: they
//! are renamed and compared.

use super::common::declarations::{Body, Declarations};
use super::common::{Language, accept, debian, include, refuse};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

/// The additional functions of our headers, of versions before 3.0.
const OLDER: [&str; 6] = [
    "OTF2_Archive_GetMasterSlaveMode",
    "OTF2_Archive_SetFileSionCallbacks",
    "OTF2_Archive_SetMasterSlaveMode",
    "OTF2_AttributeList_AddString",
    "OTF2_AttributeList_GetString",
    "OTF2_Reader_SetFileSionCallbacks",
];

/// The additional functions of our headers, of OTF2 3.2. OTF2 3.1 added no function.
fn newer() -> Vec<String> {
    let records = ["MpiProbe", "MpiMrecv", "MpiImrecvRequest", "MpiImrecv"];
    let of_record = |record: &str| {
        [
            format!("OTF2_EvtWriter_{record}"),
            format!("OTF2_EvtReaderCallbacks_Set{record}Callback"),
            format!("OTF2_GlobalEvtReaderCallbacks_Set{record}Callback"),
            format!("OTF2_EventSizeEstimator_GetSizeOf{record}Event"),
        ]
    };
    let values = ["Get", "Set"].map(|what| format!("OTF2_AttributeValue_{what}TaskGenerationNumber"));
    records.into_iter().flat_map(of_record).chain(values).collect()
}

const QUIET: &str = "#define OTF2_IGNORE_ATTRIBUTE_DEPRECATED\n";

fn declarations(folder: &Path) -> Declarations {
    Declarations::of(&debian::preprocessed(folder))
}

/// Returns the start of a program: our headers.
fn ours() -> String {
    format!("{QUIET}#include <stddef.h>\n{}", debian::our_includes())
}

#[test]
fn functions_and_types_are_compatible() {
    let Some(debian) = debian::headers() else { return };
    let debian = declarations(debian);
    assert!(debian.functions.len() == 921 && debian.types.len() > 400, "{}", debian.functions.len());
    let mut text = ours() + "#ifdef __cplusplus\nextern \"C\" {\n#endif\n";
    for declaration in debian.types.iter().chain(&debian.functions) {
        let _ = writeln!(text, "{declaration};");
    }
    text += "#ifdef __cplusplus\n}\n#endif\n";
    accept(Language::C("c11"), &text);
    accept(Language::Cpp("c++11"), &text);
}

/// Otherwise the test above would prove nothing.
#[test]
fn an_incompatible_declaration_is_refused() {
    for declaration in [
        "OTF2_ErrorCode OTF2_EvtWriter_Enter( OTF2_EvtWriter* writer );",
        "OTF2_ErrorCode OTF2_EvtWriter_Enter( OTF2_EvtWriter* writer, OTF2_AttributeList* attributeList, \
         OTF2_TimeStamp time, uint64_t region );",
        "typedef uint16_t OTF2_Type;",
        "typedef OTF2_CallbackCode ( * OTF2_MarkerReaderCallback_Unknown )( const void* userData );",
    ] {
        let text = format!("{}extern \"C\" {{\n{declaration}\n}}\n", ours());
        let report = refuse(Language::Cpp("c++11"), &text);
        assert!(report.contains("conflicting declaration"), "{report}");
        refuse(Language::C("c11"), &format!("{}{declaration}\n", ours()));
    }
}

#[test]
fn only_functions_of_other_versions_are_added() {
    let Some(debian) = debian::headers() else { return };
    let (ours, debian) = (declarations(&include()), declarations(debian));
    let known = debian.function_names();
    let mut added = ours.function_names();
    added.retain(|name| !known.contains(name));
    added.sort_unstable();
    let newer = newer();
    assert_eq!(newer.len(), 18);
    let mut expected: Vec<&str> = OLDER.into_iter().chain(newer.iter().map(String::as_str)).collect();
    expected.sort_unstable();
    assert_eq!(added, expected);
}

/// The values and types are those of the headers of OTF2 3.2.
#[test]
fn what_later_versions_added_is_declared() {
    let mut text = ours();
    for (constant, value) in [
        ("OTF2_GROUP_TYPE_COMM_LOCATION_GROUPS", 7),
        ("OTF2_REGION_ROLE_CANCEL", 39),
        ("OTF2_REGION_ROLE_KERNEL", 40),
        ("OTF2_PARADIGM_OPENMP_TARGET", 25),
        ("OTF2_THUMBNAIL_TYPE_COMM", 3),
        ("OTF2_THUMBNAIL_TYPE_RMA_WIN", 4),
        ("OTF2_THUMBNAIL_TYPE_IO_HANDLE", 5),
        ("OTF2_TASK_GENERATION_NUMBER_IMPLICIT", 0),
        ("sizeof( OTF2_TaskGenerationNumber )", 4),
        ("OTF2_VERSION_MAJOR", 3),
        ("OTF2_VERSION_MINOR", 2),
        ("OTF2_VERSION_BUGFIX", 0),
    ] {
        assert_equal(&mut text, constant, &value.to_string());
    }
    let list = "OTF2_AttributeList*, OTF2_TimeStamp";
    let heads = [
        ("OTF2_EvtReaderCallback", "OTF2_LocationRef, OTF2_TimeStamp, uint64_t, void*, OTF2_AttributeList*"),
        ("OTF2_GlobalEvtReaderCallback", "OTF2_LocationRef, OTF2_TimeStamp, void*, OTF2_AttributeList*"),
    ];
    for (record, fields) in [
        ("MpiProbe", "uint32_t, OTF2_CommRef, uint32_t, uint64_t"),
        ("MpiMrecv", "uint64_t, uint64_t"),
        ("MpiImrecvRequest", "uint64_t, uint64_t"),
        ("MpiImrecv", "uint64_t, uint64_t"),
    ] {
        let _ = writeln!(
            text,
            "OTF2_ErrorCode OTF2_EvtWriter_{record}( OTF2_EvtWriter*, {list}, {fields} );\n\
             size_t OTF2_EventSizeEstimator_GetSizeOf{record}Event( OTF2_EventSizeEstimator* );"
        );
        for (prefix, head) in heads {
            let _ = writeln!(
                text,
                "typedef OTF2_CallbackCode ( * {prefix}_{record} )( {head}, {fields} );\n\
                 OTF2_ErrorCode {prefix}s_Set{record}Callback( {prefix}s*, {prefix}_{record} );"
            );
        }
    }
    text += "OTF2_ErrorCode OTF2_AttributeValue_SetTaskGenerationNumber( OTF2_TaskGenerationNumber, \
             OTF2_Type*, OTF2_AttributeValue* );\n\
             OTF2_ErrorCode OTF2_AttributeValue_GetTaskGenerationNumber( OTF2_Type, OTF2_AttributeValue, \
             OTF2_TaskGenerationNumber* );\n";
    accept(Language::C("c11"), &text);
}

/// Returns the functions and constants that a compiler warns about.
fn deprecated(folder: &Path) -> BTreeSet<String> {
    let text = debian::preprocessed_with("-D__attribute__( it )=DEPRECATED", folder);
    let mut declarations = Declarations::of(&text);
    declarations.functions.retain(|function| function.ends_with("DEPRECATED"));
    let constants = declarations.bodies.iter().filter(|it| it.keyword == "enum").flat_map(Body::constants);
    let constants = constants.filter(|(_, value)| value.contains("DEPRECATED")).map(|(name, _)| name);
    constants.chain(declarations.function_names()).map(str::to_owned).collect()
}

#[test]
fn the_same_names_are_deprecated() {
    let Some(debian) = debian::headers() else { return };
    let mut expected = deprecated(debian);
    assert_eq!(expected.len(), 18, "{expected:?}");
    expected.extend(OLDER.map(str::to_owned));
    assert_eq!(deprecated(&include()), expected);
}

/// Renames the declared things; the types of its members stay the same.
fn renamed(text: &str) -> String {
    text.replace("OTF2_", "REF_")
}

fn assert_equal(text: &mut String, left: &str, right: &str) {
    let _ = writeln!(text, "_Static_assert( {left} == {right}, \"{left}\" );");
}

#[test]
fn constants_have_the_same_values() {
    let Some(debian) = debian::headers() else { return };
    let debian = declarations(debian);
    let enums: Vec<&Body> = debian.bodies.iter().filter(|it| it.keyword == "enum").collect();
    let mut text = ours();
    let mut count = 0;
    for (index, body) in enums.iter().enumerate() {
        let _ = writeln!(text, "__extension__ enum ref_{index} {{");
        for (name, value) in body.constants() {
            let _ = writeln!(text, "    {}{},", renamed(name), renamed(value));
            count += 1;
        }
        let _ = writeln!(text, "    ref_end_{index} = 0 }};");
        for (name, _) in body.constants() {
            let wide = |name: &str| format!("( long long ){name}");
            assert_equal(&mut text, &wide(name), &wide(&renamed(name)));
        }
        assert_equal(&mut text, &format!("sizeof( {} )", body.name), &format!("sizeof( enum ref_{index} )"));
    }
    assert!(enums.len() > 50 && count > 420, "{} with {count} constants", enums.len());
    accept(Language::C("c11"), &text);
}

#[test]
fn structures_have_the_same_layout() {
    let Some(debian) = debian::headers() else { return };
    let debian = declarations(debian);
    let mut text = ours();
    let structures: Vec<&Body> = debian.bodies.iter().filter(|it| it.keyword != "enum").collect();
    for body in &structures {
        let (name, reference) = (&body.name, renamed(&body.name));
        let _ = writeln!(text, "typedef {} {{ {} }} {reference};", body.keyword, body.text);
        assert_equal(&mut text, &format!("sizeof( {name} )"), &format!("sizeof( {reference} )"));
        for member in body.members() {
            let of = |name: &str| format!("offsetof( {name}, {member} )");
            assert_equal(&mut text, &of(name), &of(&reference));
            let types =
                [name.as_str(), &reference].map(|name| format!("__typeof__( ( ( {name}* )0 )->{member} )"));
            let _ = writeln!(
                text,
                "_Static_assert( __builtin_types_compatible_p( {} ), \"{name}.{member}\" );",
                types.join(", ")
            );
        }
    }
    let names: Vec<&str> = structures.iter().map(|body| body.name.as_str()).collect();
    let expected = [
        "OTF2_AttributeValue",
        "OTF2_CollectiveCallbacks",
        "OTF2_FlushCallbacks",
        "OTF2_LockingCallbacks",
        "OTF2_MemoryCallbacks",
        "OTF2_MetricValue",
    ];
    assert!(expected.iter().all(|name| names.contains(name)), "{names:?}");
    for (name, size) in expected.iter().zip([8, 88, 16, 40, 16, 8]) {
        assert_equal(&mut text, &format!("sizeof( {name} )"), &size.to_string());
    }
    accept(Language::C("c11"), &text);
}

/// Returns whether a macro is a guard against a second inclusion, or the version.
fn is_own(name: &str) -> bool {
    name.ends_with("_H") || name.starts_with("OTF2_VERSION")
}

#[test]
fn macros_have_the_same_values_and_types() {
    let Some(debian) = debian::headers() else { return };
    let mut text = ours();
    let mut count = 0;
    for (name, value) in debian::macros(debian).iter().filter(|(name, _)| !is_own(name)) {
        count += 1;
        let _ = writeln!(
            text,
            "_Static_assert( __builtin_types_compatible_p( __typeof__( {name} ), __typeof__( {value} ) ), \"{name}\" );"
        );
        if !value.starts_with('"') {
            assert_equal(&mut text, &format!("( {name} )"), &format!("( {value} )"));
        }
    }
    assert!(count > 25, "{count}");
    accept(Language::C("c11"), &text);
    let strings = |folder: &Path| -> Vec<(String, String)> {
        let macros = debian::macros(folder).into_iter();
        macros.filter(|(name, value)| !is_own(name) && value.starts_with('"')).collect()
    };
    assert_eq!(strings(&include()), strings(debian));
}
