//! I/O paradigms, files and handles.

use kymo_otf2::{
    definitions::{IoFileProperty, IoHandle, IoParadigm, IoPreCreatedHandleState, IoRegularFile},
    flags::IoParadigmFlag,
    list::List,
    references::{IoFileRef, IoHandleRef, IoParadigmRef, Space},
    value::Value,
};
use kymo_substrate::{
    IoFileHandle, IoFilePropertyHandle, IoHandleHandle, IoParadigmHandle,
    arena::{IoHandleFlags, IoParadigmFlags},
};

use super::Known;
use crate::mapping;

impl Known<'_> {
    fn io_file(&self, file: IoFileHandle) -> IoFileRef {
        IoFileRef(self.id(file.raw()))
    }

    fn io_handle(&self, handle: IoHandleHandle) -> IoHandleRef {
        IoHandleRef(self.id(handle.raw()))
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
        self.set_number(Space::IoHandle, id.0, facts.unify_key, facts.unify_key == 0);
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
