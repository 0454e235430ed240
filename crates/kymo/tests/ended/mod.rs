//! The end of a command, for the tests of `kymo record`.

use std::process::Output;

/// The end of a run.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) status: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ended {
    pub(crate) fn of(output: &Output) -> Self {
        let [stdout, stderr] =
            [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned());
        Self { status: output.status.code(), stdout, stderr }
    }

    /// Returns the lines that kymo printed, without its prefix.
    pub(crate) fn messages(&self) -> Vec<&str> {
        self.stderr.lines().filter_map(|line| line.strip_prefix("kymo: ")).collect()
    }
}
