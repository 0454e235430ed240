//! The functions that the program calls through the tables of its headers.

use std::ffi::{c_char, c_int, c_void};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

use super::attributes::{EventAttributes, NvtxMessage};
use super::objects::{self, RegisteredString, create_domain, default_domain};
use super::{NVTX, THREAD_NAMES, categories, payloads};
use crate::adapters::annotations::domains::AnnotationDomain;
use crate::adapters::annotations::text::{self, WideText};
use crate::measurement::{Here, Region};
use crate::message::report;
use crate::next::keeping_errno;
use crate::thread;

/// The name of a range without a text, as in Score-P.
const UNKNOWN: &[u8] = b"<unknown>";
/// The result of `pop` if no range is open.
const NO_RANGE: c_int = -2;

/// The functions of a table, by their numbers in the headers: those of another tool that was asked
/// first; 0 for none.
pub(super) struct NextFunctions([AtomicUsize; 16]);

impl NextFunctions {
    const fn new() -> Self {
        Self([const { AtomicUsize::new(0) }; 16])
    }

    /// Keeps the function of another tool.
    pub(super) fn keep(&self, number: usize, function: usize) {
        if let Some(place) = self.0.get(number) {
            place.store(function, Relaxed);
        }
    }

    /// # Safety
    ///
    /// `F` must be the type of the function with this number.
    unsafe fn get<F: Copy>(&self, number: usize) -> Option<F> {
        const { assert!(size_of::<F>() == size_of::<usize>()) };
        let address = self.0.get(number)?.load(Relaxed);
        // SAFETY: a function that the other tool has stored for this number.
        (address != 0).then(|| unsafe { std::mem::transmute_copy::<usize, F>(&address) })
    }
}

pub(super) static CORE: NextFunctions = NextFunctions::new();
pub(super) static CORE2: NextFunctions = NextFunctions::new();

/// A function here, and its number in its table.
pub(super) type NvtxFunction = (usize, *const c_void);

/// Defines the functions of a table. Each calls that of the other tool, whose result is `$theirs`
/// in its body.
macro_rules! calls {
    ($all:ident of $table:ident, $theirs:ident; $($number:literal $name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)? $body:block)*) => {
        $(unsafe extern "C-unwind" fn $name($($argument: $type),*) $(-> $result)? {
            type Next = unsafe extern "C-unwind" fn($($type),*) $(-> $result)?;
            // SAFETY: the type is that in the headers.
            let next = unsafe { $table.get::<Next>($number) };
            // SAFETY: the arguments are the program's.
            let $theirs = next.map(|next| unsafe { next($($argument),*) });
            keeping_errno(|| $body)
        })*

        /// Returns the functions with their numbers.
        pub(super) fn $all() -> Vec<NvtxFunction> {
            vec![$(($number, $name as *const c_void)),*]
        }
    };
}

calls! { core of CORE, theirs;
    1 mark_ex(attributes: *const EventAttributes) {
        _ = theirs;
        // SAFETY: the attributes are the program's.
        mark(default_domain(), unsafe { Annotation::of(attributes) });
    }
    2 mark_a(message: *const c_char) {
        _ = theirs;
        // SAFETY: the text is a string.
        mark(default_domain(), unsafe { Annotation::named(message) });
    }
    3 mark_w(message: *const u32) {
        _ = theirs;
        // SAFETY: the text is a wide string.
        mark(default_domain(), unsafe { Annotation::named_widely(message) });
    }
    4 range_start_ex(_attributes: *const EventAttributes) -> u64 { start(theirs) }
    5 range_start_a(_message: *const c_char) -> u64 { start(theirs) }
    6 range_start_w(_message: *const u32) -> u64 { start(theirs) }
    7 range_end(_range: u64) { _ = theirs; }
    8 range_push_ex(attributes: *const EventAttributes) -> c_int {
        // SAFETY: the attributes are the program's.
        let level = push(default_domain(), unsafe { Annotation::of(attributes) });
        theirs.unwrap_or(level)
    }
    9 range_push_a(message: *const c_char) -> c_int {
        // SAFETY: the text is a string.
        let level = push(default_domain(), unsafe { Annotation::named(message) });
        theirs.unwrap_or(level)
    }
    10 range_push_w(message: *const u32) -> c_int {
        // SAFETY: the text is a wide string.
        let level = push(default_domain(), unsafe { Annotation::named_widely(message) });
        theirs.unwrap_or(level)
    }
    11 range_pop() -> c_int {
        let level = pop(default_domain());
        theirs.unwrap_or(level)
    }
    12 name_category_a(category: u32, name: *const c_char) {
        _ = theirs;
        // SAFETY: the name is a string.
        with_text(unsafe { text::bytes(name) }, |name| categories::name(default_domain(), category, name));
    }
    13 name_category_w(category: u32, name: *const u32) {
        _ = theirs;
        // SAFETY: the name is a wide string.
        with_text(unsafe { WideText::of(name) }.as_ref().map(WideText::bytes), |name| categories::name(default_domain(), category, name));
    }
    14 name_os_thread_a(thread: u32, name: *const c_char) {
        _ = theirs;
        // SAFETY: the name is a string.
        with_text(unsafe { text::bytes(name) }, |name| name_thread(thread, name));
    }
    15 name_os_thread_w(thread: u32, name: *const u32) {
        _ = theirs;
        // SAFETY: the name is a wide string.
        with_text(unsafe { WideText::of(name) }.as_ref().map(WideText::bytes), |name| name_thread(thread, name));
    }
}

calls! { core2 of CORE2, theirs;
    1 domain_mark_ex(domain: usize, attributes: *const EventAttributes) {
        _ = theirs;
        // SAFETY: the attributes are the program's.
        mark(objects::domain(domain), unsafe { Annotation::of(attributes) });
    }
    2 domain_range_start_ex(_domain: usize, _attributes: *const EventAttributes) -> u64 { start(theirs) }
    3 domain_range_end(_domain: usize, _range: u64) { _ = theirs; }
    4 domain_range_push_ex(domain: usize, attributes: *const EventAttributes) -> c_int {
        // SAFETY: the attributes are the program's.
        let level = push(objects::domain(domain), unsafe { Annotation::of(attributes) });
        theirs.unwrap_or(level)
    }
    5 domain_range_pop(domain: usize) -> c_int {
        let level = pop(objects::domain(domain));
        theirs.unwrap_or(level)
    }
    6 domain_resource_create(_domain: usize, resource: *const ResourceAttributes) -> usize {
        // SAFETY: the attributes are the program's, or null.
        if let Some(resource) = unsafe { resource.as_ref() } {
            resource.name();
        }
        theirs.unwrap_or(0)
    }
    7 domain_resource_destroy(_resource: usize) { _ = theirs; }
    8 domain_name_category_a(domain: usize, category: u32, name: *const c_char) {
        _ = theirs;
        // SAFETY: the name is a string.
        with_text(unsafe { text::bytes(name) }, |name| categories::name(objects::domain(domain), category, name));
    }
    9 domain_name_category_w(domain: usize, category: u32, name: *const u32) {
        _ = theirs;
        // SAFETY: the name is a wide string.
        with_text(unsafe { WideText::of(name) }.as_ref().map(WideText::bytes), |name| categories::name(objects::domain(domain), category, name));
    }
    10 domain_register_string_a(domain: usize, string: *const c_char) -> usize {
        // SAFETY: the text is a string.
        let bytes = unsafe { text::bytes(string) }.unwrap_or(UNKNOWN);
        RegisteredString::register(objects::domain(domain), bytes, theirs)
    }
    11 domain_register_string_w(domain: usize, string: *const u32) -> usize {
        // SAFETY: the text is a wide string.
        let string = unsafe { WideText::of(string) };
        let bytes = string.as_ref().map_or(UNKNOWN, WideText::bytes);
        RegisteredString::register(objects::domain(domain), bytes, theirs)
    }
    12 domain_create_a(name: *const c_char) -> usize {
        // SAFETY: the name is a string.
        let name = unsafe { text::bytes(name) }.unwrap_or_default();
        create_domain(&text::valid(name), theirs)
    }
    13 domain_create_w(name: *const u32) -> usize {
        // SAFETY: the name is a wide string.
        let name = unsafe { WideText::of(name) };
        create_domain(&text::valid(name.as_ref().map_or(b"", WideText::bytes)), theirs)
    }
    14 domain_destroy(_domain: usize) { _ = theirs; }
    15 initialize(_reserved: *const c_void) { _ = theirs; }
}

/// A resource that the program names (`nvtxResourceAttributes_t`).
#[derive(Debug)]
#[repr(C)]
struct ResourceAttributes {
    version: u16,
    size: u16,
    identifier_type: i32,
    identifier: u64,
    message_type: i32,
    padding: i32,
    message: usize,
}

impl ResourceAttributes {
    /// Names a thread of the system; other resources have no place in a trace.
    fn name(&self) {
        const SYSTEM_THREAD: i32 = 3;
        if usize::from(self.size) < size_of::<Self>() || self.identifier_type != SYSTEM_THREAD {
            return;
        }
        let thread = self.identifier as u32;
        let of = |message: NvtxMessage<'_>| match message {
            NvtxMessage::Bytes(name) => name_thread(thread, &text::valid(name)),
            NvtxMessage::Wide(name) => name_thread(thread, &text::valid(name.bytes())),
            NvtxMessage::Registered(name) => name_thread(thread, &name.text()),
            NvtxMessage::Unknown => {}
        };
        // SAFETY: the program states the type of the message.
        of(unsafe { NvtxMessage::of(self.message_type, self.message) });
    }
}

/// The message and the attributes of a range or mark.
struct Annotation<'a> {
    message: NvtxMessage<'a>,
    attributes: Option<&'a EventAttributes>,
}

impl<'a> Annotation<'a> {
    /// # Safety
    ///
    /// Null, or attributes of the program that are valid for `'a`.
    unsafe fn of(attributes: *const EventAttributes) -> Self {
        // SAFETY: null, or attributes that are valid for `'a`.
        let attributes: Option<&'a EventAttributes> = unsafe { attributes.as_ref() };
        // SAFETY: the program states the type of the message.
        let message = attributes.map_or(NvtxMessage::Unknown, |it| unsafe { it.message() });
        Self { message, attributes }
    }

    /// # Safety
    ///
    /// Null, or a string that ends with 0 and is valid for `'a`.
    unsafe fn named(name: *const c_char) -> Self {
        // SAFETY: null, or a string that ends with 0 and is valid for `'a`.
        let message = unsafe { text::bytes(name) }.map_or(NvtxMessage::Unknown, NvtxMessage::Bytes);
        Self { message, attributes: None }
    }

    /// # Safety
    ///
    /// Null, or a wide string that ends with 0.
    unsafe fn named_widely(name: *const u32) -> Self {
        // SAFETY: null, or a wide string that ends with 0.
        let message = unsafe { WideText::of(name) }.map_or(NvtxMessage::Unknown, NvtxMessage::Wide);
        Self { message, attributes: None }
    }

    fn region(&self, domain: &'static AnnotationDomain) -> Region {
        match &self.message {
            NvtxMessage::Bytes(name) => NVTX.region(&domain.group, name),
            NvtxMessage::Wide(name) => NVTX.region(&domain.group, name.bytes()),
            NvtxMessage::Registered(string) => string.region(domain),
            NvtxMessage::Unknown => NVTX.region(&domain.group, UNKNOWN),
        }
    }

    /// Records the payload and the category of the range or mark, after its enter.
    fn record(&self, here: &Here, domain: &AnnotationDomain) {
        let Some(attributes) = self.attributes else { return };
        if let Some(payload) = attributes.payload() {
            payloads::record(here, payload);
        }
        categories::record(here, domain, attributes.category());
    }
}

fn mark(domain: &'static AnnotationDomain, annotation: Annotation<'_>) {
    NVTX.mark(annotation.region(domain), |here| annotation.record(here, domain));
}

/// Returns how many ranges of the domain the thread had open before.
fn push(domain: &'static AnnotationDomain, annotation: Annotation<'_>) -> c_int {
    let region = annotation.region(domain);
    let level = NVTX.begin(objects::owner(domain), region, |here| annotation.record(here, domain));
    level.try_into().unwrap_or(c_int::MAX)
}

/// Returns how many ranges of the domain the thread has open now.
fn pop(domain: &'static AnnotationDomain) -> c_int {
    NVTX.end(objects::owner(domain)).map_or(NO_RANGE, |level| level.try_into().unwrap_or(c_int::MAX))
}

/// The ranges that may begin and end on different threads, and cross others.
static STARTED: AtomicU64 = AtomicU64::new(0);

/// Counts such a range. Returns its id.
fn start(theirs: Option<u64>) -> u64 {
    static ID: AtomicU64 = AtomicU64::new(1);
    NVTX.record(|_| _ = STARTED.fetch_add(1, Relaxed));
    theirs.unwrap_or_else(|| ID.fetch_add(1, Relaxed))
}

/// Reports the ranges that were not recorded.
pub(super) fn report_unrecorded() {
    let count = STARTED.swap(0, Relaxed);
    if count > 0 {
        report(format_args!("nvtx: ranges of nvtxRangeStart, which need not nest, not recorded: {count}"));
    }
}

/// Forgets the ranges of the parent, in a forked child.
pub(super) fn forget() {
    STARTED.store(0, Relaxed);
}

fn name_thread(thread: u32, name: &str) {
    NVTX.record(|_| THREAD_NAMES.name(thread.into(), name));
}

/// Passes a text to an action, whose memory is the runtime's.
fn with_text(name: Option<&[u8]>, action: impl FnOnce(&str)) {
    if let Some(name) = name.filter(|_| NVTX.is_on()) {
        thread::owning(|| action(&text::valid(name)));
    }
}
