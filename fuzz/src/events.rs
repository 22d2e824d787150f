//! The events of a text, each on a line: those of the reader and those of saphyr-parser.
//!
//! The notation is that of the YAML test suite, but an anchor is a number, in the order of
//! the text, and neither the style of a collection nor the end of a document is told. Tags are
//! as saphyr-parser has them.

use std::collections::HashMap;

use interpolate::unstable::arena::{Arena, Index, NONE, Section, Style, flag};
use saphyr_parser::{Event, EventReceiver, Parser, ScalarStyle, ScanError, Tag};

/// Returns the events of all documents of an arena.
pub fn of_arena(arena: &Arena) -> Vec<String> {
    let anchors = arena.indices().filter(|&i| arena.anchor(i).is_some());
    let anchors = anchors.zip(1..).collect();
    let mut events = Vec::new();
    for section in arena.sections().iter().filter(|section| is_written(arena, section)) {
        let is_explicit = section.marker != NONE;
        events.push(if is_explicit { "+DOC ---" } else { "+DOC" }.to_owned());
        of_document(arena, section.root, &anchors, &mut events);
        events.push("-DOC".to_owned());
    }
    events
}

/// Returns true if there is a document, and not only comments.
pub fn is_written(arena: &Arena, section: &Section) -> bool {
    arena.style(section.root) != Style::Empty
        || section.marker != NONE
        || arena.has(section.root, flag::PROPS)
}

fn of_document(
    arena: &Arena,
    root: Index,
    anchors: &HashMap<Index, usize>,
    events: &mut Vec<String>,
) {
    let mut open: Vec<(Index, &str)> = Vec::new();
    for i in root..arena.next(root) {
        close(&mut open, i, events);
        let style = arena.style(i);
        let anchor = anchors.get(&i).copied().unwrap_or_default();
        let tag = arena.resolved_tag(i).map(|tag| tag.chars().map(joined).collect());
        if style.is_sequence() {
            events.push(event("+SEQ", anchor, tag, ""));
            open.push((arena.next(i), "-SEQ"));
        } else if style.is_mapping() {
            events.push(event("+MAP", anchor, tag, ""));
            open.push((arena.next(i), "-MAP"));
        } else if style == Style::Alias {
            let target = anchors.get(&arena.target(i)).copied().unwrap_or_default();
            events.push(format!("=ALI *{target}"));
        } else {
            let text = scalar(sign(style), &arena.string(i));
            events.push(event("=VAL", anchor, tag, &text));
        }
    }
    close(&mut open, arena.next(root), events);
}

/// Returns what saphyr-parser makes of a character that is escaped in a tag: it joins the bytes
/// of its UTF-8, but does not decode them.
fn joined(c: char) -> char {
    let bytes = c.to_string().into_bytes();
    let number = bytes.into_iter().fold(0, |number, byte| number << 8 | u32::from(byte));
    char::from_u32(number).unwrap_or(c)
}

fn close(open: &mut Vec<(Index, &str)>, i: Index, events: &mut Vec<String>) {
    while let Some((_, event)) = open.pop_if(|&mut (end, _)| end == i) {
        events.push(event.to_owned());
    }
}

fn sign(style: Style) -> char {
    match style {
        Style::Single => '\'',
        Style::Double => '"',
        Style::Literal => '|',
        Style::Folded => '>',
        _ => ':',
    }
}

fn scalar(sign: char, text: &str) -> String {
    format!(" {sign}{}", text.escape_debug())
}

fn event(name: &str, anchor: usize, tag: Option<String>, text: &str) -> String {
    let anchor = if anchor == 0 { String::new() } else { format!(" &{anchor}") };
    let tag = tag.map(|tag| format!(" <{tag}>")).unwrap_or_default();
    format!("{name}{anchor}{tag}{text}")
}

/// Returns the events of a text as saphyr-parser finds them.
///
/// # Errors
/// It refuses the text.
pub fn of_saphyr(text: &str) -> Result<Vec<String>, ScanError> {
    let mut events = Events(Vec::new());
    // Its iterator would know the anchors of earlier documents.
    Parser::new_from_str(text).load(&mut events, true)?;
    Ok(events.0)
}

/// The events found so far.
struct Events(Vec<String>);

impl<'t> EventReceiver<'t> for Events {
    fn on_event(&mut self, event: Event<'t>) {
        self.0.extend(of_event(event));
    }
}

fn of_event(found: Event<'_>) -> Option<String> {
    let tag = |tag: Option<std::borrow::Cow<'_, Tag>>| {
        tag.map(|tag| format!("{}{}", tag.handle, tag.suffix))
    };
    Some(match found {
        Event::Nothing | Event::StreamStart | Event::StreamEnd => return None,
        Event::DocumentStart(true) => "+DOC ---".to_owned(),
        Event::DocumentStart(false) => "+DOC".to_owned(),
        Event::DocumentEnd => "-DOC".to_owned(),
        Event::Alias(anchor) => format!("=ALI *{anchor}"),
        Event::Scalar(text, style, anchor, of) => {
            let sign = match style {
                ScalarStyle::Plain => ':',
                ScalarStyle::SingleQuoted => '\'',
                ScalarStyle::DoubleQuoted => '"',
                ScalarStyle::Literal => '|',
                ScalarStyle::Folded => '>',
            };
            event("=VAL", anchor, tag(of), &scalar(sign, &text))
        }
        Event::SequenceStart(anchor, of) => event("+SEQ", anchor, tag(of), ""),
        Event::SequenceEnd => "-SEQ".to_owned(),
        Event::MappingStart(anchor, of) => event("+MAP", anchor, tag(of), ""),
        Event::MappingEnd => "-MAP".to_owned(),
    })
}
