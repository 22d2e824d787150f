//! The law of conversions: a Rust value that became a node, or the text of one, is read
//! back as the same value.

use std::collections::BTreeMap;
use std::fmt::Debug;

use interpolate::unstable::convert::{deserialize, serialize};
use interpolate::unstable::node::Tree;
use interpolate::unstable::scalar::Dialect;
use interpolate::unstable::source::Sources;
use interpolate::unstable::yaml::{self, Expansion, Options};
use proptest::prelude::*;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A value of every shape that serde knows, but bytes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Record {
    text: String,
    letter: char,
    flag: Option<bool>,
    large: Option<i128>,
    float: (f64, f32),
    unit: (),
    length: Length,
    lists: Vec<Vec<Option<String>>>,
    by_text: BTreeMap<String, Shape>,
    by_number: BTreeMap<i64, [u8; 2]>,
    by_list: BTreeMap<Vec<String>, bool>,
    any: Value,
}

impl Record {
    /// Drops what the dialect cannot express.
    pub(super) fn reduced(mut self, dialect: Dialect) -> Record {
        if dialect == Dialect::Go {
            self.large = self.large.filter(|&x| i64::try_from(x).is_ok());
            self.by_list.clear();
        }
        self
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Length(u64);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Shape {
    Unit,
    #[serde(rename = "yes")]
    Optional(Option<String>),
    Tuple(i8, Vec<String>),
    Fields {
        name: String,
        inner: Option<Box<Shape>>,
    },
}

pub(super) fn check<T>(value: &T, dialect: Dialect) -> Result<(), String>
where
    T: Serialize + DeserializeOwned + PartialEq + Debug,
{
    let mut made = read("", dialect)?;
    // A printed scalar is not quoted, unless it stands in a collection.
    let node = serialize(&mut made, &[value]).map_err(|error| error.to_string())?;
    let [back] = deserialize::<[T; 1]>(&made, node).map_err(|error| error.to_string())?;
    if back != *value {
        return Err(format!("the node of {value:?} is read as {back:?}"));
    }
    let text = yaml::print_found(&made, node).map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&text);
    let printed = read(&text, dialect).map_err(|error| format!("{error}: {text}"))?;
    let [back] = deserialize::<[T; 1]>(&printed, printed.root())
        .map_err(|error| format!("{error}: {text}"))?;
    if back != *value {
        return Err(format!("{value:?} is printed as\n{text}\nand read as {back:?}"));
    }
    Ok(())
}

/// Checks the value of a written document: its JSON is that of the printer.
pub(super) fn check_document(text: &str, dialect: Dialect) -> Result<(), String> {
    let Ok(tree) = read(text, dialect) else { return Ok(()) };
    // JSON has no keys but strings, which the printer makes of other keys.
    let Ok(value) = deserialize::<Value>(&tree, tree.root()) else { return Ok(()) };
    let json = yaml::json::print(&tree, tree.root(), Expansion::default());
    let json = json.map_err(|error| error.to_string())?;
    let expected: Value =
        serde_json::from_str(&json).map_err(|error| error.to_string())?;
    if !is_similar(&value, &expected) {
        return Err(format!("{text}\nis read as {value}, and printed as {expected}"));
    }
    check(&value, dialect)
}

/// Returns true if the values are equal but for floats, of which JSON lacks some.
fn is_similar(value: &Value, expected: &Value) -> bool {
    match (value, expected) {
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_similar(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            let entry = |(key, a)| b.get(key).is_some_and(|b| is_similar(a, b));
            a.len() == b.len() && a.iter().all(entry)
        }
        (Value::Null, Value::String(text)) => {
            [".inf", "-.inf", ".nan"].contains(&text.as_str())
        }
        _ => value == expected,
    }
}

fn read(text: &str, dialect: Dialect) -> Result<Tree, String> {
    let mut sources = Sources::default();
    let file = sources.add("value.yml", text);
    let options = Options { dialect, ..Options::default() };
    yaml::read(&sources, file, &options).map_err(|error| error.to_string())
}

/// Texts that look like other values or like syntax, and any others.
fn text() -> impl Strategy<Value = String> {
    let lookalikes = [
        "",
        " ",
        "~",
        "null",
        "yes",
        "Off",
        "y",
        "1",
        "-1",
        "0x1f",
        "0o7",
        "1e3",
        "1.0",
        ".inf",
        "1:30",
        "1_0",
        "2001-01-01",
        "<<",
        "=",
        "-",
        "- a",
        "? a",
        "a: b",
        "a:",
        " a",
        "a ",
        "#x",
        "a #b",
        "&a",
        "*a",
        "!t",
        "|",
        ">",
        "%",
        "@",
        "`",
        "'",
        "\"",
        "{",
        "[]",
        ",",
        "---",
        "...",
        "--- a",
        "a\n",
        "a\n\nb",
        "\n",
        " a\nb\n",
        "a\tb",
        "\u{85}",
        "\u{2028}x",
        "\u{feff}",
        "\0",
        "\r\n",
        "\\",
        "+/a",
        "((a))",
        "{{ a }}",
    ];
    prop_oneof![
        3 => prop::sample::select(lookalikes.to_vec()).prop_map(str::to_owned),
        1 => "[a-z]{1,6}",
        1 => "[ -~\n]{0,12}",
        1 => prop::collection::vec(any::<char>(), 0..6).prop_map(String::from_iter),
    ]
}

pub(super) fn any_value() -> impl Strategy<Value = Value> {
    let float = any::<f64>().prop_map(Value::from);
    let leaf = prop_oneof![
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::from),
        1 => any::<i64>().prop_map(Value::from),
        1 => any::<u64>().prop_map(Value::from),
        1 => any::<i8>().prop_map(|x| Value::from(f64::from(x))),
        1 => float,
        4 => text().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 5, |inner| {
        let entry = (text(), inner.clone());
        prop_oneof![
            prop::collection::vec(inner, 0..5).prop_map(Value::from),
            prop::collection::vec(entry, 0..5)
                .prop_map(|entries| Value::Object(Map::from_iter(entries))),
        ]
    })
}

fn shape() -> impl Strategy<Value = Shape> {
    let leaf = prop_oneof![
        Just(Shape::Unit),
        prop::option::of(text()).prop_map(Shape::Optional),
        (any::<i8>(), prop::collection::vec(text(), 0..3))
            .prop_map(|(number, texts)| Shape::Tuple(number, texts)),
    ];
    leaf.prop_recursive(3, 6, 1, |inner| {
        (text(), prop::option::of(inner.prop_map(Box::new)))
            .prop_map(|(name, inner)| Shape::Fields { name, inner })
    })
}

pub(super) fn record() -> impl Strategy<Value = Record> {
    use prop::collection::{btree_map, vec};
    let floats = (any::<f64>(), any::<f32>());
    let scalars = (text(), any::<char>(), any::<Option<bool>>(), any::<Option<i128>>());
    let maps = (
        btree_map(text(), shape(), 0..4),
        btree_map(any::<i64>(), any::<[u8; 2]>(), 0..3),
        btree_map(vec(text(), 0..3), any::<bool>(), 0..3),
    );
    let lists = vec(vec(prop::option::of(text()), 0..3), 0..3);
    (scalars, floats, any::<u64>(), lists, maps, any_value()).prop_map(
        |((text, letter, flag, large), float, length, lists, maps, any)| {
            let (by_text, by_number, by_list) = maps;
            let (unit, length) = ((), Length(length));
            Record {
                text,
                letter,
                flag,
                large,
                float,
                unit,
                length,
                lists,
                by_text,
                by_number,
                by_list,
                any,
            }
        },
    )
}
