//! What must hold for any document and any edit.

mod edit;
mod text;

use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(400)
    })]

    /// What is printed reads as what the document means.
    #[test]
    fn printed_means_the_same(
        shape in prop::collection::vec(any::<u32>(), 1..200),
        edits in prop::collection::vec(any::<[u32; 4]>(), 1..6),
    ) {
        let base = text::document(&mut text::Choices::new(&shape));
        if let Err(why) = edit::check(&base, &edits) {
            prop_assert!(false, "{}", why);
        }
    }
}
