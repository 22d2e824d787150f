//! Filters of addresses: texts and questions about them come in, addresses, networks and
//! numbers go out.

mod mac;
mod network;
mod query;
mod reach;
mod subnet;

pub(super) use mac::{hwaddr, slaac};
pub(in crate::eval::jinja) use network::{Address, Network, scoped};
pub(super) use query::{ipaddr, ipwrap, version};
pub(super) use subnet::*;
