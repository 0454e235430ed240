//! A record as its functions in C see it.

use kymo_otf2::records::field::{FieldInfo, FieldKind};

use crate::declaration::Argument;

/// An enumeration or a flag set of the tables.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) name: &'static str,
    pub(crate) docs: &'static [&'static str],
    /// The type of Rust.
    pub(crate) kind: &'static str,
    pub(crate) values: Vec<(&'static str, u32)>,
    pub(crate) is_flags: bool,
}

/// A record of the tables. `fields` and `infos` have the same order; obsolete fields are only in
/// `infos`.
#[derive(Debug)]
pub(crate) struct RecordDocs {
    pub(crate) name: &'static str,
    pub(crate) docs: &'static [&'static str],
    pub(crate) since: &'static str,
    pub(crate) fields: &'static [(&'static str, &'static [&'static str])],
    pub(crate) infos: &'static [FieldInfo],
    pub(crate) order: Option<&'static [&'static str]>,
}

/// An attribute of a record: an argument and its description.
#[derive(Debug)]
pub(crate) struct Attribute {
    pub(crate) argument: Argument,
    pub(crate) text: String,
}

impl RecordDocs {
    /// Returns the meaning of the record, without the note that it is deprecated.
    pub(crate) fn text(&self) -> String {
        let text = self.in_c(&join(self.docs));
        text.split(" Deprecated since").next().unwrap_or_default().to_owned()
    }

    /// Returns the version since which the record should not be used.
    pub(crate) fn deprecated(&self) -> Option<String> {
        let text = join(self.docs);
        let version = text.split("Deprecated since ").nth(1)?;
        Some(version.trim_end_matches('.').to_owned())
    }

    /// Returns the attributes in the order of the C interface.
    pub(crate) fn attributes(&self) -> Vec<Attribute> {
        let infos = self.infos.iter().filter(|info| !info.obsolete);
        let mut attributes: Vec<Attribute> =
            self.fields.iter().zip(infos).flat_map(|((_, docs), info)| self.of_field(docs, info)).collect();
        if let Some(order) = self.order {
            let place = |it: &Attribute| order.iter().position(|name| *name == it.argument.name);
            attributes.sort_by_key(place);
        }
        attributes
    }

    /// Returns the attribute that counts the elements of a list, if there is one that the size of
    /// the record depends on.
    pub(crate) fn count(&self) -> Option<Attribute> {
        let is_list = |info: &FieldInfo| matches!(info.kind, FieldKind::List { .. });
        let counts: Vec<&str> =
            self.infos.iter().filter(|it| is_list(it)).map(|it| first(it.names)).collect();
        self.attributes().into_iter().find(|it| counts.contains(&it.argument.name.as_str()))
    }

    fn of_field(&self, docs: &[&str], info: &FieldInfo) -> Vec<Attribute> {
        let names: Vec<&str> = info.names.split(' ').collect();
        let text = self.in_c(&join(docs)) + &since(info.since, self.since);
        match info.kind {
            FieldKind::List { count, element } => list(&names, &text, count, element),
            FieldKind::Value => vec![
                attribute("OTF2_Type", names[0], "The type of the value.".to_owned()),
                attribute("OTF2_AttributeValue", names[1], text),
            ],
            kind => vec![attribute(&type_of(kind), names[0], text)],
        }
    }

    /// Replaces the notation that only Rust has: links, ranges and the names of fields.
    fn in_c(&self, text: &str) -> String {
        let text = text.replace(
            "[`CollectiveRoot`](crate::enums::CollectiveRoot) value",
            "value of #OTF2_CollectiveRoot_enum",
        );
        let text = text.replace(" ..= ", "` to `");
        let infos = self.infos.iter().filter(|info| !info.obsolete);
        let names = self.fields.iter().zip(infos).map(|((field, _), info)| (field, last(info.names)));
        names.fold(text, |text, (field, name)| text.replace(&format!("`{field}`"), &format!("`{name}`")))
    }
}

fn list(names: &[&str], text: &str, count: &FieldKind, element: &[FieldKind]) -> Vec<Attribute> {
    let arrays = names[1..].join("`, `");
    let mut attributes =
        vec![attribute(&type_of(*count), names[0], format!("The number of elements of `{arrays}`."))];
    for (name, kind) in names[1..].iter().zip(element) {
        let text = match *name {
            "typeIDs" | "types" => "The type of each value.",
            "values" => "The value of each property.",
            "properties" => "The properties.",
            _ => text,
        };
        attributes.push(attribute(&format!("const {}*", type_of(*kind)), name, text.to_owned()));
    }
    attributes
}

fn attribute(kind: &str, name: &str, text: String) -> Attribute {
    Attribute { argument: Argument::new(kind, name), text }
}

/// Returns the type of C.
fn type_of(kind: FieldKind) -> String {
    match kind {
        FieldKind::U8 => "uint8_t".to_owned(),
        FieldKind::U32 => "uint32_t".to_owned(),
        FieldKind::U64 => "uint64_t".to_owned(),
        FieldKind::I64 => "int64_t".to_owned(),
        FieldKind::F64 => "double".to_owned(),
        FieldKind::Timestamp => "OTF2_TimeStamp".to_owned(),
        FieldKind::Reference { space, .. } => format!("OTF2_{space}Ref"),
        FieldKind::Enum(name) | FieldKind::Flags(name) => format!("OTF2_{name}"),
        FieldKind::Text => "const char*".to_owned(),
        FieldKind::Value => "OTF2_AttributeValue".to_owned(),
        FieldKind::MetricValue => "OTF2_MetricValue".to_owned(),
        FieldKind::IdMap => "const OTF2_IdMap*".to_owned(),
        other => panic!("{other:?} has no type in C"),
    }
}

/// Returns a note about a field that is newer than its record.
fn since(field: &str, record: &str) -> String {
    if field == record { String::new() } else { format!(" Since {field}.") }
}

/// Joins the lines of a comment.
pub(crate) fn join(docs: &[&str]) -> String {
    docs.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ")
}

fn first(names: &str) -> &str {
    names.split(' ').next().unwrap_or_default()
}

fn last(names: &str) -> &str {
    names.rsplit(' ').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use crate::tables;

    fn arguments(records: Vec<super::RecordDocs>, name: &str) -> String {
        let record = records.into_iter().find(|record| record.name == name).expect(name);
        let all = record.attributes();
        let texts = all.iter().map(|it| format!("{} {}", it.argument.kind, it.argument.name));
        texts.collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn attributes_have_the_order_of_the_interface() {
        let group = "OTF2_GroupRef self, OTF2_StringRef name, OTF2_GroupType groupType, OTF2_Paradigm paradigm, \
                     OTF2_GroupFlag groupFlags, uint32_t numberOfMembers, const uint64_t* members";
        assert_eq!(arguments(tables::definitions("local"), "Group"), group);
        let metric = "OTF2_MetricRef metric, uint8_t numberOfMetrics, const OTF2_Type* typeIDs, \
                      const OTF2_MetricValue* metricValues";
        assert_eq!(arguments(tables::events(), "Metric"), metric);
    }

    #[test]
    fn comments_name_what_c_calls_so() {
        let events = tables::events();
        let flush = events.iter().find(|it| it.name == "BufferFlush").expect("an event");
        assert!(flush.text().ends_with("to `stopTime`."), "{}", flush.text());
        let clock = &tables::definitions("global")[0];
        assert!(
            clock.text().ends_with("`globalOffset` to `globalOffset + traceLength`."),
            "{}",
            clock.text()
        );
        let end = events.iter().find(|it| it.name == "MpiCollectiveEnd").expect("an event");
        assert!(end.attributes()[2].text.ends_with("value of #OTF2_CollectiveRoot_enum."));
        let fork = events.iter().find(|it| it.name == "OmpFork").expect("an event");
        assert_eq!(
            (fork.text().as_str(), fork.deprecated().as_deref()),
            ("Threads are forked.", Some("1.2"))
        );
    }
}
