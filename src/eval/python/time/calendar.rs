//! The proleptic Gregorian calendar: days of weeks, months and years.

use jiff::civil;

/// Names of the days of a week, from Sunday.
pub const DAYS: [&str; 7] =
    ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

pub const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// Returns the number of days of a month.
pub fn days_in(year: i64, month: i64) -> i64 {
    let first = civil::Date::new(year as i16, month as i8, 1);
    first.map_or(31, |first| first.days_in_month().into())
}

/// Returns the ordinal of the first day of a year. The ordinal of 0001-01-01 is 1.
pub fn first_day(year: i64) -> i64 {
    let before = year - 1;
    let leaps = before.div_euclid(4) - before.div_euclid(100) + before.div_euclid(400);
    before * 365 + leaps + 1
}

/// Returns the day of the week of an ordinal; Monday is 0.
pub fn weekday(ordinal: i64) -> i64 {
    (ordinal + 6).rem_euclid(7)
}

/// Returns the ordinal of the Monday that begins an ISO year.
pub fn first_monday(year: i64) -> i64 {
    // Week 1 is the week with 4 January.
    let fourth = first_day(year) + 3;
    fourth - weekday(fourth)
}
