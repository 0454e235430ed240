//! `kymo tau2otf2`: the archive matches the callbacks of the TAU reader, and the output of the TAU
//! converter where that is right.

mod content;
mod made;
mod recorded;
