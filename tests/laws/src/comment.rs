//! Moves, copies and removes one entry of a commented block document: each comment of an
//! entry is there as often as the entry.

use interpolate::unstable::scalar::Dialect;
use interpolate::unstable::source::Sources;
use interpolate::unstable::yaml::{self, Options};
use interpolate::unstable::{apply, language};

use crate::meaning::difference;
use crate::text::Choices;

/// Values of one line.
// None in brackets: what moves there loses its comments.
const VALUES: &[&str] = &["v", "\"q\"", "1.50", "~", "|"];

/// Maximum depth of a collection.
const DEPTH: usize = 3;

/// A document with comments that differ from each other.
#[derive(Default)]
struct Commented {
    text: String,
    /// The path of each entry, and true if it is a collection.
    entries: Vec<(String, bool)>,
    /// Each comment, with the path of its entry; without one for a block set off by blank
    /// lines, and at the end of a collection.
    comments: Vec<(String, Option<String>)>,
}

impl Commented {
    fn new(choices: &mut Choices<'_>) -> Commented {
        let mut commented = Commented::default();
        if choices.chance(50) {
            commented.comment(0, None);
        }
        commented.text.push('\n');
        commented.collection(choices, 0, "", false);
        commented
    }

    /// Writes a comment, on a line of its own if the line has not begun.
    fn comment(&mut self, column: usize, of: Option<&str>) {
        let comment = format!("# comment {}.", self.comments.len());
        let begins = self.text.is_empty() || self.text.ends_with('\n');
        let blanks = if begins { column } else { 1 };
        let line_break = if begins { "\n" } else { "" };
        self.text += &format!("{}{comment}{line_break}", " ".repeat(blanks));
        self.comments.push((comment, of.map(str::to_owned)));
    }

    // Recursive: the depth is bounded by a constant.
    fn collection(
        &mut self,
        choices: &mut Choices<'_>,
        column: usize,
        path: &str,
        compact: bool,
    ) {
        let is_list = !path.is_empty() && choices.next(3) == 0;
        for i in 0..=choices.next(3) {
            let key = if is_list { i.to_string() } else { format!("k{i}") };
            let path = format!("{path}/{key}");
            if !(compact && i == 0) {
                if i > 0 && choices.next(3) == 0 {
                    self.text.push('\n');
                    self.comment(column, None);
                    self.text.push('\n');
                }
                for _ in 0..choices.next(3) {
                    self.comment(column, Some(&path));
                }
                self.text += &" ".repeat(column);
            }
            self.text += if is_list { "-" } else { &key };
            self.text += if is_list { "" } else { ":" };
            self.value(choices, column, &path, is_list);
        }
        if choices.next(5) == 0 {
            self.comment(column, None);
        }
    }

    fn value(
        &mut self,
        choices: &mut Choices<'_>,
        column: usize,
        path: &str,
        is_item: bool,
    ) {
        let is_collection = path.matches('/').count() <= DEPTH && choices.chance(50);
        self.entries.push((path.to_owned(), is_collection));
        if is_collection && is_item && choices.chance(50) {
            self.text.push(' ');
            return self.collection(choices, column + 2, path, true);
        }
        let value = VALUES[choices.next(VALUES.len() as u32) as usize];
        if !is_collection {
            self.text += &format!(" {value}");
        }
        if choices.chance(50) {
            self.comment(column, Some(path));
        }
        self.text.push('\n');
        if is_collection {
            self.collection(choices, column + 2, path, false);
        } else if value == "|" {
            self.text += &format!("{}text\n", " ".repeat(column + 2));
        }
    }
}

/// Tests one op on one document.
pub fn check(shape: &[u32], [from, to, kind]: [u32; 3]) -> Result<(), String> {
    let base = Commented::new(&mut Choices::new(shape));
    let (from, _) = &base.entries[from as usize % base.entries.len()];
    let around = |path: &str| path.starts_with(&format!("{from}/")) || path == from;
    let collections = base.entries.iter().filter(|(path, is)| *is && !around(path));
    let mut targets: Vec<&str> = collections.map(|(path, _)| &**path).collect();
    targets.push("");
    let to = targets[to as usize % targets.len()];
    let (op, count) = match kind % 3 {
        0 => (format!("op: remove, path: {from}"), 0),
        1 => (format!("op: move, from: {from}, path: {to}/-"), 1),
        _ => (format!("op: copy, from: {from}, path: {to}/-"), 2),
    };
    let ops = format!("- {{{op}}}\n");
    // The index in the target of a move may be gone with the entry.
    let Some(printed) = print(&base.text, &ops)? else { return Ok(()) };
    for (comment, of) in &base.comments {
        let wanted = match of {
            Some(of) if around(of) => count,
            Some(_) => 1,
            None => continue,
        };
        let found = printed.matches(&**comment).count();
        if found != wanted {
            let text = &base.text;
            return Err(format!(
                "{wanted} times '{comment}', not {found}:\n{text}\n{ops}\n{printed}"
            ));
        }
    }
    Ok(())
}

/// Applies the op, prints the document, and reads it again. `None` if the op fails.
fn print(base: &str, ops: &str) -> Result<Option<String>, String> {
    let options = Options { dialect: Dialect::Core, ..Options::default() };
    let mut sources = Sources::default();
    let [base_file, ops_file] = [("base.yml", base), ("ops.yml", ops)]
        .map(|(name, text)| sources.add(name, text.to_owned()));
    let read = |sources: &Sources, file| {
        yaml::read(sources, file, &options).map_err(|why| format!("{base}{why:?}"))
    };
    let mut document = read(&sources, base_file)?;
    let patch = language::patch(&read(&sources, ops_file)?, "ops.yml")
        .map_err(|why| format!("{ops}{why:?}"))?;
    if apply::apply(&patch, &mut document, 0..1).is_err() {
        return Ok(None);
    }
    let printed = document.to_string();
    let file = sources.add("printed.yml", printed.clone());
    let again = yaml::read(&sources, file, &options)
        .map_err(|why| format!("{base}{ops}{printed}{why:?}"))?;
    difference(&document, &again)
        .map_err(|why| format!("{base}\n{ops}\n{printed}\n{why}"))?;
    Ok(Some(printed))
}
