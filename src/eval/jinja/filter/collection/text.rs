//! Filters on strings: checksums, normal forms, MAC addresses; and the types of values.

use unicode_normalization::UnicodeNormalization;

use crate::eval::jinja::filter::parameter::{
    given, text, type_error, type_error_of, value_error, values,
};
use crate::eval::jinja::filter::random::generator;
use crate::eval::jinja::{CallSite, Plugin, PluginTable};
use crate::eval::python::regex::{self, Flags};
use crate::eval::python::{self, Bound, Exception, Key, Result, Value};

#[rustfmt::skip]
pub(super) const FILTERS: PluginTable = &[
    Plugin::of_value("community.general.crc32", "crc32s", crc32),
    Plugin::new("community.general.random_mac", "random_mac", &["value"], &["seed"], random_mac),
    Plugin::new("community.general.reveal_ansible_type", "reveal_ansible_type", &["data"], &["alias"],
        ansible_type),
    Plugin::new("community.general.unicode_normalize", "unicode_normalize", &["data"], &["form"],
        unicode_normalize),
];

fn crc32(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], []) = arguments.split();
    let bytes = match &value {
        Value::Str(text) => text.as_bytes(),
        Value::Bytes(bytes) => bytes,
        other => {
            return type_error(format!(
                "Invalid value type ({}) for crc32 ({})",
                other.type_name(),
                python::repr(other)?
            ));
        }
    };
    let mut sum = u32::MAX;
    for byte in bytes {
        sum ^= u32::from(*byte);
        // Bit by bit: a table of 256 words would be worth it only for long texts.
        for _ in 0..8 {
            sum = sum >> 1 ^ if sum & 1 == 1 { 0xedb8_8320 } else { 0 };
        }
    }
    Ok(Value::from(format!("{:x}", !sum)))
}

fn unicode_normalize(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([data], [form]) = arguments.split();
    let Some(data) = data.as_str() else {
        return type_error_of(&data, "{} is not a valid input type");
    };
    let form = text(form, "NFC")?;
    Ok(Value::from(match &*form {
        "NFC" => data.nfc().collect::<String>(),
        "NFD" => data.nfd().collect(),
        "NFKC" => data.nfkc().collect(),
        "NFKD" => data.nfkd().collect(),
        other => return value_error(format!("'{other}' is not a valid form")),
    }))
}

fn random_mac(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [seed]) = arguments.split();
    let wrong = |why: &str| {
        let shown = python::str(&value).unwrap_or_default();
        Exception::of_value(format!("Invalid value ({shown}) for random_mac: {why}"))
    };
    let start = value.as_str().ok_or_else(|| wrong("it is no string"))?.to_lowercase();
    let parts: Vec<&str> = start.split(':').collect();
    if parts.len() > 5 {
        return Err(wrong("5 colon(:) separated items max"));
    }
    let byte = regex::compile("[a-f0-9]{2}", Flags::default())?;
    for part in &parts {
        match byte.match_start(part)? {
            None if part.is_empty() => return Err(wrong("empty item")),
            None => return Err(wrong(&format!("{part} not hexa byte"))),
            Some(_) => {}
        }
    }
    // Ten digits, of which the first is not 0, are drawn even if fewer are needed: a seed
    // has to give the address that Ansible makes.
    let digits = format!("{:x}", generator(call, seed)?.range(1 << 36, 1 << 40, 1)?);
    let mut mac = start.clone();
    for (at, digit) in digits.chars().take(2 * (6 - parts.len())).enumerate() {
        mac.extend((at % 2 == 0).then_some(':'));
        mac.push(digit);
    }
    Ok(Value::from(mac))
}

/// `reveal_ansible_type`: the type of a value, with those of its members.
fn ansible_type(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([data], [alias]) = arguments.split();
    let alias = given(alias);
    let name = |value: &Value| -> Result<String> {
        let own = value.type_name();
        let other = match &alias {
            Some(Value::Dict(alias)) => alias.get(&Key::text(own))?,
            _ => None,
        };
        other.map_or_else(|| Ok(own.to_owned()), |other| python::str(&other))
    };
    let all = |values: Vec<Value>| -> Result<String> {
        let mut names = values.iter().map(name).collect::<Result<Vec<_>>>()?;
        names.sort();
        names.dedup();
        Ok(names.join("|"))
    };
    Ok(Value::from(match &data {
        Value::List(list) if !list.is_empty() => {
            format!("{}[{}]", name(&data)?, all(list.items()?)?)
        }
        Value::Dict(dict) if !dict.is_empty() => {
            format!("{}[{}, {}]", name(&data)?, all(dict.keys())?, all(values(dict)?)?)
        }
        other => name(other)?,
    }))
}
