//! The writer: creates a trace with its event file like TAU's own writer library.
//!
//! The first record begins the trace, with the thread and time of the first event; the last ones
//! close every declared thread. The event file lists the exact number of events by id, including
//! those of the tracer itself, and is written before records that may require its new entries.
//! Invariants: after [`flush`](Writer::flush) the files on disk are a complete pair; a refused
//! record is not in the trace, and every other record is there once.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::message::Message;
use crate::record::{Layout, Record, Thread};

/// The events of the tracer itself.
mod built_in {
    pub(super) const INIT: i32 = 60_000;
    pub(super) const FLUSH_CLOSE: i32 = 60_003;
    pub(super) const WALL_CLOCK: i32 = 60_005;
    pub(super) const SEND: i32 = 60_007;
    pub(super) const RECEIVE: i32 = 60_008;
    /// The lines of the event file, without the id.
    pub(super) const LINES: [(i32, &str); 5] = [
        (INIT, r#"TRACER 0 "EV_INIT" none"#),
        (FLUSH_CLOSE, r#"TRACER 0 "FLUSH_CLOSE" none"#),
        (WALL_CLOCK, r#"TRACER 0 "WALL_CLOCK" none"#),
        (SEND, r#"TAU_MESSAGE -7 "MESSAGE_SEND" par"#),
        (RECEIVE, r#"TAU_MESSAGE -8 "MESSAGE_RECV" par"#),
    ];
}

/// The number of bytes collected before they are written.
const BUFFER: usize = 256 << 10;

/// A trace being written.
#[derive(Debug)]
pub struct Writer {
    trace: File,
    path: PathBuf,
    event_file: PathBuf,
    layout: Layout,
    buffer: Vec<u8>,
    groups: BTreeMap<u32, Vec<u8>>,
    events: BTreeMap<i32, Definition>,
    threads: BTreeSet<Thread>,
    /// The time of the last record; `None` before the first.
    last_time: Option<u64>,
    is_event_file_old: bool,
}

#[derive(Debug)]
enum Definition {
    BuiltIn(&'static str),
    State { name: Vec<u8>, group: u32 },
    UserEvent { name: Vec<u8>, monotonic: i32 },
}

impl Writer {
    /// Creates a trace in the layout that TAU writes on this machine. Overwrites existing files.
    pub fn create(trace: impl AsRef<Path>, event_file: impl AsRef<Path>) -> Result<Self> {
        Self::in_layout(trace, event_file, Layout::NATIVE)
    }

    /// Creates a trace in a given layout. Overwrites existing files.
    pub fn in_layout(trace: impl AsRef<Path>, event_file: impl AsRef<Path>, layout: Layout) -> Result<Self> {
        let (path, event_file) = (trace.as_ref().to_owned(), event_file.as_ref().to_owned());
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(true);
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let trace = options.open(&path).map_err(|source| Error::io(&path, None, source))?;
        let mut writer = Writer {
            trace,
            path,
            event_file,
            layout,
            buffer: Vec::with_capacity(BUFFER),
            groups: BTreeMap::new(),
            events: built_in::LINES.into_iter().map(|(id, line)| (id, Definition::BuiltIn(line))).collect(),
            threads: BTreeSet::new(),
            last_time: None,
            is_event_file_old: true,
        };
        writer.write_event_file()?;
        Ok(writer)
    }

    /// Declares a thread, so that it is closed at the end.
    pub fn define_thread(&mut self, thread: Thread) {
        self.threads.insert(thread);
    }

    /// Names a group of states. Blanks, control characters and quotes become underscores, since the
    /// name is one word in the event file. An empty name counts as no name.
    pub fn define_group(&mut self, number: u32, name: impl AsRef<[u8]>) {
        let is_blank = |byte: u8| byte.is_ascii_whitespace() || byte.is_ascii_control() || byte == b'"';
        let word = name.as_ref().iter().map(|&byte| if is_blank(byte) { b'_' } else { byte }).collect();
        self.groups.insert(number, word);
        self.is_event_file_old = true;
    }

    /// Names a state.
    pub fn define_state(&mut self, id: u32, name: impl AsRef<[u8]>, group: u32) {
        self.define(id, Definition::State { name: in_line(name.as_ref()), group });
    }

    /// Names a user event; `monotonic` is 1 if its values never decrease.
    pub fn define_user_event(&mut self, id: u32, name: impl AsRef<[u8]>, monotonic: i32) {
        self.define(id, Definition::UserEvent { name: in_line(name.as_ref()), monotonic });
    }

    fn define(&mut self, id: u32, event: Definition) {
        self.events.insert(id as i32, event);
        self.is_event_file_old = true;
    }

    /// Records that a thread enters a state.
    pub fn enter(&mut self, time: u64, thread: Thread, state: u32) -> Result<()> {
        self.record(&Record { event: state as i32, thread, parameter: 1, time })
    }

    /// Records that a thread leaves a state.
    pub fn leave(&mut self, time: u64, thread: Thread, state: u32) -> Result<()> {
        self.record(&Record { event: state as i32, thread, parameter: -1, time })
    }

    /// Records that a thread sends a message.
    pub fn send(&mut self, time: u64, thread: Thread, message: Message) -> Result<()> {
        self.record(&Record { event: built_in::SEND, thread, parameter: message.parameter(), time })
    }

    /// Records that a thread receives a message.
    pub fn receive(&mut self, time: u64, thread: Thread, message: Message) -> Result<()> {
        self.record(&Record { event: built_in::RECEIVE, thread, parameter: message.parameter(), time })
    }

    /// Records a value of a user event.
    pub fn trigger(&mut self, time: u64, thread: Thread, event: u32, value: i64) -> Result<()> {
        self.record(&Record { event: event as i32, thread, parameter: value, time })
    }

    /// Writes any record. The first is preceded by the record that begins the trace.
    pub fn record(&mut self, record: &Record) -> Result<()> {
        if self.last_time.is_none() {
            self.put(&Record { event: built_in::INIT, parameter: 3, ..*record })?;
        }
        self.put(record)
    }

    fn put(&mut self, record: &Record) -> Result<()> {
        if self.buffer.len() + self.layout.record_size() > BUFFER {
            self.flush()?;
        }
        self.last_time = Some(record.time);
        self.layout.encode(record, &mut self.buffer);
        Ok(())
    }

    /// Writes all buffered data, the event file first.
    pub fn flush(&mut self) -> Result<()> {
        if self.is_event_file_old {
            self.write_event_file()?;
        }
        while !self.buffer.is_empty() {
            match self.trace.write(&self.buffer) {
                Ok(0) => return Err(Error::io(&self.path, None, ErrorKind::WriteZero.into())),
                // Bytes in the file must not be written again if the rest fails.
                Ok(written) => drop(self.buffer.drain(..written)),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(source) => return Err(Error::io(&self.path, None, source)),
            }
        }
        Ok(())
    }

    /// Closes all declared threads and ends the trace.
    pub fn finish(mut self) -> Result<()> {
        let last_time = self.last_time;
        for thread in std::mem::take(&mut self.threads) {
            if let Some(time) = last_time {
                self.put(&Record { event: built_in::FLUSH_CLOSE, thread, parameter: 0, time })?;
                self.put(&Record { event: built_in::WALL_CLOCK, thread, parameter: 0, time })?;
            }
        }
        self.flush()
    }

    fn write_event_file(&mut self) -> Result<()> {
        fs::write(&self.event_file, self.event_text())
            .map_err(|source| Error::io(&self.event_file, None, source))?;
        self.is_event_file_old = false;
        Ok(())
    }

    fn event_text(&self) -> Vec<u8> {
        let mut text = format!("{} dynamic_trace_events\n", self.events.len()).into_bytes();
        text.extend(b"# FunctionId Group Tag \"Name Type\" Parameters\n");
        for (id, event) in &self.events {
            text.extend(format!("{id} ").as_bytes());
            match event {
                Definition::BuiltIn(line) => text.extend(line.as_bytes()),
                Definition::State { name, group } => {
                    text.extend(self.group(*group));
                    text.extend([b" 0 \"", &name[..], b"\" EntryExit"].concat());
                }
                Definition::UserEvent { name, monotonic } => {
                    text.extend(format!("TAUEVENT {monotonic} \"").as_bytes());
                    text.extend([name, &b"\" TriggerValue"[..]].concat());
                }
            }
            text.push(b'\n');
        }
        text
    }

    /// Returns the word for a group, including groups without a name.
    fn group(&self, number: u32) -> Vec<u8> {
        let named = self.groups.get(&number).filter(|name| !name.is_empty());
        named.cloned().unwrap_or_else(|| format!("GROUP_{number}").into_bytes())
    }
}

/// Returns a name without characters that would end its line.
fn in_line(name: &[u8]) -> Vec<u8> {
    let ends = |byte: u8| matches!(byte, b'\n' | b'\r' | b'\0');
    name.iter().map(|&byte| if ends(byte) { b' ' } else { byte }).collect()
}
