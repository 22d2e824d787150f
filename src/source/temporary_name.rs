//! The names of temporary files. No other program gives them to a file.

use std::hash::{BuildHasher, Hasher, RandomState};

/// Returns a new name.
pub(super) fn new() -> String {
    // The keys of the standard library's hasher are random.
    let number = RandomState::new().build_hasher().finish();
    format!(".interpolate-{number:016x}.tmp")
}

/// Returns true for a name that [`new`] could return.
#[cfg(any(test, all(unix, feature = "system")))]
pub(super) fn is_temporary(name: &str) -> bool {
    let number =
        name.strip_prefix(".interpolate-").and_then(|it| it.strip_suffix(".tmp"));
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    number.is_some_and(|number| number.len() == 16 && number.bytes().all(is_digit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        assert!(is_temporary(&new()));
        for other in
            [".interpolate-0123456789abcde.tmp", ".interpolate-0123456789ABCDEF.tmp"]
        {
            assert!(!is_temporary(other), "{other}");
        }
    }
}
