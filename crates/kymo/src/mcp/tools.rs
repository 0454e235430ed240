//! The tools that agents can call. Each runs this command and takes a part of its output.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::{env, fs};

use serde_json::{Map, Value, json};

use crate::problem::Problem;
use crate::status::Status;

/// The largest number of events of an answer, and the number if none is named.
const MOST_EVENTS: u64 = 1_000;
const SOME_EVENTS: u64 = 100;
/// The largest number of rows of a comparison.
const MOST_ROWS: usize = 50;
/// The largest size of events, and of a command's message about a problem, in bytes.
const MOST_BYTES: usize = 1 << 16;

/// An answer, or why there is none.
type Answer = Result<Value, String>;

/// A tool.
struct Tool {
    name: &'static str,
    about: &'static str,
    /// The properties of its arguments, and those that must be there.
    properties: fn() -> Value,
    required: &'static [&'static str],
    call: fn(&Tools, &Value) -> Answer,
}

const TOOLS: [Tool; 6] = [
    Tool {
        name: "explain",
        about: "Who is late in a program, why, and what it costs: findings in the order of what would be gained, \
                with evidence, and tables of waiting, blame, the critical path, iterations and efficiency.",
        properties: of_a_part,
        required: &["trace"],
        call: |tools, arguments| tools.explain(arguments, &[]),
    },
    Tool {
        name: "waits",
        about: "Where locations waited, for whom, and what those did meanwhile (blame).",
        properties: of_a_part,
        required: &["trace"],
        call: |tools, arguments| {
            tools.explain(arguments, &["waits", "blame", "idle", "locations", "left_out"])
        },
    },
    Tool {
        name: "critical_path",
        about: "The chain of activities on which the length of the run depends, by call path, and its longest segments.",
        properties: of_a_part,
        required: &["trace"],
        call: |tools, arguments| tools.explain(arguments, &["critical_path", "locations", "left_out"]),
    },
    Tool {
        name: "compare",
        about: "What changed from one run to another: the regions whose exclusive time differs most, and whether by \
                more than the noise, if that is known.",
        properties: || json!({ "before": path(), "after": path() }),
        required: &["before", "after"],
        call: Tools::compare,
    },
    Tool {
        name: "what_if",
        about: "How long the run would be on an ideal network if the work in the calls of a region took FACTOR times \
                its time (0: none, 0.5: half).",
        properties: || {
            json!({
                "trace": path(),
                "region": { "type": "string", "description": "The name of the region." },
                "factor": { "type": "number", "minimum": 0 },
            })
        },
        required: &["trace", "region", "factor"],
        call: Tools::what_if,
    },
    Tool {
        name: "events_in",
        about: "The events of a part of the time, in their order.",
        properties: || {
            json!({
                "trace": path(),
                "from": time(),
                "to": time(),
                "location": { "type": "integer", "minimum": 0, "description": "Only of this location." },
                "limit": { "type": "integer", "minimum": 1, "maximum": MOST_EVENTS },
            })
        },
        required: &["trace", "from", "to"],
        call: Tools::events_in,
    },
];

fn path() -> Value {
    json!({ "type": "string", "description": "The anchor file of the trace (*.otf2), or its folder." })
}

fn time() -> Value {
    json!({ "type": "string", "description": "A time with its unit since the start of the trace, as 1.2s or 35ms, or a part of it, as 20%." })
}

/// Returns the arguments of tools that can read a part of a trace.
fn of_a_part() -> Value {
    json!({
        "trace": path(),
        "from": time(),
        "to": time(),
        "locations": { "type": "array", "items": { "type": "integer", "minimum": 0 }, "description": "Only these, by their ids." },
        "top": { "type": "integer", "minimum": 1, "maximum": 1000, "description": "Rows of each table; 20 by default." },
    })
}

/// The tools, and the folders that they may read.
#[derive(Debug)]
pub(super) struct Tools {
    folders: Vec<PathBuf>,
    program: PathBuf,
}

impl Tools {
    /// Lets tools read below some folders.
    pub(super) fn new(folders: &[PathBuf]) -> Result<Self, Problem> {
        let real = |folder: &PathBuf| {
            let found =
                fs::canonicalize(folder).map_err(|error| Problem::of(folder, error, Status::Environment))?;
            match found.is_dir() {
                true => Ok(found),
                false => Err(Problem::of(folder, "not a folder", Status::Usage)),
            }
        };
        let program = env::current_exe().map_err(Problem::environment)?;
        Ok(Self { folders: folders.iter().map(real).collect::<Result<_, _>>()?, program })
    }

    /// Describes all tools.
    pub(super) fn list(&self) -> Value {
        let described = TOOLS.iter().map(|tool| {
            json!({
                "name": tool.name,
                "description": tool.about,
                "inputSchema": {
                    "type": "object",
                    "properties": (tool.properties)(),
                    "required": tool.required,
                    "additionalProperties": false,
                },
                "annotations": { "readOnlyHint": true, "openWorldHint": false },
            })
        });
        described.collect()
    }

    /// Calls a tool, if there is one with this name.
    pub(super) fn call(&self, name: &str, arguments: &Value) -> Option<Answer> {
        let tool = TOOLS.iter().find(|tool| tool.name == name)?;
        let properties = (tool.properties)();
        let unknown =
            arguments.as_object().into_iter().flat_map(Map::keys).find(|name| properties.get(name).is_none());
        if let Some(unknown) = unknown {
            return Some(Err(format!("{name} has no argument '{unknown}'")));
        }
        if let Some(missing) = tool.required.iter().find(|name| arguments.get(name).is_none()) {
            return Some(Err(format!("{name} needs the argument '{missing}'")));
        }
        Some((tool.call)(self, arguments))
    }

    /// Runs `kymo explain`. Returns these fields of its answer, or all of it.
    fn explain(&self, arguments: &Value, fields: &[&str]) -> Answer {
        let mut command = self.command(&["explain", "--format", "json"]);
        match (arguments.get("from"), arguments.get("to")) {
            (None, None) => {}
            (Some(from), Some(to)) => drop(command.arg("--time").arg(text(from)?).arg(text(to)?)),
            _ => return Err("'from' and 'to' must be given together".to_owned()),
        }
        if let Some(locations) = arguments.get("locations").and_then(Value::as_array) {
            let ids: Vec<_> = locations.iter().map(Value::to_string).collect();
            command.arg("-L").arg(ids.join(","));
        }
        if let Some(top) = arguments.get("top") {
            command.arg("--top").arg(whole(top)?.max(1).to_string());
        }
        let all = printed(command.arg("--").arg(self.trace(arguments, "trace")?))?;
        match (all, fields) {
            (all, []) => Ok(all),
            (Value::Object(mut all), fields) => {
                all.retain(|name, _| fields.contains(&name.as_str()));
                Ok(all.into())
            }
            (other, _) => Ok(other),
        }
    }

    fn what_if(&self, arguments: &Value) -> Answer {
        let factor = arguments["factor"].as_f64().ok_or("'factor' must be a number")?;
        let mut command = self.command(&["explain", "--format", "json"]);
        command.arg("--if").arg(format!("{}={factor}", text(&arguments["region"])?));
        let mut all = printed(command.arg("--").arg(self.trace(arguments, "trace")?))?;
        Ok(json!({ "replay": all["replay"].take(), "what_if": all["what_if"].take() }))
    }

    fn compare(&self, arguments: &Value) -> Answer {
        let mut command = self.command(&["profile", "--diff", "--format", "json"]);
        command.arg("--").arg(self.trace(arguments, "before")?).arg(self.trace(arguments, "after")?);
        let mut all = printed(&mut command)?;
        if let Some(rows) = all["rows"].as_array_mut() {
            let left_out = rows.len().saturating_sub(MOST_ROWS);
            rows.truncate(MOST_ROWS);
            all["left_out"] = left_out.into();
        }
        Ok(all)
    }

    fn events_in(&self, arguments: &Value) -> Answer {
        let mut command = self.command(&["print", "--format", "json"]);
        command.arg("--time").arg(text(&arguments["from"])?).arg(text(&arguments["to"])?);
        if let Some(location) = arguments.get("location") {
            command.arg("-L").arg(whole(location)?.to_string());
        }
        let limit = arguments.get("limit").map_or(Ok(SOME_EVENTS), whole)?.clamp(1, MOST_EVENTS);
        command.arg("--").arg(self.trace(arguments, "trace")?);
        let mut child = spawn(&mut command)?;
        let (mut events, mut size, mut is_whole) = (Vec::new(), 0, true);
        let output = child.stdout.take().map(BufReader::new);
        for line in output.into_iter().flat_map(BufRead::lines) {
            let line = line.map_err(|error| error.to_string())?;
            let Ok(Value::Object(event)) = serde_json::from_str(&line) else { continue };
            size += line.len();
            is_whole = (events.len() as u64) < limit && size <= MOST_BYTES;
            if !is_whole {
                break;
            }
            events.push(Value::Object(event));
        }
        if is_whole {
            finished(child)?;
        } else {
            // The rest is not wanted.
            let _ = child.kill();
            let _ = child.wait();
        }
        Ok(json!({ "events": events, "is_whole": is_whole }))
    }

    /// Returns a run of this command.
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.args(arguments).arg("--quiet");
        command
    }

    /// Returns the trace that an argument names, if it may be read.
    fn trace(&self, arguments: &Value, name: &str) -> Result<PathBuf, String> {
        let path = Path::new(text(&arguments[name])?);
        let found = fs::canonicalize(path).map_err(|error| format!("{}: {error}", path.display()))?;
        match self.folders.iter().any(|folder| found.starts_with(folder)) {
            true => Ok(found),
            false => Err(format!("{}: not below a folder that this server may read", path.display())),
        }
    }
}

fn text(value: &Value) -> Result<&str, String> {
    value.as_str().ok_or_else(|| format!("expected a text instead of {value}"))
}

fn whole(value: &Value) -> Result<u64, String> {
    value.as_u64().ok_or_else(|| format!("expected a whole number instead of {value}"))
}

fn spawn(command: &mut Command) -> Result<Child, String> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().map_err(|error| format!("kymo cannot be started: {error}"))
}

/// Returns the object that a command prints.
fn printed(command: &mut Command) -> Answer {
    let output =
        command.stdin(Stdio::null()).output().map_err(|error| format!("kymo cannot be started: {error}"))?;
    // The readable part of a damaged trace is an answer, too.
    match serde_json::from_slice(&output.stdout) {
        Ok(Value::Object(all)) => Ok(all.into()),
        _ => Err(complaint(&output.stderr)),
    }
}

/// Waits for the end of a command. Returns its complaint if it has failed.
fn finished(mut child: Child) -> Result<(), String> {
    let mut said = Vec::new();
    if let Some(stderr) = child.stderr.take() {
        stderr.take(MOST_BYTES as u64).read_to_end(&mut said).map_err(|error| error.to_string())?;
    }
    let status = child.wait().map_err(|error| error.to_string())?;
    if status.success() { Ok(()) } else { Err(complaint(&said)) }
}

fn complaint(said: &[u8]) -> String {
    let said = String::from_utf8_lossy(&said[..said.len().min(MOST_BYTES)]);
    if said.trim().is_empty() { "kymo failed without a word".to_owned() } else { said.trim().to_owned() }
}
