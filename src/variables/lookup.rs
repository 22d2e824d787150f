//! A name comes in, its value goes out: from what is given, else from the store, else
//! made anew if the document defines how. What was asked for is remembered.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::check::Rules;
use super::definition::Definition;
use super::fill::fill;
use super::generate::{Chain, Line, Secret, generate};
use super::store::{Store, secret_node};
use super::syntax::uses;
use crate::apply;
use crate::diagnostic::{Diagnostic, Result};
use crate::node::{Document, Node};
use crate::pointer::{Pointer, Token};
use crate::source::{Span, World};
use crate::yaml;

/// How deep the definitions of variables may need one another.
const DEPTH: usize = 64;

/// The values of a run.
pub(super) struct Lookup<'a> {
    given: BTreeMap<String, Node>,
    pub(super) store: Option<&'a mut Store>,
    pub(super) world: &'a dyn World,
    pub(super) rules: &'a Rules,
    /// The variables that the document defines.
    pub(super) definitions: Vec<Definition>,
    /// Those that are being made, and what is being done for that.
    open: Vec<(String, String)>,
    /// Those without a value because an option of theirs has none.
    unmade: BTreeSet<String>,
    /// Values by full dotted name.
    known: HashMap<String, Option<Node>>,
    /// First segments of the names that were asked for.
    used: BTreeSet<String>,
    /// Variables without a value, the full names they go by, and the places of these.
    pub(super) missing: BTreeMap<(String, String), Vec<Span>>,
    /// How often a name without a value was asked for.
    misses: usize,
    pub(super) problems: Vec<Diagnostic>,
}

impl<'a> Lookup<'a> {
    pub(super) fn new(
        given: BTreeMap<String, Node>,
        store: Option<&'a mut Store>,
        world: &'a dyn World,
        rules: &'a Rules,
    ) -> Lookup<'a> {
        Lookup {
            given,
            store,
            world,
            rules,
            definitions: Vec::new(),
            open: Vec::new(),
            unmade: BTreeSet::new(),
            known: HashMap::new(),
            used: BTreeSet::new(),
            missing: BTreeMap::new(),
            misses: 0,
            problems: Vec::new(),
        }
    }

    /// The value of the variable of that full name, used at `place`: of `a.b.c` the part
    /// `/b/c` of the variable `a`.
    pub(super) fn get(
        &mut self,
        document: &mut Document,
        name: &str,
        place: Option<Span>,
    ) -> Option<Node> {
        let known = self.known.get(name).copied();
        let (first, rest) = name.split_once('.').unwrap_or((name, ""));
        let found = known.unwrap_or_else(|| {
            let value = self.whole(document, first);
            let part = value.and_then(|value| match value {
                Some(value) if name.len() > first.len() => {
                    dig(document, value, rest).map(Some)
                }
                value => Ok(value),
            });
            self.keep(name, part, place)
        });
        if found.is_none() {
            self.miss(first, name, place);
        }
        found
    }

    /// The value of the variable that is defined under that name, dots and all.
    pub(super) fn defined(
        &mut self,
        document: &mut Document,
        definition: &Definition,
    ) -> bool {
        let name = &definition.name;
        let known = self.known.get(name).copied().filter(|_| !name.contains('.'));
        let found = known.unwrap_or_else(|| {
            let value = self.whole(document, name);
            match name.contains('.') {
                true => value.unwrap_or_default(),
                false => self.keep(name, value, definition.place),
            }
        });
        if found.is_none() {
            self.miss(name, name, definition.place);
        }
        found.is_some()
    }

    /// Remembers what was found, or that there is a problem with it.
    fn keep(
        &mut self,
        name: &str,
        found: Result<Option<Node>>,
        place: Option<Span>,
    ) -> Option<Node> {
        let found = found.unwrap_or_else(|mut problem| {
            problem.message =
                format!("Finding variable '{name}':\n  {}", problem.message);
            let place = place.filter(|_| problem.labels.is_empty());
            let problem =
                place.into_iter().fold(problem, |d, span| d.label(span, "used here"));
            self.problems.push(*problem);
            None
        });
        self.known.insert(name.to_owned(), found);
        found
    }

    fn whole(&mut self, document: &mut Document, name: &str) -> Result<Option<Node>> {
        self.used.insert(name.to_owned());
        let given = self.given.get(name).copied();
        let Some(store) = self.store.as_ref().filter(|_| given.is_none()) else {
            if given.is_none() && self.rules.missing && self.lacks(document, name) {
                self.unmade.insert(name.to_owned());
            }
            return Ok(given);
        };
        let stored = store.get(document, name)?;
        Ok(stored.or_else(|| self.make(document, name)))
    }

    /// Makes the value of a variable that is defined with a type, and keeps it in the
    /// store.
    fn make(&mut self, document: &mut Document, name: &str) -> Option<Node> {
        let definition =
            self.definitions.iter().find(|definition| definition.name == name)?;
        let definition = definition.clone();
        if definition.kind.is_empty() {
            return None;
        }
        if let Some(known) = self.known.get(name) {
            return *known;
        }
        if self.open.len() >= DEPTH || self.open.iter().any(|(open, _)| open == name) {
            self.refuse(&definition, vec!["Detected recursion".into()]);
            return None;
        }
        let context = format!("Interpolating variable '{name}' definition options");
        self.open.push((name.to_owned(), context));
        let made = self.secret(document, &definition);
        self.open.pop();
        let secret = made.unwrap_or_else(|mut chain| {
            chain.insert(0, format!("Generating variable '{name}'").into());
            self.refuse(&definition, chain);
            None
        })?;
        if let Some(store) = &mut self.store {
            store.add(name, &secret);
        }
        let node = secret_node(document, &secret);
        self.known.insert(name.to_owned(), Some(node));
        Some(node)
    }

    /// Whether an option of a variable has no value.
    fn lacks(&mut self, document: &mut Document, name: &str) -> bool {
        let mut definitions = self.definitions.iter();
        let definition = definitions.find(|definition| definition.name == name);
        let Some(options) = definition.and_then(|definition| definition.options) else {
            return false;
        };
        let Ok(text) = self.text(document, options) else { return false };
        if self.open.len() >= DEPTH || self.open.iter().any(|(open, _)| open == name) {
            return false;
        }
        self.open.push((name.to_owned(), String::new()));
        let lacks = uses(&text).filter(|it| self.get(document, it.name, None).is_none());
        let lacks = lacks.count() > 0;
        self.open.pop();
        lacks
    }

    /// `None` if an option has no value.
    fn secret(
        &mut self,
        document: &mut Document,
        definition: &Definition,
    ) -> std::result::Result<Option<Secret>, Chain> {
        let (mut options, mut filled) = (String::new(), false);
        if let Some(node) = definition.options {
            let written = self.text(document, node)?;
            let misses = self.misses;
            let seat = document.lone_seat(node);
            fill(document, seat, self);
            if self.misses > misses {
                self.unmade.insert(definition.name.clone());
                return Ok(None);
            }
            options = self.text(document, document.seated(seat))?;
            filled = options != written;
        }
        if let Some((name, context)) = self.open.last_mut() {
            *context = format!("Generating variable '{name}'");
        }
        let moment =
            self.world.moment().map_err(|error| vec![error.to_string().into()])?;
        let secret = generate(&definition.kind, &options, moment, |ca| {
            let found = self.get(document, ca, definition.place);
            found.map(|node| self.text(document, node)).transpose()
        });
        let hide = |line: Line| if filled { line.hide() } else { line };
        secret.map(Some).map_err(|chain| chain.into_iter().map(hide).collect())
    }

    fn text(
        &self,
        document: &Document,
        node: Node,
    ) -> std::result::Result<String, Chain> {
        yaml::go::print(document, node, self.rules.expansion)
            .map_err(|d| vec![d.message.into()])
    }

    fn refuse(&mut self, definition: &Definition, chain: Chain) {
        let mut message =
            String::from("Getting all variables from variable definitions sections:");
        let names = self.open.iter().skip(1).map(|(name, _)| name);
        let names = names.chain([&definition.name]);
        let steps = self.open.iter().zip(names).flat_map(|((_, context), name)| {
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

    /// Remembers that a variable has no value, unless that is the fault of another one.
    fn miss(&mut self, variable: &str, name: &str, place: Option<Span>) {
        self.misses += 1;
        if !self.unmade.contains(variable) {
            let names = (variable.to_owned(), name.to_owned());
            self.missing.entry(names).or_default().extend(place);
        }
    }

    /// A suggestion for a name that has no value.
    pub(super) fn near(&self, name: &str) -> Option<String> {
        let distance = |given: &&String| strsim::osa_distance(given, name);
        let near = self.given.keys().take(1000).min_by_key(distance)?;
        let likely =
            distance(&near) <= 1 + name.len() / 4 && distance(&near) < name.len();
        likely.then(|| format!("did you mean '{near}' in place of '{name}'?"))
    }

    /// The names that have a value and were not asked for.
    pub(super) fn unused(&self) -> Vec<String> {
        let stored = self.store.iter().flat_map(|store| store.names());
        let names: BTreeSet<String> = self.given.keys().cloned().chain(stored).collect();
        names.into_iter().filter(|name| !self.used.contains(name)).collect()
    }
}

/// The part of a value that the rest of a dotted name leads to. Where that fails with
/// numbers read as indices, they are read as keys.
fn dig(document: &mut Document, value: Node, rest: &str) -> Result<Node> {
    let mut pointer = Pointer::parse(&format!("/{}", rest.replace('.', "/")))
        .map_err(Diagnostic::error)?;
    let found = apply::find_from(document, &pointer, value);
    let names = rest.split(['.', '/']);
    for (token, name) in pointer.tokens.iter_mut().zip(names) {
        if matches!(token, Token::Index(..)) {
            *token = Token::Key(name.to_owned());
        }
    }
    found.or_else(|_| apply::find_from(document, &pointer, value))
}
