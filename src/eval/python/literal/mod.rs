//! `ast.literal_eval`: the text of a literal comes in, its value goes out.

mod scalar;

use num_bigint::BigInt;

use crate::eval::python::{Class, DEPTH, Dict, Exception, Key, Result, Set, Value};

/// `ast.literal_eval(text)`
///
/// # Errors
/// The text is no literal.
pub fn evaluate(text: &str) -> Result<Value> {
    if text.contains('\0') {
        return Err(malformed("source code string cannot contain null bytes"));
    }
    let mut reader = Reader { text, at: 0, open: vec![Open::new(None)] };
    let first = text.trim_start_matches(['\n', '\r', '\x0c']);
    if first.starts_with([' ', '\t']) && !first.trim_start().is_empty() {
        return Err(malformed("unexpected indent"));
    }
    reader.blank(true);
    reader.read()
}

/// What a text that a template made stands for under `--python-literals`: the literal that
/// it is, or itself.
pub fn reread(text: &str) -> Value {
    match evaluate(text) {
        Ok(Value::Str(inner)) => {
            let quote = text.chars().next().unwrap_or('\'');
            Value::from(format!("{quote}{}{quote}", &*inner))
        }
        Ok(value) => value,
        Err(_) => Value::from(text),
    }
}

fn malformed(what: &str) -> Box<Exception> {
    Exception::new(Class::Syntax, what)
}

/// A bracket that is open, or none around the whole.
struct Open {
    bracket: Option<char>,
    items: Vec<Value>,
    /// The values of a dict, one for each item but the last key.
    values: Vec<Value>,
    dict: bool,
    /// Whether a colon came last.
    colon: bool,
    /// Whether a comma came last, and whether there was one at all.
    comma: bool,
    commas: bool,
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    open: Vec<Open>,
}

impl Open {
    fn new(bracket: Option<char>) -> Open {
        let (items, values) = (Vec::new(), Vec::new());
        let (dict, colon, comma, commas) = (false, false, true, false);
        Open { bracket, items, values, dict, colon, comma, commas }
    }

    /// Whether the last key has no value.
    fn lacks_value(&self) -> bool {
        self.dict && self.values.len() < self.items.len()
    }

    /// The value of all that is in it.
    fn close(mut self) -> Result<Value> {
        if self.lacks_value() {
            return Err(malformed("expression expected after dictionary key and ':'"));
        }
        match self.bracket {
            Some('[') => Ok(Value::list(self.items)),
            Some('{') if self.dict || self.items.is_empty() => {
                let entries = self.items.into_iter().zip(self.values);
                let entries = entries.map(|(key, value)| Ok((Key::new(key)?, value)));
                Ok(Value::Dict(entries.collect::<Result<Dict>>()?))
            }
            Some('{') => {
                let members = self.items.into_iter().map(Key::new);
                Ok(Value::Set(members.collect::<Result<Set>>()?))
            }
            _ if self.items.len() == 1 && !self.commas => {
                Ok(self.items.pop().unwrap_or(Value::None))
            }
            None if self.items.is_empty() => Err(malformed("invalid syntax")),
            _ => Ok(Value::tuple(self.items)),
        }
    }
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Skips blanks and comments, and line breaks where they mean nothing.
    fn blank(&mut self, lines: bool) {
        loop {
            let rest = self.rest();
            let lines_too = |c: char| lines && matches!(c, '\n' | '\r');
            let trimmed = rest
                .trim_start_matches(|c| matches!(c, ' ' | '\t' | '\x0c') || lines_too(c));
            let mut skipped = rest.len() - trimmed.len();
            if trimmed.starts_with('#') {
                skipped += trimmed.find(['\n', '\r']).unwrap_or(trimmed.len());
            } else if let Some(break_) = trimmed.strip_prefix('\\')
                && break_.starts_with('\n')
            {
                skipped += 2;
            }
            if skipped == 0 {
                return;
            }
            self.at += skipped;
        }
    }

    fn read(&mut self) -> Result<Value> {
        loop {
            let inside = self.open.len() > 1;
            self.blank(inside);
            let Some(open) = self.open.last_mut() else { return Err(invalid()) };
            let ready = open.comma || open.colon;
            let next = self.text.get(self.at..).and_then(|rest| rest.chars().next());
            match next {
                Some(c @ (')' | ']' | '}')) => {
                    if open.bracket != Some(opening(c)) || open.comma && !open.empty() {
                        return Err(invalid());
                    }
                    self.at += 1;
                    let closed = self.open.pop().ok_or_else(invalid)?.close()?;
                    self.take(closed)?;
                }
                Some(',') if !ready && !open.lacks_value() => {
                    (open.comma, open.commas) = (true, true);
                    self.at += 1;
                }
                Some(':') if !ready && open.can_be_dict() => {
                    (open.dict, open.colon) = (true, true);
                    self.at += 1;
                }
                None | Some('\n' | '\r') if !inside => return self.end(),
                Some(c @ ('(' | '[' | '{')) if ready => {
                    if self.open.len() > DEPTH {
                        return Err(malformed("too many nested parentheses"));
                    }
                    self.at += 1;
                    self.open.push(Open::new(Some(c)));
                }
                Some(_) if ready => {
                    let value = self.operand()?;
                    self.take(value)?;
                }
                _ => return Err(invalid()),
            }
        }
    }

    fn end(&mut self) -> Result<Value> {
        self.blank(true);
        match (self.rest().is_empty(), self.open.pop()) {
            (true, Some(open)) => open.close(),
            _ => Err(invalid()),
        }
    }

    /// Puts a value into the innermost bracket.
    fn take(&mut self, value: Value) -> Result<()> {
        let open = self.open.last_mut().ok_or_else(invalid)?;
        if open.colon {
            open.values.push(value);
        } else if open.comma {
            open.items.push(value);
        } else {
            return Err(invalid());
        }
        (open.comma, open.colon) = (false, false);
        Ok(())
    }

    fn operand(&mut self) -> Result<Value> {
        match self.peek() {
            Some(sign @ ('-' | '+')) => {
                self.at += 1;
                self.blank(self.open.len() > 1);
                let starts = |c: char| c.is_ascii_digit() || c == '.';
                if !self.peek().is_some_and(starts) {
                    return Err(malformed("malformed node or string"));
                }
                let number = self.number()?;
                if sign == '+' {
                    return Ok(number);
                }
                Ok(match number {
                    Value::Float(x) => Value::Float(-x),
                    Value::Int(x) => Value::integer(-BigInt::from(x)),
                    Value::Big(x) => Value::integer(-(*x).clone()),
                    other => other,
                })
            }
            Some(c) if c.is_ascii_digit() => self.number(),
            Some('.') if !self.rest().starts_with("...") => self.number(),
            Some('\'' | '"') => self.texts(),
            _ => self.word(),
        }
    }

    fn word(&mut self) -> Result<Value> {
        let rest = self.rest();
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_'));
        let word = &rest[..end.unwrap_or(rest.len())];
        if rest[word.len()..].starts_with(['\'', '"']) {
            return self.texts();
        }
        let value = match word {
            "None" => Value::None,
            "True" => Value::Bool(true),
            "False" => Value::Bool(false),
            "set" => {
                self.at += 3;
                for sign in ['(', ')'] {
                    self.blank(true);
                    if self.peek() != Some(sign) {
                        return Err(malformed("malformed node or string"));
                    }
                    self.at += 1;
                }
                return Ok(Value::Set(Set::default()));
            }
            _ => return Err(malformed("malformed node or string")),
        };
        self.at += word.len();
        Ok(value)
    }
}

fn invalid() -> Box<Exception> {
    malformed("invalid syntax")
}

fn opening(close: char) -> char {
    match close {
        ')' => '(',
        ']' => '[',
        _ => '{',
    }
}

impl Open {
    /// Whether a bracket may close here: nothing is in it, or a comma ends it.
    fn empty(&self) -> bool {
        !self.colon && (self.items.is_empty() || self.commas)
    }

    fn can_be_dict(&self) -> bool {
        let first = self.items.len() == 1 && !self.commas && !self.dict;
        self.bracket == Some('{') && (first || self.lacks_value())
    }
}

#[cfg(test)]
mod tests {
    use super::{evaluate, reread};
    use crate::eval::python::{Result, repr};

    #[test]
    fn literals() -> Result<()> {
        let same =
            ["[1, (2,), {'a': -1.5}]", "{1, 2}", "(1, 2)", "b'\\x00a'", "None", "{}"];
        for text in same {
            assert_eq!(repr(&evaluate(text)?)?, text);
        }
        let cases = [
            ("1,2", "(1, 2)"),
            ("0x1F", "31"),
            ("'a' \"b\\n\" r'\\d'", "'ab\\n\\\\d'"),
            ("[\n1, # one\n]\n", "[1]"),
            ("1_000", "1000"),
        ];
        for (text, wanted) in cases {
            assert_eq!(repr(&evaluate(text)?)?, wanted);
        }
        for text in
            [" 1", "007", "a", "--1", "1 2", "[1,,]", "{1:}", "f'a'", "'", "(", ""]
        {
            assert!(evaluate(text).is_err(), "{text}");
            assert_eq!(reread(text).as_str(), Some(text));
        }
        assert_eq!(reread("'a'").as_str(), Some("'a'"));
        Ok(())
    }
}
