//! Statements → a template that minijinja can run: it decides which statement comes next
//! and what names are in sight; every expression and every text is a number in a table.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::Arc;

use super::ast::{Body, Expr, For, Kind, Statement, Target};
use super::code::{Code, Compiled, Loop, bind, inner, mangle};
use super::need::Needs;

/// Where a template comes from.
pub(super) enum From {
    /// It is a text of the document.
    Document,
    /// It is included, and sees the names of the one that includes it unless it is isolated.
    File { name: Arc<str>, isolated: bool },
}

/// Rewrites a template.
pub(super) fn rewrite(body: Body, from: From, code: &mut Code) -> String {
    let mut bound = BTreeSet::new();
    bind(&body, &mut bound);
    let (all, isolated, file) = match from {
        From::Document => (false, false, None),
        From::File { name, isolated } => (!isolated, isolated, Some(name)),
    };
    let mut rewriter = Rewriter {
        code,
        out: String::new(),
        bound,
        all,
        isolated,
        file,
        loops: Vec::new(),
        calls: 0,
    };
    rewriter.body(body);
    rewriter.out
}

pub(super) struct Rewriter<'c> {
    pub(super) code: &'c mut Code,
    out: String,
    /// What the template sets anywhere.
    pub(super) bound: BTreeSet<String>,
    pub(super) all: bool,
    isolated: bool,
    file: Option<Arc<str>>,
    /// The loops that are open, and the numbers of those that are recursive.
    pub(super) loops: Vec<Option<usize>>,
    pub(super) calls: usize,
}

impl Rewriter<'_> {
    pub(super) fn push(&mut self, text: &str) {
        self.out.push_str(text);
    }

    pub(super) fn body(&mut self, body: Body) {
        for statement in body {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: Statement) {
        match statement {
            Statement::Text(text) => {
                let text = format!("t{};", number(&mut self.code.texts, text));
                self.push(&text);
            }
            Statement::Print(expr) => {
                let text = self.value(expr);
                self.push(&format!("{{{{ {text} }}}}"));
            }
            Statement::If(branches, otherwise) => self.choice(branches, otherwise),
            Statement::For(each) => self.each(*each),
            Statement::Set(target, expr) => self.set(&target, expr),
            Statement::Capture(target, filter, body) => {
                self.push("{% set _jc %}");
                self.body(body);
                self.push("{% endset %}");
                let value = self.filtered(filter);
                self.assign(&target, &value);
            }
            Statement::Macro(declared) => {
                let name = mangle(&declared.name);
                self.declare(&name, declared);
            }
            Statement::Call(call, caller) => self.call(call, caller),
            Statement::Filter(filter, body) => {
                self.push("{% with %}{% set _jc %}");
                self.body(body);
                self.push("{% endset %}");
                let value = self.filtered(Some(filter));
                self.push(&format!("{{{{ {value} }}}}{{% endwith %}}"));
            }
            Statement::With(values, body) => self.with(values, body),
            Statement::Scope(body) => {
                self.push("{% with %}");
                self.body(body);
                self.push("{% endwith %}");
            }
            Statement::Block(name, required, body) => {
                let name = mangle(&name);
                let required = if required { " required" } else { "" };
                self.push(&format!("{{% block {name}{required} %}}"));
                self.body(body);
                self.push("{% endblock %}");
            }
            Statement::Extends(name) => {
                let name = self.file(name, true);
                self.push(&format!("{{% extends {name} %}}"));
            }
            Statement::Include { name, missing, context } => {
                let name = self.file(name, context);
                let missing = if missing { " ignore missing" } else { "" };
                self.push(&format!(
                    "{{% with %}}{{% include {name}{missing} %}}{{% endwith %}}"
                ));
            }
            Statement::Import { name, target, context } => {
                let (name, target) = (self.file(name, context), mangle(&target));
                self.push(&format!("{{% import {name} as {target} %}}"));
            }
            Statement::From { name, names, context } => {
                let file = self.file(name, context);
                self.push(&format!("{{% import {file} as _jf %}}"));
                for (name, alias) in names {
                    let name =
                        number(&mut self.code.texts, mangle(&name).as_str().into());
                    let alias = mangle(&alias);
                    self.push(&format!("{{% set {alias} = _jg({name}, _jf) %}}"));
                }
            }
        }
    }

    /// The call of a function with an expression and what it needs of the machine.
    pub(super) fn function(
        &mut self,
        function: &str,
        expr: impl Into<Arc<Expr>>,
    ) -> String {
        let (compiled, arguments) = self.compile(expr);
        let id = number(&mut self.code.expressions, compiled);
        format!("{function}({id}{arguments})")
    }

    /// A name as it is seen here: `loop` is any name where no loop is open.
    pub(super) fn seen(&self, name: &str) -> String {
        if name == "loop" && self.loops.is_empty() { mangle(name) } else { inner(name) }
    }

    pub(super) fn compile(
        &mut self,
        expr: impl Into<Arc<Expr>>,
    ) -> (Arc<Compiled>, String) {
        let expr = expr.into();
        let mut needs = Needs::default();
        self.needs(&expr, "", &mut needs);
        let Needs { names, captures } = needs;
        let mut arguments = String::new();
        for name in &names {
            let _ = write!(arguments, ", {}", self.seen(name));
        }
        let mut captured = Vec::new();
        for (at, text) in captures {
            let _ = write!(arguments, ", {text}");
            captured.push(at);
        }
        let (isolated, file) = (self.isolated, self.file.clone());
        (Arc::new(Compiled { expr, names, captured, isolated, file }), arguments)
    }

    /// An expression to be printed. A choice between calls of the machine is made by it.
    pub(super) fn value(&mut self, expr: Expr) -> String {
        if let Some(text) = self.capture(&expr) {
            return text;
        }
        let calls = self.calls(&expr);
        match (expr.kind, calls) {
            (Kind::Condition(both, otherwise), true) => {
                let [test, then] = *both;
                let test = self.function("_jt", test);
                let then = self.value(then);
                let otherwise =
                    otherwise.map_or("''".to_owned(), |expr| self.value(*expr));
                format!("({then} if {test} else {otherwise})")
            }
            (kind, _) => self.function("_je", Expr { kind, ..expr }),
        }
    }

    fn choice(&mut self, branches: Vec<(Expr, Body)>, otherwise: Body) {
        for (i, (test, body)) in branches.into_iter().enumerate() {
            let test = self.function("_jt", test);
            let word = if i == 0 { "if" } else { "elif" };
            self.push(&format!("{{% {word} {test} %}}"));
            self.body(body);
        }
        if !otherwise.is_empty() {
            self.push("{% else %}");
            self.body(otherwise);
        }
        self.push("{% endif %}");
    }

    fn each(&mut self, each: For) {
        let For { target, over, filter, recursive, body, otherwise } = each;
        let filter = filter.map(|filter| self.compile(filter).0);
        let names: Vec<_> =
            filter.iter().flat_map(|filter| filter.names.clone()).collect();
        let mut text = self.target(&target);
        // minijinja runs what is behind `else` once only, not for each loop within.
        let own = recursive && !otherwise.is_empty();
        if own {
            text = format!("(_jz, {text})");
        }
        let each = Loop { target, filter, or_else: own };
        let id = number(&mut self.code.loops, Arc::new(each));
        let over = self.function("_je", over);
        let names: String =
            names.iter().map(|name| format!(", {}", self.seen(name))).collect();
        let word = if recursive { " recursive" } else { "" };
        self.push(&format!("{{% for {text} in _jr({id}, {over}{names}){word} %}}"));
        self.loops.push(recursive.then_some(id));
        if own {
            self.push("{% if _jz %}");
        }
        self.body(body);
        self.loops.pop();
        if own {
            self.push("{% else %}");
            self.body(otherwise);
            self.push("{% endif %}{% endfor %}");
            return;
        }
        if !otherwise.is_empty() {
            self.push("{% else %}");
            self.body(otherwise);
        }
        self.push("{% endfor %}");
    }

    /// What is assigned to, as minijinja writes it.
    fn target(&self, target: &Target) -> String {
        match target {
            Target::Name(name) => mangle(name),
            Target::Tuple(targets) => {
                let targets: String =
                    targets.iter().map(|target| self.target(target) + ", ").collect();
                format!("({targets})")
            }
            Target::Attribute(..) => "_jd".into(),
        }
    }

    fn set(&mut self, target: &Target, expr: Expr) {
        let value = self.function("_je", expr);
        self.assign(target, &value);
    }

    /// Assigns what minijinja works out.
    fn assign(&mut self, target: &Target, value: &str) {
        let text = match target {
            Target::Name(name) => format!("{{% set {} = {value} %}}", mangle(name)),
            Target::Tuple(_) => {
                let shape = number(&mut self.code.targets, Arc::new(target.clone()));
                format!("{{% set {} = _ju({shape}, {value}) %}}", self.target(target))
            }
            Target::Attribute(namespace, name) => {
                let name = number(&mut self.code.texts, name.as_str().into());
                format!("{{{{ _js({name}, {}, {value}) }}}}", mangle(namespace))
            }
        };
        self.push(&text);
    }

    /// What was captured, through a filter.
    fn filtered(&mut self, filter: Option<Expr>) -> String {
        match filter {
            None => "_jb(0, _jc)".into(),
            Some(filter) => {
                let (compiled, arguments) = self.compile(filter);
                let id = number(&mut self.code.expressions, compiled) + 1;
                format!("_jb({id}, _jc{arguments})")
            }
        }
    }

    /// All values are worked out before any name is set.
    fn with(&mut self, values: Vec<(Target, Expr)>, body: Body) {
        let mut texts = Vec::new();
        for (i, (target, expr)) in values.into_iter().enumerate() {
            texts.push((format!("_jw{i}"), self.function("_je", expr), target));
        }
        let mut all: Vec<String> =
            texts.iter().map(|(name, value, _)| format!("{name} = {value}")).collect();
        for (name, _, target) in &texts {
            let value = match target {
                Target::Tuple(_) => {
                    let shape = number(&mut self.code.targets, Arc::new(target.clone()));
                    format!("_ju({shape}, {name})")
                }
                Target::Name(_) | Target::Attribute(..) => name.clone(),
            };
            all.push(format!("{} = {value}", self.target(target)));
        }
        self.push(&format!("{{% with {} %}}", all.join(", ")));
        self.body(body);
        self.push("{% endwith %}");
    }

    /// The name of a template; without `context` it sees no names of this one.
    fn file(&mut self, name: Expr, context: bool) -> String {
        let isolated = !context || self.isolated;
        let function = if isolated { "_jy" } else { "_jx" };
        self.function(function, name)
    }
}

/// Adds to a table; the number in it goes out.
pub(super) fn number<T>(table: &mut Vec<T>, one: T) -> usize {
    table.push(one);
    table.len() - 1
}
