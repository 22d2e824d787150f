//! A stream of JSON, as `jq` and `--format json` print it: values that stand behind one another
//! without anything between them that would begin a document of YAML.

use serde_core::de::IgnoredAny;
use serde_json::Deserializer;

/// Returns a stream of JSON as one of YAML, in which `---` begins each value but the first; on
/// the line of the value, so that lines keep their numbers if each value has its own. `None` for
/// any other text.
///
/// A text of numbers alone is none: to YAML, it is a single text.
pub fn as_documents(text: &str) -> Option<String> {
    if !text.trim_start().starts_with(['{', '[', '"']) {
        return None;
    }
    let starts = starts_of_values(text)?;
    let mut out = String::with_capacity(text.len() + 5 * starts.len());
    let mut done = 0;
    for start in starts.into_iter().skip(1) {
        let above = text[done..start].trim_end_matches([' ', '\t']);
        out.push_str(above);
        out.push_str(if above.ends_with('\n') { "--- " } else { "\n--- " });
        done = start;
    }
    if done == 0 {
        return None;
    }
    out.push_str(&text[done..]);
    Some(out)
}

/// Returns the offsets at which the values begin; `None` if there is anything but JSON.
fn starts_of_values(text: &str) -> Option<Vec<usize>> {
    let mut values = Deserializer::from_str(text).into_iter::<IgnoredAny>();
    let mut starts = Vec::new();
    loop {
        let end = values.byte_offset();
        let blanks = text[end..].len() - text[end..].trim_start().len();
        match values.next() {
            Some(Ok(_)) => starts.push(end + blanks),
            Some(Err(_)) => return None,
            None => return Some(starts),
        }
    }
}
