//! What must hold for any document and any edit.

mod bytes;
mod edit;
mod text;
mod variable;

use interpolate::scalar::Dialect;
use interpolate::yaml::Options;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(2000)
    })]

    /// What is printed reads as what the document means.
    #[test]
    fn printed_means_the_same(
        shape in prop::collection::vec(any::<u32>(), 1..200),
        edits in prop::collection::vec(any::<[u32; 4]>(), 1..6),
        dialect in prop::sample::select(vec![Dialect::Core, Dialect::Go, Dialect::Yaml11]),
        strict in any::<bool>(),
    ) {
        let base = text::document(&mut text::Choices::new(&shape));
        let options = Options { dialect, strict, ..Options::default() };
        if let Err(why) = edit::check(&base, &edits, &options) {
            prop_assert!(false, "{}", why);
        }
    }

    /// An edit changes no line outside the entry it touches.
    #[test]
    fn other_lines_stay(
        shape in prop::collection::vec(any::<u32>(), 1..200),
        edit in any::<[u32; 3]>(),
    ) {
        let base = text::document(&mut text::Choices::new(&shape));
        if let Err(why) = bytes::check(&base, edit) {
            prop_assert!(false, "{}", why);
        }
    }
}

fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z]{1,6}",
        "[ -~]{0,12}",
        Just("yes".to_owned()),
        Just("1.50".to_owned()),
        Just("a: b # c".to_owned()),
        Just("two\nlines\n".to_owned()),
        Just("é ☃ ((y))".to_owned()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(2000)
    })]

    /// What is around a use stays, and the use reads back as the value.
    #[test]
    fn variables_leave_the_rest_alone(
        shapes in prop::collection::vec((0..variable::SHAPES.len(), 0..3_usize), 1..8),
        x in word(),
    ) {
        let uses = ["((x))", "a ((x))-((x))b", "nothing"];
        let lines: Vec<_> =
            shapes.iter().map(|&(shape, which)| (shape, uses[which].to_owned())).collect();
        let base = variable::base(&lines);
        let (printed, values) = variable::fill(&base, &[("x".into(), x.clone())]);
        for (i, (shape, text)) in lines.iter().enumerate() {
            let (_, after) = variable::SHAPES[*shape];
            let comment = after.find('#').map_or("", |at| &after[at..]);
            prop_assert!(printed.contains(&format!("key{i}:")), "{printed}");
            prop_assert!(printed.contains(comment), "{printed}");
            prop_assert!(printed.contains(&format!("\n\n# about {i}\n")), "{printed}");
            let expected = format!("String({:?})", text.replace("((x))", &x));
            prop_assert_eq!(&values[i], &expected, "{}", printed);
        }
    }
}
