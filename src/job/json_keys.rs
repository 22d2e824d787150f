//! Reads the keys of a JSON text as the keys of a document: JSON has texts only, so that `200`
//! is `"200"` there. A text that came out of a document as JSON and goes back, or is compared
//! with it, means the keys that the document has.

use std::borrow::Cow;

use crate::arena::{Arena, Index, Style, flag};
use crate::compare;
use crate::diagnostic::Diagnostics;
use crate::layout;
use crate::node::{NodeId, Tree};
use crate::scalar::{Scalar, spell_json};
use crate::source::Sources;
use crate::yaml::{self, Options};

/// Returns a text with the keys that a document has at the same places: if the text is JSON,
/// a key `"200"` is the number 200 where the document has that. A key that is a text there
/// stays one, and so does a new key.
///
/// # Errors
/// The text cannot be read again with these options.
///
/// ```
/// use interpolate::unstable::job::with_keys_of;
/// use interpolate::unstable::source::Sources;
/// use interpolate::unstable::yaml::{self, Options};
///
/// let options = Options::default();
/// let mut sources = Sources::default();
/// let base = sources.add("base.yml", "200: fine\n'404': gone\n");
/// let json = sources.add("edited.json", r#"{"200": "ok", "404": "gone"}"#);
/// let base = yaml::read(&sources, base, &options)?;
/// let json = yaml::read(&sources, json, &options)?;
/// let read = with_keys_of(&mut sources, &base, json, &options).unwrap();
/// assert_eq!(read.to_string(), r#"{200: "ok", "404": "gone"}"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn with_keys_of(
    sources: &mut Sources,
    document: &Tree,
    text: Tree,
    options: &Options,
) -> Result<Tree, Diagnostics> {
    if !text.is_clean() || !has_other_keys(document) || !layout::is_json(text.base()) {
        return Ok(text);
    }
    let keys = compare::pair_text_keys(document, &text);
    if keys.is_empty() {
        return Ok(text);
    }
    let unquoted = with_keys(text.base(), document, keys);
    let file = sources.add_draft(unquoted, text.file(), "");
    let options = Options { dialect: text.dialect(), ..*options };
    Ok(yaml::read(sources, file, &options)?)
}

/// Returns two documents that are compared, each with the keys that the other one has at the
/// same places.
///
/// # Errors
/// As for [`with_keys_of`].
pub fn with_same_keys(
    sources: &mut Sources,
    [old, new]: [Tree; 2],
    options: &Options,
) -> Result<[Tree; 2], Diagnostics> {
    let new = with_keys_of(sources, &old, new, options)?;
    let old = with_keys_of(sources, &new, old, options)?;
    Ok([old, new])
}

/// Returns base, ours and theirs, which are merged, with the keys of ours: the text of the
/// result is that of ours.
///
/// # Errors
/// As for [`with_keys_of`].
pub fn with_keys_of_ours(
    sources: &mut Sources,
    [base, ours, theirs]: [Tree; 3],
    options: &Options,
) -> Result<[Tree; 3], Diagnostics> {
    let mut keyed = |version| {
        let version = with_text_keys(sources, &ours, version, options)?;
        with_keys_of(sources, &ours, version, options)
    };
    let base = keyed(base)?;
    let theirs = keyed(theirs)?;
    Ok([base, ours, theirs])
}

/// Returns a text with the names that JSON has for its keys, if it goes into a document that
/// is JSON: `200` is `"200"` there.
fn with_text_keys(
    sources: &mut Sources,
    document: &Tree,
    text: Tree,
    options: &Options,
) -> Result<Tree, Diagnostics> {
    if !text.is_clean() || !layout::is_json(document.base()) || !has_other_keys(&text) {
        return Ok(text);
    }
    let arena = text.base();
    let mut out = String::new();
    let mut at = 0;
    let mappings = arena.indices().filter(|&i| arena.style(i).is_mapping());
    let mut keys: Vec<Index> =
        mappings.flat_map(|i| arena.entries(i)).map(|(key, _)| key).collect();
    keys.sort_unstable();
    for key in keys {
        let node = NodeId::Clean(arena.file(), key);
        // A tag or an anchor has no place in JSON, and says that the key is something else.
        let is_bare = arena.style(key) == Style::Plain && !arena.has(key, flag::PROPS);
        let Some(name) = text.json_name(node).filter(|_| is_bare) else { continue };
        if text.string(node).is_none() {
            let span = arena.span(key);
            out.push_str(&arena.text()[at..span.start as usize]);
            out.push_str(&spell_json(&name));
            at = span.end as usize;
        }
    }
    out.push_str(&arena.text()[at..]);
    let file = sources.add_draft(out, text.file(), "");
    let options = Options { dialect: text.dialect(), ..*options };
    Ok(yaml::read(sources, file, &options)?)
}

/// Returns true if a key of a document is no text.
fn has_other_keys(document: &Tree) -> bool {
    let is_other = |arena: &Arena, key: Index| {
        document.string(NodeId::Clean(arena.file(), key)).is_none()
    };
    document.arenas().any(|arena| {
        let mut mappings = arena.indices().filter(|&i| arena.style(i).is_mapping());
        mappings.any(|i| arena.entries(i).any(|(key, _)| is_other(arena, key)))
    })
}

/// Returns a JSON text in which some keys are those of a document.
fn with_keys(json: &Arena, document: &Tree, pairs: Vec<(NodeId, NodeId)>) -> String {
    let mut keys = Vec::new();
    for (was, now) in pairs {
        if let NodeId::Clean(_, i) = now {
            keys.push((i, spelling(document, was).unwrap_or_else(|| json.string(i))));
        }
    }
    keys.sort_unstable();
    keys.dedup_by_key(|&mut (key, _)| key);
    let mut out = String::new();
    let mut at = 0;
    for (key, spelling) in keys {
        let span = json.span(key);
        out.push_str(&json.text()[at..span.start as usize]);
        out.push_str(&spelling);
        let rest = &json.text()[span.end as usize..];
        let colon = rest.find(':').map_or(0, |colon| colon + 1);
        out.push_str(&rest[..colon]);
        // Without quotes a key ends only before a colon with a blank behind it.
        if !rest[colon..].starts_with([' ', '\t', '\n', '\r']) {
            out.push(' ');
        }
        at = span.end as usize + colon;
    }
    out.push_str(&json.text()[at..]);
    out
}

/// Returns the text of a key as it is written, if that needs neither a tag nor quotes.
fn spelling(document: &Tree, key: NodeId) -> Option<Cow<'_, str>> {
    let text = document.member_name(key).filter(|text| !text.is_empty())?;
    let plain = Scalar::plain(&*text, document.dialect()).identity();
    (document.identity(key) == Some(plain)).then_some(text)
}
