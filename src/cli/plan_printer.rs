//! The printer of a plan: lines for people, or a JSON list.

use std::fmt::Write;

use interpolate::unstable::diagnostic::{self, visible_line};
use interpolate::unstable::node::NodeId;
use interpolate::unstable::plan::{Plan, PlannedMatch, PlannedOp};
use interpolate::unstable::source::Sources;
use interpolate::unstable::yaml::{self, Expansion};

/// Maximum length of a value in a line, in characters: with a path it fits a terminal.
const MAX_VALUE_LENGTH: usize = 60;

/// The printer of the plan of one document.
pub struct PlanPrinter<'a> {
    plan: &'a Plan,
    /// The document that the plan is about, by position.
    root: usize,
    limit: Expansion,
    sources: &'a Sources,
}

impl<'a> PlanPrinter<'a> {
    /// Prepares printing; `limit` is the maximum size of a value.
    pub fn new(
        plan: &'a Plan,
        root: usize,
        limit: Expansion,
        sources: &'a Sources,
    ) -> PlanPrinter<'a> {
        PlanPrinter { plan, root, limit, sources }
    }

    /// Returns the plan for people: a line for each op, and one for each change.
    pub fn lines(&self) -> String {
        let mut text = String::new();
        for op in &self.plan.ops {
            let place = self.origin(op);
            let place = place.map(|(file, line)| format!("{file}:{line}: "));
            let place = place.unwrap_or_default();
            let from =
                op.from.as_ref().map_or(String::new(), |from| format!("{from} -> "));
            let path = if op.path.is_empty() { "(the document)" } else { &op.path };
            let line = format!("{place}{} {from}{path}", op.kind);
            writeln!(text, "{}", visible_line(line)).ok();
            if op.matches.is_empty() && !op.comments {
                let what = if op.kind == "test" { "holds" } else { "changes nothing" };
                writeln!(text, "    {what}").ok();
            }
            for one in &op.matches {
                let document = match one.root {
                    root if root == self.root => String::new(),
                    root => format!("document {} ", root + 1),
                };
                let path = if one.path.is_empty() { "(the document)" } else { &one.path };
                let (change, made) = (self.change(one), made(one));
                let line = format!("    {document}{path}: {change}{made}");
                writeln!(text, "{}", visible_line(line)).ok();
            }
            if op.comments {
                writeln!(text, "    sets a comment").ok();
            }
        }
        text
    }

    fn change(&self, one: &PlannedMatch) -> String {
        let value = |node| shortened(self.start(node));
        match (one.before, one.after) {
            (Some(before), Some(after)) => {
                format!("{} -> {}", value(before), value(after))
            }
            (None, Some(after)) => format!("added {}", value(after)),
            (Some(before), None) => format!("removed {}", value(before)),
            (None, None) => String::new(),
        }
    }

    /// Returns the start of a value as JSON, enough for a line.
    fn start(&self, node: NodeId) -> String {
        // A character has at most four bytes.
        yaml::json::line_start(&self.plan.document, node, 4 * MAX_VALUE_LENGTH)
    }

    /// Returns a value as JSON on one line.
    fn compact(&self, node: NodeId) -> diagnostic::Result<String> {
        yaml::json::print_line(&self.plan.document, node, self.limit)
    }

    /// Returns the file and the line of an op.
    fn origin(&self, op: &PlannedOp) -> Option<(String, usize)> {
        let span = op.origin?.span;
        let source = self.sources.get(span.file);
        let (line, _) = source.position(span.start);
        Some((source.name.clone(), line))
    }

    /// Returns the plan as a JSON list.
    ///
    /// # Errors
    /// A value is larger than the limit.
    pub fn json(&self) -> diagnostic::Result<String> {
        let ops = self.plan.ops.iter().map(|op| self.json_op(op));
        let ops: Vec<String> = ops.collect::<diagnostic::Result<_>>()?;
        if ops.is_empty() {
            return Ok("[]\n".into());
        }
        Ok(format!("[\n{}\n]\n", ops.join(",\n")))
    }

    fn json_op(&self, op: &PlannedOp) -> diagnostic::Result<String> {
        let (file, line) = self.origin(op).map_or_else(
            || ("null".into(), "null".into()),
            |(file, line)| (quoted(&file), line.to_string()),
        );
        let matches = op.matches.iter().map(|one| self.json_match(one));
        let matches: Vec<String> = matches.collect::<diagnostic::Result<_>>()?;
        let status = match (op.kind, matches.is_empty() && !op.comments) {
            ("test", _) => "passed",
            (_, true) => "unchanged",
            (_, false) => "changed",
        };
        let from = op.from.as_ref().map(|from| format!("\"from\": {}, ", quoted(from)));
        let from = from.unwrap_or_default();
        Ok(format!(
            "  {{\"index\": {}, \"file\": {file}, \"line\": {line}, \"type\": \"{}\", \
             {from}\"path\": {}, \"matches\": [{}], \"status\": \"{status}\"}}",
            op.number,
            op.kind,
            quoted(&op.path),
            matches.join(", ")
        ))
    }

    fn json_match(&self, one: &PlannedMatch) -> diagnostic::Result<String> {
        let created: Vec<String> = one.created.iter().map(|path| quoted(path)).collect();
        let mut fields = Vec::new();
        if one.root != self.root {
            fields.push(format!("\"document\": {}", one.root));
        }
        fields.push(format!("\"path\": {}", quoted(&one.path)));
        for (name, node) in [("before", one.before), ("after", one.after)] {
            if let Some(node) = node {
                fields.push(format!("\"{name}\": {}", self.compact(node)?));
            }
        }
        fields.push(format!("\"created\": [{}]", created.join(", ")));
        Ok(format!("{{{}}}", fields.join(", ")))
    }
}

fn made(one: &PlannedMatch) -> String {
    match &one.created[..] {
        [] => String::new(),
        created => format!(" (made {})", created.join(", ")),
    }
}

fn shortened(text: String) -> String {
    if text.chars().count() <= MAX_VALUE_LENGTH {
        return text;
    }
    text.chars().take(MAX_VALUE_LENGTH - 1).chain(['…']).collect()
}

fn quoted(text: &str) -> String {
    yaml::json::quoted(text)
}
