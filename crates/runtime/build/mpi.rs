//! Generates `mpi_functions.rs`, `mpi_slots.rs` and `mpi_wrappers.rs` from the tables of MPI's
//! functions and patterns, `functions.toml` and `patterns.toml` in
//! `crates/runtime/src/adapters/mpi`. They are included by `src/adapters/mpi/function.rs` and
//! `src/adapters/mpi/wrappers.rs`, which declare the items that they use.
//!
//! Invariant: a function of the table with an unknown event pattern or argument fails the build.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use serde::Deserialize;

const FUNCTIONS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/adapters/mpi/functions.toml");
const PATTERNS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/adapters/mpi/patterns.toml");

#[derive(Deserialize)]
struct Functions {
    function: Vec<Function>,
}

#[derive(Deserialize)]
struct Patterns {
    pattern: Vec<Pattern>,
}

/// A function of the table. Keys that only document it are ignored.
#[derive(Deserialize)]
struct Function {
    name: String,
    ret: String,
    args: Vec<(String, String)>,
    group: String,
    region: String,
    scorep: String,
    events: String,
    beyond: Option<String>,
    large_of: Option<String>,
    collective: Option<String>,
    bytes: Option<String>,
    window_name: Option<String>,
    event: Option<String>,
    atomic: Option<String>,
    bytes_sent: Option<String>,
    bytes_received: Option<String>,
    completion: Option<String>,
    mode: Option<String>,
    collective_io: Option<bool>,
    #[serde(default)]
    fortran: Vec<String>,
    #[serde(default)]
    f08: BTreeMap<String, String>,
}

/// Arguments that the Fortran binding of a function does not have.
const ONLY_IN_C: [&str; 2] = ["argc", "argv"];

/// A row of the table of patterns.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Pattern {
    name: String,
    #[serde(default)]
    functions: Vec<String>,
    #[serde(default)]
    events: Vec<String>,
    has: Option<String>,
    name_has: Option<String>,
    beyond: Option<bool>,
    #[serde(default)]
    fields: BTreeMap<String, Field>,
}

/// The description of a field.
#[derive(Deserialize)]
#[serde(untagged)]
enum Field {
    /// The place of the first of these arguments that the function has.
    Places(Vec<String>),
    Other(Other),
}

#[derive(Deserialize)]
enum Other {
    Message,
    Collective,
    Rma,
    Blocking,
    NonBlocking,
    Split,
    WindowName,
    CollectiveKind,
    IsWrite,
}

impl Pattern {
    fn fits(&self, function: &Function) -> bool {
        let is_one_of = |list: &[String], text: &str| list.is_empty() || list.iter().any(|it| it == text);
        is_one_of(&self.functions, &function.name)
            && is_one_of(&self.events, function.events())
            && self.has.as_ref().is_none_or(|name| function.place(&[name]).is_some())
            && self.name_has.as_ref().is_none_or(|part| function.name.contains(part))
            && self.beyond.is_none_or(|beyond| beyond == (function.events == "region"))
    }
}

impl Field {
    /// The type of the field in Rust.
    fn kind(&self) -> &'static str {
        match self {
            Self::Places(_) => "ArgumentPlace",
            Self::Other(Other::Message) => "Message",
            Self::Other(Other::Collective) => "Collective",
            Self::Other(Other::Rma) => "Rma",
            Self::Other(Other::Blocking | Other::NonBlocking | Other::Split) => "Transfer",
            Self::Other(Other::WindowName) => "&'static str",
            Self::Other(Other::CollectiveKind) => "u32",
            Self::Other(Other::IsWrite) => "bool",
        }
    }
}

/// Writes the enum of the patterns. Several rows of a name are one variant.
fn variants(patterns: &[Pattern]) -> String {
    let mut written = Vec::new();
    let mut text = String::new();
    for pattern in patterns {
        let fields = pattern.fields.iter().map(|(name, field)| format!("{name}: {}", field.kind()));
        let fields = fields.collect::<Vec<_>>().join(", ");
        match written.iter().find(|(name, _)| *name == &pattern.name) {
            Some((name, known)) => assert!(*known == fields, "{name}: rows with other fields"),
            None => {
                let _ = writeln!(text, "{} {{ {fields} }},", pattern.name);
                written.push((&pattern.name, fields));
            }
        }
    }
    text
}

fn texts(names: &[String]) -> Vec<&str> {
    names.iter().map(String::as_str).collect()
}

impl Function {
    /// Whether it is wrapped. Functions that Score-P does not wrap although it has a region for
    /// them never have events: conversions of handles, `MPI_Wtime`, `MPI_Wtick`, `MPI_Pcontrol`.
    fn is_wrapped(&self) -> bool {
        self.scorep != "region only" && self.ret != "double"
    }

    /// The place of the first of these arguments that the function has.
    fn place(&self, names: &[&str]) -> Option<usize> {
        names.iter().find_map(|name| self.args.iter().position(|(_, arg)| arg == name))
    }

    fn at(&self, names: &[&str]) -> String {
        self.place(names).unwrap_or_else(|| panic!("{} lacks {names:?}", self.name)).to_string()
    }

    fn maybe(&self, names: &[&str]) -> String {
        self.place(names).map_or("NONE".into(), |place| place.to_string())
    }

    fn message(&self) -> String {
        format!(
            "Message {{ count: {}, datatype: {}, peer: {}, tag: {}, comm: {} }}",
            self.at(&["sendcount", "count"]),
            self.at(&["sendtype", "datatype"]),
            self.at(&["dest"]),
            self.at(&["sendtag", "tag"]),
            self.at(&["comm"])
        )
    }

    /// A collective operation; one that starts a persistent request is described by the table's row
    /// of the blocking one.
    fn collective(&self, all: &[Self]) -> String {
        let model = match self.collective {
            Some(_) => self,
            None => {
                let name = self.name.replace("_init", "");
                all.iter().find(|it| it.name == name).unwrap_or_else(|| panic!("{name} is missing"))
            }
        };
        let (kind, bytes) = (model.collective.as_ref(), model.bytes.as_ref());
        let (kind, bytes) = kind.zip(bytes).unwrap_or_else(|| panic!("{}: no collective", self.name));
        let comm = self.at(&["comm"]);
        let mut text = format!(
            "Collective {{ kind: bindings::SCOREP_COLLECTIVE_{kind}, bytes: Bytes::{}, ",
            camel(bytes)
        );
        for (field, names) in [
            ("send_buffer", &["sendbuf"][..]),
            ("send_count", &["sendcount", "sendcounts", "count"]),
            ("send_type", &["sendtype", "sendtypes", "datatype"]),
            ("receive_buffer", &["recvbuf"]),
            ("receive_count", &["recvcount", "recvcounts"]),
            ("receive_type", &["recvtype", "recvtypes"]),
            ("root", &["root"]),
        ] {
            let _ = write!(text, "{field}: {}, ", self.maybe(names));
        }
        text + &format!("comm: {comm} }}")
    }

    fn rma(&self) -> String {
        let product = |formula: &Option<String>| match formula.as_deref() {
            Some("0") | None => "(NONE, NONE)".to_owned(),
            Some(formula) => {
                let (count, kind) = match formula.split_once('*') {
                    Some((count, kind)) => (self.at(&[count]), kind),
                    None => ("NONE".into(), formula),
                };
                format!("({count}, {})", self.at(&[kind.trim_start_matches("S(").trim_end_matches(')')]))
            }
        };
        let is_atomic = self.event.as_deref() == Some("RMA_ATOMIC");
        let sent = if is_atomic { &self.bytes_sent } else { &self.bytes };
        let kind = match (self.event.as_deref(), &self.atomic) {
            (Some("RMA_PUT"), _) => "RmaKind::Put".to_owned(),
            (Some("RMA_GET"), _) => "RmaKind::Get".to_owned(),
            (_, Some(kind)) => format!("RmaKind::Atomic(bindings::SCOREP_RMA_ATOMIC_TYPE_{kind})"),
            _ => panic!("{}: unknown RMA operation", self.name),
        };
        format!(
            "Rma {{ kind: {kind}, sent: {}, received: {}, target: {}, win: {}, request: {}, is_combined: {} }}",
            product(sent),
            product(&self.bytes_received),
            self.at(&["target_rank"]),
            self.at(&["win"]),
            self.maybe(&["request"]),
            self.completion.as_deref() == Some("COMBINED")
        )
    }

    fn transfer(&self, issue: &str) -> String {
        format!(
            "Transfer {{ file: {}, offset: {}, count: {}, datatype: {}, is_write: {}, is_collective: {}, \
             issue: {issue} }}",
            self.at(&["fh"]),
            self.maybe(&["offset"]),
            self.at(&["count"]),
            self.at(&["datatype"]),
            self.is_write(),
            self.collective_io.unwrap_or(false)
        )
    }

    fn is_write(&self) -> bool {
        self.mode.as_deref() == Some("WRITE")
    }

    /// The key of the function in the table of patterns.
    fn events(&self) -> &str {
        self.beyond.as_deref().filter(|_| self.events == "region").unwrap_or(&self.events)
    }

    /// Writes the value of a field of a pattern.
    fn value(&self, field: &Field, all: &[Self]) -> String {
        match field {
            Field::Places(names) => match names.split_last() {
                Some((last, names)) if last == "?" => self.maybe(&texts(names)),
                _ => self.at(&texts(names)),
            },
            Field::Other(Other::Message) => self.message(),
            Field::Other(Other::Collective) => self.collective(all),
            Field::Other(Other::Rma) => self.rma(),
            Field::Other(Other::Blocking) => {
                self.transfer(&format!("Issue::Blocking {{ status: {} }}", self.at(&["status"])))
            }
            Field::Other(Other::NonBlocking) => {
                self.transfer(&format!("Issue::NonBlocking {{ request: {} }}", self.at(&["request"])))
            }
            Field::Other(Other::Split) => self.transfer("Issue::Split"),
            Field::Other(Other::WindowName) => {
                format!("{:?}", self.window_name.as_deref().unwrap_or_default())
            }
            Field::Other(Other::CollectiveKind) => {
                let kind = self.collective.as_deref().unwrap_or("CREATE_HANDLE");
                format!("bindings::SCOREP_COLLECTIVE_{kind}")
            }
            Field::Other(Other::IsWrite) => self.is_write().to_string(),
        }
    }

    /// Writes the pattern of the function: the first row that fits it.
    fn pattern(&self, patterns: &[Pattern], all: &[Self]) -> String {
        let row = patterns.iter().find(|row| row.fits(self));
        let row = row.unwrap_or_else(|| panic!("{}: no pattern for {}", self.name, self.events()));
        let fields = row.fields.iter().map(|(name, field)| format!("{name}: {}", self.value(field, all)));
        let fields: Vec<String> = fields.collect();
        format!("Pattern::{} {{ {} }}", row.name, fields.join(", "))
    }

    /// The groups of which all must be enabled.
    fn groups(&self) -> String {
        let groups: Vec<String> = self.group.split('+').map(|group| format!("Group::{group}")).collect();
        format!("&[{}]", groups.join(", "))
    }

    /// The number of words that the Fortran binding passes: the arguments, `ierror`, and the
    /// lengths of strings.
    fn fortran_words(&self) -> usize {
        let is_string = |kind: &str| kind.contains("char");
        let args = self.args.iter().filter(|(_, name)| !self.is_only_in_c(name));
        args.map(|(kind, _)| 1 + usize::from(is_string(kind))).sum::<usize>() + 1
    }

    fn is_only_in_c(&self, argument: &str) -> bool {
        ONLY_IN_C.contains(&argument) && (self.events == "init" || self.name == "MPI_Info_create_env")
    }

    /// The names of the Fortran bindings, with whether they are those of `mpi_f08`.
    fn fortran_names(&self) -> Vec<(String, bool)> {
        let lower = self.name.to_lowercase();
        let plain = (!self.fortran.is_empty() && self.ret == "int").then(|| (format!("{lower}_"), false));
        let mut names: Vec<(String, bool)> = plain.into_iter().collect();
        if self.ret == "int" {
            names.extend(self.f08.values().map(|name| (name.clone(), true)));
        }
        names.sort();
        names.dedup();
        names
    }
}

fn camel(name: &str) -> String {
    let part = |part: &str| part[..1].to_uppercase() + &part[1..];
    name.split('_').map(part).collect()
}

fn words(count: usize) -> String {
    (0..count).map(|number| format!("a{number} ")).collect()
}

fn read<T: for<'a> Deserialize<'a>>(table: &str) -> T {
    println!("cargo:rerun-if-changed={table}");
    let text = fs::read_to_string(table).unwrap_or_else(|error| panic!("{table}: {error}"));
    toml::from_str(&text).unwrap_or_else(|error| panic!("{table}: {error}"))
}

/// Writes the generated files.
pub(crate) fn generate() {
    println!("cargo:rerun-if-changed=build");
    let table: Functions = read(FUNCTIONS);
    let Patterns { pattern: patterns } = read(PATTERNS);
    let (mut functions, mut slots, mut wrappers) = (String::new(), String::new(), String::new());
    let mut count = (0, 0);
    let all = &table.function;
    for function in all.iter().filter(|function| function.is_wrapped()) {
        let _ = writeln!(
            functions,
            "Function {{ name: {:?}, groups: {}, region: bindings::SCOREP_REGION_{}, is_large: {}, \
             arguments: {}, pattern: {} }},",
            function.name,
            function.groups(),
            function.region,
            function.large_of.is_some(),
            function.args.len(),
            function.pattern(&patterns, all)
        );
        let mut slot = |symbol: &str, name: &str, binding: &str, arguments: usize| {
            let _ = writeln!(slots, "FunctionSymbol::new(c{symbol:?}, {}, Binding::{binding}),", count.0);
            let _ = writeln!(wrappers, "wrapper!({name} {} ({}));", count.1, words(arguments));
            if binding == "C" {
                // A tool that is linked into the program defines the function itself, and calls
                // this one.
                let _ = writeln!(wrappers, "wrapper!(P{name} {} ({}));", count.1, words(arguments));
            }
            count.1 += 1;
        };
        slot(&format!("P{}", function.name), &function.name, "C", function.args.len());
        let arguments = function.fortran_words();
        for (name, is_f08) in function.fortran_names() {
            let is_descriptor = name.contains("f08ts");
            let binding = match (is_f08, is_descriptor) {
                (false, _) => "Fortran",
                (true, false) => "F08",
                (true, true) => "F08Descriptor",
            };
            slot(&name, &name, binding, arguments);
        }
        if !function.fortran.is_empty() && function.ret == "int" {
            let lower = function.name.to_lowercase();
            for alias in [format!("{lower}__"), lower.clone(), lower.to_uppercase()] {
                let _ = writeln!(wrappers, "alias!({alias} {lower}_ ({}));", words(arguments));
            }
        }
        count.0 += 1;
    }
    let enumeration = format!(
        "/// The event pattern of a function: a row of `patterns.toml`.\n\
         #[derive(Debug, Clone, Copy)]\npub(crate) enum Pattern {{\n{}}}\n",
        variants(&patterns)
    );
    let functions = format!("{enumeration}static FUNCTIONS: [Function; {}] = [\n{functions}];\n", count.0);
    let slots = format!("static SLOTS: [FunctionSymbol; {}] = [\n{slots}];\n", count.1);
    let place = env::var_os("OUT_DIR").expect("a build script has a folder");
    let files = [("mpi_functions.rs", functions), ("mpi_slots.rs", slots), ("mpi_wrappers.rs", wrappers)];
    for (name, text) in files {
        fs::write(Path::new(&place).join(name), text).expect("the build folder is writable");
    }
}
