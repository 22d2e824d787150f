//! Python's `csv.reader`: a text comes in, its rows go out.

use super::{Exception, Result, limit_members};

/// How rows are written.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// What stands between fields.
    pub delimiter: char,
    /// What a field may be put between.
    pub quote: char,
    /// Whether blanks after a delimiter go.
    pub skip_blanks: bool,
    /// Whether what no writer writes is refused.
    pub strict: bool,
}

impl Default for Format {
    fn default() -> Format {
        Format { delimiter: ',', quote: '"', skip_blanks: false, strict: false }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Row,
    Field,
    Plain,
    Quoted,
    /// After a quote within quotes.
    Closed,
}

/// The most characters of a field.
const LONGEST: usize = 131_072;

/// `list(csv.reader(lines))`
///
/// # Errors
/// A field that is too long, or that is not written as `strict` wants it.
pub fn read(text: &str, format: Format) -> Result<Vec<Vec<String>>> {
    let (mut rows, mut row): (Vec<Vec<String>>, Vec<String>) = (Vec::new(), Vec::new());
    let (mut field, mut size, mut state) = (String::new(), 0, State::Row);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let ends = matches!(c, '\n' | '\r');
        if ends && state != State::Quoted {
            chars.next_if(|next| c == '\r' && *next == '\n');
            if state != State::Row {
                row.push(std::mem::take(&mut field));
            }
            rows.push(std::mem::take(&mut row));
            state = State::Row;
            limit_members(rows.len())?;
            continue;
        }
        state = match state {
            State::Row | State::Field if c == format.quote => State::Quoted,
            State::Quoted if c == format.quote => State::Closed,
            State::Closed if c == format.quote => {
                field.push(c);
                State::Quoted
            }
            State::Quoted => {
                field.push(c);
                State::Quoted
            }
            _ if c == format.delimiter => {
                row.push(std::mem::take(&mut field));
                State::Field
            }
            State::Row | State::Field if c == ' ' && format.skip_blanks => State::Field,
            State::Closed if format.strict => {
                let (delimiter, quote) = (format.delimiter, format.quote);
                let message = format!("'{delimiter}' expected after '{quote}'");
                return Err(Exception::of_value(message));
            }
            _ => {
                field.push(c);
                State::Plain
            }
        };
        size = if field.is_empty() { 0 } else { size + 1 };
        if field.len() > LONGEST && size > LONGEST {
            let message = format!("field larger than field limit ({LONGEST})");
            return Err(Exception::of_value(message));
        }
    }
    if state == State::Quoted && format.strict {
        return Err(Exception::of_value("unexpected end of data"));
    }
    if state != State::Row {
        row.push(field);
        rows.push(row);
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::{Format, read};

    #[test]
    fn rows() {
        let text = "a,\"b \"\"c\"\"\nd\",\r\n\n\"x\"y, \"z\"";
        let rows = read(text, Format::default()).unwrap_or_default();
        let wanted: [&[&str]; 3] = [&["a", "b \"c\"\nd", ""], &[], &["xy", " \"z\""]];
        assert_eq!(rows, wanted);
    }
}
