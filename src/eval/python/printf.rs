//! `text % values`: printf-style formatting.

use num_traits::Signed;

use super::character::{digit_count, only};
use super::format::{FormatSpec, in_base};
use super::number::Number;
use super::{
    Exception, Result, Secrecy, Str, Value, ascii, index, item, limit_bytes, repr, str,
    text,
};

/// `format % values`. Raises a `ValueError` (malformed) or a `TypeError` (wrong values).
pub fn printf(format: &Str, values: &Value) -> Result<Str> {
    let mut formatter = PercentFormatter::new(format, values);
    formatter.run()?;
    let mut stamp = format.stamp();
    stamp.origin = None;
    stamp.secrecy = stamp.secrecy.max(formatter.secrecy);
    Ok(Str::made(formatter.out, stamp))
}

struct PercentFormatter<'a> {
    text: &'a str,
    at: usize,
    out: String,
    /// The values that are not converted yet, the next one last.
    waiting: Vec<Value>,
    /// The mapping of `%(name)s`.
    mapping: Option<Value>,
    markup: bool,
    secrecy: Secrecy,
}

impl<'a> PercentFormatter<'a> {
    fn new(format: &'a Str, values: &Value) -> PercentFormatter<'a> {
        let waiting = match values {
            Value::Tuple(values) => values.iter().rev().cloned().collect(),
            one => vec![one.clone()],
        };
        // Anything with `__getitem__` but a tuple or a text counts as a mapping, and then
        // values may be left over.
        let is_mapping = matches!(
            values,
            Value::Dict(_) | Value::List(_) | Value::Range(_) | Value::Bytes(_)
        );
        PercentFormatter {
            text: format,
            at: 0,
            out: String::new(),
            waiting,
            mapping: is_mapping.then(|| values.clone()),
            markup: format.is_markup(),
            secrecy: Secrecy::Open,
        }
    }

    fn run(&mut self) -> Result<()> {
        while let Some(rest) = self.text.get(self.at..).filter(|rest| !rest.is_empty()) {
            let literal = rest.find('%').unwrap_or(rest.len());
            self.out.push_str(&rest[..literal]);
            self.at += literal;
            if literal < rest.len() {
                self.at += 1;
                self.convert()?;
            }
            limit_bytes(self.out.len())?;
        }
        if self.waiting.is_empty() || self.mapping.is_some() {
            Ok(())
        } else {
            Err(Exception::of_type(
                "not all arguments converted during string formatting",
            ))
        }
    }

    fn peek(&self) -> Option<char> {
        self.text.get(self.at..)?.chars().next()
    }

    fn accept(&mut self, c: char) -> bool {
        let found = self.peek() == Some(c);
        self.at += usize::from(found);
        found
    }

    fn convert(&mut self) -> Result<()> {
        if self.accept('%') {
            self.out.push('%');
            return Ok(());
        }
        if self.accept('(') {
            self.look_up()?;
        }
        let mut spec = self.read()?;
        let start = self.at;
        let Some(kind) = self.peek() else {
            return Err(Exception::of_value("incomplete format"));
        };
        self.at += kind.len_utf8();
        spec.kind = Some(kind);
        match kind {
            's' | 'r' | 'a' => self.show(spec, kind)?,
            'c' => {
                let c = character(&self.next()?)?.to_string();
                self.pad_text(spec, &c);
            }
            'd' | 'i' | 'u' | 'o' | 'x' | 'X' => self.integer(&spec, kind)?,
            'e' | 'E' | 'f' | 'F' | 'g' | 'G' => {
                let value = self.next()?;
                let number = Number::of(&value).ok_or_else(|| {
                    Exception::of_type_of(&value, "must be real number, not {}")
                })?;
                self.out += &spec.float(number.float()?, "float")?;
            }
            other => {
                self.next()?;
                let index = self.text.get(..start).unwrap_or_default().chars().count();
                return Err(Exception::of_value(format!(
                    "unsupported format character '{other}' ({:#x}) at index {index}",
                    other as u32
                )));
            }
        }
        Ok(())
    }

    /// Makes the value of a name in parentheses the next one.
    fn look_up(&mut self) -> Result<()> {
        let Some(mapping) = &self.mapping else {
            return Err(Exception::of_type("format requires a mapping"));
        };
        let mut open = 1;
        let start = self.at;
        let rest = self.text.get(start..).unwrap_or_default();
        let end = rest.char_indices().find_map(|(at, c)| {
            open += i32::from(c == '(') - i32::from(c == ')');
            (open == 0).then_some(at)
        });
        let Some(end) = end else {
            return Err(Exception::of_value("incomplete format key"));
        };
        self.waiting = vec![item(mapping, &rest[..end].into())?];
        self.at = start + end + 1;
        Ok(())
    }

    /// Reads the flags, the width and the precision of a conversion.
    fn read(&mut self) -> Result<FormatSpec> {
        let mut left = false;
        let mut zero = false;
        let mut spec = FormatSpec::default();
        loop {
            match self.peek() {
                Some('-') => left = true,
                Some('+') => spec.sign = Some('+'),
                Some(' ') => spec.sign = spec.sign.or(Some(' ')),
                Some('#') => spec.alternate = true,
                Some('0') => zero = true,
                _ => break,
            }
            self.at += 1;
        }
        let wide = self.number("width", "ssize_t")?.unwrap_or(0);
        spec.width = usize::try_from(wide.unsigned_abs()).unwrap_or(usize::MAX);
        (spec.fill, spec.align) = match (left || wide < 0, zero) {
            (true, _) => (' ', '<'),
            (_, true) => ('0', '='),
            _ => (' ', '>'),
        };
        if self.accept('.') {
            let precision = self.number("precision", "int")?.unwrap_or(0);
            spec.precision = Some(usize::try_from(precision).unwrap_or(0));
        }
        limit_bytes(spec.width.max(spec.precision.unwrap_or(0)))?;
        // C's length modifiers are accepted and mean nothing.
        let _ = self.accept('h') || self.accept('l') || self.accept('L');
        Ok(spec)
    }

    /// Reads a width or precision: digits, or `*`, which takes it from the values.
    fn number(&mut self, what: &str, of: &str) -> Result<Option<i64>> {
        if self.accept('*') {
            let value = self.next()?;
            let number = index(&value, of);
            return number.map(Some).map_err(|e| e.or_type_of(&value, "* wants int"));
        }
        let rest = self.text.get(self.at..).unwrap_or_default();
        let digits = digit_count(rest);
        self.at += digits;
        match rest[..digits].parse() {
            Ok(number) => Ok(Some(number)),
            Err(_) if digits == 0 => Ok(None),
            Err(_) => Err(Exception::of_value(format!("{what} too big"))),
        }
    }

    fn next(&mut self) -> Result<Value> {
        let Some(next) = self.waiting.pop() else {
            return Err(Exception::of_type("not enough arguments for format string"));
        };
        next.force()
    }

    fn show(&mut self, spec: FormatSpec, kind: char) -> Result<()> {
        let value = self.next()?;
        let mut text = match kind {
            's' => str(&value)?,
            'r' => repr(&value)?,
            _ => ascii(&repr(&value)?),
        };
        let own = matches!(&value, Value::Str(text) if kind == 's' && text.is_markup());
        if self.markup && !own {
            text = text::escape(&text);
        }
        self.secrecy = self.secrecy.max(value.secrecy());
        if let Some(precision) = spec.precision {
            text = text.chars().take(precision).collect();
        }
        self.pad_text(spec, &text);
        Ok(())
    }

    fn integer(&mut self, spec: &FormatSpec, kind: char) -> Result<()> {
        let value = self.next()?;
        let number = match (kind, Number::of(&value)) {
            ('d' | 'i' | 'u', Some(number)) => number.whole()?,
            (_, Some(number @ (Number::Small(_) | Number::Big(_)))) => number.whole()?,
            _ => {
                let wanted = match kind {
                    'd' | 'i' | 'u' => "a real number",
                    _ => "an integer",
                };
                let of = value.type_name();
                let message = format!("%{kind} format: {wanted} is required, not {of}");
                return Err(Exception::of_type(message));
            }
        };
        let (prefix, digits, _) = in_base(&number, kind)?;
        let zeros = spec.precision.unwrap_or(0).saturating_sub(digits.len());
        let digits = "0".repeat(zeros) + &digits;
        let prefix = if spec.alternate { prefix } else { "" };
        let start = format!("{}{prefix}", spec.sign(number.is_negative()));
        self.out += &spec.pad(&start, &digits);
        Ok(())
    }

    /// Pads a text with blanks: zeros are for numbers.
    fn pad_text(&mut self, mut spec: FormatSpec, text: &str) {
        if spec.align == '=' {
            (spec.fill, spec.align) = (' ', '>');
        }
        self.out += &spec.pad("", text);
    }
}

fn character(value: &Value) -> Result<char> {
    if let Some(c) = value.as_str().and_then(only) {
        return Ok(c);
    }
    match Number::of(value) {
        Some(number @ (Number::Small(_) | Number::Big(_))) => {
            super::format::character(&number)
        }
        _ => Err(Exception::of_type("%c requires int or char")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_as_python_does() {
        let (i, f) = (Value::Int, Value::Float);
        let t = |values: [Value; 2]| Value::tuple(values);
        for (format, values, text) in [
            ("%05.2f", f(3.146), "03.15"),
            ("%-5d|", i(3), "3    |"),
            ("%+d % d", t([i(1), i(2)]), "+1  2"),
            ("%#x", i(255), "0xff"),
            ("%#o", i(8), "0o10"),
            ("%.3d", i(-5), "-005"),
            ("%5.1s|", "añb".into(), "    a|"),
            ("%*d", t([i(-5), i(3)]), "3    "),
            ("%r %a", t(["é".into(), "é".into()]), r"'é' '\xe9'"),
            ("%05d", i(-3), "-0003"),
            ("%e", f(12345.678), "1.234568e+04"),
            ("%c%%", i(65), "A%"),
            ("%d", f(3.9), "3"),
            ("%5s", Value::None, " None"),
            ("%05f", f(f64::INFINITY), "00inf"),
            ("%ld", i(1), "1"),
        ] {
            let printed = printf(&format.into(), &values);
            assert_eq!(printed.as_deref().unwrap_or("!"), text, "{format}");
        }
    }

    #[test]
    fn reports_errors_as_python_does() {
        for (format, message) in [
            ("%y", "unsupported format character 'y' (0x79) at index 1"),
            ("%", "incomplete format"),
            ("%(a)s", "format requires a mapping"),
            ("%s %s", "not enough arguments for format string"),
            ("a", "not all arguments converted during string formatting"),
            ("%d", "%d format: a real number is required, not str"),
            ("%99999999999999999999d", "width too big"),
        ] {
            let error = printf(&format.into(), &"a".into()).err();
            assert_eq!(error.map(|e| e.message).unwrap_or_default(), message);
        }
        assert!(printf(&"%999999999d".into(), &Value::Int(1)).is_err());
    }
}
