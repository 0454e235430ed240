//! The fields of definitions in the arena from which getters answer: a header of 20 bytes, then the
//! fields.
//!
//! The kinds with getters have the same layout in Score-P 6.0 to 9.0. Because getters read the
//! arena, names have the addresses of the strings that their handles refer to, and answers change
//! with the snapshots as they did in the recorded process. `check` compares an announcement's bytes
//! with the recorded results of the public getters.

use crate::replay::arena::Arena;
use crate::replay::recording::Announcement;
use kymo_substrate::bindings as sys;
use serde_json::Value;
use std::collections::HashMap;
use std::ffi::c_char;

/// The offsets of the fields of the kinds with getters.
pub(crate) mod field {
    pub(crate) const SEQUENCE_NUMBER: usize = 16;
    pub(crate) const NAME: usize = 20;
    pub(crate) const STRING_LENGTH: usize = 20;
    pub(crate) const STRING_TEXT: usize = 24;

    pub(crate) const REGION_CANONICAL_NAME: usize = 24;
    pub(crate) const REGION_TYPE: usize = 32;
    pub(crate) const REGION_FILE_NAME: usize = 36;
    pub(crate) const REGION_BEGIN_LINE: usize = 40;
    pub(crate) const REGION_END_LINE: usize = 44;
    pub(crate) const REGION_PARADIGM: usize = 48;

    pub(crate) const METRIC_SOURCE_TYPE: usize = 28;
    pub(crate) const METRIC_MODE: usize = 32;
    pub(crate) const METRIC_VALUE_TYPE: usize = 36;
    pub(crate) const METRIC_PROFILING_TYPE: usize = 60;

    pub(crate) const SAMPLING_SET_IS_SCOPED: usize = 20;
    pub(crate) const SAMPLING_SET_OCCURRENCE: usize = 32;
    pub(crate) const SAMPLING_SET_CLASS: usize = 36;
    pub(crate) const SAMPLING_SET_COUNT: usize = 56;
    pub(crate) const SAMPLING_SET_METRICS: usize = 60;
    pub(crate) const SCOPED_SAMPLING_SET: usize = 24;
    pub(crate) const SCOPED_TYPE: usize = 32;

    pub(crate) const PARAMETER_TYPE: usize = 24;
    pub(crate) const CALLING_CONTEXT_REGION: usize = 44;
    pub(crate) const CALLING_CONTEXT_PARENT: usize = 52;

    pub(crate) const PARADIGM_TYPE: usize = 8;
    pub(crate) const PARADIGM_CLASS: usize = 12;
    pub(crate) const PARADIGM_NAME: usize = 16;

    pub(crate) const COMMUNICATOR_PARADIGM: usize = 28;
    pub(crate) const COMMUNICATOR_PAYLOAD: usize = 40;
}

impl Arena {
    /// Returns a field of an announced definition.
    pub(crate) fn field(&self, handle: u32, field: usize) -> u32 {
        self.word(handle as usize + field)
    }

    /// Returns the text of a string definition; null for no string.
    pub(crate) fn text(&self, string: u32) -> *const c_char {
        let text = (string != 0).then(|| self.string(string as usize)).flatten();
        text.map_or(std::ptr::null(), |text| text.cast())
    }
}

/// Strings and the metrics of sampling sets, by handle, as announced so far.
#[derive(Debug, Default)]
pub(crate) struct Checker {
    strings: HashMap<u32, String>,
    metrics: HashMap<u32, Value>,
}

impl Checker {
    /// Checks that an announcement's bytes match the recorded results of the public getters.
    pub(crate) fn check(&mut self, announced: &Announcement) -> Result<(), String> {
        let definition = Definition { announced, checker: self };
        match announced.kind {
            sys::SCOREP_HANDLE_TYPE_STRING => return self.check_string(announced),
            sys::SCOREP_HANDLE_TYPE_REGION => definition.check_region()?,
            sys::SCOREP_HANDLE_TYPE_METRIC => definition.check_metric()?,
            sys::SCOREP_HANDLE_TYPE_SAMPLING_SET => return self.check_sampling_set(announced),
            sys::SCOREP_HANDLE_TYPE_PARAMETER => definition.check_parameter()?,
            sys::SCOREP_HANDLE_TYPE_PARADIGM => definition.check_paradigm()?,
            sys::SCOREP_HANDLE_TYPE_SOURCE_FILE => definition.text("name", field::NAME)?,
            sys::SCOREP_HANDLE_TYPE_CALLING_CONTEXT => definition.check_calling_context()?,
            _ => {}
        }
        Ok(())
    }

    fn check_string(&mut self, announced: &Announcement) -> Result<(), String> {
        let value =
            announced.public.get("value").and_then(Value::as_str).ok_or("expected a member `value`")?;
        let mut expected = (value.len() as u32).to_le_bytes().to_vec();
        expected.extend(value.as_bytes());
        expected.push(0);
        if announced.raw.get(field::STRING_LENGTH..) != Some(&expected) {
            return Err(format!(
                "expected `raw` to contain the string \"{value}\" after {} bytes",
                field::STRING_LENGTH
            ));
        }
        self.strings.insert(announced.handle, value.to_owned());
        Ok(())
    }

    fn check_sampling_set(&mut self, announced: &Announcement) -> Result<(), String> {
        let definition = Definition { announced, checker: self };
        let scoped = definition.word(field::SAMPLING_SET_IS_SCOPED)? & 0xff;
        definition.equal("scoped", scoped.into())?;
        let listed = announced.public.get("metrics").cloned().unwrap_or(Value::Null);
        let expected = if scoped == 1 {
            definition.equal("scope", definition.word(field::SCOPED_TYPE)?.into())?;
            self.metrics.get(&definition.word(field::SCOPED_SAMPLING_SET)?).cloned().unwrap_or(Value::Null)
        } else {
            definition.number("occurrence", field::SAMPLING_SET_OCCURRENCE)?;
            definition.number("class", field::SAMPLING_SET_CLASS)?;
            definition.metrics(listed.as_array().map_or(0, Vec::len))?
        };
        if listed != expected {
            return Err(format!("expected `metrics` to be {expected} as in `raw`, not {listed}"));
        }
        self.metrics.insert(announced.handle, listed);
        Ok(())
    }
}

/// An announcement, with the state to check it against.
struct Definition<'a> {
    announced: &'a Announcement,
    checker: &'a Checker,
}

impl Definition<'_> {
    fn check_region(&self) -> Result<(), String> {
        self.number("id", field::SEQUENCE_NUMBER)?;
        self.text("name", field::NAME)?;
        self.text("canonical_name", field::REGION_CANONICAL_NAME)?;
        self.text("file", field::REGION_FILE_NAME)?;
        self.number("begin_line", field::REGION_BEGIN_LINE)?;
        self.number("end_line", field::REGION_END_LINE)?;
        self.number("region_type", field::REGION_TYPE)?;
        self.number("paradigm", field::REGION_PARADIGM)
    }

    fn check_metric(&self) -> Result<(), String> {
        self.text("name", field::NAME)?;
        self.number("value_type", field::METRIC_VALUE_TYPE)?;
        self.number("mode", field::METRIC_MODE)?;
        self.number("source_type", field::METRIC_SOURCE_TYPE)?;
        self.number("profiling_type", field::METRIC_PROFILING_TYPE)
    }

    fn check_parameter(&self) -> Result<(), String> {
        self.text("name", field::NAME)?;
        self.number("parameter_type", field::PARAMETER_TYPE)
    }

    fn check_paradigm(&self) -> Result<(), String> {
        self.text("name", field::PARADIGM_NAME)?;
        self.number("class", field::PARADIGM_CLASS)?;
        self.number("paradigm", field::PARADIGM_TYPE)
    }

    fn check_calling_context(&self) -> Result<(), String> {
        self.number("region", field::CALLING_CONTEXT_REGION)?;
        self.number("parent", field::CALLING_CONTEXT_PARENT)
    }

    fn word(&self, at: usize) -> Result<u32, String> {
        let bytes = self
            .announced
            .raw
            .get(at..at + 4)
            .ok_or_else(|| format!("expected {} bytes in `raw`", at + 4))?;
        Ok(u32::from_le_bytes(bytes.try_into().expect("four bytes")))
    }

    /// Checks that a member has this value.
    fn equal(&self, member: &str, expected: Value) -> Result<(), String> {
        match self.announced.public.get(member) {
            Some(found) if *found == expected => Ok(()),
            Some(found) => Err(format!("expected `{member}` to be {expected} as in `raw`, not {found}")),
            None => Err(format!("expected a member `{member}`")),
        }
    }

    fn number(&self, member: &str, at: usize) -> Result<(), String> {
        self.equal(member, self.word(at)?.into())
    }

    /// Checks that a member is the string whose handle is at this offset.
    fn text(&self, member: &str, at: usize) -> Result<(), String> {
        let handle = self.word(at)?;
        let text = self.checker.strings.get(&handle);
        if handle != 0 && text.is_none() {
            return Err(format!("expected `raw` to name an announced string for `{member}`, not {handle}"));
        }
        self.equal(member, text.map_or(Value::Null, |text| text.as_str().into()))
    }

    /// Returns the metrics of an unscoped sampling set. Those past the end of `raw` count as
    /// recorded.
    fn metrics(&self, listed: usize) -> Result<Value, String> {
        let count = self.word(field::SAMPLING_SET_COUNT)? as usize & 0xff;
        if count != listed {
            return Err(format!("expected {count} handles in `metrics`, not {listed}"));
        }
        let recorded = |i: usize| self.announced.public["metrics"][i].clone();
        let handle = |i: usize| {
            self.word(field::SAMPLING_SET_METRICS + 4 * i).map_or_else(|_| recorded(i), Value::from)
        };
        Ok((0..count).map(handle).collect())
    }
}
