//! Real programs with each module of `kymo record`: their output, messages, exit status and files
//! are those of a run without it, and `kymo check` finds no error in the archive.
//!
//! Invariant: a part of a result in which runs without `kymo` differ is not compared, and is
//! counted.

mod outcome;
mod table;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use clap::Args;

use crate::process::{built, cargo, output, print_machine, program, run, target};
use crate::{Done, Problem, of};
use outcome::Outcome;
use table::{Row, Table};

/// A name, `|` and a line of the shell.
const LIST: &str = include_str!("list.txt");
const INPUTS: &str = include_str!("inputs.sh");
/// The modules, as `--with` names them; none is recorded by default.
const MODULES: [&str; 11] = [
    "",
    "functions",
    "user",
    "threads,locks",
    "io",
    "memory",
    "counters,rusage",
    "mpi",
    "openmp,openacc,opencl",
    "nvtx,itt,kokkos,perfstubs",
    "sampling,waiting",
];
const EVERYTHING: &str = "functions,user,threads,locks,io,memory,rusage,counters,mpi,openmp,openacc,\
                          opencl,nvtx,itt,kokkos,perfstubs,sampling,waiting";
/// Runs without `kymo`, which are compared with each other.
const PLAIN_RUNS: usize = 3;
/// In seconds.
const LONGEST: &str = "120";

#[derive(Debug, Args)]
pub(crate) struct Programs {
    /// Programs of the list; all of them by default
    names: Vec<String>,
    /// What to record, as `kymo record --with` names it; by default each module, and all at once
    #[arg(long, value_name = "WHAT")]
    with: Vec<String>,
    /// The cargo profile to build with
    #[arg(long, default_value = "release", value_name = "NAME")]
    profile: String,
}

/// A program that is there.
struct Program<'a> {
    name: &'a str,
    line: &'a str,
    plain: Outcome,
    seconds: f64,
}

/// The folders, which have the same names in all runs.
struct Places {
    kymo: PathBuf,
    inputs: PathBuf,
    work: PathBuf,
    result: PathBuf,
}

impl Programs {
    pub(crate) fn run(&self) -> Done {
        let packages = ["--package", "kymo", "--package", "kymo-runtime", "--package", "kymo-plugin"];
        run(cargo("build --locked --no-default-features --profile").arg(&self.profile).args(packages))?;
        let places = Places::make(built(&self.profile)?.join("kymo"))?;
        print_machine()?;
        let programs = self.programs(&places)?;
        let chosen: Vec<&str> = match self.with.is_empty() {
            true => MODULES.into_iter().chain([EVERYTHING]).collect(),
            false => self.with.iter().map(String::as_str).collect(),
        };
        let mut table = Table::default();
        for with in chosen {
            let mut row = Row::new(if with.is_empty() { "(default)" } else { with });
            for program in &programs {
                places.judge(program, with, &mut row)?;
            }
            table.push(row);
        }
        table.print();
        match table.is_clean() {
            true => Ok(()),
            false => Err("programs behave differently when recorded".to_owned()),
        }
    }

    /// Returns the programs of the list that are installed, with their behaviour without `kymo`.
    fn programs(&self, places: &Places) -> Result<Vec<Program<'static>>, Problem> {
        let mut programs = Vec::new();
        for line in LIST.lines().filter(|line| !line.starts_with('#')) {
            let (name, line) = line
                .split_once(" | ")
                .ok_or_else(|| format!("list.txt: expected NAME | LINE, found {line}"))?;
            if !self.names.is_empty() && !self.names.iter().any(|wanted| wanted == name) {
                continue;
            }
            let find = format!("PATH=$PATH:$(echo /usr/lib/postgresql/*/bin) command -v {name}");
            if output(program("sh").args(["-c", &find])).is_err() {
                println!("{name}: not installed");
                continue;
            }
            let start = Instant::now();
            let mut plain = places.run(plain_command(line))?;
            let seconds = start.elapsed().as_secs_f64();
            for _ in 1..PLAIN_RUNS {
                plain.keep_common(&places.run(plain_command(line))?);
            }
            if let Some(parts) = plain.varying() {
                println!("{name}: differs between runs without kymo: {parts}");
            }
            programs.push(Program { name, line, plain, seconds });
        }
        Ok(programs)
    }
}

fn plain_command(line: &str) -> Command {
    let mut command = program("timeout");
    command.args([LONGEST, "sh", "-c", line]);
    command
}

impl Places {
    fn make(kymo: PathBuf) -> Result<Self, Problem> {
        let folder = target()?.join("programs");
        let _ = fs::remove_dir_all(&folder);
        let at = |name: &str| folder.join(name);
        let places = Self { kymo, inputs: at("inputs"), work: at("work"), result: at("result") };
        fs::create_dir_all(&places.inputs).map_err(|error| of(&places.inputs, error))?;
        run(program("sh").args(["-c", INPUTS]).current_dir(&places.inputs))?;
        Ok(places)
    }

    /// Runs a command in a new folder of inputs.
    fn run(&self, mut command: Command) -> Result<Outcome, Problem> {
        let _ = fs::remove_dir_all(&self.work);
        run(program("cp").arg("-a").arg(&self.inputs).arg(&self.work))?;
        fs::create_dir(self.work.join("tmp")).map_err(|error| of(&self.work, error))?;
        // The variables of this shell must not change results.
        command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.envs([("LC_ALL", "C"), ("TZ", "UTC"), ("USER", "root")]);
        command.env("HOME", self.work.join("tmp")).env("TMPDIR", self.work.join("tmp"));
        for name in ["RUSTUP_HOME", "CARGO_HOME"] {
            command.envs(std::env::var_os(name).map(|value| (name, value)));
        }
        Outcome::of(command.current_dir(&self.work), &self.work)
    }

    /// Runs a program with `kymo record --with`, and compares.
    fn judge(&self, it: &Program, with: &str, row: &mut Row) -> Done {
        let _ = fs::remove_dir_all(&self.result);
        let mut command = program("timeout");
        command.arg(LONGEST).arg(&self.kymo).arg("record").arg("-o").arg(&self.result);
        if !with.is_empty() {
            command.args(["--with", with]);
        }
        command.args(["--", "sh", "-c", it.line]);
        let start = Instant::now();
        let recorded = self.run(command)?;
        row.add_times(it.seconds, start.elapsed().as_secs_f64());
        let mut found = it.plain.differences(&recorded);
        found.extend(self.errors()?);
        println!("{} {}: {}", row.name(), it.name, if found.is_empty() { "same" } else { "DIFFERENT" });
        row.add(it.name, found);
        Ok(())
    }

    /// Returns the findings of `kymo check` in the archives of the last run.
    fn errors(&self) -> Result<Vec<String>, Problem> {
        let mut errors = Vec::new();
        for archive in archives(&self.result)? {
            let check = program(&self.kymo).arg("check").arg(&archive).output();
            let check = check.map_err(|error| of(&self.kymo, error))?;
            if !check.status.success() {
                let text = String::from_utf8_lossy(&check.stdout).into_owned();
                errors.push(format!(
                    "kymo check {}: {}",
                    check.status,
                    text.lines().next().unwrap_or_default()
                ));
            }
        }
        Ok(errors)
    }
}

/// Returns the archives below a folder, which is absent if nothing was recorded.
fn archives(folder: &Path) -> Result<Vec<PathBuf>, Problem> {
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let found = output(program("find").arg(folder).args(["-name", "traces.otf2"]))?;
    Ok(found.lines().map(PathBuf::from).collect())
}
