//! Limits of operations: the sizes that one result may have, and the steps that
//! operations charge to the run.

use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{Class, Exception, Result};

/// The limits of operations. A run can lower them: what is far above any value of a
/// configuration is bounded by the memory and the stack that operations may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperationLimits {
    /// Maximum number of bytes that one operation makes. A container has an eighth of it as
    /// members at most.
    pub bytes: usize,
    /// Maximum nesting that an operation follows.
    pub depth: usize,
    /// Maximum number of members of lists, tuples and dicts that live at a time.
    pub members: usize,
}

impl OperationLimits {
    /// The highest limits, which hold without an option.
    pub const HIGHEST: OperationLimits = OperationLimits {
        // 16 MB: small enough that a document of `{{ 'a' * 10**9 }}` cannot exhaust the
        // memory.
        bytes: 1 << 24,
        // Python stops at 1,000 calls, some of which the interpreter itself has used by then.
        depth: 900,
        // Measured, they take from 215 MB in long lists to 535 MB in a list of lists of one.
        members: 1 << 23,
    };
}

/// Sets the limits of the operations on this thread.
pub fn set_operation_limits(limits: OperationLimits) {
    LIMITS.set(limits);
}

/// Returns the maximum number of bytes that one operation makes.
pub(super) fn max_bytes() -> usize {
    LIMITS.get().bytes
}

/// Returns the maximum number of members that one operation gives a container.
// A member takes at least eight bytes, so the memory of both limits is of one order.
pub fn max_members() -> usize {
    max_bytes() / 8
}

/// Returns the maximum nesting that an operation follows.
pub fn max_depth() -> usize {
    LIMITS.get().depth
}

/// Raises a [`Class::Limit`] for a text of more bytes than one operation makes.
pub fn limit_bytes(count: usize) -> Result<()> {
    check(count, max_bytes())
}

/// Raises a [`Class::Recursion`] beyond the nesting that operations follow. `doing` tells
/// what failed, if Python does.
pub fn limit_depth(depth: usize, doing: &str) -> Result<()> {
    if depth <= max_depth() {
        return Ok(());
    }
    let message = format!("maximum recursion depth exceeded {doing}");
    Err(too_deep(message.trim_end()))
}

/// Returns the exception for a value that nests too deep.
pub fn too_deep(message: impl Into<String>) -> Box<Exception> {
    let hint =
        format!("`--limit value-depth` is {} at most", OperationLimits::HIGHEST.depth);
    Exception::new(Class::Recursion, message).hint(hint)
}

/// Raises a [`Class::Limit`] for a container of more members than one operation gives it.
pub fn limit_members(count: usize) -> Result<()> {
    check(count, max_members())
}

fn check(count: usize, limit: usize) -> Result<()> {
    if count <= limit {
        return Ok(());
    }
    let message =
        format!("a result of {count} parts is more than the {limit} that are allowed");
    Err(too_large(message))
}

/// Returns the exception for an operation that makes or meets too much.
pub fn too_large(message: impl Into<String>) -> Box<Exception> {
    let most = OperationLimits::HIGHEST.bytes;
    let hint = format!(
        "make it of smaller parts, each in a place of its own: `--limit value-bytes` is \
         {most} at most"
    );
    Exception::new(Class::Limit, message).hint(hint)
}

// Work is counted in bytes made, because that is the smallest unit. Copying a member
// costs as much as a text of sixteen bytes, and comparing two values costs a whole step:
// only comparisons run for long without making anything.
const STEP: u64 = 64;
const MEMBER: u64 = 16;
// A text or container has memory of its own, however short it is: to get and free it takes
// as long as a step.
const ALLOCATION: u64 = STEP;
// A key is hashed, stored, and often copied, at random places of the memory: a million of
// them take a second.
const KEY: u64 = 10 * STEP;
// An entry is hashed again when a dict is made of entries, which takes a fifth of what it
// takes to make a key: measured with copies of a dict of 100,000 entries.
const ENTRY: u64 = 2 * STEP;
// Two letters of names are compared in some ten nanoseconds, an eighth of a step: measured
// with a missing member of a dict of 100,000 names.
const LETTER: u64 = 8;
// A member that moves within its list is copied together with many others.
const MOVED: u64 = 4;
// Comparing a text is much faster than making it.
const COMPARED: usize = 16;

/// Number of steps that operations may take until [`set_steps_left`] is called.
// Outside of a run nobody collects steps: about the default of `--limit fuel`, so that a
// comparison there ends, too.
const DEFAULT_STEPS: u64 = 1 << 24;

/// The members that a container counts as, beside its own.
const CONTAINER: usize = 4;

thread_local! {
    /// The limits of the operations.
    static LIMITS: Cell<OperationLimits> = const { Cell::new(OperationLimits::HIGHEST) };
    /// The members of all lists, tuples and dicts that live.
    // An evaluation runs in one thread. What it leaves to others, as results and the values of
    // variables, is bounded by the steps of all evaluations.
    static LIVING: Cell<usize> = const { Cell::new(0) };
    /// The work that [`take_steps`] has not collected yet.
    static DONE: Cell<u64> = const { Cell::new(0) };
    /// The steps that are left until the next [`take_steps`], and the limit of the run.
    static LEFT: Cell<(u64, u64)> = const { Cell::new((DEFAULT_STEPS, DEFAULT_STEPS)) };
}

/// Sets how many steps of `limit` are left to the operations on this thread.
pub fn set_steps_left(steps: u64, limit: u64) {
    LEFT.set((steps, limit));
}

/// Counts the members of a container as long as it lives.
#[derive(Debug)]
pub(super) struct Living(AtomicUsize);

impl Living {
    pub(super) fn new(members: usize) -> Living {
        let living = Living(AtomicUsize::new(CONTAINER));
        LIVING.set(LIVING.get() + CONTAINER);
        living.hold(members);
        living
    }

    /// Sets the number of members that the container has now.
    pub(super) fn hold(&self, members: usize) {
        // Relaxed: it is a count, and nothing else depends on it.
        let before = self.0.swap(members + CONTAINER, Ordering::Relaxed);
        LIVING.set((LIVING.get() + members + CONTAINER).saturating_sub(before));
    }
}

impl Default for Living {
    fn default() -> Living {
        Living::new(0)
    }
}

impl Drop for Living {
    fn drop(&mut self) {
        let counted = *self.0.get_mut();
        // While the thread ends, thread-locals are gone.
        LIVING.try_with(|living| living.set(living.get().saturating_sub(counted))).ok();
    }
}

/// Checks the number of members that live.
///
/// # Errors
/// A [`Class::Limit`] if there are too many.
pub fn limit_living() -> Result<()> {
    limit_held(0)
}

/// Checks the number of members that live, together with `more`, which an operation holds
/// outside of containers.
///
/// # Errors
/// A [`Class::Limit`] if there are too many.
pub(super) fn limit_held(more: usize) -> Result<()> {
    let limit = LIMITS.get().members;
    if LIVING.get().saturating_add(more) <= limit {
        return Ok(());
    }
    let message =
        format!("the values of an evaluation have more than {limit} members at a time");
    let most = OperationLimits::HIGHEST.members;
    let hint = format!(
        "keep fewer of them in variables: `--limit value-members` is {most} at most"
    );
    Err(Exception::new(Class::Limit, message).hint(hint))
}

/// Returns the steps that operations took on this thread since the last call.
pub fn take_steps() -> u64 {
    let done = DONE.get();
    // The rest of less than a step is charged the next time.
    DONE.set(done % STEP);
    done / STEP
}

/// Charges for members that are copied or moved.
pub(super) fn charge_members(members: usize) {
    charge(members as u64 * MEMBER);
}

pub(super) fn charge_bytes(bytes: usize) {
    charge(bytes as u64);
}

/// Charges for a text that is made.
pub(super) fn charge_text(bytes: usize) {
    // It is built, and then copied to where it is shared.
    charge(ALLOCATION.saturating_add(bytes.saturating_mul(2) as u64));
}

/// Charges for a container that is made.
pub(super) fn charge_container(members: usize) {
    charge(ALLOCATION.saturating_add(members as u64 * MEMBER));
}

/// Charges for a number of steps, such as one for each two values that are compared.
/// Raises a [`Class::Limit`] if so many are not left.
pub fn charge_steps(steps: usize) -> Result<()> {
    charge_work((steps as u64).saturating_mul(STEP))
}

/// Charges for a container that is made. Raises a [`Class::Limit`] if no steps are left.
pub fn charge_new_container(members: usize) -> Result<()> {
    charge_container(members);
    charge_work(0)
}

/// Charges for a dict that is made of `entries`.
pub(super) fn charge_dict(entries: usize) {
    charge(ALLOCATION.saturating_add(entries as u64 * ENTRY));
}

/// Charges for members that move to another place of their list, which is a fast copy.
pub(super) fn charge_moved(members: usize) {
    charge(members as u64 * MOVED);
}

/// Charges for texts that are compared over `bytes` at most.
pub(super) fn charge_compared_bytes(bytes: usize) {
    charge_bytes(bytes / COMPARED);
}

/// Charges for keys that are hashed.
pub(super) fn charge_keys(keys: usize) {
    charge((keys as u64).saturating_mul(KEY));
}

/// Charges for a key of `bytes` that is made. Raises a [`Class::Limit`] if no steps are left.
pub fn charge_key(bytes: usize) -> Result<()> {
    charge_work(KEY.saturating_add(bytes as u64))
}

/// Charges for names that are compared with a wrong one, over so many pairs of letters.
pub fn charge_suggestion(pairs: usize) {
    charge(pairs as u64 * LETTER);
}

/// Charges for decimal digits that become a number, which takes quadratic time. Raises a
/// [`Class::Limit`] if no steps are left.
pub(super) fn charge_digits(digits: usize) -> Result<()> {
    // A word of 64 bits has 19 digits.
    charge_work((digits as u64 / 19 + 1).pow(2))
}

/// Charges for work in bytes. Raises a [`Class::Limit`] if no steps are left.
pub(super) fn charge_work(bytes: u64) -> Result<()> {
    let (left, limit) = LEFT.get();
    let is_left = charge(bytes) <= left.saturating_mul(STEP);
    if is_left { Ok(()) } else { Err(exhausted(limit)) }
}

/// Returns the exception for more work than `limit` steps.
pub fn exhausted(limit: u64) -> Box<Exception> {
    let message =
        format!("evaluation takes more than {limit} steps; `--limit fuel=N` allows more");
    Exception::new(Class::Limit, message)
}

fn charge(work: u64) -> u64 {
    let done = DONE.get().saturating_add(work);
    DONE.set(done);
    done
}
