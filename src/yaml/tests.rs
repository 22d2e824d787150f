//! Tests of the parser.

use super::options::Options;
use super::parse;
use crate::source::FileId;

/// Spans count bytes, also behind a byte order mark, `\r\n` and long characters.
#[test]
fn spans() {
    let text = "\u{FEFF}ä: [é, 'ü'] # ö\r\n? !t &x |\r\n  ß\r\n: \"a\r\n  b\"\r\n";
    let arena = parse::text(FileId::BLANK, text, &Options::default()).expect("YAML");
    let raw: Vec<&str> = (1..7).map(|i| arena.raw(i)).collect();
    let expected = ["ä", "[é, 'ü']", "é", "'ü'", "|\r\n  ß\r\n", "\"a\r\n  b\""];
    assert_eq!(raw, expected);
    assert_eq!(arena.outer_start(5), text.find('!').map_or(0, |at| at as u32));
    let indicator = |i| Some(text.as_bytes()[arena.indicator(i)? as usize]);
    assert_eq!([1, 2, 5, 6].map(indicator), [None, Some(b':'), Some(b'?'), Some(b':')]);
}
