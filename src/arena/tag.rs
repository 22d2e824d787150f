//! Tags as written to tags as meant: `!!str` is `tag:yaml.org,2002:str`.

use std::borrow::Cow;

use super::{Arena, Handle, Index, Range};

/// The prefix of `!!`.
const YAML: &str = "tag:yaml.org,2002:";

impl Arena {
    /// The tag on node `i` with its handle resolved. `!` alone stays `!`.
    pub fn resolved_tag(&self, i: Index) -> Option<Cow<'_, str>> {
        let tag = self.tag(i)?;
        if let Some(verbatim) = tag.strip_prefix("!<") {
            return Some(verbatim.trim_end_matches('>').into());
        }
        let handle = match tag.get(1..).and_then(|rest| rest.find('!')) {
            Some(end) => &tag[..end + 2],
            None if tag.len() > 1 => "!",
            None => return Some(tag.into()),
        };
        let prefix = match (self.prefix(i, handle), handle) {
            (Some(prefix), _) => prefix,
            (None, "!!") => YAML,
            (None, _) => handle,
        };
        Some((prefix.to_owned() + &decode(&tag[handle.len()..])).into())
    }

    /// Every tag, resolved, and the node it is on.
    pub fn tags(&self) -> impl Iterator<Item = (Index, Cow<'_, str>)> + '_ {
        let tagged =
            |props: &super::Props| Some((props.node, self.resolved_tag(props.node)?));
        self.props.iter().filter_map(tagged)
    }

    /// What a `%TAG` line of the document of node `i` says about `handle`.
    fn prefix(&self, i: Index, handle: &str) -> Option<&str> {
        let text = |(start, end): Range| &self.text[start as usize..end as usize];
        let section = self.sections.partition_point(|section| section.root <= i) - 1;
        let place =
            |h: &Handle| (h.section as usize, text(h.name)).cmp(&(section, handle));
        let found = self.handles.binary_search_by(place).ok()?;
        Some(text(self.handles[found].prefix))
    }
}

/// `%21` to `!`
fn decode(suffix: &str) -> Cow<'_, str> {
    if !suffix.contains('%') {
        return suffix.into();
    }
    let mut bytes = Vec::with_capacity(suffix.len());
    let mut rest = suffix.as_bytes();
    while let [first, after @ ..] = rest {
        let digits = after.get(..2).and_then(|x| std::str::from_utf8(x).ok());
        let code = digits.and_then(|x| u8::from_str_radix(x, 16).ok());
        match (first, code) {
            (b'%', Some(code)) => {
                bytes.push(code);
                rest = &after[2..];
            }
            _ => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    match String::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(_) => suffix.into(),
    }
}
