//! The lines of a text.

/// Splits a text behind each line break: `\n`, `\r\n` or `\r`.
pub(crate) fn lines(text: &str) -> Vec<&str> {
    let bytes = text.as_bytes();
    let ends = memchr::memchr2_iter(b'\n', b'\r', bytes).map(|at| at + 1);
    let ends =
        ends.filter(|&end| !(bytes[end - 1] == b'\r' && bytes.get(end) == Some(&b'\n')));
    let mut start = 0;
    let mut lines: Vec<&str> =
        ends.map(|end| &text[std::mem::replace(&mut start, end)..end]).collect();
    lines.extend((start < text.len()).then(|| &text[start..]));
    lines
}
