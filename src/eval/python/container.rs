//! `list`, `tuple`, `dict` and `set`. Their readers evaluate lazy members, which may
//! fail, and store the results; nothing is locked meanwhile, because a member may refer
//! to its own container.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::hash::Hash;
use std::ops::Deref;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use indexmap::{Equivalent, IndexMap, IndexSet};

use super::key::{Key, TextKey};
use super::limit::Living;
use super::{Result, Value, limit};

#[derive(Clone, Debug, Default)]
pub struct List(Arc<Items>);

#[derive(Clone, Debug, Default)]
pub struct Tuple(Arc<Members>);

/// A dict, in insertion order.
#[derive(Clone, Debug, Default)]
pub struct Dict(Arc<Entries>);

/// An immutable set, in insertion order.
#[derive(Clone, Debug, Default)]
pub struct Set(pub Arc<IndexSet<Key>>);

/// Number of members that an entry counts as.
// With its key, its hash and its place in the index it takes 80 to 100 bytes, a member 24.
const MEMBERS_OF_ENTRY: usize = 4;

impl List {
    /// Locks the items for reading; lazy ones are not evaluated.
    pub fn read(&self) -> RwLockReadGuard<'_, Vec<Value>> {
        self.0.items.read()
    }

    pub fn write(&self) -> RwLockWriteGuard<'_, Vec<Value>> {
        self.0.items.write()
    }

    /// Returns the number of members.
    pub fn len(&self) -> usize {
        self.read().len()
    }

    /// Returns true if there are no members.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn get(&self, at: usize) -> Result<Option<Value>> {
        let found = match self.read().get(at).cloned() {
            Some(found @ Value::Lazy(_)) => found,
            found => return found.map(read_member).transpose(),
        };
        let value = found.force()?;
        if let Some(slot @ Value::Lazy(_)) = self.write().get_mut(at) {
            *slot = value.clone();
        }
        Ok(Some(value))
    }

    pub fn items(&self) -> Result<Vec<Value>> {
        let items = self.read().clone();
        limit::charge_members(items.len());
        if !items.iter().any(is_guarded) {
            return Ok(items);
        }
        (0..items.len()).map(|at| Ok(self.get(at)?.unwrap_or(Value::None))).collect()
    }

    /// Adds members at the end.
    pub fn extend(&self, more: Vec<Value>) {
        let mut items = self.write();
        items.extend(more);
        self.0.living.hold(items.len());
    }

    /// Adds a member at a position, which is not behind the end.
    pub fn insert(&self, at: usize, member: Value) {
        let mut items = self.write();
        items.insert(at, member);
        self.0.living.hold(items.len());
    }

    /// Removes all members.
    pub fn clear(&self) {
        let items = std::mem::take(&mut *self.write());
        self.0.living.hold(0);
        drop(items);
    }

    /// Returns true if both are the same list, `a is b`.
    pub fn is(&self, other: &List) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Returns the identity of the list, `id(a)`.
    pub fn address(&self) -> usize {
        Arc::as_ptr(&self.0) as usize
    }
}

impl FromIterator<Value> for List {
    fn from_iter<I: IntoIterator<Item = Value>>(items: I) -> List {
        let items: Vec<Value> = items.into_iter().collect();
        limit::charge_container(items.len());
        let living = Living::new(items.len());
        List(Arc::new(Items { items: Lock::new(items), living }))
    }
}

impl Tuple {
    pub fn is(&self, other: &Tuple) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Deref for Tuple {
    type Target = [Value];

    fn deref(&self) -> &[Value] {
        &self.0.members
    }
}

impl FromIterator<Value> for Tuple {
    fn from_iter<I: IntoIterator<Item = Value>>(members: I) -> Tuple {
        let members: Vec<Value> = members.into_iter().collect();
        limit::charge_container(members.len());
        let _living = Living::new(members.len());
        Tuple(Arc::new(Members { members, _living }))
    }
}

impl Dict {
    fn new(entries: IndexMap<Key, Value>) -> Dict {
        let living = Living::new(MEMBERS_OF_ENTRY * entries.len());
        Dict(Arc::new(Entries { entries: Lock::new(entries), living }))
    }

    /// Locks the entries for reading; lazy values are not evaluated.
    pub fn read(&self) -> RwLockReadGuard<'_, IndexMap<Key, Value>> {
        self.0.entries.read()
    }

    /// Locks the entries for writing.
    pub fn write(&self) -> RwLockWriteGuard<'_, IndexMap<Key, Value>> {
        self.0.entries.write()
    }

    /// Returns the number of members.
    pub fn len(&self) -> usize {
        self.read().len()
    }

    /// Returns true if there are no members.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the value of a key.
    pub fn get(&self, key: &Key) -> Result<Option<Value>> {
        self.find(key)
    }

    /// Returns the value of a string key.
    pub fn get_text(&self, key: &str) -> Result<Option<Value>> {
        self.find(&TextKey(key))
    }

    fn find(&self, key: &(impl Hash + Equivalent<Key>)) -> Result<Option<Value>> {
        let found = match self.read().get(key).cloned() {
            Some(found @ Value::Lazy(_)) => found,
            found => return found.map(read_member).transpose(),
        };
        let value = found.force()?;
        if let Some(slot @ Value::Lazy(_)) = self.write().get_mut(key) {
            *slot = value.clone();
        }
        Ok(Some(value))
    }

    /// Returns true if the string is a key.
    pub fn has_text(&self, key: &str) -> bool {
        self.read().contains_key(&TextKey(key))
    }

    /// Returns the dict of entries whose keys are strings.
    pub fn named<K: Deref<Target = str>>(
        entries: impl IntoIterator<Item = (K, Value)>,
    ) -> Dict {
        let entries = entries.into_iter();
        entries.map(|(name, value)| (Key::text(&name), value)).collect()
    }

    /// Sets the value of a key; a new key comes last.
    pub fn set(&self, key: Key, value: Value) {
        let mut entries = self.write();
        entries.insert(key, value);
        self.0.living.hold(MEMBERS_OF_ENTRY * entries.len());
    }

    /// Returns the keys.
    pub fn keys(&self) -> Vec<Value> {
        let entries = self.read();
        limit::charge_members(entries.len());
        entries.keys().map(|key| key.value().clone()).collect()
    }

    /// Returns the entries.
    pub fn entries(&self) -> Result<Vec<(Key, Value)>> {
        let entries: Vec<_> =
            self.read().iter().map(|(key, value)| (key.clone(), value.clone())).collect();
        limit::charge_members(entries.len());
        if !entries.iter().any(|(_, value)| is_guarded(value)) {
            return Ok(entries);
        }
        let known = |(key, _)| {
            let value = self.get(&key)?.unwrap_or(Value::None);
            Ok((key, value))
        };
        entries.into_iter().map(known).collect()
    }

    /// Returns a dict with the same entries; lazy values are not evaluated.
    pub fn copied(&self) -> Dict {
        let entries = self.read().clone();
        limit::charge_container(entries.len());
        Dict::new(entries)
    }

    /// Adds entries; those of known keys are replaced.
    pub fn extend(&self, more: Vec<(Key, Value)>) {
        limit::charge_dict(more.len());
        let mut entries = self.write();
        entries.extend(more);
        self.0.living.hold(MEMBERS_OF_ENTRY * entries.len());
    }

    /// Removes all entries.
    pub fn clear(&self) {
        let entries = std::mem::take(&mut *self.write());
        self.0.living.hold(0);
        drop(entries);
    }

    /// Returns true if both are the same dict, `a is b`.
    pub fn is(&self, other: &Dict) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Returns the identity of the dict, `id(a)`.
    pub fn address(&self) -> usize {
        Arc::as_ptr(&self.0) as usize
    }
}

impl FromIterator<(Key, Value)> for Dict {
    fn from_iter<I: IntoIterator<Item = (Key, Value)>>(entries: I) -> Dict {
        let entries: IndexMap<Key, Value> = entries.into_iter().collect();
        limit::charge_dict(entries.len());
        Dict::new(entries)
    }
}

impl FromIterator<Key> for Set {
    fn from_iter<I: IntoIterator<Item = Key>>(members: I) -> Set {
        let members: IndexSet<Key> = members.into_iter().collect();
        limit::charge_keys(members.len());
        Set(Arc::new(members))
    }
}

#[derive(Debug, Default)]
struct Items {
    items: Lock<Vec<Value>>,
    living: Living,
}

#[derive(Debug, Default)]
struct Members {
    members: Vec<Value>,
    _living: Living,
}

#[derive(Debug, Default)]
struct Entries {
    entries: Lock<IndexMap<Key, Value>>,
    living: Living,
}

impl Drop for Items {
    fn drop(&mut self) {
        let items = self.items.get_mut();
        if items.iter().any(owns_values) {
            discard(std::mem::take(items));
        }
    }
}

impl Drop for Members {
    fn drop(&mut self) {
        if self.members.iter().any(owns_values) {
            discard(std::mem::take(&mut self.members));
        }
    }
}

impl Drop for Entries {
    fn drop(&mut self) {
        let entries = self.entries.get_mut();
        if entries
            .iter()
            .any(|(key, value)| owns_values(key.value()) || owns_values(value))
        {
            discard(std::mem::take(entries));
        }
    }
}

/// Returns true if dropping a value may drop others.
fn owns_values(value: &Value) -> bool {
    match value {
        Value::List(_) | Value::Tuple(_) | Value::Dict(_) | Value::Set(_) => true,
        Value::Lazy(_) | Value::Object(_) => true,
        Value::None | Value::Bool(_) | Value::Int(_) | Value::Big(_) => false,
        Value::Float(_) | Value::Str(_) | Value::Bytes(_) | Value::Range(_) => false,
    }
}

thread_local! {
    /// Things to be dropped after the one that is being dropped now.
    static PENDING: RefCell<Option<Vec<Box<dyn Any>>>> = const { RefCell::new(None) };
}

/// Drops a thing without recursion: a thing that is discarded while another is dropped
/// waits until that is done.
///
/// A list of a list of … a million levels deep would overflow the stack if each level
/// dropped the next.
pub(crate) fn discard<T: Any>(thing: T) {
    let mut thing = Some(thing);
    // While the thread ends, thread-locals are gone; then the thing is dropped at once.
    let waits = PENDING.try_with(|pending| match &mut *pending.borrow_mut() {
        Some(pending) => {
            pending.extend(thing.take().map(|thing| Box::new(thing) as Box<dyn Any>));
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
        || PENDING.with(|pending| pending.borrow_mut().as_mut().and_then(Vec::pop));
    while let Some(thing) = next() {
        drop(thing);
    }
    PENDING.with(|pending| *pending.borrow_mut() = None);
}

/// A [`RwLock`] that ignores poisoning.
///
/// A thread that panics while it writes poisons a lock, because the value may be half
/// changed. Here each change is one insertion, removal or assignment of a finished value,
/// and no expression is evaluated while a guard is held: the value is whole at any time.
#[derive(Debug, Default)]
pub struct Lock<T>(RwLock<T>);

impl<T> Lock<T> {
    pub const fn new(value: T) -> Lock<T> {
        Lock(RwLock::new(value))
    }

    pub fn read(&self) -> RwLockReadGuard<'_, T> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn write(&self) -> RwLockWriteGuard<'_, T> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the value, which nothing else can reach.
    pub fn get_mut(&mut self) -> &mut T {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}

// Undefined members are read as what they are, or raise their exceptions, as the plugin
// that reads them declares.
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
fn read_member(member: Value) -> Result<Value> {
    if RAISES.get()
        && let Value::Object(object) = &member
    {
        object.readable()?;
    }
    Ok(member)
}

/// Returns true if reading the member may evaluate it or raise.
fn is_guarded(member: &Value) -> bool {
    match member {
        Value::Lazy(_) => true,
        Value::Object(_) => RAISES.get(),
        _ => false,
    }
}
