//! The functions that estimate the sizes of events.

use crate::comment::Comment;
use crate::declaration::{Argument, function};
use crate::record::RecordDocs;
use crate::values::SPACES;
use crate::writers::successor;
use crate::{Problem, tables};

/// Returns the functions for numbers of definitions, or those for sizes of events.
pub(crate) fn of(which: &str) -> Result<String, Problem> {
    let pieces: Vec<String> = match which {
        "definitions" => SPACES.iter().map(|space| number(space)).collect(),
        "events" => tables::events().iter().map(size).collect(),
        _ => return Err(format!("the estimator has no {which}")),
    };
    Ok(pieces.join("\n"))
}

fn estimator() -> Argument {
    Argument::new("OTF2_EventSizeEstimator*", "estimator")
}

fn number(space: &str) -> String {
    let argument = format!("numberOf{space}Definitions");
    let kind = if space == "Location" { "uint64_t" } else { "uint32_t" };
    let mut comment = Comment::new(format!("Sets the number of {space} definitions."));
    if space == "Location" {
        comment = comment.paragraph(
            "The number changes the size of a chunk of definitions. References to locations are still counted with \
             their full width, unless the number is 0.",
        );
    }
    let comment = comment
        .parameter("estimator", "The estimator.")
        .parameter(&argument, "The number; ids are assumed to be 0 to this number - 1.")
        .tag("@return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the estimator is NULL.");
    let name = format!("OTF2_EventSizeEstimator_SetNumberOf{space}Definitions");
    comment.text(0) + &function("OTF2_ErrorCode", &name, &[estimator(), Argument::new(kind, argument)], false)
}

fn size(record: &RecordDocs) -> String {
    let mut comment = Comment::new(format!("Returns the largest size of the event {}.", record.name))
        .parameter("estimator", "The estimator.");
    let mut arguments = vec![estimator()];
    if let Some(count) = record.count() {
        comment = comment.parameter(&count.argument.name, count.text.replace("elements of", "elements in"));
        arguments.push(count.argument);
    }
    comment = comment.tag("@return The size in bytes without the time stamp, or 0 if the estimator is NULL.");
    let deprecated = record.deprecated();
    if let Some(version) = &deprecated {
        comment = comment.tag(format!("@deprecated since {version}{}", successor(record.name)));
    }
    let name = format!("OTF2_EventSizeEstimator_GetSizeOf{}Event", record.name);
    comment.text(0) + &function("size_t", &name, &arguments, deprecated.is_some())
}
