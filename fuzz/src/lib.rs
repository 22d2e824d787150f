//! What the fuzz targets share. The laws are those of `tests/laws`: in
//! `tests/properties` proptest makes the choices, here libFuzzer does.

pub mod events;
mod left_out;
mod plain;

use interpolate::unstable::node::{NodeId, Tree};
use interpolate::unstable::scalar::Dialect;
use interpolate::unstable::yaml::Options;
use interpolate_laws::{
    edit, history, language, meaning, patched, rebase, saved, text, text_edit, three_way,
    version,
};

pub use left_out::is_left_out;
pub use plain::{is_plain, is_small};

/// A law: `Err` tells how it is broken.
type Law = Result<(), String>;

/// Maximum number of edits, as many as the property tests make.
const MAX_EDITS: usize = 6;

const DIALECTS: [Dialect; 3] = [Dialect::Core, Dialect::Go, Dialect::Yaml11];

/// Numbers to choose by: each byte is one. A NUL separates the choices of a document from
/// those of each edit.
struct Choices {
    shape: Vec<u32>,
    edits: Vec<Vec<u32>>,
}

impl Choices {
    fn new(bytes: &[u8]) -> Choices {
        let numbers = |part: &[u8]| match part {
            [] => vec![0],
            part => part.iter().map(|&byte| byte.into()).collect(),
        };
        let mut parts = bytes.split(|&byte| byte == 0).map(numbers);
        let shape = parts.next().unwrap_or_default();
        Choices { shape, edits: parts.take(MAX_EDITS).collect() }
    }

    fn document(&self) -> String {
        text::document(&mut text::Choices::new(&self.shape))
    }

    /// Returns edits of `N` numbers.
    fn fixed<const N: usize>(&self) -> Vec<[u32; N]> {
        let number = |edit: &[u32], at: usize| edit[at % edit.len()];
        let edit = |edit: &Vec<u32>| std::array::from_fn(|at| number(edit, at));
        self.edits.iter().map(edit).collect()
    }
}

/// The printed text of an edited document reads back as the same document.
pub fn edits_are_printed(data: &[u8]) {
    let choices = Choices::new(data);
    let dialect = DIALECTS[choices.shape[0] as usize % DIALECTS.len()];
    let options = Options { dialect, ..Options::default() };
    hold(edit::check(&choices.document(), &choices.fixed(), &options));
}

/// A patch of any language prints what it did, and plain ops do the same.
pub fn patches_mean_the_same(data: &[u8]) {
    let Choices { shape, edits } = Choices::new(data);
    let language = language::LANGUAGES[shape[0] as usize % language::LANGUAGES.len()];
    hold(patched::check(&shape, &edits, language, &patched::Tally::default()));
}

/// A patch does to the next version of its document what it did before, if that is sure.
pub fn rebased_patches_mean_the_same(data: &[u8]) {
    let choices = Choices::new(data);
    let tally = rebase::Tally::default();
    hold(rebase::check(&choices.document(), &choices.fixed(), &tally));
}

/// The history of each value tells of every op that changed it, and of no other.
pub fn histories_tell_every_change(data: &[u8]) {
    let choices = Choices::new(data);
    hold(history::check(&choices.document(), &choices.fixed()));
}

/// The saved document expands to the edited one, and saving again changes nothing.
pub fn saved_means_what_was_given(data: &[u8]) {
    let Choices { shape, edits } = Choices::new(data);
    hold(saved::check(&shape, &edits, &saved::Tally::default()));
}

/// An edit of the text of a document without directives is saved byte for byte.
pub fn an_edited_text_is_saved_as_it_is(data: &[u8]) {
    let Choices { shape, edits } = Choices::new(data);
    hold(text_edit::check(&shape, &edits));
}

/// A merge of two edited versions of a document has the changes of both, or names the place
/// where it cannot.
pub fn a_merge_loses_no_change(data: &[u8]) {
    let Choices { shape, edits } = Choices::new(data);
    let (ours, theirs) = edits.split_at(edits.len() / 2);
    let number = |at: usize| shape[at % shape.len()] as usize;
    let texts = version::texts(&shape, [ours, theirs], [0, 1, 2].map(number));
    any_merge_loses_no_change(texts.each_ref().map(|text| &text[..]));
}

/// The same law for any three documents.
pub fn any_merge_loses_no_change(texts: [&str; 3]) {
    hold(three_way::check(texts, Dialect::Core));
}

/// Returns the difference between a document and its printed text, read again.
pub fn difference(document: &Tree, printed: &Tree) -> Law {
    meaning::difference(document, printed)
}

/// Returns the difference between a value and its printed text.
pub fn difference_of(value: (&Tree, NodeId), printed: (&Tree, NodeId)) -> Law {
    meaning::difference_of(value, printed)
}

/// Stops the run with the story of a broken law.
pub fn hold(law: Law) {
    if let Err(why) = law {
        panic!("{why}");
    }
}
