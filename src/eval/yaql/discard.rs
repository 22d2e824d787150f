//! What is dropped comes in, and is dropped one after the other, however deep it nests:
//! iterators hold iterators, and contexts hold contexts.

use std::any::Any;
use std::cell::RefCell;

thread_local! {
    /// What is still to be dropped, while something is.
    static WAITING: RefCell<Option<Vec<Box<dyn Any>>>> = const { RefCell::new(None) };
}

/// Drops something, after what is being dropped.
pub(super) fn discard(thing: impl Any) {
    let mut thing: Option<Box<dyn Any>> = Some(Box::new(thing));
    let waits = WAITING.try_with(|waiting| match &mut *waiting.borrow_mut() {
        Some(waiting) => {
            waiting.extend(thing.take());
            true
        }
        none => {
            *none = Some(thing.take().into_iter().collect());
            false
        }
    });
    if waits != Ok(false) {
        return;
    }
    let next =
        || WAITING.with(|waiting| waiting.borrow_mut().as_mut().and_then(Vec::pop));
    while let Some(thing) = next() {
        drop(thing);
    }
    WAITING.with(|waiting| *waiting.borrow_mut() = None);
}
