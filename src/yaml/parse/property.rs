//! Properties before a node, `&anchor !tag`, and aliases.

use crate::arena::{Index, NONE, Props, Range, Style, flag};
use crate::diagnostic::Result;

use super::Parser;
use super::build::Leaf;

impl<'a> Parser<'a> {
    pub(super) fn name(&self, (start, end): Range) -> &'a [u8] {
        &self.text[start as usize..end as usize]
    }

    /// Reads a property in block context; whether the line goes on behind it.
    pub(super) fn block_property(&mut self) -> Result<bool> {
        let start = self.at;
        self.property()?;
        let end = self.at;
        self.skip_blanks();
        if !self.line_is_done() {
            return Ok(true);
        }
        if !self.top.state.takes_node() {
            return self.error("could not find expected ':'", start, end);
        }
        self.outer = self.join_props()?;
        Ok(false)
    }

    /// Reads the anchor or tag at the cursor.
    pub(super) fn property(&mut self) -> Result<()> {
        let start = self.at;
        let end = match self.byte(start) {
            b'&' => self.anchor_end(start + 1)?,
            _ => self.tag_end(start)?,
        };
        let (first, range) = match self.byte(start) {
            b'&' => (&mut self.inner.anchor, (start as u32 + 1, end as u32)),
            _ => (&mut self.inner.tag, (start as u32, end as u32)),
        };
        if first.0 < first.1 {
            return self.error("did not find expected node content", start, end);
        }
        *first = range;
        if self.byte(start) == b'!' {
            self.check_tag(range)?;
        }
        self.at = end;
        self.inner.start = self.inner.start.min(start as u32);
        self.after = self.at;
        let in_flow = self.top.state.is_flow() && self.flow_indicator(self.at);
        if self.spaced(self.at) || in_flow || self.go {
            Ok(())
        } else {
            self.error_at("did not find expected whitespace or line break", self.at)
        }
    }

    /// The end of the anchor name that begins at `start`.
    fn anchor_end(&self, start: usize) -> Result<usize> {
        let mut at = start;
        while at < self.text.len() && !self.ends_anchor(at) {
            at += 1;
        }
        let message = "did not find expected alphabetic or numeric character";
        if at == start { self.error_at(message, at) } else { Ok(at) }
    }

    fn ends_anchor(&self, at: usize) -> bool {
        if self.go {
            return !matches!(self.byte(at), b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'-');
        }
        self.spaced(at) || self.flow_indicator(at)
    }

    /// The end of the tag that begins at `start`.
    fn tag_end(&self, start: usize) -> Result<usize> {
        let verbatim = self.byte(start + 1) == b'<';
        let mut at = start + 1;
        while at < self.text.len() && !self.spaced(at) {
            match self.byte(at) {
                b'>' if verbatim => return Ok(at + 1),
                b'{' | b'}' if !verbatim => break,
                b',' | b'[' | b']' if !verbatim && !self.go => break,
                _ => at += 1,
            }
        }
        if verbatim {
            self.error("did not find the expected '>'", start, at)
        } else {
            Ok(at)
        }
    }

    fn check_tag(&self, (start, end): Range) -> Result<()> {
        let (start, end) = (start as usize, end as usize);
        let tag = &self.text[start..end];
        let verbatim = tag.starts_with(b"!<");
        let uri = if verbatim {
            tag.get(2..tag.len() - 1).unwrap_or_default()
        } else {
            &tag[1..]
        };
        let meaningless = self.strict && verbatim && matches!(uri, b"" | b"!");
        if meaningless || !self.go && !is_uri(uri, verbatim) {
            return self.error("did not find expected tag URI", start, end);
        }
        let Some(handle) = handle(tag).filter(|_| !verbatim) else {
            return if self.strict && !verbatim && tag[1..].contains(&b'!') {
                self.error("did not find expected tag URI", start, end)
            } else {
                Ok(())
            };
        };
        if handle.len() > 2 && !self.declared.contains_key(handle) {
            return self.error("found undefined tag handle", start, end);
        }
        let suffix = &tag[handle.len()..];
        if suffix.is_empty() || self.strict && suffix.contains(&b'!') {
            self.error("did not find expected tag URI", start, end)
        } else {
            Ok(())
        }
    }

    /// Whether the tag is `!!merge`, however it is written.
    pub(super) fn is_merge_tag(&self, tag: Range) -> bool {
        let tag = self.name(tag);
        if let Some(verbatim) = tag.strip_prefix(b"!<") {
            return verbatim == b"tag:yaml.org,2002:merge>";
        }
        let Some(handle) = handle(tag) else { return false };
        let prefix = self.declared.get(handle).copied();
        let prefix = prefix.unwrap_or(b"tag:yaml.org,2002:");
        let suffix = &tag[handle.len()..];
        [prefix, suffix].concat() == b"tag:yaml.org,2002:merge"
    }

    /// Reads the alias at the cursor and notes what it stands for.
    pub(super) fn alias(&mut self) -> Result<Leaf> {
        let start = self.at;
        let mut end = self.anchor_end(start + 1)?;
        let mut target = self.anchors.get(&self.text[start + 1..end]);
        if target.is_none() && !self.strict && self.text[..end].ends_with(b":") {
            // `*a: b` is a key to most readers, to the standard it is the alias `a:`.
            end -= 1;
            target = self.anchors.get(&self.text[start + 1..end]);
        }
        let name = String::from_utf8_lossy(&self.text[start + 1..end]);
        let Some(&target) = target else {
            return self.error(
                &format!("unknown anchor '{name}' referenced"),
                start,
                end,
            );
        };
        if self.nodes[target as usize].len == 0 {
            let message = format!("anchor '{name}' value contains itself");
            return self.error(&message, start, end);
        }
        self.at = end;
        self.alias = target;
        Ok(Leaf::new(Style::Alias, flag::HAS_ALIAS, start, end))
    }

    /// Where a node begins that has its content at `start`.
    #[inline(always)]
    pub(super) fn outer_of(&self, start: usize) -> usize {
        match self.inner.start {
            NONE => start,
            properties => properties as usize,
        }
    }

    /// The properties of one node, of its line and the lines above.
    pub(super) fn join_props(&mut self) -> Result<Props> {
        let (outer, inner) = (self.outer, self.inner);
        let anchor = self.join(outer.anchor, inner.anchor)?;
        let tag = self.join(outer.tag, inner.tag)?;
        self.inner = Props::NONE;
        self.outer = Props::NONE;
        Ok(Props { node: NONE, start: outer.start.min(inner.start), anchor, tag })
    }

    fn join(&self, outer: Range, inner: Range) -> Result<Range> {
        match (outer.0 < outer.1, inner.0 < inner.1) {
            (true, true) => self.error(
                "did not find expected node content",
                inner.0 as usize,
                inner.1 as usize,
            ),
            (true, false) => Ok(outer),
            (false, _) => Ok(inner),
        }
    }

    /// Gives the complete node `i` the properties on the lines above it as well.
    pub(super) fn join_outer(&mut self, i: Index) -> Result<()> {
        if self.outer.start == NONE {
            return Ok(());
        }
        let place = self.props.partition_point(|props| props.node < i);
        let own = self.props.get(place).copied().filter(|props| props.node == i);
        self.inner = own.unwrap_or(Props::NONE);
        let props = Props { node: i, ..self.join_props()? };
        match own {
            Some(_) => self.props[place] = props,
            None => self.props.insert(place, props),
        }
        let flags = self.anchor(props);
        self.nodes[i as usize].flags |= flags;
        self.top.flags |= flags & flag::HAS_ANCHOR;
        Ok(())
    }

    /// Notes the properties on the line of the node that is pushed next; its flags.
    #[inline(always)]
    pub(super) fn note_inner(&mut self) -> u8 {
        match self.inner.start {
            NONE => 0,
            _ => {
                let props = std::mem::replace(&mut self.inner, Props::NONE);
                self.note(props)
            }
        }
    }

    /// The same of the properties on the lines above.
    #[inline(always)]
    pub(super) fn note_outer(&mut self) -> u8 {
        match self.outer.start {
            NONE => 0,
            _ => {
                let props = std::mem::replace(&mut self.outer, Props::NONE);
                self.note(props)
            }
        }
    }

    /// Notes the properties of the node that is pushed next; its flags.
    #[inline(never)]
    pub(super) fn note(&mut self, props: Props) -> u8 {
        self.add_props(Props { node: self.nodes.len() as Index, ..props })
    }

    /// Adds the properties of the last node that has any; its flags.
    pub(super) fn add_props(&mut self, props: Props) -> u8 {
        self.props.push(props);
        self.anchor(props)
    }

    fn anchor(&mut self, props: Props) -> u8 {
        if props.anchor.0 == props.anchor.1 {
            return flag::PROPS;
        }
        let name = self.name(props.anchor);
        let node = self.anchors.entry(name).or_insert(props.node);
        *node = props.node.max(*node);
        flag::PROPS | flag::HAS_ANCHOR
    }
}

/// `!name!` at the beginning of a tag.
fn handle(tag: &[u8]) -> Option<&[u8]> {
    let end = tag.iter().skip(1).position(|&byte| byte == b'!')?;
    let word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    tag[1..=end].iter().all(word).then(|| &tag[..end + 2])
}

pub(super) fn is_uri(tag: &[u8], verbatim: bool) -> bool {
    let plain = |(i, &byte): (usize, &u8)| match byte {
        b'%' => {
            tag.get(i + 1..i + 3).is_some_and(|x| x.iter().all(u8::is_ascii_hexdigit))
        }
        b',' | b'[' | b']' => verbatim,
        _ => byte.is_ascii_alphanumeric() || b"-#;/?:@&=+$_.!~*'()".contains(&byte),
    };
    tag.iter().enumerate().all(plain)
}
