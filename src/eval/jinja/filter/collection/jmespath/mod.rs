//! JMESPath: an expression and a value come in, what the expression finds there goes out.

mod evaluate;
mod function;
mod lexer;
mod parse;

use crate::eval::jinja::filter::parameter::string;
use crate::eval::jinja::{CallSite, Plugin, PluginTable};
use crate::eval::python::{Bound, Class, Exception, Result, Signature, Value};
use crate::eval::walk::Walk;

pub(super) const FILTERS: PluginTable = &[Plugin::new(
    "community.general.json_query",
    Signature::new("json_query", &["data", "expr"], &[]),
    json_query,
)];

fn json_query(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([data, query], []) = arguments.split();
    let query = string(&query, "a JMESPath expression is a string,")?;
    let walk = Walk::new(&call.scope.context);
    let found = parse::parse(query).and_then(|found| found.search(&data, &walk));
    found.map_err(|mut error| {
        let kind = match error.class {
            Class::Limit | Class::Recursion => return error,
            Class::Syntax => "JMESPathError",
            _ => "Error in jmespath.search",
        };
        // What is wrong with the query is no error of the template around it.
        error.class = Class::Value;
        error.message = format!("{kind} in json_query filter plugin:\n{}", error.message);
        error
    })
}

/// What an expression is made of.
#[derive(Debug)]
enum Expression {
    /// `@`
    Current,
    /// `name`
    Field(String),
    /// `` `1` ``
    Literal(Value),
    /// `a.b`, `a | b`, `a[0]`
    Then(Box<Expression>, Box<Expression>),
    /// `[0]`
    Index(i64),
    /// `[0:2:1]`
    Slice([Option<i64>; 3]),
    /// The first, and of each of its members the second.
    Each(Members, Box<Expression>, Box<Expression>),
    /// `a[?b]`: the first, and of each of its members for which the last holds the second.
    Filter(Box<Expression>, Box<Expression>, Box<Expression>),
    /// `a[]`
    Flatten(Box<Expression>),
    /// `a || b`
    Or(Box<Expression>, Box<Expression>),
    /// `a && b`
    And(Box<Expression>, Box<Expression>),
    /// `!a`
    Not(Box<Expression>),
    /// `a < b`
    Compare(&'static str, Box<Expression>, Box<Expression>),
    /// `[a, b]`
    List(Vec<Expression>),
    /// `{a: b}`
    Dict(Vec<(String, Expression)>),
    /// `name(a)`
    Call(String, Vec<Expression>),
    /// `&a`
    Reference(Box<Expression>),
}

/// What the members of a value are.
#[derive(Clone, Copy, Debug)]
enum Members {
    /// Of a list.
    Items,
    /// Of an object.
    Values,
}

/// What is wrong with an expression at a character.
fn wrong(query: &str, at: usize, what: &str) -> Box<Exception> {
    let column = query.get(..at).map_or(0, |before| before.chars().count()) + 1;
    let message =
        format!("Invalid jmespath expression: {what} at column {column} of: {query}");
    Exception::new(Class::Syntax, message)
}
