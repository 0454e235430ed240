//! How a command ended, for the tests of `kymo record`.

use std::process::Output;

/// How a run ended.
#[derive(Debug)]
pub struct Ended {
    pub status: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Ended {
    pub fn of(output: &Output) -> Self {
        let [stdout, stderr] =
            [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned());
        Self { status: output.status.code(), stdout, stderr }
    }

    /// Lines that kymo printed.
    pub fn said(&self) -> Vec<&str> {
        self.stderr.lines().filter_map(|line| line.strip_prefix("kymo: ")).collect()
    }
}
