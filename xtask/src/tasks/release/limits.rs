//! The sizes of what is installed, each with a limit, so that growth is noticed.

use std::fs;

use super::stage::Stage;
use crate::{Done, of};

/// The largest sizes, in bytes.
const LIMITS: [(&str, u64); 5] = [
    ("bin/kymo", 24_000_000),
    ("lib/libkymo_runtime.so", 6_000_000),
    ("lib/libscorep_substrate_kymo.so", 2_000_000),
    ("lib/libkymo_ttf.so", 1_500_000),
    ("lib/kymo/otf2/libotf2.so.10", 3_000_000),
];

/// Prints the sizes, and checks them.
pub(super) fn check(stage: &Stage) -> Done {
    for (path, limit) in LIMITS {
        let file = stage.path(path);
        let size = fs::metadata(&file).map_err(|error| of(&file, error))?.len();
        println!("{size:>10} of {limit:>10} bytes  {path}");
        if size > limit {
            return Err(of(&file, format_args!("{size} bytes, more than the limit of {limit}")));
        }
    }
    Ok(())
}
