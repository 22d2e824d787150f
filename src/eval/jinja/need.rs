//! An expression → what it needs of the machine: names that the template sets, and calls
//! that only minijinja can make.

use std::sync::Arc;

use super::ast::{Expr, Kind};
use super::code::{INNER, inner, mangle};
use super::rewrite::Rewriter;
use super::token::At;

/// The longest conditions of a call.
const CONDITIONS: usize = 1 << 10;

/// What an expression needs of the machine: names, and calls with their places.
#[derive(Default)]
pub(super) struct Needs {
    pub(super) names: Vec<Arc<str>>,
    pub(super) captures: Vec<(At, String)>,
}

impl Rewriter<'_> {
    /// Which names and calls of the machine an expression needs. The machine makes a call
    /// only where the conditions in `unless` it hold.
    pub(super) fn needs(&mut self, expr: &Expr, unless: &str, needs: &mut Needs) {
        if let Some(call) = self.capture(expr) {
            let text = match unless {
                "" => call,
                conditions => format!("({call} if {conditions} else none)"),
            };
            needs.captures.push((expr.at, text));
            return;
        }
        match &expr.kind {
            Kind::Name(name) => {
                let passes = self.all
                    || INNER.contains(&&**name)
                    || name.starts_with("_jcall")
                    || self.bound.contains(&**name);
                if passes && !needs.names.contains(name) {
                    needs.names.push(name.clone());
                }
            }
            Kind::And(both) => {
                let [first, second] = &**both;
                self.needs(first, unless, needs);
                let more = self.condition(first, true, second, unless);
                self.needs(second, &more, needs);
            }
            Kind::Or(both) => {
                let [first, second] = &**both;
                self.needs(first, unless, needs);
                let more = self.condition(first, false, second, unless);
                self.needs(second, &more, needs);
            }
            Kind::Condition(both, otherwise) => {
                let [test, then] = &**both;
                self.needs(test, unless, needs);
                let more = self.condition(test, true, then, unless);
                self.needs(then, &more, needs);
                if let Some(otherwise) = otherwise {
                    let more = self.condition(test, false, otherwise, unless);
                    self.needs(otherwise, &more, needs);
                }
            }
            _ => {
                let mut inner = Vec::new();
                expr.each(&mut |expr| inner.push(expr));
                for expr in inner {
                    self.needs(expr, unless, needs);
                }
            }
        }
    }

    /// The conditions under which the machine makes the calls in an expression, which is
    /// evaluated only if `test` is what it should be.
    fn condition(&mut self, test: &Expr, be: bool, of: &Expr, unless: &str) -> String {
        // A condition is evaluated once more; what the machine calls is called once.
        let asks = self.calls(of) && !self.calls(test) && unless.len() < CONDITIONS;
        if !asks {
            return unless.to_owned();
        }
        let test = self.function("_jt", test.clone());
        let and = if unless.is_empty() { "" } else { " and " };
        let not = if be { "" } else { "not " };
        format!("{unless}{and}{not}{test}")
    }

    /// Whether there is a call that only the machine can make.
    pub(super) fn calls(&self, expr: &Expr) -> bool {
        let mut todo = vec![expr];
        while let Some(expr) = todo.pop() {
            if self.is_capture(expr) {
                return true;
            }
            expr.each(&mut |inner| todo.push(inner));
        }
        false
    }

    fn is_capture(&self, expr: &Expr) -> bool {
        let Kind::Call(callee, given) = &expr.kind else { return false };
        match (&callee.kind, given.positional.len()) {
            (Kind::Name(name), 0) => &**name == "super",
            (Kind::Attribute(of, _), 0) => {
                matches!(&of.kind, Kind::Name(name) if &**name == "self")
            }
            (Kind::Name(name), 1) => {
                &**name == "loop" && self.loops.last().is_some_and(Option::is_some)
            }
            _ => false,
        }
    }

    /// A call that only the machine can make, as minijinja writes it.
    pub(super) fn capture(&mut self, expr: &Expr) -> Option<String> {
        let Kind::Call(callee, given) = &expr.kind else { return None };
        match (&callee.kind, &given.positional[..]) {
            (Kind::Name(name), []) if &**name == "super" => Some("super()".into()),
            (Kind::Attribute(of, block), []) => match &of.kind {
                Kind::Name(name) if &**name == "self" => {
                    Some(format!("self.{}()", mangle(block)))
                }
                _ => None,
            },
            (Kind::Name(name), [over]) if &**name == "loop" => {
                let id = self.loops.last().copied().flatten()?;
                let items = self.items(id, over)?;
                Some(format!("loop({items})"))
            }
            _ => None,
        }
    }

    /// The items of a loop that goes over something new.
    fn items(&mut self, id: usize, over: &Arc<Expr>) -> Option<String> {
        let filter = self.code.loops.get(id)?.filter.clone();
        let over = self.function("_je", over.clone());
        let names = filter.iter().flat_map(|filter| &filter.names);
        let names: String = names.map(|name| format!(", {}", inner(name))).collect();
        Some(format!("_jr({id}, {over}{names})"))
    }
}
