//! The finding of a check, as lines of the report.

/// How good something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FindingState {
    Good,
    /// Something is recorded less well, or not at all.
    Limited,
    /// Absent, and needed only for the purpose that its name states.
    Absent,
    /// Nothing can be recorded.
    Failed,
}

impl FindingState {
    fn word(self) -> &'static str {
        match self {
            Self::Good => "ok",
            Self::Limited => "limited",
            Self::Absent => "none",
            Self::Failed => "FAILED",
        }
    }
}

/// The finding of a check.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Finding {
    pub(super) subject: &'static str,
    pub(super) state: FindingState,
    pub(super) what: String,
    /// How to change it.
    pub(super) advice: Option<String>,
}

impl Finding {
    pub(super) fn new(subject: &'static str, state: FindingState, what: impl Into<String>) -> Self {
        Self { subject, state, what: what.into(), advice: None }
    }

    pub(super) fn advise(self, advice: impl Into<String>) -> Self {
        Self { advice: Some(advice.into()), ..self }
    }

    /// Returns the lines of the report.
    pub(super) fn lines(&self) -> String {
        let Self { subject, state, what, advice } = self;
        let advice = advice.as_ref().map_or(String::new(), |advice| format!("{:23}→ {advice}\n", ""));
        format!("{subject:14} {:8}{what}\n{advice}", state.word())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_is_below_what_was_found() {
        let finding = Finding::new("samples", FindingState::Limited, "by timers").advise("sysctl x=1");
        let lines = "samples        limited by timers\n                       → sysctl x=1\n";
        assert_eq!(finding.lines(), lines);
    }
}
