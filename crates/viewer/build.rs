//! Makes one script of the modules of the page, in the order of `modules.txt`: without the lines
//! that import, because everything is in one scope, and without the word `export`.

use std::path::Path;
use std::{env, fs};

fn main() {
    let folder = env::var("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR");
    let folder = Path::new(&folder);
    let mut script = String::from("\"use strict\";\n");
    let list = folder.join("modules.txt");
    println!("cargo::rerun-if-changed={}", list.display());
    for name in fs::read_to_string(&list).expect("modules.txt").lines().filter(|line| !line.is_empty()) {
        let path = folder.join("src").join(name);
        println!("cargo::rerun-if-changed={}", path.display());
        let module = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for line in module.lines().filter(|line| !line.starts_with("import ")) {
            script += line.strip_prefix("export ").unwrap_or(line);
            script.push('\n');
        }
    }
    let out = env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    fs::write(Path::new(&out).join("script.js"), script).expect("the folder of the build");
}
