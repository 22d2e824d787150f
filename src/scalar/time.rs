//! Plain text that some readers take for a point in time or a number in base 60.

/// Returns true if yaml.v2 takes `text` for a timestamp.
pub(crate) fn is_timestamp(text: &str) -> bool {
    let Some((date, rest)) = date(text) else { return false };
    match rest.bytes().next() {
        None => date,
        Some(b'T' | b't') => date && clock(&rest[1..]).is_some_and(is_zone),
        Some(b' ') => {
            date && clock(rest.trim_start_matches(' ')).is_some_and(str::is_empty)
        }
        Some(_) => false,
    }
}

/// Returns true if `text` looks like a timestamp: a date alone, or with a time after it.
pub(super) fn is_like_timestamp(text: &str) -> bool {
    date(text).is_some_and(|(_, rest)| {
        let time = rest.trim_start_matches(['T', 't', ' ', '\t']);
        rest.is_empty()
            || time.len() < rest.len() && time.starts_with(|c: char| c.is_ascii_digit())
    })
}

/// Returns true for `1:30` and the like, which YAML 1.1 reads as numbers.
pub(super) fn is_sexagesimal(text: &str) -> bool {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    let mut parts = whole.split(':');
    let Some(first) = parts.next() else { return false };
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit() || b == b'_');
    let minutes = |part: &str| {
        matches!(part.as_bytes(), [b'0'..=b'5', b'0'..=b'9'] | [b'0'..=b'9'])
    };
    first.len() < whole.len()
        && first.starts_with(|c: char| c.is_ascii_digit())
        && digits(first)
        && digits(fraction)
        && parts.all(minutes)
}

/// Parses `2001-1-2`: true if that day exists, and the rest.
fn date(text: &str) -> Option<(bool, &str)> {
    let year: u32 = text.get(..4)?.parse().ok()?;
    // `parse` accepts a sign.
    if !text.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let (month, rest) = number(text[4..].strip_prefix('-')?)?;
    let (day, rest) = number(rest.strip_prefix('-')?)?;
    let leap =
        year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => 0,
    };
    Some(((1..=days).contains(&day), rest))
}

/// Parses `1:2:3` with any fraction, and returns the rest.
fn clock(text: &str) -> Option<&str> {
    let (hour, rest) = number(text)?;
    let (minute, rest) = number(rest.strip_prefix(':')?)?;
    let (second, rest) = number(rest.strip_prefix(':')?)?;
    if hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let fraction = rest.strip_prefix(['.', ',']).unwrap_or(rest);
    let after = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
    Some(if after.len() < fraction.len() && fraction.len() < rest.len() {
        after
    } else {
        rest
    })
}

/// Returns true for `Z` and `+01:30`.
fn is_zone(text: &str) -> bool {
    match text.as_bytes() {
        b"Z" => true,
        [b'+' | b'-', h, i, b':', m, n] => {
            [h, i, m, n].iter().all(|b| b.is_ascii_digit())
                // Go's time.Parse accepts offsets up to 24:60.
                && &text[1..3] <= "24"
                && &text[4..6] <= "60"
        }
        _ => false,
    }
}

/// Parses a number of one or two digits, and returns the rest.
fn number(text: &str) -> Option<(u32, &str)> {
    let digits = text.bytes().take(2).take_while(u8::is_ascii_digit).count();
    Some((text[..digits].parse().ok()?, &text[digits..]))
}
