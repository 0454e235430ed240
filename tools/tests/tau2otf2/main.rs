//! `kymo tau2otf2`: the archive has what TAU's reader tells of the trace, and what TAU's converter writes where that is right.

#[path = "../check_common/mod.rs"]
mod check_common;
mod content;
mod made;
mod recorded;
#[path = "../../../tau/tests/common/mod.rs"]
mod traces;
