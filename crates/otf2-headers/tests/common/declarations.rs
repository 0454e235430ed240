//! The declarations in a preprocessed header.

/// A structure, a union or an enumeration.
#[derive(Debug, Clone)]
pub(crate) struct Body {
    /// How it is called, with the keyword if it is only a tag: `OTF2_FlushCallbacks`,
    /// `enum OTF2_Type_enum`.
    pub(crate) name: String,
    /// `struct`, `union` or `enum`.
    pub(crate) keyword: String,
    /// The text between the braces.
    pub(crate) text: String,
}

/// The declarations of a header.
#[derive(Debug, Default)]
pub(crate) struct Declarations {
    /// Types without a body: `typedef uint8_t OTF2_Type`.
    pub(crate) types: Vec<String>,
    pub(crate) functions: Vec<String>,
    pub(crate) bodies: Vec<Body>,
}

impl Declarations {
    /// Divides a text without comments and function bodies into declarations.
    pub(crate) fn of(text: &str) -> Self {
        let mut declarations = Self::default();
        for declaration in statements(text) {
            let words = declaration.split_whitespace().filter(|word| *word != "__extension__");
            declarations.add(&words.collect::<Vec<_>>().join(" "));
        }
        declarations
    }

    fn add(&mut self, declaration: &str) {
        if let Some((head, rest)) = declaration.split_once('{') {
            self.bodies.push(body(head, rest));
        } else if declaration.starts_with("typedef ") {
            self.types.push(declaration.to_owned());
        } else if declaration.contains('(') {
            self.functions.push(declaration.to_owned());
        }
    }

    /// Returns the names of the functions.
    pub(crate) fn function_names(&self) -> Vec<&str> {
        self.functions.iter().filter_map(|it| it.split('(').next()?.split_whitespace().last()).collect()
    }
}

fn statements(text: &str) -> Vec<String> {
    let mut depth = 0_u32;
    let mut statements = vec![String::new()];
    for letter in text.chars() {
        match letter {
            '{' => depth += 1,
            '}' => depth = depth.checked_sub(1).expect("an open brace"),
            _ => (),
        }
        match letter {
            ';' if depth == 0 => statements.push(String::new()),
            _ => statements.last_mut().expect("a statement").push(letter),
        }
    }
    statements
}

fn body(head: &str, rest: &str) -> Body {
    let (text, alias) = rest.rsplit_once('}').expect("a closing brace");
    let words: Vec<&str> = head.split_whitespace().collect();
    let keyword = words.iter().find(|word| ["struct", "union", "enum"].contains(word)).expect(head);
    let tag = words.last().expect("a word");
    let name = if alias.trim().is_empty() { format!("{keyword} {tag}") } else { alias.trim().to_owned() };
    Body { name, keyword: (*keyword).to_owned(), text: text.to_owned() }
}

impl Body {
    /// Returns the constants of an enumeration, with `= value` where the text has it.
    pub(crate) fn constants(&self) -> Vec<(&str, &str)> {
        let entries = self.text.split(',').map(str::trim).filter(|entry| !entry.is_empty());
        entries.map(|it| it.split_at(it.find([' ', '=']).unwrap_or(it.len()))).collect()
    }

    /// Returns the names of the members of a structure or union.
    pub(crate) fn members(&self) -> Vec<&str> {
        let members = self.text.split(';').map(str::trim).filter(|member| !member.is_empty());
        members.filter_map(|member| member.rsplit([' ', '*']).next()).collect()
    }
}
