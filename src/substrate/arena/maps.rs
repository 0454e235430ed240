//! A parser of `/proc/self/maps` that takes its input in pieces and allocates nothing.
//!
//! A line has the form `start-end perms offset device inode path`. Adjacent mappings with the same
//! permissions and the same file (or none) count as one, because the system splits a block if a
//! part of it is treated differently.

use core::ops::Range;

/// Finds the readable mapping that contains an address.
#[derive(Debug)]
pub(super) struct Finder {
    address: usize,
    line: Line,
    /// The mapping that the preceding lines form.
    current: Option<Line>,
}

/// A line, or the part of one that was read so far.
#[derive(Clone, Copy, Debug, Default)]
struct Line {
    column: u8,
    start: usize,
    end: usize,
    permissions: u64,
    device: u64,
    inode: u64,
}

impl Finder {
    pub(super) fn new(address: usize) -> Self {
        Self { address, line: Line::default(), current: None }
    }

    /// Parses the next bytes. Returns the mapping once its end is certain.
    pub(super) fn feed(&mut self, bytes: &[u8]) -> Option<Range<usize>> {
        for &byte in bytes {
            if byte != b'\n' {
                self.line.take(byte);
            } else if let found @ Some(_) = self.end_line() {
                return found;
            }
        }
        None
    }

    /// Ends the input. Returns the mapping if it is the last one.
    pub(super) fn finish(mut self) -> Option<Range<usize>> {
        self.line = Line::default();
        self.end_line()
    }

    fn end_line(&mut self) -> Option<Range<usize>> {
        let line = core::mem::take(&mut self.line);
        match &mut self.current {
            Some(current) if current.continues_in(&line) => current.end = line.end,
            current => {
                let complete = current.replace(line)?;
                return complete.contains(self.address).then_some(complete.start..complete.end);
            }
        }
        None
    }
}

impl Line {
    fn take(&mut self, byte: u8) {
        match (self.column, byte) {
            (0, b'-') | (_, b' ') => self.column = self.column.saturating_add(1),
            (0, _) => self.start = self.start << 4 | hexadecimal(byte) as usize,
            (1, _) => self.end = self.end << 4 | hexadecimal(byte) as usize,
            (2, _) => self.permissions = self.permissions << 8 | u64::from(byte),
            (4, _) => self.device = self.device << 4 | hexadecimal(byte),
            (5, _) => self.inode = self.inode.wrapping_mul(10).wrapping_add(hexadecimal(byte)),
            _ => {}
        }
    }

    fn is_readable(&self) -> bool {
        self.permissions >> 24 == u64::from(b'r')
    }

    fn contains(&self, address: usize) -> bool {
        self.is_readable() && (self.start..self.end).contains(&address)
    }

    fn continues_in(&self, next: &Self) -> bool {
        let of = |line: &Self| (line.permissions, line.device, line.inode);
        self.end == next.start && of(self) == of(next)
    }
}

/// The value of a digit, or 0 for any other byte.
fn hexadecimal(byte: u8) -> u64 {
    char::from(byte).to_digit(16).unwrap_or(0).into()
}

#[cfg(test)]
mod tests {
    use super::Finder;

    const MAPS: &str = "\
55e0c0000000-55e0c0021000 rw-p 00000000 00:00 0                          [heap]
7f0000000000-7f0000001000 rw-p 00000000 00:00 0 
7f0000001000-7f0000003000 rw-p 00000000 00:00 0 
7f0000003000-7f0000004000 r--p 00001000 fd:01 1234                       /usr/lib/with - and \\012.so
7f0000004000-7f0000005000 r--p 00002000 fd:01 1235                       /usr/lib/b.so
7f0000005000-7f0000006000 ---p 00000000 00:00 0 
ffffffffff600000-ffffffffff601000 r-xp 00000000 00:00 0                  [vsyscall]
";

    fn find(address: usize, piece: usize) -> Option<(usize, usize)> {
        let mut finder = Finder::new(address);
        let found = MAPS.as_bytes().chunks(piece).find_map(|bytes| finder.feed(bytes));
        found.or_else(|| finder.finish()).map(|found| (found.start, found.end))
    }

    #[test]
    fn parts_of_a_block_are_joined_and_other_neighbours_are_not() {
        for piece in [1, 7, 64, 4096] {
            assert_eq!(find(0x55e0_c000_0010, piece), Some((0x55e0_c000_0000, 0x55e0_c002_1000)));
            for address in [0x7f00_0000_0000, 0x7f00_0000_0fff, 0x7f00_0000_1000, 0x7f00_0000_2fff] {
                assert_eq!(find(address, piece), Some((0x7f00_0000_0000, 0x7f00_0000_3000)));
            }
            assert_eq!(find(0x7f00_0000_3000, piece), Some((0x7f00_0000_3000, 0x7f00_0000_4000)));
            assert_eq!(
                find(0xffff_ffff_ff60_0000, piece),
                Some((0xffff_ffff_ff60_0000, 0xffff_ffff_ff60_1000))
            );
        }
    }

    #[test]
    fn unmapped_and_unreadable_addresses_are_not_found() {
        for address in [0, 0x1000, 0x7f00_0000_5000, 0x7f00_0000_6000, usize::MAX] {
            assert_eq!(find(address, 100), None, "{address:#x}");
        }
    }
}
