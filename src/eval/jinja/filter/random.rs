//! Filters of chance: `random`, `shuffle`. With a seed they return what Python returns.

use super::parameter::{given, index, number, type_error};
use crate::eval::jinja::{CallSite, Plugin, PluginTable};
use crate::eval::python::random::Random;
use crate::eval::python::{self, Bound, Class, Exception, Result, Value, float_hash};

pub(super) const FILTERS: PluginTable = &[
    Plugin::new("random", "rand", &["end"], &["start", "step", "seed"], random),
    Plugin::new("shuffle", "randomize_list", &["mylist"], &["seed"], shuffle),
];

/// Returns the generator of a seed, or one that cannot be predicted.
pub(crate) fn generator(call: &CallSite<'_>, seed: Option<Value>) -> Result<Random> {
    if let Some(seed) = given(seed) { seeded(&seed) } else { call.scope.context.random() }
}

/// `Random(seed)`
fn seeded(seed: &Value) -> Result<Random> {
    Ok(match seed {
        Value::Str(text) => Random::of_text(text),
        Value::Bytes(bytes) => Random::of_bytes(bytes),
        // Python seeds with the hash of a float.
        Value::Float(x) => Random::of_integer(&float_hash(*x).into()),
        Value::Bool(_) | Value::Int(_) => Random::of_integer(&index(seed)?.into()),
        Value::Big(x) => Random::of_integer(x),
        _ => {
            let message = "The only supported seed types are: None, int, float, str, bytes, \
                           and bytearray.";
            return type_error(message);
        }
    })
}

fn random(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([end], [start, step, seed]) = arguments.split();
    let start = truthy(start)?;
    let step = truthy(step)?;
    match &end {
        Value::Bool(_) | Value::Int(_) => {
            let start = number(start, 0)?;
            let step = number(step, 1)?;
            generator(call, seed)?.range(start, index(&end)?, step).map(Value::Int)
        }
        // A float that is a whole number is refused, too, as in Ansible.
        Value::None | Value::Float(_) | Value::Big(_) => Err(refuse()),
        _ if start.is_some() || step.is_some() => {
            type_error("start and step can only be used with integer values")
        }
        Value::Dict(dict) => {
            // Python draws an index and looks it up as a key.
            let places: Vec<i64> = (0..dict.len() as i64).collect();
            let at = *generator(call, seed)?.choice(&places).ok_or_else(empty)?;
            python::item(&end, &Value::Int(at))
        }
        sequence => {
            let members = python::iterate(sequence).map_err(|_| refuse())?;
            call.scope.context.spend(members.len() as u64)?;
            generator(call, seed)?.choice(&members).cloned().ok_or_else(empty)
        }
    }
}

/// Steps that shuffling a member takes.
// A random number is drawn for it, and two members change places far apart: without this,
// the default fuel lasted five times as long as it should.
const SHUFFLE_STEPS: u64 = 5;

/// Returns an argument unless it is false, which Ansible treats as not given.
fn truthy(value: Option<Value>) -> Result<Option<Value>> {
    let Some(value) = value else { return Ok(None) };
    Ok(python::truth(&value)?.then_some(value))
}

fn empty() -> Box<Exception> {
    Exception::new(Class::Index, "Cannot choose from an empty sequence")
}

fn refuse() -> Box<Exception> {
    Exception::of_type("random can only be used on sequences and integers")
}

fn shuffle(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [seed]) = arguments.split();
    let Ok(mut members) = python::iterate(&value) else { return Ok(value) };
    call.scope.context.spend(SHUFFLE_STEPS.saturating_mul(members.len() as u64))?;
    generator(call, truthy(seed)?)?.shuffle(&mut members);
    Ok(Value::list(members))
}
