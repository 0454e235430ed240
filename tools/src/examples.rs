//! Examples of the manual pages: what a line does, and the line.

type Examples = &'static [(&'static str, &'static str)];

/// Those of a command, as `kymo print`.
pub(crate) fn of(command: &str) -> Examples {
    match command {
        "kymo" => KYMO,
        "kymo record" => RECORD,
        "kymo print" => PRINT,
        "kymo check" => CHECK,
        "kymo merge" => MERGE,
        "kymo recover" => RECOVER,
        "kymo seal" => SEAL,
        "kymo tau2otf2" => TAU2OTF2,
        "kymo man" => MAN,
        "kymo completions" => COMPLETIONS,
        _ => &[],
    }
}

const KYMO: Examples = &[
    ("Records a program into the folder heat.", "kymo record -o heat -- ./heat"),
    ("Says whether the archive is sound.", "kymo check heat"),
    ("Prints its events.", "kymo print heat"),
];

const RECORD: Examples = &[
    (
        "Records a program and the processes that it starts into the folder kymo-solve-1.",
        "kymo record -- ./solve input.txt",
    ),
    ("Says what would be recorded, function by function.", "kymo record --dry-run -- ./solve"),
    ("Records two ranks into one archive.", "kymo record -o run -- mpirun -n 2 ./solve"),
    ("Leaves out what a filter names.", "kymo record --filter solve.filter -- ./solve"),
];

const PRINT: Examples = &[
    ("Prints the events of an archive in the order of time.", "kymo print run/kymo/traces.otf2"),
    ("Prints the definitions of the archive in a folder.", "kymo print -G run"),
    ("Prints the events of the second second of one location.", "kymo print -L 0 --time 1s 2s run"),
    ("Prints the events of the last tenth as rows of CSV.", "kymo print --format csv --time 90% 100% run"),
];

const CHECK: Examples = &[
    ("Lists what is wrong with the archive in a folder.", "kymo check run"),
    ("Says what a kind of finding means.", "kymo check --explain events-lost"),
    ("Counts the findings of each kind.", "kymo check --json run | tail -n 1"),
];

const MERGE: Examples = &[
    (
        "Joins two archives, the second of which began half a second later.",
        "kymo merge -o both --shift 2=0.5s client server",
    ),
    ("Joins archives as their wall clocks say.", "kymo merge -o all --align realtime run-1 run-2 run-3"),
];

const RECOVER: Examples = &[
    ("Makes the archive run-recovered of a run that was killed.", "kymo recover run"),
    ("The same elsewhere, and removes what is no longer needed.", "kymo recover run -o whole --clean"),
    ("Takes what there is of a run that goes on.", "kymo recover run --running -o so-far"),
];

const SEAL: Examples = &[
    ("Adds checksums to the archive in a folder.", "kymo seal run"),
    ("Adds them anew after the archive was changed on purpose.", "kymo seal --renew run"),
];

const TAU2OTF2: Examples = &[("Converts a trace of TAU.", "kymo tau2otf2 tau.trc tau.edf app")];

const MAN: Examples = &[
    ("Shows the page of a verb.", "kymo man record"),
    ("Puts all pages where man looks for them.", "cargo xtask install --prefix ~/.local"),
];

const COMPLETIONS: Examples = &[("Completes command lines in this bash.", "source <(kymo completions bash)")];
