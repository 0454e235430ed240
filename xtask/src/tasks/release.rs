//! The optimised build of what users receive, and the symbols of its libraries.

use clap::Args;

use crate::process::{built, cargo, run};
use crate::{Done, symbols};

#[derive(Debug, Args)]
pub(crate) struct Release {
    /// The cargo profile to build with
    #[arg(long, default_value = "dist", value_name = "NAME")]
    profile: String,
}

const PACKAGES: [&str; 6] =
    ["kymo", "kymo-otf2-c", "kymo-plugin", "kymo-runtime", "kymo-print-regions", "kymo-ttf"];

impl Release {
    pub(crate) fn run(&self) -> Done {
        let mut build = cargo("build --locked --profile");
        build.arg(&self.profile).args(PACKAGES.iter().flat_map(|package| ["--package", package]));
        run(&mut build)?;
        let folder = built(&self.profile)?;
        symbols::check_plugins(&folder, "")?;
        symbols::check_ttf(&folder)?;
        symbols::check_otf2(&folder)
    }
}
