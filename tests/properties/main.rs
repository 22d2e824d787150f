//! The laws of `tests/laws`, whose choices proptest makes. `cargo laws` runs them.

#![allow(clippy::unwrap_used)]

mod convert;

use std::io::Write;

use interpolate::unstable::scalar::Dialect;
use interpolate::unstable::yaml::Options;
use interpolate_laws::{
    applied, bytes, comment, diff, edit, evaluated, first, follow, history, language,
    merged_comment, merged_lead, patched, plain, rebase, saved, saved_comment, secret,
    text, text_edit, three_way, unfill, untouched, variable, version,
};
use proptest::prelude::*;
use proptest::test_runner::{TestRng, TestRunner};

proptest! {
    #![proptest_config(config())]

    /// The printed text reads back as the same document.
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

    /// The history of each value tells of every op that changed it, and of no other.
    #[test]
    fn histories_tell_every_change(
        shape in prop::collection::vec(any::<u32>(), 1..120),
        edits in prop::collection::vec(any::<[u32; 5]>(), 1..6),
    ) {
        let base = text::document(&mut text::Choices::new(&shape));
        if let Err(why) = history::check(&base, &edits) {
            prop_assert!(false, "{}", why);
        }
    }

    /// Edits that aliases follow give the same data in one run as in a run for each.
    #[test]
    fn followed_edits_add_up(
        shape in prop::collection::vec(any::<u32>(), 1..40),
        steps in prop::collection::vec(prop::collection::vec(any::<u32>(), 4..12), 1..5),
    ) {
        if let Err(why) = follow::check(&shape, &steps) {
            prop_assert!(false, "{}", why);
        }
    }

    /// An entry that moves or is copied brings its comments; one that is removed takes its own.
    #[test]
    fn comments_go_with_their_entry(
        shape in prop::collection::vec(any::<u32>(), 1..100),
        edit in any::<[u32; 3]>(),
    ) {
        if let Err(why) = comment::check(&shape, edit) {
            prop_assert!(false, "{}", why);
        }
    }

    /// A plain scalar of any characters means the same in every context.
    #[test]
    fn any_plain_scalar_means_the_same(
        text in "[a-zA-Z0-9 -~é\u{85}\u{a0}\u{2028}☃]{1,3}",
        dialect in prop::sample::select(vec![Dialect::Core, Dialect::Go, Dialect::Yaml11]),
    ) {
        if let Err(why) = plain::check(&text, dialect) {
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

/// A patch of any language, with any effect on aliases, gives what an applier and a reader give
/// that share no code with the engine.
#[test]
fn patches_do_what_others_do() {
    let steps = prop::collection::vec(numbers(12), 1..6);
    for_each_language(&(numbers(40), steps), config(), |language, tally, input| {
        applied::check(&input.0, &input.1, language, tally)
    });
}

/// Runs of edits of all languages give what an applier and a reader give that share no code with
/// the engine.
#[test]
fn runs_do_what_others_do() {
    let steps = prop::collection::vec(numbers(12), 2..9);
    let tally = patched::Tally::default();
    let outcome = TestRunner::new(config()).run(&(numbers(40), steps), |input| {
        let outcome = applied::check_run(&input.0, &input.1, &tally);
        outcome.map_err(TestCaseError::fail)
    });
    if let Err(why) = outcome {
        panic!("{why}");
    }
    tell(&tally.check());
}

/// A patch of any language prints what it did, and plain ops do the same.
#[test]
fn patches_mean_the_same() {
    let edits = prop::collection::vec(numbers(40), 1..4);
    for_each_language(&(numbers(120), edits), config(), |language, tally, input| {
        patched::check(&input.0, &input.1, language, tally)
    });
}

/// On the same document each op does the same, and a patch that is surely mended does to a
/// document with a renamed key what it did before. That is sure if the key has a value like
/// no other.
#[test]
fn rebased_patches_mean_the_same() {
    let shape = prop::collection::vec(any::<u32>(), 1..120);
    let inputs = (shape, prop::collection::vec(any::<[u32; 5]>(), 1..6));
    let tally = rebase::Tally::default();
    let outcome = TestRunner::new(config()).run(&inputs, |(shape, edits)| {
        let base = text::document(&mut text::Choices::new(&shape));
        rebase::check(&base, &edits, &tally).map_err(TestCaseError::fail)
    });
    if let Err(why) = outcome {
        panic!("{why}");
    }
    tell(&tally.check());
}

/// Every byte outside the entries that a patch of any language touched is the same.
#[test]
fn untouched_bytes_stay() {
    for &language in language::LANGUAGES {
        let inputs = (prop::collection::vec(any::<u32>(), 1..120), any::<[u32; 6]>());
        // In an unusual text, the owner of a comment is a matter of taste now and then:
        // without a seed, the cases are the same in each run.
        let mut runner = match std::env::var("PROPTEST_RNG_SEED") {
            Ok(_) => TestRunner::new(config()),
            Err(_) => TestRunner::new_with_rng(config(), fixed_rng()),
        };
        let tally = patched::Tally::default();
        let outcome = runner.run(&inputs, |(shape, edit)| {
            let checked = untouched::check(&shape, edit, language, &tally);
            checked.map_err(TestCaseError::fail)
        });
        if let Err(why) = outcome {
            panic!("{language:?}: {why}");
        }
        tell(&format!("{language:?}: {}", tally.check()));
    }
}

/// The same law for every possible beginning of a text.
#[test]
fn a_first_entry_means_the_same() {
    if let Err(why) = first::check(cases() as usize) {
        panic!("{why}");
    }
}

/// A plain scalar means the same in every context.
#[test]
fn plain_scalars_mean_the_same() {
    if let Err(why) = plain::check_all(cases() as usize) {
        panic!("{why}");
    }
}

/// The saved document expands to the edited one, unchanged parts keep their text, saving
/// again changes nothing, and few edits are refused.
#[test]
fn saved_means_what_was_given() {
    let numbers = |most| prop::collection::vec(any::<u32>(), 1..most);
    let inputs = (numbers(120), prop::collection::vec(numbers(12), 1..3));
    let tally = saved::Tally::default();
    let mut runner = TestRunner::new(slow_config());
    let outcome = runner.run(&inputs, |(shape, edits)| {
        saved::check(&shape, &edits, &tally).map_err(TestCaseError::fail)
    });
    if let Err(why) = outcome {
        panic!("{why}\n{runner}");
    }
    tally.check();
}

proptest! {
    #![proptest_config(slow_config())]

    /// Comments and blank lines of an edited expansion are saved beside their entries; a dump
    /// adds none.
    #[test]
    fn comments_are_saved_beside_their_entries(
        shape in prop::collection::vec(any::<u32>(), 1..120),
        edits in prop::collection::vec(prop::collection::vec(any::<u32>(), 1..12), 0..4),
    ) {
        if let Err(why) = saved_comment::check(&shape, &edits) {
            prop_assert!(false, "{}", why);
        }
    }

    /// An edit of the text of a document without directives is saved byte for byte.
    #[test]
    fn an_edited_text_is_saved_as_it_is(
        shape in prop::collection::vec(any::<u32>(), 1..120),
        edits in prop::collection::vec(prop::collection::vec(any::<u32>(), 1..12), 1..3),
    ) {
        if let Err(why) = text_edit::check(&shape, &edits) {
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
    #![proptest_config(config())]

    /// The text around a use does not change, and the use reads back as the value.
    #[test]
    fn variables_leave_the_rest_alone(
        lines in prop::collection::vec(
            (0..variable::SHAPES.len(), 0..variable::TEXTS.len(), 0..2 * variable::KEYS.len())
                .prop_map(<[usize; 3]>::from),
            1..8,
        ),
        x in prop::sample::select(variable::VALUES),
        s in word(),
        i in any::<i32>(),
    ) {
        if let Err(why) = variable::check(&lines, (x, &s, i)) {
            prop_assert!(false, "{}", why);
        }
    }
}

proptest! {
    #![proptest_config(config())]

    /// A value that a variable filled in becomes that variable again, at any new place in
    /// its list.
    #[test]
    fn moved_values_are_variables_again(
        items in prop::collection::vec(any::<usize>(), 1..8),
        edits in prop::collection::vec(any::<[usize; 3]>(), 1..5),
    ) {
        if let Err(why) = unfill::check(&items, &edits) {
            prop_assert!(false, "{}", why);
        }
    }

    /// Values of templates can be edited and saved.
    #[test]
    fn saved_evaluates_to_what_was_given(
        values in prop::collection::vec(any::<usize>(), 1..6),
        edits in prop::collection::vec(prop::collection::vec(any::<u32>(), 1..30), 1..4),
    ) {
        if let Err(why) = evaluated::check(&values, &edits) {
            prop_assert!(false, "{}", why);
        }
    }

    /// No message shows a secret, and none changes if the secret equals a name.
    #[test]
    fn messages_hide_secrets(
        uses in prop::collection::vec(any::<[usize; 3]>(), 1..6),
        secret in "[b-z]{8}",
    ) {
        if let Err(why) = secret::check(&uses, &secret) {
            prop_assert!(false, "{}", why);
        }
    }

    /// No history tells a secret.
    #[test]
    fn histories_hide_secrets(
        uses in prop::collection::vec(any::<[usize; 3]>(), 1..6),
        secret in "[b-z]{8}",
    ) {
        if let Err(why) = secret::check_history(&uses, &secret) {
            prop_assert!(false, "{}", why);
        }
    }

    /// The diff of two documents, applied to the first, gives the data of the second, and
    /// bosh reads the same values in it.
    #[test]
    fn a_diff_leads_there(
        shape in prop::collection::vec(any::<u32>(), 1..100),
        changes in prop::collection::vec(any::<u32>(), 1..40),
        count in 0..5_usize,
        blocks in (0..4_usize, 0..4_usize),
        dialect in prop::sample::select(vec![Dialect::Core, Dialect::Go]),
    ) {
        let old = diff::tree(&mut diff::Choices::new(&shape), 4);
        let (mut new, mut choices) = (old.clone(), diff::Choices::new(&changes));
        for _ in 0..count {
            diff::change(&mut choices, &mut new);
        }
        let (old, new) = (diff::text(&old, blocks.0), diff::text(&new, blocks.1));
        if let Err(why) = diff::check(&old, &new, dialect) {
            prop_assert!(false, "{}", why);
        }
    }

    /// The same law for any two documents.
    #[test]
    fn a_diff_leads_anywhere(
        old in prop::collection::vec(any::<u32>(), 1..200),
        new in prop::collection::vec(any::<u32>(), 1..200),
        dialect in prop::sample::select(vec![Dialect::Core, Dialect::Go]),
    ) {
        let old = text::document(&mut text::Choices::new(&old));
        let new = text::document(&mut text::Choices::new(&new));
        if let Err(why) = diff::check(&old, &new, dialect) {
            prop_assert!(false, "{}", why);
        }
    }
}

proptest! {
    #![proptest_config(config())]

    /// A value that became a node, or the text of one, is read back as the same value.
    #[test]
    fn values_come_back(
        value in convert::any_value(),
        dialect in prop::sample::select(vec![Dialect::Core, Dialect::Go, Dialect::Yaml11]),
    ) {
        if let Err(why) = convert::check(&value, dialect) {
            prop_assert!(false, "{}", why);
        }
    }

    /// The value of a document is the one that is printed as JSON, and comes back.
    #[test]
    fn values_of_documents_come_back(
        shape in prop::collection::vec(any::<u32>(), 1..200),
        dialect in prop::sample::select(vec![Dialect::Core, Dialect::Go, Dialect::Yaml11]),
    ) {
        let base = text::document(&mut text::Choices::new(&shape));
        if let Err(why) = convert::check_document(&base, dialect) {
            prop_assert!(false, "{}", why);
        }
    }

    /// The same law for a type of all shapes.
    #[test]
    fn records_come_back(
        value in convert::record(),
        dialect in prop::sample::select(vec![Dialect::Core, Dialect::Go, Dialect::Yaml11]),
    ) {
        if let Err(why) = convert::check(&value.reduced(dialect), dialect) {
            prop_assert!(false, "{}", why);
        }
    }
}

/// Returns the same numbers in each run.
fn fixed_rng() -> TestRng {
    TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha)
}

/// Returns the configuration of all laws: failures are not written to files.
fn config() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases()) }
}

/// Returns the configuration of laws whose check is slow: a failure is shrunk in up to 3,000
/// steps instead of four for each case.
fn slow_config() -> ProptestConfig {
    ProptestConfig { max_shrink_iters: 3000, ..config() }
}

/// Checks a law of patches in each language.
fn for_each_language<S: Strategy>(
    inputs: &S,
    config: ProptestConfig,
    check: impl Fn(language::Language, &patched::Tally, S::Value) -> Result<(), String>,
) {
    for &language in language::LANGUAGES {
        let tally = patched::Tally::default();
        let outcome = TestRunner::new(config.clone()).run(inputs, |input| {
            check(language, &tally, input).map_err(TestCaseError::fail)
        });
        if let Err(why) = outcome {
            panic!("{language:?}: {why}");
        }
        tell(&format!("{language:?}: {}", tally.check()));
    }
}

/// Returns numbers to choose by.
fn numbers(most: usize) -> impl Strategy<Value = Vec<u32>> {
    prop::collection::vec(any::<u32>(), 1..most)
}

/// Tells figures of a long run.
fn tell(figures: &str) {
    if std::env::var("LAW_CASES").is_ok() {
        let _ = writeln!(std::io::stderr(), "{figures}");
    }
}

/// Returns comments, by number, and blank lines. No comment is there twice: a change of one
/// of them could be a change of the other.
fn merged_lead() -> impl Strategy<Value = merged_lead::Lead> {
    let lines = prop::collection::vec(prop::option::of(0..3_u8), 0..5);
    lines.prop_map(|lines| {
        let mut known = std::collections::BTreeSet::new();
        lines.into_iter().filter(|it| it.is_none_or(|it| known.insert(it))).collect()
    })
}

/// Returns the number of cases: `LAW_CASES=100000 cargo laws`.
fn cases() -> u32 {
    let given = std::env::var("LAW_CASES").ok().and_then(|cases| cases.parse().ok());
    given.unwrap_or(2000)
}

proptest! {
    #![proptest_config(slow_config())]

    /// A merge has the changes of both sides, or names the place where it cannot.
    #[test]
    fn a_merge_loses_no_change(
        shape in prop::collection::vec(any::<u32>(), 1..120),
        ours in prop::collection::vec(prop::collection::vec(any::<u32>(), 1..12), 0..5),
        theirs in prop::collection::vec(prop::collection::vec(any::<u32>(), 1..12), 0..5),
        layouts in prop::array::uniform3(0..24_usize),
    ) {
        let texts = version::texts(&shape, [&ours, &theirs], layouts);
        let texts = texts.each_ref().map(|text| &text[..]);
        if let Err(why) = three_way::check(texts, Dialect::Core) {
            prop_assert!(false, "{}", why);
        }
    }

    /// Changes of comments and blank lines merge with changes of values.
    #[test]
    fn a_merge_keeps_comments(
        entries in prop::collection::vec((merged_lead(), 0..5_u8), 1..4),
        frame in 0..4_usize,
        line_break in prop::sample::select(vec!["\n", "\r\n"]),
        lead in (any::<usize>(), merged_lead()),
        value in (any::<usize>(), 5..9_u8),
    ) {
        let (leads, values) = entries.into_iter().unzip();
        let base = merged_lead::Commented { leads, values, frame, line_break };
        if let Err(why) = merged_lead::check(&base, lead, value) {
            prop_assert!(false, "{}", why);
        }
    }

    /// A comment or a blank line that no version changed, or that one changed, is in a merge
    /// once: beside its entry, if an entry owns it.
    #[test]
    fn a_merge_has_each_comment_once(
        shape in prop::collection::vec(any::<u32>(), 1..120),
        ours in prop::collection::vec(any::<u32>(), 1..30),
        theirs in prop::collection::vec(any::<u32>(), 1..30),
        steps in prop::sample::select(vec![[2, 2, 2], [2, 4, 2], [2, 2, 4]]),
    ) {
        if let Err(why) = merged_comment::check(&shape, [&ours, &theirs], steps) {
            prop_assert!(false, "{}", why);
        }
    }

    /// The law of lost changes for streams.
    #[test]
    fn a_merge_of_streams_loses_no_change(
        shapes in prop::collection::vec(prop::collection::vec(any::<u32>(), 1..30), 1..5),
        ours in prop::collection::vec(prop::collection::vec(any::<u32>(), 1..12), 0..4),
        theirs in prop::collection::vec(prop::collection::vec(any::<u32>(), 1..12), 0..4),
    ) {
        let texts = version::streams(&shapes, [&ours, &theirs]);
        let texts = texts.each_ref().map(|text| &text[..]);
        if let Err(why) = three_way::check(texts, Dialect::Core) {
            prop_assert!(false, "{}", why);
        }
    }

    /// The same law for any three documents.
    #[test]
    fn any_merge_loses_no_change(
        shapes in prop::array::uniform3(prop::collection::vec(any::<u32>(), 1..100)),
        same in 0..4_usize,
        dialect in prop::sample::select(vec![Dialect::Core, Dialect::Go, Dialect::Yaml11]),
    ) {
        let [base, mut ours, mut theirs] = shapes;
        // Documents that begin with the same choices are alike.
        for (at, side) in [&mut ours, &mut theirs].into_iter().enumerate() {
            if same & (1 << at) != 0 {
                let tail = side.split_off(side.len() / 2);
                *side = base.iter().copied().take(base.len() / 2).chain(tail).collect();
            }
        }
        let texts = [&base, &ours, &theirs];
        let texts = texts.map(|shape| text::document(&mut text::Choices::new(shape)));
        let texts = texts.each_ref().map(|text| &text[..]);
        if let Err(why) = three_way::check(texts, dialect) {
            prop_assert!(false, "{}", why);
        }
    }
}
