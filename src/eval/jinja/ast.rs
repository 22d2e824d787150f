//! The syntax tree of a template: statements and expressions.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::eval::python::{Comparison, Operator, Str, Value};

use super::lexer::At;

/// An expression with its position. `depth` is the height of its tree.
#[derive(Clone, Debug)]
pub(super) struct Expr {
    pub(super) kind: ExprKind,
    pub(super) at: At,
    pub(super) depth: u16,
    /// A number of its own in the template; 0 for one that is in no text.
    pub(super) number: usize,
}

#[derive(Clone, Debug)]
pub(super) enum ExprKind {
    Const(Value),
    Name(Arc<str>),
    List(Vec<Expr>),
    Tuple(Vec<Expr>),
    Dict(Vec<(Expr, Expr)>),
    Negative(Box<Expr>),
    Positive(Box<Expr>),
    Not(Box<Expr>),
    Binary(Operator, Box<[Expr; 2]>),
    Compare(Box<Expr>, Vec<(Relation, Expr)>),
    And(Box<[Expr; 2]>),
    Or(Box<[Expr; 2]>),
    Concat(Vec<Expr>),
    /// `then if test else otherwise`
    Condition(Box<[Expr; 2]>, Option<Box<Expr>>),
    Attribute(Box<Expr>, Arc<str>),
    Item(Box<[Expr; 2]>),
    /// `value[a:b:c]`
    Slice(Box<Expr>, [Option<Box<Expr>>; 3]),
    Call(Box<Expr>, CallArguments),
    /// A filter and its operand. The filter of a block has none.
    Filter(Option<Box<Expr>>, Arc<str>, CallArguments),
    Test(Box<Expr>, Arc<str>, CallArguments),
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Relation {
    Equal,
    Unequal,
    Order(Comparison),
    In,
    NotIn,
}

#[derive(Clone, Debug, Default)]
pub(super) struct CallArguments {
    pub(super) positional: Vec<Expr>,
    pub(super) keywords: Vec<(Str, Expr)>,
    /// `*args`
    pub(super) star: Option<Box<Expr>>,
    /// `**kwargs`
    pub(super) stars: Option<Box<Expr>>,
}

pub(super) type Statements = Vec<Statement>;

#[derive(Clone, Debug)]
pub(super) enum Statement {
    Text(Arc<str>),
    Print(Expr),
    If(Vec<(Expr, Statements)>, Statements),
    For(Box<For>),
    Set(Assignee, Expr),
    /// `{% set x | filter %}…{% endset %}`
    Capture(Assignee, Option<Expr>, Statements),
    Macro(MacroDeclaration),
    /// `{% call(x) f() %}…{% endcall %}`
    Call(Expr, MacroDeclaration),
    Filter(Expr, Statements),
    With(Vec<(Assignee, Expr)>, Statements),
    /// `{% autoescape on %}`: a scope in which some filters escape HTML.
    Autoescape(Expr, Statements),
    Block(Block),
    Extends(Expr),
    Include {
        name: Expr,
        missing: bool,
        context: bool,
    },
    Import {
        name: Expr,
        target: String,
        context: bool,
    },
    From {
        name: Expr,
        names: Vec<(String, String)>,
        context: bool,
    },
}

/// `{% block name %}`
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub(super) name: String,
    /// True if it sees the names that loops and other scopes around it set.
    pub(super) scoped: bool,
    pub(super) required: bool,
    pub(super) body: Statements,
}

#[derive(Clone, Debug)]
pub(super) struct For {
    pub(super) target: Assignee,
    pub(super) over: Expr,
    pub(super) filter: Option<Expr>,
    pub(super) recursive: bool,
    pub(super) body: Statements,
    pub(super) otherwise: Statements,
}

#[derive(Clone, Debug)]
pub(super) enum Assignee {
    Name(String),
    Tuple(Vec<Assignee>),
    Attribute(String, String),
}

#[derive(Clone, Debug)]
pub(super) struct MacroDeclaration {
    pub(super) name: String,
    pub(super) parameters: Vec<(String, Option<Expr>)>,
    pub(super) body: Statements,
}

impl Expr {
    /// Visits its operands in the order of evaluation.
    pub(super) fn each<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        match &self.kind {
            ExprKind::Const(_) | ExprKind::Name(_) => {}
            ExprKind::List(items) | ExprKind::Tuple(items) | ExprKind::Concat(items) => {
                items.iter().for_each(visit);
            }
            ExprKind::Dict(entries) => {
                for (key, value) in entries {
                    visit(key);
                    visit(value);
                }
            }
            ExprKind::Negative(x)
            | ExprKind::Positive(x)
            | ExprKind::Not(x)
            | ExprKind::Attribute(x, _) => visit(x),
            ExprKind::Binary(_, both)
            | ExprKind::And(both)
            | ExprKind::Or(both)
            | ExprKind::Item(both) => {
                both.iter().for_each(visit);
            }
            ExprKind::Compare(first, others) => {
                visit(first);
                others.iter().for_each(|(_, other)| visit(other));
            }
            ExprKind::Condition(both, otherwise) => {
                both.iter().for_each(&mut *visit);
                otherwise.iter().for_each(|x| visit(x));
            }
            ExprKind::Slice(value, bounds) => {
                visit(value);
                bounds.iter().flatten().for_each(|x| visit(x));
            }
            ExprKind::Call(value, given) | ExprKind::Test(value, _, given) => {
                visit(value);
                given.each(visit);
            }
            ExprKind::Filter(value, _, given) => {
                value.iter().for_each(|x| visit(x));
                given.each(visit);
            }
        }
    }
}

impl CallArguments {
    fn each<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        self.positional.iter().for_each(&mut *visit);
        self.keywords.iter().for_each(|(_, value)| visit(value));
        self.star.iter().chain(&self.stars).for_each(|x| visit(x));
    }
}

impl Statement {
    pub(super) fn bodies(&self) -> Vec<&Statements> {
        match self {
            Statement::If(branches, otherwise) => {
                branches.iter().map(|(_, body)| body).chain([otherwise]).collect()
            }
            Statement::For(each) => vec![&each.body, &each.otherwise],
            Statement::Macro(it) | Statement::Call(_, it) => vec![&it.body],
            Statement::Capture(_, _, body)
            | Statement::Filter(_, body)
            | Statement::With(_, body)
            | Statement::Autoescape(_, body)
            | Statement::Block(Block { body, .. }) => vec![body],
            _ => Vec::new(),
        }
    }

    /// Returns the expressions of a statement, without those of its bodies.
    pub(super) fn expressions(&self) -> Vec<&Expr> {
        match self {
            Statement::Print(expr)
            | Statement::Set(_, expr)
            | Statement::Filter(expr, _)
            | Statement::Autoescape(expr, _)
            | Statement::Extends(expr)
            | Statement::Include { name: expr, .. }
            | Statement::Import { name: expr, .. }
            | Statement::From { name: expr, .. } => vec![expr],
            Statement::If(branches, _) => branches.iter().map(|(test, _)| test).collect(),
            Statement::For(it) => [&it.over].into_iter().chain(&it.filter).collect(),
            Statement::Capture(_, filter, _) => filter.iter().collect(),
            Statement::Macro(declared) => declared.defaults().collect(),
            Statement::Call(call, declared) => {
                [call].into_iter().chain(declared.defaults()).collect()
            }
            Statement::With(values, _) => values.iter().map(|(_, value)| value).collect(),
            Statement::Text(_) | Statement::Block(_) => Vec::new(),
        }
    }
}

/// Returns all statements of a body and of the bodies in it.
pub(super) fn statements(body: &[Statement]) -> Vec<&Statement> {
    let mut all: Vec<&Statement> = body.iter().collect();
    let mut at = 0;
    while let Some(&statement) = all.get(at) {
        all.extend(statement.bodies().into_iter().flatten());
        at += 1;
    }
    all
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
pub(super) fn bind_target(target: &Assignee, bound: &mut BTreeSet<String>) {
    let mut todo = vec![target];
    while let Some(target) = todo.pop() {
        match target {
            Assignee::Name(name) | Assignee::Attribute(name, _) => {
                bound.insert(name.clone());
            }
            Assignee::Tuple(targets) => todo.extend(targets),
        }
    }
}

/// Returns true if an expression in statements has a name.
pub(super) fn mentions(body: &[Statement], name: &str) -> bool {
    let mut todo: Vec<&Expr> =
        statements(body).into_iter().flat_map(Statement::expressions).collect();
    while let Some(expr) = todo.pop() {
        if matches!(&expr.kind, ExprKind::Name(found) if &**found == name) {
            return true;
        }
        expr.each(&mut |inner| todo.push(inner));
    }
    false
}

impl MacroDeclaration {
    /// Returns the names of its parameters.
    pub(super) fn names(&self) -> impl Iterator<Item = String> {
        self.parameters.iter().map(|(name, _)| name.clone())
    }

    fn defaults(&self) -> impl Iterator<Item = &Expr> {
        self.parameters.iter().filter_map(|(_, default)| default.as_ref())
    }
}
