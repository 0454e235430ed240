//! Judges the abilities of a machine. The values to compare with are those that
//! docs/reference/record.md and docs/reference/settings.md state.

use super::finding::{Finding, FindingState};
use super::system::System;
use crate::number;

/// The largest value of `kernel.perf_event_paranoid` with which a user can sample own programs.
const MOST_PARANOID: i64 = 2;
/// Memory that a recording may take before it waits for its files.
const SCRATCH: u64 = 64 << 20;
/// The address space that the runtime, the plugin and their memory take at most.
const ADDRESS_SPACE: u64 = 1 << 30;
/// Descriptors of a program with some hundred threads.
const DESCRIPTORS: u64 = 1024;

/// The runtimes of OpenMP, by the beginnings of their files.
const OPENMP: [(&str, &str); 3] =
    [("libgomp.so", "gcc (libgomp)"), ("libomp.so", "LLVM (libomp)"), ("libiomp5.so", "Intel (libiomp5)")];
/// Libraries of MPI, by the beginnings of their files.
const MPI: [(&str, &str); 4] = [
    ("libmpi.so.40", "Open MPI"),
    ("libmpich.so.12", "MPICH"),
    ("libmpi.so.12", "MPICH or Intel MPI"),
    ("libmpi_abi.so", "the interface of MPI 5"),
];

/// Libraries for accelerators that are recorded, and such that are not.
const RECORDED_ACCELERATORS: [(&str, &str); 2] = [("libOpenCL.so", "OpenCL"), ("libacchost.so", "OpenACC")];
const OTHER_ACCELERATORS: [(&str, &str); 3] =
    [("libcuda.so", "CUDA"), ("libamdhip64.so", "HIP"), ("liboshmem.so", "OpenSHMEM")];

/// Returns all findings, in the order of the report.
pub(super) fn all(system: &System) -> Vec<Finding> {
    let checks = [
        recording,
        samples,
        counters,
        clock,
        memory,
        address_space,
        files,
        mpi,
        openmp,
        accelerators,
        score_p,
        viewing,
        reading,
    ];
    checks.iter().map(|check| check(system)).collect()
}

fn recording(system: &System) -> Finding {
    const SUBJECT: &str = "recording";
    match &system.libraries {
        Some(Ok(folder)) => {
            Finding::new(SUBJECT, FindingState::Good, format!("libraries in {}", folder.display()))
        }
        Some(Err(why)) => Finding::new(SUBJECT, FindingState::Failed, why.clone()),
        None => Finding::new(SUBJECT, FindingState::Failed, "libraries unknown"),
    }
}

fn samples(system: &System) -> Finding {
    const SUBJECT: &str = "samples";
    let timers = "timers take samples instead, at most at each tick of the scheduler";
    match system.paranoid {
        None => {
            Finding::new(SUBJECT, FindingState::Limited, format!("the kernel has no perf events; {timers}"))
        }
        Some(value) if value > MOST_PARANOID && !system.is_root => Finding::new(
            SUBJECT,
            FindingState::Limited,
            format!("kernel.perf_event_paranoid is {value}; {timers}"),
        )
        .advise(format!("as root: sysctl kernel.perf_event_paranoid={MOST_PARANOID}")),
        Some(_) if system.is_filtered => {
            let what = format!("a filter of system calls may refuse perf_event_open; if so, {timers}");
            Finding::new(SUBJECT, FindingState::Limited, what)
                .advise("in Docker: --security-opt seccomp=FILE with perf_event_open, or --cap-add PERFMON")
        }
        Some(value) => Finding::new(
            SUBJECT,
            FindingState::Good,
            format!("perf events (kernel.perf_event_paranoid is {value})"),
        ),
    }
}

fn counters(system: &System) -> Finding {
    const SUBJECT: &str = "counters";
    match system.has_counters {
        true => Finding::new(SUBJECT, FindingState::Good, "the kernel offers the counters of the processor"),
        false => Finding::new(
            SUBJECT,
            FindingState::Absent,
            "the processor's counters are hidden, as in most virtual machines",
        ),
    }
}

fn clock(system: &System) -> Finding {
    const SUBJECT: &str = "clock";
    let advice = "SCOREP_TIMER=clock_gettime avoids the counter of the processor";
    match system.clock.as_deref() {
        Some(clock @ ("tsc" | "arch_sys_counter")) => Finding::new(
            SUBJECT,
            FindingState::Good,
            format!("the kernel trusts the processor's counter ({clock})"),
        ),
        Some(other) => {
            let what = format!("the kernel uses {other}: it may not trust the processor's counter");
            Finding::new(SUBJECT, FindingState::Limited, what).advise(advice)
        }
        None => {
            Finding::new(SUBJECT, FindingState::Absent, "/sys does not tell whether the kernel trusts it")
        }
    }
}

fn memory(system: &System) -> Finding {
    const SUBJECT: &str = "/dev/shm";
    let else_where = "SCOREP_SUBSTRATE_KYMO_SCRATCH names another folder (docs/reference/settings.md)";
    match system.shared {
        None => {
            let what = "missing: what a killed program had not written yet is lost";
            Finding::new(SUBJECT, FindingState::Limited, what).advise(else_where)
        }
        Some((free, all)) => {
            let what = format!("{} of {} free", number::bytes(free as f64), number::bytes(all as f64));
            match free < SCRATCH {
                true => Finding::new(
                    SUBJECT,
                    FindingState::Limited,
                    format!("{what}; a process may take {}", number::bytes(SCRATCH as f64)),
                )
                .advise(format!("mount -o remount,size=1G /dev/shm; in Docker: --shm-size=1g; {else_where}")),
                false => Finding::new(SUBJECT, FindingState::Good, what),
            }
        }
    }
}

fn address_space(system: &System) -> Finding {
    const SUBJECT: &str = "address space";
    match system.address_space {
        Some(limit) if limit < ADDRESS_SPACE => {
            let what =
                format!("limited to {}; programs near the limit run unrecorded", number::bytes(limit as f64));
            Finding::new(SUBJECT, FindingState::Limited, what).advise("ulimit -v unlimited")
        }
        Some(limit) => {
            Finding::new(SUBJECT, FindingState::Good, format!("limited to {}", number::bytes(limit as f64)))
        }
        None => Finding::new(SUBJECT, FindingState::Good, "not limited"),
    }
}

fn files(system: &System) -> Finding {
    const SUBJECT: &str = "open files";
    match system.descriptors {
        Some(limit) if limit < DESCRIPTORS => Finding::new(
            SUBJECT,
            FindingState::Limited,
            format!("at most {limit}; each thread that records takes one"),
        )
        .advise(format!("ulimit -n {DESCRIPTORS}")),
        Some(limit) => Finding::new(SUBJECT, FindingState::Good, format!("at most {limit}")),
        None => Finding::new(SUBJECT, FindingState::Good, "not limited"),
    }
}

/// Returns which of the libraries the loader finds.
fn found(system: &System, libraries: &[(&str, &str)]) -> Vec<String> {
    let has = |name: &str| system.libraries_of_loader.lines().any(|line| line.trim().starts_with(name));
    libraries.iter().filter(|(name, _)| has(name)).map(|(_, what)| (*what).to_owned()).collect()
}

fn mpi(system: &System) -> Finding {
    const SUBJECT: &str = "MPI";
    let launchers = system.launchers.iter().map(|(name, version)| format!("{name}: {version}"));
    let all: Vec<_> = found(system, &MPI).into_iter().chain(launchers).collect();
    match all.is_empty() {
        true => Finding::new(
            SUBJECT,
            FindingState::Absent,
            "no library that the loader finds, no launcher in PATH",
        )
        .advise("module load, if this is a cluster; kymo needs no version of its own for it"),
        false => Finding::new(SUBJECT, FindingState::Good, all.join("; ")),
    }
}

fn openmp(system: &System) -> Finding {
    const SUBJECT: &str = "OpenMP";
    match found(system, &OPENMP) {
        all if all.is_empty() => {
            Finding::new(SUBJECT, FindingState::Absent, "no runtime that the loader finds")
        }
        all => Finding::new(SUBJECT, FindingState::Good, all.join("; ")),
    }
}

fn accelerators(system: &System) -> Finding {
    const SUBJECT: &str = "accelerators";
    let recorded = found(system, &RECORDED_ACCELERATORS);
    let others = found(system, &OTHER_ACCELERATORS);
    let mut texts = recorded.clone();
    if !others.is_empty() {
        texts.push(format!("what programs do with {} is not recorded", others.join(" and ")));
    }
    let state = match (recorded.is_empty(), others.is_empty()) {
        (true, true) => {
            return Finding::new(SUBJECT, FindingState::Absent, "no library that the loader finds");
        }
        (_, false) => FindingState::Limited,
        (false, true) => FindingState::Good,
    };
    Finding::new(SUBJECT, state, texts.join("; "))
}

fn score_p(system: &System) -> Finding {
    const SUBJECT: &str = "Score-P";
    match &system.score_p {
        Some(version) => Finding::new(SUBJECT, FindingState::Good, version.clone())
            .advise("SCOREP_SUBSTRATE_PLUGINS=kymo and LD_LIBRARY_PATH load the plugin into its programs"),
        None => Finding::new(SUBJECT, FindingState::Absent, "not in PATH, and not needed"),
    }
}

fn viewing(system: &System) -> Finding {
    const SUBJECT: &str = "browser";
    match system.has_display {
        true => Finding::new(SUBJECT, FindingState::Good, "kymo view can open one"),
        false => Finding::new(SUBJECT, FindingState::Absent, "no display")
            .advise("kymo view --print-url --no-open with ssh -L, kymo view --text, or kymo report"),
    }
}

fn reading(system: &System) -> Finding {
    const SUBJECT: &str = "otf2-print";
    match system.has_otf2_print {
        true => Finding::new(SUBJECT, FindingState::Good, "in PATH"),
        false => Finding::new(SUBJECT, FindingState::Absent, "not in PATH; kymo print does the same"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a machine without limits.
    fn good() -> System {
        System {
            libraries: Some(Ok("/usr/lib".into())),
            paranoid: Some(2),
            has_counters: true,
            clock: Some("tsc".to_owned()),
            shared: Some((8 << 30, 8 << 30)),
            libraries_of_loader: "\tlibgomp.so.1 (libc6,x86-64) => /lib/libgomp.so.1\n\
                                  \tlibOpenCL.so.1 (libc6,x86-64) => /lib/libOpenCL.so.1\n\
                                  \tlibmpi.so.40 (libc6,x86-64) => /lib/libmpi.so.40\n"
                .to_owned(),
            score_p: Some("8.4".to_owned()),
            has_otf2_print: true,
            has_display: true,
            ..System::default()
        }
    }

    fn states(system: &System) -> Vec<(&'static str, FindingState)> {
        let all = all(system);
        all.iter().filter(|it| it.state != FindingState::Good).map(|it| (it.subject, it.state)).collect()
    }

    /// The line, its state, and the change of the machine that makes it so.
    type Case = (&'static str, FindingState, fn(&mut System));

    #[test]
    fn each_limit_is_reported() {
        assert_eq!(states(&good()), []);
        let cases: [Case; 11] = [
            ("recording", FindingState::Failed, |it| it.libraries = Some(Err("gone".to_owned()))),
            ("samples", FindingState::Limited, |it| it.paranoid = Some(3)),
            ("samples", FindingState::Limited, |it| it.is_filtered = true),
            ("counters", FindingState::Absent, |it| it.has_counters = false),
            ("clock", FindingState::Limited, |it| it.clock = Some("hpet".to_owned())),
            ("/dev/shm", FindingState::Limited, |it| it.shared = Some((1 << 20, 64 << 20))),
            ("address space", FindingState::Limited, |it| it.address_space = Some(500 << 20)),
            ("open files", FindingState::Limited, |it| it.descriptors = Some(256)),
            ("MPI", FindingState::Absent, |it| {
                it.libraries_of_loader = "\tlibgomp.so.1 (libc6)\n\tlibOpenCL.so.1 (libc6)\n".to_owned()
            }),
            ("accelerators", FindingState::Absent, |it| {
                it.libraries_of_loader = it.libraries_of_loader.replace("libOpenCL", "libOpenGL")
            }),
            ("accelerators", FindingState::Limited, |it| {
                it.libraries_of_loader += "\tlibcuda.so.1 (libc6)\n"
            }),
        ];
        for (subject, state, change) in cases {
            let mut system = good();
            change(&mut system);
            assert_eq!(states(&system), [(subject, state)]);
        }
        let root = System { paranoid: Some(4), is_root: true, ..good() };
        assert_eq!(states(&root), []);
    }
}
