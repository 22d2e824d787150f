//! The proleptic Gregorian calendar: dates ⇄ days since the year 1, and weeks.

/// The names of the days of a week, from Sunday.
pub const DAYS: [&str; 7] =
    ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/// The names of the months.
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

pub fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

/// How many days a month has.
pub fn days_in(year: i64, month: i64) -> i64 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// The days of a year before a month.
pub fn days_before(year: i64, month: i64) -> i64 {
    (1..month.min(13)).map(|month| days_in(year, month)).sum()
}

/// The number of a day; that of 0001-01-01 is 1.
pub fn ordinal(year: i64, month: i64, day: i64) -> i64 {
    let before = year - 1;
    let leaps = before.div_euclid(4) - before.div_euclid(100) + before.div_euclid(400);
    before * 365 + leaps + days_before(year, month) + day
}

/// The year, the month and the day of a number.
pub fn civil(ordinal: i64) -> (i64, i64, i64) {
    let mut year = (ordinal - 1).div_euclid(366) + 1;
    while self::ordinal(year + 1, 1, 1) <= ordinal {
        // The estimate is short by a day for every year that was no leap year.
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

/// The day of the week of a number, Monday being 0.
pub fn weekday(ordinal: i64) -> i64 {
    (ordinal + 6).rem_euclid(7)
}

/// The number of the Monday that a year of weeks begins with.
pub fn first_monday(year: i64) -> i64 {
    let first = ordinal(year, 1, 1);
    let monday = first - weekday(first);
    if weekday(first) > 3 { monday + 7 } else { monday }
}

/// The year of weeks, the week and the day (from 1) of a number.
pub fn week(ordinal: i64) -> (i64, i64, i64) {
    let (mut year, _, _) = civil(ordinal);
    if ordinal >= first_monday(year + 1) {
        year += 1;
    } else if ordinal < first_monday(year) {
        year -= 1;
    }
    (year, (ordinal - first_monday(year)) / 7 + 1, weekday(ordinal) + 1)
}
