//! The library, a table a family: a name comes in, the functions of that name go out.

mod aggregate;
mod bits;
mod boolean;
mod branch;
mod collection;
mod comparison;
mod dict;
mod generate;
mod math;
mod merge;
mod order;
mod property;
mod query;
mod search;
mod select;
mod set;
mod slice;
mod string;
mod system;
mod text;
mod time;

use std::collections::HashMap;
use std::sync::LazyLock;

use super::overload::Overload;

/// Functions, in the order of their names.
type Table = &'static [Overload];

const TABLES: [Table; 21] = [
    aggregate::TABLE,
    bits::TABLE,
    boolean::TABLE,
    branch::TABLE,
    collection::TABLE,
    comparison::TABLE,
    dict::TABLE,
    generate::TABLE,
    math::TABLE,
    merge::TABLE,
    order::TABLE,
    property::TABLE,
    query::TABLE,
    search::TABLE,
    select::TABLE,
    set::TABLE,
    slice::TABLE,
    string::TABLE,
    system::TABLE,
    text::TABLE,
    time::TABLE,
];

static NAMED: LazyLock<HashMap<&str, Vec<&Overload>>> = LazyLock::new(|| {
    let mut named: HashMap<&str, Vec<&Overload>> = HashMap::new();
    for overload in TABLES.into_iter().flatten() {
        named.entry(overload.name).or_default().push(overload);
    }
    named
});

/// The functions of a name.
pub(super) fn named(name: &str) -> impl Iterator<Item = &'static Overload> {
    NAMED.get(name).into_iter().flatten().copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted() {
        for table in TABLES {
            assert!(table.is_sorted_by_key(|overload| overload.name), "{table:?}");
        }
    }

    #[test]
    fn functions_of_a_name_agree_about_rules() {
        for name in TABLES.into_iter().flatten().map(|overload| overload.name) {
            for on_receiver in [false, true] {
                let mut called =
                    named(name).filter(|o| o.is_called(on_receiver)).map(|o| o.rules);
                let first = called.next();
                assert!(called.all(|rules| Some(rules) == first), "{name}");
            }
        }
    }
}
