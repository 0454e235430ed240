//! What a walk of a stack found.

/// What a walk found.
#[derive(Debug, Clone, Copy)]
pub(super) struct WalkedFrames {
    /// The number of frames.
    pub(super) count: usize,
    /// All of the stack, up to the functions that start a program or a thread, is in files without
    /// an allocator and outside of the loader.
    pub(super) is_only_the_program: bool,
}

/// What kinds of code a stack leads through, as far as it is known, from its innermost frame on.
#[derive(Debug, Default)]
pub(super) struct StackContent {
    /// Whether the last frame is in a file with an allocator, or in the loader.
    last: Option<bool>,
    has_program: bool,
    has_delicate: bool,
    /// The program has called delicate code.
    is_mixed: bool,
}

impl StackContent {
    /// Adds the caller of the last frame.
    pub(super) fn add(&mut self, is_delicate: bool) {
        match self.last.replace(is_delicate) {
            Some(true) => self.has_delicate = true,
            Some(false) => {
                self.has_program = true;
                self.is_mixed |= self.has_delicate;
            }
            None => {}
        }
    }

    /// The outermost frame does not count: it belongs to code that starts programs.
    pub(super) fn is_only_the_program(&self) -> bool {
        self.has_program && !self.is_mixed
    }
}

#[cfg(test)]
mod tests {
    use super::StackContent;

    #[test]
    fn a_stack_is_only_the_program_if_it_leads_into_no_delicate_code() {
        let is_only = |frames: &[bool]| {
            let mut content = StackContent::default();
            frames.iter().for_each(|&is_delicate| content.add(is_delicate));
            content.is_only_the_program()
        };
        // The innermost frame is the first one.
        let (program, delicate) = (false, true);
        assert!(is_only(&[program, program, delicate, delicate]));
        assert!(is_only(&[program, program]));
        assert!(
            !is_only(&[delicate, program, delicate]) && !is_only(&[program, delicate, program, delicate])
        );
        assert!(!is_only(&[delicate, delicate]) && !is_only(&[program]) && !is_only(&[]));
    }
}
