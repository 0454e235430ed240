//! Short names of processes and locations, which keep the parts that distinguish them.
//!
//! A build has many processes of one program, whose names differ in the number of the process only.
//! A label has the argument that the others lack, and the number where nothing else differs.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};

use kymo_analysis::Trace;
use kymo_analysis::overview::{Overview, Program};
use kymo_otf2::references::{LocationGroupRef, StringRef};

use super::arrangement::Row;

/// The labels of a trace.
#[derive(Debug)]
pub(crate) struct Labels<'t> {
    trace: &'t Trace,
    overview: &'t Overview,
    processes: HashMap<LocationGroupRef, String>,
    /// The number of locations of each process.
    locations: HashMap<LocationGroupRef, usize>,
}

/// Returns the part of a path after the last slash.
fn file_name(path: &str) -> &str {
    path.rsplit('/').next().filter(|name| !name.is_empty()).unwrap_or(path)
}

/// Splits the number from the name of a process: `make (1234)`.
fn split(name: &str) -> (&str, &str) {
    let number = name.rsplit_once(" (").filter(|(_, number)| {
        number.strip_suffix(')').is_some_and(|it| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit()))
    });
    number.map_or((name, ""), |(short, _)| (short, &name[short.len()..]))
}

impl<'t> Labels<'t> {
    pub(crate) fn of(trace: &'t Trace, overview: &'t Overview) -> Self {
        let arguments = distinguishing(trace, overview);
        let mut processes = HashMap::new();
        for location in trace.locations() {
            processes.entry(location.group).or_insert_with(|| {
                let name = trace.location_group_name(location.group);
                let (short, number) = split(&name);
                let argument = arguments.get(&location.group).map(|it| format!(" {it}"));
                (format!("{short}{}", argument.unwrap_or_default()), number.to_owned())
            });
        }
        let mut counts = HashMap::<String, usize>::new();
        processes.values().for_each(|(label, _)| *counts.entry(label.clone()).or_default() += 1);
        let whole = |(label, number): (String, String)| match counts[&label] {
            1 => label,
            _ => label + &number,
        };
        let processes = processes.into_iter().map(|(group, label)| (group, whole(label))).collect();
        let mut locations = HashMap::new();
        for location in trace.locations() {
            *locations.entry(location.group).or_default() += 1;
        }
        Self { trace, overview, processes, locations }
    }

    pub(crate) fn process(&self, group: LocationGroupRef) -> String {
        let known = self.processes.get(&group).cloned();
        known.unwrap_or_else(|| self.trace.location_group_name(group).into_owned())
    }

    /// Returns the labels of the process and of the location of a row, of the process alone if it
    /// has no other location; for several locations, their number.
    pub(crate) fn row(&self, row: &Row) -> String {
        match row.lanes[..] {
            [lane] => self.lane(lane),
            _ => format!("{} locations", row.lanes.len()),
        }
    }

    pub(crate) fn lane(&self, lane: usize) -> String {
        self.trace.location(self.overview.lanes[lane].0).map_or_else(String::new, |it| {
            let process = self.process(it.group);
            let name = self.trace.location_name(it);
            match name.starts_with(&*self.trace.location_group_name(it.group)) {
                true => name.into_owned(),
                false if self.locations.get(&it.group) == Some(&1) => process,
                false => format!("{process}, {name}"),
            }
        })
    }

    /// Returns the command line of the program that began first.
    pub(crate) fn command(&self) -> Option<String> {
        let began = self.overview.lanes.iter().filter(|(_, lane)| lane.program.is_some());
        let (_, first) = began.min_by_key(|(_, lane)| lane.span.map(|it| it.0))?;
        let Program { name, arguments } = first.program.as_ref()?;
        let text = |id: &StringRef| self.trace.string(*id).unwrap_or_default();
        let words = arguments.iter().map(|it| quoted(text(it)));
        Some([quoted(file_name(text(name)))].into_iter().chain(words).collect::<Vec<_>>().join(" "))
    }
}

/// Returns an argument as a shell reads it.
fn quoted(argument: &str) -> Cow<'_, str> {
    let is_plain = |it: char| it.is_alphanumeric() || "_-+=./:,@%".contains(it);
    match !argument.is_empty() && argument.chars().all(is_plain) {
        true => argument.into(),
        false => format!("'{}'", argument.replace('\'', r"'\''")).into(),
    }
}

/// Returns the argument of each process that others of its program lack. Of one process alone, it
/// is the first name of a file.
fn distinguishing(trace: &Trace, overview: &Overview) -> HashMap<LocationGroupRef, String> {
    let text = |id: &StringRef| trace.string(*id).unwrap_or_default();
    let mut programs = BTreeMap::<_, Vec<(LocationGroupRef, Vec<&str>)>>::new();
    for (location, lane) in &overview.lanes {
        let Some((location, program)) = trace.location(*location).zip(lane.program.as_ref()) else {
            continue;
        };
        let arguments = program.arguments.iter().map(text).collect();
        programs.entry(text(&program.name)).or_default().push((location.group, arguments));
    }
    let mut found = HashMap::new();
    for processes in programs.into_values() {
        let shared = shared(&processes);
        let own = |arguments: &[&'_ str]| chosen(arguments.iter().copied().filter(|it| !shared.contains(it)));
        let chosen: Vec<_> = processes.iter().map(|(group, arguments)| (*group, own(arguments))).collect();
        let names: HashSet<_> = chosen.iter().filter_map(|it| it.1.as_deref()).map(file_name).collect();
        let is_short = names.len() == chosen.iter().filter(|it| it.1.is_some()).count();
        for (group, argument) in chosen {
            let shown = argument.map(|it| if is_short { file_name(&it).to_owned() } else { it });
            found.extend(shown.map(|argument| (group, argument)));
        }
    }
    found
}

/// Returns the arguments that all processes have.
fn shared<'a>(processes: &[(LocationGroupRef, Vec<&'a str>)]) -> HashSet<&'a str> {
    let [(_, first), others @ ..] = processes else { return HashSet::new() };
    match others {
        [] => HashSet::new(),
        _ => first.iter().filter(|it| others.iter().all(|(_, own)| own.contains(it))).copied().collect(),
    }
}

/// Returns the argument on which the process most likely works: a file, unless it is a temporary
/// one.
fn chosen<'a>(arguments: impl Iterator<Item = &'a str> + Clone) -> Option<String> {
    let mut operands =
        arguments.filter(|it| !it.starts_with('-') && !it.starts_with("/tmp/") && !it.is_empty());
    let file = operands.clone().find(|it| it.contains('.'));
    file.or_else(|| operands.next()).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_has_the_argument_that_others_lack() {
        let compile = |source| vec!["-quiet", "-imultiarch", "x86_64-linux-gnu", source, "-o", "/tmp/c.s"];
        let processes: Vec<_> =
            [(1, "a.cpp"), (2, "b.cpp")].map(|(id, source)| (LocationGroupRef(id), compile(source))).into();
        let shared = shared(&processes);
        let own = |at: usize| chosen(processes[at].1.iter().copied().filter(|it| !shared.contains(it)));
        assert_eq!([own(0).as_deref(), own(1).as_deref()], [Some("a.cpp"), Some("b.cpp")]);
        assert_eq!(chosen(["-o", "/tmp/x.o", "prog"].into_iter()).as_deref(), Some("prog"));
        assert_eq!(chosen(["-j2"].into_iter()), None);
    }

    #[test]
    fn the_number_of_a_process_is_split_from_its_name() {
        assert_eq!(split("make (1234)"), ("make", " (1234)"));
        assert_eq!(split("rank 3 a (b)"), ("rank 3 a (b)", ""));
        assert_eq!(split("MPI Rank 3"), ("MPI Rank 3", ""));
    }

    #[test]
    fn arguments_are_quoted_where_a_shell_needs_it() {
        assert_eq!(["a.c", "", "it's", "-j2"].map(quoted), ["a.c", "''", r"'it'\''s'", "-j2"]);
    }
}
