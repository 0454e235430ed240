//! The tables of callbacks: a type and a setter for each kind of record.

use crate::comment::Comment;
use crate::declaration::{Argument, callback, function};
use crate::record::RecordDocs;
use crate::writers::{successor, uncapitalised};
use crate::{Problem, tables};

/// An argument that all callbacks of a table have, with its description.
type Common = (&'static str, &'static str, &'static str);

const USER_DATA: Common = ("void*", "userData", "The pointer that was passed with the callbacks.");
const LIST: Common = (
    "OTF2_AttributeList*",
    "attributeList",
    "Further attributes, never NULL; valid until the callback returns.",
);
const LOCATION: Common = ("OTF2_LocationRef", "location", "The location.");
const LOCATION_ID: Common = ("OTF2_LocationRef", "locationID", "The location.");
const TIME: Common = ("OTF2_TimeStamp", "time", "The time of the event, in ticks.");
const SNAP_TIME: Common = ("OTF2_TimeStamp", "snapTime", "The time of the snapshot, in ticks.");
const POSITION: Common =
    ("uint64_t", "eventPosition", "The number of the event on its location, counted from 1.");

/// A table of callbacks.
struct Callbacks {
    /// The name of the reader, without `OTF2_`.
    reader: &'static str,
    common: &'static [Common],
}

/// Returns the callbacks for a reader.
pub(crate) fn of(reader: &str) -> Result<String, Problem> {
    let (records, callbacks) = match reader {
        "EvtReader" => (
            tables::events(),
            Callbacks { reader: "EvtReader", common: &[LOCATION, TIME, POSITION, USER_DATA, LIST] },
        ),
        "GlobalEvtReader" => (
            tables::events(),
            Callbacks { reader: "GlobalEvtReader", common: &[LOCATION_ID, TIME, USER_DATA, LIST] },
        ),
        "SnapReader" => (
            tables::snapshots(),
            Callbacks { reader: "SnapReader", common: &[LOCATION, SNAP_TIME, USER_DATA, LIST] },
        ),
        "GlobalSnapReader" => (
            tables::snapshots(),
            Callbacks { reader: "GlobalSnapReader", common: &[LOCATION_ID, SNAP_TIME, USER_DATA, LIST] },
        ),
        "DefReader" => {
            (tables::definitions("local"), Callbacks { reader: "DefReader", common: &[USER_DATA] })
        }
        "GlobalDefReader" => {
            (tables::definitions("global"), Callbacks { reader: "GlobalDefReader", common: &[USER_DATA] })
        }
        _ => return Err(format!("no reader {reader}")),
    };
    let mut pieces = vec![callbacks.table(), callbacks.unknown()];
    pieces.extend(records.iter().map(|record| callbacks.record(record)));
    Ok(pieces.join("\n"))
}

impl Callbacks {
    fn type_name(&self) -> String {
        format!("OTF2_{}Callbacks", self.reader)
    }

    /// Returns the argument with the table.
    fn handle(&self) -> Argument {
        Argument::new(self.type_name() + "*", lower_camel(self.reader) + "Callbacks")
    }

    /// Returns the type of the table with the functions that make, delete and empty it.
    fn table(&self) -> String {
        let (name, handle) = (self.type_name(), self.handle());
        let argument = &handle.name;
        [
            Comment::new("A table of callbacks. Readers copy it.").text(0)
                + &format!("typedef struct {name}_struct {name};\n"),
            Comment::new("Makes a table without callbacks.")
                .tag("@return The table, to be deleted by the caller, or NULL if there is no memory.")
                .text(0)
                + &function(&format!("{name}*"), &format!("{name}_New"), &[], false),
            Comment::new("Deletes a table. Readers to which it was passed keep their copy.")
                .parameter(argument, "The table, or NULL.")
                .text(0)
                + &function("void", &format!("{name}_Delete"), std::slice::from_ref(&handle), false),
            Comment::new("Removes all callbacks from a table.")
                .parameter(argument, "The table, or NULL.")
                .text(0)
                + &function("void", &format!("{name}_Clear"), std::slice::from_ref(&handle), false),
        ]
        .join("\n")
    }

    fn unknown(&self) -> String {
        let comment = Comment::new(
            "Type of the callback for records of a kind that this library does not know, from newer archives.",
        );
        self.pair("Unknown", comment, Vec::new())
    }

    fn record(&self, record: &RecordDocs) -> String {
        let mut comment = Comment::new(format!(
            "Type of the callback for {}: {}",
            record.name,
            uncapitalised(&record.text())
        ));
        if let Some(version) = record.deprecated() {
            let text = format!("Not written any more since {version}{}", successor(record.name));
            comment = comment.paragraph(text);
        }
        comment = comment.paragraph(self.conversion(record.name));
        let mut arguments = Vec::new();
        let mut texts = Vec::new();
        for attribute in record.attributes() {
            texts.push((attribute.argument.name.clone(), attribute.text));
            arguments.push(attribute.argument);
        }
        let comment =
            self.common.iter().fold(comment, |comment, (_, name, text)| comment.parameter(*name, *text));
        let comment = texts.into_iter().fold(comment, |comment, (name, text)| comment.parameter(name, text));
        self.pair(record.name, comment.tag(format!("@since {}", record.since)), arguments)
    }

    /// Returns which records a callback receives in addition to its own.
    fn conversion(&self, record: &str) -> String {
        if !self.reader.ends_with("EvtReader") {
            return String::new();
        }
        match record {
            "OmpFork" | "OmpJoin" | "OmpAcquireLock" | "OmpReleaseLock" => {
                let newer = record.replace("Omp", "Thread");
                format!(
                    "Also called for {newer} of the paradigm OpenMP, if there is no callback for that record."
                )
            }
            "Enter" | "Leave" => format!(
                "Also called for CallingContext{record}, if there is no callback for that record, with the region of \
                 the calling context. The global definitions must have been read before."
            ),
            _ => String::new(),
        }
    }

    /// Returns the type of a callback and the function that sets it.
    fn pair(&self, name: &str, comment: Comment, own: Vec<Argument>) -> String {
        let type_name = format!("OTF2_{}Callback_{name}", self.reader);
        let mut arguments: Vec<Argument> =
            self.common.iter().map(|(kind, name, _)| Argument::new(*kind, *name)).collect();
        arguments.extend(own);
        let comment =
            comment.tag("@return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.");
        let parameter = lower_camel(name) + "Callback";
        let handle = self.handle();
        let setter = Comment::new(format!("Sets the callback for {}.", what(name)))
            .parameter(&handle.name, "The table.")
            .parameter(&parameter, "The callback, or NULL to skip these records.")
            .tag("@return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.");
        let setter_name = format!("{}_Set{name}Callback", self.type_name());
        comment.text(0)
            + &callback("OTF2_CallbackCode", &type_name, &arguments)
            + "\n"
            + &setter.text(0)
            + &function("OTF2_ErrorCode", &setter_name, &[handle, Argument::new(type_name, parameter)], false)
    }
}

fn what(record: &str) -> String {
    if record == "Unknown" { "unknown records".to_owned() } else { record.to_owned() }
}

/// Converts `EvtReader` to `evtReader`.
pub(crate) fn lower_camel(name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().map(|it| it.to_ascii_lowercase());
    first.into_iter().chain(letters).collect()
}
