//! `dateutil.parser.parse`: points in time in the forms that people write.

mod parts;
mod tokens;

use super::calendar::{DAYS, MONTHS, days_in};
use super::date::Date;
use super::datetime::DateTime;
use super::zone::Zone;
use crate::eval::python::{Exception, Result};

use parts::{DateParts, NamedParts};
use tokens::tokens;

/// Parses `2015-09-29T10:20:30Z`, `Sep 29, 2015 10:20 PM`, `29.9.2015` or `20150929`.
/// `today` supplies the parts of the date that the text does not give, and the century of a
/// year of two digits. Fails with a `ValueError` if the text is not understood or there is
/// no such day.
pub fn parse(text: &str, today: impl FnOnce() -> Result<Date>) -> Result<DateTime> {
    let parser = DateParser { tokens: tokens(text), ..DateParser::default() };
    let unknown = || Exception::of_value(format!("Unknown string format: {text}"));
    let read = parser.read().ok_or_else(unknown)?;
    let parts = read.parts.named().ok_or_else(unknown)?;
    if !read.found_clock() && read.weekday.is_none() && read.parts.len() == 0 {
        let message = format!("String does not contain a date: {text}");
        return Err(Exception::of_value(message));
    }
    let zone = read.zone()?;
    let [hour, minute, second, micro] = read.clock;
    let clock = [hour, minute, second, micro].map(Option::unwrap_or_default);
    DateTime::new(read.date(parts, today)?, clock, zone)
}

/// Words that have no effect.
const SKIPPED: [&str; 18] = [
    " ", ".", ",", ";", "-", "/", "'", "at", "on", "and", "ad", "m", "t", "of", "st",
    "nd", "rd", "th",
];

/// The units of a clock: hours, minutes and seconds.
const UNITS: [[&str; 3]; 3] =
    [["h", "hour", "hours"], ["m", "minute", "minutes"], ["s", "second", "seconds"]];

/// Names of UTC.
const UTC: [&str; 4] = ["UTC", "GMT", "Z", "z"];

/// Number of years from now that a year of two digits may be.
const CENTURY_REACH: i64 = 50;

/// The tokens of a text and what was found so far.
#[derive(Debug, Default)]
struct DateParser {
    tokens: Vec<String>,
    parts: DateParts,
    /// The hour, the minute, the second and the microsecond.
    clock: [Option<i64>; 4],
    /// The day of the week; Monday is 0.
    weekday: Option<i64>,
    zone_name: Option<String>,
    /// Seconds east of UTC.
    zone_offset: Option<i64>,
}

impl DateParser {
    fn found_clock(&self) -> bool {
        self.clock.iter().any(Option::is_some)
    }

    fn token(&self, at: usize) -> Option<&str> {
        self.tokens.get(at).map(String::as_str)
    }

    fn is_at(&self, at: usize, sign: &str) -> bool {
        self.token(at) == Some(sign)
    }

    fn skips(&self, at: usize) -> bool {
        self.token(at).is_some_and(|it| SKIPPED.contains(&&*it.to_lowercase()))
    }

    /// Reads all tokens. Returns nothing if one is not understood.
    fn read(mut self) -> Option<DateParser> {
        let mut at = 0;
        while let Some(token) = self.token(at).map(str::to_owned) {
            at = self.read_token(at, &token)? + 1;
        }
        Some(self)
    }

    /// Reads a token and what belongs to it. Returns the last of them.
    fn read_token(&mut self, at: usize, token: &str) -> Option<usize> {
        if token.starts_with(|c: char| c.is_ascii_digit()) {
            return self.number(at, token);
        }
        if let Some(day) = weekday(token) {
            self.weekday = Some(day);
        } else if let Some(month) = month(token) {
            return self.month(at, month);
        } else if let Some(half) = half(token) {
            let hour = self.clock[0].filter(|hour| (0..=12).contains(hour))?;
            self.clock[0] = Some(half.hour(hour));
        } else if self.could_be_zone(token) {
            self.name_zone(at, token);
        } else if self.clock[0].is_some() && matches!(token, "+" | "-") {
            return self.offset(at, if token == "-" { -1 } else { 1 });
        } else if !self.skips(at) {
            return None;
        }
        Some(at)
    }

    /// Reads a month that is named, with numbers behind it: `Jan-01-99`, `Jan of 01`.
    fn month(&mut self, at: usize, month: i64) -> Option<usize> {
        self.parts.add_month(month)?;
        if self.is_at(at + 1, "-") || self.is_at(at + 1, "/") {
            self.add_digits(at + 2)?;
            if self.token(at + 3) == self.token(at + 1) {
                self.add_digits(at + 4)?;
                return Some(at + 4);
            }
            return Some(at + 2);
        }
        let is_of = self.token(at + 2).is_some_and(|it| it.eq_ignore_ascii_case("of"));
        if is_of && self.is_at(at + 1, " ") && self.is_at(at + 3, " ") {
            if let Some(year) = self.token(at + 4).and_then(whole) {
                // The century is found later.
                self.parts.add_year(year)?;
                self.parts.has_century = year >= 100;
            }
            return self.token(at + 4).map(|_| at + 4).or(Some(at));
        }
        Some(at)
    }

    fn add_digits(&mut self, at: usize) -> Option<()> {
        let digits = self.tokens.get(at)?;
        self.parts.add_digits(digits)
    }

    fn could_be_zone(&self, token: &str) -> bool {
        let is_free = self.zone_name.is_none() && self.zone_offset.is_none();
        self.clock[0].is_some() && is_free && is_zone_name(token)
    }

    /// Reads the name of a zone. In `GMT+3`, the sign says how far UTC is from there.
    fn name_zone(&mut self, at: usize, token: &str) {
        self.zone_name = Some(token.to_owned());
        let Some(sign) = self.tokens.get_mut(at + 1) else { return };
        let turned = match &**sign {
            "+" => "-",
            "-" => "+",
            _ => return,
        };
        turned.clone_into(sign);
        if UTC.contains(&token) {
            self.zone_name = None;
        }
    }

    /// Reads an offset from UTC: `+02:00`, `-0200` or `+2`, and a name in parentheses.
    fn offset(&mut self, at: usize, sign: i64) -> Option<usize> {
        let digits = self.token(at + 1)?;
        let mut last = at + 1;
        let [hours, minutes] = match digits.len() {
            4 => [whole(digits.get(..2)?)?, whole(digits.get(2..)?)?],
            _ if self.is_at(at + 2, ":") => {
                last = at + 3;
                [whole(digits)?, whole(self.token(at + 3)?)?]
            }
            1 | 2 => [whole(digits)?, 0],
            _ => return None,
        };
        let seconds = hours.checked_mul(3600)?.checked_add(minutes.checked_mul(60)?)?;
        self.zone_offset = Some(sign * seconds);
        let name = self.token(last + 3).filter(|name| name.len() >= 3);
        if let Some(name) = name.filter(|name| is_zone_name(name))
            && self.zone_name.is_none()
            && self.skips(last + 1)
            && self.is_at(last + 2, "(")
            && self.is_at(last + 4, ")")
        {
            self.zone_name = Some(name.to_owned());
            last += 4;
        }
        Some(last)
    }

    /// Reads a number and what belongs to it: a clock, a date or one part of them.
    fn number(&mut self, at: usize, text: &str) -> Option<usize> {
        let next = self.token(at + 1);
        let is_clock = next == Some(":") || self.has_unit(at + 1);
        let is_point = text.contains('.');
        let length = text.len();
        if self.parts.len() == 3
            && matches!(length, 2 | 4)
            && self.clock[0].is_none()
            && !is_clock
        {
            // `19990101T2359`
            self.clock[0] = Some(whole(text.get(..2)?)?);
            if length == 4 {
                self.clock[1] = Some(whole(text.get(2..)?)?);
            }
        } else if length == 6 || length > 6 && text.find('.') == Some(6) {
            if self.parts.len() == 0 && !is_point {
                for digits in [text.get(..2)?, text.get(2..4)?, text.get(4..)?] {
                    self.parts.add_digits(digits)?;
                }
            } else {
                self.clock[0] = Some(whole(text.get(..2)?)?);
                self.clock[1] = Some(whole(text.get(2..4)?)?);
                self.seconds(text.get(4..)?)?;
            }
        } else if matches!(length, 8 | 12 | 14) {
            self.long_number(text)?;
        } else if let Some(unit_at) = self.unit_near(at) {
            return self.with_unit(at, text, unit_at);
        } else if next == Some(":") && self.token(at + 2).is_some() {
            return self.clock(at, text);
        } else if let Some(separator @ ("-" | "/" | ".")) = next {
            let separator = separator.to_owned();
            return self.date_from(at, text, &separator);
        } else if next.is_none() || self.skips(at + 1) {
            if let Some(half) = self.token(at + 2).and_then(half) {
                self.clock[0] = Some(half.hour(integer(text)?));
                return Some(at + 2);
            }
            self.parts.add(integer(text)?)?;
            return Some(at + 1);
        } else if let Some(half) = next.and_then(half)
            && integer(text)? < 24
        {
            self.clock[0] = Some(half.hour(integer(text)?));
            return Some(at + 1);
        } else if !is_point && self.parts.could_be_day(integer(text)?) {
            self.parts.add(integer(text)?)?;
        } else {
            return None;
        }
        Some(at)
    }

    /// Reads `YYYYMMDD`, with `hhmm` or `hhmmss`.
    fn long_number(&mut self, text: &str) -> Option<()> {
        self.parts.add_year(whole(text.get(..4)?)?)?;
        self.parts.add_digits(text.get(4..6)?)?;
        self.parts.add_digits(text.get(6..8)?)?;
        for (i, part) in self.clock.iter_mut().take(3).enumerate() {
            if let Some(digits) = text.get(8 + 2 * i..10 + 2 * i) {
                *part = Some(whole(digits)?);
            }
        }
        Some(())
    }

    /// Returns the place of the unit of a number: behind it, else before it, where it is
    /// that of the number before.
    fn unit_near(&self, at: usize) -> Option<usize> {
        if self.has_unit(at + 1) {
            return Some(at + 1);
        }
        if self.is_at(at + 1, " ") && self.has_unit(at + 2) {
            return Some(at + 2);
        }
        let before = at.checked_sub(1)?;
        if self.has_unit(before) {
            return Some(before);
        }
        let is_last = at + 1 == self.tokens.len();
        let far = before.checked_sub(1)?;
        (is_last && self.is_at(before, " ") && self.has_unit(far)).then_some(far)
    }

    fn has_unit(&self, at: usize) -> bool {
        self.token(at).and_then(unit).is_some()
    }

    /// Reads a number with a unit: `10h`, `10 h` or the second one of `10h20`.
    fn with_unit(&mut self, at: usize, text: &str, unit_at: usize) -> Option<usize> {
        let unit = self.token(unit_at).and_then(unit)?;
        let unit = if unit_at > at { unit } else { unit + 1 };
        match unit {
            0 => {
                self.clock[0] = Some(integer(text)?);
                if let Some(minute) = sixtieths(text) {
                    self.clock[1] = Some(minute);
                }
            }
            1 => {
                self.clock[1] = Some(integer(text)?);
                self.clock[2] = sixtieths(text);
            }
            2 => self.seconds(text)?,
            _ => {}
        }
        Some(at.max(unit_at))
    }

    /// Reads `10:20` or `10:20:30.5`.
    fn clock(&mut self, at: usize, hour: &str) -> Option<usize> {
        let minute = self.token(at + 2)?.to_owned();
        self.clock[0] = Some(integer(hour)?);
        self.clock[1] = Some(integer(&minute)?);
        self.clock[2] = sixtieths(&minute);
        match self.token(at + 4).map(str::to_owned) {
            Some(second) if self.is_at(at + 3, ":") => {
                self.seconds(&second)?;
                Some(at + 4)
            }
            _ => Some(at + 2),
        }
    }

    fn seconds(&mut self, text: &str) -> Option<()> {
        let (second, fraction) = text.split_once('.').unwrap_or((text, "0"));
        self.clock[2] = Some(whole(second)?);
        self.clock[3] = Some(whole(format!("{fraction:0<6}").get(..6)?)?);
        Some(())
    }

    /// Reads `01-02`, `01-Feb` and a third part behind the same separator.
    fn date_from(&mut self, at: usize, text: &str, separator: &str) -> Option<usize> {
        self.parts.add_digits(text)?;
        let Some(second) = self.token(at + 2).filter(|_| !self.skips(at + 2)) else {
            return Some(at + 1);
        };
        if second.bytes().all(|b| b.is_ascii_digit()) {
            self.add_digits(at + 2)?;
        } else {
            let month = month(second)?;
            self.parts.add_month(month)?;
        }
        if !self.is_at(at + 3, separator) {
            return Some(at + 2);
        }
        match month(self.token(at + 4)?) {
            Some(month) => self.parts.add_month(month)?,
            None => self.add_digits(at + 4)?,
        }
        Some(at + 4)
    }

    /// Returns the zone, if there is one. A name that is not known has none.
    fn zone(&self) -> Result<Option<Zone>> {
        let is_utc = self.zone_name.as_deref().is_some_and(|name| UTC.contains(&name));
        match (self.zone_offset, &self.zone_name) {
            (Some(0), _) => Ok(Some(Zone::utc())),
            _ if is_utc => Ok(Some(Zone::utc())),
            (Some(offset), Some(name)) => {
                Zone::offset(offset).map(|it| Some(it.named(name)))
            }
            (Some(offset), None) => Zone::offset(offset).map(Some),
            (None, _) => Ok(None),
        }
    }

    /// Returns true for a year of two digits.
    fn is_short(&self, year: i64) -> bool {
        year < 100 && !self.parts.has_century
    }

    /// Returns the date. What the text does not give is that of today.
    fn date(
        &self,
        parts: NamedParts,
        today: impl FnOnce() -> Result<Date>,
    ) -> Result<Date> {
        if let NamedParts { year: Some(year), month: Some(month), day: Some(day) } = parts
            && !self.is_short(year)
        {
            return Date::new(year, month, day);
        }
        let today = today()?;
        let year = match parts.year {
            Some(year) if self.is_short(year) => in_reach(year, today.year),
            year => year.unwrap_or(today.year),
        };
        let month = parts.month.unwrap_or(today.month);
        if let Some(day) = parts.day {
            return Date::new(year, month, day);
        }
        // A day that the month lacks is replaced by its last one.
        let date = Date::new(year, month, today.day.min(days_in(year, month)))?;
        match self.weekday {
            Some(wanted) => {
                let ahead = (wanted - date.weekday()).rem_euclid(7);
                Date::of_ordinal(date.ordinal() + ahead)
            }
            None => Ok(date),
        }
    }
}

/// The halves of a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DayHalf {
    Am,
    Pm,
}

impl DayHalf {
    /// Returns an hour of 12 as one of 24.
    fn hour(self, hour: i64) -> i64 {
        match self {
            DayHalf::Pm if hour < 12 => hour + 12,
            DayHalf::Am if hour == 12 => 0,
            _ => hour,
        }
    }
}

fn half(word: &str) -> Option<DayHalf> {
    match &*word.to_lowercase() {
        "am" | "a" => Some(DayHalf::Am),
        "pm" | "p" => Some(DayHalf::Pm),
        _ => None,
    }
}

fn unit(word: &str) -> Option<usize> {
    let word = word.to_lowercase();
    UNITS.iter().position(|names| names.contains(&&*word))
}

/// Returns the index of a name in full or of its first three letters.
fn index_of(word: &str, names: &[&str]) -> Option<i64> {
    let found = names.iter().position(|name| {
        let is_short = word.len() == 3
            && name.get(..3).is_some_and(|it| it.eq_ignore_ascii_case(word));
        is_short || name.eq_ignore_ascii_case(word)
    });
    found.map(|at| at as i64)
}

fn month(word: &str) -> Option<i64> {
    let is_september = word.eq_ignore_ascii_case("sept");
    if is_september { Some(9) } else { index_of(word, &MONTHS).map(|at| at + 1) }
}

fn weekday(word: &str) -> Option<i64> {
    // The names begin with Sunday.
    index_of(word, &DAYS).map(|at| (at + 6) % 7)
}

fn is_zone_name(token: &str) -> bool {
    token.len() <= 5
        && (token.bytes().all(|b| b.is_ascii_uppercase()) || UTC.contains(&token))
}

/// Returns the number that digits write.
fn whole(digits: &str) -> Option<i64> {
    let is_number = digits.bytes().all(|b| b.is_ascii_digit());
    digits.parse().ok().filter(|_| is_number)
}

/// Returns the whole part of a number.
fn integer(number: &str) -> Option<i64> {
    whole(number.split_once('.').map_or(number, |(whole, _)| whole))
}

/// Returns the fraction of a number in sixtieths, if there is one.
fn sixtieths(number: &str) -> Option<i64> {
    let (_, fraction) = number.split_once('.')?;
    let fraction = fraction.trim_end_matches('0');
    // More digits do not change the result.
    let digits = fraction.get(..15).unwrap_or(fraction);
    let part = whole(digits)?;
    Some(part * 60 / 10_i64.pow(digits.len() as u32))
}

/// Returns a year of two digits in the century that brings it near to this year.
fn in_reach(year: i64, now: i64) -> i64 {
    let year = year + now - now.rem_euclid(100);
    if year >= now + CENTURY_REACH {
        year - 100
    } else if year < now - CENTURY_REACH {
        year + 100
    } else {
        year
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
