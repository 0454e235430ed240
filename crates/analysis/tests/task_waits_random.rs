//! Random programs with tasks: wait states in barriers, `taskwait` and `taskgroup`, compared with
//! their definitions, evaluated one by one. All events have different times.

use crate::waits::{line, waits_of_threads};
use kymo_analysis_testing::*;
use kymo_otf2::enums::Paradigm;
use kymo_otf2::events::*;
use kymo_otf2::references::CommRef;
use kymo_testdata::random_cases;
use proptest::prelude::*;
use proptest::test_runner::Config;

const TEAM: CommRef = CommRef(3);
const THREADS: usize = 3;
const BARRIERS: usize = 2;

/// A task: `None` is the implicit one of a thread.
type Task = Option<usize>;

/// A call that waits.
#[derive(Debug, Clone)]
struct WaitingCall {
    name: &'static str,
    thread: usize,
    task: Task,
    start: u64,
    end: u64,
    /// When its task created others in it, or ended to wait for something else in it.
    last_use: u64,
    /// The place of the group around it among the calls.
    around: Option<usize>,
}

#[derive(Debug, Clone, Copy)]
struct Created {
    creator: (usize, Task),
    /// The place of the group among the calls.
    group: Option<usize>,
    thread: usize,
    completed: Option<(usize, u64)>,
}

/// A level of a thread's stack: the execution of a task, or a call that waits, by its place.
#[derive(Debug, Clone, Copy)]
enum Frame {
    Task(usize),
    Call(usize),
}

#[derive(Debug, Default)]
struct Program {
    now: u64,
    events: Vec<Vec<Timed>>,
    stacks: Vec<Vec<Frame>>,
    barriers: Vec<usize>,
    calls: Vec<WaitingCall>,
    tasks: Vec<Created>,
    waiting: Vec<usize>,
    /// Begin and end of the parts in which a thread executes an explicit task.
    executed: Vec<Vec<(u64, u64, usize)>>,
    running: Vec<Option<(usize, u64)>>,
}

impl Program {
    fn new() -> Self {
        let mut it = Self {
            events: vec![Vec::new(); THREADS],
            stacks: vec![Vec::new(); THREADS],
            barriers: vec![0; THREADS],
            executed: vec![Vec::new(); THREADS],
            running: vec![None; THREADS],
            ..Self::default()
        };
        let model = Paradigm::OPENMP;
        it.push(0, Event::ThreadFork(ThreadFork { model, number_of_requested_threads: THREADS as u32 }));
        for thread in 0..THREADS {
            it.push(thread, Event::ThreadTeamBegin(ThreadTeamBegin { thread_team: TEAM }));
        }
        it
    }

    fn push(&mut self, thread: usize, event: Event<'static>) -> u64 {
        self.now += 1;
        self.events[thread].push((self.now, event));
        self.now
    }

    fn task(&self, thread: usize) -> Task {
        self.stacks[thread].iter().rev().find_map(|frame| match frame {
            Frame::Task(task) => Some(*task),
            Frame::Call(_) => None,
        })
    }

    fn id(&self, task: usize) -> (u32, u32) {
        (self.tasks[task].thread as u32, task as u32 + 1)
    }

    /// Returns the innermost group in which the task of a thread is, as far as it has begun that
    /// itself, and in all.
    fn groups(&self, thread: usize) -> (Option<usize>, Option<usize>) {
        let own = self.task(thread);
        let calls = self.stacks[thread].iter().rev().filter_map(|frame| match frame {
            Frame::Call(call) => Some(*call),
            Frame::Task(_) => None,
        });
        let mut groups = calls.filter(|call| self.calls[*call].name == "!$omp taskgroup");
        let group = groups.find(|call| self.calls[*call].task == own);
        (group, group.or(own.and_then(|own| self.tasks[own].group)))
    }

    fn create(&mut self, thread: usize) {
        let task = self.tasks.len();
        let own = self.task(thread);
        let (own_group, group) = self.groups(thread);
        self.tasks.push(Created { creator: (thread, own), group, thread, completed: None });
        let (creating_thread, generation_number) = self.id(task);
        let event = ThreadTaskCreate { thread_team: TEAM, creating_thread, generation_number };
        let now = self.push(thread, Event::ThreadTaskCreate(event));
        if let Some(group) = own_group {
            self.calls[group].last_use = now;
        }
        self.waiting.push(task);
    }

    fn switch(&mut self, thread: usize) {
        let task = self.task(thread);
        let (creating_thread, generation_number) = task.map_or((thread as u32, 0), |task| self.id(task));
        let event = ThreadTaskSwitch { thread_team: TEAM, creating_thread, generation_number };
        let now = self.push(thread, Event::ThreadTaskSwitch(event));
        if let Some((task, since)) = self.running[thread].take() {
            self.executed[thread].push((since, now, task));
        }
        self.running[thread] = task.map(|task| (task, now));
    }

    fn execute(&mut self, thread: usize, place: usize) {
        let task = self.waiting.swap_remove(place);
        self.stacks[thread].push(Frame::Task(task));
        self.switch(thread);
    }

    fn enter(&mut self, thread: usize, name: &'static str) {
        let (task, around) = (self.task(thread), self.groups(thread).1);
        let start = self.push(thread, Event::Enter(Enter { region: function(name) }));
        self.stacks[thread].push(Frame::Call(self.calls.len()));
        let (end, last_use) = (0, start);
        self.calls.push(WaitingCall { name, thread, task, start, end, last_use, around });
        self.barriers[thread] += usize::from(name == "!$omp barrier");
    }

    /// Ends the innermost level of the thread's stack.
    fn leave(&mut self, thread: usize) {
        match self.stacks[thread].pop() {
            Some(Frame::Task(task)) => {
                let (creating_thread, generation_number) = self.id(task);
                let event = ThreadTaskComplete { thread_team: TEAM, creating_thread, generation_number };
                let now = self.push(thread, Event::ThreadTaskComplete(event));
                self.tasks[task].completed = Some((thread, now));
                self.switch(thread);
            }
            Some(Frame::Call(call)) => {
                let region = function(self.calls[call].name);
                let end = self.push(thread, Event::Leave(Leave { region }));
                self.calls[call].end = end;
                if let Some(Frame::Call(around)) = self.stacks[thread].last() {
                    self.calls[*around].last_use = end;
                }
            }
            None => {}
        }
    }

    /// Does one of the things that a thread can do.
    fn step(&mut self, thread: usize, choice: usize) {
        let top = self.stacks[thread].last().copied();
        let name = match top {
            Some(Frame::Call(call)) => self.calls[call].name,
            _ => "",
        };
        let all_are_in = self.barriers.iter().all(|count| *count >= self.barriers[thread]);
        match choice % 8 {
            0 | 1 if name.is_empty() || name == "!$omp taskgroup" => self.create(thread),
            2 if name.is_empty() || name == "!$omp taskgroup" => self.enter(thread, "!$omp taskwait"),
            3 if name.is_empty() => self.enter(thread, "!$omp taskgroup"),
            4 if top.is_none() && self.barriers[thread] < BARRIERS => self.enter(thread, "!$omp barrier"),
            5 | 6 if !name.is_empty() && !self.waiting.is_empty() => {
                self.execute(thread, choice % self.waiting.len());
            }
            7 if top.is_some() && (name != "!$omp barrier" || all_are_in) => self.leave(thread),
            _ => {}
        }
    }

    /// Ends everything: all enter the barriers that are left.
    fn finish(&mut self) {
        for thread in 0..THREADS {
            while self.stacks[thread].last().is_some_and(|frame| match frame {
                Frame::Call(call) => self.calls[*call].name != "!$omp barrier",
                Frame::Task(_) => true,
            }) {
                self.leave(thread);
            }
        }
        for number in 1..=BARRIERS {
            for thread in 0..THREADS {
                if self.barriers[thread] < number {
                    self.leave(thread);
                    self.enter(thread, "!$omp barrier");
                }
            }
        }
        for thread in 0..THREADS {
            self.leave(thread);
            self.push(thread, Event::ThreadTeamEnd(ThreadTeamEnd { thread_team: TEAM }));
        }
        self.push(0, Event::ThreadJoin(ThreadJoin { model: Paradigm::OPENMP }));
    }

    /// Returns the parts of a time of a thread without the tasks that it executed, but for one.
    fn without_tasks(&self, thread: usize, own: Task, from: u64, to: u64) -> Vec<(u64, u64)> {
        let is_waiting = |time: u64| {
            let mut executed = self.executed[thread].iter();
            !executed.any(|(since, until, task)| Some(*task) != own && (*since..*until).contains(&time))
        };
        let mut parts: Vec<(u64, u64)> = Vec::new();
        for time in (from..to).filter(|time| is_waiting(*time)) {
            match parts.last_mut().filter(|last| last.1 == time) {
                Some(last) => last.1 += 1,
                None => parts.push((time, time + 1)),
            }
        }
        parts
    }

    fn expected(&self) -> Vec<String> {
        let mut all = Vec::new();
        let mut add = |kind: &str, thread: usize, parts: Vec<(u64, u64)>, cause: usize| {
            all.extend(parts.iter().map(|(from, to)| format!("{kind} {thread}: {from}-{to} {cause}")));
        };
        for number in 0..BARRIERS {
            let members: Vec<_> = (0..THREADS)
                .filter_map(|thread| {
                    let is_own = |it: &&WaitingCall| it.name == "!$omp barrier" && it.thread == thread;
                    self.calls.iter().filter(is_own).nth(number)
                })
                .collect();
            let entered = members.iter().map(|it| (it.start, it.thread)).max().expect("members");
            let first_leave = members.iter().map(|it| it.end).min().expect("members");
            let completed = self.tasks.iter().filter_map(|it| it.completed);
            let last = completed.map(|(thread, time)| (time, thread)).filter(|it| it.0 <= first_leave).max();
            let (until, cause) = last.map_or(entered, |last| last.max(entered));
            for it in members {
                add(
                    "omp_barrier",
                    it.thread,
                    self.without_tasks(it.thread, None, it.start, until.min(it.end)),
                    cause,
                );
            }
        }
        for (place, it) in self.calls.iter().enumerate() {
            // A group that has ended before its tasks, as no program does, hides those around it.
            let is_open = |group: &usize, task: &Created| {
                task.completed.is_some_and(|(_, time)| time <= self.calls[*group].end)
            };
            let is_awaited = |task: &&Created| match it.name {
                "!$omp taskgroup" => {
                    let around = |group: &usize| self.calls[*group].around.filter(|_| is_open(group, task));
                    std::iter::successors(task.group, around).any(|it| it == place)
                }
                _ => task.creator.1 == it.task && (it.task.is_some() || task.creator.0 == it.thread),
            };
            let completed = self.tasks.iter().filter(is_awaited).filter_map(|task| task.completed);
            let inside = completed
                .filter(|(thread, time)| *thread != it.thread && it.start < *time && *time <= it.end);
            let Some((cause, until)) = inside.max_by_key(|it| it.1) else { continue };
            let (kind, from) = match it.name {
                "!$omp taskwait" => ("task_wait", it.start),
                "!$omp taskgroup" => ("taskgroup", it.last_use),
                _ => continue,
            };
            add(kind, it.thread, self.without_tasks(it.thread, it.task, from, until), cause);
        }
        all.sort();
        all
    }
}

proptest! {
    #![proptest_config(Config { cases: random_cases(250), failure_persistence: None, ..Config::default() })]

    #[test]
    fn threads_wait_for_tasks_as_defined(steps in prop::collection::vec((0..THREADS, 0..1000_usize), 20..150)) {
        let mut program = Program::new();
        for (thread, choice) in steps {
            program.step(thread, choice);
        }
        program.finish();
        let mut found: Vec<_> = waits_of_threads(&program.events).iter().map(line).collect();
        found.sort();
        prop_assert_eq!(found, program.expected());
    }
}
