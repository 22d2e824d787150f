//! Python's `json`: values ⇄ text, byte by byte as `json.dumps` writes it.

mod dump;
mod load;

pub use dump::{JsonStyle, KeyOrder, dump};
pub use load::load;

#[cfg(test)]
mod tests {
    use super::{JsonStyle, KeyOrder, dump, load};
    use crate::eval::python::Result;

    #[test]
    fn writes_what_it_reads() -> Result<()> {
        let cases = [
            ("[1, -2.5e3, NaN, null, true]", "[1, -2500.0, NaN, null, true]"),
            (
                r#"{"b":"\ud83d\ude00\u007f", "a":{}}"#,
                r#"{"b": "\ud83d\ude00\u007f", "a": {}}"#,
            ),
            ("123456789012345678901234567890", "123456789012345678901234567890"),
            (r#" {"a": 1, "b": [], "a": 2} "#, r#"{"a": 2, "b": []}"#),
        ];
        for (text, wanted) in cases {
            assert_eq!(dump(&load(text)?, &JsonStyle::default())?, wanted);
        }
        let indent = Some("  ".to_owned());
        let nice = JsonStyle {
            indent,
            sort: KeyOrder::Keys,
            ascii: false,
            ..JsonStyle::default()
        };
        let text = dump(&load(r#"{"é":[1,{}],"a":"\u001f"}"#)?, &nice)?;
        assert_eq!(text, "{\n  \"a\": \"\\u001f\",\n  \"é\": [\n    1,\n    {}\n  ]\n}");
        Ok(())
    }

    #[test]
    fn says_what_is_wrong() {
        let cases = [
            ("", "Expecting value: line 1 column 1 (char 0)"),
            ("[1,\n]", "Expecting value: line 2 column 1 (char 4)"),
            (
                "{'a'",
                "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)",
            ),
            ("1 2", "Extra data: line 1 column 3 (char 2)"),
            ("\"a\nb\"", "Invalid control character at: line 1 column 3 (char 2)"),
        ];
        for (text, wanted) in cases {
            assert_eq!(
                load(text).map(|_| ()).map_err(|e| e.message),
                Err(wanted.to_owned())
            );
        }
        assert!(load(&"[".repeat(100_000)).is_err());
    }
}
