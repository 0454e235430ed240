//! The calling contexts of sampled functions, before and after their functions are known.
//!
//! A context is that of an instruction. The functions around it, those inlined too, each have a
//! context: the innermost one that of the instruction, the others new ones. Where no function is
//! left, as for an instruction directly in a region that was entered, the caller takes the place
//! of the context as caller of others.

use std::collections::{BTreeMap, HashMap, HashSet};

use kymo_otf2::definitions::{CallingContext, CallingContextProperty, GlobalDefinition, Region};
use kymo_otf2::enums::{Paradigm, Type};
use kymo_otf2::references::{CallingContextRef, RegionRef, SourceCodeLocationRef};
use kymo_symbols::FunctionFrame;
use kymo_symbols::code_generator::CodeGenerator;
use kymo_symbols::placeholder::{self, FramePart, GENERATED};

use super::code::CodeFiles;
use super::functions::{FunctionNumber, FunctionTable};
use super::generated::{GeneratedContexts, GeneratedNames};
use super::new_definitions::NewDefinitions;

/// The names of the properties that state where an instruction is.
const FILE: &[u8] = b"EXECUTABLE/SHARED OBJECT";
const OFFSET: &[u8] = b"INSTRUCTION OFFSET";
/// The same for code that no file contains.
const ADDRESS: &[u8] = b"INSTRUCTION ADDRESS";

/// A placeholder.
#[derive(Debug)]
struct Placeholder {
    part: FramePart,
    build_id: Vec<u8>,
    name: String,
    /// Whether it stands for code that no file contains.
    is_generated: bool,
}

impl Placeholder {
    fn of(canonical: &str, description: &str, name: String) -> Option<Self> {
        if canonical == GENERATED {
            return Some(Self { part: FramePart::default(), build_id: Vec::new(), name, is_generated: true });
        }
        let (part, build_id) = FramePart::of_name(canonical).zip(placeholder::build_id(description))?;
        Some(Self { part, build_id, name, is_generated: false })
    }
}

/// A context as the runtime defined it.
#[derive(Debug)]
struct SampledContext {
    record: CallingContext,
    file: Option<String>,
    address: Option<u64>,
}

/// The calling contexts of an archive.
#[derive(Debug, Default)]
pub(super) struct SampledContexts {
    placeholders: HashMap<u32, Placeholder>,
    /// The regions of frames: placeholders, functions, and code that no file contains. All others
    /// are those of regions that were entered.
    frames: HashSet<u32>,
    contexts: BTreeMap<u32, SampledContext>,
    /// The build ids of files.
    build_ids: HashMap<String, Vec<u8>>,
    /// The processes that generated code, by region.
    generators: BTreeMap<u32, CodeGenerator>,
}

/// The definitions with the names of functions.
#[derive(Debug)]
pub(super) struct NamedContexts {
    /// All definitions but the clock.
    pub(super) log: Vec<u8>,
    /// The unwind distances that have changed, by id of the context as before.
    pub(super) distances: HashMap<u32, UnwindDistances>,
    /// The new ids of contexts: callers have smaller ids than their callees.
    pub(super) ids: BTreeMap<u64, u64>,
}

/// The result of naming a context.
#[derive(Debug, Clone, Copy)]
struct NamedContext {
    /// The caller of the contexts that are called from there.
    caller: CallingContextRef,
    /// The number of contexts from there up to the region that was entered last; 0 for that region.
    depth: u32,
    /// The same before the functions were known.
    depth_before: u32,
    /// The function there, with the context that has called it, unless it is that of a region that
    /// was entered.
    function: Option<(FunctionNumber, CallingContextRef)>,
}

impl NamedContext {
    /// A context with nothing between it and the region that was entered last.
    const fn begin(caller: CallingContextRef) -> Self {
        Self { caller, depth: 0, depth_before: 0, function: None }
    }
}

/// The caller of the outermost contexts.
const ROOT: (u32, NamedContext) =
    (CallingContextRef::UNDEFINED.0, NamedContext::begin(CallingContextRef::UNDEFINED));

/// The unwind distances of events in a context.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct UnwindDistances {
    pub(super) of_sample: u32,
    pub(super) of_enter: u32,
}

impl SampledContexts {
    /// Finds them among all definitions.
    pub(super) fn of(records: &[GlobalDefinition<'_>]) -> Self {
        let strings: HashMap<u32, &[u8]> = records
            .iter()
            .filter_map(|record| match record {
                GlobalDefinition::String(it) => Some((it.id.0, it.string.as_bytes())),
                _ => None,
            })
            .collect();
        let bytes = |id: u32| strings.get(&id).copied().unwrap_or_default();
        let text = |id: u32| String::from_utf8_lossy(bytes(id)).into_owned();
        let mut this = Self::default();
        for record in records {
            match record {
                GlobalDefinition::Region(Region {
                    id, name, canonical_name, description, paradigm, ..
                }) if *paradigm == Paradigm::SAMPLING => {
                    this.frames.insert(id.0);
                    let (canonical, description) = (text(canonical_name.0), text(description.0));
                    if canonical == GENERATED {
                        this.generators.extend(CodeGenerator::of_text(&description).map(|it| (id.0, it)));
                    }
                    if let Some(placeholder) = Placeholder::of(&canonical, &description, text(name.0)) {
                        this.placeholders.insert(id.0, placeholder);
                    }
                }
                GlobalDefinition::CallingContext(record) => {
                    let context = SampledContext { record: *record, file: None, address: None };
                    this.contexts.insert(record.id.0, context);
                }
                GlobalDefinition::CallingContextProperty(it) => {
                    let Some(context) = this.contexts.get_mut(&it.calling_context.0) else { continue };
                    match (bytes(it.name.0), it.value.type_()) {
                        (FILE, Type::STRING) => context.file = Some(text(it.value.string().0)),
                        (OFFSET | ADDRESS, Type::UINT64) => context.address = Some(it.value.bits()),
                        _ => {}
                    }
                }
                _ => {}
            }
        }
        for context in this.contexts.values() {
            let placeholder = this.placeholders.get(&context.record.region.0);
            if let Some((file, placeholder)) = context.file.as_ref().zip(placeholder) {
                this.build_ids.insert(file.clone(), placeholder.build_id.clone());
            }
        }
        this
    }

    /// Returns the contexts in code that no file contains.
    pub(super) fn generated(&self) -> GeneratedContexts {
        let numbers: HashMap<u32, usize> = self.generators.keys().copied().zip(0..).collect();
        let address = |(&id, context): (&u32, &SampledContext)| {
            Some((id, (*numbers.get(&context.record.region.0)?, context.address?)))
        };
        GeneratedContexts {
            addresses: self.contexts.iter().filter_map(address).collect(),
            generators: self.generators.values().cloned().collect(),
            parents: self.contexts.iter().map(|(&id, context)| (id, context.record.parent.0)).collect(),
        }
    }

    /// Looks up the functions; those of generated code are known. Placeholders for files that
    /// cannot be read stay, so that another lookup can find their functions.
    pub(super) fn named(
        &mut self,
        records: &[GlobalDefinition<'_>],
        files: &mut CodeFiles,
        generated: &GeneratedNames,
    ) -> NamedContexts {
        self.forget_missing(files);
        let stays = |record: &&GlobalDefinition<'_>| match record {
            GlobalDefinition::Region(it) => !self.placeholders.contains_key(&it.id.0),
            GlobalDefinition::CallingContext(_) | GlobalDefinition::CallingContextProperty(_) => false,
            _ => true,
        };
        let free = self.placeholders.keys().copied().collect();
        let mut naming = Naming {
            all: self,
            files,
            generated,
            new: NewDefinitions::of(records.iter().filter(stays), free),
            functions: FunctionTable::default(),
            contexts: Vec::new(),
            inlinings: HashMap::new(),
            ids: BTreeMap::new(),
            named: HashMap::from([ROOT]),
        };
        let name = |(&id, context)| Some((id, naming.name(context)?));
        let distances = self.contexts.iter().filter_map(name).collect();
        let Naming { mut new, ids, functions, contexts, .. } = naming;
        let regions = new.function_regions(&functions);
        for (id, context) in (0..).map(CallingContextRef).zip(contexts) {
            let NewContext { region, source_code_location, parent } = context;
            let region = region.region(&regions);
            new.put(CallingContext { id, region, source_code_location, parent });
        }
        for record in records {
            if let GlobalDefinition::CallingContextProperty(it) = record
                && let Some(&calling_context) = ids.get(&it.calling_context.0)
            {
                new.put(CallingContextProperty { calling_context, ..*it });
            }
        }
        // No event refers to these, but tables of ids do.
        for id in new.free_regions() {
            let name = self.placeholders.get(&id).map_or("", |placeholder| &placeholder.name);
            new.keep_region(RegionRef(id), name);
        }
        let ids = ids.iter().map(|(&before, after)| (before.into(), after.0.into())).collect();
        NamedContexts { log: new.finish(), distances, ids }
    }

    /// Forgets the placeholders for files that cannot be read.
    fn forget_missing(&mut self, files: &mut CodeFiles) {
        for context in self.contexts.values() {
            let region = context.record.region.0;
            if let Some(placeholder) = self.placeholders.get(&region)
                && !placeholder.is_generated
                && !context.file.as_ref().is_some_and(|file| files.has(file, &placeholder.build_id))
            {
                self.placeholders.remove(&region);
            }
        }
    }

    fn is_frame(&self, context: &SampledContext) -> bool {
        self.frames.contains(&context.record.region.0)
    }

    /// Returns the context that is the parent of another one, if it is that of a region that was
    /// entered.
    fn entered_around(&self, context: &SampledContext) -> Option<&SampledContext> {
        let parent = self.contexts.get(&context.record.parent.0)?;
        Some(parent).filter(|parent| !self.is_frame(parent))
    }
}

/// The region of a context.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum ContextRegion {
    Known(RegionRef),
    Function(FunctionNumber),
}

impl ContextRegion {
    /// Returns the region, with those of functions.
    fn region(self, of_functions: &[RegionRef]) -> RegionRef {
        match self {
            Self::Known(region) => region,
            Self::Function(number) => number.of(of_functions).unwrap_or(RegionRef::UNDEFINED),
        }
    }
}

/// A context that is to be defined. Its id is its place.
#[derive(Debug, Clone, Copy)]
struct NewContext {
    region: ContextRegion,
    source_code_location: SourceCodeLocationRef,
    parent: CallingContextRef,
}

/// The lookup of functions.
#[derive(Debug)]
struct Naming<'a> {
    all: &'a SampledContexts,
    files: &'a mut CodeFiles,
    generated: &'a GeneratedNames,
    new: NewDefinitions,
    functions: FunctionTable,
    contexts: Vec<NewContext>,
    /// The contexts of functions into which others were inlined, by caller, region and line.
    inlinings: HashMap<(u32, ContextRegion, u32), CallingContextRef>,
    /// The new ids of contexts.
    ids: BTreeMap<u32, CallingContextRef>,
    named: HashMap<u32, NamedContext>,
}

impl Naming<'_> {
    /// Defines a context with its functions. Returns the unwind distances of events there, if they
    /// have changed.
    fn name(&mut self, context: &SampledContext) -> Option<UnwindDistances> {
        let parent = context.record.parent;
        // The callers of a context are defined before it.
        let caller = self.named.get(&parent.0).copied().unwrap_or(NamedContext::begin(parent));
        let depth_before = if self.all.is_frame(context) { caller.depth_before + 1 } else { 0 };
        let before = UnwindDistances { of_sample: depth_before + 1, of_enter: caller.depth_before + 2 };
        let distances = self.name_called(context, caller);
        if let Some(named) = self.named.get_mut(&context.record.id.0) {
            named.depth_before = depth_before;
        }
        (distances != before).then_some(distances)
    }

    fn name_called(&mut self, context: &SampledContext, caller: NamedContext) -> UnwindDistances {
        match self.all.placeholders.get(&context.record.region.0) {
            Some(placeholder) => self.name_frame(context, placeholder, caller),
            None if self.all.is_frame(context) => {
                let region = ContextRegion::Known(context.record.region);
                let id = self.define(context, region, context.record.source_code_location, caller.caller);
                self.called(context, id, caller.depth + 1)
            }
            None => self.name_entered(context, caller),
        }
    }

    /// Defines a context anew, and returns its new id.
    fn define(
        &mut self,
        context: &SampledContext,
        region: ContextRegion,
        source_code_location: SourceCodeLocationRef,
        parent: CallingContextRef,
    ) -> CallingContextRef {
        let id = self.add(NewContext { region, source_code_location, parent });
        self.ids.insert(context.record.id.0, id);
        id
    }

    fn add(&mut self, context: NewContext) -> CallingContextRef {
        // Each is that of a frame, of which there is memory for fewer.
        let id = CallingContextRef(self.contexts.len() as u32);
        self.contexts.push(context);
        id
    }

    /// Notes that a context has become one that can call others, at a depth.
    fn called(&mut self, context: &SampledContext, id: CallingContextRef, depth: u32) -> UnwindDistances {
        self.named.insert(context.record.id.0, NamedContext { depth, ..NamedContext::begin(id) });
        UnwindDistances { of_sample: depth + 1, of_enter: depth + 1 }
    }

    /// Defines the context of a region that was entered.
    fn name_entered(&mut self, context: &SampledContext, caller: NamedContext) -> UnwindDistances {
        let line = match context.record.source_code_location {
            known if known.is_defined() => known,
            _ => self.line_of(context),
        };
        let region = ContextRegion::Known(context.record.region);
        let id = self.define(context, region, line, caller.caller);
        UnwindDistances { of_enter: caller.depth + 2, ..self.called(context, id, 0) }
    }

    /// Defines the contexts of a frame.
    fn name_frame(
        &mut self,
        context: &SampledContext,
        placeholder: &Placeholder,
        caller: NamedContext,
    ) -> UnwindDistances {
        let functions = self.functions(context, &placeholder.build_id);
        let around = match (placeholder.part.is_inside, self.all.entered_around(context)) {
            (false, _) => 0,
            (true, None) => functions.len(),
            (true, Some(entered)) => {
                let of_entered = self.functions(entered, &placeholder.build_id);
                functions.iter().zip(&of_entered).take_while(|(a, b)| is_same_function(a, b)).count()
            }
        };
        let inner = usize::from(placeholder.part.omits_innermost);
        let own = functions.get(around..functions.len() - inner).unwrap_or_default();
        let is_region = |it: &Option<FunctionFrame>| it.as_ref().is_none_or(|it| !it.function.marks_region());
        let own = if own.iter().any(is_region) { own } else { &[] };
        let Some((innermost, outer)) = own.split_last() else {
            return self.name_without_functions(context, placeholder, &functions, caller);
        };
        let (parent, depth) = match own.first().and_then(|first| self.continued(first, caller)) {
            Some(parent) => (parent, caller.depth.saturating_sub(1)),
            None => (caller.caller, caller.depth),
        };
        let outer = outer.iter().fold(parent, |at, frame| self.inlining(at, frame, placeholder));
        let (region, source_code_location) = self.place(innermost, placeholder);
        let id = self.define(context, region, source_code_location, outer);
        let distances = self.called(context, id, depth + own.len() as u32);
        if let (Some(named), ContextRegion::Function(function)) =
            (self.named.get_mut(&context.record.id.0), region)
        {
            named.function = Some((function, outer));
        }
        distances
    }

    /// Returns the context that has called the function of a frame, if the frame is code that was
    /// split off the function of its caller: both are one call.
    fn continued(
        &mut self,
        frame: &Option<FunctionFrame>,
        caller: NamedContext,
    ) -> Option<CallingContextRef> {
        let frame = frame.as_ref().filter(|frame| frame.is_split_off)?;
        let (function, around) = caller.function?;
        self.functions.has_name(function, &frame.function.name).then_some(around)
    }

    /// Defines a context all of whose functions belong to regions that were entered: the one around
    /// it, or the one that is entered from there. Functions that mark regions call nothing else.
    fn name_without_functions(
        &mut self,
        context: &SampledContext,
        placeholder: &Placeholder,
        functions: &[Option<FunctionFrame>],
        caller: NamedContext,
    ) -> UnwindDistances {
        let innermost = functions.last().unwrap_or(&None);
        let (function, source_code_location) = self.place(innermost, placeholder);
        // A sample is in the region that was entered, at another line.
        let (region, parent) = match self.all.entered_around(context).filter(|_| placeholder.part.is_inside) {
            Some(entered) => (ContextRegion::Known(entered.record.region), self.caller_of(entered)),
            None => (function, caller.caller),
        };
        self.define(context, region, source_code_location, parent);
        self.named.insert(context.record.id.0, caller);
        UnwindDistances { of_sample: caller.depth + 1, of_enter: caller.depth + 1 }
    }

    /// Returns the context that called another one.
    fn caller_of(&self, context: &SampledContext) -> CallingContextRef {
        let parent = context.record.parent;
        self.named.get(&parent.0).map_or(parent, |caller| caller.caller)
    }

    /// Returns the context of a function into which others were inlined.
    fn inlining(
        &mut self,
        parent: CallingContextRef,
        frame: &Option<FunctionFrame>,
        placeholder: &Placeholder,
    ) -> CallingContextRef {
        let (region, source_code_location) = self.place(frame, placeholder);
        let key = (parent.0, region, source_code_location.0);
        if let Some(&known) = self.inlinings.get(&key) {
            return known;
        }
        let id = self.add(NewContext { region, source_code_location, parent });
        self.inlinings.insert(key, id);
        id
    }

    /// Returns the region and the line of a frame.
    fn place(
        &mut self,
        frame: &Option<FunctionFrame>,
        placeholder: &Placeholder,
    ) -> (ContextRegion, SourceCodeLocationRef) {
        match frame {
            Some(frame) => {
                let function = self.functions.number(&frame.function);
                (ContextRegion::Function(function), self.new.line(frame))
            }
            None => {
                let region = self.new.unnamed(&placeholder.name);
                (ContextRegion::Known(region), SourceCodeLocationRef::UNDEFINED)
            }
        }
    }

    /// Returns the line of the instruction of a context.
    fn line_of(&mut self, context: &SampledContext) -> SourceCodeLocationRef {
        let file = context.file.as_deref().unwrap_or_default();
        let build_id = self.all.build_ids.get(file).map_or(&[][..], Vec::as_slice);
        match self.functions(context, build_id).last() {
            Some(Some(frame)) => self.new.line(frame),
            _ => SourceCodeLocationRef::UNDEFINED,
        }
    }

    /// Returns the functions that contain the instruction of a context, the outermost first; one
    /// that is not known if its file has no names there.
    fn functions(&mut self, context: &SampledContext, build_id: &[u8]) -> Vec<Option<FunctionFrame>> {
        let Some((file, address)) = context.file.as_deref().zip(context.address) else {
            return vec![self.generated.of(context.record.id.0).cloned()];
        };
        let frames = self.files.functions(file, build_id, address);
        if frames.is_empty() { vec![None] } else { frames.into_iter().map(Some).collect() }
    }
}

fn is_same_function(a: &Option<FunctionFrame>, b: &Option<FunctionFrame>) -> bool {
    a.as_ref().map(|frame| &frame.function) == b.as_ref().map(|frame| &frame.function)
}
