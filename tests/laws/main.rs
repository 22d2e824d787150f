//! What must hold for any document and any edit.

mod bytes;
mod edit;
mod text;

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
