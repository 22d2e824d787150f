//! Error messages about secret data, without parts that may be made of the data.

use hashbrown::HashSet;

use crate::eval::hidden_text::{REDACTED, is_of_word};
use crate::eval::python::{Class, Exception};

/// Removes the words of a message that stand neither in the source nor in the fixed
/// vocabulary of messages. Any other word may be data, as computed values carry no mark.
pub(crate) fn without_data(mut raised: Box<Exception>, source: &str) -> Box<Exception> {
    // These messages state limits only.
    if matches!(raised.class, Class::Limit | Class::Recursion | Class::Denied) {
        return raised;
    }
    let allowed: HashSet<&str> = words(source).chain(WORDS.split_whitespace()).collect();
    // The receiver is shown as it is, so it may consist of allowed words.
    if let Some((start, rest)) = raised.message.split_once(RECEIVER) {
        let end = rest.rfind(UNMATCHED).and_then(|at| rest.get(at..)).unwrap_or_default();
        raised.message = [&*redacted(start, &allowed), RECEIVER, REDACTED, end].concat();
    } else {
        raised.message = redacted(&raised.message, &allowed);
    }
    let hint = raised.hint.take().map(|hint| redacted(&hint, &allowed));
    // A hint without any word left says nothing.
    raised.hint = hint.filter(|hint| hint != REDACTED);
    raised
}

/// Texts before and after the receiver of a method.
const RECEIVER: &str = " for receiver ";
const UNMATCHED: &str = " matches supplied arguments";

/// Words of error messages, with the names of types.
const WORDS: &str = "
    Ambiguous Assertion Cannot Collection Incorrect Indices Invalid IndexError KeyError
    No NoneType None Numerical Port Python StopIteration Stop Unknown ValueError
    a an and any are arg argument arguments at attribute automatically bad base be between
    bool boolean bytes can cannot character characters class cmp code codec compare contain
    contains convert converted could current date datetime day dates decimal dict dictionary
    division does doesn digits element elements empty escape exceeds expected expression failed
    first float for format found from function functions generator given got group
    has have hash implementation in index indices infinity initial input instances int
    integer integers interpreted invalid islice is item items iterable iteration iterator keys
    keyword large larger length list literal long magnitude mapping match matches max
    maxsize mean merge method min minute missing modulo module month more must named
    naive negative no non not nothing null number object of offset omitted on one only operand or
    out parameter pattern point position positional range real receiver reference regular repeat
    required result selector sequence set should size span step str string strings
    subpattern subscriptable substring supplied supported sys t takes text than the time there timedelta
    timespan timestamp timezone to together too tuple type types unary unexpected unhashable
    unknown unpack unsupported unterminated value values view when with without year
    zero 0 10 2 3";

/// Replaces everything from the first to the last word that is not allowed.
fn redacted(message: &str, allowed: &HashSet<&str>) -> String {
    let is_allowed = |part: &&str| {
        part.chars().all(|c| is_of_word(c) || c.is_whitespace() || PLAIN.contains(c))
            && words(part).all(|word| allowed.contains(word))
    };
    let parts: Vec<&str> = message.split_inclusive(char::is_whitespace).collect();
    let before: usize = parts.iter().take_while(|p| is_allowed(p)).map(|p| p.len()).sum();
    if before == message.len() {
        return message.to_owned();
    }
    let after: usize =
        parts.iter().rev().take_while(|p| is_allowed(p)).map(|p| p.len()).sum();
    let (start, rest) = message.split_at(before);
    let (removed, end) = rest.split_at(rest.len() - after);
    // Quotes and spaces around the removed part stay, for readability.
    let (removed, space) = removed.split_at(removed.trim_end().len());
    let first = if removed.starts_with(QUOTES) { &removed[..1] } else { "" };
    let last = if removed.ends_with(QUOTES) { &removed[removed.len() - 1..] } else { "" };
    [start, first, REDACTED, last, space, end].concat()
}

const QUOTES: [char; 2] = ['\'', '"'];

/// Punctuation of messages.
const PLAIN: &str = "'\"()<>=.,:;#-+";

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c| !is_of_word(c)).filter(|word| !word.is_empty())
}
