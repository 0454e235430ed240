//! The system tree as a graph for dot: nodes, location groups and locations, each with its
//! properties.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use kymo_otf2::definitions::GlobalDefinition;
use kymo_otf2::references::{LocationRef, StringRef};
use kymo_otf2::value::Value;

use super::head::Digits;
use super::line::{Line, Show};
use crate::print::names::{Found, Names};

/// A graph being written.
#[derive(Debug)]
pub(in crate::print) struct SystemTree {
    path: PathBuf,
    file: BufWriter<File>,
    /// The numbers of properties of nodes, location groups and locations, and of domains of nodes.
    counts: [u32; 4],
}

/// The name of a definition in the graph.
type Id = String;

const NULL: &[u8] = b"(null)";

impl SystemTree {
    /// Begins a graph in this file.
    pub(in crate::print) fn create(path: PathBuf) -> io::Result<Self> {
        let mut file = BufWriter::new(File::create(&path)?);
        file.write_all(
            b"/* This is the graph representation of the system tree. */\ndigraph SystemTree\n{\n",
        )?;
        Ok(SystemTree { path, file, counts: [0; 4] })
    }

    /// Returns the path of the file.
    pub(in crate::print) fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a definition, if it belongs to the system tree.
    pub(in crate::print) fn add(
        &mut self,
        names: &Names<'_>,
        definition: &GlobalDefinition<'_>,
    ) -> io::Result<()> {
        let text = |string| string_text(names, string);
        match definition {
            GlobalDefinition::SystemTreeNode(it) => {
                let node = format!("n{}", it.id.0);
                let rows = [("Class", text(it.class_name)), ("Name", text(it.name)), ("ID", number(it.id.0))];
                self.table("    ", &node, &rows, "ellipse")?;
                self.edge(it.parent.is_defined(), &format!("n{}", it.parent.0), &node, "")
            }
            GlobalDefinition::LocationGroup(it) => {
                let group = format!("g{}", it.id.0);
                let kind = shown(names, &it.location_group_type);
                let rows = [("Name", text(it.name)), ("Type", kind), ("ID", number(it.id.0))];
                self.table("    ", &group, &rows, "hexagon")?;
                let (parent, creator) = (it.system_tree_parent, it.creating_location_group);
                self.edge(parent.is_defined(), &format!("n{}", parent.0), &group, "")?;
                self.edge(creator.is_defined(), &format!("g{}", creator.0), &group, ", style=dashed")
            }
            GlobalDefinition::Location(it) => {
                let location = format!("l{}", it.id.0);
                let kind = shown(names, &it.location_type);
                let rows = [("Name", text(it.name)), ("Type", kind), ("ID", number(it.id.0))];
                self.table("    ", &location, &rows, "diamond")?;
                self.edge(it.location_group.is_defined(), &format!("g{}", it.location_group.0), &location, "")
            }
            GlobalDefinition::SystemTreeNodeProperty(it) => self.property(
                0,
                format!("n{}", it.system_tree_node.0),
                "np",
                property(names, it.name, it.value),
            ),
            GlobalDefinition::LocationGroupProperty(it) => self.property(
                1,
                format!("g{}", it.location_group.0),
                "gp",
                property(names, it.name, it.value),
            ),
            GlobalDefinition::LocationProperty(it) => {
                self.property(2, format!("l{}", it.location.0), "lp", property(names, it.name, it.value))
            }
            GlobalDefinition::SystemTreeNodeDomain(it) => {
                let domain = shown(names, &it.system_tree_domain);
                self.property(3, format!("n{}", it.system_tree_node.0), "nd", [("Domain", domain)])
            }
            _ => Ok(()),
        }
    }

    /// Writes a node of the graph: a table of names and values.
    fn table(&mut self, indent: &str, id: &Id, rows: &[(&str, Vec<u8>)], shape: &str) -> io::Result<()> {
        writeln!(self.file, "{indent}{id} [")?;
        writeln!(self.file, "{indent}    label=<<TABLE BORDER=\"0\" CELLBORDER=\"1\" CELLSPACING=\"0\">")?;
        for (name, value) in rows {
            write!(self.file, "{indent}           <TR><TD ALIGN=\"RIGHT\">{name}</TD><TD ALIGN=\"LEFT\">")?;
            self.file.write_all(value)?;
            self.file.write_all(b"</TD></TR>\n")?;
        }
        writeln!(self.file, "{indent}          </TABLE>>\n{indent}    shape={shape}\n{indent}];")
    }

    fn edge(&mut self, exists: bool, from: &Id, to: &Id, style: &str) -> io::Result<()> {
        if exists { writeln!(self.file, "    {from} -> {to} [dir=back{style}];") } else { Ok(()) }
    }

    /// Writes a property next to its owner. The properties of a kind are numbered.
    fn property<const N: usize>(
        &mut self,
        kind: usize,
        owner: Id,
        prefix: &str,
        rows: [(&str, Vec<u8>); N],
    ) -> io::Result<()> {
        let id = format!("{prefix}{}", self.counts[kind]);
        self.counts[kind] += 1;
        writeln!(self.file, "    subgraph {{\n        rank = same;\n        {owner};")?;
        self.table("        ", &id, &rows, "none")?;
        writeln!(self.file, "        {id} -> {owner};\n    }}")
    }

    /// Ends the graph with a legend.
    pub(in crate::print) fn finish(mut self) -> io::Result<PathBuf> {
        self.file.write_all(LEGEND.as_bytes())?;
        self.file.flush()?;
        Ok(self.path)
    }
}

const LEGEND: &str = r#"    subgraph cluster_legend {
        n [label="System tree node", shape=ellipse];
        {
            rank=same;
            g [label="Location group", shape=hexagon];
            gc [label="Child location group", shape=hexagon];
            g->gc [label="creator", dir=back, style=dashed];
        }
        l [label="Location", shape=diamond];
        n -> g [label="parent", dir=back];
        g -> l [label="parent", dir=back];
        label="Legend";
    }
}
"#;

fn number(id: impl ToString) -> Vec<u8> {
    id.to_string().into_bytes()
}

fn string_text(names: &Names<'_>, string: StringRef) -> Vec<u8> {
    names.raw(string).unwrap_or(NULL).to_vec()
}

fn shown(names: &Names<'_>, value: &impl Show) -> Vec<u8> {
    let mut out = Vec::new();
    let digits = &mut Digits::default();
    Line { out: &mut out, names, origin: None, location: LocationRef::UNDEFINED, digits }.show(value);
    out
}

fn property(names: &Names<'_>, name: StringRef, value: Value) -> [(&'static str, Vec<u8>); 3] {
    let name = string_text(names, name);
    [("Name", name), ("Value", bare(names, value)), ("Type", shown(names, &value.type_()))]
}

/// Formats a value; for a reference, the name without the id.
fn bare(names: &Names<'_>, value: Value) -> Vec<u8> {
    let mut out = Vec::new();
    match names.referred(value) {
        None => return shown(names, &value),
        Some(Found { number: None, .. }) => out.extend_from_slice(b"UNDEFINED"),
        Some(Found { named: Some(named), .. }) if named.name.write(&mut out) => {}
        Some(_) => out.extend_from_slice(NULL),
    }
    out
}
