//! Why an op failed: go-patch's message, the token it failed at, and the deepest place
//! of the document that was reached.

use crate::diagnostic::Diagnostic;
use crate::node::{Document, Kind, Node};
use crate::patch::Op;
use crate::pointer::Token;
use crate::scalar::Scalar;
use crate::source::Span;

/// How many names are looked at for one that was meant: ops fail by the thousand, too.
const LOOKED_AT: usize = 1_000;

/// An op that failed.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) message: String,
    /// The number of the token it failed at.
    pub(super) depth: usize,
    /// Whether the place does not exist, all else being well.
    pub(super) missing: bool,
    place: Option<Span>,
    hint: Option<String>,
}

impl Failure {
    pub(super) fn new(message: String, depth: usize) -> Failure {
        Failure { message, depth, missing: false, place: None, hint: None }
    }

    pub(super) fn missing(self) -> Failure {
        Failure { missing: true, ..self }
    }

    pub(super) fn at(self, place: Option<Span>) -> Failure {
        Failure { place, ..self }
    }

    /// Suggests the candidate most like what was written.
    pub(super) fn suggest(self, written: &str, candidates: &[String]) -> Failure {
        let distance = |c: &str| strsim::osa_distance(c, written);
        let near = candidates.iter().take(LOOKED_AT).map(|c| (distance(c), c)).min();
        let likely = |&(far, c): &(usize, &String)| {
            let shorter = c.len().min(written.len());
            (1..shorter).contains(&far) && far <= 1 + shorter / 4
        };
        let near = near.filter(likely);
        Failure { hint: near.map(|(_, c)| format!("did you mean '{c}'?")), ..self }
    }

    pub(super) fn place(&self, diagnostic: Box<Diagnostic>) -> Box<Diagnostic> {
        let diagnostic = match self.place {
            Some(span) => diagnostic.label(span, "this is as far as the path leads"),
            None => diagnostic,
        };
        match &self.hint {
            Some(hint) => diagnostic.hint(hint),
            None => diagnostic,
        }
    }

    pub(super) fn diagnose(&self, op: &Op, document: &Document) -> Diagnostic {
        let span = token_span(op, document, self.depth).unwrap_or(op.origin.path);
        let diagnostic = Diagnostic::error(&*self.message);
        let operation = format!("operation [{}] fails here", op.origin.number);
        *self.place(diagnostic.label(span, operation))
    }
}

/// The part of a path that says the token at `depth`, if the path is written plainly.
fn token_span(op: &Op, document: &Document, depth: usize) -> Option<Span> {
    let path = op.origin.path;
    let text =
        document.arena(path.file).text.get(path.start as usize..path.end as usize)?;
    let mut slashes = text.match_indices('/').map(|(at, _)| at);
    (slashes.clone().count() == op.at.tokens.len()).then_some(())?;
    let start = slashes.nth(depth)?;
    let end = slashes.next().unwrap_or(text.trim_end_matches(['"', '\'']).len());
    (end > start).then_some(())?;
    Some(Span { start: path.start + start as u32, end: path.start + end as u32, ..path })
}

impl Document {
    /// What Go calls the type of `node`.
    pub(super) fn type_name(&self, node: Node) -> &'static str {
        match self.kind(node) {
            Kind::Sequence => "[]interface {}",
            Kind::Mapping => "map[interface {}]interface {}",
            Kind::Scalar => match self.scalar(node) {
                Scalar::Null => "<nil>",
                Scalar::Bool(_) => "bool",
                Scalar::Int(x) if x > i64::MAX.into() => "uint64",
                Scalar::Int(_) => "int",
                Scalar::Float(_) => "float64",
                Scalar::String(_) | Scalar::Binary(_) => "string",
            },
        }
    }

    /// The string keys of a mapping, sorted by their bytes, and whether it has any key.
    pub(super) fn keys(&self, mapping: Node) -> (Vec<String>, bool) {
        let pairs = self.pairs(mapping);
        let text = |key: Node| match self.scalar(key) {
            Scalar::String(text) if self.kind(key) == Kind::Scalar => {
                Some(text.into_owned())
            }
            _ => None,
        };
        let mut keys: Vec<String> =
            pairs.iter().filter_map(|&(key, _)| text(key)).collect();
        keys.sort_unstable();
        (keys, !pairs.is_empty())
    }

    /// The strings at `key` of the first mappings in a sequence.
    pub(super) fn values(&self, sequence: Node, key: &str) -> Vec<String> {
        let value = |item| match self.scalar(self.get(item, key)?) {
            Scalar::String(text) => Some(text.into_owned()),
            _ => None,
        };
        self.items(sequence).into_iter().take(LOOKED_AT).filter_map(value).collect()
    }
}

/// The Go type of the token that stands for the place after the last item.
pub(super) const AFTER_LAST: &str = "patch.AfterLastIndexToken";

/// The message for a key that a mapping does not have.
pub(super) fn missing_key(key: &str, path: &str, keys: &[String], any: bool) -> String {
    let found = match any {
        true => format!("found map keys: '{}'", keys.join("', '")),
        false => "found no other map keys".into(),
    };
    format!("Expected to find a map key '{key}' for path '{path}' ({found})")
}

/// Whether a container for `next` can be made, and of which kind.
pub(super) fn container(next: &Token) -> Option<Kind> {
    match next {
        Token::Key(_) => Some(Kind::Mapping),
        Token::Match { .. } | Token::End => Some(Kind::Sequence),
        Token::Index(..) => None,
    }
}
