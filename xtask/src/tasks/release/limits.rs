//! The sizes of what is installed, each with a limit, so that growth is noticed.

use std::fs;

use super::stage::Stage;
use crate::{Done, of};

/// The largest sizes with the profile `dist`, in bytes.
const LIMITS: [(&str, u64); 5] = [
    ("bin/kymo", 20_000_000),
    ("lib/libkymo_runtime.so", 4_500_000),
    ("lib/libscorep_substrate_kymo.so", 1_650_000),
    ("lib/libkymo_ttf.so", 600_000),
    ("lib/kymo/otf2/libotf2.so.10", 2_500_000),
];

/// Prints the sizes, and checks them. Other profiles than `dist` may give files that are larger by
/// a fifth.
pub(super) fn check(stage: &Stage, profile: &str) -> Done {
    let most = |limit: u64| if profile == "dist" { limit } else { limit + limit / 5 };
    for (path, limit) in LIMITS.map(|(path, limit)| (path, most(limit))) {
        let file = stage.path(path);
        let size = fs::metadata(&file).map_err(|error| of(&file, error))?.len();
        println!("{size:>10} of {limit:>10} bytes  {path}");
        if size > limit {
            return Err(of(&file, format_args!("{size} bytes, more than the limit of {limit}")));
        }
    }
    Ok(())
}
