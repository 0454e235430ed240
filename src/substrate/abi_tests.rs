//! Compares the bindings with the machine-readable description of the interface,
//! `docs/spec/scorep-substrate-abi.toml`: every number, name, size, offset and signature.
//!
//! The comparison uses the text of `bindings.rs`, which the compiler has seen as well. Offsets are
//! those of the compiler.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use toml::{Table, Value};

use crate::bindings::{SCOREP_SubstratePluginCallbacks, SCOREP_SubstratePluginInfo};
use crate::layout::Members;

const BINDINGS: &str = include_str!("bindings.rs");

fn specification() -> Table {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/spec/scorep-substrate-abi.toml");
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.parse().expect("the specification is TOML")
}

/// The contents of the bindings: constants by name, and the text without white space, which has the
/// function types and structure members.
struct Bindings {
    constants: BTreeMap<String, (String, i128)>,
    text: String,
}

impl Bindings {
    fn read() -> Self {
        let mut constants = BTreeMap::new();
        let mut lines = BINDINGS.lines();
        while let Some(line) = lines.next() {
            let Some(line) = line.strip_prefix("pub const ") else { continue };
            // The value of a long constant is on the next line.
            let mut line = line.to_owned();
            while !line.ends_with(';') {
                line += lines.next().expect("a constant ends");
            }
            let (name, rest) = line.split_once(':').expect("a constant has a type");
            let (kind, value) = rest.split_once('=').expect("a constant has a value");
            let value = value.trim().trim_end_matches(';').parse().expect("a constant is a number");
            constants.insert(name.to_owned(), (kind.trim().to_owned(), value));
        }
        Self {
            constants,
            text: BINDINGS.split_whitespace().collect::<String>().replace(",)", ")").replace(",>", ">"),
        }
    }

    fn value(&self, name: &str) -> i128 {
        self.constants.get(name).unwrap_or_else(|| panic!("{name} is missing")).1
    }

    /// Asserts that the bindings contain `what`, ignoring white space.
    fn assert_contains(&self, what: &str) {
        let what = what.replace(' ', "");
        assert!(self.text.contains(&what), "the bindings have no `{what}`");
    }
}

fn string<'a>(table: &'a Table, key: &str) -> &'a str {
    table[key].as_str().expect("a string")
}

fn number(value: &Value) -> i128 {
    match value {
        Value::Integer(number) => i128::from(*number),
        Value::String(text) => {
            i128::from(u64::from_str_radix(text.trim_start_matches("0x"), 16).expect("a hexadecimal number"))
        }
        other => panic!("{other} is not a number"),
    }
}

fn tables(value: &Value) -> impl Iterator<Item = &Table> {
    value.as_array().expect("an array").iter().map(|entry| entry.as_table().expect("a table"))
}

/// The Rust type that bindgen generates for a C type.
fn rust_type(c: &str) -> String {
    if let Some(array) = c.strip_suffix("[]") {
        return rust_type(&format!("{array}*"));
    }
    if let Some(pointed) = c.strip_suffix('*') {
        let pointed = pointed.trim();
        return match pointed.strip_prefix("const ") {
            Some(constant) => format!("*const {}", rust_type(constant)),
            None => format!("*mut {}", rust_type(pointed)),
        };
    }
    match c.trim() {
        "int" => "::core::ffi::c_int".into(),
        "char" => "::core::ffi::c_char".into(),
        "void" => "::core::ffi::c_void".into(),
        "double" => "f64".into(),
        "size_t" => "usize".into(),
        "..." => "...".into(),
        fixed if fixed.ends_with("int8_t") || fixed.ends_with("int32_t") || fixed.ends_with("int64_t") => {
            fixed.replace("uint", "u").replace("int", "i").replace("_t", "")
        }
        other => other.strip_prefix("struct ").unwrap_or(other).into(),
    }
}

/// A function type as bindgen writes it.
fn function(params: &Value, returns: &str) -> String {
    let params = params.as_array().expect("parameters").iter().map(|param| {
        let param: Vec<_> =
            param.as_array().expect("a pair").iter().map(|s| s.as_str().expect("a string")).collect();
        match (param[0], rust_type(param[1])) {
            ("...", _) => "...".into(),
            ("type", kind) => format!("type_: {kind}"),
            (name, kind) => format!("{name}: {kind}"),
        }
    });
    let returns = if returns == "void" { String::new() } else { format!(" -> {}", rust_type(returns)) };
    let params = params.collect::<Vec<_>>().join(", ");
    format!("::core::option::Option<unsafe extern \"C\" fn({params}){returns}>")
}

/// The newest release in the specification, which the bindings follow.
fn newest(specification: &Table) -> &Table {
    specification["version"].as_table().expect("releases")["9.0"].as_table().expect("a release")
}

#[test]
fn constants_are_those_of_the_specification() {
    let specification = specification();
    let bindings = Bindings::read();
    let mut checked = 0;
    for (name, constant) in specification["common"]["constants"].as_table().expect("constants") {
        // Constants that are in no header have no name in the bindings.
        if constant.get("public").and_then(Value::as_bool) == Some(false) {
            continue;
        }
        assert_eq!(bindings.value(name), number(&constant["value"]), "{name}");
        checked += 1;
    }
    for (name, value) in specification["common"]["modes"].as_table().expect("modes") {
        assert_eq!(bindings.value(name), number(value), "{name}");
        checked += 1;
    }
    assert!(checked >= 18, "only {checked} constants compared");
}

#[test]
fn every_enumeration_has_exactly_the_values_of_the_specification() {
    let specification = specification();
    let bindings = Bindings::read();
    let enumerations = newest(&specification)["enum"].as_table().expect("enumerations");
    assert_eq!(enumerations.len(), 35);
    for (name, values) in enumerations {
        let values = values.as_table().expect("values");
        for (constant, value) in values {
            assert_eq!(bindings.constants.get(constant), Some(&(name.clone(), number(value))), "{constant}");
        }
        let listed = bindings.constants.values().filter(|(kind, _)| kind == name).count();
        assert_eq!(listed, values.len(), "{name} has values that are not in the specification");
        bindings.assert_contains(&format!("pub type {name} = ::core::ffi::c_uint;"));
    }
}

/// The values of older releases are unchanged, except for the end markers.
#[test]
fn older_releases_have_the_same_values() {
    let specification = specification();
    let bindings = Bindings::read();
    for (release, description) in specification["version"].as_table().expect("releases") {
        for (name, values) in description["enum"].as_table().expect("enumerations") {
            for (constant, value) in values.as_table().expect("values") {
                let moves = matches!(&**name, "SCOREP_ParadigmType" | "SCOREP_RegionType")
                    && constant.starts_with("SCOREP_INVALID");
                if !moves {
                    assert_eq!(bindings.value(constant), number(value), "{constant} in {release}");
                }
            }
        }
    }
}

#[test]
fn handles_and_scalars_have_the_types_of_the_specification() {
    let specification = specification();
    let bindings = Bindings::read();
    for (name, kind) in specification["common"]["ctype"].as_table().expect("types") {
        let Some(alias) = name.strip_prefix("SCOREP_") else { continue };
        let is = rust_type(kind["is"].as_str().expect("a type").replace("int32_t*", "").as_str());
        let is = match alias {
            "MpiRank" => "::core::ffi::c_int".into(),
            "AnyHandle" => "SCOREP_Allocator_MovableMemory".into(),
            handle if handle.ends_with("Handle") && is == "u32" => "SCOREP_AnyHandle".into(),
            _ => is,
        };
        bindings.assert_contains(&format!("pub type {name} = {is};"));
    }
}

#[test]
fn events_have_the_numbers_and_signatures_of_the_specification() {
    let specification = specification();
    let bindings = Bindings::read();
    let newest = newest(&specification);
    assert_eq!(bindings.value("SCOREP_SUBSTRATES_NUM_EVENTS"), number(&newest["num_events"]));
    let mut events = 0;
    for event in tables(&newest["event"]) {
        assert_eq!(bindings.value(string(event, "name")), number(&event["number"]), "{event}");
        let callback = string(event, "callback");
        bindings.assert_contains(&format!("pub type {callback} = {};", function(&event["params"], "void")));
        events += 1;
    }
    assert_eq!(events, crate::EVENTS);
}

#[test]
fn the_callback_table_is_that_of_the_specification() {
    let specification = specification();
    let bindings = Bindings::read();
    let common = specification["common"].as_table().expect("facts");
    assert_eq!(size_of::<SCOREP_SubstratePluginCallbacks>() as i128, number(&common["callbacks_size"]));
    assert_eq!(align_of::<SCOREP_SubstratePluginCallbacks>() as i128, number(&common["callbacks_align"]));
    let members = SCOREP_SubstratePluginCallbacks::MEMBERS;
    assert_eq!(members.len(), 53);
    for (entry, member) in tables(&common["callback"]).zip(members) {
        assert_eq!((string(entry, "name"), number(&entry["offset"])), (member.0, member.1 as i128));
        let function = function(&entry["params"], string(entry, "returns"));
        bindings.assert_contains(&format!("pub {}: {function},", member.0));
    }
    assert_eq!(tables(&common["callback"]).count(), members.len());
}

#[test]
fn the_info_structure_is_that_of_the_specification() {
    let specification = specification();
    let bindings = Bindings::read();
    let common = specification["common"].as_table().expect("facts");
    assert_eq!(size_of::<SCOREP_SubstratePluginInfo>() as i128, number(&common["info_size"]));
    assert_eq!(align_of::<SCOREP_SubstratePluginInfo>() as i128, number(&common["info_align"]));
    let members = SCOREP_SubstratePluginInfo::MEMBERS;
    for (entry, member) in tables(&common["info_member"]).zip(members) {
        assert_eq!((string(entry, "name"), number(&entry["offset"])), (member.0, member.1 as i128));
        if entry.contains_key("returns") {
            let function = function(&entry["params"], string(entry, "returns"));
            bindings.assert_contains(&format!("pub {}: {function},", member.0));
        }
    }
    assert_eq!(tables(&common["info_member"]).count(), members.len());
}
