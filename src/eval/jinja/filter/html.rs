//! Filters of HTML: escaping, tags, attributes, links.

use std::sync::{Arc, LazyLock};

use entities::ENTITIES;
use hashbrown::HashMap;

use super::parameter::{flag, given, index, method, string, text, value_error};
use crate::eval::jinja::{CallSite, Plugin, PluginTable, defined};
use crate::eval::python::{self, Bound, Result, Stamp, Str, Value, limit_bytes, regex};

#[rustfmt::skip]
pub(super) const FILTERS: PluginTable = &[
    Plugin::of_value("e", "escape", escape),
    Plugin::of_value("escape", "escape", escape),
    Plugin::of_value("forceescape", "do_forceescape", forceescape),
    Plugin::of_value("safe", "do_mark_safe", safe),
    Plugin::of_value("striptags", "do_striptags", striptags),
    Plugin::new("urlize", "do_urlize", &["value"],
        &["trim_url_limit", "nofollow", "target", "rel", "extra_schemes"], urlize),
    Plugin::new("xmlattr", "do_xmlattr", &["d"], &["autospace"], xmlattr),
];

/// Returns a string that is not escaped again.
pub(crate) fn markup(text: String) -> Value {
    Value::Str(Str::made(text, Stamp { markup: true, ..Stamp::default() }))
}

pub(in crate::eval::jinja) fn is_markup(value: &Value) -> bool {
    matches!(value, Value::Str(text) if text.is_markup())
}

/// Returns a text of HTML, as markup where filters escape.
fn html(call: &CallSite<'_>, text: String) -> Value {
    if call.escapes { markup(text) } else { Value::from(text) }
}

/// Returns a text as markup, and another value as it is.
pub(in crate::eval::jinja) fn as_markup(value: Value) -> Value {
    match value {
        Value::Str(text) => Value::Str(Str::stamped(
            text.shared(),
            Stamp { markup: true, ..text.stamp() },
        )),
        other => other,
    }
}

/// Joins values as markup: those that are no markup are escaped.
pub(in crate::eval::jinja) fn joined(parts: &[Value], between: &str) -> Result<Value> {
    let mut out = String::new();
    for (at, part) in parts.iter().enumerate() {
        if at > 0 {
            out.push_str(&python::escape(between));
        }
        out.push_str(&escaped(part)?);
        limit_bytes(out.len())?;
    }
    Ok(markup(out))
}

/// Returns the text of a value, escaped unless it is markup.
fn escaped(value: &Value) -> Result<String> {
    match value {
        Value::Str(text) if text.is_markup() => Ok(text.to_string()),
        other => Ok(python::escape(&python::str(other)?)),
    }
}

/// `escape`: markup stays as it is, other values are escaped.
fn escape(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    match arguments.only() {
        Value::Str(text) if text.is_markup() => Ok(Value::Str(text)),
        other => Ok(markup(python::escape(&python::str(&other)?))),
    }
}

/// `forceescape`: escapes markup, too.
fn forceescape(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    Ok(markup(python::escape(&python::str(&arguments.only())?)))
}

fn safe(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    Ok(markup(python::str(&arguments.only())?))
}

fn striptags(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let value = python::str(&arguments.only())?;
    // Comments go first: they may contain tags, and `>`.
    let text = without(&without(&value, "<!--", "-->"), "<", ">");
    let words: Vec<&str> = text.split_whitespace().collect();
    call.scope.context.spend(text.matches('&').count() as u64 * STEPS_OF_REFERENCE)?;
    Ok(Value::from(unescape(&words.join(" "))))
}

/// Removes everything from an opening mark to the closing one.
fn without(text: &str, open: &str, close: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, inside)) = rest.split_once(open) {
        let Some((_, after)) = inside.split_once(close) else { break };
        out.push_str(before);
        rest = after;
    }
    out + rest
}

/// Replaces the character references of a string, as a browser does.
fn unescape(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        out.push_str(before);
        match reference(after) {
            Some((characters, length)) => {
                out.push_str(&characters);
                rest = after.get(length..).unwrap_or_default();
            }
            None => {
                out.push('&');
                rest = after;
            }
        }
    }
    out + rest
}

/// Number of steps in which a reference is looked up.
// Up to 33 lengths of a name are tried, three of them in a step.
const STEPS_OF_REFERENCE: u64 = 10;

/// Maximum length of a named reference in characters.
// 32 and a semicolon, as in Python's `html.unescape`.
const MAX_REFERENCE: usize = 33;

/// The characters of named references, by the name that follows `&`.
static CHARACTERS: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
    ENTITIES.iter().filter_map(|of| Some((of.entity.get(1..)?, of.characters))).collect()
});

/// Returns the characters of the reference after an `&`, and its length in bytes.
fn reference(text: &str) -> Option<(String, usize)> {
    if let Some(number) = text.strip_prefix('#') {
        let (digits, radix, marks) = match number.strip_prefix(['x', 'X']) {
            Some(digits) => (digits, 16, 2),
            None => (number, 10, 1),
        };
        let length =
            digits.bytes().take_while(|b| char::from(*b).is_digit(radix)).count();
        let digits = digits.get(..length).filter(|digits| !digits.is_empty())?;
        let closes = usize::from(text.as_bytes().get(marks + length) == Some(&b';'));
        let code = u32::from_str_radix(digits, radix).unwrap_or(u32::MAX);
        return Some((character(code), marks + length + closes));
    }
    // The longest name wins: `&notin;` is not `&not` with `in;` after it.
    let ends = text.char_indices().map(|(at, c)| at + c.len_utf8()).take(MAX_REFERENCE);
    // All prefixes are candidates, since the semicolon of old names is optional.
    let mut ends = ends.collect::<Vec<_>>().into_iter().rev();
    ends.find_map(|end| {
        let characters = CHARACTERS.get(text.get(..end)?)?;
        Some(((*characters).to_owned(), end))
    })
}

/// Returns the character of a numeric reference. HTML reads 128 to 159 as Windows-1252.
fn character(code: u32) -> String {
    const WINDOWS: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}',
        'Ž', '\u{8f}', '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›',
        'œ', '\u{9d}', 'ž', 'Ÿ',
    ];
    match code {
        0 => '\u{fffd}'.to_string(),
        0x80..=0x9f => WINDOWS[code as usize - 0x80].to_string(),
        1..=8 | 0xe..=0x1f | 0xb | 0x7f | 0xfdd0..=0xfdef => String::new(),
        code if code & 0xfffe == 0xfffe && code <= 0x0010_ffff => String::new(),
        code => char::from_u32(code).unwrap_or('\u{fffd}').to_string(),
    }
}

fn xmlattr(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [space]) = arguments.split();
    let mut out = String::new();
    for pair in python::iterate(&method(&value, "items", [])?)? {
        let [key, value] = python::unpack(&pair)?;
        if matches!(value, Value::None) {
            continue;
        }
        let value = defined(value)?;
        let key = string(&key, "expected string or bytes-like object,")?;
        // These characters end the name of an attribute, so that a key could add
        // attributes of its own (CVE-2024-34064).
        if key.contains(|c: char| c.is_whitespace() || matches!(c, '/' | '>' | '=')) {
            let shown = python::repr(&Value::text(key))?;
            return value_error(format!("Invalid character in attribute name: {shown}"));
        }
        let value = escaped(&value)?;
        out.push_str(&format!(" {}=\"{value}\"", python::escape(key)));
    }
    let spaced = flag(space, true)?;
    let out = out.get(usize::from(!spaced && !out.is_empty())..).unwrap_or_default();
    Ok(html(call, out.to_owned()))
}

/// Compiles a pattern that matches letters in either case.
fn without_case(pattern: &str) -> Result<Arc<regex::Pattern>> {
    regex::compile(pattern, regex::Flags { ignorecase: true, ..regex::Flags::default() })
}

struct UrlLinker {
    attributes: String,
    limit: Option<usize>,
    schemes: Vec<String>,
}

fn urlize(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [limit, nofollow, target, rel, schemes]) = arguments.split();
    let relations = relations(&text(given(rel), "")?, flag(nofollow, false)?);
    let mut attributes = format!(" rel=\"{}\"", python::escape(&relations));
    let target = text(given(target), "")?;
    if !target.is_empty() {
        attributes.push_str(&format!(" target=\"{}\"", python::escape(&target)));
    }
    let limit = given(limit).map(|limit| index(&limit)).transpose()?;
    let limit = limit.map(|limit| usize::try_from(limit).unwrap_or(0));
    let schemes = given(schemes).map_or(Ok(Vec::new()), |s| python::iterate(&s))?;
    let schemes = schemes.iter().map(python::str).collect::<Result<Vec<_>>>()?;
    let scheme = without_case(r"^([\w.+-]{2,}:(/){0,2})$")?;
    if let Some(bad) =
        schemes.iter().find(|s| !scheme.search(s).is_ok_and(|found| found.is_some()))
    {
        return value_error(format!("'{bad}' is not a valid URI scheme prefix."));
    }
    let linked = UrlLinker { attributes, limit, schemes }.all(&escaped(&value)?)?;
    Ok(html(call, linked))
}

/// Returns the attribute `rel`: each word once, sorted.
fn relations(given: &str, nofollow: bool) -> String {
    let own = nofollow.then_some("nofollow").into_iter().chain(["noopener"]);
    let mut words: Vec<&str> = given.split_whitespace().chain(own).collect();
    words.sort_unstable();
    words.dedup();
    words.join(" ")
}

const PAIRS: [(&str, &str); 3] = [("(", ")"), ("<", ">"), ("&lt;", "&gt;")];

/// The pattern of a URL in Jinja: with a scheme or `www`, or a name in a common domain.
const WEB: &str = r"^((https?://|www\.)(([\w%-]+\.)+)?([a-z]{2,63}|xn--[\w%]{2,59})|([\w%-]{2,63}\.)+(com|net|int|edu|gov|org|info|mil)|(https?://)((([\d]{1,3})(\.[\d]{1,3}){3})|(\[([\da-f]{0,4}:){2}([\da-f]{0,4}:?){1,6}])))(?::[\d]{1,5})?(?:[/?#]\S*)?$";

const MAIL: &str = r"^\S+@\w[\w.-]*\.\w+$";

impl UrlLinker {
    /// Links the words of a text.
    fn all(&self, text: &str) -> Result<String> {
        let mut out = String::new();
        let mut word = String::new();
        for c in text.chars().chain([' ']) {
            if c.is_whitespace() {
                out.push_str(&self.word(&std::mem::take(&mut word))?);
                out.push(c);
                limit_bytes(out.len())?;
            } else {
                word.push(c);
            }
        }
        out.pop();
        Ok(out)
    }

    /// Links a word without the brackets and punctuation around it.
    fn word(&self, word: &str) -> Result<String> {
        let mut middle = word;
        while let Some(rest) =
            PAIRS.iter().find_map(|(open, _)| middle.strip_prefix(open))
        {
            middle = rest;
        }
        let head = word.get(..word.len() - middle.len()).unwrap_or_default();
        let whole = middle;
        let ends = [")", ">", ".", ",", "&gt;"];
        while let Some(rest) = ends.iter().find_map(|end| middle.strip_suffix(end)) {
            middle = rest;
        }
        // A closing bracket belongs to the link if the link has its opening one:
        // `example.com/a_(b)`.
        for (open, close) in PAIRS {
            let opened = middle.matches(open).count();
            if opened <= middle.matches(close).count() {
                continue;
            }
            for _ in 0..opened {
                let tail = whole.get(middle.len()..).unwrap_or_default();
                let Some(at) = tail.find(close) else { break };
                middle = whole.get(..middle.len() + at + close.len()).unwrap_or(middle);
            }
        }
        let tail = whole.get(middle.len()..).unwrap_or_default();
        Ok(format!("{head}{}{tail}", self.link(middle)?))
    }

    fn link(&self, text: &str) -> Result<String> {
        if text.is_empty() {
            return Ok(String::new());
        }
        let attributes = &self.attributes;
        let mail = regex::compile(MAIL, regex::Flags::default())?;
        if without_case(WEB)?.search(text)?.is_some() {
            let has_scheme = text.starts_with("https://") || text.starts_with("http://");
            let scheme = if has_scheme { "" } else { "https://" };
            let shown = self.shown(text);
            return Ok(format!("<a href=\"{scheme}{text}\"{attributes}>{shown}</a>"));
        }
        if let Some(address) = text.strip_prefix("mailto:")
            && mail.search(address)?.is_some()
        {
            return Ok(format!("<a href=\"{text}\">{address}</a>"));
        }
        let address = text.contains('@')
            && !text.starts_with("www.")
            && !text.starts_with('@')
            && !text.contains(':');
        if address && mail.search(text)?.is_some() {
            return Ok(format!("<a href=\"mailto:{text}\">{text}</a>"));
        }
        let mut schemes = self.schemes.iter();
        if schemes.any(|scheme| text != scheme && text.starts_with(&**scheme)) {
            return Ok(format!("<a href=\"{text}\"{attributes}>{text}</a>"));
        }
        Ok(text.to_owned())
    }

    fn shown(&self, text: &str) -> String {
        match self.limit {
            Some(limit) if text.chars().count() > limit => {
                let kept: String = text.chars().take(limit).collect();
                format!("{kept}...")
            }
            _ => text.to_owned(),
        }
    }
}
