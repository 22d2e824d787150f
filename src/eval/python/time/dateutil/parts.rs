//! The numbers of a date, and which of them is the year, the month and the day.

use super::super::calendar::days_in;

/// The numbers of a date in the order of the text.
#[derive(Debug, Default)]
pub(super) struct DateParts {
    numbers: Vec<i64>,
    year: Option<usize>,
    month: Option<usize>,
    /// True if the year has more than two digits.
    pub(super) has_century: bool,
}

/// A year, a month and a day, as far as they are given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct NamedParts {
    pub(super) year: Option<i64>,
    pub(super) month: Option<i64>,
    pub(super) day: Option<i64>,
}

impl NamedParts {
    fn of(year: i64, month: i64, day: i64) -> NamedParts {
        NamedParts { year: Some(year), month: Some(month), day: Some(day) }
    }
}

impl DateParts {
    pub(super) fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Adds a number; one above 100 is the year.
    pub(super) fn add(&mut self, number: i64) -> Option<()> {
        if number > 100 {
            return self.add_year(number);
        }
        self.numbers.push(number);
        Some(())
    }

    /// Adds digits; more than two of them are the year.
    pub(super) fn add_digits(&mut self, digits: &str) -> Option<()> {
        let is_number = digits.bytes().all(|b| b.is_ascii_digit());
        let number = digits.parse().ok().filter(|_| is_number)?;
        if digits.len() > 2 {
            return self.add_year(number);
        }
        self.numbers.push(number);
        Some(())
    }

    /// Adds the year. There is one at most.
    pub(super) fn add_year(&mut self, year: i64) -> Option<()> {
        self.has_century = true;
        if self.year.replace(self.numbers.len()).is_some() {
            return None;
        }
        self.numbers.push(year);
        Some(())
    }

    /// Adds the month, which a word names. There is one at most.
    pub(super) fn add_month(&mut self, month: i64) -> Option<()> {
        if self.month.replace(self.numbers.len()).is_some() {
            return None;
        }
        self.numbers.push(month);
        Some(())
    }

    fn number_at(&self, at: Option<usize>) -> Option<i64> {
        self.numbers.get(at?).copied()
    }

    /// Returns true if a number can be a day of the month that is known.
    pub(super) fn could_be_day(&self, number: i64) -> bool {
        let last = match (self.number_at(self.month), self.number_at(self.year)) {
            (None, _) => 31,
            // A leap year, as long as the year is not known.
            (Some(month), year) => days_in(year.unwrap_or(2000), month),
        };
        (1..=last).contains(&number)
    }

    /// Tells the numbers apart: by what is known of them, by their sizes, and else the
    /// month comes first. Returns nothing for more than three.
    pub(super) fn named(&self) -> Option<NamedParts> {
        let numbers = &*self.numbers;
        Some(match (numbers, self.year, self.month) {
            ([], ..) => NamedParts::default(),
            (&[year], Some(_), _) => {
                NamedParts { year: Some(year), ..NamedParts::default() }
            }
            (&[month], _, Some(_)) => {
                NamedParts { month: Some(month), ..NamedParts::default() }
            }
            (&[number], ..) if number > 31 => {
                NamedParts { year: Some(number), ..NamedParts::default() }
            }
            (&[day], ..) => NamedParts { day: Some(day), ..NamedParts::default() },
            (&[one, other], year, Some(at)) => {
                let (month, other) = if at == 0 { (one, other) } else { (other, one) };
                let parts = NamedParts { month: Some(month), ..NamedParts::default() };
                if year.is_some() || other > 31 {
                    NamedParts { year: Some(other), ..parts }
                } else {
                    NamedParts { day: Some(other), ..parts }
                }
            }
            (&[year, month], ..) if year > 31 => {
                NamedParts { year: Some(year), month: Some(month), day: None }
            }
            (&[month, year], ..) if year > 31 => {
                NamedParts { year: Some(year), month: Some(month), day: None }
            }
            (&[month, day], ..) => {
                NamedParts { year: None, month: Some(month), day: Some(day) }
            }
            (&[a, b, c], Some(year), Some(month)) => {
                let all = [a, b, c];
                let day = all.get(3_usize.checked_sub(year + month)?)?;
                NamedParts::of(all[year], all[month], *day)
            }
            (&[a, b, c], _, Some(0)) if b > 31 => NamedParts::of(b, a, c),
            (&[a, b, c], _, Some(0)) => NamedParts::of(c, a, b),
            (&[a, b, c], _, Some(1)) if a > 31 => NamedParts::of(a, b, c),
            (&[a, b, c], _, Some(1)) => NamedParts::of(c, b, a),
            (&[a, b, c], _, Some(_)) if b > 31 => NamedParts::of(b, c, a),
            (&[a, b, c], _, Some(_)) => NamedParts::of(a, c, b),
            (&[a, b, c], year, None) if a > 31 || year == Some(0) => {
                NamedParts::of(a, b, c)
            }
            (&[a, b, c], ..) if a > 12 => NamedParts::of(c, b, a),
            (&[a, b, c], ..) => NamedParts::of(c, a, b),
            _ => return None,
        })
    }
}
