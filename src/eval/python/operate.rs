//! The arithmetic operators and `in`.

use super::number::{self, Number};
use super::{
    Exception, Result, Set, Str, Value, View, equal, iterate, limit, limit_bytes,
    limit_members, printf, text,
};

/// A binary arithmetic operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    Add,
    Sub,
    Mul,
    Div,
    FloorDiv,
    Mod,
    Pow,
}

impl Operator {
    pub fn sign(self) -> &'static str {
        match self {
            Operator::Add => "+",
            Operator::Sub => "-",
            Operator::Mul => "*",
            Operator::Div => "/",
            Operator::FloorDiv => "//",
            Operator::Mod => "%",
            Operator::Pow => "**",
        }
    }
}

pub fn add(a: &Value, b: &Value) -> Result<Value> {
    binary(Operator::Add, a, b)
}

pub fn sub(a: &Value, b: &Value) -> Result<Value> {
    binary(Operator::Sub, a, b)
}

pub fn mul(a: &Value, b: &Value) -> Result<Value> {
    binary(Operator::Mul, a, b)
}

/// Applies a binary operator. Raises a `TypeError` for types without the operation.
pub fn binary(operator: Operator, a: &Value, b: &Value) -> Result<Value> {
    let a = &a.force()?;
    let b = &b.force()?;
    if let (Some(a), Some(b)) = (Number::of(a), Number::of(b)) {
        return number::calculate(operator, &a, &b);
    }
    if let Value::Object(object) = a
        && let Some(value) = object.binary(operator, b, false)?
    {
        return Ok(value);
    }
    if let Value::Object(object) = b
        && let Some(value) = object.binary(operator, a, true)?
    {
        return Ok(value);
    }
    let value = match operator {
        Operator::Add => concatenate(a, b)?,
        Operator::Mul => match repeat(a, b)? {
            None => repeat(b, a)?,
            some => some,
        },
        Operator::Sub => match (a, b) {
            (Value::Set(a), Value::Set(b)) => Some(difference(a, b)),
            _ => None,
        },
        Operator::Mod => match a {
            Value::Str(text) => Some(Value::Str(printf(text, b)?)),
            _ => None,
        },
        Operator::Div | Operator::FloorDiv | Operator::Pow => None,
    };
    value.ok_or_else(|| unsupported(operator, a, b))
}

fn unsupported(operator: Operator, a: &Value, b: &Value) -> Box<Exception> {
    let sign = match operator {
        Operator::Pow => "** or pow()",
        other => other.sign(),
    };
    let a = a.type_name();
    let message = format!("unsupported operand type(s) for {sign}: '{a}' and '{{}}'");
    Exception::of_type_of(b, &message)
}

fn concatenate(a: &Value, b: &Value) -> Result<Option<Value>> {
    // A sum of many texts takes quadratic time.
    limit::charge_work(0)?;
    Ok(Some(match (a, b) {
        (Value::Str(a), Value::Str(b)) => Value::Str(join(a, b)?),
        (Value::Bytes(a), Value::Bytes(b)) => {
            limit_bytes(a.len() + b.len())?;
            Value::bytes([&**a, &**b].concat())
        }
        (Value::List(a), Value::List(b)) => {
            limit_members(a.len() + b.len())?;
            let items = a.read().clone();
            Value::list(items.into_iter().chain(b.read().clone()))
        }
        (Value::Tuple(a), Value::Tuple(b)) => {
            limit_members(a.len() + b.len())?;
            Value::tuple(a.iter().chain(b.iter()).cloned())
        }
        (Value::Bytes(_), _) => {
            return Err(Exception::of_type_of(b, "can't concat {} to bytes"));
        }
        (Value::Str(_) | Value::List(_) | Value::Tuple(_), _) => {
            let own = a.type_name();
            let message = format!("can only concatenate {own} (not \"{{}}\") to {own}");
            return Err(Exception::of_type_of(b, &message));
        }
        _ => return Ok(None),
    }))
}

fn join(a: &Str, b: &Str) -> Result<Str> {
    limit_bytes(a.len() + b.len())?;
    let (a, b) = text::unify_markup(a.clone(), b.clone());
    Ok(text::derived(format!("{}{}", &*a, &*b), [&a, &b]))
}

/// `sequence * count`; `None` if the first is no sequence.
fn repeat(sequence: &Value, count: &Value) -> Result<Option<Value>> {
    let times = |length: usize, limit: fn(usize) -> Result<()>| -> Result<usize> {
        let count = repetitions(count)?;
        limit(length.saturating_mul(count))?;
        Ok(if length == 0 { 0 } else { count })
    };
    Ok(Some(match sequence {
        Value::Str(text) => {
            let repeated = text.repeat(times(text.len(), limit_bytes)?);
            Value::Str(text::derived(repeated, [text]))
        }
        Value::Bytes(part) => Value::bytes(part.repeat(times(part.len(), limit_bytes)?)),
        Value::List(items) => {
            let items = items.read().clone();
            let count = times(items.len(), limit_members)?;
            Value::list(std::iter::repeat_n(items, count).flatten())
        }
        Value::Tuple(items) => {
            let count = times(items.len(), limit_members)?;
            Value::tuple(std::iter::repeat_n(items.to_vec(), count).flatten())
        }
        _ => return Ok(None),
    }))
}

fn repetitions(count: &Value) -> Result<usize> {
    match Number::of(count) {
        Some(Number::Small(count)) => Ok(usize::try_from(count).unwrap_or(0)),
        Some(Number::Big(_)) => {
            Err(Exception::of_overflow("cannot fit 'int' into an index-sized integer"))
        }
        Some(Number::Float(_)) | None => {
            let message = "can't multiply sequence by non-int of type '{}'";
            Err(Exception::of_type_of(count, message))
        }
    }
}

fn difference(a: &Set, b: &Set) -> Value {
    limit::charge_keys(a.0.len());
    Value::Set(a.0.difference(&b.0).cloned().collect())
}

pub fn negative(value: &Value) -> Result<Value> {
    let value = value.force()?;
    if let Some(number) = Number::of(&value) {
        return Ok(number::negate(&number));
    }
    // An object that defines multiplication, as a timedelta does, is negated by it.
    let negated = match &value {
        Value::Object(it) => it.binary(Operator::Mul, &Value::Int(-1), false)?,
        _ => None,
    };
    negated.ok_or_else(|| unary("-", &value))
}

pub fn positive(value: &Value) -> Result<Value> {
    match value.force()? {
        Value::Bool(x) => Ok(Value::Int(i64::from(x))),
        number @ (Value::Int(_) | Value::Big(_) | Value::Float(_)) => Ok(number),
        other => Err(unary("+", &other)),
    }
}

fn unary(sign: &str, value: &Value) -> Box<Exception> {
    Exception::of_type_of(value, &format!("bad operand type for unary {sign}: '{{}}'"))
}

pub fn contains(container: &Value, needle: &Value) -> Result<bool> {
    let container = &container.force()?;
    let needle = &needle.force()?;
    if let Some(view) = container.downcast::<View>().filter(|view| view.is_of_keys()) {
        return Ok(view.dict().read().contains_key(&key(needle)?));
    }
    match (container, needle) {
        (Value::Str(text), Value::Str(part)) => {
            // A text that nearly fits at many places takes twice as long as copying.
            limit::charge_bytes(text.len().saturating_mul(2));
            limit::charge_bytes(part.len());
            Ok(text.contains(&**part))
        }
        (Value::Str(_), _) => {
            let message = "'in <string>' requires string as left operand, not {}";
            Err(Exception::of_type_of(needle, message))
        }
        (Value::Dict(dict), _) => Ok(dict.read().contains_key(&key(needle)?)),
        (Value::Set(set), _) => Ok(set.0.contains(&key(needle)?)),
        (Value::Range(range), Value::Int(x)) => Ok(range.position(*x).is_some()),
        (Value::Bytes(bytes), _) => contains_bytes(bytes, needle),
        // Items are evaluated one by one: those after the first equal one stay lazy.
        (Value::List(items), _) => {
            for at in 0.. {
                let Some(item) = items.get(at)? else { break };
                if equal(&item, needle)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        _ => {
            let message = "argument of type '{}' is not iterable";
            let items =
                iterate(container).map_err(|e| e.or_type_of(container, message))?;
            for item in items {
                if equal(&item, needle)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
    }
}

fn key(value: &Value) -> Result<super::Key> {
    super::Key::new(value.clone())
}

fn contains_bytes(bytes: &[u8], needle: &Value) -> Result<bool> {
    limit::charge_bytes(bytes.len().saturating_mul(2));
    match (needle, Number::of(needle)) {
        (Value::Bytes(part), _) => {
            limit::charge_bytes(part.len());
            Ok(memchr::memmem::find(bytes, part).is_some())
        }
        (_, Some(Number::Small(byte))) => match u8::try_from(byte) {
            Ok(byte) => Ok(bytes.contains(&byte)),
            Err(_) => Err(Exception::of_value("byte must be in range(0, 256)")),
        },
        _ => {
            let message = "a bytes-like object is required, not '{}'";
            Err(Exception::of_type_of(needle, message))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::python::{
        Arguments, IntRange, Key, call_method, format, repr, slice,
    };

    fn shown(value: Result<Value>) -> String {
        value.and_then(|value| repr(&value)).unwrap_or_else(|error| error.message)
    }

    #[test]
    fn calculates_as_python_does() {
        use Operator::{Add, Div, FloorDiv, Mod, Mul, Pow};
        let (i, f) = (Value::Int, Value::Float);
        for (a, operator, b, result) in [
            (i(-7), FloorDiv, i(2), "-4"),
            (i(7), Mod, i(-3), "-2"),
            (i(i64::MIN), FloorDiv, i(-1), "9223372036854775808"),
            (i(i64::MAX), Add, i(1), "9223372036854775808"),
            (i(10), Pow, i(20), "100000000000000000000"),
            (i(2), Pow, i(-1), "0.5"),
            (i(1 << 53), Div, i(10), "900719925474099.2"),
            (i(i64::MAX), Div, i(3), "3.0744573456182584e+18"),
            (f(7.5), FloorDiv, i(2), "3.0"),
            (f(-1.0), Mod, f(0.3), "0.19999999999999996"),
            (i(1), Div, i(0), "division by zero"),
            (f(1.0), Mod, i(0), "float modulo"),
            (f(10.0), Pow, i(400), "(34, 'Numerical result out of range')"),
            (i(2), Mul, "ab".into(), "'abab'"),
            ("a".into(), Mul, i(-1), "''"),
            (i(1), Add, "a".into(), "unsupported operand type(s) for +: 'int' and 'str'"),
            ("a".into(), Add, i(1), "can only concatenate str (not \"int\") to str"),
        ] {
            assert_eq!(shown(binary(operator, &a, &b)), result, "{a:?} {b:?}");
        }
    }

    #[test]
    fn large_results_are_errors() {
        let big = Value::Int(1_000_000_000);
        let method =
            |name: &str| call_method(&"\t".into(), name, Arguments::of([big.clone()]));
        for grown in [
            mul(&"a".into(), &big),
            mul(&Value::list([Value::None]), &big),
            binary(Operator::Pow, &Value::Int(2), &big),
            method("center"),
            method("ljust"),
            method("zfill"),
            method("expandtabs"),
            call_method(&big, "to_bytes", Arguments::of([big.clone()])),
            printf(&"%1000000000d".into(), &big).map(Value::Str),
            printf(&"%.1000000000f".into(), &big).map(Value::Str),
            format(&"{:{}}".into(), &Arguments::of([Value::Int(1), big.clone()]))
                .map(Value::Str),
            iterate(&Value::Range(IntRange { start: 0, stop: i64::MAX, step: 1 }))
                .map(Value::list),
        ] {
            assert!(grown.is_err());
        }
        let all =
            Value::Range(IntRange { start: i64::MIN, stop: i64::MAX, step: i64::MAX });
        assert!(slice(&all, &Value::None, &Value::None, &big).is_err());
    }

    #[test]
    fn deep_values_are_compared_and_dropped() {
        let deep = || (0..100_000).fold(Value::Int(1), |deep, _| Value::tuple([deep]));
        assert!(equal(&deep(), &deep()).is_err());
        assert!(Key::new(deep()).is_err());
        let append =
            |list| call_method(&Value::list([list]), "copy", Arguments::default());
        assert!((0..100_000).try_fold(Value::None, |deep, _| append(deep)).is_ok());
    }
}
