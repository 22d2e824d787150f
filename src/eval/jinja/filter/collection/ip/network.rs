//! [`Network`]: the text of an address, with or without a prefix, comes in; its numbers, and
//! the texts of other networks and addresses, go out.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use num_bigint::BigInt;

/// An address of the fourth or the sixth version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Address {
    /// Whether it is of the sixth version.
    pub(crate) six: bool,
    /// Its bits.
    pub(crate) bits: u128,
}

/// An address and how many of its first bits are those of its network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Network {
    /// The address, which may be any of the network.
    pub(crate) ip: Address,
    /// How many bits.
    pub(crate) prefix: u32,
}

impl Address {
    /// Reads an address.
    pub(crate) fn read(text: &str) -> Option<Address> {
        Some(match text.parse().ok()? {
            IpAddr::V4(ip) => Address { six: false, bits: u128::from(ip.to_bits()) },
            IpAddr::V6(ip) => Address { six: true, bits: ip.to_bits() },
        })
    }

    /// How many bits addresses of its version have.
    pub(crate) fn width(self) -> u32 {
        if self.six { 128 } else { 32 }
    }

    /// The last address of its version.
    pub(crate) fn greatest(self) -> u128 {
        low(self.width())
    }

    /// The same version, other bits.
    pub(crate) fn with(self, bits: u128) -> Address {
        Address { six: self.six, bits }
    }

    /// The address so many further on.
    pub(crate) fn offset(self, by: i128) -> Option<Address> {
        let bits = self.bits.checked_add_signed(by)?;
        (bits <= self.greatest()).then(|| self.with(bits))
    }

    /// Whether it is in one of several networks.
    pub(crate) fn is_in(self, networks: &[&str]) -> bool {
        let holds = |text: &&str| {
            Network::read(text).is_some_and(|network| network.contains(self.alone()))
        };
        networks.iter().any(holds)
    }

    /// The network of this address only.
    pub(crate) fn alone(self) -> Network {
        Network { ip: self, prefix: self.width() }
    }

    /// Whether it is of a private network.
    pub(crate) fn is_private(self) -> bool {
        let ip = self.mapped().unwrap_or(self);
        ip.is_in(NOT_GLOBAL) && !ip.is_in(EXCEPTED)
    }

    /// Whether the world reaches it.
    pub(crate) fn is_global(self) -> bool {
        let local = self.is_in(NOT_GLOBAL) || self.is_in(SHARED);
        !local || self.is_in(EXCEPTED)
    }

    /// Whether it is of the host itself.
    pub(crate) fn is_loopback(self) -> bool {
        self.is_in(&["127.0.0.0/8", "::1/128"])
    }

    /// Whether it is of a group of hosts.
    pub(crate) fn is_multicast(self) -> bool {
        self.is_in(&["224.0.0.0/4", "ff00::/8"])
    }

    /// Whether it is for later use.
    pub(crate) fn is_reserved(self) -> bool {
        if self.six { !self.is_in(GIVEN_OUT) } else { self.is_in(&["240.0.0.0/4"]) }
    }

    /// Whether it is of hosts on one link.
    pub(crate) fn is_link_local(self) -> bool {
        self.is_in(&["169.254.0.0/16", "fe80::/10"])
    }

    /// The address of the fourth version that it stands for.
    pub(crate) fn mapped(self) -> Option<Address> {
        let mapped = self.six && self.bits >> 32 == 0xffff;
        mapped.then_some(Address { six: false, bits: self.bits & 0xffff_ffff })
    }
}

/// Networks that the world does not reach, with what is excepted from them.
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

/// Neither private nor reached by the world: between a provider and its customers.
const SHARED: &[&str] = &["100.64.0.0/10"];

/// What is given out in the sixth version; all else is reserved.
const GIVEN_OUT: &[&str] =
    &["2000::/3", "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8"];

impl std::fmt::Display for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let four = Ipv4Addr::from_bits(self.bits as u32);
        match self.six {
            false => write!(f, "{four}"),
            // What the C library writes of an address that was one of the fourth version.
            true if self.bits >> 32 == 0 && self.bits >> 16 != 0 => write!(f, "::{four}"),
            true => write!(f, "{}", Ipv6Addr::from_bits(self.bits)),
        }
    }
}

impl std::fmt::Display for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.ip, self.prefix)
    }
}

/// So many bits, all set.
pub(crate) fn low(bits: u32) -> u128 {
    u128::MAX.checked_shr(128 - bits.min(128)).unwrap_or(0)
}

impl Network {
    /// Reads an address, which may be followed by a prefix, a netmask or a hostmask.
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

    /// Reads the first address of a network, which may be followed by a prefix or, in the
    /// fourth version, a mask.
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

    /// How many bits tell its addresses apart.
    pub(crate) fn host_bits(self) -> u32 {
        self.ip.width() - self.prefix
    }

    /// How many addresses it has, if that is a number of 128 bits.
    pub(crate) fn size(self) -> u128 {
        low(self.host_bits()).saturating_add(1)
    }

    /// How many addresses it has.
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

    /// Its first address.
    pub(crate) fn first(self) -> Address {
        self.ip.with(self.ip.bits & !low(self.host_bits()))
    }

    /// Its last address.
    pub(crate) fn last(self) -> Address {
        self.ip.with(self.ip.bits | low(self.host_bits()))
    }

    /// The same network, with its first address.
    pub(crate) fn cidr(self) -> Network {
        Network { ip: self.first(), prefix: self.prefix }
    }

    /// The address that reaches all others; two addresses of the fourth version have none.
    pub(crate) fn broadcast(self) -> Option<Address> {
        (self.ip.six || self.host_bits() > 1).then(|| self.last())
    }

    /// The first and the last address that a host may have.
    pub(crate) fn usable(self) -> Option<(Address, Address)> {
        let (first, last) = (self.first(), self.last());
        match self.host_bits() {
            0 => None,
            1 => Some((first, last)),
            _ => Some((first.with(first.bits + 1), last.with(last.bits - 1))),
        }
    }

    /// The address at a place; a negative one counts from the end.
    pub(crate) fn at(self, place: i128) -> Option<Address> {
        let from = if place < 0 {
            self.last().bits.checked_add_signed(place.checked_add(1)?)
        } else {
            self.first().bits.checked_add_signed(place)
        };
        from.map(|bits| self.ip.with(bits)).filter(|ip| self.contains(ip.alone()))
    }

    /// Whether all of another network is in this one.
    pub(crate) fn contains(self, other: Network) -> bool {
        self.ip.six == other.ip.six
            && self.first() <= other.first()
            && other.last() <= self.last()
    }
}

/// An address that may name the link it is on.
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

/// The prefix that a mask stands for.
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

/// Whether all of the bits that are set come last.
pub(crate) fn is_low(bits: u128) -> bool {
    bits & bits.wrapping_add(1) == 0
}
