//! Comparison of versions, by the rules of `distutils`, Semantic Versioning and PEP 440.

use std::cmp::Ordering;

use num_bigint::BigUint;

use super::regex::{self, Flags};
use super::{Exception, Result, limit, repr};

/// The scheme by which versions are parsed and compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// `LooseVersion`: any text, as numbers and words.
    Loose,
    /// `StrictVersion`: two or three numbers, and a suffix such as `a1` or `b1`.
    Strict,
    /// Semantic Versioning 2.0.0
    Semantic,
    Pep440,
}

/// Compares two versions. Raises a `ValueError`, or a `TypeError` for number and word.
pub fn compare(a: &str, b: &str, scheme: Scheme) -> Result<Ordering> {
    if scheme == Scheme::Loose && (a.is_empty() || b.is_empty()) {
        return Err(Exception::of_value("a version must not be empty"));
    }
    match scheme {
        Scheme::Loose => compare_loose(&loose(a)?, &loose(b)?),
        Scheme::Strict => Ok(strict(a)?.cmp(&strict(b)?)),
        Scheme::Semantic => Ok(semantic(a)?.cmp(&semantic(b)?)),
        Scheme::Pep440 => Ok(pep440(a)?.cmp(&pep440(b)?)),
    }
}

/// A part of a version; numbers come before words.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum VersionPart {
    Number(BigUint),
    Word(String),
}

impl VersionPart {
    fn of(text: &str) -> Result<VersionPart> {
        limit::charge_steps(1)?;
        Ok(if !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) {
            VersionPart::Number(number(text)?)
        } else {
            VersionPart::Word(text.to_owned())
        })
    }
}

/// Splits a version into numbers, words of lower-case letters, and other text but points.
fn loose(text: &str) -> Result<Vec<VersionPart>> {
    let class = |c: char| match c {
        '0'..='9' => 0,
        'a'..='z' => 1,
        '.' => 2,
        _ => 3,
    };
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = match first {
            '.' => Some(1),
            _ => rest.find(|c| class(c) != class(first)),
        };
        let (part, after) = rest.split_at(end.unwrap_or(rest.len()));
        if part != "." {
            parts.push(VersionPart::of(part)?);
        }
        rest = after;
    }
    Ok(parts)
}

fn compare_loose(a: &[VersionPart], b: &[VersionPart]) -> Result<Ordering> {
    for (a, b) in a.iter().zip(b) {
        let (x, y) = match (a, b) {
            (VersionPart::Number(_), VersionPart::Word(_)) => ("int", "str"),
            (VersionPart::Word(_), VersionPart::Number(_)) => ("str", "int"),
            _ if a == b => continue,
            _ => return Ok(a.cmp(b)),
        };
        let message = format!("'<' not supported between instances of '{x}' and '{y}'");
        return Err(Exception::of_type(message));
    }
    Ok(a.len().cmp(&b.len()))
}

/// Matches a whole version against a pattern. Returns the match and its groups.
fn groups(pattern: &str, text: &str, wrong: &str) -> Result<Vec<Option<String>>> {
    let flags = Flags { ignorecase: true, ..Flags::default() };
    let pattern = regex::compile(pattern, flags)?;
    let Some(found) = pattern.match_full(text)? else {
        return Err(Exception::of_value(wrong.replace("{}", &repr(&text.into())?)));
    };
    let groups = (0..=pattern.groups()).map(|at| found.group(at, text));
    Ok(groups.map(|group| group.map(str::to_owned)).collect())
}

fn number(digits: &str) -> Result<BigUint> {
    limit::charge_digits(digits.len())?;
    Ok(digits.parse().unwrap_or_default())
}

fn number_of(group: Option<&String>) -> Result<BigUint> {
    group.map_or(Ok(BigUint::ZERO), |digits| number(digits))
}

/// The numbers, whether it is no pre-release, and the pre-release: tuples compare in this
/// order.
type StrictKey = (Vec<BigUint>, bool, Option<(String, BigUint)>);

fn strict(text: &str) -> Result<StrictKey> {
    let pattern = r"(\d+)\.(\d+)(?:\.(\d+))?(?:(?-i:([ab]))(\d+))?";
    let found = groups(pattern, text, "invalid version number {}")?;
    let numbers = (1..=3).map(|at| number_of(found[at].as_ref()));
    let numbers = numbers.collect::<Result<_>>()?;
    let before = match found[4].clone() {
        Some(letter) => Some((letter, number_of(found[5].as_ref())?)),
        None => None,
    };
    Ok((numbers, before.is_none(), before))
}

/// A tuple that compares in this order, as [`StrictKey`].
type SemanticKey = (Vec<BigUint>, bool, Vec<VersionPart>);

fn semantic(text: &str) -> Result<SemanticKey> {
    let pattern = r"(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(?:-((?:0|[1-9][0-9]*|[0-9]*[a-z-][0-9a-z-]*)(?:\.(?:0|[1-9][0-9]*|[0-9]*[a-z-][0-9a-z-]*))*))?(?:\+[0-9a-z-]+(?:\.[0-9a-z-]+)*)?";
    let found = groups(pattern, text, "invalid semantic version {}")?;
    let numbers = (1..=3).map(|at| number_of(found[at].as_ref()));
    let numbers = numbers.collect::<Result<_>>()?;
    let before: Vec<VersionPart> = match &found[4] {
        Some(before) => before.split('.').map(VersionPart::of).collect::<Result<_>>()?,
        None => Vec::new(),
    };
    Ok((numbers, before.is_empty(), before))
}

/// A version of PEP 440. The derived order compares the fields from first to last.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Pep440Key {
    epoch: BigUint,
    release: Vec<BigUint>,
    pre: PreRelease,
    post: Option<BigUint>,
    // A development release sorts before the version itself, so false comes first.
    /// True unless it is a development release.
    finished: bool,
    development: BigUint,
    local: Option<Vec<LocalPart>>,
}

/// The pre-release segment, in the order of releases.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum PreRelease {
    /// A development release of the release itself.
    Development,
    Candidate(&'static str, BigUint),
    Nothing,
}

/// A part of a local version; words come before numbers.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum LocalPart {
    Word(String),
    Number(BigUint),
}

fn pep440(text: &str) -> Result<Pep440Key> {
    let pattern = r"\s*v?(?:(\d+)!)?(\d+(?:\.\d+)*)(?:[-_.]?(alpha|beta|preview|pre|a|b|c|rc)[-_.]?(\d+)?)?((?:-(\d+))|(?:[-_.]?(?:post|rev|r)[-_.]?(\d+)?))?([-_.]?dev[-_.]?(\d+)?)?(?:\+([a-z0-9]+(?:[-_.][a-z0-9]+)*))?\s*";
    let found = groups(pattern, text, "Invalid version: {}")?;
    let mut release: Vec<BigUint> = found[2]
        .iter()
        .flat_map(|text| text.split('.'))
        .map(number)
        .collect::<Result<_>>()?;
    // 1.0 and 1 are one version.
    while release.len() > 1 && release.last() == Some(&BigUint::ZERO) {
        release.pop();
    }
    let post = match &found[5] {
        Some(_) => Some(number_of(found[6].as_ref().or(found[7].as_ref()))?),
        None => None,
    };
    let finished = found[8].is_none();
    let pre = match found[3].as_deref().map(str::to_lowercase).as_deref() {
        Some("a" | "alpha") => PreRelease::Candidate("a", number_of(found[4].as_ref())?),
        Some("b" | "beta") => PreRelease::Candidate("b", number_of(found[4].as_ref())?),
        Some(_) => PreRelease::Candidate("rc", number_of(found[4].as_ref())?),
        None if post.is_none() && !finished => PreRelease::Development,
        None => PreRelease::Nothing,
    };
    Ok(Pep440Key {
        epoch: number_of(found[1].as_ref())?,
        release,
        pre,
        post,
        finished,
        development: number_of(found[9].as_ref())?,
        local: found[10].as_deref().map(local).transpose()?,
    })
}

fn local(text: &str) -> Result<Vec<LocalPart>> {
    let part = |part: &str| {
        Ok(match VersionPart::of(&part.to_lowercase())? {
            VersionPart::Number(number) => LocalPart::Number(number),
            VersionPart::Word(word) => LocalPart::Word(word),
        })
    };
    text.split(['-', '_', '.']).map(part).collect()
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering::{Equal, Greater, Less};

    use super::{Scheme, compare};

    #[test]
    fn compares() {
        let cases = [
            ("1.10", "1.9", Scheme::Loose, Some(Greater)),
            ("1.0", "1.0.0", Scheme::Loose, Some(Less)),
            ("1.a", "1.1", Scheme::Loose, None),
            ("1.2a1", "1.2", Scheme::Strict, Some(Less)),
            ("1", "1.2", Scheme::Strict, None),
            ("1.0.0-rc.1", "1.0.0", Scheme::Semantic, Some(Less)),
            ("1.0.0-1", "1.0.0-a", Scheme::Semantic, Some(Less)),
            ("1.0.0+a", "1.0.0+b", Scheme::Semantic, Some(Equal)),
            ("1.0", "1", Scheme::Pep440, Some(Equal)),
            ("1.0.dev1", "1.0a1", Scheme::Pep440, Some(Less)),
            ("1!0.1", "2.0", Scheme::Pep440, Some(Greater)),
            ("1.0.post1", "1.0+x", Scheme::Pep440, Some(Greater)),
        ];
        for (a, b, scheme, wanted) in cases {
            assert_eq!(compare(a, b, scheme).ok(), wanted, "{a} {b}");
        }
    }
}
