//! Writes the seeds to the corpus.

use std::path::Path;

fn main() -> std::io::Result<()> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let corpus = here.join("corpus");
    std::fs::create_dir_all(&corpus)?;
    for (name, bytes) in kymo_otf2_testing::seeds::seeds(&here.join("../src/otf2/tests/data/every-record")) {
        std::fs::write(corpus.join(name), bytes)?;
    }
    Ok(())
}
