//! Events come in, the text that libyaml writes for them goes out.

use super::analyze::{Analysis, analyze};
use super::represent::{Collection, Event, Scalar};
use super::{ScalarStyle, YamlStyle};
use crate::eval::python::{Result, width};

/// The text so far, and where in it the next character comes.
pub(super) struct Emitter<'a> {
    pub(super) out: String,
    pub(super) column: usize,
    /// Whether what was written last is a space, and whether it is indentation.
    pub(super) whitespace: bool,
    pub(super) indention: bool,
    /// The indentation; before the document it is less than none.
    pub(super) indent: Option<usize>,
    pub(super) step: usize,
    pub(super) width: usize,
    pub(super) unicode: bool,
    /// Whether the document ends in what needs `...` after it.
    pub(super) is_open: bool,
    events: &'a [Event],
    at: usize,
    open: Vec<Open>,
    flow: usize,
}

/// A collection that is being written.
#[derive(Clone, Copy)]
struct Open {
    /// The indentation around it.
    outer: Option<usize>,
    flow: bool,
    mapping: bool,
    first: bool,
    /// Whether the value of a key comes next, and whether that key was a simple one.
    value: Option<bool>,
}

/// Where a node stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Root,
    Item,
    Key,
    SimpleKey,
    Value,
}

pub(super) fn emit(events: &[Event], style: &YamlStyle) -> Result<String> {
    let step = usize::try_from(style.indent).ok().filter(|n| (2..=9).contains(n));
    let step = step.unwrap_or(2);
    let width = match usize::try_from(style.width) {
        Ok(width) if width <= step * 2 => 80,
        Ok(width) => width,
        Err(_) => usize::MAX,
    };
    let mut emitter = Emitter {
        out: String::new(),
        column: 0,
        whitespace: true,
        indention: true,
        indent: None,
        step,
        width,
        unicode: style.unicode,
        is_open: false,
        events,
        at: 0,
        open: Vec::new(),
        flow: 0,
    };
    emitter.document(style)?;
    Ok(emitter.out)
}

impl Emitter<'_> {
    fn document(&mut self, style: &YamlStyle) -> Result<()> {
        if style.explicit_start {
            self.write_indent();
            self.indicator("---", true, false, false);
        }
        self.node(Place::Root);
        while let Some(open) = self.open.last().copied() {
            self.member(open);
            width(self.out.len())?;
        }
        self.write_indent();
        if style.explicit_end || self.is_open {
            self.indicator("...", true, false, false);
            self.write_indent();
        }
        Ok(())
    }

    fn put(&mut self, c: char) {
        self.out.push(c);
        self.column += 1;
    }

    pub(super) fn write(&mut self, c: char) {
        self.put(c);
    }

    pub(super) fn line_break(&mut self, c: char) {
        self.out.push(c);
        self.column = 0;
    }

    pub(super) fn write_indent(&mut self) {
        let indent = self.indent.unwrap_or(0);
        let beyond = self.column > indent || self.column == indent && !self.whitespace;
        if !self.indention || beyond {
            self.line_break('\n');
        }
        while self.column < indent {
            self.put(' ');
        }
        (self.whitespace, self.indention) = (true, true);
    }

    pub(super) fn indicator(
        &mut self,
        text: &str,
        spaced: bool,
        whitespace: bool,
        indention: bool,
    ) {
        if spaced && !self.whitespace {
            self.put(' ');
        }
        text.chars().for_each(|c| self.put(c));
        self.whitespace = whitespace;
        self.indention &= indention;
    }

    fn increase(&mut self, flow: bool, indentless: bool) {
        self.indent = Some(match self.indent {
            None if flow => self.step,
            None => 0,
            Some(indent) if indentless => indent,
            Some(indent) => indent + self.step,
        });
    }

    /// Writes a member of the innermost collection, or its end.
    fn member(&mut self, open: Open) {
        let ends = self.events.get(self.at).is_none_or(|event| *event == Event::End);
        if let Some(simple) = open.value {
            self.set(Open { value: None, ..open });
            self.value(open.flow, simple);
            return;
        }
        if ends {
            self.at += 1;
            self.open.pop();
            self.indent = open.outer;
            if open.flow {
                self.flow -= 1;
                self.indicator(if open.mapping { "}" } else { "]" }, false, false, false);
            }
            return;
        }
        if open.flow {
            if !open.first {
                self.indicator(",", false, false, false);
            }
            if self.column > self.width {
                self.write_indent();
            }
        } else {
            self.write_indent();
        }
        let simple = open.mapping && self.is_simple_key();
        let value = open.mapping.then_some(simple);
        self.set(Open { first: false, value, ..open });
        match (open.mapping, simple) {
            (true, true) => self.node(Place::SimpleKey),
            (true, false) => {
                self.indicator("?", true, false, !open.flow);
                self.node(Place::Key);
            }
            (false, _) => {
                if !open.flow {
                    self.indicator("-", true, false, true);
                }
                self.node(Place::Item);
            }
        }
    }

    fn set(&mut self, open: Open) {
        if let Some(last) = self.open.last_mut() {
            *last = open;
        }
    }

    fn value(&mut self, flow: bool, simple: bool) {
        if simple {
            self.indicator(":", false, false, false);
        } else {
            if !flow || self.column > self.width {
                self.write_indent();
            }
            self.indicator(":", true, false, !flow);
        }
        self.node(Place::Value);
    }

    fn is_empty(&self, at: usize) -> bool {
        self.events.get(at + 1).is_none_or(|event| *event == Event::End)
    }

    /// Whether the next node can be a key without `?`.
    fn is_simple_key(&self) -> bool {
        const LONGEST: usize = 128;
        let anchor = |of: &Collection| of.anchor.as_ref().map_or(0, String::len);
        match self.events.get(self.at) {
            Some(Event::Scalar(scalar)) => {
                let tag =
                    if scalar.plain || scalar.quoted { 0 } else { scalar.tag.len() };
                !analyze(&scalar.text, self.unicode).multiline
                    && scalar.text.len() + tag <= LONGEST
            }
            Some(Event::Sequence(of) | Event::Mapping(of)) => {
                self.is_empty(self.at)
                    && anchor(of) + of.tag.map_or(0, str::len) <= LONGEST
            }
            Some(Event::Alias(_)) => true,
            Some(Event::End) | None => false,
        }
    }

    fn node(&mut self, place: Place) {
        let events = self.events;
        let Some(event) = events.get(self.at) else { return };
        self.at += 1;
        match event {
            Event::Alias(anchor) => {
                self.indicator(&format!("*{anchor}"), true, false, false);
                if place == Place::SimpleKey {
                    self.put(' ');
                }
            }
            Event::Scalar(scalar) => self.scalar(scalar, place),
            Event::Sequence(of) => self.begin(of, place, false),
            Event::Mapping(of) => self.begin(of, place, true),
            Event::End => {}
        }
    }

    fn begin(&mut self, of: &Collection, place: Place, mapping: bool) {
        if let Some(anchor) = &of.anchor {
            self.indicator(&format!("&{anchor}"), true, false, false);
        }
        if let Some(tag) = of.tag {
            self.indicator(tag, true, false, false);
        }
        let outer = self.indent;
        let flow = self.flow > 0 || of.flow || self.is_empty(self.at - 1);
        if flow {
            self.indicator(if mapping { "{" } else { "[" }, true, true, false);
            self.increase(true, false);
            self.flow += 1;
        } else {
            let in_mapping =
                matches!(place, Place::Key | Place::SimpleKey | Place::Value);
            self.increase(false, !mapping && in_mapping && !self.indention);
        }
        self.open.push(Open { outer, flow, mapping, first: true, value: None });
    }

    fn scalar(&mut self, scalar: &Scalar, place: Place) {
        let (simple, analysis) =
            (place == Place::SimpleKey, analyze(&scalar.text, self.unicode));
        let tagged = !scalar.plain && !scalar.quoted;
        let quote = self.quote(scalar, simple, analysis);
        if tagged {
            self.indicator(scalar.tag, true, false, false);
        } else if !scalar.quoted && quote != ScalarStyle::Plain {
            self.indicator("!", true, false, false);
        }
        let outer = self.indent;
        self.increase(true, false);
        match quote {
            ScalarStyle::Plain => self.plain(&scalar.text, !simple),
            ScalarStyle::Single => self.single(&scalar.text, !simple),
            ScalarStyle::Double => self.double(&scalar.text, !simple),
            ScalarStyle::Literal => self.literal(&scalar.text),
            ScalarStyle::Folded => self.folded(&scalar.text),
        }
        self.indent = outer;
    }

    pub(super) fn in_flow(&self) -> bool {
        self.flow > 0
    }

    /// The quotes that it needs.
    fn quote(&self, scalar: &Scalar, simple: bool, analysis: Analysis) -> ScalarStyle {
        let flow = self.in_flow();
        let mut quote = scalar.quote;
        if simple && analysis.multiline {
            quote = ScalarStyle::Double;
        }
        let plain = if flow { analysis.plain_in_flow } else { analysis.plain_in_block };
        let empty = scalar.text.is_empty() && (flow || simple);
        let meant = scalar.plain || !scalar.quoted;
        if quote == ScalarStyle::Plain && (!plain || empty || !meant) {
            quote = ScalarStyle::Single;
        }
        match quote {
            ScalarStyle::Single if !analysis.single => ScalarStyle::Double,
            ScalarStyle::Literal | ScalarStyle::Folded
                if !analysis.block || flow || simple =>
            {
                ScalarStyle::Double
            }
            quote => quote,
        }
    }
}
