//! `datetime.strptime`.

use super::calendar::{DAYS, MONTHS, first_day, first_monday, weekday};
use super::date::Date;
use super::datetime::DateTime;
use super::zone::Zone;
use crate::eval::python::regex::{self, Flags, Match, Pattern};
use crate::eval::python::{Exception, Result, repr};

/// Implements `datetime.strptime(text, format)`. Raises a `ValueError` for no match.
pub fn strptime(text: &str, format: &str) -> Result<DateTime> {
    // The expressions of the groups are those of CPython's `_strptime.py`.
    let flags = Flags { ignorecase: true, ..Flags::default() };
    let pattern = regex::compile(&pattern(format)?, flags)?;
    let Some(found) = pattern.match_start(text)? else {
        let text = repr(&text.into())?;
        let format = repr(&format.into())?;
        let message = format!("time data {text} does not match format {format}");
        return Err(Exception::of_value(message));
    };
    let rest = &text[found.whole().end..];
    if !rest.is_empty() {
        return Err(Exception::of_value(format!("unconverted data remains: {rest}")));
    }
    StrptimeMatch { pattern: &pattern, found, text }.read()
}

/// Returns a pattern with a group for each directive of the format.
fn pattern(format: &str) -> Result<String> {
    let mut pattern = String::new();
    let mut chars = format.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '%' => {
                let letter = chars.next().ok_or_else(|| {
                    Exception::of_value(format!("stray % in format '{format}'"))
                })?;
                pattern.push_str(&group(letter).ok_or_else(|| {
                    let what =
                        format!("'{letter}' is a bad directive in format '{format}'");
                    Exception::of_value(what)
                })?);
            }
            c if c.is_whitespace() => {
                while chars.next_if(|c| c.is_whitespace()).is_some() {}
                pattern.push_str(r"\s+");
            }
            c => pattern.push_str(&regex::escape(&c.to_string())),
        }
    }
    Ok(pattern)
}

fn group(letter: char) -> Option<String> {
    let names = |names: &[&str], length: usize| {
        let names = names.iter().map(|name| &name[..length.min(name.len())]);
        let mut names: Vec<&str> = names.collect();
        // Longest first, as an alternation takes the first branch that matches.
        names.sort_by_key(|name| std::cmp::Reverse(name.len()));
        names.join("|")
    };
    let choice = match letter {
        'd' => r"3[0-1]|[1-2]\d|0[1-9]|[1-9]| [1-9]",
        'f' => "[0-9]{1,6}",
        'H' => r"2[0-3]|[0-1]\d|\d",
        'I' => "1[0-2]|0[1-9]|[1-9]",
        'G' | 'Y' => r"\d\d\d\d",
        'j' => r"36[0-6]|3[0-5]\d|[1-2]\d\d|0[1-9]\d|00[1-9]|[1-9]\d|0[1-9]|[1-9]",
        'm' => "1[0-2]|0[1-9]|[1-9]",
        'M' => r"[0-5]\d|\d",
        'S' => r"6[0-1]|[0-5]\d|\d",
        'U' | 'W' => r"5[0-3]|[0-4]\d|\d",
        'u' => "[1-7]",
        'V' => r"5[0-3]|0[1-9]|[1-4]\d|\d",
        'w' => "[0-6]",
        'y' => r"\d\d",
        // `Z` is matched exactly, although the rest ignores case.
        'z' => r"[+-]\d\d:?[0-5]\d(?::?[0-5]\d(?:\.\d{1,6})?)?|(?-i:Z)",
        'Z' => "utc|gmt",
        'p' => "am|pm",
        '%' => return Some("%".to_owned()),
        'c' => return pattern("%a %b %d %H:%M:%S %Y").ok(),
        'x' => return pattern("%m/%d/%y").ok(),
        'X' => return pattern("%H:%M:%S").ok(),
        'A' => &names(&DAYS, 9),
        'a' => &names(&DAYS, 3),
        'B' => &names(&MONTHS, 9),
        'b' => &names(&MONTHS, 3),
        _ => return None,
    };
    Some(format!("(?P<{letter}>{choice})"))
}

/// A text that matched a format.
struct StrptimeMatch<'a> {
    pattern: &'a Pattern,
    found: Match,
    text: &'a str,
}

impl StrptimeMatch<'_> {
    fn group(&self, letter: &str) -> Option<&str> {
        self.found.group(self.pattern.number(letter)?, self.text)
    }

    fn number(&self, letter: &str) -> Option<i64> {
        self.group(letter)?.trim().parse().ok()
    }

    fn name(&self, letter: &str, names: &[&str]) -> Option<i64> {
        let text = self.group(letter)?.to_lowercase();
        let at = names.iter().position(|name| name.to_lowercase().starts_with(&text));
        at.map(|at| at as i64)
    }

    fn read(&self) -> Result<DateTime> {
        let hour = match (self.number("I"), self.group("p")) {
            (Some(hour), half) => {
                let after = half.is_some_and(|half| half.eq_ignore_ascii_case("pm"));
                hour % 12 + if after { 12 } else { 0 }
            }
            (None, _) => self.number("H").unwrap_or(0),
        };
        let micro = self.group("f").map_or(Some(0), |f| format!("{f:0<6}").parse().ok());
        let clock = [
            hour,
            self.number("M").unwrap_or(0),
            self.number("S").unwrap_or(0),
            micro.unwrap_or(0),
        ];
        DateTime::new(self.date()?, clock, self.zone()?)
    }

    /// Returns the day of the week; Monday is 0.
    fn weekday(&self) -> Option<i64> {
        let name = self.name("A", &DAYS).or_else(|| self.name("a", &DAYS));
        let sunday = name.or_else(|| self.number("w"));
        sunday.map(|day| (day + 6) % 7).or_else(|| Some(self.number("u")? - 1))
    }

    fn date(&self) -> Result<Date> {
        // The rule of POSIX for two digits: 69 to 99 are 1969 to 1999.
        let two = |y| if y <= 68 { 2000 + y } else { 1900 + y };
        let year = self.number("Y").or_else(|| self.number("y").map(two));
        let month = self.number("m").or_else(|| {
            Some(self.name("B", &MONTHS).or_else(|| self.name("b", &MONTHS))? + 1)
        });
        let day = self.number("d");
        self.check_weeks(year)?;
        // 1900 is not a leap year, so 29 February is checked in 1904, as in CPython.
        let leap = year.is_none() && month == Some(2) && day == Some(29);
        let known = year.unwrap_or(if leap { 1904 } else { 1900 });
        if let Some(yearday) = self.number("j").or_else(|| self.yearday(year)) {
            let number = first_day(known) + yearday - 1;
            let year = if number < 1 { 0 } else { 10_000 };
            return Date::of_ordinal(number).map_err(|_| {
                Exception::of_value(format!("year {year} is out of range"))
            });
        }
        let week = self.number("G").zip(self.number("V")).zip(self.weekday());
        if let Some(((year, week), day)) = week {
            return Date::of_ordinal(first_monday(year) + (week - 1) * 7 + day);
        }
        let date = Date::new(known, month.unwrap_or(1), day.unwrap_or(1))?;
        if leap { Date::new(1900, date.month, date.day) } else { Ok(date) }
    }

    /// Returns the day of the year of a week number and a day of the week.
    fn yearday(&self, year: Option<i64>) -> Option<i64> {
        let year = year?;
        let day = self.weekday()?;
        let sunday = self.number("U").is_some();
        let week = self.number("U").or_else(|| self.number("W"))?;
        let turn = |day: i64| if sunday { (day + 1) % 7 } else { day };
        let first = turn(weekday(first_day(year)));
        let day = turn(day);
        Some(match week {
            0 => 1 + day - first,
            week => 1 + (7 - first) % 7 + 7 * (week - 1) + day,
        })
    }

    fn check_weeks(&self, year: Option<i64>) -> Result<()> {
        let iso_year = self.group("G").is_some();
        let iso_week = self.group("V").is_some();
        let day = self.weekday().is_some();
        let message = if iso_year && self.group("j").is_some() {
            "Day of the year directive '%j' is not compatible with ISO year directive \
             '%G'. Use '%Y' instead."
        } else if iso_year && !(iso_week && day) {
            "ISO year directive '%G' must be used with the ISO week directive '%V' and a \
             weekday directive ('%A', '%a', '%w', or '%u')."
        } else if iso_week && !iso_year && (year.is_none() || !day) {
            "ISO week directive '%V' must be used with the ISO year directive '%G' and a \
             weekday directive ('%A', '%a', '%w', or '%u')."
        } else if iso_week && !iso_year {
            "ISO week directive '%V' is incompatible with the year directive '%Y'. Use the \
             ISO year '%G' instead."
        } else {
            return Ok(());
        };
        Err(Exception::of_value(message))
    }

    fn zone(&self) -> Result<Option<Zone>> {
        let Some(text) = self.group("z") else { return Ok(None) };
        if text == "Z" {
            return Ok(Some(Zone::utc()));
        }
        let digits: String = text.chars().filter(char::is_ascii_digit).collect();
        let offset = [0, 2, 4].into_iter().fold(0, |offset, at| {
            let part = digits.get(at..at + 2).and_then(|part| part.parse().ok());
            offset * 60 + part.unwrap_or(0)
        });
        let offset = if text.starts_with('-') { -offset } else { offset };
        Zone::offset(offset).map(Some)
    }
}
