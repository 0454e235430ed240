//! The regions of the calling contexts that were read, for callbacks that know only regions.

use std::collections::HashMap;
use std::sync::Mutex;

/// The ids of regions by those of calling contexts. All readers of an archive share them.
pub(crate) type ContextRegions = Mutex<HashMap<u32, u32>>;
