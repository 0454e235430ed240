//! Every function of the header, called the right way and the wrong way, from C and from C++.

mod common;

use std::fs;
use std::path::Path;

use common::{Linked, compile, run};
use tempfile::TempDir;

#[test]
fn a_program_in_c_and_in_cpp() {
    let hosts = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hosts");
    let expected = fs::read_to_string(hosts.join("calls.expected")).expect("what is expected");
    let source = fs::read_to_string(hosts.join("calls.c")).expect("the program");
    for extension in ["c", "cpp"] {
        for linked in [Linked::Shared, Linked::Static] {
            let folder = TempDir::new().expect("a folder");
            let path = folder.path().join("calls").with_extension(extension);
            fs::write(&path, &source).expect("writing");
            let program = compile(&path, linked, folder.path());
            let output = run(&program, &[], folder.path());
            let found = String::from_utf8_lossy(&output.stdout);
            assert!(output.status.success(), "{extension} {linked:?}: {output:?}");
            assert_eq!(found, expected, "{extension} {linked:?}");
        }
    }
}

/// Programs that write traces may include the header of the writer alone.
#[test]
fn the_header_of_the_writer_stands_alone() {
    let folder = TempDir::new().expect("a folder");
    for extension in ["c", "cpp"] {
        let path = folder.path().join("alone").with_extension(extension);
        let text = "#include <TAU_tf_writer.h>\nint main( void ) { return Ttf_FlushTrace( 0 ) + 1; }\n";
        fs::write(&path, text).expect("writing");
        let program = compile(&path, Linked::Shared, folder.path());
        assert!(run(&program, &[], folder.path()).status.success(), "{extension}");
    }
}

/// What had been written came again when there was room, and every record said so on standard error.
#[test]
fn a_full_disk_takes_no_record_twice() {
    let folder = TempDir::new().expect("a folder");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hosts/full.c");
    let program = compile(&source, Linked::Shared, folder.path());
    let output = run(&program, &[], folder.path());
    let [found, said] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    assert_eq!(found, "some were refused 1, the others are there 1, wrong 0\n", "{said}");
    assert_eq!(said, "tau.trc: File too large (os error 27)\n");
}
