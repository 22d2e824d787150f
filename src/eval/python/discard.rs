//! What is dropped comes in, and is dropped one after the other, however deep it nests:
//! lists hold lists, iterators hold iterators, and contexts hold contexts.

use std::any::Any;
use std::cell::RefCell;

thread_local! {
    /// What is still to be dropped, while something is.
    static WAITING: RefCell<Option<Vec<Box<dyn Any>>>> = const { RefCell::new(None) };
}

/// Drops something, after what is being dropped.
pub(crate) fn discard<T: Any>(thing: T) {
    let mut thing = Some(thing);
    let waits = WAITING.try_with(|waiting| match &mut *waiting.borrow_mut() {
        Some(waiting) => {
            waiting.extend(thing.take().map(|thing| Box::new(thing) as Box<dyn Any>));
            true
        }
        none => {
            *none = Some(Vec::new());
            false
        }
    });
    drop(thing);
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
