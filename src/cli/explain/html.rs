//! The whole result as one page of HTML, which needs no network: a colour for each file, and
//! the history of the values of a line.

use std::fmt::Write;

use hashbrown::HashMap;

use interpolate::unstable::diagnostic::visible_line;
use interpolate::unstable::history::{
    Annotated, AnnotatedLine, HistoryEvent, PlaceRecord,
};
use interpolate::unstable::yaml::json::quoted_go;

use super::super::failure::Result;
use super::super::printed::{counted, named};
use super::people;
use super::place::ExplainContext;

/// The page; `@…@` is replaced.
const PAGE: &str = include_str!("page.html");

/// The step between the hues of two files: the golden angle, which keeps neighbours apart
/// however many there are.
const HUE_STEP: usize = 137;
/// The hue of the first file after BASE, which has none.
const FIRST_HUE: usize = 210;

/// Returns the page.
pub fn print(places: &ExplainContext<'_>, page: &Annotated) -> Result<String> {
    let base = places.sources.get(places.history.tree().file()).name.clone();
    let mut files = FileLegend::default();
    files.number(&base);
    let mut lines = String::new();
    let mut set = 0;
    for line in &page.lines {
        set +=
            usize::from(push_line(&mut lines, places, page, line, &mut files) > Some(0));
    }
    let mut all = Vec::new();
    for place in &page.places {
        all.push(place_data(places, place, &mut files)?);
    }
    let hues: Vec<String> = (0..files.names.len()).map(hue_data).collect();
    let data =
        format!("{{\"files\":[{}],\"places\":[{}]}}", hues.join(","), all.join(","));
    let title = format!("Who set what in {base}");
    let summary =
        format!("{} of {} lines were set outside of {base}.", set, page.lines.len());
    let parts = [
        ("@title@", escaped(&title)),
        ("@summary@", escaped(&summary)),
        ("@files@", files.buttons()),
        ("@lines@", lines),
        ("@data@", data),
    ];
    Ok(filled(PAGE, &parts))
}

/// Replaces the marks of a template, each where it stands: a value may look like a mark.
fn filled(template: &str, parts: &[(&str, String)]) -> String {
    let mut out = String::new();
    let mut rest = template;
    loop {
        let next = parts
            .iter()
            .filter_map(|(mark, text)| Some((rest.find(mark)?, mark, text)))
            .min_by_key(|(at, ..)| *at);
        let Some((at, mark, text)) = next else { return out + rest };
        out.push_str(&rest[..at]);
        out.push_str(text);
        rest = &rest[at + mark.len()..];
    }
}

/// The files that set something, in the order in which they are met; BASE is the first.
#[derive(Default)]
struct FileLegend {
    names: Vec<String>,
    numbers: HashMap<String, usize>,
    /// Number of lines that each one set.
    lines: Vec<usize>,
}

impl FileLegend {
    fn number(&mut self, name: &str) -> usize {
        let next = self.names.len();
        let number = *self.numbers.entry_ref(name).or_insert(next);
        if number == next {
            self.names.push(name.to_owned());
        }
        number
    }

    fn count(&mut self, number: usize) {
        if self.lines.len() <= number {
            self.lines.resize(number + 1, 0);
        }
        self.lines[number] += 1;
    }

    fn buttons(&self) -> String {
        let mut text = String::new();
        for (number, name) in self.names.iter().enumerate() {
            let lines = counted(self.lines.get(number).copied().unwrap_or(0), "line");
            writeln!(
                text,
                "<li><button type=\"button\" aria-pressed=\"false\" data-f=\"{number}\"{}>\
                 <b>{}</b><span>{lines}</span></button></li>",
                colour(number),
                escaped(name)
            )
            .ok();
        }
        text
    }
}

/// Adds a line. Returns the number of the file that set it.
fn push_line(
    out: &mut String,
    places: &ExplainContext<'_>,
    page: &Annotated,
    line: &AnnotatedLine,
    files: &mut FileLegend,
) -> Option<usize> {
    let place = page.origin(line).and_then(|event| places.of(event));
    let label = place.as_ref().map_or(String::new(), |place| place.short());
    let file = place.map(|place| files.number(&place.file));
    let attributes = file.map_or(String::new(), |file| {
        files.count(file);
        // Values on the line come before the collections that begin there.
        let mut numbers = line.places.clone();
        numbers.sort_by_key(|&number| page.places[number].is_collection);
        let numbers: Vec<String> = numbers.iter().map(usize::to_string).collect();
        let numbers = numbers.join(" ");
        format!(" data-f=\"{file}\" data-p=\"{numbers}\" tabindex=\"0\"{}", colour(file))
    });
    let label = escaped(&label);
    let text = escaped(&line.text);
    writeln!(out, "<li{attributes}><i><bdi>{label}</bdi></i><code>{text}</code></li>")
        .ok();
    file
}

fn place_data(
    places: &ExplainContext<'_>,
    place: &PlaceRecord,
    files: &mut FileLegend,
) -> Result<String> {
    let value = match &place.value {
        Some(value) if !place.is_collection => {
            quoted_go(&people::shortened(places, value)?)
        }
        Some(_) | None => "null".into(),
    };
    let mut events = Vec::new();
    for event in &place.events {
        events.push(event_data(places, event, files)?);
    }
    let path = quoted_go(named(&place.path));
    Ok(format!("[{path},{value},[{}]]", events.join(",")))
}

fn event_data(
    places: &ExplainContext<'_>,
    event: &HistoryEvent,
    files: &mut FileLegend,
) -> Result<String> {
    let place = places.of(event);
    let file = place.as_ref().map(|place| files.number(&place.file).to_string());
    let file = file.unwrap_or_else(|| "null".into());
    let place = place.map_or(String::new(), |place| place.to_string());
    let cause = people::cause(places, event);
    let action = event.action.name();
    let what = cause.map_or(action.to_owned(), |cause| format!("{action} by {cause}"));
    let values = people::change(places, event)?;
    let texts = [place, what, values].map(|text| quoted_go(&text));
    Ok(format!("[{file},{}]", texts.join(",")))
}

/// Returns the attributes that give an element the colour of a file.
fn colour(number: usize) -> String {
    match hue(number) {
        Some(hue) => format!(" style=\"--hue:{hue}\""),
        None => " class=\"base\" style=\"--hue:0\"".into(),
    }
}

fn hue(number: usize) -> Option<usize> {
    let after_base = number.checked_sub(1)?;
    Some((FIRST_HUE + after_base * HUE_STEP) % 360)
}

fn hue_data(number: usize) -> String {
    hue(number).map_or_else(|| "null".into(), |hue| hue.to_string())
}

/// Returns a text as HTML has it, in an element or in quotes.
fn escaped(text: &str) -> String {
    visible_line(text)
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}

#[cfg(test)]
mod tests {
    use super::{escaped, filled};

    #[test]
    fn a_text_cannot_leave_its_element() {
        assert_eq!(escaped("</code><b a='\"&"), "&lt;/code&gt;&lt;b a=&#39;&quot;&amp;");
    }

    #[test]
    fn a_value_that_looks_like_a_mark_stays() {
        let parts = [("@a@", "@b@".to_owned()), ("@b@", "x".to_owned())];
        assert_eq!(filled("-@b@-@a@-", &parts), "-x-@b@-");
    }
}
