//! Names, files and lines in this process: in this test itself, and in the libraries that it loads.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use kymo_symbols::{Executable, Function, Symbol, Symbols};

#[inline(never)]
#[rustfmt::skip]
fn a_function_of_this_test() -> u32 { line!() }

fn find(address: usize) -> Option<Symbol> {
    Symbols::new().find(address as u64)
}

fn folder(name: &str) -> PathBuf {
    kymo_testdata::process_folder(&format!("symbols-{name}"))
}

fn run(program: &str, arguments: &[&str]) {
    let program = match program {
        "cc" => env::var("CC").unwrap_or("cc".to_owned()),
        other => other.to_owned(),
    };
    let status =
        Command::new(&program).args(arguments).status().unwrap_or_else(|error| panic!("{program}: {error}"));
    assert!(status.success(), "{program} {arguments:?}");
}

#[test]
fn a_function_of_this_program_is_found() {
    let line = a_function_of_this_test();
    let symbol = find(a_function_of_this_test as fn() -> u32 as usize).expect("a symbol");
    assert_eq!(&*symbol.module, env::current_exe().expect("a path"));
    let function = symbol.function.expect("a function");
    assert_eq!(function.name, "symbols::a_function_of_this_test");
    assert!(
        function.mangled.starts_with("_ZN7symbols23a_function_of_this_test17h")
            || function.mangled.starts_with("_R")
    );
    assert!(function.file.expect("a file").ends_with("crates/symbols/tests/symbols.rs"));
    assert_eq!(function.line, line);
}

#[test]
fn an_address_outside_functions_has_no_symbol() {
    let local = 0_u32;
    for address in [0, 8, usize::MAX, &raw const local as usize] {
        assert_eq!(find(address), None, "{address:#x}");
    }
}

#[test]
fn a_function_of_the_c_library_is_found() {
    // Debian's library has only the exported names; others may have a debug package.
    let maps = fs::read_to_string("/proc/self/maps").expect("maps");
    let line = maps
        .lines()
        .find(|line| line.contains("r-xp") && line.contains("/libc.so.6"))
        .expect("the C library");
    let path = line.split_once('/').map(|(_, path)| format!("/{path}")).expect("a path");
    let nm = Command::new("nm").args(["-D", "--defined-only", &path]).output().expect("nm");
    let list = String::from_utf8(nm.stdout).expect("text");
    let symbol = list.lines().find(|line| line.contains(" T qsort@@")).expect("qsort");
    let address =
        symbol.split(' ').next().and_then(|it| u64::from_str_radix(it, 16).ok()).expect("an address");
    let base = maps.lines().find(|line| line.ends_with(&path)).and_then(|line| line.split('-').next());
    let base = base.and_then(|base| u64::from_str_radix(base, 16).ok()).expect("a base");
    let found = Symbols::new().find(base + address).expect("a symbol");
    assert_eq!((&*found.module, found.offset), (Path::new(&path), address));
    assert_eq!(found.function.map(|it| it.mangled).as_deref(), Some("qsort"));
}

const C: &str = "int helper(int x);\n\
    static int hidden(int x)\n{ return helper(x) + 1; }\n\
    __attribute__((no_instrument_function)) int quiet(int x)\n{ return hidden(x); }\n\
    int loud(int x)\n{ return quiet(x) * 2; }\n";

fn names(functions: &[Function]) -> Vec<&str> {
    functions.iter().map(|function| function.name.as_str()).collect()
}

#[test]
fn instrumented_functions_of_a_file_are_found() {
    let folder = folder("instrumented");
    let (source, library) = (folder.join("a.c"), folder.join("a.so"));
    fs::write(&source, C).expect("a source file");
    for flags in [&["-O0"][..], &["-O0", "-fno-plt"], &["-O0", "-fcf-protection=full", "-Wl,-z,now"]] {
        let mut arguments = vec!["-g", "-shared", "-fPIC", "-finstrument-functions"];
        arguments.extend(flags);
        let paths = [&source, &library].map(|path| path.to_str().expect("a path"));
        arguments.extend([paths[0], "-o", paths[1]]);
        run("cc", &arguments);
        let program = Executable::read(&library).expect("a library");
        assert!(program.imports().contains(kymo_symbols::ENTER) && program.imports().contains("helper"));
        assert!(program.has_debug_information() && program.has_names() && program.defines("hidden"));
        let functions = program.instrumented();
        let expected =
            if cfg!(target_arch = "x86_64") { &["hidden", "loud"][..] } else { &["hidden", "quiet", "loud"] };
        for expected in expected {
            assert!(names(&functions).contains(expected), "{expected} of {functions:?}");
        }
        assert_eq!(functions.len() == 2, cfg!(target_arch = "x86_64"), "{functions:?}");
        let loud = functions.iter().find(|function| function.name == "loud").expect("loud");
        assert_eq!((loud.file.as_deref(), loud.line), (source.to_str(), 7));
    }
}

#[test]
fn debug_information_in_a_separate_file_is_found() {
    let folder = folder("separate");
    let (source, library, debug) = (folder.join("a.c"), folder.join("a.so"), folder.join("a.so.debug"));
    let [source, library, debug] = [&source, &library, &debug].map(|path| path.to_str().expect("a path"));
    fs::write(source, C).expect("a source file");
    run("cc", &["-g", "-shared", "-fPIC", "-finstrument-functions", source, "-o", library]);
    run("objcopy", &["--only-keep-debug", library, debug]);
    run("strip", &[library]);
    let stripped = Executable::read(Path::new(library)).expect("a library");
    assert!(!stripped.has_names() && !stripped.has_debug_information());
    assert_eq!(names(&stripped.instrumented()), ["loud"]);
    run("objcopy", &[&format!("--add-gnu-debuglink={debug}"), library]);
    let linked = Executable::read(Path::new(library)).expect("a library");
    assert!(linked.has_names() && linked.has_debug_information());
    let functions = linked.instrumented();
    assert_eq!(names(&functions), ["hidden", "loud"]);
    assert_eq!(functions[0].line, 3);
}

#[test]
fn names_of_lambdas_are_complete() {
    let folder = folder("lambda");
    let (source, library) = (folder.join("a.cpp"), folder.join("a.so"));
    fs::write(&source, "int call(int x) { auto add = [](int a) { return a + 1; }; return add(x); }\n")
        .expect("a source file");
    let [from, to] = [&source, &library].map(|path| path.to_str().expect("a path"));
    run("c++", &["-g", "-O0", "-shared", "-fPIC", "-finstrument-functions", from, "-o", to]);
    let mut functions = Executable::read(&library).expect("a library").instrumented();
    functions.sort_by(|a, b| a.name.cmp(&b.name));
    assert_eq!(names(&functions), ["call(int)", "call(int)::{lambda(int)#1}::operator()(int) const"]);
}

/// Loads a library; returns it and the address of one of its functions.
fn load(library: &Path, name: &str) -> (libloading::Library, u64) {
    // SAFETY: the library has no code that runs when it is loaded.
    let library = unsafe { libloading::Library::new(library) }.expect("a library");
    // SAFETY: the function is not called.
    let function = unsafe { library.get::<fn()>(name.as_bytes()) }.expect("a function");
    let address = *function as usize as u64;
    (library, address)
}

#[test]
fn libraries_that_are_loaded_and_unloaded_later_are_followed() {
    let folder = folder("dlopen");
    let build = |name: &str, function: &str| {
        let (source, library) = (folder.join(format!("{name}.c")), folder.join(format!("{name}.so")));
        fs::write(&source, format!("\nint {function}(void) {{ return 1; }}\n")).expect("a source file");
        let [from, to] = [&source, &library].map(|path| path.to_str().expect("a path"));
        run("cc", &["-g", "-shared", "-fPIC", from, "-o", to]);
        library
    };
    let (first, second) = (build("first", "one"), build("second", "two"));
    let mut symbols = Symbols::new();
    // Reads the memory layout before the libraries are mapped.
    assert!(symbols.find(a_function_of_this_test as fn() -> u32 as usize as u64).is_some());
    for (path, name) in [(&first, "one"), (&second, "two")] {
        let (library, address) = load(path, name);
        let found = symbols.find(address).expect("a symbol");
        let function = found.function.expect("a function");
        assert_eq!((&*found.module, function.name.as_str(), function.line), (path.as_path(), name, 2));
        library.close().expect("to unload");
        symbols.forget();
        assert_eq!(symbols.find(address), None, "{name}");
    }
}

#[test]
fn broken_files_cause_no_panic() {
    let folder = folder("broken");
    let (source, library, broken) = (folder.join("a.c"), folder.join("a.so"), folder.join("broken.so"));
    fs::write(&source, C).expect("a source file");
    let [from, to] = [&source, &library].map(|path| path.to_str().expect("a path"));
    run("cc", &["-g", "-shared", "-fPIC", "-finstrument-functions", from, "-o", to]);
    let whole = fs::read(&library).expect("a library");
    let read = |bytes: &[u8]| {
        fs::write(&broken, bytes).expect("a file");
        let program = Executable::read(&broken).expect("a file");
        let _ = (
            program.imports(),
            program.has_names(),
            program.defines("loud"),
            program.has_debug_information(),
        );
        program.instrumented()
    };
    assert_eq!(read(&whole).len(), if cfg!(target_arch = "x86_64") { 2 } else { 3 });
    for length in (0..whole.len()).step_by(97) {
        read(&whole[..length]);
    }
    // Xorshift.
    let mut random = 0x9E37_79B9_7F4A_7C15_u64;
    for _ in 0..300 {
        let mut bytes = whole.clone();
        for _ in 0..8 {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let place = random as usize % bytes.len();
            bytes[place] = (random >> 32) as u8;
        }
        read(&bytes);
    }
}

#[test]
fn names_can_be_looked_up_by_any_thread() {
    fn is_send<T: Send>() {}
    is_send::<Symbols>();
}

#[test]
fn rust_programs_have_their_own_locks() {
    let own = std::env::current_exe().expect("a path");
    assert_eq!(Executable::read(&own).expect("a program").language_with_own_locks(), Some("Rust"));
    let c = Executable::read(Path::new("/bin/sh")).expect("a program");
    assert_eq!(c.language_with_own_locks(), None);
}
