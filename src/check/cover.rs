//! Ranges of a text that may overlap, and the offsets in them.

use std::ops::Range;

/// Ranges of a text.
#[derive(Debug, Default)]
pub(super) struct Cover {
    /// In the order of their starts; each ends where the longest one so far does.
    ranges: Vec<Range<u32>>,
}

impl Cover {
    pub(super) fn new(mut ranges: Vec<Range<u32>>) -> Cover {
        ranges.sort_by_key(|range| range.start);
        let mut end = 0;
        for range in &mut ranges {
            end = end.max(range.end);
            range.end = end;
        }
        Cover { ranges }
    }

    /// Returns true if an offset is in one of the ranges.
    pub(super) fn has(&self, at: u32) -> bool {
        let begun = self.ranges.partition_point(|range| range.start <= at);
        begun > 0 && at < self.ranges[begun - 1].end
    }
}
