//! Loads YAML as PyYAML's safe loader does. A text in, values out: YAML 1.1, with dates,
//! `!!set` as sets and `!!binary` as bytes.

use std::collections::HashSet;

use hashbrown::HashMap;

use crate::arena::{Arena, Index, Style};
use crate::diagnostic::Diagnostic;
use crate::eval::python::base64;
use crate::eval::python::yaml::{YamlTag, construct, resolve};
use crate::eval::python::{Dict, Exception, Key, List, Result, Value, limit_members};
use crate::node::Tree;
use crate::scalar::{Dialect, YAML_TAG_PREFIX};
use crate::source::Sources;
use crate::yaml;

/// `yaml.safe_load`
///
/// # Errors
/// The text is not YAML, or it has more than one document.
pub fn load(text: &str) -> Result<Value> {
    let document = read(text)?;
    match document.roots() {
        [_] => build(document.base(), 0),
        _ => Err(Exception::of_value(
            "expected a single document in the stream, but found another document",
        )),
    }
}

/// `yaml.safe_load_all`
///
/// # Errors
/// The text is not YAML.
pub fn load_all(text: &str) -> Result<Vec<Value>> {
    let document = read(text)?;
    let arena = document.base();
    let roots = document.roots().iter().enumerate();
    let there = roots.filter(|(_, root)| !document.is_absent(**root));
    there.map(|(at, _)| build(arena, at)).collect()
}

fn read(text: &str) -> Result<Tree> {
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    // Our parser accepts an empty document here, PyYAML does not.
    if lines.map(str::trim_end).next() == Some("...") {
        let at = text.find("...").unwrap_or(0) as u32;
        let what = "while parsing a block node\ndid not find expected node content";
        return Err(Exception::of_value(format!("{what}{}", place(text, at))));
    }
    let mut sources = Sources::default();
    let file = sources.add("<unicode string>", text);
    let depth = crate::eval::python::max_depth() as u32;
    let options =
        yaml::Options { dialect: Dialect::Yaml11, depth, ..yaml::Options::default() };
    let document = yaml::read(&sources, file, &options);
    let document = document.map_err(|wrong| refused(text, &wrong))?;
    check_anchors(document.base())?;
    Ok(document)
}

/// Refuses an anchor that stands twice in a document, as PyYAML does.
fn check_anchors(arena: &Arena) -> Result<()> {
    let mut sections = arena.sections().iter().map(|section| section.root).peekable();
    let mut seen = HashMap::new();
    for node in arena.props_nodes() {
        while sections.next_if(|root| *root <= node).is_some() {
            seen.clear();
        }
        let Some(anchor) = arena.anchor(node) else { continue };
        if let Some(first) = seen.insert(anchor, node) {
            let [first, second] =
                [first, node].map(|at| place(arena.text(), arena.outer_start(at)));
            return Err(Exception::of_value(format!(
                "found duplicate anchor; first occurrence{first}\nsecond occurrence{second}"
            )));
        }
    }
    Ok(())
}

fn refused(text: &str, wrong: &Diagnostic) -> Box<Exception> {
    let at = wrong.labels.first().map_or(0, |label| label.span.start);
    Exception::of_value(format!("{}{}", wrong.message, place(text, at)))
}

fn place(text: &str, at: u32) -> String {
    let before = text.get(..at as usize).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
    format!("\n  in \"<unicode string>\", line {line}, column {column}")
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    List,
    Dict,
    Set,
    /// `!!omap` and `!!pairs`: a list of pairs.
    Pairs,
}

struct LoadedCollection {
    node: Index,
    shape: Form,
    /// The members that are still to be read, the next one last.
    todo: Vec<Index>,
    done: Vec<Value>,
    keys: Vec<Index>,
}

impl LoadedCollection {
    fn wants_key(&self) -> bool {
        self.shape != Form::List && self.done.len().is_multiple_of(2)
    }
}

struct Builder<'a> {
    arena: &'a Arena,
    /// The values of nodes that have anchors.
    known: HashMap<Index, Value>,
    running: HashSet<Index>,
    open: Vec<LoadedCollection>,
    /// The number of entries of all mappings, limited as nested `<<` may multiply them.
    entries: usize,
}

fn build(arena: &Arena, section: usize) -> Result<Value> {
    let Some(section) = arena.sections().get(section) else { return Ok(Value::None) };
    let known = HashMap::new();
    let running = HashSet::new();
    Builder { arena, known, running, open: Vec::new(), entries: 0 }.run(section.root)
}

impl Builder<'_> {
    fn run(mut self, root: Index) -> Result<Value> {
        let mut next = root;
        loop {
            let mut whole = self.begin(next)?;
            next = loop {
                let Some(last) = self.open.last_mut() else {
                    return Ok(whole.unwrap_or(Value::None));
                };
                last.done.extend(whole);
                if let Some(member) = last.todo.pop() {
                    break member;
                }
                whole = self.open.pop().map(|last| self.close(last)).transpose()?;
            };
        }
    }

    fn wrong(&self, what: &str, node: Index) -> Box<Exception> {
        let at = self.arena.outer_start(node);
        Exception::of_value(format!("{what}{}", place(self.arena.text(), at)))
    }

    fn unknown(&self, tag: &str, node: Index) -> Box<Exception> {
        let what = format!("could not determine a constructor for the tag '{tag}'");
        self.wrong(&what, node)
    }

    /// Returns the value of a scalar or of a known node, or opens a collection.
    fn begin(&mut self, node: Index) -> Result<Option<Value>> {
        let node = self.follow(node);
        if let Some(known) = self.known.get(&node) {
            return Ok(Some(known.clone()));
        }
        let is_key = self.open.last().is_some_and(LoadedCollection::wants_key);
        let shape = match self.arena.style(node) {
            Style::BlockSequence | Style::FlowSequence => self.shape(node, false)?,
            _ if self.is_mapping(node) => self.shape(node, true)?,
            _ => return self.scalar(node, is_key).map(Some),
        };
        if !self.running.insert(node) {
            return Err(self.wrong("found a collection that holds itself", node));
        }
        let mut todo = Vec::new();
        let mut keys = Vec::new();
        match shape {
            Form::List => todo.extend(self.arena.children(node)),
            Form::Dict | Form::Set => {
                for (key, value) in self.entries(node)? {
                    keys.push(key);
                    todo.extend([key, value]);
                }
            }
            Form::Pairs => {
                for item in self.arena.children(node) {
                    let item = self.follow(item);
                    if !self.is_mapping(item) {
                        return Err(self.wrong("expected a mapping of length 1", item));
                    }
                    let mut entries = self.arena.entries(item);
                    let (Some((key, value)), None) = (entries.next(), entries.next())
                    else {
                        return Err(self.wrong("expected a single mapping item", item));
                    };
                    todo.extend([key, value]);
                }
            }
        }
        todo.reverse();
        self.open.push(LoadedCollection { node, shape, todo, done: Vec::new(), keys });
        Ok(None)
    }

    fn follow(&self, node: Index) -> Index {
        match self.arena.style(node) {
            Style::Alias => self.arena.target(node),
            _ => node,
        }
    }

    fn shape(&self, node: Index, mapping: bool) -> Result<Form> {
        let Some(tag) = self.arena.resolved_tag(node) else {
            return Ok(if mapping { Form::Dict } else { Form::List });
        };
        match (tag.strip_prefix(YAML_TAG_PREFIX), mapping) {
            (Some("seq"), false) => Ok(Form::List),
            (Some("omap" | "pairs"), false) => Ok(Form::Pairs),
            (Some("map"), true) => Ok(Form::Dict),
            (Some("set"), true) => Ok(Form::Set),
            _ if *tag == *"!" => Ok(if mapping { Form::Dict } else { Form::List }),
            _ => Err(self.unknown(&tag, node)),
        }
    }

    fn close(&mut self, whole: LoadedCollection) -> Result<Value> {
        let mut keys = whole.keys.iter();
        let mut members = whole.done.into_iter();
        let pairs = std::iter::from_fn(|| Some((members.next()?, members.next()?)));
        let mut key = |value: Value| {
            let at = keys.next().copied().unwrap_or(whole.node);
            Key::new(value).map_err(|_| {
                let what = format!(
                    "while constructing a mapping{}\nfound unhashable key",
                    place(self.arena.text(), self.arena.outer_start(whole.node))
                );
                self.wrong(&what, at)
            })
        };
        let value = match whole.shape {
            Form::List => Value::List(members.collect::<List>()),
            Form::Pairs => Value::list(pairs.map(|(a, b)| Value::tuple([a, b]))),
            Form::Set => Value::Set(pairs.map(|(k, _)| key(k)).collect::<Result<_>>()?),
            Form::Dict => {
                let entries = pairs.map(|(k, value)| Ok((key(k)?, value)));
                Value::Dict(entries.collect::<Result<Dict>>()?)
            }
        };
        self.running.remove(&whole.node);
        self.known.insert(whole.node, value.clone());
        Ok(value)
    }

    fn scalar(&self, node: Index, is_key: bool) -> Result<Value> {
        let text = self.arena.string(node);
        let plain = matches!(self.arena.style(node), Style::Plain | Style::Empty);
        let tag = self.arena.resolved_tag(node);
        let meant = match tag.as_deref() {
            None if plain => resolve(&text),
            None => YamlTag::Str,
            Some("!") => resolve(&text),
            Some(tag) => match tag.strip_prefix(YAML_TAG_PREFIX) {
                Some("str") => YamlTag::Str,
                Some("null") => YamlTag::Null,
                Some("bool") => YamlTag::Bool,
                Some("int") => YamlTag::Int,
                Some("float") => YamlTag::Float,
                Some("timestamp") => YamlTag::Timestamp,
                Some("binary") => return self.binary(&text, node),
                _ => return Err(self.unknown(tag, node)),
            },
        };
        match meant {
            YamlTag::Merge if !is_key => {
                Err(self.unknown("tag:yaml.org,2002:merge", node))
            }
            YamlTag::Value if !is_key => {
                Err(self.unknown("tag:yaml.org,2002:value", node))
            }
            meant => construct(&text, meant).map_err(|e| self.wrong(&e.message, node)),
        }
    }

    fn binary(&self, text: &str, node: Index) -> Result<Value> {
        let what = match base64::decode(text.as_bytes()) {
            _ if !text.is_ascii() => "not ASCII".to_owned(),
            Ok(bytes) => return Ok(Value::Bytes(bytes.into())),
            Err(refused) => refused.message,
        };
        Err(self.wrong(&format!("failed to decode base64 data: {what}"), node))
    }

    /// Returns the entries of a mapping: those of `<<`, the weakest first, then its own.
    fn entries(&mut self, node: Index) -> Result<Vec<(Index, Index)>> {
        let mut entries = Vec::new();
        let mut todo = vec![node];
        let mut met = HashSet::new();
        while let Some(mapping) = todo.pop() {
            if !met.insert(mapping) {
                continue;
            }
            let (merges, own): (Vec<_>, Vec<_>) =
                self.arena.entries(mapping).partition(|(key, _)| self.is_merge(*key));
            self.entries += 1 + own.len();
            limit_members(self.entries)?;
            entries.extend(own.into_iter().rev());
            for (_, source) in merges {
                todo.extend(self.sources(source)?.into_iter().rev());
            }
        }
        entries.reverse();
        Ok(entries)
    }

    fn is_mapping(&self, node: Index) -> bool {
        let style = self.arena.style(node);
        matches!(style, Style::BlockMapping | Style::FlowMapping | Style::FlowPair)
    }

    fn is_merge(&self, key: Index) -> bool {
        self.arena.style(key) == Style::Plain
            && self.arena.raw(key) == "<<"
            && self.arena.tag(key).is_none()
    }

    /// Returns the mappings of a `<<`, the strongest first.
    fn sources(&self, source: Index) -> Result<Vec<Index>> {
        let source = self.follow(source);
        let all = match self.arena.style(source) {
            Style::BlockSequence | Style::FlowSequence => {
                self.arena.children(source).map(|item| self.follow(item)).collect()
            }
            _ => vec![source],
        };
        if all.iter().all(|node| self.is_mapping(*node)) {
            Ok(all)
        } else {
            Err(self.wrong("expected a mapping or list of mappings for merging", source))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{load, load_all};
    use crate::eval::python::{Result, repr};

    #[test]
    fn reads_as_pyyaml_does() -> Result<()> {
        let cases = [
            ("", "None"),
            ("a: 010\nb: [yes, 1:30, 1e3, ~]", "{'a': 8, 'b': [True, 90, '1e3', None]}"),
            ("2024-01-02", "datetime.date(2024, 1, 2)"),
            (
                "x: &x {a: 1, b: 2}\ny: {<<: *x, b: 3}",
                "{'x': {'a': 1, 'b': 2}, 'y': {'a': 1, 'b': 3}}",
            ),
            ("!!set {a, b}", "{'a', 'b'}"),
            ("!!binary aGk=", "b'hi'"),
            ("[! \"5\", !!str 5, '5', !!omap [a: 1]]", "[5, '5', '5', [('a', 1)]]"),
            ("123456789012345678901234567890", "123456789012345678901234567890"),
            ("=: x", "{'=': 'x'}"),
        ];
        for (text, wanted) in cases {
            assert_eq!(repr(&load(text)?)?, wanted);
        }
        assert_eq!(load_all("--- 1\n--- 2\n")?.len(), 2);
        assert_eq!(load_all("")?.len(), 0);
        for text in ["--- 1\n--- 2", "a: !foo 1", "{{ x }}", "[1, 2", "@x", "&a [*a]"] {
            assert!(load(text).is_err(), "{text}");
        }
        Ok(())
    }
}
