//! The optimised build of what users receive, and the symbols of its libraries.

use clap::Args;

use crate::process::{built, cargo, run};
use crate::{Done, symbols};

#[derive(Debug, Args)]
pub(crate) struct Release {
    /// The cargo profile to build with
    #[arg(long, default_value = "dist", value_name = "NAME")]
    profile: String,
    /// Build only the libraries, not the command, which takes most of the time
    #[arg(long)]
    libraries: bool,
}

const LIBRARIES: [&str; 5] = ["kymo-otf2-c", "kymo-plugin", "kymo-runtime", "kymo-print-regions", "kymo-ttf"];

impl Release {
    pub(crate) fn run(&self) -> Done {
        let mut build = cargo("build --locked --profile");
        let command = (!self.libraries).then_some("kymo");
        let packages = LIBRARIES.into_iter().chain(command);
        build.arg(&self.profile).args(packages.flat_map(|package| ["--package", package]));
        run(&mut build)?;
        let folder = built(&self.profile)?;
        symbols::check_plugins(&folder, "")?;
        symbols::check_ttf(&folder)?;
        symbols::check_otf2(&folder)
    }
}
