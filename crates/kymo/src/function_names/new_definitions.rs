//! The log of the definitions that replace those of an archive.

use std::collections::HashMap;

use kymo_otf2::definitions::{GlobalDefinition, Region, SourceCodeLocation, String as StringRecord};
use kymo_otf2::enums::{Paradigm, RegionRole};
use kymo_otf2::flags::RegionFlag;
use kymo_otf2::references::{RegionRef, SourceCodeLocationRef, StringRef};
use kymo_otf2::text::Text;
use kymo_otf2::write::{definition_bytes, definition_room};
use kymo_symbols::{Function, FunctionFrame};

use super::functions::FunctionTable;

/// The longest name in bytes. A definition must fit into a chunk of its file.
const LONGEST: usize = 128 << 10;

/// The definitions, with ids for new ones.
#[derive(Debug, Default)]
pub(super) struct NewDefinitions {
    log: Vec<u8>,
    strings: HashMap<Vec<u8>, u32>,
    regions: HashMap<(u32, u32, u32), u32>,
    lines: HashMap<(u32, u32), u32>,
    /// Ids of regions that no definition has any more.
    free_regions: Vec<u32>,
    next_string: u32,
    next_region: u32,
    next_line: u32,
}

impl NewDefinitions {
    /// Begins with those that stay. `free_regions` are ids of regions that are left out.
    pub(super) fn of<'a>(
        records: impl Iterator<Item = &'a GlobalDefinition<'a>>,
        mut free_regions: Vec<u32>,
    ) -> Self {
        // The last one is taken first.
        free_regions.sort_unstable_by(|a, b| b.cmp(a));
        let next_region = free_regions.first().map_or(0, |id| id + 1);
        let mut this = Self { free_regions, next_region, ..Self::default() };
        for record in records {
            match record {
                GlobalDefinition::String(it) => {
                    this.strings.entry(it.string.as_bytes().to_vec()).or_insert(it.id.0);
                    this.next_string = this.next_string.max(it.id.0 + 1);
                }
                GlobalDefinition::Region(it) => this.next_region = this.next_region.max(it.id.0 + 1),
                GlobalDefinition::SourceCodeLocation(it) => {
                    this.lines.entry((it.file.0, it.line_number)).or_insert(it.id.0);
                    this.next_line = this.next_line.max(it.id.0 + 1);
                }
                GlobalDefinition::ClockProperties(_) => continue,
                _ => {}
            }
            this.put(*record);
        }
        this
    }

    /// Adds a definition.
    pub(super) fn put<'a>(&mut self, record: impl Into<GlobalDefinition<'a>>) {
        let record = record.into();
        let before = self.log.len();
        self.log.resize(before + definition_room(&record), 0);
        // This cannot fail: the room has the requested size.
        let length = definition_bytes(&record, &mut self.log[before..]).unwrap_or(0);
        self.log.truncate(before + length);
    }

    /// Returns the log.
    pub(super) fn finish(self) -> Vec<u8> {
        self.log
    }

    fn string(&mut self, text: &str) -> StringRef {
        let text = text.split('\0').next().unwrap_or_default();
        // At the begin of a character.
        let end = (0..=LONGEST.min(text.len())).rev().find(|&at| text.is_char_boundary(at));
        let text = &text.as_bytes()[..end.unwrap_or(0)];
        if let Some(&known) = self.strings.get(text) {
            return StringRef(known);
        }
        let id = StringRef(self.next_string);
        self.next_string += 1;
        self.strings.insert(text.to_vec(), id.0);
        self.put(StringRecord { id, string: Text::new(text) });
        id
    }

    /// Returns the region of a function.
    fn function(&mut self, function: &Function) -> RegionRef {
        let file = function.file.as_deref().map_or(StringRef::UNDEFINED, |file| self.string(file));
        self.region(&function.name, &function.mangled, file, function.line)
    }

    /// Returns the regions of functions, in the order of their numbers.
    pub(super) fn function_regions(&mut self, functions: &FunctionTable) -> Vec<RegionRef> {
        let places: Vec<_> = functions.regions().collect();
        let mut own = |(_, place): &(&Function, usize)| {
            places.get(*place).map_or(RegionRef::UNDEFINED, |(function, _)| self.function(function))
        };
        places.iter().map(&mut own).collect()
    }

    /// Returns the region of all functions of a file that have no names.
    pub(super) fn unnamed(&mut self, name: &str) -> RegionRef {
        self.region(name, name, StringRef::UNDEFINED, 0)
    }

    fn region(&mut self, name: &str, canonical: &str, source_file: StringRef, line: u32) -> RegionRef {
        let name = self.string(name);
        if let Some(&known) = self.regions.get(&(name.0, source_file.0, line)) {
            return RegionRef(known);
        }
        let id = RegionRef(self.free_regions.pop().unwrap_or_else(|| {
            self.next_region += 1;
            self.next_region - 1
        }));
        self.regions.insert((name.0, source_file.0, line), id.0);
        self.put_region(id, name, canonical, source_file, line);
        id
    }

    /// Defines a region of all functions of a file that have no names, in addition to others.
    pub(super) fn keep_region(&mut self, id: RegionRef, name: &str) {
        let text = self.string(name);
        self.put_region(id, text, name, StringRef::UNDEFINED, 0);
    }

    fn put_region(
        &mut self,
        id: RegionRef,
        name: StringRef,
        canonical: &str,
        source_file: StringRef,
        line: u32,
    ) {
        let (canonical_name, description) = (self.string(canonical), self.string(""));
        self.put(Region {
            id,
            name,
            canonical_name,
            description,
            region_role: RegionRole::FUNCTION,
            paradigm: Paradigm::SAMPLING,
            region_flags: RegionFlag::NONE,
            source_file,
            begin_line_number: line,
            end_line_number: 0,
        });
    }

    /// Returns the line of an instruction in a function.
    pub(super) fn line(&mut self, frame: &FunctionFrame) -> SourceCodeLocationRef {
        let Some(file) = frame.file.as_deref().filter(|_| frame.line > 0) else {
            return SourceCodeLocationRef::UNDEFINED;
        };
        let key = (self.string(file).0, frame.line);
        if let Some(&known) = self.lines.get(&key) {
            return SourceCodeLocationRef(known);
        }
        let id = SourceCodeLocationRef(self.next_line);
        self.next_line += 1;
        self.lines.insert(key, id.0);
        self.put(SourceCodeLocation { id, file: StringRef(key.0), line_number: key.1 });
        id
    }

    /// Returns ids of regions that are still free.
    pub(super) fn free_regions(&self) -> Vec<u32> {
        self.free_regions.clone()
    }
}
