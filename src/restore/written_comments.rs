//! The comments of a written text.

use std::ops::Range;

use crate::arena::{Arena, Style};

/// Returns the offsets of the comments of a text in their order, each from its `#` to the end
/// of its line.
pub(super) fn written_comments(arena: &Arena) -> Vec<Range<usize>> {
    let bytes = arena.text().as_bytes();
    let (mut comments, mut end, mut next) = (Vec::new(), 0, 0);
    for at in memchr::memchr_iter(b'#', bytes) {
        if at < end || !(at == 0 || is_blank(&bytes[..at])) {
            continue;
        }
        let nodes = arena.nodes()[next..].iter();
        next += nodes.take_while(|node| node.start as usize <= at).count();
        if next > 0 && is_in_scalar(arena, next - 1, at) {
            continue;
        }
        let rest = &bytes[at..];
        end = at + memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
        comments.push(at..end);
    }
    comments
}

/// Returns true if a text ends with a blank, a line break or a byte order mark.
fn is_blank(text: &[u8]) -> bool {
    text.ends_with("\u{feff}".as_bytes())
        || matches!(text, [.., b' ' | b'\t' | b'\n' | b'\r'])
}

/// Returns true if a `#` behind a blank is a part of a scalar: of `last`, the last node that
/// begins before it.
fn is_in_scalar(arena: &Arena, last: usize, at: usize) -> bool {
    let node = &arena.nodes()[last];
    let style = node.style;
    if style.is_mapping() || style.is_sequence() || at >= node.end as usize {
        return false;
    }
    // A comment may stand behind the header of a block scalar.
    let is_block = matches!(style, Style::Literal | Style::Folded);
    !is_block || arena.text()[node.start as usize..at].contains(['\n', '\r'])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scalar::Dialect;
    use crate::source::Source;
    use crate::yaml;

    #[test]
    fn comments_are_found_outside_of_scalars() {
        let text = "# a\nb: c#d # e # f\nt: |2 # g\n  # h\n  i\n# j\nq: 'k # l' # m\n\
                    f: [n, # o\n  p] # q\ns: &a#b r\n  # s\n#t";
        let tree = yaml::reread(Source::unnamed(text.to_owned()), Dialect::Core);
        let tree = tree.expect("it can be read");
        let found = written_comments(tree.base());
        let found: Vec<&str> = found.into_iter().map(|comment| &text[comment]).collect();
        let expected = ["# a", "# e # f", "# g", "# j", "# m", "# o", "# q", "# s", "#t"];
        assert_eq!(found, expected);
    }
}
