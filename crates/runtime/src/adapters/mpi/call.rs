//! A call of an MPI function: its arguments in whichever language binding, and its result.
//!
//! In C an argument is a value or a pointer; in Fortran each is a pointer, and handles are integers
//! that the library converts. The accessors return the values of C. Invariant: only arguments that
//! the standard makes significant are read, by the patterns that use these accessors.

use core::ffi::{CStr, c_int};

use super::abi::{Abi, Family, IGNORED, IN_PLACE};
use super::function::{ArgumentPlace, Binding, Function, FunctionSymbol, NONE};
use super::symbols::{self, Words, pmpi};

/// A kind of handles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HandleKind {
    Comm,
    Datatype,
    Request,
    Group,
    Win,
    File,
    Message,
}

/// A call. The arguments are passed on unchanged, except that a status is passed where the program
/// ignores it.
#[derive(Debug)]
pub(super) struct MpiCall<'a> {
    pub(super) slot: &'static FunctionSymbol,
    pub(super) function: &'static Function,
    pub(super) abi: &'static Abi,
    words: &'a mut Words,
    count: usize,
    /// The result to return to the program.
    pub(super) result: usize,
}

/// Reads a value of the program.
///
/// # Safety
///
/// The address must be that of an array of `T` with this element.
unsafe fn read<T: Copy>(address: usize, index: usize) -> T {
    // SAFETY: the address is that of an array with this element, which may be unaligned.
    unsafe { core::ptr::with_exposed_provenance::<T>(address).add(index).read_unaligned() }
}

impl<'a> MpiCall<'a> {
    pub(super) fn new(
        slot: &'static FunctionSymbol,
        abi: &'static Abi,
        count: usize,
        words: &'a mut Words,
    ) -> Self {
        Self { slot, function: slot.function(), abi, words, count, result: 0 }
    }

    #[inline]
    pub(super) fn is_c(&self) -> bool {
        self.slot.binding == Binding::C
    }

    /// Returns the word at a place; 0 for an argument that does not exist.
    #[inline]
    pub(super) fn word(&self, place: ArgumentPlace) -> usize {
        self.words.get(usize::from(place)).copied().unwrap_or(0)
    }

    /// Replaces a word, for the library only.
    pub(super) fn replace(&mut self, place: ArgumentPlace, word: usize) {
        if let Some(it) = self.words.get_mut(usize::from(place)) {
            *it = word;
        }
    }

    /// Calls the function of the library. Returns whether it succeeded.
    #[inline]
    pub(super) fn execute(&mut self) -> bool {
        // SAFETY: the program's arguments, for the function that it called. `record` has checked
        // that the function exists.
        self.result = unsafe { symbols::call(self.slot.real.get(), self.count, self.words) };
        self.error() == 0
    }

    /// Returns the result of the call, 0 if it succeeded. In `mpi_f08` the program may leave it
    /// out; a call counts as successful then.
    pub(super) fn error(&self) -> c_int {
        if self.is_c() {
            return self.result as c_int;
        }
        match self.word(self.place_of_error()) {
            0 => 0,
            // SAFETY: the Fortran binding requires an integer, which the library has written.
            address => unsafe { read(address, 0) },
        }
    }

    /// Sets the result that the program receives, instead of calling the library.
    pub(super) fn answer(&mut self, error: c_int) {
        self.result = error as usize;
        let place = self.place_of_error();
        if !self.is_c() && self.word(place) != 0 {
            let place = core::ptr::with_exposed_provenance_mut::<c_int>(self.word(place));
            // SAFETY: as in `error`.
            unsafe { place.write(error) };
        }
    }

    /// Returns the place of `ierror` in the Fortran binding, after the arguments.
    fn place_of_error(&self) -> ArgumentPlace {
        match self.function.pattern {
            // `MPI_Init` has no arguments there, `MPI_Init_thread` has two.
            super::function::Pattern::Init {} => self.function.arguments - 2,
            _ => self.function.arguments,
        }
    }

    /// Returns an integer.
    #[inline]
    pub(super) fn int(&self, place: ArgumentPlace) -> c_int {
        match self.word(place) {
            word if self.is_c() => word as c_int,
            0 => 0,
            // SAFETY: the Fortran binding requires an integer.
            word => unsafe { read(word, 0) },
        }
    }

    /// Returns a count, which has 64 bits in the large variant of a function.
    #[inline]
    pub(super) fn count(&self, place: ArgumentPlace) -> i64 {
        if self.function.is_large { self.wide(place) } else { self.int(place).into() }
    }

    /// Returns an integer of 64 bits.
    pub(super) fn wide(&self, place: ArgumentPlace) -> i64 {
        match self.word(place) {
            word if self.is_c() => word as i64,
            0 => 0,
            // SAFETY: the Fortran binding requires an integer of 8 bytes.
            word => unsafe { read(word, 0) },
        }
    }

    /// Returns an integer at an address: an element of an array, or a result.
    pub(super) fn int_at(&self, place: ArgumentPlace, index: usize) -> c_int {
        match self.word(place) {
            0 => 0,
            // SAFETY: the standard requires an array of that length.
            word => unsafe { read(word, index) },
        }
    }

    /// Returns an element of an array of counts.
    pub(super) fn count_at(&self, place: ArgumentPlace, index: usize) -> i64 {
        match (self.word(place), self.function.is_large) {
            (0, _) => 0,
            // SAFETY: as above.
            (word, true) => unsafe { read(word, index) },
            (_, false) => self.int_at(place, index).into(),
        }
    }

    /// Returns a handle that is an argument.
    #[inline]
    pub(super) fn handle(&self, kind: HandleKind, place: ArgumentPlace) -> usize {
        match self.is_c() {
            true if kind == HandleKind::File => self.word(place),
            true => self.abi.handle(self.word(place)),
            false => from_fortran(self.abi, kind, self.int(place)),
        }
    }

    /// Returns a handle at an address: an element of an array, or a result.
    #[inline]
    pub(super) fn handle_at(&self, kind: HandleKind, place: ArgumentPlace, index: usize) -> usize {
        let address = self.word(place);
        if address == 0 {
            return 0;
        }
        match self.is_c() {
            // SAFETY: the standard requires an array of handles of that length.
            true => unsafe { read_handle(self.abi, kind, address, index) },
            false => from_fortran(self.abi, kind, self.int_at(place, index)),
        }
    }

    /// Whether an integer at an address, a flag, is true. A flag of Fortran is true if it is not 0.
    pub(super) fn flag(&self, place: ArgumentPlace) -> bool {
        self.int_at(place, 0) != 0
    }

    /// Returns the address of a buffer.
    fn buffer(&self, place: ArgumentPlace) -> usize {
        match (self.word(place), self.slot.binding) {
            // SAFETY: the first word of a descriptor is the address.
            (word, Binding::F08Descriptor) if word != 0 => unsafe { read(word, 0) },
            (word, _) => word,
        }
    }

    /// Whether a buffer is `MPI_IN_PLACE`.
    pub(super) fn is_in_place(&self, place: ArgumentPlace) -> bool {
        if place == NONE {
            return false;
        }
        let buffer = self.buffer(place);
        match self.is_c() {
            true => buffer == self.abi.in_place,
            false => IN_PLACE.contain(buffer) || (buffer == self.abi.in_place && buffer == usize::MAX),
        }
    }

    /// Whether the program ignores a status or an array of them.
    pub(super) fn ignores_status(&self, place: ArgumentPlace) -> bool {
        match (self.word(place), self.is_c()) {
            (0, _) => true,
            (word, true) => word == self.abi.status_ignore,
            (word, false) => IGNORED.contain(word),
        }
    }

    /// Returns the size of a status, or of its equal in Fortran.
    pub(super) fn status_bytes(&self) -> usize {
        if self.is_c() { self.abi.status_bytes } else { 4 * self.abi.fortran_status }
    }

    /// Returns a text, of a C string or of a blank padded one.
    pub(super) fn text(&self, place: ArgumentPlace) -> Vec<u8> {
        let address = core::ptr::with_exposed_provenance::<u8>(self.word(place));
        if address.is_null() {
            return Vec::new();
        }
        if self.is_c() {
            // SAFETY: the standard requires a C string.
            return unsafe { CStr::from_ptr(address.cast()) }.to_bytes().to_vec();
        }
        let length = self.word(self.function.arguments + 1);
        // SAFETY: the compiler passes the length after the other arguments.
        let text = unsafe { core::slice::from_raw_parts(address, length.min(1 << 20)) };
        text.trim_ascii_end().to_vec()
    }

    /// Writes a flag of the program.
    pub(super) fn set_flag(&self, place: ArgumentPlace, value: c_int) {
        let address = core::ptr::with_exposed_provenance_mut::<c_int>(self.word(place));
        if !address.is_null() {
            // SAFETY: the standard requires an integer or a logical of 4 bytes.
            unsafe { address.write(value) };
        }
    }
}

/// Returns the C handle of a Fortran handle. In the MPICH family they are the same integer.
pub(super) fn from_fortran(abi: &Abi, kind: HandleKind, handle: c_int) -> usize {
    if abi.family == Family::Mpich && kind != HandleKind::File {
        return handle as u32 as usize;
    }
    macro_rules! convert {
        ($name:literal) => {{
            static SYMBOL: symbols::Symbol = symbols::Symbol::new($name);
            let mut words: Words = [0; symbols::WORDS];
            words[0] = handle as usize;
            match SYMBOL.get() {
                function if function.is_null() => 0,
                // SAFETY: conversions accept every integer.
                function => unsafe { symbols::call(function, 1, &words) },
            }
        }};
    }
    match kind {
        HandleKind::Comm => convert!(c"PMPI_Comm_f2c"),
        HandleKind::Datatype => convert!(c"PMPI_Type_f2c"),
        HandleKind::Request => convert!(c"PMPI_Request_f2c"),
        HandleKind::Group => convert!(c"PMPI_Group_f2c"),
        HandleKind::Win => convert!(c"PMPI_Win_f2c"),
        HandleKind::File => convert!(c"PMPI_File_f2c"),
        HandleKind::Message => convert!(c"PMPI_Message_f2c"),
    }
}

/// Reads a handle in memory.
///
/// # Safety
///
/// The address must be that of an array of handles with this element.
#[inline]
pub(super) unsafe fn read_handle(abi: &Abi, kind: HandleKind, address: usize, index: usize) -> usize {
    if abi.handle_bytes == 8 || kind == HandleKind::File {
        // SAFETY: the address is that of an array of handles with this element.
        unsafe { read(address, index) }
    } else {
        // SAFETY: as above.
        unsafe { read::<u32>(address, index) as usize }
    }
}

/// A status in memory, which has the same bytes in C and Fortran.
#[derive(Debug, Clone, Copy)]
pub(super) struct Status<'a> {
    abi: &'a Abi,
    address: usize,
}

impl<'a> Status<'a> {
    /// # Safety
    ///
    /// The address must be that of a status that the library has written.
    pub(super) unsafe fn at(abi: &'a Abi, address: usize) -> Self {
        Self { abi, address }
    }

    fn field(self, number: usize) -> c_int {
        // SAFETY: the address is that of a status; source, tag and error follow each other.
        unsafe { read(self.address + self.abi.source, number) }
    }

    pub(super) fn source(self) -> c_int {
        self.field(0)
    }

    pub(super) fn tag(self) -> c_int {
        self.field(1)
    }

    pub(super) fn error(self) -> c_int {
        self.field(2)
    }

    /// Returns the number of bytes received.
    pub(super) fn bytes(self) -> u64 {
        let mut count: c_int = 0;
        if pmpi!(c"PMPI_Get_count", self.address, self.abi.byte, &raw mut count) != Some(0) {
            return 0;
        }
        if count >= 0 {
            return count.unsigned_abs().into();
        }
        // It does not fit into 32 bits.
        let mut count = 0_i64;
        pmpi!(c"PMPI_Get_elements_x", self.address, self.abi.byte, &raw mut count);
        u64::try_from(count).unwrap_or(0)
    }

    /// Whether the request was cancelled.
    pub(super) fn is_cancelled(self) -> bool {
        let mut flag: c_int = 0;
        pmpi!(c"PMPI_Test_cancelled", self.address, &raw mut flag) == Some(0) && flag != 0
    }
}

/// Returns the number of bytes of `count` elements of a type.
pub(super) fn product(abi: &Abi, count: i64, datatype: usize) -> u64 {
    if count == 0 || datatype == abi.datatype_null {
        return 0;
    }
    (i128::from(count) * i128::from(type_size(datatype))).clamp(0, u64::MAX.into()) as u64
}

/// Returns the size of a type in bytes.
pub(super) fn type_size(datatype: usize) -> i64 {
    let mut size: c_int = 0;
    match pmpi!(c"PMPI_Type_size", datatype, &raw mut size) {
        Some(0) if size >= 0 => size.into(),
        // It does not fit.
        Some(0) => {
            let mut size = 0_i64;
            pmpi!(c"PMPI_Type_size_x", datatype, &raw mut size);
            size.max(0)
        }
        _ => 0,
    }
}
