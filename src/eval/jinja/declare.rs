//! Macros and the blocks that call them → macros of minijinja with one argument.

use std::sync::Arc;

use super::ast::{Expr, Kind, Macro};
use super::code::{Signature, visit};
use super::rewrite::{Rewriter, number};

impl Rewriter<'_> {
    /// A macro takes all of its arguments as one, and sets its own names from that.
    pub(super) fn declare(&mut self, name: &str, declared: Macro) {
        let uses = |wanted: &str| {
            let mut found = false;
            visit(&declared.body, &mut |expr| {
                found |= matches!(&expr.kind, Kind::Name(name) if &**name == wanted);
            });
            found && !declared.parameters.iter().any(|(name, _)| name == wanted)
        };
        let signature = Signature {
            name: declared.name.clone(),
            parameters: declared
                .parameters
                .iter()
                .map(|(name, _)| name.clone())
                .collect(),
            varargs: uses("varargs"),
            kwargs: uses("kwargs"),
            caller: uses("caller"),
        };
        let extra = [
            ("varargs", signature.varargs),
            ("kwargs", signature.kwargs),
            ("caller", signature.caller),
        ];
        let id = number(&mut self.code.macros, Arc::new(signature));
        self.push(&format!("{{% macro {name}(_jp) %}}"));
        let loops = std::mem::take(&mut self.loops);
        let extra = extra.into_iter().filter(|(_, used)| *used);
        let extra = extra.map(|(name, _)| (name.to_owned(), None));
        for (at, (parameter, default)) in
            declared.parameters.into_iter().chain(extra).enumerate()
        {
            let (default, arguments) = match default {
                Some(default) => {
                    let (compiled, arguments) = self.compile(default);
                    (number(&mut self.code.expressions, compiled) + 1, arguments)
                }
                None => (0, String::new()),
            };
            let parameter = self.seen(&parameter);
            self.push(&format!(
                "{{% set {parameter} = _ja({default}, {at}, {id}, _jp{arguments}) %}}"
            ));
        }
        self.body(declared.body);
        self.loops = loops;
        self.push(&format!("{{% endmacro %}}{{% set {name} = _jm({id}, {name}) %}}"));
    }

    pub(super) fn call(&mut self, mut call: Expr, caller: Macro) {
        let name = format!("_jcall{}", self.calls);
        self.calls += 1;
        self.declare(&name, caller);
        if let Kind::Call(_, given) = &mut call.kind {
            let kind = Kind::Name(name.as_str().into());
            let value = Expr { kind, at: call.at, depth: 1 };
            given.keywords.push(("caller".into(), value));
        }
        let text = self.value(call);
        self.push(&format!("{{{{ {text} }}}}"));
    }
}
