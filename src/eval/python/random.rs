//! `random.Random`: a seed comes in, the numbers that CPython draws for it go out.

use num_bigint::BigInt;
use sha2::{Digest, Sha512};

use super::{Exception, Result};

/// A generator: MT19937.
#[derive(Clone, Debug)]
pub struct Random {
    state: Box<[u32; SIZE]>,
    at: usize,
}

const SIZE: usize = 624;
const MIDDLE: usize = 397;

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
        let bytes: Vec<u8> = (0..SIZE.div_ceil(16) as u32).flat_map(block).collect();
        let word = |bytes: &[u8]| {
            bytes.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte))
        };
        let words: Vec<u32> = bytes.chunks(4).map(word).collect();
        Random::of_words(&words)
    }

    /// The state for a key of the least significant word first.
    fn of_words(key: &[u32]) -> Random {
        let key = if key.is_empty() { &[0] } else { key };
        let mut random = Random::of_word(19_650_218);
        let state = &mut random.state;
        let mix = |state: &[u32; SIZE], at: usize, factor: u32| {
            let before = state[at - 1];
            state[at] ^ (before ^ (before >> 30)).wrapping_mul(factor)
        };
        let (mut at, mut word) = (1, 0);
        for _ in 0..SIZE.max(key.len()) {
            let mixed = mix(state, at, 1_664_525);
            state[at] = mixed.wrapping_add(key[word]).wrapping_add(word as u32);
            at = next(state, at);
            word = (word + 1) % key.len();
        }
        for _ in 0..SIZE - 1 {
            let mixed = mix(state, at, 1_566_083_941);
            state[at] = mixed.wrapping_sub(at as u32);
            at = next(state, at);
        }
        state[0] = 1 << 31;
        random
    }

    fn of_word(seed: u32) -> Random {
        let mut state = Box::new([0; SIZE]);
        state[0] = seed;
        for at in 1..SIZE {
            let before = state[at - 1];
            let mixed = (before ^ (before >> 30)).wrapping_mul(1_812_433_253);
            state[at] = mixed.wrapping_add(at as u32);
        }
        Random { state, at: SIZE }
    }

    fn word(&mut self) -> u32 {
        if self.at == SIZE {
            self.twist();
        }
        let mut word = self.state[self.at];
        self.at += 1;
        word ^= word >> 11;
        word ^= word << 7 & 0x9d2c_5680;
        word ^= word << 15 & 0xefc6_0000;
        word ^ word >> 18
    }

    fn twist(&mut self) {
        let state = &mut self.state;
        for at in 0..SIZE {
            let joined = state[at] & 0x8000_0000 | state[(at + 1) % SIZE] & 0x7fff_ffff;
            let odd = if joined & 1 == 1 { 0x9908_b0df } else { 0 };
            state[at] = state[(at + MIDDLE) % SIZE] ^ joined >> 1 ^ odd;
        }
        self.at = 0;
    }

    /// `random()`: from 0 to 1.
    pub fn fraction(&mut self) -> f64 {
        let (high, low) = (self.word() >> 5, self.word() >> 6);
        (f64::from(high) * 67_108_864.0 + f64::from(low)) / 9_007_199_254_740_992.0
    }

    /// An integer below another one that is not 0.
    pub fn below(&mut self, end: u64) -> u64 {
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

/// The place after one, from 1 again at the end.
fn next(state: &mut [u32; SIZE], at: usize) -> usize {
    match at + 1 {
        SIZE => {
            state[0] = state[SIZE - 1];
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
        let mut random = Random::of_integer(&42.into());
        assert_eq!(random.range(0, 1000, 1).ok(), Some(654));
        assert_eq!(random.fraction().to_string(), "0.11133106816568039");
    }
}
