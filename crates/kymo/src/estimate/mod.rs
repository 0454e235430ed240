//! `kymo estimate`: answers how many bytes events will take, in the language of otf2-estimator.
//!
//! [`command`] parses a line, [`number`] its numbers. Invariant: standard output is that of
//! otf2-estimator for every script; the first mistake ends both.

mod command;
mod number;

use std::io::{self, BufRead, ErrorKind, Read, Write};

use clap::Args;
use kymo_otf2::enums::{MappingType, Type};
use kymo_otf2::estimate::Estimator;
use kymo_otf2::events::Event;
use kymo_otf2::mappings::space_of;

use self::command::{Command, Key, Listing, list_count};
use crate::output::{complain, hint};
use crate::status::Status;

/// The length from which on a line is not a command, in bytes.
const LONGEST: u64 = 1 << 24;

/// Estimate the sizes of events, as otf2-estimator does
#[derive(Debug, Args)]
#[command(
    after_help = "Commands are read from standard input, one per line: 'list definitions', 'list events', \
                  'list types'; 'set DEFINITION NUMBER' sets the number of definitions of a kind; 'get \
                  DefChunkSize', 'get Timestamp', 'get AttributeList TYPES…', 'get EVENT [ELEMENTS]' print a \
                  size after the words that follow 'get'; 'exit'. Exit status: 0 success, 2 a mistake in a \
                  command, 4 I/O error"
)]
pub(crate) struct Arguments {}

/// Why no further command is read.
enum End {
    /// The input ends, or the command `exit`.
    Done,
    Mistake(String),
    Input(io::Error),
    Output(io::Error),
}

impl Arguments {
    /// Answers the commands on standard input.
    pub(crate) fn run(&self) -> Status {
        match answer_all(&mut io::stdin().lock(), &mut io::stdout().lock()) {
            End::Done => Status::Done,
            End::Output(error) if error.kind() == ErrorKind::BrokenPipe => Status::Done,
            End::Output(error) => {
                complain(&format!("standard output: {error}"));
                Status::Environment
            }
            End::Input(error) => {
                complain(&format!("standard input: {error}"));
                Status::Environment
            }
            End::Mistake(what) => {
                complain(&what);
                hint("Try 'kymo estimate --help' for more information.");
                Status::Usage
            }
        }
    }
}

fn answer_all(input: &mut impl BufRead, output: &mut impl Write) -> End {
    let mut estimator = Estimator::new();
    let mut line = Vec::new();
    loop {
        line.clear();
        match input.by_ref().take(LONGEST).read_until(b'\n', &mut line) {
            Ok(0) => return End::Done,
            Ok(count) if count as u64 == LONGEST => {
                return End::Mistake(format!("a command of more than {LONGEST} bytes"));
            }
            Ok(_) => {}
            Err(error) => return End::Input(error),
        }
        if let Err(end) = answer(line.strip_suffix(b"\n").unwrap_or(&line), &mut estimator, output) {
            return end;
        }
    }
}

fn answer(line: &[u8], estimator: &mut Estimator, output: &mut impl Write) -> Result<(), End> {
    let written = match Command::parse(line).map_err(End::Mistake)? {
        None => return Ok(()),
        Some(Command::Exit) => return Err(End::Done),
        Some(Command::Set(space, number)) => {
            estimator.set_definitions(space, number);
            return Ok(());
        }
        Some(Command::List(listing)) => list(listing, output),
        Some(Command::Get { key, text }) => {
            output.write_all(text).and_then(|()| writeln!(output, " {}", size(&key, estimator)))
        }
    };
    // The answers are read one by one.
    written.and_then(|()| output.flush()).map_err(End::Output)
}

fn size(key: &Key, estimator: &Estimator) -> u64 {
    match key {
        Key::DefinitionChunk => estimator.definition_chunk_size(),
        Key::Timestamp => Estimator::TIMESTAMP,
        Key::AttributeList(types) => estimator.attribute_list(types),
        Key::Event(id, elements) => estimator.event(*id, *elements).unwrap_or(0),
    }
}

fn list(listing: Listing, output: &mut impl Write) -> io::Result<()> {
    match listing {
        Listing::Definitions => {
            let spaces = MappingType::VALUES.iter().filter_map(|&mapping| space_of(mapping));
            spaces.into_iter().try_for_each(|space| writeln!(output, "{}", space.name()))
        }
        Listing::Types => {
            let types = Type::VALUES.iter().filter(|&&it| it != Type::NONE);
            types.filter_map(|it| it.name()).try_for_each(|name| writeln!(output, "{name}"))
        }
        Listing::Events => {
            writeln!(output, "Timestamp\nAttributeList")?;
            Event::RECORDS.iter().try_for_each(|(_, name, fields)| match list_count(fields) {
                Some((count, _)) => writeln!(output, "{name} <{count}>"),
                None => writeln!(output, "{name}"),
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(script: &str) -> (String, Option<String>) {
        let mut output = Vec::new();
        let mistake = match answer_all(&mut script.as_bytes(), &mut output) {
            End::Mistake(what) => Some(what),
            _ => None,
        };
        (String::from_utf8(output).unwrap(), mistake)
    }

    /// The example in the help of otf2-estimator.
    #[test]
    fn the_example_of_the_reference() {
        let script =
            "set Region 4\nset Metric 1\nget Timestamp\nget Enter\nget Leave\nget Metric  4\nexit\nget x\n";
        assert_eq!(answers(script), ("Timestamp 9\nEnter 3\nLeave 3\nMetric  4 44\n".to_owned(), None));
    }

    #[test]
    fn a_mistake_ends_the_script() {
        let (output, mistake) = answers("get Enter\nget\nget Enter\n");
        assert_eq!(output, "Enter 6\n");
        assert_eq!(mistake.as_deref(), Some("missing event specification for get command"));
        let long = format!("get {}", "x".repeat(LONGEST as usize));
        assert_eq!(answers(&long).1.as_deref(), Some("a command of more than 16777216 bytes"));
    }
}
