//! An arena as the events of the YAML test suite, to compare with.

use std::fmt::Write;

use crate::arena::{Arena, Index, NONE, Section, Style, flag};

/// The events of every document, a line each.
pub(crate) fn events(arena: &Arena) -> String {
    let mut out = String::from("+STR\n");
    for section in &arena.sections {
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
                open.push((arena.next(i), "-SEQ\n"))
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

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::{Options, parse};
    use super::*;
    use crate::scalar::Dialect;
    use crate::source::FileId;

    fn read(text: &str, dialect: Dialect, strict: bool) -> Result<Arena, String> {
        let options = Options { dialect, strict, ..Options::default() };
        parse(FileId(0), text.into(), &options).map_err(|error| error.message)
    }

    /// `YAML_EVENTS` names a file of cases, a JSON object a line: yaml, fail, events.
    #[test]
    fn events_of_other_cases() {
        let Ok(path) = std::env::var("YAML_EVENTS") else { return };
        let strict = std::env::var("YAML_LENIENT").is_err();
        let cases = fs::read_to_string(path).expect("the file of YAML_EVENTS");
        let mut wrong = 0;
        for case in cases.lines() {
            let case: serde_json::Value = serde_json::from_str(case).expect("a case");
            let (yaml, events) = (case["yaml"].as_str(), case["events"].as_str());
            let found = read(yaml.unwrap_or_default(), Dialect::Core, strict)
                .map(|a| super::events(&a));
            let right = match (&found, case["fail"].as_bool()) {
                (Ok(found), Some(false)) => Some(&**found) == events,
                (Err(_), Some(true)) => true,
                _ => false,
            };
            if !right {
                wrong += 1;
                println!(
                    "---- {} {}\n{}\n== expected\n{}\n== found\n{found:?}",
                    case["id"],
                    case["fail"],
                    yaml.unwrap_or_default(),
                    events.unwrap_or_default()
                );
            }
        }
        assert_eq!(wrong, 0);
    }
}
