//! Names that are likely other names, misspelt.

/// Length in letters of the shortest word that may miss a letter or have one too many:
/// shorter words that differ by one letter often mean different things, as `http` and
/// `https`.
const SHORTEST_WORD: usize = 6;

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
    let (made, other) = (words(made), words(other));
    let mut pairs = made.iter().zip(&other).filter(|(one, two)| one != two);
    let (Some((one, two)), None) = (pairs.next(), pairs.next()) else { return false };
    made.len() == other.len() && (is_swapped(one, two) || differs_by_letter(one, two))
}

/// Returns true if two letters beside each other are swapped.
fn is_swapped(one: &[char], two: &[char]) -> bool {
    let Some(at) = one.iter().zip(two).position(|(a, b)| a != b) else { return false };
    one.len() == two.len()
        && one[at..].len() >= 2
        && (one[at], one[at + 1]) == (two[at + 1], two[at])
        && one[at + 2..] == two[at + 2..]
        && one[at].is_alphabetic()
        && two[at].is_alphabetic()
}

/// Returns true if the longer word has one letter more than the other.
fn differs_by_letter(one: &[char], two: &[char]) -> bool {
    let (short, long) = if one.len() < two.len() { (one, two) } else { (two, one) };
    if short.len() < SHORTEST_WORD || long.len() != short.len() + 1 {
        return false;
    }
    let at = short.iter().zip(long).position(|(a, b)| a != b).unwrap_or(short.len());
    long[at].is_alphabetic() && short[at..] == long[at + 1..]
}

#[test]
fn slips_of_the_pen() {
    let likely = [
        ("instnaces", "instances"),
        ("instance", "instances"),
        ("propeties", "properties"),
        ("Instances", "instances"),
        ("cc_enviroment", "cc_environment"),
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
    ];
    assert!(likely.iter().all(|(one, two)| is_misspelling(one, two)));
    assert!(!unlikely.iter().any(|(one, two)| is_misspelling(one, two)));
}
