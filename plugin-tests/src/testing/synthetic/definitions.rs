//! Definitions by kind, at the offsets of Score-P 8.4, with the values that its public getters
//! return.

use super::SyntheticRecording;
use kymo_substrate::bindings as sys;
use serde_json::{Map, json};

/// A region, with defaults for most fields.
#[derive(Clone, Copy, Debug)]
pub struct Region<'a> {
    /// The name.
    pub name: &'a str,
    /// The mangled name, if different.
    pub canonical_name: Option<&'a str>,
    /// The source file.
    pub file: Option<&'a str>,
    /// The first and last line.
    pub lines: (u32, u32),
    /// Score-P's region type.
    pub kind: u32,
    /// Score-P's paradigm.
    pub paradigm: u32,
    /// The description.
    pub description: &'a str,
    /// The group that the region belongs to.
    pub group: Option<&'a str>,
}

impl<'a> Region<'a> {
    /// Creates a region without further properties.
    pub fn new(name: &'a str, kind: u32, paradigm: u32) -> Self {
        Self {
            name,
            canonical_name: None,
            file: None,
            lines: (0, 0),
            kind,
            paradigm,
            description: "",
            group: None,
        }
    }
}

/// A metric.
#[derive(Clone, Copy, Debug)]
pub struct Metric<'a> {
    /// The name.
    pub name: &'a str,
    /// The description.
    pub description: &'a str,
    /// Score-P's numbers: source type, mode, value type, base, profiling type.
    pub numbers: [u32; 5],
    /// The exponent of the base.
    pub exponent: i64,
    /// The unit.
    pub unit: &'a str,
}

impl SyntheticRecording {
    /// Defines a node of the system tree with these domains (bits).
    pub fn system_tree_node(&mut self, parent: u32, domains: u32, class: &str, name: &str) -> u32 {
        let [class, name] = [self.string(class), self.string(name)];
        let words = [(20, parent), (24, domains), (28, name), (32, class)];
        self.define(sys::SCOREP_HANDLE_TYPE_SYSTEM_TREE_NODE, 56, &words, json!({}))
    }

    /// Defines a property of a node.
    pub fn node_property(&mut self, node: u32, name: &str, value: &str) -> u32 {
        let [name, value] = [self.string(name), self.string(value)];
        let words = [(20, node), (24, name), (28, value), (32, self.get(node, 36))];
        let property = self.define(sys::SCOREP_HANDLE_TYPE_SYSTEM_TREE_NODE_PROPERTY, 36, &words, json!({}));
        self.set(node, 36, property);
        property
    }

    /// Defines a location group: a process (0), or an accelerator (1) of one.
    pub fn location_group(&mut self, node: u32, kind: u32, creator: u32) -> u32 {
        let words = [(24, node), (28, kind), (32, creator)];
        self.define(sys::SCOREP_HANDLE_TYPE_LOCATION_GROUP, 40, &words, json!({}))
    }

    /// Defines a location: 0 CPU thread, 1 GPU, 2 metrics.
    pub fn location(&mut self, name: &str, kind: u32, group: u32) -> u32 {
        let name = self.string(name);
        let words = [(24, u32::MAX), (28, u32::MAX), (32, name), (36, kind), (40, 17), (44, group)];
        self.define(sys::SCOREP_HANDLE_TYPE_LOCATION, 56, &words, json!({}))
    }

    /// Defines a property of a location.
    pub fn location_property(&mut self, location: u32, name: &str, value: &str) -> u32 {
        let [name, value] = [self.string(name), self.string(value)];
        let words = [(20, name), (24, value), (28, location)];
        self.define(sys::SCOREP_HANDLE_TYPE_LOCATION_PROPERTY, 32, &words, json!({}))
    }

    /// Defines a region.
    pub fn region(&mut self, region: &Region<'_>) -> u32 {
        let name = self.string(region.name);
        let canonical = region.canonical_name.map_or(name, |name| self.string(name));
        let description = self.string(region.description);
        let file = region.file.map_or(0, |file| self.string(file));
        let group = region.group.map_or(0, |group| self.string(group));
        let (begin, end) = region.lines;
        let id = self.count(sys::SCOREP_HANDLE_TYPE_REGION);
        let words = [
            (20, name),
            (24, canonical),
            (28, description),
            (32, region.kind),
            (36, file),
            (40, begin),
            (44, end),
            (48, region.paradigm),
            (52, group),
        ];
        let public = json!({
            "id": id,
            "name": region.name,
            "canonical_name": region.canonical_name.unwrap_or(region.name),
            "file": region.file,
            "begin_line": begin,
            "end_line": end,
            "region_type": region.kind,
            "paradigm": region.paradigm,
        });
        self.define(sys::SCOREP_HANDLE_TYPE_REGION, 56, &words, public)
    }

    fn count(&self, kind: u32) -> u32 {
        self.counts[kind as usize]
    }

    /// Defines a source file.
    pub fn source_file(&mut self, name: &str) -> u32 {
        let string = self.string(name);
        self.define(sys::SCOREP_HANDLE_TYPE_SOURCE_FILE, 24, &[(20, string)], json!({"name": name}))
    }

    /// Defines a paradigm, and the strings of its two properties (communicator and window names),
    /// which follow later.
    pub fn paradigm(&mut self, kind: u32, class: u32, name: &str, templates: [Option<&str>; 2]) -> u32 {
        let string = self.string(name);
        let words = [(8, kind), (12, class), (16, string)];
        let public = json!({"name": name, "class": class, "paradigm": kind});
        let paradigm = self.define(sys::SCOREP_HANDLE_TYPE_PARADIGM, 48, &words, public);
        for (i, template) in templates.into_iter().enumerate() {
            if let Some(template) = template {
                let template = self.string(template);
                self.set(paradigm, 36 + 4 * i, template);
            }
        }
        paradigm
    }

    /// Defines an I/O paradigm: type, class (0 serial, 1 parallel), flags (1 for the operating
    /// system).
    pub fn io_paradigm(&mut self, numbers: [u32; 3], identification: &str, name: &str) -> u32 {
        let [identification, name] = [self.string(identification), self.string(name)];
        let [kind, class, flags] = numbers;
        let sequence = self.count(sys::SCOREP_HANDLE_TYPE_IO_PARADIGM);
        let words = [(0, sequence), (16, kind), (20, class), (24, identification), (28, name), (40, flags)];
        self.define(sys::SCOREP_HANDLE_TYPE_IO_PARADIGM, 48, &words, json!({}))
    }

    /// Defines a metric.
    pub fn metric(&mut self, metric: &Metric<'_>) -> u32 {
        let [name, description, unit] =
            [metric.name, metric.description, metric.unit].map(|text| self.string(text));
        let [source, mode, value, base, profiling] = metric.numbers;
        let words = [
            (20, name),
            (24, description),
            (28, source),
            (32, mode),
            (36, value),
            (40, base),
            (48, metric.exponent as u32),
            (52, (metric.exponent >> 32) as u32),
            (56, unit),
            (60, profiling),
        ];
        let public = json!({
            "name": metric.name,
            "value_type": value,
            "mode": mode,
            "source_type": source,
            "profiling_type": profiling,
        });
        self.define(sys::SCOREP_HANDLE_TYPE_METRIC, 72, &words, public)
    }

    /// Defines a sampling set without scope.
    pub fn sampling_set(&mut self, metrics: &[u32], occurrence: u32, class: u32) -> u32 {
        let mut words = vec![(32, occurrence), (36, class), (56, metrics.len() as u32)];
        words.extend(metrics.iter().enumerate().map(|(i, &metric)| (60 + 4 * i, metric)));
        let public = json!({
            "metrics": metrics,
            "occurrence": occurrence,
            "scoped": 0,
            "scope": sys::SCOREP_INVALID_METRIC_SCOPE,
            "class": class,
        });
        let kind = sys::SCOREP_HANDLE_TYPE_SAMPLING_SET;
        let handle = self.place(kind as usize, 60 + 4 * metrics.len(), &words, true);
        self.announce(handle, kind, (60 + 4 * metrics.len()).max(super::RAW), public);
        handle
    }

    /// Defines a sampling set in a scope: 0 location, 1 location group, 2 node, 3 group.
    pub fn scoped_sampling_set(&mut self, set: u32, recorder: u32, scope: u32, of: u32) -> u32 {
        let count = self.get(set, 56) as usize & 0xff;
        let metrics: Vec<u32> = (0..count).map(|i| self.get(set, 60 + 4 * i)).collect();
        let words = [(20, 1), (24, set), (28, recorder), (32, scope), (36, of)];
        let public = json!({
            "metrics": metrics,
            "occurrence": self.get(set, 32),
            "scoped": 1,
            "scope": scope,
            "class": self.get(set, 36),
        });
        self.define(sys::SCOREP_HANDLE_TYPE_SAMPLING_SET, 40, &words, public)
    }

    /// Defines that a location records a sampling set.
    pub fn recorder(&mut self, set: u32, location: u32) -> u32 {
        let next = self.get(set, 40);
        let words = [(20, set), (24, location), (28, next)];
        let recorder = self.define(sys::SCOREP_HANDLE_TYPE_SAMPLING_SET_RECORDER, 32, &words, json!({}));
        self.set(set, 40, recorder);
        recorder
    }

    /// Defines a parameter: 0 INT64, 1 UINT64, 2 STRING.
    pub fn parameter(&mut self, name: &str, kind: u32) -> u32 {
        let string = self.string(name);
        let public = json!({"name": name, "parameter_type": kind});
        self.define(sys::SCOREP_HANDLE_TYPE_PARAMETER, 28, &[(20, string), (24, kind)], public)
    }

    /// Defines a communicator in its state during the run. OpenMP teams have their payload
    /// immediately, MPI communicators later.
    pub fn interim_communicator(&mut self, parent: u32, paradigm: u32, payload: &[u32]) -> u32 {
        let mut words = vec![(24, parent), (28, paradigm)];
        let later = paradigm == sys::SCOREP_PARADIGM_MPI;
        let place = |(i, &word): (usize, &u32)| (40 + 4 * i, word);
        if !later {
            words.extend(payload.iter().enumerate().map(place));
        }
        let kind = sys::SCOREP_HANDLE_TYPE_INTERIM_COMMUNICATOR;
        let handle = self.define(kind, 64, &words, json!({}));
        for (at, word) in payload.iter().enumerate().map(place) {
            self.set(handle, at, word);
        }
        handle
    }

    /// Defines a group of locations or ranks, with Score-P's group type.
    pub fn group(&mut self, kind: u32, name: &str, members: &[u64]) -> u32 {
        let name = self.string(name);
        let mut words = vec![(20, kind), (24, name), (32, members.len() as u32)];
        for (i, &member) in members.iter().enumerate() {
            words.extend([(40 + 8 * i, member as u32), (44 + 8 * i, (member >> 32) as u32)]);
        }
        self.define(sys::SCOREP_HANDLE_TYPE_GROUP, 40 + 8 * members.len(), &words, json!({}))
    }

    /// Unifies a communicator: groups, name (may be none), parent, key, flags.
    pub fn unify(&mut self, interim: &[u32], groups: [u32; 2], name: u32, rest: [u32; 3]) -> u32 {
        let [parent, key, flags] = rest;
        let words = [(20, groups[0]), (24, groups[1]), (28, name), (32, parent), (36, key), (40, flags)];
        let communicator = self.communicator(&words);
        for &interim in interim {
            self.set(interim, 4, communicator);
        }
        communicator
    }

    /// Defines an RMA window over a communicator.
    pub fn window(&mut self, name: &str, communicator: u32, flags: u32) -> u32 {
        let name = self.string(name);
        let id = self.get(communicator, 32);
        self.set(communicator, 32, id + 1);
        let words = [(20, name), (24, communicator), (28, id), (32, 1), (36, flags)];
        self.define(sys::SCOREP_HANDLE_TYPE_RMA_WINDOW, 40, &words, json!({}))
    }

    /// Defines a file, optionally on a node.
    pub fn io_file(&mut self, name: &str, scope: u32) -> u32 {
        let name = self.string(name);
        self.define(sys::SCOREP_HANDLE_TYPE_IO_FILE, 40, &[(20, name), (24, scope)], json!({}))
    }

    /// Defines a property of a file.
    pub fn io_file_property(&mut self, file: u32, name: &str, value: &str) -> u32 {
        let [name, value] = [self.string(name), self.string(value)];
        let words = [(20, file), (24, name), (28, value), (32, self.get(file, 28))];
        let property = self.define(sys::SCOREP_HANDLE_TYPE_IO_FILE_PROPERTY, 36, &words, json!({}));
        self.set(file, 28, property);
        property
    }

    /// Defines a handle: file, I/O paradigm type, flags, communicator, parent; access mode and
    /// status flags if pre-created.
    pub fn io_handle(&mut self, name: &str, numbers: [u32; 5], state: [u32; 2]) -> u32 {
        let name = self.string(name);
        let [file, paradigm, flags, communicator, parent] = numbers;
        let key = self.count(sys::SCOREP_HANDLE_TYPE_IO_HANDLE) + 1;
        let words = [
            (20, name),
            (24, file),
            (28, paradigm),
            (32, flags),
            (36, communicator),
            (40, parent),
            (44, key),
            (48, state[0]),
            (52, state[1]),
            (56, 1),
        ];
        self.define(sys::SCOREP_HANDLE_TYPE_IO_HANDLE, 60, &words, json!({}))
    }

    /// Defines an interrupt generator: mode (0 time, 1 count), base, exponent, period.
    pub fn interrupt_generator(
        &mut self,
        name: &str,
        mode: u32,
        base: u32,
        exponent: i64,
        period: u64,
    ) -> u32 {
        let name = self.string(name);
        let words = [
            (20, name),
            (24, mode),
            (28, base),
            (32, exponent as u32),
            (36, (exponent >> 32) as u32),
            (40, period as u32),
            (44, (period >> 32) as u32),
        ];
        self.define(sys::SCOREP_HANDLE_TYPE_INTERRUPT_GENERATOR, 48, &words, json!({}))
    }

    /// Defines a calling context; `place_context` sets its source location.
    pub fn calling_context(&mut self, address: u64, region: u32, parent: u32) -> u32 {
        let words = [(24, address as u32), (28, (address >> 32) as u32), (44, region), (52, parent)];
        let public = json!({"region": region, "parent": parent});
        self.define(sys::SCOREP_HANDLE_TYPE_CALLING_CONTEXT, 56, &words, public)
    }

    /// Sets the fields of a context that unification fills in: the offset of the instruction, its
    /// file, and its source location.
    pub fn place_context(&mut self, context: u32, offset: u64, file: u32, source_code_location: u32) {
        let words =
            [(32, offset as u32), (36, (offset >> 32) as u32), (40, file), (48, source_code_location)];
        words.into_iter().for_each(|(at, word)| self.set(context, at, word));
    }

    /// Defines a line of a source file.
    pub fn source_code_location(&mut self, file: &str, line: u32) -> u32 {
        let file = self.string(file);
        self.define(sys::SCOREP_HANDLE_TYPE_SOURCE_CODE_LOCATION, 28, &[(20, file), (24, line)], json!({}))
    }

    /// Defines a topology (0 MPI, 1 process, 2 platform, 3 user) with dimensions (size, periodic,
    /// name).
    pub fn topology(
        &mut self,
        name: &str,
        communicator: u32,
        kind: u32,
        dimensions: &[(u32, bool, &str)],
    ) -> u32 {
        let name = self.string(name);
        let mut words = vec![(20, name), (24, communicator), (28, kind), (32, dimensions.len() as u32)];
        for (i, &(size, periodic, name)) in dimensions.iter().enumerate() {
            let name = self.string(name);
            words.extend([(36 + 12 * i, size), (40 + 12 * i, periodic.into()), (44 + 12 * i, name)]);
        }
        let size = 36 + 12 * dimensions.len();
        self.define(sys::SCOREP_HANDLE_TYPE_CARTESIAN_TOPOLOGY, size, &words, json!({}))
    }

    /// Defines the coordinates of a thread of a rank in a topology.
    pub fn coordinates(&mut self, topology: u32, rank: u32, thread: u32, coordinates: &[u32]) -> u32 {
        let mut words = vec![(20, topology), (24, coordinates.len() as u32), (28, rank), (32, thread)];
        words.extend(coordinates.iter().enumerate().map(|(i, &coordinate)| (36 + 4 * i, coordinate)));
        let size = 36 + 4 * coordinates.len();
        self.define(sys::SCOREP_HANDLE_TYPE_CARTESIAN_COORDS, size, &words, json!({}))
    }

    /// Returns the metrics of an event: each list contains sampling sets with their values, at a
    /// location and time.
    pub fn metrics(lists: [(&str, Vec<serde_json::Value>); 3]) -> serde_json::Value {
        let lists: Map<String, serde_json::Value> =
            lists.into_iter().map(|(name, list)| (name.to_owned(), list.into())).collect();
        lists.into()
    }
}
