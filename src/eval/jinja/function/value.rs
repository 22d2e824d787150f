//! Functions that make a value: `dict`, `range`, `namespace`, `cycler`, `joiner`, `now`,
//! `undef`, `lipsum`.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::eval::jinja::filter::date;
use crate::eval::jinja::filter::parameter::{
    flag, given, index, method, number, type_error_of, value_error,
};
use crate::eval::jinja::filter::random::generator;
use crate::eval::jinja::{CallSite, Plugin, PluginTable, Undefined};
use crate::eval::python::random::Random;
use crate::eval::python::time::{DateTime, Zone};
use crate::eval::python::{
    self, Arguments, Bound, Callable, Dict, IntRange, Key, Object, Result, Value,
    limit_bytes,
};

#[rustfmt::skip]
pub(super) const FUNCTIONS: PluginTable = &[
    Plugin::variadic("cycler", cycler),
    Plugin::variadic("dict", dict),
    Plugin::new("joiner", "joiner", &[], &["sep"], joiner),
    Plugin::new("lipsum", "generate_lorem_ipsum", &[], &["n", "html", "min", "max"], lipsum),
    Plugin::variadic("namespace", namespace),
    Plugin::new("now", "_now", &[], &["utc", "fmt"], now),
    Plugin::new("range", "range", &["start"], &["stop", "step"], range),
    Plugin::new("undef", "_undef", &[], &["hint"], undef),
];

fn undef(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([], [hint]) = arguments.split();
    match hint {
        None | Some(Value::None) => {
            Ok(Undefined::because("A required variable is missing: `undef()`"))
        }
        Some(Value::Str(hint)) => Ok(Undefined::because(&*hint)),
        Some(other) => {
            type_error_of(&other, "hint must be of type <class 'str'>, not {}")
        }
    }
}

fn now(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([], [utc, fmt]) = arguments.split();
    let second = date::now(&call.scope.context)?;
    let zone = if flag(utc, false)? {
        Zone::utc()
    } else {
        date::local(&call.scope.context, second)?
    };
    let micros = (second * 1e6) as i128 + i128::from(zone.offset) * 1_000_000;
    let now = DateTime::of_micros(micros, None)?;
    match given(fmt) {
        None => Ok(Value::object(now)),
        Some(fmt) => {
            method(&Value::object(now), "strftime", [Value::text(python::str(&fmt)?)])
        }
    }
}

fn dict(_: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    python::dict(arguments).map(Value::Dict)
}

fn range(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([first], [second, step]) = arguments.split();
    let number = |value: Option<Value>, default: i64| match value {
        None => Ok(default),
        // Python allows such a range, but nothing could iterate over it.
        Some(Value::Big(_)) => value_error("a range is too long"),
        Some(other) => index(&other),
    };
    let (start, stop) = match second {
        None => (0, number(Some(first), 0)?),
        Some(stop) => (number(Some(first), 0)?, number(Some(stop), 0)?),
    };
    match number(step, 1)? {
        0 => value_error("range() arg 3 must not be zero"),
        step => Ok(Value::Range(IntRange { start, stop, step })),
    }
}

/// The value of `namespace()`, the only one whose attributes `{% set %}` can change.
#[derive(Debug)]
struct Namespace(Dict);

fn namespace(_: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    Ok(Value::object(Namespace(python::dict(arguments)?)))
}

impl Object for Namespace {
    fn type_name(&self) -> &str {
        "Namespace"
    }

    fn attribute(&self, name: &str) -> Result<Option<Value>> {
        self.0.get_text(name)
    }

    fn item(&self, key: &Value) -> Result<Option<Value>> {
        self.0.get(&Key::new(key.clone())?)
    }

    fn set_attribute(&self, name: &str, value: Value) -> Result<()> {
        self.0.set(Key::text(name), value);
        Ok(())
    }
}

#[derive(Clone, Debug)]
struct Cycler {
    items: Arc<[Value]>,
    at: Arc<AtomicUsize>,
}

fn cycler(_: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    if arguments.positional.is_empty() {
        return value_error("at least one item has to be provided");
    }
    let items = arguments.positional.into();
    Ok(Value::object(Cycler { items, at: Arc::default() }))
}

fn joiner(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([], [between]) = arguments.split();
    let between = between.unwrap_or_else(|| Value::text(", "));
    let used = AtomicBool::new(false);
    Ok(Callable::value("Joiner", move |_| {
        let is_first = !used.swap(true, Ordering::Relaxed);
        Ok(if is_first { Value::text("") } else { between.clone() })
    }))
}

impl Cycler {
    fn current(&self) -> Value {
        let at = self.at.load(Ordering::Relaxed) % self.items.len().max(1);
        self.items.get(at).cloned().unwrap_or(Value::None)
    }
}

impl Object for Cycler {
    fn type_name(&self) -> &str {
        "Cycler"
    }

    fn attribute(&self, name: &str) -> Result<Option<Value>> {
        let state = self.clone();
        Ok(match name {
            "current" => Some(state.current()),
            "next" => Some(Callable::value("method", move |_| {
                let current = state.current();
                state.at.fetch_add(1, Ordering::Relaxed);
                Ok(current)
            })),
            "reset" => Some(Callable::value("method", move |_| {
                state.at.store(0, Ordering::Relaxed);
                Ok(Value::None)
            })),
            _ => None,
        })
    }
}

/// The words of the text, which are those of Jinja.
const WORDS: &str = "a ac accumsan ad adipiscing aenean aliquam aliquet amet ante aptent \
    arcu at auctor augue bibendum blandit class commodo condimentum congue consectetuer \
    consequat conubia convallis cras cubilia cum curabitur curae cursus dapibus diam \
    dictum dictumst dignissim dis dolor donec dui duis egestas eget eleifend elementum \
    elit enim erat eros est et etiam eu euismod facilisi facilisis fames faucibus felis \
    fermentum feugiat fringilla fusce gravida habitant hac hendrerit iaculis id imperdiet \
    in inceptos integer interdum ipsum justo lacinia lacus laoreet lectus leo libero \
    ligula litora lobortis lorem luctus maecenas magna magnis malesuada massa mattis \
    mauris metus mi molestie mollis montes morbi mus nam nascetur natoque nec neque nibh \
    nisi nisl non nonummy nostra nulla nullam nunc odio orci ornare parturient pede";

fn lipsum(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([], [n, html, min, max]) = arguments.split();
    let count = number(n, 5)?;
    let least = number(min, 20)?;
    let most = number(max, 100)?;
    let html = flag(html, true)?;
    // Checked before the first word is drawn. A word is at least one byte.
    let size = i128::from(count.max(0)) * i128::from(most.max(0));
    limit_bytes(usize::try_from(size).unwrap_or(usize::MAX))?;
    if count <= 0 {
        return Ok(Value::text(""));
    }
    let mut random = generator(call, None)?;
    let words: Vec<&str> = WORDS.split_whitespace().collect();
    let mut paragraphs = Vec::new();
    for _ in 0..count.max(0) {
        paragraphs.push(paragraph(&mut random, &words, least, most)?);
    }
    let (open, close, gap) = if html { ("<p>", "</p>", "\n") } else { ("", "", "\n\n") };
    let paragraphs: Vec<String> =
        paragraphs.iter().map(|text| format!("{open}{text}{close}")).collect();
    Ok(Value::text(paragraphs.join(gap)))
}

/// Returns a paragraph of `min` to `max` words, in sentences of about ten.
fn paragraph(random: &mut Random, words: &[&str], min: i64, max: i64) -> Result<String> {
    let mut text = String::new();
    let mut begins = true;
    // Jinja excludes the maximum, too.
    let length = random.range(min, max, 1)?;
    for at in 0..length {
        let word = random.choice(words).copied().unwrap_or_default();
        if !text.is_empty() {
            text.push(' ');
        }
        let mut letters = word.chars();
        match letters.next() {
            Some(first) if begins => text.extend(first.to_uppercase()),
            Some(first) => text.push(first),
            None => {}
        }
        text.push_str(letters.as_str());
        begins = at + 1 == length || random.below(10) == 0;
        if begins {
            text.push('.');
        }
    }
    Ok(text)
}
