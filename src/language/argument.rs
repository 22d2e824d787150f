//! Compiles an argument of the command line, such as `--set image.tag=1.10`, to an op.

use std::str::FromStr;

use crate::compare::NAME_KEYS;
use crate::diagnostic::{Diagnostic, Label, Result, shell_word};
use crate::layout::is_comment;
use crate::node::Tree;
use crate::patch::{Content, Edit, Op, Origin, Patch, TypedPath};
use crate::pointer::{Pointer, parse_argument, split_argument, token_ranges};
use crate::source::{Sources, Span};
use crate::target::Target;
use crate::yaml::{self, Options};

/// The options whose arguments are ops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    /// `--set PATH=VALUE`
    Set,
    /// `--set-string PATH=TEXT`
    SetString,
    /// `--append PATH=VALUE`
    Append,
    /// `--rm PATH`
    Remove,
    /// `--mv FROM=TO`
    Move,
    /// `--cp FROM=TO`
    Copy,
}

impl Verb {
    /// All verbs.
    pub const ALL: [Verb; 6] =
        [Verb::Set, Verb::SetString, Verb::Append, Verb::Remove, Verb::Move, Verb::Copy];

    /// Returns the name: `set`, `set-string`, `append`, `rm`, `mv` or `cp`.
    ///
    /// ```
    /// use interpolate::Verb;
    ///
    /// assert_eq!("rm".parse(), Ok(Verb::Remove));
    /// assert_eq!(Verb::Remove.name(), "rm");
    /// assert!("remove".parse::<Verb>().is_err());
    /// ```
    pub fn name(self) -> &'static str {
        self.option().trim_start_matches('-')
    }

    /// The option.
    pub fn option(self) -> &'static str {
        match self {
            Verb::Set => "--set",
            Verb::SetString => "--set-string",
            Verb::Append => "--append",
            Verb::Remove => "--rm",
            Verb::Move => "--mv",
            Verb::Copy => "--cp",
        }
    }

    /// The form of the argument.
    fn form(self) -> &'static str {
        match self {
            Verb::Set | Verb::Append => "PATH=VALUE",
            Verb::SetString => "PATH=TEXT",
            Verb::Remove => "PATH",
            Verb::Move | Verb::Copy => "FROM=TO",
        }
    }
}

impl FromStr for Verb {
    type Err = String;

    fn from_str(name: &str) -> std::result::Result<Verb, String> {
        let found = Verb::ALL.into_iter().find(|verb| verb.name() == name);
        found.ok_or_else(|| {
            format!("'{name}' is none of set, set-string, append, rm, mv and cp")
        })
    }
}

/// Compiles the argument of an option. Its text and its value become sources, which
/// messages show.
///
/// # Errors
/// A path or a value is malformed, or one is missing.
///
/// ```
/// use interpolate::unstable::language::{Verb, argument};
/// use interpolate::unstable::source::Sources;
/// use interpolate::unstable::yaml::{self, Options};
/// use interpolate::unstable::apply;
///
/// let mut sources = Sources::default();
/// let base = sources.add("base.yml", "image: {tag: 1.9} # the newest\n");
/// let mut tree = yaml::read(&sources, base, &Options::default())?;
/// let patch = argument(&mut sources, Verb::Set, "image.tag=1.10", &Options::default())?;
/// apply::apply(&patch, &mut tree, 0..1)?;
/// assert_eq!(tree.to_string(), "image: {tag: 1.10} # the newest\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn argument(
    sources: &mut Sources,
    verb: Verb,
    text: &str,
    options: &Options,
) -> Result<Patch> {
    // The text of a value may be a secret: messages show its path only.
    let shown = match split_argument(text) {
        Some((path, _)) if verb == Verb::SetString => &text[..path.len()],
        None if verb == Verb::SetString => {
            text.split_once('=').map_or("", |(path, _)| path)
        }
        _ => text,
    };
    let file = sources.add(verb.option(), shown);
    let whole = Span { file, start: 0, end: shown.len() as u32 };
    let (path, value) = match (verb, split_argument(text)) {
        (Verb::Remove, _) => (text, ""),
        (_, Some(parts)) => parts,
        (_, None) => {
            let message = format!("{} takes {}", verb.option(), verb.form());
            let error = Diagnostic::error(message).at(whole);
            let (_, second) = verb.form().split_once('=').unwrap_or_default();
            let hint = if text.contains('[') && text.contains('=') {
                Some("a '[' or a quote is not closed before the '='".to_owned())
            } else if let Some((path, value)) =
                shown.split_once(": ").or(shown.split_once(' '))
            {
                Some(format!("write '{}={}'", path.trim(), value.trim()))
            } else {
                (!shown.is_empty()).then(|| format!("write '{shown}={second}'"))
            };
            return Err(error.hints(hint));
        }
    };
    let has_to = matches!(verb, Verb::Move | Verb::Copy);
    if path.is_empty() || has_to && value.is_empty() {
        // A variable of a shell that is not set must not replace the whole document.
        let error = Diagnostic::error("the path is empty").at(whole);
        let hint = "'$' is the path of the whole document";
        return Err(if has_to { error } else { error.hint(hint) });
    }
    if let Some(list) = list_of_match(verb, path, value) {
        let message = format!("in an option a match stands in brackets: '{list}'");
        let hint = "a text with a '/' and a '=' is set at a dotted path";
        let span = Span { end: path.len() as u32, ..whole };
        let error = Diagnostic::error(message).at(span);
        return Err(if has_to { error } else { error.hint(hint) });
    }
    let creates = matches!(verb, Verb::Set | Verb::SetString | Verb::Append);
    let span = Span { end: path.len() as u32, ..whole };
    let shown_value = if verb == Verb::SetString { "TEXT" } else { value };
    if let Some(hint) = update_hint(path, shown_value).filter(|_| creates) {
        let sign = &path[path.len() - 1..];
        let message = format!("'{sign}=' is a sign of yq and jq, and no option has it");
        return Err(Diagnostic::error(message).at(span).hint(hint));
    }
    let at = target(path, creates, span)?;
    let origin = Some(Origin { span: whole, path: span, from: None, number: 0 });
    let makes_key = creates && matches!(at, Target::Query(_));
    let typed = typed(path, &at);
    match verb {
        Verb::Remove => {
            let op = Op::new(at, Edit::Remove, origin);
            Ok(of(Op { typed, ..op }))
        }
        Verb::Move | Verb::Copy => {
            let span = Span { start: (text.len() - value.len()) as u32, ..whole };
            let to = target(value, true, span)?.with_new_key();
            if let Target::Query(_) = to {
                let message = "the new place must be a single one: it is no JSONPath";
                return Err(Diagnostic::error(message).at(span));
            }
            let content =
                if verb == Verb::Move { Content::Moved(at) } else { Content::Copied(at) };
            let from = origin.map(|origin| origin.path);
            let origin = origin.map(|origin| Origin { path: span, from, ..origin });
            let typed_from = typed;
            let typed = self::typed(value, &to);
            let op = Op::new(to, Edit::Add(content), origin);
            Ok(of(Op { typed, typed_from, ..op }))
        }
        Verb::SetString => {
            let mut tree = yaml::blank()?;
            let node = tree.new_text(value);
            let op = Op::new(at, Edit::Replace(node), origin);
            let op = Op { makes_key, typed, ..op };
            Ok(Patch { opened: tree.into_opened(), ..of(op) })
        }
        Verb::Set => {
            let tree = parsed(sources, verb, value, whole, options)?;
            let op = Op::new(at, Edit::Replace(tree.root()), origin);
            let op = Op { makes_key, typed, ..op };
            Ok(Patch { arenas: vec![tree.shared_base().clone()], ..of(op) })
        }
        Verb::Append => {
            let tree = parsed(sources, verb, value, whole, options)?;
            let edit = Edit::Add(Content::Written(tree.root()));
            let op = Op::new(at.end_of_list(), edit, origin);
            let op = Op { unless_exists: true, makes_key, typed, ..op };
            Ok(Patch { arenas: vec![tree.shared_base().clone()], ..of(op) })
        }
    }
}

/// Returns the way to do what `|=` and `+=` do in yq and jq. `path` has their first sign.
fn update_hint(path: &str, value: &str) -> Option<String> {
    let (path, option) = match path.strip_suffix('|') {
        Some(path) => (path, "--set"),
        None => (path.strip_suffix('+')?, "--append"),
    };
    let value = if option == "--append" { appended_item(value) } else { value.trim() };
    let word = shell_word(&format!("{}={value}", path.trim_end()));
    Some(format!("write {option} {word}; a key that ends so is quoted: ['…']"))
}

/// Returns the item that is appended where yq and jq join a list of one: `b` for `["b"]`.
pub fn appended_item(value: &str) -> &str {
    let value = value.trim();
    let inner = value.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
    inner.filter(|it| !it.contains(',')).map_or(value, str::trim)
}

/// Returns the match that a path of an ops-file has at the first `=`, in brackets: an option
/// splits `/jobs/name=web/port=80` there.
fn list_of_match(verb: Verb, path: &str, value: &str) -> Option<String> {
    let (list, key) = path.rsplit_once('/').filter(|_| path.starts_with('/'))?;
    if !NAME_KEYS.contains(&key) || value.starts_with('/') {
        return None;
    }
    let (rest, goes_on) = match verb {
        Verb::Move | Verb::Copy => {
            let (rest, to) = split_argument(value)?;
            (rest, rest.contains('/') || to.starts_with('/'))
        }
        // Only a path goes on so: the name of an item has no slash.
        _ => {
            let (rest, _) = value.rsplit_once('=')?;
            (rest, rest.contains('/') && !rest.contains(char::is_whitespace))
        }
    };
    let is_path = goes_on && Pointer::parse(&format!("{path}={rest}")).is_ok();
    is_path.then(|| format!("{list}[{key}=…]"))
}

fn of(op: Op) -> Patch {
    Patch { ops: vec![op], ..Patch::default() }
}

/// Returns a path that was parsed to a target with the places of its tokens.
fn typed(path: &str, at: &Target) -> Option<TypedPath> {
    let tokens = token_ranges(path);
    // A part may hold several tokens: `[a/b=c]` in a path that begins with `/`.
    let is_exact = tokens.len() == at.tokens().len() && !tokens.is_empty();
    is_exact.then(|| TypedPath { text: path.to_owned(), tokens })
}

/// Parses a path of any kind, which stands at `span`. If it `creates`, missing mappings at
/// the end of a dotted path are made.
fn target(path: &str, creates: bool, span: Span) -> Result<Target> {
    Target::parse_with(path, |path| parse_argument(path, creates)).map_err(|mistake| {
        Diagnostic::error(mistake.message).at(span).hints(mistake.hint)
    })
}

/// Reads the value at the end of an argument, in a source of its own. Its errors have their
/// place in the whole argument.
fn parsed(
    sources: &mut Sources,
    verb: Verb,
    value: &str,
    whole: Span,
    options: &Options,
) -> Result<Tree> {
    let start = whole.end - value.len() as u32;
    if is_comment(value) {
        let message = "a value that begins with '#' is a comment";
        let hint = "quote it, or use --set-string";
        return Err(Diagnostic::error(message).at(Span { start, ..whole }).hint(hint));
    }
    let file = sources.add(verb.option(), value);
    let tree = yaml::read(sources, file, options).map_err(|mut error| {
        for Label { span, .. } in &mut error.labels {
            *span = Span { start: start + span.start, end: start + span.end, ..whole };
        }
        error
    })?;
    if tree.roots().len() > 1 {
        let message = "a value is a single document";
        return Err(Diagnostic::error(message).at(Span { start, ..whole }));
    }
    if !value.trim_end().contains('\n') {
        let end = tree.base().span(0).end;
        let rest = value.get(end as usize..).unwrap_or_default();
        if is_comment(rest) {
            let message = "the value ends here, and a comment follows";
            let hint = "quote it as a whole, or use --set-string";
            let place = Span { start: start + end, ..whole };
            return Err(Diagnostic::error(message).at(place).hint(hint));
        }
    }
    Ok(tree)
}
