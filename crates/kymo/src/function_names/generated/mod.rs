//! The names of code that programs generate at run time, from the files that they write about it.
//!
//! The region of such code states the process ([`CodeGenerator`]). [`written_file`] decides which
//! files are its own, [`perf_map`] and [`jitdump`] read them, [`readable`] makes functions of their
//! names, [`history`] keeps the functions at an address over time, and [`spans`] finds when an
//! address was sampled. Invariants: an address has a name only if no other function can have been
//! there; files that cannot be used are named in one line each, and change nothing else.

mod history;
mod jitdump;
mod perf_map;
mod process;
mod readable;
mod spans;
mod written_file;

use std::collections::{BTreeMap, HashMap};

use kymo_otf2::read::Archive;
use kymo_symbols::FunctionFrame;
use kymo_symbols::code_generator::{CodeGenerator, CodeMaker};

use self::process::{GeneratingProcess, SourceFaults};
use self::spans::ContextSpans;
use crate::problem::Problem;

/// The contexts of an archive, as far as the names of generated code depend on them.
#[derive(Debug, Default)]
pub(super) struct GeneratedContexts {
    /// The addresses of those in generated code, with the number of the process.
    pub(super) addresses: BTreeMap<u32, (usize, u64)>,
    /// The processes; some may have the same number and begin.
    pub(super) generators: Vec<CodeGenerator>,
    /// The callers of all contexts.
    pub(super) parents: BTreeMap<u32, u32>,
}

/// The functions of contexts in generated code.
#[derive(Debug, Default)]
pub(super) struct GeneratedNames(HashMap<u32, FunctionFrame>);

impl GeneratedNames {
    /// Looks them up.
    pub(super) fn look_up(archive: &Archive, contexts: &GeneratedContexts) -> Result<Self, Problem> {
        let (processes, numbers) = processes(&contexts.generators);
        // Most programs generate no code. Only wrong frames of some stacks are outside of files.
        if contexts.addresses.is_empty() || !processes.iter().any(GeneratingProcess::has_files) {
            return Ok(Self::default());
        }
        let owners = owners(contexts, &numbers);
        let spans = ContextSpans::read(archive, &contexts.parents, &owners)?;
        let (mut names, mut faults) = (HashMap::new(), SourceFaults::default());
        for (number, process) in processes.iter().enumerate() {
            let own = contexts.addresses.iter().filter(|(_, (of, _))| numbers.get(*of) == Some(&number));
            let own: Vec<_> = own.map(|(&id, &(_, address))| (id, address)).collect();
            let addresses: Vec<_> = own.iter().map(|&(_, address)| address).collect();
            let end = process.real_time(spans.end_of(number));
            let next = next(process, &processes);
            let sources = process.sources(&addresses, end, next, &mut faults);
            let name = |&(id, address): &(u32, u64)| {
                Some((id, sources.function(address, spans.of(id), process.clock())?))
            };
            names.extend(own.iter().filter_map(name));
        }
        faults.report();
        Ok(Self(names))
    }

    /// Returns the function of a context.
    pub(super) fn of(&self, context: u32) -> Option<&FunctionFrame> {
        self.0.get(&context)
    }
}

/// Returns the processes, and the number of the process of each generator.
fn processes(generators: &[CodeGenerator]) -> (Vec<GeneratingProcess>, Vec<usize>) {
    let mut processes: Vec<GeneratingProcess> = Vec::new();
    let mut known: HashMap<(CodeMaker, &str), usize> = HashMap::new();
    let mut numbers = Vec::with_capacity(generators.len());
    for generator in generators {
        let number = *known.entry((generator.maker, &*generator.boot)).or_insert(processes.len());
        numbers.push(number);
        match processes.get_mut(number) {
            Some(process) => process.add_dump(generator),
            None => processes.push(GeneratingProcess::of(generator)),
        }
    }
    (processes, numbers)
}

/// Returns the processes of contexts: those that have generated their code or that of a caller.
fn owners(contexts: &GeneratedContexts, numbers: &[usize]) -> HashMap<u32, usize> {
    let mut owners = HashMap::new();
    // Callers have smaller ids.
    for (&context, parent) in &contexts.parents {
        let own = contexts.addresses.get(&context).and_then(|&(of, _)| numbers.get(of).copied());
        if let Some(owner) = own.or_else(|| owners.get(parent).copied()) {
            owners.insert(context, owner);
        }
    }
    owners
}

/// Returns when the next program of the same process began, if it generated code, too.
fn next(process: &GeneratingProcess, all: &[GeneratingProcess]) -> Option<u64> {
    let (of, boot) = (process.generator.maker, &process.generator.boot);
    let others = all.iter().map(|other| &other.generator).filter(|other| other.boot == *boot);
    let later = others.map(|other| other.maker).filter(|it| it.process == of.process && it.began > of.began);
    later.map(|it| it.began).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn generator(process: u32, began: u64, dump: Option<&str>) -> CodeGenerator {
        let maker = CodeMaker { process, began, map: 0 };
        CodeGenerator { maker, dump: dump.map(str::to_owned), ..CodeGenerator::default() }
    }

    #[test]
    fn regions_of_one_program_are_one_process_and_a_later_program_is_another() {
        let other_boot = CodeGenerator { boot: "b".into(), ..generator(7, 15, None) };
        let all = [generator(7, 10, None), generator(7, 20, None), generator(7, 10, Some("d")), other_boot];
        let (processes, numbers) = processes(&all);
        assert_eq!((processes.len(), numbers), (3, vec![0, 1, 0, 2]));
        let nexts = processes.iter().map(|process| next(process, &processes));
        assert_eq!(nexts.collect::<Vec<_>>(), [Some(20), None, None]);
    }

    #[test]
    fn a_context_belongs_to_the_process_of_the_generated_code_around_it() {
        let contexts = GeneratedContexts {
            addresses: BTreeMap::from([(1, (0, 5)), (3, (1, 5))]),
            parents: BTreeMap::from([(0, u32::MAX), (1, 0), (2, 1), (3, 2), (4, 3), (5, 0)]),
            ..GeneratedContexts::default()
        };
        let owners = owners(&contexts, &[7, 8]);
        let expected = [None, Some(7), Some(7), Some(8), Some(8), None];
        assert_eq!([0, 1, 2, 3, 4, 5].map(|context| owners.get(&context).copied()), expected);
    }
}
