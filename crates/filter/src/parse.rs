//! The parser of filter files: splits the text into words at white space, and checks their order.
//!
//! A backslash removes the special meaning of a following space or `#`. It remains in the word,
//! where it has the same effect on the pattern. As with Score-P, a block that is not closed ends
//! with the file, and MANGLED applies until the next INCLUDE or EXCLUDE.

use super::{Filter, Mistake, Rule};

const FILES_BEGIN: &[u8] = b"SCOREP_FILE_NAMES_BEGIN";
const FILES_END: &[u8] = b"SCOREP_FILE_NAMES_END";
const REGIONS_BEGIN: &[u8] = b"SCOREP_REGION_NAMES_BEGIN";
const REGIONS_END: &[u8] = b"SCOREP_REGION_NAMES_END";

/// A block of rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Block {
    Files,
    Regions,
}

/// The context of the next word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Context {
    /// Outside blocks.
    Outside,
    /// At the beginning of a block.
    Begin(Block),
    /// After EXCLUDE or INCLUDE.
    Rule { block: Block, excludes: bool, is_mangled: bool },
}

impl Context {
    fn block(self) -> Option<Block> {
        match self {
            Self::Outside => None,
            Self::Begin(block) | Self::Rule { block, .. } => Some(block),
        }
    }

    fn expected(self) -> &'static str {
        match self {
            Self::Outside => "SCOREP_FILE_NAMES_BEGIN or SCOREP_REGION_NAMES_BEGIN",
            Self::Begin(Block::Files) => "EXCLUDE, INCLUDE or SCOREP_FILE_NAMES_END",
            Self::Begin(Block::Regions) => "EXCLUDE, INCLUDE or SCOREP_REGION_NAMES_END",
            Self::Rule { block: Block::Files, .. } => "a pattern, EXCLUDE, INCLUDE or SCOREP_FILE_NAMES_END",
            Self::Rule { .. } => "a pattern, MANGLED, DEMANGLED, EXCLUDE, INCLUDE or SCOREP_REGION_NAMES_END",
        }
    }

    /// Returns the context after a keyword; `None` if the keyword is not allowed here.
    fn after(self, keyword: &[u8]) -> Option<Self> {
        match (keyword, self) {
            (FILES_BEGIN, Self::Outside) => Some(Self::Begin(Block::Files)),
            (REGIONS_BEGIN, Self::Outside) => Some(Self::Begin(Block::Regions)),
            (FILES_END, _) => (self.block() == Some(Block::Files)).then_some(Self::Outside),
            (REGIONS_END, _) => (self.block() == Some(Block::Regions)).then_some(Self::Outside),
            (b"EXCLUDE" | b"INCLUDE", _) => self.block().map(|block| Self::Rule {
                block,
                excludes: keyword == b"EXCLUDE",
                is_mangled: false,
            }),
            (b"MANGLED" | b"DEMANGLED", Self::Rule { block: Block::Regions, excludes, .. }) => {
                Some(Self::Rule { block: Block::Regions, excludes, is_mangled: keyword == b"MANGLED" })
            }
            _ => None,
        }
    }
}

/// Parses the rules of a text.
pub(crate) fn parse(text: &[u8]) -> Result<Filter, Mistake> {
    let (mut filter, mut context) = (Filter::default(), Context::Outside);
    for (line, text) in (1..).zip(text.split(|&byte| byte == b'\n')) {
        for word in words(text.strip_suffix(b"\r").unwrap_or(text)) {
            context = take(&mut filter, context, (line, word))
                .ok_or_else(|| mistake(line, word, context.expected()))?;
        }
    }
    Ok(filter)
}

/// Processes a word. Returns the context of the next one, or `None` if this word is not allowed
/// here.
fn take(filter: &mut Filter, context: Context, (line, word): (usize, &[u8])) -> Option<Context> {
    if is_keyword(word) {
        return context.after(word);
    }
    let Context::Rule { block, excludes, is_mangled } = context else { return None };
    // At the end of a line a backslash would join it with the next one, which Score-P refuses.
    if ends_in_backslash(word) {
        return None;
    }
    let number = filter.files.len() + filter.regions.len();
    let rules = match block {
        Block::Files => &mut filter.files,
        Block::Regions => &mut filter.regions,
    };
    rules.push(Rule { pattern: word.to_vec(), excludes, is_mangled, number, line });
    Some(context)
}

fn is_keyword(word: &[u8]) -> bool {
    let keywords: [&[u8]; 8] = [
        FILES_BEGIN,
        FILES_END,
        REGIONS_BEGIN,
        REGIONS_END,
        b"EXCLUDE",
        b"INCLUDE",
        b"MANGLED",
        b"DEMANGLED",
    ];
    keywords.contains(&word)
}

fn mistake(line: usize, word: &[u8], expected: &'static str) -> Mistake {
    let expected =
        if ends_in_backslash(word) { "the end of the pattern on the line where it begins" } else { expected };
    Mistake { line, found: String::from_utf8_lossy(word).into_owned(), expected }
}

fn ends_in_backslash(word: &[u8]) -> bool {
    let is_backslash = |&&byte: &&u8| byte == b'\\';
    !word.iter().rev().take_while(is_backslash).count().is_multiple_of(2)
}

/// The words of a line.
fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    let end = unescaped(line, |byte| byte == b'#').unwrap_or(line.len());
    let mut rest = line.get(..end).unwrap_or(line);
    std::iter::from_fn(move || {
        rest = rest.trim_ascii_start();
        let end = unescaped(rest, |byte| matches!(byte, b' ' | b'\t')).unwrap_or(rest.len());
        let (word, after) = rest.split_at_checked(end)?;
        rest = after;
        (!word.is_empty()).then_some(word)
    })
}

/// Returns the position of the first byte for which `is` holds and that is not escaped with a
/// backslash.
fn unescaped(text: &[u8], is: impl Fn(u8) -> bool) -> Option<usize> {
    let mut is_escaped = false;
    text.iter().position(|&byte| {
        let found = !is_escaped && is(byte);
        is_escaped = !is_escaped && byte == b'\\';
        found
    })
}
