//! The headers are tested with compilers, not with the library: a header is right if programs for
//! the headers of OTF2 3.0 compile with it, and mean the same.

mod common;

mod alone;
mod config;
mod examples;
mod generated;
mod helpers;
mod old_programs;
mod same;
