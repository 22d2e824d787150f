//! The stack that evaluation runs on: whatever nests on it, templates, macros, expressions,
//! values, what is left of it decides.

use std::cell::Cell;
use std::panic::resume_unwind;
use std::thread;

use crate::eval::python::{Class, Exception, Result};

/// What a stack may take.
const STACK: usize = 1 << 29;

/// What is kept for what does not ask how much is left: reading a template, walking a value.
const SPARE: usize = 1 << 27;

thread_local! {
    /// Where the stack begins, in a thread of ours.
    static START: Cell<Option<usize>> = const { Cell::new(None) };
}

/// Does something on a stack that is deep enough.
///
/// # Errors
/// What that raises; there is no room for a stack.
pub(crate) fn run<T: Send>(action: impl FnOnce() -> Result<T> + Send) -> Result<T> {
    let run = || {
        START.set(Some(here()));
        action()
    };
    thread::scope(|threads| {
        let thread = thread::Builder::new().stack_size(STACK).spawn_scoped(threads, run);
        match thread.map(thread::ScopedJoinHandle::join) {
            Ok(done) => done.unwrap_or_else(|panic| resume_unwind(panic)),
            Err(error) => Err(Exception::new(
                Class::Limit,
                format!("there is no room to evaluate in: {error}"),
            )),
        }
    })
}

/// Goes on only if there is enough left of the stack.
///
/// # Errors
/// There is not.
pub(crate) fn check() -> Result<()> {
    match START.get() {
        Some(start) if start.abs_diff(here()) > STACK - SPARE => Err(Exception::new(
            Class::Recursion,
            "evaluation nests deeper than there is room for",
        )),
        _ => Ok(()),
    }
}

/// About where the end of the stack is.
fn here() -> usize {
    let mark = 0u8;
    std::ptr::from_ref(&mark) as usize
}
