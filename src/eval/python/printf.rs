//! `text % values`: printf-style formatting.

use num_traits::Signed;

use super::format::in_base;
use super::number::Number;
use super::{
    Class, Exception, Result, Secrecy, Str, Value, ascii, float, index, item,
    limit_bytes, repr, str, text,
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

/// The flags, width and precision of a conversion.
#[derive(Default)]
struct Conversion {
    left: bool,
    plus: bool,
    blank: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
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
        let conversion = self.read()?;
        let start = self.at;
        let Some(kind) = self.peek() else {
            return Err(Exception::of_value("incomplete format"));
        };
        self.at += kind.len_utf8();
        match kind {
            's' | 'r' | 'a' => self.show(&conversion, kind)?,
            'c' => {
                let c = character(&self.next()?)?.to_string();
                self.text_of(&conversion, &c);
            }
            'd' | 'i' | 'u' | 'o' | 'x' | 'X' => self.integer(&conversion, kind)?,
            'e' | 'E' | 'f' | 'F' | 'g' | 'G' => self.float(&conversion, kind)?,
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
        let (mut open, start) = (1, self.at);
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

    fn read(&mut self) -> Result<Conversion> {
        let mut conversion = Conversion::default();
        loop {
            match self.peek() {
                Some('-') => conversion.left = true,
                Some('+') => conversion.plus = true,
                Some(' ') => conversion.blank = true,
                Some('#') => conversion.alternate = true,
                Some('0') => conversion.zero = true,
                _ => break,
            }
            self.at += 1;
        }
        let wide = self.number("width", "ssize_t")?.unwrap_or(0);
        conversion.left |= wide < 0;
        conversion.width = usize::try_from(wide.unsigned_abs()).unwrap_or(usize::MAX);
        if self.accept('.') {
            let precision = self.number("precision", "int")?.unwrap_or(0);
            conversion.precision = Some(usize::try_from(precision).unwrap_or(0));
        }
        limit_bytes(conversion.width.max(conversion.precision.unwrap_or(0)))?;
        // C's length modifiers are accepted and mean nothing.
        let _ = self.accept('h') || self.accept('l') || self.accept('L');
        Ok(conversion)
    }

    /// Reads a width or precision: digits, or `*`, which takes it from the values.
    fn number(&mut self, what: &str, of: &str) -> Result<Option<i64>> {
        if self.accept('*') {
            return index(&self.next()?, of).map(Some).map_err(|error| {
                match error.class {
                    Class::Type => Exception::of_type("* wants int"),
                    _ => error,
                }
            });
        }
        let rest = self.text.get(self.at..).unwrap_or_default();
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
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

    fn show(&mut self, conversion: &Conversion, kind: char) -> Result<()> {
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
        if let Some(precision) = conversion.precision {
            text = text.chars().take(precision).collect();
        }
        self.text_of(conversion, &text);
        Ok(())
    }

    fn integer(&mut self, conversion: &Conversion, kind: char) -> Result<()> {
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
        let zeros = conversion.precision.unwrap_or(0).saturating_sub(digits.len());
        let digits = "0".repeat(zeros) + &digits;
        let prefix = if conversion.alternate { prefix } else { "" };
        self.number_of(conversion, number.is_negative(), prefix, &digits);
        Ok(())
    }

    fn float(&mut self, conversion: &Conversion, kind: char) -> Result<()> {
        let value = self.next()?;
        let Some(number) = Number::of(&value) else {
            let message = format!("must be real number, not {}", value.type_name());
            return Err(Exception::of_type(message));
        };
        let x = number.float()?;
        let precision = conversion.precision.unwrap_or(6);
        let lower = kind.to_ascii_lowercase();
        let spelled = float::spell(x.abs(), lower, precision, conversion.alternate);
        let spelled = if kind == lower { spelled } else { spelled.to_uppercase() };
        self.number_of(conversion, x.is_sign_negative() && !x.is_nan(), "", &spelled);
        Ok(())
    }

    fn number_of(&mut self, of: &Conversion, negative: bool, prefix: &str, digits: &str) {
        let sign = match (negative, of.plus, of.blank) {
            (true, _, _) => "-",
            (_, true, _) => "+",
            (_, _, true) => " ",
            _ => "",
        };
        let missing = of.width.saturating_sub(sign.len() + prefix.len() + digits.len());
        let zeros = if of.zero && !of.left { missing } else { 0 };
        self.text_of(of, &format!("{sign}{prefix}{}{digits}", "0".repeat(zeros)));
    }

    fn text_of(&mut self, of: &Conversion, text: &str) {
        let blank = " ".repeat(of.width.saturating_sub(text.chars().count()));
        let (before, after) = if of.left { ("", &*blank) } else { (&*blank, "") };
        self.out.extend([before, text, after]);
    }
}

fn character(value: &Value) -> Result<char> {
    if let Value::Str(text) = value {
        let mut chars = text.chars();
        if let (Some(c), None) = (chars.next(), chars.next()) {
            return Ok(c);
        }
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
