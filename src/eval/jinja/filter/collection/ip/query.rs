//! `ipaddr`, `ipv4`, `ipv6` and `ipwrap`: queries about addresses.

use super::network::{Address, Network, is_low};
use crate::eval::jinja::filter::parameter::{list_of, text, type_error, value_error};
use crate::eval::jinja::{CallSite, Plugin, PluginTable};
use crate::eval::python::{self, Bound, Class, Result, Value};
use crate::eval::visit::VisitCounter;

#[rustfmt::skip]
pub(in crate::eval::jinja::filter::collection) const FILTERS: PluginTable = &[
    Plugin::new("ansible.utils.ipaddr", "ipaddr", &["value"], &["query", "version", "alias"], ipaddr),
    Plugin::new("ansible.utils.ipv4", "ipv4", &["value"], &["query"], version),
    Plugin::new("ansible.utils.ipv6", "ipv6", &["value"], &["query"], version),
    Plugin::new("ansible.utils.ipwrap", "ipwrap", &["value"], &["query"], ipwrap),
];

fn ipaddr(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [query, version, alias]) = arguments.split();
    check_type(&value, "ipaddr")?;
    let version = match version {
        Some(Value::Int(4)) => Some(false),
        Some(Value::Int(6)) => Some(true),
        _ => None,
    };
    let query = text(query, "")?;
    let alias = text(alias, "ipaddr")?;
    AddressQuery { call, query: &query, six: version, alias: &alias }.ask(&value)
}

/// Raises an exception for a value that can be no address.
fn check_type(value: &Value, filter: &str) -> Result<()> {
    match value {
        Value::Str(_) | Value::Int(_) | Value::Big(_) | Value::Bool(_) => Ok(()),
        Value::List(_) | Value::Tuple(_) => Ok(()),
        other => type_error(format!(
            "Unrecognized type <<class '{}'>> for {filter} filter <value>",
            other.type_name()
        )),
    }
}

fn version(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let alias = call.short_name();
    let ([value], [query]) = arguments.split();
    check_type(&value, alias)?;
    let query = text(query, "")?;
    AddressQuery { call, query: &query, six: Some(alias == "ipv6"), alias }.ask(&value)
}

fn ipwrap(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [query]) = arguments.split();
    check_type(&value, "ipwrap")?;
    let query = text(query, "")?;
    // In a list the member itself is wrapped, otherwise the answer to the query.
    let asked = AddressQuery { call, query: &query, six: None, alias: "ipwrap" };
    let wrap = |value: Value, one: bool| -> Result<Value> {
        match asked.ask(&value) {
            Ok(found) if python::truth(&found)? => {
                let wrap = AddressQuery { query: "wrap", ..asked };
                wrap.ask(if one { &found } else { &value })
            }
            Err(error) if matches!(error.class, Class::Limit | Class::Recursion) => {
                Err(error)
            }
            _ => Ok(value),
        }
    };
    match &value {
        Value::List(_) | Value::Tuple(_) => list_of(
            python::iterate(&value)?.into_iter().map(|member| wrap(member, false)),
        ),
        _ => wrap(value, true),
    }
}

#[derive(Clone, Debug)]
pub(super) struct ParsedAddress {
    pub(super) network: Network,
    pub(super) prefixed: bool,
    text: String,
}

impl ParsedAddress {
    /// Parses a value; `None` if it is no address.
    pub(super) fn of(value: &Value, six: Option<bool>) -> Result<Option<ParsedAddress>> {
        if matches!(value, Value::Bool(true)) || !python::truth(value)? {
            return Ok(None);
        }
        let text = python::str(value)?;
        if text.bytes().all(|b| b.is_ascii_digit()) {
            // A number up to 2**32 is an IPv4 address unless the query asks for IPv6.
            let ip = numbered(&text, six != Some(true)).map(Address::alone);
            return Ok(
                ip.map(|network| ParsedAddress::new(network, false, network.to_string()))
            );
        }
        if value.as_str().is_none() {
            return Ok(None);
        }
        if let Some(network) = Network::read(&text) {
            let prefixed = text.matches('/').count() == 1;
            return Ok(Some(ParsedAddress::new(network, prefixed, text)));
        }
        let Some((ip, prefix)) = text.split_once('/') else { return Ok(None) };
        let found = numbered(ip, true).zip(prefix.parse().ok());
        let network = found.map(|(ip, prefix)| Network { ip, prefix });
        let network = network.filter(|network| network.prefix <= network.ip.width());
        Ok(network.map(|network| ParsedAddress::new(network, true, network.to_string())))
    }

    fn new(network: Network, prefixed: bool, text: String) -> ParsedAddress {
        ParsedAddress { network, prefixed, text }
    }

    pub(super) fn is_host(&self) -> bool {
        self.network.host_bits() == 0 || self.network.ip != self.network.first()
    }

    /// Returns the network, or the address with the prefix of its network.
    pub(super) fn subnet(&self) -> Network {
        if self.is_host() { self.network } else { self.network.cidr() }
    }
}

/// Returns the address of a decimal number.
fn numbered(digits: &str, four: bool) -> Option<Address> {
    let bits: u128 = digits.parse().ok()?;
    Some(Address { six: !(four && bits <= 0xffff_ffff), bits })
}

#[derive(Clone, Copy)]
struct AddressQuery<'a> {
    call: &'a CallSite<'a>,
    query: &'a str,
    /// The required version: true for IPv6.
    six: Option<bool>,
    alias: &'a str,
}

impl AddressQuery<'_> {
    /// Answers the query for a value, or for the members of a list.
    fn ask(self, value: &Value) -> Result<Value> {
        self.ask_within(value, &VisitCounter::new(&self.call.scope.context), 0)
    }

    fn ask_within(
        self,
        value: &Value,
        walk: &VisitCounter<'_>,
        depth: usize,
    ) -> Result<Value> {
        walk.visit(depth)?;
        if let Value::List(_) | Value::Tuple(_) = value {
            let mut kept = Vec::new();
            for member in python::iterate(value)? {
                let answer = self.ask_within(&member, walk, depth + 1)?;
                if python::truth(&answer)? {
                    kept.push(answer);
                }
            }
            return Ok(Value::list(kept));
        }
        match ParsedAddress::of(value, self.six)? {
            Some(found) if self.six.is_none_or(|six| found.network.ip.six == six) => {
                found.answer(self.query, self.alias)
            }
            _ => Ok(Value::Bool(false)),
        }
    }
}

pub(super) fn shown(part: impl ToString) -> Value {
    Value::from(part.to_string())
}

fn when(holds: bool, then: Value) -> Value {
    if holds { then } else { Value::None }
}

impl ParsedAddress {
    fn answer(&self, query: &str, alias: &str) -> Result<Value> {
        let net = self.network;
        let ip = net.ip;
        let host_bits = net.host_bits();
        let inner = ip != net.first();
        let itself = Value::from(self.text.clone());
        Ok(match query {
            "" if self.prefixed => shown(net),
            "" => shown(ip),
            "6to4" => self.six_to_four(),
            "address" | "ip" => when(self.is_address(), shown(ip)),
            "address/prefix" | "gateway" | "gw" | "host/prefix" | "hostnet"
            | "router" => {
                if host_bits > 1 && (!inner || ip == net.last()) {
                    Value::Bool(false)
                } else {
                    shown(net)
                }
            }
            "bool" => Value::Bool(true),
            "broadcast" => when(host_bits > 1, shown(net.last())),
            "cidr" => shown(net),
            "host" => {
                let host = inner || host_bits == 0 || net.broadcast().is_none();
                when(host, shown(net))
            }
            "hostmask" | "wildcard" => shown(net.hostmask()),
            "int" if self.prefixed => shown(format!("{}/{}", ip.bits, net.prefix)),
            "int" => Value::integer(ip.bits.into()),
            "ip/prefix" => when(inner || host_bits == 1, shown(net)),
            "ip_netmask" => {
                when(inner || host_bits == 1, shown(format!("{ip} {}", net.netmask())))
            }
            "ipv4" if ip.six => self.fourth().map_or(Value::Bool(false), shown),
            "ipv6" if !ip.six => shown(self.sixth()),
            "ipv4" | "ipv6" => itself,
            "link-local" => when(ip.is_link_local(), itself),
            "lo" | "loopback" => when(ip.is_loopback(), itself),
            "multicast" => when(ip.is_multicast(), itself),
            "net" => when(host_bits > 0 && !inner, shown(net)),
            "netmask" => shown(net.netmask()),
            "network" | "network_id" => shown(net.first()),
            "network/prefix" | "subnet" => shown(net.cidr()),
            "network_netmask" => shown(format!("{} {}", net.first(), net.netmask())),
            "network_wildcard" => shown(format!("{} {}", net.first(), net.hostmask())),
            "prefix" => Value::Int(net.prefix.into()),
            // Not `is_private`: shared addresses count as private, too.
            "private" => when(!ip.is_global(), itself),
            "public" => when(self.is_public(), itself),
            "revdns" => shown(ip.reverse_pointer()),
            "size" => Value::integer(net.exact_size()),
            "size_usable" => match host_bits {
                0 => Value::Int(0),
                1 => Value::Int(2),
                _ => Value::integer(net.exact_size() - 2),
            },
            "type" => Value::from(if self.is_host() { "address" } else { "network" }),
            "unicast" => when(!ip.is_multicast(), itself),
            "version" => Value::Int(if ip.six { 6 } else { 4 }),
            "wrap" if !ip.six => itself,
            "wrap" if self.prefixed => shown(format!("[{ip}]/{}", net.prefix)),
            "wrap" => shown(format!("[{ip}]")),
            "first_usable" | "last_usable" | "next_usable" | "previous_usable"
            | "range_usable" | "peer" => self.neighbour(query)?,
            other => self.place(other, alias)?,
        })
    }

    fn is_address(&self) -> bool {
        let net = self.network;
        self.is_host() || net.ip.six || net.broadcast().is_none()
    }

    fn is_public(&self) -> bool {
        let ip = self.network.ip;
        let mask = is_low(ip.bits) || is_low(ip.greatest() ^ ip.bits);
        ip.is_global() && !ip.is_multicast() && !ip.is_loopback() && !mask
    }

    /// Answers the queries that need a prefix.
    fn neighbour(&self, query: &str) -> Result<Value> {
        if !self.prefixed {
            return value_error("Not a network address");
        }
        let net = self.network;
        if query == "peer" {
            return self.peer().map(shown);
        }
        let Some((first, last)) = net.usable() else { return Ok(Value::None) };
        let beside = |by: i128| {
            let beside = net.ip.offset(by);
            beside.filter(|ip| first <= *ip && *ip <= last).map_or(Value::None, shown)
        };
        Ok(match query {
            "first_usable" => shown(first),
            "last_usable" => shown(last),
            "next_usable" => beside(1),
            "previous_usable" => beside(-1),
            _ => shown(format!("{first}-{last}")),
        })
    }

    /// Returns the other address of a point-to-point network.
    fn peer(&self) -> Result<Address> {
        let net = self.network;
        let ip = net.ip;
        let wrong = match (net.host_bits(), ip.bits % 4) {
            (1, _) => return Ok(ip.with(ip.bits ^ 1)),
            (2, 0) => "Network address of /30 has no peer",
            (2, 3) => "Broadcast address of /30 has no peer",
            (2, _) => return Ok(ip.with(ip.bits ^ 3)),
            _ => "Not a point-to-point network",
        };
        value_error(wrong)
    }

    fn six_to_four(&self) -> Value {
        let ip = self.network.ip;
        let no = Value::Bool(false);
        if ip.six {
            let own = !self.prefixed || ip != self.network.first();
            let holds = own && ip.is_in(&["2002::/16"]);
            return if holds { Value::from(self.text.clone()) } else { no };
        }
        if !self.is_host() || ip.is_global() && !self.is_public() {
            return no;
        }
        let [a, b, c, d] = (ip.bits as u32).to_be_bytes();
        shown(format!("2002:{a:02x}{b:02x}:{c:02x}{d:02x}::1/48"))
    }

    /// Returns the IPv4 network of an IPv4-mapped or -compatible one.
    fn fourth(&self) -> Option<Network> {
        let ip = self.network.ip;
        let low = ip.bits <= 0xffff_ffff;
        let four = Address { six: false, bits: ip.bits };
        let ip = ip.mapped().or_else(|| low.then_some(four))?;
        Some(Network { ip, prefix: self.network.prefix.checked_sub(96)? })
    }

    /// Returns the IPv4-mapped IPv6 network.
    fn sixth(&self) -> Network {
        let ip = Address { six: true, bits: 0xffff_0000_0000 | self.network.ip.bits };
        Network { ip, prefix: self.network.prefix + 96 }
    }

    /// Answers a query by a network, which may hold the value, or by an index in it.
    fn place(&self, query: &str, alias: &str) -> Result<Value> {
        let digits = query.bytes().all(|b| b.is_ascii_digit());
        if !digits && let Some(outer) = ParsedAddress::of(&Value::from(query), None)? {
            let inside = outer.network.contains(self.network);
            return Ok(when(inside, Value::from(self.text.clone())));
        }
        if query.trim().parse::<f64>().is_err() {
            return value_error(format!("{alias}: unknown filter type: {query}"));
        }
        if self.network.host_bits() == 0 {
            return self.answer("", alias);
        }
        let place = query.trim().parse().ok();
        Ok(match place.and_then(|place| self.network.at(place)) {
            Some(ip) => shown(Network { ip, prefix: self.network.prefix }),
            None => Value::Bool(false),
        })
    }
}
