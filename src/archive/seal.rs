//! The seal of a complete archive, if all ranks were asked for one.

use kymo_otf2::Storage;
use kymo_recorder::{
    ranks::{Ipc, all_join},
    seal::seal_together,
};
use kymo_substrate::report;

use super::Place;
use crate::{Kymo, NAME};

impl Kymo {
    /// Reads the files of this rank back and adds their checksums. All ranks call it once the archive is complete.
    pub(super) fn seal(&self, storage: &dyn Storage, ipc: &impl Ipc) {
        // Where the environments of ranks differ, none waits for what others do not do.
        let joined = all_join(ipc, [u64::from(!self.settings.seals)], |[a], [b]| [a | b]);
        if !matches!(joined, Ok([0])) {
            return;
        }
        let host = self.host();
        let is_here = self.archive.place() == Place::Here;
        let ids: Vec<u64> = match is_here {
            true => {
                let locations = self.archive.locations();
                locations.iter().filter_map(|&(location, _)| host.location_global_id(location)).collect()
            }
            false => Vec::new(),
        };
        if let Err(error) = seal_together(ipc, storage, ids) {
            report(NAME, format_args!("the archive has no seal, `kymo seal` makes one: {error}"));
        }
    }
}
