//! Properties before a node, `&anchor !tag`, and the anchors that aliases name.

use hashbrown::HashMap;

use super::cursor::TextCursor;
use crate::arena::{Handle, Index, NONE, Nodes, Props, Range, flag};
use crate::diagnostic::Result;
use crate::scalar::{MERGE_TAG, YAML_TAG_PREFIX};

/// The properties of the nodes, and those that wait for their node.
pub(super) struct Properties<'a> {
    /// Properties on the line of the next node.
    line: Props,
    /// Properties on the lines above the next node.
    above: Props,
    /// Anchor above the outermost open flow collection, and the collection.
    above_flow: (Range, Index),
    /// Properties of the nodes, in their order.
    of_nodes: Vec<Props>,
    handles: Vec<Handle>,
    /// The node that each anchor of this document stands for at this point.
    anchors: HashMap<&'a [u8], Index>,
    /// The tag handles of this document with their prefixes.
    tag_handles: HashMap<&'a [u8], &'a [u8]>,
}

// Those that wait for their node.
impl<'a> Properties<'a> {
    pub(super) fn new() -> Properties<'a> {
        Properties {
            line: Props::NONE,
            above: Props::NONE,
            above_flow: ((0, 0), NONE),
            of_nodes: Vec::new(),
            handles: Vec::new(),
            anchors: HashMap::new(),
            tag_handles: HashMap::new(),
        }
    }

    /// Forgets what counts for one document only.
    pub(super) fn begin_document(&mut self) {
        // Not `clear`, which takes time proportional to the capacity: one document with
        // many anchors would slow every small one behind it.
        if !self.anchors.is_empty() {
            self.anchors = HashMap::new();
        }
        if !self.tag_handles.is_empty() {
            self.tag_handles = HashMap::new();
        }
        self.line = Props::NONE;
        self.above = Props::NONE;
    }

    /// Returns true if any wait on the line of the next node.
    #[inline(always)]
    pub(super) fn on_line(&self) -> bool {
        self.line.start != NONE
    }

    /// Returns true if any wait on the lines above the next node.
    #[inline(always)]
    pub(super) fn are_above(&self) -> bool {
        self.above.start != NONE
    }

    #[inline(always)]
    pub(super) fn are_pending(&self) -> bool {
        self.above.start & self.line.start != NONE
    }

    #[inline(always)]
    pub(super) fn line_tag(&self) -> Range {
        self.line.tag
    }

    pub(super) fn forget_line(&mut self) {
        self.line = Props::NONE;
    }

    /// Returns the start of a node whose content is at `start`, properties included.
    #[inline(always)]
    pub(super) fn outer_of(&self, start: usize) -> usize {
        match self.line.start {
            NONE => start,
            properties => properties as usize,
        }
    }

    /// Begins a flow collection, which will be node `i`. Returns the properties above: they
    /// belong to the collection or its mapping, not to an item.
    pub(super) fn enter_flow(&mut self, i: Index) -> Props {
        let outer = std::mem::replace(&mut self.above, Props::NONE);
        self.above_flow = (outer.anchor, i);
        outer
    }

    pub(super) fn leave_flow(&mut self, outer: Props) {
        self.above_flow = ((0, 0), NONE);
        self.above = outer;
    }

    /// Reads the property at the cursor.
    pub(super) fn read(
        &mut self,
        text: &mut TextCursor<'a>,
        in_flow: bool,
    ) -> Result<()> {
        let start = text.at;
        let is_anchor = text.byte(start) == b'&';
        let end = if is_anchor { anchor_end(text)? } else { tag_end(text)? };
        let first = if is_anchor { &mut self.line.anchor } else { &mut self.line.tag };
        if first.0 < first.1 {
            return text.error("did not find expected node content", start, end);
        }
        let range = (start as u32 + u32::from(is_anchor), end as u32);
        *first = range;
        if !is_anchor {
            self.check_tag(text, range)?;
        }
        text.at = end;
        self.line.start = self.line.start.min(start as u32);
        let ends_in_flow = in_flow && text.is_flow_indicator(end);
        if text.is_blank_or_end(end) || ends_in_flow || text.go {
            Ok(())
        } else {
            text.error_at("did not find expected whitespace or line break", end)
        }
    }

    fn check_tag(&self, text: &TextCursor<'_>, tag: Range) -> Result<()> {
        let written = text.name(tag);
        let verbatim = written.starts_with(b"!<");
        let uri = if verbatim {
            written.get(2..written.len() - 1).unwrap_or_default()
        } else {
            &written[1..]
        };
        let is_meaningless = text.strict && verbatim && matches!(uri, b"" | b"!");
        let mut is_wrong = is_meaningless || !text.go && !is_uri(uri, verbatim);
        match handle(written).filter(|_| !verbatim && !is_wrong) {
            Some(handle)
                if handle.len() > 2 && !self.tag_handles.contains_key(handle) =>
            {
                return text.error_in("found undefined tag handle", tag);
            }
            Some(handle) => {
                let suffix = &written[handle.len()..];
                is_wrong = suffix.is_empty() || text.strict && suffix.contains(&b'!');
            }
            None => is_wrong |= text.strict && !verbatim && uri.contains(&b'!'),
        }
        if is_wrong {
            text.error_in("did not find expected tag URI", tag)
        } else {
            Ok(())
        }
    }

    /// Returns true if a tag resolves to `!!merge`.
    pub(super) fn is_merge_tag(&self, text: &TextCursor<'_>, tag: Range) -> bool {
        let tag = text.name(tag);
        if let Some(verbatim) = tag.strip_prefix(b"!<") {
            return verbatim.strip_suffix(b">") == Some(MERGE_TAG.as_bytes());
        }
        let Some(handle) = handle(tag) else { return false };
        let prefix = self.tag_handles.get(handle).copied();
        let prefix = prefix.unwrap_or(YAML_TAG_PREFIX.as_bytes());
        let suffix = &tag[handle.len()..];
        [prefix, suffix].concat() == MERGE_TAG.as_bytes()
    }

    /// Returns true if the tag above the next node resolves to `!!merge`.
    pub(super) fn has_merge_tag_above(&self, text: &TextCursor<'_>) -> bool {
        self.are_above() && self.is_merge_tag(text, self.above.tag)
    }

    /// Skips the alias at the cursor. Returns the node that it stands for.
    pub(super) fn alias(
        &self,
        text: &mut TextCursor<'_>,
        nodes: &Nodes,
    ) -> Result<Index> {
        let start = text.at;
        let mut end = anchor_end(text)?;
        let mut target = self.anchored(text, &text.bytes[start + 1..end]);
        if target.is_none() && !text.strict && text.bytes[..end].ends_with(b":") {
            // `*a: b` is a key to most readers; in YAML 1.2 the name is `a:`.
            end -= 1;
            target = self.anchored(text, &text.bytes[start + 1..end]);
        }
        let name = String::from_utf8_lossy(&text.bytes[start + 1..end]);
        let Some(target) = target else {
            let message = format!("unknown anchor '{name}' referenced");
            return text.error(&message, start, end);
        };
        if target == NONE || nodes[target as usize].len == 0 {
            let message = format!("anchor '{name}' value contains itself");
            return text.error(&message, start, end);
        }
        text.at = end;
        Ok(target)
    }

    /// Returns the node that an anchor stands for at this point, or NONE if the node around
    /// the cursor is still to be registered.
    fn anchored(&self, text: &TextCursor<'_>, name: &[u8]) -> Option<Index> {
        let target = self.anchors.get(name).copied();
        let (above_flow, first) = self.above_flow;
        let is_open = text.name(self.above.anchor) == name
            || text.name(above_flow) == name
                && target.is_none_or(|target| target < first);
        if is_open { Some(NONE) } else { target }
    }
}

// Those of nodes.
impl<'a> Properties<'a> {
    /// Takes the properties of the next node: those on its line and those above.
    fn join(&mut self, text: &TextCursor<'_>) -> Result<Props> {
        let outer = self.above;
        let inner = self.line;
        let anchor = join_range(text, outer.anchor, inner.anchor)?;
        let tag = join_range(text, outer.tag, inner.tag)?;
        self.line = Props::NONE;
        self.above = Props::NONE;
        Ok(Props { node: NONE, start: outer.start.min(inner.start), anchor, tag })
    }

    /// Makes the properties on this line ones above the next node.
    pub(super) fn move_above(&mut self, text: &TextCursor<'_>) -> Result<()> {
        self.above = self.join(text)?;
        Ok(())
    }

    /// Adds the properties on the lines above to the complete node `i`. Returns its new flags.
    pub(super) fn join_to(&mut self, text: &TextCursor<'a>, i: Index) -> Result<u8> {
        if !self.are_above() {
            return Ok(0);
        }
        let place = self.position(i);
        let own = self.of_nodes.get(place).copied().filter(|props| props.node == i);
        self.line = own.unwrap_or(Props::NONE);
        let props = Props { node: i, ..self.join(text)? };
        match own {
            Some(_) => self.of_nodes[place] = props,
            None => self.of_nodes.insert(place, props),
        }
        Ok(self.register_anchor(text, props))
    }

    /// Records the properties on the line of node `i`, which is pushed next. Returns its
    /// flags.
    #[inline(always)]
    pub(super) fn push_line(&mut self, text: &TextCursor<'a>, i: Index) -> u8 {
        if !self.on_line() {
            return 0;
        }
        let props = std::mem::replace(&mut self.line, Props::NONE);
        self.push(text, Props { node: i, ..props })
    }

    /// Records the properties on the lines above node `i`, which is pushed next. Returns its
    /// flags.
    #[inline(always)]
    pub(super) fn push_above(&mut self, text: &TextCursor<'a>, i: Index) -> u8 {
        if !self.are_above() {
            return 0;
        }
        let props = std::mem::replace(&mut self.above, Props::NONE);
        self.push(text, Props { node: i, ..props })
    }

    /// Records all properties of node `i`, which is pushed next. Returns its flags.
    pub(super) fn push_all(&mut self, text: &TextCursor<'a>, i: Index) -> Result<u8> {
        let props = self.join(text)?;
        Ok(self.push(text, Props { node: i, ..props }))
    }

    /// Appends properties in the order of nodes. Returns the flags of the node.
    #[inline(never)]
    fn push(&mut self, text: &TextCursor<'a>, props: Props) -> u8 {
        self.of_nodes.push(props);
        self.register_anchor(text, props)
    }

    fn register_anchor(&mut self, text: &TextCursor<'a>, props: Props) -> u8 {
        if props.anchor.0 == props.anchor.1 {
            return flag::PROPS;
        }
        let node = self.anchors.entry(text.name(props.anchor)).or_insert(props.node);
        *node = props.node.max(*node);
        flag::PROPS | flag::HAS_ANCHOR
    }

    /// Returns the start of the properties of node `i`, if it has any.
    pub(super) fn start_of(&self, i: Index) -> Option<u32> {
        let props = self.of_nodes.get(self.position(i));
        props.filter(|props| props.node == i).map(|props| props.start)
    }

    fn position(&self, i: Index) -> usize {
        self.of_nodes.partition_point(|props| props.node < i)
    }

    /// Takes out the properties of all nodes from the first on.
    pub(super) fn split_off(&mut self, first: Index) -> Vec<Props> {
        self.of_nodes.split_off(self.position(first))
    }

    /// Appends properties of nodes whose numbers are one larger now.
    pub(super) fn append_shifted(&mut self, text: &TextCursor<'a>, props: Vec<Props>) {
        for props in props {
            self.push(text, Props { node: props.node + 1, ..props });
        }
    }

    /// Forgets the properties of all nodes from the first on.
    pub(super) fn forget_nodes(&mut self, first: Index) {
        self.of_nodes.retain(|props| props.node < first);
    }

    /// Returns the properties of the nodes and the tag handles.
    pub(super) fn into_parts(self) -> (Vec<Props>, Vec<Handle>) {
        (self.of_nodes, self.handles)
    }
}

// Tag handles.
impl<'a> Properties<'a> {
    /// Declares a tag handle. Returns false if the document has declared it before.
    pub(super) fn declare(&mut self, text: &TextCursor<'a>, handle: Handle) -> bool {
        let name = text.name(handle.name);
        let is_new = self.tag_handles.insert(name, text.name(handle.prefix)).is_none();
        if is_new {
            self.handles.push(handle);
        }
        is_new
    }

    /// Sorts the handles of the section that begins, for lookup by binary search.
    pub(super) fn sort_handles(&mut self, text: &TextCursor<'a>, section: u32) {
        let first = self.handles.partition_point(|handle| handle.section < section);
        self.handles[first..].sort_by_key(|handle| text.name(handle.name));
    }

    /// Forgets the handles of all sections from the first on.
    pub(super) fn forget_handles(&mut self, first: u32) {
        self.handles.retain(|handle| handle.section < first);
    }
}

fn join_range(text: &TextCursor<'_>, outer: Range, inner: Range) -> Result<Range> {
    match (outer.0 < outer.1, inner.0 < inner.1) {
        (true, true) => text.error_in("did not find expected node content", inner),
        (true, false) => Ok(outer),
        (false, _) => Ok(inner),
    }
}

/// Returns the end of the anchor or alias at the cursor.
fn anchor_end(text: &TextCursor<'_>) -> Result<usize> {
    let start = text.at + 1;
    let mut at = start;
    while at < text.bytes.len() && !ends_anchor(text, at) {
        at += 1;
    }
    let message = "did not find expected alphabetic or numeric character";
    if at == start { text.error_at(message, at) } else { Ok(at) }
}

fn ends_anchor(text: &TextCursor<'_>, at: usize) -> bool {
    if text.go {
        let byte = text.byte(at);
        return !byte.is_ascii_alphanumeric() && !matches!(byte, b'_' | b'-');
    }
    text.is_blank_or_end(at) || text.is_flow_indicator(at)
}

/// Returns the end of the tag at the cursor.
fn tag_end(text: &TextCursor<'_>) -> Result<usize> {
    let verbatim = text.byte(text.at + 1) == b'<';
    let mut at = text.at + 1;
    while at < text.bytes.len() && !text.is_blank_or_end(at) {
        match text.byte(at) {
            b'>' if verbatim => return Ok(at + 1),
            b'{' | b'}' if !verbatim => break,
            b',' | b'[' | b']' if !verbatim && !text.go => break,
            _ => at += 1,
        }
    }
    if verbatim {
        text.error("did not find the expected '>'", text.at, at)
    } else {
        Ok(at)
    }
}

/// Returns `!name!` at the beginning of a tag.
fn handle(tag: &[u8]) -> Option<&[u8]> {
    let end = tag.iter().skip(1).position(|&byte| byte == b'!')?;
    let is_word = tag[1..=end]
        .iter()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    is_word.then(|| &tag[..end + 2])
}

/// Returns true if the text of a tag, or the prefix of tags, is a URI.
pub(super) fn is_uri(tag: &[u8], verbatim: bool) -> bool {
    tag.iter().enumerate().all(|(i, &byte)| match byte {
        b'%' => {
            tag.get(i + 1..i + 3).is_some_and(|x| x.iter().all(u8::is_ascii_hexdigit))
        }
        b',' | b'[' | b']' => verbatim,
        _ => byte.is_ascii_alphanumeric() || b"-#;/?:@&=+$_.!~*'()".contains(&byte),
    })
}
