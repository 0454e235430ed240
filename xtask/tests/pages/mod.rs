//! The commands of the pages in `docs/tasks` and of some other pages, run as they are written, with
//! an installed prefix.
//!
//! All commands of a page run in one shell, in a folder with links to `testing` and `examples`.
//! The lines after a command must be in its output, in the same order. Numbers, their units and
//! blanks may differ, and `…` at the end of a line is any rest of it. A command must succeed unless
//! it ends with `# exit status N`.
//!
//! Comments of Markdown before a block change its kind: `<!-- file NAME -->` is the content of a
//! file that the commands use, `<!-- not run: REASON -->` needs something that a machine for tests
//! lacks.

mod block;
mod output;

use std::env;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use block::{Block, BlockKind, Shown};
use kymo_testdata::{is_installed, lacks_python_packages};
use output::Output;

/// Blocks that may be left out, in all pages.
const LEFT_OUT: usize = 8;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("a folder")
}

/// Returns the pages whose commands are run.
fn pages() -> Vec<PathBuf> {
    let tasks = fs::read_dir(root().join("docs/tasks")).expect("the pages");
    let tasks = tasks.map(|entry| entry.expect("an entry").path());
    let mut pages: Vec<PathBuf> = tasks.chain([root().join("docs/start/tutorial.md")]).collect();
    pages.sort();
    pages
}

/// Runs the commands of all pages.
pub(crate) fn run(folder: &Path, prefix: &Path) {
    let pages = pages();
    let (mut left_out, mut problems) = (0, Vec::new());
    for page in &pages {
        let blocks = block::blocks(&fs::read_to_string(page).expect("a page"));
        left_out += blocks.iter().filter(|block| block.kind == BlockKind::NotRun).count();
        problems.extend(run_page(page, &blocks, folder, prefix));
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(pages.len() > 10 && left_out <= LEFT_OUT, "{} pages, {left_out} blocks left out", pages.len());
}

/// Runs the commands of a page, and returns those that print or return something else.
fn run_page(page: &Path, blocks: &[Block], folder: &Path, prefix: &Path) -> Vec<String> {
    let name = page.file_stem().expect("a name").to_string_lossy().into_owned();
    let folder = folder.join(format!("page-{name}"));
    fs::create_dir(&folder).expect("a folder");
    for shared in ["testing", "examples"] {
        symlink(root().join(shared), folder.join(shared)).expect("a link");
    }
    for block in blocks {
        if let BlockKind::File(file) = &block.kind {
            fs::write(folder.join(file), block.text()).expect("a file");
        }
    }
    let commands: Vec<_> =
        blocks.iter().filter(|block| block.kind == BlockKind::Run).flat_map(Block::commands).collect();
    assert!(blocks.is_empty() || !commands.is_empty(), "{name}: a page without commands");
    let uses = |program: &str| commands.iter().any(|command| command.text.starts_with(program));
    if ["mpicc", "cmake"].into_iter().any(|program| uses(program) && !is_installed(program))
        || uses("python3 ") && python(&folder).is_none()
    {
        return Vec::new();
    }
    let scripts: Vec<&str> = commands.iter().map(|command| command.text.as_str()).collect();
    let outputs = output::of_commands(&scripts, shell(&folder, prefix));
    assert_eq!(outputs.len(), commands.len(), "{name}: the shell ended early: {outputs:?}");
    let is_other = |(command, output): &(&Shown, &Output)| {
        output.status != command.status() || !output::contains(&output.text, &command.shown)
    };
    let others = commands.iter().zip(&outputs).filter(is_other);
    let shown = |(command, output): (&Shown, &Output)| {
        format!("{name}: {}\nexit status {}\n{}", command.text, output.status, output.text)
    };
    others.map(shown).collect()
}

/// Returns a shell for the commands of a page. It finds the installed command first.
fn shell(folder: &Path, prefix: &Path) -> Command {
    let mut shell = Command::new("bash");
    let path = env::var("PATH").expect("a path");
    let python = folder.join("python/bin");
    shell.env("PATH", format!("{}:{}:{path}", prefix.join("bin").display(), python.display()));
    // Where `pip` would install the package, as the reference says of archives.
    shell.env("PYTHONPATH", prefix.join("lib/kymo/python"));
    for (name, _) in env::vars().filter(|(name, _)| name.starts_with("SCOREP_") || name.starts_with("KYMO_"))
    {
        shell.env_remove(name);
    }
    // Scratch files of programs that a page kills must not outlive the test.
    shell.env("SCOREP_SUBSTRATE_KYMO_SCRATCH", folder);
    // A machine for tests may have fewer processors than ranks, and no other user than root.
    shell.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    shell.env(kymo_testdata::OPEN_MPI_FOLDER, folder);
    shell.env("OMPI_MCA_rmaps_base_oversubscribe", "1").env("OMPI_MCA_btl_base_warn_component_unused", "0");
    shell.env_remove("LD_LIBRARY_PATH").current_dir(folder);
    shell
}

/// Installs a Python with the modules that the pages use, as `python` in the folder of a page, and
/// returns it; `None` if that is not possible, which is reported.
fn python(folder: &Path) -> Option<PathBuf> {
    let environment = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pages-python");
    let python = environment.join("bin/python3");
    let has_modules = || {
        Command::new(&python)
            .args(["-c", "import duckdb, polars"])
            .output()
            .is_ok_and(|it| it.status.success())
    };
    if !has_modules() {
        let _ = Command::new("python3").args(["-m", "venv"]).arg(&environment).output();
        let _ = Command::new(&python).args(["-m", "pip", "install", "--quiet", "duckdb", "polars"]).output();
    }
    if has_modules() {
        symlink(&environment, folder.join("python")).expect("a link");
        return Some(python);
    }
    lacks_python_packages(&["duckdb", "polars"])
}
