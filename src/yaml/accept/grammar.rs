//! Tokens to a verdict: the grammar of one document, with an explicit stack.

use std::collections::HashSet;

use super::cursor::Cursor;
use super::scan::Scanner;
use super::token::{Kind, Token};
use super::{Event, Refusal, Result};

/// What an open collection expects next.
#[derive(Clone, Copy, Debug)]
enum State {
    BlockItem,
    /// An item of a sequence that stands in the column of its mapping.
    SameColumnItem,
    BlockKey,
    BlockValue,
    FlowItem {
        first: bool,
    },
    /// In the mapping of one pair in a flow sequence.
    PairKey,
    PairValue,
    PairEnd,
    FlowKey {
        first: bool,
    },
    FlowValue,
    /// After a key of a flow mapping without `:`.
    NoValue,
}

/// Where a node stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Block,
    /// Where a sequence may stand in the column of its mapping.
    Entry,
    Flow,
}

/// Reads one document: where it ends.
pub(super) fn document(at: Cursor<'_>, seen: impl FnMut(Event)) -> Result<usize> {
    let tokens = Scanner::new(at);
    let (anchors, handles) = Default::default();
    Grammar { tokens, stack: Vec::new(), anchors, handles, seen }.document()
}

struct Grammar<'a, F> {
    tokens: Scanner<'a>,
    stack: Vec<State>,
    /// The anchors so far.
    anchors: HashSet<&'a str>,
    /// The handles that `%TAG` has declared.
    handles: HashSet<&'a str>,
    seen: F,
}

impl<'a, F: FnMut(Event)> Grammar<'a, F> {
    fn document(mut self) -> Result<usize> {
        self.start()?;
        while let Some(state) = self.stack.pop() {
            self.step(state)?;
        }
        let token = self.tokens.peek()?;
        let end = if token.kind == Kind::DocumentEnd { token.end } else { token.start };
        // A key that was found too late begins before what was taken for its document.
        Ok(end.max(self.tokens.end) as usize)
    }

    fn start(&mut self) -> Result<()> {
        let mut token = self.tokens.peek()?;
        let explicit = match token.kind {
            Kind::StreamEnd => return Ok(()),
            kind => matches!(kind, Kind::Version(_) | Kind::Handle | Kind::DocumentStart),
        };
        if !explicit {
            return self.node(Place::Block);
        }
        token = self.directives(token)?;
        if token.kind != Kind::DocumentStart {
            return Err(token.refusal("did not find expected <document start>"));
        }
        token = self.tokens.advance()?;
        match token.kind {
            Kind::Version(_)
            | Kind::Handle
            | Kind::DocumentStart
            | Kind::DocumentEnd
            | Kind::StreamEnd => self.empty(token.start),
            _ => self.node(Place::Block),
        }
    }

    /// Takes the directives and answers the token after them.
    fn directives(&mut self, mut token: Token) -> Result<Token> {
        let mut versions = 0;
        loop {
            match token.kind {
                Kind::Version(known) => {
                    versions += 1;
                    if versions > 1 {
                        return Err(token.refusal("found duplicate %YAML directive"));
                    }
                    if !known {
                        return Err(token.refusal("found incompatible YAML document"));
                    }
                }
                Kind::Handle => {
                    if !self.handles.insert(self.text(&token)) {
                        return Err(token.refusal("found duplicate %TAG directive"));
                    }
                }
                _ => return Ok(token),
            }
            token = self.tokens.advance()?;
        }
    }

    fn step(&mut self, state: State) -> Result<()> {
        match state {
            State::BlockItem => self.block_item(),
            State::SameColumnItem => self.same_column_item(),
            State::BlockKey => self.block_key(),
            State::BlockValue => self.block_value(),
            State::FlowItem { first } => self.flow_item(first),
            State::PairKey => self.pair_key(),
            State::PairValue => self.flow_value(State::PairEnd, Kind::FlowSequenceEnd),
            State::PairEnd => self.pair_end(),
            State::FlowKey { first } => self.flow_key(first),
            State::FlowValue => {
                self.flow_value(State::FlowKey { first: false }, Kind::FlowMappingEnd)
            }
            State::NoValue => {
                self.stack.push(State::FlowKey { first: false });
                let token = self.tokens.peek()?;
                self.empty(token.start)
            }
        }
    }

    /// A node with its properties; a collection is left on the stack.
    fn node(&mut self, place: Place) -> Result<()> {
        let first = self.tokens.peek()?;
        if first.kind == Kind::Alias {
            return self.alias(&first);
        }
        let token = self.properties(first)?;
        let bare = token.start == first.start;
        let sequence = Event::SequenceStart(token.start);
        let mapping = Event::MappingStart(token.start);
        match (token.kind, place) {
            (Kind::Item, Place::Entry) => {
                self.stack.push(State::SameColumnItem);
                (self.seen)(sequence);
            }
            (Kind::Scalar, _) => {
                self.tokens.take();
                (self.seen)(Event::Scalar(token.start, token.end));
            }
            (Kind::FlowSequence, _) => {
                self.open(State::FlowItem { first: true }, sequence);
            }
            (Kind::FlowMapping, _) => self.open(State::FlowKey { first: true }, mapping),
            (Kind::BlockSequence, Place::Block | Place::Entry) => {
                self.open(State::BlockItem, sequence);
            }
            (Kind::BlockMapping, Place::Block | Place::Entry) => {
                self.open(State::BlockKey, mapping);
            }
            _ if bare => {
                return Err(token.refusal("did not find expected node content"));
            }
            _ => return self.empty(token.start),
        }
        Ok(())
    }

    fn open(&mut self, state: State, event: Event) {
        self.tokens.take();
        self.stack.push(state);
        (self.seen)(event);
    }

    fn alias(&mut self, token: &Token) -> Result<()> {
        let name = self.name(token);
        if !self.anchors.contains(name) {
            let message = format!("unknown anchor '{name}' referenced");
            return Err(Box::new(Refusal::new(message, token.range().start)));
        }
        self.tokens.take();
        (self.seen)(Event::Alias(token.start, token.end));
        Ok(())
    }

    /// Takes a tag and an anchor in either order and answers the token after them.
    fn properties(&mut self, mut token: Token) -> Result<Token> {
        let (mut anchor, mut tag) = (None, None);
        loop {
            match token.kind {
                Kind::Anchor if anchor.is_none() => anchor = Some(token),
                Kind::Tag if tag.is_none() => tag = Some(token),
                _ => break,
            }
            token = self.tokens.advance()?;
        }
        if let Some(tag) = tag
            && !matches!(self.text(&tag), "" | "!" | "!!")
            && !self.handles.contains(self.text(&tag))
        {
            return Err(tag.refusal("found undefined tag handle"));
        }
        if let Some(anchor) = anchor {
            self.anchors.insert(self.name(&anchor));
        }
        Ok(token)
    }

    fn empty(&mut self, offset: u32) -> Result<()> {
        (self.seen)(Event::Scalar(offset, offset));
        Ok(())
    }

    /// A node, and then `state`; or nothing, if one of `ends` comes.
    fn node_unless(&mut self, ends: &[Kind], state: State, place: Place) -> Result<()> {
        let token = self.tokens.peek()?;
        self.stack.push(state);
        if ends.contains(&token.kind) {
            self.empty(token.start)
        } else {
            self.node(place)
        }
    }

    fn end(&mut self, event: Event) -> Result<()> {
        self.tokens.take();
        (self.seen)(event);
        Ok(())
    }

    fn block_item(&mut self) -> Result<()> {
        let token = self.tokens.peek()?;
        match token.kind {
            Kind::Item => {
                self.tokens.take();
                let ends = [Kind::Item, Kind::BlockEnd];
                self.node_unless(&ends, State::BlockItem, Place::Block)
            }
            Kind::BlockEnd => self.end(Event::SequenceEnd),
            _ => Err(token.refusal("did not find expected '-' indicator")),
        }
    }

    fn same_column_item(&mut self) -> Result<()> {
        if self.tokens.peek()?.kind != Kind::Item {
            (self.seen)(Event::SequenceEnd);
            return Ok(());
        }
        self.tokens.take();
        let ends = [Kind::Item, Kind::Key, Kind::Value, Kind::BlockEnd];
        self.node_unless(&ends, State::SameColumnItem, Place::Block)
    }

    fn block_key(&mut self) -> Result<()> {
        let token = self.tokens.peek()?;
        match token.kind {
            Kind::Key => {
                self.tokens.take();
                self.node_unless(&ENTRY_ENDS, State::BlockValue, Place::Entry)
            }
            Kind::BlockEnd => self.end(Event::MappingEnd),
            _ => Err(token.refusal("did not find expected key")),
        }
    }

    fn block_value(&mut self) -> Result<()> {
        let token = self.tokens.peek()?;
        if token.kind != Kind::Value {
            self.stack.push(State::BlockKey);
            return self.empty(token.start);
        }
        self.tokens.take();
        self.node_unless(&ENTRY_ENDS, State::BlockKey, Place::Entry)
    }

    fn flow_item(&mut self, first: bool) -> Result<()> {
        let refused = "did not find expected ',' or ']'";
        let token = self.flow_entry(first, Kind::FlowSequenceEnd, refused)?;
        match token.kind {
            Kind::FlowSequenceEnd => self.end(Event::SequenceEnd),
            Kind::Key => {
                self.tokens.take();
                self.stack.push(State::FlowItem { first: false });
                self.stack.push(State::PairKey);
                (self.seen)(Event::MappingStart(token.start));
                Ok(())
            }
            _ => {
                self.stack.push(State::FlowItem { first: false });
                self.node(Place::Flow)
            }
        }
    }

    fn flow_key(&mut self, first: bool) -> Result<()> {
        let refused = "did not find expected ',' or '}'";
        let token = self.flow_entry(first, Kind::FlowMappingEnd, refused)?;
        match token.kind {
            Kind::FlowMappingEnd => self.end(Event::MappingEnd),
            Kind::Key => {
                self.tokens.take();
                let ends = [Kind::Value, Kind::Comma, Kind::FlowMappingEnd];
                self.node_unless(&ends, State::FlowValue, Place::Flow)
            }
            _ => {
                self.stack.push(State::NoValue);
                self.node(Place::Flow)
            }
        }
    }

    /// Takes the comma between entries and answers the token after it.
    fn flow_entry(&mut self, first: bool, end: Kind, refused: &str) -> Result<Token> {
        let token = self.tokens.peek()?;
        match token.kind {
            kind if first || kind == end => Ok(token),
            Kind::Comma => self.tokens.advance(),
            _ => Err(token.refusal(refused)),
        }
    }

    fn flow_value(&mut self, then: State, end: Kind) -> Result<()> {
        let token = self.tokens.peek()?;
        if token.kind != Kind::Value {
            self.stack.push(then);
            return self.empty(token.start);
        }
        self.tokens.take();
        self.node_unless(&[Kind::Comma, end], then, Place::Flow)
    }

    fn pair_key(&mut self) -> Result<()> {
        let token = self.tokens.peek()?;
        self.stack.push(State::PairValue);
        match token.kind {
            // Whatever ends the key is lost, even the bracket of the sequence.
            Kind::Value | Kind::Comma | Kind::FlowSequenceEnd => {
                self.tokens.take();
                self.empty(token.start)
            }
            _ => self.node(Place::Flow),
        }
    }

    fn pair_end(&mut self) -> Result<()> {
        self.tokens.peek()?;
        (self.seen)(Event::MappingEnd);
        Ok(())
    }

    fn text(&self, token: &Token) -> &'a str {
        self.tokens.at.text.get(token.range()).unwrap_or_default()
    }

    /// The name of an anchor or alias.
    fn name(&self, token: &Token) -> &'a str {
        self.text(token).get(1..).unwrap_or_default()
    }
}

/// What ends an empty key or value of a block mapping.
const ENTRY_ENDS: [Kind; 3] = [Kind::Key, Kind::Value, Kind::BlockEnd];
