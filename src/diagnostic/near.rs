//! Similar names: a name or a path that does not exist comes in, a similar one that exists
//! goes out; or two names come in, and true goes out if one is the other, misspelt.

use std::io;
use std::path::Path;

use crate::source::World;

/// Maximum number of compared names: a document may fail in many places.
const MAX_NAMES: usize = 1_000;

/// Maximum length of compared names in bytes: the time grows with the product of both.
const MAX_LENGTH: usize = 100;

/// Returns the one of `names` that `wanted` is a likely misspelling of.
pub fn near<'n>(
    names: impl IntoIterator<Item = &'n str>,
    wanted: &str,
) -> Option<&'n str> {
    let names = names.into_iter().take(MAX_NAMES);
    let names = names.filter(|name| has_similar_length(name, wanted));
    let (far, name) =
        names.map(|name| (strsim::osa_distance(name, wanted), name)).min()?;
    // One edit turns a name of one letter into any other of one letter.
    (far <= max_distance(wanted) && far < wanted.len().max(name.len())).then_some(name)
}

/// Returns the hint at the one of `names` that `wanted` is a likely misspelling of.
pub fn near_hint<'n>(
    names: impl IntoIterator<Item = &'n str>,
    wanted: &str,
) -> Option<String> {
    near(names, wanted).map(|name| format!("did you mean '{name}'?"))
}

/// Returns about how many pairs of letters [`near`] compares.
#[cfg(feature = "eval")]
pub(crate) fn work_of_near<'n>(
    names: impl IntoIterator<Item = &'n str>,
    wanted: &str,
) -> usize {
    let names = names.into_iter().take(MAX_NAMES);
    let work = |name: &str| {
        let is_compared = has_similar_length(name, wanted);
        if is_compared { (name.len() + 1) * (wanted.len() + 1) } else { 1 }
    };
    names.map(work).sum()
}

/// Maximum number of edits between a name and its misspelling.
fn max_distance(wanted: &str) -> usize {
    1 + wanted.len() / 6
}

/// Returns true if a name is not too long or short for another one, and both can be compared.
fn has_similar_length(name: &str, wanted: &str) -> bool {
    let is_short = name.len() <= MAX_LENGTH && wanted.len() <= MAX_LENGTH;
    let [a, b] = [name, wanted].map(|text| text.chars().count());
    is_short && a.abs_diff(b) <= max_distance(wanted)
}

/// Returns a hint at a file with a similar name in the folder of a missing `path`, or that
/// `path` is a link.
pub fn near_file(world: &dyn World, path: &Path, error: &io::Error) -> Option<String> {
    let wanted = path.file_name().filter(|_| error.kind() == io::ErrorKind::NotFound)?;
    if let Some(hint) = several_files(world, path) {
        return Some(hint);
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let files = world.list(folder.unwrap_or(Path::new("."))).ok()?;
    if files.iter().any(|file| file.file_name() == Some(wanted)) {
        return Some(format!("'{}' is a link that leads nowhere", path.display()));
    }
    let names = files.iter().filter_map(|file| file.file_name()?.to_str());
    let name = near(names, wanted.to_str()?)?;
    Some(format!("did you mean '{}'?", path.with_file_name(name).display()))
}

/// Maximum number of files that one word may stand for.
// Each is looked for; people who forget an option write a few.
const MAX_FILES_IN_WORD: usize = 10;

/// Returns a hint at a path that is the names of several files.
fn several_files(world: &dyn World, path: &Path) -> Option<String> {
    let names: Vec<&str> = path.to_str()?.split_whitespace().collect();
    let is_list = (2..=MAX_FILES_IN_WORD).contains(&names.len())
        && names.iter().all(|name| world.read(Path::new(name)).is_ok());
    is_list.then(|| "these are several files: each has an option of its own".to_owned())
}

/// Length in letters of the shortest word that may miss a letter or have one too many:
/// shorter words that differ by one letter often mean different things, as `http` and
/// `https`.
const SHORTEST_WORD: usize = 6;

/// Length of the shortest word of which the last letter may be missing.
// A shorter word is often the start of another one, as `log` of `logo`.
const SHORTEST_STEM: usize = 4;

/// Returns true if one name is likely the other one with a slip of the pen: one of its
/// words has two letters swapped, or one too many or too few, or its capitals differ. Names
/// that differ in a number or a whole word are meant to.
pub(crate) fn is_misspelling(made: &str, other: &str) -> bool {
    if made.eq_ignore_ascii_case(other) {
        return true;
    }
    let words = |name: &str| -> Vec<Vec<char>> {
        let words = name.split(|c: char| !c.is_alphanumeric());
        words.map(|word| word.chars().collect()).collect()
    };
    let made = words(made);
    let other = words(other);
    let mut pairs = made.iter().zip(&other).filter(|(one, two)| one != two);
    let (Some((one, two)), None) = (pairs.next(), pairs.next()) else { return false };
    made.len() == other.len() && (is_swapped(one, two) || differs_by_letter(one, two))
}

/// Returns true if two letters beside each other are swapped.
fn is_swapped(one: &[char], two: &[char]) -> bool {
    let Some(at) = one.iter().zip(two).position(|(a, b)| a != b) else { return false };
    one.len() == two.len()
        && one.len() > 2
        && one[at..].len() >= 2
        && (one[at], one[at + 1]) == (two[at + 1], two[at])
        && one[at + 2..] == two[at + 2..]
        && one[at].is_alphabetic()
        && two[at].is_alphabetic()
}

/// Returns true if the longer word has one letter more than the other. In short words, such as
/// `tg` for `tag`, it is neither the first letter nor, as in a plural, the last one.
fn differs_by_letter(one: &[char], two: &[char]) -> bool {
    let (short, long) = if one.len() < two.len() { (one, two) } else { (two, one) };
    if short.is_empty() || long.len() != short.len() + 1 {
        return false;
    }
    let at = short.iter().zip(long).position(|(a, b)| a != b).unwrap_or(short.len());
    let is_inside = at > 0 && at < short.len();
    let is_cut_off = at == short.len() && at >= SHORTEST_STEM && long[at] != 's';
    let may_differ = short.len() >= SHORTEST_WORD || is_inside || is_cut_off;
    may_differ && long[at].is_alphabetic() && short[at..] == long[at + 1..]
}

#[test]
fn slips_of_the_pen() {
    let likely = [
        ("instnaces", "instances"),
        ("instance", "instances"),
        ("propeties", "properties"),
        ("Instances", "instances"),
        ("cc_enviroment", "cc_environment"),
        ("tg", "tag"),
        ("imag", "image"),
        ("prt", "port"),
        ("tga", "tag"),
    ];
    let unlikely = [
        ("https_proxy_url", "http_proxy_url"),
        ("gitlab", "github"),
        ("metric_store", "metric_store_ca"),
        ("p_redis_alerts", "redis_alerts"),
        ("smb-broker", "nfs-broker"),
        ("z1", "z2"),
        ("cluster10", "cluster1"),
        ("a", ""),
        ("a", "ab"),
        ("ip", "pi"),
        ("hosts", "host"),
        ("db", "dbs"),
        ("in", "min"),
    ];
    assert!(likely.iter().all(|(one, two)| is_misspelling(one, two)));
    assert!(!unlikely.iter().any(|(one, two)| is_misspelling(one, two)));
}
