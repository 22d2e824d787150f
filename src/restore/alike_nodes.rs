//! Nodes that are the same in two texts.

use crate::arena::Index;
use crate::source::FileId;

/// A node of a written text.
type WrittenNode = (FileId, Index);

/// Nodes of two written collections, from their first nodes on, that are the same.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct AlikeNodes {
    /// The two collections.
    pub first: Option<(WrittenNode, WrittenNode)>,
    /// The number of nodes that are the same.
    pub count: Index,
}

impl AlikeNodes {
    /// Returns the number of nodes that are the same from two of these on; `None` for other
    /// nodes.
    pub(super) fn count_from(&self, a: WrittenNode, b: WrittenNode) -> Option<Index> {
        let (x, y) = self.first?;
        let at = a.1.checked_sub(x.1)?;
        let is_inside = (a.0, b.0) == (x.0, y.0) && b.1.checked_sub(y.1)? == at;
        (is_inside && at < self.count).then(|| self.count - at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_alike_at_the_same_distance() {
        let file = FileId::BLANK;
        let alike = AlikeNodes { first: Some(((file, 10), (file, 20))), count: 3 };
        let count = |i, j| alike.count_from((file, i), (file, j));
        assert_eq!(
            [count(10, 20), count(12, 22), count(13, 23)],
            [Some(3), Some(1), None]
        );
        assert_eq!([count(11, 22), count(9, 19), count(12, 20)], [None; 3]);
    }
}
