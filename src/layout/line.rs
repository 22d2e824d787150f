//! A text as lines, which end in `\n`, `\r\n` or `\r`.

/// Returns the offset of the first byte of the line that `at` stands on.
pub(super) fn line_start(text: &[u8], at: usize) -> usize {
    // Between `\r` and `\n` the line has not ended.
    let crossing = at > 0 && text[..at].ends_with(b"\r") && text[at..].starts_with(b"\n");
    let before = if crossing { &text[..at - 1] } else { &text[..at] };
    memchr::memrchr2(b'\n', b'\r', before).map_or(0, |at| at + 1)
}

/// Returns the offset of the break that ends the line that `at` stands on.
pub(super) fn line_end(text: &[u8], at: usize) -> usize {
    memchr::memchr2(b'\n', b'\r', &text[at..]).map_or(text.len(), |end| at + end)
}

/// Returns the offset of the line after the one that `at` stands on.
pub(super) fn next_line(text: &[u8], at: usize) -> usize {
    let end = line_end(text, at);
    end + break_length(&text[end..])
}

/// Returns the length of the line break at the beginning of `text`, or 0.
fn break_length(text: &[u8]) -> usize {
    match text {
        [b'\r', b'\n', ..] => 2,
        [b'\r' | b'\n', ..] => 1,
        _ => 0,
    }
}

/// Returns the lines of a text with their breaks.
pub(crate) fn lines(text: &str) -> Vec<&str> {
    each_line(text).collect()
}

/// Returns the lines of a text with their breaks, one after another.
pub(crate) fn each_line(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (line, after) = rest.split_at(next_line(rest.as_bytes(), 0));
        rest = after;
        (!line.is_empty()).then_some(line)
    })
}

/// Returns the lines of a text without their breaks.
pub(crate) fn bare_lines(text: &str) -> impl Iterator<Item = &str> {
    each_line(text).map(bare)
}

/// Returns a line without its break.
pub(crate) fn bare(line: &str) -> &str {
    line.trim_end_matches(['\n', '\r'])
}

/// Returns true if a line begins with a marker of a document: `---` or `...`.
pub(crate) fn is_marker(line: &str, marker: &str) -> bool {
    let rest = bare(line).strip_prefix(marker);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t']))
}

/// Returns true if a line is a comment.
pub(crate) fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with('#')
}

/// Returns true if a text begins with a comment, without blanks before it.
pub(crate) fn begins_with_comment(text: &str) -> bool {
    text.starts_with('#')
}

/// Returns true if a text may hold a comment. A `#` of a scalar counts, too.
pub(crate) fn may_hold_comment(text: &str) -> bool {
    text.contains('#')
}

/// Returns true if a line is a comment or blank.
pub(crate) fn is_comment_or_blank(line: &str) -> bool {
    is_comment(line) || line.trim().is_empty()
}

/// The text behind a `#` of a comment.
pub(crate) struct Remark<'t> {
    /// Offset of the `#` in the text of the comment.
    pub(crate) start: usize,
    /// The words, without the `#` and the blanks around it.
    pub(crate) text: &'t str,
}

/// Returns the remarks of a comment: `# a # b` has two, of which the first one holds the
/// second.
pub(crate) fn remarks(comment: &str) -> impl Iterator<Item = Remark<'_>> {
    let starts = comment.match_indices('#').map(|(at, _)| at);
    let starts = starts
        .filter(|&at| comment[..at].chars().next_back().is_none_or(char::is_whitespace));
    starts.map(|start| Remark {
        start,
        text: comment[start..].trim_start_matches('#').trim_start(),
    })
}
