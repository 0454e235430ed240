//! Parameters of regions (events 44 to 46).

use kymo_otf2::events::{ParameterInt, ParameterString, ParameterUnsignedInt};
use kymo_substrate::{Location, ParameterHandle, StringHandle, Timestamp};

use crate::Kymo;

impl Kymo {
    pub(crate) fn trigger_parameter_int64(
        &self,
        at: Location,
        time: Timestamp,
        parameter: ParameterHandle,
        value: i64,
    ) {
        self.record(at, time, &ParameterInt { parameter: self.parameter(parameter), value });
    }

    pub(crate) fn trigger_parameter_uint64(
        &self,
        at: Location,
        time: Timestamp,
        parameter: ParameterHandle,
        value: u64,
    ) {
        self.record(at, time, &ParameterUnsignedInt { parameter: self.parameter(parameter), value });
    }

    pub(crate) fn trigger_parameter_string(
        &self,
        at: Location,
        time: Timestamp,
        parameter: ParameterHandle,
        text: StringHandle,
    ) {
        self.record(
            at,
            time,
            &ParameterString { parameter: self.parameter(parameter), string: self.string(text) },
        );
    }
}
