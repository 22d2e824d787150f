//! The tokens that an open collection takes.

/// The token that an open collection takes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expected {
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

impl Expected {
    /// Returns the phase after a node, or `None` if no node is taken.
    #[inline(always)]
    pub(super) fn after_node(self) -> Option<Expected> {
        Some(match self {
            Expected::Root => Expected::Rooted,
            Expected::Item => Expected::NextItem,
            Expected::Key => Expected::AfterKey,
            Expected::Value => Expected::NextKey,
            Expected::FlowItem => Expected::NextFlowItem,
            Expected::FlowKey | Expected::FlowExplicitKey => Expected::AfterFlowKey,
            Expected::FlowValue => Expected::NextFlowKey,
            Expected::PairKey => Expected::AfterPairKey,
            Expected::PairValue => Expected::AfterPair,
            _ => return None,
        })
    }

    pub(super) fn takes_node(self) -> bool {
        self.after_node().is_some()
    }

    pub(super) fn is_flow(self) -> bool {
        !matches!(
            self,
            Expected::Root
                | Expected::Rooted
                | Expected::Item
                | Expected::NextItem
                | Expected::Key
                | Expected::AfterKey
                | Expected::Value
                | Expected::NextKey
        )
    }

    /// Returns true inside a pair of a flow sequence.
    pub(super) fn is_pair(self) -> bool {
        matches!(
            self,
            Expected::PairKey
                | Expected::AfterPairKey
                | Expected::PairValue
                | Expected::AfterPair
        )
    }
}
