/* The input for the Rust bindings (`build.rs`, feature `bindgen`). */
#include <kymo/substrate.h>
