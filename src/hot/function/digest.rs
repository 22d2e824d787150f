//! `digest`: the name of an algorithm and a text come in, the hexadecimal digest goes out.

use super::Call;
use super::argument::of_type;
use crate::eval::python::{Exception, Result, Value, encode, hashlib};
use crate::hot::Stack;

pub(super) fn digest(call: &Call, stack: &Stack) -> Result<Value> {
    let arguments = match stack.resolve(&call.arguments)? {
        Value::List(arguments) => arguments.items()?,
        _ => return Err(not_strings(call)),
    };
    if !arguments.iter().all(|argument| matches!(argument, Value::Str(_))) {
        return Err(not_strings(call));
    }
    let [Value::Str(algorithm), Value::Str(text)] = &arguments[..] else {
        return Err(Exception::of_value(format!(
            "Function \"{}\" usage: [\"<algorithm>\", \"<value>\"]",
            call.name()
        )));
    };
    if !hashlib::AVAILABLE.contains(&&*algorithm.to_lowercase()) {
        let known = hashlib::AVAILABLE.map(|name| format!("'{name}'")).join(", ");
        let message = format!("Algorithm must be one of {{{known}}}");
        return Err(Exception::of_value(message));
    }
    stack.context.spend(text.len() as u64 >> 4)?;
    hashlib::digest(algorithm, &encode(text, "latin-1", "strict")?).map(Value::from)
}

fn not_strings(call: &Call) -> Box<Exception> {
    of_type(format!("Argument to function \"{}\" must be a list of strings", call.name()))
}
