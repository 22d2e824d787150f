//! The tables of rewritten templates, and the names that they use.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::Arc;

use super::ast::{Expr, Statement, Target, statements};

/// The tables that rewritten templates refer to by number.
#[derive(Debug, Default)]
pub(super) struct Code {
    pub(super) expressions: Vec<Arc<Compiled>>,
    pub(super) texts: Vec<Arc<str>>,
    pub(super) loops: Vec<Arc<LoopCode>>,
    pub(super) targets: Vec<Arc<Target>>,
    pub(super) macros: Vec<Arc<Signature>>,
}

/// An expression and the names whose values the machine passes to it.
#[derive(Debug)]
pub(super) struct Compiled {
    pub(super) expr: Expr,
    pub(super) names: Vec<Arc<str>>,
    /// The numbers of the operands that the machine evaluates, and passes behind the names.
    pub(super) handed: Vec<usize>,
    pub(super) origin: Origin,
}

#[derive(Clone, Debug)]
pub(super) enum Origin {
    /// A text of the document.
    Document,
    /// A file that is included. Unless isolated, it sees the names of what includes it.
    File { name: Arc<str>, isolated: bool },
}

impl Origin {
    /// Returns true if variables are hidden from the template.
    pub(super) fn is_isolated(&self) -> bool {
        matches!(self, Origin::File { isolated: true, .. })
    }

    /// Returns true if the template sees the names that another one sets.
    pub(super) fn sees_all(&self) -> bool {
        matches!(self, Origin::File { isolated: false, .. })
    }

    pub(super) fn file(&self) -> Option<&Arc<str>> {
        match self {
            Origin::Document => None,
            Origin::File { name, .. } => Some(name),
        }
    }
}

#[derive(Debug)]
pub(super) struct LoopCode {
    pub(super) target: Target,
    pub(super) filter: Option<Arc<Compiled>>,
    /// Each item comes with true; a loop without items gets one that comes with false.
    pub(super) marks_empty: bool,
}

#[derive(Debug)]
pub(super) struct Signature {
    pub(super) name: String,
    pub(super) parameters: Vec<String>,
    pub(super) varargs: bool,
    pub(super) kwargs: bool,
    pub(super) caller: bool,
}

/// Names that may be set by the machine in every template.
pub(super) const INNER: [&str; 4] = ["loop", "caller", "varargs", "kwargs"];

/// The name that is true within `{% autoescape true %}`.
pub(super) const ESCAPES: &str = "_jescapes";

/// Encodes a name as an identifier of minijinja: ASCII, not reserved, and not one of the
/// names beginning with `_j` that the rewriter uses itself.
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

/// Adds the names that statements set.
pub(super) fn bind(body: &[Statement], bound: &mut BTreeSet<String>) {
    for statement in statements(body) {
        match statement {
            Statement::Set(target, _) | Statement::Capture(target, _, _) => {
                bind_target(target, bound);
            }
            Statement::For(each) => bind_target(&each.target, bound),
            Statement::Macro(declared) => {
                bound.extend(declared.names().chain([declared.name.clone()]));
            }
            Statement::Call(_, caller) => bound.extend(caller.names()),
            Statement::With(values, _) => {
                values.iter().for_each(|(target, _)| bind_target(target, bound));
            }
            Statement::Import { target, .. } => drop(bound.insert(target.clone())),
            Statement::From { names, .. } => {
                bound.extend(names.iter().map(|(_, alias)| alias.clone()));
            }
            _ => {}
        }
    }
}

/// Adds the names that an assignment sets or uses.
pub(super) fn bind_target(target: &Target, bound: &mut BTreeSet<String>) {
    let mut todo = vec![target];
    while let Some(target) = todo.pop() {
        match target {
            Target::Name(name) | Target::Attribute(name, _) => {
                bound.insert(name.clone());
            }
            Target::Tuple(targets) => todo.extend(targets),
        }
    }
}
