//! A program that measures itself, for the tests of the runtime: executes its arguments as actions,
//! in order.

use kymo_runtime::adapter::MetricDefinition;
use kymo_runtime::measurement::{self as measurement, Region, here};

const USER: u32 = 1;
const FUNCTION: u32 = 1;

fn region(name: &str) -> Region {
    measurement::define_region(name.as_bytes(), name.as_bytes(), Some(b"measured.rs"), 1, 2, USER, FUNCTION)
}

fn within(name: &str, what: impl FnOnce()) {
    let region = region(name);
    if let Some(here) = here() {
        here.enter(region);
    }
    what();
    if let Some(here) = here() {
        here.leave(region);
    }
}

fn values() {
    let signed = measurement::define_parameter(b"signed", 0);
    let text = measurement::define_parameter(b"text", 2);
    let word = measurement::define_string(b"a word");
    let counter = measurement::define_counter(&counter());
    let Some(here) = here() else { return };
    here.parameter_i64(signed, -7);
    here.parameter_string(text, word);
    here.counter_f64(counter, 2.5);
}

fn counter() -> MetricDefinition {
    MetricDefinition {
        name: "a counter".to_owned(),
        description: String::new(),
        unit: "#".to_owned(),
        source: 2,
        mode: 4,
        value_type: 2,
        base: 0,
        exponent: 0,
        profiling: 1,
    }
}

/// Runs some concurrent threads, each of which enters and leaves a region three times.
fn threads(number: usize) {
    let create = |_| {
        let creation = here().map(|here| here.thread_create());
        let thread = std::thread::spawn(move || {
            creation.inspect(|&creation| measurement::thread_begin(creation));
            (0..3).for_each(|_| within("in a thread", || {}));
            measurement::thread_end();
        });
        (creation, thread)
    };
    let all: Vec<_> = (0..number).map(create).collect();
    for (creation, thread) in all {
        thread.join().unwrap();
        if let (Some(creation), Some(here)) = (creation, here()) {
            here.thread_wait(creation);
        }
    }
}

/// Starts a thread that is still running when the program ends.
fn endless() {
    let creation = here().map(|here| here.thread_create());
    let (started, has_started) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        creation.inspect(|&creation| measurement::thread_begin(creation));
        within("endless", || {
            within("in a thread", || {});
            let _ = started.send(());
            loop {
                within("in a thread", || {});
            }
        });
    });
    has_started.recv().unwrap();
}

/// Runs a thread that is not announced to the runtime.
fn orphan() {
    let work = || {
        let region = region("in an orphan");
        measurement::here_or_orphan().inspect(|here| here.enter(region));
        here().inspect(|here| here.leave(region));
    };
    std::thread::spawn(work).join().unwrap();
}

/// Defines more regions than a small arena has room for.
fn many() {
    for number in 0..20_000 {
        within(&format!("region number {number}"), || {});
    }
}

/// Returns the shortest time of repeated rounds of `work`, in nanoseconds per call.
fn least(mut work: impl FnMut()) -> f64 {
    const TIMES: u32 = 2_000_000;
    let mut round = || {
        let start = std::time::Instant::now();
        (0..TIMES).for_each(|_| work());
        start.elapsed().as_secs_f64() * 1e9 / f64::from(TIMES)
    };
    (0..20).map(|_| round()).fold(f64::INFINITY, f64::min)
}

/// Prints the cost of a pair of enter and leave, and the part of it for reading the clock.
fn cost() {
    let region = region("cheap");
    let pair = least(|| {
        here().inspect(|here| here.enter(region));
        here().inspect(|here| here.leave(region));
    });
    let Some(here) = here() else { return };
    let readings = least(|| {
        std::hint::black_box((here.now(), here.now()));
    });
    println!("{pair:.1} ns a pair, {readings:.1} ns of it the clock");
}

/// Forks, which the runtime notices on its own.
fn fork() {
    // SAFETY: the child continues this program, which has one thread.
    let child = unsafe { libc::fork() };
    if child == 0 {
        within("in a child", || {});
        std::process::exit(0);
    }
    // SAFETY: a child of this process.
    unsafe { libc::waitpid(child, std::ptr::null_mut(), 0) };
}

fn main() {
    measurement::begin();
    for what in std::env::args().skip(1) {
        match what.as_str() {
            "region" => within("outer", || within("inner", || {})),
            "open" => {
                here().inspect(|here| here.enter(region("left open")));
            }
            "jump" => {
                let outer = region("outer");
                here().inspect(|here| here.enter(outer));
                here().inspect(|here| here.enter(region("jumped out of")));
                here().inspect(|here| here.leave(outer));
            }
            "values" => values(),
            "off" => drop(here().inspect(|here| here.recording_off())),
            "on" => drop(here().inspect(|here| here.recording_on())),
            "thread" => threads(1),
            "threads" => threads(4),
            "cost" => cost(),
            "orphan" => orphan(),
            "many" => many(),
            "endless" => endless(),
            "fork" => fork(),
            "end" => measurement::end(Some(3)),
            "abort" => std::process::abort(),
            other => panic!("unknown action `{other}`"),
        }
    }
}
