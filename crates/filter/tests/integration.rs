//! The integration tests of filters, one module per subject.

mod filter;
mod pattern;
