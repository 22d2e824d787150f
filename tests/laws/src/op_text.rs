//! Writes random patches of each language for a document of a stream.

use interpolate::unstable::language::{self, Verb};
use interpolate::unstable::node::{Kind, NodeId, Tree};
use interpolate::unstable::patch::Patch;
use interpolate::unstable::source::Sources;
use interpolate::unstable::yaml::{self, Options};

use crate::edit::place_below;
use crate::language::Language;
use crate::patched::{QUERIES, VALUES};
use crate::text::Choices;

/// Selectors of documents, most of which select one of those that are generated.
const SELECTORS: &[&str] =
    &["kind=Service", "name=web", "kind=Job,name=db", "@.a0", "@.a0 || @.b0", "!@.kind"];

/// A writer of patches for one document.
pub(crate) struct Writer<'a, 'c> {
    pub(crate) document: &'a Tree,
    pub(crate) root: NodeId,
    pub(crate) choices: &'a mut Choices<'c>,
}

impl Writer<'_, '_> {
    /// Returns the text of a patch and the patch itself; `None` if it is none.
    pub(crate) fn patch(
        &mut self,
        language: Language,
        sources: &mut Sources,
    ) -> Option<(String, Patch)> {
        let count = 1 + self.choices.next(3);
        let text = match language {
            Language::Ops => (0..count).map(|_| self.op()).collect(),
            Language::JsonPatch => (0..count).map(|_| self.json_op()).collect(),
            Language::MergePatch => self.merge_patch(),
            Language::Overlay => self.overlay(count),
            Language::Argument => return self.arguments(count, sources),
        };
        let id = sources.add("ops.yml", text.clone());
        let ops = yaml::read(sources, id, &Options::default()).ok()?;
        let patch = match language {
            Language::MergePatch => language::merge_patch(&ops).ok()?,
            _ => language::patch(&ops, "ops.yml").ok()?,
        };
        Some((text, patch))
    }

    fn one<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.choices.next(of.len() as u32) as usize]
    }

    fn value(&mut self) -> &'static str {
        self.one(VALUES)
    }

    fn place(&mut self) -> (String, NodeId) {
        let (way, depth) = (self.choices.next(10_000), 1 + self.choices.next(4));
        place_below(self.document, self.root, way, depth)
    }

    /// Returns a path to what is there, and one to a new entry or item of it.
    fn paths(&mut self) -> (String, String) {
        let (path, node) = self.place();
        let end = if self.document.kind(node) == Kind::Sequence { "-" } else { "new" };
        let new = format!("{path}/{end}");
        (path, new)
    }

    /// Returns the path of an op of an ops-file.
    fn target(&mut self) -> String {
        let (path, new) = self.paths();
        match self.choices.next(16) {
            0..4 => self.one(QUERIES).to_owned(),
            4 => query(&path),
            5 => format!("{path}/missing?"),
            6 => format!("{path}/made?/deep?"),
            7 => format!("{path}/missing"),
            8 | 9 => mark_new(&new),
            10 if ends_in_index(&path) => path + ":before",
            11 if ends_in_index(&path) => path + ":after",
            12 if ends_in_index(&path) => path + ":prev",
            _ => path,
        }
    }

    fn from(&mut self) -> String {
        let (path, _) = self.paths();
        match self.choices.next(4) {
            0 => query(&path),
            1 if self.choices.chance(30) => self.one(QUERIES).to_owned(),
            _ => path,
        }
    }

    /// Returns the place that something is moved or copied to.
    fn to(&mut self) -> String {
        let (path, new) = self.paths();
        match self.choices.next(4) {
            0 => path,
            1 if ends_in_index(&path) => path + ":before",
            _ => new,
        }
    }

    fn op(&mut self) -> String {
        let (value, rules) = (self.value(), self.rules());
        let at = self.target();
        let op = match self.choices.next(12) {
            0..3 => format!("type: replace, path: \"{at}\", value: {value}"),
            3 | 4 => format!("type: remove, path: \"{at}\""),
            5 => format!("type: merge, path: \"{at}\", value: {{a0: {value}, new: 1}}"),
            6 => {
                let unless = self.unless();
                format!("type: insert, path: \"{at}\", value: {value}{unless}")
            }
            7 | 8 => format!(
                "type: copy, from: \"{}\", path: \"{}\"{}",
                self.from(),
                self.to(),
                self.unless()
            ),
            9 | 10 => {
                format!("type: move, from: \"{}\", path: \"{}\"", self.from(), self.to())
            }
            _ => return self.test(value, &rules),
        };
        format!("- {{{op}{rules}}}\n")
    }

    /// Returns a test, after an op that makes it pass now and then.
    fn test(&mut self, value: &str, rules: &str) -> String {
        let (path, _) = self.place();
        let test = format!("- {{type: test, path: \"{path}\", value: {value}{rules}}}\n");
        match self.choices.next(4) {
            0 => {
                format!("- {{type: test, path: \"{path}/gone\", absent: true{rules}}}\n")
            }
            1 => test,
            _ => {
                format!(
                    "- {{type: replace, path: \"{path}\", value: {value}{rules}}}\n{test}"
                )
            }
        }
    }

    fn unless(&mut self) -> &'static str {
        if self.choices.chance(30) { ", unless: exists" } else { "" }
    }

    /// Returns the fields that any op may have.
    fn rules(&mut self) -> String {
        let mut rules = String::new();
        if self.choices.chance(25) {
            rules += ", optional: true";
        }
        if self.choices.chance(20) {
            rules += &format!(", where: \"{}\"", self.one(SELECTORS));
        }
        if self.choices.chance(30) {
            rules += &format!(", anchors: {}", self.one(&["copy", "follow", "refuse"]));
        }
        rules
    }

    fn json_op(&mut self) -> String {
        let (value, (path, new)) = (self.value(), self.paths());
        let op = match self.choices.next(9) {
            0 => format!("op: add, path: \"{path}\", value: {value}"),
            1 => format!("op: add, path: \"{new}\", value: {value}"),
            2 => format!("op: remove, path: \"{path}\""),
            3 => format!("op: replace, path: \"{path}\", value: {value}"),
            4 => format!("op: move, from: \"{}\", path: \"{path}\"", self.place().0),
            5 => format!("op: move, from: \"{}\", path: \"{new}\"", self.place().0),
            6 => format!("op: copy, from: \"{}\", path: \"{new}\"", self.place().0),
            7 => format!("op: copy, from: \"{}\", path: \"{path}\"", self.place().0),
            _ => {
                let op = format!("op: replace, path: \"{path}\", value: {value}");
                return format!(
                    "- {{{op}}}\n- {{op: test, path: \"{path}\", value: {value}}}\n"
                );
            }
        };
        format!("- {{{op}}}\n")
    }

    fn merge_patch(&mut self) -> String {
        let mut text = String::new();
        let (mut at, depth) = (self.root, self.choices.next(4));
        for level in 0..=depth as usize {
            let pairs = self.document.pairs(at).into_iter();
            let pairs: Vec<_> =
                pairs.filter(|&(key, _)| self.document.string(key).is_some()).collect();
            let pad = "  ".repeat(level);
            if self.choices.chance(40) {
                text += &format!("{pad}new: {}\n", self.value());
            }
            if pairs.is_empty() {
                text += &format!("{pad}other: {}\n", self.value());
                return text;
            }
            let (key, value) = pairs[self.choices.next(pairs.len() as u32) as usize];
            let key = self.document.string(key).unwrap_or_default().into_owned();
            if level == depth as usize || self.document.kind(value) != Kind::Mapping {
                text += &format!("{pad}{key:?}: {}\n", self.value());
                return text;
            }
            text += &format!("{pad}{key:?}:\n");
            at = value;
        }
        text
    }

    fn overlay(&mut self, count: u32) -> String {
        let mut text =
            String::from("overlay: 1.1.0\ninfo: {title: t, version: v}\nactions:\n");
        for _ in 0..count {
            let (path, _) = self.place();
            let target = if self.choices.chance(40) {
                query(&path)
            } else {
                self.one(QUERIES).to_owned()
            };
            let action = match self.choices.next(6) {
                0 => "remove: true".to_owned(),
                1 => format!("copy: \"{}\"", query(&self.place().0)),
                2 => format!("update: {{a0: {}, new: {{k: 1}}}}", self.value()),
                _ => format!("update: {}", self.value()),
            };
            text += &format!("- target: \"{target}\"\n  {action}\n");
        }
        text
    }

    fn arguments(
        &mut self,
        count: u32,
        sources: &mut Sources,
    ) -> Option<(String, Patch)> {
        let (mut story, mut patch) = (String::new(), Patch::default());
        for _ in 0..count {
            let (value, (path, new)) = (self.value(), self.paths());
            let to = if self.choices.chance(50) { &path } else { &new };
            let (verb, text) = match self.choices.next(8) {
                0 => (Verb::Set, format!("{path}={value}")),
                1 => (Verb::Set, format!("{}={value}", mark_new(&new))),
                2 => (Verb::SetString, format!("{path}={value}")),
                3 => (Verb::Append, format!("{path}={value}")),
                4 => (Verb::Remove, path),
                5 => (Verb::Set, format!("{}={value}", self.one(QUERIES))),
                6 => (Verb::Move, format!("{}={to}", self.place().0)),
                _ => (Verb::Copy, format!("{}={to}", self.place().0)),
            };
            patch.extend(
                language::argument(sources, verb, &text, &Options::default()).ok()?,
            );
            story += &format!("{} {text}\n", verb.option());
        }
        Some((story, patch))
    }
}

/// Returns a path to something new in the form that makes it.
fn mark_new(path: &str) -> String {
    if path.ends_with('-') { path.to_owned() } else { format!("{path}?") }
}

fn ends_in_index(path: &str) -> bool {
    path.rsplit('/').next().is_some_and(|token| token.parse::<u32>().is_ok())
}

/// Returns the query that selects what a path leads to.
fn query(path: &str) -> String {
    let tokens = path.split('/').skip(1).map(|token| match token.parse::<u32>() {
        Ok(index) => format!("[{index}]"),
        Err(_) => format!("['{token}']"),
    });
    tokens.fold("$".to_owned(), |query, token| query + &token)
}
