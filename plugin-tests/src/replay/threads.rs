//! One system thread for each recorded thread. Only one runs at a time, so that calls are made in
//! the order of the file. The recording's first thread is the calling one; the others start with
//! their first call and then wait for their turns.

use crate::replay::script::{Run, ScriptPart};
use std::collections::HashMap;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Builder, Scope};

/// Steps for a thread to play.
type Job<'env> = (&'env ScriptPart, &'env Run, u64);

/// Plays runs of steps on the calling thread.
pub(crate) trait Play: Sync {
    /// Plays `run` of `part`, with all timestamps later by `shift`.
    fn run(&self, part: &ScriptPart, run: &Run, shift: u64);
}

/// A thread that waits for its turn.
struct Worker<'env> {
    jobs: Sender<Job<'env>>,
    done: Receiver<()>,
}

/// The threads of a replay.
pub(crate) struct Threads<'scope, 'env, P> {
    scope: &'scope Scope<'scope, 'env>,
    player: &'env P,
    main: usize,
    workers: HashMap<usize, Worker<'env>>,
}

impl<'scope, 'env, P: Play> Threads<'scope, 'env, P> {
    /// Creates the threads of a replay; the calling thread is recorded thread `main`.
    pub(crate) fn new(scope: &'scope Scope<'scope, 'env>, player: &'env P, main: usize) -> Self {
        Self { scope, player, main, workers: HashMap::new() }
    }

    /// Plays a part, handing over between its runs.
    pub(crate) fn play(&mut self, part: &'env ScriptPart, shift: u64) {
        for run in &part.runs {
            if run.thread == self.main {
                self.player.run(part, run, shift);
            } else {
                self.worker(run.thread).play((part, run, shift));
            }
        }
    }

    fn worker(&mut self, thread: usize) -> &Worker<'env> {
        let (scope, player) = (self.scope, self.player);
        self.workers.entry(thread).or_insert_with(|| Worker::start(scope, player, thread))
    }
}

impl<'env> Worker<'env> {
    fn start<'scope, P: Play>(scope: &'scope Scope<'scope, 'env>, player: &'env P, thread: usize) -> Self {
        let (jobs, todo) = channel::<Job<'env>>();
        let (finished, done) = channel();
        let work = move || {
            for (part, run, shift) in todo {
                player.run(part, run, shift);
                if finished.send(()).is_err() {
                    break;
                }
            }
        };
        let started = Builder::new().name(format!("recorded {thread}")).spawn_scoped(scope, work);
        started.expect("starting a thread for a recorded one");
        Self { jobs, done }
    }

    fn play(&self, job: Job<'env>) {
        self.jobs.send(job).expect("the thread waits for its next steps");
        self.done.recv().expect("the thread plays its steps");
    }
}
