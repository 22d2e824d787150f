//! `hwaddr`, `macaddr` and `slaac`: notations of hardware addresses.

use num_bigint::BigInt;

use super::query::ParsedAddress;
use crate::eval::jinja::filter::parameter::{text, value_error};
use crate::eval::jinja::{CallSite, Plugin, PluginTable};
use crate::eval::python::{self, Bound, Exception, Result, Value};

#[rustfmt::skip]
pub(in crate::eval::jinja::filter::collection) const FILTERS: PluginTable = &[
    Plugin::new("ansible.utils.hwaddr", "hwaddr", &["value"], &["query", "alias"], hwaddr),
    Plugin::new("ansible.utils.macaddr", "macaddr", &["value"], &["query", "alias"], hwaddr),
    Plugin::new("ansible.utils.slaac", "slaac", &["value"], &["query"], slaac),
];

/// A hardware address, EUI-48 or EUI-64.
#[derive(Clone, Copy, Debug)]
struct HardwareAddress {
    long: bool,
    bits: u64,
}

/// The separator, the number of parts, and the number of digits in a part.
type Notation = (char, usize, std::ops::RangeInclusive<usize>);

/// Number of notations of 48 bits, which come first.
const SHORT: usize = 8;

// Tried in this order, and a plain number between the two groups, as netaddr does: some
// texts fit several notations.
const NOTATIONS: &[Notation] = &[
    (':', 6, 1..=2),
    ('-', 6, 1..=2),
    (':', 3, 1..=4),
    ('-', 3, 1..=4),
    ('.', 3, 1..=4),
    ('-', 2, 5..=6),
    (':', 2, 5..=6),
    (':', 1, 11..=12),
    (':', 8, 1..=2),
    ('-', 8, 1..=2),
    (':', 4, 1..=4),
    ('-', 4, 1..=4),
    ('.', 4, 1..=4),
    (':', 1, 16..=16),
];

impl HardwareAddress {
    fn of(value: &Value) -> Option<HardwareAddress> {
        match value {
            Value::Int(number) => {
                let bits = u64::try_from(*number).ok()?;
                Some(HardwareAddress { long: bits >> 48 != 0, bits })
            }
            Value::Str(text) => {
                let mut notations = NOTATIONS.iter().enumerate();
                notations.find_map(|(at, (mark, count, digits))| {
                    let number = text.parse().ok().filter(|bits: &u64| bits >> 48 == 0);
                    match number.filter(|_| at == SHORT) {
                        Some(bits) => Some(HardwareAddress { long: false, bits }),
                        None => HardwareAddress::read(text, *mark, *count, digits),
                    }
                })
            }
            _ => None,
        }
    }

    fn read(
        text: &str,
        mark: char,
        count: usize,
        digits: &std::ops::RangeInclusive<usize>,
    ) -> Option<HardwareAddress> {
        let parts: Vec<&str> = text.split(mark).collect();
        if parts.len() != count {
            return None;
        }
        // A bare address may lack its leading zero.
        let most = if count == 1 && digits.contains(&11) { 12 } else { *digits.end() };
        let mut bits = 0_u64;
        for part in parts {
            if !digits.contains(&part.len())
                || !part.bytes().all(|b| b.is_ascii_hexdigit())
            {
                return None;
            }
            bits = bits.checked_shl(u32::try_from(4 * most).ok()?).unwrap_or(0)
                | u64::from_str_radix(part, 16).ok()?;
        }
        Some(HardwareAddress { long: count * most == 16, bits })
    }

    /// Formats 48 bits in parts of `size` bits.
    fn parts(self, size: u32, mark: &str, write: fn(u64) -> String) -> String {
        let shifts = (0..48).step_by(size as usize).rev();
        let parts = shifts.map(|by| write(self.bits >> by & (u64::MAX >> (64 - size))));
        parts.collect::<Vec<_>>().join(mark)
    }

    /// Returns the interface identifier of an IPv6 address (modified EUI-64).
    fn interface(self) -> u64 {
        let long = if self.long {
            self.bits
        } else {
            self.bits >> 24 << 40 | 0xff_fe00_0000 | self.bits & 0xff_ffff
        };
        // The universal/local bit is inverted (RFC 4291, appendix A).
        long ^ 1 << 57
    }
}

fn hwaddr(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let name = call.short_name();
    let ([value], [query, alias]) = arguments.split();
    let query = text(query, "")?;
    let alias = text(alias, name)?;
    let Some(mac) = HardwareAddress::of(&value) else {
        return match &*query {
            "" | "bool" => Ok(Value::None),
            _ => value_error(format!(
                "{alias}: not a hardware address: {}",
                python::str(&value)?
            )),
        };
    };
    if mac.long && !matches!(&*query, "" | "bool" | "int") {
        return value_error(format!("{alias}: no notation '{query}' of 64 bits"));
    }
    Ok(Value::from(match &*query {
        "" => return Ok(value),
        "bool" => return Ok(Value::Bool(true)),
        "int" => return Ok(Value::integer(BigInt::from(mac.bits))),
        "bare" => mac.parts(48, "", |part| format!("{part:012X}")),
        "cisco" => mac.parts(16, ".", |part| format!("{part:04x}")),
        "eui48" | "win" => mac.parts(8, "-", |part| format!("{part:02X}")),
        "linux" => mac.parts(8, ":", |part| format!("{part:02x}")),
        "unix" => mac.parts(8, ":", |part| format!("{part:x}")),
        "pgsql" | "postgresql" | "psql" => {
            mac.parts(24, ":", |part| format!("{part:06x}"))
        }
        other => return value_error(format!("{alias}: unknown filter type: {other}")),
    }))
}

fn slaac(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [query]) = arguments.split();
    let query = query.unwrap_or(Value::None);
    let network = ParsedAddress::of(&value, None)?.map(|found| found.network);
    let network = network.filter(|network| network.ip.six);
    let (Some(network), Some(mac)) = (network, HardwareAddress::of(&query)) else {
        return Ok(Value::Bool(false));
    };
    let address = network.first().offset(mac.interface().into());
    address.map(|address| Value::from(address.to_string())).ok_or_else(|| {
        Exception::of_value(format!("{network} has no room for the address of a host"))
    })
}
