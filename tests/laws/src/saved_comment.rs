//! Comments and blank lines of an edited expansion: what stands at an entry there stands at
//! the same entry of the saved document.

use interpolate::unstable::apply;
use interpolate::unstable::compile::Rules;
use interpolate::unstable::node::Tree;
use interpolate::unstable::restore::{self, Comments, Expander, RestoreOptions};
use interpolate::unstable::source::{Memory, Sources};
use interpolate::unstable::yaml::{self, Options};

use crate::directives::DirectiveExpander;
use crate::save::Choices;

/// A line with a key or an item, and what stands above it.
#[derive(Clone, Debug)]
struct Entry {
    /// The keys around it and its own, or its text if it is an item.
    path: String,
    /// The comments and blank lines above it.
    above: Vec<String>,
    /// The line without its comment.
    content: String,
    /// The comment behind it, with the blanks before.
    trailing: String,
}

impl Entry {
    fn column(&self) -> usize {
        self.content.len() - self.content.trim_start_matches(' ').len()
    }

    /// Returns the comments that it owns.
    fn owned(&self) -> Vec<&str> {
        let column = " ".repeat(self.column()) + "#";
        let lines = self.above.iter().rev().map(String::as_str);
        let leading = lines.take_while(|line| line.starts_with(&column));
        leading.chain([&*self.trailing]).collect()
    }
}

/// A text with its entries in order. No key stands in a mapping twice, no comment anywhere.
#[derive(Clone, Debug, Default)]
struct Text {
    entries: Vec<Entry>,
    tail: Vec<String>,
}

impl Text {
    fn read(text: &str) -> Text {
        let (mut read, mut around) = (Text::default(), Vec::<(usize, String)>::new());
        for line in text.lines() {
            if line.trim().is_empty() || line.trim_start().starts_with('#') {
                read.tail.push(line.to_owned());
                continue;
            }
            let content = line.split('#').next().unwrap_or_default().trim_end();
            let column = content.len() - content.trim_start().len();
            around.retain(|&(other, _)| other < column);
            let key = content.trim().split(':').next().unwrap_or_default();
            around.push((column, key.to_owned()));
            let path: Vec<&str> = around.iter().map(|(_, key)| &**key).collect();
            read.entries.push(Entry {
                path: path.join("/"),
                above: std::mem::take(&mut read.tail),
                content: content.to_owned(),
                trailing: line[content.len()..].to_owned(),
            });
        }
        read
    }

    fn text(&self) -> String {
        let lines = self.entries.iter().flat_map(|entry| {
            let line = format!("{}{}", entry.content, entry.trailing);
            entry.above.iter().cloned().chain([line])
        });
        let lines = lines.chain(self.tail.iter().cloned());
        lines.map(|line| line + "\n").collect()
    }

    fn find(&self, path: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.path == path)
    }

    /// Returns the comments, without the blanks around them.
    fn comments(&self) -> Vec<String> {
        let above = self.entries.iter().flat_map(|entry| &entry.above).chain(&self.tail);
        let trailing = self.entries.iter().map(|entry| &entry.trailing);
        let all = above.chain(trailing).map(|line| line.trim().to_owned());
        all.filter(|line| !line.is_empty()).collect()
    }

    /// Returns the number of entries in one and those inside of it.
    fn size(&self, at: usize) -> usize {
        let column = self.entries[at].column();
        let inside = self.entries[at + 1..].iter();
        1 + inside.take_while(|entry| entry.column() > column).count()
    }

    /// Returns the entries beside one, and that one.
    fn siblings(&self, at: usize) -> Vec<usize> {
        let parent = |path: &str| path.rfind('/').map(|end| path[..end].to_owned());
        let of = parent(&self.entries[at].path);
        let beside = self.entries.iter().enumerate();
        let beside = beside.filter(|(_, entry)| parent(&entry.path) == of);
        beside.map(|(at, _)| at).collect()
    }
}

/// The comments and blank lines above an entry, a character for each.
const LEADS: &[&str] = &["", "#", "##", "", "", ".", ".#", "#.#", ".#.", "#."];

/// A document that is written with new comments and values.
struct Writer {
    text: String,
    count: usize,
    is_behind_directive: bool,
}

impl Writer {
    fn new_comment(&mut self) -> String {
        self.count += 1;
        format!("# c{}.", self.count)
    }

    fn value(&mut self) -> String {
        self.count += 1;
        format!("v{}", self.count)
    }

    /// Writes a line with comments and blank lines around it.
    fn line(&mut self, choices: &mut Choices<'_>, column: usize, content: &str) {
        // A loose comment at a directive stands at the next entry in the expansion: an edit
        // there can be one of either.
        let is_directive = content.starts_with('+') || self.is_behind_directive;
        self.is_behind_directive = content.starts_with('+');
        let shapes = if is_directive { &LEADS[..3] } else { LEADS };
        let indent = " ".repeat(column);
        for line in self.above(choices.one(shapes)) {
            let indent = if line.is_empty() { "" } else { &indent };
            self.text += &format!("{indent}{line}\n");
        }
        self.text += &format!("{indent}{content}");
        if choices.next(4) == 0 {
            let comment = self.new_comment();
            self.text += choices.one(&[" ", "   "]);
            self.text += &comment;
        }
        self.text.push('\n');
    }

    fn above(&mut self, shape: &str) -> Vec<String> {
        let line = |mark: char| match mark {
            '#' => self.new_comment(),
            _ => String::new(),
        };
        shape.chars().map(line).collect()
    }

    /// Writes the entries of a mapping, whose keys begin with `name`.
    fn entries(&mut self, choices: &mut Choices<'_>, column: usize, name: &str) {
        for number in 0..=choices.next(4) {
            let key = format!("{name}{number}");
            if column < 6 && choices.next(4) == 0 {
                self.line(choices, column, &format!("{key}:"));
                self.entries(choices, column + 2, &format!("{key}x"));
            } else if choices.next(5) == 0 {
                self.line(choices, column, &format!("{key}:"));
                for _ in 0..=choices.next(3) {
                    let item = format!("- {}", self.value());
                    self.line(choices, column + 2, &item);
                }
            } else {
                let value = self.value();
                self.line(choices, column, &format!("{key}: {value}"));
            }
        }
    }
}

/// Returns a document in which mappings inherit from others.
fn source(choices: &mut Choices<'_>) -> (String, usize) {
    let mut writer =
        Writer { text: "# head.\n\n".to_owned(), count: 0, is_behind_directive: false };
    writer.line(choices, 0, "base:");
    writer.entries(choices, 2, "b");
    for name in ["web", "db", "own"].into_iter().take(1 + choices.next(3)) {
        writer.line(choices, 0, &format!("{name}:"));
        if name != "own" {
            writer.line(choices, 2, "+/base:");
        }
        writer.entries(choices, 2, &name[..1]);
    }
    if choices.next(3) == 0 {
        let comment = writer.new_comment();
        writer.text += &format!("{}{comment}\n", choices.one(&["", "\n"]));
    }
    (writer.text, writer.count)
}

/// Changes one place of an expansion.
fn edit(choices: &mut Choices<'_>, text: &mut Text, number: usize) {
    let at = choices.next(text.entries.len());
    let beside = text.siblings(at);
    let is_scalar = text.entries[at].content.contains(": ");
    let entry = &mut text.entries[at];
    let indent = " ".repeat(entry.column());
    match choices.next(9) {
        0 => entry.above.push(format!("{indent}# new {number}.")),
        1 => entry.above.insert(0, String::new()),
        2 => entry.trailing = format!("  # new {number}."),
        3 => entry.above.clear(),
        4 => entry.trailing.clear(),
        5 if is_scalar => {
            let key = entry.content.split(": ").next().unwrap_or_default();
            entry.content = format!("{key}: new{number}");
        }
        6 if is_scalar => {
            let mut new = entry.clone();
            let parent = new.path.rfind('/').map_or("", |end| &new.path[..=end]);
            new.path = format!("{parent}n{number}");
            new.content = format!("{indent}n{number}: new{number}");
            new.above = vec![String::new(), format!("{indent}# new {number}.")];
            new.trailing = format!(" # newer {number}.");
            text.entries.insert(at, new);
        }
        7 if beside.len() > 1 => {
            let size = text.size(at);
            text.entries.drain(at..at + size);
        }
        _ if beside.len() > 1 && text.entries[at].content.contains(':') => {
            let size = text.size(at);
            let moved: Vec<Entry> = text.entries.drain(at..at + size).collect();
            let others: Vec<usize> = beside.into_iter().filter(|&it| it != at).collect();
            let to = choices.one(&others);
            let to = if to > at { to - size } else { to };
            text.entries.splice(to..to, moved);
        }
        _ => {}
    }
}

/// Edits the text of an expansion, and compares it with what is saved.
pub fn check(shape: &[u32], edits: &[Vec<u32>]) -> Result<(), String> {
    let (source, count) = source(&mut Choices::new(shape));
    let expanded = expand(&source)?;
    let mut edited = Text::read(&expanded);
    for (number, numbers) in edits.iter().enumerate() {
        edit(&mut Choices::new(numbers), &mut edited, count + number);
    }
    let edited = edited.text();
    for comments in [Comments::Edited, Comments::Source] {
        let saved = save(&source, &edited, comments);
        let story = || {
            let saved = saved.as_deref().unwrap_or_default();
            format!("--- source\n{source}--- edited\n{edited}--- saved\n{saved}--- ")
        };
        let saved = saved.as_ref().map_err(|why| story() + why)?;
        let texts = [&source, &expanded, &edited, saved].map(|text| Text::read(text));
        let checked = match comments {
            Comments::Source => check_dump(&texts),
            Comments::Auto | Comments::Edited => check_text(&texts),
        };
        checked.map_err(|why| story() + &why)?;
    }
    Ok(())
}

/// Checks what is saved of an edited text.
fn check_text([source, expanded, edited, saved]: &[Text; 4]) -> Result<(), String> {
    for (number, entry) in saved.entries.iter().enumerate() {
        let Some(given) = edited.find(&entry.path) else { continue };
        let [own, was] = [source, expanded].map(|text| text.find(&entry.path));
        // A comment behind a directive may be its own.
        let is_beside = number > 0 && saved.entries[number - 1].content.contains('+');
        let is_given = |line: &&String| {
            !is_beside || !line.is_empty() && given.above.contains(*line)
        };
        let above = |entry: &Entry| -> Vec<String> {
            entry.above.iter().filter(is_given).cloned().collect()
        };
        let [own_above, was_above] = [own, was].map(|entry| entry.map(above));
        let is_unedited = was_above.as_ref() == Some(&above(given));
        // The comments of an inherited entry stand where it is inherited from.
        let fits = is_unedited && own_above.as_ref().is_none_or(|it| *it == above(entry))
            || above(entry) == above(given);
        let is_inherited = own.is_none() && was.is_some();
        let keeps_trailing = was.is_some_and(|was| was.trailing == given.trailing);
        let fits_beside =
            entry.trailing == given.trailing || is_inherited && keeps_trailing;
        if !(fits && fits_beside) {
            return Err(format!("not beside {}", entry.path));
        }
    }
    let order = edited.entries.iter().filter(|entry| saved.find(&entry.path).is_some());
    let found = saved.entries.iter().filter(|entry| edited.find(&entry.path).is_some());
    if !order.map(|entry| &entry.path).eq(found.map(|entry| &entry.path)) {
        return Err("another order".to_owned());
    }
    let is_beside = saved.entries.last().is_some_and(|last| last.content.contains('+'));
    if saved.tail != edited.tail && !is_beside {
        return Err("another end".to_owned());
    }
    source.entries.iter().try_for_each(|entry| {
        let lines = entry.above.iter().chain([&entry.trailing]).map(|line| line.trim());
        let comments = lines.filter(|line| !line.is_empty());
        let count = |text: &Text, comment: &str| {
            text.comments().iter().filter(|it| *it == comment).count()
        };
        for comment in comments {
            let found = count(saved, comment);
            let is_hidden = count(expanded, comment) == 0;
            // An override brings the comments that the edited text has there. A loose comment
            // may stay with a directive.
            let is_kept = is_hidden
                || entry.path.starts_with("web")
                || entry.path.starts_with("db");
            let most = count(edited, comment).max(usize::from(is_kept));
            let stays = is_hidden && saved.find(&entry.path).is_some();
            if found > most || stays && found == 0 {
                return Err(format!("{found} times {comment}"));
            }
        }
        Ok(())
    })
}

/// Checks what is saved of the values of a text.
fn check_dump([source, _, _, saved]: &[Text; 4]) -> Result<(), String> {
    let known = source.comments();
    if let Some(new) = saved.comments().iter().find(|comment| !known.contains(comment)) {
        return Err(format!("a dump added {new}"));
    }
    for entry in &saved.entries {
        if let Some(own) = source.find(&entry.path)
            && own.owned() != entry.owned()
        {
            return Err(format!("a dump changed the comments of {}", entry.path));
        }
    }
    Ok(())
}

fn expand(text: &str) -> Result<String, String> {
    let (mut sources, world) = (Sources::default(), Memory::default());
    let mut document = read(&mut sources, text)?;
    let mut get = DirectiveExpander { world: &world, rules: Rules::default() };
    let patch = get.compile(&mut sources, &document, 0).map_err(|why| why.to_string())?;
    apply::apply(&patch, &mut document, 0..1).map_err(|why| why.to_string())?;
    Ok(document.to_string())
}

fn save(source: &str, edited: &str, comments: Comments) -> Result<String, String> {
    let (mut sources, world) = (Sources::default(), Memory::default());
    let written = read(&mut sources, source)?;
    let edited = read(&mut sources, edited)?;
    let mut get = DirectiveExpander { world: &world, rules: Rules::default() };
    let options = RestoreOptions { comments, ..RestoreOptions::default() };
    restore::save(&mut sources, &written, &edited, &options, &mut get)
        .map(|saved| saved.text)
        .map_err(|why| why.to_string())
}

fn read(sources: &mut Sources, text: &str) -> Result<Tree, String> {
    let file = sources.add("source.yml", text);
    yaml::read(sources, file, &Options::default()).map_err(|why| why.to_string())
}
