//! Filters on IP and hardware addresses.

mod mac;
mod network;
mod query;
mod subnet;

pub(super) use mac::FILTERS as MAC_FILTERS;
pub(in crate::eval::jinja) use network::{Address, Network, scoped};
pub(super) use query::FILTERS as QUERY_FILTERS;
pub(super) use subnet::FILTERS as SUBNET_FILTERS;
