//! Regions that stand for functions whose names are looked up after the program has ended.
//!
//! While a program runs, nothing is known about an instruction but its file and the address in it.
//! Its calling context has a placeholder as region: its name is that of the file in brackets, its
//! canonical name states which functions take its place ([`FramePart`]), and its description
//! identifies the content of the file ([`identity`]).

/// The begin of the canonical names of placeholders.
const PREFIX: &str = "kymo.functions";
/// The name of the region of all code that no file contains, such as code that was generated at run
/// time.
pub const GENERATED_CODE: &str = "[generated code]";
/// The canonical name of the region of such code while its functions are not known. Its description
/// is a [`CodeGenerator`](crate::code_generator::CodeGenerator).
pub const GENERATED: &str = "kymo.functions.generated";
/// The begin of an [`identity`].
const BUILD: &str = "build id ";

/// Which of the functions that contain an instruction have contexts there: the function of the
/// frame and those that the compiler inlined into it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct FramePart {
    /// Only those that were called since the region of the frame was entered, which is that of the
    /// parent context.
    pub is_inside: bool,
    /// Not the innermost one: it is the region that is entered from there.
    pub omits_innermost: bool,
}

impl FramePart {
    /// The number of different parts.
    pub const COUNT: usize = 4;
    const SUFFIXES: [&str; Self::COUNT] = ["", ".inside", ".callers", ".inside.callers"];

    /// Returns the number of the part, which is less than [`Self::COUNT`].
    pub fn number(self) -> usize {
        usize::from(self.is_inside) | usize::from(self.omits_innermost) << 1
    }

    /// Returns the canonical name of placeholders for the part.
    pub fn name(self) -> String {
        format!("{PREFIX}{}", Self::SUFFIXES[self.number()])
    }

    /// Returns the part for which a region with this canonical name is a placeholder.
    pub fn of_name(canonical: &str) -> Option<Self> {
        let suffix = canonical.strip_prefix(PREFIX)?;
        let number = Self::SUFFIXES.iter().position(|it| *it == suffix)?;
        Some(Self { is_inside: number & 1 != 0, omits_innermost: number & 2 != 0 })
    }
}

/// Returns the description of placeholders for a file with this build id, empty without one.
pub fn identity(build_id: &[u8]) -> String {
    let digits = build_id.iter().map(|byte| format!("{byte:02x}"));
    if build_id.is_empty() { String::new() } else { [BUILD.to_owned()].into_iter().chain(digits).collect() }
}

/// Returns the build id in an [`identity`]; empty if it has none, `None` if it is no identity.
pub fn build_id(identity: &str) -> Option<Vec<u8>> {
    if identity.is_empty() {
        return Some(Vec::new());
    }
    let digits = identity.strip_prefix(BUILD)?.as_bytes();
    let byte = |pair: &[u8; 2]| u8::from_str_radix(str::from_utf8(pair).ok()?, 16).ok();
    let (pairs, rest) = digits.as_chunks();
    rest.is_empty().then(|| pairs.iter().map(byte).collect())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_recognized_by_the_names_of_their_placeholders() {
        for number in 0..FramePart::COUNT {
            let part = FramePart { is_inside: number & 1 != 0, omits_innermost: number & 2 != 0 };
            assert_eq!((part.number(), FramePart::of_name(&part.name())), (number, Some(part)));
        }
        assert!(
            ["", "main", "kymo.functions.", "kymo.functions.inside.outside", GENERATED]
                .iter()
                .all(|name| FramePart::of_name(name).is_none())
        );
    }

    #[test]
    fn an_identity_is_the_build_id_in_hexadecimal_digits() {
        assert_eq!((identity(&[]), identity(&[0, 0xAB])), (String::new(), "build id 00ab".to_owned()));
        assert_eq!((build_id(""), build_id("build id 00ab")), (Some(vec![]), Some(vec![0, 0xAB])));
        assert!(["other", "build id 0", "build id xy"].iter().all(|text| build_id(text).is_none()));
    }
}
