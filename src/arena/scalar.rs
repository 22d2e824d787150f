//! A written scalar comes in, the value it has under its tag goes out.

use super::{Arena, Index, Style};
use crate::scalar::{Scalar, Tag};

impl Arena {
    /// The value of scalar `i` in the arena's dialect: text that is not what its tag says
    /// is a string. Null for a collection.
    pub fn scalar(&self, i: Index) -> Scalar<'_> {
        self.typed(i).unwrap_or_else(|_| Scalar::String(self.string(i)))
    }

    /// The value of scalar `i`.
    ///
    /// # Errors
    /// The text is not what its tag says.
    pub(crate) fn typed(&self, i: Index) -> Result<Scalar<'_>, String> {
        let style = self.style(i);
        let plain = match style {
            Style::Plain | Style::Empty => true,
            Style::Single | Style::Double | Style::Literal | Style::Folded => false,
            Style::Alias | Style::BlockSequence | Style::BlockMapping => {
                return Ok(Scalar::Null);
            }
            Style::FlowSequence | Style::FlowMapping | Style::FlowPair => {
                return Ok(Scalar::Null);
            }
        };
        let tag = self.resolved_tag(i).map(|name| Tag::named(&name));
        match tag {
            None if plain => Ok(Scalar::plain(self.string(i), self.dialect)),
            None => Ok(Scalar::String(self.string(i))),
            Some(Tag::NonSpecific) if !plain => Ok(Scalar::String(self.string(i))),
            Some(tag) => Scalar::tagged(self.string(i), tag, self.dialect),
        }
    }
}
