//! The limits of one evaluation: steps, depth, lengths and memory, by the size that values
//! have in CPython 3.11.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::eval::python::{Class, Exception, Result, Value, limit_members};
use crate::eval::{Context, Quota};

use super::overload::Library;

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
            let message = format!("Collection length exceeds {limit} elements");
            let raised = Exception::new(Class::Limit, message);
            return Err(raised.hint("`--limit yaql-iterators=N` allows more"));
        }
        Ok(())
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
            self.check_total([(1, measure(value))])?;
        }
        Ok(())
    }

    /// Checks a container that grows to a number of members; `size` returns its bytes.
    pub fn check_growth(&self, members: usize, size: fn(usize) -> usize) -> Result<()> {
        limit_members(members)?;
        self.check_total([(1, size(members))])
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

/// Returns `sys.getsizeof(value)`, approximately.
pub fn measure(value: &Value) -> usize {
    match value {
        Value::None => 16,
        Value::Bool(_) => 28,
        Value::Int(x) => integer_size(u64::from(64 - x.unsigned_abs().leading_zeros())),
        Value::Big(x) => integer_size(x.bits()),
        Value::Str(text) => text_size(text),
        Value::Bytes(bytes) => 33 + bytes.len(),
        Value::Tuple(members) => 40 + 8 * members.len(),
        Value::List(items) => list_size(items.len()),
        Value::Set(members) => set_size(members.0.len()),
        Value::Float(_) | Value::Range(_) | Value::Lazy(_) => 48,
        // A dict of yaql is an object that holds Python's dict as a member.
        Value::Dict(_) | Value::Object(_) => 48,
    }
}

fn integer_size(bits: u64) -> usize {
    24 + 4 * usize::try_from(bits.div_ceil(30).max(1)).unwrap_or(usize::MAX / 8)
}

fn text_size(text: &str) -> usize {
    let widest = text.chars().max().map_or(0, u32::from);
    let count = text.chars().count();
    match widest {
        // CPython stores a string with 1, 2 or 4 bytes per character, by the widest one.
        0..0x80 => 49 + text.len(),
        0x80..0x100 => 73 + count,
        0x100..0x1_0000 => 74 + 2 * count,
        _ => 76 + 4 * count,
    }
}

pub fn list_size(count: usize) -> usize {
    56 + 8 * count
}

/// Returns the size of a dict with string keys. CPython uses two thirds of the slots.
pub fn dict_size(count: usize) -> usize {
    let mut slots = 8;
    while slots * 2 / 3 < count {
        slots *= 2;
    }
    let index = match slots {
        0..256 => 1,
        256..0x1_0000 => 2,
        _ => 4,
    };
    let entries = 32 + slots * index + slots * 2 / 3 * 16;
    64 + if count == 0 { 0 } else { entries }
}

/// Returns the size of a set. CPython resizes it at three fifths of the slots.
pub fn set_size(count: usize) -> usize {
    let mut slots = 8;
    let mut used = 5;
    while count >= used {
        slots = (used * 4 + 1).next_power_of_two();
        used = ((slots - 1) * 3).div_ceil(5);
    }
    216 + if slots == 8 { 0 } else { slots * 16 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_as_python_does() {
        assert_eq!([0, 4, 5, 18, 19, 77].map(set_size), [216, 216, 728, 728, 2264, 8408]);
        assert_eq!([0, 1, 6, 11, 171].map(dict_size), [64, 184, 272, 464, 6576]);
        let texts = ["abc", "é", "€€", "😀"];
        assert_eq!(texts.map(|t| measure(&t.into())), [52, 74, 78, 80]);
        assert_eq!([0, 1, 1 << 30].map(|x| measure(&Value::Int(x))), [28, 28, 32]);
    }
}
