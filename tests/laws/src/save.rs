//! Builds documents with directives, includes, anchors and variables from choices.

/// Numbers to choose by, repeated without end.
pub(crate) struct Choices<'a> {
    numbers: &'a [u32],
    at: usize,
}

impl<'a> Choices<'a> {
    pub(crate) fn new(numbers: &'a [u32]) -> Choices<'a> {
        Choices { numbers, at: 0 }
    }

    pub(crate) fn next(&mut self, below: usize) -> usize {
        let round = (self.at / self.numbers.len()) as u32;
        let number = self.numbers[self.at % self.numbers.len()];
        self.at += 1;
        let mixed = (number ^ round.wrapping_mul(0x9E37_79B9)).wrapping_mul(0x85EB_CA6B);
        (mixed >> 7) as usize % below.max(1)
    }

    pub(crate) fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.next(of.len())]
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.next(100) < percent
    }
}

pub(crate) const KEYS: &[&str] = &["a", "b", "c", "d", "e", "x/y", "1a", "~k"];
const SCALARS: &[&str] = &[
    "1",
    "2",
    "true",
    "1.5",
    "word",
    "'quoted'",
    "\"double\"",
    "null",
    "two words",
    "''",
    "-3",
    "((x))",
    "((y))",
    "'p-((y))'",
    "((z))",
    "((none))",
];

/// The content of a document, before it has a style.
#[derive(Clone, Debug)]
enum Tree {
    Scalar(String),
    List(Vec<Tree>),
    Map(Vec<(String, Tree)>),
}

/// Documents with directives, and a file they may include.
pub(crate) fn documents(choices: &mut Choices<'_>) -> (Vec<String>, String) {
    let count = if choices.chance(15) { 2 + choices.next(2) } else { 1 };
    let documents = (0..count).map(|_| document(choices)).collect();
    let include = mapping(choices, 2, 3);
    let mut included = String::new();
    write(choices, &mut included, &include, (0, ""), &[]);
    (documents, included)
}

fn document(choices: &mut Choices<'_>) -> String {
    let mut tree = mapping(choices, 3, 5);
    let mut paths = Vec::new();
    paths_of(&tree, "", &mut paths);
    let anchors = 1 + choices.next(2);
    let mut names = Vec::new();
    for i in 0..anchors {
        if let Some(path) = nth(choices, &paths)
            && let Some(Tree::Map(_) | Tree::List(_)) = at(&mut tree, &path)
        {
            names.push((format!("n{i}"), path));
        }
    }
    for _ in 0..1 + choices.next(4) {
        direct(choices, &mut tree, &paths, &names);
    }
    let mut out = String::new();
    write(choices, &mut out, &tree, (0, ""), &names);
    out
}

fn nth(choices: &mut Choices<'_>, paths: &[String]) -> Option<String> {
    (!paths.is_empty()).then(|| paths[choices.next(paths.len())].clone())
}

fn value(choices: &mut Choices<'_>, depth: usize) -> Tree {
    match choices.next(6) {
        0 | 1 if depth > 0 => mapping(choices, depth - 1, 4),
        2 if depth > 0 => {
            let count = choices.next(4);
            Tree::List((0..count).map(|_| value(choices, depth - 1)).collect())
        }
        _ => Tree::Scalar(choices.one(SCALARS).to_owned()),
    }
}

fn mapping(choices: &mut Choices<'_>, depth: usize, most: usize) -> Tree {
    let count = 1 + choices.next(most);
    let mut entries: Vec<(String, Tree)> = Vec::new();
    for _ in 0..count {
        let key = choices.one(KEYS);
        if entries.iter().all(|(other, _)| other != key) {
            let value = value(choices, depth);
            entries.push((key.to_owned(), value));
        }
    }
    Tree::Map(entries)
}

/// Returns the pointers to everything in a tree.
fn paths_of(tree: &Tree, path: &str, paths: &mut Vec<String>) {
    if !path.is_empty() {
        paths.push(path.to_owned());
    }
    match tree {
        Tree::Scalar(_) => {}
        Tree::List(items) => {
            for (i, item) in items.iter().enumerate() {
                paths_of(item, &format!("{path}/{i}"), paths);
            }
        }
        Tree::Map(entries) => {
            for (key, item) in entries {
                let key = key.replace('~', "~0").replace('/', "~1");
                paths_of(item, &format!("{path}/{key}"), paths);
            }
        }
    }
}

fn at<'t>(tree: &'t mut Tree, path: &str) -> Option<&'t mut Tree> {
    let mut tree = tree;
    for token in path.split('/').skip(1) {
        let token = token.replace("~1", "/").replace("~0", "~");
        tree = match tree {
            Tree::Scalar(_) => return None,
            Tree::List(items) => items.get_mut(token.parse::<usize>().ok()?)?,
            Tree::Map(entries) => {
                &mut entries.iter_mut().find(|(key, _)| *key == token)?.1
            }
        };
    }
    Some(tree)
}

fn is_within(path: &str, around: &str) -> bool {
    path.strip_prefix(around).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Inserts a directive, a strategy or an alias.
fn direct(
    choices: &mut Choices<'_>,
    tree: &mut Tree,
    paths: &[String],
    names: &[(String, String)],
) {
    let (Some(mut target), Some(place)) = (nth(choices, paths), nth(choices, paths))
    else {
        return;
    };
    // A target around it or within it makes a cycle, and a scalar gives nothing to
    // inherit.
    for _ in 0..4 {
        let apart = !is_within(&place, &target) && !is_within(&target, &place);
        if apart && matches!(at(tree, &target), Some(Tree::Map(_) | Tree::List(_))) {
            break;
        }
        target = nth(choices, paths).unwrap_or_default();
    }
    let parent = |path: &str| path.rfind('/').map(|at| path[..at].to_owned());
    let beside: Vec<String> = paths
        .iter()
        .filter(|&path| parent(path) == parent(&place) && *path != place)
        .cloned()
        .collect();
    let sibling = nth(choices, &beside).unwrap_or_else(|| target.clone());
    let number = |path: &String| paths.iter().position(|other| other == path);
    let before =
        |path: &String| number(path) < number(&place) && !is_within(&place, path);
    let name = (!names.is_empty()).then(|| names[choices.next(names.len())].clone());
    let alias = name.as_ref().filter(|(_, path)| before(path)).map(|(name, _)| name);
    let alias = alias.cloned();
    let name = name.map(|(name, _)| name);
    let maybe = if choices.chance(25) { "?" } else { "" };
    let key = match (choices.next(10), name) {
        (0, _) => "+include".to_owned(),
        (1, Some(name)) => format!("+{maybe}*{name}"),
        (2, _) => "+?/missing".to_owned(),
        (3, _) => format!("+..{}", sibling.rfind('/').map_or("", |at| &sibling[at..])),
        (4, _) => {
            let Some(name) = alias else { return };
            if let Some(Tree::Map(entries)) = at(tree, &place) {
                entries.insert(0, ("<<".into(), Tree::Scalar(format!("*{name}"))));
            }
            return;
        }
        (5, _) => {
            let Some(name) = alias else { return };
            if let Some(found @ Tree::Scalar(_)) = at(tree, &place) {
                *found = Tree::Scalar(format!("*{name}"));
            }
            return;
        }
        (6, _) => {
            let strategy = choices.one(&["whiteout", "nullout"]);
            if let Some(Tree::Map(entries)) = at(tree, &place) {
                let out = ("+%".to_owned(), Tree::Scalar(strategy.into()));
                entries.push((choices.one(KEYS).to_owned() + "-", Tree::Map(vec![out])));
            }
            return;
        }
        _ => format!("+{maybe}{target}"),
    };
    let given = if key == "+include" {
        "inc.yml"
    } else {
        choices.one(&["", "", "", "", "", "raw"])
    };
    let directive = (key.clone(), Tree::Scalar(given.to_owned()));
    match at(tree, &place) {
        Some(Tree::Map(entries)) if entries.iter().all(|(other, _)| *other != key) => {
            let position = choices.next(entries.len() + 1);
            entries.insert(position, directive);
        }
        Some(Tree::List(items)) => {
            let position = choices.next(items.len() + 1);
            items.insert(position, Tree::Map(vec![directive]));
        }
        Some(scalar @ Tree::Scalar(_)) => *scalar = Tree::Map(vec![directive]),
        Some(Tree::Map(_)) | None => {}
    }
}

/// Writes a tree after a `:` or `-`, or from the start of a line.
fn write(
    choices: &mut Choices<'_>,
    out: &mut String,
    tree: &Tree,
    (column, path): (usize, &str),
    names: &[(String, String)],
) {
    let anchor = names.iter().find(|(_, at)| at == path).map(|(name, _)| name);
    if let Some(name) = anchor {
        out.push_str(&format!(" &{name}"));
    }
    let block = match tree {
        Tree::Scalar(_) => false,
        Tree::List(items) => !items.is_empty() && choices.chance(60),
        Tree::Map(entries) => {
            !entries.is_empty() && (path.is_empty() || choices.chance(60))
        }
    };
    if !block {
        out.push(' ');
        flow(out, tree, path, names);
        out.push_str(if choices.chance(20) { " # beside\n" } else { "\n" });
        return;
    }
    if !path.is_empty() {
        out.push_str(if choices.chance(20) { " # above\n" } else { "\n" });
    }
    let indent = " ".repeat(column);
    let step = 1 + choices.next(4);
    match tree {
        Tree::Scalar(_) => {}
        Tree::List(items) => {
            for (i, item) in items.iter().enumerate() {
                lead(choices, out, &indent);
                out.push_str(&format!("{indent}-"));
                let path = format!("{path}/{i}");
                write(choices, out, item, (column + step, &path), names);
            }
        }
        Tree::Map(entries) => {
            for (key, item) in entries {
                lead(choices, out, &indent);
                out.push_str(&format!("{indent}{}:", spelled(key)));
                let token = key.replace('~', "~0").replace('/', "~1");
                let path = format!("{path}/{token}");
                write(choices, out, item, (column + step, &path), names);
            }
        }
    }
}

fn lead(choices: &mut Choices<'_>, out: &mut String, indent: &str) {
    match choices.next(12) {
        0 => out.push_str(&format!("{indent}# before\n")),
        1 if !out.is_empty() => out.push('\n'),
        _ => {}
    }
}

fn spelled(key: &str) -> String {
    if key.contains(['?', '*', '%', '~']) && !key.starts_with("+%") {
        format!("'{key}'")
    } else {
        key.to_owned()
    }
}

fn flow(out: &mut String, tree: &Tree, path: &str, names: &[(String, String)]) {
    match tree {
        Tree::Scalar(text) => out.push_str(text),
        Tree::List(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                out.push_str(if i > 0 { ", " } else { "" });
                inner(out, item, &format!("{path}/{i}"), names);
            }
            out.push(']');
        }
        Tree::Map(entries) => {
            out.push('{');
            for (i, (key, item)) in entries.iter().enumerate() {
                out.push_str(if i > 0 { ", " } else { "" });
                out.push_str(&format!("{}: ", spelled(key)));
                let token = key.replace('~', "~0").replace('/', "~1");
                inner(out, item, &format!("{path}/{token}"), names);
            }
            out.push('}');
        }
    }
}

fn inner(out: &mut String, tree: &Tree, path: &str, names: &[(String, String)]) {
    if let Some((name, _)) = names.iter().find(|(_, at)| at == path) {
        out.push_str(&format!("&{name} "));
    }
    flow(out, tree, path, names);
    if matches!(tree, Tree::Scalar(text) if text.is_empty() || text.starts_with('*')) {
        out.push(' ');
    }
}
