//! Calls of every function that the headers declare, in C, with arguments drawn by type and name.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// A function that a header declares.
struct Function {
    result: String,
    name: String,
    arguments: Vec<Argument>,
}

struct Argument {
    type_: String,
    name: String,
    /// Its name in the driver.
    variable: String,
}

/// Types of which the library makes objects.
const OBJECTS: [&str; 25] = [
    "Archive",
    "Reader",
    "EvtWriter",
    "DefWriter",
    "GlobalDefWriter",
    "SnapWriter",
    "MarkerWriter",
    "ThumbWriter",
    "EvtReader",
    "GlobalEvtReader",
    "DefReader",
    "GlobalDefReader",
    "SnapReader",
    "GlobalSnapReader",
    "MarkerReader",
    "ThumbReader",
    "AttributeList",
    "IdMap",
    "EventSizeEstimator",
    "EvtReaderCallbacks",
    "GlobalEvtReaderCallbacks",
    "DefReaderCallbacks",
    "GlobalDefReaderCallbacks",
    "SnapReaderCallbacks",
    "GlobalSnapReaderCallbacks",
];

/// Tables of functions that belong to the program.
const TABLES: [&str; 4] = ["Flush", "Memory", "Collective", "Locking"];

/// Those of OTF2 1.2 that libotf2 3.0 does not have.
const OLDER: [&str; 6] = [
    "OTF2_Archive_SetMasterSlaveMode",
    "OTF2_Archive_GetMasterSlaveMode",
    "OTF2_Archive_SetFileSionCallbacks",
    "OTF2_Reader_SetFileSionCallbacks",
    "OTF2_AttributeList_AddString",
    "OTF2_AttributeList_GetString",
];

/// Returns whether a function is newer than OTF2 3.0, the version of Debian's library.
fn is_newer(name: &str) -> bool {
    ["MpiProbe", "MpiMrecv", "MpiImrecv", "TaskGenerationNumber"].iter().any(|part| name.contains(part))
}

/// Returns the functions of all headers, in the order of their names.
fn functions() -> Vec<Function> {
    let headers = Path::new(env!("CARGO_MANIFEST_DIR")).join("include/otf2");
    let mut functions = BTreeMap::new();
    for entry in fs::read_dir(headers).expect("the headers") {
        let text = fs::read_to_string(entry.expect("an entry").path()).expect("a header");
        let text = without_comments(&text);
        let lines: Vec<&str> = text.lines().collect();
        for (at, pair) in lines.windows(2).enumerate() {
            // A declaration has its type on a line of its own.
            let is_type = !pair[0].is_empty() && !pair[0].starts_with([' ', '#', '}', '{']);
            let Some((name, _)) = pair[1].split_once('(') else { continue };
            if !is_type
                || pair[0].contains("static")
                || pair[0].contains('(')
                || !name.starts_with("OTF2_")
                || OLDER.contains(&name)
            {
                continue;
            }
            let rest = lines[at + 1..].join(" ");
            let (declaration, _) = rest.split_once(';').expect("the end of a declaration");
            let (_, list) = declaration.split_once('(').expect("arguments");
            let (list, _) = list.split_once(')').expect("the end of the arguments");
            let types = list.split(',').filter_map(argument);
            let arguments = types.enumerate().map(|(at, (type_, name))| Argument {
                type_,
                name,
                variable: format!("a{at}"),
            });
            let arguments = arguments.collect();
            let name = name.to_owned();
            functions.insert(name.clone(), Function { result: pair[0].trim().to_owned(), name, arguments });
        }
    }
    functions.into_values().collect()
}

fn without_comments(text: &str) -> String {
    let mut parts = text.split("/*");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |all, part| all + part.split_once("*/").map_or("", |(_, rest)| rest))
}

/// Returns the type and name of an argument; none of `void`.
fn argument(text: &str) -> Option<(String, String)> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let (name, type_) = words.split_last()?;
    (!type_.is_empty()).then(|| (type_.join(" "), (*name).to_owned()))
}

/// Returns the number of the object type that a pointer refers to.
fn object(type_: &str) -> Option<String> {
    let name = type_.trim_start_matches("const ").strip_prefix("OTF2_")?.strip_suffix('*')?;
    let is_object = OBJECTS.contains(&name) || name == "MarkerReaderCallbacks";
    is_object.then(|| format!("OF_{name}"))
}

/// Returns how an argument is made.
fn value(argument: &Argument, has_arrays: bool) -> String {
    let (type_, name) = (argument.type_.as_str(), argument.name.as_str());
    if let Some(object) = object(type_) {
        return format!("object( {object} )");
    }
    if let Some(table) = TABLES.iter().find(|table| type_ == format!("const OTF2_{table}Callbacks*")) {
        return format!("table_of_{table}()");
    }
    let is_array = type_.starts_with("const ") && type_.ends_with('*');
    match type_ {
        "OTF2_ErrorCallback" => "once_in( 4 ) ? NULL : on_error".into(),
        "const char*" => "string()".into(),
        "char**" | "char** const" | "char***" | "uint64_t**" => "place_for_memory()".into(),
        "void*" | "OTF2_CollectiveContext*" => "bytes()".into(),
        "double" | "float" => "real()".into(),
        "OTF2_AttributeValue" => "any_value()".into(),
        "OTF2_TimeStamp" => "time_stamp()".into(),
        "OTF2_LocationRef" => "location()".into(),
        _ if is_array => "array()".into(),
        _ if type_.ends_with('*') => "place()".into(),
        _ if type_.contains("Callback") => format!("( {type_} )function()"),
        _ if name.starts_with("chunkSize") || name.contains("ChunkSize") => "chunk_size()".into(),
        _ if has_arrays && ["numberOf", "length", "stringCount"].iter().any(|it| name.starts_with(it)) => {
            "count()".into()
        }
        _ => "integer()".into(),
    }
}

/// Returns the effect of a call: which objects exist now.
fn after(function: &Function) -> String {
    let name = function.name.as_str();
    let first = function.arguments.first().map_or("NULL", |argument| argument.variable.as_str());
    let mut text = String::new();
    let mut line = |code: String| writeln!(text, "    {code}").expect("a string");
    if name == "OTF2_Archive_Close" || name == "OTF2_Reader_Close" {
        line(format!("if ( answer == OTF2_SUCCESS ) forget( {first} );"));
    } else if name.ends_with("_Delete") || name.ends_with("_Free") {
        line(format!("forget( {first} );"));
    } else if let [archive, handle] = function.arguments.as_slice()
        && name.contains("_Close")
    {
        line(format!("forget_of( {}, {} );", archive.variable, handle.variable));
        if name.ends_with("CloseGlobalEvtReader") {
            line(format!("forget_all( {first}, OF_EvtReader );"));
        }
    } else if name.ends_with("_GetGlobalSnapReader") {
        line(format!("forget_all( {first}, OF_SnapReader );"));
    }
    if let Some(object) = object(&function.result) {
        let owner = if function.name.contains("_Get") { first } else { "NULL" };
        line(format!("remember( {object}, (void*)answer, {owner} );"));
    }
    text
}

/// Returns the text of `functions.h`, with all functions or with those that Debian's library has.
pub(super) fn text(has_newer: bool) -> String {
    let mut functions = functions();
    assert!(functions.len() >= 921 + 18, "{} functions", functions.len());
    functions.retain(|function| has_newer || !is_newer(&function.name));
    let mut text = String::from("enum\n{\n");
    for object in OBJECTS.iter().chain(&["MarkerReaderCallbacks"]) {
        writeln!(text, "    OF_{object},").expect("a string");
    }
    text += "    KINDS\n};\n\n";
    text += include_str!("arguments.h");
    for function in &functions {
        call(function, &mut text);
    }
    text += "static const Function functions[] = {\n";
    for Function { name, .. } in &functions {
        writeln!(text, "    {{ \"{name}\", call_{name} }},").expect("a string");
    }
    text + "};\n"
}

fn call(function: &Function, text: &mut String) {
    let Function { result, name, arguments } = function;
    let is_array = |argument: &Argument| value(argument, false) == "array()";
    let has_arrays = arguments.iter().any(is_array) || name == "OTF2_ThumbReader_ReadSample";
    writeln!(text, "static long long\ncall_{name}( void )\n{{\n    begin();").expect("a string");
    for argument in arguments {
        let (type_, variable, value) = (&argument.type_, &argument.variable, value(argument, has_arrays));
        writeln!(text, "    {type_} {variable} = {value};").expect("a string");
    }
    let passed: Vec<&str> = arguments.iter().map(|argument| argument.variable.as_str()).collect();
    let passed = passed.join(", ");
    match result.as_str() {
        "void" => writeln!(text, "    {name}( {passed} );").expect("a string"),
        _ => writeln!(text, "    {result} answer = {name}( {passed} );").expect("a string"),
    }
    text.push_str(&after(function));
    let shown = match result.as_str() {
        "OTF2_ErrorCallback" => "0",
        "void" => "0",
        it if it.ends_with('*') => "answer != NULL",
        _ => "answer",
    };
    writeln!(text, "    return {shown};\n}}\n").expect("a string");
}
