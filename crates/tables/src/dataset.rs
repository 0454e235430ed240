//! Datasets: the columns of each table, described once, and rows of them in memory.

/// A table of rows of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dataset {
    /// The name of the file or folder.
    pub name: &'static str,
    /// The columns.
    pub columns: &'static [Column],
}

/// A column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// The name.
    pub name: &'static str,
    /// The kind of the values.
    pub kind: ColumnKind,
}

impl Column {
    /// Returns whether the values are names of regions.
    pub fn is_region(&self) -> bool {
        self.kind == ColumnKind::Name(List::Regions)
    }
}

/// The kind of the values of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    /// Integers that grow along the column, such as times.
    Growing,
    /// Integers.
    Integer,
    /// Integers or nothing.
    Optional,
    /// Floating-point numbers or nothing.
    Double,
    /// Names of a list that is known at the start, or nothing.
    Name(List),
    /// Texts or nothing.
    Text,
}

/// A list of names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum List {
    /// Regions.
    Regions,
    /// Communicators and windows.
    Communicators,
    /// Metrics.
    Metrics,
    /// Files.
    Files,
    /// Parameters.
    Parameters,
    /// Collective operations.
    Collectives,
    /// Kinds of wait states.
    Waits,
    /// Kinds of events and of operations.
    Kinds,
    /// The names of event records.
    Events,
}

/// A value of a row.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Nothing.
    None,
    /// An integer.
    Integer(i64),
    /// A floating-point number.
    Double(f64),
    /// A name by its place in the list.
    Name(u32),
    /// A text.
    Text(String),
}

impl From<u64> for Value {
    /// Numbers of more than 63 bits are taken for undefined, as OTF2 writes it.
    fn from(number: u64) -> Self {
        i64::try_from(number).map_or(Self::None, Self::Integer)
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Self {
        Self::Integer(number.into())
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Integer(number)
    }
}

impl<T: Into<Self>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::None, Into::into)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

/// The values of a column. Missing ones are `None`.
#[derive(Debug, Clone, PartialEq)]
pub enum Cells {
    /// Integers.
    Integers(Vec<i64>),
    /// Integers or nothing.
    Optional(Vec<Option<i64>>),
    /// Floating-point numbers or nothing.
    Doubles(Vec<Option<f64>>),
    /// Places in a list of names.
    Names(Vec<Option<u32>>),
    /// Texts.
    Texts(Vec<Option<String>>),
    /// A column that nobody wants.
    Unwanted,
}

impl Cells {
    fn new(kind: ColumnKind) -> Self {
        match kind {
            ColumnKind::Growing | ColumnKind::Integer => Self::Integers(Vec::new()),
            ColumnKind::Optional => Self::Optional(Vec::new()),
            ColumnKind::Double => Self::Doubles(Vec::new()),
            ColumnKind::Name(_) => Self::Names(Vec::new()),
            ColumnKind::Text => Self::Texts(Vec::new()),
        }
    }

    /// Adds a value. One of another type counts as nothing, nothing as 0 where it is not allowed.
    fn push(&mut self, value: Value) {
        match (self, value) {
            (Self::Integers(cells), Value::Integer(number)) => cells.push(number),
            (Self::Integers(cells), _) => cells.push(0),
            (Self::Optional(cells), Value::Integer(number)) => cells.push(Some(number)),
            (Self::Optional(cells), _) => cells.push(None),
            (Self::Doubles(cells), Value::Double(number)) => cells.push(Some(number)),
            (Self::Doubles(cells), _) => cells.push(None),
            (Self::Names(cells), Value::Name(place)) => cells.push(Some(place)),
            (Self::Names(cells), _) => cells.push(None),
            (Self::Texts(cells), Value::Text(text)) => cells.push(Some(text)),
            (Self::Texts(cells), _) => cells.push(None),
            (Self::Unwanted, _) => {}
        }
    }

    /// Adds integers to a column of integers.
    pub(crate) fn extend(&mut self, numbers: impl Iterator<Item = i64>) {
        if let Self::Integers(cells) = self {
            cells.extend(numbers);
        }
    }

    /// Adds names to a column of names.
    pub(crate) fn extend_names(&mut self, places: impl Iterator<Item = Option<u32>>) {
        if let Self::Names(cells) = self {
            cells.extend(places);
        }
    }

    fn retain(&mut self, is_kept: &[bool]) {
        let mut is_kept = is_kept.iter().copied();
        let mut next = || is_kept.next().unwrap_or(true);
        match self {
            Self::Integers(cells) => cells.retain(|_| next()),
            Self::Optional(cells) => cells.retain(|_| next()),
            Self::Doubles(cells) => cells.retain(|_| next()),
            Self::Names(cells) => cells.retain(|_| next()),
            Self::Texts(cells) => cells.retain(|_| next()),
            Self::Unwanted => {}
        }
    }

    fn clear(&mut self) {
        match self {
            Self::Integers(cells) => cells.clear(),
            Self::Optional(cells) => cells.clear(),
            Self::Doubles(cells) => cells.clear(),
            Self::Names(cells) => cells.clear(),
            Self::Texts(cells) => cells.clear(),
            Self::Unwanted => {}
        }
    }
}

/// Rows of a dataset, by column.
#[derive(Debug, Clone, PartialEq)]
pub struct Batch {
    /// The dataset.
    pub dataset: &'static Dataset,
    /// The number of rows.
    pub rows: usize,
    /// The values, by column.
    pub cells: Vec<Cells>,
}

impl Batch {
    /// Starts without rows. Columns that are not wanted stay empty.
    pub fn new(dataset: &'static Dataset, is_wanted: impl Fn(&Column) -> bool) -> Self {
        let cells = |column: &Column| match is_wanted(column) {
            true => Cells::new(column.kind),
            false => Cells::Unwanted,
        };
        Self { dataset, rows: 0, cells: dataset.columns.iter().map(cells).collect() }
    }

    /// Adds a row: a value for each column.
    pub fn push<const N: usize>(&mut self, row: [Value; N]) {
        debug_assert_eq!(N, self.cells.len(), "{}", self.dataset.name);
        for (cells, value) in self.cells.iter_mut().zip(row) {
            cells.push(value);
        }
        self.rows += 1;
    }

    /// Removes the rows whose region is not one of these, by their places in the list of names.
    /// Does nothing if the dataset has no regions.
    pub fn retain_regions(&mut self, is_kept: impl Fn(u32) -> bool) {
        let regions = self.dataset.columns.iter().position(Column::is_region);
        let Some(Cells::Names(regions)) = regions.map(|place| &self.cells[place]) else { return };
        let is_kept: Vec<_> = regions.iter().map(|place| place.is_some_and(&is_kept)).collect();
        self.cells.iter_mut().for_each(|cells| cells.retain(&is_kept));
        self.rows = is_kept.iter().filter(|is_kept| **is_kept).count();
    }

    /// Removes all rows.
    pub fn clear(&mut self) {
        self.cells.iter_mut().for_each(Cells::clear);
        self.rows = 0;
    }
}

/// Describes datasets: `NAME "name" { column: kind, ... }`.
macro_rules! datasets {
    ($($(#[$doc:meta])* $id:ident $name:literal { $($column:ident: $kind:expr),* $(,)? })*) => {
        $($(#[$doc])* pub static $id: Dataset = Dataset {
            name: $name,
            columns: &[$(Column { name: stringify!($column), kind: $kind }),*],
        };)*
        /// All datasets.
        pub static ALL: &[&Dataset] = &[$(&$id),*];
    };
}

use ColumnKind::{Double, Growing, Integer, Name, Optional, Text};
use List::{Collectives, Communicators, Events, Files, Kinds, Metrics, Parameters, Regions, Waits};

datasets! {
    /// Calls, in the order of their starts.
    CALLS "calls" {
        location: Integer, time: Growing, duration: Integer, exclusive: Integer, depth: Integer,
        region: Name(Regions), parent: Integer, context: Integer,
    }
    /// Messages, in the order in which both sides are known.
    MESSAGES "messages" {
        time: Optional, receive_time: Optional, source: Optional, destination: Optional,
        source_rank: Optional, destination_rank: Optional, communicator: Name(Communicators),
        tag: Integer, bytes: Integer, send_call: Optional, receive_call: Optional,
    }
    /// Wait states, in the order in which their operations are known.
    WAITS "waits" {
        location: Integer, time: Integer, duration: Integer, kind: Name(Waits),
        region: Name(Regions), call: Optional, cause: Integer, cause_time: Integer,
        is_doubtful: Integer, wrong_order: Name(Kinds), part: Integer,
    }
    /// The segments of the critical path, in the order of time, on request.
    CRITICAL "critical" {
        location: Integer, time: Growing, duration: Integer,
    }
    /// The iterations of the first threads of processes, on request.
    ITERATIONS "iterations" {
        location: Integer, iteration: Integer, time: Growing, duration: Integer, useful: Integer,
        waiting: Integer, region: Name(Regions),
    }
    /// The operations of the run on an ideal network, on request.
    REPLAY "replay" {
        location: Integer, time: Growing, ideal_time: Growing,
    }
    /// The parts of locations in collective operations.
    COLLECTIVES "collectives" {
        location: Integer, time: Growing, duration: Integer, operation: Name(Collectives),
        communicator: Name(Communicators), root: Optional, bytes_sent: Integer,
        bytes_received: Integer, instance: Optional,
    }
    /// Values of metrics.
    METRICS "metrics" {
        location: Integer, time: Growing, metric: Name(Metrics), value_int: Optional,
        value_double: Double,
    }
    /// Operations of input and output that are complete.
    IO "io" {
        location: Integer, time: Growing, duration: Optional, operation: Name(Kinds),
        handle: Integer, file: Name(Files), bytes_requested: Optional, bytes_done: Optional,
        offset: Optional,
    }
    /// Threads: teams, forks and joins, creation and end.
    THREADS "threads" {
        location: Integer, time: Growing, kind: Name(Kinds), team: Name(Communicators),
        threads: Optional, sequence: Optional,
    }
    /// Tasks.
    TASKS "tasks" {
        location: Integer, time: Growing, kind: Name(Kinds), team: Name(Communicators),
        creator: Optional, task: Integer,
    }
    /// Locks.
    LOCKS "locks" {
        location: Integer, time: Growing, kind: Name(Kinds), lock: Integer, acquisition: Optional,
    }
    /// One-sided communication.
    RMA "rma" {
        location: Integer, time: Growing, kind: Name(Kinds), window_name: Name(Communicators),
        remote: Optional, bytes_sent: Optional, bytes_received: Optional, matching: Optional,
    }
    /// Parameters.
    PARAMETERS "parameters" {
        location: Integer, time: Growing, parameter: Name(Parameters), value_int: Optional,
        value_text: Text,
    }
    /// Samples.
    SAMPLES "samples" {
        location: Integer, time: Growing, region: Name(Regions), calling_context: Integer,
        unwind_distance: Optional, generator: Integer,
    }
    /// All events, on request.
    EVENTS "events" {
        location: Integer, time: Growing, kind: Name(Events), region: Name(Regions), fields: Text,
    }
    /// Markers.
    MARKERS "markers" {
        time: Integer, duration: Integer, category: Text, marker_group: Text, severity: Integer,
        scope: Integer, scope_id: Optional, text: Text,
    }
    /// The locations.
    LOCATIONS "locations" {
        location: Integer, name: Text, kind: Text, location_group: Optional, events: Optional,
    }
    /// The location groups.
    LOCATION_GROUPS "location_groups" {
        location_group: Integer, name: Text, kind: Text, node: Text,
    }
    /// The regions.
    REGIONS "regions" {
        region_id: Integer, region: Text, canonical_name: Text, role: Text, paradigm: Text,
        file: Text, first_line: Integer, last_line: Integer,
    }
    /// The calling contexts of calls, by location.
    CONTEXTS "contexts" {
        context: Integer, location: Integer, parent: Optional, depth: Integer, region: Name(Regions),
    }
    /// The metrics.
    METRICS_DEFS "metrics_defs" {
        metric_id: Integer, metric: Text, description: Text, unit: Text, mode: Text, value_type: Text,
    }
    /// The communicators.
    COMMUNICATORS "communicators" {
        communicator_id: Integer, communicator: Text, members: Optional, parent: Optional,
    }
    /// The properties of the archive.
    PROPERTIES "properties" {
        property: Text, value: Text,
    }
}

impl Dataset {
    /// Returns whether the rows are definitions or markers, which do not belong to locations.
    pub fn is_global(&'static self) -> bool {
        let global =
            [&MARKERS, &LOCATIONS, &LOCATION_GROUPS, &REGIONS, &METRICS_DEFS, &COMMUNICATORS, &PROPERTIES];
        global.contains(&self)
    }

    /// Returns whether rows need all locations, so that those of parts of the locations are not the
    /// rows of the whole.
    pub fn needs_all_locations(&'static self) -> bool {
        self.is_global() || self.is_of_run() || [&MESSAGES, &WAITS].contains(&self)
    }

    /// Returns whether the dataset is large, or needs more readings of the trace.
    fn is_on_request(&'static self) -> bool {
        self.is_of_run() || *self == EVENTS
    }

    /// Returns whether the rows need two more readings of the trace.
    pub(crate) fn is_of_run(&'static self) -> bool {
        [&CRITICAL, &ITERATIONS, &REPLAY].contains(&self)
    }

    /// Returns the datasets that are written unless others are named.
    pub fn usual() -> impl Iterator<Item = &'static Self> {
        ALL.iter().copied().filter(|it| !it.is_on_request())
    }

    /// Returns the dataset with a name.
    pub fn of(name: &str) -> Option<&'static Self> {
        ALL.iter().copied().find(|it| it.name == name)
    }
}
