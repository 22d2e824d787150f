//! The lines of a text, which end in `\n`, `\r\n` or `\r`.

/// The line breaks.
pub(super) const BREAKS: [char; 2] = ['\n', '\r'];

/// Offset of the first byte of the line that `at` stands on.
pub(super) fn start(text: &[u8], at: usize) -> usize {
    let crossing = at > 0 && text[..at].ends_with(b"\r") && text[at..].starts_with(b"\n");
    let before = if crossing { &text[..at - 1] } else { &text[..at] };
    memchr::memrchr2(b'\n', b'\r', before).map_or(0, |at| at + 1)
}

/// Offset of the break that ends the line that `at` stands on.
pub(super) fn end(text: &[u8], at: usize) -> usize {
    memchr::memchr2(b'\n', b'\r', &text[at..]).map_or(text.len(), |end| at + end)
}

/// Offset of the line after the one that `at` stands on.
pub(super) fn next(text: &[u8], at: usize) -> usize {
    let end = end(text, at);
    end + length(&text[end..])
}

/// The bytes of the break that begins a text.
pub(super) fn length(text: &[u8]) -> usize {
    match text {
        [b'\r', b'\n', ..] => 2,
        [b'\r' | b'\n', ..] => 1,
        _ => 0,
    }
}

/// The lines of a text, and whether each has a break.
pub(super) fn split(text: &str) -> impl Iterator<Item = (&str, bool)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let end = end(rest.as_bytes(), 0);
        let next = next(rest.as_bytes(), 0);
        let line = (!rest.is_empty()).then(|| (&rest[..end], next > end));
        rest = &rest[next..];
        line
    })
}
