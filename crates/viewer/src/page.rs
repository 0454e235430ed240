//! One file of everything.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use sha2::{Digest, Sha256};
use std::io::{self, Write};

const SKELETON: &str = include_str!("../page.html");
const STYLE: &str = include_str!("../style.css");
const SCRIPT: &str = include_str!(concat!(env!("OUT_DIR"), "/script.js"));

/// Returns the page of a pack. `is_served` states that a server has tiles, which the page may ask
/// for.
///
/// # Errors
///
/// If the data cannot be compressed, which needs memory.
pub fn page(pack: &[u8], is_served: bool) -> io::Result<String> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(pack)?;
    let data = STANDARD.encode(encoder.finish()?);
    let parts = [
        ("<!--policy-->", policy(is_served)),
        ("<!--style-->", STYLE.to_owned()),
        ("<!--script-->", SCRIPT.to_owned()),
    ];
    let mut page = SKELETON.to_owned();
    for (mark, part) in parts {
        page = page.replacen(mark, &part, 1);
    }
    Ok(page.replacen("<!--data-->", &data, 1))
}

/// Returns the content policy: this script, this style, and pictures that the page makes.
fn policy(is_served: bool) -> String {
    let hash = |text: &str| STANDARD.encode(Sha256::digest(text));
    format!(
        "default-src 'none'; connect-src {}; script-src 'sha256-{}'; style-src 'sha256-{}'; img-src data: blob:; \
         base-uri 'none'; form-action 'none'",
        if is_served { "'self'" } else { "'none'" },
        hash(SCRIPT),
        hash(STYLE)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_complete() {
        let page = page(b"data", false).unwrap();
        for mark in ["<!--policy-->", "<!--style-->", "<!--script-->", "<!--data-->"] {
            assert_eq!((SKELETON.matches(mark).count(), page.matches(mark).count()), (1, 0), "{mark}");
        }
        // Script and style are in the page as they are hashed.
        assert!(page.contains(&format!(">{SCRIPT}</script>")) && page.contains(&format!(">{STYLE}</style>")));
        assert!(!SCRIPT.contains("</script") && !STYLE.contains("</style"));
        assert!(!SCRIPT.lines().any(|line| line.starts_with("import ") || line.starts_with("export ")));
    }
}
