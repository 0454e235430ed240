//! The definitions of a process: an append-only log of OTF2 definition records in process-local
//! ids.
//!
//! A record is appended when its definition is announced, and again when an unknown part of it
//! becomes known: if several records have the same id, the last one counts. Announcements may be
//! made from within a signal handler. Therefore the log and the index of its strings are stored in
//! pages, and appending can fail but never allocates.

mod string_index;

use kymo_otf2::{
    definitions::{GlobalDefinition, String},
    read,
    records::AnyRecord,
    references::StringRef,
    text::Text,
    write::{definition_bytes, definition_room},
};

use self::string_index::StringIndex;
use crate::{
    journal::{Entry, Journal},
    memory::{Budget, PageVec},
};

/// A log of definitions, with an index of its strings.
#[derive(Debug)]
pub struct DefinitionLog {
    log: PageVec<u8>,
    strings: StringIndex,
    lost: u64,
    /// The journal that also receives every record.
    journal: Option<&'static Journal>,
    /// Whether records other than strings are written only to the journal.
    is_noting: bool,
}

impl DefinitionLog {
    /// Creates a log that contains only the empty string, with id 0.
    pub fn new(budget: &'static Budget) -> Self {
        Self::noted(budget, None)
    }

    /// Like [`new`](Self::new), but every record is also written to `journal`.
    pub fn in_journal(budget: &'static Budget, journal: &'static Journal) -> Self {
        Self::noted(budget, Some(journal))
    }

    fn noted(budget: &'static Budget, journal: Option<&'static Journal>) -> Self {
        let mut this = Self { lost: 0, journal, ..Self::empty(budget) };
        this.string(b"");
        this
    }

    fn empty(budget: &'static Budget) -> Self {
        Self {
            log: PageVec::new(budget),
            strings: StringIndex::new(budget),
            lost: 0,
            journal: None,
            is_noting: false,
        }
    }

    /// Returns a log with the strings of this one under the same ids, and nothing else. Returns
    /// `None` if there is no room for it.
    pub fn strings(&self) -> Option<Self> {
        let budget = self.log.budget();
        let mut this = Self { lost: self.lost, ..Self::empty(budget) };
        for definition in read::definitions::log::<GlobalDefinition<'_>>(&self.log) {
            if let Ok(GlobalDefinition::String(string)) = definition {
                this.add_string(string.string.as_bytes())?;
            }
        }
        Some(this)
    }

    /// Returns all records so far, concatenated.
    pub fn log(&self) -> &[u8] {
        &self.log
    }

    /// Returns the number of definitions that found no room.
    pub fn lost(&self) -> u64 {
        self.lost
    }

    /// Appends a record.
    pub fn define<R: AnyRecord>(&mut self, record: &R) {
        let before = self.log.len();
        if self.append(record).is_none() {
            self.count_lost();
        }
        if self.is_noting {
            self.log.truncate(before);
        }
    }

    /// Sets whether definitions are written only to the journal from now on. Strings are always
    /// added to the log, so they keep their ids.
    pub fn note_only(&mut self, is_noting: bool) {
        self.is_noting = is_noting;
    }

    /// Counts a definition, or a part of one, that found no room.
    pub fn count_lost(&mut self) {
        self.lost += 1;
    }

    /// Returns the id of `text`, defining the string if it is new. Returns the undefined id if
    /// there is no room for it.
    ///
    /// A text ends at its first zero byte, because OTF2 strings cannot contain one.
    pub fn string(&mut self, text: &[u8]) -> StringRef {
        let text = text.split(|&byte| byte == 0).next().unwrap_or_default();
        if let Some(id) = self.strings.find(text, &self.log) {
            return StringRef(id);
        }
        self.add_string(text).unwrap_or_else(|| {
            self.count_lost();
            StringRef::UNDEFINED
        })
    }

    fn add_string(&mut self, text: &[u8]) -> Option<StringRef> {
        let before = self.log.len();
        let id = self.strings.len();
        self.append(&String { id: StringRef(id), string: Text::new(text) })?;
        // A string record ends with the text and its terminating zero.
        let at = self.log.len() - 1 - text.len();
        match self.strings.add(at, text.len(), &self.log) {
            Some(id) => Some(StringRef(id)),
            None => {
                self.log.truncate(before);
                None
            }
        }
    }

    fn append<R: AnyRecord>(&mut self, record: &R) -> Option<()> {
        let before = self.log.len();
        self.log.resize(before + definition_room(record), 0)?;
        let len = definition_bytes(record, &mut self.log[before..]).ok()?;
        self.log.truncate(before + len);
        if let Some(journal) = self.journal {
            journal.append(&Entry::Definitions(&self.log[before..]));
        }
        Some(())
    }
}
