//! The functions of Python that follow a shell: `shlex.quote` and `fnmatch`.

/// `shlex.quote`
pub fn quote(text: &str) -> String {
    match text.trim_start_matches(is_safe) {
        "" if !text.is_empty() => text.to_owned(),
        _ => format!("'{}'", text.replace('\'', "'\"'\"'")),
    }
}

fn is_safe(c: char) -> bool {
    c.is_ascii_alphanumeric() || "_@%+=:,./-".contains(c)
}

/// `fnmatch.fnmatchcase`: true if a name matches a pattern (`*`, `?`, `[a-z]`, `[!a]`).
pub fn matches(pattern: &str, name: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let name: Vec<char> = name.chars().collect();
    // The last star and the part of the name it has taken so far. Going back to the last
    // star alone is enough: time is quadratic at worst, where a regex may take
    // exponential time.
    let mut at = 0;
    let mut read = 0;
    let mut star = None;
    while read < name.len() {
        if pattern.get(at) == Some(&'*') {
            star = Some((at, read));
            at += 1;
            continue;
        }
        match one(pattern.get(at..).unwrap_or_default(), name[read]) {
            Some(length) => (at, read) = (at + length, read + 1),
            None => match star {
                Some((stood, until)) => {
                    star = Some((stood, until + 1));
                    (at, read) = (stood + 1, until + 1);
                }
                None => return false,
            },
        }
    }
    pattern.get(at..).unwrap_or_default().iter().all(|c| *c == '*')
}

/// Returns the length of the pattern that matches one character, if it does.
fn one(pattern: &[char], c: char) -> Option<usize> {
    match pattern.first()? {
        '?' => Some(1),
        '[' => {
            let negated = pattern.get(1) == Some(&'!');
            let start = 1 + usize::from(negated);
            // A bracket that comes first is a member of the set.
            let rest = pattern.get(start + 1..)?;
            let Some(length) = rest.iter().position(|c| *c == ']') else {
                return (c == '[').then_some(1);
            };
            let end = start + 1 + length;
            (set_contains(pattern.get(start..end)?, c) != negated).then_some(end + 1)
        }
        same => (*same == c).then_some(1),
    }
}

fn set_contains(set: &[char], c: char) -> bool {
    let mut rest = set;
    while let Some(first) = rest.first() {
        match rest {
            [low, '-', high, after @ ..] => {
                if (*low..=*high).contains(&c) {
                    return true;
                }
                rest = after;
            }
            _ => {
                if *first == c {
                    return true;
                }
                rest = &rest[1..];
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_file_names() {
        for (pattern, name) in
            [("UO_*", "UO_A"), ("*", ""), ("a?c", "abc"), ("[a-c]x*", "bxx")]
        {
            assert!(matches(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [("UO_*", "U"), ("a?", "a"), ("[!a]", "a"), ("[", "x")] {
            assert!(!matches(pattern, name), "{pattern} {name}");
        }
    }

    #[test]
    fn quotes() {
        assert_eq!(quote("it's"), r#"'it'"'"'s'"#);
    }
}
