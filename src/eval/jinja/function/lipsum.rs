//! `lipsum`: paragraphs of placeholder text.

use crate::eval::jinja::filter::parameter::{flag, number};
use crate::eval::jinja::filter::random::generator;
use crate::eval::jinja::{CallSite, Plugin, PluginTable};
use crate::eval::python::random::Random;
use crate::eval::python::{Bound, Result, Value, limit_bytes};

#[rustfmt::skip]
pub(super) const FUNCTIONS: PluginTable = &[
    Plugin::new("lipsum", "generate_lorem_ipsum", &[], &["n", "html", "min", "max"], lipsum),
];

/// The words of the text, which are those of Jinja.
const WORDS: &str = "a ac accumsan ad adipiscing aenean aliquam aliquet amet ante aptent \
    arcu at auctor augue bibendum blandit class commodo condimentum congue consectetuer \
    consequat conubia convallis cras cubilia cum curabitur curae cursus dapibus diam \
    dictum dictumst dignissim dis dolor donec dui duis egestas eget eleifend elementum \
    elit enim erat eros est et etiam eu euismod facilisi facilisis fames faucibus felis \
    fermentum feugiat fringilla fusce gravida habitant hac hendrerit iaculis id imperdiet \
    in inceptos integer interdum ipsum justo lacinia lacus laoreet lectus leo libero \
    ligula litora lobortis lorem luctus maecenas magna magnis malesuada massa mattis \
    mauris metus mi molestie mollis montes morbi mus nam nascetur natoque nec neque nibh \
    nisi nisl non nonummy nostra nulla nullam nunc odio orci ornare parturient pede";

fn lipsum(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([], [n, html, min, max]) = arguments.split();
    let (count, least, most) = (number(n, 5)?, number(min, 20)?, number(max, 100)?);
    let html = flag(html, true)?;
    let size = |n: i64| usize::try_from(n.max(0)).unwrap_or(usize::MAX);
    // Checked before the first word is drawn. A word is at least one byte.
    limit_bytes(size(count).saturating_mul(size(most)))?;
    if count <= 0 {
        return Ok(Value::text(""));
    }
    let mut random = generator(call, None)?;
    let words: Vec<&str> = WORDS.split_whitespace().collect();
    let mut paragraphs = Vec::new();
    for _ in 0..count.max(0) {
        paragraphs.push(paragraph(&mut random, &words, least, most)?);
    }
    let (open, close, between) =
        if html { ("<p>", "</p>", "\n") } else { ("", "", "\n\n") };
    let paragraphs: Vec<String> =
        paragraphs.iter().map(|text| format!("{open}{text}{close}")).collect();
    Ok(Value::text(paragraphs.join(between)))
}

/// Returns a paragraph of `least` to `most` words, in sentences of about ten.
fn paragraph(
    random: &mut Random,
    words: &[&str],
    least: i64,
    most: i64,
) -> Result<String> {
    let (mut text, mut begins) = (String::new(), true);
    // Jinja excludes the maximum, too.
    let length = random.range(least, most, 1)?;
    for at in 0..length {
        let word = random.choice(words).copied().unwrap_or_default();
        if !text.is_empty() {
            text.push(' ');
        }
        let mut letters = word.chars();
        match letters.next() {
            Some(first) if begins => text.extend(first.to_uppercase()),
            Some(first) => text.push(first),
            None => {}
        }
        text.push_str(letters.as_str());
        begins = at + 1 == length || random.below(10) == 0;
        if begins {
            text.push('.');
        }
    }
    Ok(text)
}
