//! [`Address`] and [`Network`]: parsing, arithmetic and IANA's special-purpose registries.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use num_bigint::BigInt;

/// An IPv4 or IPv6 address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Address {
    /// True for IPv6.
    pub(crate) six: bool,
    pub(crate) bits: u128,
}

/// An address with the prefix length of its network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Network {
    /// The address, which may be any in the network.
    pub(crate) ip: Address,
    pub(crate) prefix: u32,
}

impl Address {
    pub(crate) fn read(text: &str) -> Option<Address> {
        Some(match text.parse().ok()? {
            IpAddr::V4(ip) => Address { six: false, bits: u128::from(ip.to_bits()) },
            IpAddr::V6(ip) => Address { six: true, bits: ip.to_bits() },
        })
    }

    pub(crate) fn width(self) -> u32 {
        if self.six { 128 } else { 32 }
    }

    /// Returns the bits of the last address of its version.
    pub(crate) fn greatest(self) -> u128 {
        low(self.width())
    }

    pub(crate) fn with(self, bits: u128) -> Address {
        Address { six: self.six, bits }
    }

    pub(crate) fn offset(self, by: i128) -> Option<Address> {
        let bits = self.bits.checked_add_signed(by)?;
        (bits <= self.greatest()).then(|| self.with(bits))
    }

    pub(crate) fn is_in(self, networks: &[&str]) -> bool {
        let mut networks = networks.iter().filter_map(|text| Network::read(text));
        networks.any(|network| network.contains(self.alone()))
    }

    /// Returns the network of this address alone.
    pub(crate) fn alone(self) -> Network {
        Network { ip: self, prefix: self.width() }
    }

    pub(crate) fn is_private(self) -> bool {
        let ip = self.mapped().unwrap_or(self);
        ip.is_in(NOT_GLOBAL) && !ip.is_in(EXCEPTED)
    }

    pub(crate) fn is_global(self) -> bool {
        let local = self.is_in(NOT_GLOBAL) || self.is_in(SHARED);
        !local || self.is_in(EXCEPTED)
    }

    pub(crate) fn is_loopback(self) -> bool {
        self.is_in(&["127.0.0.0/8", "::1/128"])
    }

    pub(crate) fn is_multicast(self) -> bool {
        self.is_in(&["224.0.0.0/4", "ff00::/8"])
    }

    pub(crate) fn is_reserved(self) -> bool {
        if self.six { !self.is_in(ASSIGNED) } else { self.is_in(&["240.0.0.0/4"]) }
    }

    pub(crate) fn is_link_local(self) -> bool {
        self.is_in(&["169.254.0.0/16", "fe80::/10"])
    }

    /// Returns the name for reverse DNS, with the dot at its end.
    pub(crate) fn reverse_pointer(self) -> String {
        let mut name = String::new();
        let (step, count) = if self.six { (4, 32) } else { (8, 4) };
        for part in 0..count {
            let part = self.bits >> (part * step) & ((1 << step) - 1);
            name += &if self.six { format!("{part:x}.") } else { format!("{part}.") };
        }
        name + if self.six { "ip6.arpa." } else { "in-addr.arpa." }
    }

    /// Returns the IPv4 address of an IPv4-mapped one.
    pub(crate) fn mapped(self) -> Option<Address> {
        let mapped = self.six && self.bits >> 32 == 0xffff;
        mapped.then_some(Address { six: false, bits: self.bits & 0xffff_ffff })
    }
}

// The lists of Python's `ipaddress`, which follow the special-purpose registries of IANA.
/// Networks that are not globally reachable, but for [`EXCEPTED`].
const NOT_GLOBAL: &[&str] = &[
    "0.0.0.0/8",
    "10.0.0.0/8",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.0.0.0/24",
    "192.0.2.0/24",
    "192.168.0.0/16",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "240.0.0.0/4",
    "::/127",
    "::ffff:0:0/96",
    "64:ff9b:1::/48",
    "100::/64",
    "2001::/23",
    "2001:db8::/32",
    "2002::/16",
    "fc00::/7",
    "fe80::/10",
];

const EXCEPTED: &[&str] = &[
    "192.0.0.9/32",
    "192.0.0.10/32",
    "2001:1::1/128",
    "2001:1::2/128",
    "2001:3::/32",
    "2001:4:112::/48",
    "2001:20::/28",
    "2001:30::/28",
];

/// Carrier-grade NAT: neither private nor global.
const SHARED: &[&str] = &["100.64.0.0/10"];

/// Assigned networks of IPv6; all others are reserved.
const ASSIGNED: &[&str] = &["2000::/3", "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8"];

impl std::fmt::Display for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let four = Ipv4Addr::from_bits(self.bits as u32);
        if !self.six {
            write!(f, "{four}")
        } else if self.bits >> 32 == 0 && self.bits >> 16 != 0 {
            // glibc writes an IPv4-compatible address with the IPv4 part in decimals.
            write!(f, "::{four}")
        } else {
            write!(f, "{}", Ipv6Addr::from_bits(self.bits))
        }
    }
}

impl std::fmt::Display for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.ip, self.prefix)
    }
}

/// Returns a number whose lowest `bits` are set.
pub(crate) fn low(bits: u32) -> u128 {
    u128::MAX.checked_shr(128 - bits.min(128)).unwrap_or(0)
}

impl Network {
    /// Parses an address, with or without a prefix length, a netmask or a hostmask.
    pub(crate) fn read(text: &str) -> Option<Network> {
        let Some((ip, prefix)) = text.split_once('/') else {
            return Some(Address::read(text)?.alone());
        };
        let ip = Address::read(ip)?;
        let prefix = match number(prefix) {
            Some(bits) => bits,
            None => mask(ip, prefix)?,
        };
        Some(Network { ip, prefix }).filter(|_| prefix <= ip.width())
    }

    /// Parses a network without host bits; the prefix may be a mask in IPv4 only.
    pub(crate) fn read_strict(text: &str) -> Option<Network> {
        let network = match text.split_once('/') {
            None => scoped(text)?.alone(),
            Some((ip, _)) if ip.contains('%') => return None,
            Some((_, prefix)) => {
                let plain = prefix.bytes().all(|b| b.is_ascii_digit());
                Network::read(text).filter(|found| plain || !found.ip.six)?
            }
        };
        Some(network).filter(|network| network.first() == network.ip)
    }

    pub(crate) fn host_bits(self) -> u32 {
        self.ip.width() - self.prefix
    }

    /// Returns the number of addresses, at most 2**128 - 1.
    pub(crate) fn size(self) -> u128 {
        low(self.host_bits()).saturating_add(1)
    }

    pub(crate) fn exact_size(self) -> BigInt {
        BigInt::from(1) << self.host_bits()
    }

    /// `0.0.0.255`
    pub(crate) fn hostmask(self) -> Address {
        self.ip.with(low(self.host_bits()))
    }

    /// `255.255.255.0`
    pub(crate) fn netmask(self) -> Address {
        self.ip.with(self.ip.greatest() ^ low(self.host_bits()))
    }

    pub(crate) fn first(self) -> Address {
        self.ip.with(self.ip.bits & !low(self.host_bits()))
    }

    pub(crate) fn last(self) -> Address {
        self.ip.with(self.ip.bits | low(self.host_bits()))
    }

    /// Returns the network with its first address.
    pub(crate) fn cidr(self) -> Network {
        Network { ip: self.first(), prefix: self.prefix }
    }

    /// Returns the broadcast address; IPv4 networks of one or two addresses have none.
    pub(crate) fn broadcast(self) -> Option<Address> {
        (self.ip.six || self.host_bits() > 1).then(|| self.last())
    }

    /// Returns the first and the last address for hosts.
    pub(crate) fn usable(self) -> Option<(Address, Address)> {
        let first = self.first();
        let last = self.last();
        match self.host_bits() {
            0 => None,
            1 => Some((first, last)),
            _ => Some((first.with(first.bits + 1), last.with(last.bits - 1))),
        }
    }

    /// Returns the address at an index, which counts from the end if it is negative.
    pub(crate) fn at(self, place: i128) -> Option<Address> {
        let from = if place < 0 {
            self.last().bits.checked_add_signed(place.checked_add(1)?)
        } else {
            self.first().bits.checked_add_signed(place)
        };
        from.map(|bits| self.ip.with(bits)).filter(|ip| self.contains(ip.alone()))
    }

    pub(crate) fn contains(self, other: Network) -> bool {
        self.ip.six == other.ip.six
            && self.first() <= other.first()
            && other.last() <= self.last()
    }
}

/// Parses an address that may have a zone (`%eth0`) in IPv6.
pub(crate) fn scoped(text: &str) -> Option<Address> {
    match text.split_once('%') {
        None => Address::read(text),
        Some((_, scope)) if scope.is_empty() || scope.contains('%') => None,
        Some((ip, _)) => Address::read(ip).filter(|ip| ip.six),
    }
}

fn number(text: &str) -> Option<u32> {
    let digits = text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|_| digits)
}

/// Returns the prefix length of a netmask or hostmask.
fn mask(ip: Address, text: &str) -> Option<u32> {
    let mask = Address::read(text).filter(|mask| mask.six == ip.six)?;
    let hosts = mask.greatest() ^ mask.bits;
    if is_low(hosts) {
        Some(mask.bits.count_ones())
    } else if is_low(mask.bits) {
        Some(mask.width() - mask.bits.count_ones())
    } else {
        None
    }
}

/// Returns true if the set bits are the lowest ones.
pub(crate) fn is_low(bits: u128) -> bool {
    bits & bits.wrapping_add(1) == 0
}
