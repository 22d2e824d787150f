//! Rows: children of three collections that belong together.

/// The positions of an entry, an item or a document in each of the three versions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Row {
    pub base: Option<usize>,
    pub ours: Option<usize>,
    pub theirs: Option<usize>,
}

impl Row {
    /// Returns the positions, if all three versions have one.
    pub(super) fn in_all(self) -> Option<[usize; 3]> {
        Some([self.base?, self.ours?, self.theirs?])
    }

    /// Returns what a row has of three collections.
    pub(super) fn of<T: Copy>(self, collections: &[Vec<T>; 3]) -> [Option<T>; 3] {
        let [base, ours, theirs] = collections;
        [
            self.base.map(|at| base[at]),
            self.ours.map(|at| ours[at]),
            self.theirs.map(|at| theirs[at]),
        ]
    }
}
