//! An address → what it may be used for, as the registries of IANA have it.

use super::network::Address;

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

impl Address {
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
