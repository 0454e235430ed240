//! The rank and the job that the launcher of a parallel program assigned to a process, available
//! before the program itself knows its rank.
//!
//! Supports Open MPI, PMIx, PMI and Slurm, by their environment variables. PMI identifies its job
//! by `PMI_JOBID`, which Slurm's implementation sets. Hydra, the launcher of MPICH and Intel MPI,
//! does not set it, so the process that started the ranks identifies the job (`hydra.rs`).
//!
//! Invariant: a rank is valid only together with its job, and variables that contradict each other
//! give no rank.

#![forbid(unsafe_code)]

mod hydra;

/// The identity of a process, as its launcher assigned it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    /// The launcher's name for the job, which is equal for the processes of one job and different
    /// for those of others.
    pub job: String,
    /// The rank.
    pub rank: u32,
    /// The number of ranks, if the launcher provides it.
    pub size: Option<u32>,
}

/// The variables with which launchers assign a rank of MPI. If launchers are nested, their
/// variables must agree.
const RANKS: [&str; 3] = ["OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"];
const SIZES: [&str; 2] = ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE"];
const JOBS: [&str; 3] = ["PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid", "PMI_JOBID"];

/// The names of launchers and of the daemons that they run on each node. Installations append their
/// own to some of them (`mpiexec.openmpi`).
const LAUNCHERS: [&[u8]; 13] = [
    b"aprun",
    b"flux",
    b"hydra_pmi_proxy",
    b"ibrun",
    b"jsrun",
    b"mpiexec",
    b"mpirun",
    b"mpirun_rsh",
    b"orted",
    b"orterun",
    b"prted",
    b"prterun",
    b"srun",
];

/// Whether the program with this name, without its folder, launches the ranks of a job.
pub fn is_launcher(name: &[u8]) -> bool {
    let stem = name.split(|&byte| byte == b'.').next().unwrap_or(name);
    LAUNCHERS.contains(&stem)
}

impl Launch {
    /// The launch of this process.
    pub fn here() -> Option<Self> {
        let variable = |name: &str| std::env::var(name).ok();
        Self::of(variable).or_else(|| hydra::launch(variable))
    }

    /// Whether the job has, or may have, other ranks.
    pub fn has_others(&self) -> bool {
        self.size != Some(1)
    }

    /// The launch that environment variables describe.
    pub fn of(variable: impl Fn(&str) -> Option<String>) -> Option<Self> {
        let number = |name: &str| variable(name)?.parse::<u32>().ok();
        let mut ranks = RANKS.into_iter().filter_map(&variable);
        let Some(first) = ranks.next() else { return Self::of_slurm(variable) };
        let (rank, job) = (first.parse().ok()?, JOBS.into_iter().find_map(&variable)?);
        if !ranks.all(|other| other == first) {
            return None;
        }
        let size = SIZES.into_iter().find_map(number).or_else(|| size_of_step(&variable, &job, rank));
        Self { job, rank, size }.checked()
    }

    /// The launch that Slurm's variables describe. Processes of another launcher within the step
    /// inherit them, so they are used only if no other launcher's variables are set.
    fn of_slurm(variable: impl Fn(&str) -> Option<String>) -> Option<Self> {
        let job = format!("{}.{}", variable("SLURM_JOB_ID")?, variable("SLURM_STEP_ID")?);
        let rank = variable("SLURM_PROCID")?.parse().ok()?;
        let size = tasks(&variable).or_else(|| variable("SLURM_NTASKS")?.parse().ok());
        Self { job, rank, size }.checked()
    }

    fn checked(self) -> Option<Self> {
        (!self.job.is_empty() && self.size.is_none_or(|size| self.rank < size)).then_some(self)
    }

    /// The text form, which is stored in the header of a scratch file.
    pub fn text(&self) -> String {
        format!("{} {} {}", self.rank, self.size.unwrap_or(0), self.job)
    }

    /// Parses the text form.
    pub fn read(text: &str) -> Option<Self> {
        let mut parts = text.splitn(3, ' ');
        let mut number = || parts.next()?.parse::<u32>().ok();
        let (rank, size) = (number()?, number()?);
        Self { job: parts.next()?.to_owned(), rank, size: (size > 0).then_some(size) }.checked()
    }
}

/// The size of a PMIx job whose server is Slurm, which names the job after the step. Other
/// launchers, which run as one task of Slurm on each node, use different names. In a heterogeneous
/// job the step has only some of the ranks.
fn size_of_step(variable: impl Fn(&str) -> Option<String>, job: &str, rank: u32) -> Option<u32> {
    let step = format!("slurm.pmix.{}.{}", variable("SLURM_JOB_ID")?, variable("SLURM_STEP_ID")?);
    let is_task = variable("SLURM_PROCID")?.parse() == Ok(rank) && variable("SLURM_HET_SIZE").is_none();
    (step == job && is_task).then(|| tasks(variable))?
}

fn tasks(variable: impl Fn(&str) -> Option<String>) -> Option<u32> {
    variable("SLURM_STEP_NUM_TASKS")?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn launch(variables: &[(&str, &str)]) -> Option<(String, u32, Option<u32>)> {
        let value = |name: &str| variables.iter().find(|it| it.0 == name).map(|it| it.1.to_owned());
        let launch = Launch::of(value)?;
        assert_eq!(Launch::read(&launch.text()).as_ref(), Some(&launch));
        Some((launch.job, launch.rank, launch.size))
    }

    const OPEN_MPI: [(&str, &str); 3] =
        [("OMPI_COMM_WORLD_RANK", "3"), ("OMPI_COMM_WORLD_SIZE", "4"), ("PMIX_NAMESPACE", "593166337")];
    const SLURM: [(&str, &str); 4] = [
        ("SLURM_JOB_ID", "71"),
        ("SLURM_STEP_ID", "0"),
        ("SLURM_PROCID", "5"),
        ("SLURM_STEP_NUM_TASKS", "8"),
    ];

    #[test]
    fn launchers_assign_rank_and_job() {
        assert_eq!(launch(&[]), None);
        assert_eq!(launch(&OPEN_MPI), Some(("593166337".into(), 3, Some(4))));
        assert_eq!(
            launch(&[("PMIX_RANK", "0"), ("PMIX_NAMESPACE", "slurm.pmix.71.0")]),
            Some(("slurm.pmix.71.0".into(), 0, None))
        );
        assert_eq!(
            launch(&[("PMI_RANK", "1"), ("PMI_SIZE", "2"), ("PMI_JOBID", "71.0")]),
            Some(("71.0".into(), 1, Some(2)))
        );
        assert_eq!(launch(&SLURM), Some(("71.0".into(), 5, Some(8))));
    }

    #[test]
    fn slurm_has_two_variables_for_the_number_of_tasks() {
        let old = [&SLURM[..3], &[("SLURM_NTASKS", "6")]].concat();
        assert_eq!(launch(&old), Some(("71.0".into(), 5, Some(6))));
        // `SLURM_NTASKS` counts the allocation; the step may have fewer tasks.
        assert_eq!(launch(&[&SLURM[..], &[("SLURM_NTASKS", "64")]].concat()).unwrap().2, Some(8));
    }

    /// The size was unknown.
    #[test]
    fn pmix_in_slurm_has_the_size_of_the_step() {
        let with = |pmix: [(&'static str, &'static str); 2], more: &[(&'static str, &'static str)]| {
            launch(&[&pmix[..], &SLURM, more].concat()).map(|it| (it.1, it.2))
        };
        let its = |job| [("PMIX_RANK", "5"), ("PMIX_NAMESPACE", job)];
        assert_eq!(with(its("slurm.pmix.71.0"), &[]), Some((5, Some(8))));
        // Another step, another launcher in this step, a part of a heterogeneous job.
        assert_eq!(with(its("slurm.pmix.71.1"), &[]), Some((5, None)));
        assert_eq!(with(its("prterun-node1-4711@1"), &[]), Some((5, None)));
        assert_eq!(with(its("slurm.pmix.71.0"), &[("SLURM_HET_SIZE", "2")]), Some((5, None)));
        assert_eq!(with([("PMIX_RANK", "9"), its("slurm.pmix.71.0")[1]], &[]), Some((9, None)));
    }

    #[test]
    fn a_rank_without_a_job_is_rejected() {
        // These are the variables of Hydra, none of which identifies the job.
        assert_eq!(launch(&[("PMI_RANK", "1"), ("PMI_SIZE", "2")]), None);
        assert_eq!(launch(&SLURM[1..]), None);
        assert_eq!(launch(&[SLURM[0], SLURM[2], SLURM[3]]), None);
    }

    /// Such a launcher is started once on each node, as a task of Slurm.
    #[test]
    fn the_rank_of_a_launcher_is_not_that_of_its_processes() {
        assert_eq!(launch(&[&[("PMI_RANK", "1")], &SLURM[..]].concat()), None);
        assert_eq!(launch(&[&OPEN_MPI[..], &SLURM[..]].concat()).unwrap().1, 3);
        assert_eq!(launch(&[&OPEN_MPI[..], &[("PMI_RANK", "2")]].concat()), None);
        assert_eq!(launch(&[&OPEN_MPI[..], &[("PMIX_RANK", "3")]].concat()).unwrap().1, 3);
    }

    #[test]
    fn launchers_are_known_by_their_name() {
        assert!([&b"mpirun"[..], b"mpiexec.hydra", b"srun"].into_iter().all(is_launcher));
        assert!(![&b"env"[..], b"mpirunner", b"", b"/usr/bin/mpirun"].into_iter().any(is_launcher));
    }

    #[test]
    fn impossible_ranks_are_rejected() {
        for rank in ["4", "-1", "", "x"] {
            let variables = [("OMPI_COMM_WORLD_RANK", rank), OPEN_MPI[1], OPEN_MPI[2]];
            assert_eq!(launch(&variables), None, "{rank}");
        }
        for text in ["", "1", "1 2", "1 2 ", "2 2 job", "1 x job", "x 2 job"] {
            assert_eq!(Launch::read(text), None, "{text}");
        }
    }
}
