//! A name comes in, its value goes out: from what is given, else from the store, else
//! made anew if the document defines how. What was asked for is remembered.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::check::Rules;
use super::definition::Definition;
use super::fill::fill;
use super::generate::{Chain, Secret, generate};
use super::store::{Store, secret_node};
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
    /// Those that are being made.
    open: Vec<String>,
    /// Values by full dotted name.
    known: HashMap<String, Option<Node>>,
    /// First segments of the names that were asked for.
    used: BTreeSet<String>,
    /// Full names without a value and the places they are used at.
    pub(super) missing: BTreeMap<String, Vec<Span>>,
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
        let found = known.unwrap_or_else(|| {
            let (first, rest) = name.split_once('.').unwrap_or((name, ""));
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
            self.miss(name, place);
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
            self.miss(name, definition.place);
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
        if self.open.len() >= DEPTH || self.open.iter().any(|open| open == name) {
            self.refuse(&definition, vec!["Detected recursion".into()]);
            return None;
        }
        self.open.push(name.to_owned());
        let made = self.secret(document, &definition);
        self.open.pop();
        let secret = made.unwrap_or_else(|chain| {
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

    /// `None` if an option has no value.
    fn secret(
        &mut self,
        document: &mut Document,
        definition: &Definition,
    ) -> std::result::Result<Option<Secret>, Chain> {
        let mut options = String::new();
        if let Some(node) = definition.options {
            let misses = self.misses;
            let seat = document.lone_seat(node);
            fill(document, seat, self);
            if self.misses > misses {
                return Ok(None);
            }
            options = self.text(document, document.seated(seat))?;
        }
        let moment = self.world.moment().map_err(|error| vec![error.to_string()])?;
        let secret = generate(&definition.kind, &options, moment, |ca| {
            let found = self.get(document, ca, definition.place);
            found.map(|node| self.text(document, node)).transpose()
        });
        // What is quoted of an option may be the value of another variable.
        secret.map(Some).map_err(|chain| chain.iter().map(|line| unquote(line)).collect())
    }

    fn text(
        &self,
        document: &Document,
        node: Node,
    ) -> std::result::Result<String, Chain> {
        yaml::go::print(document, node, self.rules.expansion).map_err(|d| vec![d.message])
    }

    fn refuse(&mut self, definition: &Definition, chain: Chain) {
        let mut message =
            String::from("Getting all variables from variable definitions sections:");
        let context = format!("Generating variable '{}'", definition.name);
        let lines: Vec<String> = std::iter::once(context).chain(chain).collect();
        for (depth, line) in lines.iter().enumerate() {
            let colon = if depth + 1 < lines.len() { ":" } else { "" };
            message += &format!("\n{}{line}{colon}", "  ".repeat(depth + 1));
        }
        let diagnostic = Diagnostic::error(message);
        self.problems
            .push(*definition.place.into_iter().fold(diagnostic, Diagnostic::at));
    }

    fn miss(&mut self, name: &str, place: Option<Span>) {
        self.misses += 1;
        self.missing.entry(name.to_owned()).or_default().extend(place);
    }

    /// A suggestion for a name that has no value.
    pub(super) fn near(&self, name: &str) -> Option<String> {
        let first = name.split('.').next().unwrap_or(name);
        let distance = |given: &&String| strsim::osa_distance(given, first);
        let near = self.given.keys().take(1000).min_by_key(distance)?;
        let likely =
            distance(&near) <= 1 + first.len() / 4 && distance(&near) < first.len();
        likely.then(|| format!("did you mean '{near}' in place of '{first}'?"))
    }

    /// The names that have a value and were not asked for.
    pub(super) fn unused(&self) -> Vec<String> {
        let stored = self.store.iter().flat_map(|store| store.names());
        let names: BTreeSet<String> = self.given.keys().cloned().chain(stored).collect();
        names.into_iter().filter(|name| !self.used.contains(name)).collect()
    }
}

/// A message without what it quotes in backticks.
fn unquote(message: &str) -> String {
    let parts = message.split('`').enumerate();
    parts.filter(|(i, _)| i % 2 == 0).map(|(_, part)| part).collect::<Vec<_>>().join("…")
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
