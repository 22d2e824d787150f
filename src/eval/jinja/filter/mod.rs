//! Filters: the piped value and arguments come in, a value goes out. Each file has a table of
//! its filters; `plugin.rs` tells how to add one.

pub(super) mod collection;
mod crypt;
mod data;
pub(super) mod date;
mod dict;
mod encode;
pub(in crate::eval::jinja) mod html;
mod number;
pub(super) mod order;
pub(super) mod parameter;
pub(super) mod path;
pub(super) mod random;
pub(super) mod regex;
mod select;
mod sequence;
mod text;
mod value;

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
];
