//! Jitdumps assembled by hand, in both byte orders.

use std::io::Cursor;

use super::super::history::{AddressFact, AddressHistory, LATE};
use super::{DumpFault, Jitdump};

const PROCESS: u32 = 12;
const ADDRESSES: [u64; 4] = [0x1000, 0x1008, 0x2000, 0x3000];

/// A jitdump under construction.
#[derive(Clone)]
struct Dump {
    bytes: Vec<u8>,
    is_big_endian: bool,
}

impl Dump {
    fn new(is_big_endian: bool) -> Self {
        Self::with_flags(is_big_endian, 0)
    }

    fn with_flags(is_big_endian: bool, flags: u64) -> Self {
        let mut dump = Self { bytes: Vec::new(), is_big_endian };
        for number in [u32::from_be_bytes(*b"JiTD"), 1, 40, 62, 0, PROCESS] {
            dump.bytes.extend(dump.u32(number));
        }
        dump.bytes.extend([dump.u64(5), dump.u64(flags)].concat());
        dump
    }

    fn u32(&self, number: u32) -> [u8; 4] {
        if self.is_big_endian { number.to_be_bytes() } else { number.to_le_bytes() }
    }

    fn u64(&self, number: u64) -> [u8; 8] {
        if self.is_big_endian { number.to_be_bytes() } else { number.to_le_bytes() }
    }

    fn record(mut self, kind: u32, time: u64, parts: &[&[u8]]) -> Self {
        let body = parts.concat();
        let begin = [&self.u32(kind)[..], &self.u32(16 + body.len() as u32), &self.u64(time)].concat();
        self.bytes.extend([begin, body].concat());
        self
    }

    fn load_of(self, process: u32, time: u64, (address, size): (u64, u64), index: u64, name: &str) -> Self {
        let numbers = [self.u32(process), self.u32(process)].concat();
        let places = [address, address, size, index].map(|number| self.u64(number)).concat();
        let code = vec![0xC3; size as usize];
        self.record(0, time, &[&numbers, &places, name.as_bytes(), b"\0", &code])
    }

    fn load(self, time: u64, code: (u64, u64), index: u64, name: &str) -> Self {
        self.load_of(PROCESS, time, code, index, name)
    }

    fn relocate(self, time: u64, old: u64, new: u64, size: u64, index: u64) -> Self {
        let numbers = [self.u32(PROCESS), self.u32(PROCESS)].concat();
        let places = [new, old, new, size, index].map(|number| self.u64(number)).concat();
        self.record(1, time, &[&numbers, &places])
    }

    fn lines(self, address: u64, lines: &[(u64, u32, &[u8])]) -> Self {
        let begin = [self.u64(address), self.u64(lines.len() as u64)].concat();
        let line = |&(address, line, file): &(u64, u32, &[u8])| {
            [&self.u64(address)[..], &self.u32(line), &self.u32(0), file, b"\0"].concat()
        };
        let lines: Vec<u8> = lines.iter().flat_map(line).collect();
        self.record(2, 1, &[&begin, &lines])
    }

    fn others(self) -> Self {
        self.record(4, 1, &[&[7; 24]]).record(77, 1, &[b"unknown"]).record(3, 1, &[])
    }

    fn read(&self) -> (AddressHistory, Option<String>) {
        read_until(&self.bytes, u64::MAX)
    }
}

fn read_until(bytes: &[u8], until: u64) -> (AddressHistory, Option<String>) {
    let mut history = AddressHistory::of(&ADDRESSES, LATE);
    let result =
        Jitdump::open(Cursor::new(bytes)).and_then(|mut dump| dump.read(PROCESS, until, &mut history));
    let fault = result.err().map(|fault| match fault {
        DumpFault::Format(what) => what,
        DumpFault::Io(error) => panic!("{error}"),
    });
    (history, fault)
}

fn at(history: &AddressHistory, address: u64, time: u64) -> String {
    match history.at(address, Some(&(time..=time))) {
        AddressFact::Unknown => "-".to_owned(),
        AddressFact::Ambiguous => "?".to_owned(),
        AddressFact::Function(frame) => {
            let file = frame.function.file.unwrap_or_default();
            format!("{} {file}:{} {}", frame.function.name, frame.function.line, frame.line)
        }
    }
}

/// Times that are further apart than a program is late.
const T: u64 = 10_000_000_000;

#[test]
fn code_has_its_name_from_its_load_to_the_next_one_in_both_byte_orders() {
    for is_big_endian in [false, true] {
        let dump = Dump::new(is_big_endian)
            .others()
            .load(T, (0x1000, 9), 0, "first")
            .load(2 * T, (0x2000, 1), 1, "JS:*f /a.js:3:4")
            .others()
            .load(3 * T, (0x1000, 4), 2, "second");
        let (history, fault) = dump.read();
        assert_eq!(fault, None);
        assert_eq!([T, 3 * T].map(|time| at(&history, 0x1000, time)), ["first :0 0", "second :0 0"]);
        assert_eq!([T, 3 * T].map(|time| at(&history, 0x1008, time)), ["first :0 0", "first :0 0"]);
        assert_eq!([T, 2 * T].map(|time| at(&history, 0x2000, time)), ["-", "f /a.js:3 0"]);
        assert_eq!(at(&history, 0x3000, T), "-");
    }
}

#[test]
fn code_that_is_moved_keeps_its_name() {
    let dump = Dump::new(false)
        .load(T, (0x9000, 16), 7, "far")
        .load(T, (0x1000, 16), 8, "near")
        .relocate(2 * T, 0x9000, 0x9100, 16, 7)
        .relocate(3 * T, 0x9100, 0x2000, 16, 7)
        .relocate(4 * T, 0x1000, 0x3000, 16, 8)
        .relocate(5 * T, 0x9900, 0x3000, 16, 99);
    let (history, fault) = dump.read();
    assert_eq!(fault, None);
    assert_eq!([T, 3 * T].map(|time| at(&history, 0x2000, time)), ["-", "far :0 0"]);
    assert_eq!([3 * T, 4 * T].map(|time| at(&history, 0x1008, time)), ["near :0 0", "?"]);
    // Another function, which is not known, was moved there.
    assert_eq!([4 * T, 5 * T].map(|time| at(&history, 0x3000, time)), ["near :0 0", "?"]);
}

#[test]
fn lines_belong_to_the_code_that_is_loaded_next_at_their_address() {
    for is_big_endian in [false, true] {
        let dump = Dump::new(is_big_endian)
            .lines(0x1000, &[(0x1000, 5, b"/a.c"), (0x1004, 6, b"\xff")])
            .load(T, (0x1000, 16), 0, "f")
            .load(T, (0x2000, 16), 1, "g")
            .lines(0x7000, &[(0x7000, 5, b"/a.c")])
            .load(T, (0x3000, 16), 2, "h");
        let (history, _) = dump.read();
        assert_eq!(at(&history, 0x1000, T), "f /a.c:5 5");
        assert_eq!(at(&history, 0x2000, T), "g :0 0");
        assert_eq!(at(&history, 0x3000, T), "h :0 0");
    }
}

#[test]
fn records_of_other_processes_and_of_later_times_do_not_count() {
    let dump = Dump::new(false)
        .load_of(PROCESS + 1, T, (0x1000, 16), 0, "other")
        .load(T, (0x2000, 16), 1, "own")
        .load(2 * T, (0x3000, 16), 2, "later");
    let (history, fault) = read_until(&dump.bytes, T);
    assert_eq!(fault, None);
    assert_eq!(ADDRESSES.map(|address| at(&history, address, 2 * T)), ["-", "-", "own :0 0", "-"]);
}

#[test]
fn the_flag_states_which_clock_the_times_are_of() {
    for (is_big_endian, flags) in [(false, 0), (false, 1), (true, 0), (true, 1)] {
        let bytes = Dump::with_flags(is_big_endian, flags).bytes;
        let dump = Jitdump::open(Cursor::new(bytes)).expect("a dump");
        assert_eq!((dump.process, dump.is_of_counter), (PROCESS, flags == 1));
    }
}

#[test]
fn a_file_that_ends_early_has_the_names_before_its_end() {
    let dump = Dump::new(false).load(T, (0x1000, 16), 0, "first").load(T, (0x2000, 16), 1, "second");
    let second = dump.bytes.len() - (16 + 40 + 7 + 16);
    for end in 0..dump.bytes.len() {
        let (history, fault) = read_until(&dump.bytes[..end], u64::MAX);
        let has_first = end >= second;
        assert_eq!(at(&history, 0x1000, T), if has_first { "first :0 0" } else { "-" }, "{end}");
        assert_eq!(at(&history, 0x2000, T), "-");
        assert_eq!(fault.is_none(), end == 40 || end == second, "{end}: {fault:?}");
    }
}

#[test]
fn a_fault_is_named_with_its_offset_and_what_was_expected() {
    let good = Dump::new(false).bytes;
    let changed = |at: usize, value: u8| {
        let mut bytes = good.clone();
        bytes[at] = value;
        read_until(&bytes, u64::MAX).1.unwrap_or_default()
    };
    assert_eq!(changed(0, 0), "at offset 0: not the begin of a jitdump");
    assert_eq!(changed(4, 9), "at offset 4: version 9, not 1");
    assert_eq!(changed(8, 39), "at offset 8: a header of 39 bytes, not 40");
    let with = |record: &[u8]| read_until(&[&good[..], record].concat(), u64::MAX).1.unwrap_or_default();
    assert_eq!(with(&[0; 9]), "at offset 40: 9 bytes, less than the begin of a record");
    assert_eq!(with(&[0; 16]), "at offset 40: a record of 0 bytes, less than its begin");
    let small = Dump::new(false).record(0, 1, &[&[0; 8]]).read().1.unwrap_or_default();
    assert_eq!(small, "at offset 40: a record of 24 bytes, not at least 56");
    let nameless = Dump::new(false).record(
        0,
        1,
        &[&PROCESS.to_le_bytes(), &[0; 12], &0x1000_u64.to_le_bytes(), &[1; 16], b"name"],
    );
    assert_eq!(nameless.read().1.unwrap_or_default(), "at offset 40: a name without an end");
}

/// Each changed byte, and random ones: no panic, no long loop, no memory that the file does not
/// justify.
#[test]
fn hostile_files_are_read_to_their_first_fault() {
    let dump = Dump::new(false)
        .lines(0x1000, &[(0x1000, 5, b"/a.c"), (0x1004, 6, b"/b.c")])
        .load(T, (0x1000, 16), 0, "JS:~f /a.js:1:2")
        .relocate(2 * T, 0x1000, 0x2000, 16, 0)
        .others();
    for at in 0..dump.bytes.len() {
        for value in [0, 1, 0x7f, 0x80, 0xff, dump.bytes[at] ^ 1, dump.bytes[at] ^ 0x40] {
            let mut bytes = dump.bytes.clone();
            bytes[at] = value;
            read_until(&bytes, u64::MAX);
        }
    }
    let mut seed = 0x9E37_79B9_7F4A_7C15_u64;
    let mut random = || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed
    };
    for _ in 0..20_000 {
        let mut bytes = dump.bytes.clone();
        for _ in 0..1 + random() % 8 {
            let at = 40 + random() as usize % (bytes.len() - 40);
            bytes[at] = random() as u8;
        }
        bytes.truncate(40 + random() as usize % (bytes.len() - 39));
        read_until(&bytes, u64::MAX);
    }
}
