//! The stack that evaluation runs on. Templates, macros, expressions and values nest on
//! it in any mix, so the space that is left is the only common limit.

use std::cell::Cell;
#[cfg(not(target_family = "wasm"))]
use std::{panic::resume_unwind, thread};

use crate::eval::python::{Class, Exception, Result};

/// Size of the stack in bytes. Only touched pages take memory, so it can be large: 512
/// MiB hold the default nesting limits in a debug build. WebAssembly has the stack that
/// the linker gives it.
const STACK: usize = if cfg!(target_family = "wasm") { 1 << 20 } else { 1 << 29 };

/// Bytes reserved for code that recurses without calling [`check`]: parsing a template
/// (up to 800 levels) and walking a value (up to 900).
const SPARE: usize = STACK / 4;

thread_local! {
    /// The address at which the stack of the evaluation thread begins.
    static START: Cell<Option<usize>> = const { Cell::new(None) };
}

/// Runs an action on the stack of its caller: there are no threads.
#[cfg(target_family = "wasm")]
pub(crate) fn run<T: Send>(action: impl FnOnce() -> Result<T> + Send) -> Result<T> {
    let outer = START.get();
    START.set(outer.or_else(|| Some(here())));
    let done = action();
    START.set(outer);
    done
}

/// Runs an action on a large stack of its own. Raises a `Limit` if there is no memory.
#[cfg(not(target_family = "wasm"))]
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

/// Checks that enough of the stack is left; raises a `Recursion` if it is nearly full.
pub(crate) fn check() -> Result<()> {
    match START.get() {
        Some(start) if start.abs_diff(here()) > STACK - SPARE => {
            let message = "evaluation nests deeper than there is room for";
            Err(Exception::new(Class::Recursion, message))
        }
        _ => Ok(()),
    }
}

/// Returns an address near the current end of the stack.
fn here() -> usize {
    let mark = 0u8;
    std::ptr::from_ref(&mark) as usize
}
