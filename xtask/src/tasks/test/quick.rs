//! The tests that `scripts/test --quick` leaves out, with the reasons. The gate runs them.

/// Tests of a program that take long.
#[derive(Debug, Clone, Copy)]
pub(super) struct Skipped {
    /// The program, as [`TestProgram`](super::program::TestProgram) names it.
    pub(super) program: &'static str,
    /// Parts of their names; all tests of the program if there is none.
    pub(super) tests: &'static [&'static str],
}

const fn all(program: &'static str) -> Skipped {
    Skipped { program, tests: &[] }
}

const fn some(program: &'static str, tests: &'static [&'static str]) -> Skipped {
    Skipped { program, tests }
}

pub(super) const SKIPPED: &[Skipped] = &[
    // Programs whose calls fail or that end, hundreds of times.
    all("kymo-plugin-tests ends"),
    all("kymo-plugin-tests faults"),
    all("kymo-plugin-tests faults_record"),
    all("kymo-plugin-tests killed_replays"),
    all("kymo-plugin-tests kills"),
    // Millions of events, thousands of threads, full disks.
    all("kymo-otf2 memory"),
    all("kymo-plugin-tests limits"),
    all("kymo-plugin-tests small_file_systems"),
    all("kymo-recorder flat"),
    all("kymo-recorder long"),
    // An installation with all its examples, packages and pages.
    all("xtask install"),
    some(
        "kymo integration",
        &[
            // System calls of tools fail or are the last, hundreds of times.
            "a_kill_leaves",
            "power_loss::",
            "recover::damage::",
            "recover::faults::",
            "recover::streams::",
            "seal::every_changed_byte",
            // Other software is installed, and reads all archives or pages.
            "export::data_frames",
            "report::a_browser",
            "timelines::",
            "view::a_browser",
            // All archives with many options.
            "export::all_archives",
            "merge::",
            "parts::",
            "print::forms::all_archives",
            "print::random::",
            "print::samples::",
            "profile::all_formats",
            "report::pictures_of_every",
            "report::the_page_of_every",
            "report::the_strip",
            "stats::the_numbers",
            "tau2otf2::recorded",
            // Programs run until there are enough samples, or ranks wait for each other.
            "record_jobs::",
            "record_sampling::",
        ],
    ),
    // Random calls and changes, other readers, all archives.
    some("kymo-otf2 integration", &["copy::", "damage::", "fast_path::", "libotf2::", "python::"]),
    some("kymo-otf2-c integration", &["drive::", "escapes::", "hostile::", "programs::"]),
    some("kymo-recorder integration", &["clocks::", "recovery::instants", "splits::"]),
    some("kymo-tau integration", &["a_trace_can_have_all", "hostile::"]),
    // Recorded runs as every release of Score-P, and with MPI.
    all("kymo-plugin-tests mpi"),
    some("kymo-plugin-tests replays", &["golden::", "hosts::", "ranks::", "rewind::", "traces::", "ipc::"]),
    // MPI programs with two libraries, and threads that wait for each other.
    some("kymo-runtime integration", &["mpi::", "preload::a_stack"]),
];
