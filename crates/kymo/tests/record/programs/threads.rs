// Three threads that count under a lock.
use std::sync::{Arc, Mutex};
use std::thread;

fn main() {
    let count = Arc::new(Mutex::new(0));
    let work = |count: Arc<Mutex<i32>>| move || (0..100).for_each(|_| *count.lock().unwrap() += 1);
    let threads: Vec<_> = (0..3).map(|_| thread::spawn(work(Arc::clone(&count)))).collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    println!("counted {}", count.lock().unwrap());
}
