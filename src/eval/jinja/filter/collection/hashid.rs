//! Hashids: short texts that stand for numbers, <https://hashids.org>.
//!
// Not the crate `harsh`: it works on bytes, where Python shuffles the characters of salt
// and alphabet, and it may panic on an alphabet outside of ASCII.

use crate::eval::jinja::filter::parameter::{
    given, index, number, string, text, value_error,
};
use crate::eval::jinja::{CallSite, Plugin, PluginTable};
use crate::eval::python::{self, Bound, Class, Exception, Result, Value};

#[rustfmt::skip]
pub(super) const FILTERS: PluginTable = &[
    Plugin::new("community.general.hashids_decode", "hashids_decode", &["hashid"],
        &["salt", "alphabet", "min_length"], decode),
    Plugin::new("community.general.hashids_encode", "hashids_encode", &["nums"],
        &["salt", "alphabet", "min_length"], encode),
];

fn encode(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], options) = arguments.split();
    let numbers = match &value {
        Value::List(_) | Value::Tuple(_) => python::iterate(&value)?,
        one => vec![one.clone()],
    };
    let numbers = numbers.iter().map(|value| Ok(u64::try_from(index(value)?).ok()));
    let numbers = numbers.collect::<Result<Option<Vec<u64>>>>()?;
    // A negative number, or none, encodes to an empty text.
    let numbers = numbers.filter(|numbers| !numbers.is_empty());
    let coder = Coder::new(options)?;
    Ok(Value::from(numbers.map_or_else(String::new, |numbers| coder.encode(&numbers))))
}

fn decode(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], options) = arguments.split();
    let coder = Coder::new(options)?;
    let hashed = string(&value, "a hashid is a string,")?;
    let numbers = coder.decode(hashed).unwrap_or_default();
    // Several texts decode to one number; only the one that encoding gives is valid.
    let same = !numbers.is_empty() && coder.encode(&numbers) == hashed;
    let numbers = if same { numbers } else { Vec::new() };
    Ok(Value::list(numbers.into_iter().map(|number| Value::integer(number.into()))))
}

/// The alphabet, shuffled by the salt and split by purpose.
struct Coder {
    salt: Vec<char>,
    alphabet: Vec<char>,
    separators: Vec<char>,
    guards: Vec<char>,
    min_length: usize,
}

const ALPHABET: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ1234567890";
const SEPARATORS: &str = "cfhistuCFHISTU";

/// Maximum of `min_length`.
// Each step of padding copies the text.
const MAX_MIN_LENGTH: usize = 1 << 16;

impl Coder {
    fn new([salt, alphabet, least]: [Option<Value>; 3]) -> Result<Coder> {
        let salt: Vec<char> = text(given(salt), "")?.chars().collect();
        let all = text(given(alphabet), ALPHABET)?;
        let least = usize::try_from(number(given(least), 0)?).unwrap_or(0);
        if least > MAX_MIN_LENGTH {
            let message = format!("a hashid has {MAX_MIN_LENGTH} characters at most");
            return Err(Exception::new(Class::Limit, message));
        }
        let mut separators: Vec<char> =
            SEPARATORS.chars().filter(|c| all.contains(*c)).collect();
        let mut alphabet = Vec::new();
        for c in all.chars() {
            if !alphabet.contains(&c) && !separators.contains(&c) {
                alphabet.push(c);
            }
        }
        if alphabet.len() + separators.len() < 16 {
            return value_error("Alphabet must contain at least 16 unique characters.");
        }
        reorder(&mut separators, &salt);
        // One separator for 3.5 characters, and one guard for 12: the ratios of the algorithm.
        let missing = (2 * alphabet.len()).div_ceil(7).saturating_sub(separators.len());
        separators.extend(alphabet.drain(..missing.min(alphabet.len())));
        reorder(&mut alphabet, &salt);
        let count = alphabet.len().div_ceil(12);
        let guards = if alphabet.len() < 3 {
            separators.drain(..count.min(separators.len())).collect()
        } else {
            alphabet.drain(..count).collect()
        };
        if alphabet.is_empty() || separators.is_empty() {
            return value_error("the alphabet has too few characters");
        }
        Ok(Coder { salt, alphabet, separators, guards, min_length: least })
    }

    /// Shuffles the alphabet by the first character of the hashid and the salt.
    fn shuffle(&self, alphabet: &mut [char], lottery: char) {
        let salt = [lottery].into_iter().chain(self.salt.iter().copied());
        let salt: Vec<char> =
            salt.chain(alphabet.iter().copied()).take(alphabet.len()).collect();
        reorder(alphabet, &salt);
    }

    fn encode(&self, numbers: &[u64]) -> String {
        let sum = (100..).zip(numbers).map(|(at, n)| n % at).sum::<u64>() as usize;
        let mut alphabet = self.alphabet.clone();
        let lottery = pick(&alphabet, sum);
        let mut hashed = vec![lottery];
        for (at, number) in (0..).zip(numbers) {
            self.shuffle(&mut alphabet, lottery);
            let digits = digits(*number, &alphabet);
            let first = digits.first().map_or(0, |c| u64::from(*c as u32));
            hashed.extend(digits);
            hashed.push(pick(&self.separators, (number % (first + at).max(1)) as usize));
        }
        hashed.pop();
        if hashed.len() < self.min_length {
            self.pad(&mut hashed, &mut alphabet, sum);
        }
        hashed.into_iter().collect()
    }

    fn pad(&self, hashed: &mut Vec<char>, alphabet: &mut [char], sum: usize) {
        let guard =
            |c: Option<&char>| pick(&self.guards, sum + c.map_or(0, |c| *c as usize));
        hashed.insert(0, guard(hashed.first()));
        if hashed.len() < self.min_length {
            hashed.push(guard(hashed.get(2)));
        }
        while hashed.len() < self.min_length {
            let salt = alphabet.to_vec();
            reorder(alphabet, &salt);
            let (low, high) = alphabet.split_at(alphabet.len() / 2);
            *hashed = [high, hashed, low].concat();
            if let Some(excess) = hashed.len().checked_sub(self.min_length) {
                *hashed = hashed
                    .iter()
                    .skip(excess / 2)
                    .take(self.min_length)
                    .copied()
                    .collect();
            }
        }
    }

    fn decode(&self, hashed: &str) -> Option<Vec<u64>> {
        let parts: Vec<&str> = hashed.split(&*self.guards).collect();
        let own = if let 2 | 3 = parts.len() { parts.get(1) } else { parts.first() };
        let mut rest = own?.chars();
        let lottery = rest.next()?;
        let mut alphabet = self.alphabet.clone();
        let mut numbers = Vec::new();
        for part in rest.as_str().split(&*self.separators) {
            self.shuffle(&mut alphabet, lottery);
            let mut number = 0_u64;
            for c in part.chars() {
                let digit = alphabet.iter().position(|known| *known == c)?;
                let base = alphabet.len() as u64;
                number = number.checked_mul(base)?.checked_add(digit as u64)?;
            }
            numbers.push(number);
        }
        Some(numbers)
    }
}

fn pick(characters: &[char], at: usize) -> char {
    characters.get(at % characters.len().max(1)).copied().unwrap_or('0')
}

fn digits(number: u64, alphabet: &[char]) -> Vec<char> {
    let base = alphabet.len().max(1) as u64;
    let places = std::iter::successors(Some(number), |rest| {
        Some(rest / base).filter(|rest| base > 1 && *rest > 0)
    });
    let mut digits: Vec<char> =
        places.map(|rest| pick(alphabet, (rest % base) as usize)).collect();
    digits.reverse();
    digits
}

/// Shuffles characters by a salt.
fn reorder(characters: &mut [char], salt: &[char]) {
    // Without a salt the order stays.
    if salt.is_empty() {
        return;
    }
    let mut at = 0;
    let mut sum = 0;
    for last in (1..characters.len()).rev() {
        let code = salt.get(at).map_or(0, |c| *c as usize);
        sum += code;
        characters.swap(last, (code + at + sum) % last);
        at = (at + 1) % salt.len();
    }
}
