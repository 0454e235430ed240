//! The Debian package: the tree of the archive in `/usr/lib/kymo`, where it works as anywhere, with
//! links, manual pages and completions in the folders that everything searches.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use super::machine::Machine;
use super::stage::{Compression, Stage, time};
use crate::process::{output, program, run};
use crate::{Done, Problem, of};

const VERSION: &str = env!("CARGO_PKG_VERSION");
/// There is no public address yet; a distributor sets the variable.
const MAINTAINER: &str = "Kymo developers <kymo@localhost>";
/// The commands, and the folders of the tree that move to `/usr/share`.
const COMMANDS: [&str; 2] = ["kymo", "kymo-config"];
const SHARED: [&str; 5] = ["man", "bash-completion", "zsh", "fish", "doc"];

/// Makes the package of a tree in a folder. Returns its name.
pub(super) fn write(
    stage: &Stage,
    machine: Machine,
    folder: &Path,
    compression: Compression,
) -> Result<String, Problem> {
    let name = format!("kymo_{VERSION}-1_{}.deb", machine.debian());
    let root = folder.join(format!("{name}.d"));
    let _ = fs::remove_dir_all(&root);
    let package = Package { root };
    package.fill(stage, machine)?;
    let mut build = program("dpkg-deb");
    build.env("SOURCE_DATE_EPOCH", time()?).args(compression.of_package());
    build.args(["--root-owner-group", "--build"]);
    run(build.arg(&package.root).arg(folder.join(&name)))?;
    fs::remove_dir_all(&package.root).map_err(|error| of(&package.root, error))?;
    Ok(name)
}

/// The files of a package.
struct Package {
    root: PathBuf,
}

impl Package {
    fn fill(&self, stage: &Stage, machine: Machine) -> Done {
        let tree = self.path("usr/lib/kymo");
        self.folder("usr/lib")?;
        run(program("cp").arg("--archive").arg(stage.prefix()).arg(&tree))?;
        let mut find = program("find");
        find.arg(tree.join("lib")).args(["-name", "*.so*", "-type", "f", "-exec", "chmod", "644", "{}", "+"]);
        run(&mut find)?;
        self.folder("usr/share")?;
        for part in SHARED {
            let to = self.path("usr/share").join(part);
            fs::rename(tree.join("share").join(part), &to).map_err(|error| of(&to, error))?;
        }
        self.folder("usr/bin")?;
        for command in COMMANDS {
            let link = self.path("usr/bin").join(command);
            symlink(format!("../lib/kymo/bin/{command}"), &link).map_err(|error| of(&link, error))?;
        }
        let documents = "usr/share/doc/kymo";
        self.file(&format!("{documents}/copyright"), &copyright(stage)?)?;
        let _ = fs::remove_file(self.path(documents).join("LICENSE"));
        self.file(&format!("{documents}/changelog.Debian"), &changelog()?)?;
        self.compress(&self.path(documents).join("changelog.Debian"))?;
        self.compress_manual()?;
        self.file("DEBIAN/control", &control(machine, size(&self.root)?))?;
        self.sums()
    }

    fn path(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    fn folder(&self, path: &str) -> Done {
        let path = self.path(path);
        fs::create_dir_all(&path).map_err(|error| of(&path, error))
    }

    fn file(&self, path: &str, content: &str) -> Done {
        let path = self.path(path);
        let folder = path.parent().unwrap_or(&self.root);
        fs::create_dir_all(folder)
            .and_then(|()| fs::write(&path, content))
            .and_then(|()| fs::set_permissions(&path, fs::Permissions::from_mode(0o644)))
            .map_err(|error| of(&path, error))
    }

    fn compress(&self, file: &Path) -> Done {
        run(program("gzip").args(["--no-name", "--best"]).arg(file))
    }

    fn compress_manual(&self) -> Done {
        let folder = self.path("usr/share/man/man1");
        let pages = fs::read_dir(&folder).map_err(|error| of(&folder, error))?;
        pages.flatten().try_for_each(|page| self.compress(&page.path()))
    }

    /// Writes the checksums of all files, by which `dpkg --verify` finds changed ones.
    fn sums(&self) -> Done {
        let mut find = program("find");
        find.current_dir(&self.root).args(["usr", "-type", "f", "-exec", "md5sum", "{}", "+"]);
        let mut sums: Vec<_> = output(&mut find)?.lines().map(str::to_owned).collect();
        sums.sort_by(|a, b| a.get(32..).cmp(&b.get(32..)));
        self.file("DEBIAN/md5sums", &(sums.join("\n") + "\n"))
    }
}

/// Returns the size of a folder in KiB.
fn size(folder: &Path) -> Result<String, Problem> {
    let text = output(program("du").args(["--summarize", "--apparent-size", "--block-size=1K"]).arg(folder))?;
    Ok(text.split_whitespace().next().unwrap_or("0").to_owned())
}

fn maintainer() -> String {
    std::env::var("DEBFULLNAME").map_or_else(
        |_| MAINTAINER.to_owned(),
        |name| format!("{name} <{}>", std::env::var("DEBEMAIL").unwrap_or_default()),
    )
}

fn control(machine: Machine, size: String) -> String {
    format!(
        "Package: kymo\n\
         Version: {VERSION}-1\n\
         Architecture: {}\n\
         Maintainer: {}\n\
         Installed-Size: {size}\n\
         Depends: libc6 (>= 2.17)\n\
         Section: devel\n\
         Priority: optional\n\
         Description: event tracing of parallel programs in the format OTF2\n \
         Records programs and parallel programs (MPI, threads) without a rebuild:\n \
         samples, functions, messages, input and output. Answers questions about\n \
         traces, shows them in a browser, and exports them. Also a plugin for Score-P\n \
         and a library with the interface of OTF2.\n",
        machine.debian(),
        maintainer(),
    )
}

fn copyright(stage: &Stage) -> Result<String, Problem> {
    let read = |path: &str| {
        let path = stage.path(path);
        fs::read_to_string(&path).map_err(|error| of(&path, error))
    };
    let others =
        "The licences of the crates of others that Kymo contains are in THIRD-PARTY.txt, in this folder.";
    Ok(format!("Kymo\n\n{}\n{others}\n", read("share/doc/kymo/LICENSE")?))
}

fn changelog() -> Result<String, Problem> {
    let mut date = program("date");
    let date = output(
        date.env("LC_ALL", "C").args(["--utc", "--rfc-email", "--date"]).arg(format!("@{}", time()?)),
    )?;
    let entry = "See /usr/share/doc/kymo/README.md.";
    Ok(format!(
        "kymo ({VERSION}-1) unstable; urgency=medium\n\n  * {entry}\n\n -- {}  {}\n",
        maintainer(),
        date.trim(),
    ))
}
