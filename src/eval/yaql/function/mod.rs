//! The functions of yaql, one table for each family.

mod collection;
mod iterator;
mod query;
mod scalar;
mod string;
mod system;
mod time;

use std::sync::LazyLock;

use super::overload::{Function, Library};

pub use string::RegexValue;

/// All tables. Each is sorted by name.
const TABLES: [&[Function]; 7] = [
    collection::TABLE,
    iterator::TABLE,
    query::TABLE,
    scalar::TABLE,
    string::TABLE,
    system::TABLE,
    time::TABLE,
];

static LIBRARY: LazyLock<Library> = LazyLock::new(|| Library::new(&TABLES));

pub fn library() -> &'static Library {
    &LIBRARY
}

#[cfg(test)]
mod tests {
    use super::{TABLES, library};

    #[test]
    fn tables_are_sorted() {
        for table in TABLES {
            assert!(table.is_sorted_by_key(|function| function.name), "{table:?}");
        }
    }

    #[test]
    fn functions_of_a_name_agree_about_rules() {
        for name in TABLES.into_iter().flatten().map(|function| function.name) {
            for on_receiver in [false, true] {
                let mut called = library()
                    .named(name)
                    .map(|overload| overload.function)
                    .filter(|function| function.is_called(on_receiver))
                    .map(|function| function.takes_rules);
                let first = called.next();
                assert!(called.all(|rules| Some(rules) == first), "{name}");
            }
        }
    }
}
