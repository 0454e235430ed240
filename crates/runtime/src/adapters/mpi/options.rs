//! The settings of MPI: `SCOREP_MPI_ENABLE_GROUPS`, `SCOREP_TOPOLOGY_MPI`, and `KYMO_MPI_MORE` for
//! events that Score-P does not have.
//!
//! Invariant: a function of the group `REQUEST`, which cannot be named, is enabled if a group that
//! uses requests is.

use core::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

use super::function::Group;
use crate::message::report;
use crate::settings::split;

const NAMES: [(&str, Group); 15] = [
    ("cg", Group::CG),
    ("coll", Group::COLL),
    ("env", Group::ENV),
    ("err", Group::ERR),
    ("ext", Group::EXT),
    ("io", Group::IO),
    ("misc", Group::MISC),
    ("p2p", Group::P2P),
    ("perf", Group::PERF),
    ("rma", Group::RMA),
    ("spawn", Group::SPAWN),
    ("topo", Group::TOPO),
    ("type", Group::TYPE),
    ("xnonblock", Group::XNONBLOCK),
    ("xreqtest", Group::XREQTEST),
];
const DEFAULT: [Group; 8] =
    [Group::CG, Group::COLL, Group::ENV, Group::IO, Group::P2P, Group::RMA, Group::TOPO, Group::XNONBLOCK];
/// The groups with functions that use requests.
const WITH_REQUESTS: [Group; 6] = [Group::CG, Group::COLL, Group::EXT, Group::IO, Group::P2P, Group::RMA];

static ENABLED: AtomicU32 = AtomicU32::new(0);
static HAS_TOPOLOGIES: AtomicBool = AtomicBool::new(true);
static HAS_MORE: AtomicBool = AtomicBool::new(false);

const fn bit(group: Group) -> u32 {
    1 << group as u8
}

fn bits(groups: &[Group]) -> u32 {
    groups.iter().fold(0, |bits, &group| bits | bit(group))
}

/// Reads the settings.
pub(super) fn read() {
    let variable = |name| std::env::var(name).ok().filter(|value| !value.trim().is_empty());
    let list = variable("SCOREP_MPI_ENABLE_GROUPS");
    let enabled = parse(list.as_deref().unwrap_or("default"), |unknown| {
        report(format_args!("SCOREP_MPI_ENABLE_GROUPS: expected groups of MPI functions, not `{unknown}`"));
    });
    ENABLED.store(enabled, Relaxed);
    let topologies = variable("SCOREP_TOPOLOGY_MPI").map(|value| value.trim().to_lowercase());
    let is_off = topologies.is_some_and(|value| ["false", "no", "off", "0"].contains(&value.as_str()));
    HAS_TOPOLOGIES.store(!is_off, Relaxed);
    let more = variable("KYMO_MPI_MORE").map(|value| value.trim().to_lowercase());
    let is_on = more.is_some_and(|value| ["true", "yes", "on", "1"].contains(&value.as_str()));
    HAS_MORE.store(is_on, Relaxed);
}

/// Returns the enabled groups as bits. `~` before a name takes it away.
fn parse(list: &str, mut unknown: impl FnMut(&str)) -> u32 {
    let mut enabled = 0;
    for name in split(&list.to_lowercase(), ", :;") {
        let (name, takes) = name.strip_prefix('~').map_or((name.as_str(), false), |name| (name, true));
        let named = match name {
            "all" => Some(bits(&NAMES.map(|(_, group)| group))),
            "default" => Some(bits(&DEFAULT)),
            "none" | "no" => Some(0),
            name => NAMES.iter().find(|(known, _)| *known == name).map(|&(_, group)| bit(group)),
        };
        match named {
            None => unknown(name),
            Some(bits) if takes => enabled &= !bits,
            Some(bits) => enabled |= bits,
        }
    }
    let uses_requests = enabled & bits(&WITH_REQUESTS) != 0;
    if uses_requests { enabled | bit(Group::REQUEST) } else { enabled }
}

/// Whether all of these groups are enabled.
#[inline]
pub(super) fn has(groups: &[Group]) -> bool {
    let wanted = bits(groups);
    ENABLED.load(Relaxed) & wanted == wanted
}

/// Whether functions for which Score-P has only regions have events as well: `MPI_Isendrecv`,
/// partitioned messages, persistent collective operations.
pub(super) fn has_more() -> bool {
    HAS_MORE.load(Relaxed)
}

/// Whether grids of processes are defined.
pub(super) fn has_topologies() -> bool {
    HAS_TOPOLOGIES.load(Relaxed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_added_and_taken_away() {
        let of = |list| parse(list, |unknown| panic!("{unknown}"));
        assert_eq!(of("p2p,COLL"), bits(&[Group::P2P, Group::COLL, Group::REQUEST]));
        assert_eq!(of("topo"), bits(&[Group::TOPO]));
        assert_eq!(of("default,~io"), of("cg,coll,env,p2p,rma,topo,xnonblock"));
        assert_eq!(of("all"), 0xffff);
        assert_eq!(of("all,~all"), 0);
    }

    #[test]
    fn an_unknown_group_is_reported() {
        let mut unknown = Vec::new();
        parse("p2p,gpu", |name| unknown.push(name.to_owned()));
        assert_eq!(unknown, ["gpu"]);
    }
}
