//! The interpretation of instructions for walks, on the machines whose instructions are known.

#[cfg(target_arch = "aarch64")]
use super::rule::BareRules;

#[cfg(target_arch = "x86_64")]
pub(super) use super::bare_code::follows_call;

#[cfg(target_arch = "x86_64")]
pub(super) use super::bare_code::rules_at as bare_rules;

/// There are none: instructions of this machine are not followed.
#[cfg(target_arch = "aarch64")]
pub(super) fn bare_rules(_: u64) -> BareRules {
    BareRules::default()
}

/// Returns whether a call ends at an address.
#[cfg(target_arch = "aarch64")]
pub(super) fn follows_call(address: u64) -> bool {
    /// The instructions `bl`, and `blr` with all its forms, without their operands.
    const CALL: (u32, u32) = (0xFC00_0000, 0x9400_0000);
    const CALL_OF_REGISTER: (u32, u32) = (0xFEFF_F000, 0xD63F_0000);
    let mut bytes = [0; 4];
    let is_read = crate::readable::read(address.wrapping_sub(4), &mut bytes);
    let word = u32::from_le_bytes(bytes);
    is_read && [CALL, CALL_OF_REGISTER].iter().any(|(mask, call)| word & mask == *call)
}
