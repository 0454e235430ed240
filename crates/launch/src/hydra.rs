//! The job of a rank that Hydra started.
//!
//! Hydra provides a rank and a size, but no name of the job. Each node has a proxy that starts its
//! ranks and whose command line contains the port of the `mpiexec` that all proxies of the job are
//! connected to. The port identifies the job. Without a port, the proxy itself identifies it,
//! because the job then runs on one node.

use std::fs;

use super::Launch;

/// The maximum number of processes between a rank and its proxy.
const GENERATIONS: usize = 64;

/// The launch of a process with this environment.
pub(super) fn launch(variable: impl Fn(&str) -> Option<String>) -> Option<Launch> {
    let rank = variable("PMI_RANK").or_else(|| variable("PMI_ID"))?;
    let size = variable("PMI_SIZE")?.parse().ok()?;
    if super::RANKS[..2].iter().any(|name| variable(name).is_some()) || variable("PMI_JOBID").is_some() {
        return None;
    }
    Launch { job: job(&rank)?, rank: rank.parse().ok()?, size: Some(size) }.checked()
}

/// The job of this process.
fn job(rank: &str) -> Option<String> {
    let mut process = Process::read("self")?;
    for _ in 0..GENERATIONS {
        process = Process::read(&process.parent)?;
        if let Some(port) = process.control_port() {
            return Some(format!("hydra-{port}"));
        }
        if !process.has_rank(rank) {
            return Some(format!("hydra-{}-{}-{}", boot(), process.number, process.started));
        }
    }
    None
}

fn boot() -> String {
    fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default().trim().to_owned()
}

struct Process {
    number: String,
    parent: String,
    started: String,
}

impl Process {
    fn read(number: &str) -> Option<Self> {
        let stat = fs::read(format!("/proc/{number}/stat")).ok()?;
        let stat = String::from_utf8_lossy(&stat).into_owned();
        // The name of the program, in parentheses, may contain any character.
        let (number, fields) = (stat.split(' ').next()?.to_owned(), stat.rsplit_once(')')?.1);
        let mut fields = fields.split_ascii_whitespace();
        let parent = fields.nth(1)?.to_owned();
        Some(Self { number, parent, started: fields.nth(17)?.to_owned() })
    }

    fn file(&self, name: &str) -> Vec<u8> {
        fs::read(format!("/proc/{}/{name}", self.number)).unwrap_or_default()
    }

    /// The argument that follows `--control-port`.
    fn control_port(&self) -> Option<String> {
        let line = self.file("cmdline");
        let mut arguments = line.split(|&byte| byte == 0).skip_while(|it| *it != b"--control-port");
        Some(String::from_utf8_lossy(arguments.nth(1)?).into_owned())
    }

    /// Whether the environment has this rank. If so, the process is between the proxy and the
    /// program.
    fn has_rank(&self, rank: &str) -> bool {
        let expected = ["PMI_RANK", "PMI_ID"].map(|name| format!("{name}={rank}"));
        self.file("environ")
            .split(|&byte| byte == 0)
            .any(|it| expected.iter().any(|variable| variable.as_bytes() == it))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_proxy_identifies_the_job_of_a_hydra_rank() {
        let variable = |name: &str| match name {
            "PMI_RANK" => Some("1".to_owned()),
            "PMI_SIZE" => Some("2".to_owned()),
            _ => None,
        };
        let launch = launch(variable).unwrap();
        assert_eq!((launch.rank, launch.size), (1, Some(2)));
        // This is not the case if the tests run as ranks of Hydra.
        let parent = std::os::unix::process::parent_id();
        assert!(
            launch.job.starts_with("hydra-") && launch.job.contains(&format!("-{parent}-")),
            "{launch:?}"
        );
        let contradicting =
            |name: &str| variable(name).or_else(|| (name == "PMIX_RANK").then(|| "0".to_owned()));
        assert_eq!(super::launch(contradicting), None);
    }
}
