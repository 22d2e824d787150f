//! Tests the parser on fixtures/yaml/, an archive a case: `in.yml` has `events`, in the
//! notation of the YAML test suite; in strict mode, if they differ, `strict`; for yaml.v2,
//! if the case has it, `go`. `BLESS=1` rewrites them.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use interpolate::unstable::arena::{Arena, Index, NONE, Section, Style, flag};
use interpolate::unstable::scalar::Dialect;
use interpolate::unstable::source::Sources;
use interpolate::unstable::yaml::{self, Options};
use interpolate_fixtures::archive::Archive;

/// Checks a case.
pub(crate) fn check(mut case: Archive) -> Result<(), String> {
    let text = case.text("in.yml");
    let lenient = read(text, Dialect::Core, false);
    let strict = Some(read(text, Dialect::Core, true)).filter(|s| *s != lenient);
    let go = case.bytes("go").is_some().then(|| read(text, Dialect::Go, false));
    case.expect("events", Some(lenient.as_bytes()))?;
    case.expect("strict", strict.as_ref().map(String::as_bytes))?;
    case.expect("go", go.as_ref().map(String::as_bytes))
}

/// Checks the cases of another file: each line is a JSON object (yaml, fail, events).
pub(crate) fn check_lines(path: &Path) -> Result<(), String> {
    let text = fs::read_to_string(path).map_err(|why| why.to_string())?;
    for line in text.lines() {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        let found = read(case["yaml"].as_str().unwrap_or_default(), Dialect::Core, true);
        let is_right = if case["fail"] == true {
            found.starts_with("error ")
        } else {
            case["events"] == *found
        };
        if !is_right {
            return Err(format!("{}: {found}", case["id"]));
        }
    }
    Ok(())
}

/// Returns the events of every document, one on a line.
fn events(arena: &Arena) -> String {
    let mut out = String::from("+STR\n");
    for section in arena.sections() {
        if arena.style(section.root) != Style::Empty
            || section.marker != NONE
            || arena.has(section.root, flag::PROPS)
        {
            document(arena, section, &mut out);
        }
    }
    out + "-STR\n"
}

fn document(arena: &Arena, section: &Section, out: &mut String) {
    out.push_str(if section.marker == NONE { "+DOC\n" } else { "+DOC ---\n" });
    let mut open: Vec<(Index, &str)> = Vec::new();
    for i in section.root..arena.next(section.root) {
        close(&mut open, i, out);
        node(arena, i, out);
        match arena.style(i) {
            Style::BlockSequence | Style::FlowSequence => {
                open.push((arena.next(i), "-SEQ\n"));
            }
            Style::BlockMapping | Style::FlowMapping | Style::FlowPair => {
                open.push((arena.next(i), "-MAP\n"));
            }
            _ => {}
        }
    }
    close(&mut open, arena.next(section.root), out);
    out.push_str(if section.suffix == NONE { "-DOC\n" } else { "-DOC ...\n" });
}

fn close(open: &mut Vec<(Index, &str)>, i: Index, out: &mut String) {
    while let Some((_, event)) = open.pop_if(|&mut (end, _)| end == i) {
        out.push_str(event);
    }
}

fn node(arena: &Arena, i: Index, out: &mut String) {
    let (event, sign) = match arena.style(i) {
        Style::BlockSequence => ("+SEQ", ""),
        Style::FlowSequence => ("+SEQ []", ""),
        Style::BlockMapping => ("+MAP", ""),
        Style::FlowMapping | Style::FlowPair => ("+MAP {}", ""),
        Style::Alias => ("=ALI", " *"),
        Style::Empty | Style::Plain => ("=VAL", " :"),
        Style::Single => ("=VAL", " '"),
        Style::Double => ("=VAL", " \""),
        Style::Literal => ("=VAL", " |"),
        Style::Folded => ("=VAL", " >"),
    };
    out.push_str(event);
    if let Some(anchor) = arena.anchor(i) {
        let _ = write!(out, " &{anchor}");
    }
    if let Some(tag) = arena.resolved_tag(i) {
        let _ = write!(out, " <{tag}>");
    }
    out.push_str(sign);
    for character in arena.string(i).chars() {
        match character {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\x08' => out.push_str("\\b"),
            other => out.push(other),
        }
    }
    out.push('\n');
}

/// Returns the events of `text`, or `error` with its position and message.
fn read(text: &str, dialect: Dialect, strict: bool) -> String {
    let options = Options { dialect, strict, ..Options::default() };
    let file = Sources::default().add("in.yml", text);
    match yaml::parse_text(file, text, &options) {
        Ok(arena) => events(&arena),
        Err(error) => {
            let span = error.labels[0].span;
            let before = &text[..span.start as usize];
            let line = before.matches('\n').count() + 1;
            let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
            let what = &text[span.start as usize..span.end as usize];
            format!("error {line}:{column} {what:?} {}\n", error.message)
        }
    }
}
