//! What holds for a whole evaluation: how much work, depth and room is left.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::measure::measure;
use crate::eval::python::{Class, Exception, Result, Value, room};
use crate::eval::{Context, Quota};

/// The frames of Python's stack that are left when an evaluation starts.
const MAX_FRAMES: usize = 990;

/// The frames that a call takes of Python's stack.
pub const CALL_FRAMES: usize = 7;

/// An evaluation.
#[derive(Debug)]
pub struct Engine {
    pub context: Arc<Context>,
    quota: Quota,
    frames: AtomicUsize,
}

impl Engine {
    /// One that has done nothing yet.
    pub fn new(context: Arc<Context>, quota: Quota) -> Engine {
        Engine { context, quota, frames: AtomicUsize::new(0) }
    }

    /// Does something that takes Python so many frames, as one step.
    ///
    /// # Errors
    /// That is too deep, or too much work.
    pub fn nested<T>(&self, frames: usize, run: impl FnOnce() -> Result<T>) -> Result<T> {
        self.context.spend(1)?;
        let depth = self.frames.fetch_add(frames, Ordering::Relaxed) + frames;
        let done = if depth <= MAX_FRAMES {
            run()
        } else {
            Err(Exception::new(Class::Recursion, "maximum recursion depth exceeded"))
        };
        self.frames.fetch_sub(frames, Ordering::Relaxed);
        done
    }

    /// Takes note of work that is not seen otherwise.
    pub fn spend(&self, steps: usize) -> Result<()> {
        self.context.spend(steps as u64)
    }

    /// Lets a collection of so many members pass.
    pub fn check_length(&self, members: usize) -> Result<()> {
        let most = self.quota.iterators;
        if usize::try_from(most).is_ok_and(|most| members > most) {
            Err(Exception::new(
                Class::Limit,
                format!("Collection length exceeds {most} elements"),
            )
            .hint("`--limit yaql-iterators=N` allows more"))
        } else {
            Ok(())
        }
    }

    /// Lets a value pass; what is large is work for all who look at it.
    pub fn check_size(&self, value: &Value) -> Result<()> {
        let length = match value {
            Value::Str(text) => text.len(),
            Value::Tuple(members) => members.len() * 8,
            Value::Set(members) => members.0.len() * 8,
            _ => 0,
        };
        self.spend(length >> 8)?;
        if self.quota.memory > 0 {
            self.check_total([(1, measure(value))])
        } else {
            Ok(())
        }
    }

    /// Lets something be kept that has so many members by now.
    pub fn check_growth(
        &self,
        members: usize,
        measure: fn(usize) -> usize,
    ) -> Result<()> {
        room(members)?;
        self.check_total([(1, measure(members))])
    }

    /// Lets values of so many bytes, each so many times, pass together.
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
