//! Programs that are killed while they record. `kymo-scenarios` derives each scenario from a seed,
//! and counts the events that `kymo recover` recovers.

use std::env;
use std::fs;
use std::path::Path;

use clap::Args;

use crate::process::{built, cargo, compiler, print_machine, program, run};
use crate::{Done, of};

#[derive(Debug, Args)]
pub(crate) struct Kills {
    /// The number of scenarios
    #[arg(default_value_t = 200)]
    count: u32,
    /// The cargo profile to build with
    #[arg(long, default_value = "release", value_name = "NAME")]
    profile: String,
    /// Options of kymo-scenarios, such as --only-kills or --seed 4711
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    options: Vec<String>,
}

impl Kills {
    pub(crate) fn run(&self) -> Done {
        let packages = ["--package", "kymo-plugin", "--package", "kymo", "--package", "kymo-plugin-tests"];
        run(cargo("build --locked --profile").arg(&self.profile).args(packages))?;
        let built = built(&self.profile)?;
        let hosts = built.join("kymo-scenarios-hosts");
        fs::create_dir_all(&hosts).map_err(|error| of(&hosts, error))?;
        compile_host(&hosts)?;
        print_machine()?;
        let mut scenarios = program(built.join("kymo-scenarios"));
        scenarios.arg(self.count.to_string());
        scenarios.arg("--plugin").arg(built.join("libscorep_substrate_kymo.so"));
        scenarios.arg("--kymo").arg(built.join("kymo")).arg("--host").arg(hosts.join("ends"));
        // Storage that is never slow: the bound of one drain interval is only valid if the storage
        // keeps up.
        let folder = env::var_os("TMPDIR").unwrap_or("/dev/shm".into());
        run(scenarios.args(&self.options).env("TMPDIR", folder))
    }
}

/// Compiles the program that records, in C with a part in C++.
fn compile_host(folder: &Path) -> Done {
    let (object, program) = (folder.join("ends.o"), folder.join("ends"));
    let flags = ["-std=c11", "-O1", "-g", "-pthread", "-I", "include", "-c", "-o"];
    run(compiler("CC", "cc").args(flags).arg(&object).arg("plugin-tests/c-hosts/ends.c"))?;
    let flags = ["-O1", "-g", "-pthread", "-rdynamic", "-o"];
    run(compiler("CXX", "c++").args(flags).arg(program).args([
        "plugin-tests/c-hosts/throws.cpp".as_ref(),
        object.as_os_str(),
        "-ldl".as_ref(),
    ]))
}
