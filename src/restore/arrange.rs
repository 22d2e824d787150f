//! An edited stream in the order of the stream that it was expanded from, so that both can
//! be compared document by document.

use hashbrown::HashMap;

use crate::arena::{Arena, NONE};
use crate::compare::{DocumentName, DocumentPairs};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::node::Tree;
use crate::yaml;

/// An edited stream with a document for each of the source.
#[derive(Clone, Debug, Default)]
pub struct Arranged {
    /// The text; `None` if EDITED is that already, or documents are taken by place.
    pub text: Option<String>,
    /// The documents that EDITED lacks, which are as they were expanded.
    pub missing: Vec<String>,
    /// The numbers of the documents that the text has from the expansion.
    pub filled_in: Vec<usize>,
    /// True if EDITED has the documents in another order.
    pub are_reordered: bool,
}

/// Puts the documents of `edited` in the order of those of `expansion`: by kind, name and
/// namespace, if all documents of both have them, else by place. One document with another
/// name is renamed if one is left over in both.
///
/// # Errors
/// A document of `edited` belongs to none of `expansion`.
pub fn arrange(expansion: &Tree, edited: &Tree) -> Result<Arranged, Diagnostics> {
    let mut pairs = DocumentPairs::new(expansion, edited);
    let [there, given] = [expansion, edited].map(|stream| stream.roots().len());
    let Some((names, edited_names)) = pairs.names.take() else {
        let numbers = given + 1..=there;
        let missing = if given == 1 {
            numbers.map(|n| format!("document {n}")).collect()
        } else {
            Vec::new()
        };
        return Ok(Arranged { missing, ..Arranged::default() });
    };
    if given == 1 && pairs.pairs.is_empty() {
        // It was renamed, and is the first one as ever.
        let missing = names[1..].iter().map(DocumentName::to_string).collect();
        return Ok(Arranged { missing, ..Arranged::default() });
    }
    if pairs.only_new.len() == pairs.only_old.len() {
        let renamed = pairs.only_old.drain(..).zip(pairs.only_new.drain(..));
        pairs.pairs.extend(renamed);
        pairs.pairs.sort_unstable();
    }
    if let Some(&first) = pairs.only_new.first() {
        let name = &edited_names[first];
        let message = format!(
            "{name} is only in EDITED: a document cannot be saved that SOURCE lacks"
        );
        let error = Diagnostic::error(message).hint("add it to SOURCE, too");
        let place = edited.span(edited.roots()[first]).map(|at| edited.first_line(at));
        return Err(error.at(place).into());
    }
    let are_reordered = pairs.are_reordered();
    let missing = pairs.only_old.iter().map(|&at| names[at].to_string()).collect();
    if !are_reordered && pairs.only_old.is_empty() {
        return Ok(Arranged::default());
    }
    let expansion = yaml::clean(expansion)?;
    let new_places: HashMap<usize, usize> = pairs.pairs.iter().copied().collect();
    let sections = (0..there).map(|at| match new_places.get(&at) {
        Some(&new) => (edited.base(), new),
        None => (expansion.base(), at),
    });
    let text = Some(joined(sections, expansion.base()));
    Ok(Arranged { text, missing, filled_in: pairs.only_old, are_reordered })
}

/// Joins documents of two texts, the first of which begins as that of `model`.
fn joined<'a>(
    sections: impl Iterator<Item = (&'a Arena, usize)>,
    model: &Arena,
) -> String {
    let has_first_marker =
        model.sections().first().is_some_and(|first| first.marker != NONE);
    let mut text = String::new();
    for (number, (arena, at)) in sections.enumerate() {
        let section = &arena.sections()[at];
        let piece = &arena.text()[section.start as usize..section.end as usize];
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        let wants_marker = number > 0 || has_first_marker;
        if wants_marker && section.marker == NONE {
            text += "---\n";
        }
        text += if wants_marker {
            piece
        } else {
            piece.strip_prefix("---\n").unwrap_or(piece)
        };
    }
    text
}
