//! Compiles programs, runs them with and without `kymo record`, and reads the archives.

#![allow(dead_code, unreachable_pub)]

use std::collections::{BTreeSet, HashMap};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

use kymo_otf2::definitions::GlobalDefinition;
use kymo_otf2::events::Event;
use kymo_otf2::read::Archive;
use kymo_otf2::records::AnyRecord;
use kymo_otf2::references::{
    CallingContextRef, InterruptGeneratorRef, RegionRef, SourceCodeLocationRef, StringRef,
};
use tempfile::TempDir;

pub(crate) use crate::ended::Ended;
use kymo_testdata::process_folder;

/// The modules that record by default, but without samples: their number depends on the machine.
pub const WITHOUT_SAMPLES: [&str; 2] = ["--with", "functions,user,threads,rusage,mpi"];

const LIBRARIES: [&str; 2] = ["libkymo_runtime.so", "libscorep_substrate_kymo.so"];

pub fn source(name: &str) -> String {
    format!("{}/tests/record/programs/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// Installs kymo with the runtime and the plugin, built from their sources and laid out as by
/// `cargo xtask install`.
fn installed() -> &'static Path {
    static INSTALLED: OnceLock<PathBuf> = OnceLock::new();
    INSTALLED.get_or_init(|| {
        let built = kymo_testdata::built(&["kymo-plugin", "kymo-runtime"]);
        let folder = process_folder("record-programs");
        for (name, from) in LIBRARIES.map(|name| (format!("lib/{name}"), built.join(name))) {
            link(&from, &folder.join(name));
        }
        link(Path::new(env!("CARGO_BIN_EXE_kymo")), &folder.join("bin/kymo"));
        folder
    })
}

/// Links a file under another name. A build replaces the file, and copies for all tests would fill
/// the disk.
pub(crate) fn link(from: &Path, to: &Path) {
    fs::create_dir_all(to.parent().expect("a folder")).expect("a folder");
    fs::hard_link(from, to).unwrap_or_else(|error| panic!("{}: {error}", from.display()));
}

/// Sets up the environment of a program: without variables that a developer may have set.
fn without_settings(command: &mut Command) {
    let ours = |name: &str| ["SCOREP_", "KYMO_"].iter().any(|start| name.starts_with(start));
    for (name, _) in env::vars().filter(|(name, _)| ours(name)) {
        command.env_remove(name);
    }
    // Threads that wait busily take the processors from other tests.
    command.env("OMP_WAIT_POLICY", "passive");
}

/// Returns the number of lines that contain these parts.
pub fn count_lines(text: &str, parts: &[&str]) -> usize {
    text.lines().filter(|line| parts.iter().all(|part| line.contains(part))).count()
}

/// A folder for a test.
pub struct TestFolder(TempDir);

/// A `kymo record` command before it starts.
pub struct Kymo(pub Command);

impl Kymo {
    /// Adds these variables.
    pub fn with(mut self, variables: &[(&str, &str)]) -> Self {
        self.0.envs(variables.iter().copied());
        self
    }

    /// Runs the command to its end.
    pub fn end(mut self) -> Ended {
        Ended::of(&self.0.output().expect("running kymo"))
    }

    /// Starts the command.
    pub fn start(mut self) -> Started {
        Started(self.0.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("running kymo"))
    }
}

/// A running `kymo record`.
pub struct Started(pub Child);

impl Started {
    /// Waits for the command to end.
    pub fn end(self) -> Ended {
        Ended::of(&self.0.wait_with_output().expect("an end"))
    }
}

impl TestFolder {
    pub fn new() -> Self {
        Self(TempDir::new().expect("a folder"))
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Compiles a program and returns its path.
    pub fn compile(&self, compiler: &str, flags: &[&str], name: &str) -> String {
        let variable = match compiler {
            "cc" => "CC",
            "c++" => "CXX",
            "gfortran" => "FC",
            "clang" => "CLANG",
            _ => "RUSTC",
        };
        let output = self.path(&name.replace('.', "-"));
        let mut command = kymo_testdata::compiler(variable, compiler);
        if compiler.starts_with('c') {
            command.arg("-I").arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../include"));
        }
        command.args(flags).arg(source(name)).arg("-o").arg(&output).current_dir(self.0.path());
        let result = command.output().unwrap_or_else(|error| panic!("{compiler}: {error}"));
        let messages = String::from_utf8_lossy(&result.stderr);
        if ["'omp.h' file not found", "cannot find -lomp"].iter().any(|it| messages.contains(it)) {
            kymo_testdata::unavailable("OpenMP for clang (Debian: libomp-dev)");
        }
        if ["CL/cl.h: No such file", "cannot find -lOpenCL"].iter().any(|it| messages.contains(it)) {
            kymo_testdata::unavailable("OpenCL (Debian: ocl-icd-opencl-dev, pocl-opencl-icd)");
        }
        assert!(result.status.success(), "{command:?}: {messages}");
        output.display().to_string()
    }

    /// Runs a command under `kymo record` with these options.
    pub fn run(&self, options: &[&str], command: &[&str]) -> Ended {
        self.kymo(options, command).end()
    }

    /// Returns a `kymo record` command with these options, not yet started.
    pub fn kymo(&self, options: &[&str], command: &[&str]) -> Kymo {
        self.launched(&[], options, command)
    }

    /// Like [`Self::kymo`], but started by another command.
    pub fn launched(&self, launcher: &[&str], options: &[&str], command: &[&str]) -> Kymo {
        let program = installed().join("bin/kymo");
        // Background jobs start with some signals ignored, and their children inherit that.
        let mut kymo = Command::new("env");
        kymo.arg("--default-signal=HUP,INT,QUIT,TERM").args(launcher).arg(program);
        kymo.arg("record").args(options).arg("--").args(command);
        kymo.current_dir(self.0.path()).stdin(Stdio::null());
        without_settings(&mut kymo);
        // Scratch files of killed processes must not outlive the test.
        kymo.env("SCOREP_SUBSTRATE_KYMO_SCRATCH", self.0.path());
        Kymo(kymo)
    }

    /// Returns the names in a folder, sorted.
    pub fn names(&self, folder: &str) -> Vec<String> {
        let mut names = names(&self.path(folder), "");
        names.sort();
        names
    }

    /// Returns the output of `kymo print` for the recording in a folder, with these options.
    pub fn printed(&self, folder: &str, options: &[&str]) -> String {
        let anchor = self.path(folder).join("kymo/traces.otf2");
        let mut print = Command::new(env!("CARGO_BIN_EXE_kymo"));
        let print = print.arg("print").args(options).arg(anchor).output().expect("kymo print");
        assert!(print.status.success(), "{print:?}");
        String::from_utf8(print.stdout).expect("UTF-8")
    }

    /// Reads the archive of this folder, which must be sound.
    #[track_caller]
    pub fn read(&self, folder: &str) -> Recording {
        let anchor = self.path(folder).join("kymo/traces.otf2");
        is_sound(&anchor);
        Recording::read(&anchor, String::new())
    }

    /// Runs `kymo record` with these variables under strace and returns the log of the system calls
    /// that change files. Returns `None`, and reports it, without strace.
    pub fn traced(&self, variables: &[(&str, &str)], command: &[&str]) -> Option<String> {
        const CALLS: &str = "trace=openat,write,pwrite64,pwritev,ftruncate,fsync,fdatasync,rename,renameat,renameat2,mkdir,mkdirat,unlink,unlinkat";
        if !kymo_testdata::is_installed("strace") {
            return None;
        }
        let log = self.path("calls");
        let mut strace = Command::new("strace");
        strace.args(["-f", "-y", "-xx", "-s", "10000000", "-e", CALLS, "-e", "signal=none", "-o"]).arg(&log);
        strace.arg(installed().join("bin/kymo")).args(["record", "-o", "o", "--"]).args(command);
        strace.current_dir(self.0.path()).stdin(Stdio::null());
        without_settings(&mut strace);
        strace.envs(variables.iter().copied());
        let output = strace.output().expect("running strace");
        if String::from_utf8_lossy(&output.stderr).contains("strace: test_ptrace_") {
            kymo_testdata::missing(kymo_testdata::TRACING);
            return None;
        }
        Some(fs::read_to_string(log).expect("the calls"))
    }

    /// Records a command some of whose processes are killed. There must be one sound archive and
    /// nothing else.
    #[track_caller]
    pub fn record_cut_off(&self, command: &[&str]) -> (Ended, Recording) {
        let ended = self.run(&[&WITHOUT_SAMPLES[..], &["-o", "o"]].concat(), command);
        let stays = [names(&self.path("o"), "process-"), names(self.0.path(), "kymo-")].concat();
        assert_eq!(stays, [""; 0], "{ended:?}");
        assert!(!ended.stderr.contains("kymo recover"), "{ended:?}");
        let anchor = self.path("o/kymo/traces.otf2");
        is_sound(&anchor);
        (ended, Recording::read(&anchor, String::new()))
    }

    /// Runs a command under `kymo record` after a shell command that may mount something, then runs
    /// every `kymo recover` that it suggests. Returns the end of the run and the exit statuses of
    /// the recoveries, or `None`, and reports it, if this user must not mount.
    pub fn run_in(&self, prepare: &str, command: &[&str]) -> Option<(Ended, Vec<i32>)> {
        const CANNOT: i32 = 99;
        let (kymo, place) = (installed().join("bin/kymo"), self.0.path());
        let script = format!(
            "{prepare} || exit {CANNOT}
             kymo={0} log={1}/log; \"$kymo\" record -o o -- \"$@\" 2> $log; status=$?
             cat $log >&2
             sed -n 's/^kymo:.* kymo recover //p' $log | while read -r part; do
                 \"$kymo\" recover --clean \"$part\" -o {1}/recovered > $log.out 2>&1
                 echo $?; rm -rf {1}/recovered
             done
             exit $status",
            kymo.display(),
            place.display()
        );
        let mut shell = Command::new("unshare");
        shell.args(["-rm", "sh", "-c", &script, "sh"]).args(command).stdin(Stdio::null());
        without_settings(&mut shell);
        shell.env("SCOREP_SUBSTRATE_KYMO_SCRATCH", place);
        let ended = Ended::of(&shell.output().expect("running unshare"));
        if ended.status == Some(CANNOT) || ended.stderr.contains("unshare:") {
            kymo_testdata::missing(kymo_testdata::MOUNTING);
            return None;
        }
        let statuses = ended.stdout.lines().filter_map(|line| line.parse().ok()).collect();
        Some((ended, statuses))
    }

    /// Runs a command without `kymo`.
    fn run_plain(&self, command: &[&str]) -> Ended {
        let mut plain = Command::new(command[0]);
        plain.args(&command[1..]).current_dir(self.0.path()).stdin(Stdio::null());
        without_settings(&mut plain);
        Ended::of(&plain.output().expect("running a program"))
    }

    /// Records a command that must end with this status. The archive must be sound, and nothing
    /// else may differ from a plain run.
    #[track_caller]
    pub fn record(&self, options: &[&str], command: &[&str], status: i32) -> Recording {
        let (plain, recorded) = (self.run_plain(command), self.run(options, command));
        assert_eq!((plain.status, recorded.status), (Some(status), Some(status)), "{recorded:?}");
        assert_eq!(recorded.stdout, plain.stdout);
        let (messages, own): (Vec<&str>, Vec<&str>) =
            recorded.stderr.lines().partition(|line| line.starts_with("kymo: "));
        assert_eq!(own, plain.stderr.lines().collect::<Vec<_>>());
        let anchor =
            messages.iter().find_map(|line| line.strip_prefix("kymo: recorded ")?.split(": ").next());
        let anchor = self.path(anchor.unwrap_or_else(|| panic!("no archive: {recorded:?}")));
        assert_eq!(names(anchor.parent().and_then(Path::parent).expect("a folder"), "process-"), [""; 0]);
        is_sound(&anchor);
        Recording::read(&anchor, recorded.stdout)
    }
}

/// Returns the names in a folder with this beginning.
fn names(folder: &Path, begin: &str) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder").flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| name.starts_with(begin)).collect()
}

/// Asserts that neither `kymo check` nor otf2-print finds a fault.
#[track_caller]
fn is_sound(anchor: &Path) {
    let check =
        Command::new(env!("CARGO_BIN_EXE_kymo")).arg("check").arg(anchor).output().expect("kymo check");
    let found = String::from_utf8_lossy(&check.stdout);
    assert!(check.status.success() && !found.contains("[forward-reference]"), "{found}");
    if kymo_testdata::is_installed("otf2-print") {
        let print = Command::new("otf2-print").arg("-A").arg(anchor).stdout(Stdio::null()).output();
        let print = print.expect("running otf2-print");
        assert!(print.status.success() && print.stderr.is_empty(), "{print:?}");
    }
}

/// The contents of an archive.
#[derive(Debug, Default)]
pub struct Recording {
    pub stdout: String,
    pub processes: usize,
    pub threads: usize,
    /// The names of the processes, without their numbers.
    pub programs: Vec<String>,
    /// For each process, the number of the process that created it.
    pub creators: Vec<Option<u32>>,
    /// The properties of locations, as names and values.
    pub properties: Vec<(String, String)>,
    /// The start time in nanoseconds since 1970.
    pub realtime: u64,
    strings: HashMap<StringRef, String>,
    regions: HashMap<RegionRef, Region>,
    enters: HashMap<String, u64>,
    leaves: HashMap<String, u64>,
    kinds: HashMap<&'static str, u64>,
    contexts: HashMap<CallingContextRef, Context>,
    lines: HashMap<SourceCodeLocationRef, u32>,
    generators: HashMap<InterruptGeneratorRef, String>,
    /// The generators of the samples.
    used: BTreeSet<InterruptGeneratorRef>,
    /// The samples in each calling context.
    samples: HashMap<CallingContextRef, u64>,
    /// The calling contexts that events entered.
    entered: BTreeSet<CallingContextRef>,
}

/// A calling context: a function, the line in it, and the caller.
#[derive(Debug)]
struct Context {
    function: String,
    line: u32,
    caller: CallingContextRef,
}

#[derive(Debug)]
struct Region {
    name: String,
    file: String,
    line: u32,
}

impl Recording {
    fn read(anchor: &Path, stdout: String) -> Self {
        let mut this = Self { stdout, ..Self::default() };
        let archive = Archive::open(anchor).expect("an archive");
        let file = archive.global_definitions().expect("definitions");
        file.records().expect("records").for_each(|record| this.define(&record.expect("a record")));
        for location in archive.locations().expect("locations") {
            let mut events = archive.events(location).expect("events");
            while let Some(event) = events.next().expect("an event") {
                this.add(&event.record);
            }
        }
        this
    }

    fn define(&mut self, record: &GlobalDefinition<'_>) {
        match record {
            GlobalDefinition::LocationGroup(process) => {
                self.processes += 1;
                let name = self.strings.get(&process.name).cloned().unwrap_or_default();
                self.programs.push(name.split(" (").next().unwrap_or_default().to_owned());
                let creator = process.creating_location_group;
                self.creators.push(creator.is_defined().then_some(creator.0));
            }
            GlobalDefinition::ClockProperties(clock) => self.realtime = clock.realtime_timestamp,
            GlobalDefinition::LocationProperty(property) => {
                let text = |id| self.strings.get(&id).cloned().unwrap_or_default();
                self.properties.push((text(property.name), text(property.value.string())));
            }
            GlobalDefinition::Location(_) => self.threads += 1,
            GlobalDefinition::String(string) => {
                let text = String::from_utf8_lossy(string.string.as_bytes()).into_owned();
                self.strings.insert(string.id, text);
            }
            GlobalDefinition::Region(region) => {
                let text = |id| self.strings.get(&id).cloned().unwrap_or_default();
                let (name, file) = (text(region.name), text(region.source_file));
                self.regions.insert(region.id, Region { name, file, line: region.begin_line_number });
            }
            GlobalDefinition::InterruptGenerator(generator) => {
                let name = self.strings.get(&generator.name).cloned().unwrap_or_default();
                self.generators.insert(generator.id, name);
            }
            GlobalDefinition::SourceCodeLocation(place) => {
                self.lines.insert(place.id, place.line_number);
            }
            GlobalDefinition::CallingContext(context) => {
                let function = self.regions.get(&context.region).expect("a defined region").name.clone();
                let line = self.lines.get(&context.source_code_location).copied().unwrap_or(0);
                self.contexts.insert(context.id, Context { function, line, caller: context.parent });
            }
            _ => {}
        }
    }

    fn add(&mut self, event: &Event<'_>) {
        *self.kinds.entry(event.name()).or_default() += 1;
        if let Event::CallingContextEnter(enter) = event {
            self.entered.insert(enter.calling_context);
        }
        if let Event::CallingContextSample(sample) = event
            && sample.calling_context.is_defined()
        {
            *self.samples.entry(sample.calling_context).or_default() += 1;
            self.used.insert(sample.interrupt_generator);
        }
        let name = |region| self.regions.get(&region).expect("a defined region").name.clone();
        let function = |context| self.contexts.get(&context).expect("a defined context").function.clone();
        let (counts, name) = match event {
            Event::Enter(enter) => (&mut self.enters, name(enter.region)),
            Event::Leave(leave) => (&mut self.leaves, name(leave.region)),
            Event::CallingContextEnter(enter) => (&mut self.enters, function(enter.calling_context)),
            Event::CallingContextLeave(leave) => (&mut self.leaves, function(leave.calling_context)),
            _ => return,
        };
        *counts.entry(name).or_default() += 1;
    }

    /// Returns the number of samples.
    pub fn samples(&self) -> u64 {
        self.samples.values().sum()
    }

    /// Returns the names of the interrupt generators of the samples.
    pub fn generators(&self) -> BTreeSet<String> {
        self.used.iter().filter_map(|id| self.generators.get(id).cloned()).collect()
    }

    /// Returns the number of samples in a function and its callees.
    pub fn samples_in(&self, function: &str) -> u64 {
        let is_in = |id| self.stack(id).any(|context| context.function == function);
        self.samples.iter().filter(|&(&id, _)| is_in(id)).map(|(_, samples)| samples).sum()
    }

    /// Returns the calling contexts with samples: the functions with the lines in them, the
    /// outermost first.
    pub fn paths(&self) -> Vec<Vec<String>> {
        let shown = |context: &Context| format!("{}:{}", context.function, context.line);
        let path = |&id| self.stack(id).map(shown).collect::<Vec<_>>().into_iter().rev().collect();
        self.samples.keys().map(path).collect()
    }

    /// Returns the call paths of the regions that events entered.
    pub fn entered_paths(&self) -> BTreeSet<String> {
        let functions = |&id| self.stack(id).map(|it| it.function.clone()).collect::<Vec<_>>();
        let path = |id| functions(id).into_iter().rev().collect::<Vec<_>>().join(">");
        self.entered.iter().map(path).collect()
    }

    /// Returns the lines at which events entered a region.
    pub fn lines_entered(&self, region: &str) -> BTreeSet<u32> {
        let contexts = self.entered.iter().filter_map(|id| self.contexts.get(id));
        contexts.filter(|context| context.function == region).map(|context| context.line).collect()
    }

    /// Returns whether a calling context with samples consists of these functions, of which some
    /// may have a line.
    pub fn has_path(&self, expected: &[&str]) -> bool {
        let is_same = |(own, expected): (&String, &&str)| {
            own == expected || own.rsplit_once(':').is_some_and(|(function, _)| function == *expected)
        };
        let paths = self.paths();
        paths.iter().any(|path| path.len() == expected.len() && path.iter().zip(expected).all(is_same))
    }

    fn stack(&self, id: CallingContextRef) -> impl Iterator<Item = &Context> {
        std::iter::successors(self.contexts.get(&id), |context| self.contexts.get(&context.caller))
    }

    pub fn enters(&self, region: &str) -> u64 {
        self.enters.get(region).copied().unwrap_or(0)
    }

    pub fn leaves(&self, region: &str) -> u64 {
        self.leaves.get(region).copied().unwrap_or(0)
    }

    /// Returns the names of the regions that were entered.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.enters.keys().map(String::as_str)
    }

    /// Returns the values of a property of locations.
    pub fn values(&self, property: &str) -> Vec<&str> {
        let values = self.properties.iter().filter(|(name, _)| name == property);
        values.map(|(_, value)| value.as_str()).collect()
    }

    /// Returns the number of events of a kind.
    pub fn count(&self, kind: &str) -> u64 {
        self.kinds.get(kind).copied().unwrap_or(0)
    }

    #[track_caller]
    pub fn has_region(&self, region: &str, times: u64) {
        assert_eq!(
            (self.enters(region), self.leaves(region)),
            (times, times),
            "{region} of {:?}",
            self.enters
        );
    }

    /// Returns the file and line of a region.
    #[track_caller]
    pub fn place_of(&self, region: &str) -> (String, u32) {
        let region = self
            .regions
            .values()
            .find(|it| it.name == region)
            .unwrap_or_else(|| panic!("{:?}", self.regions));
        (region.file.clone(), region.line)
    }
}
