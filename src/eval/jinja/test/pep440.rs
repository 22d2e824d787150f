//! Versions of Python packages: two texts come in, their order goes out.

use std::cmp::Ordering;

use crate::python::{Exception, Result};

/// The order of two versions.
///
/// # Errors
/// One of them is no version.
pub(crate) fn compare(a: &str, b: &str) -> Result<Ordering> {
    let read = |version: &str| {
        Version::read(version)
            .ok_or_else(|| Exception::of_value(format!("Invalid version: '{version}'")))
    };
    Ok(read(a)?.cmp(&read(b)?))
}

/// A version as it is ordered, its parts from the most weighty.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Version {
    epoch: u64,
    release: Vec<u64>,
    before: Before,
    post: Option<u64>,
    development: Development,
    local: Option<Vec<Local>>,
}

/// What comes before a release: a development of nothing else comes first, a release last.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Before {
    Development,
    Letter(char, u64),
    Release,
}

/// What is developed comes before what is done.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Development {
    Number(u64),
    Done,
}

/// A part of a local version: texts come before numbers.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Local {
    Text(String),
    Number(u64),
}

impl Version {
    fn read(text: &str) -> Option<Version> {
        let text = text.trim().to_lowercase();
        let (public, local) = match text.split_once('+') {
            Some((public, local)) => (public, Some(local)),
            None => (&*text, None),
        };
        let mut rest = public.strip_prefix('v').unwrap_or(public);
        let mut epoch = 0;
        if let Some((before, after)) = rest.split_once('!') {
            (epoch, rest) = (digits(before)?, after);
        }
        let release = release(&mut rest)?;
        let before = labelled(&mut rest, &BEFORE);
        let post = post(&mut rest)?;
        let development = labelled(&mut rest, &[("dev", 'd')]).map(|(_, number)| number);
        let local = match local {
            Some(local) => {
                let parts = local.split(['.', '-', '_']).map(local_part);
                Some(parts.collect::<Option<Vec<Local>>>()?)
            }
            None => None,
        };
        if !rest.is_empty() {
            return None;
        }
        let before = match (before, post, development) {
            (Some((letter, number)), ..) => Before::Letter(letter, number),
            (None, None, Some(_)) => Before::Development,
            _ => Before::Release,
        };
        let development = development.map_or(Development::Done, Development::Number);
        Some(Version { epoch, release, before, post, development, local })
    }
}

/// The words for what comes before a release, the longer ones first.
const BEFORE: [(&str, char); 8] = [
    ("alpha", 'a'),
    ("a", 'a'),
    ("beta", 'b'),
    ("b", 'b'),
    ("preview", 'r'),
    ("pre", 'r'),
    ("rc", 'r'),
    ("c", 'r'),
];

/// The numbers of a release, without the zeros at their end.
fn release(rest: &mut &str) -> Option<Vec<u64>> {
    let mut release = vec![number(rest)?];
    while let Some(after) = rest.strip_prefix('.')
        && after.starts_with(|c: char| c.is_ascii_digit())
    {
        *rest = after;
        release.push(number(rest)?);
    }
    while release.len() > 1 && release.last() == Some(&0) {
        release.pop();
    }
    Some(release)
}

/// The number of what comes after a release, if there is one: `-1`, `.post1`, `r1`.
fn post(rest: &mut &str) -> Option<Option<u64>> {
    if let Some(mut after) = rest.strip_prefix('-')
        && after.starts_with(|c: char| c.is_ascii_digit())
    {
        let number = number(&mut after)?;
        *rest = after;
        return Some(Some(number));
    }
    let words = [("post", 'p'), ("rev", 'p'), ("r", 'p')];
    Some(labelled(rest, &words).map(|(_, number)| number))
}

fn digits(text: &str) -> Option<u64> {
    let all = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|_| all)
}

/// The digits at the start of a text, which goes on after them.
fn number(rest: &mut &str) -> Option<u64> {
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (number, after) = rest.split_at(end);
    *rest = after;
    digits(number)
}

/// One of the words at the start of a text and the number behind it, each perhaps set off;
/// the number is 0 if there is none.
fn labelled(rest: &mut &str, words: &[(&str, char)]) -> Option<(char, u64)> {
    let separators = ['.', '-', '_'];
    let start = rest.strip_prefix(separators).unwrap_or(rest);
    let found =
        words.iter().find_map(|(w, letter)| Some((start.strip_prefix(w)?, *letter)));
    let (after, letter) = found?;
    let mut numbered = after.strip_prefix(separators).unwrap_or(after);
    match number(&mut numbered) {
        Some(number) => {
            *rest = numbered;
            Some((letter, number))
        }
        None => {
            *rest = after;
            Some((letter, 0))
        }
    }
}

fn local_part(part: &str) -> Option<Local> {
    match digits(part) {
        Some(number) => Some(Local::Number(number)),
        None => {
            let word =
                !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric());
            word.then(|| Local::Text(part.to_owned()))
        }
    }
}
