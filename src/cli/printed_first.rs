//! Lists of which a terminal gets the first ones.

use std::io::IsTerminal;

/// Maximum number of diagnostics or findings that are printed on a terminal.
// Each shows lines of its source; the first ones are mostly the cause of the others.
const MAX_ON_TERMINAL: usize = 100;

/// Prints values for a stream. A terminal gets the first ones and the number of the others.
pub fn printed_first<T>(
    values: &[T],
    stream: &impl IsTerminal,
    print: impl FnMut(&T) -> String,
) -> Vec<String> {
    let most = if stream.is_terminal() { MAX_ON_TERMINAL } else { usize::MAX };
    let mut shown: Vec<String> = values.iter().take(most).map(print).collect();
    let more = values.len() - shown.len();
    if more > 0 {
        shown.push(format!("and {} more", with_commas(more)));
    }
    shown
}

/// Returns a number with a comma after each three digits.
fn with_commas(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
