//! The sizes of the installed files, each with a limit, so that growth is noticed.

use std::fs;

use super::stage::Stage;
use crate::{Done, of};

/// The largest sizes with the profile `dist`, in bytes.
const LIMITS: [(&str, u64); 6] = [
    ("bin/kymo", 22_000_000),
    ("lib/libkymo_runtime.so", 5_000_000),
    ("lib/libscorep_substrate_kymo.so", 1_650_000),
    ("lib/libkymo_ttf.so", 600_000),
    ("lib/kymo/otf2/libotf2.so.10", 2_500_000),
    ("lib/kymo/python/kymograph/_native.abi3.so", 6_000_000),
];

/// Prints the sizes, and checks them. With the profile `release`, files may be larger by a fifth;
/// files of other profiles, which are not optimised, have no limit.
pub(super) fn check(stage: &Stage, profile: &str) -> Done {
    let most = |limit: u64| match profile {
        "dist" => Some(limit),
        "release" => Some(limit + limit / 5),
        _ => None,
    };
    for (path, limit) in LIMITS.map(|(path, limit)| (path, most(limit))) {
        let file = stage.path(path);
        let size = fs::metadata(&file).map_err(|error| of(&file, error))?.len();
        let of_limit = limit.map_or_else(String::new, |limit| format!(" of {limit}"));
        println!("{size:>10}{of_limit} bytes  {path}");
        if let Some(limit) = limit.filter(|limit| size > *limit) {
            return Err(of(&file, format_args!("{size} bytes, more than the limit of {limit}")));
        }
    }
    Ok(())
}
