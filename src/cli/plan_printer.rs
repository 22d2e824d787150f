//! The printer of a plan: lines for people, or a JSON list.

use std::fmt::Write;

use interpolate::unstable::diagnostic::{self, visible_line};
use interpolate::unstable::node::NodeId;
use interpolate::unstable::plan::{Plan, PlannedMatch, PlannedOp};
use interpolate::unstable::source::Sources;
use interpolate::unstable::yaml::Expansion;
use interpolate::unstable::yaml::json::{self, quoted};

use super::printed::{MAX_VALUE_LENGTH, Position, json_list, named, shortened};

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
            let place = Position::prefix(self.origin(op));
            let from =
                op.from.as_ref().map_or(String::new(), |from| format!("{from} -> "));
            let path = named(&op.path);
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
                let path = named(&one.path);
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
        match (one.before, one.after) {
            (Some(before), Some(after)) => {
                format!("{} -> {}", self.start(before), self.start(after))
            }
            (None, Some(after)) => format!("added {}", self.start(after)),
            (Some(before), None) => format!("removed {}", self.start(before)),
            (None, None) => String::new(),
        }
    }

    /// Returns a value as JSON, as far as it fits a line.
    fn start(&self, node: NodeId) -> String {
        // A character has at most four bytes.
        shortened(json::line_start(&self.plan.document, node, 4 * MAX_VALUE_LENGTH))
    }

    /// Returns the place of an op.
    fn origin(&self, op: &PlannedOp) -> Option<Position> {
        Some(Position::of(op.origin?.span, self.sources))
    }

    /// Returns the plan as a JSON list.
    ///
    /// # Errors
    /// A value is larger than the limit.
    pub fn json(&self) -> diagnostic::Result<String> {
        let ops = self.plan.ops.iter().map(|op| self.json_op(op));
        let ops: Vec<String> = ops.collect::<diagnostic::Result<_>>()?;
        Ok(json_list(&ops))
    }

    fn json_op(&self, op: &PlannedOp) -> diagnostic::Result<String> {
        let place = Position::json(self.origin(op));
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
            "  {{\"index\": {}, {place}, \"type\": \"{}\", \
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
                let value = json::print_line(&self.plan.document, node, self.limit)?;
                fields.push(format!("\"{name}\": {value}"));
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
