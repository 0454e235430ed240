//! Communicators across ranks and teams of threads become those of an undisturbed run, and the
//! clocks of ranks are aligned.

use std::collections::BTreeMap;

use kymo_otf2::definitions::{CartDimension, CartTopology, GlobalDefinition, Group};
use kymo_otf2::enums::{CartPeriodicity, CollectiveOp, GroupType, Paradigm};
use kymo_otf2::events::{Event, MpiCollectiveBegin, MpiCollectiveEnd, MpiRecv, MpiSend, ThreadTeamBegin};
use kymo_otf2::flags::GroupFlag;
use kymo_otf2::list::List;
use kymo_otf2::references::{CartDimensionRef, CartTopologyRef, CommRef, GroupRef, StringRef};
use kymo_recorder::journal::{CommunicatorEntry, Entry, Payload};

use super::run::{Recovered, Run, calls, clock, location, process, texts};
use kymo_recorder_testing::scratch::{Scratch, records, stream};

const NONE: u32 = u32::MAX;

fn mpi(id: u32, parent: u32, (size, rank): (u32, u32), (root, number): (u32, u32)) -> CommunicatorEntry {
    let payload = Payload::Mpi { size, rank, remote_size: 0, is_group_b: false, root, number };
    CommunicatorEntry { id, paradigm: Paradigm::MPI.0, parent, name: NONE, payload }
}

/// One of four ranks, with the world, itself, and a communicator with its neighbour that has a
/// different id on odd ranks.
fn rank(rank: u32) -> Scratch {
    let pair = 2 + rank % 2;
    let (left, right) = (rank / 2 * 2, rank / 2 * 2 + 1);
    let mut events = calls(1000, 10);
    let comm = CommRef(pair);
    events.push((2000, MpiCollectiveBegin {}.into()));
    events.push((2010, {
        let collective_op = CollectiveOp::BARRIER;
        MpiCollectiveEnd {
            collective_op,
            communicator: CommRef(0),
            root: NONE,
            size_sent: 0,
            size_received: 0,
        }
        .into()
    }));
    events.push(match rank % 2 {
        0 => (3000, MpiSend { receiver: 1, communicator: comm, msg_tag: 7, msg_length: 8 }.into()),
        _ => (3100, MpiRecv { sender: 0, communicator: comm, msg_tag: 7, msg_length: 8 }.into()),
    });
    let mut scratch = process(rank, 4, &stream(&events));
    let entries = [
        mpi(0, NONE, (4, rank), (0, 0)),
        mpi(1, NONE, (1, 0), (rank, 0)),
        mpi(pair, 0, (2, rank - left), (left, 1)),
    ];
    assert_eq!(right, left + 1);
    entries.iter().for_each(|&entry| scratch.note(&Entry::Communicator(entry)));
    scratch
}

/// Returns the communicators: name, type and members of the group, and whether there is a parent.
fn communicators(recovered: &Recovered) -> Vec<(String, GroupType, Vec<u64>, bool)> {
    let strings = recovered.strings();
    let groups = recovered.definitions(|it| match it {
        GlobalDefinition::Group(group) => {
            Some((group.id, group.group_type, group.members.iter().collect::<Vec<_>>()))
        }
        _ => None,
    });
    recovered.definitions(|it| match it {
        GlobalDefinition::Comm(comm) => {
            let (_, group_type, members) = groups.iter().find(|(id, ..)| *id == comm.group).unwrap();
            Some((strings[&comm.name.0].clone(), *group_type, members.clone(), comm.parent.is_defined()))
        }
        _ => None,
    })
}

/// Returns the two groups of each inter-communicator, and whether it has a parent.
fn inter_communicators(recovered: &Recovered) -> Vec<(Vec<u64>, Vec<u64>, bool)> {
    let groups: BTreeMap<u32, Vec<u64>> = recovered
        .definitions(|it| match it {
            GlobalDefinition::Group(group) => Some((group.id.0, group.members.iter().collect())),
            _ => None,
        })
        .into_iter()
        .collect();
    recovered.definitions(|it| match it {
        GlobalDefinition::InterComm(it) => {
            let members = |group: GroupRef| groups[&group.0].clone();
            Some((members(it.group_a), members(it.group_b), it.common_communicator.is_defined()))
        }
        _ => None,
    })
}

fn locations_of(recovered: &Recovered, paradigm: Paradigm) -> Vec<Vec<u64>> {
    recovered.definitions(|it| match it {
        GlobalDefinition::Group(group)
            if group.group_type == GroupType::COMM_LOCATIONS && group.paradigm == paradigm =>
        {
            Some(group.members.iter().collect())
        }
        _ => None,
    })
}

#[test]
fn ranks_with_equal_entries_share_a_communicator() {
    let run = Run::new();
    (0..4).for_each(|number| run.rank(&rank(number), number, 4));
    run.recover(&["exp"]).ends(0).reports("4 processes and 4 locations");
    let recovered = run.recovered();
    let text = |text: &str| text.to_owned();
    let group = GroupType::COMM_GROUP;
    assert_eq!(
        communicators(&recovered),
        [
            (text("MPI_COMM_WORLD"), group, vec![0, 1, 2, 3], false),
            (text("MPI_COMM_SELF"), GroupType::COMM_SELF, vec![], false),
            (text(""), group, vec![0, 1], true),
            (text(""), group, vec![2, 3], true),
        ]
    );
    assert_eq!(locations_of(&recovered, Paradigm::MPI), [[0, 1, 2, 3]]);
    // The ids in events refer to the right ones.
    let comm = |rank: u64| recovered.events(rank).pop().unwrap();
    assert!(comm(0).contains("CommRef(2)") && comm(1).contains("CommRef(2)"), "{} {}", comm(0), comm(1));
    assert!(comm(2).contains("CommRef(3)") && comm(3).contains("CommRef(3)"), "{} {}", comm(2), comm(3));
}

#[test]
fn a_communicator_with_a_missing_rank_has_no_members() {
    let run = Run::new();
    [0, 2, 3].iter().for_each(|&number| run.rank(&rank(number), number, 4));
    run.recover(&["exp"]).ends(3).reports("missing ranks: 1");
    let recovered = run.recovered();
    assert_eq!(recovered.property("KYMO::RANKS_MISSING").as_deref(), Some("1"));
    let members: Vec<_> = communicators(&recovered).into_iter().map(|(_, _, members, _)| members).collect();
    // The last one has ranks 2 and 3, which are the second and third of those present.
    assert_eq!(members, [vec![], vec![], vec![], vec![1, 2]]);
    assert_eq!(locations_of(&recovered, Paradigm::MPI), [[0, 2, 3]]);
}

/// A group as used by one-sided synchronisation.
fn group(id: u32, members: &[u64]) -> Vec<u8> {
    let (group_type, paradigm) = (GroupType::COMM_GROUP, Paradigm::MPI);
    let (members, group_flags) = (List::truncated(members), GroupFlag::empty());
    records([
        Group { id: GroupRef(id), name: StringRef(0), members, group_type, paradigm, group_flags }.into()
    ])
}

/// Ranks 0 and 2 are side A, rank 1 is side B. Only the leaders have the parent communicator.
#[test]
fn both_sides_of_an_inter_communicator_are_known() {
    for (present, sides) in
        [(&[0, 1, 2][..], (vec![0, 2], vec![1], true)), (&[0, 1], (vec![], vec![1], true))]
    {
        let run = Run::new();
        for &number in present {
            let mut scratch = process(number, 3, &stream(&calls(1000, 10)));
            let is_group_b = number == 1;
            let (size, remote_size) = if is_group_b { (1, 2) } else { (2, 1) };
            let payload =
                Payload::Mpi { size, rank: number / 2, remote_size, is_group_b, root: 0, number: 1 };
            let parent = if number < 2 { 0 } else { NONE };
            scratch.note(&Entry::Communicator(mpi(0, NONE, (3, number), (0, 0))));
            let inter = CommunicatorEntry { id: 1, paradigm: Paradigm::MPI.0, parent, name: NONE, payload };
            scratch.note(&Entry::Communicator(inter));
            scratch.note(&Entry::Definitions(&group(7, &[2, 1])));
            run.rank(&scratch, number, 3);
        }
        run.recover(&["exp"]).ends(if present.len() == 3 { 0 } else { 3 });
        let recovered = run.recovered();
        assert_eq!(inter_communicators(&recovered), [sides]);
        let groups = recovered.definitions(|it| match it {
            GlobalDefinition::Group(group) if group.paradigm == Paradigm::MPI => {
                Some(group.members.iter().collect::<Vec<_>>())
            }
            _ => None,
        });
        assert_eq!(groups.contains(&vec![2, 1]), present.len() == 3, "{groups:?}");
    }
}

#[test]
fn threads_of_a_team_are_its_members() {
    let run = Run::new();
    let team = |comm| Event::from(ThreadTeamBegin { thread_team: CommRef(comm) });
    let first = [calls(1000, 10), vec![(2000, team(5)), (2001, team(6))]].concat();
    let second = vec![(2000, team(7))];
    let mut scratch = process(0, 1, &stream(&first));
    scratch.note(&location(1, 1 << 32, "OMP thread 1"));
    scratch.slot(1, Some(1 << 32), 0);
    scratch.piece(1, 1, 0, &stream(&second));
    // Communicator 6 is a team that only one thread has joined.
    for (id, parent, size, thread) in [(5, NONE, 2, 1), (7, NONE, 2, 0), (6, 5, 2, 0)] {
        let payload = Payload::Team { size, thread, singleton: 0 };
        let paradigm = Paradigm::OPENMP.0;
        scratch.note(&Entry::Communicator(CommunicatorEntry { id, paradigm, parent, name: NONE, payload }));
    }
    run.rank(&scratch, 0, 1);
    run.recover(&["exp"]).ends(0);
    let recovered = run.recovered();
    assert_eq!(locations_of(&recovered, Paradigm::OPENMP), [[0, 1 << 32]]);
    let members: Vec<_> =
        communicators(&recovered).into_iter().map(|(_, _, members, parent)| (members, parent)).collect();
    assert_eq!(members, [(vec![1, 0], false), (vec![], true)]);
    assert_eq!(recovered.events(1 << 32), texts(&[(2000, team(0))]));
    assert_eq!(recovered.events(0)[10..], texts(&[(2000, team(0)), (2001, team(1))]));
}

/// A rank with two threads whose host has just created its topology of processes and threads.
fn rank_with_topology(rank: u32, size: u32) -> Scratch {
    let mut scratch = process(rank, size, &stream(&calls(1000, 10)));
    let second = 1 << 32 | u64::from(rank);
    scratch.note(&location(1, second, "OMP thread 1"));
    scratch.slot(1, Some(second), 0);
    scratch.piece(1, 1, 0, &stream(&calls(2000, 10)));
    scratch.note(&Entry::Communicator(mpi(0, NONE, (size, rank), (0, 0))));
    let paradigm = Paradigm::MEASUREMENT_SYSTEM.0;
    // The first rank has one more communicator, so the one of the topology has different ids.
    let id = 1 + (1 - rank);
    let payload = Payload::Unknown;
    let comm = CommunicatorEntry { id, paradigm, parent: NONE, name: NONE, payload };
    scratch.note(&Entry::Communicator(comm));
    let dimensions = [(0, size), (1, 2)].map(|(id, size)| CartDimension {
        id: CartDimensionRef(id),
        name: StringRef(id + 1),
        size,
        cart_periodicity: CartPeriodicity::FALSE,
    });
    let topology = CartTopology {
        id: CartTopologyRef(0),
        name: StringRef(1),
        communicator: CommRef(id),
        cart_dimensions: List::new(&[CartDimensionRef(0), CartDimensionRef(1)]).unwrap(),
    };
    let all = dimensions.map(GlobalDefinition::from).into_iter().chain([topology.into()]);
    // Twice, because everything is written again at the end.
    let all = records(all);
    for _ in 0..2 {
        scratch.note(&Entry::Definitions(&all));
    }
    scratch
}

/// The communicators of topologies, and the rank and numbers of each coordinate.
type Topologies = (Vec<CommRef>, Vec<(u32, Vec<u32>)>);

fn topologies(recovered: &Recovered) -> Topologies {
    let comms = recovered.definitions(|it| match it {
        GlobalDefinition::CartTopology(it) => Some(it.communicator),
        _ => None,
    });
    let coordinates = recovered.definitions(|it| match it {
        GlobalDefinition::CartCoordinate(it) => Some((it.rank, it.coordinates.iter().collect())),
        _ => None,
    });
    (comms, coordinates)
}

const PROCESS_X_THREAD: &str = "Process x Threads CPU Locations";

/// Each rank had its own topology, with an unknown communicator and without coordinates.
#[test]
fn a_shared_topology_of_processes_and_threads_is_defined_once() {
    let run = Run::new();
    (0..2).for_each(|number| run.rank(&rank_with_topology(number, 2), number, 2));
    run.recover(&["exp"]).ends(0);
    let recovered = run.recovered();
    let (name, group) = (PROCESS_X_THREAD.to_owned(), GroupType::COMM_GROUP);
    let communicators = communicators(&recovered);
    assert_eq!(communicators[1..], [(name, group, vec![0, 1, 2, 3], false)]);
    let locations = [0, 1 << 32, 1, 1 << 32 | 1];
    assert_eq!(locations_of(&recovered, Paradigm::MEASUREMENT_SYSTEM), [locations]);
    let coordinates = [(0, vec![0, 0]), (1, vec![0, 1]), (2, vec![1, 0]), (3, vec![1, 1])];
    assert_eq!(topologies(&recovered), (vec![CommRef(1)], coordinates.to_vec()));
}

#[test]
fn a_topology_of_one_process_has_its_threads() {
    let run = Run::new();
    run.rank(&rank_with_topology(0, 1), 0, 1);
    run.recover(&["exp"]).ends(0);
    let recovered = run.recovered();
    assert_eq!(communicators(&recovered)[1].2, [0, 1]);
    let coordinates = [(0, vec![0, 0]), (1, vec![0, 1])];
    assert_eq!(topologies(&recovered), (vec![CommRef(1)], coordinates.to_vec()));
}

#[test]
fn a_topology_without_one_of_its_ranks_has_no_coordinates() {
    let run = Run::new();
    run.rank(&rank_with_topology(1, 2), 1, 2);
    run.recover(&["exp"]).ends(3).reports("missing ranks: 0");
    let recovered = run.recovered();
    let (name, group) = (PROCESS_X_THREAD.to_owned(), GroupType::COMM_GROUP);
    assert_eq!(communicators(&recovered)[1..], [(name, group, vec![], false)]);
    assert_eq!(topologies(&recovered), (vec![CommRef(1)], vec![]));
}

#[test]
fn the_clocks_of_ranks_are_aligned() {
    let run = Run::new();
    run.rank(&process(0, 2, &stream(&calls(1_000_000, 10))), 0, 2);
    let mut other = process(1, 2, &stream(&calls(5000, 10)));
    other.note(&clock(6000, 995_000));
    run.rank(&other, 1, 2);
    run.recover(&["exp"]).ends(0);
    let recovered = run.recovered();
    assert_eq!(recovered.events(1), texts(&calls(1_000_000, 10)));
    let clocks = recovered.definitions(|it| match it {
        GlobalDefinition::ClockProperties(it) => {
            Some((it.timer_resolution, it.global_offset, it.trace_length))
        }
        _ => None,
    });
    assert_eq!(clocks, [(1_000_000_000, 1_000_000, 9)]);
}
