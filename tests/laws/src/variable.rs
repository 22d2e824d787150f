//! Fills in variables in documents built from lines: the text around the uses must not
//! change, and each use must read back as its value.

use interpolate::unstable::node::{NodeId, Tree};
use interpolate::unstable::scalar::{Dialect, Scalar};
use interpolate::unstable::source::{Os, Sources};
use interpolate::unstable::variables::{self, Bindings, FillOptions};
use interpolate::unstable::yaml::{self, Options};

use crate::meaning::difference_of;

/// A line: the text before a value, the quotes or properties of the value (before and
/// after it), and the text behind it.
pub const SHAPES: &[[&str; 4]] = &[
    ["", "", "", " # plain"],
    ["", "'", "'", "   # single"],
    [" ", "\"", "\"", ""],
    ["[", "", "", ", other]  # flow"],
    ["{k: ", "'", "'", ", l: [1]}"],
    ["[first,  # one\n    ", "", "", " # two\n    ]"],
    ["", "!!str ", "", " # tagged"],
    ["", "&x ", "", " # anchored"],
    ["", "!local ", "", ""],
    ["# before\n  ", "", "", ""],
    ["\n  ", "", "", " # below"],
    ["\n- ", "", "", " # item"],
    ["", "|-\n    ", "", ""],
    ["", ">-\n    ", "", ""],
];

/// Values of lines: a use of the variable as a whole, of others within a text, or no use.
pub const TEXTS: &[(&str, Option<&str>)] = &[
    ("((x))", Some("x")),
    ("(( !x ))", Some("x")),
    ("((m.k.0))", Some("x")),
    ("((s))", Some("s")),
    ("((i))", Some("i")),
    ("a ((s))-((!i))b((s))", None),
    ("((nope)) ((i))", None),
    ("((nope))", None),
    ("((nope.k)) (( x", None),
    ("(( (x) ))", None),
    ("nothing", None),
];

/// Values, as written after `x:` in a vars file.
pub const VALUES: &[&str] = &[
    " 1.50",
    " 0x1F",
    " yes",
    " ~",
    " 'null'",
    " 2001-01-01",
    " -.inf",
    " 'it''s: # quoted'",
    " \"tab\\t and \\u263a\"",
    " plain text\n  on two lines",
    " |\n  literal\n   text\n\n  end\n",
    " >+\n  folded\n  text\n\n",
    " [1, {a: b}, 'x, y']",
    " {k: v, l: [m]}",
    " []",
    "\n  a: 1 # one\n  # about b\n  b:\n  -   y: ~\n",
    "\n  - one\n  # between\n  - - two\n",
];

/// Forms of a use in a key: the text before it, its properties, and the text behind it.
pub const KEYS: &[[&str; 4]] = &[
    ["", "", "", ": v # key"],
    ["", "'", "'", ":  v"],
    ["", "\"a\\u263a", "\"", " : [v] # key"],
    ["? ", "", "", "   # explicit\n:  v"],
    ["", "a-", "-b", ":\n- v"],
];

/// A line of a document: the numbers of a shape, of a text and of the key that follows.
pub type Line = [usize; 3];

/// Returns the document with these `lines`.
fn base(lines: &[Line]) -> String {
    let line = |(i, line): (usize, &Line)| {
        let ([before, open, close, after], text) = (SHAPES[line[0]], TEXTS[line[1]].0);
        let open = open.replace("&x", &format!("&x{i}"));
        let entry =
            format!("key{i}:  {before}{open}{text}{close}{after}{}", end(i, line));
        let Some([_, open, close, after]) = KEYS.get(line[2]) else { return entry };
        format!("{entry}{open}((k{i})){close}{after}\n\n")
    };
    lines.iter().enumerate().map(line).collect()
}

/// Returns the text between line `i` and the key that is a use.
fn end(i: usize, line: &Line) -> String {
    let key = KEYS.get(line[2]).map(|[before, ..]| format!("# about the key\n{before}"));
    let key = key.unwrap_or_default();
    format!("\n\n# about {i}\nnext{i}: [~, 'x']   # kept\n{key}")
}

/// Fills in the document with a value of `x`, a string `s` and a number `i`. Returns the
/// errors in the printed text.
pub fn check(lines: &[Line], (x, s, i): (&str, &str, i32)) -> Result<(), String> {
    let mut sources = Sources::default();
    let mut read = |text: &str, dialect| {
        let file = sources.add("text", text);
        let read = yaml::read(&sources, file, &Options { dialect, ..Options::default() });
        read.map_err(|why| format!("{why:?}\n{text}"))
    };
    let base = base(lines);
    let mut document = read(&base, Dialect::Core)?;
    let values = read(&format!("i: {i}\nx:{x}\nm.k.0:{x}\n"), Dialect::Go)?;
    let mut given = Bindings::default();
    given.add_entries(&values).map_err(|why| format!("{why:?}"))?;
    given.add_text("s", s.to_owned());
    for i in 0..lines.len() {
        given.add_text(format!("k{i}"), format!("k{i}k"));
    }
    let rules = FillOptions::default();
    variables::fill(&mut document, 0..1, &given, None, &Os::default(), &rules)
        .map(drop)
        .map_err(|why| format!("{why:?}\n{base}"))?;
    let printed = document.to_string();
    let story = |why| format!("{why}\n--- base\n{base}\n--- printed\n{printed}\n---");
    surroundings(lines, &printed).map_err(story)?;
    let again = read(&printed, Dialect::Core)?;
    for (at, line) in lines.iter().enumerate() {
        let found =
            found(&again, at, line).ok_or_else(|| story(format!("no key{at}")))?;
        means(&again, found, (&values, s, i), line[1])
            .map_err(|why| story(format!("key{at}{why}")))?;
    }
    Ok(())
}

/// Returns the printed text around the values, byte for byte.
fn surroundings(lines: &[Line], printed: &str) -> Result<(), String> {
    let mut rest = printed;
    for (i, line) in lines.iter().enumerate() {
        let ([before, open, close, after], text) = (SHAPES[line[0]], TEXTS[line[1]]);
        let end = end(i, line);
        let (entry, left) =
            rest.split_once(&end).ok_or_else(|| format!("no {end:?} in {rest:?}"))?;
        rest = left;
        if let Some([_, _, _, after]) = KEYS.get(line[2]) {
            let after = format!("{after}\n\n");
            let (key, left) = rest
                .split_once(&after)
                .ok_or_else(|| format!("no {after:?} in {rest:?}"))?;
            rest = left;
            if key.contains('\n') {
                return Err(format!("a key {key:?}"));
            }
        }
        let head = format!("key{i}:  {before}");
        let open = open.replace("&x", &format!("&x{i}"));
        let same = entry == format!("{head}{open}{}{close}{after}", text.0);
        let is_use = text.1.is_some() || text.0.contains("i))");
        if !(if is_use { around(entry, [&head, &open, after]) } else { same }) {
            return Err(format!("{entry:?} for {head:?} and {after:?}"));
        }
    }
    (rest.is_empty()).then_some(()).ok_or_else(|| format!("{rest:?} at the end"))
}

/// Returns true if an entry has this beginning and end. If its value has lines of its
/// own, the text around it stands on the first one.
fn around(entry: &str, [head, open, after]: [&str; 3]) -> bool {
    if entry.strip_prefix(head).is_some_and(|rest| rest.ends_with(after)) {
        return true;
    }
    let key = head.find("\n-").map_or(head.find(':'), |at| Some(at + 1));
    let (key, between) = head.split_at(key.map_or(0, |at| at + 1));
    let Some(rest) = entry.strip_prefix(key) else { return false };
    let (line, value) = rest.split_once('\n').unwrap_or((rest, ""));
    let header = |c: char| " |>+-".contains(c) || c.is_ascii_digit();
    let kept = format!("{}{after}", between.trim());
    let mark = line.strip_suffix(&kept).map(str::trim);
    let mark = mark.map(|mark| mark.strip_prefix(open.trim()).unwrap_or(mark));
    mark.is_some_and(|mark| mark.chars().all(header)) && !value.is_empty()
}

/// Returns the value of a line after filling in.
fn found(document: &Tree, i: usize, line: &Line) -> Option<NodeId> {
    let value = document.get(document.root(), &format!("key{i}"))?;
    match SHAPES[line[0]][0] {
        first if first.starts_with("[f") => document.items(value).get(1).copied(),
        first if first.starts_with('[') => document.items(value).first().copied(),
        first if first.starts_with('{') => document.get(value, "k"),
        first if first.starts_with("\n-") => document.items(value).first().copied(),
        _ => Some(value),
    }
}

/// Returns the difference between a value and its printed text.
fn means(
    document: &Tree,
    found: NodeId,
    (values, s, i): (&Tree, &str, i32),
    text: usize,
) -> Result<(), String> {
    let (text, whole) = TEXTS[text];
    if let Some(value) = whole.and_then(|name| values.get(values.root(), name)) {
        return difference_of((values, value), (document, found));
    }
    let number = i.to_string();
    let wanted = text.replace("((s))", s).replace("((i))", &number);
    let wanted = Scalar::String(wanted.replace("((!i))", &number).into());
    match document.scalar(found) {
        found if found == wanted => Ok(()),
        found => Err(format!(": {wanted:?} printed as {found:?}")),
    }
}
