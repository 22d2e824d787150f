//! A printed text as it is put together: short pieces that are written, and long ones
//! that stay where they were read.

use std::fmt;
use std::ops::Range;

/// From how many bytes on a copied piece is not written again.
const LONG: usize = 4096;

/// A printed text.
#[derive(Clone, Debug)]
pub struct Printed<'a> {
    base: &'a str,
    /// What is written, the last line at least.
    pub(super) text: String,
    /// How much of `text` comes before which part of `base`.
    copied: Vec<(usize, Range<usize>)>,
}

impl<'a> Printed<'a> {
    /// Nothing yet; what is copied comes from `base`.
    pub(super) fn new(base: &'a str) -> Printed<'a> {
        Printed { base, text: String::new(), copied: Vec::new() }
    }

    /// All of `base`.
    pub(super) fn whole(base: &'a str) -> Printed<'a> {
        let copied = vec![(0, 0..base.len())];
        Printed { base, text: String::new(), copied }
    }

    /// The pieces of the text, in order.
    pub fn pieces(&self) -> impl Iterator<Item = &str> {
        let mut at = 0;
        let copied = self.copied.iter().flat_map(move |(before, range)| {
            let written = &self.text[std::mem::replace(&mut at, *before)..*before];
            [written, &self.base[range.clone()]]
        });
        let rest = self.copied.last().map_or(0, |&(before, _)| before);
        copied.chain([&self.text[rest..]])
    }

    /// Copies a part of `base`. The last line with anything on it is written, so that
    /// whoever goes on sees how the text ends.
    pub(super) fn copy(&mut self, mut range: Range<usize>) {
        let text = &self.base[range.clone()];
        if text.len() >= LONG
            && let Some(line) = text.trim_end().rfind('\n')
        {
            let cut = range.start + line + 1;
            self.copied.push((self.text.len(), range.start..cut));
            range.start = cut;
        }
        self.text.push_str(&self.base[range]);
    }
}

/// A text that is written as a whole.
impl From<String> for Printed<'_> {
    fn from(text: String) -> Self {
        Printed { base: "", text, copied: Vec::new() }
    }
}

impl fmt::Display for Printed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.pieces().try_for_each(|piece| f.write_str(piece))
    }
}
