//! `repeat`: a list of copies of a template in which names are replaced by the items of
//! lists.

use std::cell::Cell;

use crate::eval::python::{
    self, Arguments, Exception, Key, Result, Value, limit_bytes, limit_members,
};
use crate::hot::exception::check_depth;
use crate::hot::stack::{FunctionCall, IntrinsicFunction, Stack, function};
use crate::hot::version::Version;

#[rustfmt::skip]
pub(super) const FUNCTIONS: &[IntrinsicFunction] = &[
    function("repeat", |c, s| repeat(c, s, ForEachValues::Lists, true))
        .takes(&["for_each", "template"], &[]).between(Version::Kilo, Version::Mitaka).check(check)
        .validate(validate),
    function("repeat", |c, s| repeat(c, s, ForEachValues::ListsAndMaps, true))
        .takes(&["for_each", "template"], &[]).between(Version::Newton, Version::Ocata).check(check)
        .validate(validate),
    function("repeat", ordered).takes(&["for_each", "template"], &["permutations"]).since(Version::Pike)
        .check(check_order).validate(validate),
];

/// The types that the values of `for_each` may have.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ForEachValues {
    Lists,
    ListsAndMaps,
}

/// Returns the unresolved `for_each` and `template`.
fn parts(call: &FunctionCall) -> Result<[Value; 2]> {
    let (values, []) = call.bind(
        "\"repeat\" syntax should be repeat:\n              \
         template: This is %var%\n              for_each:\n                \
         %var%: ['a', 'b', 'c']",
    )?;
    Ok(values)
}

fn check(call: &FunctionCall) -> Result<()> {
    parts(call).map(drop)
}

/// Checks the arguments with `permutations`, which 2017-09-01 added.
fn check_order(call: &FunctionCall) -> Result<()> {
    parts(call)?;
    match permutations(call)? {
        Value::Bool(_) => Ok(()),
        _ => Err(Exception::of_type(format!(
            "\"permutations\" should be boolean type for {} function.",
            call.name()
        ))),
    }
}

fn permutations(call: &FunctionCall) -> Result<Value> {
    let Value::Dict(arguments) = &call.arguments else { return Ok(Value::Bool(true)) };
    Ok(arguments.get_text("permutations")?.unwrap_or(Value::Bool(true)))
}

fn validate(call: &FunctionCall, stack: &Stack) -> Result<()> {
    stack.validate_arguments(call)?;
    let [names, _] = parts(call)?;
    if FunctionCall::of(&names).is_some() || matches!(names, Value::Dict(_)) {
        Ok(())
    } else {
        Err(Exception::of_type(format!(
            "The \"for_each\" argument to \"{}\" must contain a map",
            call.name()
        )))
    }
}

/// Repeats over all combinations, or over lists side by side.
fn ordered(call: &FunctionCall, stack: &Stack) -> Result<Value> {
    match permutations(call)? {
        Value::Bool(false) => repeat(call, stack, ForEachValues::Lists, false),
        _ => repeat(call, stack, ForEachValues::ListsAndMaps, true),
    }
}

fn repeat(
    call: &FunctionCall,
    stack: &Stack,
    source: ForEachValues,
    nested: bool,
) -> Result<Value> {
    let [names, template] = parts(call)?;
    let names = match stack.resolve(&names)? {
        Value::Dict(names) => names.entries()?,
        other => return Err(python::no_attribute(&other, "items")),
    };
    if names.is_empty() {
        return Err(python::wrong_count(2, 0));
    }
    let (mut keys, mut lists, mut lengths) = (Vec::new(), Vec::new(), Vec::new());
    for (key, values) in names {
        let list = members(call, &values, source)?;
        lengths.extend((!matches!(values, Value::None)).then_some(list.len()));
        keys.push(key.into_value());
        lists.push(list);
    }
    // Only known lists are compared; a null is a list that does not exist yet.
    if !nested && lengths.windows(2).any(|pair| pair.first() != pair.last()) {
        return Err(Exception::of_value(format!(
            "For {}, the length of for_each values should be equal if no nested loop.",
            call.name()
        )));
    }
    let template = stack.resolve(&template)?;
    let count = if nested {
        lists.iter().map(Vec::len).try_fold(1, usize::checked_mul)
    } else {
        lists.iter().map(Vec::len).min()
    };
    let count = count.unwrap_or(usize::MAX);
    // Checked before anything is made: three lists of 1,000 items have 1,000,000,000
    // combinations.
    limit_members(count)?;
    let size = Cell::default();
    let mut repeated = Vec::new();
    for turn in 0..count {
        let values = if nested { product(&lists, turn) } else { row(&lists, turn) };
        let turn = Iteration { stack, names: &keys, values: &values, size: &size };
        repeated.push(turn.substitute(&template, 0)?);
    }
    Ok(Value::list(repeated))
}

/// Returns the items that a name is replaced by; none if the list is not known yet.
fn members(
    call: &FunctionCall,
    values: &Value,
    source: ForEachValues,
) -> Result<Vec<Value>> {
    match values {
        Value::None => Ok(Vec::new()),
        Value::List(items) => items.items(),
        Value::Dict(map) if source == ForEachValues::ListsAndMaps => Ok(map.keys()),
        _ => Err(Exception::of_type(format!(
            "The values of the \"for_each\" argument to \"{}\" must be lists{}",
            call.name(),
            if source == ForEachValues::ListsAndMaps { " or maps" } else { "" }
        ))),
    }
}

/// Returns one item of each list. The last list changes fastest.
fn product(lists: &[Vec<Value>], turn: usize) -> Vec<Value> {
    let mut rest = turn;
    let mut values: Vec<Value> = lists
        .iter()
        .rev()
        .map(|list| {
            let at = rest % list.len().max(1);
            rest /= list.len().max(1);
            list.get(at).cloned().unwrap_or(Value::None)
        })
        .collect();
    values.reverse();
    values
}

fn row(lists: &[Vec<Value>], turn: usize) -> Vec<Value> {
    let value = |list: &Vec<Value>| list.get(turn).cloned().unwrap_or(Value::None);
    lists.iter().map(value).collect()
}

/// Number of steps in which a name is replaced, beside those for the text.
// A call of a method with its arguments: measured with 20,000 names in short texts.
const STEPS_OF_NAME: u64 = 6;

/// One copy of the template.
struct Iteration<'a> {
    stack: &'a Stack,
    names: &'a [Value],
    values: &'a [Value],
    /// Size of all copies so far.
    size: &'a Cell<usize>,
}

impl Iteration<'_> {
    /// Returns the template with each name replaced in all strings, one after the other.
    fn substitute(&self, template: &Value, depth: usize) -> Result<Value> {
        check_depth(depth)?;
        self.made(1)?;
        let inner = |part: &Value| self.substitute(part, depth + 1);
        match template {
            Value::Str(_) => self.text(template),
            Value::List(items) => {
                items.items()?.iter().map(inner).collect::<Result<_>>().map(Value::List)
            }
            Value::Dict(map) => {
                let entry = |(key, value): &(Key, Value)| {
                    Ok((Key::new(inner(key.value())?)?, inner(value)?))
                };
                map.entries()?.iter().map(entry).collect::<Result<_>>().map(Value::Dict)
            }
            other => Ok(other.clone()),
        }
    }

    fn text(&self, template: &Value) -> Result<Value> {
        let mut text = template.clone();
        for (name, value) in self.names.iter().zip(self.values) {
            let arguments = Arguments::of([name.clone(), value.clone()]);
            text = python::call_method(&text, "replace", arguments)?;
            self.stack.context.spend(STEPS_OF_NAME)?;
            self.stack.context.spend_bytes(text.as_str().map_or(0, str::len))?;
        }
        self.made(text.as_str().map_or(0, str::len))?;
        Ok(text)
    }

    fn made(&self, size: usize) -> Result<()> {
        self.stack.context.spend(1)?;
        self.size.set(self.size.get() + size);
        limit_bytes(self.size.get())
    }
}
