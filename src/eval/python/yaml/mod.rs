//! PyYAML: a value comes in, the text that `yaml.dump` writes with libyaml's emitter goes
//! out, byte by byte; and what a scalar means as PyYAML reads it.

mod analyze;
mod construct;
mod emit;
mod represent;
mod resolve;
mod scalar;

use crate::eval::python::{Result, Value};

pub use construct::construct;
pub use resolve::{Tag, resolve};

/// How `yaml.dump` is called.
#[derive(Clone, Debug)]
pub struct YamlStyle {
    /// What a level is indented by; what is not from 2 to 9 is 2.
    pub indent: i64,
    /// Where lines are folded; less than 0 is nowhere.
    pub width: i64,
    /// Whether keys are sorted.
    pub sort_keys: bool,
    /// Whether characters beyond ASCII are written as they are.
    pub unicode: bool,
    /// Whether collections are written in brackets; without it those that hold nothing but
    /// scalars are.
    pub flow: Option<bool>,
    /// `---` first.
    pub explicit_start: bool,
    /// `...` last.
    pub explicit_end: bool,
    /// How scalars are written.
    pub scalar: Option<ScalarStyle>,
    /// Whether what is there twice is written once.
    pub aliases: bool,
    /// What stands for a value that YAML has not, if anything does.
    pub default: fn(&Value) -> Result<Option<Value>>,
}

/// How a scalar is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScalarStyle {
    /// `text`
    Plain,
    /// `'text'`
    Single,
    /// `"text"`
    Double,
    /// `|`
    Literal,
    /// `>`
    Folded,
}

impl Default for YamlStyle {
    fn default() -> YamlStyle {
        YamlStyle {
            indent: 2,
            width: 80,
            sort_keys: true,
            unicode: false,
            flow: Some(false),
            explicit_start: false,
            explicit_end: false,
            scalar: None,
            aliases: true,
            default: |_| Ok(None),
        }
    }
}

/// `yaml.dump`
///
/// # Errors
/// A value that YAML has not, or nesting beyond [`DEPTH`](crate::eval::python::DEPTH).
pub fn dump(value: &Value, style: &YamlStyle) -> Result<String> {
    emit::emit(&represent::represent(value, style)?, style)
}

#[cfg(test)]
mod tests {
    use super::{ScalarStyle, YamlStyle, construct, dump, resolve};
    use crate::eval::python::{Result, Value, json, str};

    fn dumped(text: &str, style: &YamlStyle) -> Result<String> {
        dump(&json::load(text)?, style)
    }

    #[test]
    fn writes_as_libyaml_does() -> Result<()> {
        let nice = YamlStyle { indent: 4, unicode: true, ..YamlStyle::default() };
        let cases = [
            (
                r#"{"b": [1, {"x": [], "y": {}}], "a": "é 😀"}"#,
                "a: \"é \\U0001F600\"\nb:\n- 1\n-   x: []\n    y: {}\n",
            ),
            (
                r#"["yes", "1.5", "a\nb\n", "a\n b", "x ", "- x", ": "]"#,
                "- 'yes'\n- '1.5'\n- 'a\n\n    b\n\n    '\n- \"a\\n b\"\n- 'x '\n- '- x'\n- ': '\n",
            ),
            (r#"{"": null, "1": 1e20, "~": "="}"#, "'': null\n'1': 1.0e+20\n'~': '='\n"),
            ("\"\"", "''\n"),
        ];
        for (text, wanted) in cases {
            assert_eq!(dumped(text, &nice)?, wanted);
        }
        let mixed = YamlStyle { flow: None, ..YamlStyle::default() };
        assert_eq!(dumped(r#"{"a": [1, "b"], "c": {}}"#, &mixed)?, "a: [1, b]\nc: {}\n");
        let literal =
            YamlStyle { scalar: Some(ScalarStyle::Literal), ..YamlStyle::default() };
        assert_eq!(dumped(r#"["a\n", 1]"#, &literal)?, "- |\n  a\n- ! |-\n  1\n");
        let wide = "word ".repeat(30);
        let folded = dump(&Value::from(&*wide), &YamlStyle { width: 40, ..nice })?;
        assert_eq!(folded.lines().count(), 4);
        Ok(())
    }

    #[test]
    fn writes_once_what_is_there_twice() -> Result<()> {
        let list = Value::list([Value::Int(1)]);
        let both = Value::list([list.clone(), list]);
        assert_eq!(dump(&both, &YamlStyle::default())?, "- &id001\n  - 1\n- *id001\n");
        Ok(())
    }

    #[test]
    fn means_what_yaml_1_1_means() -> Result<()> {
        let cases = [
            ("0x1F", "31"),
            ("010", "8"),
            ("1_000", "1000"),
            ("-1:30", "-90"),
            ("1e3", "1e3"),
            ("on", "True"),
            ("2024-1-2 03:04:05.5 +1", "2024-01-02 03:04:05.500000+01:00"),
            ("2024-01-02", "2024-01-02"),
            ("-.inf", "-inf"),
        ];
        for (text, wanted) in cases {
            assert_eq!(str(&construct(text, resolve(text))?)?, wanted);
        }
        Ok(())
    }
}
