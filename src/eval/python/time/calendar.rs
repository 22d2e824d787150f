//! The proleptic Gregorian calendar: dates ⇄ ordinals, and ISO weeks.

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

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

pub fn days_in(year: i64, month: i64) -> i64 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Returns the number of days of a year before a month.
pub fn days_before(year: i64, month: i64) -> i64 {
    (1..month.min(13)).map(|month| days_in(year, month)).sum()
}

/// Returns the ordinal of a date. The ordinal of 0001-01-01 is 1.
pub fn ordinal(year: i64, month: i64, day: i64) -> i64 {
    let before = year - 1;
    let leaps = before.div_euclid(4) - before.div_euclid(100) + before.div_euclid(400);
    before * 365 + leaps + days_before(year, month) + day
}

/// Returns the year, month and day of an ordinal.
pub fn civil(ordinal: i64) -> (i64, i64, i64) {
    let mut year = (ordinal - 1).div_euclid(366) + 1;
    while self::ordinal(year + 1, 1, 1) <= ordinal {
        // The first estimate divides by 366, so it is too small by a day for each year
        // that is not a leap year.
        year += ((ordinal - self::ordinal(year, 1, 1)) / 366).max(1);
    }
    let mut day = ordinal - self::ordinal(year, 1, 1) + 1;
    let mut month = 1;
    while day > days_in(year, month) {
        day -= days_in(year, month);
        month += 1;
    }
    (year, month, day)
}

/// Returns the day of the week of an ordinal; Monday is 0.
pub fn weekday(ordinal: i64) -> i64 {
    (ordinal + 6).rem_euclid(7)
}

/// Returns the ordinal of the Monday that begins an ISO year.
pub fn first_monday(year: i64) -> i64 {
    let first = ordinal(year, 1, 1);
    let monday = first - weekday(first);
    // Week 1 is the week with the first Thursday of the year.
    if weekday(first) > 3 { monday + 7 } else { monday }
}

/// Returns the ISO year, the week and the day (from 1) of an ordinal.
pub fn week(ordinal: i64) -> (i64, i64, i64) {
    let (mut year, _, _) = civil(ordinal);
    if ordinal >= first_monday(year + 1) {
        year += 1;
    } else if ordinal < first_monday(year) {
        year -= 1;
    }
    (year, (ordinal - first_monday(year)) / 7 + 1, weekday(ordinal) + 1)
}
