//! Filters for the configuration of switches and routers: VLANs, access lists, passwords.

use crate::eval::jinja::filter::crypt::{
    MAX_PASSWORD, md5_crypt, md5_steps, random_salt,
};
use crate::eval::jinja::filter::parameter::{count, given, members, string, value_error};
use crate::eval::jinja::{CallSite, Plugin, PluginTable};
use crate::eval::python::{self, Bound, Dict, Result, Value, limit_members};

#[rustfmt::skip]
pub(super) const FILTERS: PluginTable = &[
    Plugin::new("ansible.netcommon.comp_type5", "comp_type5",
        &["unencrypted_password", "encrypted_password"], &["return_original"], comp_type5),
    Plugin::of_value("ansible.netcommon.hash_salt", "hash_salt", hash_salt),
    Plugin::new("ansible.netcommon.pop_ace", "pop_ace", &["data", "filter_options", "match_criteria"],
        &[], pop_ace),
    Plugin::new("ansible.netcommon.type5_pw", "type5_pw", &["password"], &["salt"], type5_pw),
    Plugin::of_value("ansible.netcommon.vlan_expander", "vlan_expander", vlan_expander),
    Plugin::new("ansible.netcommon.vlan_parser", "vlan_parser", &["data"],
        &["first_line_len", "other_line_len"], vlan_parser),
];

/// `vlan_expander`: `1-3,5` becomes 1, 2, 3, 5.
fn vlan_expander(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([data], []) = arguments.split();
    let data = python::str(&data)?;
    let mut numbers = Vec::new();
    for part in data.split(',') {
        let ends: Vec<&str> = part.split('-').collect();
        match &*ends {
            [one] => numbers.push(python::parse_int(one, 10)?),
            [first, last] => {
                let (Value::Int(first), Value::Int(last)) =
                    (python::parse_int(first, 10)?, python::parse_int(last, 10)?)
                else {
                    return value_error(format!("too large a range: {part}"));
                };
                // Checked before the range is expanded: `1-9999999999` is short to write.
                let more = usize::try_from(last.saturating_sub(first)).unwrap_or(0);
                limit_members(numbers.len().saturating_add(more))?;
                numbers.extend((first..=last).map(Value::Int));
            }
            _ => return Err(python::wrong_count(2, ends.len())),
        }
        limit_members(numbers.len())?;
    }
    python::sort(numbers, false).map(Value::list)
}

/// `vlan_parser`: numbers become lines in which runs of three and more are ranges.
fn vlan_parser(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([data], [first, other]) = arguments.split();
    let Value::List(_) = data else {
        return value_error("Input is not valid for vlan_parser");
    };
    let first = count(first, 48)?;
    let other = count(other, 44)?;
    let mut numbers = Vec::new();
    for member in members(&data)? {
        match python::int(&member)? {
            Value::Int(number @ 1..=4094) => numbers.push(number),
            _ => return value_error("Valid VLAN range is 1-4094"),
        }
    }
    numbers.sort_unstable();
    numbers.dedup();
    let mut lines: Vec<String> = Vec::new();
    for run in numbers.chunk_by(|a, b| a + 1 == *b) {
        let parts = match run {
            [start, _, .., end] => vec![format!("{start}-{end}")],
            few => few.iter().map(i64::to_string).collect(),
        };
        for part in parts {
            // The first line has a length of its own, because it follows the command's name.
            let most = if lines.len() < 2 { first } else { other };
            match lines.last_mut() {
                Some(line) if line.len() + 1 + part.len() <= most => {
                    line.push(',');
                    line.push_str(&part);
                }
                _ => lines.push(part),
            }
        }
    }
    Ok(Value::list(lines.into_iter().map(Value::from)))
}

fn hash_salt(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([password], []) = arguments.split();
    salt(&python::str(&password)?).map(Value::from)
}

fn salt(password: &str) -> Result<&str> {
    match &*password.split('$').collect::<Vec<_>>() {
        [_, _, salt, _] => Ok(salt),
        _ => value_error(
            "Could not parse salt out password correctly from the given value",
        ),
    }
}

fn type5_pw(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([password], [salt]) = arguments.split();
    let password = string(&password, "type5_pw password input should be a string,")?;
    let salt = match given(salt) {
        Some(salt) => python::str(&salt)?,
        None => random_salt(call, 4)?,
    };
    if !salt.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'/')) {
        return value_error("type5_pw salt used inproper characters");
    }
    hash(call, password, &salt).map(Value::from)
}

/// Hashes a password as Cisco's type 5.
fn hash(call: &CallSite<'_>, password: &str, salt: &str) -> Result<String> {
    if password.len() > MAX_PASSWORD {
        return value_error(format!("a password has at most {MAX_PASSWORD} bytes"));
    }
    if salt.len() > 8 {
        return value_error("a salt of md5_crypt has 8 characters at most");
    }
    call.scope.context.spend(md5_steps(password.as_bytes()))?;
    let digest = md5_crypt(password.as_bytes(), salt.as_bytes());
    Ok(format!("$1${salt}${digest}"))
}

fn comp_type5(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([plain, hashed], [original]) = arguments.split();
    let plain = python::str(&plain)?;
    let hashed = python::str(&hashed)?;
    let same = hash(call, &plain, salt(&hashed)?)? == hashed;
    Ok(if matches!(original, Some(Value::Bool(true))) && same {
        Value::from(hashed)
    } else {
        Value::Bool(same)
    })
}

/// `pop_ace`: splits access lists into the entries that meet the criteria and the others.
fn pop_ace(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([data, options, criteria], []) = arguments.split();
    if !matches!(data, Value::List(_) | Value::Dict(_)) {
        let message = "Error when using plugin 'pop_ace': Input is not valid for pop_ace";
        return value_error(message);
    }
    let first_only = is(&part(&options, "remove")?, "first");
    let all = matches!(part(&options, "match_all")?, Value::Bool(true));
    let mut clean = AclFamilies::default();
    let mut removed = AclFamilies::default();
    for family in members(&data)? {
        let afi = part(&family, "afi")?;
        for acl in members(&part(&family, "acls")?)? {
            let name = match part(&acl, "name")? {
                Value::None => Value::from(""),
                name => name,
            };
            let mut stay = Vec::new();
            let mut go = Vec::new();
            let aces = match part(&acl, "aces")? {
                Value::None => Vec::new(),
                aces => members(&aces)?,
            };
            for ace in aces {
                let meets = meets(&ace, &criteria, all, &name, &afi)?;
                let goes = meets && (go.is_empty() || !first_only);
                if goes { go.push(ace) } else { stay.push(ace) }
            }
            clean.add(&afi, &name, stay);
            removed.add(&afi, &name, go);
        }
    }
    if is(&part(&options, "failed_when")?, "missing") && removed.is_empty() {
        let what = "no entries removed on the provided match_criteria";
        return value_error(format!("Error when using plugin 'pop_ace': {what}"));
    }
    Ok(Value::Dict(Dict::named([
        ("clean_acls", clean.value()),
        ("removed_aces", removed.value()),
    ])))
}

fn part(value: &Value, name: &str) -> Result<Value> {
    match value {
        Value::Dict(dict) => Ok(dict.get_text(name)?.unwrap_or(Value::None)),
        _ => Ok(Value::None),
    }
}

fn is(value: &Value, text: &str) -> bool {
    value.as_str() == Some(text)
}

/// The lists of IPv4 and of IPv6.
#[derive(Default)]
struct AclFamilies([Vec<Value>; 2]);

impl AclFamilies {
    fn add(&mut self, afi: &Value, name: &Value, aces: Vec<Value>) {
        if !aces.is_empty() {
            let acl = Value::Dict(Dict::named([
                ("name", name.clone()),
                ("aces", Value::list(aces)),
            ]));
            self.0[usize::from(!is(afi, "ipv4"))].push(acl);
        }
    }

    fn is_empty(&self) -> bool {
        self.0.iter().all(Vec::is_empty)
    }

    fn value(self) -> Value {
        let families = self.0.into_iter().zip(["ipv4", "ipv6"]).map(|(acls, afi)| {
            let entries = [("acls", Value::list(acls)), ("afi", Value::from(afi))];
            Value::Dict(Dict::named(entries))
        });
        Value::Dict(Dict::named([("acls", Value::list(families))]))
    }
}

/// Returns true if an entry meets all criteria or, without `all`, one of them.
fn meets(
    ace: &Value,
    criteria: &Value,
    all: bool,
    name: &Value,
    afi: &Value,
) -> Result<bool> {
    let Value::Dict(criteria) = criteria else { return Ok(false) };
    let mut found = Vec::new();
    for (key, wanted) in criteria.entries()? {
        if !python::truth(&wanted)? {
            continue;
        }
        found.push(match key.as_str().unwrap_or_default() {
            "acl_name" => python::equal(name, &wanted)?,
            "afi" => python::equal(afi, &wanted)?,
            end @ ("source" | "destination") => {
                let end = part(ace, end)?;
                let any = part(&end, "any")?;
                python::equal(&part(&end, "address")?, &wanted)?
                    || python::equal(&part(&end, "host")?, &wanted)?
                    || matches!(any, Value::Bool(any) if any == is(&wanted, "any"))
            }
            other => python::equal(&part(ace, other)?, &wanted)?,
        });
    }
    Ok(if all { !found.contains(&false) } else { found.contains(&true) })
}
