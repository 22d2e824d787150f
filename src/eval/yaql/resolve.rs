//! A name and arguments come in; the function that they fit is called. The functions of a
//! name differ by what they take: first by how many arguments and by constants, then, when
//! the arguments were evaluated, by their values.

use std::sync::Arc;

use super::ast::{Expression, ExpressionKind};
use super::call::{Argument, FunctionCall};
use super::engine::{CALL_FRAMES, Engine};
use super::env::{Env, number};
use super::evaluate::{Lambda, evaluate};
use super::iterable::limit;
use super::overload::{Overload, Parameter, ParameterType};
use super::show::show;
use crate::diagnostic::near;
use crate::eval::python::time::{DateTime, Zone};
use crate::eval::python::{Class, Exception, Object, Result, Str, Value};

/// An argument as it is written.
#[derive(Clone, Debug)]
pub enum UnboundArgument {
    /// It was left out.
    Gap,
    /// To be evaluated.
    Expression(Expression),
    /// Known.
    Value(Value),
}

/// What stands in a list where a member was left out: `[1,, 2]`.
#[derive(Debug)]
pub struct NoValue;

impl Object for NoValue {
    fn type_name(&self) -> &str {
        "MarkerClass"
    }

    fn display(&self) -> Result<String> {
        Ok("<NoValue>".to_owned())
    }
}

/// Whether a parameter takes an argument, as far as that is known.
pub fn takes(parameter: &Parameter, input: &UnboundArgument) -> bool {
    let value = match input {
        UnboundArgument::Gap => {
            return parameter.optional || parameter.kind == ParameterType::Any;
        }
        UnboundArgument::Value(value) => value,
        UnboundArgument::Expression(expression) => match parameter.kind {
            ParameterType::Lambda => return true,
            ParameterType::LazyMappingRule => {
                return matches!(expression.kind(), ExpressionKind::Mapping(..));
            }
            _ => match expression.constant() {
                Some(value) => return takes(parameter, &UnboundArgument::Value(value)),
                None => return true,
            },
        },
    };
    match value {
        Value::None => parameter.nullable,
        value => parameter.kind.accepts(value),
    }
}

/// A value as a function gets it.
///
/// # Errors
/// It is too large.
pub fn convert(engine: &Arc<Engine>, kind: ParameterType, value: Value) -> Result<Value> {
    engine.check_size(&value)?;
    match kind {
        ParameterType::Iterable | ParameterType::Ordered => limit(engine, &value),
        ParameterType::DateTime => Ok(match value.downcast::<DateTime>() {
            Some(time) if time.zone.is_none() => {
                Value::object(DateTime { zone: Some(Zone::utc()), ..time.clone() })
            }
            _ => value,
        }),
        _ => Ok(value),
    }
}

/// Calls the function of a name.
///
/// # Errors
/// There is none, none takes these arguments, or several do; what it raises.
pub fn call(
    engine: &Arc<Engine>,
    env: &Arc<Env>,
    name: &str,
    receiver: Option<Value>,
    inputs: Vec<UnboundArgument>,
    keywords: Vec<(Str, UnboundArgument)>,
) -> Result<Value> {
    engine.nested(CALL_FRAMES, || {
        let mut choice = Choice { engine, env, name, receiver, inputs, keywords };
        let value = choice.call()?;
        engine.check_size(&value)?;
        Ok(value)
    })
}

struct Choice<'a> {
    engine: &'a Arc<Engine>,
    env: &'a Arc<Env>,
    name: &'a str,
    receiver: Option<Value>,
    inputs: Vec<UnboundArgument>,
    keywords: Vec<(Str, UnboundArgument)>,
}

/// Where the arguments of a function come from.
struct Plan {
    overload: &'static Overload,
    /// For each parameter.
    slots: Vec<Slot>,
    /// The names that are no parameters.
    keywords: Vec<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Slot {
    /// It was left out.
    Absent,
    /// By position.
    Position(usize),
    /// By name.
    Name(usize),
}

impl Choice<'_> {
    fn call(&mut self) -> Result<Value> {
        let base = self.name.trim_end_matches('_');
        let on_receiver = self.receiver.is_some();
        let known = self.candidates();
        let defined = if on_receiver { None } else { self.env.function(base) };
        if known.is_empty() && defined.is_none() {
            return Err(self.unknown());
        }
        let rules = known.first().is_some_and(|overload| overload.takes_rules);
        if rules && defined.is_some() {
            return Err(self.ambiguous());
        }
        if let Some(receiver) = &self.receiver {
            self.inputs.insert(0, UnboundArgument::Value(receiver.clone()));
        }
        if !rules {
            self.split()?;
        }
        let mut plans: Vec<Plan> =
            known.into_iter().filter_map(|overload| self.plan(overload)).collect();
        let lazy = plans.first().map(|plan| self.lazy(plan)).unwrap_or_default();
        let same = |plan: &Plan| self.lazy(plan) == lazy;
        if !plans.iter().all(same) || defined.is_some() && lazy.contains(&true) {
            return Err(self.ambiguous());
        }
        if plans.is_empty() && defined.is_none() {
            return Err(self.unmatched());
        }
        self.evaluate(&lazy)?;
        if let Some((body, env)) = defined {
            return self.call_defined(body, &env);
        }
        plans.retain(|plan| self.fits(plan));
        let plan = self.narrowest(&plans)?;
        let call = self.bind(plan)?;
        (plan.overload.run)(&call)
    }

    /// Returns the overloads that can be called in this way.
    fn candidates(&self) -> Vec<&'static Overload> {
        let on_receiver = self.receiver.is_some();
        let named = self.env.library().named(self.name.trim_end_matches('_'));
        named.filter(|overload| overload.is_called(on_receiver)).collect()
    }

    /// Takes the arguments with names out of the others.
    fn split(&mut self) -> Result<()> {
        for input in std::mem::take(&mut self.inputs) {
            let UnboundArgument::Expression(rule) = &input else {
                self.inputs.push(input);
                continue;
            };
            let ExpressionKind::Mapping(source, destination) = rule.kind() else {
                self.inputs.push(input);
                continue;
            };
            let source = rule.sibling(*source);
            let ExpressionKind::Word(name) = source.kind() else {
                let message = "Cannot convert mapping to keyword argument";
                return Err(Exception::of_type(message));
            };
            let value = UnboundArgument::Expression(rule.sibling(*destination));
            match self.keywords.iter_mut().find(|(known, _)| known == name) {
                Some((_, known)) => *known = value,
                None => self.keywords.push((name.clone(), value)),
            }
        }
        Ok(())
    }

    /// Where the arguments of a function would come from; nothing if it cannot take them.
    fn plan(&self, overload: &'static Overload) -> Option<Plan> {
        let mut left: Vec<usize> = (0..self.keywords.len()).collect();
        let mut slots = Vec::with_capacity(overload.parameters.len());
        for (at, parameter) in overload.parameters.iter().enumerate() {
            let position = self
                .inputs
                .get(at)
                .is_some_and(|input| !matches!(input, UnboundArgument::Gap));
            let name =
                self.keywords.iter().position(|(name, _)| **name == *parameter.name);
            slots.push(match (position, name) {
                (true, Some(_)) => return None,
                (true, None) => Slot::Position(at),
                (false, Some(name)) => {
                    left.retain(|other| *other != name);
                    Slot::Name(name)
                }
                (false, None) if parameter.optional => Slot::Absent,
                (false, None) => return None,
            });
        }
        let more = self.inputs.get(slots.len()..).unwrap_or_default();
        let may_have_more = match overload.variadic {
            Some(parameter) => more.iter().all(|input| takes(&parameter, input)),
            None => more.is_empty(),
        };
        let plan = Plan { overload, slots, keywords: left };
        let taken = self.pairs(&plan).all(|(parameter, input)| takes(parameter, input));
        (may_have_more && taken && (overload.takes_keywords || plan.keywords.is_empty()))
            .then_some(plan)
    }

    /// The parameters that something was given for.
    fn pairs<'p>(
        &'p self,
        plan: &'p Plan,
    ) -> impl Iterator<Item = (&'p Parameter, &'p UnboundArgument)> {
        let pairs = plan.overload.parameters.iter().zip(&plan.slots);
        pairs.filter_map(|(parameter, slot)| Some((parameter, self.input(*slot)?)))
    }

    fn input(&self, slot: Slot) -> Option<&UnboundArgument> {
        match slot {
            Slot::Absent => None,
            Slot::Position(at) => self.inputs.get(at),
            Slot::Name(at) => self.keywords.get(at).map(|(_, input)| input),
        }
    }

    /// Which arguments a function evaluates itself: first those by position.
    fn lazy(&self, plan: &Plan) -> Vec<bool> {
        let count = self.inputs.len();
        let mut lazy = vec![false; count + self.keywords.len()];
        for (parameter, slot) in plan.overload.parameters.iter().zip(&plan.slots) {
            let place = match slot {
                Slot::Absent => None,
                Slot::Position(at) => Some(*at),
                Slot::Name(at) => Some(count + at),
            };
            if let Some(flag) = place.and_then(|at| lazy.get_mut(at)) {
                *flag = parameter.kind.is_lazy();
            }
        }
        if plan.overload.variadic.is_some_and(|parameter| parameter.kind.is_lazy()) {
            let more = lazy.iter_mut().take(count).skip(plan.slots.len());
            more.for_each(|flag| *flag = true);
        }
        lazy
    }

    fn evaluate(&mut self, lazy: &[bool]) -> Result<()> {
        let names = self.keywords.iter_mut().map(|(_, input)| input);
        let mut lazy = lazy.iter();
        for input in self.inputs.iter_mut().chain(names) {
            let is_lazy = lazy.next().copied().unwrap_or(false);
            if let (false, UnboundArgument::Expression(expression)) = (is_lazy, &*input) {
                *input =
                    UnboundArgument::Value(evaluate(self.engine, expression, self.env)?);
            }
        }
        Ok(())
    }

    fn call_defined(&mut self, body: Expression, env: &Arc<Env>) -> Result<Value> {
        let value = |input| match input {
            UnboundArgument::Value(value) => Some(value),
            UnboundArgument::Gap | UnboundArgument::Expression(_) => None,
        };
        let values = std::mem::take(&mut self.inputs).into_iter().filter_map(value);
        let mut names = number(values.collect());
        for (name, input) in std::mem::take(&mut self.keywords) {
            names.extend(value(input).map(|v| (Str::from(format!("${}", &*name)), v)));
        }
        let inner = Env::within(env, names);
        Lambda::new(self.engine, env, body).call_in(&inner)
    }

    /// Whether a function takes the arguments as they are now.
    fn fits(&self, plan: &Plan) -> bool {
        let more = self.inputs.get(plan.slots.len()..).unwrap_or_default();
        let more_fits = match &plan.overload.variadic {
            Some(parameter) => more.iter().all(|input| takes(parameter, input)),
            None => true,
        };
        more_fits && self.pairs(plan).all(|(parameter, input)| takes(parameter, input))
    }

    /// The function that takes the least beside these arguments.
    fn narrowest<'p>(&self, plans: &'p [Plan]) -> Result<&'p Plan> {
        let mut plans = plans.iter();
        let Some(mut best) = plans.next() else { return Err(self.unmatched()) };
        for plan in plans {
            if self.is_narrower(plan, best) {
                best = plan;
            } else if !self.is_narrower(best, plan) {
                return Err(self.ambiguous());
            }
        }
        Ok(best)
    }

    fn is_narrower(&self, a: &Plan, b: &Plan) -> bool {
        let kind = |plan: &Plan, at: usize| {
            let parameter = plan.overload.parameters.get(at).copied();
            parameter
                .or(plan.overload.variadic)
                .map_or(ParameterType::Any, |parameter| parameter.kind)
        };
        let kinds = (0..self.inputs.len()).map(|at| (kind(a, at), kind(b, at)));
        let kinds: Vec<_> = kinds.collect();
        kinds.iter().any(|(a, b)| a.is_narrower(*b))
            && !kinds.iter().any(|(a, b)| b.is_narrower(*a))
    }

    fn bind(&mut self, plan: &Plan) -> Result<FunctionCall> {
        let mut arguments = Vec::with_capacity(plan.slots.len());
        for (parameter, slot) in plan.overload.parameters.iter().zip(&plan.slots) {
            arguments.push(self.argument(parameter, self.input(*slot))?);
        }
        let mut more = Vec::new();
        if let Some(parameter) = &plan.overload.variadic {
            let inputs = self.inputs.get(plan.slots.len()..).unwrap_or_default();
            for input in inputs {
                more.push(match input {
                    UnboundArgument::Gap => Argument::Value(Value::object(NoValue)),
                    input => self.argument(parameter, Some(input))?,
                });
            }
        }
        let mut names = Vec::new();
        for (name, input) in plan.keywords.iter().filter_map(|at| self.keywords.get(*at))
        {
            if let UnboundArgument::Value(value) = input {
                names.push((
                    name.clone(),
                    convert(self.engine, ParameterType::Any, value.clone())?,
                ));
            }
        }
        let (engine, env) = (self.engine.clone(), self.env.clone());
        Ok(FunctionCall { engine, env, arguments, variadic: more, keywords: names })
    }

    fn argument(
        &self,
        parameter: &Parameter,
        input: Option<&UnboundArgument>,
    ) -> Result<Argument> {
        let lambda = |body| Lambda::new(self.engine, self.env, body);
        Ok(match (parameter.kind, input) {
            (_, None | Some(UnboundArgument::Gap)) => Argument::Absent,
            (ParameterType::LazyMappingRule, Some(UnboundArgument::Expression(rule))) => {
                match rule.kind() {
                    ExpressionKind::Mapping(from, to) => Argument::MappingRule(
                        lambda(rule.sibling(*from)),
                        lambda(rule.sibling(*to)),
                    ),
                    _ => Argument::Absent,
                }
            }
            (_, Some(UnboundArgument::Expression(body))) => {
                Argument::Lambda(lambda(body.clone()))
            }
            (ParameterType::Lambda, Some(UnboundArgument::Value(Value::None))) => {
                Argument::Absent
            }
            (ParameterType::Lambda, Some(UnboundArgument::Value(value))) => {
                let value = value.clone();
                Argument::Lambda(Lambda::constant(self.engine, self.env, value))
            }
            (kind, Some(UnboundArgument::Value(value))) => {
                Argument::Value(convert(self.engine, kind, value.clone())?)
            }
        })
    }

    fn unknown(&self) -> Box<Exception> {
        let message = match &self.receiver {
            None => format!("Unknown function \"{}\"", self.name),
            Some(receiver) => {
                format!(
                    "Unknown method \"{}\" for receiver {}",
                    self.name,
                    shown(receiver)
                )
            }
        };
        Exception::new(Class::Missing, message)
    }

    fn unmatched(&self) -> Box<Exception> {
        let raised = unmatched(self.name, self.receiver.as_ref());
        match self.likely_keyword() {
            Some(name) => raised.hint(format!("did you mean '{name}'?")),
            None => raised,
        }
    }

    /// Returns the parameter that an unknown keyword is likely to be a misspelling of.
    fn likely_keyword(&self) -> Option<&'static str> {
        let overloads = self.candidates();
        let parameters = || overloads.iter().flat_map(|overload| overload.parameters);
        let names = || parameters().map(|parameter| parameter.name);
        let unknown = self.keywords.iter().map(|(name, _)| &**name);
        unknown
            .filter(|name| !names().any(|known| known == *name))
            .find_map(|name| near(names(), name))
    }

    fn ambiguous(&self) -> Box<Exception> {
        let message = match &self.receiver {
            None => format!("Ambiguous function \"{}\"", self.name),
            Some(receiver) => {
                format!(
                    "Ambiguous method \"{}\" for receiver {}",
                    self.name,
                    shown(receiver)
                )
            }
        };
        Exception::new(Class::Attribute, message)
    }
}

/// There is no function of that name for these arguments.
pub fn unmatched(name: &str, receiver: Option<&Value>) -> Box<Exception> {
    let message = match receiver {
        None => format!("No function \"{name}\" matches supplied arguments"),
        Some(receiver) => format!(
            "No method \"{name}\" for receiver {} matches supplied arguments",
            shown(receiver)
        ),
    };
    Exception::new(Class::Attribute, message)
}

fn shown(receiver: &Value) -> String {
    show(receiver).unwrap_or_default()
}
