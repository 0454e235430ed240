//! The definitions of multiple ranks become those of one archive. The ranks are threads that share
//! nothing except messages.

#![cfg(not(miri))]

use kymo_otf2::{
    definitions::{
        CallingContext, CallingContextProperty, CartDimension, CartTopology, Comm, GlobalDefinition, Group,
        IoParadigm, Location, LocationGroup, MetricClass, MetricInstance, MetricMember, Region, RmaWin,
        SystemTreeNode,
    },
    enums::*,
    flags::{CommFlag, GroupFlag, IoParadigmFlag, RmaWinFlag},
    list::List,
    read,
    references::*,
    value::{IoParadigmPropertyValue, Value},
};
use kymo_recorder::{
    DefinitionLog,
    memory::Budget,
    ranks::Ipc,
    unification::{Joined, Key, Keys, NotJoined, Unified, unify},
};

use kymo_recorder_testing::ranks::{Network, Rank};

static BUDGET: Budget = Budget::new(usize::MAX);

/// Runs `work` on every rank.
fn on_ranks<T: Send>(size: u32, work: impl Fn(&Rank<'_>) -> T + Sync) -> Vec<T> {
    let network = Network::of(size);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..size)
            .map(|rank| {
                let (network, work) = (&network, &work);
                let thread = std::thread::Builder::new().stack_size(512 << 10);
                thread.spawn_scoped(scope, move || work(&network.rank(rank))).unwrap()
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

/// The definitions of a rank under construction.
struct Log {
    definitions: DefinitionLog,
    keys: Keys,
}

impl Log {
    fn new() -> Self {
        Self { definitions: DefinitionLog::new(&BUDGET), keys: Keys::new() }
    }

    fn string(&mut self, text: &str) -> StringRef {
        self.definitions.string(text.as_bytes())
    }

    fn define(&mut self, record: impl Into<GlobalDefinition<'static>>) {
        self.definitions.define(&record.into());
    }

    fn region(&mut self, id: u32, name: &str) {
        let name = self.string(name);
        let region = Region::function(RegionRef(id), name);
        self.define(Region { description: StringRef(0), ..region });
    }

    fn group(&mut self, id: u32, group_type: GroupType, members: &[u64]) {
        self.definitions.define(&Group {
            id: GroupRef(id),
            name: StringRef(0),
            members: List::new(members).unwrap(),
            group_type,
            paradigm: Paradigm::MPI,
            group_flags: GroupFlag::empty(),
        });
    }

    fn comm(&mut self, id: u32, name: &str, group: u32, parent: CommRef, key: Key) {
        let name = self.string(name);
        self.keys.set(Space::Comm, id.into(), key);
        self.define(Comm { id: CommRef(id), name, group: GroupRef(group), parent, flags: CommFlag::empty() });
    }

    fn process(&mut self, rank: u64) {
        let (name, class_name) = (self.string(&format!("node {}", rank / 2)), self.string("node"));
        let node = SystemTreeNodeRef(0);
        self.define(SystemTreeNode { id: node, name, class_name, parent: SystemTreeNodeRef::UNDEFINED });
        let (id, name) = (LocationGroupRef(0), self.string("process"));
        self.define(LocationGroup {
            id,
            name,
            location_group_type: LocationGroupType::PROCESS,
            system_tree_parent: node,
            creating_location_group: LocationGroupRef::UNDEFINED,
        });
        self.define(Location {
            id: LocationRef(rank),
            name,
            location_type: LocationType::CPU_THREAD,
            number_of_events: 0,
            location_group: id,
        });
    }

    fn unify(&self, ipc: &impl Ipc) -> Result<Joined, NotJoined> {
        unify(ipc, self.definitions.log(), &self.keys)
    }
}

/// Formats definitions as text, with strings replaced by their contents.
fn shown(unified: &Unified) -> Vec<String> {
    let log = unified.log();
    let records: Vec<GlobalDefinition<'_>> = read::log(&log).map(|record| record.unwrap()).collect();
    let text = |id: StringRef| {
        let is_it = |record: &&GlobalDefinition<'_>| matches!(record, GlobalDefinition::String(string) if string.id == id);
        match records.iter().find(is_it) {
            Some(GlobalDefinition::String(string)) => string.string.to_string(),
            _ => "-".to_owned(),
        }
    };
    let show = |record: &GlobalDefinition<'_>| match record {
        GlobalDefinition::Region(it) => Some(format!("region {} {}", it.id.0, text(it.name))),
        GlobalDefinition::Comm(it) => Some(format!(
            "comm {} {} group {} parent {}",
            it.id.0,
            text(it.name),
            it.group.0,
            it.parent.0 as i32
        )),
        GlobalDefinition::RmaWin(it) => {
            Some(format!("window {} {} comm {}", it.id.0, text(it.name), it.comm.0))
        }
        GlobalDefinition::Group(it) => {
            Some(format!("group {} {} {:?}", it.id.0, it.group_type, it.members.iter().collect::<Vec<_>>()))
        }
        GlobalDefinition::SystemTreeNode(it) => Some(format!("node {} {}", it.id.0, text(it.name))),
        GlobalDefinition::LocationGroup(it) => {
            Some(format!("process {} on {}", it.id.0, it.system_tree_parent.0))
        }
        GlobalDefinition::Location(it) => Some(format!("location {} in {}", it.id.0, it.location_group.0)),
        _ => None,
    };
    records.iter().filter_map(show).collect()
}

/// Returns the unified definitions of ranks, and the result on each rank.
fn joined(size: u32, make: impl Fn(u32) -> Log + Sync) -> (Vec<String>, Vec<Joined>) {
    let mut all = on_ranks(size, |ipc| make(ipc.rank()).unify(ipc).unwrap());
    let definitions = all[0].definitions.take().unwrap();
    assert!(all.iter().all(|joined| joined.definitions.is_none()));
    (shown(&definitions), all)
}

/// A property that names a string kept the id of its rank.
#[test]
fn the_version_of_an_io_paradigm_keeps_its_string() {
    let mut all = on_ranks(2, |ipc| {
        let mut log = Log::new();
        log.region(0, &format!("of rank {}", ipc.rank()));
        if ipc.rank() == 1 {
            let [name, version] = ["MPI", "4.1"].map(|text| log.string(text));
            let property = IoParadigmProperty::VERSION;
            let properties = [IoParadigmPropertyValue { property, value: version.into() }];
            log.definitions.define(&IoParadigm {
                id: IoParadigmRef(0),
                identification: name,
                name,
                io_paradigm_class: IoParadigmClass::PARALLEL,
                io_paradigm_flags: IoParadigmFlag::empty(),
                properties: List::new(&properties).unwrap(),
            });
        }
        log.unify(ipc).unwrap()
    });
    let log = all[0].definitions.take().unwrap().log().to_vec();
    let mut strings = Vec::new();
    let mut versions = Vec::new();
    for record in read::log(&log).map(Result::unwrap) {
        match record {
            GlobalDefinition::String(string) => strings.push((string.id, string.string.to_string())),
            GlobalDefinition::IoParadigm(it) => versions.extend(it.properties.iter().map(|it| it.value)),
            _ => {}
        }
    }
    let version = strings.iter().find(|(_, text)| text == "4.1").map(|(id, _)| *id);
    assert_eq!(versions, [version.expect("the string").into()]);
}

#[test]
fn equal_definitions_are_merged_in_the_order_of_first_appearance() {
    let (definitions, ranks) = joined(3, |rank| {
        let mut log = Log::new();
        log.region(0, "common");
        log.region(1, &format!("of rank {rank}"));
        log.region(2, "late");
        log
    });
    let expected = [
        "region 0 common",
        "region 1 of rank 0",
        "region 2 late",
        "region 3 of rank 1",
        "region 4 of rank 2",
    ];
    assert_eq!(definitions, expected);
    let tables: Vec<_> = ranks.iter().map(|rank| rank.table(Space::Region)).collect();
    assert_eq!(tables, [[0, 1, 2], [0, 3, 2], [0, 4, 2]]);
    assert_eq!(ranks[1].global(Space::Region, 99), u64::MAX);
}

#[test]
fn processes_stay_separate_but_equal_nodes_are_merged() {
    let (definitions, _) = joined(4, |rank| {
        let mut log = Log::new();
        log.process(rank.into());
        log
    });
    let expected = [
        "node 0 node 0",
        "node 1 node 1",
        "process 0 on 0",
        "process 1 on 0",
        "process 2 on 1",
        "process 3 on 1",
        "location 0 in 0",
        "location 1 in 1",
        "location 2 in 2",
        "location 3 in 3",
    ];
    assert_eq!(definitions, expected);
}

/// World, its duplicate, and the halves of it, created in different orders. Only rank 3 knows the
/// name of the duplicate.
#[test]
fn communicators_are_matched_by_group_parent_and_key() {
    let (definitions, ranks) = joined(4, |rank| {
        let mut log = Log::new();
        log.group(0, GroupType::COMM_LOCATIONS, &[0, 1, 2, 3]);
        log.group(1, GroupType::COMM_GROUP, &[0, 1, 2, 3]);
        let half = u64::from(rank / 2 * 2);
        log.group(2, GroupType::COMM_GROUP, &[half, half + 1]);
        log.comm(0, "world", 1, CommRef::UNDEFINED, Key::Number(0));
        let (duplicate, part) = if rank % 2 == 0 { (1, 2) } else { (2, 1) };
        log.comm(duplicate, if rank == 3 { "named" } else { "" }, 1, CommRef(0), Key::Number(1));
        log.comm(part, "", 2, CommRef(0), Key::Number(2));
        log
    });
    let expected = [
        "group 0 COMM_LOCATIONS [0, 1, 2, 3]",
        "group 1 COMM_GROUP [0, 1, 2, 3]",
        "group 2 COMM_GROUP [0, 1]",
        "group 3 COMM_GROUP [2, 3]",
        "comm 0 world group 1 parent -1",
        "comm 1 named group 1 parent 0",
        "comm 2  group 2 parent 0",
        "comm 3  group 3 parent 0",
    ];
    assert_eq!(definitions, expected);
    let tables: Vec<_> = ranks.iter().map(|rank| rank.table(Space::Comm)).collect();
    assert_eq!(tables, [[0, 1, 2], [0, 2, 1], [0, 1, 3], [0, 3, 1]]);
}

#[test]
fn unknown_definitions_are_not_merged() {
    let (definitions, _) = joined(2, |_| {
        let mut log = Log::new();
        for id in 0..2 {
            log.keys.set(Space::Group, id.into(), Key::Unique);
            log.group(id, GroupType::UNKNOWN, &[]);
            log.comm(id, "", id, CommRef::UNDEFINED, Key::Unique);
        }
        log
    });
    assert_eq!(definitions.iter().filter(|line| line.starts_with("comm")).count(), 4);
    assert_eq!(definitions.iter().filter(|line| line.starts_with("group")).count(), 4);
}

#[test]
fn region_groups_have_the_regions_of_all_ranks() {
    let (definitions, _) = joined(3, |rank| {
        let mut log = Log::new();
        log.region(0, "common");
        log.region(1, &format!("of rank {rank}"));
        log.group(0, GroupType::REGIONS, &[1, 0]);
        log
    });
    assert_eq!(definitions.last().unwrap(), "group 0 REGIONS [1, 0, 2, 3]");
}

#[test]
fn windows_are_matched_by_communicator_and_number() {
    let (definitions, _) = joined(2, |rank| {
        let mut log = Log::new();
        log.comm(0, "world", 0, CommRef::UNDEFINED, Key::Number(0));
        for (id, number) in [(0, 5), (1, 6)] {
            let name = log.string(if rank == 1 && number == 6 { "shared" } else { "" });
            log.keys.set(Space::RmaWin, id, Key::Number(number));
            let flags = RmaWinFlag::CREATE_DESTROY_EVENTS;
            log.define(RmaWin { id: RmaWinRef(id as u32), name, comm: CommRef(0), flags });
        }
        log
    });
    assert_eq!(definitions[1..], ["window 0  comm 0", "window 1 shared comm 0"]);
}

#[test]
fn topologies_are_matched_with_their_dimensions() {
    let all = on_ranks(2, |ipc| {
        let mut log = Log::new();
        let first = ipc.rank() * 7;
        for (at, size) in [(0, 4), (1, 4), (2, 2 + ipc.rank())] {
            let id = CartDimensionRef(first + at);
            log.define(CartDimension {
                id,
                name: StringRef(0),
                size,
                cart_periodicity: CartPeriodicity::TRUE,
            });
        }
        for (id, dimensions) in [(0, &[0, 1][..]), (1, &[2])] {
            let dimensions: Vec<_> = dimensions.iter().map(|at| CartDimensionRef(first + at)).collect();
            log.definitions.define(&CartTopology {
                id: CartTopologyRef(id),
                name: StringRef(0),
                communicator: CommRef::UNDEFINED,
                cart_dimensions: List::new(&dimensions).unwrap(),
            });
        }
        log.unify(ipc).unwrap()
    });
    let unified = all[0].definitions.as_ref().unwrap();
    assert_eq!((unified.count(Space::CartTopology), unified.count(Space::CartDimension)), (3, 4));
    assert_eq!(all[1].table(Space::CartTopology), [0, 2]);
    assert_eq!(all[1].table(Space::CartDimension)[7..], [0, 1, 3]);
}

/// It was defined twice: only rank 0 knows the name that the program gave the communicator.
#[test]
fn the_topology_of_a_named_communicator_is_defined_once() {
    let all = on_ranks(2, |ipc| {
        let mut log = Log::new();
        let (own, dimension) = (log.string("MPI_Cartesian_4"), CartDimensionRef(0));
        log.group(0, GroupType::COMM_GROUP, &[0, 1]);
        let name = if ipc.rank() == 0 { "the grid" } else { "" };
        log.comm(0, name, 0, CommRef::UNDEFINED, Key::Number(1));
        let cart_periodicity = CartPeriodicity::FALSE;
        log.define(CartDimension { id: dimension, name: StringRef(0), size: 4, cart_periodicity });
        log.definitions.define(&CartTopology {
            id: CartTopologyRef(0),
            name: own,
            communicator: CommRef(0),
            cart_dimensions: List::new(&[dimension]).unwrap(),
        });
        log.unify(ipc).unwrap()
    });
    let unified = all[0].definitions.as_ref().unwrap();
    assert_eq!((unified.count(Space::CartTopology), unified.count(Space::Comm)), (1, 1));
    let log = unified.log();
    let mut strings = std::collections::HashMap::new();
    let mut named = None;
    for record in read::definitions::log(&log) {
        match record.unwrap() {
            GlobalDefinition::String(string) => _ = strings.insert(string.id, string.string),
            GlobalDefinition::CartTopology(topology) => named = Some(topology.name),
            _ => {}
        }
    }
    assert_eq!(strings[&named.unwrap()].as_bytes(), b"the grid");
}

#[test]
fn calling_contexts_on_one_line_are_distinguished_by_their_properties() {
    let all = on_ranks(2, |ipc| {
        let mut log = Log::new();
        log.region(0, "f");
        for id in 0..3 {
            // On one rank, children are defined before their parents.
            let parent = match (ipc.rank(), id) {
                (0, 1..) => CallingContextRef(0),
                (1, ..2) => CallingContextRef(2),
                _ => CallingContextRef::UNDEFINED,
            };
            let id = CallingContextRef(id);
            let source_code_location = SourceCodeLocationRef::UNDEFINED;
            log.define(CallingContext { id, region: RegionRef(0), source_code_location, parent });
            let (name, value) = (log.string("offset"), Value::from(id.0 % 2));
            log.define(CallingContextProperty { calling_context: id, name, value });
        }
        log.unify(ipc).unwrap()
    });
    // On rank 1, root 2 has offset 0 like root 0 of rank 0; contexts 0 and 1 equal 2 and 1 there.
    assert_eq!(all[1].table(Space::CallingContext), [2, 1, 0]);
}

#[test]
fn metrics_are_matched_across_ranks_that_differ() {
    let all = on_ranks(3, |ipc| {
        let mut log = Log::new();
        let (name, unit) = (log.string(&format!("metric {}", ipc.rank() % 2)), log.string("#"));
        log.process(ipc.rank().into());
        let members = [MetricMemberRef(0)];
        log.define(MetricMember {
            id: members[0],
            name,
            description: StringRef(0),
            metric_type: MetricType::USER,
            metric_mode: MetricMode::ABSOLUTE_POINT,
            value_type: Type::UINT64,
            base: Base::DECIMAL,
            exponent: 0,
            unit,
        });
        log.definitions.define(&MetricClass {
            id: MetricRef(0),
            metric_members: List::new(&members).unwrap(),
            metric_occurrence: MetricOccurrence::ASYNCHRONOUS,
            recorder_kind: RecorderKind::CPU,
        });
        log.define(MetricInstance {
            id: MetricRef(1),
            metric_class: MetricRef(0),
            recorder: LocationRef(ipc.rank().into()),
            metric_scope: MetricScope::LOCATION_GROUP,
            scope: 0,
        });
        log.unify(ipc).unwrap()
    });
    let tables: Vec<_> = all.iter().map(|rank| rank.table(Space::Metric)).collect();
    assert_eq!(tables, [[0, 1], [2, 3], [0, 4]]);
    let log = all[0].definitions.as_ref().unwrap().log();
    let scopes: Vec<_> = read::log::<GlobalDefinition<'_>>(&log)
        .filter_map(|record| match record.unwrap() {
            GlobalDefinition::MetricInstance(it) => Some((it.metric_class.0, it.scope)),
            _ => None,
        })
        .collect();
    assert_eq!(scopes, [(0, 0), (2, 1), (0, 2)]);
}

/// The result equals that of adding the logs of the ranks in sequence, whatever the tree looks
/// like.
#[test]
fn the_number_of_ranks_does_not_matter() {
    let make = |rank: u32| {
        let mut log = Log::new();
        log.process(rank.into());
        for id in 0..20 {
            log.region(id, &format!("region {}", (rank.wrapping_mul(2_654_435_761) >> 20) % 50 + id));
        }
        log.group(0, GroupType::REGIONS, &[3, 1, 4]);
        log
    };
    for size in [1, 2, 3, 5, 8, 13, 64] {
        let (definitions, ranks) = joined(size, make);
        let mut one_by_one = Unified::new();
        for rank in 0..size {
            let log = make(rank);
            let ids = one_by_one.take(log.definitions.log(), &log.keys).unwrap();
            assert_eq!(
                ids.table(Space::Region),
                ranks[rank as usize].table(Space::Region),
                "{rank} of {size}"
            );
        }
        assert_eq!(definitions, shown(&one_by_one), "{size} ranks");
    }
}

#[test]
fn a_rank_that_cannot_take_part_fails_all_ranks_without_a_hang() {
    for bad in 0..7 {
        let results = on_ranks(7, |ipc| {
            let mut log = Log::new();
            log.process(ipc.rank().into());
            let cut = if ipc.rank() == bad { 3 } else { log.definitions.log().len() };
            unify(ipc, &log.definitions.log()[..cut], &log.keys).map(|_| ())
        });
        for (rank, result) in results.into_iter().enumerate() {
            let expects_own = rank as u32 == bad;
            let is_own = matches!(result, Err(NotJoined::Definitions(_)));
            assert!(result.is_err() && (is_own || !expects_own), "rank {rank}, bad {bad}: {result:?}");
        }
    }
}

#[test]
fn a_location_defined_by_two_ranks_is_an_error() {
    let results = on_ranks(3, |ipc| {
        let mut log = Log::new();
        log.process(u64::from(ipc.rank() % 2));
        log.unify(ipc).map(|_| ())
    });
    assert!(results.iter().all(Result::is_err), "{results:?}");
    assert!(results[0].as_ref().unwrap_err().to_string().contains("location 0 is defined by two processes"));
}

/// The table up to this id took 32 GiB. A definition whose id could not be kept has the undefined
/// id.
#[test]
fn an_id_far_beyond_the_others_takes_no_memory() {
    let mut log = Log::new();
    let name = log.string("work");
    for id in [RegionRef(0), RegionRef(u32::MAX - 1), RegionRef::UNDEFINED, RegionRef(1)] {
        log.definitions.define(&Region { name, ..Region::function(id, name) });
    }
    let joined = unify(&kymo_recorder::ranks::SingleProcess, log.definitions.log(), &log.keys).unwrap();
    assert_eq!(joined.left_out, 2);
    // Both look the same.
    assert_eq!(joined.table(Space::Region), [0, 0]);
}
