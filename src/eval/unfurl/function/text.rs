//! Functions of strings: `concat`, `token` and `urljoin`; `to_label` and relatives, which turn
//! a text, a list or a mapping into names that a system accepts. Long ones are cut and end
//! with a digest.

use sha1::{Digest, Sha1};

use crate::eval::python::url::{Url, quote, quote_plus};
use crate::eval::python::{
    self, Class, Dict, Exception, Key, Result, Value, limit_bytes, regex, str, truth,
};
use crate::eval::sensitive;
use crate::eval::unfurl::resource::child;
use crate::scalar::to_base64;

use super::call::{ExpressionFunction, UnfurlCall, function, text_of};

#[rustfmt::skip]
pub(super) const FUNCTIONS: &[ExpressionFunction] = &[
    function("concat", concat).required(&["items"]).keywords(&["sep"]).top_level(),
    function("token", token).required(&["text", "separator", "index"]).top_level(),
    function("urljoin", join_url).required(&["scheme", "host"])
        .optional(&["port", "path", "query", "fragment"]),
    function("to_dns_label", convert).required(&["text"]).keywords(KEYWORDS),
    function("to_googlecloud_label", convert).required(&["text"]).keywords(KEYWORDS),
    function("to_kubernetes_label", convert).required(&["text"]).keywords(KEYWORDS),
    function("to_label", convert).required(&["text"]).keywords(KEYWORDS),
];

/// Implements `concat`: the items of a list as one string.
fn concat(call: &UnfurlCall<'_>) -> Result<Value> {
    let Value::List(items) = call.data()? else { return call.data() };
    let separator = match call.keyword("sep")? {
        Some(separator) => text_of(&separator, "sep")?,
        None => String::new(),
    };
    let mut joined = String::new();
    for (at, item) in items.items()?.iter().enumerate() {
        // The result of the call is marked as a whole afterwards.
        let item = str(&sensitive::bare(item))?;
        limit_bytes(joined.len() + separator.len() + item.len())?;
        joined.extend((at > 0).then_some(&*separator));
        joined.push_str(&item);
    }
    Ok(Value::text(joined))
}

/// Implements `token`: one of the parts between separators.
fn token(call: &UnfurlCall<'_>) -> Result<Value> {
    let given = call.list()?;
    let [text, separator, index] = given.as_slice() else {
        return Err(Exception::of_type("'token' takes a text, a separator and an index"));
    };
    let whole = text_of(text, "a text")?;
    let separator = text_of(separator, "a separator")?;
    if separator.is_empty() {
        return Err(Exception::of_value("empty separator"));
    }
    let Value::Int(index) = index else {
        return Err(Exception::of_type_of(index, "an index must be an integer, not {}"));
    };
    let tokens: Vec<Value> = whole.split(&separator).map(Value::from).collect();
    match child(&Value::list(tokens), &Value::Int(*index))? {
        Some(token) => Ok(token),
        None => Err(Exception::new(Class::Index, "list index out of range")),
    }
}

/// Implements `urljoin`: a URL of its parts; null if all are empty.
fn join_url(call: &UnfurlCall<'_>) -> Result<Value> {
    let given = call.arguments()?;
    let part = |at: usize| match given.get(at) {
        Some(value) if truth(value)? => str(value),
        _ => Ok(String::new()),
    };
    let scheme = part(0)?;
    let host = part(1)?;
    let port = part(2)?;
    let path = quote(&part(3)?, "/");
    let query = quote_plus(&part(4)?, "");
    let fragment = quote(&part(5)?, "/");
    if [&scheme, &host, &path, &query, &fragment].iter().all(|part| part.is_empty()) {
        return Ok(Value::None);
    }
    let netloc = match (&*scheme, &*port) {
        // The default port of the scheme is left out.
        (_, "") | ("http", "80") | ("https", "443") => host,
        _ => format!("{host}:{port}"),
    };
    let url = Url { scheme, netloc, path, query, fragment };
    Ok(Value::text(url.unsplit(false)))
}

/// Settings of the functions, a rule each.
#[rustfmt::skip]
const KEYWORDS: &[&str] = &[
    "allowed", "start", "start_prepend", "end", "replace", "case", "max", "sep", "digest", "digestlen",
];

#[derive(Clone, Debug)]
struct LabelRules {
    allowed: String,
    start: String,
    start_prepend: String,
    end: Option<String>,
    replace: String,
    case: LetterCase,
    max: usize,
    sep: String,
    digest: Option<String>,
    /// Length of the digest; by default it depends on the maximum length.
    digestlen: Option<usize>,
    /// The separator of what was joined. Its characters are allowed, too.
    joins: String,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum LetterCase {
    Any,
    Lower,
    Upper,
}

/// Implements `to_label` and relatives.
fn convert(call: &UnfurlCall<'_>) -> Result<Value> {
    let rules = LabelRules::of(call)?;
    let argument = call.argument.force()?;
    let value = match &argument {
        Value::List(_) => Value::list(flat(call)?),
        _ => match call.data_of(&argument)? {
            Value::List(items) => {
                let items = items.items()?;
                let labels = items.iter().map(|item| rules.label_value(item));
                return Ok(Value::list(labels.collect::<Result<Vec<_>>>()?));
            }
            other => other,
        },
    };
    rules.label_value(&value)
}

/// Returns the items of a list. Lists that its expressions return are flattened.
fn flat(call: &UnfurlCall<'_>) -> Result<Vec<Value>> {
    let mut flat = Vec::new();
    for item in call.list()? {
        match item {
            Value::List(items) => flat.extend(items.items()?),
            other => flat.push(other),
        }
    }
    Ok(flat)
}

impl LabelRules {
    /// Returns the rules of a function, changed by the settings beside it.
    fn of(call: &UnfurlCall<'_>) -> Result<LabelRules> {
        let letter = "a-zA-Z";
        let any = "a-zA-Z0-9";
        let (allowed, start, end, replace, case) = match call.name() {
            "to_dns_label" => ("a-zA-Z0-9-", letter, Some(any), "--", LetterCase::Lower),
            "to_kubernetes_label" => (r"\w.-", any, Some(any), "__", LetterCase::Any),
            "to_googlecloud_label" => (r"\w-", letter, None, "__", LetterCase::Lower),
            _ => (r"\w", letter, None, "", LetterCase::Any),
        };
        let number = |name: &str| match call.keyword(name)? {
            None | Some(Value::None) => Ok(None),
            Some(Value::Int(number)) => Ok(Some(number)),
            Some(other) => {
                let message = format!("{name} must be an integer, not {{}}");
                Err(Exception::of_type_of(&other, &message))
            }
        };
        let bare = |class: String| match class.strip_prefix('[') {
            Some(inner) => inner.strip_suffix(']').unwrap_or(&class).to_owned(),
            None => class,
        };
        Ok(LabelRules {
            allowed: bare(call.text("allowed")?.unwrap_or(allowed.to_owned())),
            start: bare(call.text("start")?.unwrap_or(start.to_owned())),
            end: call.text("end")?.or(end.map(str::to_owned)).map(bare),
            start_prepend: call.text("start_prepend")?.unwrap_or("x".to_owned()),
            replace: call.text("replace")?.unwrap_or(replace.to_owned()),
            sep: call.text("sep")?.unwrap_or_default(),
            joins: String::new(),
            digest: call.text("digest")?,
            digestlen: number("digestlen")?.and_then(|len| usize::try_from(len).ok()),
            max: match number("max")?.map(usize::try_from) {
                None => 63,
                Some(Ok(max)) if max > 0 => max,
                Some(_) => return Err(Exception::of_value("max must be at least 1")),
            },
            case: match call.text("case")?.as_deref() {
                Some("lower") => LetterCase::Lower,
                Some("upper") => LetterCase::Upper,
                Some("any") => LetterCase::Any,
                _ => case,
            },
        })
    }

    fn label_value(&self, value: &Value) -> Result<Value> {
        match value {
            Value::Str(text) => Ok(Value::text(self.label(text)?)),
            Value::List(items) => {
                let parts =
                    items.items()?.iter().map(python::str).collect::<Result<Vec<_>>>()?;
                Ok(Value::text(self.join(&parts)?))
            }
            Value::Dict(entries) => {
                let labels = Dict::default();
                let keys = LabelRules { digest: None, ..self.clone() };
                for (key, value) in entries.entries()? {
                    if !matches!(value, Value::None) {
                        let key = keys.label_value(key.value())?;
                        labels.set(Key::new(key)?, self.label_value(&value)?);
                    }
                }
                Ok(Value::Dict(labels))
            }
            other => Ok(other.clone()),
        }
    }

    /// Returns the length of the digest behind a label that was cut.
    fn digest_length(&self) -> usize {
        // Unfurl's defaults.
        let usual = if self.max < 32 { 2 } else { 3 };
        self.digestlen.unwrap_or(usual).min(self.max)
    }

    fn label(&self, text: &str) -> Result<String> {
        let mut label = match text.chars().next() {
            Some(c) if !is_one_of(c, &self.start)? => {
                format!("{}{text}", self.start_prepend)
            }
            _ => text.to_owned(),
        };
        // A label that is too long is cut anyway: replacements would only use up its length.
        let replace = if count(&label) > self.max { "" } else { &*self.replace };
        let wrong = compile(&self.allowed)?;
        let write = |found: &regex::Match, out: &mut String| {
            let c = &label[found.whole()];
            out.push_str(if self.joins.contains(c) { c } else { replace });
        };
        let replaced = wrong.replace_with(&label, 0, write)?.0;
        label = replaced;
        if let Some(end) = &self.end {
            while let Some(c) = label.chars().next_back()
                && !is_one_of(c, end)?
            {
                label.pop();
            }
        }
        label = match self.case {
            LetterCase::Any => label,
            LetterCase::Lower => label.to_lowercase(),
            LetterCase::Upper => label.to_uppercase(),
        };
        let digest = self.digest_length();
        if digest > 0 && (self.digest.is_some() || count(&label) > self.max) {
            let digest = self.digest_of(text, digest);
            return Ok(self.cut(&label, self.max - count(&digest)) + &digest);
        }
        Ok(self.cut(&label, self.max))
    }

    /// Makes one label of several texts. Each keeps its share of the maximum length.
    fn join(&self, parts: &[String]) -> Result<String> {
        if parts.is_empty() {
            return Ok(String::new());
        }
        let part = LabelRules {
            start: self.allowed.clone(),
            start_prepend: String::new(),
            end: None,
            case: LetterCase::Any,
            // Parts are cut together below, not one by one.
            max: 9999,
            digest: None,
            digestlen: Some(0),
            ..self.clone()
        };
        let labels =
            parts.iter().map(|one| part.label(one)).collect::<Result<Vec<_>>>()?;
        let separators = count(&self.sep).saturating_mul(parts.len() - 1);
        let room = self.max - separators.min(self.max - 1);
        let mut joined = first(&labels.join(&self.sep), self.max);
        let length: usize = labels.iter().map(|label| count(label)).sum();
        let digest = self.digest_length();
        if (length > room || self.digest.is_some()) && digest > 0 {
            let share = (room / parts.len()).max(1);
            let left: usize =
                labels.iter().map(|label| share.saturating_sub(count(label))).sum();
            let share = share + left / labels.len();
            let labels: Vec<String> =
                labels.iter().map(|label| self.cut(label, share)).collect();
            let digest = self.digest_of(&parts.concat(), digest);
            let Some(room) =
                self.max.checked_sub(count(&digest)).filter(|room| *room > 0)
            else {
                return Ok(digest);
            };
            joined = first(&labels.join(&self.sep), room) + &digest;
        }
        let joins = self.sep.clone();
        LabelRules { joins, digest: None, digestlen: Some(0), ..self.clone() }
            .label(&joined)
    }

    /// Removes the middle of a label that is too long.
    fn cut(&self, label: &str, max: usize) -> String {
        if count(label) <= max {
            return label.to_owned();
        }
        let kept = max.saturating_sub(count(&self.replace));
        // Too short for a start and an end on both sides of a replacement.
        if kept <= 8 {
            return first(label, max);
        }
        let end: String = label.chars().skip(count(label) - kept / 2).collect();
        first(label, kept.div_ceil(2)) + &self.replace + &end
    }

    /// Returns the first characters of the digest of a source text.
    fn digest_of(&self, text: &str, length: usize) -> String {
        let mut sha = Sha1::new();
        sha.update(text);
        sha.update(self.digest.as_deref().unwrap_or_default());
        let bytes = sha.finalize();
        let digest = match self.case {
            // Base 64 needs both cases; base 32 survives a change of case.
            LetterCase::Any => to_base64(&bytes).replace(['=', '/', '+'], ""),
            LetterCase::Lower => to_base32(&bytes).to_lowercase(),
            LetterCase::Upper => to_base32(&bytes),
        };
        first(&digest, length)
    }
}

fn count(text: &str) -> usize {
    text.chars().count()
}

fn first(text: &str, count: usize) -> String {
    text.chars().take(count).collect()
}

/// Returns a pattern for the characters that a class does not contain.
fn compile(class: &str) -> Result<std::sync::Arc<regex::Pattern>> {
    regex::compile(&format!("[^{class}]"), regex::Flags::default())
}

fn is_one_of(c: char, class: &str) -> Result<bool> {
    Ok(compile(class)?.match_start(&c.to_string())?.is_none())
}

/// Encodes bytes in base 32 without padding.
fn to_base32(bytes: &[u8]) -> String {
    let mut text = String::new();
    let mut held = 0u32;
    let mut bits = 0;
    let letter =
        |five: u32| char::from(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[(five & 31) as usize]);
    for byte in bytes {
        (held, bits) = (held << 8 | u32::from(*byte), bits + 8);
        while bits >= 5 {
            bits -= 5;
            text.push(letter(held >> bits));
        }
        held &= (1 << bits) - 1;
    }
    if bits > 0 {
        text.push(letter(held << (5 - bits)));
    }
    text
}
