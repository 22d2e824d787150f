//! Unit tests of conversions: one line a case.

#![allow(clippy::unwrap_used)]

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ffi::CString;
use std::fmt::Debug;

use serde::de::{self, DeserializeOwned};
use serde::ser::{self, SerializeSeq, Serializer};
use serde::{Deserialize, Serialize};

use super::{de::deserialize_within, deserialize, serialize};
use crate::diagnostic::Diagnostic;
use crate::node::{Seat, Tree};
use crate::scalar::Dialect;
use crate::source::{Shown, Source, Sources};
use crate::yaml::{self, Expansion, Options};

fn tree_in(text: &str, dialect: Dialect, secret: bool) -> Tree {
    let mut sources = Sources::default();
    let file = sources.add("test.yml", text);
    let shown = if secret { Shown::Nothing } else { Shown::All };
    let source = Source { shown, ..sources.get(file).clone() };
    let file = sources.push(source);
    yaml::read(&sources, file, &Options { dialect, ..Options::default() }).unwrap()
}

fn tree(text: &str) -> Tree {
    tree_in(text, Dialect::Core, false)
}

/// Returns the message and, after `@`, the text of the label.
fn failure(tree: &Tree, failure: &Diagnostic) -> String {
    let spans = failure.labels.iter().map(|label| label.span);
    let texts = spans.map(|span| {
        let text = tree.arena(span.file).text();
        format!(" @ {}", &text[span.start as usize..span.end as usize])
    });
    failure.message.clone() + &texts.collect::<String>()
}

fn outcome<T: DeserializeOwned + Debug>(tree: &Tree) -> String {
    match deserialize::<T>(tree, tree.root()) {
        Ok(value) => format!("{value:?}"),
        Err(error) => failure(tree, &error),
    }
}

/// Checks the `Debug` form of the value of a text, or its error.
#[track_caller]
fn reads<T: DeserializeOwned + Debug>(text: &str, expected: &str) {
    assert_eq!(outcome::<T>(&tree(text)), expected, "{text}");
}

/// Checks the text that is printed for a value, and that it reads back as the value.
#[track_caller]
fn writes<T: Serialize + DeserializeOwned + Debug>(value: T, expected: &str) {
    let mut made = tree("");
    let node = serialize(&mut made, &value).unwrap();
    assert_eq!(
        format!("{:?}", deserialize::<T>(&made, node).unwrap()),
        format!("{value:?}")
    );
    made.set_at(Seat::Root(0), node, None);
    assert_eq!(made.to_string(), expected);
    for dialect in [Dialect::Core, Dialect::Go, Dialect::Yaml11] {
        let read = outcome::<T>(&tree_in(expected, dialect, false));
        assert_eq!(read, format!("{value:?}"), "{dialect:?}");
    }
}

#[track_caller]
fn refuses<T: Serialize + ?Sized>(value: &T, dialect: Dialect, expected: &str) {
    let mut made = tree_in("", dialect, false);
    assert_eq!(serialize(&mut made, value).unwrap_err().to_string(), expected);
}

#[derive(Debug, Serialize, Deserialize)]
enum Shape {
    Empty,
    Width(u8),
    Pair(u8, String),
    Rect { w: u8, h: Option<u8> },
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Job {
    name: String,
    count: Option<u8>,
    list: Vec<u8>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only its Debug form is read")]
struct Strict {
    name: String,
}

#[derive(Debug, Deserialize)]
#[expect(dead_code, reason = "only its Debug form is read")]
struct Loose {
    name: String,
    #[serde(flatten)]
    rest: BTreeMap<String, serde_json::Value>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Meters(f64);

#[derive(Debug, Serialize, Deserialize)]
struct Nothing;

#[test]
fn scalars() {
    const GIGANTIC: &str = "1000000000000000000000000000000000000000000";
    reads::<u8>("255", "255");
    reads::<u8>("256", "invalid value: integer `256`, expected u8 @ 256");
    reads::<u8>("-1", "invalid value: integer `-1`, expected u8 @ -1");
    reads::<u8>("1.0", "invalid type: floating point `1.0`, expected u8 @ 1.0");
    reads::<u8>("'1'", "invalid type: string \"1\", expected u8 @ '1'");
    reads::<u8>("", "invalid type: null, expected u8 @ ");
    reads::<u128>(&u128::MAX.to_string(), &u128::MAX.to_string());
    reads::<i128>(&i128::MIN.to_string(), &i128::MIN.to_string());
    reads::<u64>(
        GIGANTIC,
        &format!("invalid type: integer `{GIGANTIC}`, expected u64 @ {GIGANTIC}"),
    );
    reads::<f64>(GIGANTIC, "1e42");
    reads::<serde_json::Value>(GIGANTIC, "Number(1e+42)");
    reads::<f64>(&u64::MAX.to_string(), "1.8446744073709552e19");
    reads::<f64>("1", "1.0");
    reads::<f32>("-.inf", "-inf");
    reads::<f64>(".nan", "NaN");
    reads::<serde_json::Value>("1.0", "Number(1.0)");
    reads::<serde_json::Value>("1", "Number(1)");
    reads::<bool>("true", "true");
    reads::<bool>("yes", "invalid type: string \"yes\", expected a boolean @ yes");
    reads::<char>("é", "'é'");
    reads::<char>("ab", "invalid value: string \"ab\", expected a character @ ab");
    reads::<String>("5", "invalid type: integer `5`, expected a string @ 5");
    reads::<String>("|\n  a\n  b\n", "\"a\\nb\\n\"");
    reads::<String>("!!str 5", "\"5\"");
    reads::<String>("~", "invalid type: null, expected a string @ ~");
    reads::<CString>("!!binary Af8=", r#""\x01\xff""#);
    reads::<CString>("text", r#""text""#);
    reads::<Vec<u8>>("!!binary AP8=", "[0, 255]");
    reads::<String>("!!binary aGk=", "\"hi\"");
    reads::<()>("~", "()");
    reads::<()>("0", "invalid type: integer `0`, expected unit @ 0");
    reads::<Nothing>("", "Nothing");
    reads::<Meters>("1.5", "Meters(1.5)");
    reads::<Option<u8>>("~", "None");
    reads::<Option<u8>>("", "None");
    reads::<Option<u8>>("1", "Some(1)");
    reads::<Option<Option<u8>>>("null", "None");
    reads::<Option<Option<u8>>>("1", "Some(Some(1))");
    let long = "x".repeat(200);
    reads::<u8>(
        &long,
        &format!("invalid type: string \"{}…\", expected u8 @ {long}", "x".repeat(100)),
    );
}

#[test]
fn collections() {
    type Ports = BTreeMap<u16, String>;
    type Any = serde_json::Value;
    reads::<Vec<u8>>("[1, 2]", "[1, 2]");
    reads::<Vec<u8>>("", "[]");
    reads::<Vec<u8>>("~", "invalid type: null, expected a sequence @ ~");
    reads::<Vec<u8>>("{a: 1}", "invalid type: map, expected a sequence @ {a: 1}");
    reads::<Vec<u8>>("- 1\n- x\n", "/1: invalid type: string \"x\", expected u8 @ x");
    reads::<(u8, bool)>("[1, true]", "(1, true)");
    reads::<(u8, u8)>("[1]", "invalid length 1, expected a tuple of size 2 @ [1]");
    reads::<(u8, u8)>(
        "[1, 2, 3]",
        "invalid length 3, expected a sequence of length 2 @ [1, 2, 3]",
    );
    reads::<Ports>("{80: web, 443: tls}", r#"{80: "web", 443: "tls"}"#);
    reads::<Ports>(
        "{80: web, '443': tls}",
        "invalid type: string \"443\", expected u16 @ '443'",
    );
    reads::<Ports>("{80: 1}", "/80?: invalid type: integer `1`, expected a string @ 1");
    reads::<Ports>("[]", "invalid type: sequence, expected a map @ []");
    reads::<BTreeMap<Vec<u8>, u8>>("{[1, 2]: 3}", "{[1, 2]: 3}");
    reads::<BTreeMap<Vec<u8>, u8>>(
        "{[1]: x}",
        "/[…]: invalid type: string \"x\", expected u8 @ x",
    );
    reads::<BTreeMap<String, Vec<u8>>>(
        "a/b:\n  - 1\n  -\n",
        "/a~1b/1: invalid type: null, expected u8 @ ",
    );
    reads::<BTreeMap<String, u8>>("{a: 1, a: 2}", r#"{"a": 2}"#);
    reads::<Any>(
        "{a: &x [1, {b: ~}], c: *x}",
        r#"Object {"a": Array [Number(1), Object {"b": Null}], "c": Array [Number(1), Object {"b": Null}]}"#,
    );
    reads::<Any>("[{}, []]", "Array [Object {}, Array []]");
    reads::<Any>("1: x", "invalid type: integer `1`, expected a string key @ 1");
    reads::<Any>("!t {a: !u x}", r#"Object {"a": String("x")}"#);
    reads::<BTreeMap<String, BTreeMap<String, u8>>>(
        "base: &b {x: 1, y: 2}\nuse: {y: 3, <<: *b}\n",
        r#"{"base": {"x": 1, "y": 2}, "use": {"x": 1, "y": 3}}"#,
    );
    reads::<Vec<u8>>(
        "[&a 1, *a, 300]",
        "/2: invalid value: integer `300`, expected u8 @ 300",
    );
    reads::<(String, u8)>(
        "[&a x, *a]",
        "/1: invalid type: string \"x\", expected u8 @ *a",
    );
}

#[test]
fn structs() {
    reads::<Job>("{name: a, list: [1]}", r#"Job { name: "a", count: None, list: [1] }"#);
    reads::<Job>("", r#"Job { name: "", count: None, list: [] }"#);
    reads::<Job>(
        "{count: ~, list: , other: [1]}",
        r#"Job { name: "", count: None, list: [] }"#,
    );
    reads::<Job>("[a, 1]", "invalid type: sequence, expected struct Job @ [a, 1]");
    reads::<Job>("{name: 5}", "/name: invalid type: integer `5`, expected a string @ 5");
    reads::<Vec<Job>>(
        "[{}, {list: [0, 999]}]",
        "/1/list/1: invalid value: integer `999`, expected u8 @ 999",
    );
    reads::<Strict>("{name: a, 0: b, nam: c}", "unknown field `0`, expected `name` @ 0");
    reads::<Strict>("a: {}", "unknown field `a`, expected `name` @ a");
    reads::<Vec<Strict>>("[{}]", "/0: missing field `name` @ {}");
    reads::<Loose>(
        "{name: a, 1: b, c: {d: 2}}",
        r#"Loose { name: "a", rest: {"1": String("b"), "c": Object {"d": Number(2)}} }"#,
    );
}

#[test]
fn enums() {
    reads::<Shape>("Empty", "Empty");
    reads::<Shape>("Empty: ", "Empty");
    reads::<Shape>("Empty: 1", "/Empty: invalid type: integer `1`, expected unit @ 1");
    reads::<Shape>("!Empty", "Empty");
    reads::<Shape>("!Width 5", "Width(5)");
    reads::<Shape>("!Width '5'", "invalid type: string \"5\", expected u8 @ '5'");
    reads::<Shape>("Width: 5", "Width(5)");
    reads::<Shape>(
        "Width",
        "invalid type: unit variant, expected newtype variant @ Width",
    );
    reads::<Shape>("!Pair [1, x]", "Pair(1, \"x\")");
    reads::<Shape>(
        "Pair: [1, 2]",
        "/Pair/1: invalid type: integer `2`, expected a string @ 2",
    );
    reads::<Shape>("!Rect {w: 1}", "Rect { w: 1, h: None }");
    reads::<Shape>("Rect: {w: 1, h: 2}", "Rect { w: 1, h: Some(2) }");
    reads::<Shape>(
        "Rect: [1, 2]",
        "/Rect: invalid type: sequence, expected struct variant Shape::Rect @ [1, 2]",
    );
    reads::<Shape>(
        "Round",
        "unknown variant `Round`, expected one of `Empty`, `Width`, `Pair`, `Rect` @ Round",
    );
    reads::<Shape>(
        "{Round: 1}",
        "unknown variant `Round`, expected one of `Empty`, `Width`, `Pair`, `Rect` @ Round",
    );
    reads::<Shape>(
        "!Round 1",
        "unknown variant `Round`, expected one of `Empty`, `Width`, `Pair`, `Rect` @ 1",
    );
    reads::<Shape>(
        "{}",
        "invalid value: map, expected a mapping with one entry, the variant @ {}",
    );
    reads::<Shape>("7", "invalid type: integer `7`, expected enum Shape @ 7");
    reads::<Vec<Shape>>(
        "[{Width: 1}, Empty, &p !Pair [2, a], *p]",
        "[Width(1), Empty, Pair(2, \"a\"), Pair(2, \"a\")]",
    );
    reads::<Option<Shape>>("!Width 1", "Some(Width(1))");
}

#[test]
fn dialects() {
    let read =
        |text, dialect| outcome::<serde_json::Value>(&tree_in(text, dialect, false));
    for (text, core, go, yaml11) in [
        ("yes", "String(\"yes\")", "Bool(true)", "Bool(true)"),
        ("0o17", "Number(15)", "Number(15)", "String(\"0o17\")"),
        ("010", "Number(10)", "Number(8)", "Number(8)"),
        ("1_000", "String(\"1_000\")", "Number(1000)", "Number(1000)"),
        ("1:30", "String(\"1:30\")", "String(\"1:30\")", "Number(90)"),
    ] {
        let found =
            [Dialect::Core, Dialect::Go, Dialect::Yaml11].map(|it| read(text, it));
        assert_eq!(found, [core, go, yaml11], "{text}");
    }
    let jobs = tree_in("on: 1", Dialect::Yaml11, false);
    let field: BTreeMap<bool, u8> = deserialize(&jobs, jobs.root()).unwrap();
    assert_eq!(field, BTreeMap::from([(true, 1)]));
}

#[test]
fn strings_are_borrowed() {
    #[derive(Deserialize)]
    struct Texts<'a> {
        plain: &'a str,
        #[serde(borrow)]
        quoted: Cow<'a, str>,
        #[serde(borrow)]
        escaped: Cow<'a, str>,
    }
    let tree = tree("{plain: a b, quoted: 'c', escaped: \"d\\n\"}");
    let texts: Texts<'_> = deserialize(&tree, tree.root()).unwrap();
    assert_eq!(texts.plain, "a b");
    assert!(matches!(texts.quoted, Cow::Borrowed("c")));
    assert!(matches!(texts.escaped, Cow::Owned(text) if text == "d\n"));
}

#[test]
fn secrets_are_not_shown() {
    let read = |text| tree_in(text, Dialect::Core, true);
    for (text, expected) in [
        ("name: 1234", "/name: invalid type: integer, expected a string"),
        ("count: pass", "/count: invalid type: string, expected u8"),
        ("count: 999", "/count: invalid value: integer, expected u8"),
        ("pass", "invalid type: string, expected struct Job"),
        ("list: [[a]]", "/list/0: invalid type: sequence, expected u8"),
    ] {
        let tree = read(text);
        let error = deserialize::<Job>(&tree, tree.root()).unwrap_err();
        assert_eq!(error.message, expected, "{text}");
    }
    let tree = read("pass");
    let error = deserialize::<Shape>(&tree, tree.root()).unwrap_err();
    assert!(error.message.starts_with("unknown variant `…`, expected"), "{error}");
    let error = deserialize::<std::net::IpAddr>(&tree, tree.root()).unwrap_err();
    assert_eq!(error.message, "the value is secret, and is refused");

    let mut tree = self::tree("{open: x, key: x}");
    let secret = tree.new_secret("pass");
    let id = tree.open(Seat::Root(0), true).unwrap();
    let seat = tree.entry(id, "key", true).unwrap();
    tree.set_at(seat, secret, None);
    let error = outcome::<BTreeMap<String, u8>>(&tree);
    assert_eq!(error, "/open: invalid type: string \"x\", expected u8 @ x");
    let error = deserialize::<u8>(&tree, secret).unwrap_err();
    assert_eq!(error.message, "invalid type: string, expected u8");
}

#[test]
fn depth_is_bounded() {
    #[derive(Debug, Serialize, Deserialize)]
    struct Nest(Vec<Nest>);
    let nested = |depth| "[".repeat(depth) + &"]".repeat(depth);
    let read = |depth: usize| {
        let tree = tree(&nested(depth));
        deserialize::<Nest>(&tree, tree.root()).map_err(|error| error.message)
    };
    assert!(read(128).is_ok());
    let deep = read(129).unwrap_err();
    assert!(deep.ends_with("/0: nested more than 128 levels deep"), "{deep}");
    assert!(deep.starts_with("/0/0/0"), "{deep}");
    let nest = (1..129).fold(Nest(Vec::new()), |nest, _| Nest(vec![nest]));
    let error = serialize(&mut tree(""), &Nest(vec![nest])).unwrap_err();
    assert!(error.message.ends_with("/0: nested more than 128 levels deep"), "{error}");
}

#[test]
fn expansion_is_bounded() {
    let mut text = "- &x0 [a, a]\n".to_owned();
    for i in 1..40 {
        text += &format!("- &x{i} [*x{0}, *x{0}]\n", i - 1);
    }
    let tree = tree(&text);
    let limit = Expansion(1 << 20);
    let error = deserialize_within::<serde_json::Value>(&tree, tree.root(), limit);
    let error = error.unwrap_err();
    assert!(
        error.message.ends_with("the printed document exceeds 1048576 bytes"),
        "{error}"
    );
    deserialize::<de::IgnoredAny>(&tree, tree.root()).unwrap();
    deserialize::<Vec<de::IgnoredAny>>(&tree, tree.root()).unwrap();
}

#[test]
fn written() {
    writes(true, "true\n");
    writes(5_u8, "5\n");
    writes(i128::MIN.to_string(), &format!("'{}'\n", i128::MIN));
    writes((1.0, 1, -0.0), "- 1.0\n- 1\n- -0.0\n");
    writes((0.1_f32, f64::NAN, f64::INFINITY), "- 0.1\n- .nan\n- .inf\n");
    writes('é', "é\n");
    writes("yes".to_owned(), "'yes'\n");
    writes("1e3".to_owned(), "'1e3'\n");
    writes("~".to_owned(), "'~'\n");
    writes(" a".to_owned(), "' a'\n");
    writes("#x".to_owned(), "'#x'\n");
    writes(String::new(), "''\n");
    writes(["a\nb\n", "\u{7}"].map(str::to_owned), "- |\n  a\n  b\n- \"\\a\"\n");
    writes(BTreeMap::from([("<<".to_owned(), 1)]), "'<<': 1\n");
    writes((), "null\n");
    writes(Some(Some(1)), "1\n");
    writes(CString::new([1, 255]).unwrap(), "!!binary Af8=\n");
    writes((Meters(1.5), Nothing), "- 1.5\n- null\n");
    writes(Vec::<u8>::new(), "[]\n");
    writes(BTreeMap::<u8, u8>::new(), "{}\n");
    writes(BTreeMap::from([(80, "web".to_owned())]), "80: web\n");
    writes(
        Job { name: "a".into(), count: Some(1), list: vec![2] },
        "name: a\ncount: 1\nlist:\n- 2\n",
    );
    writes(vec![Shape::Empty, Shape::Width(1)], "- Empty\n- Width: 1\n");
    writes(Shape::Pair(1, "a".into()), "Pair:\n- 1\n- a\n");
    writes(Shape::Rect { w: 1, h: None }, "Rect:\n  w: 1\n  h: null\n");
}

#[test]
fn integers_beyond_64_bits() {
    let mut made = tree("");
    for x in [i128::MIN, -1, i128::MAX] {
        let node = serialize(&mut made, &x).unwrap();
        assert_eq!(deserialize::<i128>(&made, node).unwrap(), x);
    }
    let node = serialize(&mut made, &u128::MAX).unwrap();
    assert_eq!(deserialize::<u128>(&made, node).unwrap(), u128::MAX);
    made.set_at(Seat::Root(0), node, None);
    reads::<u128>(&made.to_string(), &u128::MAX.to_string());
}

#[test]
fn not_expressed_in_yaml() {
    struct Duplicates;
    impl Serialize for Duplicates {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_map([("a", 1), ("b", 2), ("a", 3)])
        }
    }
    struct Refusal;
    impl Serialize for Refusal {
        fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
            Err(ser::Error::custom("refused"))
        }
    }
    #[derive(Serialize)]
    enum Refused {
        One(Refusal),
        Two(u8, Refusal),
        Field { x: Refusal },
    }
    let nested = BTreeMap::from([("x", [Duplicates])]);
    refuses(&Duplicates, Dialect::Core, "duplicate key `a`");
    refuses(&nested, Dialect::Core, "/x/0: duplicate key `a`");
    refuses(&(1, Refusal), Dialect::Core, "/1: refused");
    refuses(&Refused::One(Refusal), Dialect::Core, "/One: refused");
    refuses(&Refused::Two(1, Refusal), Dialect::Core, "/Two/1: refused");
    refuses(&Refused::Field { x: Refusal }, Dialect::Core, "/Field/x: refused");
    let large = u128::from(u64::MAX) + 1;
    let message = "/0: the integer 18446744073709551616 does not fit 64 bits";
    refuses(&[large], Dialect::Go, message);
    let message = format!("the integer {} does not fit 64 bits", u128::MAX);
    refuses(&u128::MAX, Dialect::Go, &message);
    let listed = [BTreeMap::from([((1, true), 2)])];
    refuses(&listed, Dialect::Go, "/0: yaml.v2 takes no key that is a collection");
}

#[test]
fn a_wrong_length_does_no_harm() {
    struct Liar(usize);
    impl Serialize for Liar {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut items = serializer.serialize_seq(Some(self.0))?;
            items.serialize_element(&1)?;
            items.end()
        }
    }
    let mut made = tree("");
    for length in [0, 1, 7, usize::MAX] {
        let node = serialize(&mut made, &Liar(length)).unwrap();
        assert_eq!(deserialize::<Vec<u8>>(&made, node).unwrap(), [1]);
    }
}

#[test]
fn values_of_serde_yaml() {
    let text = "a: [1, -2, 2.5, .inf, yes, 'no', ~, {}]\n1: {true: x}\n? [k]\n: v\n";
    let value: serde_yaml::Value = serde_yaml::from_str(text).unwrap();
    let mut made = tree(text);
    assert_eq!(deserialize::<serde_yaml::Value>(&made, made.root()).unwrap(), value);
    let node = serialize(&mut made, &value).unwrap();
    assert_eq!(deserialize::<serde_yaml::Value>(&made, node).unwrap(), value);

    // Tags do not survive: a value has none when it is read, and an entry for it when it
    // is written.
    let tagged: serde_yaml::Value = serde_yaml::from_str("!t x").unwrap();
    reads::<serde_yaml::Value>("!t x", "String(\"x\")");
    let node = serialize(&mut made, &tagged).unwrap();
    let entry = BTreeMap::from([("!t".to_owned(), "x".to_owned())]);
    assert_eq!(deserialize::<BTreeMap<String, String>>(&made, node).unwrap(), entry);
}
