//! The plan of a patch: what each op does to one document.

use crate::apply;
use crate::arena::{Style, flag};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::diff;
use crate::node::{Aliases, Effect, NodeId, Opened, Path, Step, Tree};
use crate::patch::{Content, Edit, Expect, Missing, NewComments, Op, Origin, Patch};
use crate::pointer::{JsonPointer, Modifier, Pointer, Token};
use crate::scalar::{Dialect, Scalar};
use crate::target::Target;

/// The language of the ops that a patch is resolved to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// An ops-file that bosh can run.
    Bosh,
    /// A JSON Patch.
    JsonPatch,
}

/// A patch as it works on one document.
#[derive(Debug)]
pub struct Plan {
    /// The ops, in the order they are applied.
    pub ops: Vec<PlannedOp>,
    /// The document after the last op, to which the values belong.
    pub document: Tree,
}

/// An op with its effects.
#[derive(Clone, Debug)]
pub struct PlannedOp {
    /// The number of the op in the patch.
    pub number: usize,
    /// The place it was written at.
    pub origin: Option<Origin>,
    /// `replace`, `import` …
    pub kind: &'static str,
    /// The place from which it takes its value.
    pub from: Option<String>,
    /// Its target.
    pub path: String,
    /// What it changes.
    pub matches: Vec<PlannedMatch>,
}

/// The change of one place.
#[derive(Clone, Debug)]
pub struct PlannedMatch {
    /// The place, as a pointer of bosh without matches.
    pub path: String,
    /// The value before; `None` if it was added.
    pub before: Option<NodeId>,
    /// The value after; `None` if it was removed.
    pub after: Option<NodeId>,
    /// The collections that were made on the way.
    pub created: Vec<String>,
}

impl Plan {
    /// Applies a patch to a copy of a document, and notes what each op does.
    ///
    /// # Errors
    /// As [`apply::apply`].
    pub fn new(patch: &Patch, document: &Tree, root: usize) -> Result<Plan, Diagnostics> {
        let (imports, rest) = split(patch);
        let (mut tree, mut values) = (document.clone(), Vec::new());
        let mut matches: Vec<Vec<PlannedMatch>> = Vec::new();
        if !imports.ops.is_empty() {
            apply::apply(&imports, &mut tree, root..root + 1)?;
            let imported = |op: &Op| imported(&tree, op, root, &mut values);
            matches.extend(imports.ops.iter().map(imported));
        }
        let first = matches.len();
        matches.resize(first + rest.ops.len(), Vec::new());
        apply::observe(
            &rest,
            &mut tree,
            root..root + 1,
            &mut |tree, number, effects| {
                let planned =
                    effects.into_iter().map(|it| planned(tree, it, &mut values));
                matches[first + number].extend(planned);
            },
        )?;
        let by = tree.append_opened(&values);
        for one in matches.iter_mut().flatten() {
            one.before = one.before.map(|node| node.shifted(by));
            one.after = one.after.map(|node| node.shifted(by));
        }
        let ops = imports.ops.iter().chain(&rest.ops).zip(matches).enumerate();
        let ops = ops.filter(|(_, (op, _))| op.edit != Edit::RemoveWhiteouts);
        let ops = ops.map(|(number, (op, matches))| PlannedOp {
            number,
            origin: op.origin,
            kind: kind(op),
            from: source(op).map(Target::spell),
            path: op.at.spell(),
            matches,
        });
        Ok(Plan { ops: ops.collect(), document: tree })
    }
}

/// Splits a patch into the imports of directives and all other ops.
fn split(patch: &Patch) -> (Patch, Patch) {
    let (merges, ops): (Vec<Op>, Vec<Op>) =
        patch.ops.iter().cloned().partition(|op| op.edit.merges());
    (Patch { ops: merges, ..patch.clone() }, Patch { ops, ..patch.clone() })
}

/// Returns the place from which an op takes its value.
fn source(op: &Op) -> Option<&Target> {
    match &op.edit {
        Edit::Add(content) | Edit::Combine(content, _) => match content {
            Content::Copied(from) | Content::Moved(from) => Some(from),
            Content::Written(_) => None,
        },
        _ => None,
    }
}

/// Returns the name of an op.
fn kind(op: &Op) -> &'static str {
    match &op.edit {
        Edit::Test(_) => "test",
        Edit::Replace(_) | Edit::Keep => "replace",
        Edit::Remove => "remove",
        Edit::Add(Content::Written(_)) => "insert",
        Edit::Add(Content::Copied(_)) => "copy",
        Edit::Add(Content::Moved(_)) => "move",
        Edit::Combine(..) => "merge",
        Edit::Merge(_) | Edit::RemoveWhiteouts => "import",
    }
}

/// Returns the place of a mapping after its directives were applied.
fn imported(
    tree: &Tree,
    op: &Op,
    root: usize,
    values: &mut Vec<Opened>,
) -> Vec<PlannedMatch> {
    let Target::Pointer(pointer) = &op.at else { return Vec::new() };
    let start = apply::Located::root(tree.roots()[root]);
    let found = apply::resolve(tree, start, pointer).filter(|_| op.edit.merges());
    let imported = found.map(|found| PlannedMatch {
        path: shown(tree, &found.path),
        before: None,
        after: Some(tree.snapshot(found.node, values)),
        created: Vec::new(),
    });
    imported.into_iter().collect()
}

fn planned(tree: &Tree, effect: Effect, values: &mut Vec<Opened>) -> PlannedMatch {
    let [before, after] = [effect.before, effect.after]
        .map(|node| node.map(|node| tree.snapshot(node, values)));
    let path = shown(tree, &effect.path);
    // Each way leads to what was put into the one before.
    let mut created: Vec<String> =
        effect.inside.iter().map(|path| shown(tree, path)).collect();
    let is_chain = created.iter().all(|inner| inner.starts_with(&path));
    let Some(last) = created.pop().filter(|_| is_chain) else {
        return PlannedMatch { path, before, after, created: Vec::new() };
    };
    created.insert(0, path);
    let after = effect.inside.last().and_then(|way| node_at(tree, effect.root, way));
    let after = after.map(|node| tree.snapshot(node, values));
    PlannedMatch { path: last, before, after, created }
}

/// Returns the node to which steps lead from a root.
fn node_at(tree: &Tree, root: usize, path: &[Step]) -> Option<NodeId> {
    path.iter().try_fold(tree.roots()[root], |node, step| match step {
        Step::Index(index) => tree.items(node).get(*index as usize).copied(),
        Step::Key(key) => {
            let same = |pair: &(NodeId, NodeId)| tree.is_same_key(pair.0, *key);
            tree.pairs(node).into_iter().find(same).map(|(_, value)| value)
        }
    })
}

/// Returns a way as a path that people read.
fn shown(tree: &Tree, path: &[Step]) -> String {
    let tokens = path.iter().map(|step| match step {
        Step::Index(index) => index.to_string(),
        Step::Key(key) => {
            Token::Key(tree.member_name(*key).unwrap_or_default().into()).to_string()
        }
    });
    tokens.map(|token| format!("/{token}")).collect()
}

/// Returns a patch that does the same to one document with ops of a language, one for each
/// change. Directives are resolved to their results; what `((name))` stands for is not.
///
/// # Errors
/// The patch fails, or a change has no spelling in the language: a JSON Patch names no key
/// that is a collection.
pub fn resolved(
    patch: &Patch,
    document: &Tree,
    root: usize,
    language: Language,
) -> Result<Patch, Diagnostics> {
    let (imports, ops) = split(patch);
    let (mut tree, mut result) = (document.clone(), Patch::default());
    let own = |changes: Patch, before: &Tree| match language {
        Language::Bosh => Ok(changes),
        Language::JsonPatch => resolved(&changes, before, root, language),
    };
    if !imports.ops.is_empty() {
        apply::apply(&imports, &mut tree, root..root + 1)?;
        result = own(diff::diff_at(document, &tree, root)?, document)?;
    }
    let follows = |op: &Op| op.aliases == Some(Aliases::Follow);
    for some in ops.ops.chunk_by(|one, next| !follows(one) && !follows(next)) {
        let some = Patch { ops: some.to_vec(), ..ops.clone() };
        if some.ops.iter().any(follows) {
            // Aliases change with their anchor, and bosh knows neither.
            let before = tree.clone();
            apply::apply(&some, &mut tree, root..root + 1)?;
            result.extend(own(diff::diff_at(&before, &tree, root)?, &before)?);
        } else {
            result.extend(resolve(&some, &mut tree, root, language)?);
        }
    }
    Ok(result)
}

/// Applies ops to a tree. Returns ops of a language that do the same.
fn resolve(
    patch: &Patch,
    tree: &mut Tree,
    root: usize,
    language: Language,
) -> Result<Patch, Diagnostics> {
    let mut resolver = Resolver { language, root, ops: Vec::new(), values: Vec::new() };
    let mut errors = Vec::new();
    apply::observe(patch, tree, root..root + 1, &mut |tree, number, effects| {
        let op = &patch.ops[number];
        errors.extend(resolver.add(tree, op, effects).err().map(|error| *error));
    })?;
    if !errors.is_empty() {
        return Err(Diagnostics(errors));
    }
    let arenas = tree.arenas().cloned().collect();
    let Resolver { ops, values: opened, .. } = resolver;
    Ok(Patch { ops, arenas, opened, limit: None })
}

struct Resolver {
    language: Language,
    root: usize,
    ops: Vec<Op>,
    values: Vec<Opened>,
}

impl Resolver {
    fn add(
        &mut self,
        tree: &Tree,
        op: &Op,
        effects: Vec<Effect>,
    ) -> Result<(), Box<Diagnostic>> {
        if let (Language::Bosh, Edit::Test(expect), Target::Pointer(_)) =
            (self.language, &op.edit, &op.at)
            && is_plain(op)
        {
            return self.keep_test(tree, op, *expect);
        }
        let mut replaced: Vec<Path> = Vec::new();
        for effect in &effects {
            let known = |path: &Path| effect.path.starts_with(path);
            if replaced.iter().any(known) {
                continue;
            }
            match self.language {
                Language::JsonPatch => self.json_op(tree, op, effect)?,
                Language::Bosh => replaced.extend(self.bosh_op(tree, op, effect)),
            }
        }
        Ok(())
    }

    /// Keeps a test, which changes nothing, as it is.
    fn keep_test(
        &mut self,
        tree: &Tree,
        op: &Op,
        expect: Expect,
    ) -> Result<(), Box<Diagnostic>> {
        let Target::Pointer(pointer) = &op.at else { return Ok(()) };
        let expect = match expect {
            Expect::Equal(_) => {
                // The test has passed: what is there is what it expects.
                let start = apply::Located::root(tree.roots()[self.root]);
                let found = apply::resolve(tree, start, pointer);
                let Some(found) = found else { return Ok(()) };
                Expect::Equal(tree.snapshot(found.node, &mut self.values))
            }
            expect => expect,
        };
        self.ops.push(Op::new(pointer.clone(), Edit::Test(expect), op.origin));
        Ok(())
    }

    fn json_op(
        &mut self,
        tree: &Tree,
        op: &Op,
        effect: &Effect,
    ) -> Result<(), Box<Diagnostic>> {
        let mut tokens = Vec::new();
        for step in &effect.path {
            tokens.push(match step {
                Step::Index(index) => index.to_string(),
                Step::Key(key) => tree
                    .member_name(*key)
                    .ok_or_else(|| {
                        let path = shown(tree, &effect.path);
                        Diagnostic::error(format!("a JSON Patch has no name for {path}"))
                    })?
                    .into_owned(),
            });
        }
        let is_item = matches!(effect.path.last(), Some(Step::Index(_)));
        let edit = match (effect.before, effect.after) {
            (Some(_), Some(node)) => Edit::Replace(tree.snapshot(node, &mut self.values)),
            (None, Some(node)) => {
                if let (true, true, Some(last)) =
                    (effect.at_end, is_item, tokens.last_mut())
                {
                    "-".clone_into(last);
                }
                Edit::Add(Content::Written(tree.snapshot(node, &mut self.values)))
            }
            (_, None) => Edit::Remove,
        };
        self.ops.push(Op::new(Target::Json(JsonPointer { tokens }), edit, op.origin));
        Ok(())
    }

    /// Adds the op of bosh for a change. If no path of bosh leads there, the collection
    /// around it is replaced: returns the way to that.
    fn bosh_op(&mut self, tree: &Tree, op: &Op, effect: &Effect) -> Option<Path> {
        let (mut tokens, mut named) = (Vec::new(), 0);
        for step in &effect.path {
            let Some(token) = bosh_token(tree, *step) else { break };
            tokens.push(token);
            named += 1;
        }
        if named < effect.path.len() {
            let around = effect.path[..named].to_vec();
            let node = node_at(tree, effect.root, &around)?;
            let edit = Edit::Replace(tree.snapshot(node, &mut self.values));
            self.ops.push(Op::new(pointer(tokens, named), edit, op.origin));
            return Some(around);
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
            Some(node) => Edit::Replace(tree.snapshot(node, &mut self.values)),
            None => Edit::Remove,
        };
        self.ops.push(Op::new(pointer(tokens, required), edit, op.origin));
        None
    }
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
