//! Templates: headers with lines `//@ piece argument`.

use crate::constants::Constants;
use crate::{Problem, callbacks, estimator, values, writers};

const MARK: &str = "//@ ";

/// Returns the header: a template whose marked lines are replaced.
pub(crate) fn fill(template: &str, constants: &Constants) -> Result<String, Problem> {
    let mut header = String::new();
    for line in template.lines() {
        match line.strip_prefix(MARK) {
            Some(words) => header += &piece(words, constants)?,
            None => {
                header += line;
                header.push('\n');
            }
        }
    }
    Ok(header)
}

fn piece(words: &str, constants: &Constants) -> Result<String, Problem> {
    let (name, argument) = words.split_once(' ').unwrap_or((words, ""));
    Ok(match name {
        "generated" => generated(argument),
        "enum" => constants.enumeration(argument)?,
        "references" => constants.references(),
        "error_codes" => constants.error_codes()?,
        "writer" => writers::of(argument)?,
        "callbacks" => callbacks::of(argument)?,
        "attribute_list" => values::attribute_list(argument)?,
        "attribute_value" => values::attribute_value(),
        "estimator" => estimator::of(argument)?,
        _ => return Err(format!("unknown piece `{words}`")),
    })
}

fn generated(template: &str) -> String {
    format!(
        "/*\n * Generated from crates/otf2-headers/templates/{template} and the tables of records:\n \
         * change these and run `cargo xtask headers`.\n */\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_marked_lines_are_replaced() {
        let constants = Constants::read().expect("the files of the repository");
        let header = fill("a //@ b\n//@ enum LockType\nc\n", &constants).expect("a header");
        assert!(header.starts_with("a //@ b\n/**\n * The type of a lock."), "{header}");
        assert!(header.ends_with("    OTF2_LOCK_SHARED = 1\n};\nc\n"), "{header}");
        assert_eq!(fill("//@ nothing\n", &constants), Err("unknown piece `nothing`".to_owned()));
    }
}
