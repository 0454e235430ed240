//! Declarations of functions and of types of functions.

const WIDTH: usize = 100;

/// An argument of a function.
#[derive(Debug, Clone)]
pub(crate) struct Argument {
    pub(crate) kind: String,
    pub(crate) name: String,
}

impl Argument {
    pub(crate) fn new(kind: impl Into<String>, name: impl Into<String>) -> Self {
        Self { kind: kind.into(), name: name.into() }
    }

    fn text(&self) -> String {
        format!("{} {}", self.kind, self.name)
    }
}

/// Returns the prototype of a function.
pub(crate) fn function(result: &str, name: &str, arguments: &[Argument], is_deprecated: bool) -> String {
    let end = if is_deprecated { " __otf2_deprecated__;\n" } else { ";\n" };
    format!("{result}\n{}{end}", call(name, arguments))
}

/// Returns the definition of a type of callbacks.
pub(crate) fn callback(result: &str, name: &str, arguments: &[Argument]) -> String {
    format!("typedef {result}\n{};\n", call(&format!("( *{name} )"), arguments))
}

/// Returns a name with arguments: one per line, below each other if there is room.
fn call(name: &str, arguments: &[Argument]) -> String {
    if arguments.is_empty() {
        return format!("{name}( void )");
    }
    let texts: Vec<String> = arguments.iter().map(Argument::text).collect();
    let column = name.len() + 2;
    let widest = texts.iter().map(String::len).max().unwrap_or_default();
    if column + widest + 2 <= WIDTH {
        let separator = format!(",\n{}", " ".repeat(column));
        format!("{name}( {} )", texts.join(&separator))
    } else {
        format!("{name}(\n    {} )", texts.join(",\n    "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_below_each_other_or_indented() {
        let arguments = [Argument::new("A*", "a"), Argument::new("uint8_t", "b")];
        assert_eq!(function("int", "f", &[], true), "int\nf( void ) __otf2_deprecated__;\n");
        assert_eq!(function("int", "f", &arguments, false), "int\nf( A* a,\n   uint8_t b );\n");
        assert_eq!(callback("int", "F", &arguments), "typedef int\n( *F )( A* a,\n        uint8_t b );\n");
        let long = "f".repeat(90);
        let expected = format!("int\n{long}(\n    A* a,\n    uint8_t b );\n");
        assert_eq!(function("int", &long, &arguments, false), expected);
    }
}
