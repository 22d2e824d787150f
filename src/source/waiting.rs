//! Tells what the program waits for when nothing arrives from a pipe or a terminal.

use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

/// The time without a byte after which it is reported. Programs at the other end of a pipe
/// mostly answer sooner; people wonder later.
const SILENCE: Duration = Duration::from_secs(1);

/// A wait for the first byte of a stream; it ends when it is dropped.
#[derive(Debug)]
pub(super) struct Waiting {
    _arrived: Option<Sender<()>>,
}

impl Waiting {
    /// Starts to wait for a stream. `tell` is called with its name after a while.
    pub(super) fn start(name: &Path, tell: Option<fn(&Path)>) -> Waiting {
        let Some(tell) = tell else { return Waiting { _arrived: None } };
        let (arrived, news) = channel::<()>();
        let name = name.to_owned();
        let wait = move || {
            if news.recv_timeout(SILENCE) == Err(RecvTimeoutError::Timeout) {
                tell(&name);
            }
        };
        // Without a thread nothing is reported, and the stream is read all the same.
        let thread = thread::Builder::new().spawn(wait);
        Waiting { _arrived: thread.is_ok().then_some(arrived) }
    }
}
