//! Versions as texts come in; how they compare goes out, by the rules of `distutils`, of
//! Semantic Versioning and of PEP 440.

use std::cmp::Ordering;

use num_bigint::BigUint;

use super::regex::{self, Flags};
use super::{Exception, Result};

/// A rule by which versions are read and compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// `LooseVersion`: numbers and words, whatever is between them.
    Loose,
    /// `StrictVersion`: two or three numbers, and `a1` or `b1`.
    Strict,
    /// Semantic Versioning 2.0.0
    Semantic,
    /// PEP 440
    Pep440,
}

/// How two versions compare.
///
/// # Errors
/// One of them is no version, or they cannot be compared.
pub fn compare(a: &str, b: &str, scheme: Scheme) -> Result<Ordering> {
    if scheme == Scheme::Loose && (a.is_empty() || b.is_empty()) {
        return Err(Exception::of_value("a version must not be empty"));
    }
    match scheme {
        Scheme::Loose => compare_loose(&loose(a), &loose(b)),
        Scheme::Strict => Ok(strict(a)?.cmp(&strict(b)?)),
        Scheme::Semantic => Ok(semantic(a)?.cmp(&semantic(b)?)),
        Scheme::Pep440 => Ok(pep440(a)?.cmp(&pep440(b)?)),
    }
}

/// A part of a version; numbers come before words.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Number(BigUint),
    Word(String),
}

impl Part {
    fn of(text: &str) -> Part {
        match text.parse() {
            Ok(number) if text.bytes().all(|b| b.is_ascii_digit()) => {
                Part::Number(number)
            }
            _ => Part::Word(text.to_owned()),
        }
    }
}

/// Numbers, words of small letters, and what is between them but points.
fn loose(text: &str) -> Vec<Part> {
    let class = |c: char| match c {
        '0'..='9' => 0,
        'a'..='z' => 1,
        '.' => 2,
        _ => 3,
    };
    let (mut parts, mut rest) = (Vec::new(), text);
    while let Some(first) = rest.chars().next() {
        let end = match first {
            '.' => Some(1),
            _ => rest.find(|c| class(c) != class(first)),
        };
        let (part, after) = rest.split_at(end.unwrap_or(rest.len()));
        if part != "." {
            parts.push(Part::of(part));
        }
        rest = after;
    }
    parts
}

fn compare_loose(a: &[Part], b: &[Part]) -> Result<Ordering> {
    for (a, b) in a.iter().zip(b) {
        let (x, y) = match (a, b) {
            (Part::Number(_), Part::Word(_)) => ("int", "str"),
            (Part::Word(_), Part::Number(_)) => ("str", "int"),
            _ if a == b => continue,
            _ => return Ok(a.cmp(b)),
        };
        return Err(Exception::of_type(format!(
            "'<' not supported between instances of '{x}' and '{y}'"
        )));
    }
    Ok(a.len().cmp(&b.len()))
}

/// What a pattern finds in all of a version, by the number of the group.
fn groups(pattern: &str, text: &str, wrong: &str) -> Result<Vec<Option<String>>> {
    let flags = Flags { ignorecase: true, ..Flags::default() };
    let pattern = regex::compile(pattern, flags)?;
    let Some(found) = pattern.match_full(text)? else {
        let quoted = crate::eval::python::repr(&text.into())?;
        return Err(Exception::of_value(wrong.replace("{}", &quoted)));
    };
    let group = |at| found.group(at, text).map(str::to_owned);
    Ok((0..=pattern.groups()).map(group).collect())
}

fn number(text: Option<&String>) -> BigUint {
    text.and_then(|text| text.parse().ok()).unwrap_or_default()
}

/// The numbers, and what comes before the version itself, if it does.
type Strict = (Vec<BigUint>, bool, Option<(String, BigUint)>);

fn strict(text: &str) -> Result<Strict> {
    let pattern = r"(\d+)\.(\d+)(?:\.(\d+))?(?:(?-i:([ab]))(\d+))?";
    let found = groups(pattern, text, "invalid version number {}")?;
    let numbers = (1..=3).map(|at| number(found[at].as_ref())).collect();
    let before = found[4].clone().map(|letter| (letter, number(found[5].as_ref())));
    Ok((numbers, before.is_none(), before))
}

/// The numbers, whether it is the version itself, and what comes before it.
type Semantic = (Vec<BigUint>, bool, Vec<Part>);

fn semantic(text: &str) -> Result<Semantic> {
    let pattern = r"(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(?:-((?:0|[1-9][0-9]*|[0-9]*[a-z-][0-9a-z-]*)(?:\.(?:0|[1-9][0-9]*|[0-9]*[a-z-][0-9a-z-]*))*))?(?:\+[0-9a-z-]+(?:\.[0-9a-z-]+)*)?";
    let found = groups(pattern, text, "invalid semantic version {}")?;
    let numbers = (1..=3).map(|at| number(found[at].as_ref())).collect();
    let before: Vec<Part> = match &found[4] {
        Some(before) => before.split('.').map(Part::of).collect(),
        None => Vec::new(),
    };
    Ok((numbers, before.is_empty(), before))
}

/// A version of PEP 440, so that its parts compare in this order.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Pep440 {
    epoch: BigUint,
    release: Vec<BigUint>,
    before: Before,
    /// After the release.
    post: Option<BigUint>,
    /// Not a development version, or which one.
    finished: bool,
    development: BigUint,
    local: Option<Vec<Local>>,
}

/// What comes before a release.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Before {
    /// A development version of the release itself.
    Development,
    Candidate(&'static str, BigUint),
    Nothing,
}

/// A part of a local version; words come before numbers.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Local {
    Word(String),
    Number(BigUint),
}

fn pep440(text: &str) -> Result<Pep440> {
    let pattern = r"\s*v?(?:(\d+)!)?(\d+(?:\.\d+)*)(?:[-_.]?(alpha|beta|preview|pre|a|b|c|rc)[-_.]?(\d+)?)?((?:-(\d+))|(?:[-_.]?(?:post|rev|r)[-_.]?(\d+)?))?([-_.]?dev[-_.]?(\d+)?)?(?:\+([a-z0-9]+(?:[-_.][a-z0-9]+)*))?\s*";
    let found = groups(pattern, text, "Invalid version: {}")?;
    let mut release: Vec<BigUint> = found[2]
        .iter()
        .flat_map(|text| text.split('.'))
        .map(|part| part.parse().unwrap_or_default())
        .collect();
    while release.len() > 1 && release.last() == Some(&BigUint::ZERO) {
        release.pop();
    }
    let post = found[5].as_ref().map(|_| number(found[6].as_ref().or(found[7].as_ref())));
    let finished = found[8].is_none();
    let before = match found[3].as_deref().map(str::to_lowercase).as_deref() {
        Some("a" | "alpha") => Before::Candidate("a", number(found[4].as_ref())),
        Some("b" | "beta") => Before::Candidate("b", number(found[4].as_ref())),
        Some(_) => Before::Candidate("rc", number(found[4].as_ref())),
        None if post.is_none() && !finished => Before::Development,
        None => Before::Nothing,
    };
    let local = |text: &String| {
        let parts = text.split(['-', '_', '.']);
        let part = |part: &str| match Part::of(&part.to_lowercase()) {
            Part::Number(number) => Local::Number(number),
            Part::Word(word) => Local::Word(word),
        };
        parts.map(part).collect()
    };
    Ok(Pep440 {
        epoch: number(found[1].as_ref()),
        release,
        before,
        post,
        finished,
        development: number(found[9].as_ref()),
        local: found[10].as_ref().map(local),
    })
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
