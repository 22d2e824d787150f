//! `random.Random`: draws the numbers that CPython draws for a seed.

use num_bigint::BigInt;
use sha2::{Digest, Sha512};

use super::{Exception, Result};

/// A Mersenne Twister, MT19937.
// Not the crate `rand_mt`, which ignores the words of a key after the 624th: a seed of
// more than 2,432 bytes would give other numbers than Python's.
#[derive(Clone, Debug)]
pub struct Random {
    state: Box<[u32; STATE_WORDS]>,
    /// Number of words of the state that are used up.
    used: usize,
}

// The parameters n and m of MT19937.
const STATE_WORDS: usize = 624;
const MIDDLE_WORD: usize = 397;

impl Random {
    /// `Random(seed)` for an integer.
    pub fn of_integer(seed: &BigInt) -> Random {
        Random::of_words(&seed.magnitude().to_u32_digits())
    }

    pub fn of_text(seed: &str) -> Random {
        Random::of_bytes(seed.as_bytes())
    }

    pub fn of_bytes(seed: &[u8]) -> Random {
        let digest = Sha512::digest(seed);
        let bytes: Vec<u8> = seed.iter().chain(digest.iter()).copied().collect();
        Random::of_integer(&BigInt::from_bytes_be(num_bigint::Sign::Plus, &bytes))
    }

    /// Makes a generator that cannot be predicted: every word depends on the whole seed.
    pub fn of_secret(seed: &[u8; 32]) -> Random {
        let blocks = (0..STATE_WORDS.div_ceil(16) as u32)
            .flat_map(|at| Sha512::digest([&seed[..], &at.to_le_bytes()].concat()));
        let bytes: Vec<u8> = blocks.collect();
        let words = bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word));
        Random::of_words(&words.collect::<Vec<u32>>())
    }

    /// `init_by_array`; the key begins with its least significant word.
    fn of_words(key: &[u32]) -> Random {
        let key = if key.is_empty() { &[0] } else { key };
        let mut random = Random::of_word(19_650_218);
        let state = &mut random.state;
        let mix = |state: &[u32; STATE_WORDS], at: usize, factor: u32| {
            let before = state[at - 1];
            state[at] ^ (before ^ (before >> 30)).wrapping_mul(factor)
        };
        let mut at = 1;
        let mut word = 0;
        for _ in 0..STATE_WORDS.max(key.len()) {
            let mixed = mix(state, at, 1_664_525);
            state[at] = mixed.wrapping_add(key[word]).wrapping_add(word as u32);
            at = next(state, at);
            word = (word + 1) % key.len();
        }
        for _ in 0..STATE_WORDS - 1 {
            state[at] = mix(state, at, 1_566_083_941).wrapping_sub(at as u32);
            at = next(state, at);
        }
        state[0] = 1 << 31;
        random
    }

    fn of_word(seed: u32) -> Random {
        let mut state = Box::new([0; STATE_WORDS]);
        state[0] = seed;
        for at in 1..STATE_WORDS {
            let before = state[at - 1];
            let mixed = (before ^ (before >> 30)).wrapping_mul(1_812_433_253);
            state[at] = mixed.wrapping_add(at as u32);
        }
        Random { state, used: STATE_WORDS }
    }

    fn word(&mut self) -> u32 {
        if self.used == STATE_WORDS {
            self.twist();
        }
        let mut word = self.state[self.used];
        self.used += 1;
        word ^= word >> 11;
        word ^= word << 7 & 0x9d2c_5680;
        word ^= word << 15 & 0xefc6_0000;
        word ^ word >> 18
    }

    fn twist(&mut self) {
        let state = &mut self.state;
        for at in 0..STATE_WORDS {
            let joined =
                state[at] & 0x8000_0000 | state[(at + 1) % STATE_WORDS] & 0x7fff_ffff;
            let odd = if joined & 1 == 1 { 0x9908_b0df } else { 0 };
            state[at] = state[(at + MIDDLE_WORD) % STATE_WORDS] ^ joined >> 1 ^ odd;
        }
        self.used = 0;
    }

    /// `random()`: a float from 0 to 1, without 1.
    pub fn fraction(&mut self) -> f64 {
        let high = self.word() >> 5;
        let low = self.word() >> 6;
        (f64::from(high) * 67_108_864.0 + f64::from(low)) / 9_007_199_254_740_992.0
    }

    /// `_randbelow`: an integer below `end`, which is not 0.
    pub fn below(&mut self, end: u64) -> u64 {
        // Numbers of the same size are drawn until one fits, as CPython does; a remainder
        // would favour small numbers.
        let bits = u64::BITS - end.leading_zeros();
        loop {
            let low = u64::from(self.word());
            let number = match bits {
                0..=32 => low >> (32 - bits.max(1)),
                _ => low | u64::from(self.word() >> (64 - bits)) << 32,
            };
            if number < end || end == 0 {
                return number;
            }
        }
    }

    /// `choice`; `None` if there are no items.
    pub fn choice<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        match items.len() {
            0 => None,
            count => items.get(self.below(count as u64) as usize),
        }
    }

    /// `randrange`. Raises a `ValueError` for an empty range or a step of 0.
    pub fn range(&mut self, start: i64, stop: i64, step: i64) -> Result<i64> {
        if step == 0 {
            return Err(Exception::of_value("zero step for randrange()"));
        }
        let start = i128::from(start);
        let stop = i128::from(stop);
        let step = i128::from(step);
        let distance = if step > 0 { stop - start } else { start - stop };
        let count = (distance + step.abs() - 1).div_euclid(step.abs());
        let Some(count) = u64::try_from(count).ok().filter(|count| *count > 0) else {
            let message = match step {
                1 => format!("empty range for randrange() ({start}, {stop}, {distance})"),
                _ => "empty range for randrange()".to_owned(),
            };
            return Err(Exception::of_value(message));
        };
        let drawn = start + step * i128::from(self.below(count));
        Ok(i64::try_from(drawn).unwrap_or_default())
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            items.swap(at, self.below(at as u64 + 1) as usize);
        }
    }
}

/// Returns the next index of the state; after the last comes 1, with word 0 set.
fn next(state: &mut [u32; STATE_WORDS], at: usize) -> usize {
    match at + 1 {
        STATE_WORDS => {
            state[0] = state[STATE_WORDS - 1];
            1
        }
        next => next,
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
        // Keys longer than the state.
        let mut random = Random::of_text(&"x".repeat(5000));
        assert_eq!(random.range(0, 1000, 1).ok(), Some(590));
        assert_eq!(random.fraction().to_string(), "0.2461256772901732");
        let mut random = Random::of_integer(&42.into());
        assert_eq!(random.range(0, 1000, 1).ok(), Some(654));
        assert_eq!(random.fraction().to_string(), "0.11133106816568039");
    }
}
