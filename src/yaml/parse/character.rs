//! Characters that may not stand in a text.

use crate::arena::Style;
use crate::diagnostic::Result;

use super::Parser;

const MESSAGE: &str = "control characters are not allowed";

impl Parser<'_> {
    /// Refuses control characters; whether others stand there that need a closer look.
    pub(super) fn check_controls(&mut self) -> Result<bool> {
        let mut unusual = false;
        for (i, chunk) in self.text.chunks(4096).enumerate() {
            // Without a way out of the loop it runs over many bytes at a time.
            let (mut control, mut other) = (false, false);
            for &byte in chunk {
                control |= is_control(byte);
                other |= matches!(byte, 0x7F | 0xC2 | 0xEF);
            }
            unusual |= other;
            if control {
                let place = chunk.iter().position(|&byte| is_control(byte));
                return self.control(i * 4096 + place.unwrap_or(0));
            }
        }
        Ok(unusual && self.strict)
    }

    /// Go's reader may not get as far as this.
    #[cold]
    fn control(&mut self, at: usize) -> Result<bool> {
        let refused: Result<bool> = self.error(MESSAGE, at, at + 1);
        if !self.go {
            return refused;
        }
        self.text = &self.text[..at];
        self.rest = refused.err();
        Ok(false)
    }

    /// For the standard: DEL, C1 and the like stand inside quotes only.
    pub(super) fn check_characters(&self) -> Result<()> {
        let text = String::from_utf8_lossy(self.text);
        for (at, character) in text.char_indices() {
            let unusual = match character {
                '\u{85}' => false,
                '\u{7F}'..='\u{9F}' | '\u{FFFE}' | '\u{FFFF}' => true,
                '\u{FEFF}' => self.marks.binary_search(&at).is_err(),
                _ => false,
            };
            if unusual && !self.is_quoted(at as u32) {
                let end = at + character.len_utf8();
                return self.error(MESSAGE, at, end);
            }
        }
        Ok(())
    }

    fn is_quoted(&self, at: u32) -> bool {
        let next = self.nodes.partition_point(|node| node.start <= at);
        next > 0 && {
            let node = &self.nodes[next - 1];
            matches!(node.style, Style::Single | Style::Double) && at < node.end
        }
    }
}

fn is_control(byte: u8) -> bool {
    byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r')
}
