//! A name comes in, its value goes out: from what is given, else from the store, else
//! made anew if the document defines how. What was asked for is remembered.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::check::Rules;
use super::definition::Definition;
use super::fill::fill;
use super::generate::{Chain, Line, Secret, generate};
use super::store::Store;
use super::syntax::uses;
use crate::apply;
use crate::diagnostic::{Diagnostic, Result};
use crate::node::{Document, Node};
use crate::pointer::{Pointer, Token};
use crate::source::{Span, World};
use crate::yaml;

/// How deep the definitions of variables may need one another.
const DEPTH: usize = 64;

/// Longer names are not compared: that takes the square of their length.
const COMPARED: usize = 100;

/// The values of a run.
pub(super) struct Lookup<'a> {
    given: BTreeMap<String, Node>,
    pub(super) store: Option<&'a mut Store>,
    pub(super) world: &'a dyn World,
    pub(super) rules: &'a Rules,
    /// The variables that the document defines, the first of each name.
    definitions: HashMap<String, Definition>,
    /// Those that are being made, and what is being done for that.
    open: Vec<(String, String)>,
    /// What came of making a variable.
    made: HashMap<String, Answer>,
    /// What was answered, by full dotted name.
    known: HashMap<String, Answer>,
    /// First segments of the names that were asked for.
    used: BTreeSet<String>,
    /// Variables without a value, the full names they go by, and the places of these.
    pub(super) missing: BTreeMap<(String, String), Vec<Span>>,
    /// How often there was no value for a name.
    misses: usize,
    pub(super) problems: Vec<Diagnostic>,
}

/// What comes of asking for a variable.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Answer {
    /// It has a value.
    Value(Node),
    /// It has none.
    Missing,
    /// It has none because an option of it has none.
    Unmade,
    /// A problem with it was reported.
    Refused,
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
            definitions: HashMap::new(),
            open: Vec::new(),
            made: HashMap::new(),
            known: HashMap::new(),
            used: BTreeSet::new(),
            missing: BTreeMap::new(),
            misses: 0,
            problems: Vec::new(),
        }
    }

    /// From now on it is another document that says how variables are made. What has a
    /// value keeps it.
    pub(super) fn define(&mut self, definitions: &[Definition]) {
        self.definitions.clear();
        for definition in definitions {
            let first = self.definitions.entry(definition.name.clone());
            first.or_insert_with(|| definition.clone());
        }
        let has_value = |answer: &Answer| matches!(answer, Answer::Value(_));
        self.made.retain(|_, answer| has_value(answer));
        self.known.retain(|_, answer| has_value(answer));
    }

    /// The value of the variable of that full name, used at `place`: of `a.b.c` the part
    /// `/b/c` of the variable `a`.
    pub(super) fn get(
        &mut self,
        document: &mut Document,
        name: &str,
        place: Option<Span>,
    ) -> Option<Node> {
        let (first, rest) = name.split_once('.').unwrap_or((name, ""));
        let answer = self.known.get(name).copied();
        let answer = answer.unwrap_or_else(|| {
            let part = match self.whole(document, first) {
                Ok(Answer::Value(value)) if name.len() > first.len() => {
                    dig(document, value, rest).map(Answer::Value)
                }
                whole => whole,
            };
            self.keep(name, part, place)
        });
        self.settle(answer, (first, name), place)
    }

    /// The value of the variable that is defined under that name, dots and all.
    pub(super) fn defined(
        &mut self,
        document: &mut Document,
        definition: &Definition,
    ) -> bool {
        let name = &definition.name;
        let known = self.known.get(name).copied().filter(|_| !name.contains('.'));
        let answer = known.unwrap_or_else(|| {
            let whole = self.whole(document, name);
            if name.contains('.') {
                whole.unwrap_or(Answer::Missing)
            } else {
                self.keep(name, whole, definition.place)
            }
        });
        self.settle(answer, (name, name), definition.place).is_some()
    }

    /// Remembers what was found, or that there is a problem with it.
    fn keep(&mut self, name: &str, found: Result<Answer>, place: Option<Span>) -> Answer {
        let answer = found.unwrap_or_else(|mut problem| {
            problem.message =
                format!("Finding variable '{name}':\n  {}", problem.message);
            let place = place.filter(|_| problem.labels.is_empty());
            let problem =
                place.into_iter().fold(problem, |d, span| d.label(span, "used here"));
            self.problems.push(*problem);
            Answer::Refused
        });
        self.known.insert(name.to_owned(), answer);
        answer
    }

    /// The value, if there is one. That a variable has none is remembered, unless it is the
    /// fault of another one.
    fn settle(
        &mut self,
        answer: Answer,
        (variable, name): (&str, &str),
        place: Option<Span>,
    ) -> Option<Node> {
        match answer {
            Answer::Value(node) => return Some(node),
            Answer::Missing => {
                let names = (variable.to_owned(), name.to_owned());
                self.missing.entry(names).or_default().extend(place);
            }
            Answer::Unmade | Answer::Refused => {}
        }
        self.misses += 1;
        None
    }

    fn whole(&mut self, document: &mut Document, name: &str) -> Result<Answer> {
        self.used.insert(name.to_owned());
        if let Some(&given) = self.given.get(name) {
            return Ok(Answer::Value(given));
        }
        let Some(store) = &self.store else {
            let lacks = self.rules.missing && self.lacks(document, name);
            return Ok(if lacks { Answer::Unmade } else { Answer::Missing });
        };
        match store.get(document, name)? {
            Some(stored) => Ok(Answer::Value(stored)),
            None => Ok(self.make(document, name)),
        }
    }

    /// Makes the value of a variable that is defined with a type, once, and keeps it in
    /// the store.
    fn make(&mut self, document: &mut Document, name: &str) -> Answer {
        if let Some(&made) = self.made.get(name) {
            return made;
        }
        let defined = self.definitions.get(name).cloned();
        let Some(definition) = defined.filter(|it| !it.kind.is_empty()) else {
            return Answer::Missing;
        };
        if self.open.len() >= DEPTH || self.open.iter().any(|(open, _)| open == name) {
            self.refuse(&definition, vec!["Detected recursion".into()]);
            return Answer::Refused;
        }
        let problems = self.problems.len();
        let context = format!("Interpolating variable '{name}' definition options");
        self.open.push((name.to_owned(), context));
        let made = self.secret(document, &definition);
        self.open.pop();
        let answer = match made {
            Ok(Some(secret)) => {
                let node = secret.node(document);
                if let Some(store) = &mut self.store {
                    store.add(name, secret);
                }
                Answer::Value(node)
            }
            // What it needs was refused, and that was said.
            Ok(None) | Err(_) if self.problems.len() > problems => Answer::Refused,
            Ok(None) => Answer::Unmade,
            Err(mut chain) => {
                chain.insert(0, format!("Generating variable '{name}'").into());
                self.refuse(&definition, chain);
                Answer::Refused
            }
        };
        self.made.insert(name.to_owned(), answer);
        answer
    }

    /// Whether an option of a variable has no value.
    fn lacks(&mut self, document: &mut Document, name: &str) -> bool {
        let definition = self.definitions.get(name);
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
            let seat = document.scratch_seat(node);
            fill(document, seat, self);
            if self.misses > misses {
                return Ok(None);
            }
            options = self.text(document, document.node_at(seat))?;
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

    /// A suggestion for a name that has no value.
    pub(super) fn near(&self, name: &str) -> Option<String> {
        let short = |given: &&String| given.len().max(name.len()) <= COMPARED;
        let names = self.given.keys().take(1000).filter(short);
        let others = names.filter(|given| *given != name);
        let distance = |given: &String| strsim::osa_distance(given, name);
        let (far, near) = others.map(|given| (distance(given), given)).min()?;
        let likely = far <= 1 + name.len() / 4 && far < name.len();
        likely.then(|| format!("did you mean '{near}' in place of '{name}'?"))
    }

    /// The names that have a value and were not asked for.
    pub(super) fn unused(&self) -> Vec<String> {
        let stored = self.store.iter().flat_map(|store| store.names());
        let names: BTreeSet<&String> = self.given.keys().chain(stored).collect();
        let names = names.into_iter().filter(|&name| !self.used.contains(name));
        names.cloned().collect()
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
