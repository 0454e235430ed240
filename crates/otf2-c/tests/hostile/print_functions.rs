//! Prints `functions.h`, which `hostile.c` includes, for `cargo xtask sanitize`.

mod functions;

fn main() {
    print!("{}", functions::text(true));
}
