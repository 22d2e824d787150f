//! `dateutil.parser.parse`: points in time in the forms that people write.

use super::calendar::{DAYS, MONTHS, days_in};
use super::date::Date;
use super::datetime::DateTime;
use super::zone::Zone;
use crate::eval::python::{Exception, Result};

/// Parses `2015-09-29T10:20:30Z`, `Sep 29, 2015 10:20 PM`, `29.9.2015` or `20150929`.
/// `today` supplies the parts of the date that the text does not give. Fails with a
/// `ValueError` if the text is not understood or there is no such day.
pub fn parse(text: &str, today: impl FnOnce() -> Result<Date>) -> Result<DateTime> {
    let parser = DateParser { tokens: tokens(text), ..DateParser::default() };
    let unknown = || Exception::of_value(format!("Unknown string format: {text}"));
    let read = parser.read().filter(DateParser::found_any).ok_or_else(unknown)?;
    let date = match read.date().ok_or_else(unknown)? {
        (Some(year), Some(month), Some(day)) => Date::new(year, month, day)?,
        // A day that the month lacks is replaced by its last one, as in dateutil.
        (year, month, day) => {
            let today = today()?;
            let year = year.unwrap_or(today.year);
            let month = month.unwrap_or(today.month);
            Date::new(year, month, day.unwrap_or(today.day.min(days_in(year, month))))?
        }
    };
    let zone = read.zone.map(Zone::offset).transpose()?;
    DateTime::new(date, read.clock.unwrap_or_default(), zone)
}

#[derive(Clone, Debug, PartialEq)]
enum DateToken {
    Number(String),
    /// Letters, in lower case.
    Name(String),
    Sign(char),
}

fn tokens(text: &str) -> Vec<DateToken> {
    let mut tokens = Vec::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let mut token = String::from(c);
        if c.is_ascii_digit() {
            while let Some(digit) = chars.next_if(char::is_ascii_digit) {
                token.push(digit);
            }
            tokens.push(DateToken::Number(token));
        } else if c.is_alphabetic() {
            while let Some(letter) = chars.next_if(|c| c.is_alphabetic()) {
                token.push(letter);
            }
            tokens.push(DateToken::Name(token.to_lowercase()));
        } else if !c.is_whitespace() && c != ',' {
            tokens.push(DateToken::Sign(c));
        }
    }
    tokens
}

/// A number of a date, with its number of digits.
#[derive(Clone, Copy, Debug)]
struct DateNumber {
    value: i64,
    digits: usize,
}

impl DateNumber {
    fn is_year(self) -> bool {
        self.digits > 2 || self.value > 31
    }

    /// Returns the number as a year; of two digits, those below 69 are of this century.
    fn year(self) -> i64 {
        match self.digits {
            0..3 if self.value < 69 => 2000 + self.value,
            0..3 => 1900 + self.value,
            _ => self.value,
        }
    }
}

/// The tokens of a text and the parts that were found so far.
#[derive(Debug, Default)]
struct DateParser {
    tokens: Vec<DateToken>,
    at: usize,
    numbers: Vec<DateNumber>,
    month: Option<i64>,
    clock: Option<[i64; 4]>,
    zone: Option<i64>,
    /// True if a day of the week was named, which has no other effect.
    named_day: bool,
}

impl DateParser {
    fn found_any(&self) -> bool {
        !self.numbers.is_empty()
            || self.month.is_some()
            || self.clock.is_some()
            || self.named_day
    }

    fn peek(&self, ahead: usize) -> Option<&DateToken> {
        self.tokens.get(self.at + ahead)
    }

    fn is_sign(&self, ahead: usize, sign: char) -> bool {
        self.peek(ahead) == Some(&DateToken::Sign(sign))
    }

    fn digits(&self, ahead: usize) -> Option<&str> {
        match self.peek(ahead)? {
            DateToken::Number(digits) => Some(digits),
            _ => None,
        }
    }

    fn number(&mut self) -> Option<i64> {
        let number = self.digits(0)?.parse().ok()?;
        self.at += 1;
        Some(number)
    }

    /// Reads all tokens. Returns `None` if one is not understood.
    fn read(mut self) -> Option<DateParser> {
        while let Some(token) = self.peek(0).cloned() {
            match token {
                DateToken::Number(digits) => self.number_token(&digits)?,
                DateToken::Name(name) => {
                    self.at += 1;
                    self.name(&name)?;
                }
                DateToken::Sign(sign @ ('+' | '-')) if self.clock.is_some() => {
                    self.at += 1;
                    self.offset(if sign == '-' { -1 } else { 1 })?;
                }
                DateToken::Sign('-' | '/' | '.' | ';') => self.at += 1,
                DateToken::Sign(_) => return None,
            }
        }
        Some(self)
    }

    fn number_token(&mut self, digits: &str) -> Option<()> {
        let half =
            matches!(self.peek(1), Some(DateToken::Name(n)) if n == "am" || n == "pm");
        if self.is_sign(1, ':') || half {
            return self.clock();
        }
        let pairs = digits.as_bytes().as_chunks().0.iter();
        let pairs = pairs.map(|[tens, ones]| i64::from((tens - b'0') * 10 + ones - b'0'));
        self.at += 1;
        match (digits.len(), &*pairs.collect::<Vec<_>>()) {
            // `YYYYMMDD`, with `hhmm` or `hhmmss`.
            (8 | 12 | 14, [century, year, month, day, clock @ ..]) => {
                self.push_date(century * 100 + year, *month, *day);
                if let [hour, minute, second @ ..] = clock {
                    let second = second.first().copied().unwrap_or(0);
                    self.clock = Some([*hour, *minute, second, 0]);
                }
            }
            (4 | 6, [hour, minute, second @ ..])
                if self.clock.is_none() && self.numbers.len() > 2 =>
            {
                let second = second.first().copied().unwrap_or(0);
                self.clock = Some([*hour, *minute, second, 0]);
                self.fraction()?;
            }
            // `YYMMDD`
            (6, [year, month, day]) if self.numbers.is_empty() => {
                let year = DateNumber { value: *year, digits: 2 }.year();
                self.push_date(year, *month, *day);
            }
            (1..=4, _) => {
                let value = digits.parse().ok()?;
                self.numbers.push(DateNumber { value, digits: digits.len() });
            }
            _ => return None,
        }
        (self.numbers.len() < 4).then_some(())
    }

    fn push_date(&mut self, year: i64, month: i64, day: i64) {
        self.numbers.push(DateNumber { value: year, digits: 4 });
        self.numbers.extend([month, day].map(|value| DateNumber { value, digits: 2 }));
    }

    /// Reads `10`, `10:20` or `10:20:30` and what may follow.
    fn clock(&mut self) -> Option<()> {
        let mut clock = [self.number()?, 0, 0, 0];
        for part in clock.iter_mut().take(3).skip(1) {
            if self.is_sign(0, ':') {
                self.at += 1;
                *part = self.number()?;
            }
        }
        self.clock = Some(clock);
        self.fraction()
    }

    /// Reads a fraction of a second and the half of the day (`am`, `pm`).
    fn fraction(&mut self) -> Option<()> {
        let mut clock = self.clock?;
        if (self.is_sign(0, '.') || self.is_sign(0, ',')) && self.digits(1).is_some() {
            self.at += 1;
            clock[3] = format!("{:0<6}", self.digits(0)?).get(..6)?.parse().ok()?;
            self.at += 1;
        }
        if let Some(DateToken::Name(name)) = self.peek(0)
            && matches!(&**name, "am" | "pm")
        {
            let after = name == "pm";
            if !(1..=12).contains(&clock[0]) {
                return None;
            }
            clock[0] = clock[0] % 12 + if after { 12 } else { 0 };
            self.at += 1;
        }
        self.clock = Some(clock);
        Some(())
    }

    fn name(&mut self, name: &str) -> Option<()> {
        // Words that dateutil jumps over (`parserinfo.JUMP`).
        const SKIPPED: [&str; 10] =
            ["t", "at", "on", "and", "ad", "of", "st", "nd", "rd", "th"];
        let index_in = |names: &[&str]| {
            let found = |full: &&str| {
                let full = full.to_lowercase();
                name.len() >= 3 && (full == name || full.get(..3) == Some(name))
            };
            names.iter().position(found).or((name == "sept").then_some(8))
        };
        if let Some(month) = index_in(&MONTHS) {
            self.month = Some(month as i64 + 1);
        } else if index_in(&DAYS).is_some() {
            self.named_day = true;
        } else if matches!(name, "z" | "utc" | "gmt") && self.clock.is_some() {
            self.zone = Some(0);
        } else if !SKIPPED.contains(&name) {
            return None;
        }
        Some(())
    }

    /// Reads an offset from UTC: `02:00`, `0200` or `02`.
    fn offset(&mut self, sign: i64) -> Option<()> {
        let digits = self.digits(0)?.to_owned();
        self.at += 1;
        let (hours, minutes): (i64, i64) = match digits.len() {
            4 => (digits.get(..2)?.parse().ok()?, digits.get(2..)?.parse().ok()?),
            1 | 2 if self.is_sign(0, ':') => {
                self.at += 1;
                (digits.parse().ok()?, self.number()?)
            }
            1 | 2 => (digits.parse().ok()?, 0),
            _ => return None,
        };
        self.zone = Some(sign * (hours * 3600 + minutes * 60));
        Some(())
    }

    /// Returns the year, month and day, as far as they are given.
    fn date(&self) -> Option<(Option<i64>, Option<i64>, Option<i64>)> {
        let month = self.month;
        Some(match (month, &*self.numbers) {
            (_, []) => (None, month, None),
            (Some(_), [a]) if a.is_year() => (Some(a.year()), month, None),
            (Some(_), [a]) => (None, month, Some(a.value)),
            (Some(_), [a, b]) if a.is_year() => (Some(a.year()), month, Some(b.value)),
            (Some(_), [a, b]) => (Some(b.year()), month, Some(a.value)),
            (Some(_), _) => return None,
            (None, [a]) if a.is_year() => (Some(a.year()), None, None),
            (None, [a]) => (None, None, Some(a.value)),
            (None, [a, b]) if a.is_year() => (Some(a.year()), Some(b.value), None),
            (None, [a, b]) if b.is_year() => (Some(b.year()), Some(a.value), None),
            // The month comes first, as is dateutil's default, unless it is too large.
            (None, [a, b]) if a.value > 12 => (None, Some(b.value), Some(a.value)),
            (None, [a, b]) => (None, Some(a.value), Some(b.value)),
            (None, [a, b, c]) if a.is_year() && b.value > 12 => {
                (Some(a.year()), Some(c.value), Some(b.value))
            }
            (None, [a, b, c]) if a.is_year() => {
                (Some(a.year()), Some(b.value), Some(c.value))
            }
            (None, [a, b, c]) if a.value > 12 => {
                (Some(c.year()), Some(b.value), Some(a.value))
            }
            (None, [a, b, c]) => (Some(c.year()), Some(a.value), Some(b.value)),
            (None, _) => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_people_write() -> Result<()> {
        let today = || Date::new(2020, 2, 29);
        for (text, shown) in [
            ("2015-09-29", "2015-09-29 00:00:00"),
            ("2015-09-29T10:20:30Z", "2015-09-29 10:20:30+00:00"),
            ("2015-09-29 10:20:30.5 +02:00", "2015-09-29 10:20:30.500000+02:00"),
            ("20150929T102030", "2015-09-29 10:20:30"),
            ("Tue, 29 Sep 2015 10:20 PM", "2015-09-29 22:20:00"),
            ("September 3rd, 2015", "2015-09-03 00:00:00"),
            ("9/29/2015", "2015-09-29 00:00:00"),
            ("29.9.2015 12 am", "2015-09-29 00:00:00"),
            ("10:15", "2020-02-29 10:15:00"),
            ("2021-02", "2021-02-28 00:00:00"),
        ] {
            assert_eq!(parse(text, today)?.isoformat(' '), shown);
        }
        for text in ["", "x", "1:2:3:4", "2015-13-45", "1 2 3 4", "-", "25:00"] {
            assert!(parse(text, today).is_err(), "{text}");
        }
        Ok(())
    }
}
