//! Any text: what the acceptor of yaml.v2 accepts is read in Go's dialect, with the same
//! events, unless the decoder of yaml.v2 refuses its values.
#![no_main]

use interpolate::unstable::arena::{Arena, Style};
use interpolate::unstable::scalar::Dialect;
use interpolate::unstable::source::{Encoding, Sources};
use interpolate::unstable::yaml::accept::{self, GrammarEvent};
use interpolate::unstable::yaml::{self, Options};
use interpolate_fuzz::events::is_written;
use libfuzzer_sys::fuzz_target;

/// Messages of the decoder of yaml.v2, which looks at values: its refusals come later. The last
/// one is of our reader, which does not follow yaml.v2 behind a bracket that it loses.
const LATER: [&str; 7] = [
    "document contains excessive aliasing",
    "value contains itself",
    "invalid map key: ",
    "map merge requires map or sequence of maps as the value",
    "cannot decode !!",
    "!!binary value contains invalid base64 data",
    "`]` behind `?`, which yaml.v2 loses",
];

fuzz_target!(|data: &str| {
    let mut events = Vec::new();
    let accepted = accept::observe(data, Encoding::Utf8, |event| events.push(event));
    let mut sources = Sources::default();
    let file = sources.add("fuzz.yml", data);
    let options = Options { dialect: Dialect::Go, ..Options::default() };
    match (accepted, yaml::read(&sources, file, &options)) {
        (Ok(_), Ok(tree)) => {
            let settle = |of: Vec<GrammarEvent>| -> Vec<GrammarEvent> {
                of.into_iter().map(|event| settled(event, data)).collect()
            };
            assert_eq!(settle(events), settle(first_document(tree.base())));
        }
        (Ok(_), Err(error)) => {
            let is_known = LATER.iter().any(|of| error.message.contains(of));
            assert!(is_known, "accepted, but not read: {}", error.message);
        }
        (Err(_), read) => assert!(read.is_err(), "refused, but read"),
    }
});

/// Returns the event as both readers must find it. A scalar that is left out may be anywhere
/// in its gap, and blank lines below a block scalar may belong to it.
fn settled(event: GrammarEvent, text: &str) -> GrammarEvent {
    let GrammarEvent::Scalar(start, end) = event else { return event };
    match text[start as usize..end as usize].trim_end().len() {
        0 => GrammarEvent::Scalar(0, 0),
        length => GrammarEvent::Scalar(start, start + length as u32),
    }
}

/// Returns the events of the first document, which is all that yaml.v2 reads.
fn first_document(arena: &Arena) -> Vec<GrammarEvent> {
    let Some(section) = arena.sections().first().filter(|it| is_written(arena, it))
    else {
        return Vec::new();
    };
    let mut events = Vec::new();
    let mut open = Vec::new();
    for i in section.root..=arena.next(section.root) {
        while let Some((_, end)) = open.pop_if(|&mut (at, _)| at == i) {
            events.push(end);
        }
        if i == arena.next(section.root) {
            break;
        }
        let (span, end) = (arena.span(i), arena.next(i));
        events.push(match arena.style(i) {
            style if style.is_sequence() => {
                open.push((end, GrammarEvent::SequenceEnd));
                GrammarEvent::SequenceStart(span.start)
            }
            style if style.is_mapping() => {
                open.push((end, GrammarEvent::MappingEnd));
                GrammarEvent::MappingStart(span.start)
            }
            Style::Alias => GrammarEvent::Alias(span.start, span.end),
            _ => GrammarEvent::Scalar(span.start, span.end),
        });
    }
    events
}
