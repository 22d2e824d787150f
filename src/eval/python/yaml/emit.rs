//! libyaml's emitter: the events of a document → text.
//!
//! Names of fields and the order of checks are those of libyaml's `emitter.c`.

use super::represent::{CollectionStart, DumpEvent, ScalarEvent, ScalarStyle, YamlStyle};
use crate::eval::python::{Result, limit_bytes};
use crate::yaml::libyaml::{
    self, ScalarAnalysis, ScalarLines, analyze, is_break, is_printable,
};

/// The output and the state of the emitter.
#[derive(Default)]
struct PyYamlEmitter<'a> {
    out: String,
    column: usize,
    /// True if the last character is a space; true if the line holds only indentation.
    whitespace: bool,
    indention: bool,
    /// Current indentation; `None` before the document.
    indent: Option<usize>,
    step: usize,
    width: usize,
    unicode: bool,
    /// True if the document needs `...` after it.
    is_open: bool,
    events: &'a [DumpEvent],
    at: usize,
    open: Vec<EmitLevel>,
    flow: usize,
}

/// A collection that is being written.
#[derive(Clone, Copy)]
struct EmitLevel {
    /// Indentation around it.
    outer: Option<usize>,
    flow: bool,
    mapping: bool,
    first: bool,
    /// `Some` if a value comes next; true if its key is a simple one.
    value: Option<bool>,
}

/// Characters that no plain text has within a flow collection.
const FLOW_INDICATORS: [char; 7] = [',', '?', '[', ']', '{', '}', ':'];

/// Position of a node in its parent.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NodePosition {
    Root,
    Item,
    Key,
    SimpleKey,
    Value,
}

pub fn emit(events: &[DumpEvent], style: &YamlStyle) -> Result<String> {
    if style.canonical {
        return canonical(events, style);
    }
    let step = step(style);
    let width = match usize::try_from(style.width) {
        Ok(width) if width <= step * 2 => 80,
        Ok(width) => width,
        Err(_) => usize::MAX,
    };
    let unicode = style.unicode;
    let mut emitter =
        PyYamlEmitter { step, width, unicode, events, ..PyYamlEmitter::default() };
    (emitter.whitespace, emitter.indention) = (true, true);
    emitter.document(style)?;
    Ok(emitter.out)
}

/// Returns the number of blanks of a level.
// libyaml replaces values that it does not accept by its defaults, without an error.
fn step(style: &YamlStyle) -> usize {
    if (2..=9).contains(&style.indent) { style.indent as usize } else { 2 }
}

/// Returns a document in canonical form.
fn canonical(events: &[DumpEvent], style: &YamlStyle) -> Result<String> {
    let mut out = directives(style) + "---\n";
    let step = step(style);
    // The open collections: true for a mapping, and the number of its nodes so far.
    let mut open: Vec<(bool, usize)> = Vec::new();
    for (at, event) in events.iter().enumerate() {
        limit_bytes(out.len())?;
        if *event == DumpEvent::End {
            let (is_mapping, count) = open.pop().unwrap_or_default();
            if count > 0 {
                out += &" ".repeat(step * open.len());
            }
            out.push(if is_mapping { '}' } else { ']' });
        } else {
            if let Some((is_mapping, count)) = open.last_mut() {
                let sign = match (*is_mapping, count.is_multiple_of(2)) {
                    (false, _) => "",
                    (true, true) => "? ",
                    (true, false) => ": ",
                };
                *count += 1;
                out += &format!("{}{sign}", " ".repeat(step * open.len()));
            }
            out += &canonical_start(event, style);
            if let DumpEvent::Sequence(_) | DumpEvent::Mapping(_) = event {
                open.push((matches!(event, DumpEvent::Mapping(_)), 0));
                out +=
                    if events.get(at + 1) == Some(&DumpEvent::End) { "" } else { "\n" };
                continue;
            }
        }
        let is_key =
            open.last().is_some_and(|(mapping, n)| *mapping && !n.is_multiple_of(2));
        out += if open.is_empty() || is_key { "\n" } else { ",\n" };
    }
    Ok(out + if style.explicit_end { "...\n" } else { "" })
}

/// Returns a scalar, an alias or the start of a collection in canonical form.
fn canonical_start(event: &DumpEvent, style: &YamlStyle) -> String {
    let collection = |start: &CollectionStart, tag: &str, open: char| {
        let anchor = start.anchor.as_ref().map(|name| format!("&{name} "));
        format!("{}{} {open}", anchor.unwrap_or_default(), start.tag.unwrap_or(tag))
    };
    match event {
        DumpEvent::Scalar(scalar) => {
            let escapes = |c: char| {
                let is_plain = style.unicode
                    && matches!(c, '\u{a0}'..='\u{fffd}')
                    && c != '\u{feff}';
                !is_plain && !matches!(c, ' '..='~')
            };
            let mut text = format!("{} ", scalar.tag);
            let lines = ScalarLines { column: 0, indent: 0, width: None };
            libyaml::double(&mut text, &scalar.text, lines, escapes);
            text
        }
        DumpEvent::Alias(name) => format!("*{name}"),
        DumpEvent::Sequence(start) => collection(start, "!!seq", '['),
        DumpEvent::Mapping(start) => collection(start, "!!map", '{'),
        DumpEvent::End => String::new(),
    }
}

/// Returns the lines of the directives before a document.
fn directives(style: &YamlStyle) -> String {
    let version = style.version.map(|(major, minor)| format!("%YAML {major}.{minor}\n"));
    let tags = style.tags.iter().map(|(name, prefix)| format!("%TAG {name} {prefix}\n"));
    version.into_iter().chain(tags).collect()
}

impl PyYamlEmitter<'_> {
    fn document(&mut self, style: &YamlStyle) -> Result<()> {
        let directives = directives(style);
        if style.explicit_start || !directives.is_empty() {
            self.out.push_str(&directives);
            self.write_indent();
            self.indicator("---", true, false, false);
        }
        self.node(NodePosition::Root);
        while let Some(open) = self.open.last().copied() {
            self.member(open);
            limit_bytes(self.out.len())?;
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

    fn line_break(&mut self, c: char) {
        self.out.push(c);
        self.column = 0;
    }

    fn write_indent(&mut self) {
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

    /// Writes an indicator, as `yaml_emitter_write_indicator`: `spaced` needs a space
    /// before it; `whitespace` and `indention` say if it counts as such.
    fn indicator(&mut self, text: &str, spaced: bool, whitespace: bool, indention: bool) {
        if spaced && !self.whitespace {
            self.put(' ');
        }
        text.chars().for_each(|c| self.put(c));
        self.whitespace = whitespace;
        self.indention &= indention;
    }

    /// Increases the indentation. A sequence in a mapping may be `indentless`.
    fn increase(&mut self, flow: bool, indentless: bool) {
        self.indent = Some(match self.indent {
            // libyaml starts at -1: a flow collection at the top is indented.
            None if flow => self.step,
            None => 0,
            Some(indent) if indentless => indent,
            Some(indent) => indent + self.step,
        });
    }

    /// Writes the next member of the innermost collection, or its end.
    fn member(&mut self, open: EmitLevel) {
        let ends = self.events.get(self.at).is_none_or(|event| *event == DumpEvent::End);
        if let Some(simple) = open.value {
            self.set(EmitLevel { value: None, ..open });
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
        self.set(EmitLevel { first: false, value, ..open });
        if simple {
            self.node(NodePosition::SimpleKey);
        } else if open.mapping {
            self.indicator("?", true, false, !open.flow);
            self.node(NodePosition::Key);
        } else {
            if !open.flow {
                self.indicator("-", true, false, true);
            }
            self.node(NodePosition::Item);
        }
    }

    fn set(&mut self, open: EmitLevel) {
        if let Some(last) = self.open.last_mut() {
            *last = open;
        }
    }

    /// Writes `:` and the value of a key.
    fn value(&mut self, flow: bool, simple: bool) {
        if simple {
            self.indicator(":", false, false, false);
        } else {
            if !flow || self.column > self.width {
                self.write_indent();
            }
            self.indicator(":", true, false, !flow);
        }
        self.node(NodePosition::Value);
    }

    fn is_empty(&self, at: usize) -> bool {
        self.events.get(at + 1).is_none_or(|event| *event == DumpEvent::End)
    }

    /// Returns true if the next node can be a key without `?`.
    fn is_simple_key(&self) -> bool {
        // The limit of libyaml. YAML allows 1,024 characters.
        const LONGEST: usize = 128;
        match self.events.get(self.at) {
            Some(DumpEvent::Scalar(scalar)) => {
                let tag =
                    if scalar.plain || scalar.quoted { 0 } else { scalar.tag.len() };
                !analyze(&scalar.text, self.unicode).multiline
                    && scalar.text.len() + tag <= LONGEST
            }
            Some(DumpEvent::Sequence(of) | DumpEvent::Mapping(of)) => {
                let anchor = of.anchor.as_ref().map_or(0, String::len);
                self.is_empty(self.at) && anchor + of.tag.map_or(0, str::len) <= LONGEST
            }
            Some(DumpEvent::Alias(_)) => true,
            Some(DumpEvent::End) | None => false,
        }
    }

    /// Writes the next node, or the start of a collection.
    fn node(&mut self, place: NodePosition) {
        let events = self.events;
        let Some(event) = events.get(self.at) else { return };
        self.at += 1;
        match event {
            DumpEvent::Alias(anchor) => {
                self.indicator(&format!("*{anchor}"), true, false, false);
                // `*a:` would be read as an alias named `a:`.
                if place == NodePosition::SimpleKey {
                    self.put(' ');
                }
            }
            DumpEvent::Scalar(scalar) => self.scalar(scalar, place),
            DumpEvent::Sequence(of) => self.begin(of, place, false),
            DumpEvent::Mapping(of) => self.begin(of, place, true),
            DumpEvent::End => {}
        }
    }

    fn begin(&mut self, of: &CollectionStart, place: NodePosition, mapping: bool) {
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
            let in_mapping = matches!(
                place,
                NodePosition::Key | NodePosition::SimpleKey | NodePosition::Value
            );
            // A sequence in a mapping is not indented, as PyYAML writes it by default.
            self.increase(false, !mapping && in_mapping && !self.indention);
        }
        self.open.push(EmitLevel { outer, flow, mapping, first: true, value: None });
    }

    fn scalar(&mut self, scalar: &ScalarEvent, place: NodePosition) {
        let simple = place == NodePosition::SimpleKey;
        let quote = self.quote(scalar, simple, analyze(&scalar.text, self.unicode));
        if !scalar.plain && !scalar.quoted {
            self.indicator(scalar.tag, true, false, false);
        } else if !scalar.quoted && quote != ScalarStyle::Plain {
            self.indicator("!", true, false, false);
        }
        let outer = self.indent;
        self.increase(true, false);
        match quote {
            ScalarStyle::Plain => self.plain(&scalar.text, simple),
            ScalarStyle::Single => self.single(&scalar.text, simple),
            ScalarStyle::Double => self.double(&scalar.text, simple),
            ScalarStyle::Literal => self.literal(&scalar.text),
            ScalarStyle::Folded => self.folded(&scalar.text),
        }
        self.indent = outer;
    }

    /// Returns the style in which a scalar can be written.
    fn quote(
        &self,
        scalar: &ScalarEvent,
        simple: bool,
        analysis: ScalarAnalysis,
    ) -> ScalarStyle {
        let flow = self.flow > 0;
        let mut quote = scalar.quote;
        if simple && analysis.multiline {
            quote = ScalarStyle::Double;
        }
        let plain = analysis.plain && !(flow && scalar.text.contains(FLOW_INDICATORS));
        let empty = scalar.text.is_empty() && (flow || simple);
        let implied = scalar.plain || !scalar.quoted;
        if quote == ScalarStyle::Plain && (!plain || empty || !implied) {
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

    /// Returns the lines of a scalar that begins here. A simple key stays on one line.
    fn scalar_lines(&self, simple: bool) -> ScalarLines {
        let indent = self.indent.unwrap_or(0);
        let width = (!simple).then_some(self.width);
        ScalarLines { column: self.column, indent, width }
    }

    fn plain(&mut self, text: &str, simple: bool) {
        if !self.whitespace && (!text.is_empty() || self.flow > 0) {
            self.put(' ');
        }
        let lines = self.scalar_lines(simple);
        self.column = libyaml::fold(&mut self.out, text, false, lines);
        (self.whitespace, self.indention) = (false, false);
    }

    fn single(&mut self, text: &str, simple: bool) {
        self.indicator("'", true, false, false);
        let lines = self.scalar_lines(simple);
        self.column = libyaml::fold(&mut self.out, text, true, lines);
        if text.ends_with(is_break) {
            self.indention = true;
            self.write_indent();
        }
        self.indicator("'", false, false, false);
        (self.whitespace, self.indention) = (false, false);
    }

    fn double(&mut self, text: &str, simple: bool) {
        self.indicator("", true, false, false);
        let lines = self.scalar_lines(simple);
        let unicode = self.unicode;
        self.column = libyaml::double(&mut self.out, text, lines, |c| {
            !is_printable(c) || !unicode && !c.is_ascii()
        });
    }

    fn literal(&mut self, text: &str) {
        self.header("|", text);
        libyaml::literal(&mut self.out, text, self.indent.unwrap_or(0));
        self.indention = text.ends_with(is_break);
        let last = self.out.rsplit(is_break).next().unwrap_or_default();
        self.column = last.chars().count();
    }

    fn folded(&mut self, text: &str) {
        self.header(">", text);
        // Readers do not fold lines with leading space, so no line break is added.
        let mut breaks = true;
        let mut leading = true;
        for (at, c) in text.char_indices() {
            let rest = &text[at + c.len_utf8()..];
            if is_break(c) {
                if !breaks && !leading && c == '\n' {
                    let after = text[at..].trim_start_matches(is_break);
                    if after.starts_with(|c| !matches!(c, ' ' | '\t' | '\0')) {
                        self.line_break('\n');
                    }
                }
                self.line_break(c);
                (self.indention, breaks) = (true, true);
                continue;
            }
            if breaks {
                self.write_indent();
                leading = matches!(c, ' ' | '\t');
            }
            if !breaks && self.column > self.width && c == ' ' && !rest.starts_with(' ') {
                self.write_indent();
            } else {
                self.put(c);
            }
            (self.indention, breaks) = (false, false);
        }
    }

    /// Writes the header of a block scalar, with its indentation and chomping indicators.
    fn header(&mut self, sign: &str, text: &str) {
        self.indicator(sign, true, false, false);
        let header = libyaml::block_header(text, self.step);
        self.is_open = header.ends_with('+');
        self.indicator(&header, false, false, false);
        self.line_break('\n');
        (self.whitespace, self.indention) = (true, true);
    }
}
