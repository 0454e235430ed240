//! The indented blocks of a page, and the commands in them.

/// The kind of a block.
#[derive(Debug, PartialEq)]
pub(super) enum BlockKind {
    /// Commands, each after `$ `, followed by lines of their output.
    Run,
    /// The content of a file with this name.
    File(String),
    /// Not run, for a reason that is in the source of the page.
    NotRun,
}

#[derive(Debug)]
pub(super) struct Block {
    pub(super) kind: BlockKind,
    /// The lines without their indentation.
    lines: Vec<String>,
}

/// A command with the lines of its output that the page shows.
#[derive(Debug)]
pub(super) struct Shown {
    pub(super) text: String,
    pub(super) shown: Vec<String>,
}

impl Shown {
    /// Returns the exit status that the page states.
    pub(super) fn status(&self) -> i32 {
        let stated = self.text.rsplit_once("# exit status ").map(|(_, number)| number.trim());
        stated.map_or(0, |number| number.parse().unwrap_or_else(|_| panic!("{}: no number", self.text)))
    }
}

impl Block {
    pub(super) fn text(&self) -> String {
        self.lines.iter().map(|line| format!("{line}\n")).collect()
    }

    /// Returns the commands. A command that ends with a backslash continues on the next line.
    pub(super) fn commands(&self) -> Vec<Shown> {
        let mut commands: Vec<Shown> = Vec::new();
        let mut continues = false;
        for line in &self.lines {
            match (line.strip_prefix("$ "), commands.last_mut()) {
                (Some(text), _) => commands.push(Shown { text: text.to_owned(), shown: Vec::new() }),
                (None, Some(command)) if continues => command.text += &format!("\n{line}"),
                (None, Some(command)) => command.shown.push(line.clone()),
                (None, None) => panic!("a block without a command, a file name or a reason: {line}"),
            }
            continues = (continues || line.starts_with("$ ")) && line.ends_with('\\');
        }
        commands
    }
}

/// Returns the blocks of a page.
pub(super) fn blocks(page: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let (mut kind, mut is_inside, mut empty) = (None, false, 0);
    for line in page.lines() {
        if line.is_empty() {
            empty += 1;
            continue;
        }
        match line.strip_prefix("    ") {
            // Only an empty line begins a block; a list continues with indented lines as well.
            Some(line) if is_inside => {
                let block = blocks.last_mut().expect("a block");
                block.lines.extend((0..empty).map(|_| String::new()));
                block.lines.push(line.to_owned());
            }
            Some(line) if empty > 0 => {
                let kind = kind.take().unwrap_or(BlockKind::Run);
                blocks.push(Block { kind, lines: vec![line.to_owned()] });
                is_inside = true;
            }
            _ => {
                is_inside = false;
                kind = marked(line).or(kind.take());
                assert!(kind.is_none() || marked(line).is_some(), "a mark without a block before: {line}");
            }
        }
        empty = 0;
    }
    blocks
}

/// Returns the kind that a comment gives to the next block.
fn marked(line: &str) -> Option<BlockKind> {
    let comment = line.strip_prefix("<!-- ")?.strip_suffix(" -->")?;
    let file = comment.strip_prefix("file ").map(|name| BlockKind::File(name.to_owned()));
    let reason = comment.strip_prefix("not run: ").map(|_| BlockKind::NotRun);
    Some(file.or(reason).unwrap_or_else(|| panic!("an unknown comment: {line}")))
}

#[test]
fn blocks_have_commands_files_and_reasons() {
    let page = "text\n\n    $ one \\\n        two\n    out\n\n    more\n    $ three # exit status 3\n\n\
                <!-- file a.c -->\n\n    int a;\n\n<!-- not run: no cluster -->\n\n    srun x\n\n* item\n    still the item\n";
    let blocks = blocks(page);
    let kinds: Vec<_> = blocks.iter().map(|block| &block.kind).collect();
    assert_eq!(kinds, [&BlockKind::Run, &BlockKind::File("a.c".into()), &BlockKind::NotRun]);
    let commands = blocks[0].commands();
    assert_eq!(commands[0].text, "one \\\n    two");
    assert_eq!(commands[0].shown, ["out", "", "more"]);
    assert_eq!((commands[1].text.as_str(), commands[1].status()), ("three # exit status 3", 3));
    assert_eq!(blocks[1].text(), "int a;\n");
}
