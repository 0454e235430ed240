//! All checks. Their list is in `.ci/run`, which also works on a machine without a C compiler.

use crate::{Done, process};

pub(crate) fn run() -> Done {
    process::run(&mut process::script(".ci/run"))
}
