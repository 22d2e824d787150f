//! The parser: a text becomes an [`Arena`] in one pass over its
//! bytes, without recursion, without a copy, and without an allocation per node.
//!
//! The pass goes line by line. The column of a line closes the collections that are
//! deeper; the rest is read token by token. A scalar is pushed only when the byte behind
//! it shows whether it is a key, so that the nodes come out in pre-order.

use std::sync::Arc;

use hashbrown::HashMap;
use memchr::memchr2;

use super::options::Options;
use crate::arena::{
    Arena, Handle, Index, Layout, NONE, Nodes, Props, Range, Section, Style, flag,
};
use crate::diagnostic::{Diagnostic, Result};
use crate::scalar::{Dialect, MERGE_TAG, YAML_TAG_PREFIX};
use crate::source::{FileId, Source, Span, Text};

/// Maximum length in characters of a key without `?`.
const MAX_KEY: usize = 1024;

/// Message for a `:` that cannot separate a key from a value.
const MISPLACED_VALUE: &str = "mapping values are not allowed in this context";

const CONTROL_CHARACTER: &str = "control characters are not allowed";

/// Parses a text; for [`Dialect::Go`] it has passed [`accept`](super::accept).
pub(super) fn parse(
    file: FileId,
    source: Arc<Source>,
    options: &Options,
) -> Result<Arena> {
    let text = &source.text;
    // Offsets are `u32`, and NONE is taken.
    if text.len() >= NONE as usize {
        let place = Span { file, start: 0, end: 0 };
        return Err(Diagnostic::error("a text may not be 4 GiB long").at(place));
    }
    let (tree, ignored_error) = Parser::new(file, text, options).run()?;
    Ok(Arena::new(file, source, options.dialect, tree).with_ignored_error(ignored_error))
}

/// Parses a text that belongs to no file, by the rules of the parser alone: [`read`] also
/// asks what accepts a text in Go's dialect, and adds advice to errors.
///
/// # Errors
/// A syntax error with its span.
///
/// [`read`]: super::read()
pub fn text(file: FileId, text: impl Into<Text>, options: &Options) -> Result<Arena> {
    parse(file, Arc::new(Source::unnamed(text)), options)
}

struct Parser<'a> {
    file: FileId,
    text: &'a [u8],
    strict: bool,
    /// True if the grammar is that of libyaml, as yaml.v2 uses it.
    go: bool,
    /// True if YAML 1.1's breaks are breaks, and a block scalar never stands at column 0.
    yaml11: bool,
    /// The byte class WIDE if its bytes matter, else 0.
    wide_class: u8,
    max_depth: usize,

    /// Offset of the next byte.
    at: usize,
    /// Offset of the first byte of the line.
    line_start: usize,
    /// Number of spaces at the beginning of the line.
    column: usize,
    /// True if a tab stands in front of the content of the line.
    tab: bool,
    /// True if a block collection may begin at `at`.
    block_allowed: bool,

    /// The open collections without the innermost, outer ones first.
    frames: Vec<OpenCollection>,
    /// The innermost open collection.
    top: OpenCollection,
    /// Properties on the line of the next node.
    line_props: Props,
    /// Properties on the lines above the next node.
    props_above: Props,
    /// Anchor above the outermost open flow collection, and the collection.
    above_flow: (Range, Index),
    /// Node that the last alias stands for.
    alias_target: Index,
    /// Offset of the indicator before the next node, or NONE.
    indicator: u32,
    /// Offset after the last indicator or property.
    after_prefix: usize,
    /// Offset after the last complete node.
    last_end: usize,
    /// True if the last flow node was quoted or a collection, so that `:` needs no blank.
    json_like: bool,

    nodes: Nodes,
    props: Vec<Props>,
    sections: Vec<Section>,
    aliases: Vec<(Index, Index)>,
    handles: Vec<Handle>,
    ignored_error: Option<Box<Diagnostic>>,
    /// Offsets of the byte order marks before documents.
    byte_order_marks: Vec<usize>,
    /// The node that each anchor of this document stands for at this point.
    anchors: HashMap<&'a [u8], Index>,
    /// The tag handles of this document with their prefixes.
    tag_handles: HashMap<&'a [u8], &'a [u8]>,
}

/// The token that an open collection takes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Root,
    /// Nothing: the document has its root.
    Rooted,
    /// An item, after `-`.
    Item,
    /// The next `-`.
    NextItem,
    /// A key, after `?`.
    Key,
    /// A `:`, after the key of a `?`.
    AfterKey,
    /// A value, after `:`.
    Value,
    NextKey,
    /// An item, after `[` or `,`.
    FlowItem,
    /// A `,` or `]`, after an item.
    NextFlowItem,
    /// A key, after `{` or `,`.
    FlowKey,
    /// A key inside `{}`, after `?`.
    FlowExplicitKey,
    /// A `:`, `,` or `}`, after a key inside `{}`.
    AfterFlowKey,
    /// A value inside `{}`, after `:`.
    FlowValue,
    /// A `,` or `}`, after a value.
    NextFlowKey,
    /// A key inside `[]`, after `?`.
    PairKey,
    /// A `:`, after the key of a `?` inside `[]`.
    AfterPairKey,
    /// A value inside `[]`, after `:`.
    PairValue,
    /// A `,` or `]`, after a pair inside `[]`.
    AfterPair,
}

impl Phase {
    /// Returns the phase after a node, or `None` if no node is taken.
    #[inline(always)]
    fn after_node(self) -> Option<Phase> {
        Some(match self {
            Phase::Root => Phase::Rooted,
            Phase::Item => Phase::NextItem,
            Phase::Key => Phase::AfterKey,
            Phase::Value => Phase::NextKey,
            Phase::FlowItem => Phase::NextFlowItem,
            Phase::FlowKey | Phase::FlowExplicitKey => Phase::AfterFlowKey,
            Phase::FlowValue => Phase::NextFlowKey,
            Phase::PairKey => Phase::AfterPairKey,
            Phase::PairValue => Phase::AfterPair,
            Phase::Rooted
            | Phase::NextItem
            | Phase::AfterKey
            | Phase::NextKey
            | Phase::NextFlowItem
            | Phase::AfterFlowKey
            | Phase::NextFlowKey
            | Phase::AfterPairKey
            | Phase::AfterPair => return None,
        })
    }

    fn takes_node(self) -> bool {
        self.after_node().is_some()
    }

    fn is_flow(self) -> bool {
        match self {
            Phase::Root
            | Phase::Rooted
            | Phase::Item
            | Phase::NextItem
            | Phase::Key
            | Phase::AfterKey
            | Phase::Value
            | Phase::NextKey => false,
            Phase::FlowItem
            | Phase::NextFlowItem
            | Phase::FlowKey
            | Phase::FlowExplicitKey
            | Phase::AfterFlowKey
            | Phase::FlowValue
            | Phase::NextFlowKey
            | Phase::PairKey
            | Phase::AfterPairKey
            | Phase::PairValue
            | Phase::AfterPair => true,
        }
    }

    /// Returns true inside a pair of a flow sequence.
    fn is_pair(self) -> bool {
        matches!(
            self,
            Phase::PairKey | Phase::AfterPairKey | Phase::PairValue | Phase::AfterPair
        )
    }
}

#[derive(Clone, Copy, Debug)]
struct OpenCollection {
    node: Index,
    /// Column of its entries. The document has -1, a flow collection that of its block.
    column: i64,
    phase: Phase,
    /// Flags of its descendants: HAS_ALIAS, HAS_ANCHOR.
    flags: u8,
}

impl OpenCollection {
    fn root() -> OpenCollection {
        OpenCollection { node: NONE, column: -1, phase: Phase::Root, flags: 0 }
    }
}

/// A scalar or alias that was read and is not pushed yet.
#[derive(Clone, Copy)]
struct Leaf {
    style: Style,
    flags: u8,
    start: u32,
    end: u32,
    /// Number of spaces before each line of a block scalar's content.
    column: u32,
}

impl Leaf {
    fn new(style: Style, flags: u8, start: usize, end: usize) -> Leaf {
        Leaf { style, flags, start: start as u32, end: end as u32, column: 0 }
    }

    fn start(self) -> usize {
        self.start as usize
    }

    fn end(self) -> usize {
        self.end as usize
    }
}

impl<'a> Parser<'a> {
    fn new(file: FileId, text: &'a str, options: &Options) -> Parser<'a> {
        Parser {
            file,
            text: text.as_bytes(),
            strict: options.strict,
            go: options.dialect == Dialect::Go,
            yaml11: options.dialect != Dialect::Core,
            wide_class: if options.dialect == Dialect::Core { 0 } else { WIDE },
            max_depth: options.depth as usize,
            at: 0,
            line_start: 0,
            column: 0,
            tab: false,
            block_allowed: true,
            frames: Vec::new(),
            top: OpenCollection::root(),
            line_props: Props::NONE,
            props_above: Props::NONE,
            above_flow: ((0, 0), NONE),
            alias_target: NONE,
            indicator: NONE,
            after_prefix: 0,
            last_end: 0,
            json_like: false,
            // A first guess for configuration files; a denser text costs a growth.
            nodes: Nodes::with_capacity(text.len() / 16),
            props: Vec::new(),
            sections: Vec::new(),
            aliases: Vec::new(),
            handles: Vec::new(),
            ignored_error: None,
            byte_order_marks: Vec::new(),
            anchors: HashMap::new(),
            tag_handles: HashMap::new(),
        }
    }

    /// Returns the tree, and the error that ended the text early for yaml.v2.
    fn run(mut self) -> Result<(Layout, Option<Box<Diagnostic>>)> {
        self.stream()?;
        let Parser { nodes, props, sections, aliases, handles, .. } = self;
        let tree = Layout { nodes, props, sections, aliases, handles };
        Ok((tree, self.ignored_error))
    }

    #[cold]
    fn error<T>(&self, message: &str, start: usize, end: usize) -> Result<T> {
        let span = Span { file: self.file, start: start as u32, end: end as u32 };
        Err(Diagnostic::error(message).at(span))
    }

    /// Returns an error at the character that begins at `at`.
    #[cold]
    fn error_at<T>(&self, message: &str, at: usize) -> Result<T> {
        let rest = self.text.get(at..).unwrap_or_default();
        let follows = |byte: &&u8| (0x80..0xC0).contains(*byte);
        let more = rest.iter().skip(1).take_while(follows).count();
        self.error(message, at, (at + 1 + more).min(self.text.len()))
    }
}

/// The stream: documents, and the lines between them.
impl Parser<'_> {
    fn stream(&mut self) -> Result<()> {
        let unusual = self.check_controls()?;
        self.begin_document();
        self.indent();
        loop {
            match self.document() {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => {
                    self.leave_rest(error)?;
                    break;
                }
            }
        }
        self.end_stream();
        // Last, since quotes must be known: some characters are allowed only there.
        if unusual { self.check_characters() } else { Ok(()) }
    }

    fn begin_document(&mut self) {
        // Not `clear`, which takes time proportional to the capacity: one document with
        // many anchors would slow every small one behind it.
        if !self.anchors.is_empty() {
            self.anchors = HashMap::new();
        }
        if !self.tag_handles.is_empty() {
            self.tag_handles = HashMap::new();
        }
        self.frames.clear();
        self.top = OpenCollection::root();
        self.line_props = Props::NONE;
        self.props_above = Props::NONE;
        self.indicator = NONE;
        // An empty root then begins at the cursor.
        self.after_prefix = NONE as usize;
    }

    /// Reads one document; returns false if there is none.
    fn document(&mut self) -> Result<bool> {
        if !self.prologue()? {
            return Ok(false);
        }
        if !self.is_suffixed() && !self.is_marker(b'-') {
            return self.error_at("did not find expected <document start>", self.at);
        }
        self.sort_handles();
        self.begin_section()?;
        self.lines()?;
        self.end_document()?;
        Ok(true)
    }

    /// Returns true unless a document stands above that no `...` ends.
    fn is_suffixed(&self) -> bool {
        self.sections.last().is_none_or(|section| section.suffix != NONE)
    }

    /// Begins a section and reads the rest of the line of its `---`.
    fn begin_section(&mut self) -> Result<()> {
        let start = self.sections.last().map_or(0, |section| section.end);
        let root = self.nodes.len() as Index;
        let mut section = Section { start, end: start, root, marker: NONE, suffix: NONE };
        if !self.is_marker(b'-') {
            self.sections.push(section);
            return Ok(());
        }
        self.at += 3;
        self.after_prefix = self.at;
        section.marker = self.at as u32;
        self.sections.push(section);
        if self.after_indicator(false)? {
            while self.token()? {}
        }
        Ok(())
    }

    /// Sorts the handles of the section that begins, for lookup by binary search.
    fn sort_handles(&mut self) {
        let section = self.sections.len() as u32;
        let first = self.handles.partition_point(|handle| handle.section < section);
        let text = self.text;
        let name = |(start, end): Range| &text[start as usize..end as usize];
        self.handles[first..].sort_by_key(|handle| name(handle.name));
    }

    /// Skips comments, directives and markers before a document. Returns false at the end
    /// of the text.
    fn prologue(&mut self) -> Result<bool> {
        let (mut directives, mut versioned) = (false, false);
        loop {
            // In YAML 1.2, a directive belongs to the `---` that follows it.
            let is_allowed = !(self.go && self.at > 0 || self.strict && directives);
            if self.is_byte_order_mark() && is_allowed {
                self.byte_order_mark();
            }
            if self.byte(self.at) == b'#' || self.line_break(self.at) > 0 {
                self.next_line();
                continue;
            }
            let ended = self.at >= self.text.len();
            if directives
                && (ended || !self.is_marker(b'-'))
                && self.byte(self.at) != b'%'
            {
                return self.error_at("did not find expected <document start>", self.at);
            }
            if ended {
                return Ok(false);
            }
            if self.is_marker(b'.') {
                self.suffix()?;
            } else if self.at == self.line_start && self.byte(self.at) == b'%' {
                if self.strict && !self.is_suffixed() {
                    let message = "did not find expected <document start>";
                    return self.error_at(message, self.at);
                }
                directives = true;
                self.directive(&mut versioned)?;
            } else {
                return Ok(true);
            }
        }
    }

    /// Skips the byte order mark at the cursor.
    fn byte_order_mark(&mut self) {
        self.byte_order_marks.push(self.at);
        self.at += BOM.len();
        self.indent();
        if self.go && self.is_byte_order_mark() {
            // To yaml.v2, a second one is a character of the line that takes a column.
            self.at += BOM.len();
            self.indent_from(self.at - 1);
        }
    }

    /// Skips the line of a `...`, which belongs to the document before it.
    fn suffix(&mut self) -> Result<()> {
        self.at += 3;
        self.skip_blanks();
        let end = self.end_of_line(self.at);
        if !self.is_line_end(self.at) && self.byte(self.at) != b'#' {
            return self.error_at("did not find expected <document start>", self.at);
        }
        let end = end + self.line_break(end);
        self.next_line();
        if let Some(section) = self.sections.last_mut() {
            section.end = end as u32;
        }
        Ok(())
    }

    fn end_document(&mut self) -> Result<()> {
        while !self.frames.is_empty() {
            self.close()?;
        }
        if self.top.phase == Phase::Root {
            self.push_empty()?;
        }
        let suffix = self.is_marker(b'.');
        if let Some(section) = self.sections.last_mut() {
            section.end = self.line_start as u32;
            if suffix {
                section.suffix = self.line_start as u32;
            }
        }
        self.begin_document();
        if suffix { self.suffix() } else { Ok(()) }
    }

    /// Keeps an error behind the first document for later: yaml.v2 reads no further.
    fn leave_rest(&mut self, error: Box<Diagnostic>) -> Result<()> {
        let Some(&last) = self.sections.last().filter(|_| self.go) else {
            return Err(error);
        };
        match (self.sections.len(), last.end == last.start) {
            (1, true) if !self.root_is_complete(last.root)? => return Err(error),
            (1, true) => self.sections[0].end = self.last_end as u32,
            (_, true) => self.drop_document(last),
            (_, false) => {}
        }
        self.ignored_error = Some(error);
        Ok(())
    }

    /// Returns true if the document may end here, within a line.
    fn root_is_complete(&mut self, root: Index) -> Result<bool> {
        let bottom = *self.frames.first().unwrap_or(&self.top);
        let above = self.props_above.start != NONE;
        let beside = self.line_props.start != NONE && self.frames.is_empty();
        if bottom.phase == Phase::Root && (above || beside) {
            if above {
                self.line_props = Props::NONE;
            }
            self.forget_nodes(root);
            self.frames.clear();
            self.top = bottom;
            self.push_empty()?;
        }
        Ok(self.frames.is_empty() && self.top.phase == Phase::Rooted)
    }

    fn drop_document(&mut self, section: Section) {
        self.sections.pop();
        self.forget_nodes(section.root);
        let kept = self.sections.len() as u32;
        self.handles.retain(|handle| handle.section < kept);
    }

    fn forget_nodes(&mut self, first: Index) {
        self.nodes.truncate(first);
        self.props.retain(|props| props.node < first);
        self.aliases.retain(|&(alias, _)| alias < first);
    }

    /// Ends the last section at the end of the text; an empty text gets one.
    fn end_stream(&mut self) {
        let end = self.text.len() as u32;
        if self.sections.is_empty() {
            self.push_leaf(Leaf::new(Style::Empty, 0, self.at, self.at), NONE);
            let section = Section { start: 0, end, root: 0, marker: NONE, suffix: NONE };
            self.sections.push(section);
        }
        if self.ignored_error.is_none()
            && let Some(section) = self.sections.last_mut()
        {
            section.end = end;
        }
    }
}

/// Characters that YAML forbids.
impl Parser<'_> {
    /// Refuses control characters. Returns true if others need a closer look.
    fn check_controls(&mut self) -> Result<bool> {
        let mut unusual = false;
        for (i, chunk) in self.text.chunks(4096).enumerate() {
            // Without a way out of the inner loop it is compiled to vector instructions.
            // The size of a chunk only bounds the work behind a control character.
            let (mut control, mut other) = (false, false);
            for &byte in chunk {
                control |= is_control(byte);
                other |= matches!(byte, 0x7F | 0xC2 | 0xEF);
            }
            unusual |= other;
            if control {
                let place = chunk.iter().position(|&byte| is_control(byte));
                return self.control(i * 4096 + place.unwrap_or(0));
            }
        }
        Ok(unusual && self.strict)
    }

    /// Refuses a control character. For yaml.v2 the text ends there, and may end before.
    #[cold]
    fn control(&mut self, at: usize) -> Result<bool> {
        let refused: Result<bool> = self.error(CONTROL_CHARACTER, at, at + 1);
        if !self.go {
            return refused;
        }
        self.text = &self.text[..at];
        self.ignored_error = refused.err();
        Ok(false)
    }

    /// Refuses DEL, C1 controls and the like outside of quotes, as YAML 1.2 does.
    fn check_characters(&self) -> Result<()> {
        let text = String::from_utf8_lossy(self.text);
        for (at, character) in text.char_indices() {
            let unusual = match character {
                '\u{85}' => false,
                '\u{7F}'..='\u{9F}' | '\u{FFFE}' | '\u{FFFF}' => true,
                '\u{FEFF}' => self.byte_order_marks.binary_search(&at).is_err(),
                _ => false,
            };
            if unusual && !self.is_quoted(at as u32) {
                let end = at + character.len_utf8();
                return self.error(CONTROL_CHARACTER, at, end);
            }
        }
        Ok(())
    }

    fn is_quoted(&self, at: u32) -> bool {
        let next = self.nodes.partition_point(|node| node.start <= at);
        next > 0 && {
            let node = &self.nodes[next - 1];
            matches!(node.style, Style::Single | Style::Double) && at < node.end
        }
    }
}

/// Directives: `%YAML 1.2`, `%TAG ! prefix`, and reserved ones.
impl Parser<'_> {
    /// Reads the directive at the cursor and ends its line. `versioned`: `%YAML` was read.
    fn directive(&mut self, versioned: &mut bool) -> Result<()> {
        let start = self.at;
        let words = self.words();
        match (words.first().map(|&word| self.name(word)), &words[1..]) {
            (Some(b"%YAML"), _) if self.go => {}
            (Some(b"%YAML"), &[version]) => {
                if std::mem::replace(versioned, true) {
                    let end = version.1 as usize;
                    return self.error("found duplicate %YAML directive", start, end);
                }
                self.version(version)?;
            }
            (Some(b"%TAG"), &[handle, prefix]) => self.tag_handle(handle, prefix)?,
            (Some(b"%YAML" | b"%TAG"), _) => {
                let end = self.at;
                return self.error("did not find expected whitespace", start, end);
            }
            (Some(b"%"), _) => {
                let message = "could not find expected directive name";
                return self.error(message, start, start + 1);
            }
            (_, _) => {}
        }
        self.next_line();
        Ok(())
    }

    /// Reads the words of the line up to a comment.
    fn words(&mut self) -> Vec<Range> {
        let mut words = Vec::new();
        while !self.is_line_end(self.at) && self.byte(self.at) != b'#' {
            let start = self.at;
            while !self.is_blank_or_end(self.at) {
                self.at += 1;
            }
            words.push((start as u32, self.at as u32));
            self.skip_blanks();
        }
        words
    }

    fn version(&self, (start, end): Range) -> Result<()> {
        let text = self.name((start, end));
        let number =
            |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
        let mut parts = text.split(|&byte| byte == b'.');
        let (major, minor) = (parts.next(), parts.next());
        let well_formed = major.is_some_and(number) && minor.is_some_and(number);
        if !well_formed || parts.next().is_some() {
            let message = "did not find expected digit or '.' character";
            return self.error(message, start as usize, end as usize);
        }
        match major {
            Some(b"1") => Ok(()),
            _ => self.error(
                "found incompatible YAML document",
                start as usize,
                end as usize,
            ),
        }
    }

    fn tag_handle(&mut self, handle: Range, prefix: Range) -> Result<()> {
        let name = self.name(handle);
        let well_formed = match name {
            b"!" => true,
            [b'!', word @ .., b'!'] => {
                word.iter().all(|&byte| byte == b'-' || byte.is_ascii_alphanumeric())
                    || !self.strict
            }
            _ => false,
        };
        let (start, end) = (handle.0 as usize, handle.1 as usize);
        if !well_formed {
            return self.error("did not find expected '!'", start, end);
        }
        // YAML 1.2 takes no flow indicator for the beginning of a global prefix.
        let begins_well = !self.strict
            || !matches!(self.name(prefix), [b',' | b'[' | b']' | b'{' | b'}', ..]);
        let is_wrong = !begins_well || !is_uri(self.name(prefix), true);
        if is_wrong && !self.go {
            let (start, end) = (prefix.0 as usize, prefix.1 as usize);
            return self.error("did not find expected tag URI", start, end);
        }
        if self.tag_handles.insert(name, self.name(prefix)).is_some() {
            return self.error("found duplicate %TAG directive", start, end);
        }
        let section = self.sections.len() as u32;
        self.handles.push(Handle { section, name: handle, prefix });
        Ok(())
    }
}

/// Block context: lines, and the tokens on a line.
impl Parser<'_> {
    /// Reads lines up to a `---`, a `...` or the end.
    fn lines(&mut self) -> Result<()> {
        while self.at < self.text.len() && !self.document_ends() && !self.go_directive() {
            self.close_deeper()?;
            self.block_allowed = !self.tab;
            while self.token()? {}
        }
        Ok(())
    }

    /// Returns true at a directive, which ends a document for yaml.v2.
    fn go_directive(&self) -> bool {
        self.go && self.at == self.line_start && self.byte(self.at) == b'%'
    }

    /// Closes the collections that end before this line.
    #[inline]
    fn close_deeper(&mut self) -> Result<()> {
        let column = self.column as i64;
        while self.top.column > column {
            self.close()?;
        }
        if self.top.column == column {
            return self.next_entry(column);
        }
        if self.top.phase.takes_node() {
            Ok(())
        } else {
            self.unexpected(self.at, self.at)
        }
    }

    /// Prepares for a line in the column of the innermost collection.
    #[inline]
    fn next_entry(&mut self, column: i64) -> Result<()> {
        let byte = self.byte(self.at);
        // Without `-` the line belongs to the mapping around a sequence in its column.
        let dash = byte == b'-' && self.is_blank_or_end(self.at + 1);
        // YAML 1.2 requires a block scalar to be deeper than its key, libyaml does not.
        let scalar = matches!(byte, b'|' | b'>') && !self.strict;
        loop {
            match self.top.phase {
                Phase::Key | Phase::Value if dash || scalar => {
                    return Ok(());
                }
                Phase::Item if scalar => return Ok(()),
                Phase::Item | Phase::Key | Phase::Value => self.push_empty()?,
                Phase::NextItem if dash => return Ok(()),
                Phase::NextItem
                    if self.frames.last().is_some_and(|f| f.column == column) =>
                {
                    self.close()?;
                }
                Phase::NextItem => return self.no_item(),
                Phase::AfterKey
                    if self.byte(self.at) == b':'
                        && self.is_blank_or_end(self.at + 1) =>
                {
                    return Ok(());
                }
                Phase::AfterKey => self.push_empty_value(),
                _ => return Ok(()),
            }
        }
    }

    #[cold]
    fn no_item(&self) -> Result<()> {
        match self.byte(self.plain_line(self.at, PLAIN)) {
            b':' => self.unexpected(self.at, self.at),
            _ => self.misplaced("could not find expected ':'"),
        }
    }

    /// Reads one token. Returns true if the line has another one.
    fn token(&mut self) -> Result<bool> {
        match self.byte(self.at) {
            b'-' if self.is_blank_or_end(self.at + 1) => self.item(),
            b'?' if self.is_blank_or_end(self.at + 1) => self.explicit_key(),
            b':' if self.is_blank_or_end(self.at + 1) => self.explicit_value(),
            b'&' | b'!' => self.block_property(),
            b'*' => self.block_alias(),
            b'[' | b'{' => self.block_flow(),
            b'"' | b'\'' => self.block_quoted(),
            b'|' | b'>' => self.block_scalar(),
            b',' | b']' | b'}' => self.unexpected(self.at, self.at + 1),
            b'%' | b'@' | b'`' | b'#' | b'\t' => {
                self.error_at("found character that cannot start any token", self.at)
            }
            _ => self.plain(),
        }
    }

    fn item(&mut self) -> Result<bool> {
        let column = (self.at - self.line_start) as i64;
        if !self.block_allowed || self.line_props.start != NONE {
            return self
                .misplaced("block sequence entries are not allowed in this context");
        }
        if self.top.phase == Phase::NextItem && self.top.column == column {
            self.top.phase = Phase::Item;
        } else if self.top.phase.takes_node() {
            self.open_block(Style::BlockSequence, self.at, Phase::Item)?;
        } else {
            return self.misplaced("did not find expected key");
        }
        self.take_indicator();
        self.after_indicator(true)
    }

    fn explicit_key(&mut self) -> Result<bool> {
        if !self.block_allowed || self.line_props.start != NONE {
            return self.misplaced("mapping keys are not allowed in this context");
        }
        self.begin_entry(self.at)?;
        self.top.phase = Phase::Key;
        self.take_indicator();
        self.after_indicator(true)
    }

    /// Reads `: ` at the beginning of a line or behind an indicator.
    fn explicit_value(&mut self) -> Result<bool> {
        let column = (self.at - self.line_start) as i64;
        let bare = self.line_props.start == NONE && self.block_allowed;
        if self.top.phase == Phase::AfterKey && self.top.column == column && bare {
            self.top.phase = Phase::Value;
            self.take_indicator();
            return self.after_indicator(true);
        }
        self.block_key(self.empty_key())?;
        // YAML 1.2 has no block collection on the line of a key's `:`.
        self.after_indicator(!self.strict)
    }

    /// Returns the empty key of the `:` at the cursor, behind its properties.
    fn empty_key(&self) -> Leaf {
        let at = if self.line_props.start == NONE { self.at } else { self.after_prefix };
        Leaf::new(Style::Empty, 0, at, at)
    }

    /// Takes the indicator at the cursor for the node behind it.
    #[inline(always)]
    fn take_indicator(&mut self) {
        self.indicator = self.at as u32;
        self.at += 1;
        self.after_prefix = self.at;
    }

    /// Goes to the content behind an indicator. Returns true if it is on the same line.
    #[inline(always)]
    fn after_indicator(&mut self, compact: bool) -> Result<bool> {
        self.block_allowed = compact;
        if self.skip_spaces() {
            self.block_allowed = false;
            self.skip_blanks();
        }
        Ok(!self.line_is_done())
    }

    /// Goes to the next line and returns true if only a comment is left of this one.
    #[inline(always)]
    fn line_is_done(&mut self) -> bool {
        let done = self.is_line_end(self.at)
            || self.byte(self.at) == b'#' && self.comment_may_start();
        if done {
            self.next_line();
        }
        done
    }

    fn comment_may_start(&self) -> bool {
        !self.strict || self.after_blank(self.at)
    }

    /// Makes the mapping that has an entry at `start` the innermost collection.
    #[inline]
    fn begin_entry(&mut self, start: usize) -> Result<()> {
        if self.block_allowed && self.top.phase.takes_node() {
            return self.open_block(Style::BlockMapping, start, Phase::NextKey);
        }
        let column = (start - self.line_start) as i64;
        if self.top.phase == Phase::NextKey
            && self.top.column == column
            && self.block_allowed
        {
            Ok(())
        } else {
            self.misplaced(MISPLACED_VALUE)
        }
    }

    /// Returns an error for the token at the cursor, or for the tab before it.
    #[cold]
    fn misplaced<T>(&self, message: &str) -> Result<T> {
        if self.tab {
            let tab = self.line_start + self.column;
            return self.error(
                "found character that cannot start any token",
                tab,
                tab + 1,
            );
        }
        self.error(message, self.at, self.at + 1)
    }

    /// Ends the line, on which only a comment may be left.
    fn end_line(&mut self) -> Result<bool> {
        if self.line_is_done() { Ok(false) } else { self.unexpected_content() }
    }

    #[cold]
    fn unexpected_content(&mut self) -> Result<bool> {
        // libyaml has closed the deeper blocks before its grammar sees the token.
        while self.go && self.top.column > (self.at - self.line_start) as i64 {
            self.close()?;
        }
        let message = match self.top.phase {
            Phase::NextItem => "did not find expected '-' indicator",
            Phase::Rooted => "did not find expected <document start>",
            _ => "did not find expected key",
        };
        self.error_at(message, self.at)
    }
}

/// Keys and values of block context.
impl Parser<'_> {
    /// Reads a plain scalar, which is a key if `: ` follows on its line.
    #[inline]
    fn plain(&mut self) -> Result<bool> {
        let start = self.at;
        let stop = self.plain_line(start, PLAIN);
        let end = self.trim(start, stop);
        self.at = stop;
        if self.byte(stop) == b':' {
            self.block_key(Leaf::new(Style::Plain, 0, start, end))?;
            return self.after_indicator(false);
        }
        if !self.top.phase.takes_node() {
            return self.unexpected(start, end);
        }
        self.plain_value(start, end)
    }

    /// Pushes the plain scalar that began at `start`, with its continuation lines.
    #[inline]
    fn plain_value(&mut self, start: usize, mut end: usize) -> Result<bool> {
        let mut flags = 0;
        let mut comment = self.byte(self.at) == b'#';
        // Not `||`: the cursor must leave the line in any case.
        while !(self.next_line() | comment)
            && self.at < self.text.len()
            && self.column as i64 > self.top.column
            && !self.document_ends()
        {
            let from = self.at;
            self.at = self.plain_line(from, PLAIN);
            if self.at > from {
                flags = flag::MULTILINE | flag::COOKED;
                end = self.trim(from, self.at);
            }
            comment = self.byte(self.at) == b'#';
            if self.byte(self.at) == b':' {
                return self.colon_after_lines(Leaf::new(
                    Style::Plain,
                    flags,
                    start,
                    end,
                ));
            }
        }
        self.push_value(Leaf::new(Style::Plain, flags, start, end))?;
        Ok(false)
    }

    /// Refuses `: ` behind a plain scalar of several lines.
    #[cold]
    fn colon_after_lines(&mut self, leaf: Leaf) -> Result<bool> {
        // yaml.v2 has a complete document here and never meets the error behind it. A tab
        // before the `:` is one of the blanks that end the scalar.
        if self.go && self.top.phase == Phase::Root {
            self.push_value(leaf)?;
            return self.error(MISPLACED_VALUE, self.at, self.at + 1);
        }
        self.misplaced(MISPLACED_VALUE)
    }

    fn block_quoted(&mut self) -> Result<bool> {
        let line = self.line_start;
        let leaf = self.quoted()?;
        self.key_or_value(leaf, line)
    }

    fn block_alias(&mut self) -> Result<bool> {
        let leaf = self.alias()?;
        self.key_or_value(leaf, self.line_start)
    }

    /// Pushes a leaf that began on the line at `line` and ends at the cursor.
    fn key_or_value(&mut self, leaf: Leaf, line: usize) -> Result<bool> {
        if self.colon_follows(line)? {
            self.block_key(leaf)?;
            return self.after_indicator(false);
        }
        self.push_value(leaf)?;
        self.end_line()
    }

    /// Goes behind a node. Returns true if a `:` follows, which makes it a key.
    #[inline]
    fn colon_follows(&mut self, line: usize) -> Result<bool> {
        self.skip_blanks();
        let follows = self.byte(self.at) == b':' && self.is_blank_or_end(self.at + 1);
        if follows && self.line_start != line {
            self.misplaced(MISPLACED_VALUE)
        } else {
            Ok(follows)
        }
    }

    /// Pushes a key and takes the `:` at the cursor.
    #[inline]
    fn block_key(&mut self, leaf: Leaf) -> Result<()> {
        let start = self.outer_of(leaf.start());
        self.begin_entry(start)?;
        self.check_key(start)?;
        self.push_key(leaf)?;
        self.top.phase = Phase::Value;
        self.take_indicator();
        Ok(())
    }

    /// Checks that the key from `start` to the cursor has at most 1,024 characters.
    #[inline(always)]
    fn check_key(&self, start: usize) -> Result<()> {
        if self.at - start > MAX_KEY { self.check_long_key(start) } else { Ok(()) }
    }

    #[cold]
    fn check_long_key(&self, start: usize) -> Result<()> {
        let bytes = &self.text[start..self.at];
        let characters = bytes.iter().filter(|&&byte| !(0x80..0xC0).contains(&byte));
        // A character has at most four bytes, so that a long key need not be counted.
        if self.at - start > 4 * MAX_KEY || characters.count() > MAX_KEY {
            self.error("could not find expected ':'", start, self.at)
        } else {
            Ok(())
        }
    }

    fn block_flow(&mut self) -> Result<bool> {
        let (start, line) = (self.outer_of(self.at), self.line_start);
        let first = self.nodes.len() as Index;
        if !self.top.phase.takes_node() && self.top.phase != Phase::NextKey {
            return self.unexpected(self.at, self.at + 1);
        }
        self.flow()?;
        if self.colon_follows(line)? {
            if self.go && self.top.phase == Phase::Root && self.hides_key(first, start) {
                return self.colon_after_root(first);
            }
            self.check_key(start)?;
            self.flow_key(first, start)?;
            return self.after_indicator(false);
        }
        let Some(filled) = self.top.phase.after_node() else {
            return self.unexpected(start, self.last_end);
        };
        self.join_outer(first)?;
        self.top.phase = filled;
        self.end_line()
    }

    /// Returns true if yaml.v2 does not see that the flow collection `first` may begin a key:
    /// at the closing bracket it drops the note that the opening one may, unless an entry may
    /// begin a key itself. That is an entry without `?` that does not begin with its `:`.
    #[cold]
    fn hides_key(&self, first: Index, start: usize) -> bool {
        let nodes = &self.nodes;
        let collection = &nodes[first as usize];
        if !self.block_allowed || collection.start as usize != start {
            return false;
        }
        let next = |at: Index| nodes.get(at as usize).map_or(at, |node| at + node.len);
        let mut at = first + 1;
        while let Some(entry) = nodes.get(at as usize) {
            let key = if entry.style == Style::FlowPair { at + 1 } else { at };
            let node = &nodes[key as usize];
            let is_written = node.style != Style::Empty || node.flags & flag::PROPS != 0;
            if is_written && nodes.indicator(key).is_none() {
                return false;
            }
            let is_mapping = collection.style == Style::FlowMapping;
            at = if is_mapping { next(next(at)) } else { next(at) };
        }
        true
    }

    /// Refuses `:` behind a collection that is a complete document of yaml.v2.
    #[cold]
    fn colon_after_root(&mut self, first: Index) -> Result<bool> {
        self.join_outer(first)?;
        self.top.phase = Phase::Rooted;
        self.error("did not find expected <document start>", self.at, self.at + 1)
    }

    /// Makes the flow collection `first` a key.
    fn flow_key(&mut self, first: Index, start: usize) -> Result<()> {
        match self.top.phase.after_node() {
            Some(filled) if self.block_allowed => {
                let column = (start - self.line_start) as i64;
                self.top.phase = filled;
                self.wrap(first, Style::BlockMapping, column)?;
            }
            _ => self.begin_entry(start)?,
        }
        self.top.phase = Phase::Value;
        self.take_indicator();
        Ok(())
    }
}

/// Flow context: from a bracket to the one that closes it.
impl Parser<'_> {
    fn flow(&mut self) -> Result<()> {
        // Properties above belong to the collection or its mapping, not to an item.
        let outer = std::mem::replace(&mut self.props_above, Props::NONE);
        self.above_flow = (outer.anchor, self.nodes.len() as Index);
        let result = self.flow_tokens();
        self.above_flow = ((0, 0), NONE);
        self.props_above = outer;
        result
    }

    fn flow_tokens(&mut self) -> Result<()> {
        let depth = self.frames.len();
        self.open_flow()?;
        while self.frames.len() > depth {
            self.flow_space()?;
            self.flow_token()?;
        }
        Ok(())
    }

    fn open_flow(&mut self) -> Result<()> {
        let (style, phase) = match self.byte(self.at) {
            b'[' => (Style::FlowSequence, Phase::FlowItem),
            _ => (Style::FlowMapping, Phase::FlowKey),
        };
        let flags = self.push_line_props();
        self.open(style, self.at, self.top.column, phase, flags)?;
        self.take_flow_indicator();
        Ok(())
    }

    #[inline(always)]
    fn take_flow_indicator(&mut self) {
        self.at += 1;
        self.after_prefix = self.at;
        self.json_like = false;
    }

    /// Goes to the next token, over comments and line breaks.
    #[inline]
    fn flow_space(&mut self) -> Result<()> {
        self.skip_blanks();
        let byte = self.byte(self.at);
        if byte > b'#' && byte < 0x80 {
            return Ok(());
        }
        if byte == b'#' && self.strict && !self.after_blank(self.at) {
            return self.error_at("found character that cannot start any token", self.at);
        }
        if byte == b'#' || self.line_break(self.at) > 0 {
            self.next_line();
            return self.check_flow_line();
        }
        Ok(())
    }

    /// Checks a line inside brackets: no marker and, in strict mode, deep enough.
    fn check_flow_line(&self) -> Result<()> {
        if self.is_any_marker() {
            return self.error(
                "found unexpected document indicator",
                self.at,
                self.at + 3,
            );
        }
        if self.at < self.text.len() { self.check_indent() } else { Ok(()) }
    }

    fn flow_token(&mut self) -> Result<()> {
        match self.byte(self.at) {
            b'[' | b'{' => {
                self.flow_slot()?;
                self.open_flow()
            }
            b']' | b'}' => self.close_flow(),
            b',' => self.comma(),
            b':' if self.value_indicator(self.json_like) => self.colon(),
            b'?' if self.go || self.is_blank_or_end(self.at + 1) => self.question(),
            b'?' if !self.strict && self.is_flow_indicator(self.at + 1) => {
                self.question()
            }
            b'"' | b'\'' => {
                let line = self.line_start;
                let leaf = self.quoted()?;
                self.flow_leaf(leaf, self.line_start == line, true)
            }
            b'&' | b'!' if self.top.phase.takes_node() => self.property(),
            b'&' | b'!' => self.unexpected(self.at, self.at + 1),
            b'*' => {
                let leaf = self.alias()?;
                self.flow_leaf(leaf, true, false)
            }
            b'-' if self.is_blank_or_end(self.at + 1) => {
                let message = "block sequence entries are not allowed in this context";
                self.error_at(message, self.at)
            }
            b'-' | b'?' if self.strict && self.is_flow_indicator(self.at + 1) => {
                self.error_at("found character that cannot start any token", self.at)
            }
            b'|' | b'>' | b'%' | b'@' | b'`' | b'#' => {
                self.error_at("found character that cannot start any token", self.at)
            }
            0 => self.unexpected(self.at, self.at),
            _ => self.flow_plain(),
        }
    }

    /// Returns true if the `:` at the cursor ends a key. `json`: behind a JSON-like node.
    #[inline(always)]
    fn value_indicator(&self, json: bool) -> bool {
        self.is_blank_or_end(self.at + 1)
            || self.go
            || self.is_flow_indicator(self.at + 1)
            || json
                && matches!(
                    self.top.phase,
                    Phase::AfterFlowKey | Phase::AfterPairKey | Phase::FlowItem
                )
    }

    /// Counts the node that begins here as a child of the innermost collection.
    #[inline(always)]
    fn flow_slot(&mut self) -> Result<()> {
        match self.top.phase.after_node() {
            Some(phase) => {
                self.top.phase = phase;
                Ok(())
            }
            None => self.unexpected(self.at, self.at),
        }
    }

    /// Pushes a leaf or, if `:` follows, a pair with it. `json`: it is quoted.
    #[inline]
    fn flow_leaf(&mut self, mut leaf: Leaf, one_line: bool, json: bool) -> Result<()> {
        match self.top.phase {
            Phase::FlowItem => {
                let one_line = one_line && self.outer_of(leaf.start()) >= self.line_start;
                self.skip_blanks();
                if one_line && self.byte(self.at) == b':' && self.value_indicator(json) {
                    return self.pair(leaf);
                }
            }
            Phase::FlowKey | Phase::FlowExplicitKey => {
                leaf.flags |= self.merge_flag(leaf);
            }
            _ => {}
        }
        self.json_like = json;
        self.push_value(leaf)
    }

    /// Opens a pair with its key; `:` is at the cursor.
    fn pair(&mut self, key: Leaf) -> Result<()> {
        let start = self.outer_of(key.start());
        self.check_key(start)?;
        self.open_pair(start)?;
        self.push_key(key)?;
        self.flow_value(Phase::PairValue);
        Ok(())
    }

    fn open_pair(&mut self, start: usize) -> Result<()> {
        // `[:,:,…]` has three nodes for two bytes: the text does not bound them.
        if self.nodes.len() >= (NONE - 4) as usize {
            return self.error("too many nodes", start, start);
        }
        self.top.phase = Phase::NextFlowItem;
        self.open(Style::FlowPair, start, self.top.column, Phase::PairKey, 0)
    }

    /// Takes the `:` at the cursor.
    #[inline(always)]
    fn flow_value(&mut self, phase: Phase) {
        self.top.phase = phase;
        self.json_like = false;
        self.take_indicator();
    }

    /// Reads a `:` that does not follow an item of `[]` on its line.
    fn colon(&mut self) -> Result<()> {
        if self.ends_empty_key() {
            return self.skip_behind_question();
        }
        match self.top.phase {
            Phase::FlowKey | Phase::FlowExplicitKey | Phase::PairKey => {
                self.push_empty()?;
            }
            Phase::AfterFlowKey | Phase::AfterPairKey => {}
            Phase::FlowItem => {
                let key = self.empty_key();
                // The anchor or tag of a key stands on the line of its `:`.
                if self.outer_of(key.start()) < self.line_start {
                    self.push_empty()?;
                    return self.unexpected(self.at, self.at);
                }
                return self.pair(key);
            }
            _ => return self.unexpected(self.at, self.at),
        }
        self.flow_value(match self.top.phase {
            Phase::AfterFlowKey => Phase::FlowValue,
            _ => Phase::PairValue,
        });
        Ok(())
    }

    fn question(&mut self) -> Result<()> {
        match self.top.phase {
            Phase::FlowKey if self.line_props.start == NONE => {
                self.top.phase = Phase::FlowExplicitKey;
            }
            Phase::FlowItem if self.line_props.start == NONE => {
                self.open_pair(self.at)?;
            }
            _ => return self.unexpected(self.at, self.at),
        }
        self.take_indicator();
        Ok(())
    }

    fn comma(&mut self) -> Result<()> {
        if self.ends_empty_key() {
            return self.skip_behind_question();
        }
        self.finish_entry()?;
        self.top.phase = match self.top.phase {
            Phase::NextFlowItem => Phase::FlowItem,
            Phase::NextFlowKey => Phase::FlowKey,
            _ => return self.unexpected(self.at, self.at),
        };
        self.take_flow_indicator();
        Ok(())
    }

    /// Returns true if the token at the cursor stands behind a `?` in `[]`: yaml.v2 takes it
    /// for the one after an empty key, whatever it is.
    fn ends_empty_key(&self) -> bool {
        let is_bare = self.line_props.start == NONE;
        self.go && self.top.phase == Phase::PairKey && is_bare
    }

    #[cold]
    fn skip_behind_question(&mut self) -> Result<()> {
        self.push_empty()?;
        self.take_flow_indicator();
        Ok(())
    }

    /// Pushes the empty nodes of the entry that ends here.
    #[inline]
    fn finish_entry(&mut self) -> Result<()> {
        if self.top.phase.is_pair() {
            self.close()?;
        }
        match self.top.phase {
            Phase::FlowItem | Phase::FlowKey if self.line_props.start == NONE => {
                return Ok(());
            }
            phase if phase.takes_node() => self.push_empty()?,
            _ => {}
        }
        self.push_empty_value();
        Ok(())
    }

    fn close_flow(&mut self) -> Result<()> {
        if self.byte(self.at) == b']' && self.ends_empty_key() {
            // What yaml.v2 reads behind a bracket that it loses is neither flow nor block.
            let message = "`]` behind `?`, which yaml.v2 loses";
            return self.error(message, self.at, self.at + 1);
        }
        self.finish_entry()?;
        let phase = match (self.byte(self.at), self.top.phase) {
            (b']', Phase::FlowItem | Phase::NextFlowItem) => Phase::NextFlowItem,
            (b'}', Phase::FlowKey | Phase::NextFlowKey) => Phase::NextFlowKey,
            _ => return self.unexpected(self.at, self.at),
        };
        self.take_flow_indicator();
        self.top.phase = phase;
        self.last_end = self.at;
        let first = self.top.node;
        self.close()?;
        self.json_like = true;
        self.pair_of_collection(first)
    }

    /// Makes the collection that was closed the key of a pair, as in `[[a]: b]`.
    fn pair_of_collection(&mut self, first: Index) -> Result<()> {
        if self.top.phase != Phase::NextFlowItem {
            return Ok(());
        }
        self.skip_blanks();
        if self.byte(self.at) != b':' {
            return Ok(());
        }
        let start = self.start_of(first) as usize;
        if start < self.line_start {
            return self.unexpected(self.at, self.at);
        }
        self.check_key(start)?;
        self.wrap(first, Style::FlowPair, self.top.column)?;
        self.flow_value(Phase::PairValue);
        Ok(())
    }

    /// Reads a plain scalar with its continuation lines.
    fn flow_plain(&mut self) -> Result<()> {
        let start = self.at;
        let classes = if self.go { FLOW | QUESTION } else { FLOW };
        let stop = self.plain_line(start, classes);
        let mut end = self.trim(start, stop);
        let mut flags = 0;
        self.at = stop;
        while self.line_break(self.at) > 0 {
            let comment = self.next_line();
            self.check_flow_line()?;
            if comment || self.ends_flow_plain() {
                break;
            }
            flags = flag::MULTILINE | flag::COOKED;
            let from = self.at;
            self.at = self.plain_line(from, classes);
            end = self.trim(from, self.at);
        }
        let one_line = flags == 0 && end >= self.line_start;
        self.flow_leaf(Leaf::new(Style::Plain, flags, start, end), one_line, false)
    }

    /// Returns true if a plain scalar does not continue on the line at the cursor.
    fn ends_flow_plain(&self) -> bool {
        match self.byte(self.at) {
            b':' => {
                self.is_blank_or_end(self.at + 1)
                    || !self.go && self.is_flow_indicator(self.at + 1)
            }
            b'?' => self.go,
            _ => self.at >= self.text.len() || self.is_flow_indicator(self.at),
        }
    }
}

/// Properties before a node, `&anchor !tag`, and aliases.
impl<'a> Parser<'a> {
    fn name(&self, (start, end): Range) -> &'a [u8] {
        &self.text[start as usize..end as usize]
    }

    /// Reads a property in block context. Returns true if the line has another token.
    fn block_property(&mut self) -> Result<bool> {
        let start = self.at;
        self.property()?;
        let end = self.at;
        self.skip_blanks();
        if !self.line_is_done() {
            return Ok(true);
        }
        if !self.top.phase.takes_node() {
            return self.error("could not find expected ':'", start, end);
        }
        self.props_above = self.join_props()?;
        Ok(false)
    }

    fn property(&mut self) -> Result<()> {
        let start = self.at;
        let end = match self.byte(start) {
            b'&' => self.anchor_end(start + 1)?,
            _ => self.tag_end(start)?,
        };
        let (first, range) = match self.byte(start) {
            b'&' => (&mut self.line_props.anchor, (start as u32 + 1, end as u32)),
            _ => (&mut self.line_props.tag, (start as u32, end as u32)),
        };
        if first.0 < first.1 {
            return self.error("did not find expected node content", start, end);
        }
        *first = range;
        if self.byte(start) == b'!' {
            self.check_tag(range)?;
        }
        self.at = end;
        self.line_props.start = self.line_props.start.min(start as u32);
        self.after_prefix = self.at;
        let in_flow = self.top.phase.is_flow() && self.is_flow_indicator(self.at);
        if self.is_blank_or_end(self.at) || in_flow || self.go {
            Ok(())
        } else {
            self.error_at("did not find expected whitespace or line break", self.at)
        }
    }

    /// Returns the end of the anchor name that begins at `start`.
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
        self.is_blank_or_end(at) || self.is_flow_indicator(at)
    }

    /// Returns the end of the tag that begins at `start`.
    fn tag_end(&self, start: usize) -> Result<usize> {
        let verbatim = self.byte(start + 1) == b'<';
        let mut at = start + 1;
        while at < self.text.len() && !self.is_blank_or_end(at) {
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
        if handle.len() > 2 && !self.tag_handles.contains_key(handle) {
            return self.error("found undefined tag handle", start, end);
        }
        let suffix = &tag[handle.len()..];
        if suffix.is_empty() || self.strict && suffix.contains(&b'!') {
            self.error("did not find expected tag URI", start, end)
        } else {
            Ok(())
        }
    }

    /// Returns true if the tag resolves to `!!merge`.
    fn is_merge_tag(&self, tag: Range) -> bool {
        let tag = self.name(tag);
        if let Some(verbatim) = tag.strip_prefix(b"!<") {
            return verbatim.strip_suffix(b">") == Some(MERGE_TAG.as_bytes());
        }
        let Some(handle) = handle(tag) else { return false };
        let prefix = self.tag_handles.get(handle).copied();
        let prefix = prefix.unwrap_or(YAML_TAG_PREFIX.as_bytes());
        let suffix = &tag[handle.len()..];
        [prefix, suffix].concat() == MERGE_TAG.as_bytes()
    }

    /// Reads the alias at the cursor and looks its node up.
    fn alias(&mut self) -> Result<Leaf> {
        let start = self.at;
        let mut end = self.anchor_end(start + 1)?;
        let mut target = self.anchored(&self.text[start + 1..end]);
        if target.is_none() && !self.strict && self.text[..end].ends_with(b":") {
            // `*a: b` is a key to most readers; in YAML 1.2 the name is `a:`.
            end -= 1;
            target = self.anchored(&self.text[start + 1..end]);
        }
        let name = String::from_utf8_lossy(&self.text[start + 1..end]);
        let Some(target) = target else {
            return self.error(
                &format!("unknown anchor '{name}' referenced"),
                start,
                end,
            );
        };
        if target == NONE || self.nodes[target as usize].len == 0 {
            let message = format!("anchor '{name}' value contains itself");
            return self.error(&message, start, end);
        }
        self.at = end;
        self.alias_target = target;
        Ok(Leaf::new(Style::Alias, flag::HAS_ALIAS, start, end))
    }

    /// Returns the node that an anchor stands for at this point, or NONE if the node around
    /// the cursor is still to be registered.
    fn anchored(&self, name: &[u8]) -> Option<Index> {
        let target = self.anchors.get(name).copied();
        let (above, flow) = self.above_flow;
        let hides = |anchor, first| {
            self.name(anchor) == name && target.is_none_or(|target| target < first)
        };
        let is_open = hides(self.props_above.anchor, NONE) || hides(above, flow);
        if is_open { Some(NONE) } else { target }
    }

    /// Returns the start of a node whose content is at `start`, properties included.
    #[inline(always)]
    fn outer_of(&self, start: usize) -> usize {
        match self.line_props.start {
            NONE => start,
            properties => properties as usize,
        }
    }

    /// Takes the properties of the next node: those on its line and those above.
    fn join_props(&mut self) -> Result<Props> {
        let (outer, inner) = (self.props_above, self.line_props);
        let anchor = self.join_range(outer.anchor, inner.anchor)?;
        let tag = self.join_range(outer.tag, inner.tag)?;
        self.line_props = Props::NONE;
        self.props_above = Props::NONE;
        Ok(Props { node: NONE, start: outer.start.min(inner.start), anchor, tag })
    }

    fn join_range(&self, outer: Range, inner: Range) -> Result<Range> {
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

    /// Adds the properties on the lines above to the complete node `i`.
    fn join_outer(&mut self, i: Index) -> Result<()> {
        if self.props_above.start == NONE {
            return Ok(());
        }
        let place = self.props.partition_point(|props| props.node < i);
        let own = self.props.get(place).copied().filter(|props| props.node == i);
        self.line_props = own.unwrap_or(Props::NONE);
        let props = Props { node: i, ..self.join_props()? };
        match own {
            Some(_) => self.props[place] = props,
            None => self.props.insert(place, props),
        }
        let flags = self.register_anchor(props);
        self.nodes[i as usize].flags |= flags;
        self.top.flags |= flags & flag::HAS_ANCHOR;
        Ok(())
    }

    /// Records the properties on the line of the next node. Returns its flags.
    #[inline(always)]
    fn push_line_props(&mut self) -> u8 {
        match self.line_props.start {
            NONE => 0,
            _ => {
                let props = std::mem::replace(&mut self.line_props, Props::NONE);
                self.push_props(props)
            }
        }
    }

    /// Records the properties on the lines above the next node. Returns its flags.
    #[inline(always)]
    fn push_props_above(&mut self) -> u8 {
        match self.props_above.start {
            NONE => 0,
            _ => {
                let props = std::mem::replace(&mut self.props_above, Props::NONE);
                self.push_props(props)
            }
        }
    }

    /// Records the properties of the node that is pushed next. Returns its flags.
    #[inline(never)]
    fn push_props(&mut self, props: Props) -> u8 {
        self.register_props(Props { node: self.nodes.len() as Index, ..props })
    }

    /// Appends properties in the order of nodes. Returns the flags of the node.
    fn register_props(&mut self, props: Props) -> u8 {
        self.props.push(props);
        self.register_anchor(props)
    }

    fn register_anchor(&mut self, props: Props) -> u8 {
        if props.anchor.0 == props.anchor.1 {
            return flag::PROPS;
        }
        let name = self.name(props.anchor);
        let node = self.anchors.entry(name).or_insert(props.node);
        *node = props.node.max(*node);
        flag::PROPS | flag::HAS_ANCHOR
    }
}

/// Returns `!name!` at the beginning of a tag.
fn handle(tag: &[u8]) -> Option<&[u8]> {
    let end = tag.iter().skip(1).position(|&byte| byte == b'!')?;
    let word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    tag[1..=end].iter().all(word).then(|| &tag[..end + 2])
}

fn is_uri(tag: &[u8], verbatim: bool) -> bool {
    let plain = |(i, &byte): (usize, &u8)| match byte {
        b'%' => {
            tag.get(i + 1..i + 3).is_some_and(|x| x.iter().all(u8::is_ascii_hexdigit))
        }
        b',' | b'[' | b']' => verbatim,
        _ => byte.is_ascii_alphanumeric() || b"-#;/?:@&=+$_.!~*'()".contains(&byte),
    };
    tag.iter().enumerate().all(plain)
}

/// Quoted scalars.
impl Parser<'_> {
    fn quoted(&mut self) -> Result<Leaf> {
        let open = self.at;
        let (style, class) = match self.byte(open) {
            b'"' => (Style::Double, DOUBLE),
            _ => (Style::Single, SINGLE),
        };
        let classes = class | self.wide_class;
        let mut flags = 0;
        self.at += 1;
        loop {
            self.at = self.find(self.at, classes);
            match self.byte(self.at) {
                b'\'' if self.byte(self.at + 1) == b'\'' => {
                    flags |= flag::COOKED;
                    self.at += 2;
                }
                b'"' | b'\'' => {
                    self.at += 1;
                    return Ok(Leaf::new(style, flags, open, self.at));
                }
                b'\\' => {
                    flags |= flag::COOKED;
                    if self.is_line_end(self.at + 1) {
                        self.at += 1;
                        flags |= flag::MULTILINE;
                        self.quoted_line(open)?;
                    } else {
                        self.escape()?;
                    }
                }
                _ if self.is_line_end(self.at) => {
                    flags |= flag::COOKED | flag::MULTILINE;
                    self.quoted_line(open)?;
                }
                _ => self.at += 1,
            }
        }
    }

    /// Goes from the end of a line to the content of the next line that has any.
    fn quoted_line(&mut self, open: usize) -> Result<()> {
        loop {
            let length = self.line_break(self.at);
            if length == 0 {
                break;
            }
            self.at += length;
            self.indent();
        }
        if self.at >= self.text.len() {
            return self.error("found unexpected end of stream", open, open + 1);
        }
        if self.is_any_marker() {
            return self.error(
                "found unexpected document indicator",
                self.at,
                self.at + 3,
            );
        }
        self.check_indent()
    }

    /// Checks in strict mode that a line is deeper than the block around it.
    fn check_indent(&self) -> Result<()> {
        if self.strict && self.column as i64 <= self.top.column {
            self.error_at("found a line that is not indented deeper", self.at)
        } else {
            Ok(())
        }
    }

    /// Skips an escape: `\n`, `\x41`.
    fn escape(&mut self) -> Result<()> {
        let digits = match self.byte(self.at + 1) {
            b'x' => 2,
            b'u' => 4,
            b'U' => 8,
            b'0' | b'a' | b'b' | b't' | b'\t' | b'n' | b'v' | b'f' | b'r' | b'e'
            | b' ' | b'"' | b'/' | b'\\' | b'N' | b'_' | b'L' | b'P' => 0,
            b'\'' if self.go => 0,
            _ => {
                return self.error(
                    "found unknown escape character",
                    self.at,
                    self.at + 2,
                );
            }
        };
        let start = self.at;
        self.at += 2 + digits;
        if digits == 0 {
            return Ok(());
        }
        let Some(code) = self.hex(start + 2, digits) else {
            let end = self.at.min(self.text.len());
            // The spelling is libyaml's.
            return self.error("did not find expected hexdecimal number", start, end);
        };
        // JSON writes characters beyond U+FFFF as a pair of surrogates.
        let low = self.byte(self.at) == b'\\' && self.byte(self.at + 1) == b'u';
        if (0xD800..0xDC00).contains(&code) && low && digits == 4 {
            let second = self.hex(self.at + 2, 4);
            if second.is_some_and(|second| (0xDC00..0xE000).contains(&second)) {
                self.at += 6;
                return Ok(());
            }
        }
        match char::from_u32(code) {
            Some(_) => Ok(()),
            None => {
                let message = "found invalid Unicode character escape code";
                self.error(message, start, self.at)
            }
        }
    }

    fn hex(&self, start: usize, digits: usize) -> Option<u32> {
        let digits = self.text.get(start..start + digits)?;
        let digit = |code, &byte: &u8| Some(code << 4 | (byte as char).to_digit(16)?);
        digits.iter().try_fold(0u32, digit)
    }
}

/// Plain scalars on one line, and block scalars.
impl Parser<'_> {
    /// Returns the offset at which plain text that begins at `from` stops: at `: `, ` #`,
    /// the end of the line or, with class FLOW, a flow indicator.
    #[inline(always)]
    fn plain_line(&self, from: usize, classes: u8) -> usize {
        let mut at = from;
        loop {
            at = self.find(at, classes | self.wide_class);
            match self.byte(at) {
                b':' if self.is_blank_or_end(at + 1) => return at,
                b':' if classes & FLOW != 0
                    && !self.go
                    && self.is_flow_indicator(at + 1) =>
                {
                    return at;
                }
                b'#' if at > from && matches!(self.byte(at - 1), b' ' | b'\t') => {
                    return at;
                }
                b':' | b'#' => {}
                0xC2 | 0xE2 if self.line_break(at) == 0 => {}
                _ => return at,
            }
            at += 1;
        }
    }

    /// Returns the end of `start..stop` without the blanks before it.
    #[inline(always)]
    fn trim(&self, start: usize, mut stop: usize) -> usize {
        while stop > start && matches!(self.byte(stop - 1), b' ' | b'\t') {
            stop -= 1;
        }
        stop
    }

    /// Reads `|` or `>`, its header and its lines.
    fn block_scalar(&mut self) -> Result<bool> {
        let start = self.at;
        if !self.top.phase.takes_node() {
            return self.unexpected(start, start + 1);
        }
        let style = if self.byte(start) == b'|' { Style::Literal } else { Style::Folded };
        let (indent, keep) = self.header()?;
        let indent = match indent {
            0 => self.block_indent()?,
            _ => self.top.column.max(0) as usize + indent,
        };
        let end = self.content(indent, keep);
        let leaf = Leaf::new(style, flag::MULTILINE | flag::COOKED, start, end);
        self.push_value(Leaf { column: indent as u32, ..leaf })?;
        self.after_content()
    }

    /// Goes to the line behind a block scalar.
    fn after_content(&mut self) -> Result<bool> {
        self.indent();
        // In YAML 1.2 a line of tabs may follow a block scalar only at the end of a
        // document.
        let tab = self.tab.then_some(self.at - 1);
        if !self.is_line_end(self.at) && self.byte(self.at) != b'#' {
            return Ok(false);
        }
        self.next_line();
        match tab {
            Some(tab)
                if self.strict && self.at < self.text.len() && !self.document_ends() =>
            {
                let message =
                    "found a tab character where an indentation space is expected";
                self.error_at(message, tab)
            }
            _ => Ok(false),
        }
    }

    /// Reads the header. Returns its indentation indicator or 0, and true for `+`.
    fn header(&mut self) -> Result<(usize, bool)> {
        let start = self.at;
        let (mut indent, mut chomp) = (0, 0);
        self.at += 1;
        loop {
            match self.byte(self.at) {
                byte @ b'1'..=b'9' if indent == 0 => indent = usize::from(byte - b'0'),
                byte @ (b'+' | b'-') if chomp == 0 => chomp = byte,
                b'0' => {
                    let message = "found an indentation indicator equal to 0";
                    return self.error(message, start, self.at + 1);
                }
                _ => break,
            }
            self.at += 1;
        }
        self.skip_blanks();
        let comment =
            self.byte(self.at) == b'#' && (!self.strict || self.after_blank(self.at));
        if comment {
            self.at = self.end_of_line(self.at);
        }
        if !self.is_line_end(self.at) {
            return self.error_at("did not find expected comment or line break", self.at);
        }
        self.at += self.line_break(self.at);
        Ok((indent, chomp == b'+'))
    }

    /// Returns the indentation of a block scalar from its first line with content.
    fn block_indent(&self) -> Result<usize> {
        let least = (self.top.column + 1) as usize;
        let (mut line, mut widest) = (self.at, 0);
        let (text, width) = loop {
            let text = self.spaces_end(line, usize::MAX);
            let length = self.line_break(text);
            if length == 0 {
                break (text, text - line);
            }
            widest = widest.max(text - line);
            line = text + length;
        };
        let ended = text >= self.text.len();
        let shallow = width < least;
        let indent = if ended || self.go {
            widest.max(width).max(least)
        } else if shallow && self.byte(text) == b'\t' && !self.is_empty_line(text) {
            let message = "found a tab character where an indentation space is expected";
            return self.error_at(message, text);
        } else if shallow {
            widest.max(least)
        } else if widest > width {
            let message = "found a line with less spaces than an empty line before it";
            return self.error(message, line, text);
        } else {
            width
        };
        // libyaml takes no block scalar at column 0, not even for a root.
        Ok(if self.yaml11 { indent.max(1) } else { indent })
    }

    fn is_empty_line(&self, mut at: usize) -> bool {
        while matches!(self.byte(at), b' ' | b'\t') {
            at += 1;
        }
        self.is_line_end(at)
    }

    /// Returns the end of at most `most` spaces at `at`.
    #[inline(always)]
    fn spaces_end(&self, at: usize, most: usize) -> usize {
        let rest = self.text.get(at..).unwrap_or_default();
        at + rest.iter().take(most).take_while(|&&byte| byte == b' ').count()
    }

    /// Skips the lines of a block scalar. Returns the end of its content.
    fn content(&mut self, indent: usize, keep: bool) -> usize {
        let mut end = self.at;
        loop {
            let text = self.spaces_end(self.at, indent);
            let length = self.line_break(text);
            if length > 0 {
                self.at = text + length;
                if keep {
                    end = self.at;
                }
                continue;
            }
            if text >= self.text.len() {
                self.at = text;
                // Blanks without a line break are a line in YAML 1.2 only.
                return if keep && !self.yaml11 { text } else { end };
            }
            self.line_start = self.at;
            if text - self.at < indent || indent == 0 && self.document_ends() {
                return end;
            }
            let stop = self.end_of_line(text);
            self.at = stop + self.line_break(stop);
            end = self.at;
        }
    }
}

/// The tree: leaves are pushed, collections opened and closed.
impl Parser<'_> {
    /// Pushes a leaf as the node that the innermost collection takes.
    #[inline]
    fn push_value(&mut self, mut leaf: Leaf) -> Result<()> {
        let Some(phase) = self.top.phase.after_node() else {
            return self.unexpected(leaf.start(), leaf.end());
        };
        let is_key = match self.top.phase {
            Phase::Key | Phase::PairKey => true,
            // Those with a text have their flag already.
            Phase::FlowKey | Phase::FlowExplicitKey => leaf.style == Style::Empty,
            _ => false,
        };
        if is_key {
            leaf.flags |= self.merge_flag(leaf);
            if self.props_above.start != NONE && self.is_merge_tag(self.props_above.tag) {
                leaf.flags |= flag::MERGE_KEY;
            }
        }
        if self.props_above.start & self.line_props.start != NONE {
            if leaf.style == Style::Alias {
                return self.property_of_alias(leaf);
            }
            let props = self.join_props()?;
            leaf.flags |= self.push_props(props);
        }
        self.top.phase = phase;
        let indicator = std::mem::replace(&mut self.indicator, NONE);
        self.push_leaf(leaf, indicator);
        Ok(())
    }

    /// Pushes a key, which has no indicator of its own.
    #[inline]
    fn push_key(&mut self, mut leaf: Leaf) -> Result<()> {
        leaf.flags |= self.merge_flag(leaf);
        if self.line_props.start != NONE {
            if leaf.style == Style::Alias {
                return self.property_of_alias(leaf);
            }
            leaf.flags |= self.push_line_props();
        }
        self.push_leaf(leaf, NONE);
        Ok(())
    }

    /// Returns MERGE_KEY for a merge key, else 0.
    #[inline(always)]
    fn merge_flag(&self, key: Leaf) -> u8 {
        let arrows =
            || key.style == Style::Plain && self.text[key.start()..key.end()] == *b"<<";
        let merges = match self.line_props.tag {
            // The length decides for nearly every key without a look at the text.
            (0, 0) => key.end - key.start == 2 && arrows(),
            tag => self.is_merge_tag(tag),
        };
        if merges { flag::MERGE_KEY } else { 0 }
    }

    #[cold]
    fn property_of_alias<T>(&self, alias: Leaf) -> Result<T> {
        let message = "did not find expected node content";
        self.error(message, alias.start(), alias.end())
    }

    #[inline(always)]
    fn push_leaf(&mut self, leaf: Leaf, indicator: u32) {
        let Leaf { style, flags, start, end, column } = leaf;
        self.top.flags |= flags & (flag::HAS_ALIAS | flag::HAS_ANCHOR);
        if flags & flag::HAS_ALIAS != 0 {
            self.aliases.push((self.nodes.len() as Index, self.alias_target));
        }
        self.nodes.push((style, flags), (start, end), indicator, column);
        self.last_end = end as usize;
    }

    /// Opens a collection; its length and end are known when it is closed.
    fn open(
        &mut self,
        style: Style,
        start: usize,
        column: i64,
        phase: Phase,
        flags: u8,
    ) -> Result<()> {
        if self.frames.len() >= self.max_depth {
            let message = format!("exceeded max depth of {}", self.max_depth);
            let raise = "`--limit depth=N` raises the limit";
            return self.error(&message, start, start + 1).map_err(|e| e.hint(raise));
        }
        let node = self.nodes.len() as Index;
        let indicator = std::mem::replace(&mut self.indicator, NONE);
        // The collection is not complete, so that `last_end` stays.
        let last = self.last_end;
        let leaf = Leaf::new(style, flags, start, start);
        let column_of_entries = if style.is_block_collection() { column } else { 0 };
        self.push_leaf(Leaf { column: column_of_entries as u32, ..leaf }, indicator);
        self.last_end = last;
        // Marks the node as open: an alias to it would contain itself.
        self.nodes[node as usize].len = 0;
        let frame = OpenCollection { node, column, phase, flags: 0 };
        self.frames.push(std::mem::replace(&mut self.top, frame));
        Ok(())
    }

    /// Opens a block collection as the node that the innermost collection takes.
    fn open_block(&mut self, style: Style, start: usize, phase: Phase) -> Result<()> {
        let flags = self.push_props_above();
        let column = (start - self.line_start) as i64;
        if let Some(filled) = self.top.phase.after_node() {
            self.top.phase = filled;
        }
        self.open(style, start, column, phase, flags)
    }

    /// Closes the innermost collection, with an empty node for what was left out.
    fn close(&mut self) -> Result<()> {
        if self.top.phase.takes_node() {
            self.push_empty()?;
        }
        self.push_empty_value();
        let Some(outer) = self.frames.pop() else { return Ok(()) };
        let closed = std::mem::replace(&mut self.top, outer);
        let len = self.nodes.len() as u32 - closed.node;
        let node = &mut self.nodes[closed.node as usize];
        node.len = len;
        node.end = self.last_end as u32;
        node.flags |= closed.flags;
        self.top.flags |= closed.flags;
        Ok(())
    }

    /// Pushes an empty node as the node that the innermost collection takes.
    fn push_empty(&mut self) -> Result<()> {
        let at = match (self.top.phase, self.props_above.start & self.line_props.start) {
            (Phase::Root, NONE) if self.after_prefix == NONE as usize => self.at,
            (Phase::FlowKey | Phase::FlowItem, NONE) => self.at,
            _ => self.after_prefix,
        };
        self.push_value(Leaf::new(Style::Empty, 0, at, at))
    }

    /// Pushes an empty value for a key that has no `:`.
    fn push_empty_value(&mut self) {
        self.top.phase = match self.top.phase {
            Phase::AfterKey => Phase::NextKey,
            Phase::AfterFlowKey => Phase::NextFlowKey,
            Phase::AfterPairKey => Phase::AfterPair,
            _ => return,
        };
        self.push_leaf(Leaf::new(Style::Empty, 0, self.last_end, self.last_end), NONE);
    }

    /// Puts a new collection around the complete node `first` and all behind it.
    fn wrap(&mut self, first: Index, style: Style, column: i64) -> Result<()> {
        let start = self.start_of(first);
        // Few nodes move: a key has at most 1,024 characters.
        let mut moved = self.nodes.split_off(first);
        let props = self.props.partition_point(|props| props.node < first);
        let moved_props = self.props.split_off(props);
        self.indicator = moved.take_first_indicator();
        let flags = self.push_props_above();
        self.open(style, start as usize, column, Phase::AfterKey, flags)?;
        let flags = moved.iter().fold(0, |flags, node| flags | node.flags);
        self.top.flags |= flags & (flag::HAS_ALIAS | flag::HAS_ANCHOR);
        self.nodes.append(moved);
        for mut props in moved_props {
            props.node += 1;
            self.register_props(props);
        }
        for (alias, target) in
            self.aliases.iter_mut().rev().take_while(|(i, _)| *i >= first)
        {
            *alias += 1;
            *target += u32::from(*target >= first);
        }
        Ok(())
    }

    /// Returns the start of node `i`, properties included.
    fn start_of(&self, i: Index) -> u32 {
        let props = self.props.partition_point(|props| props.node < i);
        match self.props.get(props) {
            Some(props) if props.node == i => props.start,
            _ => self.nodes[i as usize].start,
        }
    }

    /// Returns an error for a token that the innermost collection does not take.
    #[cold]
    fn unexpected<T>(&self, start: usize, end: usize) -> Result<T> {
        let message = match self.top.phase {
            Phase::NextItem => "did not find expected '-' indicator",
            Phase::NextKey if self.is_column(start) => "could not find expected ':'",
            Phase::AfterKey | Phase::NextKey => "did not find expected key",
            Phase::Rooted => "did not find expected <document start>",
            Phase::NextFlowItem | Phase::AfterPairKey | Phase::AfterPair => {
                "did not find expected ',' or ']'"
            }
            Phase::AfterFlowKey | Phase::NextFlowKey => {
                "did not find expected ',' or '}'"
            }
            Phase::Root
            | Phase::Item
            | Phase::Key
            | Phase::Value
            | Phase::FlowItem
            | Phase::FlowKey
            | Phase::FlowExplicitKey
            | Phase::FlowValue
            | Phase::PairKey
            | Phase::PairValue => "did not find expected node content",
        };
        if start == end {
            self.error_at(message, start)
        } else {
            self.error(message, start, end)
        }
    }

    /// Returns true if `at` is in the column of the innermost collection's entries.
    fn is_column(&self, at: usize) -> bool {
        let line = self.text[..at].iter().rposition(|byte| matches!(byte, b'\n' | b'\r'));
        at - line.map_or(0, |end| end + 1) == self.top.column.max(0) as usize
    }
}

/// The cursor: bytes, blanks, line breaks, and the next line.
impl Parser<'_> {
    /// Returns the byte at `at`, or 0 after the end.
    #[inline(always)]
    fn byte(&self, at: usize) -> u8 {
        match self.text.get(at) {
            Some(&byte) => byte,
            None => 0,
        }
    }

    /// Returns the offset of the first byte of `classes` from `from` on, or of the end.
    #[inline(always)]
    fn find(&self, from: usize, classes: u8) -> usize {
        let rest = self.text.get(from..).unwrap_or_default();
        let stops = |&byte: &u8| CLASS[byte as usize] & classes != 0;
        from + rest.iter().position(stops).unwrap_or(rest.len())
    }

    /// Returns the offset of the end of the line that `from` stands on.
    #[inline]
    fn end_of_line(&self, from: usize) -> usize {
        if self.yaml11 {
            return self.end_of_wide_line(from);
        }
        let rest = self.text.get(from..).unwrap_or_default();
        from + memchr2(b'\n', b'\r', rest).unwrap_or(rest.len())
    }

    fn end_of_wide_line(&self, from: usize) -> usize {
        let mut at = self.find(from, BREAK | WIDE);
        while at < self.text.len() && self.line_break(at) == 0 {
            at = self.find(at + 1, BREAK | WIDE);
        }
        at
    }

    /// Returns the length of the line break at `at`, or 0.
    #[inline(always)]
    fn line_break(&self, at: usize) -> usize {
        match self.byte(at) {
            b'\n' => 1,
            b'\r' => 1 + usize::from(self.byte(at + 1) == b'\n'),
            0xC2 | 0xE2 if self.yaml11 => wide_break(&self.text[at..]),
            _ => 0,
        }
    }

    #[inline(always)]
    fn is_line_end(&self, at: usize) -> bool {
        at >= self.text.len() || self.line_break(at) > 0
    }

    /// Returns true if a blank or the end of the line is at `at`.
    #[inline(always)]
    fn is_blank_or_end(&self, at: usize) -> bool {
        matches!(self.byte(at), b' ' | b'\t') || self.is_line_end(at)
    }

    #[inline(always)]
    fn is_flow_indicator(&self, at: usize) -> bool {
        matches!(self.byte(at), b',' | b'[' | b']' | b'{' | b'}')
    }

    /// Returns true if the byte before `at` is a blank or belongs to another line.
    fn after_blank(&self, at: usize) -> bool {
        at == self.line_start || matches!(self.byte(at - 1), b' ' | b'\t')
    }

    #[inline(always)]
    fn skip_blanks(&mut self) {
        let mut at = self.at;
        while matches!(self.byte(at), b' ' | b'\t') {
            at += 1;
        }
        self.at = at;
    }

    /// Skips spaces. Returns true if a tab follows.
    #[inline(always)]
    fn skip_spaces(&mut self) -> bool {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let spaces = rest.iter().take_while(|&&byte| byte == b' ').count();
        self.at += spaces;
        rest.get(spaces) == Some(&b'\t')
    }

    /// Returns true if `---` (`of` is `-`) or `...` stands at the beginning of this line.
    fn is_marker(&self, of: u8) -> bool {
        self.at == self.line_start
            && self.byte(self.at) == of
            && self.byte(self.at + 1) == of
            && self.byte(self.at + 2) == of
            && self.is_blank_or_end(self.at + 3)
    }

    #[inline(always)]
    fn is_any_marker(&self) -> bool {
        self.at == self.line_start && (self.is_marker(b'-') || self.is_marker(b'.'))
    }

    /// Returns true if this line no longer belongs to the document.
    #[inline(always)]
    fn document_ends(&self) -> bool {
        self.is_any_marker() || self.is_byte_order_mark() && !self.go
    }

    /// Returns true if a byte order mark stands at the beginning of this line.
    #[inline(always)]
    fn is_byte_order_mark(&self) -> bool {
        self.byte(self.at) == BOM[0]
            && self.at == self.line_start
            && self.text[self.at..].starts_with(BOM)
    }

    /// Goes to the next line with content. Returns true if it skipped a comment.
    #[inline]
    fn next_line(&mut self) -> bool {
        let mut comment = false;
        loop {
            if self.byte(self.at) == b'#' {
                comment = true;
                self.at = self.end_of_line(self.at);
            }
            let length = self.line_break(self.at);
            if length == 0 {
                return comment;
            }
            self.at += length;
            self.indent();
        }
    }

    /// Skips the blanks at the beginning of a line.
    #[inline(always)]
    fn indent(&mut self) {
        self.indent_from(self.at);
    }

    /// Skips blanks on the line whose first column is at `line_start`.
    #[inline(always)]
    fn indent_from(&mut self, line_start: usize) {
        self.line_start = line_start;
        self.tab = self.skip_spaces();
        self.column = self.at - self.line_start;
        if self.tab {
            self.skip_blanks();
        }
    }
}

/// Ends or may end a plain scalar on its line.
const PLAIN: u8 = 1;
/// Ends or may end a plain scalar inside brackets.
const FLOW: u8 = 2;
/// Matters inside `"`.
const DOUBLE: u8 = 4;
/// Matters inside `'`.
const SINGLE: u8 = 8;
/// May begin a line break that only YAML 1.1 has.
const WIDE: u8 = 16;
const BREAK: u8 = 32;
/// Ends a plain scalar inside brackets for yaml.v2.
const QUESTION: u8 = 64;

const BOM: &[u8] = b"\xEF\xBB\xBF";

static CLASS: [u8; 256] = classes();

const fn classes() -> [u8; 256] {
    let mut class = [0; 256];
    class[b'\n' as usize] = PLAIN | FLOW | DOUBLE | SINGLE | BREAK;
    class[b'\r' as usize] = PLAIN | FLOW | DOUBLE | SINGLE | BREAK;
    class[b':' as usize] = PLAIN | FLOW;
    class[b'#' as usize] = PLAIN | FLOW;
    class[b',' as usize] = FLOW;
    class[b'[' as usize] = FLOW;
    class[b']' as usize] = FLOW;
    class[b'{' as usize] = FLOW;
    class[b'}' as usize] = FLOW;
    class[b'?' as usize] = QUESTION;
    class[b'"' as usize] = DOUBLE;
    class[b'\\' as usize] = DOUBLE;
    class[b'\'' as usize] = SINGLE;
    class[0xC2] = WIDE;
    class[0xE2] = WIDE;
    class
}

/// Returns the length of the wide line break at the beginning of `text`, or 0.
fn wide_break(text: &[u8]) -> usize {
    match text {
        [0xC2, 0x85, ..] => 2,
        [0xE2, 0x80, 0xA8 | 0xA9, ..] => 3,
        _ => 0,
    }
}

fn is_control(byte: u8) -> bool {
    byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r')
}
