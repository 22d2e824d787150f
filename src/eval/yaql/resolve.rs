//! The resolution of calls: a name and arguments → a call of the overload that fits.
//!
//! Overloads are first filtered by the number of arguments and by constants, because that
//! decides which arguments are evaluated; then by the evaluated values. All binding of
//! arguments to parameters happens here.

use std::sync::Arc;

use crate::diagnostic::near;
use crate::eval::python::time::{DateTime, Zone};
use crate::eval::python::{Class, Exception, Result, Str, Value};

use super::call::{Argument, BoundCall};
use super::engine::{CALL_FRAMES, Engine};
use super::evaluate::{Env, Lambda, evaluate, number};
use super::iterable::limit;
use super::key::{fixed_text, show};
use super::overload::{Overload, OverloadParameter, YaqlType, type_name};
use super::parse::{Term, TermRef};

/// An argument before it is bound.
#[derive(Clone, Debug)]
pub enum RawArgument {
    Omitted,
    Expression(TermRef),
    Value(Value),
}

impl RawArgument {
    /// Returns the name of its type for people.
    fn type_name(&self) -> &'static str {
        match self {
            RawArgument::Omitted => "omitted",
            RawArgument::Value(value) => type_name(value),
            RawArgument::Expression(expression) => match expression.constant() {
                Some(value) => type_name(&value),
                None => "expression",
            },
        }
    }
}

/// Returns true if a parameter accepts an argument, as far as its value is known.
fn takes(parameter: &OverloadParameter, input: &RawArgument) -> bool {
    let value = match input {
        RawArgument::Omitted => {
            return parameter.optional || parameter.kind == YaqlType::Any;
        }
        RawArgument::Value(value) => value,
        RawArgument::Expression(expression) => match parameter.kind {
            YaqlType::Lambda => return true,
            YaqlType::LazyMappingRule => {
                return matches!(expression.term(), Term::Mapping(..));
            }
            _ => match expression.constant() {
                Some(value) => return takes(parameter, &RawArgument::Value(value)),
                None => return true,
            },
        },
    };
    match value {
        Value::None => parameter.nullable,
        value => parameter.kind.accepts(value),
    }
}

/// Converts a value to an argument. Fails with a limit error if it is too large.
pub fn convert(engine: &Arc<Engine>, kind: YaqlType, value: Value) -> Result<Value> {
    engine.check_size(&value)?;
    match kind {
        YaqlType::Iterable | YaqlType::Ordered => limit(engine, &value),
        YaqlType::DateTime => Ok(match value.downcast::<DateTime>() {
            // yaql adds UTC to every naive time it gets.
            Some(time) if time.zone.is_none() => {
                Value::object(DateTime { zone: Some(Zone::utc()), ..time.clone() })
            }
            _ => value,
        }),
        _ => Ok(value),
    }
}

/// Calls a function by its name. Raises an error if no overload fits, or more than one.
pub fn call(
    env: &Arc<Env>,
    name: &str,
    receiver: Option<Value>,
    positional: Vec<RawArgument>,
    keywords: Vec<(Str, RawArgument)>,
) -> Result<Value> {
    env.engine.nested(CALL_FRAMES, || {
        let count = positional.len();
        let inputs = positional.into_iter().map(|value| (None, value));
        let named = keywords.into_iter().map(|(name, value)| (Some(name), value));
        let inputs = inputs.chain(named).collect();
        let value = CallResolver { env, name, receiver, inputs, count }.call()?;
        env.engine.check_size(&value)?;
        Ok(value)
    })
}

/// Calls a function of the library with evaluated arguments.
pub fn call_function(env: &Arc<Env>, name: &str, values: &[Value]) -> Result<Value> {
    let inputs = values.iter().cloned().map(RawArgument::Value).collect();
    call(env, name, None, inputs, Vec::new())
}

/// A call that is being resolved.
struct CallResolver<'a> {
    env: &'a Arc<Env>,
    name: &'a str,
    receiver: Option<Value>,
    /// The arguments, with the names of those by name, which stand behind the others.
    inputs: Vec<(Option<Str>, RawArgument)>,
    /// Number of arguments by position.
    count: usize,
}

/// An assignment of arguments to the parameters of an overload.
struct Binding<'a> {
    overload: &'a Overload,
    /// The index of the argument for each parameter, if it is given, then for each argument
    /// that the variadic parameter takes.
    sources: Vec<(&'a OverloadParameter, Option<usize>)>,
    /// Indices of keyword arguments beyond the parameters.
    keywords: Vec<usize>,
}

impl Binding<'_> {
    /// Returns the type of the parameter that takes an argument.
    fn kind(&self, at: usize) -> YaqlType {
        self.sources.get(at).map_or(YaqlType::Any, |(parameter, _)| parameter.kind)
    }
}

impl<'a> CallResolver<'a> {
    fn call(&mut self) -> Result<Value> {
        // yaql ignores trailing underscores, which Python needs for names such as `and_`.
        let base = self.name.trim_end_matches('_');
        let on_receiver = self.receiver.is_some();
        let overloads = self.candidates();
        let defined = if on_receiver { None } else { self.env.function(base) };
        if overloads.is_empty() && defined.is_none() {
            return Err(self.unknown());
        }
        let rules = overloads.first().is_some_and(|one| one.function.takes_rules);
        // Rules and keyword arguments are written the same way.
        if rules && defined.is_some() {
            return Err(self.ambiguous());
        }
        if let Some(receiver) = self.receiver.clone() {
            self.inputs.insert(0, (None, RawArgument::Value(receiver)));
            self.count += 1;
        }
        if !rules {
            self.extract_keywords()?;
        }
        let mut bindings: Vec<Binding> =
            overloads.into_iter().filter_map(|overload| self.bind(overload)).collect();
        // An argument is evaluated once, so all candidates must agree on the lazy ones.
        let lazy = bindings.first().map(|binding| self.lazy(binding)).unwrap_or_default();
        let agree = bindings.iter().all(|binding| self.lazy(binding) == lazy);
        if !agree || defined.is_some() && lazy.contains(&true) {
            return Err(self.ambiguous());
        }
        if bindings.is_empty() && defined.is_none() {
            return Err(self.unmatched());
        }
        self.evaluate(&lazy)?;
        if let Some((body, env)) = defined {
            return self.call_defined(body, &env);
        }
        bindings.retain(|binding| self.fits(binding));
        let binding = self.narrowest(&bindings)?;
        (binding.overload.function.run)(&self.function_call(binding)?)
    }

    /// Returns the overloads that can be called with or without the receiver.
    fn candidates(&self) -> Vec<&'a Overload> {
        let on_receiver = self.receiver.is_some();
        let named = self.env.engine.library.named(self.name.trim_end_matches('_'));
        named.filter(|overload| overload.function.is_called(on_receiver)).collect()
    }

    /// Moves arguments that are written as `name => value` to those by name.
    fn extract_keywords(&mut self) -> Result<()> {
        let mut named = self.inputs.split_off(self.count);
        for (_, input) in std::mem::take(&mut self.inputs) {
            if let RawArgument::Expression(rule) = &input
                && let Term::Mapping(source, destination) = rule.term()
            {
                let source = rule.sibling(*source);
                let Term::Word(name) = source.term() else {
                    let message = "Cannot convert mapping to keyword argument";
                    return Err(Exception::of_type(message));
                };
                let value = RawArgument::Expression(rule.sibling(*destination));
                match named.iter_mut().find(|(known, _)| known.as_ref() == Some(name)) {
                    // The last of equal keywords counts.
                    Some((_, known)) => *known = value,
                    None => named.push((Some(name.clone()), value)),
                }
            } else {
                self.inputs.push((None, input));
            }
        }
        self.count = self.inputs.len();
        self.inputs.append(&mut named);
        Ok(())
    }

    /// Assigns arguments to the parameters of an overload; `None` if they cannot fit.
    fn bind(&self, overload: &'a Overload) -> Option<Binding<'a>> {
        let mut keywords: Vec<usize> = (self.count..self.inputs.len()).collect();
        let mut sources = Vec::with_capacity(overload.parameters.len());
        for (at, parameter) in overload.parameters.iter().enumerate() {
            let is_given = at < self.count
                && !matches!(self.inputs.get(at), Some((_, RawArgument::Omitted)));
            let named = self.inputs.iter().position(|(name, _)| {
                name.as_deref().is_some_and(|name| *name == *parameter.name)
            });
            let source = match (is_given, named) {
                // Given twice, by position and by name.
                (true, Some(_)) => return None,
                (true, None) => Some(at),
                (false, Some(name)) => {
                    keywords.retain(|other| *other != name);
                    Some(name)
                }
                (false, None) if parameter.optional => None,
                (false, None) => return None,
            };
            sources.push((parameter, source));
        }
        for at in sources.len()..self.count {
            sources.push((overload.variadic.as_ref()?, Some(at)));
        }
        let binding = Binding { overload, sources, keywords };
        let is_bound = overload.takes_keywords || binding.keywords.is_empty();
        (is_bound && self.fits(&binding)).then_some(binding)
    }

    /// Returns true if the parameters accept the arguments, as far as they are known.
    fn fits(&self, binding: &Binding) -> bool {
        let mut sources = binding.sources.iter();
        sources.all(|(parameter, source)| {
            self.input(*source).is_none_or(|input| takes(parameter, input))
        })
    }

    fn input(&self, at: Option<usize>) -> Option<&RawArgument> {
        self.inputs.get(at?).map(|(_, input)| input)
    }

    /// Returns which arguments stay unevaluated.
    fn lazy(&self, binding: &Binding) -> Vec<bool> {
        let mut lazy = vec![false; self.inputs.len()];
        for (parameter, source) in &binding.sources {
            if let Some(flag) = source.and_then(|at| lazy.get_mut(at)) {
                *flag = parameter.kind.is_lazy();
            }
        }
        lazy
    }

    fn evaluate(&mut self, lazy: &[bool]) -> Result<()> {
        for (at, (_, input)) in self.inputs.iter_mut().enumerate() {
            let is_lazy = lazy.get(at).copied().unwrap_or(false);
            if let (false, RawArgument::Expression(expression)) = (is_lazy, &*input) {
                *input = RawArgument::Value(evaluate(expression, self.env)?);
            }
        }
        Ok(())
    }

    fn call_defined(&mut self, body: TermRef, env: &Arc<Env>) -> Result<Value> {
        let mut values = Vec::new();
        let mut named = Vec::new();
        for (name, input) in std::mem::take(&mut self.inputs) {
            match (name, input) {
                (Some(name), RawArgument::Value(value)) => {
                    named.push((Str::from(format!("${}", &*name)), value));
                }
                (None, RawArgument::Value(value)) => values.push(value),
                _ => {}
            }
        }
        let names = number(values).into_iter().chain(named).collect();
        Lambda::new(env, body).call_in(&Env::within(env, names))
    }

    /// Returns the overload with the narrowest types.
    fn narrowest<'p>(&self, bindings: &'p [Binding<'a>]) -> Result<&'p Binding<'a>> {
        let mut bindings = bindings.iter();
        let Some(mut best) = bindings.next() else { return Err(self.unmatched()) };
        for binding in bindings {
            // The order must not matter: overloads that are not comparable are an error.
            if self.is_narrower(binding, best) {
                best = binding;
            } else if !self.is_narrower(best, binding) {
                return Err(self.ambiguous());
            }
        }
        Ok(best)
    }

    fn is_narrower(&self, a: &Binding, b: &Binding) -> bool {
        let mut places = 0..self.count;
        places.clone().any(|at| a.kind(at).is_narrower(b.kind(at)))
            && !places.any(|at| b.kind(at).is_narrower(a.kind(at)))
    }

    fn function_call(&self, binding: &Binding) -> Result<BoundCall> {
        let engine = &self.env.engine;
        let count = binding.overload.parameters.len();
        let mut arguments = Vec::with_capacity(binding.sources.len());
        for (at, (parameter, source)) in binding.sources.iter().enumerate() {
            arguments.push(match self.input(*source) {
                // The value of an omitted member of a list: `[1,, 2]`.
                Some(RawArgument::Omitted) if at >= count => {
                    Argument::Value(fixed_text("MarkerClass", "<NoValue>".to_owned()))
                }
                input => self.argument(parameter, input)?,
            });
        }
        let variadic = arguments.split_off(count);
        let mut keywords = Vec::new();
        for at in &binding.keywords {
            if let Some((Some(name), RawArgument::Value(value))) = self.inputs.get(*at) {
                let value = convert(engine, YaqlType::Any, value.clone())?;
                keywords.push((name.clone(), value));
            }
        }
        Ok(BoundCall { env: self.env.clone(), arguments, variadic, keywords })
    }

    fn argument(
        &self,
        parameter: &OverloadParameter,
        input: Option<&RawArgument>,
    ) -> Result<Argument> {
        Ok(match (parameter.kind, input) {
            (_, None | Some(RawArgument::Omitted)) => Argument::Absent,
            (_, Some(RawArgument::Expression(body))) => {
                Argument::Lambda(Lambda::new(self.env, body.clone()))
            }
            (YaqlType::Lambda, Some(RawArgument::Value(Value::None))) => Argument::Absent,
            (YaqlType::Lambda, Some(RawArgument::Value(value))) => {
                Argument::Lambda(Lambda::constant(self.env, value.clone()))
            }
            (kind, Some(RawArgument::Value(value))) => {
                Argument::Value(convert(&self.env.engine, kind, value.clone())?)
            }
        })
    }

    fn unknown(&self) -> Box<Exception> {
        let subject = subject(self.name, self.receiver.as_ref());
        Exception::new(Class::Missing, format!("Unknown {subject}"))
    }

    fn unmatched(&self) -> Box<Exception> {
        let raised = unmatched(self.name, self.receiver.as_ref());
        match self.likely_keyword() {
            Some(name) => raised.hint(format!("did you mean '{name}'?")),
            None => raised.hint(self.types()),
        }
    }

    /// Tells the types of the arguments.
    fn types(&self) -> String {
        let names: Vec<&str> = self.inputs.iter().map(|(_, it)| it.type_name()).collect();
        let what = match (self.receiver.is_some(), &*names) {
            (_, []) => return "there are no arguments".to_owned(),
            (true, [_]) => "the receiver is of the type",
            (true, _) => "the receiver and the arguments are of the types",
            (false, [_]) => "the argument is of the type",
            (false, _) => "the arguments are of the types",
        };
        format!("{what} {}", names.join(", "))
    }

    /// Returns the parameter that an unknown keyword is likely to be a misspelling of.
    fn likely_keyword(&self) -> Option<&'static str> {
        let parameters = self.candidates().into_iter().flat_map(|one| &one.parameters);
        let names: Vec<_> = parameters.map(|parameter| parameter.name).collect();
        let unknown = self.inputs.iter().filter_map(|(name, _)| name.as_deref());
        // A known name fits another overload, so its value is wrong, not its name.
        let mut unknown = unknown.filter(|name| !names.contains(name));
        unknown.find_map(|name| near(names.iter().copied(), name))
    }

    fn ambiguous(&self) -> Box<Exception> {
        let subject = subject(self.name, self.receiver.as_ref());
        Exception::new(Class::Attribute, format!("Ambiguous {subject}"))
    }
}

/// Returns the error for a call that no overload accepts.
pub fn unmatched(name: &str, receiver: Option<&Value>) -> Box<Exception> {
    let subject = subject(name, receiver);
    Exception::new(Class::Attribute, format!("No {subject} matches supplied arguments"))
}

/// Returns the name of a function, or of a method and its receiver, for an error message.
fn subject(name: &str, receiver: Option<&Value>) -> String {
    match receiver {
        None => format!("function \"{name}\""),
        Some(receiver) => {
            let receiver = show(receiver).unwrap_or_default();
            format!("method \"{name}\" for receiver {receiver}")
        }
    }
}
