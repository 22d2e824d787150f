//! Filling in a document: `((names))` in strings and keys are replaced by values. Only
//! nodes with a use in them are opened. Two types in one file: a variable's options may
//! use other variables, so that looking up a name fills in as well.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use memchr::memmem;

use super::check::{FillOptions, missing, unused};
use super::definition::Definition;
use super::generator::generate;
use super::secret::{ErrorChain, ErrorLine, Secret};
use super::store::Store;
use super::syntax::{is_whole, uses};
use crate::apply;
use crate::arena::{Arena, Index, Style};
use crate::diagnostic::{Diagnostic, Result};
use crate::node::{Kind, NodeId, Seat, Tree};
use crate::pointer::{Pointer, Token};
use crate::scalar::Scalar;
use crate::source::{FileId, Span, World};
use crate::yaml;

pub(super) fn fill(document: &mut Tree, root: Seat, lookup: &mut Lookup<'_>) {
    let (marks, met, filled) = (Vec::new(), HashSet::new(), HashSet::new());
    Filler { document, lookup, marks, met, filled, todo: vec![root] }.run();
}

struct Filler<'a, 'l> {
    document: &'a mut Tree,
    lookup: &'a mut Lookup<'l>,
    /// The byte offsets of possible uses in the texts met so far.
    marks: Vec<(FileId, Vec<u32>)>,
    /// The opened nodes met so far.
    // An opened node may stand in several places, for aliases.
    met: HashSet<u32>,
    /// The anchored nodes whose aliases stand for the filled-in node.
    filled: HashSet<(FileId, Index)>,
    todo: Vec<Seat>,
}

impl Filler<'_, '_> {
    fn run(&mut self) {
        while let Some(seat) = self.todo.pop() {
            match self.document.node_at(seat) {
                NodeId::Clean(file, i) => self.clean(seat, file, i),
                NodeId::Opened(id) => self.opened(seat, id),
            }
        }
    }

    fn clean(&mut self, seat: Seat, file: FileId, i: Index) {
        if !self.is_marked(file, i) {
            return;
        }
        if self.document.arena(file).style(i) == Style::Alias {
            return self.alias(file, i);
        }
        match self.document.kind(NodeId::Clean(file, i)) {
            Kind::Scalar => {
                if let Some(value) = self.value(NodeId::Clean(file, i)) {
                    self.document.set_at(seat, value, None);
                }
            }
            Kind::Sequence | Kind::Mapping => {
                if let Some(id) = self.document.open(seat, true) {
                    self.children(id);
                }
            }
        }
        if self.document.arena(file).anchor(i).is_some() && self.is_free(file, i) {
            self.document.set_alias_value(file, i, self.document.node_at(seat));
        }
    }

    /// Returns true if the aliases of a node have no value of their own yet, or the one
    /// set here. A value that an op set is filled in where it stands.
    fn is_free(&mut self, file: FileId, i: Index) -> bool {
        let free = self.document.alias_value(file, i).is_none();
        if free {
            self.filled.insert((file, i));
        }
        free || self.filled.contains(&(file, i))
    }

    /// Fills in the value of an alias once: at its anchor or, without one, on its own.
    fn alias(&mut self, file: FileId, i: Index) {
        let target = self.document.arena(file).target(i);
        match self.document.follow(NodeId::Clean(file, i)) {
            NodeId::Opened(id) => self.children(id),
            clean if clean == NodeId::Clean(file, target) => {
                let seat = self.document.scratch_seat(clean);
                self.clean(seat, file, target);
            }
            NodeId::Clean(..) => {}
        }
    }

    fn opened(&mut self, seat: Seat, id: u32) {
        match self.document.kind(NodeId::Opened(id)) {
            Kind::Scalar => {
                if let Some(value) = self.value(NodeId::Opened(id)) {
                    self.document.set_at(seat, value, None);
                }
            }
            Kind::Sequence | Kind::Mapping => self.children(id),
        }
    }

    fn children(&mut self, id: u32) {
        if !self.met.insert(id) {
            return;
        }
        let ids: Vec<_> = self.document.children(id).ids().collect();
        let mut names = None;
        for at in ids.iter().copied() {
            if !self.document.children(id).holds(at) {
                continue;
            }
            if let Some(key) = self.document.children(id).get(at).key
                && let Some(value) = self.key(key)
            {
                let names = names.get_or_insert_with(|| self.document.key_digests(id));
                self.document.rename_with_digests(id, at, value, names);
            }
        }
        // A key that another entry takes over removes the entry that had it.
        let slots = self.document.children(id);
        let ids = ids.into_iter().rev().filter(|&at| slots.holds(at));
        self.todo.extend(ids.map(|at| Seat::Slot(id, at)));
    }

    fn key(&mut self, key: NodeId) -> Option<NodeId> {
        if let NodeId::Clean(file, i) = key
            && !self.is_marked(file, i)
        {
            return None;
        }
        let value = self.value(key)?;
        if self.document.kind(value) == Kind::Scalar {
            self.document.hide(value);
            return Some(value);
        }
        let message = "Expected the variable that stands for a key to be a scalar";
        self.problem(Diagnostic::error(message), key);
        None
    }

    /// Returns the value of the string `node`, if it has uses.
    fn value(&mut self, node: NodeId) -> Option<NodeId> {
        if self.document.kind(node) != Kind::Scalar {
            return None;
        }
        let Scalar::String(text) = self.document.scalar(node) else { return None };
        let text = text.into_owned();
        let (mut current, mut whole) = (text.clone(), is_whole(&text));
        let (span, mut from) = (self.document.span(node), 0);
        // Names that do not stand in `current` any more.
        let mut gone: HashSet<&str> = HashSet::new();
        for found in uses(&text) {
            let place = span.map(|span| self.place(span, found.name, &mut from));
            let Some(value) = self.lookup.get(self.document, found.name, place) else {
                continue;
            };
            if whole {
                return Some(value);
            }
            if gone.contains(found.name) {
                continue;
            }
            let Some(part) = self.part(value, found.name, node) else { continue };
            let mut changed = false;
            for written in [format!("(({}))", found.name), format!("((!{}))", found.name)]
            {
                let next = self.replace(&current, &written, &part, node)?;
                changed |= next.is_some();
                current = next.unwrap_or(current);
            }
            if changed {
                // It may form another use together with the text around it.
                gone.clear();
                whole = is_whole(&current);
            } else {
                gone.insert(found.name);
            }
        }
        (current != text).then(|| {
            let filled = self.document.new_text_like(&current, node);
            self.document.hide(filled);
            filled
        })
    }

    /// Replaces every `written` in `text`; the inner `None` if there is none, the outer
    /// one if the text would grow beyond the limit.
    fn replace(
        &mut self,
        text: &str,
        written: &str,
        part: &str,
        node: NodeId,
    ) -> Option<Option<String>> {
        let count = text.matches(written).count();
        if text.len() + count.saturating_mul(part.len()) > self.lookup.rules.expansion.0 {
            let message = format!(
                "a string grows beyond {} bytes; `--limit expansion=N` allows more",
                self.lookup.rules.expansion.0
            );
            self.problem(Diagnostic::error(message), node);
            return None;
        }
        Some((count > 0).then(|| text.replace(written, part)))
    }

    /// Returns the text of a value within a string. Errors hide it: it may be a secret.
    fn part(&mut self, value: NodeId, name: &str, node: NodeId) -> Option<String> {
        if self.document.kind(value) == Kind::Scalar {
            match self.document.scalar_as_written(value) {
                Scalar::String(text) => return Some(text.into_owned()),
                Scalar::Int(number) => return Some(number.to_string()),
                Scalar::Big(number) => return Some(number.to_string()),
                _ => {}
            }
        }
        let kind = match self.document.kind(value) {
            Kind::Scalar => self.document.scalar_as_written(value).type_name(),
            Kind::Sequence | Kind::Mapping => self.document.type_name(value),
        };
        let supported =
            "Supported types for interpolation within a string are integers and strings.";
        // The type of a null says all about it.
        let shown = if kind == "<nil>" { kind } else { "…" };
        let message = format!(
            "Invalid type '{kind}' for the value of variable '{name}'. {supported}"
        );
        let verbatim = format!(
            "Invalid type '{kind}' for value '{shown}' and variable '{name}'. {supported}"
        );
        self.problem(Diagnostic::error(message).verbatim(verbatim), node);
        None
    }

    fn problem(&mut self, diagnostic: Box<Diagnostic>, node: NodeId) {
        let span = self.document.span(node);
        self.lookup.problems.push(*span.into_iter().fold(diagnostic, Diagnostic::at));
    }

    /// Returns the place of the next use in the written text of a string; the first line
    /// of the string if an escape hides the use. The text before `from` is done.
    fn place(&self, span: Span, name: &str, from: &mut usize) -> Span {
        let text = &self.document.arena(span.file).text()
            [span.start as usize..span.end as usize];
        let rest = text.get(*from..).unwrap_or_default();
        let next = uses(rest).next().filter(|next| next.name == name);
        let Some(next) = next else {
            *from = text.len();
            return self.document.first_line(span);
        };
        let before = rest[next.range.clone()].find(name).unwrap_or_default();
        let start = span.start + (*from + next.range.start + before) as u32;
        *from += next.range.end;
        Span { start, end: start + name.len() as u32, ..span }
    }

    /// Returns true if node `i` or a node in it may have a use.
    fn is_marked(&mut self, file: FileId, i: Index) -> bool {
        let arena = self.document.arena(file);
        let known = self.marks.iter().position(|&(other, _)| other == file);
        let known = known.unwrap_or_else(|| {
            self.marks.push((file, marks(arena)));
            self.marks.len() - 1
        });
        let (start, end) = arena.extent(i);
        let marks = &self.marks[known].1;
        marks.get(marks.partition_point(|&at| at < start)).is_some_and(|&at| at < end)
    }
}

/// Texts that can begin a use: parentheses, or an escape that stands for one.
const USE_MARKS: [&str; 5] = ["((", "(\\", "\\x28", "\\u0028", "\\U00000028"];

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
        let within = |marks: &[u32]| {
            marks.get(marks.partition_point(|&at| at < start)).is_some_and(|&at| at < end)
        };
        if within(&marks) || within(&more) {
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

pub(super) struct Lookup<'a> {
    given: BTreeMap<String, NodeId>,
    store: Option<&'a mut Store>,
    world: &'a dyn World,
    rules: &'a FillOptions,
    /// The variables that the document defines; the first definition of each name counts.
    definitions: HashMap<String, Definition>,
    /// The variables that are being generated, with the messages that say so.
    in_progress: Vec<(String, String)>,
    generated: HashMap<String, Answer>,
    answers: HashMap<String, Answer>,
    /// The first segments of the names that were looked up.
    used: BTreeSet<String>,
    /// The places of uses without a value, by variable and full name.
    missing: BTreeMap<(String, String), Vec<Span>>,
    misses: usize,
    pub problems: Vec<Diagnostic>,
}

#[derive(Clone, Copy, PartialEq)]
enum Answer {
    Value(NodeId),
    Missing,
    /// No value, since an option has none.
    OptionMissing,
    /// No value; the problem was reported.
    Refused,
}

impl<'a> Lookup<'a> {
    pub(super) fn new(
        given: BTreeMap<String, NodeId>,
        store: Option<&'a mut Store>,
        world: &'a dyn World,
        rules: &'a FillOptions,
    ) -> Lookup<'a> {
        Lookup {
            given,
            store,
            world,
            rules,
            definitions: HashMap::new(),
            in_progress: Vec::new(),
            generated: HashMap::new(),
            answers: HashMap::new(),
            used: BTreeSet::new(),
            missing: BTreeMap::new(),
            misses: 0,
            problems: Vec::new(),
        }
    }

    /// Sets the definitions of another document. Variables that have a value keep it.
    pub(super) fn define(&mut self, definitions: &[Definition]) {
        self.definitions.clear();
        for definition in definitions {
            let first = self.definitions.entry(definition.name.clone());
            first.or_insert_with(|| definition.clone());
        }
        let has_value = |answer: &Answer| matches!(answer, Answer::Value(_));
        self.generated.retain(|_, answer| has_value(answer));
        self.answers.retain(|_, answer| has_value(answer));
    }

    /// Returns the value of a variable by its full name, used at `place`: for `a.b.c` the
    /// value at `/b/c` of the variable `a`.
    pub(super) fn get(
        &mut self,
        document: &mut Tree,
        name: &str,
        place: Option<Span>,
    ) -> Option<NodeId> {
        let (first, rest) = name.split_once('.').unwrap_or((name, ""));
        let answer = self.answers.get(name).copied();
        let answer = answer.unwrap_or_else(|| {
            let part = match self.root_value(document, first) {
                Ok(Answer::Value(value)) if name.len() > first.len() => {
                    value_at(document, value, rest).map(Answer::Value)
                }
                whole => whole,
            };
            self.remember(name, part, place)
        });
        self.record(answer, (first, name), place)
    }

    /// Returns true if the variable of a definition has a value; its name may have dots.
    pub(super) fn defined(
        &mut self,
        document: &mut Tree,
        definition: &Definition,
    ) -> bool {
        let name = &definition.name;
        let known = self.answers.get(name).copied().filter(|_| !name.contains('.'));
        let answer = known.unwrap_or_else(|| {
            let whole = self.root_value(document, name);
            if name.contains('.') {
                whole.unwrap_or(Answer::Missing)
            } else {
                self.remember(name, whole, definition.place)
            }
        });
        self.record(answer, (name, name), definition.place).is_some()
    }

    /// Stores the result of a look-up and reports its problem.
    fn remember(
        &mut self,
        name: &str,
        found: Result<Answer>,
        place: Option<Span>,
    ) -> Answer {
        let answer = found.unwrap_or_else(|mut problem| {
            problem.message =
                format!("Finding variable '{name}':\n  {}", problem.message);
            let place = place.filter(|_| problem.labels.is_empty());
            let problem =
                place.into_iter().fold(problem, |d, span| d.label(span, "used here"));
            self.problems.push(*problem);
            Answer::Refused
        });
        self.answers.insert(name.to_owned(), answer);
        answer
    }

    /// Returns the value, or records that it is missing unless another one is the reason.
    fn record(
        &mut self,
        answer: Answer,
        (variable, name): (&str, &str),
        place: Option<Span>,
    ) -> Option<NodeId> {
        match answer {
            Answer::Value(node) => return Some(node),
            Answer::Missing => {
                let names = (variable.to_owned(), name.to_owned());
                self.missing.entry(names).or_default().extend(place);
            }
            Answer::OptionMissing | Answer::Refused => {}
        }
        self.misses += 1;
        None
    }

    fn root_value(&mut self, document: &mut Tree, name: &str) -> Result<Answer> {
        self.used.insert(name.to_owned());
        if let Some(&given) = self.given.get(name) {
            return Ok(Answer::Value(given));
        }
        let Some(store) = &self.store else {
            let lacks = self.rules.missing && self.lacks_option_value(document, name);
            return Ok(if lacks { Answer::OptionMissing } else { Answer::Missing });
        };
        match store.get(document, name)? {
            Some(stored) => Ok(Answer::Value(stored)),
            None => Ok(self.generated_value(document, name)),
        }
    }

    /// Generates the value of a defined variable, once, and adds it to the store.
    fn generated_value(&mut self, document: &mut Tree, name: &str) -> Answer {
        if let Some(&made) = self.generated.get(name) {
            return made;
        }
        let defined = self.definitions.get(name).cloned();
        let Some(definition) = defined.filter(|it| !it.kind.is_empty()) else {
            return Answer::Missing;
        };
        if self.in_progress.len() >= MAX_NESTED_DEFINITIONS
            || self.in_progress.iter().any(|(open, _)| open == name)
        {
            self.refuse(&definition, vec!["Detected recursion".into()]);
            return Answer::Refused;
        }
        let problems = self.problems.len();
        let context = format!("Interpolating variable '{name}' definition options");
        self.in_progress.push((name.to_owned(), context));
        let made = self.secret(document, &definition);
        self.in_progress.pop();
        let answer = match made {
            Ok(Some(secret)) => {
                let node = secret.node(document);
                if let Some(store) = &mut self.store {
                    store.add(name, secret);
                }
                Answer::Value(node)
            }
            // The reason was reported already.
            Ok(None) | Err(_) if self.problems.len() > problems => Answer::Refused,
            Ok(None) => Answer::OptionMissing,
            Err(mut chain) => {
                chain.insert(0, format!("Generating variable '{name}'").into());
                self.refuse(&definition, chain);
                Answer::Refused
            }
        };
        self.generated.insert(name.to_owned(), answer);
        answer
    }

    fn lacks_option_value(&mut self, document: &mut Tree, name: &str) -> bool {
        let definition = self.definitions.get(name);
        let Some(options) = definition.and_then(|definition| definition.options) else {
            return false;
        };
        let Ok(text) = self.text(document, options) else { return false };
        if self.in_progress.len() >= MAX_NESTED_DEFINITIONS
            || self.in_progress.iter().any(|(open, _)| open == name)
        {
            return false;
        }
        self.in_progress.push((name.to_owned(), String::new()));
        let lacks = uses(&text).filter(|it| self.get(document, it.name, None).is_none());
        let lacks = lacks.count() > 0;
        self.in_progress.pop();
        lacks
    }

    /// Returns the secret; `None` if an option has no value.
    fn secret(
        &mut self,
        document: &mut Tree,
        definition: &Definition,
    ) -> std::result::Result<Option<Secret>, ErrorChain> {
        let (mut options, mut filled) = (String::new(), false);
        if let Some(node) = definition.options {
            let written = self.text(document, node)?;
            let misses = self.misses;
            let seat = document.scratch_seat(node);
            fill(document, seat, self);
            if self.misses > misses {
                return Ok(None);
            }
            options = self.text(document, document.node_at(seat))?;
            filled = options != written;
        }
        if let Some((name, context)) = self.in_progress.last_mut() {
            *context = format!("Generating variable '{name}'");
        }
        let secret = generate(&definition.kind, &options, self.world, |ca| {
            let found = self.get(document, ca, definition.place);
            found.map(|node| self.text(document, node)).transpose()
        });
        let hide = |line: ErrorLine| if filled { line.hide() } else { line };
        secret.map(Some).map_err(|chain| chain.into_iter().map(hide).collect())
    }

    fn text(
        &self,
        document: &Tree,
        node: NodeId,
    ) -> std::result::Result<String, ErrorChain> {
        yaml::go::print(document, node, self.rules.expansion)
            .map_err(|d| vec![d.message.into()])
    }

    fn refuse(&mut self, definition: &Definition, chain: ErrorChain) {
        let mut message =
            String::from("Getting all variables from variable definitions sections:");
        let names = self.in_progress.iter().skip(1).map(|(name, _)| name);
        let names = names.chain([&definition.name]);
        let steps =
            self.in_progress.iter().zip(names).flat_map(|((_, context), name)| {
                [context.clone(), format!("Finding variable '{name}'")]
            });
        let lines: Vec<String> =
            steps.chain(chain.into_iter().map(|it| it.text)).collect();
        for (depth, line) in lines.iter().enumerate() {
            let colon = if depth + 1 < lines.len() { ":" } else { "" };
            message += &format!("\n{}{line}{colon}", "  ".repeat(depth + 1));
        }
        let diagnostic = Diagnostic::error(message);
        self.problems
            .push(*definition.place.into_iter().fold(diagnostic, Diagnostic::at));
    }

    /// Returns the errors of the run.
    // bosh has one message for all of them, which is the verbatim text of each.
    pub(super) fn check(&self) -> Vec<Diagnostic> {
        let near = |name: &str| self.suggestion(name);
        let missing = self.rules.missing.then(|| missing(&self.missing, near)).flatten();
        let unused = self.rules.unused.then(|| unused(&self.unused())).flatten();
        let all: Vec<_> = missing.into_iter().chain(unused).collect();
        let bullets: Vec<String> =
            all.iter().map(|d| format!("- {}", d.message)).collect();
        let bullets = bullets.join("\n");
        all.into_iter().map(|diagnostic| *diagnostic.verbatim(&*bullets)).collect()
    }

    /// Returns a suggestion for a name that has no value.
    fn suggestion(&self, name: &str) -> Option<String> {
        let short = |given: &&String| given.len().max(name.len()) <= MAX_COMPARED_LEN;
        // Enough for every vars file in practice; each name costs an edit distance.
        let names = self.given.keys().take(1000).filter(short);
        let others = names.filter(|given| *given != name);
        let distance = |given: &String| strsim::osa_distance(given, name);
        let (far, near) = others.map(|given| (distance(given), given)).min()?;
        // One typing error, and one more for every four characters.
        let likely = far <= 1 + name.len() / 4 && far < name.len();
        likely.then(|| format!("did you mean '{near}' in place of '{name}'?"))
    }

    /// Returns the names that have a value and were not looked up.
    pub(super) fn unused(&self) -> Vec<String> {
        let stored = self.store.iter().flat_map(|store| store.names());
        let names: BTreeSet<&String> = self.given.keys().chain(stored).collect();
        let names = names.into_iter().filter(|&name| !self.used.contains(name));
        names.cloned().collect()
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
