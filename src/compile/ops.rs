//! An ops-file → patch: a sequence of mappings with `type`, `path`, `value`, `absent`
//! comes in; ops go out, or one diagnostic for everything that is wrong with it.

use std::borrow::Cow;

use super::definition::{Definition, definitions};
use crate::diagnostic::{self, Diagnostic, Diagnostics};
use crate::node::{Document, Node};
use crate::patch::{Edit, Expect, Op, Origin, Patch};
use crate::pointer::Pointer;
use crate::source::Span;

/// Reads the first document of an ops-file; `name` is what people call the file.
///
/// # Errors
/// bosh's messages: what does not unmarshal, or else every op that cannot be built.
pub fn ops(document: &Document, name: &str) -> Result<Patch, Diagnostics> {
    let definitions = definitions(document, name)?;
    let (mut ops, mut wrong) = (Vec::with_capacity(definitions.len()), Vec::new());
    for (number, definition) in (0..).zip(&definitions) {
        match build(definition, document, (number, name)) {
            Ok(op) => ops.push(op),
            Err(diagnostic) => wrong.push(*diagnostic),
        }
    }
    if wrong.is_empty() {
        Ok(Patch {
            ops,
            arenas: vec![document.shared_base().clone()],
            ..Patch::default()
        })
    } else {
        Err(Diagnostics(wrong))
    }
}

fn build(
    it: &Definition,
    document: &Document,
    (number, name): (u32, &str),
) -> diagnostic::Result<Op> {
    understand(it, document, number).map_err(|diagnostic| {
        let within = it.show(document, (number, name));
        let verbatim = format!("{} within\n{within}", diagnostic.message);
        misspelt(it, diagnostic.verbatim(verbatim))
    })
}

fn understand(
    it: &Definition,
    document: &Document,
    number: u32,
) -> diagnostic::Result<Op> {
    let kind = it.kind.map_or(Cow::Borrowed(""), |kind| document.text_of(kind));
    let (title, edit) = match &*kind {
        "replace" => ("Replace", replace as Build),
        "remove" => ("Remove", remove as Build),
        "test" => ("Test", test as Build),
        _ => return Err(unknown(it, document, number, &kind)),
    };
    let wrong = |wrong: Wrong| {
        let message =
            format!("Building ops: {title} operation [{number}]: {}", wrong.why);
        let diagnostic = Diagnostic::error(message).at(wrong.place.unwrap_or(it.span));
        wrong.hint.into_iter().fold(diagnostic, Diagnostic::hint)
    };
    let path = it.path.ok_or_else(|| wrong(Wrong::new("Missing path")))?;
    let edit = edit(it, document).map_err(wrong)?;
    let span = document.place_of(path);
    let at = Pointer::parse(&document.text_of(path)).map_err(|why| {
        wrong(Wrong { place: Some(span), ..Wrong::new(format!("Invalid path: {why}")) })
    })?;
    Ok(Op { at, edit, origin: Origin { span: it.span, path: span, number } })
}

/// Shows a key that is no field but looks like one.
fn misspelt(it: &Definition, diagnostic: Box<Diagnostic>) -> Box<Diagnostic> {
    match it.misspelt {
        Some((span, field)) => diagnostic.label(span, format!("did you mean '{field}'?")),
        None => diagnostic,
    }
}

type Build = fn(&Definition, &Document) -> Result<Edit, Wrong>;

/// Why an op cannot be built.
struct Wrong {
    why: String,
    place: Option<Span>,
    hint: Option<&'static str>,
}

impl Wrong {
    fn new(why: impl Into<String>) -> Wrong {
        Wrong { why: why.into(), place: None, hint: None }
    }
}

fn replace(it: &Definition, document: &Document) -> Result<Edit, Wrong> {
    it.value.map(Edit::Replace).ok_or_else(|| Wrong {
        place: it.missing.map(|node| document.place_of(node)),
        hint: it.missing.map(|_| "a null counts as no value; `value: NULL` says null"),
        ..Wrong::new("Missing value")
    })
}

fn remove(it: &Definition, document: &Document) -> Result<Edit, Wrong> {
    match it.value {
        None => Ok(Edit::Remove),
        Some(value) => Err(Wrong {
            place: Some(document.place_of(value)),
            ..Wrong::new("Cannot specify value")
        }),
    }
}

fn test(it: &Definition, _: &Document) -> Result<Edit, Wrong> {
    match (it.absent, it.value) {
        (Some(true), _) => Ok(Edit::Test(Expect::Absent)),
        (_, Some(value)) => Ok(Edit::Test(Expect::Equal(value))),
        (Some(false), None) => Ok(Edit::Test(Expect::Null)),
        (None, None) => Err(Wrong::new("Missing value or absent")),
    }
}

fn unknown(
    it: &Definition,
    document: &Document,
    number: u32,
    kind: &str,
) -> Box<Diagnostic> {
    let message =
        format!("Building ops: Unknown operation [{number}] with type '{kind}'");
    let place = it.kind.map_or(it.span, |kind: Node| document.place_of(kind));
    let near =
        |name: &&&str| strsim::damerau_levenshtein(name, &kind.to_lowercase()) <= 2;
    let hint = match ["replace", "remove", "test"].iter().find(near) {
        Some(name) => format!("did you mean '{name}'?"),
        None => "an op has the type 'replace', 'remove' or 'test'".into(),
    };
    Diagnostic::error(message).at(place).hint(hint)
}
