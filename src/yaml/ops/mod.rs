//! A patch comes in, an ops-file goes out that bosh can run: each value as it was written
//! where it comes from. Merges are left out, for which bosh has no op.

mod portable;

use super::{Options, parse, print};
use crate::arena::Arena;
use crate::diagnostic::Result;
use crate::node::{Document, Node, Seat};
use crate::patch::{Edit, Expect, Patch};
use crate::scalar::Dialect;
use crate::source::FileId;

/// Words that an ops-file may need, and the numbers they have as nodes. Any other null
/// would count as no value.
const WORDS: &str = "[NULL, true, false]";
const NULL: u32 = 1;
const TRUE: u32 = 2;
const FALSE: u32 = 3;

/// The text of the ops-file that is compiled into `patch`.
///
/// # Errors
/// None that a patch can cause.
pub fn print_ops(patch: &Patch) -> Result<String> {
    let text = write(patch, false)?;
    if portable::is_accepted(&text) {
        return Ok(text);
    }
    let anew = write(patch, true)?;
    Ok(if portable::is_accepted(&anew) { anew } else { text })
}

/// Writes the ops with their values as they were written, or `anew`.
fn write(patch: &Patch, anew: bool) -> Result<String> {
    let spare = patch.arenas.iter().map(|arena| arena.file().0 + 1).max().unwrap_or(0);
    let (blank, words) = (text(patch, spare, "")?, text(patch, spare + 1, WORDS)?);
    let words_file = words.file();
    let mut document = Document::new(blank);
    for arena in &patch.arenas {
        document.add_arena(&portable::respell(arena));
    }
    document.add_arena(&words.into());
    let merges = match document.base().dialect() {
        Dialect::Go => Vec::new(),
        Dialect::Core | Dialect::Yaml11 => portable::merge_keys(&patch.arenas),
    };
    let word = |number| Node::Clean(words_file, number);
    let by = document.append_opened(&patch.opened);
    let Node::Opened(list) = document.new_sequence() else { return Ok(String::new()) };
    for op in &patch.ops {
        let (kind, field) = match op.edit {
            Edit::Replace(value) if document.is_null(value.shifted(by)) => {
                ("replace", Some(("value", word(NULL))))
            }
            Edit::Replace(value) => ("replace", Some(("value", value.shifted(by)))),
            Edit::Remove => ("remove", None),
            Edit::Test(Expect::Equal(value)) => {
                ("test", Some(("value", value.shifted(by))))
            }
            Edit::Test(Expect::Null) => ("test", Some(("absent", word(FALSE)))),
            Edit::Test(Expect::Absent) => ("test", Some(("absent", word(TRUE)))),
            Edit::Merge(_) | Edit::RemoveWhiteouts => continue,
        };
        let path = op.at.spell();
        let item = document.new_mapping(&[("type", kind), ("path", &path)], None);
        if let (Node::Opened(id), Some((key, value))) = (item, field) {
            let seat = Seat::Slot(id, document.insert_entry(id, key, value, None));
            match anew {
                true if document.is_null(value) => {}
                true => portable::anew(&mut document, seat),
                false => portable::merge_first(&mut document, seat, &merges),
            }
        }
        let end = document.children(list).len();
        document.insert_item(list, end, item, None);
    }
    document.set_roots(vec![Node::Opened(list)]);
    Ok(print(&document).to_string())
}

/// A text of ours, read as those that the patch takes values from.
fn text(patch: &Patch, file: u32, text: &str) -> Result<Arena> {
    let dialect =
        patch.arenas.first().map_or_else(Default::default, |arena| arena.dialect());
    let options = Options { dialect, ..Options::default() };
    parse::parse(FileId(file), text.into(), &options)
}
