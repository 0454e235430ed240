//! Prints `records.h`, which `drive.c` includes, for `cargo xtask sanitize`.

mod records;

fn main() {
    print!("{}", records::text(u8::MAX));
}
