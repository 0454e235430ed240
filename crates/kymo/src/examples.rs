//! Examples for the manual pages: the purpose of a command line, and the command line.

type Examples = &'static [(&'static str, &'static str)];

/// Returns the examples of a command, for example of `kymo print`.
pub(crate) fn of(command: &str) -> Examples {
    match command {
        "kymo" => KYMO,
        "kymo record" => RECORD,
        "kymo print" => PRINT,
        "kymo profile" => PROFILE,
        "kymo stats" => STATS,
        "kymo explain" => EXPLAIN,
        "kymo scaling" => SCALING,
        "kymo mcp" => MCP,
        "kymo report" => REPORT,
        "kymo view" => VIEW,
        "kymo export" => EXPORT,
        "kymo check" => CHECK,
        "kymo merge" => MERGE,
        "kymo recover" => RECOVER,
        "kymo seal" => SEAL,
        "kymo marker" => MARKER,
        "kymo thumbnail" => THUMBNAIL,
        "kymo snapshots" => SNAPSHOTS,
        "kymo estimate" => ESTIMATE,
        "kymo tau2otf2" => TAU2OTF2,
        "kymo doctor" => DOCTOR,
        "kymo man" => MAN,
        "kymo completions" => COMPLETIONS,
        _ => &[],
    }
}

const KYMO: Examples = &[
    ("Records a program in the folder heat.", "kymo record -o heat -- ./heat"),
    ("Checks whether the archive is sound.", "kymo check heat"),
    ("Prints its events.", "kymo print heat"),
];

const RECORD: Examples = &[
    (
        "Records a program and the processes that it starts in the folder kymo-solve-1.",
        "kymo record -- ./solve input.txt",
    ),
    ("Reports what would be recorded, function by function.", "kymo record --dry-run -- ./solve"),
    ("Records two ranks in one archive.", "kymo record -o run -- mpirun -n 2 ./solve"),
    ("Leaves out the functions that a filter excludes.", "kymo record --filter solve.filter -- ./solve"),
];

const PRINT: Examples = &[
    ("Prints the events of an archive in order of time.", "kymo print run/kymo/traces.otf2"),
    ("Prints the definitions of the archive in a folder.", "kymo print -G run"),
    (
        "Prints the events of location 0 from one to two seconds after the start.",
        "kymo print -L 0 --time 1s 2s run",
    ),
    ("Prints the events of the last tenth of the run as CSV.", "kymo print --format csv --time 90% 100% run"),
];

const PROFILE: Examples = &[
    ("Prints the regions that take the most time.", "kymo profile run"),
    ("Prints the call tree with shortest and longest calls.", "kymo profile --tree --wide run"),
    ("Compares the load of the processes, for a spreadsheet.", "kymo profile --by process --format csv run"),
    ("Writes stacks for a flame graph.", "kymo profile --format folded -o run.folded run"),
    ("Prints what has become slower or faster.", "kymo profile --diff before after"),
];

const STATS: Examples = &[
    ("Prints the page.", "kymo stats run"),
    ("Also prints all messages, regions and files.", "kymo stats --top 0 run | less"),
    ("Writes a filter for the next measurement.", "kymo stats --write-filter scorep.filter run"),
    ("Counts the messages, for a script.", "kymo stats --format json --no-check run | jq .messages.count"),
];

const EXPLAIN: Examples = &[
    ("Says who is late, why, and what it costs.", "kymo explain run"),
    (
        "Explains the second half of the run, with all rows of the tables.",
        "kymo explain --time 50% 100% --top 0 run | less",
    ),
    ("Prints the findings, for a script.", "kymo explain --format json run | jq -r .findings[].sentence"),
];

const SCALING: Examples = &[
    ("Compares runs of the same work with more and more threads.", "kymo scaling run4 run16 run64"),
    (
        "Compares runs whose work grows with the threads, for a script.",
        "kymo scaling --weak --format json run4 run16 | jq .columns[].metrics.global_ratio",
    ),
];

const MCP: Examples = &[("Answers agents about the traces below a folder.", "kymo mcp traces")];

const REPORT: Examples = &[
    ("Writes a page that opens in a browser.", "kymo report -o run.html run"),
    ("Shows the last tenth of the run only.", "kymo report --time 90% 100% -o end.html run"),
];

const VIEW: Examples = &[
    ("Shows a trace in the browser.", "kymo view run"),
    ("Prints a time line for the terminal.", "kymo view --text run"),
    ("Serves a browser on another machine, by ssh.", "kymo view --print-url --no-open --port 8123 run"),
];

const EXPORT: Examples = &[
    (
        "Writes Parquet files for DuckDB, Polars, pandas and Spark.",
        "kymo export --format parquet -o tables run",
    ),
    ("Writes a file for ui.perfetto.dev.", "kymo export --format perfetto -o run.pftrace run"),
    (
        "Writes only the calls and the regions, as CSV.",
        "kymo export --format csv --tables calls,regions -o csv run",
    ),
];

const CHECK: Examples = &[
    ("Lists the problems of the archive in a folder.", "kymo check run"),
    ("Explains a kind of finding.", "kymo check --explain events-lost"),
    ("Counts the findings of each kind.", "kymo check --json run | tail -n 1"),
];

const MERGE: Examples = &[
    (
        "Merges two archives; the second began half a second after the first.",
        "kymo merge -o both --shift 2=0.5s client server",
    ),
    (
        "Merges archives and aligns them by their wall clocks.",
        "kymo merge -o all --align realtime run-1 run-2 run-3",
    ),
];

const RECOVER: Examples = &[
    ("Recovers a run that was killed; the archive is run-recovered.", "kymo recover run"),
    (
        "Writes the archive elsewhere and removes the files that are no longer needed.",
        "kymo recover run -o whole --clean",
    ),
    ("Recovers what a run that is still going has recorded so far.", "kymo recover run --running -o so-far"),
];

const SEAL: Examples = &[
    ("Adds checksums to the archive in a folder.", "kymo seal run"),
    ("Replaces the checksums after the archive was changed on purpose.", "kymo seal --renew run"),
];

const MARKER: Examples = &[
    ("Lists the markers of the archive in a folder.", "kymo marker run"),
    (
        "Defines a kind of marker, and adds one from 2 to 2.5 seconds after the start, for location 3.",
        "kymo marker --define phases solver low --add phases solver 2s+500ms location:3 slow run",
    ),
    ("Removes the markers of a group.", "kymo marker --clear phases run"),
];

const THUMBNAIL: Examples = &[
    ("Lists the thumbnails of the archive in a folder.", "kymo thumbnail run"),
    (
        "Adds one of the time in each region, with 500 samples.",
        "kymo thumbnail --add region --samples 500 run",
    ),
];

const SNAPSHOTS: Examples = &[
    ("Adds 100 snapshots, at equal distances.", "kymo snapshots -n 100 run"),
    ("Replaces the snapshots by one for every 10 seconds.", "kymo snapshots -p 10s --renew run"),
];

const ESTIMATE: Examples = &[("Answers the questions in a file.", "kymo estimate < questions.txt")];

const TAU2OTF2: Examples = &[("Converts a TAU trace.", "kymo tau2otf2 tau.trc tau.edf app")];

const DOCTOR: Examples = &[("Shows what can be recorded here, and how to change it.", "kymo doctor")];

const MAN: Examples = &[
    ("Shows the manual page of a verb.", "kymo man record"),
    (
        "Installs kymo, with all manual pages where man looks for them.",
        "cargo xtask install --prefix ~/.local",
    ),
];

const COMPLETIONS: Examples =
    &[("Enables completion in the current bash.", "source <(kymo completions bash)")];
