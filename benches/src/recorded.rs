//! Programs that `libkymo_runtime.so` records, as under `kymo record`.

use crate::run::Run;
use crate::{Bench, Result};
use std::path::{Path, PathBuf};

/// The libraries that record a program.
pub(crate) struct Runtime {
    /// `libkymo_runtime.so`; the plugin is next to it.
    library: PathBuf,
}

impl Runtime {
    pub(crate) fn build(bench: &Bench) -> Result<Self> {
        bench.build("kymo-plugin", crate::plugin::LIBRARY)?;
        Ok(Self { library: bench.build("kymo-runtime", "libkymo_runtime.so")? })
    }

    /// Returns the same run, with kinds of events recorded.
    pub(crate) fn record(&self, run: Run, kinds: &str) -> Run {
        let plugins = self.library.parent().unwrap_or(Path::new("."));
        run.with("LD_PRELOAD", &self.library)
            .with("LD_LIBRARY_PATH", plugins)
            .with("OPENCL_LAYERS", &self.library)
            .with("SCOREP_SUBSTRATE_PLUGINS", "kymo")
            .with("KYMO_RECORD_WITH", kinds)
    }
}
