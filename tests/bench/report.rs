//! The table: printed as it grows, and written as Markdown.

use std::fmt::Write;

use crate::cost::Cost;

/// The rows so far.
#[derive(Default)]
pub(crate) struct Report {
    markdown: String,
}

impl Report {
    /// Begins a table.
    pub(crate) fn table(&mut self, columns: [&str; 4]) {
        let [work, ratio, goal, detail] = columns;
        println!("\n{work:<58} {ratio:>8}  {goal:<8} {detail}");
        let gap = if self.markdown.is_empty() { "" } else { "\n" };
        let _ = writeln!(
            self.markdown,
            "{gap}| {work} | {ratio} | {goal} | {detail} |\n| --- | --- | --- | --- |"
        );
    }

    /// Adds a row.
    pub(crate) fn row(&mut self, work: &str, ratio: f64, goal: &str, detail: &str) {
        println!("{work:<58} {ratio:>8.2}  {goal:<8} {detail}");
        let _ = writeln!(self.markdown, "| {work} | {ratio:.2} | {goal} | {detail} |");
    }

    /// Adds a row that compares two costs.
    pub(crate) fn compare(&mut self, work: &str, a: &Cost, b: &Cost, goal: &str) {
        self.row(work, a.against(b), goal, &format!("{a} : {b}"));
    }

    pub(crate) fn markdown(&self) -> &str {
        &self.markdown
    }
}
