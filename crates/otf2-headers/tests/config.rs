//! otf2-config and otf2.pc answer with paths next to their own place.

use super::common::{debian, include, messages, package, run};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const VERSION: &str = "3.2";

/// A folder with the files of an installation.
struct Installation {
    folder: tempfile::TempDir,
    prefix: PathBuf,
}

impl Installation {
    fn new(name: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let prefix = folder.path().canonicalize().expect("a path").join(name);
        for (from, to) in [("bin/otf2-config", "bin"), ("pkgconfig/otf2.pc", "pkgconfig")] {
            let (from, to) = (package().join("../otf2-c").join(from), prefix.join(to));
            fs::create_dir_all(&to).expect("a folder");
            fs::copy(&from, to.join(from.file_name().expect("a name"))).expect("a copy");
        }
        symlink(include().canonicalize().expect("a path"), prefix.join("include")).expect("a link");
        Self { folder, prefix }
    }

    fn config(&self, arguments: &str) -> Output {
        let mut command = Command::new(self.prefix.join("bin/otf2-config"));
        command.args(arguments.split_whitespace()).output().expect("otf2-config")
    }

    /// Returns the answer to arguments that are right.
    fn answer(&self, arguments: &str) -> String {
        let output = self.config(arguments);
        assert!(output.status.success(), "{arguments}: {}", messages(&output));
        String::from_utf8(output.stdout).expect("text").trim_end().to_owned()
    }

    /// Returns the answer of pkg-config; `None` without that program, which is reported.
    fn pkg_config(&self, arguments: &str) -> Option<String> {
        if !kymo_testdata::is_installed("pkg-config") {
            return None;
        }
        let mut command = Command::new("pkg-config");
        command.args(arguments.split_whitespace()).arg("otf2");
        let answer = run(command.env("PKG_CONFIG_PATH", self.prefix.join("pkgconfig")));
        Some(answer.trim_end().to_owned())
    }
}

#[test]
fn otf2_config_answers_as_that_of_libotf2() {
    let installation = Installation::new("here");
    let prefix = installation.prefix.display().to_string();
    let flags = format!("-I{prefix}/include");
    let link = format!("-L{prefix} -Wl,-rpath -Wl,{prefix}");
    let for_nvcc = format!("-L{prefix} -Xlinker -rpath -Xlinker {prefix}");
    for (arguments, expected) in [
        ("--cflags", flags.as_str()),
        ("--cppflags", &flags),
        ("--target backend --cppflags", &flags),
        ("--target=frontend --backend --cflags", &flags),
        ("--ldflags", &link),
        ("--ldflags --cuda", &for_nvcc),
        ("--libs", "-lotf2"),
        ("--cflags --libs", "-lotf2"),
        ("--cc", "cc"),
        ("--version", "otf2-config: version 3.2"),
        ("--interface-version", "11:0:1"),
        ("--features substrates", "none\nposix"),
        ("--features=compressions", "none"),
        ("--features=targets", "backend"),
    ] {
        assert_eq!(installation.answer(arguments), expected, "{arguments}");
    }
    assert!(installation.answer("--help").starts_with("Usage: otf2-config [OPTION]... COMMAND\n"));
    assert!(installation.answer("--config-summary").contains(&format!("{prefix}/include/otf2")));
}

#[test]
fn otf2_config_refuses_what_it_does_not_know() {
    let installation = Installation::new("here");
    for (arguments, expected) in [
        ("", "no command specified"),
        ("--target=backend", "no command specified"),
        ("--bogus", "unrecognized option: '--bogus'"),
        ("--libs otf2", "unrecognized option: 'otf2'"),
        ("--features", "missing argument for --features"),
        ("--features files", "unknown feature category: files"),
        ("--target moon --libs", "unknown target: moon"),
        ("--pythonpath", "this library comes without Python modules"),
    ] {
        let output = installation.config(arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments}");
        assert_eq!(output.stdout, b"", "{arguments}");
        let first = messages(&output).lines().next().expect("a line").to_owned();
        assert_eq!(first, format!("otf2-config: {expected}"), "{arguments}");
    }
    let with_blank = Installation::new("two words").config("--cflags");
    assert_eq!(with_blank.status.code(), Some(1));
}

/// A link in another folder, such as /usr/local/bin, leads to the same installation.
#[test]
fn otf2_config_works_through_a_link_and_after_a_move() {
    let installation = Installation::new("here");
    let link = installation.folder.path().join("linked");
    symlink(installation.prefix.join("bin/otf2-config"), &link).expect("a link");
    let answer = run(Command::new(&link).arg("--cflags").current_dir("/"));
    assert_eq!(answer, format!("-I{}/include\n", installation.prefix.display()));

    let there = installation.prefix.with_file_name("there");
    fs::rename(&installation.prefix, &there).expect("a move");
    let moved = Installation { prefix: there, ..installation };
    assert_eq!(moved.answer("--cppflags"), format!("-I{}/include", moved.prefix.display()));
}

/// otf2xx and lo2s ask for 3.1 with EXACT, and did not configure.
#[test]
fn otf2_config_answers_with_an_earlier_version_in_the_folder_of_that_version() {
    let installation = Installation::new("here");
    for (folder, version, interface) in [("3.0", "3.0.3", "10:0:0"), ("3.1", "3.1.1", "10:1:0")] {
        let bin = installation.prefix.join(folder).join("bin");
        fs::create_dir_all(&bin).expect("a folder");
        symlink("../../bin/otf2-config", bin.join("otf2-config")).expect("a link");
        let answer = |argument: &str| {
            let by_path = run(Command::new(bin.join("otf2-config")).arg(argument));
            let from_there = run(Command::new("./otf2-config").arg(argument).current_dir(&bin));
            assert_eq!(by_path, from_there);
            by_path.trim_end().to_owned()
        };
        assert_eq!(answer("--version"), format!("otf2-config: version {version}"));
        assert_eq!(answer("--interface-version"), interface);
        assert_eq!(answer("--cppflags"), format!("-I{}/include", installation.prefix.display()));
    }
}

#[test]
fn otf2_pc_is_relative_to_its_place() {
    let installation = Installation::new("here");
    let Some(version) = installation.pkg_config("--modversion") else { return };
    assert_eq!(version, VERSION);
    let simplified = |option: &str, paths: String| {
        let path = paths.strip_prefix(option).unwrap_or_else(|| panic!("{paths}")).to_owned();
        Path::new(&path).canonicalize().expect("a folder")
    };
    let include = installation.pkg_config("--cflags-only-I").expect("an answer");
    assert_eq!(
        simplified("-I", include),
        installation.prefix.join("include").canonicalize().expect("a path")
    );
    let library = installation.pkg_config("--libs-only-L").expect("an answer");
    assert_eq!(simplified("-L", library), installation.prefix);
    assert_eq!(installation.pkg_config("--libs-only-l").as_deref(), Some("-lotf2"));
}

#[test]
fn the_version_is_that_of_the_headers() {
    let version = debian::macros(&include()).into_iter().find(|(name, _)| name == "OTF2_VERSION");
    assert_eq!(version.expect("a macro").1, format!("\"{VERSION}\""));
    assert!(Installation::new("here").answer("--version").ends_with(VERSION));
}

/// The library of another package stands in for the one that is installed.
#[test]
fn a_program_is_built_and_run_with_the_answers() {
    if debian::headers().is_none() {
        return;
    }
    let installation = Installation::new("here");
    let found = run(kymo_testdata::compiler("CC", "cc").arg("-print-file-name=libopen-trace-format2.so"));
    let library = fs::canonicalize(found.trim()).expect("a library");
    symlink(library, installation.prefix.join("libotf2.so")).expect("a link");
    let source = installation.folder.path().join("version.c");
    let text =
        "#include <otf2/otf2.h>\nint main( void ) { return OTF2_Reader_Close( NULL ) != OTF2_SUCCESS; }\n";
    fs::write(&source, text).expect("a source file");
    let script = "$(otf2-config --cc) $(otf2-config --cflags) version.c -o version \
                  $(otf2-config --ldflags) $(otf2-config --libs) && ./version";
    let path = format!("{}/bin:{}", installation.prefix.display(), std::env::var("PATH").expect("a path"));
    run(Command::new("sh").args(["-c", script]).env("PATH", path).current_dir(installation.folder.path()));
}
