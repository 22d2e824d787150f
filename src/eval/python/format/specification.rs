//! `format(value, '>10,.2f')`.

use num_bigint::BigInt;
use num_traits::Signed;

use super::super::number::Number;
use super::super::{Exception, Result, Value, float, limit_bytes, repr, str};

/// Implements `format(value, specification)`. Raises a `ValueError` for an invalid
/// specification, a `TypeError` if the type takes none.
pub fn format_value(value: &Value, spec: &str) -> Result<String> {
    if spec.is_empty() {
        return str(value);
    }
    let of = value.type_name();
    match (value, Number::of(value)) {
        (_, Some(Number::Float(x))) => FormatSpec::read(spec, of, '>')?.float(x, of),
        (_, Some(number)) => FormatSpec::read(spec, of, '>')?.integer(&number, of),
        (Value::Str(text), _) => FormatSpec::read(spec, of, '<')?.text(text),
        (Value::Object(object), _) => object.format(spec),
        (Value::Lazy(lazy), _) => format_value(&lazy.force()?, spec),
        _ => {
            let message = "unsupported format string passed to {}.__format__";
            Err(Exception::of_type_of(value, message))
        }
    }
}

/// A parsed specification: `[[fill]align][sign][z][#][0][width][,][.precision][type]`.
#[derive(Default)]
pub struct FormatSpec {
    pub fill: char,
    pub align: char,
    pub sign: Option<char>,
    no_negative_zero: bool,
    pub alternate: bool,
    pub width: usize,
    thousands: Option<char>,
    pub precision: Option<usize>,
    pub kind: Option<char>,
}

fn fail<T>(message: impl Into<String>) -> Result<T> {
    Err(Exception::of_value(message))
}

impl FormatSpec {
    fn read(text: &str, of: &str, align: char) -> Result<FormatSpec> {
        let chars: Vec<char> = text.chars().collect();
        let mut rest = &*chars;
        let mut spec = FormatSpec::default();
        let (mut fill, mut explicit_align) = fill_and_align(&mut rest);
        spec.sign = take(&mut rest, &['+', '-', ' ']);
        spec.no_negative_zero = take(&mut rest, &['z']).is_some();
        spec.alternate = take(&mut rest, &['#']).is_some();
        if fill.is_none() && take(&mut rest, &['0']).is_some() {
            // `08d` puts zeros between sign and digits; for strings `05` sets the fill.
            fill = Some('0');
            explicit_align = explicit_align.or((align == '>').then_some('='));
        }
        spec.width = number(&mut rest)?.unwrap_or(0);
        spec.thousands = thousands(&mut rest)?;
        if take(&mut rest, &['.']).is_some() {
            spec.precision = number(&mut rest)?;
            if spec.precision.is_none() {
                return fail("Format specifier missing precision");
            }
        }
        if rest.len() > 1 {
            return fail(format!(
                "Invalid format specifier '{text}' for object of type '{of}'"
            ));
        }
        spec.kind = rest.first().copied();
        let effective = spec.kind.unwrap_or(if align == '<' { 's' } else { 'd' });
        match (spec.thousands, effective) {
            (None, _) | (Some(_), 'd' | 'e' | 'f' | 'g' | 'E' | 'G' | '%' | 'F') => {}
            (Some('_'), 'b' | 'o' | 'x' | 'X') => {}
            (Some(c), kind) => {
                return fail(format!("Cannot specify '{c}' with '{kind}'."));
            }
        }
        (spec.fill, spec.align) = (fill.unwrap_or(' '), explicit_align.unwrap_or(align));
        // Checked before anything is padded: `'{:999999999}'` must not allocate.
        limit_bytes(spec.width.max(spec.precision.unwrap_or(0)))?;
        Ok(spec)
    }

    fn text(&self, text: &str) -> Result<String> {
        let not =
            |what: &str| fail(format!("{what} not allowed in string format specifier"));
        match self.kind {
            None | Some('s') => {}
            Some(kind) => return unknown(kind, "str"),
        }
        match self.sign {
            Some(' ') => return not("Space"),
            Some(_) => return not("Sign"),
            None if self.no_negative_zero => return not("Negative zero coercion (z)"),
            None if self.alternate => return not("Alternate form (#)"),
            None if self.align == '=' => return not("'=' alignment"),
            None => {}
        }
        let most = self.precision.unwrap_or(usize::MAX);
        Ok(self.pad("", &text.chars().take(most).collect::<String>()))
    }

    fn integer(&self, number: &Number, of: &str) -> Result<String> {
        let kind = self.kind.unwrap_or('d');
        let not =
            |what: &str| fail(format!("{what} not allowed in integer format specifier"));
        match kind {
            'e' | 'E' | 'f' | 'F' | 'g' | 'G' | '%' => {
                return self.float(number.float()?, of);
            }
            'b' | 'c' | 'd' | 'o' | 'x' | 'X' | 'n' => {}
            other => return unknown(other, of),
        }
        if self.precision.is_some() {
            return not("Precision");
        }
        if self.no_negative_zero {
            return not("Negative zero coercion (z)");
        }
        if kind == 'c' {
            let with = "with integer format specifier 'c'";
            return match (self.sign, self.alternate) {
                (Some(_), _) => fail(format!("Sign not allowed {with}")),
                (None, true) => fail(format!("Alternate form (#) not allowed {with}")),
                (None, false) => Ok(self.pad("", &character(number)?.to_string())),
            };
        }
        let number = number.whole()?;
        let (prefix, digits, group) = in_base(&number, kind)?;
        let prefix = if self.alternate { prefix } else { "" };
        let start = format!("{}{prefix}", self.sign(number.is_negative()));
        Ok(self.number(&start, &digits, "", group))
    }

    pub fn float(&self, x: f64, of: &str) -> Result<String> {
        let kind = match self.kind {
            None => 'g',
            Some(kind @ ('e' | 'E' | 'f' | 'F' | 'g' | 'G' | '%')) => kind,
            Some('n') => 'g',
            Some(other) => return unknown(other, of),
        };
        let (x, percent) = if kind == '%' { (x * 100.0, "%") } else { (x, "") };
        let spelled = match (self.kind, self.precision) {
            (None, None) => float::shortest(x.abs()),
            (None, Some(digits)) => float::spell_short(x.abs(), digits, self.alternate),
            (Some(_), precision) => {
                let kind = if kind == '%' { 'f' } else { kind.to_ascii_lowercase() };
                float::spell(x.abs(), kind, precision.unwrap_or(6), self.alternate)
            }
        };
        let spelled =
            if kind.is_ascii_uppercase() { spelled.to_uppercase() } else { spelled };
        // The rounded text decides, not the number: `format(-0.001, 'z.1f')` is `0.0`.
        let zero = !spelled.bytes().any(|b| (b'1'..=b'9').contains(&b)) && x.is_finite();
        let negative = x.is_sign_negative() && !x.is_nan();
        let start = self.sign(negative && !(zero && self.no_negative_zero));
        let end = spelled.find(|c: char| !c.is_ascii_digit()).unwrap_or(spelled.len());
        let (whole, rest) = spelled.split_at(end);
        Ok(self.number(start, whole, &format!("{rest}{percent}"), 3))
    }

    pub fn sign(&self, negative: bool) -> &'static str {
        match (negative, self.sign) {
            (true, _) => "-",
            (false, Some('+')) => "+",
            (false, Some(' ')) => " ",
            (false, _) => "",
        }
    }

    /// Joins sign and prefix, the digits and the text after them, and pads the result.
    fn number(&self, start: &str, digits: &str, rest: &str, group: usize) -> String {
        let zeros = match (self.fill, self.align) {
            ('0', '=') => self.width.saturating_sub(start.len() + rest.len()),
            _ => 0,
        };
        let digits = match self.thousands {
            Some(mark) if !digits.is_empty() => grouped(digits, mark, group, zeros),
            _ => digits.to_owned(),
        };
        self.pad(start, &format!("{digits}{rest}"))
    }

    /// Pads a text, which begins with a sign and a prefix.
    pub fn pad(&self, start: &str, text: &str) -> String {
        let length = start.len() + text.chars().count();
        let missing = self.width.saturating_sub(length);
        let fill = self.fill.to_string().repeat(missing);
        match self.align {
            '<' => format!("{start}{text}{fill}"),
            '=' => format!("{start}{fill}{text}"),
            '^' => {
                let (left, right) = fill.split_at(missing / 2 * self.fill.len_utf8());
                format!("{left}{start}{text}{right}")
            }
            _ => format!("{fill}{start}{text}"),
        }
    }
}

fn unknown<T>(kind: char, of: &str) -> Result<T> {
    fail(format!("Unknown format code '{kind}' for object of type '{of}'"))
}

fn fill_and_align(rest: &mut &[char]) -> (Option<char>, Option<char>) {
    match *rest {
        [c, a @ ('<' | '>' | '=' | '^'), more @ ..] => {
            *rest = more;
            (Some(*c), Some(*a))
        }
        _ => (None, take(rest, &['<', '>', '=', '^'])),
    }
}

fn thousands(rest: &mut &[char]) -> Result<Option<char>> {
    let comma = take(rest, &[',']);
    let underscore = take(rest, &['_']);
    if underscore.is_some() && (comma.is_some() || rest.starts_with(&[','])) {
        fail("Cannot specify both ',' and '_'.")
    } else {
        Ok(comma.or(underscore))
    }
}

fn take(rest: &mut &[char], of: &[char]) -> Option<char> {
    let c = rest.first().copied().filter(|c| of.contains(c))?;
    *rest = &rest[1..];
    Some(c)
}

fn number(rest: &mut &[char]) -> Result<Option<usize>> {
    let digits = rest.iter().take_while(|c| c.is_ascii_digit()).count();
    let (number, after) = rest.split_at(digits);
    *rest = after;
    match number.iter().collect::<String>().parse::<i64>() {
        Ok(number) => Ok(Some(usize::try_from(number).unwrap_or(usize::MAX))),
        Err(_) if digits == 0 => Ok(None),
        Err(_) => fail("Too many decimal digits in format string"),
    }
}

/// Returns the character of a code point, for `c`. Raises an `OverflowError` for others.
pub fn character(number: &Number) -> Result<char> {
    let code = match number {
        Number::Small(code) => u32::try_from(*code).ok(),
        Number::Big(_) | Number::Float(_) => None,
    };
    code.and_then(char::from_u32)
        .ok_or_else(|| Exception::of_overflow("%c arg not in range(0x110000)"))
}

/// Returns the prefix of a base, the digits, and the size of a group of digits.
pub fn in_base(number: &BigInt, kind: char) -> Result<(&'static str, String, usize)> {
    let number = number.abs();
    limit_bytes(usize::try_from(number.bits()).unwrap_or(usize::MAX))?;
    Ok(match kind {
        'b' => ("0b", number.to_str_radix(2), 4),
        'o' => ("0o", number.to_str_radix(8), 4),
        'x' => ("0x", number.to_str_radix(16), 4),
        'X' => ("0X", number.to_str_radix(16).to_uppercase(), 4),
        _ => ("", repr::digits(&number)?, 3),
    })
}

/// Groups digits, with leading zeros up to a width of `wide`.
fn grouped(digits: &str, mark: char, group: usize, wide: usize) -> String {
    let mut count = digits.len();
    // The width counts the marks: zeros are added until both together fill it.
    while count + (count - 1) / group < wide {
        count += 1;
    }
    let zeros = std::iter::repeat_n('0', count - digits.len());
    let mut out = String::new();
    for (at, digit) in zeros.chain(digits.chars()).enumerate() {
        if at > 0 && (count - at).is_multiple_of(group) {
            out.push(mark);
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_as_python_does() {
        let (i, f) = (Value::Int, Value::Float);
        for (value, specification, text) in [
            (i(1_234_567), ",", "1,234,567"),
            (i(1234), "010,", "00,001,234"),
            (i(1234), "08,", "0,001,234"),
            (i(-5), "=+6", "-    5"),
            (i(255), "#06x", "0x00ff"),
            (i(12_345_678), "_x", "bc_614e"),
            (i(5), "^5", "  5  "),
            (i(97), "c", "a"),
            (i(1), "%", "100.000000%"),
            (f(1234.5), ",.2f", "1,234.50"),
            (f(123.0), ".3", "1.23e+02"),
            (f(12.0), ".3", "12.0"),
            (f(1e20), "", "1e+20"),
            (f(0.25), ".0%", "25%"),
            (f(-0.001), "z.1f", "0.0"),
            (f(f64::INFINITY), "06", "000inf"),
            (f(1.5), "e", "1.500000e+00"),
            (f(1.5), "G", "1.5"),
            ("añ".into(), ">5.1", "    a"),
            ("a".into(), "*^4", "*a**"),
            ("a".into(), "05", "a0000"),
            (Value::Bool(true), "5", "    1"),
        ] {
            let formatted = format_value(&value, specification).unwrap_or_default();
            assert_eq!(formatted, text, "{specification}");
        }
    }

    #[test]
    fn says_what_is_wrong() {
        for (value, specification, message) in [
            (Value::Int(1), ".3", "Precision not allowed in integer format specifier"),
            (Value::Int(1), ",x", "Cannot specify ',' with 'x'."),
            (
                Value::Int(1),
                "5xx",
                "Invalid format specifier '5xx' for object of type 'int'",
            ),
            ("a".into(), "=5", "'=' alignment not allowed in string format specifier"),
            (Value::None, "5", "unsupported format string passed to NoneType.__format__"),
        ] {
            let error = format_value(&value, specification).err();
            assert_eq!(error.map(|e| e.message).unwrap_or_default(), message);
        }
        assert!(format_value(&Value::Int(1), "999999999").is_err());
    }
}
