//! Installs the files that users need under a prefix, and removes them again.

mod build;
mod config;
pub(crate) mod files;
pub(crate) mod manifest;
mod skill;

use std::path::{Path, PathBuf};

use clap::Args;

pub(crate) use build::PACKAGES;

use crate::{Done, of};

#[derive(Debug, Args)]
pub(crate) struct Prefix {
    /// The folder, for example ~/.local or /usr/local
    #[arg(long, value_name = "DIR")]
    prefix: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct Install {
    #[command(flatten)]
    prefix: Prefix,
    /// The cargo profile to build with
    #[arg(long, default_value = "release", value_name = "NAME")]
    profile: String,
    /// Install what was built into this folder, and build nothing
    #[arg(long, value_name = "DIR")]
    built: Option<PathBuf>,
}

impl Install {
    pub(crate) fn run(&self) -> Done {
        let built = match &self.built {
            Some(folder) => folder.clone(),
            None => build::build(&self.profile)?,
        };
        let files = files::all(&built, &built)?;
        // The paths that are shown and searched must be valid in any working directory.
        let prefix =
            std::path::absolute(&self.prefix.prefix).map_err(|error| of(&self.prefix.prefix, error))?;
        manifest::install(&prefix, &files)?;
        println!("{}", summary(&prefix, files.len()));
        Ok(())
    }
}

impl Prefix {
    pub(crate) fn uninstall(&self) -> Done {
        println!("{}", manifest::uninstall(&self.prefix)?);
        Ok(())
    }
}

fn summary(prefix: &Path, files: usize) -> String {
    let shown = prefix.display();
    format!(
        "{files} files installed in {shown}. Try it:\n    {shown}/bin/kymo record -- ls\n\
         With Score-P: export LD_LIBRARY_PATH={shown}/lib SCOREP_SUBSTRATE_PLUGINS=kymo\n\
         Without it: {shown}/bin in PATH; cc -I {shown}/include for <kymo/user.h>\n\
         Programs for OTF2 with Kymo's library: export LD_LIBRARY_PATH={shown}/lib/kymo/otf2"
    )
}
