//! A pager for a long answer at a terminal.

use std::io::Write;
use std::process::{Command, Stdio};

/// Shows a text in `$PAGER`, or else in `less`. Returns false if there is no pager.
pub fn show(text: &str) -> bool {
    let mut pager = match std::env::var("PAGER") {
        Ok(words) if words.trim().is_empty() || words == "cat" => return false,
        Ok(words) => {
            let mut words = words.split_whitespace().map(str::to_owned);
            let Some(program) = words.next() else { return false };
            let mut pager = Command::new(program);
            pager.args(words);
            pager
        }
        Err(_) => {
            let mut pager = Command::new("less");
            pager.arg("-R");
            pager
        }
    };
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
