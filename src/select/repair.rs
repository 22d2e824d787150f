//! Queries as other tools have them: a text that is no query comes in, the query that it
//! likely means goes out. Each rule repairs one kind of mistake at the place where the parser
//! stopped; the parser is asked again until it accepts the text.

use super::error::Mistake;
use super::foreign::foreign;
use super::normalized_paths::quoted;
use super::parser::{FUNCTIONS, QueryParser};
use crate::diagnostic::near;

/// Maximum number of repairs: each parses the text again, and nobody makes as many mistakes.
const MAX_REPAIRS: usize = 16;

/// Maximum length of a text that is repaired, in bytes: a hint stands on one line.
const LONGEST: usize = 500;

/// Words and signs of other languages, at the place of the mistake, and those of JSONPath.
// A longer one stands before its beginning.
const WORDS: [(&str, &str); 22] = [
    ("!==", "!="),
    ("===", "=="),
    ("=!", "!="),
    ("<>", "!="),
    ("=", "=="),
    ("and", "&&"),
    ("or", "||"),
    ("not ", "!"),
    ("&", "&&"),
    ("|", "||"),
    ("True", "true"),
    ("False", "false"),
    ("NULL", "null"),
    ("Null", "null"),
    ("None", "null"),
    ("nil", "null"),
    ("size(", "length("),
    ("len(", "length("),
    ("matches(", "match("),
    ("contains(", "search("),
    (".**", "..*"),
    ("[]", "[*]"),
];

/// A construct without a counterpart in a query, and the reason.
const NOTES: [(&str, &str); 6] = [
    (".length", "length() stands in a condition only: [?length(@.a) > 1]"),
    ("@property", "a condition sees values and no names: name the key, as in $.a['b']"),
    ("@parent", "no query leads upwards: select by what is inside, as in $.a[?@.b]"),
    ("^", "no query leads upwards: select by what is inside, as in $.a[?@.b]"),
    ("~", "a query selects values: `--paths` prints their names"),
    ("[+]", "'[+]' ends a dotted path: jobs[+]"),
];

/// Returns the text after a repair, if the rule is about the mistake.
type RepairRule = fn(&ErrorSpot<'_>) -> Option<String>;

/// The first one that is about a mistake repairs it.
const RULES: [RepairRule; 19] = [
    root,
    escape,
    regular_expression,
    one_of,
    method,
    word,
    dot_before_bracket,
    quoted_name,
    key_of_member,
    path_name,
    slash,
    other_name,
    in_brackets,
    function,
    member,
    text,
    negated_comparison,
    closed,
    several,
];

/// Returns a hint at what a text means that is no query.
pub(super) fn hint(text: &str) -> Option<String> {
    meant(text).map(|query| format!("did you mean '{query}'?")).or_else(|| {
        let (_, reason) = NOTES.iter().find(|(sign, _)| text.contains(sign))?;
        Some((*reason).to_owned())
    })
}

/// Returns a hint at what a text means that is no condition.
pub(super) fn hint_of_condition(text: &str) -> Option<String> {
    let query = meant(&format!("$[?{text}]"))?;
    let condition = query.strip_prefix("$[?")?.strip_suffix(']')?;
    // The root of a document is the node that a selector tests.
    let of_root = condition.strip_prefix('$').map(|rest| format!("@{rest}"));
    let condition = of_root.as_deref().unwrap_or(condition);
    (condition.trim() != text.trim()).then_some(())?;
    Some(format!("did you mean '{condition}'?"))
}

/// Returns the query that a text likely means.
pub fn meant(text: &str) -> Option<String> {
    // Editors put curved quotes in place of straight ones.
    let text = text.trim().replace(['‘', '’'], "'").replace(['“', '”'], "\"");
    let mut text = of_filter(&text).unwrap_or(text);
    for _ in 0..MAX_REPAIRS {
        if text.len() > LONGEST {
            return None;
        }
        match QueryParser::new(&text).query() {
            Ok(_) => return Some(text),
            Err(error) => {
                let spot = ErrorSpot::new(&text, error.at);
                text = RULES.iter().find_map(|rule| rule(&spot))?;
            }
        }
    }
    None
}

impl Mistake {
    /// Adds the query that the text of a path likely means, if it has a part that only queries
    /// and filters of jq have.
    pub(crate) fn or_meant(self, text: &str) -> Mistake {
        if !text.contains('|') && !text.contains("select(") || self.hint.is_some() {
            return self;
        }
        let hint = meant(text).map(|query| format!("did you mean '{query}'?"));
        Mistake { message: "this is no path".into(), hint }
    }
}

/// `.items[] | select(.name == "web") | .image`: a filter of jq or yq with stages.
fn of_filter(text: &str) -> Option<String> {
    let stages = stages(text);
    let (first, others) = stages.split_first()?;
    if others.is_empty() || !first.starts_with('.') {
        return None;
    }
    let mut query = if *first == "." { String::new() } else { (*first).to_owned() };
    for stage in others {
        if let Some(condition) = stage.strip_prefix("select(") {
            let condition = condition_of_filter(condition.strip_suffix(')')?);
            if !query.ends_with("..") {
                let end = query.strip_suffix("[]").or(query.strip_suffix("[*]"))?.len();
                query.truncate(end);
            }
            query += &format!("[?{condition}]");
        } else {
            query += stage.starts_with(['.', '[']).then_some(stage)?;
        }
    }
    Some(query)
}

/// Returns the parts of a filter between signs `|` that stand in no quotes and parentheses.
fn stages(text: &str) -> Vec<&str> {
    let mut stages = Vec::new();
    let mut start = 0;
    let mut depth = 0_usize;
    let mut quote = None;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), _) if open == c => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(c),
            (None, '(') => depth += 1,
            (None, ')') => depth = depth.saturating_sub(1),
            (None, '|') if depth == 0 => {
                stages.push(text[start..at].trim());
                start = at + 1;
            }
            (None, _) => {}
        }
    }
    stages.push(text[start..].trim());
    stages
}

/// Returns the condition of a query that a condition of jq or yq means: `@.name == "web"` for
/// `.name == "web"`.
pub fn condition_of_filter(text: &str) -> String {
    let mut out = String::new();
    let mut quote = None;
    let mut before = ' ';
    for c in text.chars() {
        let begins = c == '.' && matches!(before, ' ' | '(' | '!' | '|' | '&' | '=');
        match quote {
            Some(open) if open == c => quote = None,
            None if matches!(c, '\'' | '"') => quote = Some(c),
            None if begins => out.push('@'),
            Some(_) | None => {}
        }
        out.push(c);
        before = c;
    }
    out
}

/// `.a`, `a.b`, `[0]`, `@.a`
fn root(spot: &ErrorSpot<'_>) -> Option<String> {
    if spot.at > 0 {
        return None;
    }
    match spot.rest().chars().next()? {
        '.' | '[' => Some(spot.insert("$")),
        '@' => Some(spot.replace(1, "$")),
        c if is_of_name(c) => Some(spot.insert("$.")),
        _ => None,
    }
}

/// `'\d'`
fn escape(spot: &ErrorSpot<'_>) -> Option<String> {
    let letter = spot.rest().strip_prefix('\\')?.chars().next()?;
    let part = &spot.rest()[..1 + letter.len_utf8()];
    let instead = foreign(part).map(|it| it.instead).filter(|it| !it.is_empty());
    let Some(instead) = instead else { return Some(spot.insert("\\")) };
    let (_, pattern) = spot.before().rsplit_once(['\'', '"'])?;
    let is_in_set = pattern.rfind('[') > pattern.rfind(']');
    let inner = if is_in_set { instead.trim_matches(['[', ']']) } else { &instead };
    Some(spot.replace(part.len(), inner))
}

/// `@.a =~ /x/i`, `@.a == /x/`
fn regular_expression(spot: &ErrorSpot<'_>) -> Option<String> {
    let (start, end) = sign(spot)?;
    let left = spot.operand_before(start)?;
    let right = spot.text[end..].trim_start();
    let quotes = if spot.text[start..end].contains('~') { "/'\"" } else { "/" };
    let (pattern, rest) = literal(right, quotes)?;
    let flags = rest.len() - rest.trim_start_matches('i').len();
    let (flags, rest) = rest.split_at(if right.starts_with('/') { flags } else { 0 });
    let pattern = if flags.is_empty() { pattern.into() } else { any_case(pattern)? };
    let inner = pattern.strip_prefix('^').and_then(|rest| rest.strip_suffix('$'));
    let (name, pattern) = inner.map_or(("search", &*pattern), |inner| ("match", inner));
    let pattern = quoted(&pattern.replace("\\/", "/"));
    let before = &spot.text[..left];
    let left = spot.text[left..start].trim_end();
    Some(format!("{before}{name}({left}, {pattern}){rest}"))
}

/// Returns the place of the sign before a regular expression.
fn sign(spot: &ErrorSpot<'_>) -> Option<(usize, usize)> {
    let signs = ["=~", "~=", "==", "="].into_iter();
    let mut here = signs.filter_map(|sign| Some((spot.start_of(sign)?, sign.len())));
    let here = here.next().map(|(start, len)| (start, start + len));
    // The parser reads `==`, and stops behind it.
    let before = spot.before().trim_end();
    here.or_else(|| Some((before.strip_suffix("==")?.len(), before.len())))
}

/// Returns a text between delimiters, one of `open`, and what follows it.
fn literal<'t>(text: &'t str, open: &str) -> Option<(&'t str, &'t str)> {
    let text = text.trim_start();
    let delimiter = text.chars().next().filter(|&c| open.contains(c))?;
    let mut is_escaped = false;
    let ends = |c: char| {
        let ends = c == delimiter && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        ends
    };
    let end = text[1..].find(ends)? + 1;
    Some((&text[1..end], &text[end + 1..]))
}

/// Returns a pattern of letters that matches them in both cases.
fn any_case(pattern: &str) -> Option<String> {
    if pattern.contains(|c: char| !c.is_ascii_alphanumeric() && !"-_.*^$ ".contains(c)) {
        return None;
    }
    let both = |c: char| {
        let small = c.to_ascii_lowercase();
        let large = c.to_ascii_uppercase();
        if small == large { c.to_string() } else { format!("[{small}{large}]") }
    };
    Some(pattern.chars().map(both).collect())
}

/// `@.a in ['x', 'y']`
fn one_of(spot: &ErrorSpot<'_>) -> Option<String> {
    let left = spot.operand_before(spot.at)?;
    let rest = spot.rest().strip_prefix("in")?.trim_start();
    let (items, rest) = rest.strip_prefix('[')?.split_once(']')?;
    let before = &spot.text[..left];
    let left = spot.text[left..spot.at].trim_end();
    let one = |item: &str| format!("{left} == {}", item.trim());
    let all: Vec<String> = items.split(',').map(one).collect();
    Some(format!("{before}({}){rest}", all.join(" || ")))
}

/// `@.a.length()`
fn method(spot: &ErrorSpot<'_>) -> Option<String> {
    let rest = spot.rest().strip_prefix("()")?;
    let names = [".length", ".size", ".count"];
    let path = names.iter().find_map(|name| spot.before().strip_suffix(name))?;
    let start = spot.operand_before(path.len())?;
    (spot.around() == Around::Condition).then_some(())?;
    Some(format!("{}length({}){rest}", &path[..start], &path[start..]))
}

fn word(spot: &ErrorSpot<'_>) -> Option<String> {
    let (written, meant) =
        WORDS.into_iter().find(|(word, _)| spot.start_of(word).is_some())?;
    let is_operator = matches!(written, "=" | "&" | "|" | "and" | "or" | "not ");
    // A sign that is repaired already stands at the wrong place.
    let start = spot.start_of(written)?;
    let is_there = spot.text[start..].starts_with(meant)
        || spot.text[..start].ends_with(written) && written.len() == 1;
    if is_operator && (is_there || spot.around() != Around::Condition) {
        return None;
    }
    let end = start + written.len();
    Some(format!("{}{meant}{}", &spot.text[..start], &spot.text[end..]))
}

/// `.a.[0]`
fn dot_before_bracket(spot: &ErrorSpot<'_>) -> Option<String> {
    let before = spot.before().strip_suffix('.')?;
    spot.rest().starts_with('[').then(|| format!("{before}{}", spot.rest()))
}

/// `.'a b'`
fn quoted_name(spot: &ErrorSpot<'_>) -> Option<String> {
    let (name, rest) = literal(spot.rest(), "'\"").filter(|_| !spot.ends_word())?;
    let quote = spot.rest().chars().next()?;
    let before = spot.before().strip_suffix('.')?;
    let before = if before.ends_with('.') { spot.before() } else { before };
    Some(format!("{before}[{quote}{name}{quote}]{rest}"))
}

/// `[?(@property == 'a')]`
fn key_of_member(spot: &ErrorSpot<'_>) -> Option<String> {
    let (before, opening) = spot.before().rsplit_once('[')?;
    let opening: String = opening.chars().filter(|c| !c.is_whitespace()).collect();
    let test = spot.rest().strip_prefix("property")?.trim_start();
    let compared = test.strip_prefix("===").or_else(|| test.strip_prefix("=="))?;
    let (name, rest) = literal(compared, "'\"")?;
    let closing = match &*opening {
        "?@" => "]",
        "?(@" => ")]",
        _ => return None,
    };
    let rest = rest.trim_start().strip_prefix(closing)?;
    Some(format!("{before}[{}]{rest}", quoted(name)))
}

/// `$.paths./a/{b}.get`
fn path_name(spot: &ErrorSpot<'_>) -> Option<String> {
    // `$./a/b` is a path with slashes between the names.
    let before = spot.before().strip_suffix('.').filter(|before| *before != "$")?;
    let rest = spot.rest();
    rest.starts_with('/').then_some(())?;
    let ends = |c: char| c.is_whitespace() || ".[]()=<>!&|,*'\"?@$^".contains(c);
    let (name, rest) = rest.split_at(rest.find(ends).unwrap_or(rest.len()));
    let before = if before.ends_with('.') { spot.before() } else { before };
    Some(format!("{before}['{name}']{rest}"))
}

/// `$/a/b`, `$a`, `@a`
fn slash(spot: &ErrorSpot<'_>) -> Option<String> {
    let has_root = spot.before().ends_with(['$', '@']);
    let is_path = has_root || !spot.before().trim_start_matches("$.").contains('.');
    let is_path = is_path && spot.around() != Around::Brackets;
    if spot.rest().starts_with('/') && is_path {
        return Some(spot.replace(1, "."));
    }
    // They are variables of JSONPath-Plus.
    let is_variable = ["property", "parent", "parentProperty"].contains(&spot.word());
    let is_name = spot.rest().starts_with(is_of_name) && !is_variable;
    (has_root && is_name).then(|| spot.insert("."))
}

/// `.a-b`, `.0`, `.1a`
fn other_name(spot: &ErrorSpot<'_>) -> Option<String> {
    let start = spot.before().trim_end_matches(is_of_name).len();
    let path = spot.text[..start].strip_suffix('.')?;
    let tail = &spot.text[start..];
    let end = tail
        .find(|c: char| c.is_whitespace() || ".[]()=<>!&|,*'\"/?@$^~".contains(c))
        .unwrap_or(tail.len());
    let (name, rest) = tail.split_at(end);
    if start + end <= spot.at || name.is_empty() {
        return None;
    }
    let is_index = name.parse::<u32>().is_ok_and(|index| index.to_string() == name);
    let path = if path.ends_with('.') { &spot.text[..start] } else { path };
    let quote = if is_index { "" } else { "'" };
    Some(format!("{path}[{quote}{name}{quote}]{rest}"))
}

/// `[a]`, `[name=web]`, `[(@.b == 1)]`, `[(@.length-1)]`
fn in_brackets(spot: &ErrorSpot<'_>) -> Option<String> {
    if spot.around() != Around::Brackets
        || !spot.before().trim_end().ends_with(['[', ','])
    {
        return None;
    }
    let inner = spot.inner();
    let plain: String = inner.chars().filter(|c| !c.is_whitespace()).collect();
    let from_end = plain.trim_matches(['(', ')']).strip_prefix("@.length-");
    if let Some(number) = from_end.filter(|text| text.parse::<u32>().is_ok()) {
        return Some(spot.replace(inner.len(), &format!("-{number}")));
    }
    if inner.starts_with(['(', '@']) || inner.contains(['=', '<', '>']) {
        return Some(spot.insert("?"));
    }
    let name = inner[..inner.find([',', '\'', '"']).unwrap_or(inner.len())].trim_end();
    let is_word = name.starts_with(|c: char| c.is_alphabetic() || "_/".contains(c))
        && name.chars().all(|c: char| is_of_name(c) || "./:{}".contains(c));
    is_word.then(|| spot.replace(name.len(), &format!("'{name}'")))
}

/// `lenght(@.a)`, `length (@.a)`
fn function(spot: &ErrorSpot<'_>) -> Option<String> {
    let end = spot.rest().find(|c| !is_of_name(c))?;
    let (name, rest) = spot.rest().split_at(end);
    rest.trim_start().strip_prefix('(')?;
    let known = near(FUNCTIONS, name)?;
    let blanks = rest.len() - rest.trim_start().len();
    Some(spot.replace(end + blanks, known))
}

/// `[?a == 1]`, `[?.a == 1]`
fn member(spot: &ErrorSpot<'_>) -> Option<String> {
    let begins = spot.before().trim_end().ends_with(['?', '(', '!', ',', '&', '|']);
    let end = spot.rest().find(|c| !is_of_name(c)).unwrap_or(spot.rest().len());
    let is_value = ["true", "false", "null"].contains(&&spot.rest()[..end]);
    if spot.around() != Around::Condition || !begins || is_value {
        return None;
    }
    match spot.rest().chars().next()? {
        '.' => Some(spot.insert("@")),
        c if c.is_alphabetic() || c == '_' => Some(spot.insert("@.")),
        _ => None,
    }
}

/// `@.a == web`
fn text(spot: &ErrorSpot<'_>) -> Option<String> {
    let is_compared = spot.before().trim_end().ends_with(['=', '<', '>']);
    if !is_compared || !spot.rest().starts_with(|c| is_of_name(c) || "+.".contains(c)) {
        return None;
    }
    let word = &spot.rest()[..spot
        .rest()
        .find(|c: char| c.is_whitespace() || "[]()&|,'\"=<>".contains(c))?];
    let number = word.trim_start_matches('+');
    let number =
        if number.starts_with('.') { format!("0{number}") } else { number.into() };
    let is_number = number != word && number.parse::<f64>().is_ok();
    let meant = if is_number { number } else { format!("'{word}'") };
    Some(spot.replace(word.len(), &meant))
}

/// `[?!@.a == 1]`
fn negated_comparison(spot: &ErrorSpot<'_>) -> Option<String> {
    let is_negated = spot.before().trim_end().ends_with('!');
    let is_query = spot.rest().starts_with(['@', '$']);
    if !is_negated || !is_query {
        return None;
    }
    let inner = spot.inner();
    let compared = inner[..inner.find(['&', '|']).unwrap_or(inner.len())].trim_end();
    Some(spot.replace(compared.len(), &format!("({compared})")))
}

/// `[?(@.a]`, `[0`, `.a]`, `.a.`
fn closed(spot: &ErrorSpot<'_>) -> Option<String> {
    let before = spot.before();
    match (spot.rest().chars().next(), spot.closing()) {
        (None, _) if before.ends_with("..") => Some(format!("{before}*")),
        (None, _) if before.ends_with('.') => Some(before.trim_end_matches('.').into()),
        (Some(')' | ']'), None) => Some(spot.replace(1, "")),
        (Some(')'), Some(']')) => Some(spot.replace(1, "")),
        (None, Some(closing)) => Some(format!("{before}{closing}")),
        (Some(']'), Some(')')) => Some(spot.insert(")")),
        _ => None,
    }
}

/// `@.tags[*] == 'a'`, `match(@.tags[*], 'a')`, `length(@.tags[*])`
fn several(spot: &ErrorSpot<'_>) -> Option<String> {
    let operand = spot.operand();
    let rest = &spot.rest()[operand.len()..];
    let (around, tail) = at_all_children(operand)?;
    if let Some(before) = spot.before().trim_end().strip_suffix("length(") {
        return Some(format!("{before}count({operand}{rest}"));
    }
    let functions = ["match(", "search("].into_iter();
    let mut calls = functions
        .filter_map(|name| Some((spot.before().trim_end().strip_suffix(name)?, name)));
    let (before, start, end) = match calls.next() {
        Some((before, name)) => (before, name, rest.find(')')? + 1),
        None => (spot.before(), "", end_of_comparison(rest)?),
    };
    let (test, rest) = rest.split_at(end);
    Some(format!("{before}{around}[?{start}@{tail}{test}]{rest}"))
}

/// Splits a path of names and indices at its first segment that selects all children.
fn at_all_children(path: &str) -> Option<(&str, &str)> {
    let signs = ["[*]", ".*"].into_iter();
    let (at, sign) = signs.filter_map(|sign| Some((path.find(sign)?, sign))).min()?;
    let (around, rest) = path.split_at(at);
    let is_plain = path.starts_with(['@', '$']) && !around.contains(['?', ':', ',']);
    (is_plain && !path.contains("..")).then(|| (around, &rest[sign.len()..]))
}

/// Returns the end of a comparison with a value that stands alone, behind its left side.
fn end_of_comparison(text: &str) -> Option<usize> {
    let signs = ["==", "!=", "<=", ">=", "<", ">"].into_iter();
    let sign = text.trim_start();
    let right = signs.filter_map(|it| sign.strip_prefix(it)).next()?.trim_start();
    let after = match literal(right, "'\"") {
        Some((_, after)) => after,
        None => {
            let ends = |c: char| c.is_whitespace() || "[]()&|,@$".contains(c);
            let end = right.find(ends).filter(|&end| end > 0)?;
            &right[end..]
        }
    };
    Some(text.len() - after.len())
}

/// A text that is no query, and the offset at which the parser stopped.
struct ErrorSpot<'t> {
    text: &'t str,
    at: usize,
    /// The text that closes the brackets that are open there, and what stands in them.
    open: Vec<(char, Around)>,
}

/// The part of a query that a place is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Around {
    Path,
    /// `[…`
    Brackets,
    /// `[?…`, `(…`
    Condition,
}

impl<'t> ErrorSpot<'t> {
    fn new(text: &'t str, at: usize) -> ErrorSpot<'t> {
        let mut open = Vec::new();
        let mut quotes = Quotes::default();
        for c in text[..at].chars().filter(|&c| !quotes.is_inside(c)) {
            let last: Option<&mut (char, Around)> = open.last_mut();
            match (c, last) {
                ('[', _) => open.push((']', Around::Brackets)),
                ('(', _) => open.push((')', Around::Condition)),
                (')' | ']', _) => drop(open.pop()),
                ('?', Some((_, around))) => *around = Around::Condition,
                (',', Some((']', around))) => *around = Around::Brackets,
                _ => {}
            }
        }
        ErrorSpot { text, at, open }
    }

    fn before(&self) -> &'t str {
        &self.text[..self.at]
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn around(&self) -> Around {
        self.open.last().map_or(Around::Path, |(_, around)| *around)
    }

    /// Returns what closes the innermost bracket.
    fn closing(&self) -> Option<char> {
        self.open.last().map(|(closing, _)| *closing)
    }

    /// Returns the rest of what stands in the innermost bracket.
    fn inner(&self) -> &'t str {
        let mut depth = 0_usize;
        let mut quotes = Quotes::default();
        for (at, c) in self.rest().char_indices().filter(|&(_, c)| !quotes.is_inside(c)) {
            match c {
                '[' | '(' => depth += 1,
                ']' | ')' if depth == 0 => return &self.rest()[..at],
                ']' | ')' => depth -= 1,
                _ => {}
            }
        }
        self.rest()
    }

    /// Returns true if a name ends at the place.
    fn ends_word(&self) -> bool {
        self.before().ends_with(is_of_name)
    }

    /// Returns the offset of a word that the place is in.
    fn start_of(&self, word: &str) -> Option<usize> {
        let starts = (0..word.len()).filter_map(|back| self.at.checked_sub(back));
        let mut starts = starts.filter(|&start| {
            let Some(rest) = self.text.get(start..) else { return false };
            let Some(after) = rest.strip_prefix(word) else { return false };
            let before = &self.text[..start];
            let begins = !(word.starts_with(is_of_name) && before.ends_with(is_of_name));
            begins && !(word.ends_with(is_of_name) && after.starts_with(is_of_name))
        });
        starts.next()
    }

    /// Returns the start of the path that ends before `end`: `@.a` in `[?@.a =~ 'x']`.
    fn operand_before(&self, end: usize) -> Option<usize> {
        let path = self.text[..end].trim_end();
        let start = path.rfind(['@', '$'])?;
        (!path[start..].contains(|c: char| c.is_whitespace() || "=<>!&|,()".contains(c)))
            .then_some(start)
    }

    /// Returns the query in a condition that begins at the place.
    fn operand(&self) -> &'t str {
        let mut depth = 0_usize;
        let mut quotes = Quotes::default();
        for (at, c) in self.rest().char_indices().filter(|&(_, c)| !quotes.is_inside(c)) {
            match c {
                '[' | '(' => depth += 1,
                ']' | ')' if depth > 0 => depth -= 1,
                _ if depth == 0 && (c.is_whitespace() || "])=<>!&|,".contains(c)) => {
                    return &self.rest()[..at];
                }
                _ => {}
            }
        }
        self.rest()
    }

    /// Returns the word that begins at the place.
    fn word(&self) -> &'t str {
        let end = self.rest().find(|c| !is_of_name(c)).unwrap_or(self.rest().len());
        &self.rest()[..end]
    }

    /// Returns the text with something put at the place.
    fn insert(&self, what: &str) -> String {
        self.replace(0, what)
    }

    /// Returns the text with something in place of the next bytes.
    fn replace(&self, bytes: usize, what: &str) -> String {
        format!("{}{what}{}", self.before(), &self.rest()[bytes..])
    }
}

/// Returns true for what stands in the names of keys and functions.
fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || "_-".contains(c)
}

/// The quotes around a place, while a text is read.
#[derive(Default)]
struct Quotes {
    open: Option<char>,
    is_escaped: bool,
}

impl Quotes {
    /// Reads a character. Returns true if it is part of a text in quotes.
    fn is_inside(&mut self, c: char) -> bool {
        match self.open {
            Some(_) if self.is_escaped => self.is_escaped = false,
            Some(_) if c == '\\' => self.is_escaped = true,
            Some(mark) if c == mark => self.open = None,
            None if matches!(c, '\'' | '"') => self.open = Some(c),
            None => return false,
            Some(_) => {}
        }
        true
    }
}
