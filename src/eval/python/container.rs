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

/// A list.
pub type List = Shared<Vec<Value>>;

#[derive(Clone, Debug, Default)]
pub struct Tuple(Arc<TupleMembers>);

/// A dict, in insertion order.
pub type Dict = Shared<IndexMap<Key, Value>>;

/// An immutable set, in insertion order.
#[derive(Clone, Debug, Default)]
pub struct Set(pub Arc<IndexSet<Key>>);

/// A list or a dict. Its clones share the members.
#[derive(Clone, Debug, Default)]
pub struct Shared<T: Members>(Arc<Held<T>>);

/// The members of a list or a dict.
pub trait Members: Default + 'static {
    /// The number of members that one counts as while it lives.
    const WEIGHT: usize;

    /// Returns the number of members.
    fn count(&self) -> usize;

    /// Returns true if dropping them may drop other values.
    fn owns_values(&self) -> bool;
}

impl Members for Vec<Value> {
    // The measure of all others.
    const WEIGHT: usize = 1;

    fn count(&self) -> usize {
        self.len()
    }

    fn owns_values(&self) -> bool {
        self.iter().any(owns_values)
    }
}

impl Members for IndexMap<Key, Value> {
    // With its key, its hash and its place in the index an entry takes 80 to 100 bytes, a
    // member 24.
    const WEIGHT: usize = 4;

    fn count(&self) -> usize {
        self.len()
    }

    fn owns_values(&self) -> bool {
        self.iter().any(|(key, value)| owns_values(key.value()) || owns_values(value))
    }
}

impl<T: Members> Shared<T> {
    fn new(members: T) -> Shared<T> {
        let living = Living::new(T::WEIGHT * members.count());
        Shared(Arc::new(Held { members: Lock::new(members), living }))
    }

    /// Locks the members for reading; lazy ones are not evaluated.
    pub fn read(&self) -> RwLockReadGuard<'_, T> {
        self.0.members.read()
    }

    /// Locks the members for writing.
    pub fn write(&self) -> RwLockWriteGuard<'_, T> {
        self.0.members.write()
    }

    /// Changes the members, and counts them anew.
    fn change<R>(&self, action: impl FnOnce(&mut T) -> R) -> R {
        let mut members = self.write();
        let done = action(&mut members);
        self.0.living.hold(T::WEIGHT * members.count());
        done
    }

    /// Returns a member that is found by both searches. A lazy one is replaced by its
    /// value.
    fn member(
        &self,
        find: impl FnOnce(&T) -> Option<&Value>,
        find_slot: impl FnOnce(&mut T) -> Option<&mut Value>,
    ) -> Result<Option<Value>> {
        let found = match find(&self.read()).cloned() {
            Some(found @ Value::Lazy(_)) => found,
            found => return found.map(read_member).transpose(),
        };
        let value = found.force()?;
        // An undefined value stays behind the lazy one, which tells it from a member that
        // was undefined from the start.
        if !matches!(value, Value::Object(_))
            && let Some(slot @ Value::Lazy(_)) = find_slot(&mut self.write())
        {
            *slot = value.clone();
        }
        read_member(value).map(Some)
    }

    /// Returns the number of members.
    pub fn len(&self) -> usize {
        self.read().count()
    }

    /// Returns true if there are no members.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Removes all members.
    pub fn clear(&self) {
        drop(self.change(std::mem::take));
    }

    /// Returns true if both are the same container, `a is b`.
    pub fn is(&self, other: &Shared<T>) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Returns the identity of the container, `id(a)`.
    pub fn address(&self) -> usize {
        Arc::as_ptr(&self.0) as usize
    }
}

impl List {
    pub fn get(&self, at: usize) -> Result<Option<Value>> {
        self.member(|items| items.get(at), |items| items.get_mut(at))
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
        self.change(|items| items.extend(more));
    }

    /// Adds a member at a position, which is not behind the end.
    pub fn insert(&self, at: usize, member: Value) {
        self.change(|items| items.insert(at, member));
    }
}

impl FromIterator<Value> for List {
    fn from_iter<I: IntoIterator<Item = Value>>(items: I) -> List {
        let items: Vec<Value> = items.into_iter().collect();
        limit::charge_container(items.len());
        Shared::new(items)
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
        Tuple(Arc::new(TupleMembers { members, _living }))
    }
}

impl Dict {
    /// Returns the value of a key.
    pub fn get(&self, key: &Key) -> Result<Option<Value>> {
        self.find(key)
    }

    /// Returns the value of a string key.
    pub fn get_text(&self, key: &str) -> Result<Option<Value>> {
        self.find(&TextKey(key))
    }

    fn find<Q: Hash + Equivalent<Key>>(&self, key: &Q) -> Result<Option<Value>> {
        self.member(|entries| entries.get(key), |entries| entries.get_mut(key))
    }

    /// Returns true if the string is a key.
    pub fn has_text(&self, key: &str) -> bool {
        self.read().contains_key(&TextKey(key))
    }

    /// Returns the dict of entries whose keys are strings.
    pub fn named<K: Deref<Target = str>>(
        entries: impl IntoIterator<Item = (K, Value)>,
    ) -> Dict {
        entries.into_iter().map(|(name, value)| (Key::text(&name), value)).collect()
    }

    /// Sets the value of a key; a new key comes last.
    pub fn set(&self, key: Key, value: Value) {
        self.change(|entries| entries.insert(key, value));
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
        Shared::new(entries)
    }

    /// Adds entries; those of known keys are replaced.
    pub fn extend(&self, more: Vec<(Key, Value)>) {
        limit::charge_dict(more.len());
        self.change(|entries| entries.extend(more));
    }
}

impl FromIterator<(Key, Value)> for Dict {
    fn from_iter<I: IntoIterator<Item = (Key, Value)>>(entries: I) -> Dict {
        let entries: IndexMap<Key, Value> = entries.into_iter().collect();
        limit::charge_dict(entries.len());
        Shared::new(entries)
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
struct Held<T: Members> {
    members: Lock<T>,
    living: Living,
}

#[derive(Debug, Default)]
struct TupleMembers {
    members: Vec<Value>,
    _living: Living,
}

impl<T: Members> Drop for Held<T> {
    fn drop(&mut self) {
        let members = self.members.get_mut();
        if members.owns_values() {
            discard(std::mem::take(members));
        }
    }
}

impl Drop for TupleMembers {
    fn drop(&mut self) {
        if self.members.owns_values() {
            discard(std::mem::take(&mut self.members));
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
    while let Some(thing) = PENDING.with_borrow_mut(|waiting| waiting.as_mut()?.pop()) {
        drop(thing);
    }
    PENDING.set(None);
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
