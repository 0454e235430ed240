//! I/O paradigms, files and handles.

use std::collections::HashMap;

use kymo_otf2::{
    definitions::{IoFileProperty, IoHandle, IoParadigm, IoPreCreatedHandleState, IoRegularFile},
    flags::IoParadigmFlag,
    list::List,
    references::{IoFileRef, IoHandleRef, IoParadigmRef},
    value::Value,
};
use kymo_substrate::{
    Definition, IoFileHandle, IoFilePropertyHandle, IoHandleHandle, IoParadigmHandle,
    arena::{IoHandleFlags, IoParadigmFlags},
};

use super::Known;
use crate::mapping;

impl Known<'_> {
    fn io_file(&self, file: IoFileHandle) -> IoFileRef {
        IoFileRef(self.id(file.raw()))
    }

    fn io_handle(&self, handle: IoHandleHandle) -> IoHandleRef {
        let merged =
            self.io_handles.get(self.id(handle.raw()) as usize).and_then(|&id| u32::try_from(id).ok());
        merged.map_or(IoHandleRef::UNDEFINED, IoHandleRef)
    }

    /// Makes one of handles that are equal (`scorep-to-otf2`, §4.2), in the order of their numbers: parents come first.
    pub(super) fn merge_io_handles(&mut self) {
        let mut handles: Vec<_> =
            self.announced.iter().filter_map(io_handle).map(|it| (self.id(it.raw()), it)).collect();
        handles.sort_by_key(|&(id, _)| id);
        let mut merged = HashMap::new();
        let mut next = 0;
        for (id, handle) in handles {
            let Some(facts) = self.arena.io_handle(handle) else { continue };
            let looks = (
                facts.name,
                facts.file,
                facts.io_paradigm,
                facts.flags,
                self.any_communicator(facts.communicator),
            );
            let unique = if facts.unify_key == 0 { Some(id) } else { None };
            let entry = merged.entry((looks, self.io_handle(facts.parent), facts.unify_key, unique));
            let merged = *entry.or_insert_with(|| {
                next += 1;
                next - 1
            });
            // Numbers of handles that were never complete are passed over.
            self.io_handles.resize((id as usize).max(self.io_handles.len()), u64::from(u32::MAX));
            self.io_handles.push(merged);
        }
    }

    pub(super) fn define_io_paradigm(&mut self, handle: IoParadigmHandle) -> Option<()> {
        let facts = self.arena.io_paradigm(handle)?;
        let flags = if facts.flags.contains(IoParadigmFlags::OS) {
            IoParadigmFlag::OS
        } else {
            IoParadigmFlag::empty()
        };
        let record = IoParadigm {
            id: IoParadigmRef(u8::try_from(facts.number).ok()?),
            identification: self.string(facts.identification),
            name: self.string(facts.name),
            io_paradigm_class: mapping::io_paradigm_class(facts.class),
            io_paradigm_flags: flags,
            properties: List::truncated(&[]),
        };
        self.log.define(&record);
        Some(())
    }

    pub(super) fn define_io_file(&mut self, handle: IoFileHandle) -> Option<()> {
        let facts = self.arena.io_file(handle)?;
        let (id, name) = (self.io_file(handle), self.string(facts.name));
        self.log.define(&IoRegularFile { id, name, scope: self.node(facts.scope) });
        Some(())
    }

    pub(super) fn define_io_file_property(&mut self, handle: IoFilePropertyHandle) -> Option<()> {
        let facts = self.arena.io_file_property(handle)?;
        let (name, value) = (self.string(facts.name), Value::from(self.string(facts.value)));
        self.log.define(&IoFileProperty { io_file: self.io_file(facts.file), name, value });
        Some(())
    }

    pub(super) fn define_io_handle(&mut self, handle: IoHandleHandle) -> Option<()> {
        let facts = self.arena.io_handle(handle)?;
        let id = self.io_handle(handle);
        let record = IoHandle {
            id,
            name: self.string(facts.name),
            file: self.io_file(facts.file),
            io_paradigm: self.ids.io_paradigm(facts.io_paradigm),
            io_handle_flags: mapping::io_handle_flags(facts.flags),
            comm: self.any_communicator(facts.communicator),
            parent: self.io_handle(facts.parent),
        };
        self.log.define(&record);
        if facts.flags.contains(IoHandleFlags::PRE_CREATED) {
            self.log.define(&IoPreCreatedHandleState {
                io_handle: id,
                mode: mapping::io_access_mode(facts.access_mode),
                status_flags: mapping::io_status_flags(facts.status_flags),
            });
        }
        Some(())
    }
}

fn io_handle(definition: &Definition) -> Option<IoHandleHandle> {
    match *definition {
        Definition::IoHandle(handle) => Some(handle),
        _ => None,
    }
}
