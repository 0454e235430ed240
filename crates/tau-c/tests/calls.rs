//! Tests every function of the header, with valid and invalid calls, from C and from C++.

use std::fs;
use std::path::Path;

use crate::common::{Linked, compile, run};
use tempfile::TempDir;

#[test]
fn programs_in_c_and_cpp_print_the_expected_results() {
    let hosts = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hosts");
    let expected = fs::read_to_string(hosts.join("calls.expected")).expect("the expected output");
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

/// Programs that write traces may include only the header of the writer.
#[test]
fn the_header_of_the_writer_can_be_included_alone() {
    let folder = TempDir::new().expect("a folder");
    for extension in ["c", "cpp"] {
        let path = folder.path().join("alone").with_extension(extension);
        let text = "#include <TAU_tf_writer.h>\nint main( void ) { return Ttf_FlushTrace( 0 ) + 1; }\n";
        fs::write(&path, text).expect("writing");
        let program = compile(&path, Linked::Shared, folder.path());
        assert!(run(&program, &[], folder.path()).status.success(), "{extension}");
    }
}

/// Records on disk were once written again when there was room, and every record printed the error.
#[test]
fn no_record_is_written_twice_after_a_full_disk() {
    let folder = TempDir::new().expect("a folder");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hosts/full.c");
    let program = compile(&source, Linked::Shared, folder.path());
    let output = run(&program, &[], folder.path());
    let [found, errors] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    assert_eq!(found, "some refused 1, the others present 1, wrong 0\n", "{errors}");
    assert_eq!(errors, "tau.trc: File too large (os error 27)\n");
}
