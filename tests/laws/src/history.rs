//! Applies random patches one after another, and compares the history of each value with the
//! values that were there between them.

use interpolate::unstable::apply::Reach;
use interpolate::unstable::history::{
    DocumentHistory, HistoryEvent, Length, PastValue, PlaceRecord, Recorder, Redaction,
};
use interpolate::unstable::language;
use interpolate::unstable::node::{Kind, Tree};
use interpolate::unstable::source::Sources;
use interpolate::unstable::yaml::{self, Expansion, Options};

use serde_json::Value as Json;

use crate::patched::patch;

/// The limit of a value.
const WHOLE: Length = Length::Whole(Expansion(1 << 28));

/// Applies patches to a document. Texts and patches that fail are not a case.
pub fn check(base: &str, edits: &[[u32; 5]]) -> Result<(), String> {
    let mut sources = Sources::default();
    let Some(mut tree) = read(&mut sources, base) else { return Ok(()) };
    let mut recorder = Recorder::default();
    recorder.start(&mut tree);
    let (mut states, mut texts) = (vec![tree.clone()], Vec::new());
    for &edit in edits {
        let text = patch(&tree, edit);
        let Some(ops) = read(&mut sources, &text) else { continue };
        let Ok(patch) = language::patch(&ops, "patch.yml") else { continue };
        // Known: an alias that is written out after its anchor has changed is told as read.
        let follows = text.contains("follow") && base.contains("&n");
        if patch.len() != 1 || follows {
            continue;
        }
        let (mut next, mut longer) = (tree.clone(), recorder.clone());
        let reach = Reach::of(&next, [0]);
        if longer.apply(&patch, &mut next, &reach).is_ok() {
            states.push(next.clone());
            texts.push(text);
            (tree, recorder) = (next, longer);
        }
    }
    let history = recorder.finish(tree);
    let story = |why: String| {
        let patches = texts.concat();
        format!(
            "--- base\n{base}\n--- patches\n{patches}\n--- result\n{}\n---\n{why}",
            history.tree()
        )
    };
    let Ok(places) = history.values(0, Expansion(1 << 20)) else { return Ok(()) };
    // The history of a value that was moved or copied goes on where it was before.
    let moves = |text: &String| text.contains("from");
    let first = texts.iter().rposition(moves).map_or(0, |at| at + 1);
    for place in places.into_iter().filter(|it| !it.is_collection) {
        compare(&history, (&states, first), &place).map_err(|why| {
            story(format!("{}: {why}\n{:#?}", place.path, told(&history, &place)))
        })?;
    }
    Ok(())
}

fn read(sources: &mut Sources, text: &str) -> Option<Tree> {
    let file = sources.add("text.yml", text);
    yaml::read(sources, file, &Options::default()).ok()
}

/// Compares the events of a place with the values at its path before and after each op from
/// the first one that counts.
fn compare(
    history: &DocumentHistory,
    (states, first): (&[Tree], usize),
    place: &PlaceRecord,
) -> Result<(), String> {
    let json = |value: &PastValue| {
        let text = history.print(value, Redaction::None, WHOLE).ok()?;
        serde_json::from_str::<Json>(&text).ok()
    };
    let last = place.value.as_ref().and_then(json);
    let told = place.events.iter().rev().find_map(|event| event.after.as_ref());
    if told.and_then(json) != last {
        return Err("its last event does not tell its value".into());
    }
    let values: Vec<Option<Json>> =
        match states.iter().map(|tree| value_at(tree, &place.path)).collect() {
            Some(values) => values,
            None => return Ok(()),
        };
    // A key that is no string is not found by its text.
    if values.last().is_none_or(Option::is_none) {
        return Ok(());
    }
    for number in first..states.len() - 1 {
        let (before, after) = (&values[number], &values[number + 1]);
        // An op with several places may change one more than once.
        let of_op = place.events.iter().filter(|event| self::number(event) == number);
        let of_op: Vec<&HistoryEvent> = of_op.collect();
        // A change inside of a collection is told of its parts.
        let is_inside = is_collection(before) && is_collection(after);
        if before != after && of_op.is_empty() && !is_inside {
            return Err(format!("op {number} is not told: {before:?} became {after:?}"));
        }
        let value = |of: Option<&&HistoryEvent>,
                     at: fn(&HistoryEvent) -> Option<&PastValue>| {
            of.and_then(|event| at(event)).and_then(json)
        };
        let was = value(of_op.first(), |event| event.before.as_ref());
        let is = value(of_op.last(), |event| event.after.as_ref());
        let was = was.filter(|_| !is_collection(before));
        if was.is_some() && was != *before || is.is_some() && is != *after {
            return Err(format!("op {number}: {before:?} became {after:?}"));
        }
    }
    Ok(())
}

fn is_collection(value: &Option<Json>) -> bool {
    value.as_ref().is_some_and(|it| it.is_array() || it.is_object())
}

/// Returns the number of the op of an event, from 0.
fn number(event: &HistoryEvent) -> usize {
    event.op.map_or(usize::MAX, |op| op as usize)
}

/// Returns the value at a path through mappings, if there is one. `None` for a path through a
/// list: its items may have other positions later.
fn value_at(tree: &Tree, path: &str) -> Option<Option<Json>> {
    let mut node = tree.root();
    for token in path.split('/').skip(1) {
        let token = token.replace("~1", "/").replace("~7", ":").replace("~0", "~");
        match tree.kind(node) {
            Kind::Sequence => return None,
            Kind::Mapping => match tree.get(node, &token) {
                Some(value) => node = value,
                None => return Some(None),
            },
            Kind::Scalar => return Some(None),
        }
    }
    let text = yaml::json::print(tree, node, Expansion(1 << 20)).ok()?;
    Some(serde_json::from_str(&text).ok())
}

/// Returns the events of a place, as a person reads them.
fn told(history: &DocumentHistory, place: &PlaceRecord) -> Vec<String> {
    let text = |value: Option<&PastValue>| {
        let text = value.map(|it| history.print(it, Redaction::None, WHOLE));
        text.and_then(Result::ok).unwrap_or_else(|| "nothing".into())
    };
    let event = |event: &HistoryEvent| {
        let (before, after) = (text(event.before.as_ref()), text(event.after.as_ref()));
        let op = event.op.map_or("text".into(), |op| format!("op {op}"));
        format!(
            "{op}: {} {before} -> {after}, from {:?}",
            event.action.name(),
            event.from
        )
    };
    history.events(place).iter().map(event).collect()
}
