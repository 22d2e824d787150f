//! Rewrites the statements of a template for minijinja. Statements in, the source of a
//! template that minijinja can compile out.
//!
//! minijinja runs the statements: it decides which comes next and which names are visible. All
//! texts and expressions are numbers in [`CodeTables`]: a text is written `t5;`, an expression
//! is a call `_j.value(5, x)` of the rendering, which gets the names that the template sets. An
//! operand that only the machine can evaluate (`super()`, `self.block()`, `loop(…)`) is written
//! as minijinja's own expression and handed over with those names.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::Arc;

use super::ast::{
    Assignee, Block, Expr, ExprKind, For, MacroDeclaration, Statement, Statements, bind,
    bind_target, mentions, statements,
};
use super::scope_names::{ScopeNames, is_hidden};
use super::undefined::NoBranch;
use crate::eval::python::Value;

/// The tables that rewritten templates refer to by number.
#[derive(Debug, Default)]
pub(super) struct CodeTables {
    pub(super) expressions: Vec<Arc<Compiled>>,
    pub(super) texts: Vec<Arc<str>>,
    pub(super) loops: Vec<Arc<LoopCode>>,
    pub(super) targets: Vec<Arc<Assignee>>,
    pub(super) macros: Vec<Arc<MacroSignature>>,
}

/// An expression and the names whose values the machine passes to it.
#[derive(Debug)]
pub(super) struct Compiled {
    pub(super) expr: Expr,
    pub(super) names: Vec<Arc<str>>,
    /// Those that are undefined until the template sets them, whatever variables there are.
    pub(super) hidden: Vec<Arc<str>>,
    /// The numbers of the operands that the machine evaluates, and passes behind the names.
    pub(super) handed: Vec<usize>,
    pub(super) origin: TemplateOrigin,
}

#[derive(Clone, Debug)]
pub(super) enum TemplateOrigin {
    /// A text of the document.
    Document,
    /// A file that is included. Unless isolated, it sees the names of what includes it.
    File { name: Arc<str>, isolated: bool },
}

impl TemplateOrigin {
    /// Returns true if variables are hidden from the template.
    pub(super) fn is_isolated(&self) -> bool {
        matches!(self, TemplateOrigin::File { isolated: true, .. })
    }

    /// Returns true if the template sees the names that another one sets.
    pub(super) fn sees_all(&self) -> bool {
        matches!(self, TemplateOrigin::File { isolated: false, .. })
    }

    pub(super) fn file(&self) -> Option<&Arc<str>> {
        match self {
            TemplateOrigin::Document => None,
            TemplateOrigin::File { name, .. } => Some(name),
        }
    }
}

#[derive(Debug)]
pub(super) struct LoopCode {
    pub(super) target: Assignee,
    pub(super) filter: Option<Arc<Compiled>>,
    /// Each item comes with true; a loop without items gets one that comes with false.
    pub(super) marks_empty: bool,
}

#[derive(Debug)]
pub(super) struct MacroSignature {
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
    let words = ["if", "else", "is", "in", "not", "and", "or", "self", "super", "loop"];
    if name.is_ascii() && !words.contains(&name) && !name.starts_with("_j") {
        return name.to_owned();
    }
    name.bytes().fold("_jn".to_owned(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Rewrites a template and adds what it refers to to `code`.
pub(super) fn rewrite(
    body: Statements,
    origin: &TemplateOrigin,
    code: &mut CodeTables,
) -> String {
    let mut bound = BTreeSet::new();
    bind(&body, &mut bound);
    // A template that fills in the blocks of another one.
    let extends = statements(&body).iter().any(|it| matches!(it, Statement::Extends(_)));
    let hidden = if extends { bound.clone() } else { hidden(&body) };
    let mut rewriter = Rewriter {
        code,
        out: String::new(),
        bound,
        origin,
        loops: Vec::new(),
        callers: 0,
        scopes: Vec::new(),
        starts: vec![ScopeNames::of(&body, &[], &BTreeSet::new())],
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

/// Returns the names that scopes around a block set, which the block does not see.
fn hidden(body: &Statements) -> BTreeSet<String> {
    let mut hidden = BTreeSet::new();
    let mut todo: Vec<&Statement> = body.iter().collect();
    while let Some(statement) = todo.pop() {
        let alone = std::slice::from_ref(statement);
        let mut inner = statements(alone).into_iter().skip(1);
        if let Statement::If(..) = statement {
            todo.extend(statement.bodies().into_iter().flatten());
        } else if inner.any(|one| matches!(one, Statement::Block(block) if !block.scoped))
        {
            bind(alone, &mut hidden);
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

struct Rewriter<'c> {
    code: &'c mut CodeTables,
    out: String,
    /// The names that the template sets anywhere.
    bound: BTreeSet<String>,
    origin: &'c TemplateOrigin,
    /// The loops around the statement; the number of one that is recursive.
    loops: Vec<Option<usize>>,
    callers: usize,
    /// The names that each scope around the statement sets.
    scopes: Vec<BTreeSet<String>>,
    /// The names of the template and of each scope around the statement, by their values
    /// at its beginning.
    starts: Vec<ScopeNames>,
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

    fn body(&mut self, body: Statements) {
        for statement in body {
            let mut set = BTreeSet::new();
            if self.scopes.is_empty() && !self.hidden.is_empty() {
                bind(std::slice::from_ref(&statement), &mut set);
            }
            self.statement(statement);
            for name in set.intersection(&self.hidden).cloned().collect::<Vec<_>>() {
                self.push(&format!("{{% set {} = {} %}}", outer(&name), mangle(&name)));
            }
        }
    }

    /// Writes a body that is a scope of its own.
    fn scope(&mut self, body: Statements, mut names: BTreeSet<String>) {
        self.starts.push(ScopeNames::of(&body, &self.starts, &names));
        bind(&body, &mut names);
        self.scopes.push(names);
        self.body(body);
        self.scopes.pop();
        self.starts.pop();
    }

    /// Writes the body of a block, which Jinja compiles apart from what is around it.
    fn apart(&mut self, body: Statements) {
        let starts = std::mem::take(&mut self.starts);
        self.scope(body, BTreeSet::new());
        self.starts = starts;
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
                let name = self.file(name, context);
                self.push(&format!("{{% import {name} as {} %}}", mangle(&target)));
            }
            Statement::From { name, names, context } => {
                let file = self.file(name, context);
                // A look-up of our own gives a missing name Jinja's message.
                self.push(&format!("{{% import {file} as _jf %}}"));
                for (name, alias) in names {
                    let id = number(&mut self.code.texts, mangle(&name).as_str().into());
                    let alias = mangle(&alias);
                    self.push(&format!("{{% set {alias} = _j.member({id}, _jf) %}}"));
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
            self.apart(block.body);
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
        let names: Vec<_> = names.map(|(own, far)| format!("{own} = {far}")).collect();
        self.push(&format!("{{% with {} %}}", names.join(", ")));
    }

    fn block(&mut self, block: Block) {
        let Block { name, required, body, .. } = block;
        let name = mangle(&name);
        let (mark, body) = if required { (" required", Vec::new()) } else { ("", body) };
        self.push(&format!("{{% block {name}{mark} %}}"));
        self.blocks += 1;
        self.apart(body);
        self.blocks -= 1;
        self.push("{% endblock %}");
    }

    fn choice(&mut self, branches: Vec<(Expr, Statements)>, otherwise: Statements) {
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
        let filter = filter.map(|filter| self.compiled(filter, Vec::new()));
        let names = filter.as_ref().map_or_else(String::new, |it| self.arguments(it));
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
            // Between two items the machine cannot call back, and a filter may call macros.
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

    /// Returns the names that an expression needs, as further arguments.
    fn arguments(&self, compiled: &Compiled) -> String {
        compiled.names.iter().map(|name| format!(", {}", self.visible(name))).collect()
    }

    /// Assigns the value of an expression in minijinja's syntax.
    fn assign(&mut self, target: &Assignee, value: &str) {
        let mut attributes = Vec::new();
        let text = match target {
            Assignee::Name(name) => format!("{{% set {} = {value} %}}", mangle(name)),
            Assignee::Tuple(_) => {
                let value = self.unpacked(target, value);
                format!("{{% set {} = {value} %}}", written(target, &mut attributes))
            }
            Assignee::Attribute(namespace, name) => {
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

    fn unpacked(&mut self, target: &Assignee, value: &str) -> String {
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
    fn with(&mut self, values: Vec<(Assignee, Expr)>, body: Statements) {
        let mut texts = Vec::new();
        for (i, (target, expr)) in values.into_iter().enumerate() {
            // minijinja sets each name before it evaluates the next value.
            texts.push((format!("_jw{i}"), self.value(expr), target));
        }
        let mut all: Vec<String> =
            texts.iter().map(|(name, value, _)| format!("{name} = {value}")).collect();
        let mut names = BTreeSet::new();
        for (name, _, target) in &texts {
            let value = match target {
                Assignee::Tuple(_) => self.unpacked(target, name),
                Assignee::Name(_) | Assignee::Attribute(..) => name.clone(),
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
    fn declare(&mut self, name: &str, declared: MacroDeclaration) {
        let uses = |name: &str| {
            let is_own = declared.parameters.iter().any(|(known, _)| known == name);
            !is_own && mentions(&declared.body, name)
        };
        let extra = ["varargs", "kwargs", "caller"].map(|name| (name, uses(name)));
        let [(_, varargs), (_, kwargs), (_, caller)] = extra;
        let parameters = declared.names().collect();
        let own = declared.name.clone();
        let signature = MacroSignature { name: own, parameters, varargs, kwargs, caller };
        let id = number(&mut self.code.macros, Arc::new(signature));
        self.push(&format!("{{% macro {name}(_jp) %}}"));
        // The body of a macro does not see the `loop` of its caller.
        let loops = std::mem::take(&mut self.loops);
        let extra = extra.into_iter().filter(|(_, used)| *used);
        let extra = extra.map(|(name, _)| (name.to_owned(), None));
        let names = declared.names().collect();
        self.macros += 1;
        for (at, (parameter, default)) in
            declared.parameters.into_iter().chain(extra).enumerate()
        {
            // 0 stands for no default.
            let (default, arguments) = default.map_or_else(Default::default, |default| {
                let (id, arguments) = self.compile(default);
                (id + 1, arguments)
            });
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
    fn call(&mut self, mut call: Expr, caller: MacroDeclaration) {
        let name = format!("_jcall{}", self.callers);
        self.callers += 1;
        self.declare(&name, caller);
        if let ExprKind::Call(_, given) = &mut call.kind {
            let kind = ExprKind::Name(name.as_str().into());
            let value = Expr { kind, at: call.at, depth: 1, number: 0 };
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
        let needs_machine = self.needs_machine(&expr);
        match expr.kind {
            // The branch may be a call whose output is printed as it is.
            ExprKind::Condition(both, otherwise) if needs_machine => {
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
            ExprKind::And(both) => self.junction("and", *both),
            ExprKind::Or(both) => self.junction("or", *both),
            ExprKind::Condition(both, otherwise) => {
                let [test, then] = *both;
                let test = self.condition(test);
                let then = self.value(then);
                let nothing = ExprKind::Const(Value::object(NoBranch));
                let nothing = Expr { kind: nothing, at: expr.at, depth: 1, number: 0 };
                let otherwise = self.value(otherwise.map_or(nothing, |expr| *expr));
                format!("({then} if {test} else {otherwise})")
            }
            kind => self.function("value", Expr { kind, ..expr }),
        }
    }

    fn junction(&mut self, word: &str, [first, second]: [Expr; 2]) -> String {
        let first = self.value(first);
        format!("(_j.branch(0, {first}) {word} {})", self.value(second))
    }

    /// Returns an expression that gives true or false.
    fn condition(&mut self, test: Expr) -> String {
        if self.needs_machine(&test) {
            return format!("_j.branch(0, {})", self.value(test));
        }
        self.function("truth", test)
    }

    /// Returns the call of a function with an expression and what that needs.
    fn function(&mut self, function: &str, expr: Expr) -> String {
        let (id, arguments) = self.compile(expr);
        format!("_j.{function}({id}{arguments})")
    }

    /// Adds an expression to the code. Returns its number and the further arguments that
    /// its evaluation needs: names and operands that the machine evaluates.
    fn compile(&mut self, expr: Expr) -> (usize, String) {
        let mut handed = Vec::new();
        let mut operands = String::new();
        for operand in self.lifted(&expr) {
            handed.push(operand.number);
            let _ = write!(operands, ", {}", self.value(operand.clone()));
        }
        let compiled = self.compiled(expr, handed);
        let arguments = self.arguments(&compiled) + &operands;
        (number(&mut self.code.expressions, compiled), arguments)
    }

    fn compiled(&self, expr: Expr, handed: Vec<usize>) -> Arc<Compiled> {
        let mut names = Vec::new();
        self.names(&expr, &handed, &mut names);
        if self.escapes > 0 {
            names.push(ESCAPES.into());
        }
        let hidden = names.iter().filter(|name| is_hidden(&self.starts, name));
        let hidden = hidden.cloned().collect();
        Arc::new(Compiled { expr, names, hidden, handed, origin: self.origin.clone() })
    }

    /// Adds the names in an expression that the template may set, but for those in operands
    /// that the machine evaluates.
    fn names(&self, expr: &Expr, handed: &[usize], names: &mut Vec<Arc<str>>) {
        if handed.contains(&expr.number) {
            return;
        }
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
        expr.each(&mut |inner| self.names(inner, handed, names));
    }

    /// Returns the operands that need the machine, and those before them, which must be
    /// evaluated first.
    fn lifted<'e>(&self, expr: &'e Expr) -> Vec<&'e Expr> {
        let mut operands = Vec::new();
        if !self.needs_machine(expr) {
            return operands;
        }
        let is_choice = matches!(
            expr.kind,
            ExprKind::And(_) | ExprKind::Or(_) | ExprKind::Condition(..)
        );
        if is_choice || self.is_machine_call(expr) {
            return vec![expr];
        }
        expr.each(&mut |operand| operands.push(operand));
        // A method call has the object in place of the callee, which is no value of its own.
        if let ExprKind::Call(callee, _) = &expr.kind
            && let ExprKind::Attribute(object, _) = &callee.kind
        {
            operands[0] = object;
        }
        let last = operands.iter().rposition(|operand| self.needs_machine(operand));
        operands.truncate(last.map_or(0, |last| last + 1));
        // A name keeps its value while another operand is evaluated: a called block sets
        // names in a scope of its own.
        operands
            .retain(|one| !matches!(one.kind, ExprKind::Const(_) | ExprKind::Name(_)));
        operands
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

    /// Returns true for `super()`, `self.block()` and `loop(items)` in a recursive loop.
    fn is_machine_call(&self, expr: &Expr) -> bool {
        let ExprKind::Call(callee, given) = &expr.kind else { return false };
        match (&callee.kind, given.positional.len()) {
            (ExprKind::Name(name), 0) => &**name == "super",
            (ExprKind::Attribute(..), 0) => is_own_block(expr),
            (ExprKind::Name(it), 1) => &**it == "loop" && self.recursive_loop().is_some(),
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
                let names = filter.map_or_else(String::new, |it| self.arguments(&it));
                let over = self.value(over.clone());
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
fn written<'t>(target: &'t Assignee, attributes: &mut Vec<(&'t str, &'t str)>) -> String {
    match target {
        Assignee::Name(name) => mangle(name),
        Assignee::Tuple(targets) => {
            let targets: String =
                targets.iter().map(|target| written(target, attributes) + ", ").collect();
            format!("({targets})")
        }
        Assignee::Attribute(namespace, name) => {
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
