//! What the integration tests need.
