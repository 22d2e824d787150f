//! The resolver: a patch in any language becomes plain ops for one document.

use std::collections::BTreeMap;

use hashbrown::HashSet;

use super::split;
use crate::apply::{self, Reach};
use crate::arena::{Style, flag};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::diff;
use crate::node::{Aliases, Effect, NodeId, Opened, Step, Tree, snapshot};
use crate::patch::{Content, Edit, Expect, Missing, NewComments, Op, Patch};
use crate::pointer::{JsonPointer, Modifier, Pointer, Token};
use crate::scalar::{Dialect, Scalar};
use crate::target::Target;

/// The language of the ops that a patch is resolved to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpsLanguage {
    /// An ops-file that bosh can run.
    Bosh,
    /// A JSON Patch.
    JsonPatch,
}

/// A patch in plain ops.
#[derive(Debug, Default)]
pub struct Resolved {
    /// The ops.
    pub patch: Patch,
    /// Notes about tests that are left out, and about collections that are replaced as a
    /// whole, because no path of bosh names the place in them that changed.
    pub notes: Vec<Diagnostic>,
}

/// Returns a patch that does the same to one document with ops of a language, one for each
/// change: to the only document that the reach has by default. Directives are resolved to
/// their results; what `((name))` stands for is not.
///
/// # Errors
/// The patch fails, or changes another document. A change has no spelling in the language: a
/// JSON Patch names no key that is a collection.
pub fn resolved(
    patch: &Patch,
    document: &Tree,
    reach: &Reach,
    language: OpsLanguage,
) -> Result<Resolved, Diagnostics> {
    let root = reach.default.first().copied().unwrap_or_default();
    let (imports, ops) = split(patch);
    let mut tree = document.clone();
    let mut result = Resolved::default();
    let own = |changes: Patch, before: &Tree| match language {
        OpsLanguage::Bosh => Ok(Resolved { patch: changes, notes: Vec::new() }),
        OpsLanguage::JsonPatch => resolved(&changes, before, reach, language),
    };
    if !imports.ops.is_empty() {
        apply::apply(&imports, &mut tree, root..root + 1)?;
        result = own(diff::diff_at(document, &tree, root)?, document)?;
    }
    for some in
        ops.ops.chunk_by(|one, next| follows_aliases(one) == follows_aliases(next))
    {
        let some = Patch { ops: some.to_vec(), ..ops.clone() };
        if some.ops.iter().any(follows_aliases) {
            // Aliases change with their anchor, and bosh knows neither.
            let before = tree.clone();
            let mut errors = Vec::new();
            apply::observe(&some, &mut tree, reach, &mut |_, number, effects| {
                errors.extend(effects.iter().find(|effect| effect.root != root).map(
                    |effect| *other_document(language, root, &some.ops[number], effect),
                ));
            })?;
            Diagnostics(errors).or(())?;
            result.extend(own(diff::diff_at(&before, &tree, root)?, &before)?);
        } else {
            result.extend(resolve(&some, &mut tree, reach, language)?);
        }
    }
    Ok(result)
}

impl Resolved {
    fn extend(&mut self, other: Resolved) {
        self.patch.extend(other.patch);
        self.notes.extend(other.notes);
    }
}

/// Applies ops to a tree. Returns ops of a language that do the same.
fn resolve(
    patch: &Patch,
    tree: &mut Tree,
    reach: &Reach,
    language: OpsLanguage,
) -> Result<Resolved, Diagnostics> {
    let mut resolver = PatchResolver {
        language,
        root: reach.default.first().copied().unwrap_or_default(),
        ops: Vec::new(),
        values: Vec::new(),
        replaced: BTreeMap::new(),
        left_out: Vec::new(),
    };
    let mut errors = Vec::new();
    apply::observe(patch, tree, reach, &mut |tree, number, effects| {
        let op = &patch.ops[number];
        let mut resolver = OpResolver { all: &mut resolver, tree, op };
        errors.extend(resolver.add(effects).err().map(|error| *error));
    })?;
    Diagnostics(errors).or(())?;
    let arenas = tree.arenas().cloned().collect();
    let PatchResolver { ops, values: opened, replaced, mut left_out, .. } = resolver;
    left_out.extend(replaced.into_values());
    let patch = Patch { ops, arenas, opened, ..Patch::default() };
    Ok(Resolved { patch, notes: left_out })
}

struct PatchResolver {
    language: OpsLanguage,
    root: usize,
    ops: Vec<Op>,
    values: Vec<Opened>,
    /// The collections that are replaced as a whole, each with a note.
    replaced: BTreeMap<String, Diagnostic>,
    /// Notes about tests that the language cannot express.
    left_out: Vec<Diagnostic>,
}

/// The resolver of one op, whose effects a tree has.
struct OpResolver<'r> {
    all: &'r mut PatchResolver,
    tree: &'r Tree,
    op: &'r Op,
}

impl OpResolver<'_> {
    fn add(&mut self, effects: Vec<Effect>) -> Result<(), Box<Diagnostic>> {
        let PatchResolver { language, root, .. } = *self.all;
        if let Edit::Test(expect) = self.op.edit {
            match &self.op.at {
                Target::Pointer(pointer)
                    if language == OpsLanguage::Bosh && is_plain(self.op) =>
                {
                    self.keep_test(pointer, expect);
                }
                _ => self.note_test(),
            }
            return Ok(());
        }
        let mut replaced = HashSet::new();
        for effect in &effects {
            if effect.root != root {
                return Err(other_document(language, root, self.op, effect));
            }
            match language {
                OpsLanguage::JsonPatch => self.json_op(effect)?,
                OpsLanguage::Bosh => self.bosh_op(effect, &mut replaced),
            }
        }
        Ok(())
    }

    fn push(&mut self, at: impl Into<Target>, edit: Edit) {
        self.all.ops.push(Op::new(at, edit, self.op.origin));
    }

    fn snapshot(&mut self, node: NodeId) -> NodeId {
        snapshot(self.tree, node, &mut self.all.values)
    }

    /// Notes that a collection is replaced, because no path names a place in it.
    fn note(&mut self, effect: &Effect, around: &[Step]) {
        let tree = self.tree;
        let path = tree.shown_path(around);
        if self.all.replaced.contains_key(&path) {
            return;
        }
        let all = if path.is_empty() { "the whole document" } else { &path };
        let place = tree.shown_path(&effect.path);
        let message =
            format!("no path of bosh names {place}: {all} is replaced as a whole");
        let note = Diagnostic::warning(message);
        let place = self.op.origin.map(|origin| origin.path);
        self.all.replaced.insert(path, *note.at(place));
    }

    /// Notes that a test is left out.
    fn note_test(&mut self) {
        let Some(origin) = self.op.origin else { return };
        let message = match self.all.language {
            OpsLanguage::Bosh => {
                "this test is left out: bosh tests only what a path of its own names"
            }
            OpsLanguage::JsonPatch => "this test is left out",
        };
        self.all.left_out.push(*Diagnostic::warning(message).at(origin.path));
    }

    /// Keeps a test, which changes nothing, as it is.
    fn keep_test(&mut self, pointer: &Pointer, expect: Expect) {
        let expect = match expect {
            Expect::Equal(_) => {
                // The test has passed: what is there is what it expects.
                let start = apply::LocatedNode::root(self.tree.roots()[self.all.root]);
                let found = apply::resolve(self.tree, start, pointer);
                let Some(found) = found else { return };
                Expect::Equal(self.snapshot(found.node))
            }
            expect => expect,
        };
        self.push(pointer.clone(), Edit::Test(expect));
    }

    fn json_op(&mut self, effect: &Effect) -> Result<(), Box<Diagnostic>> {
        let tree = self.tree;
        let mut tokens = Vec::new();
        for step in &effect.path {
            tokens.push(match step {
                Step::Index(index) => index.to_string(),
                Step::Key(key) => tree
                    .member_name(*key)
                    .ok_or_else(|| {
                        let path = tree.shown_path(&effect.path);
                        Diagnostic::error(format!("a JSON Patch has no name for {path}"))
                    })?
                    .into_owned(),
            });
        }
        let is_item = matches!(effect.path.last(), Some(Step::Index(_)));
        let edit = match (effect.before, effect.after) {
            (Some(_), Some(node)) => Edit::Replace(self.snapshot(node)),
            (None, Some(node)) => {
                if let (true, true, Some(last)) =
                    (effect.at_end, is_item, tokens.last_mut())
                {
                    "-".clone_into(last);
                }
                Edit::Add(Content::Written(self.snapshot(node)))
            }
            (_, None) => Edit::Remove,
        };
        self.push(Target::Json(JsonPointer { tokens }), edit);
        Ok(())
    }

    /// Adds the op of bosh for a change. If no path of bosh leads there, the collection
    /// around it is replaced, once for all changes in it by the op.
    fn bosh_op(&mut self, effect: &Effect, replaced: &mut HashSet<u32>) {
        let tree = self.tree;
        // Its way may lead to another one by now: the op has moved items.
        let around = tree.around(effect);
        if around.iter().any(|id| replaced.contains(id)) {
            return;
        }
        let mut tokens = Vec::new();
        let mut named = 0;
        for step in &effect.path {
            let Some(token) = bosh_token(tree, *step) else { break };
            tokens.push(token);
            named += 1;
        }
        // A key that stood twice is still there: its path would lead to the other entry.
        let is_left = effect.after.is_none()
            && match (tokens.last(), around.first()) {
                (Some(Token::Key(name)), Some(&id)) if named == effect.path.len() => {
                    tree.find_slot(NodeId::Opened(id), name).is_some()
                }
                _ => false,
            };
        if is_left {
            tokens.pop();
            named -= 1;
        }
        let inside = effect.path.len() - named;
        if inside > 0 {
            let Some(&id) = around.get(inside - 1) else { return };
            let edit = Edit::Replace(self.snapshot(NodeId::Opened(id)));
            self.push(pointer(tokens, named), edit);
            self.note(effect, &effect.path[..named]);
            replaced.insert(id);
            return;
        }
        let is_added = effect.before.is_none();
        let mut required = tokens.len();
        match tokens.last_mut() {
            Some(Token::Key(_)) if is_added => required -= 1,
            Some(token @ Token::Index(..)) if is_added && effect.at_end => {
                *token = Token::End;
            }
            Some(Token::Index(_, modifiers)) if is_added => {
                modifiers.push(Modifier::Before);
            }
            _ => {}
        }
        let edit = match effect.after {
            Some(node) => Edit::Replace(self.snapshot(node)),
            None => Edit::Remove,
        };
        self.push(pointer(tokens, required), edit);
    }
}

fn follows_aliases(op: &Op) -> bool {
    op.aliases == Some(Aliases::Follow)
}

/// Returns the error of an op that changes a document which the ops in a language are not for.
fn other_document(
    language: OpsLanguage,
    root: usize,
    op: &Op,
    effect: &Effect,
) -> Box<Diagnostic> {
    let language = match language {
        OpsLanguage::Bosh => "an ops-file of bosh",
        OpsLanguage::JsonPatch => "a JSON Patch",
    };
    let number = effect.root + 1;
    let own = root + 1;
    let message = format!(
        "this op changes document {number} of the stream, and {language} for document \
         {own} cannot"
    );
    Diagnostic::error(message).at(op.origin.map(|origin| origin.path))
}

/// Returns a pointer in which keys that need a `?` to be keys have it.
fn pointer(tokens: Vec<Token>, required: usize) -> Pointer {
    let marked = tokens.iter().position(Token::needs_mark).unwrap_or(tokens.len());
    Pointer { required: required.min(marked), tokens }
}

/// Returns the token for a step; `None` for a key that no path of bosh names.
fn bosh_token(tree: &Tree, step: Step) -> Option<Token> {
    let key = match step {
        Step::Index(index) => return Some(Token::Index(index.into(), Vec::new())),
        Step::Key(key) => key,
    };
    let text = tree.string(key)?;
    if let NodeId::Clean(file, i) = tree.follow(key) {
        let arena = tree.arena(file);
        let is_plain = arena.style(i) == Style::Plain && arena.tag(i).is_none();
        let in_go = Scalar::plain(&*text, Dialect::Go);
        if arena.has(i, flag::MERGE_KEY)
            || is_plain && !matches!(in_go, Scalar::String(_))
        {
            return None;
        }
    }
    (!text.contains('=')).then(|| Token::Key(text.into_owned()))
}

/// Returns true for an op that has only what bosh knows.
fn is_plain(op: &Op) -> bool {
    op.missing == Missing::Fails
        && op.only.is_empty()
        && op.aliases.is_none_or(|aliases| aliases == Aliases::Keep)
        && op.comments == NewComments::default()
}
