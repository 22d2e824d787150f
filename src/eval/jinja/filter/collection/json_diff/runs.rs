//! The runs of items in which two lists differ, between those that both have.

use std::ops::Range;

use hashbrown::HashMap;

use crate::eval::jinja::filter::parameter::values;
use crate::eval::python::json::{self, JsonStyle, KeyOrder};
use crate::eval::python::{self, Class, Result, Value, charge_steps};
use crate::eval::visit::VisitCounter;

/// Maximum product of two lengths for which all items are matched up. The reference does the
/// same for longer lists, but leaves out frequent items; here they are compared by position.
const MAX_MATCHED: usize = 500 * 500;

/// Items of a list and those that replace them.
#[derive(Clone)]
pub(super) struct ListRun {
    pub(super) old: Range<usize>,
    pub(super) new: Range<usize>,
}

/// Two lists, and the texts by which their items are compared.
struct ComparedLists<'a> {
    old: &'a [Value],
    new: &'a [Value],
    old_texts: Vec<String>,
    new_texts: Vec<String>,
    walk: &'a VisitCounter<'a>,
}

/// Returns a value as JSON with sorted keys; `None` if it cannot be written.
pub(super) fn sorted_json(
    value: &Value,
    walk: &VisitCounter<'_>,
) -> Result<Option<String>> {
    // A value in many places is written in each: it is counted before it takes memory.
    let mut todo = vec![value.clone()];
    while let Some(value) = todo.pop() {
        walk.visit(0)?;
        match &value {
            Value::List(list) => todo.extend(list.items()?),
            Value::Dict(dict) => todo.extend(values(dict)?),
            _ => {}
        }
    }
    let style = JsonStyle { sort: KeyOrder::Keys, ..JsonStyle::default() };
    match json::dump(value, &style) {
        Err(error) if !matches!(error.class, Class::Limit | Class::Recursion) => Ok(None),
        made => made.map(Some),
    }
}

/// Returns the texts of some items; `None` if one of them cannot be written.
fn texts(items: &[Value], walk: &VisitCounter<'_>) -> Result<Option<Vec<String>>> {
    let texts = items.iter().map(|item| sorted_json(item, walk));
    let texts = texts.collect::<Result<Vec<_>>>()?;
    Ok(texts.into_iter().collect())
}

/// Returns the runs in which two lists differ.
pub(super) fn differing_runs(
    old: &[Value],
    new: &[Value],
    walk: &VisitCounter<'_>,
) -> Result<Vec<ListRun>> {
    let (Some(old_texts), Some(new_texts)) = (texts(old, walk)?, texts(new, walk)?)
    else {
        return Ok(vec![ListRun { old: 0..old.len(), new: 0..new.len() }]);
    };
    ComparedLists { old, new, old_texts, new_texts, walk }.runs()
}

impl ComparedLists<'_> {
    fn runs(&self) -> Result<Vec<ListRun>> {
        let both = self.old_texts.iter().zip(&self.new_texts);
        let start = both.take_while(|(old, new)| old == new).count();
        let shorter = self.old.len().min(self.new.len());
        let ends = self.old_texts.iter().rev().zip(self.new_texts.iter().rev());
        let ends = ends.take(shorter - start).take_while(|(old, new)| old == new).count();
        let between = ListRun {
            old: start..self.old.len() - ends,
            new: start..self.new.len() - ends,
        };
        if between.old.len().saturating_mul(between.new.len()) > MAX_MATCHED {
            return Ok(vec![between]);
        }
        let by_position = self.cost(&between)?;
        let matched = self.unmatched(&between)?;
        let mut cost = 0;
        for run in &matched {
            cost += self.cost(run)?;
        }
        // Items may be equal by chance: matching them up may take more operations.
        Ok(if cost > by_position { vec![between] } else { matched })
    }

    /// Returns the number of operations that replace the items of a run one by one.
    fn cost(&self, run: &ListRun) -> Result<usize> {
        let mut cost = run.old.len().abs_diff(run.new.len());
        for (old, new) in run.old.clone().zip(run.new.clone()) {
            if self.old_texts[old] != self.new_texts[new] {
                cost += self.difference(&self.old[old], &self.new[new])?;
            }
        }
        Ok(cost)
    }

    /// Returns the number of operations between two values.
    fn difference(&self, old: &Value, new: &Value) -> Result<usize> {
        let mut todo = vec![[old.clone(), new.clone()]];
        let mut cost = 0;
        while let Some([old, new]) = todo.pop() {
            self.walk.visit(0)?;
            match (&old, &new) {
                (Value::Dict(old), Value::Dict(new)) => {
                    let mut common = 0;
                    for (key, old) in old.entries()? {
                        match new.get(&key)? {
                            Some(new) => {
                                common += 1;
                                todo.push([old, new]);
                            }
                            None => cost += 1,
                        }
                    }
                    cost += new.len() - common;
                }
                (Value::List(old), Value::List(new)) => {
                    cost += old.len().abs_diff(new.len());
                    let both = old.items()?.into_iter().zip(new.items()?);
                    todo.extend(both.map(|(old, new)| [old, new]));
                }
                (old, new) => cost += usize::from(!python::equal(old, new)?),
            }
        }
        Ok(cost)
    }

    /// Returns the runs between the longest blocks that both lists have, as `difflib` finds
    /// them.
    fn unmatched(&self, between: &ListRun) -> Result<Vec<ListRun>> {
        let mut places = HashMap::<&str, Vec<usize>>::new();
        for at in between.new.clone() {
            places.entry(&*self.new_texts[at]).or_default().push(at);
        }
        let mut todo = vec![between.clone()];
        let mut blocks = Vec::new();
        while let Some(within) = todo.pop() {
            let block = self.longest_block(&within, &places)?;
            if block.old.is_empty() {
                continue;
            }
            todo.push(ListRun {
                old: within.old.start..block.old.start,
                new: within.new.start..block.new.start,
            });
            todo.push(ListRun {
                old: block.old.end..within.old.end,
                new: block.new.end..within.new.end,
            });
            blocks.push(block);
        }
        blocks.sort_by_key(|block| block.old.start);
        // The end of the lists ends the last run.
        blocks.push(ListRun {
            old: between.old.end..between.old.end,
            new: between.new.end..between.new.end,
        });
        let mut runs = Vec::new();
        let mut old = between.old.start;
        let mut new = between.new.start;
        for block in blocks {
            let run = ListRun { old: old..block.old.start, new: new..block.new.start };
            if !run.old.is_empty() || !run.new.is_empty() {
                runs.push(run);
            }
            old = block.old.end;
            new = block.new.end;
        }
        Ok(runs)
    }

    /// Returns the longest block of equal items within a run; of several the first.
    fn longest_block(
        &self,
        within: &ListRun,
        places: &HashMap<&str, Vec<usize>>,
    ) -> Result<ListRun> {
        let mut best = ListRun {
            old: within.old.start..within.old.start,
            new: within.new.start..within.new.start,
        };
        // The lengths of the blocks that end at each item of the new list.
        let mut lengths = HashMap::<usize, usize>::new();
        for old in within.old.clone() {
            let mut longer = HashMap::new();
            let equal = places.get(&*self.old_texts[old]).map_or(&[][..], Vec::as_slice);
            charge_steps(equal.len() + 1)?;
            for new in equal.iter().copied().filter(|new| within.new.contains(new)) {
                let before = new.checked_sub(1).and_then(|new| lengths.get(&new));
                let length = before.copied().unwrap_or(0) + 1;
                longer.insert(new, length);
                if length > best.old.len() {
                    best.old = old + 1 - length..old + 1;
                    best.new = new + 1 - length..new + 1;
                }
            }
            lengths = longer;
        }
        Ok(best)
    }
}
