//! What a rewritten template refers to, and the names it may use.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::Arc;

use super::ast::{Body, Expr, Macro, Statement, Target};
use super::token::At;

/// What a rewritten template refers to by number.
#[derive(Debug, Default)]
pub(super) struct Code {
    pub(super) expressions: Vec<Arc<Compiled>>,
    pub(super) texts: Vec<Arc<str>>,
    pub(super) loops: Vec<Arc<Loop>>,
    pub(super) targets: Vec<Arc<Target>>,
    pub(super) macros: Vec<Arc<Signature>>,
}

/// An expression, the names that the machine tells it about, and the calls that it makes
/// for it.
#[derive(Debug)]
pub(super) struct Compiled {
    pub(super) expr: Arc<Expr>,
    pub(super) names: Vec<Arc<str>>,
    pub(super) captured: Vec<At>,
    pub(super) isolated: bool,
    /// The file it stands in, if the template is included.
    pub(super) file: Option<Arc<str>>,
}

/// A loop: what each item is given to, and whether it counts.
#[derive(Debug)]
pub(super) struct Loop {
    pub(super) target: Target,
    pub(super) filter: Option<Arc<Compiled>>,
    /// Each item comes with whether it is one; without any there is one that is none.
    pub(super) or_else: bool,
}

/// What a macro takes.
#[derive(Debug)]
pub(super) struct Signature {
    pub(super) name: String,
    pub(super) parameters: Vec<String>,
    pub(super) varargs: bool,
    pub(super) kwargs: bool,
    pub(super) caller: bool,
}

/// Names that stand for what they say inside of every template.
pub(super) const INNER: [&str; 4] = ["loop", "caller", "varargs", "kwargs"];

/// A name as minijinja can read it.
pub(super) fn mangle(name: &str) -> String {
    let reserved =
        ["if", "else", "is", "in", "not", "and", "or", "self", "super", "loop"];
    if name.is_ascii() && !reserved.contains(&name) && !name.starts_with("_j") {
        return name.to_owned();
    }
    name.bytes().fold("_jn".to_owned(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// A name that may be one of those every template has.
pub(super) fn inner(name: &str) -> String {
    if INNER.contains(&name) || name.starts_with("_jcall") {
        name.to_owned()
    } else {
        mangle(name)
    }
}

/// The names that statements set.
pub(super) fn bind(body: &Body, bound: &mut BTreeSet<String>) {
    let target = |target: &Target, bound: &mut BTreeSet<String>| {
        let mut names = Vec::new();
        target.names(&mut names);
        bound.extend(names.into_iter().map(str::to_owned));
        if let Target::Attribute(namespace, _) = target {
            bound.insert(namespace.clone());
        }
    };
    let declared = |declared: &Macro, bound: &mut BTreeSet<String>| {
        bound.extend(declared.parameters.iter().map(|(name, _)| name.clone()));
    };
    for statement in body {
        match statement {
            Statement::Set(set, _) => target(set, bound),
            Statement::Capture(set, _, _) => target(set, bound),
            Statement::For(each) => target(&each.target, bound),
            Statement::Macro(one) => {
                bound.insert(one.name.clone());
                declared(one, bound);
            }
            Statement::Call(_, one) => declared(one, bound),
            Statement::With(values, _) => {
                values.iter().for_each(|(set, _)| target(set, bound));
            }
            Statement::Import { target, .. } => drop(bound.insert(target.clone())),
            Statement::From { names, .. } => {
                bound.extend(names.iter().map(|(_, alias)| alias.clone()));
            }
            _ => {}
        }
        for inner in statement.bodies() {
            bind(inner, bound);
        }
    }
}

/// Goes through all expressions of statements.
pub(super) fn visit(body: &Body, see: &mut dyn FnMut(&Expr)) {
    let mut todo: Vec<&Expr> = Vec::new();
    for statement in body {
        todo.extend(statement.expressions());
        while let Some(expr) = todo.pop() {
            see(expr);
            expr.each(&mut |inner| todo.push(inner));
        }
        for inner in statement.bodies() {
            visit(inner, see);
        }
    }
}
