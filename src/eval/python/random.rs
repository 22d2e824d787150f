//! `random.Random`: a seed comes in, the numbers that CPython draws for it go out.

use num_bigint::BigInt;
use rand_mt::Mt;
use sha2::{Digest, Sha512};

use super::{Exception, Result};

/// Number of words in the state of MT19937.
const STATE_WORDS: usize = 624;

/// A generator of the numbers that CPython draws.
#[derive(Clone, Debug)]
pub struct Random {
    // On the heap, because the state takes 2.5 KB.
    words: Box<Mt>,
}

impl Random {
    /// `Random(seed)` for an integer.
    pub fn of_integer(seed: &BigInt) -> Random {
        Random::of_words(&seed.magnitude().to_u32_digits())
    }

    /// `Random(seed)` for a text.
    pub fn of_text(seed: &str) -> Random {
        Random::of_bytes(seed.as_bytes())
    }

    /// `Random(seed)` for bytes.
    pub fn of_bytes(seed: &[u8]) -> Random {
        let digest = Sha512::digest(seed);
        let bytes: Vec<u8> = seed.iter().chain(digest.iter()).copied().collect();
        Random::of_integer(&BigInt::from_bytes_be(num_bigint::Sign::Plus, &bytes))
    }

    /// A generator that nobody can foretell who does not know the seed.
    pub fn of_secret(seed: &[u8; 32]) -> Random {
        let block = |at: u32| Sha512::digest([&seed[..], &at.to_le_bytes()].concat());
        let bytes: Vec<u8> =
            (0..STATE_WORDS.div_ceil(16) as u32).flat_map(block).collect();
        let word = |bytes: &[u8]| {
            bytes.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte))
        };
        let words: Vec<u32> = bytes.chunks(4).map(word).collect();
        Random::of_words(&words)
    }

    /// `init_by_array`; the key begins with its least significant word.
    fn of_words(key: &[u32]) -> Random {
        let key = if key.is_empty() { &[0] } else { key };
        Random { words: Box::new(Mt::new_with_key(key.iter().copied())) }
    }

    /// `random()`: from 0 to 1.
    pub fn fraction(&mut self) -> f64 {
        let (high, low) = (self.words.next_u32() >> 5, self.words.next_u32() >> 6);
        (f64::from(high) * 67_108_864.0 + f64::from(low)) / 9_007_199_254_740_992.0
    }

    /// An integer below another one that is not 0.
    pub fn below(&mut self, end: u64) -> u64 {
        let bits = u64::BITS - end.leading_zeros();
        loop {
            let low = u64::from(self.words.next_u32());
            let number = match bits {
                0..=32 => low >> (32 - bits.max(1)),
                _ => low | u64::from(self.words.next_u32() >> (64 - bits)) << 32,
            };
            if number < end || end == 0 {
                return number;
            }
        }
    }

    /// `choice`: one of the items, if there is any.
    pub fn choice<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        match items.len() {
            0 => None,
            count => items.get(self.below(count as u64) as usize),
        }
    }

    /// `randrange`
    ///
    /// # Errors
    /// There is none, or the step is 0.
    pub fn range(&mut self, start: i64, stop: i64, step: i64) -> Result<i64> {
        if step == 0 {
            return Err(Exception::of_value("zero step for randrange()"));
        }
        let (start, stop, step) = (i128::from(start), i128::from(stop), i128::from(step));
        let way = if step > 0 { stop - start } else { start - stop };
        let count = (way + step.abs() - 1).div_euclid(step.abs());
        let Some(count) = u64::try_from(count).ok().filter(|count| *count > 0) else {
            let message = match step {
                1 => format!("empty range for randrange() ({start}, {stop}, {way})"),
                _ => "empty range for randrange()".to_owned(),
            };
            return Err(Exception::of_value(message));
        };
        let drawn = start + step * i128::from(self.below(count));
        Ok(i64::try_from(drawn).unwrap_or_default())
    }

    /// `shuffle`
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            items.swap(at, self.below(at as u64 + 1) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn draws_what_python_draws() {
        let mut items: Vec<u8> = (0..8).collect();
        Random::of_text("seed").shuffle(&mut items);
        assert_eq!(items, [3, 6, 5, 4, 7, 1, 0, 2]);
        let mut random = Random::of_integer(&42.into());
        assert_eq!(random.range(0, 1000, 1).ok(), Some(654));
        assert_eq!(random.fraction().to_string(), "0.11133106816568039");
    }
}
