//! Hints for printing that edits leave: comments, and the style of what is new.

use std::num::NonZeroU32;
use std::ops::Range;
use std::sync::Arc;

use hashbrown::{HashMap, HashSet};

use super::slots::NodeId;
use crate::arena::Index;
use crate::source::FileId;

/// The hints for printing a tree.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hints {
    /// True if the document is JSON as a whole.
    is_json: bool,
    /// New collections that are printed in flow style.
    in_brackets: HashSet<NodeId>,
    /// Null values of new entries that are not written.
    left_out: HashSet<NodeId>,
    /// The texts whose values are printed in the style of the document.
    restyled: HashSet<FileId>,
    /// The numbers of opened nodes that are.
    restyled_opened: Vec<Range<u32>>,
    /// The texts of patches, whose values ops put into the document.
    patch_texts: HashSet<FileId>,
    /// The texts of other versions of the document.
    version_texts: HashSet<FileId>,
    /// The texts whose lists are printed as deep as those of the document.
    relisted: HashSet<FileId>,
    /// The nodes of the printed text with an anchor that ops have moved.
    moved: HashSet<Index>,
    /// True if what is new is printed as its text has it.
    verbatim: bool,
    /// The text whose entries bring their comments with them.
    commented: Option<FileId>,
    /// The text whose comments are left out where values of it are printed.
    uncommented: Option<FileId>,
    /// The comments that edits gave to entries, by the number in the slot less 1.
    comments: Vec<EntryComments>,
    /// The blanks before the comments behind entries, once they are known.
    pub(super) blanks_before_comments: Option<Arc<str>>,
    /// The lines that edits put at the end of documents, by root.
    dangling: HashMap<usize, Box<str>>,
}

impl Hints {
    /// Has the document be JSON, whose edits have to be JSON, too.
    pub(crate) fn note_json(&mut self) {
        self.is_json = true;
    }

    /// Returns true if the document was JSON before it was edited.
    pub(crate) fn is_json(&self) -> bool {
        self.is_json
    }

    /// Has new values printed as their text has them, even in JSON, and leaves out comments
    /// that have no place in it: they are put in place after printing.
    pub(crate) fn print_verbatim(&mut self) {
        self.verbatim = true;
    }

    pub(crate) fn is_verbatim(&self) -> bool {
        self.verbatim
    }

    /// Has the values of other texts printed in the style of this document, and not as they
    /// are written.
    pub(crate) fn restyle(&mut self, files: impl IntoIterator<Item = FileId>) {
        self.restyled.extend(files);
    }

    /// Likewise for opened nodes that were made for a patch: they have no spelling.
    pub(crate) fn restyle_opened(&mut self, numbers: Range<u32>) {
        if !numbers.is_empty() {
            self.restyled_opened.push(numbers);
        }
    }

    /// Returns true if any values are printed in the style of this document.
    pub(crate) fn has_restyled(&self) -> bool {
        !(self.restyled.is_empty() && self.restyled_opened.is_empty())
    }

    /// Returns true if an opened node was made for a patch.
    pub(crate) fn is_restyled_opened(&self, id: u32) -> bool {
        // The ranges ascend.
        let at = self.restyled_opened.partition_point(|numbers| numbers.end <= id);
        self.restyled_opened.get(at).is_some_and(|numbers| numbers.contains(&id))
    }

    /// Returns true if the values of a text are printed in the style of this document.
    pub(crate) fn is_restyled(&self, file: FileId) -> bool {
        self.restyled.contains(&file)
    }

    /// Has values of a text printed with all their anchors, and with their lists as deep as
    /// those of the document.
    pub(crate) fn note_patch_text(&mut self, file: FileId) {
        self.patch_texts.insert(file);
        self.relist(file);
    }

    /// Has values of a text printed with their lists as deep as those of the document.
    pub(crate) fn relist(&mut self, file: FileId) {
        self.relisted.insert(file);
    }

    /// Returns true for a text whose lists stand as deep as those of the document.
    pub(crate) fn is_relisted(&self, file: FileId) -> bool {
        self.relisted.contains(&file)
    }

    /// Returns true for the text of a patch.
    pub(crate) fn is_patch_text(&self, file: FileId) -> bool {
        self.patch_texts.contains(&file)
    }

    /// Has values of a text printed with all the comments inside of them.
    pub(crate) fn note_version_text(&mut self, file: FileId) {
        self.version_texts.insert(file);
    }

    /// Returns true for the text of another version of the document.
    pub(crate) fn is_version_text(&self, file: FileId) -> bool {
        self.version_texts.contains(&file)
    }

    /// Has the anchors of nodes of the printed text move with them.
    pub(super) fn note_moved(&mut self, nodes: impl Iterator<Item = Index>) {
        self.moved.extend(nodes);
    }

    /// Returns true for a node of the printed text that moves with its anchor.
    pub(crate) fn is_moved(&self, i: Index) -> bool {
        self.moved.contains(&i)
    }

    /// Has a new collection printed in flow style.
    pub(crate) fn put_in_brackets(&mut self, node: NodeId) {
        self.in_brackets.insert(node);
    }

    /// Returns true for a new collection that is printed in flow style.
    pub(crate) fn is_in_brackets(&self, node: NodeId) -> bool {
        self.in_brackets.contains(&node)
    }

    /// Has a null value of a new entry printed as nothing, as in `key:`.
    pub(crate) fn leave_out(&mut self, node: NodeId) {
        self.left_out.insert(node);
    }

    /// Returns true for a null value that is printed as nothing.
    pub(crate) fn is_left_out(&self, node: NodeId) -> bool {
        self.left_out.contains(&node)
    }

    pub(crate) fn bring_comments_from(&mut self, file: FileId) {
        self.commented = Some(file);
    }

    /// Returns the text whose entries bring their comments with them.
    pub(crate) fn comment_source(&self) -> Option<FileId> {
        self.commented
    }

    /// Has the values of another text printed without the comments inside of them.
    pub(crate) fn leave_out_comments_of(&mut self, file: FileId) {
        self.uncommented = Some(file);
    }

    /// Returns the text whose comments are left out where values of it are printed.
    pub(crate) fn uncommented(&self) -> Option<FileId> {
        self.uncommented
    }

    /// Keeps the comments of an entry. Returns the number for its slot.
    pub(super) fn add_comments(&mut self, comments: EntryComments) -> Option<NonZeroU32> {
        self.comments.push(comments);
        NonZeroU32::new(self.comments.len() as u32)
    }

    pub(super) fn comments(&self, number: NonZeroU32) -> Option<&EntryComments> {
        self.comments.get(number.get() as usize - 1)
    }

    /// Returns the number of times that comments were given to entries.
    pub(crate) fn comments_given(&self) -> usize {
        self.comments.len()
    }

    /// Replaces the comments and blank lines behind the last entry of a document.
    pub(crate) fn give_dangling(&mut self, root: usize, lines: Box<str>) {
        self.dangling.insert(root, lines);
    }

    /// Returns the lines that an edit put at the end of a document.
    pub(crate) fn dangling(&self, root: usize) -> Option<&str> {
        self.dangling.get(&root).map(|lines| &**lines)
    }

    pub(super) fn has_dangling(&self) -> bool {
        !self.dangling.is_empty()
    }
}

/// The comments and blank lines of an entry that an edit moved, copied or commented. Each is
/// `None` if it is as written.
///
/// Every comment and every blank line of a text is a part of one entry, or stands at the end
/// of the document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EntryComments {
    /// The comment behind it, with its `#` and the blanks before; empty for none.
    pub trailing: Option<Box<str>>,
    /// The lines directly above it, each with its `#`; empty for none.
    pub leading: Option<Box<str>>,
    /// The lines between these and what stands before: blank lines, and comments that the
    /// entry does not own. They have the indentation of the collection as it is written.
    pub gap: Option<Box<str>>,
    /// The deeper comment lines below it, behind what its last child owns; as in `gap`.
    pub dangling: Option<Box<str>>,
}

impl EntryComments {
    /// Returns true if nothing differs from what is written.
    pub(crate) fn is_unchanged(&self) -> bool {
        *self == EntryComments::default()
    }

    /// Returns the number of bytes that they take.
    pub(crate) fn size(&self) -> usize {
        let texts = [&self.trailing, &self.leading, &self.gap, &self.dangling];
        texts.into_iter().flatten().map(|text| text.len()).sum()
    }

    /// Returns these comments, with those of `other` where they are as written.
    pub(crate) fn or(self, other: EntryComments) -> EntryComments {
        EntryComments {
            trailing: self.trailing.or(other.trailing),
            leading: self.leading.or(other.leading),
            gap: self.gap.or(other.gap),
            dangling: self.dangling.or(other.dangling),
        }
    }
}
