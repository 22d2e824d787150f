//! PyYAML: `yaml.dump` with libyaml's emitter, and the values of plain scalars.

mod emit;
mod represent;
mod scalar;

use crate::eval::python::{Result, Value};

pub use represent::{ScalarStyle, YamlStyle};
pub use scalar::{YamlTag, construct, resolve};

/// Implements `yaml.dump`. Raises a `TypeError` for a value that YAML does not have.
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
