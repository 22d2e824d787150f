//! The evaluation of expressions, in scopes of names, called "context" in yaql. Inner scopes
//! see the names of outer ones.

use std::sync::Arc;

use crate::eval::python::{
    Class, Dict, Exception, Object, Result, Str, Value, discard, repr, truth,
};

use super::engine::{CALL_FRAMES, Engine};
use super::iterable::{OnceIterator, Stream, is_iterable, keep, stream};
use super::overload::YaqlType;
use super::parse::{Term, TermId, TermRef};
use super::resolve::{self, RawArgument, convert, unmatched};

/// An evaluated mapping rule `source => destination`.
#[derive(Debug)]
pub struct MappingRule(pub Value, pub Value);

impl Object for MappingRule {
    fn type_name(&self) -> &str {
        "MappingRule"
    }
}

/// Evaluates an expression. Fails with the error of a function or a limit error, which has
/// the place of the innermost call.
pub fn evaluate(expression: &TermRef, env: &Arc<Env>) -> Result<Value> {
    value(expression, env).map_err(|raised| expression.place(raised))
}

fn value(expression: &TermRef, env: &Arc<Env>) -> Result<Value> {
    let engine = &env.engine;
    match expression.term() {
        Term::Constant(value) => Ok(value.clone()),
        Term::Word(word) => Ok(Value::Str(word.clone())),
        Term::Variable(name) => {
            let value = env.get(name);
            engine.check_size(&value)?;
            Ok(value)
        }
        Term::Group(inner) => {
            engine.nested(2, || evaluate(&expression.sibling(*inner), env))
        }
        Term::Call(name, arguments) => {
            let made =
                resolve::call(env, name, None, inputs(expression, arguments), vec![]);
            made.map_err(|raised| raised.naming(format!("function \"{}\"", &**name)))
        }
        // Not a function of the table: the right side is evaluated in another scope.
        Term::Operation("#operator_->", sides) => send(expression, sides, env),
        Term::Operation(name, arguments) => {
            resolve::call(env, name, None, inputs(expression, arguments), vec![])
        }
        Term::Member(left, right, lenient) => engine.nested(CALL_FRAMES, || {
            let selector = expression.sibling(*right);
            // Checked before the receiver is evaluated, as in yaql.
            if !*lenient && !matches!(selector.term(), Term::Call(..) | Term::Word(_)) {
                return Err(unmatched("#operator_.", None));
            }
            let receiver = evaluate(&expression.sibling(*left), env)?;
            match (lenient, &receiver) {
                (true, Value::None) => Ok(Value::None),
                _ => member(receiver, &selector, env)
                    .map_err(|raised| selector.place(raised)),
            }
        }),
        Term::Mapping(from, to) => {
            let from = evaluate(&expression.sibling(*from), env)?;
            let to = evaluate(&expression.sibling(*to), env)?;
            Ok(Value::object(MappingRule(from, to)))
        }
        Term::Omitted => Err(unmatched("#list", None)),
    }
}

/// Evaluates the right side of `.`: a method call, a key or a property.
fn member(receiver: Value, member: &TermRef, env: &Arc<Env>) -> Result<Value> {
    env.engine.check_size(&receiver)?;
    match member.term() {
        Term::Call(name, arguments) => {
            let inputs = inputs(member, arguments);
            let made = resolve::call(env, name, Some(receiver), inputs, vec![]);
            made.map_err(|raised| raised.naming(format!("method \"{}\"", &**name)))
        }
        Term::Word(name) => property(&receiver, name, env),
        _ => Err(unmatched("#operator_.", None)),
    }
}

/// Returns Python's `KeyError`, which is the key alone, with a hint that says more.
pub(super) fn missing_key(name: &Value, entries: &Dict) -> Result<Box<Exception>> {
    let keys = entries.keys();
    let keys: Vec<&str> = keys.iter().filter_map(Value::as_str).collect();
    let raised = Exception::new(Class::Key, repr(name)?);
    let raised = match name.as_str() {
        Some(name) => raised.did_you_mean(keys, name),
        None => raised,
    };
    Ok(raised.or_hint("the mapping has no such key; `get(key, default)` allows it"))
}

/// Returns the value of a key; for a collection an iterator over the value of each
/// member; otherwise a property.
fn property(of: &Value, name: &Str, env: &Arc<Env>) -> Result<Value> {
    let engine = &env.engine;
    let value = match of {
        Value::Dict(entries) => match entries.get_text(name)? {
            Some(value) => value,
            None => return Err(missing_key(&Value::Str(name.clone()), entries)?),
        },
        collection if is_iterable(collection) => {
            let members = convert(engine, YaqlType::Iterable, collection.clone())?;
            let env = env.clone();
            let name = name.clone();
            let values = stream(&members)?.map(move |member| {
                let member = member?;
                env.engine.nested(CALL_FRAMES, || property(&member, &name, &env))
            });
            OnceIterator::value(engine, Stream::new(values))
        }
        other => {
            let of = RawArgument::Value(other.clone());
            resolve::call(env, &format!("#property#{}", &**name), None, vec![of], vec![])?
        }
    };
    engine.check_size(&value)?;
    Ok(value)
}

/// Evaluates `context -> value`.
fn send(whole: &TermRef, sides: &[TermId], env: &Arc<Env>) -> Result<Value> {
    let [left, right] = sides else { return Err(unmatched("#operator_->", None)) };
    env.engine.nested(CALL_FRAMES + 2, || {
        let left = evaluate(&whole.sibling(*left), env)?;
        let Some(ContextValue(inner)) = left.downcast() else {
            return Err(unmatched("#operator_->", None));
        };
        let value = evaluate(&whole.sibling(*right), inner)?;
        env.engine.check_size(&value)?;
        Ok(value)
    })
}

/// An argument that its function evaluates, with the scope it was written in.
#[derive(Clone, Debug)]
pub struct Lambda {
    pub env: Arc<Env>,
    body: LambdaBody,
}

#[derive(Clone, Debug)]
enum LambdaBody {
    Expression(TermRef),
    /// A value that was passed where an expression is expected.
    Value(Value),
}

impl Lambda {
    pub fn new(env: &Arc<Env>, body: TermRef) -> Lambda {
        Lambda { env: env.clone(), body: LambdaBody::Expression(body) }
    }

    pub fn constant(env: &Arc<Env>, value: Value) -> Lambda {
        Lambda { env: env.clone(), body: LambdaBody::Value(value) }
    }

    /// Returns the expression; `None` for a constant.
    pub fn expression(&self) -> Option<&TermRef> {
        match &self.body {
            LambdaBody::Expression(body) => Some(body),
            LambdaBody::Value(_) => None,
        }
    }

    /// Returns both sides of an expression `source => destination`.
    pub fn sides(&self) -> Option<[Lambda; 2]> {
        let rule = self.expression()?;
        let Term::Mapping(from, to) = rule.term() else { return None };
        Some([from, to].map(|side| Lambda::new(&self.env, rule.sibling(*side))))
    }

    /// Evaluates the expression with values as `$1`, `$2`, …
    pub fn call(&self, values: impl Into<Vec<Value>>) -> Result<Value> {
        let values = values.into();
        // Without values `$1` stays that of the outer scope.
        if values.is_empty() {
            self.call_in(&self.env)
        } else {
            self.call_in(&Env::within(&self.env, number(values)))
        }
    }

    pub fn call_in(&self, env: &Arc<Env>) -> Result<Value> {
        match &self.body {
            LambdaBody::Expression(body) => env.engine.nested(2, || evaluate(body, env)),
            LambdaBody::Value(value) => Ok(value.clone()),
        }
    }

    pub fn holds(&self, values: impl Into<Vec<Value>>) -> Result<bool> {
        truth(&self.call(values)?)
    }

    /// Returns a member that the expression holds for, or the error of either.
    pub fn keep(&self, member: Result<Value>) -> Option<Result<Value>> {
        keep(member, |member| self.holds([member.clone()]))
    }
}

fn inputs(of: &TermRef, arguments: &[TermId]) -> Vec<RawArgument> {
    let input = |id: &TermId| {
        let argument = of.sibling(*id);
        match argument.term() {
            Term::Omitted => RawArgument::Omitted,
            _ => RawArgument::Expression(argument),
        }
    };
    arguments.iter().map(input).collect()
}

/// A scope with its names and at most one defined function.
#[derive(Debug)]
pub struct Env {
    /// The evaluation that the scope belongs to.
    pub engine: Arc<Engine>,
    outer: Option<Arc<Env>>,
    // A list, not a map: most scopes have one or two names.
    names: Vec<(Str, Value)>,
    function: Option<(String, TermRef)>,
}

/// A scope as a value, as `let` returns it.
#[derive(Debug)]
pub struct ContextValue(pub Arc<Env>);

impl Env {
    /// Returns the outermost scope.
    pub fn new(engine: Engine, names: Vec<(Str, Value)>) -> Env {
        Env { engine: Arc::new(engine), outer: None, names, function: None }
    }

    /// Returns a scope within another. The last of equal names counts.
    pub fn within(outer: &Arc<Env>, names: Vec<(Str, Value)>) -> Arc<Env> {
        let engine = outer.engine.clone();
        Arc::new(Env { engine, outer: Some(outer.clone()), names, function: None })
    }

    /// Returns a scope with a function within another.
    pub fn defining(outer: &Arc<Env>, name: String, body: TermRef) -> Arc<Env> {
        let engine = outer.engine.clone();
        let function = Some((name, body));
        Arc::new(Env { engine, outer: Some(outer.clone()), names: Vec::new(), function })
    }

    /// Returns the value of a name; null if it is unknown.
    pub fn get(&self, name: &str) -> Value {
        let mut level = Some(self);
        while let Some(env) = level {
            let mut names = env.names.iter().rev();
            if let Some((_, value)) = names.find(|(known, _)| **known == *name) {
                return value.clone();
            }
            level = env.outer.as_deref();
        }
        Value::None
    }

    /// Returns a defined function and the scope of its definition.
    pub fn function(self: &Arc<Env>, name: &str) -> Option<(TermRef, Arc<Env>)> {
        let mut level = Some(self);
        while let Some(env) = level {
            match &env.function {
                Some((known, body)) if known == name => {
                    return Some((body.clone(), env.clone()));
                }
                _ => level = env.outer.as_ref(),
            }
        }
        None
    }
}

/// Names values `$1`, `$2`, …
pub fn number(values: Vec<Value>) -> Vec<(Str, Value)> {
    let numbered = values.into_iter().enumerate();
    numbered.map(|(at, value)| (Str::from(format!("${}", at + 1)), value)).collect()
}

impl Drop for Env {
    fn drop(&mut self) {
        // A long chain of scopes would overflow the stack when it is dropped recursively.
        discard((self.outer.take(), std::mem::take(&mut self.names)));
    }
}

impl Object for ContextValue {
    fn type_name(&self) -> &str {
        "Context"
    }
}
