//! The meaning of an archive independent of its ids: each reference is replaced by the definition
//! to which it refers.

#![allow(dead_code, unreachable_pub)]

use std::cell::RefCell;
use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::Path;

use kymo_otf2::definitions::{ClockProperties, GlobalDefinition, Group};
use kymo_otf2::enums::{GroupType, MetricScope, Paradigm};
use kymo_otf2::field::{FieldInfo, FieldKind, FieldValue};
use kymo_otf2::mappings::space_of_type;
use kymo_otf2::read::Archive;
use kymo_otf2::records::AnyRecord;
use kymo_otf2::references::Space;
use kymo_otf2::value::Value;

/// An event: its times, its meaning, and its text for people.
#[derive(Debug)]
pub struct Meant {
    pub times: Vec<u64>,
    pub meaning: u64,
    pub text: String,
}

/// The contents of an archive.
pub struct Content {
    pub clock: ClockProperties,
    /// The ids of the locations in the order of their definitions, with their events.
    pub locations: Vec<(u64, Vec<Meant>)>,
    /// The definitions, sorted: the name of the kind and the meaning.
    pub definitions: Vec<(&'static str, u64)>,
    /// The paradigm and the number of members of each group of locations or location groups.
    pub comm_locations: Vec<(Paradigm, usize)>,
}

impl Content {
    pub fn of(anchor: &Path) -> Content {
        let archive = Archive::open(anchor).expect("an archive");
        let file = archive.global_definitions().expect("definitions");
        let records: Vec<_> =
            file.records().expect("records").map(|record| record.expect("a record")).collect();
        let definitions = DefinitionsById::new(&records);
        let events = |location: &GlobalDefinition<'_>| match location {
            GlobalDefinition::Location(it) => Some((it.id.0, definitions.events(&archive, it.id.0))),
            _ => None,
        };
        let mut all: Vec<_> = records.iter().map(|it| (it.name(), definitions.meaning(it))).collect();
        all.sort_unstable();
        Content {
            clock: records.iter().find_map(clock).expect("a clock"),
            locations: records.iter().filter_map(events).collect(),
            definitions: all,
            comm_locations: records.iter().filter_map(comm_locations).collect(),
        }
    }

    pub fn count(&self, kind: &str) -> usize {
        self.definitions.iter().filter(|(name, _)| *name == kind).count()
    }
}

fn clock(record: &GlobalDefinition<'_>) -> Option<ClockProperties> {
    if let GlobalDefinition::ClockProperties(clock) = record { Some(*clock) } else { None }
}

fn comm_locations(record: &GlobalDefinition<'_>) -> Option<(Paradigm, usize)> {
    match record {
        GlobalDefinition::Group(group) if group.group_type.lists_paradigm() => {
            Some((group.paradigm, group.members.len()))
        }
        _ => None,
    }
}

/// Definitions by id space and id.
struct DefinitionsById<'a> {
    by_id: HashMap<(&'static str, u64), &'a GlobalDefinition<'a>>,
    ranks: HashMap<Paradigm, Vec<(&'static str, u64)>>,
    known: RefCell<HashMap<(&'static str, u64), u64>>,
}

/// A chain of more references than this is a cycle.
const DEEPEST: usize = 500;

impl<'a> DefinitionsById<'a> {
    fn new(records: &'a [GlobalDefinition<'a>]) -> Self {
        let (mut by_id, mut ranks) = (HashMap::new(), HashMap::new());
        for record in records {
            record.visit(&mut |field, value| {
                if let ("self", FieldKind::Reference { space, .. }, FieldValue::Unsigned(id)) =
                    (field.names, field.kind, value)
                {
                    by_id.insert((space.name(), id), record);
                }
            });
            if let GlobalDefinition::Group(group) = record
                && group.group_type.lists_paradigm()
            {
                let space = group.group_type.member_space().map_or("", Space::name);
                let members: Vec<_> = group.members.iter().map(|id| (space, id)).collect();
                ranks.entry(group.paradigm).or_insert(members);
            }
        }
        Self { by_id, ranks, known: RefCell::default() }
    }

    fn events(&self, archive: &Archive, location: u64) -> Vec<Meant> {
        let mut events = archive.events(location).expect("events");
        let mut all = Vec::new();
        while let Some(event) = events.next().expect("an event") {
            let mut hash = DefaultHasher::new();
            let mut times = vec![event.time];
            event.record.name().hash(&mut hash);
            event.record.visit(&mut |field, value| match value {
                FieldValue::Unsigned(time) if field.clock => times.push(time),
                value => self.add(&field.kind, value, 0, &mut hash),
            });
            for attribute in event.attributes {
                self.reference("Attribute", attribute.attribute.0.into(), 0).hash(&mut hash);
                self.add_value(attribute.value, 0, &mut hash);
            }
            let text = format!("{:?}", event.record);
            all.push(Meant { times, meaning: hash.finish(), text });
        }
        all
    }

    fn meaning(&self, record: &GlobalDefinition<'_>) -> u64 {
        self.deep_meaning(record, 0)
    }

    fn deep_meaning(&self, record: &GlobalDefinition<'_>, depth: usize) -> u64 {
        assert!(depth < DEEPEST, "{record:?}");
        let mut hash = DefaultHasher::new();
        record.name().hash(&mut hash);
        record.visit(&mut |field: &FieldInfo, value| match (field.names, record) {
            ("self", GlobalDefinition::IoParadigm(_)) | ("self" | "numberOfEvents", _) => {}
            ("numberOfMembers members", GlobalDefinition::Group(group)) => {
                self.add_members(group, depth, &mut hash)
            }
            ("scope", GlobalDefinition::MetricInstance(instance)) => {
                let space = match instance.metric_scope {
                    MetricScope::LOCATION => "Location",
                    MetricScope::LOCATION_GROUP => "LocationGroup",
                    MetricScope::SYSTEM_TREE_NODE => "SystemTreeNode",
                    MetricScope::GROUP => "Group",
                    other => panic!("scope {other:?}"),
                };
                self.reference(space, instance.scope, depth).hash(&mut hash);
            }
            _ => self.add(&field.kind, value, depth, &mut hash),
        });
        hash.finish()
    }

    fn add_members(&self, group: &Group<'_>, depth: usize, hash: &mut DefaultHasher) {
        let members = group.members.iter();
        let ranks = self.ranks.get(&group.paradigm);
        match group.group_type {
            // More members may have joined.
            GroupType::COMM_LOCATIONS | GroupType::COMM_LOCATION_GROUPS | GroupType::REGIONS => {}
            GroupType::METRIC => members.for_each(|id| self.reference("Metric", id, depth).hash(hash)),
            GroupType::COMM_GROUP => members.for_each(|rank| {
                let rank = ranks.and_then(|ranks| ranks.get(rank as usize));
                rank.map(|&(space, id)| self.reference(space, id, depth)).hash(hash);
            }),
            _ => members.for_each(|id| self.reference("Location", id, depth).hash(hash)),
        }
    }

    fn add(&self, kind: &FieldKind, value: FieldValue<'_>, depth: usize, hash: &mut DefaultHasher) {
        match (kind, value) {
            (FieldKind::Reference { space, .. }, FieldValue::Unsigned(id)) => {
                self.reference(space.name(), id, depth).hash(hash);
            }
            (_, FieldValue::Value(value)) => self.add_value(value, depth, hash),
            (FieldKind::List { element, .. }, FieldValue::List(list)) => {
                list.count().hash(hash);
                list.each(&mut |parts| {
                    for (kind, part) in element.iter().zip(parts) {
                        self.add(kind, *part, depth, hash);
                    }
                });
            }
            (_, value) => format!("{value:?}").hash(hash),
        }
    }

    fn add_value(&self, value: Value, depth: usize, hash: &mut DefaultHasher) {
        value.type_().0.hash(hash);
        match space_of_type(value.type_()) {
            Some(space) => self.reference(space.name(), value.bits(), depth).hash(hash),
            None => value.bits().hash(hash),
        }
    }

    /// Returns the meaning of an id, or nothing if it is undefined.
    fn reference(&self, space: &'static str, id: u64, depth: usize) -> Option<u64> {
        if let Some(&known) = self.known.borrow().get(&(space, id)) {
            return Some(known);
        }
        let meaning = self.deep_meaning(self.by_id.get(&(space, id))?, depth + 1);
        self.known.borrow_mut().insert((space, id), meaning);
        Some(meaning)
    }
}
