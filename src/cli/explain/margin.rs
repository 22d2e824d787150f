//! The whole result with the origin of each line in the margin, and the pager that shows it.

use std::fmt::Write;
use std::io::Write as _;
use std::process::{Command, Stdio};

use hashbrown::HashMap;
use interpolate::unstable::diagnostic::{visible, visible_line};
use interpolate::unstable::history::Annotated;

use super::place::ExplainContext;

/// Maximum width of the margin, in characters: half of a narrow terminal.
const MAX_WIDTH: usize = 36;

/// The colours of files, after that of BASE: readable on dark and on light terminals.
const COLOURS: [&str; 6] = ["36", "33", "35", "32", "34", "31"];

/// Returns the lines with their margin.
pub fn print(places: &ExplainContext<'_>, page: &Annotated, colour: bool) -> String {
    let labels: Vec<Option<(String, String)>> = page
        .lines
        .iter()
        .map(|line| {
            let place = places.of(page.origin(line)?)?;
            Some((shortened(&visible_line(place.short())), place.file))
        })
        .collect();
    let widths = labels.iter().flatten().map(|(label, _)| label.chars().count());
    let width = widths.max().unwrap_or(0);
    let base = &places.sources.get(places.history.tree().file()).name;
    let mut colours = HashMap::new();
    let mut text = String::new();
    for (line, label) in page.lines.iter().zip(&labels) {
        let (label, file) = label.as_ref().map_or(("", ""), |(a, b)| (a, b));
        let code = if file == base || file.is_empty() {
            "2"
        } else {
            let next = colours.len() % COLOURS.len();
            colours.entry(file).or_insert(COLOURS[next])
        };
        if colour {
            write!(text, "\x1b[{code}m{label:width$}\x1b[0m \x1b[2m│\x1b[0m").ok();
        } else {
            write!(text, "{label:width$} │").ok();
        }
        if line.text.is_empty() {
            text.push('\n');
        } else if colour && code != "2" {
            writeln!(text, " \x1b[{code}m{}\x1b[0m", visible(&*line.text)).ok();
        } else {
            writeln!(text, " {}", visible(&*line.text)).ok();
        }
    }
    text
}

/// Returns the end of a name that is too long for the margin.
fn shortened(label: &str) -> String {
    let length = label.chars().count();
    if length <= MAX_WIDTH {
        return label.to_owned();
    }
    std::iter::once('…').chain(label.chars().skip(length - MAX_WIDTH + 1)).collect()
}

/// Shows a text in `$PAGER`, or else in `less`. Returns false if there is no pager.
pub fn show(text: &str) -> bool {
    let words = std::env::var("PAGER").unwrap_or_else(|_| "less -R".into());
    let mut parts = words.split_whitespace();
    let Some(program) = parts.next().filter(|_| words != "cat") else { return false };
    let mut pager = Command::new(program);
    pager.args(parts);
    if std::env::var_os("LESS").is_none() {
        // As git has it: a short text stays on the screen.
        pager.env("LESS", "FRX");
    }
    let Ok(mut child) = pager.stdin(Stdio::piped()).spawn() else { return false };
    if let Some(mut input) = child.stdin.take() {
        // A reader who leaves the pager early closes the pipe: that is no failure.
        input.write_all(text.as_bytes()).ok();
    }
    child.wait().ok();
    true
}
