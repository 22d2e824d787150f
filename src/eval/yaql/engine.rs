//! The limits of one evaluation: steps, depth, lengths and memory.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::measure::measure;
use super::overload::Library;
use super::program::Quota;
use crate::eval::Context;
use crate::eval::python::{Class, Exception, Result, Value, limit_members};

/// Frames of Python's stack that are left when an evaluation starts.
// Python's limit is 1,000; the callers of yaql take some frames of it.
const MAX_FRAMES: usize = 990;

/// Frames of Python's stack that a call takes.
// yaql's runner calls itself through several functions. The error of nested calls must
// come at a similar depth.
pub const CALL_FRAMES: usize = 7;

/// Number of steps that a call takes.
// It makes frames, arguments and iterators: measured against a loop of Jinja.
const STEPS_OF_CALL: u64 = 3;

/// The limits of one evaluation, with its context and its functions.
#[derive(Debug)]
pub struct Engine {
    /// The run, which holds the fuel.
    pub context: Arc<Context>,
    /// The functions that can be called.
    pub library: &'static Library,
    quota: Quota,
    frames: AtomicUsize,
}

impl Engine {
    pub fn new(context: Arc<Context>, library: &'static Library, quota: Quota) -> Engine {
        Engine { context, library, quota, frames: AtomicUsize::new(0) }
    }

    /// Runs a step that takes `frames` frames of Python's stack. Fails with a
    /// `RecursionError` if the stack is too deep; a limit error without fuel.
    pub fn nested<T>(&self, frames: usize, run: impl FnOnce() -> Result<T>) -> Result<T> {
        self.context.spend(STEPS_OF_CALL)?;
        // Relaxed: one evaluation runs in one thread; atomics only make values shareable.
        let depth = self.frames.fetch_add(frames, Ordering::Relaxed) + frames;
        let done = if depth <= MAX_FRAMES {
            run()
        } else {
            Err(Exception::new(Class::Recursion, "maximum recursion depth exceeded"))
        };
        self.frames.fetch_sub(frames, Ordering::Relaxed);
        done
    }

    /// Pays for work that takes no step of its own.
    pub fn spend(&self, steps: usize) -> Result<()> {
        self.context.spend(steps as u64)
    }

    pub fn check_length(&self, members: usize) -> Result<()> {
        let limit = self.quota.iterators;
        if usize::try_from(limit).is_ok_and(|limit| members > limit) {
            Err(Exception::new(
                Class::Limit,
                format!("Collection length exceeds {limit} elements"),
            )
            .hint("`--limit yaql-iterators=N` allows more"))
        } else {
            Ok(())
        }
    }

    /// Checks the size of a value against the quota. A large value costs fuel, too.
    pub fn check_size(&self, value: &Value) -> Result<()> {
        let length = match value {
            Value::Str(text) => text.len(),
            Value::Tuple(members) => members.len() * 8,
            Value::Set(members) => members.0.len() * 8,
            _ => 0,
        };
        // One step for 256 bytes: copying is that much cheaper than a call.
        self.spend(length >> 8)?;
        if self.quota.memory > 0 {
            self.check_total([(1, measure(value))])
        } else {
            Ok(())
        }
    }

    /// Checks a container that grows to a number of members; `measure` returns its size.
    pub fn check_growth(
        &self,
        members: usize,
        measure: fn(usize) -> usize,
    ) -> Result<()> {
        limit_members(members)?;
        self.check_total([(1, measure(members))])
    }

    /// Checks the total size of values, given as (count, bytes).
    pub fn check_total(
        &self,
        sizes: impl IntoIterator<Item = (i128, usize)>,
    ) -> Result<()> {
        let quota = i128::from(self.quota.memory);
        let mut total = 0;
        for (times, size) in sizes {
            total += times.saturating_mul(size as i128);
            if quota > 0 && total > quota {
                let message = "Expression consumed too much memory";
                let raised = Exception::new(Class::Limit, message);
                return Err(raised.hint("`--limit yaql-memory=BYTES` allows more"));
            }
        }
        Ok(())
    }
}
