//! `csv.reader`.

use super::{Exception, Result, limit_members};

/// The parameters of a `csv.Dialect` that are supported.
#[derive(Clone, Copy, Debug)]
pub struct CsvFormat {
    pub delimiter: char,
    /// True if blanks after a delimiter are removed, `skipinitialspace`.
    pub skip_blanks: bool,
    /// True if malformed input is an error.
    pub strict: bool,
}

impl Default for CsvFormat {
    fn default() -> CsvFormat {
        CsvFormat { delimiter: ',', skip_blanks: false, strict: false }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum CsvState {
    /// At the start of a row.
    Row,
    /// At the start of a field.
    Field,
    Plain,
    Quoted,
    /// After a quote within quotes: the end of the field, or the first of two quotes.
    Closed,
}

/// Maximum number of characters of a field, `csv.field_size_limit()`.
const MAX_FIELD: usize = 131_072;

/// `list(csv.reader(lines))`. Raises a `csv.Error` for a long or, if `strict`, bad field.
pub fn read(text: &str, format: CsvFormat) -> Result<Vec<Vec<String>>> {
    let mut rows = Vec::new();
    let mut row = Vec::new();
    let mut field = String::new();
    let mut size = 0;
    let mut state = CsvState::Row;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if matches!(c, '\n' | '\r') && state != CsvState::Quoted {
            chars.next_if(|next| c == '\r' && *next == '\n');
            if state != CsvState::Row {
                row.push(std::mem::take(&mut field));
            }
            rows.push(std::mem::take(&mut row));
            state = CsvState::Row;
            limit_members(rows.len())?;
            continue;
        }
        state = match state {
            CsvState::Row | CsvState::Field if c == '"' => CsvState::Quoted,
            CsvState::Quoted if c == '"' => CsvState::Closed,
            CsvState::Closed if c == '"' => {
                field.push(c);
                CsvState::Quoted
            }
            CsvState::Quoted => {
                field.push(c);
                CsvState::Quoted
            }
            _ if c == format.delimiter => {
                row.push(std::mem::take(&mut field));
                CsvState::Field
            }
            CsvState::Row | CsvState::Field if c == ' ' && format.skip_blanks => {
                CsvState::Field
            }
            CsvState::Closed if format.strict => {
                let message = format!("'{}' expected after '\"'", format.delimiter);
                return Err(Exception::of_value(message));
            }
            _ => {
                field.push(c);
                CsvState::Plain
            }
        };
        size = if field.is_empty() { 0 } else { size + 1 };
        if field.len() > MAX_FIELD && size > MAX_FIELD {
            let message = format!("field larger than field limit ({MAX_FIELD})");
            return Err(Exception::of_value(message));
        }
    }
    if state == CsvState::Quoted && format.strict {
        return Err(Exception::of_value("unexpected end of data"));
    }
    if state != CsvState::Row {
        row.push(field);
        rows.push(row);
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::{CsvFormat, read};

    #[test]
    fn rows() {
        let text = "a,\"b \"\"c\"\"\nd\",\r\n\n\"x\"y, \"z\"";
        let rows = read(text, CsvFormat::default()).unwrap_or_default();
        let wanted: [&[&str]; 3] = [&["a", "b \"c\"\nd", ""], &[], &["xy", " \"z\""]];
        assert_eq!(rows, wanted);
    }
}
