//! Undefined members of lists and dicts. A call reads them as what they are, or raises
//! their exceptions, as its plugin declares.

use std::cell::Cell;

use super::{Result, Value};

thread_local! {
    /// True while reading an undefined member raises its exception.
    static RAISES: Cell<bool> = const { Cell::new(false) };
}

/// Runs an action. With `raises`, each read of an undefined member in it raises.
pub fn with_members_raised<T>(raises: bool, action: impl FnOnce() -> T) -> T {
    let before = RAISES.replace(raises);
    let done = action();
    RAISES.set(before);
    done
}

/// Returns a member that is read.
pub(super) fn read_member(member: Value) -> Result<Value> {
    if RAISES.get()
        && let Value::Object(object) = &member
    {
        object.readable()?;
    }
    Ok(member)
}

/// Returns true if reading the member may evaluate it or raise.
pub(super) fn is_guarded(member: &Value) -> bool {
    match member {
        Value::Lazy(_) => true,
        Value::Object(_) => RAISES.get(),
        _ => false,
    }
}
