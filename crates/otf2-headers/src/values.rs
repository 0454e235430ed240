//! Values of attributes: the functions for each type, and those for each enumeration.

use crate::callbacks::lower_camel;
use crate::comment::Comment;
use crate::declaration::{Argument, function};
use crate::{Problem, tables};

/// Types of plain values: name of the functions, type of C, member of the union.
const PLAIN: [(&str, &str, &str); 10] = [
    ("Uint8", "uint8_t", "uint8"),
    ("Uint16", "uint16_t", "uint16"),
    ("Uint32", "uint32_t", "uint32"),
    ("Uint64", "uint64_t", "uint64"),
    ("Int8", "int8_t", "int8"),
    ("Int16", "int16_t", "int16"),
    ("Int32", "int32_t", "int32"),
    ("Int64", "int64_t", "int64"),
    ("Float", "float", "float32"),
    ("Double", "double", "float64"),
];

/// The id spaces that values can refer to, in the order of #OTF2_Type_enum.
pub(crate) const SPACES: [&str; 15] = [
    "String",
    "Attribute",
    "Location",
    "Region",
    "Group",
    "Metric",
    "Comm",
    "Parameter",
    "RmaWin",
    "SourceCodeLocation",
    "CallingContext",
    "InterruptGenerator",
    "IoFile",
    "IoHandle",
    "LocationGroup",
];

/// A type of values: name of the functions, type of C, and name of the argument.
fn types() -> Vec<(String, String, String)> {
    let plain = PLAIN
        .iter()
        .map(|(name, kind, member)| ((*name).to_owned(), (*kind).to_owned(), format!("{member}Value")));
    let references = SPACES.iter().map(|space| {
        (format!("{space}Ref"), format!("OTF2_{space}Ref"), format!("{}Ref", lower_camel(space)))
    });
    plain.chain(references).collect()
}

/// Returns the functions that add or get a value of each type; `which` is `Add` or `Get`.
pub(crate) fn attribute_list(which: &str) -> Result<String, Problem> {
    let one = match which {
        "Add" => add,
        "Get" => get,
        _ => return Err(format!("attribute lists have no {which}")),
    };
    Ok(types().iter().map(|(name, kind, argument)| one(name, kind, argument)).collect::<Vec<_>>().join("\n"))
}

/// Returns the constant of #OTF2_Type_enum for functions of this name.
fn constant(name: &str) -> String {
    let space = name.strip_suffix("Ref").unwrap_or(name);
    format!("#OTF2_TYPE_{}", crate::constants::upper(space))
}

fn add(name: &str, kind: &str, argument: &str) -> String {
    let comment = Comment::new(format!("Appends a value of type {}.", constant(name)))
        .parameter("attributeList", "The list.")
        .parameter("attribute", "The id of the Attribute definition; at most one value per attribute.")
        .parameter(argument, "The value.")
        .tag(
            "@return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ARGUMENT if the list is NULL or has a value for the \
             attribute; #OTF2_ERROR_MEM_ALLOC_FAILED.",
        );
    let arguments = [
        Argument::new("OTF2_AttributeList*", "attributeList"),
        Argument::new("OTF2_AttributeRef", "attribute"),
        Argument::new(kind, argument),
    ];
    comment.text(0) + &function("OTF2_ErrorCode", &format!("OTF2_AttributeList_Add{name}"), &arguments, false)
}

fn get(name: &str, kind: &str, argument: &str) -> String {
    let comment = Comment::new(format!("Returns the value of an attribute of type {}.", constant(name)))
        .parameter("attributeList", "The list.")
        .parameter("attribute", "The id of the Attribute definition.")
        .parameter(argument, "Receives the value.")
        .tag(
            "@return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ARGUMENT if an argument is NULL or the list has no such \
             attribute; #OTF2_ERROR_INVALID_DATA if the value has another type.",
        );
    let arguments = [
        Argument::new("const OTF2_AttributeList*", "attributeList"),
        Argument::new("OTF2_AttributeRef", "attribute"),
        Argument::new(format!("{kind}*"), argument),
    ];
    comment.text(0) + &function("OTF2_ErrorCode", &format!("OTF2_AttributeList_Get{name}"), &arguments, false)
}

/// Enumerations that no value can have: they are not in any record, or not any more.
const NOT_VALUES: [&str; 9] = [
    "RegionType",
    "GroupTypePre12",
    "FileMode",
    "Compression",
    "FlushType",
    "Hint",
    "IdMapMode",
    "MarkerSeverity",
    "MarkerScope",
];

/// Returns the functions that convert values of enumerations.
pub(crate) fn attribute_value() -> String {
    let entries = tables::enumerations();
    let entries = entries.iter().filter(|it| !NOT_VALUES.contains(&it.name));
    entries.map(|it| conversions(it.name, it.kind)).collect::<Vec<_>>().join("\n")
}

fn conversions(name: &str, kind: &str) -> String {
    let constant = format!("#OTF2_TYPE_UINT{}", kind.trim_start_matches('u'));
    let set = Comment::new(format!("Converts an #OTF2_{name} to a value of type {constant}."))
        .parameter("enumValue", "The value of the enumeration; not checked.")
        .parameter("type", "Receives the type.")
        .parameter("value", "Receives the value.")
        .tag("@return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.");
    let set_arguments = [
        Argument::new(format!("OTF2_{name}"), "enumValue"),
        Argument::new("OTF2_Type*", "type"),
        Argument::new("OTF2_AttributeValue*", "value"),
    ];
    let get = Comment::new(format!("Converts a value of type {constant} to an #OTF2_{name}."))
        .parameter("type", "The type of the value.")
        .parameter("value", "The value.")
        .parameter("enumValue", "Receives the value of the enumeration, which is not checked.")
        .tag(
            "@return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ATTRIBUTE_TYPE if the type is another one; \
             #OTF2_ERROR_INVALID_ARGUMENT if the pointer is NULL.",
        );
    let get_arguments = [
        Argument::new("OTF2_Type", "type"),
        Argument::new("OTF2_AttributeValue", "value"),
        Argument::new(format!("OTF2_{name}*"), "enumValue"),
    ];
    let name_of = |verb: &str| format!("OTF2_AttributeValue_{verb}{name}");
    set.text(0)
        + &function("OTF2_ErrorCode", &name_of("Set"), &set_arguments, false)
        + "\n"
        + &get.text(0)
        + &function("OTF2_ErrorCode", &name_of("Get"), &get_arguments, false)
}
