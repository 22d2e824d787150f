//! What a template says: expressions and statements.

use std::sync::Arc;

use crate::python::{Comparison, Operator, Value};

use super::token::At;

/// An expression, where it begins and how deep it nests.
#[derive(Debug)]
pub(super) struct Expr {
    pub(super) kind: Kind,
    pub(super) at: At,
    pub(super) depth: u16,
}

#[derive(Debug)]
pub(super) enum Kind {
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
    Call(Box<Expr>, Given),
    /// A filter; of what comes before it, unless a block is filtered.
    Filter(Option<Box<Expr>>, Arc<str>, Given),
    Test(Box<Expr>, Arc<str>, Given),
    /// What minijinja worked out before: `super()`, `self.block()`, `loop(x)`.
    Captured(Box<Capture>),
}

/// A call that only minijinja's machine can make.
#[derive(Debug)]
pub(super) enum Capture {
    Super,
    Block(String),
    Loop(Expr),
}

/// How two values may stand to each other.
#[derive(Clone, Copy, Debug)]
pub(super) enum Relation {
    Equal,
    Unequal,
    Order(Comparison),
    In,
    NotIn,
}

/// The arguments of a call.
#[derive(Debug, Default)]
pub(super) struct Given {
    pub(super) positional: Vec<Expr>,
    pub(super) keywords: Vec<(Arc<str>, Expr)>,
    /// `*args`
    pub(super) star: Option<Box<Expr>>,
    /// `**kwargs`
    pub(super) stars: Option<Box<Expr>>,
}

pub(super) type Body = Vec<Statement>;

#[derive(Debug)]
pub(super) enum Statement {
    Text(Arc<str>),
    Print(Expr),
    If(Vec<(Expr, Body)>, Body),
    For(Box<For>),
    Set(Target, Expr),
    /// `{% set x | filter %}…{% endset %}`
    Capture(Target, Option<Expr>, Body),
    Macro(Macro),
    /// `{% call(x) f() %}…{% endcall %}`
    Call(Expr, Macro),
    Filter(Expr, Body),
    With(Vec<(Target, Expr)>, Body),
    /// What opens a scope and does nothing else.
    Scope(Body),
    Block(String, bool, Body),
    Extends(Expr),
    Include { name: Expr, missing: bool, context: bool },
    Import { name: Expr, target: String, context: bool },
    From { name: Expr, names: Vec<(String, String)>, context: bool },
}

#[derive(Debug)]
pub(super) struct For {
    pub(super) target: Target,
    pub(super) over: Expr,
    pub(super) filter: Option<Expr>,
    pub(super) recursive: bool,
    pub(super) body: Body,
    pub(super) otherwise: Body,
}

/// What is assigned to.
#[derive(Clone, Debug)]
pub(super) enum Target {
    Name(String),
    Tuple(Vec<Target>),
    Attribute(String, String),
}

#[derive(Debug)]
pub(super) struct Macro {
    pub(super) name: String,
    pub(super) parameters: Vec<(String, Option<Expr>)>,
    pub(super) body: Body,
}

impl Target {
    /// The names that it sets.
    pub(super) fn names<'t>(&'t self, names: &mut Vec<&'t str>) {
        match self {
            Target::Name(name) => names.push(name),
            Target::Tuple(targets) => targets.iter().for_each(|target| target.names(names)),
            Target::Attribute(..) => {}
        }
    }
}

impl Expr {
    /// The expressions right below it.
    pub(super) fn each<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        match &self.kind {
            Kind::Const(_) | Kind::Name(_) => {}
            Kind::List(items) | Kind::Tuple(items) | Kind::Concat(items) => {
                items.iter().for_each(visit);
            }
            Kind::Dict(entries) => {
                for (key, value) in entries {
                    visit(key);
                    visit(value);
                }
            }
            Kind::Negative(x) | Kind::Positive(x) | Kind::Not(x) | Kind::Attribute(x, _) => visit(x),
            Kind::Binary(_, both) | Kind::And(both) | Kind::Or(both) | Kind::Item(both) => {
                both.iter().for_each(visit);
            }
            Kind::Compare(first, others) => {
                visit(first);
                others.iter().for_each(|(_, other)| visit(other));
            }
            Kind::Condition(both, otherwise) => {
                both.iter().for_each(&mut *visit);
                otherwise.iter().for_each(|x| visit(x));
            }
            Kind::Slice(value, bounds) => {
                visit(value);
                bounds.iter().flatten().for_each(|x| visit(x));
            }
            Kind::Call(value, given) | Kind::Test(value, _, given) => {
                visit(value);
                given.each(visit);
            }
            Kind::Filter(value, _, given) => {
                value.iter().for_each(|x| visit(x));
                given.each(visit);
            }
            Kind::Captured(capture) => {
                if let Capture::Loop(x) = &**capture {
                    visit(x);
                }
            }
        }
    }
}

impl Given {
    pub(super) fn each<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        self.positional.iter().for_each(&mut *visit);
        self.keywords.iter().for_each(|(_, value)| visit(value));
        self.star.iter().chain(&self.stars).for_each(|x| visit(x));
    }
}
