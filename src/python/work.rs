//! What operations do beside giving their result comes in; how many steps of a run that
//! amounts to goes out.

use std::cell::Cell;

use super::{Class, Exception, Result};

/// So much work is a step: a member that is handed on is an eighth of one, a byte that is
/// made a sixty-fourth.
const STEP: u64 = 64;
const MEMBER: u64 = 8;

/// The most steps of one operation.
const MOST: u64 = 1 << 26;

thread_local! {
    static DONE: Cell<u64> = const { Cell::new(0) };
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
    match add(values as u64 * STEP) <= MOST * STEP {
        true => Ok(()),
        false => Err(Exception::new(
            Class::Limit,
            format!("an operation takes more than {MOST} comparisons"),
        )),
    }
}

fn add(work: u64) -> u64 {
    let done = DONE.get().saturating_add(work);
    DONE.set(done);
    done
}
