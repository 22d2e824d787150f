//! Evaluates expressions as Python does. An exception in a call becomes an undefined
//! value, which operators raise.

use std::sync::Arc;

use crate::eval::jinja::filter::parameter::type_error;
use crate::eval::python::{
    self, Arguments, Dict, Exception, Key, Result, Stamp, Str, Value, with_members_raised,
};
use crate::eval::{LookupKind, Scope, Strict, secret};

use super::access::{BITWISE, attribute, item};
use super::ast::{CallArguments, Expr, ExprKind, Relation, Statement};
use super::filter::html::{self, as_markup};
use super::lookup::home;
use super::loop_context::{self, LoopContext};
use super::plugin::{FunctionValue, PluginKind, Registry};
use super::rewrite::ESCAPES;
use super::syntax::TemplateRules;
use super::undefined::{
    NoBranch, Omit, Undefined, caught, conceal, defined, naming, refuse, undefined_at,
};
use super::value::MacroValue;

pub(super) struct Evaluator<'e> {
    pub(super) scope: &'e Scope,
    pub(super) registry: &'static Registry,
    pub(super) rules: TemplateRules,
    /// The place in the machine, if minijinja runs the template.
    pub(super) frame: Option<&'e mut dyn Frame>,
    /// True if variables are hidden (`without context`).
    pub(super) isolated: bool,
    pub(super) file: Option<Arc<str>>,
}

/// The place of an expression in a template that minijinja runs.
pub(super) trait Frame {
    /// Returns the value of a name that the template sets.
    fn local(&self, name: &str) -> Option<Value>;
    /// Returns true if the template sets the name later and hides the variable till then.
    fn hides(&self, name: &str) -> bool;
    /// Returns the value of an operand that the machine has evaluated.
    fn handed(&self, operand: &Expr) -> Option<Value>;
    /// Returns the text of the block that is filtered.
    fn block(&self) -> Option<Value>;
    fn call_macro(&mut self, callee: &MacroValue, arguments: Arguments) -> Result<Value>;
    /// Pulls the items that an attribute of `loop` depends on.
    fn look_ahead(&mut self, of: &LoopContext, attribute: &str) -> Result<()>;
}

impl Evaluator<'_> {
    pub(super) fn eval(&mut self, expr: &Expr) -> Result<Value> {
        self.scope.context.step()?;
        let handed = self.frame.as_ref().and_then(|frame| frame.handed(expr));
        let value = handed.map_or_else(|| self.kind(expr), Ok);
        let file = self.file.as_ref();
        let at = |exception: Box<Exception>| {
            let place = unloaded(expr, &exception).unwrap_or(expr.at);
            exception.at_in(place, file)
        };
        Ok(undefined_at(value.map_err(at)?, at))
    }

    pub(super) fn print(
        &mut self,
        body: &[Statement],
        nodes: &mut Vec<Value>,
    ) -> Result<()> {
        for statement in body {
            match statement {
                Statement::Print(expr) => nodes.push(self.eval(expr)?),
                Statement::Text(text) => nodes.push(Value::text(text.clone())),
                Statement::If(branches, otherwise) => {
                    let mut body = otherwise;
                    for (test, branch) in branches {
                        if self.truth(test)? {
                            body = branch;
                            break;
                        }
                    }
                    self.print(body, nodes)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn kind(&mut self, expr: &Expr) -> Result<Value> {
        match &expr.kind {
            ExprKind::Const(value) => Ok(value.clone()),
            ExprKind::Name(name) => self.name(name, expr),
            ExprKind::List(items) => Ok(Value::list(self.all(items)?)),
            ExprKind::Tuple(items) => Ok(Value::tuple(self.all(items)?)),
            ExprKind::Dict(entries) => self.dict(entries),
            ExprKind::Negative(x) => python::negative(&self.operand(x)?),
            ExprKind::Positive(x) => python::positive(&self.operand(x)?),
            ExprKind::Not(x) => Ok(Value::Bool(!self.truth(x)?)),
            ExprKind::Binary(operator, both) => {
                let left = self.eval(&both[0])?;
                let right = self.eval(&both[1])?;
                let left = defined(left)?;
                let right = defined(right)?;
                self.made(python::binary(*operator, &left, &right), &[&left, &right])
            }
            ExprKind::Compare(first, others) => self.compare(first, others),
            ExprKind::And(both) => self.either(both, false),
            ExprKind::Or(both) => self.either(both, true),
            ExprKind::Concat(parts) => self.concat(parts),
            ExprKind::Condition(both, otherwise) => {
                match (self.truth(&both[0])?, otherwise) {
                    (true, _) => self.eval(&both[1]),
                    (false, Some(otherwise)) => self.eval(otherwise),
                    (false, None) => Ok(Value::object(NoBranch)),
                }
            }
            ExprKind::Attribute(value, name) => {
                let value = self.eval(value)?;
                self.attribute(&value, name)
            }
            ExprKind::Item(both) => {
                let value = self.eval(&both[0])?;
                let key = self.eval(&both[1])?;
                // Raised, not returned: `default` does not replace an undefined key.
                if value.downcast::<Undefined>().is_none() {
                    defined(key.clone())?;
                }
                let found = conceal(item(&value, &key)?, &[&key], &self.scope.context);
                Ok(match &both[1].kind {
                    ExprKind::Const(Value::Str(key)) => naming(found, member_parts(key)),
                    _ => found,
                })
            }
            ExprKind::Slice(value, bounds) => self.slice(value, bounds),
            ExprKind::Call(callee, given) => self.call(callee, given),
            ExprKind::Filter(value, name, given) => {
                self.filter(value.as_deref(), name, given)
            }
            ExprKind::Test(value, name, given) => self.test(value, name, given),
        }
    }

    fn all(&mut self, exprs: &[Expr]) -> Result<Vec<Value>> {
        exprs.iter().map(|expr| self.eval(expr)).collect()
    }

    /// Evaluates an operand. An undefined value is raised.
    fn operand(&mut self, expr: &Expr) -> Result<Value> {
        defined(self.eval(expr)?)
    }

    pub(super) fn truth(&mut self, expr: &Expr) -> Result<bool> {
        python::truth(&self.eval(expr)?)
    }

    fn name(&mut self, name: &Arc<str>, expr: &Expr) -> Result<Value> {
        if let Some(local) = self.frame.as_ref().and_then(|frame| frame.local(name)) {
            return Ok(local);
        }
        let hidden = self.frame.as_ref().is_some_and(|frame| frame.hides(name));
        if !hidden && let Some(global) = self.global(name)? {
            return Ok(global);
        }
        let missing = Undefined::missing_name(name).at_in(expr.at, self.file.as_ref());
        Ok(match self.scope.strict {
            Strict::Lenient => Undefined::shown(missing, format!("{{{{ {name} }}}}")),
            _ => Undefined::of(missing),
        })
    }

    /// Returns the value of a name that the template does not set.
    fn global(&self, name: &str) -> Result<Option<Value>> {
        if !self.isolated {
            match self.scope.names.get(name) {
                Ok(None) => {}
                found => {
                    return caught(found.map(|v| v.unwrap_or(Value::None))).map(Some);
                }
            }
            if let Some(lent) =
                self.scope.look_up(LookupKind::Variable, name, &Arguments::default())
            {
                return caught(lent).map(Some);
            }
            if name == "SELF" {
                return Ok(Some(self.scope.here.clone()));
            }
        }
        if name == "omit" {
            return Ok(Some(Value::object(Omit)));
        }
        if name == "playbook_dir" {
            let home = home(&self.scope.context);
            return Ok(Some(Value::text(home.display().to_string())));
        }
        let plugin = self.registry.find(PluginKind::Function, name);
        Ok(plugin.map(|plugin| {
            let scope = self.scope.clone();
            Value::object(FunctionValue { plugin, scope, registry: self.registry })
        }))
    }

    fn dict(&mut self, entries: &[(Expr, Expr)]) -> Result<Value> {
        let dict = Dict::default();
        for (key, value) in entries {
            dict.set(Key::new(self.operand(key)?)?, self.eval(value)?);
        }
        Ok(Value::Dict(dict))
    }

    fn compare(&mut self, first: &Expr, others: &[(Relation, Expr)]) -> Result<Value> {
        let mut left = self.eval(first)?;
        for (relation, other) in others {
            // `undefined in []` is false in Ansible: `in` gets the undefined value as it is.
            if !matches!(relation, Relation::In | Relation::NotIn) {
                left = defined(left)?;
            }
            let right = self.operand(other)?;
            let holds = match relation {
                Relation::Equal => python::equal(&left, &right)?,
                Relation::Unequal => !python::equal(&left, &right)?,
                Relation::Order(comparison) => python::order(*comparison, &left, &right)?,
                Relation::In => python::contains(&right, &left)?,
                Relation::NotIn => !python::contains(&right, &left)?,
            };
            if !holds {
                return Ok(Value::Bool(false));
            }
            left = right;
        }
        Ok(Value::Bool(true))
    }

    fn either(&mut self, both: &[Expr; 2], until: bool) -> Result<Value> {
        let first = self.eval(&both[0])?;
        if python::truth(&first)? == until { Ok(first) } else { self.eval(&both[1]) }
    }

    /// Returns true within `{% autoescape true %}`.
    fn escapes(&self) -> bool {
        let on = self.frame.as_ref().and_then(|frame| frame.local(ESCAPES));
        matches!(on, Some(Value::Bool(true)))
    }

    fn concat(&mut self, parts: &[Expr]) -> Result<Value> {
        let parts = self.all(parts)?;
        let escapes = parts.iter().any(html::is_markup) && self.escapes();
        let join = || {
            if escapes {
                return html::joined(&parts, "");
            }
            let mut text = String::new();
            for part in &parts {
                text += &python::str(part)?;
                python::limit_bytes(text.len())?;
            }
            Ok(Value::text(text))
        };
        self.made(join(), &parts.iter().collect::<Vec<_>>())
    }

    fn slice(&mut self, value: &Expr, bounds: &[Option<Box<Expr>>; 3]) -> Result<Value> {
        let value = self.eval(value)?;
        let mut evaluated = [Value::None, Value::None, Value::None];
        for (slot, bound) in evaluated.iter_mut().zip(bounds) {
            if let Some(bound) = bound {
                *slot = self.eval(bound)?;
            }
        }
        if value.downcast::<Undefined>().is_some() {
            return Ok(value);
        }
        for bound in &evaluated {
            defined(bound.clone())?;
        }
        let [start, stop, step] = &evaluated;
        self.made(python::slice(&value, start, stop, step), &[&value])
    }

    /// Returns an attribute. One of `loop` may need the machine to pull the next item.
    fn attribute(&mut self, value: &Value, name: &str) -> Result<Value> {
        if let (Some(of), Some(frame)) =
            (value.downcast::<LoopContext>(), &mut self.frame)
        {
            frame.look_ahead(of, name)?;
        }
        Ok(naming(attribute(value, name)?, member_parts(name)))
    }

    fn call(&mut self, callee: &Expr, given: &CallArguments) -> Result<Value> {
        if let ExprKind::Attribute(value, name) = &callee.kind {
            let value = self.eval(value)?;
            if let Some((_, sign)) = BITWISE.iter().find(|(known, _)| *known == &**name) {
                let other = self.arguments(None, given)?.positional.into_iter().next();
                let other = other.unwrap_or(Value::None);
                return caught(python::bitwise(sign, &value, &other));
            }
            let method = naming(attribute(&value, name)?, member_parts(name));
            return self.invoke(&method, Some(&value), given);
        }
        let callee = self.eval(callee)?;
        self.invoke(&callee, None, given)
    }

    fn invoke(
        &mut self,
        callee: &Value,
        of: Option<&Value>,
        given: &CallArguments,
    ) -> Result<Value> {
        if callee.downcast::<Undefined>().is_some() {
            return Ok(callee.clone());
        }
        let arguments = self.arguments(None, given)?;
        if let Some(called) = callee.downcast::<MacroValue>() {
            let from = arguments.clone();
            let made = match &mut self.frame {
                Some(frame) => frame.call_macro(called, arguments),
                None => type_error("the template that defined it is done"),
            };
            let made = caught(secret::keep_call(made, &from, &self.scope.context))?;
            return Ok(if self.escapes() { as_markup(made) } else { made });
        }
        if callee.downcast::<loop_context::LoopMethod>().is_none()
            && callee
                .downcast::<FunctionValue>()
                .is_none_or(|function| !function.plugin.accepts_undefined)
            && let Err(exception) = refuse(&arguments)
        {
            return Ok(Undefined::of(exception));
        }
        let run =
            |arguments| with_members_raised(true, || python::call(callee, arguments));
        if !self.scope.context.has_secrets() {
            return caught(run(arguments));
        }
        let from = arguments.clone();
        // A method of a container returns members, which carry their own marks.
        let of = of.filter(|of| !matches!(of, Value::List(_) | Value::Dict(_)));
        let from: Vec<&Value> = from.values().into_iter().chain(of).collect();
        caught(self.made(run(arguments), &from))
    }

    /// Marks a result as made of some values, which may be secret.
    fn made(&self, made: Result<Value>, from: &[&Value]) -> Result<Value> {
        let context = &self.scope.context;
        Ok(conceal(secret::keep(made, from, context)?, from, context))
    }

    fn arguments(
        &mut self,
        first: Option<Value>,
        given: &CallArguments,
    ) -> Result<Arguments> {
        let mut arguments = Arguments::of(first);
        for expr in &given.positional {
            arguments.positional.push(self.eval(expr)?);
        }
        for (name, expr) in &given.keywords {
            arguments.keywords.push((name.clone(), self.eval(expr)?));
        }
        if let Some(star) = &given.star {
            arguments.positional.extend(python::iterate(&self.operand(star)?)?);
        }
        if let Some(stars) = &given.stars {
            let Value::Dict(more) = self.operand(stars)? else {
                return type_error("argument after ** must be a mapping");
            };
            for (key, value) in more.entries()? {
                let Value::Str(name) = key.value() else {
                    return type_error("keywords must be strings");
                };
                if arguments.keywords.iter().any(|(known, _)| **known == **name) {
                    let name = &**name;
                    let what =
                        format!("got multiple values for keyword argument '{name}'");
                    return type_error(what);
                }
                arguments.keywords.push((name.clone(), value));
            }
        }
        Ok(arguments)
    }

    fn filter(
        &mut self,
        value: Option<&Expr>,
        name: &str,
        given: &CallArguments,
    ) -> Result<Value> {
        let input = match value {
            Some(value) => self.eval(value)?,
            None => {
                let block = self.frame.as_ref().and_then(|frame| frame.block());
                let block = block.unwrap_or(Value::None);
                if self.escapes() { as_markup(block) } else { block }
            }
        };
        let arguments = self.arguments(Some(input), given)?;
        let is_own = self.registry.find(PluginKind::Filter, name).is_some();
        // By the older rules, filters of other languages hide those of Jinja.
        if !is_own || self.rules.older {
            let lent = refuse(&arguments)
                .map(|()| self.scope.look_up(LookupKind::Filter, name, &arguments));
            match lent {
                Ok(Some(lent)) => return caught(lent),
                Err(exception) if !is_own => return Ok(Undefined::of(exception)),
                _ => {}
            }
        }
        let value = self.registry.filter(self.scope, name, arguments, self.escapes())?;
        Ok(match value {
            Value::Str(text) if self.rules.keeps_text_of(name) => {
                let stamp = Stamp { quoted: true, ..text.stamp() };
                Value::Str(Str::stamped(text.shared(), stamp))
            }
            value => value,
        })
    }

    fn test(&mut self, value: &Expr, name: &str, given: &CallArguments) -> Result<Value> {
        let input = self.eval(value)?;
        let arguments = self.arguments(Some(input), given)?;
        caught(self.registry.test(self.scope, name, arguments).map(Value::Bool))
    }
}

/// Returns the parts of messages that name a member which the source names.
fn member_parts(name: &str) -> impl Iterator<Item = String> {
    ["has no attribute", "access to attribute"]
        .into_iter()
        .map(move |what| format!("{what} '{name}'"))
}

/// Returns the position of an argument of `map` or `select` that names a missing plugin.
fn unloaded(expr: &Expr, exception: &Exception) -> Option<(u32, u32)> {
    let ExprKind::Filter(_, _, given) = &expr.kind else { return None };
    let name = exception.message.strip_prefix("Could not load \"")?;
    let (name, _) = name.split_once('"')?;
    let (line, column) = given.positional.iter().find_map(|given| match &given.kind {
        ExprKind::Const(Value::Str(text)) if **text == *name => Some(given.at),
        _ => None,
    })?;
    Some((line, column + 1))
}
