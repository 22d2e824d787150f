//! Filling in a document: `((names))` in strings and keys are replaced by values. Only
//! nodes with a use in them are opened. Two types in one file: a variable's options may
//! use other variables, so that looking up a name fills in as well.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use hashbrown::{HashMap, HashSet};
use memchr::memmem;

use super::definition::{Definition, FillOptions, missing, unused};
use super::generator::{Generator, GeneratorTask};
use super::secret::{ErrorChain, ErrorLine, Made};
use super::store::{Store, StoreError};
use super::syntax::{SinglePass, is_whole, uses, variable};
use crate::arena::{Arena, Index, Style};
use crate::diagnostic::{Diagnostic, Result};
use crate::node::{KeyDigests, Kind, NodeId, Seat, SlotId, Tree};
use crate::pointer::{Pointer, Token};
use crate::scalar::{Dialect, MERGE_TAG, Scalar, Tag, YAML_TAG_PREFIX};
use crate::source::{FileId, Span, World};
use crate::{apply, yaml};

pub(super) fn fill(lookup: &mut VariableLookup<'_>, root: Seat) {
    let met = HashSet::new();
    let filled = HashSet::new();
    let keys = HashMap::new();
    let passed = HashMap::new();
    Filler { lookup, met, filled, keys, passed, todo: vec![FillTask::Node(root)] }.run();
}

struct Filler<'a, 'l> {
    lookup: &'a mut VariableLookup<'l>,
    /// The opened nodes met so far.
    // An opened node may stand in several places, for aliases.
    met: HashSet<u32>,
    /// The anchored nodes whose aliases stand for the filled-in node.
    filled: HashSet<(FileId, Index)>,
    /// The keys of the mappings in which a key was filled in.
    keys: HashMap<u32, KeyDigests>,
    /// The entries that another one with the same key overrides, by mapping.
    passed: HashMap<u32, HashSet<SlotId>>,
    todo: Vec<FillTask>,
}

/// A task; the last one of the stack is done next.
enum FillTask {
    Node(Seat),
    /// The key of a slot of an opened mapping.
    Key(u32, SlotId),
}

impl Filler<'_, '_> {
    fn run(&mut self) {
        while let Some(task) = self.todo.pop() {
            let seat = match task {
                FillTask::Key(id, at) => {
                    self.rename(id, at);
                    continue;
                }
                // A key that another entry took over removed the entry that had it.
                FillTask::Node(Seat::Slot(id, at))
                    if !self.lookup.document.children(id).holds(at) =>
                {
                    continue;
                }
                FillTask::Node(seat) => seat,
            };
            match self.lookup.document.node_at(seat) {
                NodeId::Clean(file, i) => self.clean(seat, file, i),
                NodeId::Opened(id) => self.opened(seat, id),
            }
        }
    }

    fn clean(&mut self, seat: Seat, file: FileId, i: Index) {
        if !self.is_marked(file, i) {
            return;
        }
        if self.lookup.document.arena(file).style(i) == Style::Alias {
            return self.alias(file, i);
        }
        match self.lookup.document.kind(NodeId::Clean(file, i)) {
            Kind::Scalar => {
                if let Some(value) = self.value(NodeId::Clean(file, i)) {
                    self.lookup.document.set_at(seat, value, None);
                }
            }
            Kind::Sequence | Kind::Mapping => {
                if let Some(id) = self.lookup.document.open(seat, true) {
                    self.children(id);
                }
            }
        }
        if self.lookup.document.arena(file).anchor(i).is_some() && self.is_free(file, i) {
            self.lookup.document.set_alias_value(
                file,
                i,
                self.lookup.document.node_at(seat),
            );
        }
    }

    /// Returns true if the aliases of a node have no value of their own yet, or the one
    /// set here. A value that an op set is filled in where it stands.
    fn is_free(&mut self, file: FileId, i: Index) -> bool {
        let free = self.lookup.document.alias_value(file, i).is_none();
        if free {
            self.filled.insert((file, i));
        }
        free || self.filled.contains(&(file, i))
    }

    /// Fills in the value of an alias once: at its anchor or, without one, on its own.
    fn alias(&mut self, file: FileId, i: Index) {
        let target = self.lookup.document.arena(file).target(i);
        // The value of a variable is not filled in: it might have its own name in it.
        if self.filled.contains(&(file, target)) {
            return;
        }
        match self.lookup.document.follow(NodeId::Clean(file, i)) {
            NodeId::Opened(id) => self.children(id),
            clean if clean == NodeId::Clean(file, target) => {
                let seat = self.lookup.document.scratch_seat(clean);
                self.clean(seat, file, target);
            }
            NodeId::Clean(..) => {}
        }
    }

    fn opened(&mut self, seat: Seat, id: u32) {
        match self.lookup.document.kind(NodeId::Opened(id)) {
            Kind::Scalar => {
                if let Some(value) = self.value(NodeId::Opened(id)) {
                    self.lookup.document.set_at(seat, value, None);
                }
            }
            Kind::Sequence | Kind::Mapping => self.children(id),
        }
    }

    fn children(&mut self, id: u32) {
        if !self.met.insert(id) {
            return;
        }
        let passed = self.lookup.document.passed_slots(id);
        let slots = self.lookup.document.children(id);
        let ids: Vec<SlotId> = slots.ids().filter(|at| !passed.contains(at)).collect();
        for at in ids.into_iter().rev() {
            // bosh looks at the value before the key.
            if self.lookup.document.children(id).get(at).key.is_some() {
                self.todo.push(FillTask::Key(id, at));
            }
            self.todo.push(FillTask::Node(Seat::Slot(id, at)));
        }
        if !passed.is_empty() {
            self.passed.insert(id, passed);
        }
    }

    fn rename(&mut self, id: u32, at: SlotId) {
        let slots = self.lookup.document.children(id);
        let Some(key) = slots.holds(at).then(|| slots.get(at).key).flatten() else {
            return;
        };
        let Some(value) = self.key(key) else { return };
        self.remove_passed(id, key);
        let document = &mut *self.lookup.document;
        let keys = self.keys.entry(id).or_insert_with(|| document.key_digests(id));
        document.rename_with_digests(id, at, value, keys);
    }

    /// Removes the entries that one with the same key overrides, before that gets another key.
    fn remove_passed(&mut self, id: u32, key: NodeId) {
        let document = &mut *self.lookup.document;
        let Some(passed) = self.passed.get_mut(&id) else { return };
        let slots = document.children(id);
        let has_key = |at: &SlotId| {
            slots.get(*at).key.is_some_and(|other| document.is_same_key(other, key))
        };
        let same: Vec<SlotId> = passed.extract_if(has_key).collect();
        for at in same {
            document.remove_item(id, at);
        }
    }

    fn key(&mut self, key: NodeId) -> Option<NodeId> {
        if let NodeId::Clean(file, i) = key
            && !self.is_marked(file, i)
        {
            return None;
        }
        let value = self.value(key)?;
        if self.lookup.document.kind(value) == Kind::Scalar {
            let value = self.without_merge_tag(value);
            self.lookup.document.hide(value);
            return Some(value);
        }
        let message = "Expected the variable that stands for a key to be a scalar";
        self.problem(Diagnostic::error(message), key);
        None
    }

    /// Returns a value that becomes a key. `!!merge` has no effect on a value, but a
    /// key with that tag would merge what is below it.
    fn without_merge_tag(&mut self, value: NodeId) -> NodeId {
        let document = &mut *self.lookup.document;
        if document.own_tag(value).is_none_or(|tag| tag != MERGE_TAG) {
            return value;
        }
        let text = document.string(value).map(Cow::into_owned);
        text.map_or(value, |text| document.new_scalar(Scalar::String(text.into())))
    }

    /// Returns the value of the string `node`, if it has uses.
    fn value(&mut self, node: NodeId) -> Option<NodeId> {
        if self.lookup.document.kind(node) != Kind::Scalar {
            return None;
        }
        let written = match self.lookup.document.scalar(node) {
            Scalar::String(text) => text.into_owned().into_bytes(),
            Scalar::Binary(bytes) => bytes,
            _ => return None,
        };
        let text = String::from_utf8_lossy(&written);
        let mut current = written.clone();
        let mut whole = is_whole(&text);
        let span = self.lookup.document.span(node);
        let mut from = 0;
        // Names that do not stand in `current` any more.
        let mut gone: HashSet<&str> = HashSet::new();
        let is_text = matches!(text, Cow::Borrowed(_));
        let mut single = (is_text && !whole).then(|| SinglePass::new(&text)).flatten();
        for found in uses(&text) {
            let place = span.map(|span| self.place(span, found.name, &mut from));
            let Some(value) = self.lookup.get(found.name, place) else {
                continue;
            };
            if whole {
                let size = self.size(value);
                let value = self.tagged(value, node);
                return self.grow(size, node).then_some(value);
            }
            if gone.contains(found.name) {
                continue;
            }
            let Some(part) = self.part(value, found.name, node) else { continue };
            if let Some(pass) = &mut single {
                if pass.size_with(&part) > self.lookup.rules.expansion.0 {
                    self.too_long(node);
                    return None;
                }
                if pass.replace(&found, &part) {
                    continue;
                }
            }
            // From here on, a replaced use may form another one with what is around it.
            let mut parts = single.take().map_or(Vec::new(), |pass| pass.parts);
            parts.push((found.name, part));
            let mut has_changed = false;
            for (name, part) in parts {
                if gone.contains(name) {
                    continue;
                }
                if self.replace_uses(&mut current, name, &part, node)? {
                    has_changed = true;
                    gone.clear();
                } else {
                    gone.insert(name);
                }
            }
            if has_changed {
                // It may form another use together with the text around it.
                whole = std::str::from_utf8(&current).is_ok_and(is_whole);
            }
        }
        if let Some(pass) = single {
            current = pass.finish();
        }
        if current == written || !self.grow(current.len(), node) {
            return None;
        }
        Some(self.filled_string(current, node))
    }

    /// Returns the value that stands for a whole node: a text has the tag of the node, as
    /// `!Ref ((name))` has. Below it, another value would read back as a text.
    fn tagged(&mut self, value: NodeId, node: NodeId) -> NodeId {
        let document = &mut *self.lookup.document;
        // A tag of YAML itself is about the text that it stands before: `!!merge ((name))`.
        // yaml.v2 ignores all others.
        if document.dialect() == Dialect::Go
            || document.own_tag(value).is_some()
            || document.own_tag(node).is_none_or(|tag| tag.starts_with(YAML_TAG_PREFIX))
        {
            return value;
        }
        let (Some((file, i)), Some(text)) =
            (document.tagged_as(node), document.string(value).map(Cow::into_owned))
        else {
            return value;
        };
        let tagged = document.new_scalar(Scalar::String(text.into()));
        if let NodeId::Opened(id) = tagged {
            document.retag(id, file, i);
        }
        document.hide(tagged);
        tagged
    }

    /// Returns the size of a value as it was written, or that of a text that was made.
    fn size(&self, value: NodeId) -> usize {
        match value {
            NodeId::Clean(file, i) => {
                let (start, end) = self.lookup.document.arena(file).extent(i);
                (end - start) as usize
            }
            NodeId::Opened(_) => {
                self.lookup.document.string(value).map_or(0, |it| it.len())
            }
        }
    }

    /// Counts the bytes of a value that is filled in. Ends the run, and returns false, if
    /// all together are more than the limit.
    fn grow(&mut self, size: usize, node: NodeId) -> bool {
        let limit = self.lookup.rules.expansion.0;
        let had = self.lookup.filled_bytes;
        self.lookup.filled_bytes = had.saturating_add(size);
        if self.lookup.filled_bytes <= limit {
            let own = self.lookup.document.file();
            self.lookup.is_document_changed |=
                matches!(node, NodeId::Clean(file, _) if file == own);
            return true;
        }
        self.todo.clear();
        // Once is enough.
        if had <= limit {
            self.problem(Diagnostic::error(format!(
                "the values of variables are more than {limit} bytes in this document; \
                 `--limit expansion=N` allows more"
            )), node);
        }
        false
    }

    fn filled_string(&mut self, bytes: Vec<u8>, was: NodeId) -> NodeId {
        let document = &mut *self.lookup.document;
        let filled = match String::from_utf8(bytes) {
            Ok(text) => match typed(document, &text, was) {
                Some(typed) => document.new_scalar(typed),
                None => document.new_text_like(&text, was),
            },
            Err(error) => document.new_scalar(Scalar::Binary(error.into_bytes())),
        };
        self.lookup.document.hide(filled);
        filled
    }

    /// Replaces the uses of a name in a text. Returns true if there were any; `None` if the
    /// text would grow beyond the limit.
    fn replace_uses(
        &mut self,
        text: &mut Vec<u8>,
        name: &str,
        part: &[u8],
        node: NodeId,
    ) -> Option<bool> {
        let mut has_changed = false;
        for written in [format!("(({name}))"), format!("((!{name}))")] {
            if let Some(next) = self.replace(text, &written, part, node)? {
                has_changed = true;
                *text = next;
            }
        }
        Some(has_changed)
    }

    /// Replaces every `written` in `text`; the inner `None` if there is none, the outer
    /// one if the text would grow beyond the limit.
    fn replace(
        &mut self,
        text: &[u8],
        written: &str,
        part: &[u8],
        node: NodeId,
    ) -> Option<Option<Vec<u8>>> {
        let found: Vec<usize> = memmem::find_iter(text, written).collect();
        let size = text.len() + found.len().saturating_mul(part.len());
        if size > self.lookup.rules.expansion.0 {
            self.too_long(node);
            return None;
        }
        Some((!found.is_empty()).then(|| {
            let mut all = Vec::with_capacity(size);
            let mut from = 0;
            for at in found {
                all.extend_from_slice(&text[from..at]);
                all.extend_from_slice(part);
                from = at + written.len();
            }
            all.extend_from_slice(&text[from..]);
            all
        }))
    }

    fn too_long(&mut self, node: NodeId) {
        let message = format!(
            "a string grows beyond {} bytes; `--limit expansion=N` allows more",
            self.lookup.rules.expansion.0
        );
        self.problem(Diagnostic::error(message), node);
    }

    /// Returns the text of a value within a string. Errors hide it: it may be a secret.
    fn part(&mut self, value: NodeId, name: &str, node: NodeId) -> Option<Vec<u8>> {
        if self.lookup.document.kind(value) == Kind::Scalar {
            match self.lookup.document.scalar_as_written(value) {
                Scalar::String(text) => return Some(text.into_owned().into_bytes()),
                Scalar::Binary(bytes) => return Some(bytes),
                Scalar::Int(number) => return Some(number.to_string().into_bytes()),
                Scalar::Big(number) => return Some(number.to_string().into_bytes()),
                _ => {}
            }
        }
        let kind = match self.lookup.document.kind(value) {
            Kind::Scalar => self.lookup.document.scalar_as_written(value).type_name(),
            Kind::Sequence | Kind::Mapping => self.lookup.document.type_name(value),
        };
        let supported =
            "Supported types for interpolation within a string are integers and strings.";
        // The type of a null says all about it.
        let shown = if kind == "<nil>" { kind } else { "…" };
        let message = format!(
            "Invalid type '{kind}' for the value of variable '{name}'. {supported}"
        );
        let problem = Diagnostic::error(message).verbatim(format!(
            "Invalid type '{kind}' for value '{shown}' and variable '{name}'. {supported}"
        ));
        // `1.10` and `0757192` may be meant as they are spelled.
        let is_scalar = self.lookup.document.kind(value) == Kind::Scalar;
        let hint = is_scalar.then(|| {
            let whole = name.split('.').next().unwrap_or(name);
            format!("`--var-string {whole}=…` gives a text, as quotes do in a file")
        });
        self.problem(problem.hints(hint), node);
        None
    }

    fn problem(&mut self, diagnostic: Box<Diagnostic>, node: NodeId) {
        self.lookup.report(*diagnostic.at(self.lookup.document.span(node)));
    }

    /// Returns the place of the next use in the written text of a string; the first line
    /// of the string if an escape hides the use. The text before `from` is done.
    fn place(&self, span: Span, name: &str, from: &mut usize) -> Span {
        let text = &self.lookup.document.arena(span.file).text()
            [span.start as usize..span.end as usize];
        let rest = text.get(*from..).unwrap_or_default();
        let next = uses(rest).next().filter(|next| next.name == name);
        let Some(next) = next else {
            *from = text.len();
            return self.lookup.document.first_line(span);
        };
        let before = rest[next.range.clone()].find(name).unwrap_or_default();
        let start = span.start + (*from + next.range.start + before) as u32;
        *from += next.range.end;
        Span { start, end: start + name.len() as u32, ..span }
    }

    /// Returns true if node `i` or a node in it may have a use.
    fn is_marked(&mut self, file: FileId, i: Index) -> bool {
        let arena = self.lookup.document.arena(file);
        let all = &mut self.lookup.marks;
        let known = all.iter().position(|&(other, _)| other == file);
        let known = known.unwrap_or_else(|| {
            all.push((file, marks(arena)));
            all.len() - 1
        });
        let (start, end) = arena.extent(i);
        let marks = &all[known].1;
        marks.get(marks.partition_point(|&at| at < start)).is_some_and(|&at| at < end)
    }
}

/// Texts that can begin a use: parentheses, or what may stand for one.
const USE_MARKS: [&str; 6] = ["((", "(\\", "\\x28", "\\u0028", "\\U00000028", "!!binary"];

/// Returns the byte offsets of possible uses, and of aliases of such.
fn marks(arena: &Arena) -> Vec<u32> {
    let text = arena.text().as_bytes();
    let found = USE_MARKS.iter().flat_map(|sign| memmem::find_iter(text, sign));
    let mut marks: Vec<u32> = found.map(|at| at as u32).collect();
    marks.sort_unstable();
    // An anchor stands before its aliases: one pass finds chains of aliases too.
    let mut more = Vec::new();
    for &(alias, target) in arena.aliases() {
        let (start, end) = arena.extent(target);
        let is_marked = [&marks, &more].into_iter().any(|marks| {
            marks.get(marks.partition_point(|&at| at < start)).is_some_and(|&at| at < end)
        });
        if is_marked {
            more.push(arena.span(alias).start);
        }
    }
    marks.extend(more);
    marks.sort_unstable();
    marks
}

/// Maximum number of variables whose definitions need each other.
// A certificate needs its authority, that one its root. Anything near the limit is a
// cycle, and each level takes stack.
const MAX_NESTED_DEFINITIONS: usize = 64;

/// Maximum length of names that are compared for suggestions.
// The edit distance takes time proportional to the product of both lengths.
const MAX_COMPARED_LEN: usize = 100;

pub(super) struct VariableLookup<'a> {
    pub document: &'a mut Tree,
    given: BTreeMap<String, NodeId>,
    store: Option<&'a mut Store>,
    generator: Generator,
    world: &'a dyn World,
    rules: &'a FillOptions,
    /// The variables that the document defines; the first definition of each name counts.
    definitions: HashMap<String, Definition>,
    /// The definitions whose options have names in them after they were filled in.
    unfilled: HashMap<String, Definition>,
    /// The variables that a store would have, if there were one.
    storable: HashSet<String>,
    /// The variables whose options are being filled in.
    in_progress: Vec<String>,
    /// The messages around a problem, from the outermost one.
    context: Vec<String>,
    /// The answers by variable.
    variables: HashMap<String, Answer>,
    /// The answers by full name.
    answers: HashMap<String, Answer>,
    /// The first segments of the names that were looked up.
    used: BTreeSet<String>,
    /// The places of uses without a value, by variable and full name.
    missing: BTreeMap<(String, String), Vec<Span>>,
    /// The number of uses without a value in the options that are being filled in.
    misses: usize,
    /// The byte offsets of possible uses in the texts met so far.
    marks: Vec<(FileId, Vec<u32>)>,
    /// The places and causes of `problems`.
    // The options of a definition are filled in on their own and with the document.
    reported: HashSet<(Option<Span>, String)>,
    /// The number of look-ups that failed with a problem.
    failures: usize,
    /// The number of bytes of all values that were filled in.
    filled_bytes: usize,
    /// True if a text that the document has in its own file was filled in.
    pub is_document_changed: bool,
    pub problems: Vec<Diagnostic>,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Answer {
    Value(NodeId),
    Missing,
    /// No value, since an option has none.
    OptionMissing,
    /// No value; the problem was reported.
    Refused,
}

/// The options of a definition, filled in.
struct FilledOptions {
    /// The text as yaml.v2 prints it.
    text: String,
    /// True if a value of a variable is part of it.
    filled: bool,
}

impl<'a> VariableLookup<'a> {
    pub(super) fn new(
        document: &'a mut Tree,
        given: BTreeMap<String, NodeId>,
        store: Option<&'a mut Store>,
        world: &'a dyn World,
        rules: &'a FillOptions,
    ) -> VariableLookup<'a> {
        VariableLookup {
            document,
            given,
            store,
            generator: Generator::default(),
            world,
            rules,
            definitions: HashMap::new(),
            unfilled: HashMap::new(),
            storable: HashSet::new(),
            in_progress: Vec::new(),
            context: Vec::new(),
            variables: HashMap::new(),
            answers: HashMap::new(),
            used: BTreeSet::new(),
            missing: BTreeMap::new(),
            misses: 0,
            marks: Vec::new(),
            reported: HashSet::new(),
            failures: 0,
            filled_bytes: 0,
            is_document_changed: false,
            problems: Vec::new(),
        }
    }

    /// Sets the definitions of another document. Variables that have a value keep it.
    pub(super) fn define(&mut self, definitions: &[Definition]) {
        // A stream may have many documents, and each of them many variables.
        if self.definitions.is_empty() && definitions.is_empty() {
            return;
        }
        self.definitions.clear();
        for definition in definitions {
            if self.store.is_none() && !definition.kind.is_empty() {
                self.storable.insert(definition.name.clone());
            }
            let first = self.definitions.entry(definition.name.clone());
            first.or_insert_with(|| definition.clone());
        }
        self.variables.retain(|_, answer| matches!(answer, Answer::Value(_)));
        self.answers.retain(|_, answer| matches!(answer, Answer::Value(_)));
    }

    /// Makes the keys of all definitions that will be generated, on all cores.
    pub(super) fn make_keys(&mut self, definitions: &[Definition]) {
        let Some(store) = &self.store else { return };
        let mut names = HashSet::new();
        let is_new = |it: &&Definition| {
            let has_value = self.given.contains_key(&it.name)
                || self.variables.contains_key(&it.name);
            !has_value && !store.has(&it.name) && names.insert(it.name.clone())
        };
        let task = |definition: &Definition| {
            let options = definition.options.map(|node| self.printed(node));
            let options = options.transpose().ok()?.unwrap_or_default();
            let name = definition.name.clone();
            Some(GeneratorTask {
                name,
                kind: definition.kind.clone(),
                options,
                names_of_bosh: self.rules.names_of_bosh,
            })
        };
        let tasks = definitions.iter().filter(is_new).filter_map(task).collect();
        let mut listener = self.store.as_mut().and_then(|store| store.tell.as_mut());
        self.generator.make_keys(tasks, self.world, &mut |made, all| {
            if let Some(tell) = &mut listener {
                tell(made, all);
            }
        });
    }

    /// Returns the value of a variable by its full name, used at `place`: for `a.b.c` the
    /// value at `/b/c` of the variable `a`.
    pub(super) fn get(&mut self, name: &str, place: Option<Span>) -> Option<NodeId> {
        let first = variable(name);
        let answer = self.answers.get(name).copied().unwrap_or_else(|| {
            self.context.push(format!("Finding variable '{name}'"));
            let answer = self.member(name, place);
            self.context.pop();
            self.answers.insert(name.to_owned(), answer);
            answer
        });
        self.record(answer, first, name, place)
    }

    fn member(&mut self, name: &str, place: Option<Span>) -> Answer {
        let Some((first, rest)) = name.split_once('.') else {
            return self.variable(name, place);
        };
        let Answer::Value(value) = self.variable(first, place) else {
            return self.variables.get(first).copied().unwrap_or(Answer::Refused);
        };
        match value_at(self.document, value, rest) {
            Ok(node) => Answer::Value(node),
            Err(problem) => self.fail(problem, place),
        }
    }

    /// Returns true if the variable of a definition has a value; its name may have dots.
    pub(super) fn defined(&mut self, definition: &Definition) -> bool {
        let name = &definition.name;
        let answer = self.value_of(definition);
        self.record(answer, name, name, definition.place).is_some()
    }

    /// Returns the value of the variable of a definition, if it can have one.
    pub(super) fn value_of(&mut self, definition: &Definition) -> Answer {
        let section = "Getting all variables from variable definitions sections";
        self.context.push(section.into());
        let answer = self.variable(&definition.name, definition.place);
        self.context.pop();
        answer
    }

    /// Returns the value, or records that it is missing unless another one is the reason.
    fn record(
        &mut self,
        answer: Answer,
        variable: &str,
        name: &str,
        place: Option<Span>,
    ) -> Option<NodeId> {
        match answer {
            Answer::Value(node) => return Some(node),
            Answer::Missing => {
                self.misses += 1;
                // Options are reported with the rest of the document.
                if self.in_progress.is_empty() {
                    let names = (variable.to_owned(), name.to_owned());
                    self.missing.entry(names).or_default().extend(place);
                }
            }
            Answer::OptionMissing | Answer::Refused => {}
        }
        None
    }

    /// Returns the value of a whole variable, used at `place`.
    fn variable(&mut self, name: &str, place: Option<Span>) -> Answer {
        self.used.insert(name.to_owned());
        if let Some(&known) = self.variables.get(name) {
            return self.filled_again(name, known);
        }
        let answer = match self.definitions.get(name).cloned() {
            None => self.stated(name, place),
            Some(definition) => self.defined_value(&definition, place),
        };
        self.variables.insert(name.to_owned(), answer);
        answer
    }

    /// Fills in the options of a variable again, if they have names in them that values brought:
    /// bosh does so at each look-up. Returns the known answer, or why there is none any more.
    fn filled_again(&mut self, name: &str, known: Answer) -> Answer {
        let Some(definition) = self.unfilled.remove(name) else { return known };
        let answer =
            self.filled_options(&definition).map_or_else(|answer| answer, |_| known);
        self.variables.insert(name.to_owned(), answer);
        answer
    }

    /// Returns the value that is given or stored.
    fn stated(&mut self, name: &str, place: Option<Span>) -> Answer {
        if let Some(&given) = self.given.get(name) {
            return Answer::Value(given);
        }
        let stored = self.store.as_ref().map(|store| store.get(self.document, name));
        match stored.transpose() {
            Ok(stored) => stored.flatten().map_or(Answer::Missing, Answer::Value),
            Err(StoreError { reading, cause }) => {
                let depth = self.context.len();
                self.context.extend(reading);
                let answer = self.fail(cause, place);
                self.context.truncate(depth);
                answer
            }
        }
    }

    /// Returns the value of a defined variable: given, stored or generated.
    // bosh fills in the options first, and has no value if one of them has none.
    fn defined_value(&mut self, definition: &Definition, place: Option<Span>) -> Answer {
        let name = &definition.name;
        if self.in_progress.len() >= MAX_NESTED_DEFINITIONS
            || self.in_progress.contains(name)
        {
            return self.refuse(
                vec!["Detected recursion".into()],
                definition.place,
                None,
            );
        }
        let options = match self.filled_options(definition) {
            Ok(options) => options,
            Err(answer) => return answer,
        };
        match self.stated(name, place) {
            Answer::Missing if self.store.is_some() && !definition.kind.is_empty() => {
                self.generated(definition, &options)
            }
            stated => stated,
        }
    }

    /// Returns the options of a definition, or the reason why the variable has no value.
    fn filled_options(
        &mut self,
        definition: &Definition,
    ) -> std::result::Result<FilledOptions, Answer> {
        let name = &definition.name;
        self.in_progress.push(name.clone());
        self.context.push(format!("Interpolating variable '{name}' definition options"));
        let options = self.options(definition);
        self.context.pop();
        self.in_progress.pop();
        options
    }

    /// Returns the options of a definition, filled in, or the reason why the variable has
    /// no value.
    fn options(
        &mut self,
        definition: &Definition,
    ) -> std::result::Result<FilledOptions, Answer> {
        let none = FilledOptions { text: String::new(), filled: false };
        let Some(node) = definition.options else { return Ok(none) };
        let written = self.text(node, definition)?;
        let failures = self.failures;
        let outer = std::mem::take(&mut self.misses);
        let seat = self.document.scratch_seat(node);
        fill(self, seat);
        let misses = std::mem::replace(&mut self.misses, outer);
        if self.failures > failures {
            return Err(Answer::Refused);
        }
        if misses > 0 {
            return Err(Answer::OptionMissing);
        }
        let node = self.document.node_at(seat);
        let text = self.text(node, definition)?;
        if self.document.dialect() == Dialect::Go && uses(&text).next().is_some() {
            let mut definition = definition.clone();
            definition.options = Some(node);
            self.unfilled.insert(definition.name.clone(), definition);
        }
        Ok(FilledOptions { filled: text != written, text })
    }

    /// Generates the value of a variable and adds it to the store.
    fn generated(&mut self, definition: &Definition, options: &FilledOptions) -> Answer {
        let name = &definition.name;
        let mut later = None;
        let made = match self.spare(definition, &options.text) {
            Some(made) => Ok(made),
            None => self.make(definition, &options.text, &mut later),
        };
        match made {
            Ok(made) => {
                let node = made.secret.node(self.document);
                if let Some(store) = &mut self.store {
                    store.made.push((name.clone(), made));
                }
                Answer::Value(node)
            }
            Err(mut chain) => {
                if options.filled {
                    chain = chain.into_iter().map(ErrorLine::hide).collect();
                }
                chain.insert(0, format!("Generating variable '{name}'").into());
                let hint = later.map(|ca| format!("define '{ca}' above '{name}'"));
                self.refuse(chain, definition.place, hint)
            }
        }
    }

    /// Generates a value. `later` is its authority, if that is defined further down.
    fn make(
        &mut self,
        definition: &Definition,
        options: &str,
        later: &mut Option<String>,
    ) -> std::result::Result<Made, ErrorChain> {
        let mut authority = None;
        let task = GeneratorTask {
            name: definition.name.clone(),
            kind: definition.kind.clone(),
            options: options.to_owned(),
            names_of_bosh: self.rules.names_of_bosh,
        };
        let mut generator = std::mem::take(&mut self.generator);
        let secret = generator.generate(&task, self.world, |ca| {
            let value = self.printed_authority(ca)?;
            let is_later = value.is_none() && self.definitions.contains_key(ca);
            *later = is_later.then(|| ca.to_owned());
            authority = value.clone().map(|value| (ca.to_owned(), value));
            Ok(value)
        });
        self.generator = generator;
        let GeneratorTask { kind, options, .. } = task;
        Ok(Made { kind, options, authority, secret: secret? })
    }

    /// Returns what was generated for an earlier reading of the store, if the same would be
    /// generated now.
    fn spare(&mut self, definition: &Definition, options: &str) -> Option<Made> {
        let made = self.store.as_mut()?.spare.remove(&definition.name)?;
        let is_signed = made.authority.as_ref().is_none_or(|(ca, value)| {
            let now = self.printed_authority(ca);
            now.is_ok_and(|now| now.as_ref() == Some(value))
        });
        let is_same = made.kind == definition.kind && made.options == options;
        (is_same && is_signed).then_some(made)
    }

    /// Returns the value of a certificate's authority.
    // bosh looks for a value alone: a definition further down has none yet.
    fn printed_authority(
        &mut self,
        name: &str,
    ) -> std::result::Result<Option<String>, ErrorChain> {
        let made = match self.variables.get(name) {
            Some(Answer::Value(node)) => Some(*node),
            Some(_) | None => None,
        };
        let given = self.given.get(name).copied().or(made);
        let node = match (given, &self.store) {
            (None, Some(store)) => {
                store.get(self.document, name).map_err(StoreError::chain)?
            }
            (given, _) => given,
        };
        node.map(|node| self.printed(node)).transpose()
    }

    fn printed(&self, node: NodeId) -> std::result::Result<String, ErrorChain> {
        yaml::go::print(self.document, node, self.rules.expansion)
            .map_err(|d| vec![d.message.into()])
    }

    /// Returns the printed options of a definition.
    fn text(
        &mut self,
        node: NodeId,
        definition: &Definition,
    ) -> std::result::Result<String, Answer> {
        self.printed(node).map_err(|chain| self.refuse(chain, definition.place, None))
    }

    /// Reports a problem at the place of the use, unless it has places of its own.
    fn fail(&mut self, problem: Box<Diagnostic>, place: Option<Span>) -> Answer {
        let place = place.filter(|_| problem.labels.is_empty());
        self.report(*problem.label(place, "used here"))
    }

    /// Reports the messages of an error, from the outermost one.
    fn refuse(
        &mut self,
        mut chain: ErrorChain,
        place: Option<Span>,
        hint: Option<String>,
    ) -> Answer {
        let cause = chain.pop().map(|line| line.text).unwrap_or_default();
        let depth = self.context.len();
        self.context.extend(chain.into_iter().map(|line| line.text));
        let answer = self.report(*Diagnostic::error(cause).at(place).hints(hint));
        self.context.truncate(depth);
        answer
    }

    /// Reports a problem within the current context, once for its place.
    fn report(&mut self, mut problem: Diagnostic) -> Answer {
        self.failures += 1;
        let place = problem.labels.first().map(|label| label.span);
        if self.reported.insert((place, problem.message.clone())) {
            problem.within(&self.context());
            self.problems.push(problem);
        }
        Answer::Refused
    }

    /// Returns the messages around a problem, each in a line of its own.
    fn context(&self) -> String {
        let lines = self.context.iter().enumerate();
        let lines = lines.map(|(depth, line)| format!("{}{line}:\n", "  ".repeat(depth)));
        lines.collect::<String>() + &"  ".repeat(self.context.len())
    }

    /// Returns the names of variables that have neither a value nor a definition, each with its
    /// first place.
    pub(super) fn undefined(&self) -> Vec<(String, Option<Span>)> {
        let missing = self.missing.iter();
        let others =
            missing.filter(|((name, _), _)| !self.definitions.contains_key(name));
        let mut names: Vec<(String, Option<Span>)> =
            others.map(|((name, _), at)| (name.clone(), at.first().copied())).collect();
        names.dedup_by(|a, b| a.0 == b.0);
        names
    }

    /// Returns the errors of the run.
    // bosh has one message for all of them, which is the verbatim text of each.
    pub(super) fn check(&self) -> Vec<Diagnostic> {
        let mut all = Vec::new();
        if self.rules.missing {
            all.extend(missing(&self.missing, |name| self.suggestion(name)));
        }
        if self.rules.unused {
            let unread = self.store.as_ref().and_then(|store| store.error());
            match unread {
                Some(error) => all.push(Diagnostic::error(error.message())),
                None => all.extend(unused(&self.unused())),
            }
        }
        let bullets: Vec<String> =
            all.iter().map(|d| format!("- {}", d.message)).collect();
        let bullets = bullets.join("\n");
        all.into_iter().map(|diagnostic| *diagnostic.verbatim(&*bullets)).collect()
    }

    /// Returns a suggestion for a name that has no value.
    fn suggestion(&self, name: &str) -> Option<String> {
        if self.storable.contains(name) {
            return Some(format!("`--vars-store FILE` generates '{name}', and keeps it"));
        }
        let lower = name.to_lowercase();
        // Enough for every vars file in practice; each name costs an edit distance.
        let names = self.given.keys().take(1000).filter(|given| {
            *given != name && given.len().max(name.len()) <= MAX_COMPARED_LEN
        });
        let distances = names
            .map(|given| (strsim::osa_distance(&given.to_lowercase(), &lower), given));
        let (far, near) = distances.min()?;
        // One typing error, and one more for every four characters; `x` for `X` is none.
        let likely = far <= 1 + name.len() / 4 && far < name.len();
        likely.then(|| format!("did you mean '{near}' in place of '{name}'?"))
    }

    /// Returns the names that have a value and were not looked up.
    pub(super) fn unused(&self) -> Vec<String> {
        let stored = self.store.iter().flat_map(|store| store.names());
        // A dotted name of the store counts as its first part, as one that is given does.
        let stored = stored.map(|name| variable(name));
        let names: BTreeSet<&str> =
            self.given.keys().map(String::as_str).chain(stored).collect();
        let names = names.into_iter().filter(|&name| !self.used.contains(name));
        names.map(str::to_owned).collect()
    }
}

/// Returns the value at the rest of a dotted name. Numbers are indices, or else keys.
fn value_at(document: &mut Tree, value: NodeId, rest: &str) -> Result<NodeId> {
    let mut pointer = Pointer::parse(&format!("/{}", rest.replace('.', "/")))
        .map_err(Diagnostic::error)?;
    let found = apply::find_from(document, &pointer, value);
    for (token, name) in pointer.tokens.iter_mut().zip(rest.split(['.', '/'])) {
        if matches!(token, Token::Index(..)) {
            *token = Token::Key(name.to_owned());
        }
    }
    found.or_else(|_| apply::find_from(document, &pointer, value))
}

/// Returns the value of a filled-in text if it is none of a string: of bytes, and of a text
/// that fits its tag now, as that of `!!int ((n))0` does.
fn typed(document: &Tree, text: &str, was: NodeId) -> Option<Scalar<'static>> {
    // yaml.v2 reads no text that does not fit its tag, and bytes that are a text as a string.
    if document.dialect() == Dialect::Go {
        return None;
    }
    if let Scalar::Binary(_) = document.scalar(was) {
        return Some(Scalar::Binary(text.as_bytes().to_vec()));
    }
    let tag = Tag::named(&document.tag(was)?);
    let value = tag.resolve(text.to_owned(), document.dialect()).ok()?;
    (!matches!(value, Scalar::String(_))).then_some(value)
}
