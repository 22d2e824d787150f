//! Applies edits of any language, with any effect on aliases, and compares the printed text
//! with the result of an applier and a reader that share no code with the engine: a graph, in
//! which an alias is a second edge to a node, and `serde_yaml`.

use std::collections::BTreeMap;
use std::fmt::Write;

use interpolate::unstable::apply;
use interpolate::unstable::language::{self as patches, Verb};
use interpolate::unstable::node::{Aliases, Tree};
use interpolate::unstable::patch::Patch;
use interpolate::unstable::source::Sources;
use interpolate::unstable::yaml::{self, Options};
use serde_json::Value;

use crate::language::{LANGUAGES, Language};
use crate::patched::Tally;
use crate::text::Choices;

/// Maximum depth of the values of a document.
const DEPTH: u32 = 3;

/// Tests the edits that `steps` choose, on the document that `shape` chooses.
pub fn check(
    shape: &[u32],
    steps: &[Vec<u32>],
    language: Language,
    tally: &Tally,
) -> Result<(), String> {
    let choices = &mut Choices::new(shape);
    let aliases = Aliases::ALL[choices.next(3) as usize];
    let mut graph = Graph::new(choices);
    let mut text = graph.text();
    for step in steps {
        let choices = &mut Choices::new(step);
        let Some(edit) = Edit::of(&graph, choices) else { continue };
        let Some(patch) = edit.text(language) else { continue };
        tally.count_case();
        let run = [WrittenEdit { text: patch, verb: edit.verb(), language }];
        let story = |why: String| {
            let (aliases, patch) = (aliases.name(), &run[0].text);
            format!("{why}\n--- base\n{text}--- {language:?}, {aliases}\n{patch}\n---\n")
        };
        let is_shared = edit.passes_shared(&graph);
        let printed = match print_run(&text, &run, aliases) {
            Ok(printed) => printed,
            Err(_) if aliases == Aliases::Refuse => continue,
            Err(why) => return Err(story(why)),
        };
        tally.count_applied();
        if aliases == Aliases::Refuse && is_shared {
            return Err(story(format!("the edit is not refused\n{printed}")));
        }
        edit.apply(&mut graph, aliases == Aliases::Follow);
        let read: Value = serde_yaml::from_str(&printed)
            .map_err(|error| story(format!("{error}\n{printed}")))?;
        let expected = graph.value(graph.root());
        if read != expected {
            return Err(story(format!("{printed}is not {expected}")));
        }
        // The next edit is made to a text that was written with care.
        text = graph.text();
    }
    Ok(())
}

/// Tests a run of the edits that `steps` choose, each in a language that it chooses: the text is
/// read once and printed once.
pub fn check_run(shape: &[u32], steps: &[Vec<u32>], tally: &Tally) -> Result<(), String> {
    let choices = &mut Choices::new(shape);
    let aliases = Aliases::ALL[choices.next(3) as usize];
    let mut graph = Graph::new(choices);
    let text = graph.text();
    let mut run = Vec::new();
    let mut is_shared = false;
    for step in steps {
        let choices = &mut Choices::new(step);
        let language = LANGUAGES[choices.next(LANGUAGES.len() as u32) as usize];
        let Some(edit) = Edit::of(&graph, choices) else { continue };
        let Some(text) = edit.text(language) else { continue };
        // Of nodes in each other that have all gone, an edit through one of their aliases does
        // not reach each place: what takes nodes away ends the run.
        let is_last = aliases == Aliases::Follow && edit.discards_shared(&graph);
        is_shared |= edit.passes_shared(&graph);
        edit.apply(&mut graph, aliases == Aliases::Follow);
        run.push(WrittenEdit { text, verb: edit.verb(), language });
        if is_last {
            break;
        }
    }
    tally.count_case();
    let story = |why: String| {
        let aliases = aliases.name();
        let run = run.iter().map(|it| format!("--- {:?}\n{}\n", it.language, it.text));
        format!("{why}\n--- base\n{text}--- {aliases}\n{}", run.collect::<String>())
    };
    let printed = match print_run(&text, &run, aliases) {
        Ok(printed) => printed,
        Err(_) if aliases == Aliases::Refuse => return Ok(()),
        Err(why) => return Err(story(why)),
    };
    tally.count_applied();
    if aliases == Aliases::Refuse && is_shared {
        return Err(story(format!("no edit is refused\n{printed}")));
    }
    let read: Value = serde_yaml::from_str(&with_own_anchors(&printed))
        .map_err(|error| story(format!("{error}\n{printed}")))?;
    let expected = graph.value(graph.root());
    if read == expected {
        Ok(())
    } else {
        Err(story(format!("{printed}is {read}, not {expected}")))
    }
}

/// Returns a text in which no two anchors have one name, which `serde_yaml` mistakes: an alias
/// stands for the last one before it.
fn with_own_anchors(text: &str) -> String {
    let mut count = 0;
    let mut last = BTreeMap::new();
    let mut own = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['&', '*']) {
        let (before, sign) = rest.split_at(at);
        let end = sign[1..].find(|c: char| !c.is_ascii_alphanumeric());
        let (word, behind) = sign.split_at(end.map_or(sign.len(), |end| end + 1));
        let (sign, name) = word.split_at(1);
        if sign == "&" {
            count += 1;
            last.insert(name, count);
        }
        let number = last.get(name).copied().unwrap_or_default();
        own += &format!("{before}{sign}a{number}");
        rest = behind;
    }
    own + rest
}

/// An edit as a language has it.
struct WrittenEdit {
    text: String,
    verb: Verb,
    language: Language,
}

/// Applies a run of edits to a text. Returns what is printed.
fn print_run(
    text: &str,
    run: &[WrittenEdit],
    aliases: Aliases,
) -> Result<String, String> {
    let (mut sources, options) = (Sources::default(), Options::default());
    let mut document = read(&mut sources, text)?;
    let mut all = Patch::default();
    for WrittenEdit { text, verb, language } in run {
        all.extend(match language {
            Language::Argument => patches::argument(&mut sources, *verb, text, &options)
                .map_err(|error| error.to_string())?,
            Language::MergePatch => patches::merge_patch(&read(&mut sources, text)?)
                .map_err(|error| error.to_string())?,
            _ => patches::patch(&read(&mut sources, text)?, "patch.yml")
                .map_err(|error| format!("{error:?}"))?,
        });
    }
    all.set_aliases(aliases);
    apply::apply(&all, &mut document, 0..1).map_err(|error| error.to_string())?;
    Ok(document.to_string())
}

fn read(sources: &mut Sources, text: &str) -> Result<Tree, String> {
    let id = sources.add("text.yml", text);
    yaml::read(sources, id, &Options::default()).map_err(|error| error.to_string())
}

/// The nodes of a document. Several edges may lead to one of them.
struct Graph(Vec<Body>);

#[derive(Clone)]
enum Body {
    Number(u32),
    List(Vec<usize>),
    Map(Vec<(String, usize)>),
}

impl Body {
    fn children(&self) -> Vec<usize> {
        match self {
            Body::Number(_) => Vec::new(),
            Body::List(items) => items.clone(),
            Body::Map(entries) => entries.iter().map(|(_, value)| *value).collect(),
        }
    }

    fn child_mut(&mut self, at: usize) -> &mut usize {
        match self {
            Body::List(items) => &mut items[at],
            Body::Map(entries) => &mut entries[at].1,
            Body::Number(_) => unreachable!("a number has no children"),
        }
    }
}

impl Graph {
    fn new(choices: &mut Choices<'_>) -> Graph {
        let mut graph = Graph(Vec::new());
        let count = 2 + choices.next(3);
        let names = (0..count).map(|i| format!("r{i}"));
        let entries = names.map(|name| (name, graph.make(choices, DEPTH))).collect();
        graph.push(Body::Map(entries));
        graph
    }

    /// The last node that was made around all others.
    fn root(&self) -> usize {
        self.0.len() - 1
    }

    fn push(&mut self, body: Body) -> usize {
        self.0.push(body);
        self.0.len() - 1
    }

    /// Makes a value; now and then it is one that was made before.
    fn make(&mut self, choices: &mut Choices<'_>, depth: u32) -> usize {
        let made = self.0.len() as u32;
        if made > 0 && choices.chance(25) {
            return choices.next(made) as usize;
        }
        let count = 1 + choices.next(3) as usize;
        let body = match choices.next(if depth == 0 { 1 } else { 3 }) {
            0 => Body::Number(choices.next(9)),
            1 => Body::List((0..count).map(|_| self.make(choices, depth - 1)).collect()),
            _ => {
                let names = ["a", "b", "c"].into_iter().take(count);
                let entry = |name: &str| (name.to_owned(), self.make(choices, depth - 1));
                Body::Map(names.map(entry).collect())
            }
        };
        self.push(body)
    }

    fn is(&self, id: usize, number: u32) -> bool {
        matches!(self.0[id], Body::Number(it) if it == number)
    }

    /// Returns the number of edges that lead to each node.
    fn uses(&self) -> Vec<u32> {
        let mut uses = vec![0; self.0.len()];
        let mut todo = vec![self.root()];
        while let Some(id) = todo.pop() {
            uses[id] += 1;
            if uses[id] == 1 {
                todo.extend(self.0[id].children());
            }
        }
        uses
    }

    /// Returns the document as YAML, each node with several edges once, and then its aliases.
    fn text(&self) -> String {
        let mut text = String::new();
        let uses = self.uses();
        let mut written = vec![false; self.0.len()];
        let Body::Map(entries) = &self.0[self.root()] else { return text };
        for (name, value) in entries {
            let _ = write!(text, "{name}: ");
            self.write(*value, &uses, &mut written, &mut text);
            text.push('\n');
        }
        if entries.is_empty() { "{}\n".to_owned() } else { text }
    }

    fn write(&self, id: usize, uses: &[u32], written: &mut [bool], text: &mut String) {
        if std::mem::replace(&mut written[id], true) {
            let _ = write!(text, "*n{id}");
            return;
        }
        if uses[id] > 1 {
            let _ = write!(text, "&n{id} ");
        }
        match &self.0[id] {
            Body::Number(number) => {
                let _ = write!(text, "{number}");
            }
            Body::List(items) => {
                text.push('[');
                for item in items {
                    self.write(*item, uses, written, text);
                    text.push_str(", ");
                }
                text.push(']');
            }
            Body::Map(entries) => {
                text.push('{');
                for (name, value) in entries {
                    let _ = write!(text, "{name}: ");
                    self.write(*value, uses, written, text);
                    text.push_str(", ");
                }
                text.push('}');
            }
        }
    }

    fn value(&self, id: usize) -> Value {
        match &self.0[id] {
            Body::Number(number) => (*number).into(),
            Body::List(items) => items.iter().map(|item| self.value(*item)).collect(),
            Body::Map(entries) => {
                let entry =
                    |(name, value): &(String, usize)| (name.clone(), self.value(*value));
                Value::Object(entries.iter().map(entry).collect())
            }
        }
    }
}

/// An edit at a place, which exists.
struct Edit {
    /// The positions of the children on the way, and their tokens.
    way: Vec<(usize, Token)>,
    change: Change,
}

#[derive(Clone)]
enum Token {
    Key(String),
    Index(usize),
}

#[derive(Clone, Copy)]
enum Change {
    Replace(u32),
    Remove,
    /// A new item at the end of the list.
    Append(u32),
    /// A new entry of the mapping, named by its number.
    New(u32),
}

impl Edit {
    fn of(graph: &Graph, choices: &mut Choices<'_>) -> Option<Edit> {
        let mut way = Vec::new();
        let mut id = graph.root();
        loop {
            let children = graph.0[id].children();
            if children.is_empty() || !way.is_empty() && choices.chance(35) {
                break;
            }
            let at = choices.next(children.len() as u32) as usize;
            let token = match &graph.0[id] {
                Body::Map(entries) => Token::Key(entries[at].0.clone()),
                _ => Token::Index(at),
            };
            way.push((at, token));
            id = children[at];
        }
        let number = 10 + choices.next(80);
        let change = match (choices.next(3), &graph.0[id]) {
            // `--append` adds an item that the list does not have yet.
            (0, Body::List(items))
                if !items.iter().any(|item| graph.is(*item, number)) =>
            {
                Change::Append(number)
            }
            (0, Body::Map(entries))
                if entries.iter().all(|(name, _)| *name != format!("n{number}")) =>
            {
                Change::New(number)
            }
            (1, _) => Change::Remove,
            _ => Change::Replace(number),
        };
        (!way.is_empty()).then_some(Edit { way, change })
    }

    /// Returns true if a collection that the edit changes stands in several places.
    fn passes_shared(&self, graph: &Graph) -> bool {
        let uses = graph.uses();
        let mut id = graph.root();
        let (_, around) = self.way.split_last().unwrap();
        around.iter().any(|(at, _)| {
            id = graph.0[id].children()[*at];
            uses[id] > 1
        })
    }

    /// Returns true if the edit takes a node away from one of several places.
    fn discards_shared(&self, graph: &Graph) -> bool {
        let uses = graph.uses();
        let step = |id: usize, (at, _): &(usize, Token)| graph.0[id].children()[*at];
        let id = self.way.iter().fold(graph.root(), step);
        let mut todo = match self.change {
            Change::Remove => vec![id],
            Change::Replace(_) => graph.0[id].children(),
            Change::Append(_) | Change::New(_) => Vec::new(),
        };
        while let Some(id) = todo.pop() {
            if uses[id] > 1 {
                return true;
            }
            todo.extend(graph.0[id].children());
        }
        false
    }

    /// Applies the edit: to the nodes on the way, or to copies of them.
    fn apply(&self, graph: &mut Graph, follows: bool) {
        let root = graph.root();
        let mut id = root;
        let (last, around) = self.way.split_last().unwrap();
        let own = |graph: &mut Graph, parent: usize, at: usize| {
            let child = *graph.0[parent].child_mut(at);
            if follows {
                return child;
            }
            let copy = graph.push(graph.0[child].clone());
            *graph.0[parent].child_mut(at) = copy;
            copy
        };
        for (at, _) in around {
            id = own(graph, id, *at);
        }
        match (self.change, &mut graph.0[id]) {
            (Change::Remove, Body::List(items)) => drop(items.remove(last.0)),
            (Change::Remove, Body::Map(entries)) => drop(entries.remove(last.0)),
            _ => id = own(graph, id, last.0),
        }
        match self.change {
            Change::Replace(number) => graph.0[id] = Body::Number(number),
            Change::Append(number) | Change::New(number) => {
                let made = graph.push(Body::Number(number));
                match &mut graph.0[id] {
                    Body::List(items) => items.push(made),
                    Body::Map(entries) => entries.push((format!("n{number}"), made)),
                    Body::Number(_) => {}
                }
            }
            Change::Remove => {}
        }
        let body = graph.0[root].clone();
        graph.push(body);
    }

    fn verb(&self) -> Verb {
        match self.change {
            Change::Remove => Verb::Remove,
            Change::Append(_) => Verb::Append,
            Change::Replace(_) | Change::New(_) => Verb::Set,
        }
    }

    /// Returns the edit in a language, if it can say it.
    fn text(&self, language: Language) -> Option<String> {
        let slashes = self.path("/", "/", "");
        let dots = self.path(".", "[", "]");
        let dots = dots.trim_start_matches('.');
        let query = format!("$.{dots}");
        let overlay = |rest: String| {
            let head = "overlay: 1.1.0\ninfo: {title: t, version: v}\nactions:\n";
            format!("{head}- {{target: '{query}', {rest}}}\n")
        };
        Some(match (language, self.change) {
            (Language::Ops, _) => self.op(["type", "replace", "?"], &slashes),
            (Language::JsonPatch, _) => self.op(["op", "add", ""], &slashes),
            (Language::Overlay, Change::Remove) => overlay("remove: true".into()),
            (Language::Overlay, Change::Append(number)) => {
                overlay(format!("update: {number}"))
            }
            (Language::Overlay, Change::New(number)) => {
                overlay(format!("update: {{n{number}: {number}}}"))
            }
            (Language::Overlay, Change::Replace(_)) => return None,
            (Language::Argument, Change::Replace(number) | Change::Append(number)) => {
                format!("{dots}={number}")
            }
            (Language::Argument, Change::New(number)) => {
                format!("{dots}.n{number}={number}")
            }
            (Language::Argument, Change::Remove) => dots.to_owned(),
            (Language::MergePatch, change) => return self.merge_patch(change),
        })
    }

    /// Returns the op of a list of ops. The words are the field of its kind, the kind that
    /// adds something, and the mark of a new key.
    fn op(&self, [field, add, mark]: [&str; 3], path: &str) -> String {
        let (kind, at, number) = match self.change {
            Change::Remove => return format!("- {{{field}: remove, path: {path}}}"),
            Change::Replace(number) => ("replace", String::new(), number),
            Change::Append(number) => (add, "/-".to_owned(), number),
            Change::New(number) => (add, format!("/n{number}{mark}"), number),
        };
        format!("- {{{field}: {kind}, path: {path}{at}, value: {number}}}")
    }

    fn path(&self, before_key: &str, before_index: &str, end: &str) -> String {
        let mut path = String::new();
        for (_, token) in &self.way {
            let _ = match token {
                Token::Key(key) => write!(path, "{before_key}{key}"),
                Token::Index(index) => write!(path, "{before_index}{index}{end}"),
            };
        }
        path
    }

    fn merge_patch(&self, change: Change) -> Option<String> {
        let mut text = match change {
            Change::Replace(number) => number.to_string(),
            Change::Remove => "null".to_owned(),
            Change::New(number) => format!("{{n{number}: {number}}}"),
            Change::Append(_) => return None,
        };
        for (_, token) in self.way.iter().rev() {
            let Token::Key(key) = token else { return None };
            text = format!("{{{key}: {text}}}");
        }
        Some(text)
    }
}
