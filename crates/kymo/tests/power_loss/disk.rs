//! A disk as a recorded run changed it, and the states in which a crash after any call may leave
//! it.

#![allow(unreachable_pub)]

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

/// A random number generator with a fixed seed (xorshift).
pub struct Numbers(pub u64);

impl Numbers {
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

/// The effect of a call.
#[derive(Debug, Clone)]
enum Change {
    Create(PathBuf, usize),
    Folder(PathBuf),
    Write(usize, u64, Vec<u8>),
    Cut(usize, u64),
    Rename(PathBuf, PathBuf, usize),
    Remove(PathBuf),
    SyncFile(usize),
    SyncFolder(PathBuf),
}

/// The calls that affect a folder, in the order in which they returned.
#[derive(Debug, Default)]
pub struct Disk {
    folder: PathBuf,
    changes: Vec<Change>,
    files: usize,
    /// The names after all calls.
    names: BTreeMap<PathBuf, usize>,
    offsets: HashMap<(String, PathBuf), u64>,
}

/// Decodes a string of the log, which has `\x2f` for each byte.
fn bytes(hexadecimal: &str) -> Vec<u8> {
    let digits = hexadecimal.split("\\x").skip(1);
    digits.map(|digits| u8::from_str_radix(&digits[..2], 16).expect("a byte")).collect()
}

fn path(hexadecimal: &str) -> PathBuf {
    PathBuf::from(String::from_utf8(bytes(hexadecimal)).expect("a path"))
}

/// Returns the quoted strings.
fn strings(text: &str) -> Vec<&str> {
    text.split('"').skip(1).step_by(2).collect()
}

/// Parses `5<\x2f…>`, the number and the path of a descriptor.
fn descriptor(text: &str) -> Option<(String, PathBuf)> {
    let (number, rest) = text.split_once('<')?;
    Some((number.trim().to_owned(), path(rest.split('>').next()?)))
}

impl Disk {
    pub fn of(log: &str, folder: &Path) -> Self {
        let mut disk = Self { folder: folder.to_owned(), ..Self::default() };
        let mut unfinished: HashMap<&str, String> = HashMap::new();
        for line in log.lines() {
            let Some((process, call)) = line.split_once(' ') else { continue };
            let call = call.trim_start();
            if let Some(begin) = call.strip_suffix("<unfinished ...>") {
                unfinished.insert(process, begin.to_owned());
            } else if let Some((_, end)) =
                call.strip_prefix("<... ").and_then(|it| it.split_once(" resumed>"))
            {
                let begin = unfinished.remove(process).unwrap_or_default();
                disk.take(&format!("{begin}{end}"));
            } else {
                disk.take(call);
            }
        }
        disk
    }

    fn is_inside(&self, path: &Path) -> bool {
        path.starts_with(&self.folder) && path != self.folder
    }

    fn take(&mut self, call: &str) {
        let Some((name, rest)) = call.split_once('(') else { return };
        let Some((arguments, result)) = rest.rsplit_once(" = ") else { return };
        if result.starts_with('-') {
            return;
        }
        match name {
            "openat" => self.open(arguments, result),
            "mkdir" | "mkdirat" => self.make_folder(arguments),
            "rename" | "renameat" | "renameat2" => self.rename(arguments),
            "unlink" | "unlinkat" => {
                let path = self.absolute(arguments, strings(arguments)[0]);
                if self.is_inside(&path) && self.names.remove(&path).is_some() {
                    self.changes.push(Change::Remove(path));
                }
            }
            _ => self.use_descriptor(name, arguments),
        }
    }

    /// Resolves a path argument: absolute, or relative to the preceding descriptor or the working
    /// directory.
    fn absolute(&self, arguments: &str, name: &str) -> PathBuf {
        let before = arguments.split('"').next().and_then(descriptor).map(|(_, path)| path);
        before.unwrap_or_else(|| self.folder.parent().expect("a folder").to_owned()).join(path(name))
    }

    fn open(&mut self, arguments: &str, result: &str) {
        let Some((number, path)) = descriptor(result) else { return };
        if !self.is_inside(&path) {
            return;
        }
        self.offsets.insert((number, path.clone()), 0);
        if arguments.contains("O_CREAT") && !self.names.contains_key(&path) {
            self.names.insert(path.clone(), self.files);
            self.changes.push(Change::Create(path.clone(), self.files));
            self.files += 1;
        }
        if let Some(&file) = self.names.get(&path).filter(|_| arguments.contains("O_TRUNC")) {
            self.changes.push(Change::Cut(file, 0));
        }
    }

    fn make_folder(&mut self, arguments: &str) {
        let path = self.absolute(arguments, strings(arguments)[0]);
        if self.is_inside(&path) {
            self.changes.push(Change::Folder(path));
        }
    }

    fn rename(&mut self, arguments: &str) {
        let [from, to] = strings(arguments)[..] else { return };
        let [from, to] = [self.absolute(arguments, from), self.absolute(arguments, to)];
        if let Some(file) = self.names.remove(&from) {
            self.names.insert(to.clone(), file);
            self.changes.push(Change::Rename(from, to, file));
        }
    }

    fn use_descriptor(&mut self, name: &str, arguments: &str) {
        let Some((number, path)) = descriptor(arguments) else { return };
        let Some(&file) = self.names.get(&path) else {
            if name == "fsync" && (self.is_inside(&path) || path == self.folder) {
                self.changes.push(Change::SyncFolder(path));
            }
            return;
        };
        let last = || arguments.rsplit([',', ')']).find_map(|it| it.trim().parse::<u64>().ok());
        let data: Vec<u8> = strings(arguments).into_iter().flat_map(bytes).collect();
        match name {
            "write" => {
                let offset = self.offsets.entry((number, path)).or_default();
                let begin = *offset;
                *offset += data.len() as u64;
                self.changes.push(Change::Write(file, begin, data));
            }
            "pwrite64" | "pwritev" => {
                self.changes.push(Change::Write(file, last().expect("an offset"), data));
            }
            "ftruncate" => self.changes.push(Change::Cut(file, last().expect("a length"))),
            "fsync" | "fdatasync" => self.changes.push(Change::SyncFile(file)),
            _ => {}
        }
    }

    /// Returns the number of calls.
    pub fn calls(&self) -> usize {
        self.changes.len()
    }

    /// Returns the numbers of calls after which the data announced as synced is on the disk: the
    /// folders are synced after the file is renamed.
    pub fn syncs(&self) -> Vec<usize> {
        let is_named = |change: &Change| matches!(change, Change::Rename(_, to, _) if to.extension().is_some_and(|it| it == "synced"));
        let named = (0..self.changes.len()).filter(|&at| is_named(&self.changes[at]));
        let done = named.filter_map(|at| {
            let rest = &self.changes[at + 1..];
            let folders = rest.iter().take_while(|it| matches!(it, Change::SyncFolder(_))).count();
            (folders > 0).then_some(at + 1 + folders)
        });
        done.collect()
    }

    /// Returns the folder of the only process.
    pub fn part(&self, state: &Path) -> PathBuf {
        let entries = fs::read_dir(state).into_iter().flatten();
        let mut folders = entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_dir());
        folders.next().unwrap_or_else(|| state.to_owned())
    }

    /// Writes the disk with the effect of the first calls. `reboot` changes the boot id in the
    /// note.
    pub fn write_whole(&self, calls: usize, reboot: bool, to: &Path) {
        self.write(calls, reboot, to, &mut |_| true, &mut |_, _, _| true);
    }

    /// Like [`Self::write_whole`], but after a loss of power: anything that was not synced may be
    /// missing.
    pub fn write_crashed(&self, calls: usize, numbers: &mut Numbers, to: &Path) {
        let likely = |numbers: &mut Numbers| [0, 20, 50, 80, 100][numbers.below(5)];
        let (of_names, of_sectors) = (likely(numbers), likely(numbers));
        let numbers = std::cell::RefCell::new(numbers);
        let draw = |likely: usize| numbers.borrow_mut().below(100) < likely;
        let names: Vec<bool> = (0..calls).map(|_| draw(of_names)).collect();
        self.write(calls, true, to, &mut |at| names[at], &mut |_, _, is_length| {
            numbers.borrow_mut().below(100) < if is_length { 50 } else { of_sectors }
        });
    }

    fn write(
        &self,
        calls: usize,
        reboot: bool,
        to: &Path,
        keeps_name: &mut dyn FnMut(usize) -> bool,
        keeps: &mut dyn FnMut(usize, usize, bool) -> bool,
    ) {
        let _ = fs::remove_dir_all(to);
        fs::create_dir_all(to).unwrap();
        let changes = &self.changes[..calls];
        let synced_folder = |folder: &Path| {
            changes
                .iter()
                .rposition(|it| matches!(it, Change::SyncFolder(path) if path == folder))
                .unwrap_or(0)
        };
        let (mut names, mut folders) = (BTreeMap::new(), Vec::new());
        for (at, change) in changes.iter().enumerate() {
            let (Change::Create(path, _)
            | Change::Folder(path)
            | Change::Rename(_, path, _)
            | Change::Remove(path)) = change
            else {
                continue;
            };
            if at >= synced_folder(path.parent().unwrap()) && !keeps_name(at) {
                continue;
            }
            match change {
                Change::Create(path, file) => _ = names.insert(path.clone(), *file),
                Change::Folder(path) => folders.push(path.clone()),
                Change::Rename(from, to, file) => {
                    names.remove(from);
                    names.insert(to.clone(), *file);
                }
                _ => _ = names.remove(path),
            }
        }
        let place = |path: &Path| to.join(path.strip_prefix(&self.folder).unwrap());
        for folder in folders {
            // This fails if the parent folder is missing.
            let _ = fs::create_dir(place(&folder));
        }
        for (path, file) in names {
            let mut content = content(changes, file, keeps);
            if reboot && path.extension().is_some_and(|it| it == "note") {
                let text = String::from_utf8_lossy(&content).replace("\nboot=", "\nboot=another");
                content = text.into_bytes();
            }
            let _ = fs::write(place(&path), content);
        }
    }
}

/// The unit in which a disk writes: all of its bytes are written or none.
const SECTOR: usize = 512;

/// Returns the contents of a file.
fn content(changes: &[Change], file: usize, keeps: &mut dyn FnMut(usize, usize, bool) -> bool) -> Vec<u8> {
    let synced =
        changes.iter().rposition(|it| matches!(it, Change::SyncFile(it) if *it == file)).unwrap_or(0);
    let mut content = Vec::new();
    let mut longest = 0;
    for (at, change) in changes.iter().enumerate() {
        match change {
            Change::Write(it, offset, data) if *it == file => {
                let begin = *offset as usize;
                let mut done = 0;
                while done < data.len() {
                    let end = ((begin + done) / SECTOR + 1) * SECTOR - begin;
                    let end = end.min(data.len());
                    if at < synced || keeps(at, done, false) {
                        if content.len() < begin + end {
                            content.resize(begin + end, 0);
                        }
                        content[begin + done..begin + end].copy_from_slice(&data[done..end]);
                    }
                    done = end;
                }
                longest = longest.max(begin + data.len());
            }
            Change::Cut(it, length) if *it == file && (at < synced || keeps(at, 0, false)) => {
                content.resize(*length as usize, 0);
                longest = content.len();
            }
            _ => {}
        }
    }
    if longest > content.len() && keeps(changes.len(), 0, true) {
        content.resize(longest, 0);
    }
    content
}
