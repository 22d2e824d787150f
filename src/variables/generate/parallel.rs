//! Key pairs on all cores.

use std::sync::{Mutex, PoisonError, mpsc};
use std::thread::{self, Builder};
use std::time::Duration;

use super::key_source::KeySource;

/// Time between two reports of the progress.
const TICK: Duration = Duration::from_millis(200);

/// A source, and the length of the key pair to make.
pub type KeyTask<'k> = (&'k mut KeySource, usize);

/// Makes key pairs in advance, and tells how many of all are made, again and again.
///
/// If no thread can be started, the pairs are made when they are needed.
pub fn make_keys(tasks: Vec<KeyTask<'_>>, tell: &mut dyn FnMut(usize, usize)) {
    let all = tasks.len();
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let todo = Mutex::new(tasks.into_iter());
    thread::scope(|scope| {
        let (made, is_made) = mpsc::channel();
        let start = |_| {
            let (made, todo) = (made.clone(), &todo);
            Builder::new().spawn_scoped(scope, move || work(todo, &made)).ok()
        };
        let started = (0..cores.min(all)).map_while(start).count();
        drop(made);
        let mut count = 0;
        // A target without threads has no clock to wait by, either.
        while started > 0 && count < all {
            match is_made.recv_timeout(TICK) {
                Ok(()) => count += 1,
                Err(mpsc::RecvTimeoutError::Timeout) => {}
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
            }
            tell(count, all);
        }
    });
}

fn work(todo: &Mutex<std::vec::IntoIter<KeyTask<'_>>>, made: &mpsc::Sender<()>) {
    let next = || todo.lock().unwrap_or_else(PoisonError::into_inner).next();
    while let Some((source, bits)) = next() {
        source.make(bits);
        // Nobody waits any more after a panic of the thread that tells.
        made.send(()).ok();
    }
}
