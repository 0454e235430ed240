//! The program: where it is, and whether its loader will load the runtime.
//!
//! The loader ignores `LD_PRELOAD` if a program has more rights than the user who starts it, and a
//! static program has no loader. For a script, the same applies to its interpreter.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use rustix::fs::{Access, access, getxattr};
use rustix::process::{getegid, geteuid};

use super::elf::Elf;
use super::error::RecordError;

/// A program that can be measured.
#[derive(Debug)]
pub(super) struct Program {
    /// The name as it was typed.
    name: OsString,
    path: PathBuf,
    /// The file that is loaded: the program itself, or the interpreter of the script.
    pub(super) image: PathBuf,
    /// The loader of that file.
    pub(super) loader: PathBuf,
    /// The libraries that the loader loads in addition, once it was asked.
    pub(super) libraries: OnceLock<Vec<PathBuf>>,
}

impl Program {
    /// Finds the program as a shell would, and examines it.
    pub(super) fn find(name: &OsStr) -> Result<Self, RecordError> {
        let path = locate(name)?;
        let data = read(&path)?;
        let image = match interpreter(&data) {
            Some(interpreter) => interpreter,
            None => path.clone(),
        };
        let loader = if image == path { loader(&path, &data)? } else { loader_of_script(&path, &image)? };
        Ok(Self { name: name.to_owned(), path, image, loader, libraries: OnceLock::new() })
    }

    /// Returns the command that runs it under the name that was typed.
    pub(super) fn command(&self, arguments: &[OsString]) -> Command {
        let mut command = Command::new(&self.path);
        command.arg0(&self.name).args(arguments);
        command
    }

    /// Returns the name without folders.
    pub(super) fn short_name(&self) -> String {
        self.path.file_name().unwrap_or(&self.name).to_string_lossy().into_owned()
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether it is a script.
    pub(super) fn is_script(&self) -> bool {
        self.image != self.path
    }
}

fn locate(name: &OsStr) -> Result<PathBuf, RecordError> {
    if name.as_bytes().contains(&b'/') {
        return is_program(Path::new(name)).map(|()| PathBuf::from(name));
    }
    let folders = env::var_os("PATH").unwrap_or_else(|| "/bin:/usr/bin".into());
    let found = env::split_paths(&folders).map(|folder| folder.join(name));
    found.into_iter().find(|path| is_program(path).is_ok()).ok_or_else(|| {
        let missing = RecordError::missing(format_args!("{}: no such program in PATH", name.display()));
        match Path::new(name).exists() {
            true => missing.hint(format_args!("to run a program in this folder, write ./{}", name.display())),
            false => missing,
        }
    })
}

fn is_program(path: &Path) -> Result<(), RecordError> {
    let metadata = fs::metadata(path)
        .map_err(|error| RecordError::missing(format_args!("{}: {error}", path.display())))?;
    if metadata.is_dir() {
        return Err(RecordError::unfit(path, "is a folder"));
    }
    access(path, Access::EXEC_OK).map_err(|_| {
        RecordError::unfit(path, "is not a program that you may run")
            .hint(format_args!("chmod +x {}", path.display()))
    })
}

fn read(path: &Path) -> Result<Vec<u8>, RecordError> {
    fs::read(path).map_err(|error| {
        RecordError::unfit(path, error)
            .hint("a program must be readable to be measured: use chmod +r, or a copy")
    })
}

/// Returns the interpreter that a script requests.
fn interpreter(data: &[u8]) -> Option<PathBuf> {
    let line = data.strip_prefix(b"#!")?.split(|&byte| byte == b'\n').next()?.trim_ascii();
    let path = line.split(|byte| byte.is_ascii_whitespace()).next()?;
    (!path.is_empty()).then(|| Path::new(OsStr::from_bytes(path)).to_owned())
}

fn loader_of_script(script: &Path, interpreter: &Path) -> Result<PathBuf, RecordError> {
    let data = fs::read(interpreter).map_err(|error| {
        RecordError::unfit(script, format_args!("its interpreter {}: {error}", interpreter.display()))
    })?;
    // An interpreter is rarely a script itself; if it is, its own interpreter runs it.
    match self::interpreter(&data) {
        Some(inner) if inner != interpreter => loader(&inner, &read(&inner)?),
        _ => loader(interpreter, &data),
    }
}

/// Returns the loader of a program that can be measured.
fn loader(path: &Path, data: &[u8]) -> Result<PathBuf, RecordError> {
    let elf = Elf::parse(data).ok_or_else(|| {
        RecordError::unfit(
            path,
            "is neither an ELF program nor a script that begins with #! and its interpreter",
        )
        .hint(format_args!("if it is a shell script: kymo record -- sh {}", path.display()))
    })?;
    if !elf.is_native() {
        let what =
            format!("is a program for {}, but this kymo is built for {}", elf.machine(), env::consts::ARCH);
        return Err(RecordError::unfit(path, what).hint("build the program and kymo for the same machine"));
    }
    let is_static = || {
        RecordError::unfit(path, "is statically linked, so the runtime cannot be loaded into it")
            .hint("link it without -static (Rust: without +crt-static; Go: with cgo), and try again")
    };
    let loader = elf.interpreter.ok_or_else(is_static)?;
    refuse_other_library(path, &loader)?;
    refuse_more_rights(path)?;
    Ok(loader)
}

fn refuse_other_library(path: &Path, loader: &Path) -> Result<(), RecordError> {
    match loader.to_string_lossy().contains("/ld-musl") {
        true => {
            Err(RecordError::unfit(path, "is linked with the C library musl, but the runtime with glibc")
                .hint("build the program for glibc (Rust: --target x86_64-unknown-linux-gnu), and try again"))
        }
        false => Ok(()),
    }
}

/// Refuses a program with more rights than the user who starts it: that user must not load code
/// into it.
fn refuse_more_rights(path: &Path) -> Result<(), RecordError> {
    const SET_UID: u32 = 0o4000;
    const SET_GID: u32 = 0o2010;
    let Ok(metadata) = fs::metadata(path) else { return Ok(()) };
    let (mode, user, group) = (metadata.mode(), geteuid().as_raw(), getegid().as_raw());
    let is_other = |kind: &str| {
        let what = format!("runs {kind}, so the loader does not load the runtime into it");
        RecordError::unfit(path, what)
            .hint(format_args!("measure a copy, which has no such rights: cp {} .", path.display()))
    };
    if mode & SET_UID != 0 && metadata.uid() != user {
        return Err(is_other("with the rights of its owner (set-uid)"));
    }
    if mode & SET_GID == SET_GID && metadata.gid() != group {
        return Err(is_other("with the rights of its group (set-gid)"));
    }
    let mut value = [0; 64];
    if user != 0 && getxattr(path, "security.capability", &mut value).is_ok_and(|length| length > 0) {
        return Err(is_other("with capabilities of its own (getcap shows them)"));
    }
    Ok(())
}
