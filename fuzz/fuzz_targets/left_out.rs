//! What the targets of variables do not look into.

/// Types of which one takes seconds to make; a tag that means a string in Go's dialect only;
/// and an escape that no other dialect has, which is copied as it is written, so far.
const LEFT_OUT: [&str; 5] = ["rsa", "ssh", "certificate", "binary", "\\'"];

/// Whether `data` has something of it. A tag with a bracket or a comma in it, which Go's
/// dialect allows, is copied as it is written, too.
pub(crate) fn is_left_out(data: &str) -> bool {
    let mut tags = data.split('!').skip(1).filter_map(|it| it.split_whitespace().next());
    LEFT_OUT.iter().any(|it| data.contains(it))
        || tags.any(|tag| tag.contains(['[', ']', '{', '}', ',']))
}
