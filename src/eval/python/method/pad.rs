//! `center`, `zfill`, `expandtabs` and their like: a text comes in, a wider one goes out.

use super::super::{Exception, Result, Str, Value, width};
use super::Given;

/// How many characters are missing, and what fills in for them.
fn missing(text: &Str, given: &Given) -> Result<(usize, char)> {
    let wide = usize::try_from(given.integer(0, 0)?).unwrap_or(0);
    let fill = match given.get(1) {
        None => ' ',
        Some(Value::Str(fill)) => match fill.chars().collect::<Vec<_>>()[..] {
            [c] => c,
            _ => {
                let message = "The fill character must be exactly one character long";
                return Err(Exception::of_type(message));
            }
        },
        Some(other) => {
            let of = other.type_name();
            let message =
                format!("The fill character must be a unicode character, not {of}");
            return Err(Exception::of_type(message));
        }
    };
    let count = wide.saturating_sub(text.chars().count());
    width(text.len().saturating_add(count.saturating_mul(fill.len_utf8())))?;
    Ok((count, fill))
}

fn between(before: usize, text: &str, after: usize, fill: char) -> Value {
    let fill = |count| std::iter::repeat_n(fill, count);
    let padded: String = fill(before).chain(text.chars()).chain(fill(after)).collect();
    padded.into()
}

pub(super) fn left(text: &Str, given: &Given) -> Result<Value> {
    let (missing, fill) = missing(text, given)?;
    Ok(between(0, text, missing, fill))
}

pub(super) fn right(text: &Str, given: &Given) -> Result<Value> {
    let (missing, fill) = missing(text, given)?;
    Ok(between(missing, text, 0, fill))
}

pub(super) fn center(text: &Str, given: &Given) -> Result<Value> {
    let (missing, fill) = missing(text, given)?;
    let wide = missing + text.chars().count();
    let before = missing / 2 + (missing & wide & 1);
    Ok(between(before, text, missing - before, fill))
}

pub(super) fn zeros(text: &Str, given: &Given) -> Result<Value> {
    let (missing, _) = missing(text, given)?;
    let sign = usize::from(text.starts_with(['+', '-']));
    let (sign, digits) = text.split_at(sign);
    Ok(format!("{sign}{}{digits}", "0".repeat(missing)).into())
}

pub(super) fn expand_tabs(text: &Str, given: &Given) -> Result<Value> {
    let size = usize::try_from(given.integer(0, 8)?).unwrap_or(0);
    width(size)?;
    let (mut out, mut column) = (String::new(), 0);
    for c in text.chars() {
        match c {
            '\t' => {
                let blanks = if size == 0 { 0 } else { size - column % size };
                width(out.len() + blanks)?;
                out.extend(std::iter::repeat_n(' ', blanks));
                column += blanks;
            }
            '\n' | '\r' => {
                out.push(c);
                column = 0;
            }
            other => {
                out.push(other);
                column += 1;
            }
        }
    }
    Ok(out.into())
}
