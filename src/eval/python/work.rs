//! What operations do beside giving their result comes in; how many steps of a run that
//! amounts to goes out.

use std::cell::Cell;

use super::{Class, Exception, Result};

/// So much work is a step: a member that is handed on is an eighth of one, a byte that is
/// made a sixty-fourth.
const STEP: u64 = 64;
const MEMBER: u64 = 8;

/// The most steps of operations, unless somebody says how many.
const MOST: u64 = 1 << 26;

thread_local! {
    static DONE: Cell<u64> = const { Cell::new(0) };
    /// How many steps operations may take until somebody asks, and how many all may take.
    static LEFT: Cell<(u64, u64)> = const { Cell::new((MOST, MOST)) };
}

/// Says how many steps of a limit are left to the operations on this thread.
pub fn leave(steps: u64, limit: u64) {
    LEFT.set((steps, limit));
}

/// How many steps operations have taken on this thread since somebody last asked.
pub fn worked() -> u64 {
    let done = DONE.get();
    DONE.set(done % STEP);
    done / STEP
}

/// Takes note of members that are handed on.
pub(super) fn hand(members: usize) {
    add(members as u64 * MEMBER);
}

/// Takes note of a text that is made.
pub(super) fn spell(bytes: usize) {
    add(bytes as u64);
}

/// Takes note of values that are compared.
///
/// # Errors
/// The operation has compared too many.
pub(super) fn compare(values: usize) -> Result<()> {
    let (left, limit) = LEFT.get();
    if add(values as u64 * STEP) <= left.saturating_mul(STEP) {
        Ok(())
    } else {
        Err(exhausted(limit))
    }
}

/// More work than a limit allows.
pub fn exhausted(limit: u64) -> Box<Exception> {
    let message =
        format!("evaluation takes more than {limit} steps; `--limit fuel=N` allows more");
    Exception::new(Class::Limit, message)
}

fn add(work: u64) -> u64 {
    let done = DONE.get().saturating_add(work);
    DONE.set(done);
    done
}
