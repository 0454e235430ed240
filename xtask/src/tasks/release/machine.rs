//! The machines for which there are archives.

use clap::ValueEnum;

use crate::Problem;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Machine {
    #[value(name = "x86_64")]
    X86_64,
    #[value(name = "aarch64")]
    Aarch64,
}

impl Machine {
    pub(super) const ALL: [Self; 2] = [Self::X86_64, Self::Aarch64];

    /// Returns the machine that this program runs on.
    pub(crate) fn host() -> Result<Self, Problem> {
        let name = std::env::consts::ARCH;
        Self::ALL.into_iter().find(|it| it.name() == name).ok_or_else(|| format!("no archives for {name}"))
    }

    /// Returns the name that `uname -m` prints.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::X86_64 => "x86_64",
            Self::Aarch64 => "aarch64",
        }
    }

    /// Returns Debian's name.
    pub(crate) fn debian(self) -> &'static str {
        match self {
            Self::X86_64 => "amd64",
            Self::Aarch64 => "arm64",
        }
    }

    /// Returns Rust's name of the target.
    pub(super) fn target(self) -> &'static str {
        match self {
            Self::X86_64 => "x86_64-unknown-linux-gnu",
            Self::Aarch64 => "aarch64-unknown-linux-gnu",
        }
    }
}
