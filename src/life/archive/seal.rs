//! Seals a complete archive if all ranks are set to do so.

use kymo_otf2::Storage;
use kymo_recorder::{
    ranks::{Ipc, all_join},
    seal::seal_together,
};
use kymo_substrate::report;

use super::Destination;
use crate::{NAME, host, life::Life};

/// Whether all ranks seal their files. Collective, so that no rank waits for another if their
/// environments differ or one of them has no plugin.
pub(super) fn all_seal(ipc: &impl Ipc, seals: bool) -> bool {
    let joined = all_join(ipc, [u64::from(!seals)], |[a], [b]| [a | b]);
    matches!(joined, Ok([0]))
}

impl Life {
    /// Reads the files of this rank back and adds their checksums. Collective: all ranks call it
    /// once the archive is complete.
    pub(super) fn seal(&self, storage: &dyn Storage, ipc: &impl Ipc) {
        if !all_seal(ipc, self.settings.seals) {
            return;
        }
        let host = host();
        let is_here = self.archive.destination() == Destination::Here;
        let ids: Vec<u64> = match is_here {
            true => {
                let locations = self.archive.locations();
                locations.iter().filter_map(|&(location, _)| host.location_global_id(location)).collect()
            }
            false => Vec::new(),
        };
        if let Err(error) = seal_together(ipc, storage, ids) {
            report(NAME, format_args!("the archive has no seal; `kymo seal` adds one: {error}"));
        }
    }
}
