//! What an open collection takes next.

/// What an open collection takes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// The root of the document
    Root,
    /// The document has its root
    Rooted,
    /// `-` was read: the item
    Item,
    /// The next `-`
    NextItem,
    /// `?` was read: the key
    Key,
    /// The key of `?` was read: `:`
    AfterKey,
    /// `:` was read: the value
    Value,
    /// The next key
    NextKey,
    /// `[` or `,` was read: an item
    FlowItem,
    /// An item was read: `,` or `]`
    NextFlowItem,
    /// `{` or `,` was read: a key
    FlowKey,
    /// `?` was read inside `{}`: the key
    FlowExplicitKey,
    /// A key was read inside `{}`
    AfterFlowKey,
    /// `:` was read inside `{}`: the value
    FlowValue,
    /// A value was read: `,` or `}`
    NextFlowKey,
    /// `?` was read inside `[]`: the key
    PairKey,
    /// The key of `?` was read inside `[]`
    AfterPairKey,
    /// `:` was read inside `[]`: the value
    PairValue,
    /// The pair inside `[]` is complete
    AfterPair,
}

impl State {
    /// The state after a node, if this one takes a node.
    #[inline(always)]
    pub(super) fn filled(self) -> Option<State> {
        Some(match self {
            State::Root => State::Rooted,
            State::Item => State::NextItem,
            State::Key => State::AfterKey,
            State::Value => State::NextKey,
            State::FlowItem => State::NextFlowItem,
            State::FlowKey | State::FlowExplicitKey => State::AfterFlowKey,
            State::FlowValue => State::NextFlowKey,
            State::PairKey => State::AfterPairKey,
            State::PairValue => State::AfterPair,
            State::Rooted
            | State::NextItem
            | State::AfterKey
            | State::NextKey
            | State::NextFlowItem
            | State::AfterFlowKey
            | State::NextFlowKey
            | State::AfterPairKey
            | State::AfterPair => return None,
        })
    }

    /// Whether a node is expected or allowed.
    pub(super) fn takes_node(self) -> bool {
        self.filled().is_some()
    }

    /// Whether it is that of a collection in brackets.
    pub(super) fn is_flow(self) -> bool {
        match self {
            State::Root
            | State::Rooted
            | State::Item
            | State::NextItem
            | State::Key
            | State::AfterKey
            | State::Value
            | State::NextKey => false,
            State::FlowItem
            | State::NextFlowItem
            | State::FlowKey
            | State::FlowExplicitKey
            | State::AfterFlowKey
            | State::FlowValue
            | State::NextFlowKey
            | State::PairKey
            | State::AfterPairKey
            | State::PairValue
            | State::AfterPair => true,
        }
    }

    /// Whether it is that of a pair inside `[]`.
    pub(super) fn is_pair(self) -> bool {
        matches!(
            self,
            State::PairKey | State::AfterPairKey | State::PairValue | State::AfterPair
        )
    }
}
