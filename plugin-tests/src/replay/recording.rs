//! A recorded Score-P process: the calls that a plugin received, in order, and the definition arena
//! at two of these calls.
//!
//! A recording is a folder with `rank<r>.jsonl.gz`, one JSON object per call, and
//! `rank<r>.pre_unify.arena.gz` and `rank<r>.write_data.arena.gz`, the bytes of the arena (offset =
//! handle) at these calls. Reading checks the form of every line; whether the calls are consistent
//! is checked when a `Script` is made of them.

use crate::replay::Error;
use crate::replay::events::{self, ArgumentKind};
use crate::replay::metrics::{Delivery, Metrics};
use crate::replay::release::HostRelease;
use flate2::read::GzDecoder;
use serde_json::{Map, Value};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// The limit on the size of an arena: ten times the memory that Score-P gives a process by default.
const MOST_ARENA_BYTES: u64 = 256 << 20;

/// The calls of one process.
#[derive(Debug)]
pub struct Recording {
    pub(crate) rank: u32,
    pub(crate) calls_file: PathBuf,
    /// The release whose layouts the definitions have.
    pub(crate) release: HostRelease,
    pub(crate) calls: Vec<Call>,
    pub(crate) pre_unify: Vec<u8>,
    pub(crate) write_data: Vec<u8>,
    pub(crate) clock_resolution: u64,
}

/// One call that a plugin received.
#[derive(Debug)]
pub(crate) struct Call {
    /// The line of the file, counted from 1.
    pub(crate) line: usize,
    pub(crate) thread: usize,
    pub(crate) action: Action,
}

/// The function called, with its arguments: locations by their process-local number, tasks by their
/// recorded address.
#[derive(Debug)]
pub(crate) enum Action {
    Init,
    SetCallbacks,
    GetEventFunctions { mode: usize },
    NewDefinitionHandle(Box<Announcement>),
    AssignId,
    GetRequirement { flag: u32 },
    DumpManifest,
    InitMpp { size: u32, rank: u32 },
    CreateLocation { location: u32, parent: Option<u32>, kind: u32, name: String },
    ActivateLocation { location: u32, parent: Option<u32>, fork_sequence_count: u32 },
    DeactivateLocation { location: u32, parent: Option<u32> },
    DeleteLocation { location: u32, name: String },
    CreateTask { location: u32, task: u64 },
    CompleteTask { location: u32, task: u64 },
    Event(RecordedEvent),
    PreUnify,
    WriteData,
    Finalize,
}

/// An announced definition.
#[derive(Debug)]
pub(crate) struct Announcement {
    pub(crate) handle: u32,
    pub(crate) kind: u32,
    /// The bytes at base + handle when the definition was announced.
    pub(crate) raw: Vec<u8>,
    /// The members of the recorded call, among them the results of the public getters.
    pub(crate) public: Map<String, Value>,
}

/// An event with its arguments as words (`events::ArgumentKind`). An argument that is a list is
/// stored in `list`.
#[derive(Debug)]
pub(crate) struct RecordedEvent {
    pub(crate) number: u8,
    /// 0 for enabled, 1 for disabled.
    pub(crate) table: u8,
    pub(crate) location: u32,
    pub(crate) timestamp: u64,
    pub(crate) words: Vec<u64>,
    pub(crate) list: Option<Vec<u64>>,
    pub(crate) metrics: Option<Box<Metrics<u32>>>,
}

impl Recording {
    /// Returns the ranks whose recordings a folder contains, in ascending order.
    pub fn ranks(folder: &Path) -> Result<Vec<u32>, Error> {
        let mut ranks = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(|error| Error::io(folder, error))? {
            let name = entry.map_err(|error| Error::io(folder, error))?.file_name();
            ranks.extend(rank_of(&name.to_string_lossy()));
        }
        ranks.sort_unstable();
        Ok(ranks)
    }

    /// Reads the recording of `rank`.
    pub fn read(folder: &Path, rank: u32) -> Result<Self, Error> {
        let calls_file = folder.join(format!("rank{rank}.jsonl.gz"));
        let lines = Lines::read(&calls_file)?;
        Ok(Self {
            rank,
            release: lines.release,
            clock_resolution: lines.clock_resolution,
            pre_unify: lines
                .read_arena(&folder.join(format!("rank{rank}.pre_unify.arena.gz")), |action| {
                    matches!(action, Action::PreUnify)
                })?,
            write_data: lines
                .read_arena(&folder.join(format!("rank{rank}.write_data.arena.gz")), |action| {
                    matches!(action, Action::WriteData)
                })?,
            calls: lines.calls,
            calls_file,
        })
    }

    /// Returns the number of ranks of the recorded program.
    pub(crate) fn size(&self) -> u32 {
        let sizes = self.calls.iter().filter_map(|call| match call.action {
            Action::InitMpp { size, .. } => Some(size),
            _ => None,
        });
        sizes.max().unwrap_or(1)
    }

    /// Returns an error about the call in `line`.
    pub(crate) fn error(&self, line: usize, what: impl Into<String>) -> Error {
        Error::Line { path: self.calls_file.clone(), line, what: what.into() }
    }
}

fn rank_of(name: &str) -> Option<u32> {
    name.strip_prefix("rank")?.strip_suffix(".jsonl.gz")?.parse().ok()
}

fn read_arena(path: &Path) -> Result<Vec<u8>, Error> {
    let file = File::open(path).map_err(|error| Error::io(path, error))?;
    let mut bytes = Vec::new();
    let mut limited = GzDecoder::new(file).take(MOST_ARENA_BYTES + 1);
    limited.read_to_end(&mut bytes).map_err(|error| Error::io(path, error))?;
    if bytes.len() as u64 > MOST_ARENA_BYTES {
        return Err(Error::recording(
            path,
            format!("expected at most {MOST_ARENA_BYTES} bytes of definitions"),
        ));
    }
    Ok(bytes)
}

/// The file of calls while it is being read.
struct Lines {
    calls: Vec<Call>,
    release: HostRelease,
    clock_resolution: u64,
}

impl Lines {
    fn read(path: &Path) -> Result<Self, Error> {
        let file = File::open(path).map_err(|error| Error::io(path, error))?;
        let mut reader = BufReader::with_capacity(1 << 16, GzDecoder::new(BufReader::new(file)));
        let mut lines = Self { calls: Vec::new(), release: HostRelease::V8_4, clock_resolution: 0 };
        let mut text = String::new();
        for line in 1.. {
            text.clear();
            let error = |what| Error::Line { path: path.to_owned(), line, what };
            let length = reader.read_line(&mut text).map_err(|source| error(unreadable(&source)))?;
            if length == 0 {
                break;
            }
            let object = parse_object(&text).map_err(error)?;
            let call = lines.call(line, &object).map_err(error)?;
            lines.calls.push(call);
        }
        if lines.calls.is_empty() {
            return Err(Error::recording(path, "expected at least one call"));
        }
        Ok(lines)
    }

    /// Reads the arena at a call; empty if there was no such call.
    fn read_arena(&self, path: &Path, at: impl Fn(&Action) -> bool) -> Result<Vec<u8>, Error> {
        if self.calls.iter().any(|call| at(&call.action)) { read_arena(path) } else { Ok(Vec::new()) }
    }

    fn call(&mut self, line: usize, object: &Members) -> Result<Call, String> {
        Ok(Call { line, thread: object.u32("thread")? as usize, action: self.action(object)? })
    }

    fn action(&mut self, object: &Members) -> Result<Action, String> {
        let location = || object.u32("location");
        let parent = || object.optional("parent", Members::u32);
        Ok(match object.text("call")? {
            "event" => Action::Event(event(object)?),
            "new_definition_handle" => Action::NewDefinitionHandle(Box::new(announcement(object)?)),
            "core_task_create" => Action::CreateTask { location: location()?, task: object.u64("task")? },
            "core_task_complete" => Action::CompleteTask { location: location()?, task: object.u64("task")? },
            "create_location" => Action::CreateLocation {
                location: location()?,
                parent: parent()?,
                kind: object.u32("type")?,
                name: object.text("name")?.to_owned(),
            },
            "activate_cpu_location" => Action::ActivateLocation {
                location: location()?,
                parent: parent()?,
                fork_sequence_count: object.u32("fork_sequence_count")?,
            },
            "deactivate_cpu_location" => {
                Action::DeactivateLocation { location: location()?, parent: parent()? }
            }
            "delete_location" => {
                Action::DeleteLocation { location: location()?, name: object.text("name")?.to_owned() }
            }
            "init" => Action::Init,
            "set_callbacks" => Action::SetCallbacks,
            "get_event_functions" => self.get_event_functions(object)?,
            "assign_id" => Action::AssignId,
            "get_requirement" => Action::GetRequirement { flag: object.u32("flag")? },
            "dump_manifest" => Action::DumpManifest,
            "init_mpp" => Action::InitMpp { size: object.u32("size")?, rank: object.u32("rank")? },
            "pre_unify" => Action::PreUnify,
            "write_data" => self.write_data(object)?,
            "finalize" => Action::Finalize,
            other => return Err(format!("`{other}` is not a call of the plugin interface")),
        })
    }

    fn get_event_functions(&mut self, object: &Members) -> Result<Action, String> {
        if object.u32("num_events")? <= 79 {
            self.release = HostRelease::V7_1;
        }
        match object.u32("mode")? {
            mode @ 0..=1 => Ok(Action::GetEventFunctions { mode: mode as usize }),
            mode => Err(format!("expected mode 0 or 1, not {mode}")),
        }
    }

    fn write_data(&mut self, object: &Members) -> Result<Action, String> {
        self.clock_resolution = object.u64("clock_resolution")?;
        Ok(Action::WriteData)
    }
}

fn unreadable(error: &io::Error) -> String {
    format!("cannot be read: {error}")
}

fn announcement(object: &Members) -> Result<Announcement, String> {
    let handle = object.u32("handle")?;
    if handle == 0 || !handle.is_multiple_of(4) {
        return Err(format!("expected a handle that is a multiple of 4 and not 0, not {handle}"));
    }
    let raw = bytes_of(object.text("raw")?).ok_or("expected pairs of hexadecimal digits in `raw`")?;
    if u64::from(handle) + raw.len() as u64 > MOST_ARENA_BYTES {
        return Err(format!("expected a handle below {MOST_ARENA_BYTES}, not {handle}"));
    }
    let kind = object.u32("type_id")?;
    if !(1..26).contains(&kind) {
        return Err(format!("expected `type_id` 1 to 25, not {kind}"));
    }
    Ok(Announcement { handle, kind, raw, public: object.0.clone() })
}

fn bytes_of(hex: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> = hex.chars().map(|c| Some(c.to_digit(16)? as u8)).collect();
    let digits = digits.filter(|digits| digits.len().is_multiple_of(2))?;
    Some(digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}

fn event(object: &Members) -> Result<RecordedEvent, String> {
    let name = object.text("name")?;
    let number = events::number_of(name).ok_or_else(|| format!("`{name}` is not an event"))?;
    let mut event = RecordedEvent {
        number,
        table: table(object)?,
        location: object.u32("location")?,
        timestamp: object.u64("timestamp")?,
        words: Vec::new(),
        list: None,
        metrics: object.optional("metrics", metrics)?,
    };
    for argument in events::EVENTS[number as usize].arguments {
        match argument.kind {
            ArgumentKind::Metrics | ArgumentKind::Data => {}
            ArgumentKind::Handles | ArgumentKind::Values => {
                event.list = Some(object.numbers(argument.name)?);
                event.words.push(0);
            }
            ArgumentKind::F64 => event.words.push(object.f64(argument.name)?.to_bits()),
            ArgumentKind::U32 => event.words.push(object.u32(argument.name)?.into()),
            ArgumentKind::I32 => event.words.push(object.rank(argument.name)?),
            _ => event.words.push(object.u64(argument.name)?),
        }
    }
    Ok(event)
}

fn table(object: &Members) -> Result<u8, String> {
    match object.optional("table", Members::text)? {
        None => Ok(0),
        Some("disabled") => Ok(1),
        Some(other) => Err(format!("expected `table` to be \"disabled\", not \"{other}\"")),
    }
}

fn metrics(object: &Members, name: &str) -> Result<Box<Metrics<u32>>, String> {
    let lists = object.object(name)?;
    let list = |name: &str| -> Result<Vec<Delivery<u32>>, String> {
        lists.list(name)?.iter().map(delivery).collect()
    };
    Ok(Box::new(Metrics::new(list("async")?, list("strict")?, list("sync")?)))
}

fn delivery(value: &Value) -> Result<Delivery<u32>, String> {
    let object = Members::of(value).ok_or("expected objects in the lists of `metrics`")?;
    Ok(Delivery {
        location: object.u32("location")?,
        timestamp: object.u64("timestamp")?,
        sampling_set: object.u32("samplingSet")?,
        values: object.numbers("values")?.into(),
    })
}

/// The members of a JSON object.
struct Members(Map<String, Value>);

fn parse_object(text: &str) -> Result<Members, String> {
    match serde_json::from_str(text) {
        Ok(Value::Object(members)) => Ok(Members(members)),
        Ok(_) => Err("expected a JSON object".to_owned()),
        Err(error) => Err(format!("expected a JSON object: {error}")),
    }
}

/// Returns a number as 64 bits: signed ones in two's complement, fractions as the bits of a double.
fn bits(value: &Value) -> Option<u64> {
    let double = || value.as_f64().map(f64::to_bits);
    value.as_u64().or_else(|| Some(value.as_i64()? as u64)).or_else(double)
}

impl Members {
    fn of(value: &Value) -> Option<Self> {
        value.as_object().cloned().map(Self)
    }

    fn get(&self, name: &str) -> Result<&Value, String> {
        self.0.get(name).ok_or_else(|| format!("expected a member `{name}`"))
    }

    fn optional<'a, T>(
        &'a self,
        name: &str,
        read: impl FnOnce(&'a Self, &str) -> Result<T, String>,
    ) -> Result<Option<T>, String> {
        if self.0.contains_key(name) { read(self, name).map(Some) } else { Ok(None) }
    }

    fn text(&self, name: &str) -> Result<&str, String> {
        self.get(name)?.as_str().ok_or_else(|| format!("expected `{name}` to be a string"))
    }

    fn u64(&self, name: &str) -> Result<u64, String> {
        bits(self.get(name)?).ok_or_else(|| format!("expected `{name}` to be a number"))
    }

    fn f64(&self, name: &str) -> Result<f64, String> {
        self.get(name)?.as_f64().ok_or_else(|| format!("expected `{name}` to be a number"))
    }

    fn u32(&self, name: &str) -> Result<u32, String> {
        let value = self.u64(name)?;
        u32::try_from(value).map_err(|_| format!("expected `{name}` to fit into 32 bits, not {value}"))
    }

    /// Returns a rank: a signed 32-bit number extended to 64 bits.
    fn rank(&self, name: &str) -> Result<u64, String> {
        let value = self.u64(name)?;
        let fits = i32::try_from(value as i64).is_ok();
        fits.then_some(value).ok_or_else(|| format!("expected `{name}` to be a rank, not {value}"))
    }

    fn list(&self, name: &str) -> Result<&Vec<Value>, String> {
        self.get(name)?.as_array().ok_or_else(|| format!("expected `{name}` to be a list"))
    }

    fn numbers(&self, name: &str) -> Result<Vec<u64>, String> {
        let numbers: Option<Vec<u64>> = self.list(name)?.iter().map(bits).collect();
        numbers.ok_or_else(|| format!("expected `{name}` to be a list of numbers"))
    }

    fn object(&self, name: &str) -> Result<Self, String> {
        Self::of(self.get(name)?).ok_or_else(|| format!("expected `{name}` to be an object"))
    }
}
