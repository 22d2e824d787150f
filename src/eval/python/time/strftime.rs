//! `strftime` of the GNU C library, which CPython calls.

use super::calendar::{DAYS, MONTHS};
use super::date::Date;
use super::datetime::DateTime;
use super::zone::Zone;
use crate::eval::python::{Result, Value, limit_bytes};

/// A time as a format shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fields {
    pub time: DateTime,
    /// Microseconds; `%f` is not replaced without them.
    pub micro: Option<i64>,
    /// Seconds since 1970-01-01 UTC.
    pub epoch: i64,
}

impl Fields {
    /// Returns the day of the week; Sunday is 0.
    fn weekday(&self) -> i64 {
        (self.time.date.weekday() + 1) % 7
    }

    /// Returns the week of the year, for weeks that begin `first` days after Sunday.
    fn week_from(&self, first: i64) -> i64 {
        (self.time.date.yearday() + 6 - (self.weekday() + 7 - first) % 7) / 7
    }

    /// Implements `timetuple()`.
    pub fn tuple(&self) -> Value {
        let date = self.time.date;
        let [hour, minute, second, _] = self.time.clock;
        let days = [date.year, date.month, date.day];
        let rest = [hour, minute, second, date.weekday(), date.yearday(), -1];
        Value::tuple(days.into_iter().chain(rest).map(Value::Int))
    }
}

#[derive(Clone, Copy, Default)]
struct DirectiveFlags {
    /// Padding: `_` for spaces, `-` for none, or `0`.
    pad: Option<char>,
    upper: bool,
    swap: bool,
    width: usize,
}

/// Implements `strftime(format)`. Raises a limit error for a text that is too long.
pub fn strftime(format: &str, fields: &Fields) -> Result<String> {
    let mut out = String::new();
    let mut rest = format;
    while let Some((before, after)) = rest.split_once('%') {
        out.push_str(before);
        let mut flags = DirectiveFlags::default();
        let flags_end = after.find(|c| !"_-0^#+".contains(c)).unwrap_or(after.len());
        for flag in after[..flags_end].chars() {
            match flag {
                '^' => flags.upper = true,
                '#' => flags.swap = true,
                '+' => flags.pad = Some('0'),
                pad => flags.pad = Some(pad),
            }
        }
        let digits = after[flags_end..].bytes().take_while(u8::is_ascii_digit).count();
        flags.width = after[flags_end..flags_end + digits].parse().unwrap_or(0);
        limit_bytes(flags.width)?;
        let named = &after[flags_end + digits..];
        // The modifiers have no effect in the C locale.
        let name = named.strip_prefix(['E', 'O']).unwrap_or(named);
        let letter = name.chars().next();
        match letter.and_then(|letter| part(letter, flags, fields)) {
            Some(text) => {
                out.push_str(&text);
                rest = &name[1..];
            }
            // An unknown directive is written as it is.
            None => {
                out.push('%');
                rest = after;
            }
        }
        limit_bytes(out.len())?;
    }
    Ok(out + rest)
}

/// Returns the text of a directive: a number, a name, or another format.
fn part(letter: char, flags: DirectiveFlags, fields: &Fields) -> Option<String> {
    if let Some((x, digits, pad)) = number(letter, fields) {
        return Some(numeric(x, digits, pad, flags));
    }
    if let Some(name) = name(letter, flags, fields) {
        return Some(name);
    }
    let format = match letter {
        'c' => "%a %b %e %H:%M:%S %Y",
        'D' | 'x' => "%m/%d/%y",
        'F' => "%Y-%m-%d",
        'r' => "%I:%M:%S %p",
        'R' => "%H:%M",
        'T' | 'X' => "%H:%M:%S",
        _ => return None,
    };
    // The recursion ends: none of these formats contains a format of this list.
    Some(textual(&strftime(format, fields).ok()?, flags))
}

/// Returns the number of a directive, its minimum digits and its padding.
fn number(letter: char, fields: &Fields) -> Option<(i64, usize, char)> {
    let Date { year, month, day } = fields.time.date;
    let [hour, minute, second, _] = fields.time.clock;
    let twelve = (hour + 11) % 12 + 1;
    let [week_year, iso_week, iso_day] = fields.time.date.week();
    Some(match letter {
        'C' => (year.div_euclid(100), 2, '0'),
        'd' => (day, 2, '0'),
        'e' => (day, 2, '_'),
        'f' => (fields.micro?, 6, '0'),
        'g' => (week_year.rem_euclid(100), 2, '0'),
        'G' => (week_year, 1, '0'),
        'H' => (hour, 2, '0'),
        'I' => (twelve, 2, '0'),
        'j' => (fields.time.date.yearday(), 3, '0'),
        'k' => (hour, 2, '_'),
        'l' => (twelve, 2, '_'),
        'm' => (month, 2, '0'),
        'M' => (minute, 2, '0'),
        's' => (fields.epoch, 1, '0'),
        'S' => (second, 2, '0'),
        'u' => (iso_day, 1, '0'),
        'U' => (fields.week_from(0), 2, '0'),
        'V' => (iso_week, 2, '0'),
        'w' => (fields.weekday(), 1, '0'),
        'W' => (fields.week_from(1), 2, '0'),
        'y' => (year.rem_euclid(100), 2, '0'),
        'Y' => (year, 1, '0'),
        _ => return None,
    })
}

/// Returns the name or sign of a directive.
fn name(letter: char, flags: DirectiveFlags, fields: &Fields) -> Option<String> {
    let half = if fields.time.clock[0] < 12 { "AM" } else { "PM" };
    let zone = fields.time.zone.as_ref();
    let text = match letter {
        'a' | 'A' | 'b' | 'B' | 'h' => {
            let name = if letter.eq_ignore_ascii_case(&'a') {
                DAYS.get(fields.weekday() as usize)?
            } else {
                MONTHS.get(fields.time.date.month as usize - 1)?
            };
            let short = if letter.is_lowercase() { &name[..3] } else { name };
            // `#` changes names to upper case, but `%p` and `%Z` to lower case.
            let flags = DirectiveFlags { upper: flags.upper || flags.swap, ..flags };
            return Some(textual(short, flags));
        }
        'p' if flags.swap && !flags.upper => half.to_lowercase(),
        'p' => half.to_owned(),
        'P' => half.to_lowercase(),
        'n' => "\n".to_owned(),
        't' => "\t".to_owned(),
        '%' => "%".to_owned(),
        'z' => return Some(zone.map_or(String::new(), |zone| zone.suffix(""))),
        'Z' if flags.swap => zone.map_or(String::new(), Zone::name).to_lowercase(),
        'Z' => zone.map_or(String::new(), Zone::name),
        _ => return None,
    };
    Some(textual(&text, flags))
}

fn numeric(x: i64, digits: usize, pad: char, flags: DirectiveFlags) -> String {
    let sign = if x < 0 { "-" } else { "" };
    let digits_of = x.unsigned_abs();
    let width = digits.max(flags.width);
    match flags.pad.unwrap_or(pad) {
        '-' => format!("{sign}{digits_of}"),
        '_' => format!("{:>width$}", format!("{sign}{digits_of}")),
        _ => {
            let width = width.saturating_sub(sign.len());
            format!("{sign}{digits_of:0>width$}")
        }
    }
}

fn textual(text: &str, flags: DirectiveFlags) -> String {
    let text = if flags.upper { text.to_uppercase() } else { text.to_owned() };
    let width = flags.width;
    match flags.pad {
        Some('0') => format!("{text:0>width$}"),
        Some('-') => text,
        _ => format!("{text:>width$}"),
    }
}
