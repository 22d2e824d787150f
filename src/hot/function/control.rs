//! Functions that control what is evaluated: `equals`, `not`, `and` and `or`, of conditions;
//! the macro `if`; and `repeat`, a list of copies of a template in which names are replaced
//! by the items of lists.

use std::cell::Cell;

use crate::eval::python::{
    self, Arguments, Class, Key, Result, Value, limit_bytes, limit_depth, limit_members,
};
use crate::hot::stack::{IntrinsicCall, IntrinsicFunction, Stack, function};
use crate::hot::version::Version;

#[rustfmt::skip]
pub(super) const FUNCTIONS: &[IntrinsicFunction] = &[
    IntrinsicFunction::condition("and", |c, s| decide(c, s, false)).check(check_all),
    IntrinsicFunction::condition("equals", equals).check(check_equals),
    IntrinsicFunction::choice(3).between(Version::Newton, Version::Rocky),
    IntrinsicFunction::choice(2).since(Version::Wallaby),
    IntrinsicFunction::condition("not", not).check(check_not),
    IntrinsicFunction::condition("or", |c, s| decide(c, s, true)).check(check_all),
    function("repeat", |c, s| repeat(c, s, ForEachValues::Lists, true))
        .takes(&["for_each", "template"], &[]).between(Version::Kilo, Version::Mitaka)
        .check(|c| parts(c).map(drop)).validate(validate),
    function("repeat", |c, s| repeat(c, s, ForEachValues::ListsAndMaps, true))
        .takes(&["for_each", "template"], &[]).between(Version::Newton, Version::Ocata)
        .check(|c| parts(c).map(drop)).validate(validate),
    function("repeat", ordered).takes(&["for_each", "template"], &["permutations"]).since(Version::Pike)
        .check(check_order).validate(validate),
];

fn check_equals(call: &IntrinsicCall) -> Result<()> {
    let form = "Arguments to \"{}\" must be of the form: [value_1, value_2]";
    call.check_list(2..=2, form, form, Class::Value)
}

fn equals(call: &IntrinsicCall, stack: &Stack) -> Result<Value> {
    let [one, other] = python::unpack(&call.arguments)?;
    python::equal(&stack.resolve(&one)?, &stack.resolve(&other)?).map(Value::Bool)
}

fn check_not(call: &IntrinsicCall) -> Result<()> {
    match &call.arguments {
        Value::None => Err(call.value_error("Argument to \"{}\" must be a condition")),
        _ => Ok(()),
    }
}

fn not(call: &IntrinsicCall, stack: &Stack) -> Result<Value> {
    let condition = stack.resolve(&call.arguments)?;
    Ok(Value::Bool(!stack.condition(&condition)?))
}

fn check_all(call: &IntrinsicCall) -> Result<()> {
    let too_few = "The minimum number of condition arguments to \"{}\" is 2.";
    let no_list = "Arguments to \"{}\" must be a list of conditions";
    call.check_list(2.., too_few, no_list, Class::Value)
}

/// Evaluates conditions until one is `decisive`, and returns the result.
fn decide(call: &IntrinsicCall, stack: &Stack, decisive: bool) -> Result<Value> {
    // Heat resolves all arguments at once, but looks up the names among them one by one:
    // an unknown name behind the decisive condition is no error.
    for condition in python::iterate(&stack.resolve(&call.arguments)?)? {
        if stack.condition(&condition)? == decisive {
            return Ok(Value::Bool(decisive));
        }
    }
    Ok(Value::Bool(!decisive))
}

/// The types that the values of `for_each` may have.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ForEachValues {
    Lists,
    ListsAndMaps,
}

/// Returns the unresolved `for_each` and `template`.
fn parts(call: &IntrinsicCall) -> Result<[Value; 2]> {
    let (values, []) = call.bind(
        "\"repeat\" syntax should be repeat:\n              \
         template: This is %var%\n              for_each:\n                \
         %var%: ['a', 'b', 'c']",
    )?;
    Ok(values)
}

/// Checks the arguments with `permutations`, which 2017-09-01 added.
fn check_order(call: &IntrinsicCall) -> Result<()> {
    parts(call)?;
    match permutations(call)? {
        Value::Bool(_) => Ok(()),
        _ => {
            let message = "\"permutations\" should be boolean type for {} function.";
            Err(call.type_error(message))
        }
    }
}

fn permutations(call: &IntrinsicCall) -> Result<Value> {
    let Value::Dict(arguments) = &call.arguments else { return Ok(Value::Bool(true)) };
    Ok(arguments.get_text("permutations")?.unwrap_or(Value::Bool(true)))
}

fn validate(call: &IntrinsicCall, stack: &Stack) -> Result<()> {
    stack.validate_arguments(call)?;
    let [names, _] = parts(call)?;
    if IntrinsicCall::of(&names).is_some() || matches!(names, Value::Dict(_)) {
        Ok(())
    } else {
        Err(call.type_error("The \"for_each\" argument to \"{}\" must contain a map"))
    }
}

/// Repeats over all combinations, or over lists side by side.
fn ordered(call: &IntrinsicCall, stack: &Stack) -> Result<Value> {
    match permutations(call)? {
        Value::Bool(false) => repeat(call, stack, ForEachValues::Lists, false),
        _ => repeat(call, stack, ForEachValues::ListsAndMaps, true),
    }
}

fn repeat(
    call: &IntrinsicCall,
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
    let mut keys = Vec::new();
    let mut lists = Vec::new();
    let mut lengths = Vec::new();
    for (key, values) in names {
        let list = members(call, &values, source)?;
        lengths.extend((!matches!(values, Value::None)).then_some(list.len()));
        keys.push(key.into_value());
        lists.push(list);
    }
    // Only known lists are compared; a null is a list that does not exist yet.
    if !nested && lengths.windows(2).any(|pair| pair.first() != pair.last()) {
        return Err(call.value_error(
            "For {}, the length of for_each values should be equal if no nested loop.",
        ));
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
        let values = items_of(&lists, turn, nested);
        let turn = Iteration { stack, names: &keys, values: &values, size: &size };
        repeated.push(turn.substitute(&template, 0)?);
    }
    Ok(Value::list(repeated))
}

/// Returns the items that a name is replaced by; none if the list is not known yet.
fn members(
    call: &IntrinsicCall,
    values: &Value,
    source: ForEachValues,
) -> Result<Vec<Value>> {
    match values {
        Value::None => Ok(Vec::new()),
        Value::List(items) => items.items(),
        Value::Dict(map) if source == ForEachValues::ListsAndMaps => Ok(map.keys()),
        _ => {
            let maps =
                if source == ForEachValues::ListsAndMaps { " or maps" } else { "" };
            Err(call.type_error(&format!(
                "The values of the \"for_each\" argument to \"{{}}\" must be lists{maps}"
            )))
        }
    }
}

/// Returns one item of each list for a turn. If they are nested, the last list changes
/// fastest.
fn items_of(lists: &[Vec<Value>], turn: usize, nested: bool) -> Vec<Value> {
    let mut values = vec![Value::None; lists.len()];
    let mut rest = turn;
    for (value, list) in values.iter_mut().zip(lists).rev() {
        let length = list.len().max(1);
        let at = if nested { rest % length } else { turn };
        rest /= length;
        *value = list.get(at).cloned().unwrap_or(Value::None);
    }
    values
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
        limit_depth(depth, "")?;
        self.made(1)?;
        let depth = depth + 1;
        match template {
            Value::Str(_) => self.text(template),
            Value::List(items) => {
                let items = items.items()?;
                let items = items.iter().map(|item| self.substitute(item, depth));
                items.collect::<Result<_>>().map(Value::List)
            }
            Value::Dict(map) => map
                .entries()?
                .iter()
                .map(|(key, value)| {
                    let key = Key::new(self.substitute(key.value(), depth)?)?;
                    Ok((key, self.substitute(value, depth)?))
                })
                .collect::<Result<_>>()
                .map(Value::Dict),
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
