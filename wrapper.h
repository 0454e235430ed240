/* What the Rust bindings are made from (`build.rs`, feature `bindgen`). */
#include <kymo/substrate.h>
