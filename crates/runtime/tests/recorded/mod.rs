//! C programs that are compiled and run without and with the runtime, and the output of otf2-print
//! for their archives.

#![allow(dead_code, unreachable_pub)]

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// Returns the directory with the runtime, the plugin and kymo, built from their sources.
pub fn built() -> PathBuf {
    kymo_testdata::built(&["kymo", "kymo-plugin", "kymo-runtime"])
}

#[track_caller]
fn succeeds(command: &mut Command) -> String {
    String::from_utf8(kymo_testdata::succeed(command).stdout).expect("text")
}

/// A directory for a test.
pub struct TestFolder(TempDir);

impl TestFolder {
    pub fn new() -> Self {
        Self(TempDir::new().expect("a folder"))
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Compiles a program in `tests/c` with these flags.
    pub fn compile(&self, source: &str, flags: &[&str]) -> String {
        self.compile_as(&source.replace('.', "-"), source, flags)
    }

    /// Like [`Self::compile`], with this name.
    pub fn compile_as(&self, name: &str, source: &str, flags: &[&str]) -> String {
        let output = self.path(name).display().to_string();
        let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c");
        let mut compiler = kymo_testdata::compiler("CC", "cc");
        compiler.args(["-g", "-O0", "-pthread", "-I"]).arg(tests.join("../../../../include")).args(flags);
        succeeds(compiler.arg(tests.join(source)).args(["-o", &output, "-ldl"]));
        output
    }

    /// Returns the folder.
    pub fn folder(&self) -> &Path {
        self.0.path()
    }

    /// Writes a file; returns its path.
    pub fn write(&self, name: &str, text: &str) -> String {
        fs::write(self.path(name), text).expect("a file");
        self.path(name).display().to_string()
    }

    /// Runs a command with the runtime. Its output and status must be those of the command without
    /// the runtime.
    #[track_caller]
    pub fn record(&self, variables: &[(&str, &str)], command: &[&str]) -> Vec<Recording> {
        let stdout = self.run_both(variables, command);
        self.recordings(&stdout)
    }

    /// Runs a command that ends without completing any archive; returns how many processes left
    /// data.
    #[track_caller]
    pub fn record_incomplete(&self, command: &[&str]) -> usize {
        self.run_both(&[], command);
        let archives = archives(&self.path("recorded"));
        assert!(archives.iter().all(|anchor| !anchor.exists()), "{archives:?}");
        archives.len()
    }

    /// Runs a command without and with the runtime, which must make no difference; returns its
    /// output.
    #[track_caller]
    fn run_both(&self, variables: &[(&str, &str)], command: &[&str]) -> String {
        let plain = run(&mut self.command(&[], command));
        let output = run(&mut self.measured(variables, command));
        assert_eq!(output.status.code(), plain.status.code(), "{output:?}");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert_eq!((text(&output.stdout), text(&output.stderr)), (text(&plain.stdout), text(&plain.stderr)));
        text(&output.stdout)
    }

    /// Records a command that consists of one process.
    #[track_caller]
    pub fn record_one(&self, variables: &[(&str, &str)], command: &[&str]) -> Recording {
        let mut all = self.record(variables, command);
        assert_eq!(all.len(), 1);
        all.remove(0)
    }

    /// Records a program that cannot run without the runtime.
    #[track_caller]
    pub fn record_needing_runtime(&self, variables: &[(&str, &str)], command: &[&str]) -> Recording {
        let output = run(&mut self.measured(variables, command));
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        self.recordings(&String::from_utf8_lossy(&output.stdout)).remove(0)
    }

    /// Records a command that consists of one process, about which the runtime says these lines on
    /// standard error.
    #[track_caller]
    pub fn record_with_messages(
        &self,
        variables: &[(&str, &str)],
        command: &[&str],
        messages: &[&str],
    ) -> Recording {
        let output = run(&mut self.measured(variables, command));
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{output:?}");
        assert_eq!(said.lines().collect::<Vec<_>>(), messages);
        self.recordings(&String::from_utf8_lossy(&output.stdout)).remove(0)
    }

    /// Reads and removes the recordings.
    #[track_caller]
    fn recordings(&self, stdout: &str) -> Vec<Recording> {
        let folder = self.path("recorded");
        let recordings =
            archives(&folder).into_iter().map(|anchor| Recording::read(&anchor, stdout)).collect();
        fs::remove_dir_all(&folder).expect("a folder");
        recordings
    }

    /// Returns the command with the runtime.
    fn measured(&self, variables: &[(&str, &str)], command: &[&str]) -> Command {
        let runtime = built().join("libkymo_runtime.so").display().to_string();
        let (libraries, folder) =
            (built().display().to_string(), self.path("recorded").display().to_string());
        // The scratch files of killed programs must not outlive the test.
        let scratch = self.0.path().display().to_string();
        let ours = [
            ("LD_PRELOAD", runtime.as_str()),
            ("LD_LIBRARY_PATH", libraries.as_str()),
            ("KYMO_RECORD_DIRECTORY", folder.as_str()),
            ("SCOREP_EXPERIMENT_DIRECTORY", folder.as_str()),
            ("SCOREP_SUBSTRATE_KYMO_SCRATCH", scratch.as_str()),
        ];
        self.command(&[&ours, variables].concat(), command)
    }

    /// Returns a command that always ends. The variables are set only for the command itself.
    fn command(&self, variables: &[(&str, &str)], command: &[&str]) -> Command {
        // `timeout` is the parent, as `kymo record` would be, and has the process id of this shell.
        let mut run = Command::new("sh");
        run.args(["-c", "exec timeout 300 env KYMO_RECORD_PARENT=$$ \"$@\"", "sh"])
            .args(variables.iter().map(|(name, value)| format!("{name}={value}")));
        run.args(command).current_dir(self.0.path()).stdin(Stdio::null());
        let is_ours = |name: &str| ["SCOREP_", "KYMO_", "LD_"].iter().any(|start| name.starts_with(start));
        for (name, _) in env::vars().filter(|(name, _)| is_ours(name)) {
            run.env_remove(name);
        }
        run
    }
}

fn run(command: &mut Command) -> Output {
    command.output().expect("running it")
}

/// Returns the archives of the processes that recorded into a directory.
fn archives(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut parts: Vec<_> =
        entries.map(|entry| entry.expect("an entry").path().join("kymo/traces.otf2")).collect();
    parts.sort();
    parts
}

/// A value of a metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Value {
    pub location: u64,
    pub time: u64,
    pub value: i64,
}

/// The output of otf2-print for an archive in which `kymo check` finds no errors.
#[derive(Debug)]
pub struct Recording {
    pub stdout: String,
    /// The warnings of `kymo check`.
    pub findings: String,
    text: String,
}

impl Recording {
    #[track_caller]
    fn read(anchor: &Path, stdout: &str) -> Self {
        let checked = succeeds(Command::new(built().join("kymo")).arg("check").arg(anchor));
        let findings = checked.lines().filter(|line| !line.contains(": no errors"));
        let findings = findings.collect::<Vec<_>>().join("\n");
        let text = succeeds(kymo_testdata::program("otf2-print").arg("-A").arg(anchor));
        let text = text.lines().map(|line| as_region(line) + "\n").collect();
        Self { stdout: stdout.to_owned(), findings, text }
    }

    /// Returns the archive that Score-P itself wrote while it was recorded.
    #[track_caller]
    pub fn of_score_p(name: &str) -> Self {
        let anchor = kymo_testdata::own(&format!("scorep-recordings/{name}/traces.otf2"));
        let text = succeeds(kymo_testdata::program("otf2-print").arg("-A").arg(anchor));
        Self { stdout: String::new(), findings: String::new(), text }
    }

    /// Returns the locations of threads.
    pub fn threads(&self) -> Vec<u64> {
        let threads = self.lines("LOCATION").filter(|line| line.contains("Type: CPU_THREAD"));
        threads.filter_map(|line| line.split_whitespace().nth(1)?.parse().ok()).collect()
    }

    /// Returns all events of a location, one in a line, without times, numbers of definitions, and
    /// the name of `folder`.
    pub fn events(&self, location: u64, folder: &Path) -> String {
        let events = self.text.split_once("=== Events").map_or("", |(_, events)| events);
        let (mut text, mut is_own) = (String::new(), false);
        for line in events.lines().skip(3) {
            let mut words = line.split_whitespace();
            if line.starts_with(' ') {
                if is_own && !line.contains("ProcessId") {
                    let attribute = words.skip(2).collect::<Vec<_>>().join(" ");
                    text.truncate(text.trim_end().len());
                    text += &format!(", {attribute}\n");
                }
                continue;
            }
            let (kind, place, _) = (words.next(), words.next(), words.next());
            is_own = place.and_then(|it| it.parse().ok()) == Some(location);
            if let (true, Some(kind)) = (is_own, kind) {
                text += &format!("{kind} {}\n", words.collect::<Vec<_>>().join(" "));
            }
        }
        let text = without_numbers(&text);
        text.replace(&format!("{}/", folder.display()), "")
            .replace(&folder.display().to_string(), ".")
            .replace("file://", "")
            .replace("[POSIX I/O]", "posix:")
            .replace("[ISO C I/O]", "isoc:")
    }

    /// Returns the lines of this kind.
    pub fn lines(&self, kind: &str) -> impl Iterator<Item = &str> {
        self.text.lines().filter(move |line| line.split_whitespace().next() == Some(kind))
    }

    pub fn count(&self, kind: &str) -> usize {
        self.lines(kind).count()
    }

    /// Returns how often a region is entered and left.
    pub fn calls(&self, region: &str) -> [usize; 2] {
        let region = format!("Region: \"{region}\" <");
        ["ENTER", "LEAVE"].map(|kind| self.lines(kind).filter(|line| line.contains(&region)).count())
    }

    /// Returns the line of this kind before each enter and leave of a region, on the same location.
    pub fn before(&self, region: &str, kind: &str) -> Vec<String> {
        let region = format!("Region: \"{region}\" <");
        let (mut found, mut last) = (Vec::new(), std::collections::HashMap::new());
        for line in self.text.lines() {
            let mut words = line.split_whitespace();
            let (Some(name), Some(location)) = (words.next(), words.next()) else { continue };
            if name == kind {
                last.insert(location, line);
            } else if (name == "ENTER" || name == "LEAVE") && line.contains(&region) {
                found.extend(last.get(location).map(|line| (*line).to_owned()));
            }
        }
        found
    }

    /// Returns the values of an attribute of the enters and leaves of a region, in their order.
    pub fn attributes(&self, region: &str, name: &str) -> Vec<u64> {
        let (region, name) = (format!("Region: \"{region}\" <"), format!("(\"{name}\""));
        let (mut values, mut is_own) = (Vec::new(), false);
        for line in self.text.lines() {
            if !line.starts_with(' ') {
                is_own = (line.starts_with("ENTER") || line.starts_with("LEAVE")) && line.contains(&region);
                continue;
            }
            let part = line.split_once(&name).filter(|_| is_own).and_then(|(_, rest)| rest.split(')').next());
            values.extend(part.and_then(|part| part.rsplit_once("; ")?.1.parse::<u64>().ok()));
        }
        values
    }

    /// Returns the values of a metric, in the order of their locations and times.
    pub fn metric(&self, name: &str) -> Vec<Value> {
        let start = format!("(\"{name}\" <");
        let value = |line: &str| {
            let mut words = line.split_whitespace().skip(1);
            let (location, time) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
            let value = line.split_once(&start)?.1.split(')').next()?.rsplit_once("; ")?.1.parse().ok()?;
            Some(Value { location, time, value })
        };
        let mut all: Vec<Value> = self.lines("METRIC").filter_map(value).collect();
        all.sort_unstable();
        all
    }

    /// Returns the sum of the values of a parameter.
    pub fn parameter(&self, name: &str) -> usize {
        let name = format!("Parameter: \"{name}\" <");
        let lines = self.lines("PARAMETER_UINT64").filter(|line| line.contains(&name));
        let values = lines.filter_map(|line| line.rsplit_once("Value: ")?.1.trim().parse::<usize>().ok());
        values.sum()
    }

    /// Returns the definition of a region.
    #[track_caller]
    pub fn region(&self, name: &str) -> &str {
        let name = format!("Name: \"{name}\"");
        self.lines("REGION").find(|line| line.contains(&name)).unwrap_or_else(|| panic!("{}", self.text))
    }

    /// Returns the location, and the value after `what`, of each line of a kind.
    pub fn values(&self, kind: &str, what: &str) -> Vec<(u64, String)> {
        let value = |line: &str| {
            let location = line.split_whitespace().nth(1)?.parse().ok()?;
            let rest = line.split_once(what)?.1.trim_start_matches(':').trim();
            Some((location, rest.split(',').next()?.trim().to_owned()))
        };
        self.lines(kind).filter_map(value).collect()
    }
}

/// Returns a line, as that of an enter or leave of a region if it is one of its calling context:
/// that is how sampled programs are recorded.
fn as_region(line: &str) -> String {
    let region = || {
        let (start, context) = line.strip_prefix("CALLING_CONTEXT_")?.split_once("Calling Context: \"")?;
        let (name, rest) = context.split_once("\" <")?;
        let name = name.rsplit_once('@').map_or(name, |(region, _)| region);
        (!start.starts_with("SAMPLE")).then(|| format!("{start}Region: \"{name}\" <{rest}"))
    };
    region().unwrap_or_else(|| line.to_owned())
}

/// Removes the parts in angle brackets, with the spaces before them.
fn without_numbers(text: &str) -> String {
    let mut parts = text.split(" <");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |all, part| all + part.split_once('>').map_or(part, |(_, rest)| rest))
}
