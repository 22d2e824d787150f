//! A source file as words: what it defines, imports and names.

use std::collections::BTreeSet;

/// The parts of a source file that tell what it depends on. Comments, text literals and
/// unit tests are left out.
pub(crate) struct Code {
    /// The code without those parts, its lines kept.
    pub(crate) text: String,
    /// The names of the items at the top level.
    pub(crate) items: BTreeSet<String>,
    /// The names that `use` declarations bring in.
    pub(crate) uses: Vec<Use>,
    /// The paths of two or more names in other places.
    pub(crate) paths: Vec<Vec<String>>,
    /// All names outside of `use` declarations.
    pub(crate) words: BTreeSet<String>,
}

/// A name that a `use` declaration brings in.
pub(crate) struct Use {
    /// The path it stands for.
    pub(crate) path: Vec<String>,
    /// The name in this file; `*` for all names of a module.
    pub(crate) alias: String,
    /// True if other files may import it from here.
    pub(crate) is_reexport: bool,
}

impl Code {
    /// Reads the text of a file.
    pub(crate) fn read(text: &str) -> Code {
        let text = strip(text.split("#[cfg(test)]\nmod tests {").next().unwrap());
        let tokens = tokens(&text);
        let (mut items, mut uses) = (BTreeSet::new(), Vec::new());
        let (mut paths, mut words) = (Vec::new(), BTreeSet::new());
        let (mut at, mut depth) = (0, 0_usize);
        while at < tokens.len() {
            match tokens[at] {
                "{" => depth += 1,
                "}" => depth = depth.saturating_sub(1),
                "use" => {
                    let end = at + tokens[at..].iter().position(|t| *t == ";").unwrap();
                    let mut tree = &tokens[at + 1..end];
                    let is_reexport = at > 0 && matches!(tokens[at - 1], "pub" | ")");
                    read_tree(&mut tree, &mut Vec::new(), is_reexport, &mut uses);
                    at = end;
                }
                "fn" | "struct" | "enum" | "trait" | "type" | "const" | "static"
                | "union"
                    if depth == 0 =>
                {
                    items.extend(tokens.get(at + 1).map(|&name| name.to_owned()));
                }
                token if is_name(token) => {
                    let mut path = vec![token.to_owned()];
                    while let ["::", next, ..] = tokens[at + 1..]
                        && is_name(next)
                    {
                        path.push(next.to_owned());
                        at += 2;
                    }
                    words.insert(path[0].clone());
                    if path.len() > 1 {
                        paths.push(path);
                    }
                }
                _ => {}
            }
            at += 1;
        }
        Code { text, items, uses, paths, words }
    }
}

/// Reads a tree such as `super::{a, b::{self, c as d}}`.
fn read_tree<'t>(
    tokens: &mut &[&'t str],
    prefix: &mut Vec<&'t str>,
    is_reexport: bool,
    uses: &mut Vec<Use>,
) {
    let length = prefix.len();
    let mut alias = None;
    while let Some((&token, rest)) = tokens.split_first() {
        match token {
            "," | "}" => break,
            "{" => {
                *tokens = rest;
                while tokens.first().is_some_and(|token| *token != "}") {
                    read_tree(tokens, prefix, is_reexport, uses);
                    if tokens.first() == Some(&",") {
                        *tokens = &tokens[1..];
                    }
                }
                *tokens = tokens.get(1..).unwrap_or_default();
                prefix.truncate(length);
                return;
            }
            "as" => {
                alias = rest.first().copied();
                *tokens = &rest[1..];
                continue;
            }
            "::" => {}
            name => prefix.push(name),
        }
        *tokens = rest;
    }
    let glob = prefix.last() == Some(&"*");
    let named: Vec<&str> =
        prefix.iter().filter(|name| !matches!(**name, "*")).copied().collect();
    let named = match named.as_slice() {
        // `a::{self}` is `a`.
        [path @ .., "self"] if !path.is_empty() => path,
        path => path,
    };
    let last = named.last().copied().unwrap_or_default();
    let alias = if glob { "*" } else { alias.unwrap_or(last) };
    let path = named.iter().map(|&name| name.to_owned()).collect();
    uses.push(Use { path, alias: alias.to_owned(), is_reexport });
    prefix.truncate(length);
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Splits code into names, `::` and single characters.
fn tokens(code: &str) -> Vec<&str> {
    let (mut tokens, mut rest) = (Vec::new(), code.trim_start());
    while let Some(first) = rest.chars().next() {
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let length = match first {
            first if word(first) => rest.find(|c| !word(c)).unwrap_or(rest.len()),
            ':' if rest.starts_with("::") => 2,
            _ => first.len_utf8(),
        };
        let (token, after) = rest.split_at(length);
        tokens.push(token);
        rest = after.trim_start();
    }
    tokens
}

/// Removes comments and the insides of literals.
fn strip(text: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '"' => end_of_text(rest),
            'r' if is_raw(&out, rest) => end_of_raw(rest),
            '\'' => end_of_character(rest),
            _ => 0,
        };
        if length == 0 {
            out.push(first);
            rest = &rest[first.len_utf8()..];
        } else {
            out.extend(rest[..length].matches('\n'));
            out.push(' ');
            rest = &rest[length..];
        }
    }
    out
}

fn is_raw(before: &str, rest: &str) -> bool {
    let starts = rest[1..].trim_start_matches('#').starts_with('"');
    starts && !before.trim_end_matches('b').ends_with(|c: char| c.is_alphanumeric())
}

fn end_of_raw(rest: &str) -> usize {
    let hashes = rest[1..].find('"').unwrap();
    let end = format!("\"{}", &rest[1..=hashes]);
    let start = hashes + 2;
    start + rest[start..].find(&end).unwrap() + end.len()
}

fn end_of_text(rest: &str) -> usize {
    let mut escaped = false;
    let end = rest[1..].find(|c| {
        let ends = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        ends
    });
    end.unwrap() + 2
}

/// Returns the length of a character literal; 0 for a lifetime.
fn end_of_character(rest: &str) -> usize {
    let mut chars = rest.char_indices().skip(1);
    match chars.next() {
        Some((_, '\\')) => rest[3..].find('\'').map_or(0, |end| end + 4),
        Some(_) => chars.next().filter(|(_, c)| *c == '\'').map_or(0, |(at, _)| at + 1),
        None => 0,
    }
}
