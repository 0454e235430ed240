//! Enumerations, references and error codes.
//!
//! Values are in the tables of `kymo-otf2`, prefixes and versions in `docs/spec/otf2-records.toml`,
//! and comments of constants in `constants.toml`. A constant without a comment is an error.

use std::fmt::Write;

use toml::{Table, Value};

use crate::comment::Comment;
use crate::record::{Entry, join};
use crate::{Problem, package, read, tables};

/// Constants that C has in addition: enumeration, name, value, and whether it is deprecated.
const EXTRA: [(&str, &str, u32, bool); 4] = [
    ("MappingType", "MAX", 15, false),
    ("LocationType", "GPU", 2, true),
    ("MetricValueProperty", "MASK", 15, false),
    ("MetricTiming", "MASK", 240, false),
];

/// Constants that should not be used.
const DEPRECATED: [&str; 1] = ["OTF2_COMPRESSION_ZLIB"];

/// Enumerations with values that are not an `int`, which ISO C does not allow.
const WIDE: [&str; 1] = ["CollectiveRoot"];

/// The facts and comments that are not in the tables.
#[derive(Debug)]
pub(crate) struct Constants {
    specification: Table,
    comments: Table,
}

impl Constants {
    pub(crate) fn read() -> Result<Self, Problem> {
        let table = |path: &str| -> Result<Table, Problem> {
            let path = package().join(path);
            read(&path)?.parse().map_err(|error| crate::of(&path, error))
        };
        Ok(Self {
            specification: table("../../docs/spec/otf2-records.toml")?,
            comments: table("constants.toml")?,
        })
    }

    /// Returns an enumeration: the type and its values.
    pub(crate) fn enumeration(&self, name: &str) -> Result<String, Problem> {
        let entries = tables::enumerations();
        let entry = entries.iter().find(|it| it.name == name).ok_or(format!("no enumeration {name}"))?;
        let specified = self.specified(name)?;
        let since = text(specified, "since");
        let comment = Comment::new(join(entry.docs)).tag(format!("@see OTF2_{name}_enum"));
        let comment = if since.is_empty() { comment } else { comment.tag(format!("@since {since}")) };
        let mut result = comment.text(0);
        let _ = writeln!(result, "typedef {} OTF2_{name};\n", type_of(entry.kind));
        result += &Comment::new(format!("The values of #OTF2_{name}.")).text(0);
        if WIDE.contains(&name) {
            result += "__otf2_extension__ ";
        }
        let _ = writeln!(result, "enum OTF2_{name}_enum\n{{");
        result += &self.values(entry, specified)?;
        Ok(result + "};\n")
    }

    fn values(&self, entry: &Entry, specified: &Table) -> Result<String, Problem> {
        let prefix = text(specified, "prefix");
        let mut values: Vec<(&str, u32, bool)> =
            entry.values.iter().map(|(name, value)| (*name, *value, false)).collect();
        for (_, name, value, is_deprecated) in EXTRA.into_iter().filter(|it| it.0 == entry.name) {
            let place = values.iter().rposition(|it| it.1 <= value).map_or(0, |at| at + 1);
            values.insert(place, (name, value, is_deprecated));
        }
        let count = values.len();
        let mut result = String::new();
        for (index, (name, value, is_deprecated)) in values.into_iter().enumerate() {
            let constant = format!("{prefix}{name}");
            let since = since_of(specified, name).map_or(String::new(), |it| format!(" Since {it}."));
            let comment = self.comment(entry.name, name)? + &since;
            result += &Comment::new(comment).text(4);
            let is_deprecated = is_deprecated || DEPRECATED.contains(&constant.as_str());
            let attribute = if is_deprecated { " __otf2_deprecated__" } else { "" };
            let comma = if index + 1 < count { "," } else { "" };
            let _ = writeln!(result, "    {constant}{attribute} = {}{comma}", number(entry, value));
        }
        Ok(result)
    }

    /// Returns the types of all references except markers, with their undefined values.
    pub(crate) fn references(&self) -> String {
        let spaces = tables::references().into_iter().filter(|(space, _)| *space != "Marker");
        spaces.map(|(space, kind)| reference(space, kind)).collect::<Vec<_>>().join("\n")
    }

    /// Returns the error codes.
    pub(crate) fn error_codes(&self) -> Result<String, Problem> {
        let codes = self.specification.get("errors").and_then(Value::as_table).ok_or("no error codes")?;
        let mut codes: Vec<(&String, i64)> =
            codes.iter().filter_map(|(name, code)| Some((name, code.as_integer()?))).collect();
        codes.sort_by_key(|(_, code)| *code);
        let mut result = String::new();
        for (index, (name, code)) in codes.iter().enumerate() {
            result += &Comment::new(self.comment("errors", name)?).text(4);
            let comma = if index + 1 < codes.len() { "," } else { "" };
            let _ = writeln!(result, "    OTF2_{name} = {code}{comma}");
        }
        Ok(result)
    }

    fn specified(&self, name: &str) -> Result<&Table, Problem> {
        let all = self.specification.get("enum").and_then(Value::as_array);
        let mut tables = all.into_iter().flatten().filter_map(Value::as_table);
        tables.find(|it| text(it, "name") == name).ok_or(format!("{name} is not in otf2-records.toml"))
    }

    fn comment(&self, group: &str, name: &str) -> Result<String, Problem> {
        let comment = self.comments.get(group).and_then(|it| it.get(name)).and_then(Value::as_str);
        comment.map(str::to_owned).ok_or(format!("constants.toml has no comment for {group}.{name}"))
    }
}

fn reference(space: &str, kind: &str) -> String {
    let (c_type, bits) = (type_of(kind), kind.trim_start_matches('u'));
    let comment = Comment::new(format!("The id of a definition in the id space of {space}."));
    let undefined = Comment::new(format!("No {space}."));
    format!(
        "{}typedef {c_type} OTF2_{space}Ref;\n{}#define OTF2_UNDEFINED_{} ( ( OTF2_{space}Ref )OTF2_UNDEFINED_UINT{bits} )\n",
        comment.text(0),
        undefined.text(0),
        upper(space),
    )
}

/// Returns the value of a constant: bits as shifts, if there are bits.
fn number(entry: &Entry, value: u32) -> String {
    match value {
        0 => "0".to_owned(),
        _ if entry.is_flags => format!("1 << {}", value.trailing_zeros()),
        _ if value > i32::MAX as u32 => format!("{value:#x}u"),
        _ => value.to_string(),
    }
}

fn type_of(kind: &str) -> String {
    format!("uint{}_t", kind.trim_start_matches('u'))
}

fn text<'a>(table: &'a Table, key: &str) -> &'a str {
    table.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// Returns the version that added a value, if it is newer than the enumeration.
fn since_of<'a>(specified: &'a Table, name: &str) -> Option<&'a str> {
    let entries = specified.get("entries").and_then(Value::as_array)?;
    let mut tables = entries.iter().filter_map(Value::as_table);
    let since = text(tables.find(|it| text(it, "name") == name)?, "since");
    (!since.is_empty()).then_some(since)
}

/// Converts `LocationGroup` to `LOCATION_GROUP`.
pub(crate) fn upper(name: &str) -> String {
    let mut result = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !result.is_empty() {
            result.push('_');
        }
        result.push(letter.to_ascii_uppercase());
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn additional_constants_follow_those_of_the_same_value() {
        let constants = Constants::read().expect("the files of the repository");
        let text = constants.enumeration("LocationType").expect("an enumeration");
        let names: Vec<&str> = text.lines().filter(|it| it.contains(" = ")).map(str::trim).collect();
        let expected = [
            "OTF2_LOCATION_TYPE_UNKNOWN = 0,",
            "OTF2_LOCATION_TYPE_CPU_THREAD = 1,",
            "OTF2_LOCATION_TYPE_ACCELERATOR_STREAM = 2,",
            "OTF2_LOCATION_TYPE_GPU __otf2_deprecated__ = 2,",
            "OTF2_LOCATION_TYPE_METRIC = 3",
        ];
        assert_eq!(names, expected);
    }

    #[test]
    fn an_unknown_enumeration_is_an_error() {
        let constants = Constants::read().expect("the files of the repository");
        assert_eq!(constants.enumeration("Colour"), Err("no enumeration Colour".to_owned()));
    }

    #[test]
    fn names_in_capitals() {
        assert_eq!(upper("RmaWin"), "RMA_WIN");
    }
}
