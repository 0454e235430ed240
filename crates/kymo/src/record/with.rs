//! `--with`: the kinds of events to record, of which samples may have a frequency, and OpenMP a
//! runtime.

use std::ffi::OsStr;
use std::num::NonZero;

use clap::builder::{EnumValueParser, PossibleValue, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, Error};

use super::RecordModule;

/// A kind of events, and the samples per second of CPU time if it is samples and they are given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct With {
    pub(super) what: RecordModule,
    frequency: Option<NonZero<u32>>,
    /// The OpenMP runtime of gcc is replaced by that of LLVM.
    pub(super) replaces_openmp: bool,
}

impl With {
    /// Returns the text by which the runtime knows it.
    pub(super) fn text(self) -> String {
        match self.frequency {
            None => self.what.name().to_owned(),
            Some(frequency) => format!("{}={frequency}", self.what.name()),
        }
    }

    /// Returns the text that was typed.
    pub(super) fn typed(self) -> String {
        if self.replaces_openmp { "openmp=libomp".to_owned() } else { self.text() }
    }
}

/// Parses `WHAT`, `sampling=FREQUENCY` and `openmp=libomp`.
#[derive(Debug, Clone)]
pub(super) struct Parser;

impl TypedValueParser for Parser {
    type Value = With;

    fn parse_ref(&self, command: &Command, argument: Option<&Arg>, value: &OsStr) -> Result<With, Error> {
        if value == "openmp=libomp" {
            return Ok(With { what: RecordModule::Openmp, frequency: None, replaces_openmp: true });
        }
        let frequency = value.to_str().and_then(|text| text.strip_prefix("sampling="));
        let Some(frequency) = frequency else {
            let what = EnumValueParser::<RecordModule>::new().parse_ref(command, argument, value)?;
            return Ok(With { what, frequency: None, replaces_openmp: false });
        };
        match frequency.parse::<NonZero<u32>>() {
            Ok(frequency) if frequency.get() <= MOST => {
                Ok(With { what: RecordModule::Sampling, frequency: Some(frequency), replaces_openmp: false })
            }
            _ => Err(invalid(command, argument, value)),
        }
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let values: Vec<_> = EnumValueParser::<RecordModule>::new().possible_values()?.collect();
        Some(Box::new(values.into_iter()))
    }
}

/// The most samples per second that may be asked for. The system allows no more.
const MOST: u32 = 100_000;

fn invalid(command: &Command, argument: Option<&Arg>, value: &OsStr) -> Error {
    let mut error = Error::new(ErrorKind::ValueValidation).with_cmd(command);
    if let Some(argument) = argument {
        error.insert(ContextKind::InvalidArg, ContextValue::String(argument.to_string()));
    }
    error.insert(
        ContextKind::InvalidValue,
        ContextValue::String(format!(
            "{} (expected sampling=FREQUENCY with 1 to {MOST} samples per second)",
            value.display()
        )),
    );
    error
}
