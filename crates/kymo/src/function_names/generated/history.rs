//! The functions at addresses of generated code, over time.
//!
//! Only addresses that were sampled are of interest: memory is bounded by their number and by
//! [`CHANGES`] for each, whatever a file contains. Invariant: a function is returned only if no
//! other one was at the address in the whole [`SampledSpan`].

use std::collections::HashMap;
use std::ops::RangeInclusive;

use kymo_symbols::{Function, FunctionFrame};

/// The changes of an address that are kept. An address with more has no name.
const CHANGES: usize = 64;
/// The number of changes of all addresses together, at most.
const WORK: u64 = 1 << 28;
/// The size of all names together, at most.
const NAMES: usize = 1 << 28;
/// Some programs write about code a moment after it was first executed, in nanoseconds.
pub(super) const LATE: u64 = 1_000_000_000;

/// The times at which an address was sampled.
pub(super) type SampledSpan = RangeInclusive<u64>;

/// A function from a time on.
#[derive(Debug, Clone, Copy)]
struct FunctionChange {
    time: u64,
    /// Nothing after the end of a function.
    function: Option<FunctionPlace>,
}

/// A function, with the number of the line in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FunctionPlace {
    number: u32,
    line: u32,
}

/// The functions at some addresses.
#[derive(Debug, Default)]
pub(super) struct AddressHistory {
    addresses: Vec<u64>,
    /// For each address; `None` after too many.
    changes: Vec<Option<Vec<FunctionChange>>>,
    functions: Vec<Function>,
    numbers: HashMap<Function, u32>,
    work: u64,
    names: usize,
    /// How much later than it was first executed code may be written about.
    late: u64,
}

/// There is no room for more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct HistoryIsFull;

/// The function at an address in a span of time, as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum AddressFact {
    /// Nothing was written about it.
    Unknown,
    /// Several functions were there, or it is not certain which one.
    Ambiguous,
    Function(FunctionFrame),
}

impl AddressHistory {
    /// Creates the history of these addresses. Code may be written about later than it was first
    /// executed, by as much as `late`.
    pub(super) fn of(addresses: &[u64], late: u64) -> Self {
        let mut addresses = addresses.to_vec();
        addresses.sort_unstable();
        addresses.dedup();
        let changes = vec![Some(Vec::new()); addresses.len()];
        Self { addresses, changes, late, ..Self::default() }
    }

    fn covered(&self, begin: u64, size: u64) -> std::ops::Range<usize> {
        let from = self.addresses.partition_point(|&address| address < begin);
        let after = |&address: &u64| address.checked_sub(begin).is_none_or(|offset| offset < size);
        from..self.addresses.partition_point(after).max(from)
    }

    /// Whether any of the addresses is in a range.
    pub(super) fn covers(&self, begin: u64, size: u64) -> bool {
        !self.covered(begin, size).is_empty()
    }

    /// Returns the number of a function.
    pub(super) fn number(&mut self, function: Function) -> Result<u32, HistoryIsFull> {
        if let Some(&known) = self.numbers.get(&function) {
            return Ok(known);
        }
        self.names += function.mangled.len() + function.file.as_deref().map_or(0, str::len);
        if self.names > NAMES {
            return Err(HistoryIsFull);
        }
        let number = self.functions.len() as u32;
        self.functions.push(function.clone());
        self.numbers.insert(function, number);
        Ok(number)
    }

    /// Notes that a function is in a range from a time on. `line` returns the line of an address.
    pub(super) fn begin(
        &mut self,
        (begin, size): (u64, u64),
        time: u64,
        number: u32,
        line: impl Fn(u64) -> u32,
    ) -> Result<(), HistoryIsFull> {
        self.change(begin, size, |address| FunctionChange {
            time,
            function: Some(FunctionPlace { number, line: line(address) }),
        })
    }

    /// Notes that nothing is in a range from a time on.
    pub(super) fn end(&mut self, begin: u64, size: u64, time: u64) -> Result<(), HistoryIsFull> {
        self.change(begin, size, |_| FunctionChange { time, function: None })
    }

    fn change(
        &mut self,
        begin: u64,
        size: u64,
        change: impl Fn(u64) -> FunctionChange,
    ) -> Result<(), HistoryIsFull> {
        let covered = self.covered(begin, size);
        self.work += covered.len() as u64;
        if self.work > WORK {
            return Err(HistoryIsFull);
        }
        let addresses = self.addresses.get(covered.clone()).unwrap_or_default();
        let places = self.changes.get_mut(covered).unwrap_or_default();
        for (&address, place) in addresses.iter().zip(places) {
            let Some(changes) = place else { continue };
            let new = change(address);
            if changes.last().is_some_and(|last| last.function == new.function && last.time <= new.time) {
                continue;
            }
            if changes.len() == CHANGES {
                *place = None;
                continue;
            }
            // Threads write about their code in an order that is almost that of time.
            let at = changes.iter().rposition(|it| it.time <= new.time).map_or(0, |at| at + 1);
            changes.insert(at, new);
        }
        Ok(())
    }

    /// Returns the function at an address during a span, or at any time without one.
    pub(super) fn at(&self, address: u64, span: Option<&SampledSpan>) -> AddressFact {
        let Ok(place) = self.addresses.binary_search(&address) else { return AddressFact::Unknown };
        let Some(changes) = self.changes.get(place).and_then(Option::as_ref) else {
            return AddressFact::Ambiguous;
        };
        let present = match span {
            Some(span) => present(changes, span, self.late),
            None => changes,
        };
        match present {
            [] => AddressFact::Unknown,
            [first, others @ ..] => match first.function {
                Some(place) => self.fact_of_all(place, others),
                None => AddressFact::Ambiguous,
            },
        }
    }

    /// Returns the function if all others are the same; its line, if they have the same, too.
    fn fact_of_all(&self, place: FunctionPlace, others: &[FunctionChange]) -> AddressFact {
        let mut others = others.iter().map(|it| it.function);
        let is_same = |other: &Option<FunctionPlace>| other.is_some_and(|it| it.number == place.number);
        if !others.clone().all(|other| is_same(&other)) {
            return AddressFact::Ambiguous;
        }
        let line = if others.all(|other| other == Some(place)) { place.line } else { 0 };
        self.fact(FunctionPlace { line, ..place })
    }

    fn fact(&self, place: FunctionPlace) -> AddressFact {
        let Some(function) = self.functions.get(place.number as usize) else { return AddressFact::Unknown };
        let (function, file) = (function.clone(), function.file.clone());
        AddressFact::Function(FunctionFrame { function, file, line: place.line, is_split_off: false })
    }
}

/// Returns the changes that were in force during a span.
fn present<'a>(changes: &'a [FunctionChange], span: &SampledSpan, late: u64) -> &'a [FunctionChange] {
    let end = changes.partition_point(|change| change.time <= *span.end());
    match changes.partition_point(|change| change.time <= *span.start()) {
        0 => {
            // The first function may have been written late.
            let is_late = |first: &FunctionChange| first.time.saturating_sub(late) <= *span.start();
            let is_known = changes.first().is_some_and(is_late);
            if is_known { changes.get(..end.max(1)).unwrap_or_default() } else { &[] }
        }
        begin => changes.get(begin - 1..end).unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: u64 = 1_000_000_000;

    fn named(name: &str) -> Function {
        Function { name: name.into(), mangled: name.into(), file: Some("f".into()), line: 1 }
    }

    fn history(changes: &[(u64, Option<&str>)]) -> AddressHistory {
        let mut history = AddressHistory::of(&[100, 105, 105, 200], LATE);
        for &(time, name) in changes {
            match name {
                Some(name) => {
                    let number = history.number(named(name)).unwrap();
                    history.begin((100, 10), time * SECOND, number, |address| address as u32).unwrap();
                }
                None => history.end(100, 10, time * SECOND).unwrap(),
            }
        }
        history
    }

    fn shown(history: &AddressHistory, address: u64, span: Option<(u64, u64)>) -> String {
        let span = span.map(|(from, to)| from * SECOND..=to * SECOND);
        match history.at(address, span.as_ref()) {
            AddressFact::Unknown => "unknown".into(),
            AddressFact::Ambiguous => "ambiguous".into(),
            AddressFact::Function(frame) => format!("{}:{}", frame.function.name, frame.line),
        }
    }

    #[test]
    fn an_address_belongs_to_the_function_that_was_there_at_the_time() {
        let history = history(&[(10, Some("a")), (20, Some("b")), (30, None), (40, Some("a"))]);
        let at = |from, to| shown(&history, 105, Some((from, to)));
        assert_eq!(at(10, 19), "a:105");
        assert_eq!((at(20, 29), at(41, 90)), ("b:105".into(), "a:105".into()));
        assert_eq!(
            (at(19, 20), at(30, 31), at(29, 30)),
            ("ambiguous".into(), "ambiguous".into(), "ambiguous".into())
        );
        assert_eq!(shown(&history, 105, None), "ambiguous");
        assert_eq!(
            (shown(&history, 200, None), shown(&history, 7, None)),
            ("unknown".into(), "unknown".into())
        );
    }

    #[test]
    fn a_function_is_there_a_moment_before_it_was_written_if_nothing_else_was() {
        let history = history(&[(10, Some("a")), (20, Some("b"))]);
        let at = |from, to| shown(&history, 100, Some((from, to)));
        assert_eq!(
            (at(9, 9), at(9, 15), at(8, 15), at(8, 8)),
            ("a:100".into(), "a:100".into(), "unknown".into(), "unknown".into())
        );
    }

    #[test]
    fn a_function_that_was_written_again_is_the_same() {
        let history = history(&[(10, Some("a")), (20, Some("a"))]);
        assert_eq!(shown(&history, 100, Some((12, 30))), "a:100");
        assert_eq!(shown(&history, 100, None), "a:100");
    }

    #[test]
    fn the_order_of_times_counts_and_not_that_of_the_file() {
        let history = history(&[(20, Some("b")), (10, Some("a"))]);
        assert_eq!(shown(&history, 100, Some((12, 13))), "a:100");
        assert_eq!(shown(&history, 100, Some((22, 23))), "b:100");
    }

    #[test]
    fn ranges_end_before_their_end_even_at_the_end_of_memory() {
        let mut history = AddressHistory::of(&[0, 10, 20, u64::MAX], LATE);
        let number = history.number(named("a")).unwrap();
        history.begin((10, 10), 0, number, |_| 0).unwrap();
        history.begin((u64::MAX, u64::MAX), 0, number, |_| 0).unwrap();
        let found = [0, 10, 20, u64::MAX].map(|address| shown(&history, address, None));
        assert_eq!(found, ["unknown", "a:0", "unknown", "a:0"]);
        assert!(history.covers(0, 1) && !history.covers(0, 0) && !history.covers(11, 9));
    }

    #[test]
    fn memory_is_bounded_whatever_is_written() {
        let mut history = AddressHistory::of(&(0..1000).collect::<Vec<_>>(), LATE);
        let numbers = ["a", "b"].map(|name| history.number(named(name)).unwrap());
        let full = (0..)
            .find(|&turn: &u64| history.begin((0, 1000), turn, numbers[turn as usize % 2], |_| 0).is_err());
        assert_eq!(full, Some(WORK / 1000));
        assert_eq!(shown(&history, 5, Some((0, 0))), "ambiguous");
        assert!(history.changes.iter().all(Option::is_none));
    }
}
