//! Parameters of regions (events 44 to 46).

use kymo_otf2::events::{ParameterInt, ParameterString, ParameterUnsignedInt};
use kymo_substrate::{Location, ParameterHandle, StringHandle, Timestamp};

use super::callbacks;
use crate::events::Sink;

callbacks! {
    [record]
    |sink, parameter: ParameterHandle, value: i64| { parameter: sink.parameter(parameter), value: value }
    trigger_parameter_int64: ParameterInt,
}

callbacks! {
    [record]
    |sink, parameter: ParameterHandle, value: u64| { parameter: sink.parameter(parameter), value: value }
    trigger_parameter_uint64: ParameterUnsignedInt,
}

callbacks! {
    [record]
    |sink, parameter: ParameterHandle, text: StringHandle| {
        parameter: sink.parameter(parameter),
        string: sink.string(text),
    }
    trigger_parameter_string: ParameterString,
}
