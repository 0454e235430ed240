//! The files that tell compilers, build systems and shells where the installation is:
//! `kymo-config` and its manual page, pkg-config files, a CMake package and module files.
//!
//! Invariant: none of them contains a path of this machine, so that the installation can be moved.

use std::fs;

use super::files::{Content, File};
use crate::repository::root;
use crate::{Problem, of};

/// Where the sources are. They contain `@VERSION@` in place of the version.
const SOURCES: &str = "packaging";
const PROGRAM: (&str, &str) = ("config/kymo-config.in", "bin/kymo-config");
/// The other sources, and their paths below the prefix.
const DATA: [(&str, &str); 8] = [
    ("config/kymo-config.1.in", "share/man/man1/kymo-config.1"),
    ("config/kymo.pc.in", "lib/pkgconfig/kymo.pc"),
    ("config/kymo_otf2.pc.in", "lib/pkgconfig/kymo_otf2.pc"),
    ("config/kymo_ttf.pc.in", "lib/pkgconfig/kymo_ttf.pc"),
    ("config/KymoConfig.cmake", "lib/cmake/Kymo/KymoConfig.cmake"),
    ("config/KymoConfigVersion.cmake.in", "lib/cmake/Kymo/KymoConfigVersion.cmake"),
    ("modules/kymo.tcl.in", "share/modulefiles/kymo/@VERSION@"),
    ("modules/kymo.lua.in", "share/modulefiles/kymo/@VERSION@.lua"),
];

/// Returns the files.
pub(super) fn files() -> Result<Vec<File>, Problem> {
    let (source, path) = PROGRAM;
    let program = File { path: path.into(), content: Content::Program(filled(source)?) };
    let data = DATA.iter().map(|(source, path)| {
        Ok(File { path: with_version(path).into(), content: Content::Data(filled(source)?) })
    });
    std::iter::once(Ok(program)).chain(data).collect()
}

/// Returns the content of a source, with the version of the workspace.
fn filled(source: &str) -> Result<Vec<u8>, Problem> {
    let path = root().join(SOURCES).join(source);
    let text = fs::read_to_string(&path).map_err(|error| of(&path, error))?;
    Ok(with_version(&text).into_bytes())
}

fn with_version(text: &str) -> String {
    text.replace("@VERSION@", env!("CARGO_PKG_VERSION"))
}

#[cfg(test)]
mod tests {
    use std::env;
    use std::os::unix::fs::symlink;
    use std::path::PathBuf;
    use std::process::{Command, Output};

    use tempfile::TempDir;

    use super::*;
    use crate::tasks::install::manifest;

    const VERSION: &str = env!("CARGO_PKG_VERSION");

    /// A prefix with these files only.
    struct Installation {
        folder: TempDir,
        prefix: PathBuf,
    }

    impl Installation {
        fn new(name: &str) -> Self {
            let folder = tempfile::tempdir().expect("a folder");
            let prefix = folder.path().canonicalize().expect("a path").join(name);
            manifest::install(&prefix, &files().expect("the sources")).expect("to install");
            Self { folder, prefix }
        }

        fn config(&self, arguments: &str) -> Output {
            let mut command = Command::new(self.prefix.join("bin/kymo-config"));
            command.args(arguments.split_whitespace()).output().expect("kymo-config")
        }

        /// Returns the answer to arguments that are right, without the prefix.
        fn answer(&self, arguments: &str) -> String {
            let output = self.config(arguments);
            assert!(output.status.success(), "{arguments}: {output:?}");
            self.shortened(&output)
        }

        fn shortened(&self, output: &Output) -> String {
            let text = String::from_utf8_lossy(&output.stdout);
            text.replace(&self.prefix.display().to_string(), "P").trim_end().to_owned()
        }

        /// Returns the answer of pkg-config, with the paths as they are without `..`.
        fn pkg_config(&self, arguments: &str) -> Option<String> {
            let mut command = Command::new("pkg-config");
            command
                .args(arguments.split_whitespace())
                .env("PKG_CONFIG_PATH", self.prefix.join("lib/pkgconfig"));
            let output = existing(&mut command)?;
            assert!(output.status.success(), "{arguments}: {output:?}");
            Some(self.shortened(&output).replace("P/lib/pkgconfig/../..", "P"))
        }
    }

    /// Returns the output of a command; `None` if its program is not installed, which is reported.
    fn existing(command: &mut Command) -> Option<Output> {
        let is_installed = kymo_testdata::is_installed(&command.get_program().to_string_lossy());
        is_installed.then(|| command.output().expect("an output"))
    }

    #[test]
    fn the_manual_page_describes_each_option_of_kymo_config() {
        let installation = Installation::new("here");
        let page = fs::read_to_string(installation.prefix.join("share/man/man1/kymo-config.1"));
        let page = page.expect("the page").replace('\\', "");
        let help = installation.answer("--help");
        let words = help.split(|it: char| !it.is_ascii_lowercase() && it != '-');
        let options: Vec<_> = words.filter(|word| word.starts_with("--")).collect();
        assert!(options.len() > 30);
        for option in options {
            assert!(page.contains(&format!("fB{option}fR")), "{option}");
        }
    }

    #[test]
    fn kymo_config_answers_as_users_of_score_p_and_otf2_expect() {
        let installation = Installation::new("here");
        for (arguments, expected) in [
            ("--version", VERSION),
            ("--prefix --bindir --libdir --plugin-dir", "P\nP/bin\nP/lib\nP/lib"),
            ("--includedir", "P/include"),
            ("--pkgconfig-dir --cmake-dir", "P/lib/pkgconfig\nP/lib/cmake"),
            ("--fortran-source", "P/include/kymo/user.f90"),
            ("--cc --cxx --fc", "cc\nc++\ngfortran"),
            ("--cflags", "-IP/include"),
            ("--cppflags=c++ --thread=pthread --mpp=mpi --target backend", "-IP/include"),
            ("--cppflags --user", "-DSCOREP_USER_ENABLE -IP/include"),
            ("--cppflags --user --nouser", "-IP/include"),
            ("--cxxflags --compiler --user", "-g -finstrument-functions -DSCOREP_USER_ENABLE -IP/include"),
            ("--fflags --compiler --nocompiler", "-IP/include"),
            ("--ldflags --libs", ""),
            ("--ldflags --compiler", "-g -finstrument-functions"),
            ("--component otf2 --cflags", "-IP/lib/kymo/otf2/include"),
            ("--component=otf2 --ldflags --libs", "-LP/lib/kymo/otf2 -Wl,-rpath -Wl,P/lib/kymo/otf2\n-lotf2"),
            ("--component=otf2 --static --ldflags --libs", "\nP/lib/libkymo_otf2.a -lpthread -ldl -lm"),
            ("--component=otf2 --preload-libs", "P/lib/libkymo_otf2.so"),
            ("--component=otf2 --includedir --libdir", "P/lib/kymo/otf2/include\nP/lib/kymo/otf2"),
            ("--component ttf --cflags --libs", "-IP/include\n-lkymo_ttf"),
            ("--component ttf --ldflags --nvcc", "-LP/lib -Xlinker -rpath -Xlinker P/lib"),
            ("--component ttf --libs --static --dynamic", "-lkymo_ttf"),
            ("--component ttf --libs --static", "P/lib/libkymo_ttf.a -lpthread -ldl -lm"),
        ] {
            assert_eq!(installation.answer(arguments), expected, "{arguments}");
        }
        assert!(installation.answer("--help").starts_with("Usage: kymo-config [OPTION]... COMMAND...\n"));
        assert!(installation.answer("--config-summary").contains("P/lib/libscorep_substrate_kymo.so"));
    }

    #[test]
    fn kymo_config_refuses_what_it_does_not_know() {
        let installation = Installation::new("here");
        for (arguments, expected) in [
            ("", "no command specified"),
            ("--component ttf", "no command specified"),
            ("--bogus", "unrecognized option: '--bogus'"),
            ("--libs ttf", "unrecognized option: 'ttf'"),
            ("--libs --component", "missing argument for --component"),
            ("--libs --component moon", "unknown component: moon"),
            ("--cppflags=cobol", "unknown language: cobol"),
            ("--preload-libs", "no library of this component is for LD_PRELOAD: user"),
        ] {
            let output = installation.config(arguments);
            assert_eq!((output.status.code(), output.stdout), (Some(1), Vec::new()), "{arguments}");
            let message = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(message.lines().next(), Some(format!("kymo-config: {expected}").as_str()));
        }
        let with_blank = Installation::new("two words");
        for arguments in ["--cflags", "--component otf2 --ldflags", "--component ttf --static --libs"] {
            assert_eq!(with_blank.config(arguments).status.code(), Some(1), "{arguments}");
        }
        assert_eq!(with_blank.answer("--prefix"), "P");
    }

    /// A link in another folder, such as /usr/local/bin, leads to the same installation.
    #[test]
    fn kymo_config_works_through_a_link_and_after_a_move() {
        let installation = Installation::new("here");
        let link = installation.folder.path().join("linked");
        symlink(installation.prefix.join("bin/kymo-config"), &link).expect("a link");
        let output = Command::new(&link).arg("--cflags").current_dir("/").output().expect("kymo-config");
        assert_eq!(installation.shortened(&output), "-IP/include");

        let there = installation.prefix.with_file_name("there");
        fs::rename(&installation.prefix, &there).expect("a move");
        let moved = Installation { prefix: there, ..installation };
        assert_eq!(moved.answer("--cflags"), "-IP/include");
    }

    #[test]
    fn pkg_config_answers_with_paths_next_to_its_files() {
        let installation = Installation::new("here");
        for (arguments, expected) in [
            ("--modversion kymo kymo_otf2 kymo_ttf", format!("{VERSION}\n{VERSION}\n{VERSION}")),
            ("--cflags kymo", "-IP/include".to_owned()),
            ("--libs kymo", String::new()),
            ("--variable=plugindir kymo", "P/lib".to_owned()),
            ("--variable=fortransource kymo", "P/include/kymo/user.f90".to_owned()),
            ("--cflags kymo_otf2", "-IP/lib/kymo/otf2/include".to_owned()),
            ("--libs kymo_otf2", "-LP/lib/kymo/otf2 -lotf2".to_owned()),
            ("--cflags --libs kymo_ttf", "-IP/include -LP/lib -lkymo_ttf".to_owned()),
            ("--libs --static kymo_ttf", "-LP/lib -lkymo_ttf -lpthread -ldl -lm".to_owned()),
        ] {
            let Some(answer) = installation.pkg_config(arguments) else { return };
            assert_eq!(answer, expected, "{arguments}");
        }
    }

    /// Returns whether CMake would take this version for a request.
    fn is_compatible(installation: &Installation, request: &str) -> Option<bool> {
        let file = installation.prefix.join("lib/cmake/Kymo/KymoConfigVersion.cmake");
        let text = fs::read_to_string(&file).expect("the file").replace(VERSION, "0.4.2");
        let script = installation.folder.path().join("version.cmake");
        let end = "message(\"${PACKAGE_VERSION_COMPATIBLE} ${PACKAGE_VERSION_EXACT}\")";
        fs::write(&script, format!("{request}\n{text}\n{end}\n")).expect("a script");
        let output = existing(Command::new("cmake").arg("-P").arg(&script))?;
        assert!(output.status.success(), "{output:?}");
        Some(String::from_utf8_lossy(&output.stderr).starts_with("TRUE"))
    }

    #[test]
    fn cmake_takes_only_compatible_versions() {
        let installation = Installation::new("here");
        let at_least = |version: &str| format!("set(PACKAGE_FIND_VERSION {version})");
        let range = |least: &str, most: &str, end: &str| {
            format!(
                "set(PACKAGE_FIND_VERSION_RANGE {least}...{most})\nset(PACKAGE_FIND_VERSION_MIN {least})\n\
                 set(PACKAGE_FIND_VERSION_MAX {most})\nset(PACKAGE_FIND_VERSION_RANGE_MAX {end})"
            )
        };
        for (request, expected) in [
            (String::new(), true),
            (at_least("0.4"), true),
            (at_least("0.4.2"), true),
            (at_least("0.4.3"), false),
            (at_least("0.3"), false),
            (at_least("0.5"), false),
            (at_least("1"), false),
            (range("0.3", "0.5", "EXCLUDE"), true),
            (range("0.3", "0.4.2", "EXCLUDE"), false),
            (range("0.3", "0.4.2", "INCLUDE"), true),
            (range("0.5", "1", "INCLUDE"), false),
        ] {
            let Some(answer) = is_compatible(&installation, &request) else { return };
            assert_eq!(answer, expected, "{request}");
        }
    }
}
