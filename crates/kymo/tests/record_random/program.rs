//! Random programs that know their call paths.

use std::collections::BTreeSet;
use std::fmt::Write;

/// A sequence of numbers that a seed determines.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(super) fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % most
    }

    pub(super) fn one_of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}

/// How a function is defined and called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FunctionKind {
    Plain,
    Inline,
    /// A member that is called through a table.
    Virtual,
    /// Is in a file without unwind information.
    Bare,
    /// Moves the stack pointer by an amount that only its argument tells.
    Alloca,
    /// Aligns its frame, and takes arguments on the stack.
    Aligned,
}

const KINDS: [FunctionKind; 9] = [
    FunctionKind::Plain,
    FunctionKind::Plain,
    FunctionKind::Plain,
    FunctionKind::Inline,
    FunctionKind::Virtual,
    FunctionKind::Bare,
    FunctionKind::Bare,
    FunctionKind::Alloca,
    FunctionKind::Aligned,
];

/// A random program.
pub(super) struct Program {
    /// The part in C++, and that in C.
    pub(super) main: String,
    pub(super) bare: String,
    /// The names of its functions.
    pub(super) functions: BTreeSet<String>,
    /// Which of them may call which.
    pub(super) edges: BTreeSet<(String, String)>,
    /// Calls that may be jumps.
    jumps: BTreeSet<(String, String)>,
    kinds: Vec<FunctionKind>,
    random: Random,
}

impl Program {
    pub(super) fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let count = 8 + random.below(12);
        let mut kinds: Vec<_> = (0..count).map(|_| *random.one_of(&KINDS)).collect();
        // All others can call it.
        kinds[0] = FunctionKind::Plain;
        let mut this = Self {
            main: String::new(),
            bare: String::new(),
            functions: BTreeSet::new(),
            edges: BTreeSet::new(),
            jumps: BTreeSet::new(),
            kinds,
            random,
        };
        this.write();
        this.add_edges_of_jumps();
        this
    }

    /// A function that was jumped to seems to be called by the caller of the one that jumped.
    fn add_edges_of_jumps(&mut self) {
        loop {
            let callers = |function: &String| {
                let edges = self.edges.iter().filter(|(_, callee)| callee == function);
                edges.map(|(caller, _)| caller.clone()).collect::<Vec<_>>()
            };
            let jumps = self.jumps.iter();
            let new = jumps.flat_map(|(own, next)| callers(own).into_iter().map(|it| (it, next.clone())));
            let before = self.edges.len();
            let new: Vec<_> = new.collect();
            self.edges.extend(new);
            if self.edges.len() == before {
                break;
            }
        }
    }

    fn name(&self, number: usize) -> String {
        match self.kinds[number] {
            FunctionKind::Virtual => format!("D{number}::m"),
            FunctionKind::Bare => format!("p{number}"),
            FunctionKind::Inline => format!("g{number}"),
            _ => format!("f{number}"),
        }
    }

    fn call(&self, number: usize, argument: &str) -> String {
        match self.kinds[number] {
            FunctionKind::Virtual => format!("all[{number}]->m({argument})"),
            FunctionKind::Aligned => format!("f{number}({argument}, 1, 2, 3, 4, 5, 6, 7, 8, 9)"),
            _ => format!("{}({argument})", self.name(number)),
        }
    }

    fn signature(&self, number: usize) -> String {
        let (name, noinline) = (self.name(number), if number.is_multiple_of(3) { "" } else { NOINLINE });
        match self.kinds[number] {
            FunctionKind::Inline => {
                format!("static inline __attribute__((always_inline)) long {name}(long n)")
            }
            FunctionKind::Aligned => {
                format!(
                    "{noinline}long {name}(long n, long, long, long, long, long, long, long, long, long last)"
                )
            }
            _ => format!("{noinline}long {name}(long n)"),
        }
    }

    /// Returns a function that another one may call: an inlined one only calls later ones.
    fn callee(&mut self, caller: usize) -> usize {
        loop {
            let callee = self.random.below(self.kinds.len());
            let is_bare = self.kinds[caller] == FunctionKind::Bare;
            // Code in C knows no members, nor functions that are only in the part in C++.
            let is_callable =
                !is_bare || !matches!(self.kinds[callee], FunctionKind::Virtual | FunctionKind::Inline);
            let is_defined = self.kinds[callee] != FunctionKind::Inline || callee > caller;
            if is_callable && is_defined {
                return callee;
            }
        }
    }

    fn edge(&mut self, caller: &str, callee: &str) {
        self.edges.insert((caller.to_owned(), callee.to_owned()));
    }

    /// Returns a statement that calls another function.
    fn statement(&mut self, caller: usize) -> String {
        let own = self.name(caller);
        let callee = self.callee(caller);
        let (name, call) = (self.name(callee), self.call(callee, "n - 1"));
        let is_bare = self.kinds[caller] == FunctionKind::Bare;
        let macro_name = if is_bare { "CALL_WITHOUT_EXCEPTIONS" } else { "CALL" };
        let plain = format!("{macro_name}(\"{name}\", r += {call});");
        match self.random.below(if is_bare { 2 } else { 12 }) {
            0 => "EVENT();".to_owned(),
            1..=5 => {
                self.edge(&own, &name);
                plain
            }
            6 => {
                self.edge(&own, &name);
                format!(
                    "{{ int d = shadow.depth, c = shadow.catching++; jmp_buf *outer = jump; try {{ {plain} }} catch (int) {{ shadow.depth = d; jump = outer; }} shadow.catching = c; }}"
                )
            }
            7 => "if (shadow.catching > 0 && drawn(3) == 0) throw 1;".to_owned(),
            8 => {
                self.edge(&own, "handler");
                "if (!is_in_handler) { is_in_handler = 1; raise(SIGUSR1); is_in_handler = 0; }".to_owned()
            }
            9 => {
                self.edge(&own, "compare");
                "{ int three[3] = {3, 1, 2}; qsort(three, 3, sizeof *three, compare); r += three[0]; }"
                    .to_owned()
            }
            10 if self.kinds[caller] != FunctionKind::Inline => {
                self.edge(&own, &name);
                format!(
                    "{{ jmp_buf place, *volatile outer = jump; volatile int d = shadow.depth, c = shadow.catching; \
                     if (!setjmp(place)) {{ jump = &place; {plain} }} jump = outer; shadow.depth = d; shadow.catching = c; }}"
                )
            }
            11 => "if (jump && drawn(4) == 0) longjmp(*jump, 1);".to_owned(),
            _ => "EVENT();".to_owned(),
        }
    }

    /// Writes the body of a function.
    fn body(&mut self, number: usize) -> String {
        let own = self.name(number);
        let work = 1000 + self.random.below(15_000);
        let mut body = format!(
            " {{\n    long r = {number};\n    for (volatile int i = 0; i < {work}; i++) r += i * {};\n",
            number + 3
        );
        match self.kinds[number] {
            FunctionKind::Alloca => {
                body += "    char *room = (char *)alloca((size_t)(n & 31) * 24 + 8);\n    use(room);\n"
            }
            FunctionKind::Aligned => {
                body += "    alignas(64) double values[8] = {1.0 * last};\n    use(values);\n"
            }
            _ => {}
        }
        body += "    if (n <= 0 || shadow.left-- <= 0) return r;\n";
        for _ in 0..1 + self.random.below(4) {
            let statement = self.statement(number);
            writeln!(body, "    {statement}").expect("a string");
        }
        let callee = self.callee(number);
        // Where the frame has something that others may refer to, compilers make no jump.
        let may_jump =
            matches!(self.kinds[callee], FunctionKind::Plain | FunctionKind::Alloca | FunctionKind::Bare)
                && self.kinds[number] != FunctionKind::Bare;
        if self.random.below(3) == 0 && may_jump {
            let (name, call) = (self.name(callee), self.call(callee, "n - 1"));
            self.edge(&own, &name);
            self.jumps.insert((own, name.clone()));
            writeln!(body, "    return LAST_CALL(\"{name}\", {call});\n}}").expect("a string");
        } else {
            body += "    EVENT();\n    return r;\n}\n";
        }
        body
    }

    fn write(&mut self) {
        let numbers = 0..self.kinds.len();
        let mut definitions = String::new();
        // Inlined functions must be defined before their callers.
        for number in numbers.clone().rev() {
            let (signature, body) = (self.signature(number), self.body(number));
            match self.kinds[number] {
                FunctionKind::Virtual => {
                    writeln!(definitions, "{NOINLINE}long D{number}::m(long n){body}").expect("a string");
                }
                FunctionKind::Bare => self.bare += &format!("{signature}{body}"),
                _ => definitions += &format!("{signature}{body}"),
            }
        }
        let mut declarations = String::new();
        let mut shared = String::new();
        for number in numbers.clone() {
            let signature = self.signature(number);
            match self.kinds[number] {
                FunctionKind::Virtual => {
                    writeln!(declarations, "struct D{number} : B {{ long m(long n) override; }};")
                }
                FunctionKind::Inline => writeln!(declarations, "{signature};"),
                _ => writeln!(shared, "{signature};"),
            }
            .expect("a string");
        }
        let all = numbers.clone().map(|number| match self.kinds[number] {
            FunctionKind::Virtual => format!("new D{number}"),
            _ => "nullptr".to_owned(),
        });
        let all = all.collect::<Vec<_>>().join(", ");
        let entries = self.entries();
        self.bare = format!("{COMMON}{shared}{}", self.bare);
        self.main = format!(
            "{HEADER}extern \"C\" {{\n{COMMON}{shared}}}\n{declarations}static B *all[] = {{{all}}};\n{definitions}{entries}"
        );
        self.functions = numbers.map(|number| self.name(number)).collect();
        let others = ["main", "compare", "handler", "body", "work"];
        self.functions.extend(others.map(str::to_owned));
    }

    /// Writes the functions that something else than the program calls, and `main`.
    fn entries(&mut self) -> String {
        let numbers: Vec<_> = (0..self.kinds.len()).collect();
        let entry = |this: &mut Self, caller: &str, argument: &str| {
            let callee = *this.random.one_of(&numbers);
            let (name, call) = (this.name(callee), this.call(callee, argument));
            this.edge(caller, &name);
            format!("CALL(\"{name}\", {call});")
        };
        let (body, work) = (entry(self, "body", "5"), entry(self, "work", "7"));
        let calls: Vec<_> = (0..4).map(|_| entry(self, "main", "7")).collect();
        let again = calls.join(" shadow.left = 60; ");
        ENTRIES.replace("BODY", &body).replace("WORK", &work).replace("AGAIN", &again)
    }
}

const NOINLINE: &str = "__attribute__((noinline)) ";

const COMMON: &str = r#"#include "random.h"
void use(void *);
"#;

const HEADER: &str = r#"#include <alloca.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <ucontext.h>
struct B { virtual long m(long n) = 0; };
static __thread int is_in_handler;
static __thread jmp_buf *jump;
static int compare(const void *, const void *);
"#;

/// Functions that something else than the program calls, and `main`.
const ENTRIES: &str = r#"
__thread struct shadow shadow;
void use(void *place) { asm volatile("" : : "r"(place) : "memory"); }
__attribute__((noinline)) static int compare(const void *one, const void *other) {
    CALL("compare", EVENT());
    return *(const int *)one - *(const int *)other;
}
static void handler(int) { CALL("handler", EVENT()); }
static ucontext_t outside, inside;
static int is_at_end;
__attribute__((noinline)) static void body() {
    BODY
    EVENT();
    is_at_end = 1;
    swapcontext(&inside, &outside);
}
static void begin(const char *name, unsigned random) {
    shadow.file = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    shadow.random = random;
    shadow.left = 60;
}
/* Whether the thread has used so little processor time that it would have few samples. */
static int is_short() {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec == 0 && time.tv_nsec < 250000000;
}
__attribute__((noinline)) static void *work(void *name) {
    begin((const char *)name, 7);
    CALL("work", while (is_short()) { shadow.left = 60; WORK } EVENT());
    return nullptr;
}
__attribute__((noinline)) static void coroutine() {
    int begin = shadow.begin;
    getcontext(&inside);
    inside.uc_stack.ss_size = 1 << 20;
    inside.uc_stack.ss_sp = malloc(1 << 20);
    inside.uc_link = nullptr;
    makecontext(&inside, body, 0);
    shadow.begin = shadow.depth;
    int d = shadow.depth;
    put("body");
    shadow.left = 60;
    swapcontext(&outside, &inside);
    shadow.depth = d;
    shadow.begin = begin;
}
int main() {
    struct sigaction action = {};
    action.sa_handler = handler;
    sigaction(SIGUSR1, &action, nullptr);
    begin("path-main", 1);
    put("main");
    pthread_t thread;
    if (pthread_create(&thread, nullptr, work, (void *)"path-work")) return 1;
    while (is_short()) {
        shadow.left = 60;
        AGAIN
        coroutine();
    }
    pthread_join(thread, nullptr);
    return !is_at_end;
}
"#;
