//! The parameters and texts that a program passes with its ranges. Both are asked for inside the
//! runtime.

use super::names::{self, MOST, NameTable};
use super::text;
use crate::measurement::{self, Parameter, Text};
use crate::message::report;

/// The parameters and texts of an interface.
#[derive(Debug)]
pub(super) struct AnnotatedValues {
    interface: &'static str,
    parameters: NameTable,
    texts: NameTable,
}

impl AnnotatedValues {
    pub(super) const fn new(interface: &'static str) -> Self {
        Self { interface, parameters: NameTable::new(), texts: NameTable::new() }
    }

    /// Keeps names from being added, as while the process forks.
    pub(super) fn hold(&'static self) -> [names::NamesHold; 2] {
        [self.parameters.hold(), self.texts.hold()]
    }

    /// Returns the parameter of a name and type, which is defined if it is new; `None` if it cannot
    /// be defined now.
    pub(super) fn parameter(&'static self, name: &[u8], kind: u32) -> Option<Parameter> {
        let definition = |name: &[u8]| measurement::define_parameter(text::valid(name).as_bytes(), kind).0;
        let space = kind as usize;
        let known = self.parameters.find(space, name);
        let new = || self.parameters.define(space, name, definition, || self.report_limit("parameters"));
        known.or_else(new).map(Parameter)
    }

    /// Returns the string of a text, as [`parameter`](Self::parameter) does.
    pub(super) fn text(&'static self, bytes: &[u8]) -> Option<Text> {
        let definition = |bytes: &[u8]| measurement::define_string(text::valid(bytes).as_bytes()).0;
        let known = self.texts.find(0, bytes);
        let new = || self.texts.define(0, bytes, definition, || self.report_limit("texts"));
        known.or_else(new).map(Text)
    }

    fn report_limit(&self, of_what: &str) {
        report(format_args!("{}: after {MOST} {of_what}, others are recorded as `…`", self.interface));
    }
}
