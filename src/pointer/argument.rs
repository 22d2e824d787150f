//! Paths in arguments of the command line, before a `=`: a pointer, or a dotted path such as
//! `jobs[name=web].env.PATH`, `a['b.c'][0]` or `a."b.c"[0]`.

use std::ops::Range;

use super::bosh::{Pointer, Token};

/// Splits `PATH=VALUE` at the first `=` that is not in brackets or in a key in quotes. Blanks
/// before the `=`, and one behind it if there are some before it, belong to neither part.
///
/// ```
/// use interpolate::unstable::pointer::split_argument;
/// let (path, value) = split_argument("jobs[name=web].args=a=b").unwrap();
/// assert_eq!((path, value), ("jobs[name=web].args", "a=b"));
/// assert_eq!(split_argument("image.tag = 1.10"), Some(("image.tag", "1.10")));
/// ```
pub fn split_argument(text: &str) -> Option<(&str, &str)> {
    let at = equals_sign(text)?;
    let path = text[..at].trim_end();
    let value = &text[at + 1..];
    let spaced = value.strip_prefix(' ').filter(|_| path.len() < at);
    Some((path, spaced.unwrap_or(value)))
}

/// Returns the offset of the `=` behind the path that an argument begins with.
fn equals_sign(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut quote = None;
    let mut behind_key = 0;
    for (at, c) in text.char_indices() {
        if at < behind_key {
            continue;
        }
        if depth == 0
            && begins_key(text, at)
            && let Some(key) = QuotedKey::at_start(&text[at..])
        {
            behind_key = at + key.length;
            continue;
        }
        match (quote, c) {
            (Some(open), _) if open == c => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') if depth > 0 => quote = Some(c),
            (None, '[') => depth += 1,
            (None, ']') => depth = depth.saturating_sub(1),
            (None, '=') if depth == 0 => return Some(at),
            (None, _) => {}
        }
    }
    None
}

/// Parses a path that begins with `/`, in which a match may be written in brackets, or a
/// dotted path. If it `creates`, mappings at the end of a dotted path may be missing.
///
/// # Errors
/// The mistake.
///
/// ```
/// use interpolate::unstable::pointer::{Pointer, parse_argument};
/// let pointer = Pointer::parse("/jobs/name=web/env").unwrap();
/// assert_eq!(parse_argument("/jobs[name=web]/env", false).unwrap(), pointer);
/// ```
pub fn parse_argument(text: &str, creates: bool) -> Result<Pointer, String> {
    if !text.starts_with('/') && !text.is_empty() {
        return dotted(text, creates);
    }
    let mut path = String::new();
    let mut rest = text;
    while let Some((before, inner)) = rest.split_once('[') {
        let end = closing(inner).ok_or("a '[' is not closed")?;
        if before.ends_with('/') {
            return Err(apart(text));
        }
        let token = Pointer::escape(&inner[..end]);
        path += &format!("{before}/{token}");
        rest = &inner[end + 1..];
    }
    Pointer::parse(&(path + rest))
}

impl Pointer {
    /// Returns the pointer that a path in the spelling of another tool likely means: `a.b[0]`,
    /// `a."b.c"`, `$.a`, `#/a`, `a/b`.
    pub fn respelt(text: &str) -> Option<String> {
        if !text.starts_with(['/', '$', '#']) && text.contains(['"', '\'']) {
            return dotted(text, false).ok().map(|pointer| pointer.spell());
        }
        let path = text.strip_prefix(['$', '#']).unwrap_or(text).replace(['"', '\''], "");
        let path = path.replace(['.', '['], "/").replace(']', "");
        let path = format!("/{}", path.trim_matches('/'));
        let path = path.replace("//", "/");
        (path.len() > 1 && Pointer::parse(&path).is_ok()).then_some(path)
    }
}

/// Returns the parts of a path that are its tokens, if [`parse_argument`] takes it.
///
/// ```
/// use interpolate::unstable::pointer::token_ranges;
/// let path = "jobs[name=web].port";
/// let tokens: Vec<&str> = token_ranges(path).into_iter().map(|it| &path[it]).collect();
/// assert_eq!(tokens, ["jobs", "[name=web]", "port"]);
/// ```
pub fn token_ranges(path: &str) -> Vec<Range<usize>> {
    let separator = if path.starts_with('/') { '/' } else { '.' };
    let mut ranges = Vec::new();
    let mut start = 0;
    while start < path.len() {
        let rest = &path[start..];
        let quoted = begins_key(path, start).then(|| QuotedKey::at_start(rest)).flatten();
        let length = match (rest.strip_prefix('['), quoted) {
            (Some(inner), _) => closing(inner).map_or(rest.len(), |end| {
                // A `?` marks an item that is made.
                end + 2 + usize::from(inner[end + 1..].starts_with('?'))
            }),
            (None, Some(key)) => key.length,
            (None, None) if rest.starts_with(separator) => {
                start += 1;
                continue;
            }
            (None, None) => rest.find([separator, '[']).unwrap_or(rest.len()),
        };
        ranges.push(start..start + length);
        start += length;
    }
    ranges
}

/// Parses a dotted path to a pointer; `.` is the root. If it `creates`, mappings at its end may
/// be missing; a list, an item or a match must be there, unless a `?` stands behind its bracket.
///
/// # Errors
/// The mistake, with a hint at the spelling that works.
fn dotted(text: &str, creates: bool) -> Result<Pointer, String> {
    let mut rest = text.strip_prefix('.').unwrap_or(text);
    if let Some(meant) = other_spelling(text) {
        return Err(meant);
    }
    let mut tokens = Vec::new();
    let mut marked = None;
    let mut expects_key = !rest.is_empty();
    while !rest.is_empty() {
        if let Some(inner) = rest.strip_prefix('[') {
            let end = closing(inner).ok_or("a '[' is not closed")?;
            tokens.push(bracket(&inner[..end], text)?);
            rest = &inner[end + 1..];
            if let Some(behind) = rest.strip_prefix('?') {
                marked.get_or_insert(tokens.len() - 1);
                rest = behind;
            }
        } else if let Some(quoted) = QuotedKey::at_start(rest).filter(|_| expects_key) {
            tokens.push(Token::Key(quoted.name.to_owned()));
            rest = &rest[quoted.length..];
        } else if let Some(quote) = open_quote(rest).filter(|_| expects_key) {
            return Err(format!("a {quote} is not closed; a key with one is ['…']"));
        } else if expects_key {
            let end = rest.find(['.', '[']).unwrap_or(rest.len());
            if rest[..end].ends_with('\\') {
                return Err(escaped(text, text.len() - rest.len()));
            }
            tokens.push(key(&rest[..end], text)?);
            rest = &rest[end..];
        } else {
            return Err(format!("expected '.' or '[' before '{rest}'"));
        }
        expects_key = false;
        if let Some(next) = rest.strip_prefix('.') {
            if next.is_empty() {
                return Err("a path does not end with '.'".into());
            }
            rest = next;
            expects_key = true;
        }
    }
    if tokens.len() > Pointer::LONGEST {
        return Err(format!("a path has at most {} keys", Pointer::LONGEST));
    }
    let fixed = tokens.iter().rposition(|it| !creates || !matches!(it, Token::Key(_)));
    let required = fixed.map_or(0, |last| last + 1);
    Ok(Pointer { required: marked.map_or(required, |at| required.min(at)), tokens })
}

/// A key of a dotted path that stands in quotes: in `a."b.c"` the dot is a part of the key.
struct QuotedKey<'a> {
    name: &'a str,
    /// The length with the quotes.
    length: usize,
}

impl<'a> QuotedKey<'a> {
    /// Returns the key in quotes that a text begins with. A quote that does not close right
    /// before the end of the key is a part of it, as in `'n'one`.
    fn at_start(text: &'a str) -> Option<QuotedKey<'a>> {
        let quote = text.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
        let (name, rest) = text[1..].split_once(quote)?;
        let ends = rest.is_empty() || rest.starts_with(['.', '[', '=']);
        ends.then_some(QuotedKey { name, length: name.len() + 2 })
    }
}

/// Returns the quote that a text begins with, if it is not closed.
fn open_quote(text: &str) -> Option<char> {
    let quote = text.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    (!text[1..].contains(quote)).then_some(quote)
}

/// Returns true if a key of a dotted path may begin at an offset.
fn begins_key(path: &str, at: usize) -> bool {
    !path.starts_with(['/', '$']) && (at == 0 || path[..at].ends_with('.'))
}

/// Returns the offset of the bracket that closes what is open at the start.
fn closing(text: &str) -> Option<usize> {
    let mut quote = None;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (None, ']') => return Some(at),
            (None, '\'' | '"') => quote = Some(c),
            (Some(open), _) if open == c => quote = None,
            _ => {}
        }
    }
    None
}

/// Returns the message for a '/' before a bracket: it would be the end of an empty key.
fn apart(path: &str) -> String {
    let together = path.replace("/[", "[");
    let meant =
        if together.starts_with('[') { together.replace('/', ".") } else { together };
    format!("no '/' stands before a '[': write '{meant}'")
}

/// Returns the message for a path as kubectl or jq spells it, which no key begins with.
fn other_spelling(path: &str) -> Option<String> {
    let inner = path.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    let inner = inner.map(|inner| inner.trim()).filter(|it| it.starts_with(['.', '$']));
    if let Some(inner) = inner {
        let meant = if inner.contains(['*', '?']) || inner.contains("..") {
            format!("${}", inner.trim_start_matches('$'))
        } else {
            inner.trim_start_matches(['$', '.']).to_owned()
        };
        return Some(format!("a path has no braces: write '{meant}'"));
    }
    path.starts_with("..")
        .then(|| format!("'..' stands in a JSONPath only: write '${path}'"))
}

fn key(text: &str, path: &str) -> Result<Token, String> {
    if text == "*" {
        return Err(wildcard(path));
    }
    if text.is_empty() {
        return Err("a key is missing: the empty key is ['']".into());
    }
    Ok(Token::Key(text.to_owned()))
}

/// Returns the message for a dot that is escaped with a backslash, in the key at `start`.
fn escaped(path: &str, start: usize) -> String {
    let mut name = String::new();
    let mut rest = path[start..].chars();
    let rest = loop {
        let left = rest.as_str();
        match rest.next() {
            Some('\\') => name.extend(rest.next()),
            None | Some('.' | '[') => break left,
            Some(c) => name.push(c),
        }
    };
    let around = path[..start].trim_end_matches('.');
    format!("a key with a dot is quoted, not escaped: write {around}['{name}']{rest}")
}

fn bracket(text: &str, path: &str) -> Result<Token, String> {
    if text == "+" {
        return Ok(Token::End);
    }
    if let Some(key) = unquoted(text) {
        return Ok(Token::Key(key.to_owned()));
    }
    if let Ok(index) = text.parse() {
        return Ok(Token::Index(index, Vec::new()));
    }
    if let Some(meant) = condition(text) {
        return Err(format!("an item is chosen by its key and text: write '[{meant}]'"));
    }
    if let Some((key, value)) = text.split_once('=') {
        let [key, value] =
            [key, value].map(|part| unquoted(part).unwrap_or(part).to_owned());
        return Ok(Token::Match { key, value, modifiers: Vec::new() });
    }
    Err(match text {
        "*" => wildcard(path),
        "" => wildcard(&path.replace("[]", "[*]")),
        _ => {
            format!(
                "write ['{text}'] for a key, [0] for an index, [name=x] for an item, [+] for \
                 a new one"
            )
        }
    })
}

/// Returns the match that a condition of jq, yq or JSONPath stands for: `name=web` for
/// `.name == "web"`, `?(@.name=="web")` or `name = web`.
fn condition(text: &str) -> Option<String> {
    let marks: &[char] = &['?', '(', '@', '.', ' '];
    let bare = text.trim_start_matches(marks);
    let (key, value) = bare.split_once('=')?;
    let compared = value.strip_prefix('=');
    let is_condition = compared.is_some()
        || bare.len() < text.len()
        || key.ends_with(' ') && value.starts_with(' ');
    let value = compared.unwrap_or(value).trim_matches([' ', ')']);
    let value = unquoted(value).unwrap_or(value);
    let is_key = !key.trim().is_empty() && !key.contains(['\'', '"', '!', '<', '>']);
    (is_condition && is_key).then(|| format!("{}={value}", key.trim()))
}

/// Returns the text between quotes.
fn unquoted(text: &str) -> Option<&str> {
    let quote = text.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    text.strip_prefix(quote)?.strip_suffix(quote)
}

fn wildcard(path: &str) -> String {
    format!("'*' stands in a JSONPath only: write '$.{}'", path.trim_start_matches('.'))
}
