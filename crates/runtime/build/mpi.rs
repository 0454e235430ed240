//! Generates `mpi_functions.rs`, `mpi_slots.rs` and `mpi_wrappers.rs` from the table of MPI's
//! functions, `crates/runtime/src/adapters/mpi/functions.toml`. They are included by
//! `src/adapters/mpi/function.rs` and `src/adapters/mpi/wrappers.rs`, which declare what they use.
//!
//! Invariant: a function of the table with an unknown event pattern or argument fails the build.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use serde::Deserialize;

const TABLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/adapters/mpi/functions.toml");

#[derive(Deserialize)]
struct Table {
    function: Vec<Function>,
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
/// The names of communicators that a function creates. The last one is an argument of
/// `MPI_Intercomm_merge`, too.
const NEW: [&str; 7] =
    ["newcomm", "comm_cart", "newintracomm", "newintercomm", "comm_dist_graph", "comm_graph", "intercomm"];

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
            "Pattern::Transfer(Transfer {{ file: {}, offset: {}, count: {}, datatype: {}, is_write: {}, \
             is_collective: {}, issue: {issue} }})",
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

    /// Writes a variant whose fields are places of arguments of these names.
    fn places(&self, variant: &str, fields: &[(&str, &[&str])]) -> String {
        let fields: Vec<String> = fields
            .iter()
            .map(|(field, names)| match names.last() {
                Some(&"") => format!("{field}: {}", self.maybe(&names[..names.len() - 1])),
                _ => format!("{field}: {}", self.at(names)),
            })
            .collect();
        format!("Pattern::{variant} {{ {} }}", fields.join(", "))
    }

    fn pattern(&self, all: &[Self]) -> String {
        const REQUESTS: (&str, &[&str]) = ("requests", &["array_of_requests", "request"]);
        const COUNT: (&str, &[&str]) = ("count", &["count", "incount", ""]);
        const STATUS: (&str, &[&str]) = ("status", &["status"]);
        const STATUSES: (&str, &[&str]) = ("statuses", &["array_of_statuses", "status"]);
        const REQUEST: (&str, &[&str]) = ("request", &["request"]);
        const WIN: (&str, &[&str]) = ("win", &["win"]);
        const RANK: (&str, &[&str]) = ("rank", &["rank", ""]);
        const COMM: (&str, &[&str]) = ("comm", &["comm"]);
        const FLAG: (&str, &[&str]) = ("flag", &["flag"]);
        const FILE: (&str, &[&str]) = ("file", &["fh"]);
        const MESSAGE: (&str, &[&str]) = ("message", &["message"]);
        const PARENT: (&str, &[&str]) = ("parent", &["comm", "comm_old", "intercomm", ""]);
        const PARTITIONS: (&str, &[&str]) = ("partitions", &["partitions", ""]);
        const KEY: (&str, &[&str]) = ("key", &["comm_keyval", "keyval"]);
        // `MPI_Finalize` deletes the attributes of `MPI_COMM_SELF`.
        match self.name.as_str() {
            "MPI_Comm_set_attr" | "MPI_Attr_put" => return self.places("SetAttribute", &[COMM, KEY]),
            "MPI_Comm_delete_attr" | "MPI_Attr_delete" => {
                return self.places("DeleteAttribute", &[COMM, KEY]);
            }
            _ => {}
        }
        let key = self.beyond.as_deref().filter(|_| self.events == "region").unwrap_or(&self.events);
        match key {
            "region" | "session_init" | "session_finalize" | "neighbor" | "grequest" | "alloc_mem"
            | "free_mem" | "comm_get_parent" | "pcontrol" => "Pattern::Region".into(),
            "collective_init" if self.name.contains("Neighbor") => "Pattern::Region".into(),
            "init" => "Pattern::Init".into(),
            "finalize" => "Pattern::Finalize".into(),
            "initialized" => self.places("Initialized", &[FLAG]),
            "finalized" => self.places("Finalized", &[FLAG]),
            "abort" => "Pattern::Abort".into(),
            "send" => format!("Pattern::Send({})", self.message()),
            "recv" if self.place(&["message"]).is_some() => self.places("MatchedReceive", &[MESSAGE, STATUS]),
            "recv" => self.places("Receive", &[COMM, STATUS]),
            "message" => self.places("MatchedProbe", &[COMM, MESSAGE, ("flag", &["flag", ""]), STATUS]),
            "sendrecv" => format!(
                "Pattern::SendReceive {{ send: {}, status: {} }}",
                self.message(),
                self.at(&["status"])
            ),
            "isend" => format!(
                "Pattern::StartSend {{ send: {}, request: {} }}",
                self.message(),
                self.at(&["request"])
            ),
            "irecv" if self.place(&["message"]).is_some() => {
                self.places("StartMatchedReceive", &[MESSAGE, REQUEST])
            }
            "irecv" => self.places("StartReceive", &[("source", &["source"]), COMM, REQUEST]),
            "isendrecv" => format!(
                "Pattern::StartSendReceive {{ send: {}, source: {}, request: {} }}",
                self.message(),
                self.at(&["source"]),
                self.at(&["request"])
            ),
            "send_init" => format!(
                "Pattern::PersistentSend {{ send: {}, partitions: {}, request: {} }}",
                self.message(),
                self.maybe(&["partitions"]),
                self.at(&["request"])
            ),
            "recv_init" => self.places(
                "PersistentReceive",
                &[
                    ("source", &["source", "dest"]),
                    ("items", &["count"]),
                    ("datatype", &["datatype"]),
                    COMM,
                    PARTITIONS,
                    REQUEST,
                ],
            ),
            "start" => self.places("Start", &[COUNT, REQUESTS]),
            "wait_all" => self.places("WaitAll", &[COUNT, REQUESTS, STATUSES]),
            "test_all" => self.places("TestAll", &[COUNT, REQUESTS, FLAG, STATUSES]),
            "wait_some" if self.place(&["outcount"]).is_some() => self.places(
                "WaitSome",
                &[COUNT, REQUESTS, ("outcount", &["outcount"]), ("indices", &["array_of_indices"]), STATUSES],
            ),
            "wait_some" => self
                .places("WaitAny", &[COUNT, REQUESTS, ("index", &["indx"]), ("flag", &["flag", ""]), STATUS]),
            "test_any" => {
                self.places("WaitAny", &[COUNT, REQUESTS, ("index", &["indx"]), ("flag", &["flag"]), STATUS])
            }
            "request_get_status" if self.events == "region" => "Pattern::Region".into(),
            "request_get_status" => self.places("GetStatus", &[REQUEST, FLAG, STATUS]),
            "cancel" => self.places("Cancel", &[REQUEST]),
            "request_free" => self.places("RequestFree", &[REQUEST]),
            "collective" => format!("Pattern::Collective({})", self.collective(all)),
            "icollective" => format!(
                "Pattern::StartCollective {{ collective: {}, request: {} }}",
                self.collective(all),
                self.at(&["request"])
            ),
            "collective_init" => format!(
                "Pattern::PersistentCollective {{ collective: {}, request: {} }}",
                self.collective(all),
                self.at(&["request"])
            ),
            "comm_create" | "cart_sub" => self
                .places(if key == "cart_sub" { "CartSub" } else { "CommCreate" }, &[PARENT, ("new", &NEW)]),
            "comm_create_subset" if self.place(&["peer_comm"]).is_some() => self.places(
                "IntercommCreate",
                &[
                    ("local", &["local_comm"]),
                    ("leader", &["local_leader"]),
                    ("peer", &["peer_comm"]),
                    ("new", &NEW),
                ],
            ),
            "comm_create_subset" => {
                self.places("CommCreateSubset", &[("parent", &["comm", ""]), ("new", &NEW)])
            }
            "comm_idup" => self.places("CommIdup", &[COMM, ("new", &NEW), REQUEST]),
            "comm_free" => self.places("CommFree", &[COMM]),
            "comm_set_name" => self.places("CommSetName", &[COMM, ("name", &["comm_name"])]),
            "cart_create" => self.places(
                "CartCreate",
                &[
                    PARENT,
                    ("dimensions", &["ndims"]),
                    ("sizes", &["dims"]),
                    ("periods", &["periods"]),
                    ("new", &NEW),
                ],
            ),
            "group_create" => self.places("GroupCreate", &[("group", &["newgroup", "group"])]),
            "group_free" => self.places("GroupFree", &[("group", &["group"])]),
            "win_create" => format!(
                "Pattern::WinCreate {{ comm: {}, win: {}, name: {:?}, kind: bindings::SCOREP_COLLECTIVE_{} }}",
                self.at(&["comm"]),
                self.at(&["win"]),
                self.window_name.as_deref().unwrap_or_default(),
                self.collective.as_deref().unwrap_or("CREATE_HANDLE")
            ),
            "win_free" => self.places("WinFree", &[WIN]),
            "win_set_name" => self.places("WinSetName", &[WIN, ("name", &["win_name"])]),
            "rma" | "rma_request" => format!("Pattern::Rma({})", self.rma()),
            "win_fence" => self.places("WinFence", &[WIN]),
            "win_start" => self.places("WinStart", &[("group", &["group"]), WIN]),
            "win_post" => self.places("WinPost", &[("group", &["group"]), WIN]),
            "win_complete" => self.places("WinComplete", &[WIN]),
            "win_wait" => self.places("WinWait", &[WIN]),
            "win_test" => self.places("WinTest", &[WIN, FLAG]),
            "win_lock" => self.places("WinLock", &[("kind", &["lock_type", ""]), RANK, WIN]),
            "win_unlock" => self.places("WinUnlock", &[RANK, WIN]),
            "win_flush" => self.places("WinFlush", &[RANK, WIN]),
            "win_flush_local" => self.places("WinFlushLocal", &[RANK, WIN]),
            "file_open" => {
                self.places("FileOpen", &[COMM, ("name", &["filename"]), ("mode", &["amode"]), FILE])
            }
            "file_close" => self.places("FileClose", &[FILE]),
            "file_delete" => self.places("FileDelete", &[("name", &["filename"])]),
            "file_seek" => self.places("FileSeek", &[FILE, ("offset", &["offset"]), ("whence", &["whence"])]),
            "io_blocking" => {
                self.transfer(&format!("Issue::Blocking {{ status: {} }}", self.at(&["status"])))
            }
            "io_nonblocking" => {
                self.transfer(&format!("Issue::NonBlocking {{ request: {} }}", self.at(&["request"])))
            }
            "io_split_begin" => self.transfer("Issue::Split"),
            "io_split_end" => format!(
                "Pattern::TransferEnd {{ file: {}, status: {}, is_write: {} }}",
                self.at(&["fh"]),
                self.at(&["status"]),
                self.is_write()
            ),
            unknown => panic!("{}: unknown pattern {unknown}", self.name),
        }
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

/// Writes the generated files.
pub(crate) fn generate() {
    println!("cargo:rerun-if-changed={TABLE}");
    println!("cargo:rerun-if-changed=build");
    let text = fs::read_to_string(TABLE).expect("the table of MPI's functions");
    let table: Table = toml::from_str(&text).expect("the table of MPI's functions");
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
            function.pattern(all)
        );
        let mut slot = |symbol: &str, name: &str, binding: &str, arguments: usize| {
            let _ = writeln!(slots, "Slot::new(c{symbol:?}, {}, Binding::{binding}),", count.0);
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
    let functions = format!("static FUNCTIONS: [Function; {}] = [\n{functions}];\n", count.0);
    let slots = format!("static SLOTS: [Slot; {}] = [\n{slots}];\n", count.1);
    let place = env::var_os("OUT_DIR").expect("a build script has a folder");
    let files = [("mpi_functions.rs", functions), ("mpi_slots.rs", slots), ("mpi_wrappers.rs", wrappers)];
    for (name, text) in files {
        fs::write(Path::new(&place).join(name), text).expect("the build folder is writable");
    }
}
