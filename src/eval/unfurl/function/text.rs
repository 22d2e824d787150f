//! `concat` and `token`: texts come in, a longer or a shorter one goes out.

use super::{Call, text_of};
use crate::eval::python::{Class, Exception, Result, Value, str, width};
use crate::eval::sensitive;

/// `concat`: the items of a list as one text.
pub(super) fn concat(call: &Call<'_>) -> Result<Value> {
    let Value::List(items) = call.data()? else { return call.data() };
    let separator = match call.keyword("sep")? {
        Some(separator) => text_of(&separator, "sep")?,
        None => String::new(),
    };
    let mut joined = String::new();
    for (at, item) in items.items()?.iter().enumerate() {
        let item = str(&sensitive::bare(item))?;
        width(joined.len() + separator.len() + item.len())?;
        joined.extend((at > 0).then_some(&*separator));
        joined.push_str(&item);
    }
    Ok(Value::text(joined))
}

/// `token`: one of the pieces between separators.
pub(super) fn token(call: &Call<'_>) -> Result<Value> {
    let given = call.list()?;
    let [text, separator, index] = given.as_slice() else {
        return Err(Exception::of_type("'token' takes a text, a separator and an index"));
    };
    let (whole, separator) =
        (text_of(text, "a text")?, text_of(separator, "a separator")?);
    if separator.is_empty() {
        return Err(Exception::of_value("empty separator"));
    }
    let Value::Int(index) = index else {
        return Err(Exception::of_type(format!(
            "an index must be an integer, not {}",
            index.type_name()
        )));
    };
    let tokens: Vec<Value> = whole.split(&separator).map(Value::from).collect();
    let found =
        crate::eval::unfurl::step::child(&Value::list(tokens), &Value::Int(*index))?;
    match found {
        Some(token) => Ok(token),
        None => Err(Exception::new(Class::Index, "list index out of range")),
    }
}
