//! The whole result with the origin of each line in the margin.

use std::fmt::Write;

use hashbrown::HashMap;
use interpolate::unstable::diagnostic::visible;
use interpolate::unstable::history::Annotated;

use super::place::Places;

/// Maximum width of the margin, in characters: half of a narrow terminal.
const MAX_WIDTH: usize = 36;

/// The colours of files, after that of BASE: readable on dark and on light terminals.
const COLOURS: [&str; 6] = ["36", "33", "35", "32", "34", "31"];

/// Returns the lines with their margin.
pub fn print(places: &Places<'_>, page: &Annotated, colour: bool) -> String {
    let labels: Vec<Option<(String, String)>> = page
        .lines
        .iter()
        .map(|line| {
            let place = places.of(page.origin(line)?)?;
            Some((shortened(&visible(place.short())), place.file))
        })
        .collect();
    let widths = labels.iter().flatten().map(|(label, _)| label.chars().count());
    let width = widths.max().unwrap_or(0);
    let base = &places.sources.get(places.history.tree().file()).name;
    let (mut colours, mut text) = (HashMap::new(), String::new());
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
    let end = label.chars().skip(length - MAX_WIDTH + 1);
    std::iter::once('…').chain(end).collect()
}
