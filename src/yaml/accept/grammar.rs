//! The grammar: tokens become the events of one document, with an explicit stack.

use hashbrown::HashSet;

use super::reader::{self, BadCharacter};
use super::refusal::{Accepted, Refusal};
use super::scanner::{ScannedToken, Scanner, TokenKind};
use crate::source::Encoding;
use crate::yaml::bytes::BytesError;

/// Accepts a text that was stored in `encoding` and passes each event to `observer`.
/// Returns the offset of the end of the first document.
///
/// # Errors
/// The refusal by yaml.v2.
pub fn observe(
    text: &str,
    encoding: Encoding,
    observer: impl FnMut(GrammarEvent),
) -> std::result::Result<usize, Refusal> {
    document(text, reader::control_character(text, encoding), observer)
        .map_err(|refusal| *refusal)
}

/// Returns the verdict of yaml.v2 on bytes that are no text. It reads them in chunks, so
/// that an error before the bad byte comes first.
///
/// # Errors
/// The refusal by yaml.v2.
pub fn refuse(bytes: &BytesError) -> std::result::Result<usize, Refusal> {
    document(&bytes.before, Some(reader::undecodable(bytes)), |_| {})
        .map_err(|refusal| *refusal)
}

/// Reads one document. Returns the offset of its end.
fn document(
    text: &str,
    bad: Option<BadCharacter>,
    observer: impl FnMut(GrammarEvent),
) -> Accepted<usize> {
    let tokens = Scanner::new(text, bad);
    let (anchors, handles) = Default::default();
    Grammar { tokens, stack: Vec::new(), anchors, handles, observer }.document()
}

/// An event: what the grammar recognized.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GrammarEvent {
    /// A sequence begins at this offset.
    SequenceStart(u32),
    /// The innermost sequence ends.
    SequenceEnd,
    /// A mapping begins at this offset.
    MappingStart(u32),
    /// The innermost mapping ends.
    MappingEnd,
    /// A scalar with its quotes or block header; the range is empty if it is left out.
    Scalar(u32, u32),
    /// `*name`
    Alias(u32, u32),
}

struct Grammar<'a, F> {
    tokens: Scanner<'a>,
    stack: Vec<Phase>,
    anchors: HashSet<&'a str>,
    /// The handles declared by `%TAG`.
    handles: HashSet<&'a str>,
    observer: F,
}

#[derive(Clone, Copy, Debug)]
enum Phase {
    BlockItem,
    /// An item of a sequence in the column of its mapping.
    SameColumnItem,
    BlockKey,
    BlockValue,
    FlowItem {
        first: bool,
    },
    /// The key of a single pair in a flow sequence.
    PairKey,
    PairValue,
    PairEnd,
    FlowKey {
        first: bool,
    },
    FlowValue,
    /// Nothing, after a key of a flow mapping without `:`.
    NoValue,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NodeContext {
    Block,
    /// The value of a block mapping; a sequence may stand in the mapping's column.
    Entry,
    Flow,
}

/// Tokens behind an empty key or value of a block mapping.
const ENTRY_ENDS: [TokenKind; 3] =
    [TokenKind::Key, TokenKind::Value, TokenKind::BlockEnd];

impl<'a, F: FnMut(GrammarEvent)> Grammar<'a, F> {
    fn document(mut self) -> Accepted<usize> {
        self.start()?;
        while let Some(phase) = self.stack.pop() {
            self.step(phase)?;
        }
        let token = self.tokens.peek()?;
        let end =
            if token.kind == TokenKind::DocumentEnd { token.end } else { token.start };
        // A key that was found too late begins before what was taken for its document.
        Ok(end.max(self.tokens.end()) as usize)
    }

    fn start(&mut self) -> Accepted<()> {
        let mut token = self.tokens.peek()?;
        let explicit = match token.kind {
            TokenKind::StreamEnd => return Ok(()),
            kind => matches!(
                kind,
                TokenKind::Version(_) | TokenKind::Handle | TokenKind::DocumentStart
            ),
        };
        if !explicit {
            return self.node(NodeContext::Block);
        }
        token = self.directives(token)?;
        if token.kind != TokenKind::DocumentStart {
            return Err(token.refusal("did not find expected <document start>"));
        }
        token = self.tokens.advance()?;
        match token.kind {
            TokenKind::Version(_)
            | TokenKind::Handle
            | TokenKind::DocumentStart
            | TokenKind::DocumentEnd
            | TokenKind::StreamEnd => self.empty(token.start),
            _ => self.node(NodeContext::Block),
        }
    }

    /// Takes the directives. Returns the token after them.
    fn directives(&mut self, mut token: ScannedToken) -> Accepted<ScannedToken> {
        let mut versions = 0;
        loop {
            match token.kind {
                TokenKind::Version(known) => {
                    versions += 1;
                    if versions > 1 {
                        return Err(token.refusal("found duplicate %YAML directive"));
                    }
                    if !known {
                        return Err(token.refusal("found incompatible YAML document"));
                    }
                }
                TokenKind::Handle => {
                    if !self.handles.insert(self.tokens.text(&token)) {
                        return Err(token.refusal("found duplicate %TAG directive"));
                    }
                }
                _ => return Ok(token),
            }
            token = self.tokens.advance()?;
        }
    }

    fn step(&mut self, phase: Phase) -> Accepted<()> {
        match phase {
            Phase::BlockItem => self.block_item(),
            Phase::SameColumnItem => self.same_column_item(),
            Phase::BlockKey => self.block_key(),
            Phase::BlockValue => self.block_value(),
            Phase::FlowItem { first } => self.flow_item(first),
            Phase::PairKey => self.pair_key(),
            Phase::PairValue => {
                self.flow_value(Phase::PairEnd, TokenKind::FlowSequenceEnd)
            }
            Phase::PairEnd => self.pair_end(),
            Phase::FlowKey { first } => self.flow_key(first),
            Phase::FlowValue => self
                .flow_value(Phase::FlowKey { first: false }, TokenKind::FlowMappingEnd),
            Phase::NoValue => {
                self.stack.push(Phase::FlowKey { first: false });
                let token = self.tokens.peek()?;
                self.empty(token.start)
            }
        }
    }

    /// Reads a node with its properties; a collection is left on the stack.
    fn node(&mut self, place: NodeContext) -> Accepted<()> {
        let first = self.tokens.peek()?;
        if first.kind == TokenKind::Alias {
            return self.alias(&first);
        }
        let token = self.properties(first)?;
        let bare = token.start == first.start;
        let sequence = GrammarEvent::SequenceStart(token.start);
        let mapping = GrammarEvent::MappingStart(token.start);
        match (token.kind, place) {
            (TokenKind::Item, NodeContext::Entry) => {
                self.stack.push(Phase::SameColumnItem);
                (self.observer)(sequence);
            }
            (TokenKind::Scalar, _) => {
                self.tokens.take();
                (self.observer)(GrammarEvent::Scalar(token.start, token.end));
            }
            (TokenKind::FlowSequence, _) => {
                self.open(Phase::FlowItem { first: true }, sequence);
            }
            (TokenKind::FlowMapping, _) => {
                self.open(Phase::FlowKey { first: true }, mapping);
            }
            (TokenKind::BlockSequence, NodeContext::Block | NodeContext::Entry) => {
                self.open(Phase::BlockItem, sequence);
            }
            (TokenKind::BlockMapping, NodeContext::Block | NodeContext::Entry) => {
                self.open(Phase::BlockKey, mapping);
            }
            _ if bare => {
                return Err(token.refusal("did not find expected node content"));
            }
            _ => return self.empty(token.start),
        }
        Ok(())
    }

    fn open(&mut self, phase: Phase, event: GrammarEvent) {
        self.tokens.take();
        self.stack.push(phase);
        (self.observer)(event);
    }

    fn alias(&mut self, token: &ScannedToken) -> Accepted<()> {
        let name = self.name(token);
        if !self.anchors.contains(name) {
            let message = format!("unknown anchor '{name}' referenced");
            return Err(Box::new(Refusal::new(message, token.start as usize)));
        }
        self.tokens.take();
        (self.observer)(GrammarEvent::Alias(token.start, token.end));
        Ok(())
    }

    /// Takes a tag and an anchor in either order. Returns the token after them.
    fn properties(&mut self, mut token: ScannedToken) -> Accepted<ScannedToken> {
        let mut anchor = None;
        let mut tag = None;
        loop {
            match token.kind {
                TokenKind::Anchor if anchor.is_none() => anchor = Some(token),
                TokenKind::Tag if tag.is_none() => tag = Some(token),
                _ => break,
            }
            token = self.tokens.advance()?;
        }
        if let Some(tag) = tag
            && !matches!(self.tokens.text(&tag), "" | "!" | "!!")
            && !self.handles.contains(self.tokens.text(&tag))
        {
            return Err(tag.refusal("found undefined tag handle"));
        }
        if let Some(anchor) = anchor {
            self.anchors.insert(self.name(&anchor));
        }
        Ok(token)
    }

    fn empty(&mut self, offset: u32) -> Accepted<()> {
        (self.observer)(GrammarEvent::Scalar(offset, offset));
        Ok(())
    }

    /// Reads a node before `phase`, or an empty one if the next token is one of `ends`.
    fn node_unless(
        &mut self,
        ends: &[TokenKind],
        phase: Phase,
        place: NodeContext,
    ) -> Accepted<()> {
        let token = self.tokens.peek()?;
        self.stack.push(phase);
        if ends.contains(&token.kind) {
            self.empty(token.start)
        } else {
            self.node(place)
        }
    }

    fn end(&mut self, event: GrammarEvent) -> Accepted<()> {
        self.tokens.take();
        (self.observer)(event);
        Ok(())
    }

    fn block_item(&mut self) -> Accepted<()> {
        let token = self.tokens.peek()?;
        match token.kind {
            TokenKind::Item => {
                self.tokens.take();
                let ends = [TokenKind::Item, TokenKind::BlockEnd];
                self.node_unless(&ends, Phase::BlockItem, NodeContext::Block)
            }
            TokenKind::BlockEnd => self.end(GrammarEvent::SequenceEnd),
            _ => Err(token.refusal("did not find expected '-' indicator")),
        }
    }

    fn same_column_item(&mut self) -> Accepted<()> {
        if self.tokens.peek()?.kind != TokenKind::Item {
            (self.observer)(GrammarEvent::SequenceEnd);
            return Ok(());
        }
        self.tokens.take();
        let ends =
            [TokenKind::Item, TokenKind::Key, TokenKind::Value, TokenKind::BlockEnd];
        self.node_unless(&ends, Phase::SameColumnItem, NodeContext::Block)
    }

    fn block_key(&mut self) -> Accepted<()> {
        let token = self.tokens.peek()?;
        match token.kind {
            TokenKind::Key => {
                self.tokens.take();
                self.node_unless(&ENTRY_ENDS, Phase::BlockValue, NodeContext::Entry)
            }
            TokenKind::BlockEnd => self.end(GrammarEvent::MappingEnd),
            _ => Err(token.refusal("did not find expected key")),
        }
    }

    fn block_value(&mut self) -> Accepted<()> {
        let token = self.tokens.peek()?;
        if token.kind != TokenKind::Value {
            self.stack.push(Phase::BlockKey);
            return self.empty(token.start);
        }
        self.tokens.take();
        self.node_unless(&ENTRY_ENDS, Phase::BlockKey, NodeContext::Entry)
    }

    fn flow_item(&mut self, first: bool) -> Accepted<()> {
        let refused = "did not find expected ',' or ']'";
        let token = self.flow_entry(first, TokenKind::FlowSequenceEnd, refused)?;
        match token.kind {
            TokenKind::FlowSequenceEnd => self.end(GrammarEvent::SequenceEnd),
            TokenKind::Key => {
                self.tokens.take();
                self.stack.push(Phase::FlowItem { first: false });
                self.stack.push(Phase::PairKey);
                (self.observer)(GrammarEvent::MappingStart(token.start));
                Ok(())
            }
            _ => {
                self.stack.push(Phase::FlowItem { first: false });
                self.node(NodeContext::Flow)
            }
        }
    }

    fn flow_key(&mut self, first: bool) -> Accepted<()> {
        let refused = "did not find expected ',' or '}'";
        match self.flow_entry(first, TokenKind::FlowMappingEnd, refused)?.kind {
            TokenKind::FlowMappingEnd => self.end(GrammarEvent::MappingEnd),
            TokenKind::Key => {
                self.tokens.take();
                let ends =
                    [TokenKind::Value, TokenKind::Comma, TokenKind::FlowMappingEnd];
                self.node_unless(&ends, Phase::FlowValue, NodeContext::Flow)
            }
            _ => {
                self.stack.push(Phase::NoValue);
                self.node(NodeContext::Flow)
            }
        }
    }

    /// Takes the comma between entries. Returns the token after it.
    fn flow_entry(
        &mut self,
        first: bool,
        end: TokenKind,
        refused: &str,
    ) -> Accepted<ScannedToken> {
        let token = self.tokens.peek()?;
        match token.kind {
            kind if first || kind == end => Ok(token),
            TokenKind::Comma => self.tokens.advance(),
            _ => Err(token.refusal(refused)),
        }
    }

    fn flow_value(&mut self, then: Phase, end: TokenKind) -> Accepted<()> {
        let token = self.tokens.peek()?;
        if token.kind != TokenKind::Value {
            self.stack.push(then);
            return self.empty(token.start);
        }
        self.tokens.take();
        self.node_unless(&[TokenKind::Comma, end], then, NodeContext::Flow)
    }

    fn pair_key(&mut self) -> Accepted<()> {
        let token = self.tokens.peek()?;
        self.stack.push(Phase::PairValue);
        match token.kind {
            // yaml.v2 loses the token behind the key, even the closing bracket.
            TokenKind::Value | TokenKind::Comma | TokenKind::FlowSequenceEnd => {
                self.tokens.take();
                self.empty(token.start)
            }
            _ => self.node(NodeContext::Flow),
        }
    }

    fn pair_end(&mut self) -> Accepted<()> {
        self.tokens.peek()?;
        (self.observer)(GrammarEvent::MappingEnd);
        Ok(())
    }

    fn name(&self, token: &ScannedToken) -> &'a str {
        self.tokens.text(token).get(1..).unwrap_or_default()
    }
}
