//! The tables of lines: the contents of a line for each kind of record.

// Writes the lines of an enum of records.
//
// Input:
//     line, record: Event, head;
//     MpiSend "MPI_SEND" _ "Receiver: " [rank receiver communicator] ", Tag: " msg_tag;
// Expansion:
//     match record {
//         Event::MpiSend(record) => {
//             head(line, &const { left_aligned("MPI_SEND") }, None);
//             line.text("Receiver: ");
//             line.rank(&record.receiver, &record.communicator);
//             line.text(", Tag: ");
//             line.show(&record.msg_tag);
//             line.text("\n");
//         }
//         _ => return false,
//     }
//
// The name is followed by the field for the id column, if there is one.
macro_rules! lines {
    ($line:ident, $any:ident: $family:ident, $head:expr; $($record:ident $name:literal $id:tt $($text:literal $field:tt)*;)*) => {
        match $any {
            $($family::$record(record) => {
                $head($line, &const { $crate::print::text::lines::left_aligned($name) }, lines!(@id record $id));
                $(
                    $line.text($text);
                    lines!(@field $line record $field);
                )*
                $line.text("\n");
            })*
            _ => return false,
        }
    };
    (@id $record:ident _) => { { let _ = $record; None } };
    (@id $record:ident $field:ident) => { Some(u64::from($record.$field.0)) };
    (@field $line:ident $record:ident [$method:ident $($field:ident)*]) => { $line.$method($(&$record.$field),*) };
    (@field $line:ident $record:ident $field:ident) => { $line.show(&$record.$field) };
}

pub(super) use lines;

/// Returns a name, blanks, and a text at the end.
pub(super) const fn justified<const WIDTH: usize>(name: &str, end: &str) -> [u8; WIDTH] {
    let mut column = left_aligned(name);
    let mut place = 0;
    while place < end.len() {
        column[WIDTH - end.len() + place] = end.as_bytes()[place];
        place += 1;
    }
    column
}

/// Returns a name followed by blanks.
pub(super) const fn left_aligned<const WIDTH: usize>(name: &str) -> [u8; WIDTH] {
    let mut column = [b' '; WIDTH];
    let mut place = 0;
    while place < name.len() {
        column[place] = name.as_bytes()[place];
        place += 1;
    }
    column
}
