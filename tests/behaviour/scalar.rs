//! Tests the meaning and the spelling of scalars: fixtures/scalar/.

use interpolate::unstable::node::Tree;
use interpolate::unstable::scalar::{
    Context, Dialect, Quote, Scalar, literal, spell, spell_with, to_base64,
};
use interpolate::unstable::source::Sources;
use interpolate::unstable::yaml::{self, Options};
use proptest::prelude::{Just, Strategy, any, prop_oneof, proptest};
use serde_json::{Value, json};

const DIALECTS: [(&str, Dialect); 3] =
    [("core", Dialect::Core), ("go", Dialect::Go), ("yaml-1.1", Dialect::Yaml11)];

/// Each line holds a document that is one scalar, and its value in each dialect.
#[test]
fn meanings() {
    for case in cases(include_str!("../../fixtures/scalar/mean.jsonl")) {
        for (name, dialect) in DIALECTS {
            let found = match read(case["in"].as_str().expect("a text"), dialect) {
                Ok(document) => value(&document.scalar(document.root())),
                Err(message) => json!({"error": message}),
            };
            assert_eq!(found, case[name], "{case} in {name}");
        }
    }
}

/// Each line holds a string and its spelling in block and in flow context.
#[test]
fn spellings() {
    for case in cases(include_str!("../../fixtures/scalar/spell.jsonl")) {
        let text = Scalar::String(case["text"].as_str().expect("a text").into());
        let quote = match case["quote"].as_str() {
            Some("double") => Quote::Double,
            Some(_) | None => Quote::Single,
        };
        for (name, context) in [("block", Context::Block), ("flow", Context::Flow)] {
            assert_eq!(spell_with(&text, context, quote), case[name], "{case}");
        }
    }
}

proptest! {
    #[test]
    fn any_spelling_reads_back(scalar in scalar(), double in any::<bool>()) {
        let quote = if double { Quote::Double } else { Quote::Single };
        let block = spell_with(&scalar, Context::Block, quote);
        let flow = spell_with(&scalar, Context::Flow, quote);
        let texts = [
            format!("- {block}\n"),
            format!("{block}: {block}\n"),
            format!("[{flow}, {flow}]\n"),
            format!("{{{flow}: {flow}}}\n"),
        ];
        for (text, (name, dialect)) in texts.iter().flat_map(|t| DIALECTS.map(|d| (t, d))) {
            let document = read(text, dialect).map_err(|e| format!("{text}{e}")).unwrap();
            let root = document.root();
            let pairs = document.pairs(root).into_iter().flat_map(|(k, v)| [k, v]);
            for node in document.items(root).into_iter().chain(pairs) {
                let found = document.scalar(node).identity();
                assert_eq!(found, scalar.borrowed().identity(), "{text} in {name}");
            }
        }
    }

    #[test]
    fn any_literal_reads_back(text in "[ab \\t\\n#:é\u{1f600}\u{85}-]{0,12}") {
        let Some(literal) = literal(&text) else { return Ok(()) };
        let indicator = if literal.indicator { "2" } else { "" };
        let mut block = format!("a:\n- |{indicator}{}\n", literal.chomping);
        for line in text.split_inclusive('\n') {
            block += if line == "\n" { "" } else { "  " };
            block += line;
        }
        for (name, dialect) in DIALECTS {
            let document = read(&block, dialect).unwrap();
            let list = document.get(document.root(), "a").unwrap();
            let found = document.scalar(document.items(list)[0]);
            assert_eq!(found, Scalar::String(text.as_str().into()), "{block} in {name}");
        }
    }
}

fn scalar() -> impl Strategy<Value = Scalar<'static>> {
    let syntax =
        "[-ab0-9 \\t\\n:#,.?!&*|>%@`'\"\\\\\\[\\]{}~=<é\u{85}\u{2028}\u{1f600}]{0,8}";
    let number = "[-+]?[0-9.:_xobeETZ-]{1,8}";
    let word = "~|<<|=|[yYnN]|[Yy]es|YES|on|OFF|[Nn]ull|true|False|[-+]?[.](inf|NaN)";
    prop_oneof![
        prop_oneof![syntax, number, word].prop_map(|text| Scalar::String(text.into())),
        any::<i64>().prop_map(|x| Scalar::Int(x.into())),
        any::<u64>().prop_map(|x| Scalar::Int(x.into())),
        any::<f64>().prop_map(Scalar::Float),
        (-20_i32..20).prop_map(|x| Scalar::Float(10_f64.powi(x))),
        any::<bool>().prop_map(Scalar::Bool),
        Just(Scalar::Null),
        Just(Scalar::Binary(vec![0xff, 0])),
    ]
}

#[test]
fn floats() {
    let spelled = |x| spell(&Scalar::Float(x), Context::Block);
    let found = [1.0, -0.5, 1e15, 1e16, 1.5e-7, f64::NEG_INFINITY, f64::NAN].map(spelled);
    let wanted =
        ["1.0", "-0.5", "1000000000000000.0", "1.0e+16", "1.5e-07", "-.inf", ".nan"];
    assert_eq!(found, wanted);
}

fn read(text: &str, dialect: Dialect) -> Result<Tree, String> {
    let mut sources = Sources::default();
    let file = sources.add("a.yml", text);
    let options = Options { dialect, ..Options::default() };
    yaml::read(&sources, file, &options).map_err(|diagnostic| diagnostic.message)
}

fn value(scalar: &Scalar) -> Value {
    match scalar {
        Scalar::Null => Value::Null,
        Scalar::Bool(x) => json!(x),
        Scalar::Int(x) => json!({"int": x.to_string()}),
        Scalar::Big(x) => json!({"int": x.to_string()}),
        Scalar::Float(_) => json!({"float": spell(scalar, Context::Block)}),
        Scalar::String(text) => json!(text),
        Scalar::Binary(bytes) => json!({"binary": to_base64(bytes)}),
    }
}

fn cases(lines: &str) -> impl Iterator<Item = Value> {
    lines.lines().map(|line| serde_json::from_str(line).expect(line))
}
