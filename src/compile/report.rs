//! What is wrong with directives, in words.

use super::branch::{DirectiveId, Token};
use super::directive::Directive;
use super::link::{Linker, Need};
use super::lookup::Missing;
use crate::diagnostic::{Diagnostic, near};
use crate::node::{Kind, Node};
use crate::patch::{Base, Step};
use crate::source::Span;

/// So much of a cycle is shown.
const SHOWN: usize = 10;

impl Linker<'_> {
    /// Says once that a directive leads to nothing, if it may not.
    pub(super) fn report(&mut self, id: DirectiveId, missing: &Missing) {
        let directive = &self.directives[id];
        let forgiven = directive.source.optional && !missing.required;
        if forgiven || !self.reported.insert(id) {
            return;
        }
        let (span, base) = (directive.span, directive.source.base.clone());
        let name = self.shown(id);
        let diagnostic = Diagnostic::error(format!("missing include: '{name}'")).at(span);
        let diagnostic = match (&missing.reached, base) {
            (Some((node, token)), _) => {
                self.explain(diagnostic, *node, token, missing.step)
            }
            (None, Base::Anchor(anchor) | Base::File(_, Some(anchor))) => {
                self.explain_anchor(diagnostic, &anchor, span)
            }
            (None, Base::Root | Base::Parent(_) | Base::File(_, None)) => diagnostic,
        };
        self.wrong.push(*diagnostic);
    }

    /// A directive in few words: its key, and the file that it includes.
    fn shown(&self, id: DirectiveId) -> String {
        let Directive { key, include, .. } = &self.directives[id];
        let key = self.document.text_of(*key);
        match include {
            Some(include) => format!("{key}: {include}"),
            None => key.into_owned(),
        }
    }

    /// Shows how far a pointer led, and what may have been meant.
    fn explain(
        &self,
        diagnostic: Box<Diagnostic>,
        node: Node,
        token: &Token,
        step: Option<Step>,
    ) -> Box<Diagnostic> {
        let text = match token {
            Token::Text(text) => text.clone(),
            Token::Step(Step::Key(key)) => self.document.text_of(*key).into_owned(),
            Token::Step(Step::Index(at)) => at.to_string(),
        };
        let shown = match step {
            Some(Step::Key(key)) => key,
            Some(Step::Index(_)) | None => node,
        };
        let place = self.document.span(shown).map(|span| self.document.first_line(span));
        let label = match self.document.kind(node) {
            Kind::Mapping => format!("this has no '{text}'"),
            Kind::Sequence => format!("this has no item {text}"),
            Kind::Scalar => format!("this is a single value, without '{text}'"),
        };
        let root = node == self.root;
        let diagnostic = match place {
            Some(place) if !root => diagnostic.label(place, label),
            Some(_) | None => diagnostic,
        };
        let keys = self.keys(node);
        match near(keys.iter().map(String::as_str), &text) {
            Some(name) => diagnostic.hint(format!("did you mean '{name}'?")),
            None => diagnostic,
        }
    }

    fn explain_anchor(
        &mut self,
        diagnostic: Box<Diagnostic>,
        anchor: &str,
        span: Span,
    ) -> Box<Diagnostic> {
        let hint = format!("no mapping and no list has the anchor '&{anchor}'");
        let diagnostic = diagnostic.hint(hint);
        let names = self.names(span.file);
        let mut names: Vec<&str> = names.keys().map(|name| &**name).collect();
        names.sort_unstable();
        match near(names, anchor) {
            Some(name) => diagnostic.hint(format!("did you mean '*{name}'?")),
            None => diagnostic,
        }
    }

    /// Shows the chain of directives from something back to itself.
    pub(super) fn cycle(&self, stack: &[Need], need: &Need) -> Box<Diagnostic> {
        let start = stack.iter().rposition(|it| self.is_same(it, need)).unwrap_or(0);
        let behind = stack.iter().skip(start + 1).filter(|it| self.is_active(it));
        let mut chain: Vec<DirectiveId> = behind.chain([need]).filter_map(asks).collect();
        chain.dedup();
        let name = |id: DirectiveId| self.shown(id);
        let names: Vec<String> =
            chain.iter().take(SHOWN).map(|&id| format!("'{}'", name(id))).collect();
        let more = if chain.len() > SHOWN { " …" } else { "" };
        let way = names.join(" → ");
        let message = match chain[..] {
            [only] => format!("recursive include when including {}", name(only)),
            _ => format!("recursive include: {way}{more} leads back to where it began"),
        };
        let count = chain.len().min(SHOWN);
        let label = |i: usize| match i {
            _ if count == 1 => "this stands inside of what it names",
            0 => "from here",
            _ if i + 1 == count && more.is_empty() => "and so back to the first",
            _ => "which leads here",
        };
        let spans = chain.iter().take(SHOWN).map(|&id| self.directives[id].span);
        spans
            .enumerate()
            .fold(Diagnostic::error(message), |d, (i, span)| d.label(span, label(i)))
    }

    /// Says where too much was made.
    pub(super) fn exceeded(&self, stack: &[Need]) -> Box<Diagnostic> {
        let limit = self.rules.expansion.0;
        let message = format!("the directives expand to more than {limit} bytes");
        let last = self.directives.len().checked_sub(1);
        let asked = stack.iter().rev().find_map(asks).or(last);
        let diagnostic = Diagnostic::error(message);
        let diagnostic = match asked {
            Some(id) => diagnostic.at(self.directives[id].span),
            None => diagnostic,
        };
        diagnostic.hint("`--limit expansion=N` raises the limit")
    }
}

/// The directive that asks for something.
fn asks(need: &Need) -> Option<DirectiveId> {
    match *need {
        Need::Root => None,
        Need::Expand(_, _, id) | Need::Locate(id, _) => Some(id),
    }
}
