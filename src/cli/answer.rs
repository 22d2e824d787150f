//! Answers about the result: the values, paths or keys that `--path`, `--paths` and `--keys`
//! ask for, as text.

use std::slice;

use interpolate::unstable::apply;
use interpolate::unstable::diagnostic::Diagnostic;
use interpolate::unstable::node::{Kind, NodeId, Tree};
use interpolate::unstable::select::{NormalizedPaths, Query, QueryBudget};
use interpolate::unstable::source::Sources;
use interpolate::unstable::target::Target;
use interpolate::unstable::yaml;

use super::failure::{Failure, Result, warn};
use super::main_options::MainOptions;
use super::options::{Format, Question, QuestionKind};
use super::side_output::Patched;

/// Returns the answer to a question about each document that is printed.
pub fn answer(
    options: &MainOptions,
    sources: &Sources,
    Patched { document, printed, .. }: &mut Patched,
    question: Question<'_>,
) -> Result<Vec<u8>> {
    let target = question.path.target(options.format());
    let target = target.map_err(|mistake| Failure::usage(&mistake.to_string()))?;
    let settled = target.settled(question.path.text(), document);
    let target = &settled.unwrap_or(target);
    let mut asker = Asker {
        options,
        sources,
        document,
        target,
        queries: options.input.query_budget(),
    };
    let mut answer = Vec::new();
    if let Some(text) = asker.unanswered(printed)? {
        answer = text.into_bytes();
        printed.clear();
    }
    for (number, &root) in printed.iter().enumerate() {
        let page = asker.page(question.kind, root)?;
        let is_apart = number > 0 || options.follows && page.is_collection;
        if is_apart && !options.output.raw && options.format() != Format::Json {
            answer.extend(b"---\n");
        }
        answer.extend(page.text);
    }
    if options.output.with_filename {
        answer = with_name(&options.base().to_string_lossy(), &answer);
    }
    Ok(answer)
}

/// Puts the name of a file before each line.
fn with_name(name: &str, text: &[u8]) -> Vec<u8> {
    let lines = text.split_inclusive(|&byte| byte == b'\n');
    lines.flat_map(|line| [name.as_bytes(), b":", line].concat()).collect()
}

/// The answer about one document.
struct AnswerPage {
    text: Vec<u8>,
    /// True if it is a collection in YAML, which several lines may spell.
    is_collection: bool,
}

impl From<String> for AnswerPage {
    fn from(text: String) -> AnswerPage {
        AnswerPage { text: text.into_bytes(), is_collection: false }
    }
}

struct Asker<'a> {
    options: &'a MainOptions,
    sources: &'a Sources,
    document: &'a mut Tree,
    target: &'a Target,
    queries: QueryBudget,
}

impl Asker<'_> {
    /// Returns the text of `--default` if a query selects nothing in any document; `None` if there
    /// is an answer. Without the option, that is an error where lines are asked for.
    fn unanswered(&mut self, roots: &[usize]) -> Result<Option<String>> {
        let Target::Query(query) = self.target else { return Ok(None) };
        let default = self.options.output.default.as_ref();
        if default.is_none() && !self.options.output.raw {
            return Ok(None);
        }
        for &root in roots {
            if !apply::find_all(self.document, query, root, &mut self.queries)?.is_empty()
            {
                return Ok(None);
            }
        }
        match default {
            Some(text) => Ok(Some(format!("{text}\n"))),
            None => Err(self.no_match(query, roots.first().copied().unwrap_or_default())),
        }
    }

    /// Returns the answer about a document, or the text of `--default` if a path leads nowhere.
    fn page(&mut self, kind: QuestionKind, root: usize) -> Result<AnswerPage> {
        let default = self.options.output.default.as_ref();
        let is_query = matches!(self.target, Target::Query(_));
        match default.filter(|_| !is_query) {
            Some(text) if self.find(root).is_err() => {
                Ok(AnswerPage::from(format!("{text}\n")))
            }
            _ => match kind {
                QuestionKind::Value if self.options.output.raw => self.raw(root),
                QuestionKind::Value => self.value(root),
                QuestionKind::Paths => self.paths(root),
                QuestionKind::Keys => self.keys(root),
            },
        }
    }

    fn find(&mut self, root: usize) -> Result<NodeId> {
        Ok(apply::find_target(self.document, self.target, root, &mut self.queries)?)
    }

    /// Returns all nodes that the path leads to.
    fn found(&mut self, root: usize) -> Result<Vec<NodeId>> {
        let Target::Query(query) = self.target else { return Ok(vec![self.find(root)?]) };
        let found = apply::find_all(self.document, query, root, &mut self.queries)?;
        // Lines of a script come from whatever document has some.
        if found.is_empty() && !self.options.output.raw {
            self.warn_of_no_match(query, root);
        }
        Ok(found.into_iter().map(|(node, _)| node).collect())
    }

    /// Returns the value, or the list of all that a query selects.
    fn value(&mut self, root: usize) -> Result<AnswerPage> {
        let node = self.find(root)?;
        let document = &mut *self.document;
        let limit = self.options.input.expansion();
        let text = match self.options.format() {
            Format::Json => yaml::json::print(document, node, limit)?.into_bytes(),
            Format::Bosh => yaml::go::print_found(document, node, limit)?,
            Format::Yaml => yaml::print_found(document, node)?,
        };
        let is_collection = document.kind(node) != Kind::Scalar;
        if let Target::Query(query) = self.target
            && document.items(node).is_empty()
        {
            self.warn_of_no_match(query, root);
        }
        Ok(AnswerPage { text, is_collection })
    }

    /// Returns a line for each value: a scalar without quotes, a collection in JSON.
    fn raw(&mut self, root: usize) -> Result<AnswerPage> {
        let limit = self.options.input.expansion();
        let mut text = Vec::new();
        for node in self.found(root)? {
            text.extend(yaml::print_raw(self.document, node, limit)?);
            limit.check(text.len(), 0)?;
        }
        Ok(AnswerPage { text, is_collection: false })
    }

    /// Returns the normalized paths of what the path leads to.
    fn paths(&mut self, root: usize) -> Result<AnswerPage> {
        let limit = self.options.input.expansion();
        let found =
            apply::find_places(self.document, self.target, root, &mut self.queries)?;
        if let (Target::Query(query), true) = (self.target, found.is_empty()) {
            self.warn_of_no_match(query, root);
        }
        let mut normalized =
            NormalizedPaths::new(self.document, self.document.roots()[root]);
        let mut length = 0;
        let mut paths = Vec::new();
        for (_, path) in &found {
            let path = normalized.path(path)?;
            length += path.len();
            limit.check(length, 0)?;
            paths.push(path);
        }
        Ok(self.lines(&paths))
    }

    /// Returns the keys of the mappings, or the indexes of the lists, that the path leads to.
    fn keys(&mut self, root: usize) -> Result<AnswerPage> {
        let limit = self.options.input.expansion();
        let is_query = matches!(self.target, Target::Query(_));
        let mut length = 0;
        let mut keys = Vec::new();
        for node in self.found(root)? {
            let document = &*self.document;
            let before = keys.len();
            match document.kind(node) {
                Kind::Mapping => {
                    for (key, _) in document.pairs(node) {
                        keys.push(match document.member_name(key) {
                            Some(name) => name.into_owned(),
                            None => yaml::json::print_line(document, key, limit)?,
                        });
                    }
                }
                Kind::Sequence => {
                    keys.extend((0..document.items(node).len()).map(|at| at.to_string()));
                }
                // A query selects what it meets; only its collections have keys.
                Kind::Scalar if is_query => {}
                Kind::Scalar => return Err(self.no_keys(node)),
            }
            length += keys[before..].iter().map(String::len).sum::<usize>();
            limit.check(length, 0)?;
        }
        Ok(self.lines(&keys))
    }

    fn lines(&self, lines: &[String]) -> AnswerPage {
        AnswerPage::from(match self.options.format() {
            Format::Json => serde_json::to_string(lines).unwrap_or_default() + "\n",
            Format::Yaml | Format::Bosh => {
                lines.iter().map(|line| format!("{line}\n")).collect()
            }
        })
    }

    fn no_keys(&self, node: NodeId) -> Failure {
        let message = format!("'{}' is no mapping and has no keys", self.target);
        let place = self.document.span(node);
        Failure::from(Diagnostic::error(message).label(place, "this is a scalar"))
    }

    /// Returns the failure of a query that selects nothing.
    fn no_match(&self, query: &Query, root: usize) -> Failure {
        let meant = apply::likely_meant(self.document, query, root);
        let error = Diagnostic::error(format!("nothing matches '{query}'"));
        Failure::from(match meant {
            Some(meant) => Box::new(Diagnostic { severity: error.severity, ..*meant }),
            None => error,
        })
    }

    /// Warns about a query that selects nothing in a document.
    fn warn_of_no_match(&self, query: &Query, root: usize) {
        let warning = apply::likely_meant(self.document, query, root);
        let warnings = warning.as_deref().map_or(&[][..], slice::from_ref);
        warn(warnings, self.sources, &self.options.output);
    }
}
