//! The errors of directives that lead nowhere, in a circle or to too much.

use super::directive::Directive;
use super::index::RouteSegment;
use crate::diagnostic::{Diagnostic, near, near_hint};
use crate::node::{Kind, NodeId, Step, Tree};

/// Maximum number of directives of a cycle that are shown: its ends explain it.
const MAX_SHOWN_DIRECTIVES: usize = 10;

/// Returns the key of a directive, and the file that it includes.
pub(super) fn shown(
    document: &Tree,
    Directive { key, include, .. }: &Directive,
) -> String {
    let key = document.text_of(*key);
    match include {
        Some(include) => format!("{key}: {include}"),
        None => key.into_owned(),
    }
}

/// Adds the collection `node` in which `segment` is missing, unless it is the root, and a
/// similar key. `step` led to the collection.
pub(super) fn add_reached(
    diagnostic: Box<Diagnostic>,
    document: &Tree,
    root: NodeId,
    node: NodeId,
    segment: &RouteSegment,
    step: Option<Step>,
) -> Box<Diagnostic> {
    let text = match segment {
        RouteSegment::Text(text) => text.clone(),
        RouteSegment::Step(Step::Key(key)) => document.text_of(*key).into_owned(),
        RouteSegment::Step(Step::Index(at)) => at.to_string(),
    };
    let labelled = match step {
        Some(Step::Key(key)) => key,
        Some(Step::Index(_)) | None => node,
    };
    let place = document.span(labelled).map(|span| document.first_line(span));
    let label = match document.kind(node) {
        Kind::Mapping => format!("this has no '{text}'"),
        Kind::Sequence => format!("this has no item {text}"),
        Kind::Scalar => format!("this is a single value, without '{text}'"),
    };
    let diagnostic = diagnostic.label(place.filter(|_| node != root), label);
    let pairs = document.pairs(node).into_iter();
    let keys: Vec<_> = pairs.filter_map(|(key, _)| document.string(key)).collect();
    diagnostic.hints(near_hint(keys.iter().map(|key| &**key), &text))
}

/// Adds that there is no anchor, and a similar name of the same file.
pub(super) fn add_anchor(
    diagnostic: Box<Diagnostic>,
    anchor: &str,
    mut names: Vec<&str>,
) -> Box<Diagnostic> {
    let hint = format!("no mapping and no list has the anchor '&{anchor}'");
    names.sort_unstable();
    let near = near(names, anchor).map(|name| format!("did you mean '*{name}'?"));
    diagnostic.hint(hint).hints(near)
}

/// Returns the error of directives that lead back to the first of them.
pub(super) fn cycle_error(document: &Tree, chain: &[&Directive]) -> Box<Diagnostic> {
    let visible = &chain[..chain.len().min(MAX_SHOWN_DIRECTIVES)];
    let names = visible.iter().map(|it| format!("'{}'", shown(document, it)));
    let names: Vec<String> = names.collect();
    let more = if chain.len() > visible.len() { " …" } else { "" };
    let path = names.join(" → ");
    let message = match *chain {
        [only] => {
            format!("recursive include when including {}", shown(document, only))
        }
        _ => format!("recursive include: {path}{more} leads back to where it began"),
    };
    let label = |i: usize| match i {
        _ if visible.len() == 1 => "this stands inside of what it names",
        0 => "from here",
        _ if i + 1 == visible.len() && more.is_empty() => "and so back to the first",
        _ => "which leads here",
    };
    let spans = visible.iter().map(|directive| directive.span).enumerate();
    let diagnostic = Diagnostic::error(message).hint(
        "a key that begins with `+` imports what it names, here an outer place of it",
    );
    spans.fold(diagnostic, |d, (i, span)| d.label(span, label(i)))
}

/// Returns the error of an expansion that is too large.
pub(super) fn limit_error(
    limit: usize,
    directive: Option<&Directive>,
) -> Box<Diagnostic> {
    let message = format!("the directives expand to more than {limit} bytes");
    let diagnostic = Diagnostic::error(message).at(directive.map(|it| it.span));
    diagnostic.hint("`--limit expansion=N` raises the limit")
}
