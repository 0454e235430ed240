//! The assembly through which programs enter functions whose arguments Rust cannot name: it jumps
//! to the interposed function while nothing is recorded, without touching an argument.
//!
//! Invariant: this works in zeroed memory, before the library is initialised. A place that is null
//! leads to the recording function, which must find the interposed one.

/// Defines a function that jumps to the address in `real` while the switch is off, and to `through`
/// otherwise. With `and caller`, `through` receives the address to which it returns as the fourth
/// word.
///
/// ```text
/// entry!(malloc: SWITCH, NEXT, recorded, and caller);
/// ```
macro_rules! entry {
    ($name:ident: $switch:path, $real:path, $through:path) => {
        $crate::entry::entry!(@ $name $switch, $real, $through, [], []);
    };
    ($name:ident: $switch:path, $real:path, $through:path, and caller) => {
        $crate::entry::entry!(@ $name $switch, $real, $through,
            ["mov rcx, qword ptr [rsp]"], ["mov x3, x30"]);
    };
    (@ $name:ident $switch:path, $real:path, $through:path, [$($x86:literal)*], [$($arm:literal)*]) => {
        /// # Safety
        ///
        /// The arguments must be valid for the interposed function.
        #[unsafe(no_mangle)]
        #[unsafe(naked)]
        #[cfg(target_arch = "x86_64")]
        unsafe extern "C-unwind" fn $name() {
            core::arch::naked_asm!(
                "cmp byte ptr [rip + {switch}], 0",
                "jne 2f",
                "mov r11, qword ptr [rip + {real}]",
                "test r11, r11",
                "je 2f",
                "jmp r11",
                "2:",
                $($x86,)*
                "jmp {through}",
                switch = sym $switch,
                real = sym $real,
                through = sym $through,
            )
        }

        /// # Safety
        ///
        /// The arguments must be valid for the interposed function.
        #[unsafe(no_mangle)]
        #[unsafe(naked)]
        #[cfg(target_arch = "aarch64")]
        unsafe extern "C-unwind" fn $name() {
            core::arch::naked_asm!(
                "adrp x16, {switch}",
                "ldrb w16, [x16, :lo12:{switch}]",
                "cbnz w16, 2f",
                "adrp x16, {real}",
                "ldr x16, [x16, :lo12:{real}]",
                "cbz x16, 2f",
                "br x16",
                "2:",
                $($arm,)*
                "b {through}",
                switch = sym $switch,
                real = sym $real,
                through = sym $through,
            )
        }
    };
}
pub(crate) use entry;
