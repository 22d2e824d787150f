//! The names that a scope of a template sets, as Jinja finds them before it runs. A scope
//! that sets a name and does not read it before hides the variable of that name, also from
//! the scopes in it, and until the name is set it is undefined.

use std::collections::{BTreeMap, BTreeSet};

use super::ast::{Assignee, Expr, ExprKind, Statement};

/// The value of a name where a scope begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NameStart {
    /// The value of the variable.
    Variable,
    /// None: the scope sets it later.
    Unset,
}

/// The names of a scope.
#[derive(Debug, Default)]
pub(super) struct ScopeNames {
    starts: BTreeMap<String, NameStart>,
    /// The names that statements of the scope set.
    stores: BTreeSet<String>,
}

/// Returns true if a name has no value until a scope sets it. The last scope is the inner
/// one.
pub(super) fn is_hidden(scopes: &[ScopeNames], name: &str) -> bool {
    start_in(scopes, name) == Some(NameStart::Unset)
}

fn start_in(scopes: &[ScopeNames], name: &str) -> Option<NameStart> {
    scopes.iter().rev().find_map(|scope| scope.starts.get(name).copied())
}

impl ScopeNames {
    /// Finds the names of a scope in others. It begins with values for `given` ones.
    pub(super) fn of(
        body: &[Statement],
        outer: &[ScopeNames],
        given: &BTreeSet<String>,
    ) -> ScopeNames {
        let starts = given.iter().map(|name| (name.clone(), NameStart::Variable));
        let own = ScopeNames { starts: starts.collect(), stores: given.clone() };
        let mut search = NameSearch { outer, layers: vec![own] };
        search.body(body);
        search.layers.pop().unwrap_or_default()
    }
}

struct NameSearch<'s> {
    outer: &'s [ScopeNames],
    /// The names of the scope, then those that each open branch adds.
    layers: Vec<ScopeNames>,
}

impl NameSearch<'_> {
    fn body(&mut self, body: &[Statement]) {
        for statement in body {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::If(branches, otherwise) => {
                let mut found = Vec::with_capacity(branches.len() + 1);
                for (test, body) in branches {
                    found.push(self.branch(|search| {
                        search.load(test);
                        search.body(body);
                    }));
                }
                found.push(self.branch(|search| search.body(otherwise)));
                self.join(found);
            }
            Statement::For(each) => self.load(&each.over),
            Statement::Set(target, expr) => {
                self.load(expr);
                self.store(target);
            }
            Statement::Capture(target, ..) => self.store(target),
            Statement::Macro(declared) => self.store_name(&declared.name),
            Statement::Call(call, _) => self.load(call),
            // Jinja evaluates the argument within the scope.
            Statement::Autoescape(..) => {}
            Statement::Import { name, target, .. } => {
                self.load(name);
                self.store_name(target);
            }
            Statement::From { name, names, .. } => {
                self.load(name);
                for (_, alias) in names {
                    self.store_name(alias);
                }
            }
            other => other.expressions().into_iter().for_each(|expr| self.load(expr)),
        }
    }

    /// Returns the names that a branch adds.
    fn branch(&mut self, search: impl FnOnce(&mut Self)) -> ScopeNames {
        self.layers.push(ScopeNames::default());
        search(self);
        self.layers.pop().unwrap_or_default()
    }

    /// Adds the names of the branches of a condition. One that is set in a branch only
    /// begins with its outer value.
    fn join(&mut self, branches: Vec<ScopeNames>) {
        let mut partly = BTreeMap::new();
        for name in branches.iter().flat_map(|branch| &branch.stores) {
            if !self.layers.iter().any(|layer| layer.stores.contains(name)) {
                let outer = start_in(self.outer, name).unwrap_or(NameStart::Variable);
                partly.insert(name.clone(), outer);
            }
        }
        let Some(here) = self.layers.last_mut() else { return };
        for branch in branches {
            here.starts.extend(branch.starts);
            here.stores.extend(branch.stores);
        }
        here.starts.extend(partly);
    }

    /// Adds the names that an expression reads.
    fn load(&mut self, expr: &Expr) {
        let mut todo = vec![expr];
        while let Some(expr) = todo.pop() {
            if let ExprKind::Name(name) = &expr.kind {
                self.load_name(name);
            }
            expr.each(&mut |inner| todo.push(inner));
        }
    }

    fn load_name(&mut self, name: &str) {
        if !self.is_known(name) && start_in(self.outer, name).is_none() {
            self.begin(name, NameStart::Variable);
        }
    }

    fn store(&mut self, target: &Assignee) {
        let mut todo = vec![target];
        while let Some(target) = todo.pop() {
            match target {
                Assignee::Name(name) => self.store_name(name),
                Assignee::Tuple(targets) => todo.extend(targets),
                // The namespace itself is read.
                Assignee::Attribute(name, _) => self.load_name(name),
            }
        }
    }

    fn store_name(&mut self, name: &str) {
        if !self.is_known(name) {
            let outer = start_in(self.outer, name);
            self.begin(name, outer.unwrap_or(NameStart::Unset));
        }
        if let Some(here) = self.layers.last_mut() {
            here.stores.insert(name.to_owned());
        }
    }

    fn is_known(&self, name: &str) -> bool {
        self.layers.iter().any(|layer| layer.starts.contains_key(name))
    }

    fn begin(&mut self, name: &str, start: NameStart) {
        if let Some(here) = self.layers.last_mut() {
            here.starts.insert(name.to_owned(), start);
        }
    }
}
