//! Rewrites the statements of a template for minijinja. Statements in, the source of a
//! template that minijinja can compile out.
//!
//! minijinja runs the statements: it decides which comes next and which names are
//! visible. All texts and expressions are numbers in [`Code`]: a text is written `t5;`,
//! an expression is a call `_j.value(5, x)` of the rendering, which gets the names that
//! the template sets. An operand that only the machine can evaluate (`super()`,
//! `self.block()`, `loop(…)`) is written as minijinja's own expression and handed over
//! with those names.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::Arc;

use super::ast::{Block, Body, Expr, ExprKind, For, Macro, Statement, Target};
use super::code::{
    Code, Compiled, ESCAPES, INNER, LoopCode, Origin, Signature, bind, bind_target,
    mangle, visit,
};
use super::undefined::Nothing;
use crate::eval::python::Value;

/// Rewrites a template and adds what it refers to to `code`.
pub(super) fn rewrite(body: Body, origin: &Origin, code: &mut Code) -> String {
    let mut bound = BTreeSet::new();
    bind(&body, &mut bound);
    let hidden = if extends(&body) { bound.clone() } else { hidden(&body) };
    let mut rewriter = Rewriter {
        code,
        out: String::new(),
        bound,
        origin,
        loops: Vec::new(),
        callers: 0,
        scopes: Vec::new(),
        hidden,
        macros: 0,
        blocks: 0,
        escapes: 0,
        moved: Vec::new(),
    };
    rewriter.body(body);
    while let Some(block) = rewriter.moved.pop() {
        rewriter.push("{% if false %}");
        rewriter.block(block);
        rewriter.push("{% endif %}");
    }
    rewriter.out
}

/// Returns true if a template fills in the blocks of another one.
fn extends(body: &[Statement]) -> bool {
    body.iter().any(|statement| {
        matches!(statement, Statement::Extends(_))
            || statement.bodies().into_iter().any(|body| extends(body))
    })
}

/// Returns the names that scopes around a block set, which the block does not see.
fn hidden(body: &Body) -> BTreeSet<String> {
    let mut hidden = BTreeSet::new();
    for statement in body {
        let mut names = BTreeSet::new();
        let is_scope = !matches!(statement, Statement::If(..));
        if is_scope && holds_block(std::slice::from_ref(statement)) {
            bind(std::slice::from_ref(statement), &mut names);
        }
        hidden.extend(names);
        if !is_scope {
            statement
                .bodies()
                .into_iter()
                .for_each(|body| hidden.extend(self::hidden(body)));
        }
    }
    hidden
}

/// Returns true for `self.block()`.
fn is_own_block(expr: &Expr) -> bool {
    let ExprKind::Call(callee, _) = &expr.kind else { return false };
    let ExprKind::Attribute(of, _) = &callee.kind else { return false };
    matches!(&of.kind, ExprKind::Name(name) if &**name == "self")
}

/// Returns true if a block without `scoped` is in a body of the statements.
fn holds_block(body: &[Statement]) -> bool {
    body.iter().flat_map(Statement::bodies).any(|inner| {
        let is_block = |statement: &Statement| {
            matches!(statement, Statement::Block(block) if !block.scoped)
        };
        inner.iter().any(is_block) || holds_block(inner)
    })
}

struct Rewriter<'c> {
    code: &'c mut Code,
    out: String,
    /// The names that the template sets anywhere.
    bound: BTreeSet<String>,
    origin: &'c Origin,
    /// The loops around the statement; the number of one that is recursive.
    loops: Vec<Option<usize>>,
    callers: usize,
    /// The names that each scope around the statement sets.
    scopes: Vec<BTreeSet<String>>,
    /// The names that blocks do not see because a scope around them sets them.
    hidden: BTreeSet<String>,
    /// The number of macros around the statement.
    macros: usize,
    /// The number of blocks around it.
    blocks: usize,
    /// The number of `{% autoescape %}` around it.
    escapes: usize,
    /// Blocks that stand in macros, to be written again where minijinja finds them.
    moved: Vec<Block>,
}

impl Rewriter<'_> {
    fn push(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn body(&mut self, body: Body) {
        for statement in body {
            let mut set = BTreeSet::new();
            if self.scopes.is_empty() && !self.hidden.is_empty() {
                bind(std::slice::from_ref(&statement), &mut set);
            }
            self.statement(statement);
            for name in set.intersection(&self.hidden).cloned().collect::<Vec<_>>() {
                let (own, outer) = (mangle(&name), outer(&name));
                self.push(&format!("{{% set {outer} = {own} %}}"));
            }
        }
    }

    /// Writes a body that is a scope of its own.
    fn scope(&mut self, body: Body, names: BTreeSet<String>) {
        let mut names = names;
        bind(&body, &mut names);
        self.scopes.push(names);
        self.body(body);
        self.scopes.pop();
    }

    fn statement(&mut self, statement: Statement) {
        match statement {
            Statement::Text(text) => {
                let text = format!("t{};", number(&mut self.code.texts, text));
                self.push(&text);
            }
            Statement::Print(expr) => {
                let hides = is_own_block(&expr) && !self.scopes.is_empty();
                if hides {
                    self.hide_names();
                }
                let text = self.printed(expr);
                self.push(&format!("{{{{ {text} }}}}"));
                if hides {
                    self.push("{% endwith %}");
                }
            }
            Statement::If(branches, otherwise) => self.choice(branches, otherwise),
            Statement::For(each) => self.each(*each),
            Statement::Set(target, expr) => {
                let value = self.value(expr);
                self.assign(&target, &value);
            }
            Statement::Capture(target, filter, body) => {
                self.push("{% set _jc %}");
                self.scope(body, BTreeSet::new());
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
                // The scope keeps the names that the block sets to itself, as Jinja does.
                self.push("{% with %}{% set _jc %}");
                self.scope(body, BTreeSet::new());
                self.push("{% endset %}");
                let value = self.filtered(Some(filter));
                self.push(&format!("{{{{ _j.emit({value}) }}}}{{% endwith %}}"));
            }
            Statement::With(values, body) => self.with(values, body),
            Statement::Autoescape(escapes, body) => {
                let escapes = self.condition(escapes);
                self.push(&format!("{{% with {ESCAPES} = {escapes} %}}"));
                self.escapes += 1;
                self.scope(body, BTreeSet::new());
                self.escapes -= 1;
                self.push("{% endwith %}");
            }
            Statement::Block(block) => self.placed_block(block),
            Statement::Extends(name) => {
                let name = self.file(name, true);
                self.push(&format!("{{% extends {name} %}}"));
            }
            Statement::Include { name, missing, context } => {
                let name = self.file(name, context);
                let missing = if missing { " ignore missing" } else { "" };
                // minijinja runs an included file in the same scope: without one of its
                // own it would set names of this template.
                self.push("{% with %}");
                if context && self.macros > 0 {
                    self.see_names();
                }
                self.push(&format!("{{% include {name}{missing} %}}{{% endwith %}}"));
            }
            Statement::Import { name, target, context } => {
                let (name, target) = (self.file(name, context), mangle(&target));
                self.push(&format!("{{% import {name} as {target} %}}"));
            }
            Statement::From { name, names, context } => {
                let file = self.file(name, context);
                // A look-up of our own gives a missing name Jinja's message.
                self.push(&format!("{{% import {file} as _jf %}}"));
                for (name, alias) in names {
                    let name =
                        number(&mut self.code.texts, mangle(&name).as_str().into());
                    let alias = mangle(&alias);
                    self.push(&format!("{{% set {alias} = _j.member({name}, _jf) %}}"));
                }
            }
        }
    }

    /// Mentions all names, for an included file to use. minijinja hands a macro only the
    /// names that stand in it.
    fn see_names(&mut self) {
        let names: Vec<String> = self.bound.iter().map(|name| mangle(name)).collect();
        self.push(&format!("{{% set _ju = [{}] %}}", names.join(", ")));
    }

    /// Writes a block where it stands. Without `scoped` it does not see the names that the
    /// scopes around it set.
    fn placed_block(&mut self, block: Block) {
        let hides = !block.scoped && !self.scopes.is_empty();
        if hides {
            self.hide_names();
        }
        if self.macros > 0 {
            // minijinja has no blocks in macros. What the block of another template would
            // replace is not known there, so that this one is used.
            self.moved.push(block.clone());
            self.push("{% with %}");
            self.scope(block.body, BTreeSet::new());
            self.push("{% endwith %}");
        } else {
            self.block(block);
        }
        if hides {
            self.push("{% endwith %}");
        }
    }

    /// Opens a scope in which the names of the scopes around it have their outer values.
    fn hide_names(&mut self) {
        let names: BTreeSet<&String> = self.scopes.iter().flatten().collect();
        let names = names.iter().map(|name| (mangle(name), outer(name)));
        let names = names.chain([("_jl".to_owned(), "_jnone".to_owned())]);
        let names: Vec<_> =
            names.map(|(own, outer)| format!("{own} = {outer}")).collect();
        self.push(&format!("{{% with {} %}}", names.join(", ")));
    }

    fn block(&mut self, block: Block) {
        let Block { name, required, body, .. } = block;
        let name = mangle(&name);
        let (required, body) =
            if required { (" required", Vec::new()) } else { ("", body) };
        self.push(&format!("{{% block {name}{required} %}}"));
        self.blocks += 1;
        self.scope(body, BTreeSet::new());
        self.blocks -= 1;
        self.push("{% endblock %}");
    }

    fn choice(&mut self, branches: Vec<(Expr, Body)>, otherwise: Body) {
        for (i, (test, body)) in branches.into_iter().enumerate() {
            let test = self.condition(test);
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

    /// Writes a loop. Each item comes with the variable `loop`.
    fn each(&mut self, each: For) {
        let For { target, over, filter, recursive, body, otherwise } = each;
        // A filter cannot make the calls that only the machine can: it runs while the
        // machine is between two statements.
        let filter = filter.map(|filter| self.compiled(filter));
        let names = self.filter_names(filter.as_deref());
        // minijinja runs what is behind `else` once, not for each recursive call. So
        // those loops get one item that is marked as none.
        let marks_empty = recursive && !otherwise.is_empty();
        let mark = if marks_empty { "_jz, " } else { "" };
        let mut names_set = BTreeSet::new();
        bind_target(&target, &mut names_set);
        let head = format!("({mark}_jl, {})", written(&target, &mut Vec::new()));
        let pulls = filter.is_some();
        let code = LoopCode { target, filter, marks_empty };
        let id = number(&mut self.code.loops, Arc::new(code));
        let over = self.value(over);
        let word = if recursive { " recursive" } else { "" };
        self.push(&format!(
            "{{% for {head} in _j.items({id}, {over}, none{names}){word} %}}"
        ));
        self.loops.push(recursive.then_some(id));
        if marks_empty {
            self.push("{% if _jz %}");
        }
        self.scope(body, names_set);
        if pulls {
            // Between two items the machine cannot call back, and a filter may call
            // macros.
            self.push("{{ _j.pull(0, _jl) }}");
        }
        self.loops.pop();
        if !otherwise.is_empty() {
            self.push("{% else %}");
            self.scope(otherwise, BTreeSet::new());
        }
        if marks_empty {
            self.push("{% endif %}");
        }
        self.push("{% endfor %}");
    }

    /// Returns the names that the filter of a loop needs, as further arguments.
    fn filter_names(&self, filter: Option<&Compiled>) -> String {
        let names = filter.iter().flat_map(|filter| &filter.names);
        names.map(|name| format!(", {}", self.visible(name))).collect()
    }

    /// Assigns the value of an expression in minijinja's syntax.
    fn assign(&mut self, target: &Target, value: &str) {
        let mut attributes = Vec::new();
        let text = match target {
            Target::Name(name) => format!("{{% set {} = {value} %}}", mangle(name)),
            Target::Tuple(_) => {
                let value = self.unpacked(target, value);
                format!("{{% set {} = {value} %}}", written(target, &mut attributes))
            }
            Target::Attribute(namespace, name) => {
                self.attribute(namespace, name, value);
                return;
            }
        };
        self.push(&text);
        for (i, (namespace, name)) in attributes.into_iter().enumerate() {
            self.attribute(namespace, name, &format!("_jd{i}"));
        }
    }

    /// Assigns the attribute of a namespace.
    fn attribute(&mut self, namespace: &str, name: &str, value: &str) {
        let name = number(&mut self.code.texts, name.into());
        let namespace = mangle(namespace);
        self.push(&format!("{{{{ _j.set_attribute({name}, {namespace}, {value}) }}}}"));
    }

    fn unpacked(&mut self, target: &Target, value: &str) -> String {
        let id = number(&mut self.code.targets, Arc::new(target.clone()));
        format!("_j.unpack({id}, {value})")
    }

    /// Returns the captured text, through a filter if there is one.
    fn filtered(&mut self, filter: Option<Expr>) -> String {
        match filter {
            None if self.escapes > 0 => format!("_j.captured(0, _jc, {ESCAPES})"),
            None => "_j.captured(0, _jc)".into(),
            Some(filter) => {
                let (id, arguments) = self.compile(filter);
                format!("_j.captured({}, _jc{arguments})", id + 1)
            }
        }
    }

    /// Writes `{% with %}`. All values are evaluated before the first name is set.
    fn with(&mut self, values: Vec<(Target, Expr)>, body: Body) {
        let (mut texts, mut names) = (Vec::new(), BTreeSet::new());
        for (i, (target, expr)) in values.into_iter().enumerate() {
            // minijinja sets each name before it evaluates the next value.
            texts.push((format!("_jw{i}"), self.value(expr), target));
        }
        let mut all: Vec<String> =
            texts.iter().map(|(name, value, _)| format!("{name} = {value}")).collect();
        for (name, _, target) in &texts {
            let value = match target {
                Target::Tuple(_) => self.unpacked(target, name),
                Target::Name(_) | Target::Attribute(..) => name.clone(),
            };
            bind_target(target, &mut names);
            all.push(format!("{} = {value}", written(target, &mut Vec::new())));
        }
        self.push(&format!("{{% with {} %}}", all.join(", ")));
        self.scope(body, names);
        self.push("{% endwith %}");
    }

    /// Returns the name of a template; without `context` it sees no names of this one.
    fn file(&mut self, name: Expr, context: bool) -> String {
        let isolated = !context || self.origin.is_isolated();
        self.function(if isolated { "isolated_file" } else { "file" }, name)
    }

    /// Writes a macro. It takes all of its arguments as one value, and sets its own names
    /// from that: minijinja binds arguments in another way than Jinja.
    fn declare(&mut self, name: &str, declared: Macro) {
        let uses = |wanted: &str| {
            let mut found = false;
            visit(&declared.body, &mut |expr| {
                found |= matches!(&expr.kind, ExprKind::Name(name) if &**name == wanted);
            });
            found && !declared.parameters.iter().any(|(name, _)| name == wanted)
        };
        let names = declared.parameters.iter().map(|(name, _)| name.clone());
        let signature = Signature {
            name: declared.name.clone(),
            parameters: names.collect(),
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
        // The body of a macro does not see the `loop` of its caller.
        let loops = std::mem::take(&mut self.loops);
        let extra = extra.into_iter().filter(|(_, used)| *used);
        let extra = extra.map(|(name, _)| (name.to_owned(), None));
        let names = declared.parameters.iter().map(|(name, _)| name.clone()).collect();
        self.macros += 1;
        for (at, (parameter, default)) in
            declared.parameters.into_iter().chain(extra).enumerate()
        {
            let (default, arguments) = match default {
                Some(default) => {
                    let (default, arguments) = self.compile(default);
                    (default + 1, arguments)
                }
                None => (0, String::new()),
            };
            let parameter = self.visible(&parameter);
            self.push(&format!(
                "{{% set {parameter} = _j.parameter({default}, {at}, {id}, _jp{arguments}) %}}"
            ));
        }
        self.scope(declared.body, names);
        self.macros -= 1;
        self.loops = loops;
        self.push(&format!(
            "{{% endmacro %}}{{% set {name} = _j.macro({id}, {name}) %}}"
        ));
    }

    /// Writes `{% call %}`: its body is a macro that the call gets as `caller`.
    fn call(&mut self, mut call: Expr, caller: Macro) {
        let name = format!("_jcall{}", self.callers);
        self.callers += 1;
        self.declare(&name, caller);
        if let ExprKind::Call(_, given) = &mut call.kind {
            let kind = ExprKind::Name(name.as_str().into());
            let value = Expr { kind, at: call.at, depth: 1 };
            given.keywords.push(("caller".into(), value));
        }
        let text = self.printed(call);
        self.push(&format!("{{{{ {text} }}}}"));
    }

    /// Returns an expression that gives what is to be printed.
    fn printed(&mut self, expr: Expr) -> String {
        if let Some(call) = self.machine_call(&expr) {
            return call;
        }
        match expr.kind {
            // The branch may be a call whose output is printed as it is.
            ExprKind::Condition(both, otherwise)
                if self.needs_machine_in(&both, &otherwise) =>
            {
                let [test, then] = *both;
                let test = self.condition(test);
                let then = self.printed(then);
                let otherwise =
                    otherwise.map_or("''".to_owned(), |expr| self.printed(*expr));
                format!("({then} if {test} else {otherwise})")
            }
            kind => self.function("print", Expr { kind, ..expr }),
        }
    }

    /// Returns an expression that gives a value. Each of its operands is evaluated once:
    /// `and`, `or` and conditions around a call of the machine are the machine's own.
    fn value(&mut self, expr: Expr) -> String {
        if !self.needs_machine(&expr) {
            return self.function("value", expr);
        }
        if let Some(call) = self.machine_call(&expr) {
            return format!("_j.captured(0, {call})");
        }
        match expr.kind {
            ExprKind::And(both) => {
                let [first, second] = *both;
                let first = self.value(first);
                format!("(_j.branch(0, {first}) and {})", self.value(second))
            }
            ExprKind::Or(both) => {
                let [first, second] = *both;
                let first = self.value(first);
                format!("(_j.branch(0, {first}) or {})", self.value(second))
            }
            ExprKind::Condition(both, otherwise) => {
                let [test, then] = *both;
                let test = self.condition(test);
                let then = self.value(then);
                let nothing = ExprKind::Const(Value::object(Nothing));
                let nothing = Expr { kind: nothing, at: expr.at, depth: 1 };
                let otherwise = self.value(otherwise.map_or(nothing, |expr| *expr));
                format!("({then} if {test} else {otherwise})")
            }
            kind => self.function("value", Expr { kind, ..expr }),
        }
    }

    /// Returns an expression that gives true or false.
    fn condition(&mut self, test: Expr) -> String {
        if self.needs_machine(&test) {
            format!("_j.branch(0, {})", self.value(test))
        } else {
            self.function("truth", test)
        }
    }

    /// Returns the call of a function with an expression and what that needs.
    fn function(&mut self, function: &str, expr: Expr) -> String {
        let (id, arguments) = self.compile(expr);
        format!("_j.{function}({id}{arguments})")
    }

    /// Adds an expression to the code. Returns its number and the further arguments that
    /// its evaluation needs: names and operands that the machine evaluates.
    fn compile(&mut self, mut expr: Expr) -> (usize, String) {
        let mut operands = Vec::new();
        self.lift(&mut expr, &mut operands);
        let compiled = self.compiled(expr);
        let names = compiled.names.iter().map(|name| self.visible(name));
        let mut arguments = String::new();
        for argument in names.chain(operands) {
            let _ = write!(arguments, ", {argument}");
        }
        (number(&mut self.code.expressions, compiled), arguments)
    }

    fn compiled(&self, expr: Expr) -> Arc<Compiled> {
        let mut names = Vec::new();
        self.names(&expr, &mut names);
        if self.escapes > 0 {
            names.push(ESCAPES.into());
        }
        Arc::new(Compiled { expr, names, origin: self.origin.clone() })
    }

    /// Adds the names in an expression that the template may set.
    fn names(&self, expr: &Expr, names: &mut Vec<Arc<str>>) {
        if let ExprKind::Name(name) = &expr.kind {
            let may_be_set = self.origin.sees_all()
                || self.blocks > 0
                || INNER.contains(&&**name)
                || name.starts_with("_jcall")
                || self.bound.contains(&**name);
            if may_be_set && !names.contains(name) {
                names.push(name.clone());
            }
        }
        expr.each(&mut |inner| self.names(inner, names));
    }

    /// Replaces the operands that need the machine by what it hands over. So are those
    /// before them, which must be evaluated first.
    fn lift(&mut self, expr: &mut Expr, operands: &mut Vec<String>) {
        if !self.needs_machine(expr) {
            return;
        }
        let is_choice = matches!(
            expr.kind,
            ExprKind::And(_) | ExprKind::Or(_) | ExprKind::Condition(..)
        );
        if is_choice || self.is_machine_call(expr) {
            self.hand_over(expr, operands);
            return;
        }
        let mut inner = expr.operands_mut();
        let needs: Vec<bool> =
            inner.iter().map(|expr| self.needs_machine(expr)).collect();
        let end = needs.iter().rposition(|needs| *needs).map_or(0, |last| last + 1);
        for expr in inner.iter_mut().take(end) {
            // A name keeps its value while another operand is evaluated: a called block
            // sets names in a scope of its own.
            if !matches!(expr.kind, ExprKind::Const(_) | ExprKind::Name(_)) {
                self.hand_over(expr, operands);
            }
        }
    }

    fn hand_over(&mut self, expr: &mut Expr, operands: &mut Vec<String>) {
        let handed = ExprKind::Evaluated(operands.len());
        let handed = Expr { kind: handed, at: expr.at, depth: 1 };
        let value = self.value(std::mem::replace(expr, handed));
        operands.push(value);
    }

    /// Returns a name as it is written here. `loop` is any name where no loop is open.
    fn visible(&self, name: &str) -> String {
        match name {
            // The block of a child stands in the loop of its parent.
            "loop" if !self.loops.is_empty() || self.blocks > 0 => "_jl".to_owned(),
            "caller" | "varargs" | "kwargs" | ESCAPES => name.to_owned(),
            _ if name.starts_with("_jcall") => name.to_owned(),
            _ => mangle(name),
        }
    }

    /// Returns true if a call in an expression can be made by the machine only.
    fn needs_machine(&self, expr: &Expr) -> bool {
        let mut todo = vec![expr];
        while let Some(expr) = todo.pop() {
            if self.is_machine_call(expr) {
                return true;
            }
            expr.each(&mut |inner| todo.push(inner));
        }
        false
    }

    fn needs_machine_in(&self, both: &[Expr; 2], otherwise: &Option<Box<Expr>>) -> bool {
        let otherwise = otherwise.as_deref();
        both.iter().chain(otherwise).any(|expr| self.needs_machine(expr))
    }

    /// Returns true for `super()`, `self.block()` and `loop(items)` in a recursive loop.
    fn is_machine_call(&self, expr: &Expr) -> bool {
        let ExprKind::Call(callee, given) = &expr.kind else { return false };
        match (&callee.kind, given.positional.len()) {
            (ExprKind::Name(name), 0) => &**name == "super",
            (ExprKind::Attribute(of, _), 0) => {
                matches!(&of.kind, ExprKind::Name(name) if &**name == "self")
            }
            (ExprKind::Name(name), 1) => {
                &**name == "loop" && self.recursive_loop().is_some()
            }
            _ => false,
        }
    }

    /// Returns the number of the innermost loop, if it is recursive.
    fn recursive_loop(&self) -> Option<usize> {
        self.loops.last().copied().flatten()
    }

    /// Returns a call that only the machine can make, in minijinja's syntax.
    fn machine_call(&mut self, expr: &Expr) -> Option<String> {
        let ExprKind::Call(callee, given) = &expr.kind else { return None };
        if !self.is_machine_call(expr) {
            return None;
        }
        match (&callee.kind, &given.positional[..]) {
            (ExprKind::Name(_), [over]) => {
                let id = self.recursive_loop()?;
                let filter = self.code.loops.get(id)?.filter.clone();
                let names = self.filter_names(filter.as_deref());
                let over = self.value(Expr::clone(over));
                Some(format!("loop(_j.items({id}, {over}, _jl{names}))"))
            }
            (ExprKind::Attribute(_, block), _) => {
                Some(format!("self.{}()", mangle(block)))
            }
            _ => Some("super()".into()),
        }
    }
}

/// Returns the target of an assignment in minijinja's syntax. An attribute in it becomes the
/// name `_jd` with a number, to be assigned later.
fn written<'t>(target: &'t Target, attributes: &mut Vec<(&'t str, &'t str)>) -> String {
    match target {
        Target::Name(name) => mangle(name),
        Target::Tuple(targets) => {
            let targets: String =
                targets.iter().map(|target| written(target, attributes) + ", ").collect();
            format!("({targets})")
        }
        Target::Attribute(namespace, name) => {
            attributes.push((namespace, name));
            format!("_jd{}", attributes.len() - 1)
        }
    }
}

/// Returns the name that keeps the value which a name has outside of all scopes.
fn outer(name: &str) -> String {
    format!("_jt{}", mangle(name))
}

fn number<T>(table: &mut Vec<T>, element: T) -> usize {
    table.push(element);
    table.len() - 1
}
