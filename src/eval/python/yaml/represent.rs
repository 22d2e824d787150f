//! PyYAML's representer: a value → the events of a document.

use hashbrown::{HashMap, HashSet};

use super::scalar::{YamlTag, resolve};
use crate::eval::python::float::shortest;
use crate::eval::python::time::{Date, DateTime};
use crate::eval::python::{Exception, Result, Value, limit, limit_bytes, sort_by_key};

/// The keyword arguments of `yaml.dump`.
#[derive(Clone, Debug)]
pub struct YamlStyle {
    /// Indentation of a level; values outside of 2 to 9 mean 2.
    pub indent: i64,
    /// Column after which lines are folded; negative for no folding.
    pub width: i64,
    pub sort_keys: bool,
    /// True if characters beyond ASCII are written without an escape.
    pub unicode: bool,
    /// True for flow style; `None` selects it for collections that hold only scalars.
    pub flow: Option<bool>,
    /// True if the text starts with `---`.
    pub explicit_start: bool,
    /// True if the text ends with `...`.
    pub explicit_end: bool,
    /// True for the canonical form: every tag is written, all scalars are quoted.
    pub canonical: bool,
    /// Version of the directive `%YAML`.
    pub version: Option<(i64, i64)>,
    /// Handles and prefixes of the directives `%TAG`.
    pub tags: Vec<(String, String)>,
    /// Style of all scalars.
    pub scalar: Option<ScalarStyle>,
    /// True if a container that occurs twice is written once, with an alias.
    pub aliases: bool,
    /// True if sets and texts of HTML are values that YAML does not have.
    pub strict: bool,
    /// Returns a replacement for a value that YAML does not have.
    pub default: fn(&Value) -> Result<Option<Value>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScalarStyle {
    Plain,
    Single,
    Double,
    /// `|`
    Literal,
    /// `>`
    Folded,
}

impl Default for YamlStyle {
    fn default() -> YamlStyle {
        YamlStyle {
            indent: 2,
            width: 80,
            sort_keys: true,
            unicode: false,
            flow: Some(false),
            explicit_start: false,
            explicit_end: false,
            canonical: false,
            version: None,
            tags: Vec::new(),
            scalar: None,
            aliases: true,
            strict: false,
            default: |_| Ok(None),
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum DumpEvent {
    Scalar(ScalarEvent),
    /// `*id001`
    Alias(String),
    /// A sequence. A tuple is a sequence, too.
    Sequence(CollectionStart),
    Mapping(CollectionStart),
    End,
}

/// A scalar and the styles in which its tag is implied.
#[derive(Clone, Debug, PartialEq)]
pub struct ScalarEvent {
    pub text: String,
    /// True if the tag is implied for a plain scalar; true if it is for a quoted one.
    pub plain: bool,
    pub quoted: bool,
    /// Tag to write if it is not implied.
    pub tag: &'static str,
    pub quote: ScalarStyle,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct CollectionStart {
    pub anchor: Option<String>,
    pub tag: Option<&'static str>,
    pub flow: bool,
}

/// The state of the representer.
struct Representer<'a> {
    style: &'a YamlStyle,
    events: Vec<DumpEvent>,
    /// Anchors by the addresses of containers that occur twice.
    anchors: HashMap<usize, String>,
    written: HashSet<usize>,
}

/// A container and its members.
struct Container {
    all: Vec<Value>,
    mapping: bool,
    tag: Option<&'static str>,
    address: Option<usize>,
}

pub fn represent(value: &Value, style: &YamlStyle) -> Result<Vec<DumpEvent>> {
    let anchors = if style.aliases { anchors(value, style)? } else { HashMap::new() };
    let mut representer =
        Representer { style, events: Vec::new(), anchors, written: HashSet::new() };
    walk(value, style, |step| representer.step(step))?;
    Ok(representer.events)
}

/// An event of a walk over a value.
enum WalkEvent<'a> {
    Scalar(&'a Value),
    Begin(&'a Container),
    End,
}

/// Walks over a value. `visit` returns false to skip the members of a container.
fn walk(
    value: &Value,
    style: &YamlStyle,
    mut visit: impl FnMut(WalkEvent<'_>) -> Result<bool>,
) -> Result<()> {
    let mut open = vec![vec![value.clone()].into_iter()];
    let mut count = 0;
    while let Some(members) = open.last_mut() {
        let Some(value) = members.next() else {
            open.pop();
            if !open.is_empty() {
                visit(WalkEvent::End)?;
            }
            continue;
        };
        let value = representable(&value, style)?;
        count += 1;
        // Shared lists of shared lists are small in memory and huge when written.
        limit_bytes(count)?;
        let Some(members) = Container::of(&value, style)? else {
            visit(WalkEvent::Scalar(&value))?;
            continue;
        };
        limit::limit_depth(open.len(), "while dumping YAML")?;
        if visit(WalkEvent::Begin(&members))? {
            open.push(members.all.into_iter());
        }
    }
    Ok(())
}

/// Returns the value itself, or its replacement if YAML does not have it.
fn representable(value: &Value, style: &YamlStyle) -> Result<Value> {
    let value = value.force()?;
    let is_representable = match &value {
        Value::Object(_) => {
            value.downcast::<Date>().is_some() || value.downcast::<DateTime>().is_some()
        }
        Value::Range(_) | Value::Lazy(_) => false,
        Value::Set(_) => !style.strict,
        Value::Str(text) => !style.strict || !text.is_markup(),
        _ => true,
    };
    if is_representable {
        return Ok(value);
    }
    (style.default)(&value)?.ok_or_else(|| {
        Exception::of_type_of(&value, "cannot represent an object of type {}")
    })
}

impl Container {
    fn of(value: &Value, style: &YamlStyle) -> Result<Option<Container>> {
        let (all, mapping, tag, address) = match value {
            Value::List(items) => (items.items()?, false, None, Some(items.address())),
            Value::Tuple(items) => (items.to_vec(), false, None, None),
            Value::Dict(entries) => {
                let pairs = entries.entries()?.into_iter();
                let pairs = pairs.map(|(key, value)| (key.value().clone(), value));
                (sorted(pairs.collect(), style), true, None, Some(entries.address()))
            }
            Value::Set(members) => {
                let members = members.0.iter();
                let pairs = members.map(|key| (key.value().clone(), Value::None));
                (sorted(pairs.collect(), style), true, Some("!!set"), None)
            }
            _ => return Ok(None),
        };
        Ok(Some(Container { all, mapping, tag, address }))
    }

    /// Returns true if the container holds only plain scalars.
    fn is_simple(&self, style: &YamlStyle) -> bool {
        let mut all = self.all.iter();
        style.scalar.is_none()
            && all.all(|value| match value {
                Value::List(_) | Value::Tuple(_) | Value::Dict(_) | Value::Set(_) => {
                    false
                }
                other => !matches!(other, Value::Bytes(_)),
            })
    }
}

/// Returns keys and values in turn, sorted if the keys can be compared.
fn sorted(mut pairs: Vec<(Value, Value)>, style: &YamlStyle) -> Vec<Value> {
    let keys: Vec<Value> = pairs.iter().map(|(key, _)| key.clone()).collect();
    // Keys that cannot be compared keep their order: PyYAML catches the `TypeError`.
    if let Some(Ok(places)) = style.sort_keys.then(|| sort_by_key(&keys, false)) {
        pairs = places.into_iter().filter_map(|at| pairs.get(at).cloned()).collect();
    }
    pairs.into_iter().flat_map(|(key, value)| [key, value]).collect()
}

/// Returns the anchors of containers that occur twice, numbered by the second time.
fn anchors(value: &Value, style: &YamlStyle) -> Result<HashMap<usize, String>> {
    // Anchors are found in a walk of their own: the first occurrence carries them.
    let mut seen = HashSet::new();
    let mut anchors = HashMap::new();
    walk(value, style, |step| {
        let WalkEvent::Begin(Container { address: Some(address), .. }) = step else {
            return Ok(true);
        };
        if seen.insert(*address) {
            return Ok(true);
        }
        let next = format!("id{:03}", anchors.len() + 1);
        anchors.entry(*address).or_insert(next);
        Ok(false)
    })?;
    Ok(anchors)
}

impl Representer<'_> {
    fn step(&mut self, step: WalkEvent<'_>) -> Result<bool> {
        match step {
            WalkEvent::Scalar(value) => {
                self.events.push(DumpEvent::Scalar(self.scalar(value)?));
            }
            WalkEvent::End => self.events.push(DumpEvent::End),
            WalkEvent::Begin(members) => return Ok(self.begin(members)),
        }
        Ok(true)
    }

    fn begin(&mut self, members: &Container) -> bool {
        let anchor = members.address.and_then(|address| self.anchors.get(&address));
        if let (Some(address), Some(anchor)) = (members.address, anchor)
            && !self.written.insert(address)
        {
            self.events.push(DumpEvent::Alias(anchor.clone()));
            return false;
        }
        let flow = self.style.flow.unwrap_or_else(|| members.is_simple(self.style));
        let start = CollectionStart { anchor: anchor.cloned(), tag: members.tag, flow };
        let event =
            if members.mapping { DumpEvent::Mapping } else { DumpEvent::Sequence };
        self.events.push(event(start));
        true
    }

    fn scalar(&self, value: &Value) -> Result<ScalarEvent> {
        let (text, tag) = match value {
            Value::None => ("null".to_owned(), YamlTag::Null),
            Value::Bool(x) => (x.to_string(), YamlTag::Bool),
            Value::Int(x) => (x.to_string(), YamlTag::Int),
            Value::Big(x) => (x.to_string(), YamlTag::Int),
            Value::Float(x) => (float(*x), YamlTag::Float),
            Value::Str(text) => (text.to_string(), YamlTag::Str),
            Value::Bytes(bytes) => return Ok(binary(bytes)),
            other => {
                let text = match other.downcast::<DateTime>() {
                    Some(time) => time.isoformat(' '),
                    None => crate::eval::python::str(other)?,
                };
                (text, YamlTag::Timestamp)
            }
        };
        let plain = resolve(&text) == tag;
        let quoted = tag == YamlTag::Str;
        let quote = self.style.scalar.unwrap_or(ScalarStyle::Plain);
        Ok(ScalarEvent { text, plain, quoted, tag: tag.name(), quote })
    }
}

fn float(x: f64) -> String {
    match shortest(x) {
        _ if x.is_nan() => ".nan".to_owned(),
        _ if x.is_infinite() => if x > 0.0 { ".inf" } else { "-.inf" }.to_owned(),
        // `1e+20` would be read as a string by YAML 1.1, which needs a dot.
        text if !text.contains('.') && text.contains('e') => text.replacen('e', ".0e", 1),
        text => text,
    }
}

/// Encodes bytes in base64, with 76 digits per line.
fn binary(bytes: &[u8]) -> ScalarEvent {
    // 57 bytes are 76 digits, the line length of Python's `base64.encodebytes`.
    let lines = bytes.chunks(57);
    let text = lines.map(|line| crate::scalar::to_base64(line) + "\n").collect();
    let quote = ScalarStyle::Literal;
    ScalarEvent { text, plain: false, quoted: false, tag: "!!binary", quote }
}
