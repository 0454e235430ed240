//! Tests of a plugin that panics: the host receives the neutral value, one line is written to
//! standard error, and the plugin is not called again.
//!
//! Standard error can be captured only from outside, and the panic hook is global, so each case
//! runs in a process of its own: this test program, with a variable that names the call that
//! panics.

use std::error::Error;
use std::ffi::{c_char, c_int};
use std::process::{Command, Output};
use std::sync::Mutex;
use std::{env, ptr};

use kymo_substrate::bindings::*;
use kymo_substrate::*;

/// The variable that names the call in which a child panics.
const WHERE: &str = "KYMO_TEST_PANIC_IN";

/// The calls that have reached the plugin.
static REACHED: Mutex<Vec<&str>> = Mutex::new(Vec::new());

fn reach(call: &'static str) {
    REACHED.lock().expect("the lock is not held in a panic").push(call);
    let place = env::var(WHERE).expect("the parent sets it");
    assert!(place != call, "on\npurpose in {call}");
    if place == format!("{call}, quietly") {
        // This bypasses the panic hook.
        std::panic::resume_unwind(Box::new(17));
    }
    if place == format!("{call}, on a thread") {
        let result = std::thread::spawn(|| panic!("on purpose, on a thread")).join();
        assert!(result.is_err(), "a second message, which must not be printed");
    }
}

struct Panics;

impl SubstratePlugin for Panics {
    const ENABLED: Events<Self> = Events {
        enter_region: Some(|_, _, _, _, _| reach("enter_region")),
        sample: Some(|_, _, _, _, _, _, _, _| reach("sample")),
        trigger_counter_double: Some(|_, _, _, _, _| reach("trigger_counter_double")),
        program_begin: Some(|_, _, _, _, _, _, _, _| reach("program_begin")),
        comm_destroy: Some(|_, _, _, _| reach("comm_destroy")),
        ..Events::NONE
    };

    const DISABLED: Events<Self> =
        Events { program_end: Some(|_, _, _, _, _| reach("program_end")), ..Events::NONE };

    fn init() -> Result<Self, Box<dyn Error>> {
        reach("init");
        if env::var_os(WHERE).is_some_and(|place| place == "init, as an error") {
            return Err("no\tway".into());
        }
        Ok(Self)
    }

    fn set_callbacks(&self, _: Host) {
        reach("set_callbacks");
    }

    fn assign_id(&self, _: usize) {
        reach("assign_id");
    }

    fn get_requirement(&self, _: Requirement) -> bool {
        reach("get_requirement");
        true
    }

    fn new_definition_handle(&self, definition: Definition) {
        assert_eq!((definition.handle().raw(), definition.kind()), (5, HandleType::REGION));
        assert!(matches!(definition, Definition::Region(region) if region.raw() == 5));
        reach("new_definition_handle");
    }

    fn create_location(&self, location: Location, parent: Option<Location>) {
        assert_eq!((location.address(), parent.map(Location::address)), (0x10, None));
        reach("create_location");
    }

    fn activate_cpu_location(&self, location: Location, parent: Option<Location>, count: u32) {
        assert_eq!((location.address(), parent.map(Location::address), count), (0x20, Some(0x10), 4));
        reach("activate_cpu_location");
    }

    fn deactivate_cpu_location(&self, location: Location, parent: Option<Location>) {
        assert_eq!((location.address(), parent.map(Location::address)), (0x20, Some(0x10)));
        reach("deactivate_cpu_location");
    }

    fn core_task_create(&self, location: Location, task: Task) {
        assert_eq!((location.address(), task.address()), (0x10, 0x30));
        reach("core_task_create");
    }

    fn core_task_complete(&self, location: Location, task: Task) {
        assert_eq!((location.address(), task.address()), (0x10, 0x30));
        reach("core_task_complete");
    }

    fn dump_manifest(&self, _: &Manifest<'_>) {
        reach("dump_manifest");
    }

    fn init_mpp(&self) {
        reach("init_mpp");
    }

    fn pre_unify(&self) {
        reach("pre_unify");
    }

    fn write_data(&self) {
        reach("write_data");
    }

    fn delete_location(&self, location: Location) {
        assert_eq!(location.address(), 0x10);
        reach("delete_location");
    }

    fn finalize(&self) {
        reach("finalize");
    }
}

export!(Panics, "panics");

unsafe extern "C" {
    fn SCOREP_SubstratePlugin_panics_get_info() -> SCOREP_SubstratePluginInfo;
}

/// All calls, in the order of the child's life cycle.
const CALLS: [&str; 23] = [
    "init",
    "set_callbacks",
    "assign_id",
    "get_requirement",
    "new_definition_handle",
    "create_location",
    "core_task_create",
    "program_begin",
    "dump_manifest",
    "init_mpp",
    "activate_cpu_location",
    "enter_region",
    "sample",
    "trigger_counter_double",
    "comm_destroy",
    "deactivate_cpu_location",
    "program_end",
    "pre_unify",
    "write_data",
    "core_task_complete",
    "delete_location",
    "finalize",
    "late",
];

/// The results of the calls that return a value to the host.
#[derive(PartialEq, Debug)]
struct Answers {
    init: c_int,
    requirement: bool,
    unknown_requirement: bool,
}

fn pointer<T>(address: usize) -> *mut T {
    ptr::without_provenance_mut(address)
}

/// An event function from the table of a mode, with its signature.
macro_rules! event {
    ($info:ident, $mode:ident, $number:ident as $signature:ident) => {{
        let mut table = ptr::null_mut();
        assert_eq!(
            $info.get_event_functions.expect("the function")($mode, &mut table),
            SCOREP_SUBSTRATES_NUM_EVENTS
        );
        let function = *table.add($number as usize);
        std::mem::transmute::<SCOREP_Substrates_Callback, $signature>(function)
            .expect("an entry in the table")
    }};
}

/// Makes the calls of a process's life cycle.
fn play() -> Answers {
    let (main, other) = (pointer::<SCOREP_Location>(0x10), pointer::<SCOREP_Location>(0x20));
    // SAFETY: each function is called by its type, and the place for a table is valid for the write
    // of a pointer; the plugin follows no other pointer.
    unsafe {
        let info = SCOREP_SubstratePlugin_panics_get_info();
        assert_eq!(info.plugin_version, 2);
        let (on, off) = (SCOREP_SUBSTRATES_RECORDING_ENABLED, SCOREP_SUBSTRATES_RECORDING_DISABLED);
        assert_eq!(info.get_event_functions.expect("the function")(on, ptr::null_mut()), 0);
        let program_begin = event!(info, on, SCOREP_EVENT_PROGRAM_BEGIN as SCOREP_Substrates_ProgramBeginCb);
        let enter = event!(info, on, SCOREP_EVENT_ENTER_REGION as SCOREP_Substrates_EnterRegionCb);
        let sample = event!(info, on, SCOREP_EVENT_SAMPLE as SCOREP_Substrates_SampleCb);
        let counter =
            event!(info, on, SCOREP_EVENT_TRIGGER_COUNTER_DOUBLE as SCOREP_Substrates_TriggerCounterDoubleCb);
        let destroy = event!(info, on, SCOREP_EVENT_COMM_DESTROY as SCOREP_Substrates_CommDestroyCb);
        let end = event!(info, off, SCOREP_EVENT_PROGRAM_END as SCOREP_Substrates_ProgramEndCb);

        enter(main, 1, 5, ptr::null_mut());
        let init = info.init.expect("the function")();
        info.set_callbacks.expect("the function")(ptr::null(), 0);
        info.assign_id.expect("the function")(3);
        let requirement = info.get_requirement.expect("the function")(0);
        let unknown_requirement = info.get_requirement.expect("the function")(3);
        info.new_definition_handle.expect("the function")(5, SCOREP_HANDLE_TYPE_REGION);
        info.create_location.expect("the function")(main, ptr::null());
        info.create_location.expect("the function")(ptr::null(), main);
        info.core_task_create.expect("the function")(main, pointer(0x30));
        program_begin(main, 1, 2, 7, ptr::null_mut(), 4, 5, 6);
        let text: *const c_char = c"folder".as_ptr();
        info.dump_manifest.expect("the function")(pointer(0x50), text, text);
        info.init_mpp.expect("the function")();
        info.activate_cpu_location.expect("the function")(other, main, 4);
        info.activate_cpu_location.expect("the function")(ptr::null(), main, 4);
        enter(main, 2, 5, ptr::null_mut());
        sample(main, 3, 1, 2, 3, 4, ptr::null_mut());
        counter(main, 4, 5, 0.5);
        destroy(main, 5, 6);
        info.deactivate_cpu_location.expect("the function")(other, main);
        info.deactivate_cpu_location.expect("the function")(ptr::null(), main);
        end(main, 6, SCOREP_INVALID_EXIT_STATUS, 5);
        info.pre_unify.expect("the function")();
        info.write_data.expect("the function")();
        info.core_task_complete.expect("the function")(main, pointer(0x30));
        info.core_task_complete.expect("the function")(ptr::null(), pointer(0x30));
        info.delete_location.expect("the function")(main);
        info.delete_location.expect("the function")(ptr::null());
        info.finalize.expect("the function")();
        enter(main, 7, 5, ptr::null_mut());
        info.finalize.expect("the function")();
        Answers { init, requirement, unknown_requirement }
    }
}

/// The test that a child runs. It does nothing in a normal test run.
#[test]
fn child() {
    let Ok(place) = env::var(WHERE) else { return };
    let answers = play();
    drop(std::panic::take_hook());
    let call = place.split(',').next().expect("a call");
    let last = CALLS.iter().position(|&name| name == call).expect("a call of the list");
    let expected =
        Answers { init: c_int::from(call == "init"), requirement: last > 3, unknown_requirement: false };
    assert_eq!(answers, expected);
    // All calls up to the panic were received, and none after it.
    let reached = REACHED.lock().expect("the lock is not held in a panic");
    assert_eq!(*reached, CALLS[..=last.min(CALLS.len() - 2)]);
}

/// Runs a child and returns its standard error.
fn run(place: &str) -> String {
    let Output { status, stdout, stderr } = Command::new(env::current_exe().expect("this program"))
        .args(["child", "--exact", "--nocapture", "--test-threads=1"])
        .env(WHERE, place)
        .env("RUST_BACKTRACE", "1")
        .output()
        .expect("a child");
    let stderr = String::from_utf8(stderr).expect("text");
    assert!(status.success(), "{place}: {status}\n{}\n{stderr}", String::from_utf8_lossy(&stdout));
    stderr
}

#[test]
fn without_a_panic_every_call_is_received_once() {
    assert_eq!(run("late"), "");
}

#[test]
fn a_panic_in_any_call_switches_off_with_one_line() {
    for call in &CALLS[..CALLS.len() - 1] {
        let stderr = run(call);
        let (place, what) = stderr.split_once(": on purpose").unwrap_or_else(|| panic!("{call}: {stderr}"));
        assert!(place.starts_with("panics: panic at ") && place.contains("panics.rs:"), "{stderr}");
        assert_eq!(what, format!(" in {call}; switched off\n"));
    }
}

#[test]
fn a_panic_past_the_hook_names_the_call() {
    assert_eq!(run("sample, quietly"), "panics: panic in sample: no message; switched off\n");
    assert_eq!(run("init, quietly"), "panics: panic in init: no message; switched off\n");
}

#[test]
fn a_panic_on_a_thread_of_the_plugin_switches_off_too() {
    let stderr = run("init_mpp, on a thread");
    assert!(stderr.ends_with(": on purpose, on a thread; switched off\n"), "{stderr}");
    assert_eq!(stderr.lines().count(), 1);
}

#[test]
fn an_error_of_init_is_reported_in_one_line() {
    assert_eq!(run("init, as an error"), "panics: no way\n");
}
