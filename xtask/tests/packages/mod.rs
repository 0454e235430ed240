//! The recipes in `packaging`, with an archive like that of a release: an RPM package that is
//! installed elsewhere, an installation by EasyBuild, and the module files.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use kymo_testdata::{is_installed, lacks_python_packages, missing};

use super::succeeds;

const VERSION: &str = env!("CARGO_PKG_VERSION");
/// The packages with which EasyBuild installs modules and checks recipes.
const EASYBUILD: [&str; 2] = ["easybuild-framework==5.4.1", "easybuild-easyblocks==5.4.1"];

fn recipes() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../packaging").canonicalize().expect("a folder")
}

/// Returns the name of a release, which is that of its archive and of the folder in it.
fn release() -> String {
    format!("kymo-{VERSION}-linux-{}", env::consts::ARCH)
}

/// Tries all recipes with the files of a prefix.
pub(crate) fn build_and_install(folder: &Path, prefix: &Path) {
    let folder = folder.join("packages");
    pack(&folder, prefix);
    makes_an_rpm_package_that_can_be_moved(&folder);
    installs_with_easybuild(&folder);
    modules_are_loaded_and_unloaded(&folder, prefix);
}

/// Runs a script of bash in a folder and returns its output.
fn bash(script: &str, folder: &Path) -> String {
    let mut bash = Command::new("bash");
    // Module systems keep their state in the environment, and so would one around the tests.
    bash.env_clear().env("PATH", env::var_os("PATH").unwrap_or_default()).env("HOME", folder);
    bash.env("RECIPES", recipes()).env("RELEASE", release()).env("VERSION", VERSION);
    succeeds(&bash.args(["-e", "-c", script]).current_dir(folder).output().expect("bash"))
}

/// Makes an archive of a prefix, without the symbols of a debug build and the list of files.
fn pack(folder: &Path, prefix: &Path) {
    let tree = folder.join(release());
    fs::create_dir_all(folder).expect("a folder");
    succeeds(&Command::new("cp").arg("-a").arg(prefix).arg(&tree).output().expect("cp"));
    bash(
        "cd $RELEASE
         rm share/kymo/installed-files
         strip bin/kymo lib/*.so lib/kymo/otf2/libotf2.so.10
         strip --strip-debug lib/*.a
         cd .. && tar -cf - $RELEASE | gzip -1 > $RELEASE.tar.gz && rm -r $RELEASE",
        folder,
    );
}

fn makes_an_rpm_package_that_can_be_moved(folder: &Path) {
    if !is_installed("rpmbuild") {
        return;
    }
    let printed = bash(
        "rpmbuild -bb --define \"_topdir $PWD/rpm\" --define \"_sourcedir $PWD\" \
             --define '_binary_payload w1.gzdio' --define '__os_install_post %{nil}' \
             $RECIPES/rpm/kymo.spec >log 2>&1 || { cat log; exit 1; }
         package=$(echo rpm/RPMS/*/*.rpm)
         rpm -q --provides --package $package
         rpm --dbpath $PWD/database --install --nodeps --prefix $PWD/moved $package
         moved/bin/kymo --version
         moved/bin/kymo record -o recorded -- true
         moved/bin/kymo-config --prefix
         rm -r rpm moved",
        folder,
    );
    assert!(printed.contains(&format!("kymo = {VERSION}")), "{printed}");
    assert!(printed.contains(&format!("kymo: version {VERSION}\n")), "{printed}");
    assert!(printed.ends_with("/moved\n"), "{printed}");
    // Programs that need libotf2 would otherwise get this package.
    assert!(!printed.contains("libotf2"), "{printed}");
}

/// Returns the command that makes `module` a function of the shell; `None` without Lmod and
/// Environment Modules, which is reported.
fn module_system() -> Option<&'static str> {
    let files = ["/usr/share/lmod/lmod/init/bash", "/usr/share/modules/init/bash"];
    let found = files.into_iter().find(|file| Path::new(file).exists());
    if found.is_none() {
        missing("a system of modules (Debian: lmod)");
    }
    found
}

/// Returns the folder of EasyBuild; `None` if it cannot be installed, which is reported.
fn easybuild() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("easybuild");
    let script = format!(
        "[ -x {0}/bin/eb ] || {{ python3 -m venv {0} && {0}/bin/pip install --quiet {1}; }}",
        folder.display(),
        EASYBUILD.join(" ")
    );
    let _ = Command::new("sh").args(["-c", &script]).output();
    if folder.join("bin/eb").exists() { Some(folder) } else { lacks_python_packages(&EASYBUILD) }
}

fn installs_with_easybuild(folder: &Path) {
    let (Some(modules), Some(easybuild)) = (module_system(), easybuild()) else { return };
    let printed = bash(
        &format!(
            ". {}/bin/activate
             . {modules}
             as_root=--allow-use-as-root-and-accept-consequences
             [ $(id -u) -eq 0 ] || as_root=
             eb $as_root --prefix $PWD/eb --sourcepath $PWD $RECIPES/easybuild/Kymo-$VERSION.eb >log 2>&1 || {{
                 cat log; exit 1; }}
             module use eb/modules/all
             module load Kymo
             kymo --version
             rm -r eb",
            easybuild.display()
        ),
        folder,
    );
    assert_eq!(printed, format!("kymo: version {VERSION}\n"));
}

/// Environment Modules reads the file in Tcl; Lmod reads the one in Lua, or that in Tcl if there is
/// no other.
fn modules_are_loaded_and_unloaded(folder: &Path, prefix: &Path) {
    let Some(modules) = module_system() else { return };
    let only_tcl = folder.join("only-tcl");
    fs::create_dir(&only_tcl).expect("a folder");
    succeeds(&Command::new("cp").arg("-a").arg(prefix).arg(&only_tcl).output().expect("cp"));
    let tcl = only_tcl.join(prefix.file_name().expect("a name"));
    fs::remove_file(tcl.join(format!("share/modulefiles/kymo/{VERSION}.lua"))).expect("a module file");
    for prefix in [prefix, &tcl] {
        // The function `module` fails without `set +e` in some versions. The machine may have a
        // `kymo` of its own.
        let script = format!(
            "set +e
             PATH=/usr/local/bin:/usr/bin:/bin
             . {modules}
             module use {0}/share/modulefiles
             ours() {{ env | grep -v '^_\\|LMOD\\|Module\\|LMFILES\\|MODULE' | sort; }}
             before=$(ours)
             other=$(command -v kymo)
             module load kymo
             command -v kymo
             kymo --version
             echo $KYMO_ROOT $LD_LIBRARY_PATH
             pkg-config --modversion kymo
             module unload kymo
             [ \"$(command -v kymo)\" = \"$other\" ] || command -v kymo
             [ \"$(ours)\" = \"$before\" ] || {{ ours; echo \"$before\"; }}",
            prefix.display()
        );
        let there = prefix.display();
        assert_eq!(
            bash(&(script + "\ntrue"), folder),
            format!("{there}/bin/kymo\nkymo: version {VERSION}\n{there} {there}/lib\n{VERSION}\n")
        );
    }
}

/// Those who raise the version must not forget the recipes.
#[test]
fn recipes_have_the_version_of_the_workspace() {
    let text = |path: String| {
        let path = recipes().join(path);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    let easybuild = text(format!("easybuild/Kymo-{VERSION}.eb"));
    assert!(easybuild.contains(&format!("\nversion = '{VERSION}'\n")), "{easybuild}");
    assert_eq!(fs::read_dir(recipes().join("easybuild")).expect("a folder").count(), 1);
    let rpm = text("rpm/kymo.spec".into());
    assert!(rpm.contains(&format!("\nVersion:        {VERSION}\n")), "{rpm}");
    let spack = text("spack/package.py".into());
    for expected in [format!("\n    version(\"{VERSION}\")\n"), format!("kymo-{VERSION}.tar.gz\"\n")] {
        assert!(spack.contains(&expected), "{expected}");
    }
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.toml");
    let manifest = fs::read_to_string(manifest).expect("a manifest");
    let rust = manifest.lines().find_map(|line| line.strip_prefix("rust-version = ")).expect("a version");
    assert!(spack.contains(&format!("rust@{}:", rust.trim_matches('"'))), "{rust}");
}

#[test]
fn the_spack_package_is_valid_python() {
    if !is_installed("python3") {
        return;
    }
    let compile = "import ast, sys; ast.parse(open(sys.argv[1]).read(), sys.argv[1])";
    let mut python = Command::new("python3");
    python.args(["-c", compile]).arg(recipes().join("spack/package.py"));
    succeeds(&python.output().expect("python3"));
}
