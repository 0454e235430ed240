//! The environment of a run, for the head of the results: machine, system, compilers and libraries.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Returns the head as Markdown; `libotf2` is the reference program. The host's name is not
/// included.
pub(crate) fn description(libotf2: Option<&Path>) -> String {
    let unknown = || "unknown".to_owned();
    let date = line("date", &["-u", "+%F"]).unwrap_or_else(unknown);
    let rust = line("rustc", &["--version"]).unwrap_or_else(unknown);
    let c = line("cc", &["--version"]).unwrap_or_else(unknown);
    let libotf2 = libotf2.and_then(|program| line(program, &["version"]));
    let libotf2 = libotf2.unwrap_or_else(|| "no libotf2".to_owned());
    let valgrind = line("valgrind", &["--version"]).unwrap_or_else(|| "no valgrind".to_owned());
    format!(
        "- Date: {date}\n- Commit: {}\n- Machine: {}, {} cores, {}, Linux {}\n- Made with: {rust}; {c}; {libotf2}; {valgrind}\n",
        commit().unwrap_or_else(unknown),
        processor().unwrap_or_else(unknown),
        std::thread::available_parallelism().map_or(0, usize::from),
        std::env::consts::ARCH,
        kernel(),
    )
}

/// Returns the first line that a program prints.
fn line(program: impl AsRef<OsStr>, arguments: &[&str]) -> Option<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = Command::new(program).args(arguments).current_dir(folder).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    text.lines().next().filter(|_| output.status.success()).map(str::to_owned)
}

/// Returns the commit, and whether the tree differs from it anywhere but in the benches.
fn commit() -> Option<String> {
    let commit = line("git", &["rev-parse", "--short=12", "HEAD"])?;
    let status = ["--no-optional-locks", "status", "--porcelain", "--", "..", ":!."];
    Some(if line("git", &status).is_some() { format!("{commit}, with local changes") } else { commit })
}

fn processor() -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let field = |name: &str| {
        let line = text.lines().find(|line| line.starts_with(name))?;
        line.split_once(':').map(|(_, value)| value.trim().to_owned())
    };
    let model = field("model name")?;
    Some(match (field("cpu family"), field("model\t")) {
        (Some(family), Some(number)) => format!("{model} (family {family}, model {number})"),
        _ => model,
    })
}

/// Returns major and minor number; the rest would name builds and hosts.
fn kernel() -> String {
    let release = rustix::system::uname().release().to_string_lossy().into_owned();
    release.split(['.', '-']).take(2).collect::<Vec<_>>().join(".")
}
