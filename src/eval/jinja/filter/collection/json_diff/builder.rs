//! Builds the operations: what is removed in one place and added in another is moved.

use std::sync::Arc;

use hashbrown::HashMap;

use super::array::PatchedArray;
use super::runs::{differing_runs, sorted_json};
use crate::eval::Context;
use crate::eval::python::json::{self, JsonStyle};
use crate::eval::python::{self, Dict, Exception, Key, Result, Value, limit_members};
use crate::eval::visit::VisitCounter;

/// A part of a path in the document as it is after the operations so far.
#[derive(Clone, PartialEq)]
enum PatchStep {
    Member(Key),
    Index(usize),
}

/// A part of the path of an operation: a list item has a number that does not change.
#[derive(Clone, PartialEq, Eq, Hash)]
enum PatchPart {
    Member(Key),
    Item(usize),
}

#[derive(Clone, Copy, PartialEq)]
enum PatchVerb {
    Add,
    Remove,
    Replace,
    Move,
}

struct DiffOperation {
    verb: PatchVerb,
    /// The source of a move.
    from: Option<Vec<PatchPart>>,
    path: Vec<PatchPart>,
    value: Option<Value>,
}

/// An operation whose paths are those at its time.
struct PlacedOperation {
    verb: PatchVerb,
    from: Option<Vec<PatchStep>>,
    path: Vec<PatchStep>,
    value: Option<Value>,
}

/// A step of the comparison, at a path whose last part stands alone.
struct DiffTask {
    path: Arc<[PatchStep]>,
    last: Option<PatchStep>,
    change: DiffChange,
}

enum DiffChange {
    /// Two values of one member.
    Member(Value, Value),
    /// Two items in one place of a list.
    Item(Value, Value),
    Removed(Value),
    Added(Value),
}

impl DiffTask {
    fn whole(&self) -> Vec<PatchStep> {
        self.path.iter().cloned().chain(self.last.clone()).collect()
    }
}

/// The operations so far, and what later ones may join.
pub(super) struct PatchBuilder<'c> {
    walk: VisitCounter<'c>,
    /// The operations; `None` in place of one that was joined to a move.
    made: Vec<Option<DiffOperation>>,
    /// The operations that add and that remove a value, by the value.
    added: HashMap<String, Vec<usize>>,
    removed: HashMap<String, Vec<usize>>,
    arrays: HashMap<Vec<PatchPart>, PatchedArray>,
    next_item: usize,
    /// The number of parts of all paths.
    parts: usize,
}

impl<'c> PatchBuilder<'c> {
    pub(super) fn new(context: &'c Context) -> PatchBuilder<'c> {
        PatchBuilder {
            walk: VisitCounter::new(context),
            made: Vec::new(),
            added: HashMap::new(),
            removed: HashMap::new(),
            arrays: HashMap::new(),
            next_item: 0,
            parts: 0,
        }
    }

    /// Adds the operations that make the second value of the first one.
    pub(super) fn compare(&mut self, old: Value, new: Value) -> Result<()> {
        let change = DiffChange::Member(old, new);
        let mut todo = vec![DiffTask { path: Arc::new([]), last: None, change }];
        while let Some(task) = todo.pop() {
            self.walk.visit(task.path.len())?;
            let path = task.whole();
            let from = todo.len();
            match task.change {
                DiffChange::Removed(value) => self.remove(path, value)?,
                DiffChange::Added(value) => self.add(path, value)?,
                DiffChange::Member(Value::Dict(old), Value::Dict(new))
                | DiffChange::Item(Value::Dict(old), Value::Dict(new)) => {
                    dict_tasks(&path.into(), [&old, &new], &mut todo)?;
                }
                DiffChange::Member(old @ Value::List(_), new @ Value::List(_))
                | DiffChange::Item(old @ Value::List(_), new @ Value::List(_)) => {
                    self.list_tasks(&path.into(), [&old, &new], &mut todo)?;
                }
                DiffChange::Member(old, new) => {
                    if !is_same_json(&old, &new)? {
                        let path = self.location(&path)?;
                        self.push(PatchVerb::Replace, None, path, Some(new))?;
                    }
                }
                DiffChange::Item(old, new) => {
                    if !is_same_json(&old, &new)? {
                        self.remove(path.clone(), old)?;
                        self.add(path, new)?;
                    }
                }
            }
            // The stack is popped from its end.
            todo[from..].reverse();
        }
        Ok(())
    }

    fn list_tasks(
        &self,
        path: &Arc<[PatchStep]>,
        lists: [&Value; 2],
        todo: &mut Vec<DiffTask>,
    ) -> Result<()> {
        let [old, new] = lists;
        let old = python::iterate(old)?;
        let new = python::iterate(new)?;
        let task = |at, change| {
            let last = Some(PatchStep::Index(at));
            DiffTask { path: path.clone(), last, change }
        };
        for run in differing_runs(&old, &new, &self.walk)? {
            let pairs = run.old.len().min(run.new.len());
            // The list begins with the new items now, so that an old one stands there.
            let behind = run.new.start + pairs;
            let both = run.old.clone().zip(run.new.clone());
            todo.extend(both.map(|(from, at)| {
                task(at, DiffChange::Item(old[from].clone(), new[at].clone()))
            }));
            let gone = old[run.old].iter().skip(pairs);
            todo.extend(gone.map(|old| task(behind, DiffChange::Removed(old.clone()))));
            let more = (behind..run.new.end).map(|at| (at, new[at].clone()));
            todo.extend(more.map(|(at, new)| task(at, DiffChange::Added(new))));
        }
        Ok(())
    }

    fn push(
        &mut self,
        verb: PatchVerb,
        from: Option<Vec<PatchPart>>,
        path: Vec<PatchPart>,
        value: Option<Value>,
    ) -> Result<usize> {
        self.parts += 1 + path.len() + from.as_ref().map_or(0, Vec::len);
        limit_members(self.parts)?;
        self.made.push(Some(DiffOperation { verb, from, path, value }));
        Ok(self.made.len() - 1)
    }

    /// Takes the last operation of a value out, and returns its path.
    fn joined(
        &mut self,
        verb: PatchVerb,
        value: &str,
    ) -> Option<(usize, Vec<PatchPart>)> {
        let known = match verb {
            PatchVerb::Add => &mut self.added,
            _ => &mut self.removed,
        };
        let at = known.get_mut(value)?.pop()?;
        Some((at, self.made.get(at)?.as_ref()?.path.clone()))
    }

    fn add(&mut self, target: Vec<PatchStep>, value: Value) -> Result<()> {
        let json = sorted_json(&value, &self.walk)?;
        let before =
            json.as_deref().and_then(|json| self.joined(PatchVerb::Remove, json));
        if let Some((at, removed)) = before {
            let source = self.steps(&removed)?;
            // A value cannot be moved into itself.
            if target.len() <= source.len() || !target.starts_with(&source) {
                self.made[at] = None;
                if source == target {
                    return self.set_present(&removed, true);
                }
                let path = self.new_location(&target)?;
                return self.push(PatchVerb::Move, Some(removed), path, None).map(drop);
            }
        }
        let path = self.new_location(&target)?;
        let at = self.push(PatchVerb::Add, None, path, Some(value))?;
        if let Some(json) = json {
            self.added.entry(json).or_default().push(at);
        }
        Ok(())
    }

    fn remove(&mut self, source: Vec<PatchStep>, value: Value) -> Result<()> {
        let location = self.location(&source)?;
        let json = sorted_json(&value, &self.walk)?;
        let before = json.as_deref().and_then(|json| self.joined(PatchVerb::Add, json));
        if let Some((at, added)) = before {
            self.made[at] = None;
            if without_item(source, &self.steps(&added)?) == self.steps(&added)? {
                return self.set_present(&added, false);
            }
            self.set_present(&location, false)?;
            return self.push(PatchVerb::Move, Some(location), added, None).map(drop);
        }
        self.set_present(&location, false)?;
        let at = self.push(PatchVerb::Remove, None, location, None)?;
        if let Some(json) = json {
            self.removed.entry(json).or_default().push(at);
        }
        Ok(())
    }

    /// Returns a path of the document as it is as one of an operation.
    fn location(&mut self, path: &[PatchStep]) -> Result<Vec<PatchPart>> {
        let mut location = Vec::with_capacity(path.len());
        for step in path {
            let part = match step {
                PatchStep::Member(key) => PatchPart::Member(key.clone()),
                PatchStep::Index(at) => {
                    let array = self.arrays.entry(location.clone()).or_default();
                    PatchPart::Item(array.at(*at, &mut self.next_item)?)
                }
            };
            location.push(part);
        }
        Ok(location)
    }

    /// As [`location`](PatchBuilder::location), of a value that is inserted at the path.
    fn new_location(&mut self, path: &[PatchStep]) -> Result<Vec<PatchPart>> {
        let Some((last, path)) = path.split_last() else { return Ok(Vec::new()) };
        let mut location = self.location(path)?;
        let part = match last {
            PatchStep::Member(key) => PatchPart::Member(key.clone()),
            PatchStep::Index(at) => {
                let array = self.arrays.entry(location.clone()).or_default();
                PatchPart::Item(array.insert(*at, &mut self.next_item)?)
            }
        };
        location.push(part);
        Ok(location)
    }

    /// Returns the path of an operation in the document as it is.
    fn steps(&self, location: &[PatchPart]) -> Result<Vec<PatchStep>> {
        let step = |(at, part): (usize, &PatchPart)| match part {
            PatchPart::Member(key) => Ok(PatchStep::Member(key.clone())),
            PatchPart::Item(number) => {
                let array = self.arrays.get(&location[..at]);
                Ok(PatchStep::Index(array.map_or(Ok(0), |array| array.index(*number))?))
            }
        };
        location.iter().enumerate().map(step).collect()
    }

    fn set_present(&mut self, location: &[PatchPart], is_present: bool) -> Result<()> {
        if let Some((PatchPart::Item(number), array)) = location.split_last()
            && let Some(array) = self.arrays.get_mut(array)
        {
            array.set_present(*number, is_present)?;
        }
        Ok(())
    }

    /// Returns the patch.
    pub(super) fn operations(&mut self) -> Result<Value> {
        self.arrays.values_mut().for_each(PatchedArray::reset);
        let mut placed = Vec::<PlacedOperation>::new();
        for made in std::mem::take(&mut self.made).into_iter().flatten() {
            let DiffOperation { verb, from, path, value } = made;
            let mut source = None;
            // The source is gone before the target is counted.
            if let Some(from) = from {
                source = Some(self.steps(&from)?);
                self.set_present(&from, false)?;
            }
            let target = self.steps(&path)?;
            match verb {
                PatchVerb::Remove => self.set_present(&path, false)?,
                PatchVerb::Add | PatchVerb::Move => self.set_present(&path, true)?,
                PatchVerb::Replace => {}
            }
            match placed.last_mut() {
                Some(last)
                    if last.verb == PatchVerb::Remove
                        && verb == PatchVerb::Add
                        && last.path == target =>
                {
                    last.verb = PatchVerb::Replace;
                    last.value = value;
                }
                _ => placed.push(PlacedOperation {
                    verb,
                    from: source,
                    path: target,
                    value,
                }),
            }
        }
        let written = placed.into_iter().map(PlacedOperation::written);
        written.collect::<Result<Vec<_>>>().map(Value::list)
    }
}

impl PlacedOperation {
    /// Returns the operation as a mapping.
    fn written(self) -> Result<Value> {
        let verb = match self.verb {
            PatchVerb::Add => "add",
            PatchVerb::Remove => "remove",
            PatchVerb::Replace => "replace",
            PatchVerb::Move => "move",
        };
        let from = self.from.as_deref().map(pointer).transpose()?;
        let members = [
            ("op", Some(Value::from(verb))),
            ("from", from.map(Value::from)),
            ("path", Some(Value::from(pointer(&self.path)?))),
            ("value", self.value),
        ];
        let members = members.into_iter().filter_map(|(name, part)| Some((name, part?)));
        Ok(Value::Dict(Dict::named(members)))
    }
}

/// Returns a path as a JSON Pointer.
fn pointer(path: &[PatchStep]) -> Result<String> {
    let mut pointer = String::new();
    for step in path {
        pointer.push('/');
        match step {
            PatchStep::Index(at) => pointer += &at.to_string(),
            PatchStep::Member(key) => match key.as_str() {
                Some(name) => pointer += &name.replace('~', "~0").replace('/', "~1"),
                None => {
                    return Err(Exception::of_type(format!(
                        "can't create an operation for the object member {}: its name is not a \
                         string, which the path of an operation can't refer to",
                        python::repr(key.value())?
                    )));
                }
            },
        }
    }
    Ok(pointer)
}

/// Returns true if both values are written alike. `1` and `true` are not.
fn is_same_json(old: &Value, new: &Value) -> Result<bool> {
    let style = JsonStyle::default();
    Ok(json::dump(old, &style)? == json::dump(new, &style)?)
}

/// Returns a path as it is if no item was at `item`.
fn without_item(mut path: Vec<PatchStep>, item: &[PatchStep]) -> Vec<PatchStep> {
    if let Some((PatchStep::Index(at), list)) = item.split_last()
        && path.starts_with(list)
        && let Some(PatchStep::Index(index)) = path.get_mut(list.len())
        && *index > *at
    {
        *index -= 1;
    }
    path
}

/// Adds the steps of the comparison of two mappings.
fn dict_tasks(
    path: &Arc<[PatchStep]>,
    dicts: [&Dict; 2],
    todo: &mut Vec<DiffTask>,
) -> Result<()> {
    let [old, new] = dicts;
    let task = |key, change| {
        let last = Some(PatchStep::Member(key));
        DiffTask { path: path.clone(), last, change }
    };
    let mut both = Vec::new();
    for (key, before) in old.entries()? {
        match new.get(&key)? {
            None => todo.push(task(key, DiffChange::Removed(before))),
            Some(after) => both.push(task(key, DiffChange::Member(before, after))),
        }
    }
    for (key, after) in new.entries()? {
        if old.get(&key)?.is_none() {
            todo.push(task(key, DiffChange::Added(after)));
        }
    }
    todo.extend(both);
    Ok(())
}
