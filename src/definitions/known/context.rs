//! Calling contexts, source lines and interrupt generators.

use kymo_otf2::{
    definitions::{CallingContext, CallingContextProperty, InterruptGenerator, SourceCodeLocation},
    references::{CallingContextRef, InterruptGeneratorRef, RegionRef, SourceCodeLocationRef},
    value::Value,
};
use kymo_substrate::{
    CallingContextHandle, InterruptGeneratorHandle, SourceCodeLocationHandle, arena::CallingContext as Facts,
};

use super::Known;
use crate::mapping;

impl Known<'_> {
    fn source_code_location(&self, line: SourceCodeLocationHandle) -> SourceCodeLocationRef {
        SourceCodeLocationRef(self.id(line.raw()))
    }

    pub(super) fn define_source_code_location(&mut self, handle: SourceCodeLocationHandle) -> Option<()> {
        let facts = self.arena.source_code_location(handle)?;
        let (id, file) = (self.source_code_location(handle), self.string(facts.file));
        self.log.define(&SourceCodeLocation { id, file, line_number: facts.line });
        Some(())
    }

    pub(super) fn define_calling_context(&mut self, handle: CallingContextHandle) -> Option<()> {
        let facts = self.arena.calling_context(handle)?;
        let id = CallingContextRef(self.id(handle.raw()));
        self.log.define(&CallingContext {
            id,
            region: RegionRef(self.id(facts.region.raw())),
            source_code_location: self.source_code_location(facts.source_code_location),
            parent: CallingContextRef(self.id(facts.parent.raw())),
        });
        self.define_instruction(id, &facts);
        Some(())
    }

    /// Defines the position of the instruction, if known: its offset in a file or its address.
    fn define_instruction(&mut self, calling_context: CallingContextRef, facts: &Facts) {
        let define = |log: &mut kymo_recorder::DefinitionLog, name: &[u8], value| {
            let name = log.string(name);
            log.define(&CallingContextProperty { calling_context, name, value });
        };
        match facts.ip_offset {
            0 => {}
            offset if facts.file.is_none() => define(self.log, b"INSTRUCTION ADDRESS", Value::from(offset)),
            offset => {
                let file = Value::from(self.string(facts.file));
                define(self.log, b"EXECUTABLE/SHARED OBJECT", file);
                define(self.log, b"INSTRUCTION OFFSET", Value::from(offset));
            }
        }
    }

    pub(super) fn define_interrupt_generator(&mut self, handle: InterruptGeneratorHandle) -> Option<()> {
        let facts = self.arena.interrupt_generator(handle)?;
        let record = InterruptGenerator {
            id: InterruptGeneratorRef(self.id(handle.raw())),
            name: self.string(facts.name),
            interrupt_generator_mode: mapping::interrupt_generator_mode(facts.mode),
            base: mapping::metric_base(facts.base),
            exponent: facts.exponent,
            period: facts.period,
        };
        self.log.define(&record);
        Some(())
    }
}
