//! `kymo mcp`: answers for agents, by the Model Context Protocol over standard input and output.
//!
//! A message is a line of JSON. [`protocol`] answers it; a call of one of the [`tools`] runs this
//! command on a trace, and the answer is its output. Invariants: only traces below the folders that
//! were given at the start are read; nothing but messages is written to standard output.

mod protocol;
mod tools;

use std::io::{self, BufRead, Read, Write};
use std::path::PathBuf;

use clap::Args;

use self::protocol::{TOO_LONG, answer, failed};
use self::tools::Tools;
use crate::problem::Problem;
use crate::status::Status;

/// Answer agents by the Model Context Protocol, over standard input and output
#[derive(Debug, Args)]
#[command(
    after_help = "The tools are explain, waits, critical_path, compare, what_if and events_in. They read traces \
                  and write nothing. Exit status: 0 success, 2 invalid arguments, 4 I/O error"
)]
pub(crate) struct Arguments {
    /// Folders below which traces may be read
    #[arg(value_name = "DIR", required = true)]
    folders: Vec<PathBuf>,
}

/// The largest length of a message, in bytes.
const LONGEST: u64 = 1 << 20;

impl Arguments {
    /// Answers messages until standard input ends.
    pub(crate) fn run(self) -> Status {
        match self.serve() {
            Ok(()) => Status::Done,
            Err(problem) => problem.report(),
        }
    }

    fn serve(&self) -> Result<(), Problem> {
        let tools = Tools::new(&self.folders)?;
        let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
        let mut line = Vec::new();
        while read_line(&mut input, &mut line).map_err(Problem::environment)? {
            let answer = match line.len() as u64 > LONGEST {
                true => Some(failed(&serde_json::Value::Null, TOO_LONG)),
                false => answer(&tools, &line),
            };
            if let Some(answer) = answer {
                let written = writeln!(output, "{answer}").and_then(|()| output.flush());
                written.map_err(Problem::environment)?;
            }
        }
        Ok(())
    }
}

/// Reads the next line, of which at most a part is kept. Returns whether there was one.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    let length = input.by_ref().take(LONGEST + 1).read_until(b'\n', line)?;
    if length as u64 > LONGEST && line.last() != Some(&b'\n') {
        input.skip_until(b'\n')?;
    }
    Ok(length > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_too_long_is_skipped() {
        let long = vec![b'x'; 3 * LONGEST as usize];
        let text = [&b"one\n"[..], &long, b"\ntwo"].concat();
        let (mut input, mut line, mut lengths) = (&text[..], Vec::new(), Vec::new());
        while read_line(&mut input, &mut line).unwrap() {
            lengths.push(line.len() as u64);
        }
        assert_eq!(lengths, [4, LONGEST + 1, 3]);
    }
}
