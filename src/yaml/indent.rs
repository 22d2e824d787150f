//! Indentation, many spaces at a time.

const SPACES: &str = "                                                                ";

/// Appends `width` spaces.
pub(super) fn pad(out: &mut String, mut width: usize) {
    while width > SPACES.len() {
        out.push_str(SPACES);
        width -= SPACES.len();
    }
    out.push_str(&SPACES[..width]);
}
