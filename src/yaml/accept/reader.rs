//! Characters that yaml.v2 cannot read. It reads 512 bytes at a time, and reports an
//! unreadable character before any other error in the same chunk.

use super::refusal::Refusal;
use crate::source::Encoding;
use crate::yaml::bytes::BytesError;

/// Size of the input buffer of yaml.v2 in bytes.
const READ_SIZE: usize = 512;

/// A character that ends reading.
#[derive(Debug)]
pub(super) struct BadCharacter {
    pub(super) refusal: Refusal,
    /// Offset of the first character in the same chunk.
    pub(super) chunk_start: usize,
}

pub(super) fn control_character(text: &str, encoding: Encoding) -> Option<BadCharacter> {
    let offset = find_control(text.as_bytes())?;
    let width = text[offset..].chars().next().map_or(0, |c| width(c, encoding));
    Some(BadCharacter {
        refusal: Refusal::new("control characters are not allowed", offset),
        chunk_start: chunk_start(&text[..offset], encoding, width),
    })
}

/// Returns the first control character, or else the byte at which decoding stopped.
pub(super) fn undecodable(error: &BytesError) -> BadCharacter {
    control_character(&error.before, error.encoding).unwrap_or_else(|| BadCharacter {
        refusal: Refusal::new(error.message, error.before.len()),
        chunk_start: chunk_start(&error.before, error.encoding, error.width),
    })
}

/// Returns the start of the chunk with the character after `before`, `last` bytes long.
fn chunk_start(before: &str, encoding: Encoding, last: usize) -> usize {
    let mut start = 0;
    let mut used = 0;
    let widths = before.char_indices().map(|(at, c)| (at, width(c, encoding)));
    for (at, width) in widths.chain([(before.len(), last)]) {
        if width > READ_SIZE - used {
            (start, used) = (at, 0);
        }
        // A character without its end has the width `usize::MAX`.
        used += width.min(READ_SIZE);
    }
    start
}

fn width(c: char, encoding: Encoding) -> usize {
    match encoding {
        Encoding::Utf8 => c.len_utf8(),
        Encoding::Utf16Be | Encoding::Utf16Le => 2 * c.len_utf16(),
    }
}

/// Returns the offset of the first character that YAML 1.1 forbids.
fn find_control(bytes: &[u8]) -> Option<usize> {
    const BLOCK: usize = 64;
    let mut at = 0;
    for block in bytes.chunks(BLOCK) {
        // Without a branch inside, this is compiled to vector instructions.
        if block.iter().fold(false, |found, &b| found | suspicious(b)) {
            let found = (at..at + block.len()).find(|&i| forbidden(&bytes[i..]));
            if found.is_some() {
                return found;
            }
        }
        at += block.len();
    }
    None
}

fn suspicious(byte: u8) -> bool {
    let white = (byte == b'\t') | (byte == b'\n') | (byte == b'\r');
    ((byte < 0x20) & !white) | (byte == 0x7f) | (byte == 0xc2) | (byte == 0xef)
}

fn forbidden(rest: &[u8]) -> bool {
    match rest {
        [0xc2, 0x85, ..] => false,
        [0xc2, 0x80..=0x9f, ..] | [0xef, 0xbf, 0xbe | 0xbf, ..] => true,
        [byte, ..] => byte.is_ascii() && suspicious(*byte),
        [] => false,
    }
}
