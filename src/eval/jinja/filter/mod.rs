//! Filters: the piped value and arguments come in, a value goes out. Each file has a table of
//! its filters; `plugin.rs` tells how to add one.

pub(in crate::eval::jinja) mod attribute;
pub(in crate::eval::jinja) mod collection;
pub(in crate::eval::jinja) mod crypt;
mod data;
pub(in crate::eval::jinja) mod date;
pub(in crate::eval::jinja) mod dict;
pub(in crate::eval::jinja) mod encode;
mod html;
mod number;
pub(in crate::eval::jinja) mod order;
pub(in crate::eval::jinja) mod parameter;
pub(in crate::eval::jinja) mod path;
pub(in crate::eval::jinja) mod random;
mod regex;
mod select;
mod sequence;
mod text;
mod value;
pub(in crate::eval::jinja) mod vault;

use super::plugin::PluginTable;

/// The tables of filters.
pub const FILTERS: &[PluginTable] = &[
    crypt::FILTERS,
    data::FILTERS,
    date::FILTERS,
    dict::FILTERS,
    encode::FILTERS,
    html::FILTERS,
    number::FILTERS,
    order::FILTERS,
    path::FILTERS,
    random::FILTERS,
    regex::FILTERS,
    select::FILTERS,
    sequence::FILTERS,
    text::FILTERS,
    value::FILTERS,
    vault::FILTERS,
];
