//! An OpenAPI Overlay, version 1.0 or 1.1: each action is an op on the matches of
//! its target.

use std::hash::{DefaultHasher, Hash, Hasher};

use hashbrown::{HashMap, HashSet};

use super::given::patch_of;
use super::writer::{self, OpFields, OpValue, ValueTexts, has_own_fields};
use crate::compare::is_json_equal;
use crate::diagnostic::{Diagnostic, Diagnostics, Result, near_hint};
use crate::node::{Kind, NodeId, Tree};
use crate::patch::{Combination, Content, Edit, Missing, Op, Origin, Patch};
use crate::scalar::Scalar;
use crate::select::{MAX_STEPS, Query};
use crate::target::Target;
use crate::yaml::{Expansion, json};

/// Compiles an overlay. `extends` is ignored: the caller names the document.
///
/// # Errors
/// One diagnostic for each member that the specification does not allow.
pub(super) fn read(document: &Tree) -> std::result::Result<Patch, Diagnostics> {
    let mut reader = OverlayReader { document, has_copy: false, errors: Vec::new() };
    let ops = reader.root();
    Diagnostics(reader.errors).or(patch_of(document, ops))
}

struct OverlayReader<'a> {
    document: &'a Tree,
    /// Version 1.1 has `copy`, and a description of the overlay.
    has_copy: bool,
    errors: Vec<Diagnostic>,
}

impl OverlayReader<'_> {
    fn error(&mut self, node: NodeId, message: impl Into<String>) {
        let place = self.document.first_line_of(node);
        self.errors.push(*Diagnostic::error(message).at(place));
    }

    fn root(&mut self) -> Vec<Op> {
        let root = self.document.root();
        if let Some(version) = self.document.get(root, "overlay") {
            let text = self.document.string(version).unwrap_or_default().into_owned();
            let minor = text.rsplit_once('.').filter(|(_, patch)| is_number(patch));
            match minor.map(|(minor, _)| minor) {
                Some("1.0") => {}
                Some("1.1") => self.has_copy = true,
                Some(_) | None => {
                    self.error(version, "'overlay' must be '1.0.0' or '1.1.0'");
                    return Vec::new();
                }
            }
        }
        self.check_members(
            root,
            "an overlay",
            &["overlay", "info", "extends", "actions"],
        );
        self.check_text(root, "extends");
        self.info(root);
        let Some(actions) = self.required(root, "an overlay", "actions") else {
            return Vec::new();
        };
        if self.document.kind(actions) != Kind::Sequence {
            self.error(actions, "'actions' must be a list");
            return Vec::new();
        }
        let items = self.document.items(actions);
        if items.is_empty() {
            self.error(actions, "'actions' must have one action or more");
        }
        self.check_unique(&items);
        (0..).zip(items).filter_map(|(number, item)| self.action(item, number)).collect()
    }

    fn info(&mut self, root: NodeId) {
        let Some(info) = self.required(root, "an overlay", "info") else { return };
        if self.document.kind(info) != Kind::Mapping {
            self.error(info, "'info' must be a mapping");
            return;
        }
        let known: &[&str] = &["title", "version", "description"];
        let known = if self.has_copy { known } else { &known[..2] };
        self.check_members(info, "'info'", known);
        for name in ["title", "version"] {
            self.required(info, "'info'", name);
        }
        known.iter().for_each(|name| self.check_text(info, name));
    }

    fn action(&mut self, item: NodeId, number: u32) -> Option<Op> {
        let document = self.document;
        if document.kind(item) != Kind::Mapping {
            self.error(item, "an action must be a mapping");
            return None;
        }
        let known: &[&str] = &["target", "description", "update", "remove", "copy"];
        let known = if self.has_copy { known } else { &known[..4] };
        self.check_members(item, "an action", known);
        self.check_text(item, "description");
        let target = self.required(item, "an action", "target");
        let at = target.and_then(|target| self.query(target));
        let from = document.get(item, "copy").filter(|_| self.has_copy);
        let copy = from.and_then(|from| self.query(from));
        let removes = match document
            .get(item, "remove")
            .map(|node| (node, document.scalar(node)))
        {
            None => false,
            Some((_, Scalar::Bool(value))) => value,
            Some((node, _)) => {
                self.error(node, "'remove' must be true or false");
                false
            }
        };
        let update = document.get(item, "update");
        if let (false, Some(_), Some(copy)) = (removes, update, from) {
            self.error(copy, "an action has 'update' or 'copy', not both");
        }
        let edit = match (removes, update, copy) {
            (true, ..) => Edit::Remove,
            (false, Some(value), _) => {
                Edit::Combine(Content::Written(value), Combination::OVERLAY)
            }
            (false, None, Some(from)) => {
                Edit::Combine(Content::Copied(from), Combination::OVERLAY)
            }
            (false, None, None) => return None,
        };
        let origin = Origin {
            span: document.first_line_of(item),
            path: document.first_line_of(target?),
            from: from.map(|from| document.first_line_of(from)),
            number,
        };
        let op = Op::new(at?, edit, Some(origin));
        Some(Op { missing: Missing::Warns, ..op })
    }

    fn query(&mut self, node: NodeId) -> Option<Target> {
        let Some(text) = self.document.string(node) else {
            self.error(node, "a target must be a text, a JSONPath");
            return None;
        };
        match Query::parse(&text) {
            Ok(query) => Some(Target::Query(Box::new(query))),
            Err(error) => {
                let message = error.within(&text);
                let place = self.document.first_line_of(node);
                let message = format!("'{text}' is no JSONPath: {message}");
                self.errors.push(*Diagnostic::error(message).at(place).hints(error.hint));
                None
            }
        }
    }

    fn required(&mut self, node: NodeId, what: &str, name: &str) -> Option<NodeId> {
        let found = self.document.get(node, name);
        if found.is_none() {
            self.error(node, format!("{what} needs '{name}'"));
        }
        found
    }

    fn check_text(&mut self, node: NodeId, name: &str) {
        if let Some(value) = self.document.get(node, name)
            && self.document.string(value).is_none()
        {
            let place = self.document.first_line_of(value);
            let error = Diagnostic::error(format!("'{name}' must be a text")).at(place);
            let is_scalar = self.document.kind(value) == Kind::Scalar;
            let has_text = is_scalar && !self.document.is_null(value);
            self.errors.push(*error.hints(has_text.then_some("quote it")));
        }
    }

    /// Refuses unknown members, except for extensions, which begin with `x-`.
    fn check_members(&mut self, node: NodeId, what: &str, known: &[&str]) {
        for (key, _) in self.document.pairs(node) {
            let name = self.document.member_name(key).unwrap_or_default().into_owned();
            if name.starts_with("x-") || known.contains(&&*name) {
                continue;
            }
            let place = self.document.first_line_of(key);
            let error = Diagnostic::error(format!("{what} has no '{name}'")).at(place);
            self.errors.push(*error.hints(near_hint(known.iter().copied(), &name)));
        }
    }

    /// Refuses actions that are equal.
    fn check_unique(&mut self, items: &[NodeId]) {
        let document = self.document;
        let mut by_digest = HashMap::new();
        let mut steps = MAX_STEPS;
        for &item in items {
            let digest = json_digest(document, item);
            let others: &mut Vec<NodeId> = by_digest.entry(digest).or_default();
            let mut known = others.iter();
            if known.any(|&other| is_json_equal(document, item, other, &mut steps)) {
                self.error(item, "this action is there twice");
            }
            others.push(item);
            // Actions that could not all be compared may be there twice.
            if steps == 0 {
                return;
            }
        }
    }
}

/// Maximum number of values of an action that are digested: aliases can make an action
/// exponentially large, and larger ones are compared one by one.
const MAX_DIGESTED: usize = 100_000;

/// Returns a number that is the same for values that are equal as JSON. The order of members
/// does not count.
fn json_digest(document: &Tree, node: NodeId) -> u64 {
    let mut sum = 0_u64;
    let mut todo = vec![node];
    for _ in 0..MAX_DIGESTED {
        let Some(node) = todo.pop() else { return sum };
        let mut hasher = DefaultHasher::new();
        match document.kind(node) {
            Kind::Scalar => hash_json(&document.scalar_as_written(node), &mut hasher),
            Kind::Sequence => todo.extend(document.items(node)),
            Kind::Mapping => {
                for (key, value) in document.pairs(node) {
                    let mut name = DefaultHasher::new();
                    document.member_name(key).hash(&mut name);
                    sum = sum.wrapping_add(name.finish());
                    todo.push(value);
                }
            }
        }
        sum = sum.wrapping_add(hasher.finish());
    }
    0
}

fn hash_json(scalar: &Scalar<'_>, hasher: &mut DefaultHasher) {
    match scalar {
        Scalar::String(text) => text.hash(hasher),
        Scalar::Bool(value) => value.hash(hasher),
        // 1 equals 1.0. Large integers that are one float are told apart later.
        Scalar::Int(number) => (*number as f64).to_bits().hash(hasher),
        Scalar::Float(number) => {
            // -0 equals 0.
            (number + 0.0).to_bits().hash(hasher);
        }
        _ => {}
    }
}

/// Returns true for the last part of a version.
fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns the Overlay that compiles to `patch`, as a document.
///
/// # Errors
/// An Overlay cannot hold an op.
pub(super) fn write(patch: &Patch) -> Result<Tree> {
    let texts = ValueTexts::of(patch);
    let mut document = writer::document(patch, &texts, fields_of, false)?;
    let actions = document.root();
    let has = |document: &Tree, item, name| document.get(item, name).is_some();
    let mut met = HashSet::new();
    for (number, item) in (1..).zip(document.items(actions)) {
        // No two actions may be equal.
        let text = json::print_line(&document, item, Expansion::default()).ok();
        if let (false, NodeId::Opened(id)) = (met.insert(text), item) {
            let node = document.new_text(&format!("Action {number}"));
            document.insert_entry(id, "description", node, None);
        }
    }
    let copies = document.items(actions).into_iter().any(|it| has(&document, it, "copy"));
    let version = if copies { "1.1.0" } else { "1.0.0" };
    let root = document.new_mapping(&[("overlay", version)], None);
    let info = document.new_mapping(&[("title", "Changes"), ("version", "1.0.0")], None);
    if let NodeId::Opened(id) = root {
        document.insert_entry(id, "info", info, None);
        document.insert_entry(id, "actions", actions, None);
    }
    document.set_roots(vec![root]);
    Ok(document)
}

/// Returns the fields of an action of an Overlay.
///
/// # Errors
/// An Overlay cannot hold the op.
pub(super) fn fields_of(op: &Op) -> Result<Option<OpFields>> {
    let (from, value) = match &op.edit {
        Edit::Remove => (None, Some(("remove", OpValue::Bool(true)))),
        Edit::Combine(Content::Written(node), Combination::OVERLAY) => {
            (None, Some(("update", OpValue::Node(*node))))
        }
        Edit::Combine(Content::Copied(from), Combination::OVERLAY) => (Some(from), None),
        _ => return Err(Diagnostic::error("an Overlay cannot hold this op")),
    };
    let is_action = op.missing == Missing::Warns
        && [Some(&op.at), from].into_iter().flatten().all(is_query);
    if !is_action || has_own_fields(op) {
        return Err(Diagnostic::error("an Overlay cannot hold this op"));
    }
    let mut texts = vec![("target", op.at.spell())];
    texts.extend(from.map(|from| ("copy", from.spell())));
    Ok(Some(OpFields { texts, value, words: Vec::new() }))
}

fn is_query(target: &Target) -> bool {
    matches!(target, Target::Query(_))
}
