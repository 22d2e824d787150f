//! Custom constraints: a name and a value come in; what the constraint objects to, if
//! anything, goes out. Most ask a service of a cloud; what cannot be asked is accepted.

mod address;
mod name;
mod time;

use crate::eval::Context;
use crate::eval::python::regex::{self, Flags};
use crate::eval::python::{self, Class, Exception, Result, Value, json};
use crate::hot::exception::meant;

/// Says what is wrong with a value.
type Check = fn(&Value, &Context) -> Result<Option<String>>;

/// What is decided here, in the order of names.
const CHECKS: [(&str, Check); 12] = [
    ("cron_expression", |value, _| time::cron_expression(value)),
    ("dns_domain", |value, _| name::dns_domain(value)),
    ("dns_name", |value, _| name::dns_name(value)),
    ("expiration", time::expiration),
    ("ip_addr", |value, _| address::ip_addr(value)),
    ("ip_or_cidr", |value, _| address::ip_or_cidr(value)),
    ("iso_8601", |value, _| time::iso_8601(value)),
    ("json_string", |value, _| json_string(value)),
    ("mac_addr", |value, _| address::mac_addr(value)),
    ("net_cidr", |value, _| address::net_cidr(value)),
    ("rel_dns_name", |value, _| name::rel_dns_name(value)),
    ("timezone", |value, _| time::timezone(value)),
];

/// The services of a cloud and the things they know, in order.
const SERVICES: [(&str, &[&str]); 15] = [
    ("barbican", &["container", "secret"]),
    ("blazar", &["reservation"]),
    ("cinder", &["backup", "qos_specs", "snapshot", "volume", "vtype"]),
    ("designate", &["zone"]),
    ("glance", &["image"]),
    ("ironic", &["node", "portgroup"]),
    ("keystone", &["domain", "group", "project", "region", "role", "service", "user"]),
    ("magnum", &["cluster_template"]),
    ("manila", &["share_network", "share_snapshot", "share_type"]),
    ("mistral", &["workflow"]),
    (
        "neutron",
        &[
            "address_scope",
            "flow_classifier",
            "lbaas.listener",
            "lbaas.loadbalancer",
            "lbaas.pool",
            "lbaas.provider",
            "network",
            "port",
            "port_pair",
            "port_pair_group",
            "qos_policy",
            "router",
            "security_group",
            "segment",
            "subnet",
            "subnetpool",
            "taas.tap_flow",
            "taas.tap_service",
        ],
    ),
    ("nova", &["flavor", "host", "keypair", "network", "server"]),
    (
        "octavia",
        &[
            "availabilityzone",
            "availabilityzoneprofile",
            "flavor",
            "flavorprofile",
            "l7policy",
            "listener",
            "loadbalancer",
            "pool",
        ],
    ),
    ("trove", &["flavor"]),
    ("zaqar", &["queue"]),
];

/// What the constraint of a name objects to in a value.
pub(super) fn objection(
    name: &str,
    value: &Value,
    context: &Context,
) -> Result<Option<String>> {
    let shown = python::str(value)?;
    if let Some((_, check)) = CHECKS.iter().find(|(known, _)| *known == name) {
        let objection = check(value, context)?;
        return Ok(objection.map(|reason| {
            if reason.is_empty() {
                format!("Error validating value '{shown}'")
            } else {
                format!("Error validating value '{shown}': {reason}")
            }
        }));
    }
    let unknown =
        || format!("\"{shown}\" does not validate {name} (constraint not found)");
    Ok((!is_asked(name)).then(unknown))
}

/// Whether a service is asked by the constraint of a name.
fn is_asked(name: &str) -> bool {
    name.split_once('.').is_some_and(|(service, thing)| {
        let known = |(known, things): &(&str, &[&str])| {
            *known == service && things.contains(&thing)
        };
        SERVICES.iter().any(known)
    })
}

/// The same with the name that may have been meant, if there is none of that name.
pub(super) fn hint(raised: Box<Exception>, name: &str) -> Box<Exception> {
    let decided = CHECKS.iter().map(|(known, _)| (*known).to_owned());
    let asked = SERVICES.iter().flat_map(|(service, things)| {
        things.iter().map(move |thing| format!("{service}.{thing}"))
    });
    let names: Vec<String> = decided.chain(asked).collect();
    if names.iter().any(|known| known == name) {
        raised
    } else {
        meant(raised, names.iter().map(|name| &**name), name)
    }
}

fn json_string(value: &Value) -> Result<Option<String>> {
    if !python::truth(value)? {
        return Ok(None);
    }
    let Some(text) = value.as_str() else {
        return Err(Exception::of_type(format!(
            "the JSON object must be str, bytes or bytearray, not {}",
            value.type_name()
        )));
    };
    let wrong = json::load(text).err();
    Ok(wrong.map(|raised| format!("JSON string {text} is invalid: {}", raised.message)))
}

/// The text of a value that is there.
fn nonempty(value: &Value, method: &str) -> Result<Option<String>> {
    if !python::truth(value)? {
        return Ok(None);
    }
    match value.as_str() {
        Some(text) => Ok(Some(text.to_owned())),
        None => {
            let kind = value.type_name();
            let message = format!("'{kind}' object has no attribute '{method}'");
            Err(Exception::new(Class::Attribute, message))
        }
    }
}

fn matches(pattern: &str, text: &str) -> Result<bool> {
    let pattern = regex::compile(pattern, Flags::default())?;
    Ok(pattern.match_start(text)?.is_some())
}
